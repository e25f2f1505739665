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
