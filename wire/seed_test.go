package wire

import (
	"flag"
	"os"
)

// Everyday runs draw the same examples, so that a failure is of the change at
// hand. RAPID_SEED=0, or -rapid.seed, draws others.
func init() {
	if _, chosen := os.LookupEnv("RAPID_SEED"); !chosen {
		if err := flag.Set("rapid.seed", "20261129"); err != nil {
			panic(err)
		}
	}
}
