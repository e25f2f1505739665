// Package suite reads the files that hold the model to published
// measurements: items, of kind validation, and the testbeds that they were
// measured on.
//
//	v18.yaml ──► Item ─► Curve ─► Point ──► scenario.Run
//	testbeds/ ──► Testbed ┘        └ published value, tolerance
//
// It runs nothing and judges nothing: package study does. A curve has a
// scenario with variables in it; each of its points is that scenario with $x
// bound, read as any file is, so that mistakes are shown where they stand.
//
// Parameters lie over each other in this order: profile, facts of the
// testbed, the scenario's own, the curve's set:, flags.
//
// # An item
//
//	version: 1
//	kind: validation
//	id: V18                       # the file is v18.yaml
//	about: One sentence.
//	class: C                      # X arithmetic, C may be calibrated on, V never
//	tolerance: 5%                 # of each point; exact: equal when rounded to the published digits
//	fast: false                   # --fast leaves it out
//	testbed: perftest-qdr
//	scenario: {profile: …, vars: {…}, hosts: {…}, ops: […]}   # with $x, ${xb*2}
//	curves:
//	  - name: write
//	    source: where it was published
//	    unit: us                  # of points and metric
//	    scenario: {…}             # in the place of the item's
//	    vars: {verb: RDMA_WRITE}  # over the scenario's
//	    set: {wire.hops: 2}       # parameters over the scenario's
//	    metric: write.p50 / 1000  # figures of the run, + - * / ** min max abs, x
//	    absolute: true            # the testbed's constant is added
//	    bound: upper              # points are reached, and passed by at most the tolerance
//	    minus: base               # less, or with over: divided by, that curve's value at the same x
//	    share_of: base            # deviations are shares of that curve's points: for small differences of large values
//	    points: {2: 0.98, 4KiB: {value: 2.4, tolerance: 8%}, 1MiB: ~}   # ~ is run and not judged
//	    disagree: {2: which published numbers contradict each other}    # not judged
//	    fast_points: [2]          # those of --fast
//	  - {name: headers, source: IBA, unit: B, encode: $x, points: {BTH: 12}}   # what the codec writes
//	shapes:
//	  - {curve: write, largest_change_between: [232, 264]}   # or peak_between, knee_between
//	  - {curve: write, steps: [28, 88]}                      # behind these alone, by more than 5 %
//
// An x is a number, a size or a word. $x is its text, $xb the bytes of a size
// or of a whole number; in a metric x is its place on the axis.
//
// # A testbed
//
//	version: 1
//	kind: testbed
//	name: perftest-qdr            # the file is testbeds/perftest-qdr.yaml
//	about: One sentence.
//	source: of the facts that have none
//	facts: {wire.rate: {value: 32Gb/s, source: …}, wire.hops: 1}
//	constant: {value: -350ns, source: …, fitted_on: [V46]}   # on every absolute latency
//
// # Invariants
//
//	U1  Whatever is wrong in any file that is asked for is reported before
//	    anything runs, all of it at once, a mistake of a scenario once and not
//	    once for each point.
//	U2  Only facts of a set-up may be changed beside the profile, except in
//	    items of class X, which are arithmetic: a suite cannot be met by
//	    turning a stage.
//	U3  What is read depends on the files alone, not on the number of workers.
package suite

//go:generate go test -run ^TestSchemas$ -update .
