package replay

import (
	"fmt"
	"io"

	"hcasim/report/capture/talk"
	"hcasim/sim"
)

// Options are what a user may say of an import.
type Options struct {
	Name  string    // of the scenario
	File  string    // of the capture, for the head of the scenario
	Hosts [2]string // addresses of the two hosts that are meant; empty: the only two
	// Profile and Variant are named in the scenario, if given.
	Profile, Variant string
	Limits           Limits
}

// Limits bound what is taken from a file and what is made of it.
type Limits struct {
	talk.Limits
	Data int // bytes of contents that the scenario writes out; zeros stand for the rest
}

// DefaultLimits are those of the command.
var DefaultLimits = Limits{talk.Limits{Frames: 1_000_000, Payload: 256 << 20}, 1 << 20}

// An Import is a capture that has been understood, and the plan of a scenario
// that gives it again.
type Import struct {
	options Options
	talk    *talk.Talk
	plan    *plan
	remarks []string
}

// Read makes a scenario of a capture. The error says where in the file it is
// wrong, or what it has instead of packets of RoCEv2 or InfiniBand.
func Read(r io.Reader, o Options) (*Import, error) {
	t, err := talk.Read(r, o.Hosts, o.Limits.Limits)
	if err != nil {
		return nil, err
	}
	first, last := t.Packets[0], t.Packets[len(t.Packets)-1]
	if days := (last.At - first.At) / day; days >= mostDays {
		return nil, fmt.Errorf("frame %d is %d days behind frame %d; a scenario takes less than %d days: cut the capture, or mend its clock", last.Frame, days, first.Frame, mostDays)
	}
	return &Import{options: o, talk: t, plan: newPlan(t, o.Limits.Data)}, nil
}

// mostDays is how long a capture may go on: picoseconds count to 106 days, and
// run.until says twice what the capture took.
const (
	mostDays = 50
	day      = 24 * 3600 * 1_000_000_000 // ns
)

// Text is the scenario, its steps moved by so many picoseconds; nil moves none.
func (m *Import) Text(shifts []int64) []byte {
	head := []string{"Imported from " + m.options.File + " by hcasim import pcap.", ""}
	head = append(head, m.Report()...)
	head = append(head, m.remarks...)
	head = append(head, "")
	return m.plan.text(&m.options, append(head, m.timing(shifts != nil)...), shifts)
}

// Remark adds lines to the head of the scenario.
func (m *Import) Remark(lines ...string) { m.remarks = append(m.remarks, lines...) }

// timing says how the times of the steps come about.
func (m *Import) timing(moved bool) []string {
	t := sim.Duration(m.plan.time(&step{at: m.plan.start}))
	list := []string{fmt.Sprintf("Times: the first request is posted at %s, and every other as much later as its first packet was", t),
		"captured later. Packets leave when the adapter is done with their requests."}
	if moved {
		list = []string{fmt.Sprintf("Times: the first request is posted at %s. The others are posted so that their first packets leave as", t),
			"much later than its own as they were captured later, by what the adapter of the model takes."}
	}
	return append(list, "What is not on a wire was chosen: domains, the memory behind a key in whole pages, the requester's",
		"own memory and keys, receives, queue depths. Every request has a completion.")
}

// Packets are those of the capture that should come again, in the order of their
// times.
func (m *Import) Packets() []*talk.Packet { return m.talk.Packets }

// Steps returns how many steps have a time.
func (m *Import) Steps() int { return len(m.plan.steps) }

// Number returns the number that step i has in a run.
func (m *Import) Number(i int) int { return len(m.plan.setup) + i + 1 }

// Wanted returns when the first packet of step i was captured, in picoseconds
// of the scenario; sends is false for a step that does not send.
func (m *Import) Wanted(i int) (at int64, sends bool) {
	s := m.plan.steps[i]
	return m.plan.time(s), s.ops != nil
}
