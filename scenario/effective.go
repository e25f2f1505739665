package scenario

import (
	"fmt"

	"go.yaml.in/yaml/v4"
)

// Effective returns the scenario as it runs, as one file: every parameter with
// where its value comes from, opening and flags merged in. Run again, it has
// the same hash.
func (r *Run) Effective() ([]byte, error) {
	first := r.Settings[0]
	doc := r.Document(first.Effective(), func(host string) *yaml.Node {
		for i := range r.Hosts {
			if r.Hosts[i].Name == host {
				return r.Settings[i].Beside(first)
			}
		}
		return nil
	})
	text, err := yaml.Dump(doc)
	if err != nil {
		return nil, err
	}
	head := fmt.Sprintf("# %s as it ran: hcasim run on this file gives the same result.\n"+
		"# Beside each parameter stands where its value comes from.\n", r.Name)
	return append([]byte(head), text...), nil
}
