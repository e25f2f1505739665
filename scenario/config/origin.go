package config

import (
	"path/filepath"
	"strconv"

	"go.yaml.in/yaml/v4"

	"hcasim/scenario/lang"
)

// A Source says who gave a parameter its value, weakest first: a later one
// overrides.
type Source uint8

// The sources, weakest first.
const (
	FromDefault Source = iota // the tag of the field
	FromProfile               // a named profile
	FromFile                  // a scenario or study file
	FromFlag                  // --set on the command line
)

// An Origin is where the value of one parameter comes from.
type Origin struct {
	Source Source
	Name   string // the profile's name, or the file's without its folder: where it lies decides nothing
	Line   int    // in the file; 0 unknown

	file   string // for problems
	column int
}

// String returns the origin as the comment of an effective configuration has
// it.
func (o Origin) String() string {
	switch o.Source {
	case FromProfile:
		return "profile " + o.Name
	case FromFile:
		if o.Line > 0 {
			return o.Name + ":" + strconv.Itoa(o.Line)
		}
		return o.Name
	case FromFlag:
		return "--set"
	case FromDefault:
	}
	return "default"
}

// originOf tells a flag from a file: its line is negative.
func originOf(at lang.Pos) Origin {
	if at.Line < 0 {
		return Origin{Source: FromFlag}
	}
	return Origin{Source: FromFile, Name: filepath.Base(at.File), Line: at.Line, file: at.File, column: at.Column}
}

// A Where tells the place of a node: of a merged document, the file or the
// flag that the node came from.
type Where func(n *yaml.Node) lang.Pos

// In is the Where of a document that is one file.
func In(file string) Where {
	return func(n *yaml.Node) lang.Pos { return lang.Pos{File: file, Line: n.Line, Column: n.Column} }
}
