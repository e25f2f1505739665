// Package sweep runs studies: it plans the points, runs them on workers or on
// the machines of a cluster, keeps what came of each, merges them, and says
// which way the answer goes.
//
//	scenario/sweep.Study ──► Plan ──► shards ──► points/HASH.json ──► Merge
//	                                                                    │
//	               text, md, json, csv, summary.json, points.csv ◄── Table
//
// It knows no parameter and no rule. What a study may say is scenario/sweep's
// to know.
//
// # The folder
//
//	plan.json      the study, and every point with its seed and its hash
//	points/        HASH.json of each simulation, written beside its place and
//	               renamed; with keep: results or ops of each
//	points.csv     one row a point and seed; points.csv.gz above 100,000 rows
//	summary.json   question, answer, rows averaged over their seeds
//	report.html    question, answer, pictures and rows on one page
//	plots/         the pictures as files, which hcasim-plot writes
//	manifest.json  what merged it, and when; files: {NAME: SHA-256} of points.csv
//	               and summary.json
//
// plan.json is {format: "hcasim.plan", version: 1, hash, model_version, name,
// question, short, sets, repeat, shards, axes: [AXIS], metrics: [METRIC],
// points: [{index, values, seed, hash}], inputs, study: {file, text}}, a point
// {format: "hcasim.point", version: 1, model_version, plan, hash, index, axes,
// seed, end, time_ps, events, failures, figures, latencies: {KIND: {count,
// min_ps, max_ps, sum_ps, bars: [[from_ps, count]]}}}. An AXIS is {name, label,
// unit, words, values}, a METRIC {name, of, unit, label}.
//
// summary.json, which --format json prints, is
//
//	{format: "hcasim.sweep", version: 1, hash, model_version, name, question,
//	 short, sets, ok, answer: [{ok, kind, text}], points, repeat, failed,
//	 failures: [{index, what}], axes: [AXIS], metrics: [METRIC], rows: [{axes,
//	 failed, metrics: {NAME: {value, min, max}}, latencies: {KIND: {count,
//	 min_ns, mean_ns, max_ns, quantiles: [[share, ns]]}}}]}
//
// The value of a metric is the mean over the seeds; of one that is a figure of
// latencies alone, such as write.p99, that figure of the requests of all seeds
// together. Min and max are of single seeds. Points that failed count for
// neither.
//
// The columns of points.csv:
//
//	index          of the point, from 0
//	AXIS           a word, or a number in the unit behind the name: page_bytes
//	seed           points that are alike but for it are one row
//	METRIC         with its unit behind the name, dots as _: p50_ns
//	status         ok, or failed: an expectation of its scenario does not hold,
//	               it did not come to its end, or it lacks a figure
//
// A unit B is written _bytes, a / _per_. A metric that a failed point has not
// is empty.
//
// # Invariants
//
//	W1  What is merged does not depend on the number of workers, on shards, on
//	    their order, on what was interrupted, or on the machine.
//	W2  A result is there whole or not at all; one that is there is not
//	    simulated again. Whoever is killed loses the points in flight. One that
//	    a power cut or anybody has cut off, or that lacks what is kept beside
//	    it, is none.
//	W3  The results of two plans, or of two models, are never merged, and
//	    neither are some of one.
//	W4  How many shards there are is what the plan says, never an environment.
//	W5  What the wall clock says is in manifest.json and on stderr.
package sweep

//go:generate go test -timeout 30m -run ^TestDocument$ -hold whole -update .
