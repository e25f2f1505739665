// Package lang is the language of the scenario files: YAML in, a checked plan
// out. It stands for what a user may say and how mistakes in it are shown. It
// does not know what a key opens, how long anything takes, or which parameters
// the model has: configuration is kept as it was written, for others to read.
//
// # Reading a plan
//
//	loader := lang.Loader{Opening: …}
//	file, problems := loader.Load(source, flags...)   // all mistakes at once
//	for _, s := range file.Scenarios() { … }          // the file, or each case
//
// A Scenario has a Setup (what exists before time 0), Ops and expectations. A
// Step has one act in Step.Do, to be told by a type switch; the wr_ forms have
// become PostSend there. Step.On is its host, Step.Number its place.
//
// # A file
//
//	version: 1
//	kind: scenario            # or opening: a set-up for use:
//	name: mw2-revoke
//	about: One sentence.
//	use: b0                   # lies beneath; hosts: here goes over it
//	profile: connectx5-like
//	variant: mlx5             # or {base: mlx5, dereg_bound: orphan}
//	run: {seed: 1, until: 1ms, stop: false, keep: ops, limits: {ops: 1G}}
//	vars: {n: 8}              # $n alone, ${n} or ${n*4096} within
//	defaults: {length: 64}    # of requests that say none
//	hca: {…}  host: {…}  wire: {…}
//	hosts:
//	  A:
//	    pd: [p]               # the first of each kind is the default
//	    mem: {b: {length: 8KiB, at: 0x100000, page: 4KiB, fill: 0xA5, prot: rw, hole: {…}}}
//	    mr: {m: {pd: p, buf: b, access: [LOCAL_WRITE], key: 0x12a11}}    # key: else the device chooses
//	    mw: {w: {type: 2}}  fr: {f: {pages: 8}}  cq: {c: {depth: 64}}  srq: {s: {}}
//	    qp: {q: {peer: B.q, access: [REMOTE_READ], mtu: 1024, retry_cnt: 7}}
//	    hca: {…}
//	ops: [STEP, …]            # before the steps of each case, if there are cases
//	cases:
//	  - {name: x, id: T-1, set: {hosts.B.qp.q.access: []}, ops: [STEP, …], expect: {…}}
//	expect: {…}               # at the end
//	thresholds: [write.p99 <= 3us]
//	record: [write.p50, "B.mpt.*", {figure: write.p99, within: 2%}]    record: all
//
// What record: names is kept in NAME.golden.yaml beside the file, and hcasim
// test holds later runs to it; all is the latency of every op, op.*. A case
// may add a record: of its own; of two entries for one figure the last counts.
// It stands for nothing in a run: no result and no hash depends on it.
//
// count: N under mr, mw, fr and qp declares an array; its elements are m#0,
// m#1 …, and the bare name is all of them where a list is taken. A null in
// set: takes away what the opening declared.
//
// # A step
//
//	{on: HOST, id: NAME, at: 5us, after: …, async: true, VERB: {…}, expect: {…}}
//
// on may be left out where the step names something that only one host has, or
// there is only one host. after is an id, or {id: w1, packet: 2}, {id: w1,
// response: 2}, {id: w1, at: mpt-check}, {event: QP_ACCESS_ERR, on: B}, each
// with delay: 10ns if wanted.
//
//	reg_mr: {as: m, buf: b, offset: 0, length: 4KiB, access: [LOCAL_WRITE]}
//	post_send: {qp: q, opcode: RDMA_WRITE, sge: [{mr: m, length: 64}], remote: {mr: r, offset: 8}}
//	post_send: [{…}, {…}]   post_send: {doorbell: each, wrs: [{times: 4, …}]}
//	wr_rdma_write: {}       # first queue pair, first region, the peer's first region
//	wr_bind_mw: {mw: w, mr: m, offset: 0, length: 4KiB, access: [REMOTE_WRITE], key_byte: 0x37}
//	wr_local_inv: {invalidate: w}      wr_send_inv: {invalidate: w, sge: []}
//	post_recv: {sge: m, times: 2}      store: {buf: b, data: {u64: 3}}
//	wait: w1                wait: all  wait: 50us
//	loop: {times: 32, var: i, ops: [… "w${i}" …]}   # without var: not written out
//	parallel: [STEP, [STEP, STEP]]
//	traffic: {qp: q, mix: {RDMA_WRITE: 3, RDMA_READ: 1}, size: 64B, target: {of: m, walk: uniform}, depth: 16, count: 1M, warmup: 10k}
//	traffic: {opcode: RDMA_WRITE, size: {cdf: web.cdf}, rate: 40Gb/s, arrival: poisson, time: 1ms}   # offered, and done as there is room
//	dma: {op: read, of: b, size: 64B, window: 8MiB, walk: uniform, depth: 16, count: 10k, warmup: 1k, cache: host, interface: command}
//	                        # the adapter's own; op: read, write, write_read, both; cache: as-is, cold, host, device
//	fault: {wire: drop, from: A, opcode: RDMA_WRITE_ONLY, count: 1}
//	fault: {command: rereg_mr}
//	packet: {qp: q, opcode: RDMA_WRITE_ONLY, psn: +3, remote: {mr: r}, dma_length: 64, payload: 64}
//
// Keys: 0x1234, random, stale (the one before), swapped, NAME, {of: w,
// generation: 0} (the first it had), {byte: +1}, {index: +1}, {lkey: m}. Where
// of is left out it is the object addressed. Addresses: offset from the first
// byte (it may be negative), or addr from 0 to 2^64-1.
//
// # An expectation
//
//	wc: SUCCESS             wc: [SUCCESS*4, REM_ACCESS_ERR, WR_FLUSH_ERR*11]    wc: none
//	wc: {status: SUCCESS, byte_len: 64, wc_flags: [WITH_INV], invalidated_rkey: {of: w, stale: true}}
//	recv: SUCCESS           # completions of receives at the peer
//	errno: EINVAL           bad_wr: 2    rereg: CMD
//	event: {B: QP_ACCESS_ERR}            event: none
//	fault: {at: B, cause: not-valid, rule: MW-9}
//	memory: {bufB: unchanged}            memory: {bufB: {at: 4KiB, equals: bufA}}
//	memory: {bufB: [{first: 2048, equals: 0xA5, rest: unchanged}]}
//	qp: {qA: ERR, qB: ERR}  at: {B: {w: FREE, count: {mr: unchanged}}}
//	at: {B: {bufB: {moved_since: out}}}     at: {B: {mB: {still_since: w1}}}
//	key: {w: {byte: 0x37, same_index: true}}   key: {w: new, distinct: [m, w]}
//	nak: REM_ACCESS_ERR     packets: none      packets: [WRITE_FIRST, WRITE_MIDDLE*2, WRITE_LAST, {from: B, opcode: ACK}]
//	latency: "<= 3us"       latency: ">= 10 x w1"      no_bytes_after: inv    pending: true
//	stats: [B.mpt.misses == 1]           coherence: broken
//	any: [{…}, {…}]         not: {…}           under: {rxe: {wc: SUCCESS}}
//
// Begin with file.go and step.go, then load.go.
//
// # Invariants
//
// L1. Load gives a file or problems, never both, and never panics for an input.
//
// L2. After Load every Ref is complete: host and kind filled in, defaults put
// in the place of what was left out. A Ref that is still not Given names
// nothing.
//
// L3. Every mistake has the place where it was written, in the file, in its
// opening or in a flag; a mistake in cases is reported once, however many
// worlds it is met in.
//
// L4. Equal canonical forms mean equal plans; comments, sentences and places
// do not enter.
//
// L5. The schema accepts what the reader accepts, and what it accepts wrongly
// is named in the test that compares them.
package lang

//go:generate go test -run ^TestSchemaFile$ -update .
