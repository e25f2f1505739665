package config

import (
	"bytes"
	"errors"

	"go.yaml.in/yaml/v4"

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

// reason returns the message of an error of the reader without its position.
func reason(err error) string {
	var many *yaml.LoadErrors
	if errors.As(err, &many) && len(many.Errors) > 0 {
		return many.Errors[0].Message
	}
	var one *yaml.LoadError
	if errors.As(err, &one) {
		return one.Message
	}
	return err.Error()
}
