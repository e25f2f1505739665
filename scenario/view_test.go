package scenario

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hcasim/hca"
	"hcasim/mtp"
	"hcasim/pcie"
	"hcasim/scenario/run"
	"hcasim/wire"
)

// TestView watches the scenarios of three folders through views: what a bus, a
// translation unit and the wire show belongs to ops that are there, each op
// ends once, and the result is that of a run that nobody watches.
func TestView(t *testing.T) {
	for _, pattern := range []string{"quickstart.yaml", "faults/*.yaml", "verbs/*.yaml"} {
		files, err := filepath.Glob("../scenarios/" + pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v, %d files", pattern, err, len(files))
		}
		for _, file := range files {
			runs, err := Load(file, Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range runs {
				t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml")+"/"+r.Name, func(t *testing.T) {
					t.Parallel()
					watchOne(t, r)
				})
			}
		}
	}
}

func watchOne(t *testing.T, r *Run) {
	alone, err := r.Do()
	if err != nil {
		t.Fatal(err)
	}
	var v *run.View
	ended := map[string]int{}
	known := func(what string, op uint32, ok bool) {
		if !ok {
			return
		}
		if o, there := v.Op(op); there && (o.ID == "" || o.Request == "" || o.Host == "") {
			t.Errorf("%s is of op %d, which has no name: %+v", what, op, o)
		}
	}
	res, err := r.DoWatched(func(view *run.View) {
		v = view
		v.Ended.Watch(func(o *run.Op) { ended[o.ID]++ })
		v.Link.Tap.Watch(func(p *wire.Packet) { known("a packet", p.Op, true) })
		for i := range v.Hosts {
			h := &v.Hosts[i]
			h.HCA.Unit.Judgements.Watch(func(j mtp.Judgement) {
				op, ok := h.HCA.WhoseAccess(j.Access)
				known("an access", op, ok)
			})
			h.Host.Bus.Taps.Requests.Watch(func(p pcie.Record) {
				op, ok := h.HCA.WhoseDMA(p.Client, p.Handle)
				known("a DMA of "+h.HCA.UnitOf(p.Client).String(), op, ok)
				if u := h.HCA.UnitOf(p.Client); !ok && slices.Contains([]hca.UnitID{hca.UnitGather, hca.UnitPlace, hca.UnitCQE}, u) {
					t.Errorf("a DMA of %s is nobody's", u)
				}
			})
			h.Host.Bus.Taps.TLPs.Watch(func(p pcie.TLP) {
				if q, ok := h.Host.Bus.Asked(&p); ok && q.Client != p.Client {
					t.Errorf("a TLP of client %d belongs to a DMA of client %d", p.Client, q.Client)
				}
			})
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range res.Ops {
		if o.Done && ended[o.ID] != 1 {
			t.Errorf("op %s %s ended %d times", o.ID, o.Request, ended[o.ID])
		}
	}
	if res.Now != alone.Now || res.Events != alone.Events || len(res.Ops) != len(alone.Ops) || res.Held != alone.Held {
		t.Errorf("watched: end %v after %d events, %d ops, %d held; alone: %v, %d, %d, %d",
			res.Now, res.Events, len(res.Ops), res.Held, alone.Now, alone.Events, len(alone.Ops), alone.Held)
	}
}
