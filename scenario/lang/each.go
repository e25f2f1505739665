package lang

// EachStep calls f for every step, those of loops and branches included, in
// the order of the file.
func EachStep(list []Step, f func(s *Step)) {
	for i := range list {
		f(&list[i])
		switch a := list[i].Do.(type) {
		case *Loop:
			for _, round := range a.Rounds {
				EachStep(round, f)
			}
		case *Parallel:
			for _, b := range a.Branches {
				EachStep(b, f)
			}
		}
	}
}
