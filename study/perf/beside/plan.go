package beside

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"hcasim/scenario"
	"hcasim/scenario/lang"
	"hcasim/study/perf"
	"hcasim/study/perf/log"
)

// A Question is what the user says beside a log.
type Question struct {
	Test       string // of a log that does not say it
	Profile    string
	Sets       []string
	Library    string
	Iterations uint64 // of each size; 0: those of the log
	Whole      bool   // as many as the log has, however long that takes
	Workers    int
	Tolerance  float64 // percent by which a figure may differ; < 0: it may be any
}

// What is simulated of a size where the log has more: rates and typical times
// do not depend on it.
const (
	enoughBytes    = 256 << 20
	enoughMessages = 20_000
	leastMessages  = 100
)

// A plan is what is to be simulated for a log.
type plan struct {
	log         *log.Log
	experiments []*perf.Experiment // of each row

	taken   []string // from the log
	assumed []string // where it says nothing
	left    []string // of the log, without a counterpart
}

// newPlan settles what a log is compared with. The error is of the log or of
// what the user says beside it.
func newPlan(l *log.Log, q *Question) (*plan, error) {
	s := &settling{plan: plan{log: l}, used: map[string]bool{}}
	s.o = perf.Options{Profile: q.Profile, Library: q.Library, Inline: -1, Timeout: -1, Gbits: l.Gbits}
	s.test(q)
	if s.problems == nil {
		s.settings()
	}
	if s.problems != nil {
		return nil, &scenario.Mistakes{Problems: s.problems}
	}
	s.o.Sets = append(s.o.Sets, q.Sets...)
	for i := range l.Rows {
		x, err := s.experiment(&l.Rows[i], q)
		if err != nil {
			return nil, err
		}
		s.experiments = append(s.experiments, x)
	}
	s.tell(q)
	return &s.plan, nil
}

// A settling turns settings of a log into options.
type settling struct {
	plan
	o        perf.Options
	used     map[string]bool // settings that mean something here
	fewer    bool            // messages than the log has
	problems []lang.Problem
}

func (s *settling) wrong(line, column int, message, suggestion string) {
	s.problems = append(s.problems, lang.Problem{File: s.log.File, Line: line, Column: column, Message: message, Suggestion: suggestion})
}

// test finds which one it is.
func (s *settling) test(q *Question) {
	l := s.log
	name := l.Name
	if name == "" {
		name = q.Test
	}
	t, known := perf.Named(name)
	switch {
	case name == "":
		s.wrong(l.Line, 1, "the log does not say which test it is of", "say it: --test write_lat")
	case !known:
		s.wrong(l.Line, 1, fmt.Sprintf("--test %s is no test of perftest", name), lang.DidYouMean(name, Tests()))
	case q.Test != "" && strings.TrimPrefix(q.Test, "ib_") != t.Name:
		s.wrong(l.Line, 1, fmt.Sprintf("--test %s, but the log is of %s", q.Test, t.Name), "leave out --test")
	case t.Latency() != l.Latency:
		s.wrong(l.Rows[0].Line, 1, fmt.Sprintf("%s has no such figures", t.Name), "is the table of another test?")
	}
	s.o.Test, s.o.Both, s.o.WithImm, s.o.Atomic = t, l.Bidirectional, l.WithImm, l.Atomic
}

// Tests are the names of the tests that a log can be of.
func Tests() (names []string) {
	for _, t := range perf.Tests {
		names = append(names, t.Name)
	}
	return names
}

// settings takes over what the log says of the run.
func (s *settling) settings() {
	bw, name := !s.o.Test.Latency(), s.o.Test.Name
	reads := strings.HasPrefix(name, "read") || strings.HasPrefix(name, "atomic")
	if c, found := s.log.Setting("Connection type"); found {
		s.o.Connection, s.used[c.Name] = c.Value, true
	}
	for _, n := range []struct {
		name string
		to   *uint32
		is   bool
	}{
		{"Number of qps", &s.o.QPs, bw}, {"TX depth", &s.o.TxDepth, bw}, {"CQ Moderation", &s.o.CQMod, bw}, {"Post List", &s.o.PostList, bw},
		{"RX depth", &s.o.RxDepth, strings.HasPrefix(name, "send") || s.o.WithImm}, {"Mtu", &s.o.MTU, true}, {"Outstand reads", &s.o.Outs, reads},
	} {
		if v, found := s.number(n.name, n.is); found {
			*n.to = uint32(v)
		}
	}
	if v, found := s.number("Max inline data", !reads); found {
		s.o.Inline = int64(v)
	}
	if link, found := s.log.Setting("Link type"); found {
		s.used[link.Name] = true
		switch link.Value {
		case "IB":
		case "Ethernet":
			s.o.Sets = []string{"wire.protocol=roce_v4"}
			s.assumed = append(s.assumed, "RoCEv2 over IPv4 (or --set wire.protocol=roce_v6)")
		default:
			s.wrong(link.Line, link.Column, fmt.Sprintf("a link type %q is not modelled", link.Value), "there are IB and Ethernet")
		}
	}
	// That there are none needs no word.
	for _, none := range []struct{ name, value string }{{"Dual-port", "OFF"}, {"Using SRQ", "OFF"}, {"TX depth", "1"}, {"Number of qps", "1"}} {
		if v, found := s.log.Setting(none.name); found && v.Value == none.value {
			s.used[v.Name] = true
		}
	}
}

