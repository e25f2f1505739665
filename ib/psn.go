package ib

// A PSN is a packet sequence number: 24 bits, compared modulo 2^24.
type PSN uint32

const psnMask = 1<<24 - 1

// Add returns the number n packets after p.
func (p PSN) Add(n uint32) PSN { return PSN((uint32(p) + n) & psnMask) }

// Sub returns how far p is ahead of q: negative when it is behind. The two
// must lie within 2^23 of each other.
func (p PSN) Sub(q PSN) int32 { return int32(uint32(p-q)<<8) >> 8 }

// Less reports whether p comes before q.
func (p PSN) Less(q PSN) bool { return p.Sub(q) < 0 }
