package bench

import (
	"fmt"
	"math"
	"strings"
)

// A dimension is something of which there may be many, and whose cost must grow
// in proportion.
type dimension struct {
	name  string // what is many
	about string
	file  string // of scenarios/bench
	most  uint64 // that memory and patience allow
	quick uint64 // the same with --quick
	// at is how a run has n of it, and one that has as little as there can be:
	// the difference is what is charged.
	at func(n uint64) (long, short extent)
}

// An extent is a run of a dimension.
type extent struct {
	sets  []string
	units uint64
}

const (
	packetsEach = 256        // of a message of growth-packets
	bytesMoved  = 40_000_000 // by all messages of a run of growth-bytes
)

func dimensions() []dimension {
	upTo := func(n uint64) (long, short extent) { return counted(n, n), counted(1, 1) }
	return []dimension{
		{"ops", "WRITEs of 64 B, 64 in flight, caches warm", "write-64-d64", 10_000_000, 1_000_000, upTo},
		{"regions", "memory regions, each declared and written to once", "growth-regions", 1_000_000, 100_000, upTo},
		{"queue-pairs", "pairs of queue pairs, each declared; as many WRITEs", "growth-queue-pairs", 100_000, 10_000, upTo},
		{"bytes", "of a message; the cost of a message, over its bytes", "growth-bytes", 10_000_000, 1_000_000,
			func(n uint64) (long, short extent) { return messages(n, 1+max(3, bytesMoved/n)), messages(n, 1) }},
		{"packets", "packets of 256 B, 256 to a message", "growth-packets", 10_000_000, 1_000_000,
			func(n uint64) (long, short extent) {
				m := 1 + n/packetsEach
				return counted(m, m*packetsEach), counted(1, packetsEach)
			}},
	}
}

func counted(n, units uint64) extent { return extent{[]string{fmt.Sprintf("vars.n=%d", n)}, units} }

func messages(size, n uint64) extent {
	return extent{[]string{fmt.Sprintf("vars.n=%d", size), fmt.Sprintf("vars.messages=%d", n)}, size * n}
}

// A Growth is how the cost of a dimension grows.
type Growth struct {
	Name, About string
	Points      []Point
	// Exponent is e of cost ~ n^e, by least squares over the points: 1 is linear.
	Exponent float64
}

// A Point is the cost at one size.
type Point struct {
	N         uint64
	NsPerUnit float64 // of the processor
	PeakRSS   uint64
}

// growths measures all dimensions that are asked for.
func (r *Report) growths(o *Options) (*Report, error) {
	var names []string
	for _, d := range dimensions() {
		names = append(names, d.name)
		if !o.wants(d.name) {
			continue
		}
		g, err := d.growth(o)
		if err != nil {
			return nil, err
		}
		r.Growths = append(r.Growths, g)
	}
	if len(r.Growths) == 0 {
		return nil, fmt.Errorf("--run %s: nothing that grows is called so; there are %s", o.Only, strings.Join(names, ", "))
	}
	return r, nil
}

// firstSize is where a dimension begins: at 10^4, or where that is its end, at
// 10^3.
func firstSize(most uint64) uint64 { return min(10_000, most/10) }

func (d *dimension) growth(o *Options) (*Growth, error) {
	g := &Growth{Name: d.name, About: d.about}
	most := o.length(d.most, d.quick)
	for n := firstSize(most); n <= most; n *= 10 {
		p, err := d.point(n)
		if err != nil {
			return nil, err
		}
		g.Points = append(g.Points, p)
	}
	g.Exponent = exponent(g.Points)
	return g, nil
}

// point is the cost at a size: the median of three, of one when it takes long.
func (d *dimension) point(n uint64) (Point, error) {
	long, short := d.at(n)
	resetPeak()
	samples := 3
	if n >= 1_000_000 && d.name != "bytes" {
		samples = 1
	}
	var ns []float64
	for range samples {
		c, err := d.cost(long, short)
		if err != nil {
			return Point{}, err
		}
		ns = append(ns, float64(c.cpu)/float64(long.units-short.units))
	}
	return Point{n, median(ns), peak()}, nil
}

func (d *dimension) cost(long, short extent) (cost, error) {
	var costs [2]cost
	for i, x := range []extent{long, short} {
		c, err := measure(stretch{d.file, x}, x.units)
		if err != nil {
			return cost{}, err
		}
		costs[i] = c
	}
	return costs[0].without(&costs[1]), nil
}

// A stretch is one run of a dimension.
type stretch struct {
	file string
	extent
}

func (s stretch) ops(n uint64) (work, error) {
	r, err := read(s.file, s.sets...)
	if err != nil {
		return work{}, err
	}
	res, err := held(r.Do())
	if err != nil {
		return work{}, err
	}
	return work{ops: n, events: res.Events}, nil
}

// exponent fits a line through the logarithms of size and cost.
func exponent(points []Point) float64 {
	var n, sx, sy, sxx, sxy float64
	for _, p := range points {
		x := math.Log(float64(p.N))
		y := x + math.Log(p.NsPerUnit)
		n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}
