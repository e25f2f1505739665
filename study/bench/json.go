package bench

import (
	"io"

	"hcasim/report"
	"hcasim/sim/workload"
)

// The form of a report in JSON. Times are of the processor, shares are of 1.
type reportDoc struct {
	Format   string       `json:"format"`
	Version  int          `json:"version"`
	Machine  machineDoc   `json:"machine"`
	Clock    string       `json:"clock"`
	Quick    bool         `json:"quick"`
	OwnPeaks bool         `json:"peak_rss_is_of_the_row"`
	Rows     []rowDoc     `json:"rows"`
	Watching *watchingDoc `json:"watchers,omitempty"`
	Growths  []growthDoc  `json:"scale,omitempty"`
}

type machineDoc struct {
	CPU  string `json:"cpu"`
	CPUs int    `json:"cpus"`
	OS   string `json:"os"`
	Arch string `json:"arch"`
	Go   string `json:"go"`
}

type rowDoc struct {
	Name         string             `json:"name"`
	About        string             `json:"about"`
	Op           string             `json:"op"`
	Ops          uint64             `json:"ops"` // of a sample
	OpsPerSecond float64            `json:"ops_per_cpu_second"`
	EventsPerOp  float64            `json:"events_per_op"`
	NsPerEvent   float64            `json:"ns_per_event"`
	NsPerOp      float64            `json:"ns_per_op"`
	AllocsPerOp  float64            `json:"allocs_per_op"`
	BytesPerOp   float64            `json:"bytes_per_op"`
	PeakRSS      uint64             `json:"peak_rss"` // bytes
	Spread       float64            `json:"spread"`
	HeapRatio    float64            `json:"heap_ratio,omitempty"`
	RingRatio    float64            `json:"ring_ratio,omitempty"`
	PerOp        map[string]float64 `json:"per_op,omitempty"`
	Samples      []float64          `json:"samples_ns_per_op"`
}

type watchingDoc struct {
	Pairs       int     `json:"pairs"`
	Ops         uint64  `json:"ops"`
	ChecksPerOp float64 `json:"checks_per_op"`
	NsPerCheck  float64 `json:"ns_per_check"`
	OffShare    float64 `json:"off_share"`
	OnShare     float64 `json:"on_share"`
}

type growthDoc struct {
	Name     string     `json:"name"`
	About    string     `json:"about"`
	Exponent float64    `json:"exponent"`
	Points   []pointDoc `json:"points"`
}

type pointDoc struct {
	N         uint64  `json:"n"`
	NsPerUnit float64 `json:"ns_each"`
	PeakRSS   uint64  `json:"peak_rss"`
}

func (r *Report) json(w io.Writer) error {
	m := &r.Machine
	d := reportDoc{
		Format: "hcasim.bench", Version: 1, Machine: machineDoc{m.CPU, m.CPUs, m.OS, m.Arch, m.Go}, Clock: workload.CPUClock,
		Quick: r.Quick, OwnPeaks: r.OwnPeaks, Rows: []rowDoc{},
	}
	for _, row := range r.Rows {
		d.Rows = append(d.Rows, row.doc())
	}
	if x := r.Watching; x != nil {
		d.Watching = &watchingDoc{x.Pairs, x.Ops, x.ChecksPerOp, x.NsPerCheck, x.OffShare, x.OnShare}
	}
	for _, g := range r.Growths {
		one := growthDoc{Name: g.Name, About: g.About, Exponent: g.Exponent}
		for _, p := range g.Points {
			one.Points = append(one.Points, pointDoc(p))
		}
		d.Growths = append(d.Growths, one)
	}
	return report.Indented(w, d)
}

func (r *Row) doc() rowDoc {
	d := rowDoc{
		Name: r.Name, About: r.About, Op: r.Op, Ops: r.Ops, OpsPerSecond: r.OpsPerSecond, EventsPerOp: r.EventsPerOp,
		NsPerEvent: r.NsPerEvent, NsPerOp: r.NsPerOp, AllocsPerOp: r.AllocsPerOp, BytesPerOp: r.BytesPerOp,
		PeakRSS: r.PeakRSS, Spread: r.Spread, HeapRatio: r.HeapRatio, RingRatio: r.RingRatio,
	}
	for _, f := range r.Figures {
		if d.PerOp == nil {
			d.PerOp = map[string]float64{}
		}
		d.PerOp[f.Name] = f.PerOp
	}
	for _, s := range r.Samples {
		d.Samples = append(d.Samples, s.NsPerOp)
	}
	return d
}
