package stress

import (
	"strings"

	"hcasim/scenario/run"
	"hcasim/wire"
)

// outcome counts.
func (w *world) outcome(v *run.View, res *run.Result) {
	w.events = res.Events
	for i := range w.faults {
		w.hits = append(w.hits, v.Link.Hits(wire.FaultID(i)))
	}
}

func (f *figures) add(w *world) {
	if w == nil {
		return
	}
	f.runs++
	f.events += w.events
	f.answers, f.naks, f.away = f.answers+w.answers, f.naks+w.naks, f.away+w.away
	f.beside(w)
	for _, l := range w.lanes {
		for _, o := range l.ops() {
			f.ops++
			if l.sure() {
				f.certain++
			}
			if o.status != "SUCCESS" {
				f.failed++
			}
		}
	}
	for i, n := range w.hits {
		switch s := w.faults[i]; {
		case strings.Contains(s, "drop"):
			f.dropped += n
		case strings.Contains(s, "corrupt"):
			f.corrupted += n
		case strings.Contains(s, "duplicate"):
			f.duplicated += n
		default:
			f.late += n
		}
	}
}
