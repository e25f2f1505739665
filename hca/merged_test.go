package hca_test

import (
	"testing"

	"hcasim/hca"
	"hcasim/ib"
	"hcasim/sim"
	"hcasim/wire"
)

// Acknowledgements that wait behind a READ response, where the later one took
// the place of the earlier, have no packets of their own to give back when the
// queue pair goes into error.
func TestDroppedAcknowledgements(t *testing.T) {
	s := defaults()
	s.hca[1].PCIe.ReadOverhead = 20 * sim.Microsecond // the response is long in gathering
	p := newPair(t, s)
	p.post(0, 0, ib.WRRDMAWrite, 0, 8, 0) // what is on chip from now on
	p.finish()
	executed := 0
	p.sides[1].Executed.Watch(func(hca.Execution) { executed++ })
	p.post(0, 0, ib.WRRDMARead, 0, 64, 0)
	p.post(0, 0, ib.WRRDMAWrite, 64, 64, 64)
	p.post(0, 0, ib.WRRDMAWrite, 64, 64, 128)
	p.link.Tap.Watch(func(v *wire.Packet) {
		if v.Src == wire.B {
			t.Errorf("%v was answered", v.BTH.Opcode)
		}
	})
	p.Run(p.Now().Add(10 * sim.Microsecond))
	if executed != 3 {
		t.Fatalf("%d requests were executed, want 3", executed)
	}
	if e, rule := p.sides[1].ModifyQP(p.Now(), 0x10, ib.MaskState, &ib.QPAttr{State: ib.Err}); e != ib.OK {
		t.Fatal(e, rule)
	}
	if e, rule := p.sides[0].ModifyQP(p.Now(), 0x10, ib.MaskState, &ib.QPAttr{State: ib.Err}); e != ib.OK {
		t.Fatal(e, rule)
	}
	p.finish()
}
