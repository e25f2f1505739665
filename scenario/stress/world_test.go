package stress

import (
	"fmt"
	"math/rand/v2"
)

const (
	sourceBytes = 16 << 10 // of each host's source, which nobody writes
	sharedBytes = 8 << 10  // of each host's zone that all write at once
	period      = 251      // of what stands in a source: no power of two
)

// A machine is one host. What its source holds never changes; its target is
// cut into places, each with one writer, but for the shared zone and the
// counters.
type machine struct {
	name      string
	peer      *machine
	low       string
	domains   int // protection domains, each with its own regions of source and target
	pattern   []byte
	fill      byte
	page      int
	next      int // of the target, from where nothing is taken yet
	size      int // of the target
	near      int // of what is pinned; 0 for all
	pages     int // how many behind that come on demand, at far
	image     []byte
	open      []bool // bytes that were taken as they are
	zone      int    // where the shared zone begins
	counters  []*counter
	hca, host string
	queues    []string // text of qp:
	objects   []string // text of mr:
	fast      []string
	windows   []string
	srq       *shared
}

// at is a byte of the source.
func (m *machine) at(i int) byte { return m.pattern[i%period] }

func (m *machine) source(from, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = m.at(from + i)
	}
	return b
}

// take cuts n bytes off the target, somewhere.
func (m *machine) take(w *world, n int) int {
	gap := pick(w.Rand, 0, 8, 64, 4096)
	at := (m.next + gap + 7) &^ 7
	m.next = at + n
	return at
}

// far is where pages that come on demand begin.
const far = 512 << 10

// takePages cuts n bytes off them, somewhere: others may be on the same page.
func (m *machine) takePages(n int) int {
	at := far + 4096*m.pages + m.pages*8
	m.pages += (n+4095)/4096 + m.pages%2
	m.page = 4096
	return at
}

// A counter is a word that many add to, each request another bit: what stands
// in it, now or before, says which additions were done.
type counter struct {
	at   int
	adds []*op // by bit
}

// A shared receive queue of equal slots.
type shared struct {
	name  string
	slots []int
	size  int
	limit int // of its receives, below which there is an event
}

// of names an object of a domain.
func of(kind string, m *machine, domain int) string {
	if domain == 0 {
		return kind + m.low
	}
	return fmt.Sprintf("%s%s%d", kind, m.low, domain)
}

// A world is all that a seed stands for.
type world struct {
	*rand.Rand
	seed     uint64
	machines [2]*machine
	lanes    []*lane
	streams  []*stream
	grams    []*datagrams
	pairs    int
	variant  string
	head     string // configuration
	setup    []string
	faults   []string
	drops    bool // the wire may lose packets where it is crowded
	lossy    bool // packets are lost, few enough to be repeated in time
	harsh    bool // more than that
	untidy   bool // packets come in another order or twice
	hasty    bool // some timeouts may be shorter than the way there and back
	storm    bool // keys die everywhere while they are used
	failing  bool // commands fail
	paging   bool // regions of one's own are on demand
	rush     bool // keys are given other ranges all the time
	ends     int
	odd      []string
	events   uint64
	answers  uint64   // whose MSN was looked at
	naks     uint64   // of these
	away     uint64   // of these, RNR NAKs
	hits     []uint64 // of each fault
}

func (w *world) one(in int) bool { return w.IntN(in) == 0 }

// draw makes the world of a seed.
func draw(seed uint64) *world {
	w := &world{Rand: rand.New(rand.NewPCG(seed, 0x5eed)), seed: seed, paging: seed%6 == 0}
	for i, name := range []string{"A", "B"} {
		m := &machine{name: name, low: string(rune('a' + i)), fill: byte(0x11 * (1 + w.IntN(14))), page: pick(w.Rand, 4096, 4096, 4096, 2<<20), domains: pick(w.Rand, 1, 1, 2, 3)}
		for len(m.pattern) < period {
			m.pattern = append(m.pattern, byte(w.IntN(256)))
		}
		w.machines[i] = m
	}
	w.machines[0].peer, w.machines[1].peer = w.machines[1], w.machines[0]
	w.variant = pick(w.Rand, "spec", "spec", "mlx5", "rxe", "{base: spec, mw2_flavor: 2A}", "{base: mlx5, range_check: whole}", "{base: spec, range_check: per_packet, sge_check: upfront}")
	w.storm = w.one(4)
	w.failing = w.one(3)
	w.rush = !w.storm && w.one(5)
	w.head = w.config()
	w.trouble()
	for _, m := range w.machines {
		m.zone = m.take(w, sharedBytes)
		for range 1 + w.IntN(3) {
			m.counters = append(m.counters, &counter{at: m.take(w, 8)})
		}
	}
	w.pairs = 1 + w.IntN(6)
	if w.one(8) {
		w.pairs = 7 + w.IntN(58)
	}
	if w.rush {
		w.pairs = 5 + w.IntN(6)
	}
	w.paging = w.paging && w.variant != "rxe" && !w.rush && w.pairs < 12
	for i := range w.pairs {
		w.pair(i)
	}
	if !w.harsh && !w.drops { // a traffic that fails is a failure
		for i := range pick(w.Rand, 0, 0, 1, 3) {
			w.stream(i)
		}
	}
	for i := range pick(w.Rand, 0, 0, 0, 1, 2) {
		w.datagrams(i)
	}
	for _, m := range w.machines {
		m.size = (m.next+8191)&^4095 + 4096
		if m.pages > 0 {
			if m.near = m.size; m.near > far {
				panic("stress: a target is too long")
			}
			m.size = far + 4096*(m.pages+2)
		}
		m.image, m.open = make([]byte, m.size), make([]bool, m.size)
		for i := range m.image {
			m.image[i] = m.fill
		}
		for _, c := range m.counters {
			clear(m.image[c.at : c.at+8])
		}
	}
	return w
}

// trouble draws what goes wrong on the wire.
func (w *world) trouble() {
	level := pick(w.Rand, "none", "mild", "mild", "mild", "mild", "harsh", "few")
	w.hasty = w.one(9)
	if level == "none" {
		return
	}
	for range 1 + w.IntN(4) {
		from := pick(w.Rand, w.machines[:]...)
		kind := pick(w.Rand, "drop", "drop", "corrupt", "duplicate", "duplicate", "delay", "reorder", "reorder")
		text := fmt.Sprintf("{on: %s, fault: {wire: %s, from: %s", from.name, kind, from.name)
		switch level {
		case "mild":
			text += fmt.Sprintf(", probability: %.4f", float64(1+w.IntN(150))/10000)
		case "harsh":
			text += fmt.Sprintf(", probability: %.4f", float64(200+w.IntN(2000))/10000)
			w.harsh = true
		default:
			text += fmt.Sprintf(", skip: %d, count: %d", w.IntN(40), 1+w.IntN(3))
		}
		if kind == "delay" || kind == "reorder" {
			text += ", delay: " + pick(w.Rand, "100ns", "2us", "50us", "1ms")
		}
		w.faults = append(w.faults, text+"}}")
		w.lossy = w.lossy || kind == "drop" || kind == "corrupt"
		w.untidy = true
	}
}
