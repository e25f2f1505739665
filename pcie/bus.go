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
	clients []client

	requests sim.Pool[request]
	pieces   sim.Pool[piece]

	up   *sim.Line[TLP] // endpoint to root complex
	down *sim.Line[TLP]

	tx     transmitter
	rc     rootComplex
	stores stores

	enterID, pumpID, startID, serveID sim.HandlerID
	commitID, doneID, storeID, downID sim.HandlerID
}

type client struct {
	name string
	Client
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
	b.Taps.Up, b.Taps.Down = &b.up.Passed, &b.down.Passed
	b.tx.init(e, name, link)
	b.stores.wakeAt = never
	b.stores.credits.init(e, name+".mmio", device.PostedHeaders, device.PostedData)
	b.register(e)
	return b
}

// Link returns what the two ends trained to.
func (b *Bus) Link() Link { return b.link }

// Name returns the name the bus was made with.
func (b *Bus) Name() string { return b.name }

// Client adds one of the endpoint's units.
func (b *Bus) Client(name string, c Client) ClientID {
	b.clients = append(b.clients, client{name, c})
	return ClientID(len(b.clients) - 1)
}

// ClientName returns the name a client was added with.
func (b *Bus) ClientName(id ClientID) string { return b.clients[id].name }

// Read begins a DMA read. It never refuses: what cannot leave yet waits inside.
func (b *Bus) Read(now sim.Time, r Request) {
	h := b.requests.Get()
	*b.requests.At(h) = request{Request: r, issued: now, fence: b.tx.issued}
	b.tx.reads[r.Class].Push(h)
	b.tx.pending++
	b.pump(now)
}

// Write begins a posted DMA write. It never refuses.
func (b *Bus) Write(now sim.Time, r Request) {
	h := b.requests.Get()
	*b.requests.At(h) = request{Request: r, issued: now, write: true}
	b.tx.issued++
	if late := b.link.device.writeOverhead(&r); late != 0 || b.tx.entering.Len() > 0 {
		b.tx.enterAt = max(b.tx.enterAt, now.Add(late))
		b.tx.entering.Push(h)
		b.engine.At(b.tx.enterAt, b.enterID, 0)
		return
	}
	b.tx.posted.Push(h)
	b.pump(now)
}

// enter takes the oldest write out of the endpoint's overhead.
func (b *Bus) enter(now sim.Time) {
	b.tx.posted.Push(b.tx.entering.Pop())
	b.pump(now)
}

// done tells the client that its request is over.
func (b *Bus) done(now sim.Time, h uint32) {
	r := b.requests.At(h)
	if b.Taps.Requests.On() {
		b.Taps.Requests.Emit(b.record(now, r))
	}
	client, handle, ok := b.clients[r.Client].Client, r.Handle, !r.failed
	engine := !r.write && !r.Direct
	b.requests.Put(h)
	if engine {
		b.tx.reading--
	}
	client.Done(now, handle, ok)
	if engine && b.link.device.ReadOps > 0 {
		b.pump(now)
	}
}

// Reaches reports whether memory would let the device write the n > 0 bytes at
// addr now. A posted write has no answer: a device that wants to know beforehand
// asks for a translation (ATS), of which this is the answer without its time.
func (b *Bus) Reaches(now sim.Time, addr uint64, n uint32) bool {
	return b.guard == nil || b.guard.Reaches(now, addr, n)
}
