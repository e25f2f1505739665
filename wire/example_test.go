package wire_test

import (
	"fmt"

	"hcasim/ib"
	"hcasim/sim"
	"hcasim/wire"
)

// One packet from A to B over two metres of cable.
func Example() {
	engine, pool := sim.NewEngine(), wire.NewPool()
	link := wire.NewLink(engine, "wire", wire.DefaultParams(), pool, 1)
	link.Port(wire.B).Accept(wire.Requests, func(now sim.Time, h uint32) bool {
		p := pool.At(h)
		fmt.Printf("%v: %v, %v, %q\n", now, p.BTH.Opcode, p.Bytes, p.Payload)
		pool.Put(h)
		return true
	})
	link.Tap.Watch(func(p *wire.Packet) { fmt.Printf("%v: %v from %v\n", p.Entered, p.Fate, p.Src) })

	h := pool.Get()
	pool.At(h).BTH = ib.BTH{Opcode: ib.RCSendOnly, PSN: 1}
	copy(pool.Payload(h, 5), "hello")
	link.Port(wire.A).Send(engine.Now(), h)
	engine.Run(sim.Never)
	fmt.Println(pool.Live(), "packets out")
	// Output:
	// 0ps: sound from A
	// 12.72ns: RC_SEND_ONLY, 34B, "hello"
	// 0 packets out
}
