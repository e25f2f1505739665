package pcie

import (
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"hcasim/sim"
)

// asked is a random request and what became of it.
type asked struct {
	Request
	at     sim.Time
	write  bool
	served []part
	done   ended
	ends   int
}

// trial is one random bus with random requests.
type trial struct {
	host   HostParams
	device DeviceParams
	asked  []asked
	seed   uint64
}

func drawTrial(t *rapid.T) trial {
	h, d := DefaultHostParams(), DefaultDeviceParams()
	power := func(low, high int, label string) sim.Bytes { return 1 << rapid.IntRange(low, high).Draw(t, label) }
	h.MPS, h.MRRS = power(7, 9, "mps"), power(7, 12, "mrrs")
	h.Cut = rapid.SampledFrom([]Cutting{CutMPS, CutRCB}).Draw(t, "completion_cut")
	h.ReadOrder = rapid.SampledFrom([]ReadOrder{OrderServe, OrderStart}).Draw(t, "read_order")
	h.Generation = rapid.Uint32Range(1, 6).Draw(t, "generation")
	h.Lanes = rapid.SampledFrom([]uint32{1, 4, 16}).Draw(t, "lanes")
	h.PostedHeaders = rapid.Uint32Range(0, 8).Draw(t, "posted_headers")
	h.PostedData = rapid.SampledFrom([]uint32{0, 32, 50, 100}).Draw(t, "posted_data")
	h.NonPostedHeaders = rapid.Uint32Range(0, 4).Draw(t, "non_posted_headers")
	h.CreditReturn = sim.Duration(rapid.Uint32Range(0, 300_000).Draw(t, "credit_return"))
	d.Generation = 6
	d.Cut = rapid.SampledFrom([]Alignment{Aligned, Packed}).Draw(t, "cut")
	d.Tags = rapid.Uint32Range(1, 8).Draw(t, "tags")
	d.Arbiter = rapid.SampledFrom([]Arbitration{RoundRobin, Priority, Weighted}).Draw(t, "arbiter")
	d.CompletionHeaders = rapid.SampledFrom([]uint32{0, 66, 100}).Draw(t, "completion_headers")
	d.CompletionData = rapid.SampledFrom([]uint32{0, 257, 400}).Draw(t, "completion_data")
	d.WriteOverhead = sim.Duration(rapid.SampledFrom([]uint32{0, 70_000}).Draw(t, "write_overhead"))
	d.WritePerByte = rapid.SampledFrom([]uint32{0, 0, 95}).Draw(t, "write_per_byte")
	d.ReadOverhead = sim.Duration(rapid.SampledFrom([]uint32{0, 70_000}).Draw(t, "read_overhead"))
	d.Gap = sim.Duration(rapid.SampledFrom([]uint32{0, 0, 15_800}).Draw(t, "gap"))
	d.WriteGap = sim.Duration(rapid.SampledFrom([]uint32{0, 0, 21_100}).Draw(t, "write_gap"))
	d.WriteOp = sim.Duration(rapid.SampledFrom([]uint32{0, 0, 4_000}).Draw(t, "write_op"))
	d.WriteBlock = sim.Duration(rapid.SampledFrom([]uint32{0, 0, 17_000}).Draw(t, "write_block"))
	d.WriteBeat = sim.Duration(rapid.SampledFrom([]uint32{0, 0, 8_040}).Draw(t, "write_beat"))
	d.ReadBeat = sim.Duration(rapid.SampledFrom([]uint32{0, 0, 7_790}).Draw(t, "read_beat"))
	d.ReadOps = rapid.Uint32Range(0, 3).Draw(t, "read_ops")
	tr := trial{host: h, device: d, seed: rapid.Uint64().Draw(t, "seed")}
	at := sim.Time(0)
	for range rapid.IntRange(1, 40).Draw(t, "requests") {
		at += sim.Time(rapid.SampledFrom([]uint32{0, 0, 0, 1, 5_000, 400_000}).Draw(t, "pause"))
		tr.asked = append(tr.asked, asked{at: at, write: rapid.Bool().Draw(t, "write"), Request: Request{
			Addr:    rapid.Uint64Range(0, 1<<16).Draw(t, "addr"),
			Len:     rapid.SampledFrom([]uint32{0, 1, 64, 200, 513, 4096, 9000}).Draw(t, "len"),
			Class:   Class(rapid.IntRange(0, int(classes)-1).Draw(t, "class")),
			Relaxed: rapid.Bool().Draw(t, "relaxed"),
		}})
	}
	return tr
}

// unit is the client of a trial; several share the bus.
type unit struct{ asked []asked }

func (u *unit) Served(now sim.Time, h, offset, n uint32) {
	u.asked[h].served = append(u.asked[h].served, part{now, h, offset, n})
}

