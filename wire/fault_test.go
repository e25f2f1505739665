package wire

import (
	"fmt"
	"slices"
	"testing"

	"hcasim/ib"
	"hcasim/sim"
)

// TestFaults strikes the third of six packets with each kind of fault.
func TestFaults(t *testing.T) {
	third := Match{ByFrom: true, From: A, ByClass: true, Class: Requests}
	for _, test := range []struct {
		fault Fault
		want  []ib.PSN
		fate  Fate
	}{
		{Fault{Kind: Drop}, []ib.PSN{0, 1, 3, 4, 5}, Lost},
		{Fault{Kind: Corrupt}, []ib.PSN{0, 1, 3, 4, 5}, Corrupted},
		{Fault{Kind: Duplicate}, []ib.PSN{0, 1, 2, 2, 3, 4, 5}, Duplicated},
		{Fault{Kind: Delay, Delay: sim.Millisecond}, []ib.PSN{0, 1, 3, 4, 5, 2}, Late},
		{Fault{Kind: Delay, Delay: 0}, []ib.PSN{0, 1, 2, 3, 4, 5}, Late},
		{Fault{Kind: Reorder, Delay: sim.Millisecond}, []ib.PSN{0, 1, 3, 2, 4, 5}, Late},
		{Fault{Kind: Reorder, Delay: sim.Millisecond, Passes: 2}, []ib.PSN{0, 1, 3, 4, 2, 5}, Late},
		{Fault{Kind: Reorder, Delay: sim.Millisecond, Passes: 9}, []ib.PSN{0, 1, 3, 4, 5, 2}, Late},
		{Fault{Kind: Reorder, Delay: sim.Picosecond, Passes: 2}, []ib.PSN{0, 1, 2, 3, 4, 5}, Late},
	} {
		for _, flow := range []string{"credits", "pause", "drop"} {
			name := fmt.Sprintf("%v %v passes %d, %s", test.fault.Kind, test.fault.Delay, test.fault.Passes, flow)
			w := newWorld(t, func(p *Params) { p.Flow, p.Requests.Packets = flow, 3 })
			f := test.fault
			f.Match, f.Nth, f.Count, f.PPM = third, 3, 1, Always
			id := w.link.AddFault(f)
			fates := map[Fate]int{}
			w.link.Tap.Watch(func(p *Packet) { fates[p.Fate]++ })
			w.send(A, ib.RCWriteOnly, 512, 0, 6)
			w.send(B, ib.RCWriteOnly, 512, 0, 6)
			w.send(A, ib.RCAck, 0, 0, 6)
			w.finish()
			if got := w.psns(B, Requests); !slices.Equal(got, test.want) {
				t.Errorf("%s: got %v, want %v", name, got, test.want)
			}
			if !slices.Equal(w.psns(A, Requests), psnsFrom(6)) || !slices.Equal(w.psns(B, Answers), psnsFrom(6)) {
				t.Errorf("%s: strikes more than it should", name)
			}
			if w.link.Hits(id) != 1 || fates[test.fate] != 1 {
				t.Errorf("%s: %d hits, fates %v", name, w.link.Hits(id), fates)
			}
		}
	}
}

// TestDelayIsExact: a delayed packet arrives later by just that, and a dropped
// one takes its time on the wire.
func TestDelayIsExact(t *testing.T) {
	w := newWorld(t, nil)
	w.link.AddFault(Fault{Kind: Delay, Match: Match{ByPSN: true, PSN: 0}, PPM: Always, Delay: 123 * sim.Nanosecond})
	w.link.AddFault(Fault{Kind: Drop, Match: Match{ByPSN: true, PSN: 1}, PPM: Always})
	w.send(A, ib.RCSendOnly, 4096, 0, 3)
	w.finish()
	bytes := uint64(w.link.encap.WireBytes(ib.RCSendOnly, 4096))
	way := w.link.params.Propagation()
	want := []got{
		{sim.Time(0).Add(w.serial(bytes) + way + 123*sim.Nanosecond), Requests, 0},
		{sim.Time(0).Add(w.serial(3*bytes) + way), Requests, 2},
	}
	if !slices.Equal(w.got[B], want) {
		t.Errorf("got %v, want %v", w.got[B], want)
	}
}

