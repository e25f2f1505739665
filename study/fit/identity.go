package fit

import (
	"fmt"
	"strings"

	"hcasim/ib"
)

// Marks are what adapters choose each in their own way, with no effect on what
// is done: a packet with others is the same packet.
const (
	migration = iota
	congestion
	partition
	wish
	credits
	counter
	marks
)

// markWords name them.
var markWords = [marks]string{
	migration: "path migration bit", congestion: "congestion marks", partition: "P_Key",
	wish: "wish for an ACK", credits: "credits of the receive queue", counter: "MSN",
}

// identity is what a packet says: all that it is but its time, its addresses
// and its marks.
func identity(end int, h ib.Headers, payload []byte) string {
	h.BTH.Pad = ib.PadFor(len(payload))
	h.BTH.MigReq, h.BTH.FECN, h.BTH.BECN, h.BTH.PKey, h.BTH.AckReq = false, false, false, 0, false
	h.AETH.MSN = 0
	if h.AETH.Syndrome.IsACK() {
		h.AETH.Syndrome = ib.ACKNoCredit
	}
	b := append(make([]byte, 0, 64+len(payload)), byte(end))
	return string(append(h.Append(b), payload...))
}

// mark counts by which marks a packet differs from one that says the same.
func (f *Fit) mark(captured, sent *ib.Headers) {
	a, b, answers := captured, sent, captured.BTH.Opcode.HasAETH()
	for i, same := range [marks]bool{
		migration:  a.BTH.MigReq == b.BTH.MigReq,
		congestion: a.BTH.FECN == b.BTH.FECN && a.BTH.BECN == b.BTH.BECN,
		partition:  a.BTH.PKey == b.BTH.PKey,
		wish:       a.BTH.AckReq == b.BTH.AckReq,
		credits:    !answers || a.AETH.Syndrome == b.AETH.Syndrome,
		counter:    !answers || a.AETH.MSN == b.AETH.MSN,
	} {
		if !same {
			f.Marks[i]++
		}
	}
}

// marked tells which marks differ, and in how many packets.
func (f *Fit) marked() string {
	var words []string
	for i, n := range f.Marks {
		if n > 0 {
			words = append(words, fmt.Sprintf("%s of %d", markWords[i], n))
		}
	}
	if words == nil {
		return ""
	}
	return ", but for what each adapter marks in its own way: " + strings.Join(words, ", ")
}
