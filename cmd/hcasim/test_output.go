package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"hcasim/report"
)

// An output is a form of a test that goes into a file. It is written when the
// test is over, whole or not at all.
type output struct {
	form string
	file report.File
	text bytes.Buffer
}

// newOutput reads FORM=FILE.
func newOutput(text string) (*output, error) {
	form, file, found := strings.Cut(text, "=")
	if !found || file == "" {
		return nil, fmt.Errorf("--output %s: wants FORM=FILE, such as junit=report.xml", text)
	}
	if err := format(form, report.TestFormats...); err != nil {
		return nil, fmt.Errorf("--output %s: %q is none of %s", text, form, strings.Join(report.TestFormats, ", "))
	}
	return &output{form: form, file: report.File(file)}, nil
}

// check returns why it cannot be written.
func (o *output) check() error {
	if err := o.file.Check(); err != nil {
		return fmt.Errorf("--output: %w", err)
	}
	return nil
}

func (o *output) write() error {
	return o.file.Write(func(w io.Writer) error {
		_, err := w.Write(o.text.Bytes())
		return err
	})
}
