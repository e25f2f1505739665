package scenarios

import "embed"

// Profiles are the files of profiles/: devices and hosts by name.
//
//go:embed profiles
var Profiles embed.FS
