package fit

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hcasim/ib"
	"hcasim/report/capture/replay"
	"hcasim/report/capture/talk"
	"hcasim/scenario"
	"hcasim/scenario/run"
	"hcasim/sim"
	"hcasim/wire"
)

// A Fit is times for the steps of a scenario, and how near it comes to its
// capture with them.
type Fit struct {
	Shifts   []int64    // ps, for replay.Import.Text
	Rounds   int        // that were run
	Captured int        // packets of the capture
	Ran      int        // packets of the run
	Same     int        // packets that are in both, but for marks
	Ordered  int        // packets from the first on that are the same one by one
	Frame    int        // of the capture, where they part; 0 if nowhere
	Marks    [marks]int // of the Ordered packets, those that have another
	Off      sim.Duration
	Failed   int // expectations that do not hold
}

// packet is what the run sent.
type packet struct {
	at      int64 // ps
	end     int
	h       ib.Headers
	payload []byte
	step    int
}

// Do runs an imported scenario up to so many times. The error is of the first
// run.
func Do(m *replay.Import, rounds int, library string) (*Fit, error) {
	var best *Fit
	shifts := make([]int64, m.Steps())
	for round := 1; round <= rounds; round++ {
		text := m.Text(shifts)
		f, sent, err := once(m, text, library)
		if err != nil {
			if best == nil {
				return nil, err
			}
			break
		}
		late := measure(m, f, sent)
		f.Shifts = slices.Clone(shifts)
		if best == nil || f.better(best) {
			best = f
		}
		best.Rounds = round
		if f.Off <= close || !move(shifts, late, round) {
			break
		}
	}
	return best, nil
}

// close is near enough: captures have times in nanoseconds.
const close = sim.Nanosecond

// better reports whether f comes nearer to the capture than g (F2).
func (f *Fit) better(g *Fit) bool {
	return cmp.Or(cmp.Compare(f.odd(), g.odd()), cmp.Compare(g.Ordered, f.Ordered), cmp.Compare(f.Off, g.Off)) < 0
}

// odd counts the packets that only one of the two has.
func (f *Fit) odd() int { return f.Captured + f.Ran - 2*f.Same }

// once runs a text.
func once(m *replay.Import, text []byte, library string) (*Fit, []packet, error) {
	runs, err := scenario.Read("the scenario", text, scenario.Options{Folder: library})
	if err != nil {
		return nil, nil, err
	}
	var sent []packet
	result, err := runs[0].DoWatched(func(v *run.View) {
		v.Link.Tap.Watch(func(p *wire.Packet) {
			k := packet{at: int64(p.Entered), end: int(p.Src), h: p.Headers, payload: bytes.Clone(p.Payload)}
			if o, known := v.Op(p.Op); known {
				k.step = stepOf(o.ID)
			}
			sent = append(sent, k)
		})
	})
	if err != nil {
		return nil, nil, fmt.Errorf("the run stopped: %w", err)
	}
	f := &Fit{Ran: len(sent), Failed: len(result.Failures)}
	f.compare(m.Packets(), sent)
	return f, sent, nil
}

// stepOf returns the number of the step that an op is of.
func stepOf(id string) int {
	number, _, _ := strings.Cut(id, ".")
	n, _ := strconv.Atoi(number)
	return n
}

// compare holds the packets of a run to those of the capture.
func (f *Fit) compare(captured []*talk.Packet, sent []packet) {
	left := map[string]int{}
	for i := range captured {
		left[identity(captured[i].End, captured[i].Headers, captured[i].Payload)]++
	}
	f.Captured, f.Frame = len(captured), 0
	ordered := true
	for i := range sent {
		id := identity(sent[i].end, sent[i].h, sent[i].payload)
		if left[id] > 0 {
			left[id]--
			f.Same++
		}
		ordered = ordered && i < len(captured) && id == identity(captured[i].End, captured[i].Headers, captured[i].Payload)
		if ordered {
			f.Ordered++
			f.mark(&captured[i].Headers, &sent[i].h)
		}
	}
	if f.Ordered < len(captured) {
		f.Frame = captured[f.Ordered].Frame
	}
}

// measure returns by how much each step's first packet is late, against the
// first of all; steps that send nothing share the lateness of that.
func measure(m *replay.Import, f *Fit, sent []packet) []int64 {
	first := map[int]int64{}
	for i := range sent {
		if _, known := first[sent[i].step]; !known && sent[i].h.BTH.Opcode.IsRequest() {
			first[sent[i].step] = sent[i].at
		}
	}
	late := make([]int64, m.Steps())
	base, zero := int64(0), -1
	for i := range late {
		wanted, sends := m.Wanted(i)
		got, there := first[m.Number(i)]
		if !sends || !there {
			continue
		}
		if zero < 0 {
			zero, base = i, got-wanted
		}
		late[i] = got - wanted - base
		f.Off = max(f.Off, sim.Duration(max(late[i], -late[i])))
	}
	return late
}

// move makes the steps that are late earlier, and the others later: by all of
// it at first, then by half, for steps that wait for one another are moved by
// each other's lateness too. It reports whether that changes anything.
func move(shifts, late []int64, round int) (moved bool) {
	for i, by := range late {
		if round > 1 && (by > 2000 || by < -2000) {
			by /= 2
		}
		shifts[i] -= by
		moved = moved || by != 0
	}
	return moved
}

// Report says how near the run comes, in lines.
func (f *Fit) Report() (list []string) {
	word := "the same packets in the same order"
	switch {
	case f.Same != f.Captured || f.Ran != f.Captured:
		word = fmt.Sprintf("%d of the %d packets are the same, the run has %d; they part at frame %d", f.Same, f.Captured, f.Ran, f.Frame)
	case f.Ordered != f.Captured:
		word = fmt.Sprintf("the same %d packets, in another order from frame %d on", f.Captured, f.Frame)
	}
	word += f.marked()
	list = append(list, fmt.Sprintf("run %d times to set its times: %s; first packets of requests leave within %s of when they did", f.Rounds, word, f.Off))
	if f.Failed > 0 {
		list = append(list, fmt.Sprintf("%d expectations do not hold in the run", f.Failed))
	}
	return list
}