// TestReorderWithinClass: only packets of its own class overtake a request.
func TestReorderWithinClass(t *testing.T) {
	w := newWorld(t, nil)
	w.link.AddFault(Fault{Kind: Reorder, PPM: Always, Count: 1, Delay: sim.Millisecond})
	w.send(A, ib.RCSendOnly, 64, 0, 1)
	w.send(A, ib.RCAck, 0, 0, 5)
	w.engine.Run(sim.Time(0).Add(sim.Microsecond))
	if len(w.got[B]) != 5 {
		t.Errorf("got %v, want five answers", w.got[B])
	}
	w.send(A, ib.RCSendOnly, 64, 1, 1)
	w.finish()
	if got := w.psns(B, Requests); !slices.Equal(got, []ib.PSN{1, 0}) {
		t.Errorf("requests %v, want [1 0]", got)
	}
}

// TestCorruptIsReported: the receiver tells of the packet that it discards.
func TestCorruptIsReported(t *testing.T) {
	w := newWorld(t, nil)
	w.link.AddFault(Fault{Kind: Corrupt, PPM: Always, Count: 1})
	var receipts []Receipt
	w.link.Received.Watch(func(r Receipt) { receipts = append(receipts, r) })
	w.send(A, ib.RCSendOnly, 64, 0, 1)
	w.finish()
	at := sim.Time(0).Add(w.serial(uint64(w.link.encap.WireBytes(ib.RCSendOnly, 64))) + w.link.params.Propagation())
	if want := []Receipt{{A, Requests, 0, Corrupted, at, at}}; !slices.Equal(receipts, want) {
		t.Errorf("got %v, want %v", receipts, want)
	}
}

// TestBadICRC: a packet made wrong on purpose is discarded without any fault,
// of an opcode that does not exist too.
func TestBadICRC(t *testing.T) {
	w := newWorld(t, nil)
	w.link.AddFault(Fault{Kind: Duplicate, PPM: Always})
	id := w.link.AddFault(Fault{Kind: Drop, PPM: Always, Nth: 2})
	var fates []Fate
	w.link.Tap.Watch(func(p *Packet) { fates = append(fates, p.Fate) })
	h := w.packet(0x1F, 0, 3)
	w.pool.At(h).BadICRC = true
	w.link.Port(A).Send(0, h)
	w.finish()
	if len(w.got[B]) != 0 || !slices.Equal(fates, []Fate{Corrupted}) || w.link.Hits(id) != 0 {
		t.Errorf("got %v, fates %v", w.got[B], fates)
	}
}

// TestMatch: each condition narrows.
func TestMatch(t *testing.T) {
	p := Packet{Passage: Passage{Src: A}, Op: 5, Headers: ib.Headers{BTH: ib.BTH{Opcode: ib.RCReadRespOnly, DestQP: 7, PSN: 9}}}
	for _, test := range []struct {
		m    Match
		want bool
	}{
		{Match{}, true},
		{Match{From: B, Class: Requests, Opcode: ib.RCAck, DestQP: 1, PSN: 1}, true}, // nothing set
		{Match{ByFrom: true, From: A}, true},
		{Match{ByFrom: true, From: B}, false},
		{Match{ByClass: true, Class: Answers}, true},
		{Match{ByClass: true, Class: Requests}, false},
		{Match{ByOpcode: true, Opcode: ib.RCReadRespOnly}, true},
		{Match{ByOpcode: true, Opcode: ib.RCAck}, false},
		{Match{ByQP: true, DestQP: 7}, true},
		{Match{ByQP: true, DestQP: 8}, false},
		{Match{ByPSN: true, PSN: 9}, true},
		{Match{ByPSN: true, PSN: 8}, false},
		{Match{ByOp: true, Op: 5}, true},
		{Match{ByOp: true, Op: 6}, false},
		{Match{ByQP: true, DestQP: 7, ByPSN: true, PSN: 8}, false},
	} {
		if got := test.m.matches(&p); got != test.want {
			t.Errorf("%+v: %v", test.m, got)
		}
	}
}

