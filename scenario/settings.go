package scenario

import (
	"fmt"
	"slices"
	"strings"

	"hcasim/scenario/config"
	"hcasim/scenario/lang"
	"hcasim/tpt"
)

// settings lays profile, file and flags over each other, for each host.
func (r *Run) settings(library *config.Library, s *lang.Scenario) []lang.Problem {
	where := s.File.Position
	base, problems := config.Base[config.World](library, s.Profile)
	lang.Placed(problems, s.File.Said("profile"))     // where the name itself is wrong
	r.Profiles, _ = config.Chosen(library, s.Profile) // Base has told what is wrong with them
	problems = append(problems, base.Lay(s.Config, "", where)...)
	for i := range s.Hosts {
		one := base.Clone()
		if own := s.Hosts[i].Value.Profile; own != "" {
			one = r.ownProfile(library, s, &s.Hosts[i], &problems)
			one.Take(base, "wire")
		}
		problems = append(problems, one.Lay(s.Config, s.Hosts[i].Name, where)...)
		wrong := one.Check()
		lang.Placed(wrong, s.File.Said("profile")) // defaults do not fit what it says
		problems = append(problems, wrong...)
		problems = append(problems, checkSizes(s.Hosts[i].Name, &s.Hosts[i].Value, &one.Params)...)
		r.Settings = append(r.Settings, one)
	}
	problems = append(problems, twoHosts(s)...)
	return problems
}

// ownProfile lays the profile of one host beneath what the file says of all.
func (r *Run) ownProfile(library *config.Library, s *lang.Scenario, h *lang.Item[lang.Host], problems *[]lang.Problem) *config.Settings[config.World] {
	one, wrong := config.Base[config.World](library, h.Value.Profile)
	lang.Placed(wrong, h.Pos)
	chosen, _ := config.Chosen(library, h.Value.Profile)
	r.Profiles = append(r.Profiles, chosen...)
	*problems = append(*problems, wrong...)
	*problems = append(*problems, one.Lay(s.Config, "", s.File.Position)...)
	return one
}

// twoHosts holds a scenario to the two ends of one cable.
func twoHosts(s *lang.Scenario) []lang.Problem {
	if len(s.Hosts) == 2 {
		return nil
	}
	at, message := s.File.Said("hosts"), fmt.Sprintf("a scenario has two hosts, this one has %d", len(s.Hosts))
	suggestion := "hosts: declares them, or use: b0 has two"
	if len(s.Hosts) > 2 {
		at = s.Hosts[2].Pos
		message = fmt.Sprintf("a scenario has two hosts, %s and %s; %q is one too many", s.Hosts[0].Name, s.Hosts[1].Name, s.Hosts[2].Name)
		suggestion = ""
	}
	return []lang.Problem{{File: at.File, Line: at.Line, Column: at.Column, Message: message, Suggestion: suggestion}}
}

// variantOf returns the switches that a scenario asks for.
func variantOf(s *lang.Scenario) (tpt.Variant, []lang.Problem) {
	base := s.Variant.Base
	if base == "" {
		base = "spec"
	}
	at := func(p lang.Pos, message string, length int) lang.Problem {
		return lang.Problem{File: p.File, Line: p.Line, Column: p.Column, Message: message, Length: length}
	}
	v, found := tpt.NamedVariant(base)
	if !found {
		return v, []lang.Problem{at(s.Variant.Pos, fmt.Sprintf("unknown variant %q: there are %s", base, strings.Join(tpt.VariantNames(), ", ")), len(base))}
	}
	var problems []lang.Problem
	for _, sw := range s.Variant.Switches {
		if err := v.Set(sw.Name, sw.Value); err != nil {
			p := at(sw.Pos, err.Error(), len(sw.Name))
			var names []string
			for _, known := range tpt.Switches() {
				names = append(names, known.Name)
			}
			if !slices.Contains(names, sw.Name) {
				p.Suggestion = lang.DidYouMean(sw.Name, names)
			}
			problems = append(problems, p)
		}
	}
	return v, problems
}
