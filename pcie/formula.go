package pcie

import (
	"math/bits"

	"hcasim/sim"
)

// The closed formulas of this file say what an idle bus must do. Tests and
// validation hold the model to them; the model itself uses only Time and carries,
// to know how far ahead the link is booked. They take n bytes at a page boundary, a
// memory that answers at once, and enough tags and credits.

// Time is how long n bytes keep the link, rounded up to a picosecond:
// 8n / (raw rate * share).
func (l Link) Time(n sim.Bytes) sim.Duration {
	hi, lo := bits.Mul64(uint64(n)*8*1_000_000, uint64(sim.Second))
	q, r := bits.Div64(hi, lo, uint64(l.Rate)*uint64(l.Share))
	if r != 0 {
		q++
	}
	return sim.Duration(q)
}

// carries are at least the bytes that the link carries in d.
func (l Link) carries(d sim.Duration) uint64 {
	hi, lo := bits.Mul64(uint64(d), uint64(l.Rate))
	bytes, _ := bits.Div64(hi, lo, 8*uint64(sim.Second))
	return bytes + 1
}

// WriteBytes are the link bytes of a write: n and one request TLP per MPS.
func (l Link) WriteBytes(n sim.Bytes) sim.Bytes {
	return n + pieces(n, l.MPS)*sim.Bytes(l.RequestBytes(page<<32))
}

// ReadBytes are the link bytes of a read, upwards and downwards: one request TLP
// per MRRS; n and one completion per completion cut.
func (l Link) ReadBytes(n sim.Bytes) (up, down sim.Bytes) {
	up = pieces(n, l.MRRS) * sim.Bytes(l.RequestBytes(page<<32))
	down = n + pieces(n, l.cut)*sim.Bytes(l.CompletionBytes())
	return up, down
}

func pieces(n sim.Bytes, limit uint32) sim.Bytes {
	return max(1, (n+sim.Bytes(limit)-1)/sim.Bytes(limit))
}

// WriteTime is how long a write of n bytes keeps the link.
func (l Link) WriteTime(n sim.Bytes) sim.Duration { return l.Time(l.WriteBytes(n)) }

// UnloadedWrite is the time from Write to Done:
//
//	write_overhead + n * write_per_byte + WriteTime(n) + propagation + write_latency
func (l Link) UnloadedWrite(n sim.Bytes) sim.Duration {
	return l.device.WriteOverhead + sim.Duration(n)*sim.Duration(l.device.WritePerByte) +
		l.WriteTime(n) + l.host.Propagation + l.host.WriteLatency
}

// UnloadedRead is the time from Read to Done:
//
//	first request TLP + propagation + read_latency +
//	all completions + propagation + read_overhead + n * read_per_byte
//
// The later request TLPs do not count: each is there before the completions of
// the one before it have left.
func (l Link) UnloadedRead(n sim.Bytes) sim.Duration {
	_, down := l.ReadBytes(n)
	return l.Time(sim.Bytes(l.RequestBytes(page<<32))) + l.host.Propagation + l.host.ReadLatency +
		l.Time(down) + l.host.Propagation +
		l.device.ReadOverhead + sim.Duration(n)*sim.Duration(l.device.ReadPerByte)
}

// UnloadedStore is the time from MMIO to its arrival at the device:
//
//	(lines - 1) * wc_line_gap + latency + its TLP + propagation
//
// where a line takes the link no longer than the gap.
func (l Link) UnloadedStore(n sim.Bytes) sim.Duration {
	p := l.host.MMIO
	lines, size := sim.Bytes(1), n
	if n > 8 {
		lines, size = (n+line-1)/line, line
	}
	return sim.Duration(lines-1)*p.WCLineGap + p.Latency +
		l.Time(size+sim.Bytes(l.RequestBytes(page<<32))) + l.host.Propagation
}

// WriteTurn is how long a write of n bytes keeps the endpoint's DMA engine:
//
//	max(write_op + ceil(n/128) * write_block, ceil(WriteBytes(n)/64) * write_beat)
func (l Link) WriteTurn(n sim.Bytes) sim.Duration {
	return l.device.writeTurn(n, l.WriteBytes(n))
}

// WriteRate is the most payload, in bits per second, of writes of n bytes each:
// the lower of the link's and the DMA engine's.
func (l Link) WriteRate(n sim.Bytes) sim.BitRate {
	return min(l.payload(n, l.WriteBytes(n)), perTurn(n, 1, l.WriteTurn(n)))
}

// perTurn is the payload of count operations of n bytes in each turn.
func perTurn(n sim.Bytes, count uint32, turn sim.Duration) sim.BitRate {
	hi, lo := bits.Mul64(uint64(count)*uint64(n)*8, uint64(sim.Second))
	if hi >= uint64(turn) { // also where there is no turn
		return ^sim.BitRate(0)
	}
	q, _ := bits.Div64(hi, lo, uint64(turn))
	return sim.BitRate(q)
}

// ReadRate is the same for reads: the lowest of the link's rate, of tags * chunk
// / round trip, where the trip of a tag ends at its last completion, of
// read_ops * n / UnloadedRead(n), and of n / (ceil(completions / 64) * read_beat).
func (l Link) ReadRate(n sim.Bytes) sim.BitRate {
	up, down := l.ReadBytes(n)
	chunk := min(n, sim.Bytes(l.MRRS))
	trip := l.UnloadedRead(chunk) - l.device.ReadOverhead - sim.Duration(chunk)*sim.Duration(l.device.ReadPerByte)
	rate := min(l.payload(n, max(up, down)), perTurn(n, l.device.Tags, trip*sim.Duration(pieces(n, l.MRRS))))
	rate = min(rate, perTurn(n, 1, l.device.readTurn(down)))
	if l.device.ReadOps > 0 {
		rate = min(rate, perTurn(n, l.device.ReadOps, l.UnloadedRead(n)))
	}
	return rate
}

// MixedRate is the rate of each direction when as many reads as writes of n
// bytes share the link.
func (l Link) MixedRate(n sim.Bytes) sim.BitRate {
	up, down := l.ReadBytes(n)
	return l.payload(n, max(up+l.WriteBytes(n), down))
}

func (l Link) payload(n, used sim.Bytes) sim.BitRate {
	hi, lo := bits.Mul64(uint64(l.Rate)/1000*uint64(l.Share)/1000, uint64(n))
	q, _ := bits.Div64(hi, lo, uint64(used))
	return sim.BitRate(q)
}
