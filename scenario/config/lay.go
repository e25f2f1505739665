package config

import (
	"slices"
	"strings"

	"hcasim/scenario/lang"
)

// Base returns the defaults with profiles laid over them, in the order of
// names, which commas separate; "" is the defaults. The host that a device is
// usually found in comes with it, unless another of the profiles is a host's.
func Base[T any](l *Library, names string) (*Settings[T], []lang.Problem) {
	s := New[T]()
	profiles, problems := Chosen(l, names)
	for _, p := range profiles {
		problems = append(problems, s.Use(p)...)
	}
	return s, problems
}

// Chosen returns the profiles that names stand for, the hosts that come with
// them among them, in the order in which they are laid.
func Chosen(l *Library, names string) (profiles []*Profile, problems []lang.Problem) {
	for _, name := range strings.FieldsFunc(names, func(r rune) bool { return r == ',' || r == ' ' }) {
		p, wrong := l.Profile(name)
		problems = append(problems, wrong...)
		if p != nil {
			profiles = append(profiles, p)
		}
	}
	if slices.ContainsFunc(profiles, (*Profile).ofHost) {
		return profiles, problems
	}
	var hosts []*Profile
	for _, p := range profiles {
		if p.Host == "" {
			continue
		}
		host, wrong := l.Profile(p.Host)
		lang.Placed(wrong, p.hostAt)
		problems = append(problems, wrong...)
		if host != nil {
			hosts = append(hosts, host)
		}
	}
	return append(hosts, profiles...), problems
}

// Lay applies the trees of a scenario that are for all hosts, or, given a
// host, those for it alone. Lay the common ones first, then clone for each
// host.
func (s *Settings[T]) Lay(trees []lang.ConfigTree, host string, where Where) (problems []lang.Problem) {
	for _, t := range trees {
		at := t.Path
		if host != "" {
			own, ours := strings.CutPrefix(at, "hosts."+host+".")
			if !ours {
				continue
			}
			at = own
		} else if strings.HasPrefix(at, "hosts.") {
			continue
		}
		problems = append(problems, s.Apply(at, t.Node, where)...)
	}
	return problems
}
