package perf_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"hcasim/study"
	"hcasim/study/perf"
)

// rows runs a test, as little of it as shows what is to be seen.
func rows(t *testing.T, name string, change func(o *perf.Options)) []perf.Row {
	t.Helper()
	x := prepared(t, name, change)
	list, err := x.Run(perf.Do{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		if list[i].Failed != "" {
			t.Fatalf("%s of %d bytes: %s", name, list[i].Size, list[i].Failed)
		}
	}
	return list
}

func prepared(t *testing.T, name string, change func(o *perf.Options)) *perf.Experiment {
	t.Helper()
	test, found := perf.Named(name)
	if !found {
		t.Fatalf("there is no %s", name)
	}
	o := perf.Options{Test: test, Inline: -1, Timeout: -1}
	if change != nil {
		change(&o)
	}
	x, err := perf.Prepare(o)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// serial leaves a test out of the race run, which needs one alone of those with
// workers.
func serial(t *testing.T) {
	if testing.Short() {
		t.Skip("no goroutine is in it")
	}
}

func brief(o *perf.Options) { o.Iterations = 40 }

// TestLatencyGrowsWithSize, of every latency that has sizes; and a WRITE is
// there before a READ is back.
func TestLatencyGrowsWithSize(t *testing.T) {
	serial(t)
	typical := map[string]float64{}
	for _, name := range []string{"write_lat", "send_lat", "read_lat"} {
		last := 0.0
		for _, size := range []uint64{2, 64, 512, 4096, 32768, 1 << 20} {
			r := rows(t, name, func(o *perf.Options) { o.Size, o.Iterations = size, 12 })
			v := float64(r[0].Spread.Typical)
			if v < last {
				t.Errorf("%s of %d bytes takes %v, a smaller one %v", name, size, v, last)
			}
			if last = v; size == 2 {
				typical[name] = v
			}
		}
	}
	if typical["write_lat"] >= typical["read_lat"] || typical["write_lat"] >= typical["send_lat"] {
		t.Errorf("a WRITE is not the shortest: %v", typical)
	}
}

// TestLargeMessagesFillTheLink: 97.2 % of 100 Gb/s, less some headers, both ways
// twice that, and never more.
func TestLargeMessagesFillTheLink(t *testing.T) {
	serial(t)
	for _, x := range []struct {
		name string
		both bool
		ways float64
	}{
		{"write_bw", false, 1}, {"read_bw", false, 1}, {"send_bw", false, 1}, {"write_bw", true, 2}, {"read_bw", true, 2},
	} {
		r := rows(t, x.name, func(o *perf.Options) { o.Iterations, o.Both, o.Size = 150, x.both, 64<<10 })
		gbits, peak := r[0].Band.Average*8e-9, r[0].Band.Peak*8e-9
		if gbits < 94*x.ways || gbits > 97.2*x.ways || peak < gbits*(1-1e-9) || peak > 97.2*x.ways {
			t.Errorf("%s carries %.2f Gb/s, at its peak %.2f", x.name, gbits, peak)
		}
	}
}

// TestRates: one request in flight is slower than many, and a rate is that of
// the latency then.
func TestRates(t *testing.T) {
	serial(t)
	one := rows(t, "read_bw", func(o *perf.Options) { o.Size, o.TxDepth = 64, 1; brief(o) })[0]
	many := rows(t, "read_bw", func(o *perf.Options) { o.Size = 64; brief(o) })[0]
	latency := rows(t, "read_lat", func(o *perf.Options) { o.Size = 64; brief(o) })[0]
	if many.Band.Messages < 3*one.Band.Messages {
		t.Errorf("128 in flight make %.0f/s, one %.0f/s", many.Band.Messages, one.Band.Messages)
	}
	if got := 1e12 / one.Band.Messages; math.Abs(got/float64(latency.Spread.Mean)-1) > 0.1 {
		t.Errorf("one in flight takes %.0f ps each, the latency is %d ps", got, latency.Spread.Mean)
	}
}

// TestAsValidated: for the same set-up the figures are those with which the
// model is held to published perftest logs.
func TestAsValidated(t *testing.T) {
	serial(t)
	v, err := study.Validate(study.Question{IDs: []string{"V18", "V25", "V60"}, Fast: true, Workers: 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	qdr := func(o *perf.Options) {
		o.Profile, o.Sets, o.Iterations, o.Timeout = "connectx3-like", []string{"wire.rate=32Gb/s", "wire.hops=0"}, 20, -1
	}
	edr := func(o *perf.Options) {
		o.Profile, o.Sets, o.Iterations = "connectx5-like", []string{"wire.hops=0", "host.pcie.generation=3"}, 20
	}
	for _, x := range []struct {
		item, curve, test string
		tolerance         float64
		change            func(o *perf.Options)
	}{
		{"V18", "write-inline", "write_lat", 0.002, qdr},
		{"V18", "write", "write_lat", 0.002, qdr},
		{"V18", "read", "read_lat", 0.002, qdr},
		{"V25", "rc-inline", "send_lat", 0.005, edr},
		{"V25", "rc", "send_lat", 0.005, edr},
		{"V25", "ud", "send_lat", 0.005, func(o *perf.Options) { edr(o); o.Connection = "UD" }},
		{"V60", "EDR", "write_bw", 0.01, func(o *perf.Options) { o.Size, o.TxDepth, o.Iterations = 1<<20, 4, 40 }},
	} {
		points := pointsOf(v, x.item, x.curve)
		if len(points) == 0 {
			t.Errorf("%s has no points of %s", x.item, x.curve)
		}
		for label, want := range points {
			r := rows(t, x.test, func(o *perf.Options) {
				x.change(o)
				if size, err := perf.ParseSize(label); err == nil {
					o.Size = size
				}
			})[0]
			got := float64(r.Spread.Typical) / 1e6
			if x.item == "V60" {
				got = r.Band.Average * 8e-9
			}
			if math.Abs(got/want-1) > x.tolerance {
				t.Errorf("%s %s at %s is %.4g, perf %s says %.4g", x.item, x.curve, label, want, x.test, got)
			}
		}
	}
}

func pointsOf(v *study.Validation, item, curve string) map[string]float64 {
	points := map[string]float64{}
	for i := range v.Items {
		for k := range v.Items[i].Curves {
			c := &v.Items[i].Curves[k]
			if v.Items[i].ID != item || c.Name != curve {
				continue
			}
			for _, p := range c.Points {
				points[p.X] = p.Simulated
			}
		}
	}
	return points
}

// TestWorkersDecideNothing: the same bytes, whoever runs what.
func TestWorkersDecideNothing(t *testing.T) {
	x := prepared(t, "send_bw", func(o *perf.Options) { o.Iterations, o.All, o.Connection = 20, true, "UD" })
	var one, four bytes.Buffer
	for workers, b := range map[int]*bytes.Buffer{1: &one, 4: &four} {
		r, err := x.Run(perf.Do{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		if err := x.Write(b, "text", r); err != nil {
			t.Fatal(err)
		}
	}
	if one.String() != four.String() {
		t.Errorf("one worker says\n%s\nfour say\n%s", one.String(), four.String())
	}
	if n := strings.Count(one.String(), "\n "); n < 12+6 {
		t.Errorf("%d lines:\n%s", n, one.String())
	}
}

// TestDefaults are those of perftest: its manual, and what depends on what.
func TestDefaults(t *testing.T) {
	for _, x := range []struct {
		test   string
		change func(o *perf.Options)
		want   string // size, iterations, tx, rx, moderation, inline
	}{
		{"write_bw", nil, "65536 5000 128 0 1 0"},
		{"write_bw", func(o *perf.Options) { o.Size = 8192 }, "8192 5000 128 0 100 0"},
		{"write_bw", func(o *perf.Options) { o.All = true }, "65536 5000 128 0 100 0"},
		{"write_bw", func(o *perf.Options) { o.Iterations, o.Size = 50, 64 }, "64 50 50 0 50 0"},
		{"write_bw", func(o *perf.Options) { o.PostList, o.TxDepth, o.QPs = 8, 512, 2 }, "65536 5000 128 0 8 0"},
		{"read_bw", nil, "65536 1000 128 0 1 0"},
		{"send_bw", nil, "65536 1000 128 512 1 0"},
		{"send_bw", func(o *perf.Options) { o.Connection, o.Size = "UD", 4096 }, "4096 1000 128 1000 100 0"},
		{"atomic_bw", nil, "8 1000 128 0 100 0"},
		{"write_lat", nil, "2 1000 1 0 1 220"},
		{"send_lat", nil, "2 1000 1 512 1 236"},
		{"send_lat", func(o *perf.Options) { o.Connection = "UD" }, "2 1000 1 1000 1 188"},
		{"read_lat", nil, "2 1000 1 0 1 0"},
	} {
		o := prepared(t, x.test, x.change).Options
		if got := fmt.Sprint(o.Size, o.Iterations, o.TxDepth, o.RxDepth, o.CQMod, o.Inline); got != x.want {
			t.Errorf("%s has %s, perftest %s", x.test, got, x.want)
		}
	}
}

// TestUnmeantAreNotMeant: an option is either taken or refused.
func TestUnmeantAreNotMeant(t *testing.T) {
	var names []string
	for _, u := range perf.Unmeant {
		if u.Why == "" || slices.Contains(names, u.Name) {
			t.Errorf("--%s is refused twice, or without a reason", u.Name)
		}
		names = append(names, u.Name)
	}
}
