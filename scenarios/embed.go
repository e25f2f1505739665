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

// Benchmarks are the files of bench/: what hcasim bench runs, each with a
// variable n that it makes larger.
//
//go:embed bench
var Benchmarks embed.FS

// Protection are the files of protection/, a folder of tests that hcasim bench
// runs through as a whole.
//
//go:embed protection
var Protection embed.FS

// Templates are the files of templates/: what hcasim init starts a user's own
// files from. Those that run are tests here.
//
//go:embed templates
var Templates embed.FS
