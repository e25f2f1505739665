// Package sweep reads studies: questions that one run does not answer. A study
// names a scenario, what is varied in it, what is collected, and which way the
// answer is expected to go.
//
//	study.yaml ──► Study ─┬─ Axes, design, where ──► rows × seeds ──► Point
//	base.yaml  ──► text ──┴──────────────────────────── Run(i) ◄────────┘
//
// It simulates nothing and writes no file: package study/sweep does.
//
// # A study
//
//	version: 1
//	kind: study
//	name: mtt-cache                   # results are filed under it
//	question: One sentence, which ends with?
//	about: Why, and what is varied.
//	base: base/many-regions.yaml      # a scenario, from the folder of the study
//	case: NAME                        # if it has cases
//	profile: connectx5-like           # over the base's
//	set: {vars.n: 8}                  # for all points
//	axes:                             # in order; in a grid the last varies fastest
//	  entries: {set: hca.cache.mtt.entries, values: [64, 256], unit: "", label: MTT cache}
//	  mrs:     {set: vars.n, from: 1, to: 8192, times: 2}             # or step: 8
//	  page:    {set: [hosts.server.mem.b.page, vars.page], values: [4KiB, 2MiB]}
//	  way:     {values: {direct: {hca.cache.mtt.ways: 1}, lru: {hca.cache.mtt.ways: 4}}}
//	  wide:    {set: vars.w, values: {narrow: 1, wide: 16}}           # values with names
//	design: grid                      # grid, zip, list or {lhs: 64}
//	points: [{entries: 64, mrs: 8}]   # of design: list
//	where: mrs >= entries / 4         # rows that count
//	repeat: 3                         # seeds
//	limits: {points: 10M}             # points are rows times seeds; 1M
//	seed: 1
//	collect:                          # or a list of figures
//	  p50: write.p50
//	  misses: {of: measured.server.mtt.misses / measured.ops, unit: "", label: misses per WRITE}
//	keep: summary                     # ops, everything: results of each point
//	shards: 16                        # how many there are unless a flag says so
//	short: {axes: {mrs: {values: [16, 64]}}, repeat: 1}               # lies over the above
//	plots:
//	  - {title: Where it falls, x: mrs, y: p50, by: entries, where: page == "4KiB", log: [x, y]}
//	expect:
//	  - {rises: p50, along: mrs, slack: 2%, at_least: 1.5}
//	  - {falls: rate, along: mrs}
//	  - {flat: p50, along: mrs, within: 5%, where: mrs <= 64}
//	  - {knee: p50, along: mrs, between: [entries / 2, entries * 2], bend: up}
//	  - {ratio: p50, of: {way: direct}, to: {way: lru}, at_least: 1.5}
//	  - {crossover: cost, between: [{way: fmr}, {way: mw}], along: size, within: [1KiB, 64KiB]}
//	  - {holds: p50 < 3000}
//
// A named value may also say base: and case:, for a scenario of its own. short:
// takes axes, set, design, points, where, repeat and expect; an axis that says
// its values anew forgets how they were said before, and values: [lru] chooses
// among named ones. Expectations about values that are not in the short form
// are left out of it.
//
// # Numbers
//
// The values of an axis are numbers if all are: sizes in bytes, times in ns,
// rates in bits a second. Otherwise they are words, in the order of the file.
// Expressions, which are those of expr-lang.org with min, max, abs, floor,
// ceil, round and int, use them by the names of the axes: way == "lru", size >
// "4KiB". A metric may use axes too.
//
// The axes of a hypercube that say from and to are drawn from evenly; with step
// on these steps, with times evenly by ratio.
//
// # Expectations
//
// Each must be true for every combination of the axes that it does not speak
// of, of the rows for which its where: is true, with seeds averaged.
//
//	rises      never falls back from what it reached by more than slack, and
//	           is more in the end than at the beginning; at_least so many times
//	falls      the other way round
//	flat       the least is at most so far from the greatest, as a share of it
//	knee       the place that is farthest from the straight line between the
//	           ends, on logarithmic places if values are closer by ratio; up
//	           looks below the line, down above it
//	ratio      of each row of one to that of the other that is equal else
//	crossover  the difference changes its sign, once or more; the first time
//	           within bounds. exists: false, never
//	holds      an expression over axes and metrics, of each row
//
// # Invariants
//
//	S1  A point depends on the study and its own index alone: not on who reads
//	    it, in which order, or how many others there are in a shard.
//	S2  Whatever is wrong is reported before anything runs, all of it at once,
//	    where it is written: in the study, in its base, or as a flag.
//	S3  Points of one digest are one simulation.
package sweep

//go:generate go test -run ^TestSchema$ -update .
