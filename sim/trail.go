package sim

// A Part names one cause of delay. The rooms above say what each number means;
// there are 24.
type Part uint8

// A Trail says where the time of one piece of work went. The sum of Spent is
// Mark - Start by construction.
type Trail struct {
	Start, Mark Time
	Spent       [24]Duration
	legs        *Leg // the newest, of a trail that is followed
}

// A Leg is one stretch of a trail that is followed. Legs hang together from the
// newest to the oldest: copies of a trail share those before they parted.
type Leg struct {
	Part     Part
	From, To Time
	Before   *Leg // nil: it is the first
}

// Begin starts the trail afresh at now.
func (t *Trail) Begin(now Time) { *t = Trail{Start: now, Mark: now} }

// Follow makes the trail keep its legs from now on.
func (t *Trail) Follow() { t.legs = &Leg{From: t.Mark, To: t.Mark} }

// Legs returns the newest leg; nil of a trail that is not followed.
func (t *Trail) Legs() *Leg { return t.legs }

// Step books the time since the last step under p.
func (t *Trail) Step(p Part, now Time) {
	t.Spent[p] += now.Sub(t.Mark)
	if t.legs != nil {
		t.leg(p, now)
	}
	t.Mark = now
}

// leg keeps a stretch that took any time.
func (t *Trail) leg(p Part, now Time) {
	if now != t.Mark {
		t.legs = &Leg{p, t.Mark, now, t.legs}
	}
}

// Total returns the time since Begin that was booked.
func (t *Trail) Total() Duration { return t.Mark.Sub(t.Start) }
