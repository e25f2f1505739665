package scenario

import (
	"fmt"
	"os"
	"testing"

	"hcasim/hca"
	"hcasim/sim"
)

func TestQuick(t *testing.T) {
	f := "../scenarios/quickstart.yaml"
	if s := os.Getenv("F"); s != "" {
		f = s
	}
	runs, err := Load(f, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range runs {
		res, err := r.Do()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println(res.Name, res.End, res.Held, res.Asked, res.Now, res.Events, r.Hash())
		for _, o := range res.Ops {
			fmt.Println(o.ID, o.Line, o.Host, o.Request, o.Object, o.Bytes, o.Outcome(), o.Latency())
			if !o.Verb {
				for p := sim.Part(0); p < hca.NumParts; p++ {
					if o.Parts[p] > 0 {
						fmt.Print("   ", hca.PartName(p), "=", o.Parts[p])
					}
				}
				fmt.Println()
			}
		}
		for _, f := range res.Failures {
			t.Errorf("%s:%d:%d %s %s: want %s got %s (%s)", f.Pos.File, f.Pos.Line, f.Pos.Column, f.Op, f.What, f.Expected, f.Got, f.Note)
		}
		for _, w := range append(res.Waits, res.Broken...) {
			t.Error(w)
		}
	}
}
