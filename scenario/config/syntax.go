package config

import (
	"bytes"

	"hcasim/scenario/lang"
)

// unreadable turns what the reader of YAML says of a file into a problem.
func unreadable(file string, text []byte, err error) lang.Problem {
	p := lang.Syntax(err, text)
	if len(bytes.TrimSpace(text)) == 0 {
		p.Suggestion = "hcasim profile show NAME prints one to start from"
	}
	p.File, p.Line, p.Column = file, max(p.Line, 1), max(p.Column, 1)
	return p
}
