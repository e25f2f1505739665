package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"hcasim/scenario/run"
	"hcasim/sim"
)

// mostOps is how many ops are shown one by one.
const mostOps = 40

// writeText writes what a user reads of one run: what was asked, what came of it,
// where the time went, and the verdict.
func writeText(w io.Writer, rec *Record, s Style) error {
	var b bytes.Buffer
	b.WriteString(rec.title() + "\n")
	if t := rec.trust(); t != "" {
		b.WriteString(t + "\n")
	}
	parts := []func(*bytes.Buffer) error{rec.ops, rec.refusals, rec.keys, rec.traffic, rec.times, rec.draw,
		func(w *bytes.Buffer) error { rec.failures(w, s); return nil },
		func(w *bytes.Buffer) error { rec.stopped(w); return nil },
	}
	for _, part := range parts {
		at := b.Len()
		b.WriteByte('\n')
		if err := part(&b); err != nil {
			return err
		}
		if b.Len() == at+1 { // nothing to say
			b.Truncate(at)
		}
	}
	b.WriteByte('\n')
	b.WriteString(rec.verdict(s) + "\n")
	if rec.Folder != "" {
		b.WriteString(rec.Folder + "\n")
	}
	if more := rec.explain(); more != "" {
		b.WriteString(more + "\n")
	}
	_, err := w.Write(b.Bytes())
	return err
}

// title says what ran.
func (rec *Record) title() string {
	words := []string{rec.Run.Name, "profile " + rec.profile()}
	if v := rec.variant(); v != "spec" {
		words = append(words, "variant "+v)
	}
	words = append(words, fmt.Sprintf("seed %d", rec.Run.Scenario.Run.Seed))
	title := strings.Join(words, " · ")
	if flags := rec.flags(); len(flags) > 0 {
		title += "\nwith " + strings.Join(flags, ", ")
	}
	return title
}

// ops shows what was asked, or a summary when there is too much of it.
func (rec *Record) ops(w *bytes.Buffer) error {
	ops := rec.Result.Ops
	switch {
	case len(ops) == 0:
		return nil
	case len(ops) > mostOps:
		return rec.summary(w)
	}
	return rec.opTable().plain(w)
}

// opTable has one row an op.
func (rec *Record) opTable() *grid {
	g := &grid{columns: []column{right("op"), right("line"), left("host"), left("request"), left("on"),
		right("#bytes"), left("status"), right("latency"), left("")}}
	for i := range rec.Result.Ops {
		o := &rec.Result.Ops[i]
		g.row(o.ID, fmt.Sprint(o.Line), o.Host, o.Request, o.Object, fmt.Sprint(o.Bytes), o.Outcome(),
			latency(o), rec.remark(o))
	}
	return g
}

// latency writes how long an op took; ~ where nobody polled its completion.
func latency(o *run.Op) string {
	switch {
	case !o.Done:
		return "-"
	case o.Unsignaled:
		return "~" + micro(o.Latency())
	}
	return micro(o.Latency())
}

// remark says of what did not succeed whether that was asked for.
func (rec *Record) remark(o *run.Op) string {
	switch {
	case rec.missed(o):
		return "✗ see below"
	case o.Recv && !o.Done:
		return "still posted"
	case !o.Failed():
		return ""
	case o.Expected:
		return "as expected"
	}
	return "not asked about"
}

// missed reports whether an expectation of the op's step does not hold.
func (rec *Record) missed(o *run.Op) bool {
	for i := range rec.Result.Failures {
		if step := rec.Result.Failures[i].Op; step != "" && (o.ID == step || strings.HasPrefix(o.ID, step+".")) {
			return true
		}
	}
	return false
}

// verdict is the last line.
func (rec *Record) verdict(s Style) string {
	res := rec.Result
	held, limits := rec.thresholds()
	text := fmt.Sprintf("%d of %d expectations", res.Held-held, res.Asked-limits)
	if limits > 0 {
		text += fmt.Sprintf(", %d of %d thresholds", held, limits)
	}
	switch {
	case rec.Stopped() && res.Asked == 0:
		text = rec.ended()
	case rec.Stopped():
		text += ", " + rec.ended()
	case res.Asked == 0:
		text = "nothing was expected"
	}
	text += fmt.Sprintf(" · %s simulated", simulated(res.Now))
	if rec.OK() {
		return s.good("✓ ") + text
	}
	return s.bad("✗ ") + text
}

// simulated writes the time at the end with the precision that a reader wants.
func simulated(t sim.Time) string {
	d := sim.Duration(t)
	if d < 10*sim.Millisecond {
		return micro(d)
	}
	ms := (uint64(d) + 500_000) / 1_000_000 // in us
	return fmt.Sprintf("%s.%03d ms", thousands(ms/1000), ms%1000)
}

// ended says how a run ended that should not have.
func (rec *Record) ended() string {
	switch rec.Result.End {
	case run.Limit:
		return fmt.Sprintf("stopped at the limit of simulated time, %v (run: {until: …} or --until allows more)", run.Until(rec.Run.Scenario))
	case run.Stuck:
		return "stuck"
	default:
		return "the model is broken"
	}
}

// stopped says who waits for what, or which invariant does not hold.
func (rec *Record) stopped(w *bytes.Buffer) {
	if !rec.Stopped() {
		return
	}
	for _, line := range rec.Result.Broken {
		fmt.Fprintln(w, "broken  "+line)
	}
	for _, line := range rec.Result.Waits {
		fmt.Fprintln(w, "waits   "+line)
	}
}

// Speed writes what the run cost, for stderr.
func Speed(w io.Writer, recs ...*Record) {
	var events uint64
	var took float64
	for _, rec := range recs {
		events += rec.Result.Events
		took += rec.Took.Seconds()
	}
	line := fmt.Sprintf("%s, %.0f ms", count(int(events), "event"), took*1000)
	if events > 100_000 && took > 0 {
		line += fmt.Sprintf(", %.2f M events/s", float64(events)/took/1e6)
	}
	_, _ = fmt.Fprintln(w, line) // nobody misses it
}
