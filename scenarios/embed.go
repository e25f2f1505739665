package scenarios

import "embed"

// Profiles are the files of profiles/: devices and hosts by name.
//
//go:embed profiles
var Profiles embed.FS

// Openings are the files of openings/: set-ups that scenarios start from.
//
//go:embed openings
var Openings embed.FS

// Validations are the files of validation/: the items of the validation suite,
// and in testbeds/ where they were measured.
//
//go:embed validation
var Validations embed.FS
