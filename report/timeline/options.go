package timeline

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"hcasim/ib"
	"hcasim/sim"
)

// Kinds are the forms of a timeline.
var Kinds = []string{"chrome", "vcd"}

// FileName is how a timeline is called in a result folder.
func FileName(kind string) string {
	if kind == "vcd" {
		return "hca.vcd"
	}
	return "trace.json"
}

// Options say what of a run is shown, and how. The zero Options are all of it.
type Options struct {
	// Windowed: only requests that were under way at some time from From to To,
	// whole, and of what belongs to no request what overlaps.
	Windowed bool
	From, To sim.Time
	// QP is HOST.NAME or NAME of the queue pair on which a request was posted.
	QP string
	// Op is the number of a step, of which all requests are meant, or of one of
	// its requests, such as 4.2.
	Op string
	// Key, if Keyed, is one that an access of the request used.
	Keyed bool
	Key   ib.Key
	// Picoseconds shows 1 ps as 1 ns.
	Picoseconds bool
}

// Picky reports whether requests are chosen.
func (o *Options) Picky() bool { return o.Windowed || o.QP != "" || o.Op != "" || o.Keyed }

// String returns what was asked for, as flags.
func (o *Options) String() string {
	var words []string
	if o.Windowed {
		words = append(words, fmt.Sprintf("--window %v..%v", o.From, o.To))
	}
	if o.QP != "" {
		words = append(words, "--qp "+o.QP)
	}
	if o.Keyed {
		words = append(words, fmt.Sprintf("--key %#x", uint32(o.Key)))
	}
	if o.Op != "" {
		words = append(words, "--op "+o.Op)
	}
	return strings.Join(words, " ")
}

// ParseWindow reads FROM..TO, of which either may be left out.
func (o *Options) ParseWindow(s string) error {
	from, to, two := strings.Cut(s, "..")
	if !two {
		return fmt.Errorf("%q wants FROM..TO, such as 10us..20us", s)
	}
	o.Windowed, o.From, o.To = true, 0, sim.Never
	if from != "" {
		if err := o.From.UnmarshalText([]byte(from)); err != nil {
			return err
		}
	}
	if to != "" {
		if err := o.To.UnmarshalText([]byte(to)); err != nil {
			return err
		}
	}
	if o.To <= o.From {
		return fmt.Errorf("%q ends before it begins", s)
	}
	return nil
}

// ParseKey reads a key, such as 0x200.
func (o *Options) ParseKey(s string) error {
	k, err := strconv.ParseUint(s, 0, 32)
	if err != nil {
		return fmt.Errorf("%q is no key of 32 bits, such as 0x200 (keys.csv has those of the run)", s)
	}
	o.Keyed, o.Key = true, ib.Key(k)
	return nil
}

// ParseScale reads ns or ps.
func (o *Options) ParseScale(s string) error {
	switch s {
	case "ns", "":
	case "ps":
		o.Picoseconds = true
	default:
		return fmt.Errorf("%q is none of ns, ps", s)
	}
	return nil
}

// ParseOp reads the number of a step or of a request.
func (o *Options) ParseOp(s string) error {
	if s == "" || strings.Trim(s, ".") != s {
		return errors.New("wants a number of ops.csv, such as 4 or 4.2")
	}
	o.Op = s
	return nil
}

// overlaps reports whether what lasts from one instant to another has to do
// with the window.
func (o *Options) overlaps(from, to sim.Time) bool {
	return !o.Windowed || to >= o.From && from < o.To
}

// ofQP reports whether a queue pair is the one asked for.
func (o *Options) ofQP(host, qp string) bool {
	return o.QP == "" || qp != "" && (o.QP == qp || o.QP == host+"."+qp)
}

// ofOp reports whether a request is one of those asked for.
func (o *Options) ofOp(id string) bool {
	return o.Op == "" || id == o.Op || strings.HasPrefix(id, o.Op+".")
}
