package tpt

import "hcasim/ib"

// A Range is a run of addresses as the bearer of a key names them.
type Range struct {
	VA     uint64
	Length uint64
}

// An Access is what is asked of an entry. Two ranges: Judge must lie inside
// what the key grants; Move is what this packet or piece really touches
// (Judge is what remains of the message under range_check: whole, and equals
// Move under per_packet).
type Access struct {
	Key    ib.Key
	PD     ib.PDN         // of the queue pair, or of the SRQ whose buffer it is
	QPN    ib.QPN         // the queue pair that carries the access
	Need   ib.AccessFlags // LocalWrite, RemoteWrite, RemoteRead or RemoteAtomic; 0 is local read
	Remote bool           // the key is an R_Key
	Judge  Range
	Move   Range
}
