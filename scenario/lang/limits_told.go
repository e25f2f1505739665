package lang

import (
	"fmt"

	"hcasim/sim"
)

// A Ceiling is a limit as help tells of it.
type Ceiling struct{ Name, Default, Of string }

// Ceilings are the limits that a file can say itself, by the names that they
// have in run.limits.
func Ceilings() []Ceiling {
	return []Ceiling{
		{"steps", HowMany(MaxSteps), "steps that loops with var: and times: are written out to"},
		{"ops", HowMany(MaxOps), "verbs and requests of all loops and loads"},
		{"packets", HowMany(MaxPackets), "packets of all of them"},
		{"entries", HowMany(MaxEntries), "entries of all queues"},
		{"fills", MaxFills.String(), "memory filled with more than one byte over and over"},
		{"output", MaxOutput.String(), "each file of the result"},
	}
}

// Fixed are the limits that nothing raises, with what is done instead.
func Fixed() []Ceiling {
	return []Ceiling{
		{"file", sim.Bytes(maxFile).String(), "one file that is read; loop:, count: and cases: repeat without copies"},
		{"nesting", fmt.Sprintf("%d deep", deepest), "lists and mappings within each other"},
		{"aliases", fmt.Sprintf("%d times", aliasGrowth), "what aliases of YAML may make a file larger"},
		{"brackets", fmt.Sprintf("%d deep", deepestBrackets), "brackets within each other in ${…}"},
		{"store, load", sim.Bytes(mostTouched).String(), "memory that one step touches; several touch more"},
		{"cdf", HowMany(mostPoints), "points of a distribution; between two of them sizes rise in a line"},
	}
}
