// Package scenarios carries the files that an installed program needs: the
// profiles, the openings, the templates and the schemas. It has no code.
//
// Scenarios themselves are found by path; each is a test as well.
package scenarios
