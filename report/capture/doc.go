// Package capture writes what went over the wire and over PCIe as pcapng, as
// Wireshark and tshark read it.
//
//	run.View ─┬─ Link.Tap ──► wire: whole frames, RoCEv2 or native InfiniBand
//	          ├─ Taps.TLPs ─► PCIe: headers of TLPs, for pcie_tlp.lua
//	          └─ Refused ───► words in the comment of a frame
//
// Frames are put together here from the headers and bytes that the model has;
// nothing of it is the model's business.
//
// Begin reading with Watch, in recorder.go; wire.go and pcie.go make frames,
// file.go writes them.
//
// Invariants:
//
//	C1  Frames of a file are in the order of their times; those of one time in
//	    the order in which they were shown. The same run is the same bytes.
//	C2  Lengths, checksums, ICRC and VCRC are right, but where the packet is
//	    spoiled on purpose, or on its way.
//	C3  A time stamp is cut to nanoseconds, which is all that pcapng's readers
//	    keep; the comment has the picoseconds.
//	C4  Memory is bounded, however long the run.
package capture
