package pcie

// RecommendedShare is the share of the raw rate, in ppm, that is left for TLPs
// when both ends send an Ack and an UpdateFC, 8 bytes each, as rarely as the
// base specification recommends, and a SKIP of 4 symbols every 1538. This is
// the model of Neugebauer et al., "Understanding PCIe performance for end host
// networking" (SIGCOMM 2018); real ports send fewer and get 0.945 to 0.95.
// Flits (generation 6) have room of their own for both.
func RecommendedShare(generation, lanes, mps uint32) uint32 {
	if generation >= 6 {
		return 1_000_000
	}
	limit := uint64(ackLimit(generation, lanes, mps))
	return uint32(1_000_000 - 2*8*1_000_000/limit - 4*1_000_000/1538)
}

// ackLimit is the Ack transmission latency limit in symbol times:
// (MPS + 28) * AckFactor / lanes + the internal delay of the generation.
func ackLimit(generation, lanes, mps uint32) uint32 {
	delay := [...]uint32{1: 19, 2: 70, 3: 115, 4: 115, 5: 115}
	return (mps+28)*ackFactor(lanes, mps)/(10*lanes) + delay[generation]
}

// ackFactor is ten times the specification's AckFactor: about how many TLPs of
// full size one Ack answers.
func ackFactor(lanes, mps uint32) uint32 {
	small := mps <= 256
	switch {
	case lanes >= 12 && small:
		return 30
	case lanes >= 12:
		return 20
	case lanes == 8 && small:
		return 25
	case small:
		return 14
	default:
		return 10
	}
}
