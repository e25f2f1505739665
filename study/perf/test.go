package perf

import (
	"slices"
	"strings"
)

// A Test is one of perftest's programs.
type Test struct {
	Name    string // write_bw; perftest's has ib_ before it
	About   string
	title   string // as perftest heads its report
	verb    verb
	latency bool
}

type verb uint8

const (
	write verb = iota
	read
	send
	atomic
)

// Tests are all of them, in the order of perftest's manual.
var Tests = []Test{
	{"write_bw", "Bandwidth of RDMA WRITEs", "RDMA_Write BW Test", write, false},
	{"write_lat", "Latency of RDMA WRITEs, half of a ping-pong", "RDMA_Write Latency Test", write, true},
	{"read_bw", "Bandwidth of RDMA READs", "RDMA_Read BW Test", read, false},
	{"read_lat", "Latency of RDMA READs", "RDMA_Read Latency Test", read, true},
	{"send_bw", "Bandwidth of SENDs", "Send BW Test", send, false},
	{"send_lat", "Latency of SENDs, half of a ping-pong", "Send Latency Test", send, true},
	{"atomic_bw", "Rate of atomics", "Atomic BW Test", atomic, false},
	{"atomic_lat", "Latency of atomics", "Atomic Latency Test", atomic, true},
}

// Named finds a test by its name, with perftest's ib_ or without.
func Named(name string) (t Test, found bool) {
	i := slices.IndexFunc(Tests, func(t Test) bool { return t.Name == strings.TrimPrefix(name, "ib_") })
	if i < 0 {
		return t, false
	}
	return Tests[i], true
}

// Latency reports whether the test measures times, not rates.
func (t Test) Latency() bool { return t.latency }

// pingpong reports whether the two sides answer each other.
func (t Test) pingpong() bool { return t.latency && (t.verb == write || t.verb == send) }

// received reports whether messages take a receive at the other end.
func (o *Options) received() bool { return o.Test.verb == send || o.WithImm }
