package report

import (
	"fmt"
	"io"

	"hcasim/scenario"
	"hcasim/scenario/run"
	"hcasim/sim"
)

// formatVersion is that of the JSON documents; doc.go says what is in them.
// It is raised when a member goes away or changes its meaning.
const formatVersion = 1

// writeJSON writes runs as one document.
func writeJSON(w io.Writer, recs []*Record) error {
	doc := struct {
		Format       string   `json:"format"`
		Version      int      `json:"version"`
		ModelVersion int      `json:"model_version"`
		Runs         []runDoc `json:"runs"`
	}{"hcasim.runs", formatVersion, scenario.ModelVersion, []runDoc{}}
	for _, rec := range recs {
		doc.Runs = append(doc.Runs, rec.fullDoc())
	}
	return Indented(w, doc)
}

// A runDoc is a run. Times are in picoseconds.
type runDoc struct {
	Format    string       `json:"format,omitempty"`
	Version   int          `json:"version,omitempty"`
	Name      string       `json:"name"`
	Hash      string       `json:"hash"`
	File      string       `json:"file,omitempty"`
	Profile   string       `json:"profile"`
	Trust     string       `json:"trust,omitempty"`
	Variant   string       `json:"variant"`
	Seed      uint64       `json:"seed"`
	OK        bool         `json:"ok"`
	End       string       `json:"end"`
	Time      uint64       `json:"time_ps"`
	Events    uint64       `json:"events"`
	Expected  tallyDoc     `json:"expectations"`
	Limits    tallyDoc     `json:"thresholds"`
	Ops       uint64       `json:"op_count"`
	Omitted   uint64       `json:"ops_omitted"`
	Kinds     []kindDoc    `json:"requests"`
	Traffic   []trafficDoc `json:"traffic"`
	Failures  []failureDoc `json:"failures"`
	Faults    []faultDoc   `json:"faults"`
	KeysLeft  uint64       `json:"keys_omitted"`
	Waits     []string     `json:"waits"`
	Broken    []string     `json:"broken"`
	Stats     []statDoc    `json:"stats"`
	Measured  []statDoc    `json:"measured,omitempty"`
	Folder    string       `json:"folder,omitempty"`
	Keys      []keyDoc     `json:"keys,omitempty"`
	OpRecords []opDoc      `json:"ops,omitempty"`
}

type tallyDoc struct {
	Held  int `json:"held"`
	Asked int `json:"asked"`
}

type spreadDoc struct {
	Min   uint64 `json:"min_ps"`
	P50   uint64 `json:"p50_ps"`
	P90   uint64 `json:"p90_ps"`
	P99   uint64 `json:"p99_ps"`
	P999  uint64 `json:"p999_ps"`
	P9999 uint64 `json:"p9999_ps"`
	Max   uint64 `json:"max_ps"`
}

type kindDoc struct {
	Request string     `json:"request"`
	Count   int        `json:"count"`
	Failed  int        `json:"failed"`
	Pending int        `json:"pending"`
	Latency *spreadDoc `json:"latency,omitempty"`
}

type trafficDoc struct {
	Step    int       `json:"step"`
	Request string    `json:"request"`
	Count   uint64    `json:"count"`
	Failed  uint64    `json:"failed"`
	Bytes   uint64    `json:"bytes"`
	Elapsed uint64    `json:"elapsed_ps"`
	Latency spreadDoc `json:"latency"`
	Mean    uint64    `json:"mean_ps"`
	StdDev  uint64    `json:"stddev_ps"`
	Peak    uint64    `json:"peak_requests,omitempty"`
	PeakIn  uint64    `json:"peak_ps,omitempty"`

	Rate    uint64    `json:"rate_per_s"`
	PerS    uint64    `json:"bytes_per_s"`
	Offered *offerDoc `json:"offered,omitempty"`
}

type offerDoc struct {
	Count   uint64 `json:"count"`
	Rate    uint64 `json:"rate_per_s"`
	Queued  uint64 `json:"queued"`
	Backlog uint64 `json:"queued_at_once"`
}

