package figure

import (
	"strings"

	"hcasim/scenario/run"
)

// Known reports whether a run with these hosts can have a figure of a name.
// Whether it does is another matter: one without READs has no read.p99.
func Known(name string, hosts []string) bool {
	return run.KnownMetric(name, hosts)
}

// Vocabulary returns the names that there are, for suggestions.
func Vocabulary(hosts []string) (names []string) {
	for _, name := range run.Metrics(hosts) {
		names = append(names, name)
		if kind, _, _ := strings.Cut(name, "."); !run.IsKind(kind) {
			names = append(names, "measured."+name)
		}
	}
	return names
}
