package timeline

import (
	"cmp"

	"hcasim/sim"
)

// A kind is what an event is.
type kind uint8

const (
	span   kind = iota // something that lasted
	mark               // an instant worth a flag
	change             // of a count, by delta
	state              // a named thing is from now on as its name says
)

// An event is one thing that writers show.
type event struct {
	kind kind
	unit unit
	host int
	at   sim.Time
	end  sim.Time // of a span
	row  string   // of a unit with several: the queue pair, the count, the thing
	name string
	args []arg
	// steps fill a span. They have only at, end and name.
	steps []event
	delta int

	of  *journey // the request that it belongs to, if any
	qp  string   // where there is no request: the queue pair it has to do with
	key uint32   // that was used, 0 for none
	seq uint64   // order in which events came
}

// An arg is something to know about an event.
type arg struct {
	key    string
	text   string
	number uint64
	named  bool // text counts
}

func words(key, text string) arg          { return arg{key: key, text: text, named: true} }
func count(key string, n uint64) arg      { return arg{key: key, number: n} }
func hexa(key string, n uint64) arg       { return words(key, hexText(n)) }
func long(key string, d sim.Duration) arg { return words(key, d.String()) }

// earlier orders events by their times; what lasts longer goes first.
func earlier(a, b *event) int {
	if c := cmp.Compare(a.at, b.at); c != 0 {
		return c
	}
	if c := cmp.Compare(b.end, a.end); c != 0 {
		return c
	}
	return cmp.Compare(a.seq, b.seq)
}

// A unit is a part of a host that has a track, or one for each of its rows. They
// stand in the order of the way of a request.
type unit uint8

const (
	unitVerbs unit = iota
	unitRequests
	unitReceives
	unitDoorbell
	unitWQE
	unitRecvFetch
	unitQPC
	unitMPT
	unitMPTFetch
	unitMTT
	unitMTTFetch
	unitGather
	unitTransmit
	unitWire
	unitReceive
	unitRespond
	unitPlace
	unitAtomic
	unitCQE
	unitEvent
	unitCommand
	unitPageList
	unitChange
	unitWriteBack
	unitOther
	unitUp
	unitDown
	unitFaults
	// Those that follow have no track.
	unitCount
	unitQPState
	unitKeyState
	numUnits
)

// unitNames are the names of tracks, and of modules in VCD.
var unitNames = [numUnits]struct{ track, module string }{
	unitVerbs: {"CPU: verbs", "verbs"}, unitRequests: {"requests of ", "requests"}, unitReceives: {"receives of ", "receives"},
	unitDoorbell: {"doorbell", "doorbell"}, unitWQE: {"WQE fetch", "wqe_fetch"}, unitRecvFetch: {"RECV fetch", "recv_fetch"},
	unitQPC: {"QPC (contexts)", "qpc_fetch"}, unitMPT: {"MPT lookup", "mpt"}, unitMPTFetch: {"MPT fetch", "mpt_fetch"},
	unitMTT: {"MTT translate", "mtt"}, unitMTTFetch: {"MTT fetch", "mtt_fetch"}, unitGather: {"gather DMA", "gather"},
	unitTransmit: {"transmit", "transmit"}, unitWire: {"wire out", "wire_out"}, unitReceive: {"receive", "receive"},
	unitRespond: {"responder", "responder"}, unitPlace: {"place DMA", "place"}, unitAtomic: {"atomic DMA", "atomic"},
	unitCQE: {"CQE write", "cqe"}, unitEvent: {"event write", "event"}, unitCommand: {"command DMA", "command"},
	unitPageList: {"page list DMA", "page_list"}, unitChange: {"table changes", "changes"}, unitWriteBack: {"table write-back", "write_back"},
	unitOther: {"other DMA", "other"}, unitUp: {"PCIe up (to host)", "pcie_up"}, unitDown: {"PCIe down (to adapter)", "pcie_down"},
	unitFaults: {"faults and events", "fault"},
	unitCount:  {"", "count"}, unitQPState: {"", "qp"}, unitKeyState: {"", "object"},
}

// busy reports whether a unit holds one thing at a time, so that it is busy or
// not.
func (u unit) busy() bool { return u == unitWire || u == unitUp || u == unitDown }
