package report

import (
	"fmt"
	"strings"

	"hcasim/report/causes"
)

// Faults explains the causes of refusals, for the help.
func Faults() string { return causes.Overview() }

// FaultNames names them.
func FaultNames() []string { return causes.Names() }

// Fault tells one of them.
func Fault(name string) (string, error) {
	c, found := causes.Find(strings.ToLower(name))
	if !found {
		return "", fmt.Errorf("there is no cause %q: there are %s", name, strings.Join(causes.Names(), ", "))
	}
	return causes.Page(c), nil
}
