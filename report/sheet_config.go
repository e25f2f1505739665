package report

import (
	"hcasim/report/page"
	"hcasim/scenario/config"
)

// configSection shows what the run was made of: what the file and the command
// line set, then what the profile sets apart from the defaults, then the rest.
func (rec *Record) configSection() page.Section {
	s := page.Section{ID: "configuration", Title: "Configuration"}
	tables := [3]*grid{}
	for i := range tables {
		tables[i] = &grid{columns: []column{left("parameter"), right("value"), left("origin"), right("default")}}
	}
	for _, p := range config.Describe(&config.World{}) {
		for _, row := range rec.values(&p) {
			g := tables[2]
			switch {
			case row.set:
				g = tables[0]
			case row.cells[1] != p.Default:
				g = tables[1]
			}
			g.row(row.cells...)
		}
	}
	for i, title := range []string{"Set by the file or the command line", "Set by the profile, and not the default", "All other parameters"} {
		if len(tables[i].rows) > 0 {
			s.Tables = append(s.Tables, tables[i].table(title, i > 0))
		}
	}
	s.Notes = []string{"hcasim run config.yaml, beside this page, gives the same result."}
	return s
}

// A setting is a row of the configuration.
type setting struct {
	set   bool // by the file or a flag
	cells []string
}

// values are those of a parameter: one, or one of each host where they differ.
func (rec *Record) values(p *config.Param) (list []setting) {
	for h, s := range rec.Run.Settings {
		path := p.Path
		if !rec.alike(path) {
			path = "hosts." + rec.Run.Hosts[h].Name + "." + path
		} else if h > 0 {
			break
		}
		v, _ := s.Value(p.Path)
		o, _ := s.Origin(p.Path)
		list = append(list, setting{o.Source >= config.FromFile, []string{path, v, o.String(), p.Default}})
	}
	return list
}
