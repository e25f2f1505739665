package ib_test

import (
	"fmt"

	"hcasim/ib"
)

// A WRITE of five bytes as it stands on the wire, and what the responder makes
// of it.
func Example() {
	h := ib.Headers{
		BTH:  ib.BTH{Opcode: ib.RCWriteOnly, Pad: ib.PadFor(5), PKey: 0xffff, DestQP: 0x11, AckReq: true, PSN: 7},
		RETH: ib.RETH{VA: 0x7f0000001000, RKey: ib.RKey(ib.MakeKey(0x0a, 5)), Length: 5},
	}
	packet := append(h.Append(nil), "hello\x00\x00\x00"...)
	fmt.Printf("%x\n", packet[:ib.BTHBytes])

	got, payload, err := ib.Decode(packet)
	fmt.Printf("%v psn %d key %#08x: %s, %v\n", got.BTH.Opcode, got.BTH.PSN, uint32(got.RETH.RKey), payload, err)

	fmt.Println(ib.NAKRemoteAccess, ib.RemAccessErr, ib.RemAccessErr.Short())
	fmt.Println(ib.LocalWrite|ib.RemoteWrite, ib.InfiniBand.WireBytes(ib.RCWriteOnly, 5), "bytes")
	// Output:
	// 0a30ffff0000001180000007
	// RC_RDMA_WRITE_ONLY psn 7 key 0x00000a05: hello, <nil>
	// NAK_REMOTE_ACCESS_ERROR IBV_WC_REM_ACCESS_ERR REM_ACCESS_ERR
	// IBV_ACCESS_LOCAL_WRITE|IBV_ACCESS_REMOTE_WRITE 50 bytes
}
