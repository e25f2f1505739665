// Package ci carries the snippets for services that run tests, which docs/ci.md
// speaks of and hcasim init writes. It has no code.
package ci

import _ "embed"

// Github is github.yml, for a folder sim/ of scenarios and profiles.
//
//go:embed github.yml
var Github string