// number reads a setting such as 4096[B], where the test has it.
func (s *settling) number(name string, is bool) (v uint64, found bool) {
	x, found := s.log.Setting(name)
	if !found || !is {
		return 0, false
	}
	s.used[x.Name] = true
	v, err := strconv.ParseUint(strings.TrimSuffix(x.Value, "[B]"), 10, 31)
	if err != nil {
		s.wrong(x.Line, x.Column, fmt.Sprintf("%s is %q, want a whole number", x.Name, x.Value), "")
		return 0, false
	}
	return v, true
}

// experiment prepares what is simulated of a row.
func (s *settling) experiment(r *log.Row, q *Question) (*perf.Experiment, error) {
	o := s.o
	o.Size = r.Bytes
	if strings.HasPrefix(o.Test.Name, "atomic") && r.Bytes == 8 {
		o.Size = 0
	}
	all := uint64(max(1, o.QPs)) // that share what a row counts
	o.Iterations = max(1, r.Iterations/all)
	if !q.Whole {
		enough := max(leastMessages, min(enoughMessages/all, enoughBytes/(r.Bytes*all)))
		s.fewer = s.fewer || o.Iterations > enough && q.Iterations == 0
		o.Iterations = min(o.Iterations, enough)
	}
	if q.Iterations > 0 {
		o.Iterations = q.Iterations
	}
	x, err := perf.Prepare(o)
	var mistakes *scenario.Mistakes
	switch {
	case errors.As(err, &mistakes), err != nil && strings.HasPrefix(err.Error(), "--"):
		return nil, err // of --profile or --set
	case err != nil:
		p := lang.Problem{File: s.log.File, Line: r.Line, Column: 1, Message: fmt.Sprintf("hcasim perf %s takes no such run: %v", o.Test.Name, err)}
		return nil, &scenario.Mistakes{Problems: []lang.Problem{p}}
	}
	return x, nil
}

// tell says what came from where.
func (s *settling) tell(q *Question) {
	x := s.experiments[0]
	from := func(name string, is bool, text string) {
		if !is {
			return
		}
		if _, found := s.log.Setting(name); found {
			s.taken = append(s.taken, text)
		} else {
			s.assumed = append(s.assumed, text)
		}
	}
	bw := !x.Test.Latency()
	reads := strings.HasPrefix(x.Test.Name, "read") || strings.HasPrefix(x.Test.Name, "atomic")
	s.taken = append(s.taken, fmt.Sprintf("%s, iterations %d", sizes(s.log.Rows), s.log.Rows[0].Iterations))
	from("Connection type", true, "connection "+x.Connection)
	from("Number of qps", bw, fmt.Sprintf("queue pairs %d", x.QPs))
	from("TX depth", bw, fmt.Sprintf("TX depth %d", x.TxDepth))
	from("CQ Moderation", bw, fmt.Sprintf("CQ moderation %d", x.CQMod))
	from("Post List", x.PostList > 1, fmt.Sprintf("post list %d", x.PostList))
	from("RX depth", bw && strings.HasPrefix(x.Test.Name, "send"), fmt.Sprintf("RX depth %d", x.RxDepth))
	from("Mtu", true, fmt.Sprintf("MTU %d", x.MTU))
	from("Max inline data", !reads, fmt.Sprintf("inline %d", x.Inline))
	from("Outstand reads", reads, fmt.Sprintf("outstanding %d", x.Outs))
	s.link(x)
	if s.log.Name == "" {
		s.assumed = append(s.assumed, "test "+x.Test.Name+" (--test)")
	}
	profile := "profile " + x.Profile
	if q.Profile == "" {
		profile += " (--profile)"
	}
	s.assumed = append(s.assumed, profile)
	switch {
	case q.Iterations > 0:
		s.assumed = append(s.assumed, fmt.Sprintf("iterations %d (--iters)", q.Iterations))
	case s.fewer:
		s.assumed = append(s.assumed, "fewer iterations where the log has many (--whole makes all)")
	}
	if s.log.Lasted || bw && !hasPeak(s.log) {
		s.assumed = append(s.assumed, "a number of messages; the log may be of -D, a time")
	}
	for _, set := range s.log.Settings {
		if !s.used[set.Name] {
			s.left = append(s.left, set.Name+" "+set.Value)
		}
	}
	for _, x := range s.experiments {
		s.left = append(s.left, x.Notes...)
	}
}

// link says what carries the packets: the log's, unless --set says otherwise.
func (s *settling) link(x *perf.Experiment) {
	link := "IB"
	if x.Runs()[0].Settings[0].Params.Wire.Protocol != "ib" {
		link = "Ethernet"
	}
	if said, found := s.log.Setting("Link type"); found && said.Value == link {
		s.taken = append(s.taken, "link "+link)
	} else {
		s.assumed = append(s.assumed, "link "+link)
	}
}

func hasPeak(l *log.Log) bool {
	_, has := l.Rows[0].Value(log.Peak)
	return has
}

// sizes says which rows there are.
func sizes(rows []log.Row) string {
	if len(rows) == 1 {
		return fmt.Sprintf("size %d", rows[0].Bytes)
	}
	return fmt.Sprintf("%d sizes, %d to %d bytes", len(rows), rows[0].Bytes, rows[len(rows)-1].Bytes)
}
