package timeline

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"os"
	"strconv"

	"hcasim/scenario/run"
	"hcasim/sim"
)

// A vcd writes value changes (IEEE 1364-2005, 18) at a picosecond. Its head
// names all signals, some of which come up only as the run goes: until the end
// the changes wait in a file of their own (T6).
type vcd struct {
	to      io.Writer
	about   string
	options *Options
	view    *run.View
	held    held[*edge]
	seq     uint64
	signals []*signal
	byPlace map[signalPlace]*signal
	clocks  []*clock

	body    *os.File
	changes *bufio.Writer
	err     error

	now   sim.Time  // of the instant whose changes are collected
	moved []*signal // by them
	line  []byte

	written sim.Time // the instant of the file
}

// A signalPlace is what a signal is of: what a unit holds, or a row of it.
type signalPlace struct {
	place
	series string
}

// An edge is a change of a signal.
type edge struct {
	at  sim.Time
	to  *signal
	by  int
	is  string // of a string
	seq uint64
}

func newVCD(v *run.View, about string, o *Options, to io.Writer) (*vcd, error) {
	body, err := os.CreateTemp("", "hcasim-*.vcd")
	if err != nil {
		return nil, err
	}
	_ = os.Remove(body.Name()) // where it can have no name, nothing is left of it whatever ends the program
	w := &vcd{to: to, about: about, options: o, view: v, byPlace: map[signalPlace]*signal{}, body: body, changes: bufio.NewWriterSize(body, 1<<16)}
	w.held = held[*edge]{write: w.write, order: func(a, b *edge) int {
		if c := cmp.Compare(a.at, b.at); c != 0 {
			return c
		}
		return cmp.Compare(a.seq, b.seq)
	}}
	if o.Windowed {
		w.now, w.written = o.From, o.From
		w.drawClocks()
	}
	return w, nil
}

// take makes edges of an event.
func (w *vcd) take(e *event) {
	at := signalPlace{place{e.host, e.unit, ""}, ""}
	switch e.kind {
	case span:
		s := w.signal(at, unitNames[e.unit].module)
		w.add(&edge{at: e.at, to: s, by: 1})
		w.add(&edge{at: e.end, to: s, by: -1})
	case change:
		at.row, at.series = e.row, e.name
		name := e.row
		if e.name == "MPT" || e.name == "MTT" || e.name == "QPC" {
			name += "." + e.name
		}
		w.add(&edge{at: e.at, to: w.signal(at, name), by: e.delta})
	case state:
		at.row = e.row
		w.add(&edge{at: e.at, to: w.signal(at, e.row), is: e.name})
	case mark:
		if e.unit == unitFaults {
			at.series = "last"
			w.add(&edge{at: e.at, to: w.signal(at, "last_fault_or_event"), is: e.name})
		}
	}
}

func (w *vcd) add(e *edge) {
	e.seq = w.seq
	w.seq++
	w.held.add(e)
}

// write collects the changes of one instant. One that comes late is shown as
// soon as it can be.
func (w *vcd) write(e *edge) {
	s := e.to
	if e.at > w.now {
		w.until(e.at)
	}
	if !s.moving {
		s.moving = true
		w.moved = append(w.moved, s)
	}
	if s.form == text {
		s.is = e.is
	} else {
		s.value += e.by
	}
}

// until writes the instant that was collected, and begins another.
func (w *vcd) until(t sim.Time) {
	w.flush()
	if w.options.Windowed && t > w.options.From {
		w.tick(min(t, w.options.To))
	}
	w.now = t
}

// flush writes the instant that was collected. What was before the window, or
// at time 0, is where signals begin.
func (w *vcd) flush() {
	o := w.options
	began := false
	for _, s := range w.moved {
		s.moving = false
		switch {
		case o.Windowed && w.now >= o.To:
		case w.now == 0 || o.Windowed && w.now <= o.From:
			s.first, s.shown = s.text(), s.text()
		case s.text() != s.shown:
			if !began {
				w.time(w.now)
				began = true
			}
			s.shown = s.text()
			w.put(s)
		}
	}
	w.moved = w.moved[:0]
}

// time begins an instant of the file.
func (w *vcd) time(t sim.Time) {
	if w.written == t {
		return // where it begins, or a clock has been there
	}
	w.written = t
	w.line = append(w.line, '#')
	w.line = strconv.AppendUint(w.line, uint64(t), 10)
	w.line = append(w.line, '\n')
	w.out()
}

func (w *vcd) put(s *signal) {
	w.line = s.appendChange(w.line, s.shown)
	w.out()
}

func (w *vcd) out() {
	if w.err == nil {
		_, w.err = w.changes.Write(w.line)
	}
	w.line = w.line[:0]
}

// close writes the head, and the changes behind it.
func (w *vcd) close() error {
	w.held.close()
	end := w.view.Now()
	if w.options.Windowed {
		end = max(w.options.From, min(end, w.options.To))
		w.flush()
		w.tick(end)
	} else {
		w.flush()
	}
	if end > w.written {
		w.time(end)
	}
	if w.err == nil {
		w.err = w.changes.Flush()
	}
	if w.err == nil {
		w.err = w.head()
	}
	if w.err == nil {
		_, w.err = w.body.Seek(0, io.SeekStart)
	}
	if w.err == nil {
		_, w.err = io.Copy(w.to, w.body)
	}
	w.err = errors.Join(w.err, w.body.Close())
	_ = os.Remove(w.body.Name()) // where it kept its name until now
	return w.err
}