// TestWhich: Nth, Count and the order of faults.
func TestWhich(t *testing.T) {
	lost := func(change func(l *Link)) (psns []ib.PSN) {
		w := newWorld(t, nil)
		change(w.link)
		w.link.Tap.Watch(func(p *Packet) {
			if p.Fate == Lost {
				psns = append(psns, p.BTH.PSN)
			}
		})
		w.send(A, ib.RCSendOnly, 0, 0, 10)
		w.finish()
		return psns
	}
	for _, test := range []struct {
		nth, count uint64
		want       []ib.PSN
	}{
		{0, 1, []ib.PSN{0}}, {1, 1, []ib.PSN{0}}, {4, 2, []ib.PSN{3, 4}}, {9, 0, []ib.PSN{8, 9}}, {11, 0, nil},
	} {
		got := lost(func(l *Link) { l.AddFault(Fault{Kind: Drop, PPM: Always, Nth: test.nth, Count: test.count}) })
		if !slices.Equal(got, test.want) {
			t.Errorf("nth %d, count %d: lost %v, want %v", test.nth, test.count, got, test.want)
		}
	}
	got := lost(func(l *Link) { // the copy of the first packet does not count
		l.AddFault(Fault{Kind: Duplicate, PPM: Always, Count: 1})
		l.AddFault(Fault{Kind: Drop, PPM: Always, Nth: 2, Count: 1})
	})
	if !slices.Equal(got, []ib.PSN{1}) {
		t.Errorf("with a copy before: lost %v, want [1]", got)
	}
	got = lost(func(l *Link) {
		l.AddFault(Fault{Kind: Corrupt, PPM: Always, Nth: 2, Count: 1})
		l.AddFault(Fault{Kind: Drop, PPM: Always, Nth: 2, Count: 2}) // counts the one that the first strikes
		l.AddFault(Fault{Kind: Drop, PPM: 0})
	})
	if !slices.Equal(got, []ib.PSN{2}) {
		t.Errorf("of several faults: lost %v, want [2]", got)
	}
}

// TestChance: the share struck is the chance asked for, the same in every run,
// and another fault does not move it.
func TestChance(t *testing.T) {
	const count, ppm = 20_000, 250_000
	strike := func(seed uint64, second bool) (lost []ib.PSN) {
		w := newWorld(t, nil)
		w.link.seed = seed
		w.link.AddFault(Fault{Kind: Drop, PPM: ppm})
		if second {
			w.link.AddFault(Fault{Kind: Corrupt, PPM: ppm})
		}
		w.link.Tap.Watch(func(p *Packet) {
			if p.Fate == Lost {
				lost = append(lost, p.BTH.PSN)
			}
		})
		w.send(A, ib.RCSendOnly, 0, 0, count)
		w.finish()
		return lost
	}
	first := strike(1, false)
	if n := len(first); n < 4700 || n > 5300 { // five standard deviations
		t.Errorf("%d of %d lost with a chance of 1 in 4", n, count)
	}
	if !slices.Equal(first, strike(1, true)) {
		t.Error("another fault moved the strikes of the first")
	}
	if slices.Equal(first, strike(2, false)) {
		t.Error("another seed, the same strikes")
	}
}

func TestFaultKindNames(t *testing.T) {
	for _, name := range faultKindNames {
		if k, ok := ParseFaultKind(name); !ok || k.String() != name {
			t.Errorf("ParseFaultKind(%q) = %v, %v", name, k, ok)
		}
	}
	if _, ok := ParseFaultKind("lose"); ok {
		t.Error("ParseFaultKind takes anything")
	}
}
