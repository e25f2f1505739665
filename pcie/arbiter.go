package pcie

// An arbiter orders the classes of reads.
type arbiter struct {
	fixed    bool // by priority
	weighted bool
	turn     Class
	left     uint32 // TLPs left in the turn, if weighted
	weights  [classes]uint32
}

// orders are the classes from each on, and last those of priority.
var orders = [classes + 1][classes]Class{
	Fetch:   {Fetch, Payload, Answer},
	Payload: {Payload, Answer, Fetch},
	Answer:  {Answer, Fetch, Payload},
	classes: {Answer, Payload, Fetch},
}

func (a *arbiter) init(d DeviceParams) {
	a.fixed, a.weighted = d.Arbiter == Priority, d.Arbiter == Weighted
	a.weights = [classes]uint32{Fetch: d.FetchWeight, Payload: d.PayloadWeight, Answer: d.AnswerWeight}
	a.left = a.weights[a.turn]
}

// order returns the classes, the one that is preferred first.
func (a *arbiter) order() *[classes]Class {
	if a.fixed {
		return &orders[classes]
	}
	return &orders[a.turn]
}

// took books that a TLP of class c went.
func (a *arbiter) took(c Class) {
	if a.weighted {
		if c != a.turn {
			a.turn, a.left = c, a.weights[c]
		}
		if a.left > 1 {
			a.left--
			return
		}
	}
	a.turn = orders[c][1]
	a.left = a.weights[a.turn]
}
