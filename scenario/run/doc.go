// Package run brings a checked scenario to life: it builds two hosts and two
// adapters, joins them, lets the steps happen, and holds the run to what the
// scenario expects of it.
//
// It holds no model logic: what an operation does is decided by the rooms
// below; what is written here is who does what when, and what came of it.
//
//	lang.Scenario ──► world ──► steps ──► ops ──► Result
//	                    │         │        ▲
//	                  probes ─────┴► recorder, judge
//
// Begin with run.go and steps.go, then world.go.
//
// Invariants:
//
//	W1  A step starts when the one before it has settled: nothing is moving in
//	    either host. Async steps, parallel branches, traffic and steps with a
//	    time of their own are the exceptions.
//	W2  An op is one verb call or one work request. Its parts add up to its
//	    latency, to the picosecond.
//	W3  Watching changes nothing: the recorder sees what probes tell, and
//	    schedules no event.
//	W4  A run ends empty, or its Result says who waits for what. Receives,
//	    requests that SQD holds and steps marked as pending may be left.
//	W5  A load measures exactly as many requests as were asked for. One that
//	    breaks off is a failure, unless its step expects faults. As many end
//	    within its measured time.
package run
