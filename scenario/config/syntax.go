package config

import (
	"errors"

	"go.yaml.in/yaml/v4"

	"hcasim/scenario/lang"
)

// unreadable turns what the reader of YAML says of a file into a problem.
func unreadable(file string, err error) lang.Problem {
	p := lang.Problem{File: file, Message: reason(err)}
	var one *yaml.LoadError
	if errors.As(err, &one) {
		p.Line, p.Column = one.Mark.Line, one.Mark.Column
	}
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
