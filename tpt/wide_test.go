package tpt

import "math/big"

// wide and sum are arithmetic that cannot wrap.
func wide(n uint64) *big.Int { return new(big.Int).SetUint64(n) }

func sum(a, b uint64) *big.Int { return new(big.Int).Add(wide(a), wide(b)) }
