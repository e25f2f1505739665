package talk

import (
	"fmt"

	"hcasim/ib"
)

// A Conn is two queue pairs that are each other's peer. Whatever it has two of
// is by host: A's, B's.
type Conn struct {
	QPN   [2]ib.QPN
	Known [2]bool // from the packets; else a number was chosen
	Sure  bool    // the answers say who belongs to whom; else the order of appearance
	UC    bool
	Asks  [2]Direction // what each side asks of the other
	MTU   uint32       // bytes, 256 to 4096
	Exact bool         // the MTU is seen; else it is the least that all fit into
	first int          // frame
}

// A Direction is what one side asks of the other, and what came of it.
type Direction struct {
	Ops    []*Op // in the order of their packet numbers
	Losses Losses
	PSN    ib.PSN // of the first request

	requests, answers []*Packet // as captured
}

// add sorts a packet to one side in.
func (c *Conn) add(k *Packet, to int) {
	if c.first == 0 {
		c.first = k.Frame
	}
	if k.Headers.BTH.Opcode.IsRequest() {
		d := &c.Asks[1-to]
		d.requests = append(d.requests, k)
		c.UC = c.UC || k.Headers.BTH.Opcode>>5 == 1
	} else {
		d := &c.Asks[to]
		d.answers = append(d.answers, k)
	}
}

// Name is how a side of a connection is called in notes.
func (c *Conn) Name(side int) string {
	return fmt.Sprintf("%s, to queue pair 0x%x", Names[side], uint32(c.QPN[1-side]))
}

// Mute reports whether the answers to one side are missing in the capture: there
// are none, and it went on as if it had them.
func (c *Conn) Mute(side int) bool {
	return len(c.Asks[side].answers) == 0 && !c.Asks[side].Losses.Any()
}

// sizeUp finds the path MTU: the payload of a packet that others follow, or
// else the least that all fit into.
func (c *Conn) sizeUp() {
	c.MTU = 1024
	longest := 0
	for side := range c.Asks {
		for _, list := range [][]*Packet{c.Asks[side].requests, c.Asks[side].answers} {
			for _, k := range list {
				o := k.Headers.BTH.Opcode
				if o.HasPayload() && !o.Ends() && legalMTU(len(k.Payload)) {
					c.MTU, c.Exact = max(uint32(len(k.Payload)), c.MTU*bit(c.Exact)), true
				}
				longest = max(longest, len(k.Payload))
			}
		}
	}
	for !c.Exact && c.MTU < 4096 && int(c.MTU) < longest {
		c.MTU *= 2
	}
}

func bit(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

func legalMTU(n int) bool { return n >= 256 && n <= 4096 && n&(n-1) == 0 }

// packetsOf returns how many packets a message of n bytes has.
func (c *Conn) packetsOf(n uint32) int64 {
	return max(1, (int64(n)+int64(c.MTU)-1)/int64(c.MTU))
}
