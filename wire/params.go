package wire

import (
	"errors"
	"fmt"

	"hcasim/ib"
	"hcasim/sim"
)

// Params are the numbers of a link. Both directions are alike but for their
// flow control.
type Params struct {
	Protocol   string       `yaml:"protocol" default:"ib" enum:"ib,roce_v4,roce_v6" doc:"What wraps the packets: native InfiniBand, or RoCEv2 over IPv4 or IPv6. It decides the bytes a packet takes on the wire."`
	Rate       sim.BitRate  `yaml:"rate" default:"100Gb/s" min:"1Mb/s" max:"10Tb/s" doc:"Data rate after coding, each way."`
	Efficiency uint32       `yaml:"efficiency" default:"1000000" min:"1" max:"1000000" unit:"ppm" doc:"Share of the rate that packets can have; the rest goes to flow-control packets and skips."`
	MTU        uint32       `yaml:"mtu" default:"4096" min:"256" max:"4096" unit:"bytes" doc:"Longest payload of one packet: 256, 512, 1024, 2048 or 4096."`
	Length     uint32       `yaml:"length" default:"2" min:"0" max:"100000" unit:"m" doc:"Length of the cable."`
	PerMetre   sim.Duration `yaml:"per_metre" default:"5ns" min:"0ps" max:"1us" doc:"Delay of a metre of cable."`
	Delay      sim.Duration `yaml:"delay" default:"0ns" min:"0ps" max:"1s" doc:"Further delay each way: PHY, forward error correction, or a path given as a whole."`
	Hops       uint32       `yaml:"hops" default:"0" min:"0" max:"64" doc:"Switches on the way."`
	HopDelay   sim.Duration `yaml:"hop_delay" default:"100ns" min:"0ps" max:"1ms" doc:"Delay of one switch, cut-through."`
	SendQueue  uint32       `yaml:"send_queue" default:"4" min:"1" max:"65536" unit:"packets" doc:"Packets of each class that a port holds ready for the wire."`
	Flow       string       `yaml:"flow" default:"auto" enum:"auto,credits,pause,drop" doc:"What protects a receive buffer: credits, priority pause, or nothing. auto: credits for ib, drop for RoCE."`
	FlowBack   string       `yaml:"flow_back" default:"same" enum:"same,auto,credits,pause,drop" doc:"The same for the direction from the second port to the first; same: as flow."`
	PauseAt    uint32       `yaml:"pause_at" default:"500000" min:"1" max:"1000000" unit:"ppm" doc:"Share of a receive buffer above which its class is paused; the rest is for what is on the wire by then."`
	ResumeAt   uint32       `yaml:"resume_at" default:"250000" min:"0" max:"1000000" unit:"ppm" doc:"Share of a receive buffer down to which it must drain before its class goes on."`
	Requests   BufferParams `yaml:"requests" doc:"Receive buffer of request packets, at each port."`
	Answers    BufferParams `yaml:"answers" doc:"Receive buffer of ACKs, READ responses and atomic acknowledges, at each port."`
}

// BufferParams bound one receive buffer. Both bounds hold.
type BufferParams struct {
	Packets uint32    `yaml:"packets" default:"256" min:"1" max:"1048576" doc:"Most packets held."`
	Bytes   sim.Bytes `yaml:"bytes" default:"128KiB" min:"512B" max:"1GiB" doc:"Most bytes held, as counted on the wire."`
}

// DefaultParams returns a round 100 Gb/s InfiniBand link of two metres.
func DefaultParams() Params {
	var p Params
	sim.SetDefaults(&p)
	return p
}

// Propagation returns the time from the last bit leaving one port to its
// arriving at the other.
func (p *Params) Propagation() sim.Duration {
	return sim.Duration(p.Length)*p.PerMetre + p.Delay + sim.Duration(p.Hops)*p.HopDelay
}

// Encap returns what wraps the packets.
func (p *Params) Encap() ib.Encap {
	e, ok := ib.ParseEncap(p.Protocol)
	if !ok {
		panic(fmt.Sprintf("wire: protocol %q", p.Protocol))
	}
	return e
}

// Check returns what is wrong between the fields; bounds of single fields are
// in their tags.
func (p *Params) Check() error {
	var wrong []error
	complain := func(format string, args ...any) { wrong = append(wrong, fmt.Errorf(format, args...)) }
	encap, ok := ib.ParseEncap(p.Protocol)
	if !ok {
		complain("protocol %q: want ib, roce_v4 or roce_v6", p.Protocol)
	}
	if p.MTU < 256 || p.MTU > MaxPayload || p.MTU&(p.MTU-1) != 0 {
		complain("mtu %d: want 256, 512, 1024, 2048 or 4096", p.MTU)
	}
	if p.ResumeAt >= p.PauseAt {
		complain("resume_at %d ppm: want less than pause_at, %d ppm", p.ResumeAt, p.PauseAt)
	}
	if _, err := p.flows(); err != nil {
		wrong = append(wrong, err)
	}
	// The largest packets: a WRITE with immediate data, the end of a READ.
	least := sim.Bytes(encap.WireBytes(ib.RCWriteOnlyImm, p.MTU))
	if p.Requests.Bytes < least {
		complain("requests.bytes %v: one packet of mtu %d takes %v", p.Requests.Bytes, p.MTU, least)
	}
	least = sim.Bytes(encap.WireBytes(ib.RCReadRespLast, p.MTU))
	if p.Answers.Bytes < least {
		complain("answers.bytes %v: one packet of mtu %d takes %v", p.Answers.Bytes, p.MTU, least)
	}
	return errors.Join(wrong...)
}

// A flow is what protects the receive buffers of one direction.
type flow uint8

const (
	flowCredits flow = iota // a packet leaves only when its place is reserved
	flowPause               // a full receiver says stop
	flowDrop                // a full receiver discards
)

// flows returns the flow control from A to B and from B to A.
func (p *Params) flows() (f [2]flow, err error) {
	back := p.FlowBack
	if back == "same" {
		back = p.Flow
	}
	names := [...]string{"flow", "flow_back"}
	for i, word := range [...]string{p.Flow, back} {
		if word == "auto" {
			word = "drop"
			if p.Protocol == ib.InfiniBand.String() {
				word = "credits"
			}
		}
		switch word {
		case "credits":
			f[i] = flowCredits
		case "pause":
			f[i] = flowPause
		case "drop":
			f[i] = flowDrop
		default:
			return f, fmt.Errorf("%s %q: want auto, credits, pause or drop", names[i], word)
		}
	}
	return f, nil
}
