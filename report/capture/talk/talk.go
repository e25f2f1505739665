package talk

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Talk is what two hosts said to each other, as far as a file shows it.
type Talk struct {
	Frames  int       // of the file
	Foreign Tally     // those that are not used, by why
	Hosts   [2]string // addresses; the lower is that of A
	Packets []*Packet // that are used, by their times
	Conns   []*Conn   // by their first packets; each has at least one request
	Notes   *Notes    // what is missing or cannot be right
}

// Names are what the two hosts are called: the lower address is A.
var Names = [2]string{"A", "B"}

// Limits bound what is taken from a file, which may be anybody's.
type Limits struct {
	Frames  int   // of the file, foreign ones among them
	Payload int64 // bytes of messages that are kept while they are put together
}

// Read understands a capture, pcap or pcapng. The hosts are the addresses of
// the two that are meant, in either order; none: the only two. The error says
// where in the file it is wrong, or what it has instead of packets of RoCEv2 or
// InfiniBand.
func Read(r io.Reader, hosts [2]string, l Limits) (*Talk, error) {
	t := &Talk{Foreign: Tally{}, Notes: &Notes{}}
	packets, err := t.packets(r, l)
	if err != nil {
		return nil, err
	}
	if len(packets) == 0 {
		return nil, t.nothing()
	}
	slices.SortStableFunc(packets, func(a, b *Packet) int { return cmp.Compare(a.At, b.At) })
	p, err := choose(pairs(packets), hosts)
	if err != nil {
		return nil, err
	}
	if n := len(packets) - len(p.packets); n > 0 {
		t.Foreign["of other hosts"] += n
	}
	t.Hosts, t.Packets = [2]string{p.hosts[0].String(), p.hosts[1].String()}, p.packets
	t.Conns = connect(p.packets)
	for _, c := range t.Conns {
		c.sizeUp()
		for side := range c.Asks {
			c.assemble(side, t.Notes)
			c.answer(side, t.Notes)
			c.lose(side)
		}
	}
	t.Conns = slices.DeleteFunc(t.Conns, func(c *Conn) bool { return len(c.Asks[0].Ops)+len(c.Asks[1].Ops) == 0 })
	if len(t.Conns) == 0 {
		return nil, fmt.Errorf("%d packets of RoCEv2 or InfiniBand, and not one whole request among them\n  %s", len(t.Packets), strings.Join(t.Notes.Lines(), "\n  "))
	}
	return t, nil
}

// packets reads all frames of a file.
func (t *Talk) packets(r io.Reader, l Limits) (list []*Packet, err error) {
	f, err := open(r)
	if err != nil {
		return nil, err
	}
	kept := int64(0)
	for {
		fr, err := f.next()
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if errors.Is(err, errCut) && len(list) > 0 {
			t.Notes.Add(f.n+1, "%v; what stands before it is used", errCut)
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		if t.Frames++; t.Frames > l.Frames {
			return nil, fmt.Errorf("more than %d frames: --max-frames takes more, or capture less", l.Frames)
		}
		p, skip, detail := decode(fr)
		if skip != "" {
			t.pass(fr, skip, detail)
			continue
		}
		if kept += int64(len(p.Payload)); kept > l.Payload {
			return nil, fmt.Errorf("frame %d: more than %d MiB of payload: --max-payload takes more, or capture less", fr.number, l.Payload>>20)
		}
		list = append(list, p)
	}
}

// pass counts a frame that is not used.
func (t *Talk) pass(f *frame, skip, detail string) {
	t.Foreign[skip]++
	switch skip {
	case skipICRC:
		t.Notes.Add(f.number, "its ICRC is wrong; not used (t = %s)", clock(f.at))
	case skipMalformed:
		t.Notes.Add(f.number, "malformed: %s", detail)
	}
}

// clock writes an instant of a capture, in seconds.
func clock(ns int64) string { return fmt.Sprintf("%d.%09d s", ns/1e9, (ns%1e9+1e9)%1e9) }

// nothing says what a capture has instead.
func (t *Talk) nothing() error {
	if t.Frames == 0 {
		return errors.New("the capture has no frame")
	}
	s := fmt.Sprintf("no packet of RoCEv2 or InfiniBand to use among its %d frames: %s", t.Frames, t.Foreign)
	for _, line := range t.Notes.Lines() {
		s += "\n  " + line
	}
	return errors.New(s)
}
