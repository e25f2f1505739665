package pcie

import (
	"fmt"

	"hcasim/sim"
)

// A Bus is one link between a device and a root complex, with the transmitter,
// tags and credits of the one and the ordering point of the other.
type Bus struct {
	Taps Taps
	// Spoil, if set, injects faults: it is asked for every TLP that arrives at the
	// root complex, and one for which it says true is refused as by memory.
	Spoil func(now sim.Time, tlp TLP) bool

	engine  *sim.Engine
	name    string
	link    Link
	memory  Memory
	guard   Guard // nil: memory refuses nothing, or does not say what
	device  Device
	clients []Client
	names   []string // of the clients

	records sim.Pool[request]
	live    int          // requests that are not done
	parts   int          // of their TLPs unanswered
	shown   TLP          // what the tap Down shows of a read that is done
	waits   [queues]wait // as watchers of Stalls were told

	up   *sim.Line // endpoint to root complex
	down *sim.Line

	tx     transmitter
	rc     rootComplex
	stores stores

	enterID, pumpID, startID, serveID sim.HandlerID
	commitID, doneID, storeID, downID sim.HandlerID
}

// New builds the bus. It panics if the parameters cannot train: ask Train first
// when they come from a user.
func New(e *sim.Engine, name string, host HostParams, device DeviceParams, m Memory, d Device) *Bus {
	link, err := Train(host, device)
	if err != nil {
		panic(fmt.Sprintf("pcie: %s: %v", name, err))
	}
	b := &Bus{engine: e, name: name, link: link, memory: m, device: d}
	b.guard, _ = m.(Guard)
	line := sim.LineParams{Rate: link.Rate, Cap: link.Share, Delay: host.Propagation, Depth: 1 << 30}
	b.up = sim.NewLine(e, name+".up", line, b.arriveUp)
	b.down = sim.NewLine(e, name+".down", line, b.arriveDown)
	b.tx.init(name, link)
	b.stores.wakeAt = never
	b.stores.credits.init(name+".mmio", device.PostedHeaders, device.PostedData)
	b.register(e)
	return b
}

// Link returns what the two ends trained to.
func (b *Bus) Link() Link { return b.link }

// Client adds one of the endpoint's units.
func (b *Bus) Client(name string, c Client) ClientID {
	b.clients, b.names = append(b.clients, c), append(b.names, name)
	return ClientID(len(b.clients) - 1)
}

// Clients returns how many there are.
func (b *Bus) Clients() int { return len(b.clients) }

// ClientName returns the name a client was added with.
func (b *Bus) ClientName(id ClientID) string { return b.names[id] }

// Read begins a DMA read. It never refuses: what cannot leave yet waits inside.
func (b *Bus) Read(now sim.Time, q Request) { b.issue(now, &q, MRd) }

// Write begins a posted DMA write. It never refuses.
func (b *Bus) Write(now sim.Time, q Request) { b.issue(now, &q, MWr) }

// done tells the client that its request is over.
func (b *Bus) done(now sim.Time, h uint32, r *request) {
	if b.Taps.Requests.On() {
		b.Taps.Requests.Emit(b.record(now, r))
	}
	engine := b.tx.pace.on && !r.write() && !r.asked.Direct
	if engine {
		b.tx.pace.reading--
	}
	b.live--
	b.records.Put(h)
	b.clients[r.Client].Done(now, r.asked.Handle, !r.failed)
	if engine && b.tx.pace.ops > 0 {
		b.pump(now)
	}
}

// Reaches reports whether memory would let the device write the n > 0 bytes at
// addr now. A posted write has no answer: a device that wants to know beforehand
// asks for a translation (ATS), of which this is the answer without its time.
func (b *Bus) Reaches(now sim.Time, addr uint64, n uint32) bool {
	return b.guard == nil || b.guard.Reaches(now, addr, n)
}
