package bench

// rows is the fixed set, in the order in which it is measured and printed.
func rows() []spec {
	return []spec{
		hold("10", 10, 20_000_000, 2_000_000),
		hold("1k", 1000, 15_000_000, 1_000_000),
		hold("64k", 64_000, 5_000_000, 500_000),
		hold("1m", 1_000_000, 3_000_000, 200_000),
		pipe(64, 20_000_000, 1_000_000),
		pipe(4096, 15_000_000, 1_000_000),
		tick(256, 200_000_000, 20_000_000),
		chain(16, 40_000_000, 4_000_000),
		requests(model{file: "write-64-d1"}, "WRITEs of 64 B one after another, caches warm", "WRITE", 300_000, 50_000),
		requests(model{file: "write-64-d64"}, "WRITEs of 64 B, 64 in flight, caches warm", "WRITE", 1_000_000, 150_000),
		misses(model{file: "write-64-d64-miss"}, "the same, each missing one protection entry and one translation", 400_000, 80_000),
		misses(model{file: "write-64-mtt-cold"}, "WRITEs of 64 B at random over 1 GiB, translations cold", 200_000, 30_000),
		requests(model{file: "read-4k-d16"}, "READs of 4 KiB, 16 in flight", "READ", 50_000, 5_000),
		requests(model{file: "write-1m-d4", figures: []string{"wire.packets"}}, "WRITEs of 1 MiB, 256 packets each, 4 in flight", "WRITE", 500, 50),
		binds(),
		protection(),
	}
}

// misses is a row whose misses are counted. Its short run is half of the long
// one, so that both have been to all of the regions.
func misses(m model, about string, long, quick uint64) spec {
	m.figures = []string{"b.mpt.misses", "b.mtt.misses"}
	s := requests(m, about, "WRITE", long, quick)
	s.share = 2
	return s
}

// binds is the row of windows: n of its scenario counts lists of eight pairs.
func binds() spec {
	m := model{file: "bind-invalidate", each: 8, figures: []string{"a.changes"}}
	return requests(m, "a type 2 window bound and invalidated again, eight pairs to a step", "pair", 40_000, 4_000)
}
