package lang

// Scenarios returns what there is to run: one for each case, or the file
// itself.
func (f *File) Scenarios() []Scenario { return nil }