type failureDoc struct {
	File     string `json:"file"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Step     string `json:"step,omitempty"`
	What     string `json:"what"`
	Expected string `json:"expected"`
	Got      string `json:"got"`
	Note     string `json:"note,omitempty"`
}

type faultDoc struct {
	Time   uint64 `json:"time_ps"`
	Host   string `json:"host"`
	Op     string `json:"op,omitempty"`
	QPN    uint32 `json:"qpn"`
	Remote bool   `json:"remote"`
	Cause  string `json:"cause"`
	Rule   string `json:"rule,omitempty"`
	Status string `json:"status,omitempty"`
	NAK    string `json:"nak,omitempty"`
	Key    string `json:"key,omitempty"`
}

type statDoc struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Unit  string `json:"unit,omitempty"`
	Doc   string `json:"description"`
}

type opDoc struct {
	ID         string    `json:"op"`
	Step       int       `json:"step"`
	Line       int       `json:"line"`
	Host       string    `json:"host"`
	QP         string    `json:"qp,omitempty"`
	Request    string    `json:"request"`
	Object     string    `json:"object,omitempty"`
	Bytes      uint64    `json:"bytes"`
	Done       bool      `json:"done"`
	Status     string    `json:"status"`
	Unsignaled bool      `json:"unsignaled,omitempty"`
	Expected   bool      `json:"expected"`
	Start      uint64    `json:"start_ps"`
	End        uint64    `json:"end_ps,omitempty"`
	Latency    uint64    `json:"latency_ps,omitempty"`
	Parts      []partDoc `json:"parts,omitempty"`
}

type partDoc struct {
	Name string `json:"part"`
	Time uint64 `json:"ps"`
}

// summaryDoc is a run without its keys and ops, as summary.json has it.
func (rec *Record) summaryDoc() runDoc {
	res := rec.Result
	held, limits := rec.thresholds()
	d := runDoc{
		Format: "hcasim.run", Version: formatVersion,
		Name: rec.Run.Name, Hash: rec.Run.Hash(), Profile: rec.profile(), Trust: rec.trust(), Variant: rec.variant(),
		Seed: rec.Run.Scenario.Run.Seed, OK: res.OK(), End: res.End.String(), Time: uint64(res.Now), Events: res.Events,
		Expected: tallyDoc{res.Held - held, res.Asked - limits}, Limits: tallyDoc{held, limits},
		Ops: uint64(len(res.Ops)) + res.Omitted, Omitted: res.Omitted,
		Kinds: []kindDoc{}, Traffic: []trafficDoc{}, Failures: []failureDoc{}, Faults: []faultDoc{}, KeysLeft: res.KeysOmitted,
		Waits: append([]string{}, res.Waits...), Broken: append([]string{}, res.Broken...),
	}
	for _, k := range rec.kinds() {
		d.Kinds = append(d.Kinds, k.doc())
	}
	for i := range res.Traffic {
		d.Traffic = append(d.Traffic, docOfTraffic(&res.Traffic[i]))
	}
	for _, f := range res.Failures {
		d.Failures = append(d.Failures, docOfFailure(f))
	}
	for i := range res.Faults {
		d.Faults = append(d.Faults, docOfFault(&res.Faults[i]))
	}
	d.Stats = append(docsOfStats(res.Stats), docsOfStats(res.KindStats())...)
	d.Measured = docsOfStats(res.Measured)
	return d
}

// fullDoc is a run with everything.
func (rec *Record) fullDoc() runDoc {
	d := rec.summaryDoc()
	d.Format, d.Version = "", 0
	d.File, d.Folder = rec.Run.Path, rec.Folder
	for i := range rec.Result.Keys {
		d.Keys = append(d.Keys, rec.docOfKey(&rec.Result.Keys[i]))
	}
	for i := range rec.Result.Ops {
		d.OpRecords = append(d.OpRecords, docOfOp(&rec.Result.Ops[i]))
	}
	return d
}

func (k *kind) doc() kindDoc {
	d := kindDoc{Request: k.request, Count: len(k.ops) + k.failed + k.pending, Failed: k.failed, Pending: k.pending}
	if len(k.ops) > 0 {
		at := func(points int) uint64 { return uint64(k.atBasis(points).Latency()) }
		d.Latency = &spreadDoc{at(0), at(5000), at(9000), at(9900), at(9990), at(9999), at(10_000)}
	}
	return d
}

func docOfTraffic(t *run.Traffic) trafficDoc {
	h := &t.Latency
	at := func(points uint64) uint64 { return uint64(h.AtBasis(points)) }
	d := trafficDoc{
		Step: t.Step, Request: t.Opcode, Count: t.Count, Failed: t.Failed, Bytes: t.Bytes, Elapsed: uint64(t.Elapsed),
		Latency: spreadDoc{uint64(h.Min()), at(5000), at(9000), at(9900), at(9990), at(9999), uint64(h.Max())},
		Mean:    uint64(h.Mean()), StdDev: uint64(h.StdDev()),
		Peak: t.Peak.Requests, PeakIn: uint64(t.Peak.Span),
		Rate: t.PerSecond("rate"), PerS: t.PerSecond("bytes_per_s"),
	}
	if t.Offered > 0 {
		d.Offered = &offerDoc{t.Offered, t.PerSecond("offered"), t.Queued, t.Backlog}
	}
	return d
}

func docsOfStats(list []run.Stat) []statDoc {
	docs := make([]statDoc, 0, len(list))
	for _, s := range list {
		docs = append(docs, statDoc{s.Name, s.Value, s.Unit, s.Doc})
	}
	return docs
}

func docOfFailure(f run.Failure) failureDoc {
	return failureDoc{f.Pos.File, f.Pos.Line, f.Pos.Column, f.Op, f.What, f.Expected, f.Got, f.Note}
}

func docOfFault(f *run.Fault) faultDoc {
	d := faultDoc{Time: uint64(f.At), Host: f.Host, Op: f.Op, QPN: uint32(f.QPN), Remote: f.Remote,
		Cause: f.Cause.String(), Rule: f.Rule}
	if f.Remote {
		d.NAK = fmt.Sprintf("0x%02x", uint8(f.NAK))
	} else {
		d.Status = f.Status.String()
	}
	if f.Access.Key != 0 {
		d.Key = fmt.Sprintf("0x%08x", uint32(f.Access.Key))
	}
	return d
}

func docOfOp(o *run.Op) opDoc {
	d := opDoc{
		ID: o.ID, Step: o.Step, Line: o.Line, Host: o.Host, QP: o.QP, Request: o.Request, Object: o.Object,
		Bytes: o.Bytes, Done: o.Done, Status: o.Outcome(), Unsignaled: o.Unsignaled, Expected: o.Expected, Start: uint64(o.Start),
	}
	if o.Done {
		d.End, d.Latency = uint64(o.End), uint64(o.Latency())
	}
	for p, name := range run.PartNames() {
		if t := o.Parts[p]; t > sim.Duration(0) {
			d.Parts = append(d.Parts, partDoc{name, uint64(t)})
		}
	}
	return d
}