func (u *unit) Done(now sim.Time, h uint32, ok bool) {
	u.asked[h].done = ended{now, h, ok}
	u.asked[h].ends++
}

// issuer issues request arg when its time has come.
type issuer func(now sim.Time, i uint32)

func (f issuer) Fire(now sim.Time, i uint32) { f(now, i) }

// play runs the trial and returns what was asked with what became of it.
func (tr trial) play(t *rapid.T, watch bool) ([]asked, *world) {
	w := &world{Engine: sim.NewEngine(), t: fails{t}}
	w.Bus = New(w.Engine, "pcie", tr.host, tr.device, w, deviceEnd{w})
	rnd := sim.NewRand(tr.seed, 1)
	w.access = func(now sim.Time, addr uint64, _ uint32, _ bool) (sim.Time, bool) {
		return now.Add(sim.Duration(rnd.Uint64N(500_000))), addr>>12 != 5
	}
	u := &unit{slices.Clone(tr.asked)}
	ids := []ClientID{w.Client("x", u), w.Client("y", u), w.Client("z", u)}
	issue := w.Register("issue", issuer(func(now sim.Time, i uint32) {
		r := u.asked[i].Request
		r.Handle, r.Client = i, ids[i%3]
		if u.asked[i].write {
			w.Write(now, r)
		} else {
			w.Read(now, r)
		}
		if watch {
			_ = w.Waiting()
		}
	}))
	for i, q := range u.asked {
		w.At(q.at, issue, uint32(i))
	}
	if watch {
		w.watchAll()
	}
	w.finish()
	return u.asked, w
}

// watchAll watches everything, and holds what is seen to what must be.
func (w *world) watchAll() {
	w.Taps.Up.Watch(func(hop *TLP) {
		if hop.Kind.Down() || hop.Sent > hop.Entered || hop.Entered > hop.At {
			w.t.Errorf("an upward hop %+v", hop)
		}
	})
	w.Taps.TLPs.Watch(func(tlp TLP) {
		limit := w.link.MPS
		if tlp.Kind == MRd {
			limit = w.link.MRRS
		}
		if tlp.Len > limit || tlp.Addr%page+uint64(tlp.Len) > page {
			w.t.Errorf("%v of %d bytes at %#x", tlp.Kind, tlp.Len, tlp.Addr)
		}
	})
	w.Taps.Requests.Watch(func(r Record) {
		if r.Issued > r.Sent || r.Sent > r.Served || r.Served > r.Done {
			w.t.Errorf("a record out of order: %+v", r)
		}
	})
}

// fails lets a world report to rapid.
type fails struct{ *rapid.T }

func (f fails) Helper() {}

// P1 to P4, P8 and P10 over random buses and requests.
func TestRandomRequests(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tr := drawTrial(t)
		got, w := tr.play(t, false)
		for i := range got {
			checkServedOnce(t, &got[i])
		}
		checkOrder(t, got)
		if n := w.records.Live() + w.live + w.parts; n != 0 {
			t.Fatalf("%d requests, TLPs and records left", n)
		}
		watched, _ := tr.play(t, true)
		if !reflect.DeepEqual(got, watched) {
			t.Fatal("watching changed the run")
		}
	})
}

// checkServedOnce: every byte that was not refused is served once, and Done
// comes once, after it.
func checkServedOnce(t *rapid.T, q *asked) {
	served := make([]bool, q.Len)
	last := sim.Time(0)
	for _, p := range q.served {
		for i := p.offset; i < p.offset+p.n; i++ {
			if served[i] {
				t.Fatalf("byte %d of %+v served twice", i, q.Request)
			}
			served[i] = true
		}
		last = max(last, p.at)
	}
	ok := true
	for i, s := range served {
		refused := (q.Addr+uint64(i))>>12 == 5
		ok = ok && !refused
		if s == refused {
			t.Fatalf("byte %d of %+v: refused %v, served %v", i, q.Request, refused, s)
		}
	}
	if q.ends != 1 || q.done.ok != ok || q.done.at < last || q.done.at < q.at {
		t.Fatalf("%+v: Done %d times, last %+v, served last at %v", q.Request, q.ends, q.done, last)
	}
}

// checkOrder: nothing strict is committed, and nothing read is served, before
// the writes issued before it.
func checkOrder(t *rapid.T, got []asked) {
	committed := sim.Time(0)
	for _, q := range got {
		before := committed
		for _, p := range q.served {
			if p.at < before && (!q.write || !q.Relaxed) {
				t.Fatalf("write %v %+v served at %v, an earlier write at %v", q.write, q.Request, p.at, before)
			}
			if q.write {
				committed = max(committed, p.at)
			}
		}
	}
}
