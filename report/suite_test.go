package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"hcasim/scenario"
	"hcasim/scenario/lang"
	"hcasim/scenario/run"
)

const family = `version: 1
kind: scenario
use: b0
cases:
  - {name: "50%, a:b ]]> <\"one\">", ops: [{on: A, wr_rdma_write: {}, expect: {wc: SUCCESS}}]}
  - {name: "#two", ops: [{on: A, wr_rdma_write: {}, expect: {wc: REM_OP_ERR, errno: OK, memory: {B.mB: unchanged}}}]}
  - {name: late, ops: [{on: A, wr_rdma_write: {}, expect: {wc: SUCCESS}}]}
`

// suiteOf is files of every kind: good and bad runs, a wrong one, a skipped, a
// mute, one that was not run, one whose figures are of a run that is gone.
func suiteOf(t *testing.T) []*Tested {
	t.Helper()
	tested := func(path, text string, sets ...string) *Tested {
		out := &Tested{Path: path}
		runs, err := scenario.Read(path, []byte(text), scenario.Options{Sets: sets})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range runs {
			rec, err := Simulate(r)
			if err != nil {
				t.Fatal(err)
			}
			out.Records = append(out.Records, rec)
		}
		return out
	}
	const head = "version: 1\nkind: scenario\nuse: b0\nops: [{on: A, wr_rdma_write: {}"
	_, wrong := scenario.Read("d/wrong.yaml", []byte(head+", expekt: {}}]\nrecrd: all\n"), scenario.Options{})
	stale := tested("d/stale.yaml", head+", expect: {wc: SUCCESS}}]\n")
	stale.Stale = []run.Failure{{Pos: lang.Pos{File: "d/stale.golden.yaml", Line: 7, Column: 5}, What: "run", Expected: "old", Got: "no such run", Note: "n"}}
	return []*Tested{
		tested("d/family.yaml", family),
		{Path: "d/p.yaml", Kind: "profile"},
		{Path: "d/wrong.yaml", Err: wrong},
		tested("d/mute.yaml", head+"}]\n"),
		tested("d/stopped.yaml", head+", expect: {wc: SUCCESS}}]\n", "run.until=1us"),
		stale,
		{Path: "d/folder.yaml", Err: errors.New("a \x01 that XML has not")},
		{Path: "d/later.yaml", NotRun: true},
	}
}

