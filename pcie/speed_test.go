package pcie

import (
	"testing"

	"hcasim/sim"
)

// churn keeps depth DMAs of n bytes under way, for ever.
type churn struct {
	w     *world
	id    ClientID
	n     uint32
	write bool
	done  int
	stop  int
}

func (c *churn) Served(sim.Time, uint32, uint32, uint32) {}

func (c *churn) Done(now sim.Time, handle uint32, _ bool) {
	if c.done++; c.done >= c.stop {
		c.w.Stop()
	}
	c.issue(now, handle)
}

func (c *churn) issue(now sim.Time, handle uint32) {
	r := Request{Addr: 1<<40 + uint64(handle)<<12, Len: c.n, Client: c.id, Handle: handle, Class: Payload}
	if c.write {
		c.w.Write(now, r)
	} else {
		c.w.Read(now, r)
	}
}

func newChurn(t testing.TB, n uint32, write bool) *churn {
	c := &churn{w: newWorld(t, DefaultHostParams(), DefaultDeviceParams()), n: n, write: write}
	c.id = c.w.Client("churn", c)
	for h := range uint32(64) {
		c.issue(0, h)
	}
	c.run(10_000)
	return c
}

func (c *churn) run(n int) {
	c.stop = c.done + n
	c.w.Run(never)
}

var churns = []struct {
	name  string
	n     uint32
	write bool
}{{"write 64", 64, true}, {"read 64", 64, false}, {"write 4096", 4096, true}, {"read 4096", 4096, false}}

func TestNoAllocationPerDMA(t *testing.T) {
	for _, k := range churns {
		c := newChurn(t, k.n, k.write)
		if allocs := testing.AllocsPerRun(5, func() { c.run(1000) }); allocs != 0 {
			t.Errorf("%s: %v allocations in 1000 DMAs", k.name, allocs)
		}
	}
}

func TestEventsPerDMA(t *testing.T) {
	for _, k := range churns[:2] {
		c := newChurn(t, k.n, k.write)
		before := c.w.Fired()
		c.run(10_000)
		want := 2.0 // arrival, commit
		if !k.write {
			want = 4 // arrival, served, completion, done
		}
		if got := float64(c.w.Fired()-before) / 10_000; got > want*1.1 {
			t.Errorf("%s: %.2f events, want %v", k.name, got, want)
		}
	}
}

func BenchmarkDMA(b *testing.B) {
	for _, k := range churns {
		b.Run(k.name, func(b *testing.B) {
			c := newChurn(b, k.n, k.write)
			b.ReportAllocs()
			before := c.w.Fired()
			b.ResetTimer()
			c.run(b.N)
			b.ReportMetric(float64(c.w.Fired()-before)/float64(b.N), "events/op")
		})
	}
}
