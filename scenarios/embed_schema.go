package scenarios

import "embed"

// Schemas are the files of schema/: what editors check files by.
//
//go:embed schema
var Schemas embed.FS
