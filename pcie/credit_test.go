package pcie

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"hcasim/sim"
)

// P8: counted from outside, from the link's acceptance to their return, never more
// posted credits are out than were granted.
func TestPostedCreditsAreHeld(t *testing.T) {
	for _, grant := range []struct{ headers, data uint32 }{{1, 0}, {3, 0}, {8, 0}, {0, 16}, {0, 50}, {5, 40}} {
		t.Run(fmt.Sprint(grant), func(t *testing.T) {
			h, d := DefaultHostParams(), DefaultDeviceParams()
			h.PostedHeaders, h.PostedData = grant.headers, grant.data
			w, client := newWorld(t, h, d), &note{}
			rnd := sim.NewRand(1, 2)
			w.access = func(now sim.Time, _ uint64, _ uint32, _ bool) (sim.Time, bool) {
				return now.Add(sim.Duration(rnd.Uint64N(300_000))), true
			}
			var changes []change
			w.Taps.Up.Watch(func(hop *TLP) {
				changes = append(changes, change{hop.Sent, 1, int(dataCredits(hop.Len))})
			})
			id := w.Client("c", client)
			for i := range uint32(100) {
				w.Write(0, Request{Addr: uint64(i) * 1000, Len: 1 + 37*i%700, Client: id, Handle: i})
			}
			w.finish()
			for _, p := range client.served {
				changes = append(changes, change{p.at.Add(h.CreditReturn), -1, -int(dataCredits(p.n))})
			}
			hold(t, changes, int(grant.headers), int(grant.data))
		})
	}
}

// change is credits taken, or come back if negative.
type change struct {
	at            sim.Time
	headers, data int
}

func hold(t *testing.T, changes []change, headers, data int) {
	slices.SortStableFunc(changes, func(a, b change) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.headers, b.headers)) // returns first
	})
	var out change
	most := change{}
	for _, c := range changes {
		out.headers, out.data = out.headers+c.headers, out.data+c.data
		most.headers, most.data = max(most.headers, out.headers), max(most.data, out.data)
	}
	if headers != 0 && most.headers > headers || data != 0 && most.data > data {
		t.Errorf("%+v out at once", most)
	}
	if headers != 0 && data == 0 && most.headers != headers {
		t.Errorf("never more than %d headers out, though there was need", most.headers)
	}
}

// Few posted credits: the rate is credits * chunk / the trip of a credit, up
// to the link's.
func TestCreditBoundRate(t *testing.T) {
	for _, headers := range []uint32{1, 4, 16} {
		h, d := ideal(3, 8, 256, 512, CutMPS)
		h.PostedHeaders = headers
		l, _ := Train(h, d)
		const n = 256
		trip := l.UnloadedWrite(n) + h.CreditReturn
		want := min(float64(headers)*n*8000/float64(trip), float64(l.WriteRate(n))/1e9)
		got := saturate(t, h, d, n, false, true)[0]
		if math.Abs(got/want-1) > 0.01 {
			t.Errorf("%d credits: %.3f Gb/s, rule says %.3f", headers, got, want)
		}
	}
}

// Two clients that ask the same share the link evenly, and lose nothing.
func TestTwoClientsShare(t *testing.T) {
	h, d := ideal(3, 8, 256, 512, CutMPS)
	w := newWorld(t, h, d)
	var loads [2]*load
	for i := range loads {
		l := &load{w: w, n: 256, depth: 64, warm: 200, total: 4000}
		l.partner, l.id = l, w.Client(fmt.Sprint("client ", i), l)
		loads[i] = l
	}
	for _, l := range loads {
		l.issue(0)
	}
	w.finish()
	x, y, whole := loads[0].rate(), loads[1].rate(), float64(w.link.ReadRate(256))/1e9
	if math.Abs(x/y-1) > 0.01 || math.Abs((x+y)/whole-1) > 0.01 {
		t.Errorf("%.3f and %.3f Gb/s of %.3f", x, y, whole)
	}
}

// While a run stands, the bus says who waits for what.
func TestWaiting(t *testing.T) {
	for want, spoil := range map[string]func(h *HostParams, d *DeviceParams){
		"1 payload reads queued; nic 2 (0 of 64 B sent) waits for a tag":                func(_ *HostParams, d *DeviceParams) { d.Tags = 1 },
		"1 payload reads queued; nic 2 (0 of 64 B sent) waits for flow-control credits": func(h *HostParams, _ *DeviceParams) { h.NonPostedHeaders = 1 },
		"0 of 1 credits pcie.posted-headers free":                                       func(h *HostParams, _ *DeviceParams) { h.PostedHeaders = 1 },
		"2 writes in the endpoint's overhead":                                           func(_ *HostParams, d *DeviceParams) { d.WriteOverhead = sim.Millisecond },
		"1 of 256 tags out":                                                             func(*HostParams, *DeviceParams) {},
	} {
		h, d := DefaultHostParams(), DefaultDeviceParams()
		spoil(&h, &d)
		w := newWorld(t, h, d)
		w.access = slow(map[uint64]sim.Duration{a: sim.Millisecond})
		r := Request{Addr: a, Len: 64, Class: Payload, Handle: 1, Client: w.Client("nic", &note{})}
		w.Read(0, r)
		if strings.Contains(want, "nic 2") {
			r.Handle = 2
			w.Read(0, r)
		}
		w.Write(0, r)
		w.Write(0, r)
		w.Run(sim.Time(sim.Microsecond) / 2)
		if got := strings.Join(w.Waiting(), "\n"); !strings.Contains(got, want) || w.Idle() {
			t.Errorf("idle %v, waiting:\n%s\nwant a line %q", w.Idle(), got, want)
		}
		w.finish()
		if !w.Idle() {
			t.Error("not idle at the end")
		}
	}
}

// Completions of one read are shown each with its own arrival.
func TestCompletionsAreShownAlone(t *testing.T) {
	h, d := uneven()
	w := newWorld(t, h, d)
	var shown []TLP
	w.Taps.TLPs.Watch(func(tlp TLP) { shown = append(shown, tlp) })
	w.Read(0, Request{Addr: 1 << 33, Len: 512, Client: w.Client("c", &note{})})
	w.finish()
	l := w.Link()
	start := sim.Time(l.Time(24) + h.Propagation + h.ReadLatency)
	want := []sim.Time{sim.Time(l.Time(24) + h.Propagation), 0, start.Add(l.Time(2*276) + h.Propagation)}
	want[1] = want[2] - sim.Time(l.Time(276))
	for i, tlp := range shown {
		if tlp.At != want[i] || tlp.Tag != shown[0].Tag {
			t.Errorf("%v %d at %v, want %v", tlp.Kind, i, tlp.At, want[i])
		}
	}
	if len(shown) != 3 {
		t.Errorf("%d TLPs shown", len(shown))
	}
}
