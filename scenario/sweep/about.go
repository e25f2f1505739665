package sweep

import "path/filepath"

// Base returns what the points are made of, in words, from the folder of the
// study, and the settings that hold for all of them.
func (s *Study) Base() (scenario string, settings []Setting) {
	scenario = s.base.file
	if scenario == "" {
		scenario = s.source.Name
	}
	if rel, err := filepath.Rel(filepath.Dir(s.source.Name), scenario); err == nil {
		scenario = filepath.ToSlash(rel)
	}
	if s.base.name != "" {
		scenario += ", case " + s.base.name
	}
	return scenario, s.set
}

// Paths returns where plain values of the axis go; named ones say that
// themselves.
func (a *Axis) Paths() (list []string) {
	for _, p := range a.paths {
		list = append(list, p.text)
	}
	return list
}

// AxisNames returns the names of all axes, in order.
func (s *Study) AxisNames() []string { return s.axisNames() }
