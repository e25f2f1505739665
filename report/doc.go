// Package report shows what came of runs, and keeps it: on the terminal, as
// JSON, in perftest's columns, as Markdown, and in result folders.
//
//	scenario.Run ──► Simulate ──► Record ──┬─► Page    text, json, perftest, md
//	                                       ├─► HTML    one page with pictures
//	                                       ├─► Suite   text, json, junit, tap, github: many files
//	                                       └─► Shelf   result folders
//	x.golden.yaml ──► Tested.HoldFigures ──┘
//
// It does not know what a key may open or how long anything takes, and it
// judges nothing: statuses, causes and verdicts are the run's.
//
// Begin reading with record.go (what is kept of a run) and page.go (how runs are
// shown); shelf.go and folder.go write result folders, open.go reads them again.
// sheet*.go is the HTML page, suite*.go what hcasim test shows.
//
// Invariants:
//
//	R1  The same run is shown by the same bytes. What the wall clock says goes
//	    to stderr (Speed), to manifest.json and into the times of JUnit, nowhere
//	    else.
//	R2  The parts of a latency that are shown add up to it, to the picosecond.
//	R3  A result folder is there whole or not at all. It replaces nothing but
//	    an older result.
//	R4  A figure has its unit beside it, in the head of its column, or in the
//	    name of its member.
//
// # JSON
//
// run --format json writes one document for all runs:
//
//	{format: "hcasim.runs", version: 1, model_version, runs: [RUN]}
//
// test --format json writes
//
//	{format: "hcasim.test", version: 1, ok, files_run, files_failed, cases,
//	 expectations, expectations_held,
//	 figures: {held, asked, not_held_for},
//	 topics: [{topic, files, cases, expectations, expectations_held}],
//	 files: [{file, status, kind, mistakes: [{file, line, column, message, suggestion}],
//	          figures: {held, asked, failures, changes: [{run, figure, old, new}]}, runs: [RUN]}]}
//
// where figures are those recorded beside a scenario: not_held_for is the flag
// that makes runs others than the recorded ones, failures are as those of a RUN,
// and changes are what --update wrote. Ok of a run is false if they differ.
//
// A topic is a folder and the name that files in it have in common, and
// status is ok, failed, wrong (see mistakes), mute (it expects nothing), skipped
// (kind is another) or not-run. A RUN, which is also summary.json with format
// "hcasim.run", is
//
//	name, hash, file, profile, trust     trust: why figures are extrapolation
//	variant, seed                        a + after the variant: with switches
//	ok, end                              finished, stopped, limit, stuck, broken
//	time_ps, events                      simulated time; events of the engine
//	expectations, thresholds             {held, asked}
//	op_count, ops_omitted                omitted: beyond what a result keeps
//	requests: [{request, count, failed, pending, latency: SPREAD}]
//	traffic:  [{step, request, count, failed, bytes, elapsed_ps, latency: SPREAD, mean_ps, stddev_ps,
//	          peak_requests, peak_ps, rate_per_s, bytes_per_s, offered: {count, rate_per_s, queued, queued_at_once}}]
//	failures: [{file, line, column, step, what, expected, got, note}]
//	faults:   [{time_ps, host, op, qpn, remote, cause, rule, status | nak, key}]
//	keys_omitted                         beyond what a result keeps
//	waits, broken                        who waits for what; invariants that do not hold
//	stats:    [{name, value, unit, description}]
//	measured: [{name, value, unit, description}]   stats of the measured part of the last traffic or dma
//	folder                               where the result lies
//	keys:     [{key, host, meaning: MEANING, before: MEANING, reused, declared, born_ps, dead, died_ps, by,
//	          remote: USES, local: USES, exposure_ps, denied, refused_after_death, granted_after_death}]
//	ops:      [OP]                       these two only of run --format json
//
// A request of traffic is a work request's name, or dma_read, dma_write,
// dma_write_read or dma_both; a pair is one op, and bytes are of both. Elapsed
// runs from the end of the warm-up to the end of the last op. The peak is the
// least time that so many requests in a row took, from the post of the first to
// the last one's completion; there is none of ping-pong and of dma. Offered is there
// for a load with a rate: requests that arrived, and of them those that waited in
// software for a place in their queue; its latencies count from the arrival on.
//
// A SPREAD is {min_ps, p50_ps, p90_ps, p99_ps, p999_ps, p9999_ps, max_ps}, by
// nearest rank; that of traffic is exact to three digits. An OP is
//
//	op, step, line, host, qp, request, object, bytes, done, status, unsignaled,
//	expected, start_ps, end_ps, latency_ps, parts: [{part, ps}]
//
// with the parts that took any time, in the order in which they are met.
//
// A key's MEANING is {object, kind, start, bytes, rights, pd, qp}; before is
// the one that the same 32 bits had the last time they were live, and reused
// says that it was another. USES are {count, first_ps, last_ps}; exposure_ps
// is from the last access granted to a peer to the death of the key, or to the
// end of the run.
//
// # Figures
//
// The names of stats, which thresholds and expectations may hold too. Each HOST
// has
//
//	HOST.mpt.lookups, hits, misses, fetches; mtt, qpc, iotlb, llc likewise
//	HOST.mpt.hit_rate      and mtt, qpc, iotlb, llc; mpt.l1 … of a second level
//	HOST.pcie.up.tlps, bytes, busy; down likewise; reads, read_bytes, writes …
//	HOST.pcie.reads_per_op and so on: for each verb call and work request
//	HOST.pcie.up.utilisation, down, HOST.wire, send_engine, receive_engine,
//	          tx_requests, tx_answers, mpt, mtt: the share of time in which a
//	          link or the entrance of a pipe was taken; busy: that time in ps
//	HOST.stall.NAME.count, time: how often something finite was waited for, and
//	          the time in ps of all who waited, added up
//
// and each kind of request, such as write, read, send or fetch_add,
//
//	write.count, p50, p90, p99, p999, p9999, min, max, mean
//	write.rate, bytes_per_s, bandwidth, offered   of loads
//
// A share is written with six digits behind the point, rounded down. What has
// nothing that it could be a share of is not there: a hit rate without lookups.
// What a link carries counts as it arrives, so a share may exceed 1 by what was
// on its way. stats.csv and thresholds have the figures of the measured part
// under measured. and their name.
//
// Version is raised when a member goes away or changes its meaning; new
// members may come.
//
// # Result folders
//
//	manifest.json  format, version, tool_version, model_version, name, hash,
//	               seed, file, began, seconds: what made the result, of which
//	               file, and when; files: {NAME: SHA-256}, by which whoever
//	               reads the others knows that they are as they were written
//	config.yaml    the scenario as it ran, every parameter with its origin;
//	               hcasim run takes it, and gives the same result
//	summary.json   a RUN without its keys and ops
//	ops.csv        one row an op; ops.csv.gz above 100,000 rows
//	stats.csv      name, value, unit, description
//	keys.csv       one row a life of a key
//	report.html    on demand: the answer, pictures and tables on one page, which
//	               asks for nothing; package report/page
//
// The columns of keys.csv are the members of a key in the JSON, in one row.
// Where there is no moment to name, as the death of a key that is alive, the
// field is empty; before has the earlier meaning in words.
//
// The columns of ops.csv:
//
//	op             step[.iteration][.request]
//	step, line     number of the step; line of the file
//	host, qp       who asked, on which queue pair
//	request        IBV_WR_…, or ibv_… of a verb
//	object         the region or window that it is about
//	bytes          of payload, or of what is registered or bound
//	status         IBV_WC_…, an errno of a verb, or pending
//	start_ps, end_ps, latency_ps   end and latency are empty while pending
//	unsignaled     1: retired without a completion; the latency is to there
//	expected       1: the step says what must come of it
//	fault_host, fault_cause, fault_rule   of the first refusal
//	NAME_ps        one column for each part of the latency; empty where none is told
//	row            number of the row, from 1: the names of ops may look like numbers,
//	               and 3.10 like 3.1, to a program that guesses
//
// The parts are post, doorbell, queue, qpc, wqe, mpt, mtt, dma, nic, wire,
// remote_qpc, remote_wqe, remote_mpt, remote_mtt, remote_dma, remote, retry,
// cqe and poll.
package report