// shown returns what a suite writes in a form.
func shown(t *testing.T, form string, list []*Tested) string {
	t.Helper()
	var b bytes.Buffer
	s := NewSuite([]string{"--set", "run.seed=4"}, "")
	s.Show(&b, form, Style{}, "")
	for _, x := range list {
		if err := s.Add(x); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestJUnit reads the document back: each case has the verdict that the suite
// had, the counts are those of the cases, and the text has the place of each
// failure.
func TestJUnit(t *testing.T) {
	text := shown(t, "junit", suiteOf(t))
	var doc junitDoc
	if err := xml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err, text)
	}
	got := []string{}
	var sum tally
	for _, s := range doc.Suites {
		var n tally
		for _, c := range s.Cases {
			n.tests++
			verdict := "ok"
			switch {
			case c.Skipped != nil:
				n.skipped++
				verdict = "skipped: " + c.Skipped.Message
			case c.Failure != nil:
				n.failures++
				verdict = "failure " + c.Failure.Type
				if !strings.Contains(c.Failure.Text, s.File[:len(s.File)-len(".yaml")]) {
					t.Errorf("%s: no place in %q", c.Name, c.Failure.Text)
				}
			case c.Error != nil:
				n.errors++
				verdict = "error " + c.Error.Type
			}
			if (c.Failure != nil || c.Error != nil && c.Error.Type == "stopped") && c.Failure.kind() != "figure" &&
				!strings.HasPrefix(c.Out.Text, "hcasim run "+s.File+" --set run.seed=4") {
				t.Errorf("%s: no command in %v", c.Name, c.Out)
			}
			got = append(got, c.ClassName+" · "+c.Name+" · "+verdict)
		}
		if (n != tally{s.Tests, s.Failures, s.Errors, s.Skipped}) {
			t.Errorf("%s counts %+v and has %+v", s.Name, s, n)
		}
		sum = tally{sum.tests + n.tests, sum.failures + n.failures, sum.errors + n.errors, sum.skipped + n.skipped}
	}
	if (sum != tally{doc.Tests, doc.Failures, doc.Errors, doc.Skipped}) {
		t.Errorf("the sum is %+v, of the suites %+v", doc, sum)
	}
	want := []string{
		`d.family · family/50%, a:b ]]> <"one"> · ok`,
		"d.family · family/#two · failure expectation",
		"d.family · family/late · ok",
		"d.p · d/p.yaml · skipped: it is no scenario: profile",
		"d.wrong · d/wrong.yaml · error wrong",
		"d.mute · mute · failure mute",
		"d.stopped · stopped · error expectation",
		"d.stale · d/stale.yaml · failure figure",
		"d.stale · stale · ok",
		"d.folder · d/folder.yaml · error wrong",
		"d.later · d/later.yaml · skipped: not run after the first failure",
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if !regexp.MustCompile(`message="memory|message="wc: [^"]* \(and 1 more\)"`).MatchString(text) {
		t.Errorf("of two failures of a case one is not counted:\n%s", text)
	}
}

func (w *junitWrong) kind() string {
	if w == nil {
		return ""
	}
	return w.Type
}

// TestTAP: numbers run from 1 to what the plan says, and what is wrong has its
// diagnosis.
func TestTAP(t *testing.T) {
	text := shown(t, "tap", suiteOf(t))
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if lines[0] != "TAP version 13" {
		t.Errorf("it begins with %q", lines[0])
	}
	point := regexp.MustCompile(`^(not )?ok (\d+) - (.*)$`)
	n, bad := 0, 0
	for i, line := range lines {
		m := point.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		n++
		if m[2] != fmt.Sprint(n) {
			t.Errorf("%q is the %dth", line, n)
		}
		if m[1] != "" {
			bad++
			if lines[i+1] != "  ---" {
				t.Errorf("%q has no diagnosis", line)
			}
		}
	}
	if last := lines[len(lines)-1]; last != fmt.Sprintf("1..%d", n) || n != 11 || bad != 6 {
		t.Errorf("the plan is %q, there are %d points, %d of them bad", last, n, bad)
	}
	for _, want := range []string{
		`not ok 2 - family/\#two`, "ok 4 - d/p.yaml # SKIP it is no scenario: profile",
		"    - kind: figure\n      file: \"d/stale.golden.yaml\"\n      line: 7\n      column: 5\n", "  severity: error\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
	if got := shown(t, "tap", nil); got != "TAP version 13\n1..0\n" {
		t.Errorf("of nothing it is %q", got)
	}
}

// TestGithub: each complaint is one line, escaped as workflow commands want it.
func TestGithub(t *testing.T) {
	o := &outcome{name: "50%, a:b\r\n", more: []string{"see % this"}}
	c := &complaint{at: lang.Pos{File: "d,e/x:y.yaml", Line: 3, Column: 9}, title: "wc: a, b", note: "100 %\r\nof it"}
	var b bytes.Buffer
	annotate(&b, o, c, "")
	const want = "::error file=d%2Ce/x%3Ay.yaml,line=3,col=9,title=50%25%2C a%3Ab%0D%0A::wc: a, b%0A100 %25%0D%0Aof it%0Asee %25 this\n"
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
	text := shown(t, "github", suiteOf(t))
	if n := strings.Count(text, "::error "); n != 9 {
		t.Errorf("%d annotations in\n%s", n, text)
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "::") && !strings.Contains(line[8:], "::") || strings.Contains(line, "\r") {
			t.Errorf("no command: %q", line)
		}
	}
	if !strings.Contains(text, "\nnot run  1 file after the first failure: d/later.yaml\n✗ 6 of 6 files failed") {
		t.Errorf("the sum is not that of the text:\n%s", text)
	}
	if got := fromWorkspace(lang.Pos{File: "/repo/a/../b/x.yaml"}, "/repo"); got != "b/x.yaml" {
		t.Errorf("in the workspace it is %q", got)
	}
	if got := fromWorkspace(lang.Pos{File: "/else/x.yaml"}, "/repo"); got != "/else/x.yaml" {
		t.Errorf("outside of the workspace it is %q", got)
	}
}
