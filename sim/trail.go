package sim

// A Part names one cause of delay. The rooms above say what each number means;
// there are 24.
type Part uint8

// A Trail says where the time of one piece of work went. The sum of Spent is
// Mark - Start by construction.
type Trail struct {
	Start, Mark Time
	Spent       [24]Duration
}

// Begin starts the trail afresh at now.
func (t *Trail) Begin(now Time) { *t = Trail{Start: now, Mark: now} }

// Step books the time since the last step under p.
func (t *Trail) Step(p Part, now Time) {
	t.Spent[p] += now.Sub(t.Mark)
	t.Mark = now
}

// Total returns the time since Begin that was booked.
func (t *Trail) Total() Duration { return t.Mark.Sub(t.Start) }
