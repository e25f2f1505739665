package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"
)

// A junitSheet is JUnit's XML, as Jenkins, GitLab and GitHub's actions read it:
// a suite for each file, a case for each run. Times are of the wall clock; they
// are all that differs from run to run.
type junitSheet struct {
	w     io.Writer
	flags []string
	doc   junitDoc
	sum   tally
	took  time.Duration
}

type junitDoc struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	File     string      `xml:"file,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	ClassName string        `xml:"classname,attr"`
	Name      string        `xml:"name,attr"`
	File      string        `xml:"file,attr"`
	Line      int           `xml:"line,attr,omitempty"`
	Time      string        `xml:"time,attr"`
	Skipped   *junitSkipped `xml:"skipped"`
	Failure   *junitWrong   `xml:"failure"`
	Error     *junitWrong   `xml:"error"`
	Out       *junitText    `xml:"system-out"`
}

type junitSkipped struct {
	Message string `xml:"message,attr"`
}

type junitWrong struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

type junitText struct {
	Text string `xml:",chardata"`
}

func (s *junitSheet) add(t *Tested) error {
	path := filepath.ToSlash(t.Path)
	suite := junitSuite{Name: path, File: path}
	var n tally
	var took time.Duration
	for _, o := range t.outcomes(s.flags) {
		n.add(&o)
		s.sum.add(&o)
		took += o.took
		suite.Cases = append(suite.Cases, junitCaseOf(path, &o))
	}
	s.took += took
	suite.Tests, suite.Failures, suite.Errors, suite.Skipped, suite.Time = n.tests, n.failures, n.errors, n.skipped, seconds(took)
	s.doc.Suites = append(s.doc.Suites, suite)
	return nil
}

func (s *junitSheet) close(*Suite) error {
	d, n := &s.doc, &s.sum
	d.Name, d.Tests, d.Failures, d.Errors, d.Skipped, d.Time = "hcasim", n.tests, n.failures, n.errors, n.skipped, seconds(s.took)
	text, err := xml.MarshalIndent(d, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.w, "%s%s\n", xml.Header, text)
	return err
}

// junitCaseOf makes a case of an outcome. Readers take one failure of a case:
// it has all that is wrong, the first in its message.
func junitCaseOf(path string, o *outcome) junitCase {
	class := strings.ReplaceAll(strings.TrimSuffix(path, filepath.Ext(path)), "/", ".")
	c := junitCase{ClassName: strings.TrimLeft(class, "."), Name: o.name, File: path, Line: o.at.Line, Time: seconds(o.took)}
	if o.skipped != "" {
		c.Skipped = &junitSkipped{o.skipped}
		return c
	}
	if len(o.complaints) == 0 {
		return c
	}
	first := &o.complaints[0]
	wrong := &junitWrong{Message: first.title, Type: first.kind}
	if more := len(o.complaints) - 1; more > 0 {
		wrong.Message += fmt.Sprintf(" (and %d more)", more)
	}
	for i := range o.complaints {
		wrong.Text += o.complaints[i].full() + "\n"
	}
	if o.broken() {
		c.Error = wrong
	} else {
		c.Failure = wrong
	}
	if len(o.more) > 0 {
		c.Out = &junitText{strings.Join(o.more, "\n") + "\n"}
	}
	return c
}

// full is a complaint with its place, in lines.
func (c *complaint) full() string {
	head := placed(c.at)
	if c.kind != "expectation" && c.kind != "figure" { // whose text has it all
		head += ": " + c.title
	}
	if c.text == "" {
		return head
	}
	return head + "\n" + c.text
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.6f", d.Seconds()) }
