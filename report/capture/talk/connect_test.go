package talk

import (
	"fmt"
	"strings"
	"testing"

	"hcasim/ib"
)

// The queue pairs that belong together are found where all count from the same
// number, by when they are answered.
func TestConnect(t *testing.T) {
	var packets []*Packet
	send := func(from int, o ib.Opcode, dest ib.QPN, psn ib.PSN) {
		k := &Packet{Frame: len(packets) + 1, At: 100 * int64(len(packets)+1), End: from}
		k.Headers.BTH = ib.BTH{Opcode: o, DestQP: dest, PSN: psn}
		packets = append(packets, k)
	}
	for i := range ib.PSN(3) { // A's 5 and 6 speak with B's 8 and 7
		send(0, ib.RCWriteOnly, 8, 100+i)
		send(1, ib.RCAck, 5, 100+i)
		send(0, ib.RCWriteOnly, 7, 100+i)
		send(1, ib.RCAck, 6, 100+i)
	}
	var got []string
	for _, c := range connect(packets) {
		got = append(got, fmt.Sprint(c.QPN, c.Sure))
	}
	if want := "[5 8] true, [6 7] true"; strings.Join(got, ", ") != want {
		t.Errorf("%s, want %s", strings.Join(got, ", "), want)
	}
}
