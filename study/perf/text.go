package perf

import (
	"fmt"
	"strings"
)

// sizes are those of the messages, in the order in which they are measured.
func (o *Options) sizes() (list []uint64) {
	if !o.All {
		return []uint64{o.Size}
	}
	for n := uint64(2); n <= mostSize; n *= 2 {
		if o.Connection != "UD" || n <= uint64(o.MTU) {
			list = append(list, n)
		}
	}
	return list
}

// A place is where messages of one size lie.
type place struct {
	size   uint64
	region uint64 // bytes
	stride uint64 // from one message of a stream to the next
	flag   string
}

// place lays messages of n bytes out as perftest does: a page or more for each
// queue pair; messages of up to half a page walk over it in lines.
func (o *Options) place(n uint64) place {
	slot := up(max(n, cycle), cycle)
	p := place{size: n, region: slot, stride: slot, flag: "SIGNALED"}
	if !o.MRPerQP {
		p.region *= uint64(o.QPs)
	}
	if n <= cycle/2 {
		p.stride = up(n, line)
	}
	if o.Connection == "UD" {
		p.region += cycle // a datagram arrives behind its route
	}
	if int64(n) <= o.Inline {
		p.flag = "INLINE"
	}
	return p
}

func up(n, grain uint64) uint64 { return (n + grain - 1) / grain * grain }

// opcode is what the requests are.
func (o *Options) opcode() string {
	switch {
	case o.WithImm:
		return "RDMA_WRITE_WITH_IMM"
	case o.Atomic == "CMP_AND_SWAP":
		return "ATOMIC_CMP_AND_SWP"
	}
	return [...]string{write: "RDMA_WRITE", read: "RDMA_READ", send: "SEND", atomic: "ATOMIC_FETCH_AND_ADD"}[o.Test.verb]
}

// A file is a scenario on its way. Of several sizes it has what differs in
// variables, which each case sets.
type file struct {
	*Options
	b    strings.Builder
	only place // of the first size
	many bool  // there are more
}

func (f *file) line(format string, args ...any) { fmt.Fprintf(&f.b, format+"\n", args...) }

// Text returns the scenario: a file with a case for each size, or without cases
// where there is one.
func (o *Options) Text() string {
	sizes := o.sizes()
	f := &file{Options: o, only: o.place(sizes[0]), many: len(sizes) > 1}
	for _, s := range o.Sets {
		f.line("# to be run with --set %s", s)
	}
	f.line("version: 1\nkind: scenario\nname: %s", o.Test.Name)
	f.line("about: %s, as perftest's ib_%s measures it.", o.Test.About, o.Test.Name)
	f.line("profile: %q", o.Profile)
	f.line("run: {until: %s}", patience)
	if f.many {
		f.line("vars: {%s}", f.set(f.only, ""))
	}
	f.line("hosts:")
	f.host("client", "server")
	f.host("server", "client")
	f.line("ops:")
	f.fresh()
	if o.WarmUp {
		f.line("  # What goes before and is not measured: a queue full of each queue pair.")
		f.load(fmt.Sprintf("count: %d", o.TxDepth*o.QPs))
	}
	f.load(o.end())
	if f.many {
		f.line("cases:")
	}
	for _, n := range sizes {
		if f.many {
			f.line("  - {name: \"%d\", set: {%s}}", n, f.set(o.place(n), "vars."))
		}
	}
	return f.b.String()
}

// patience is the limit of simulated time: that of a scenario is for those that
// hang, and here ends what is slow.
const patience = "10000s"

// set writes the variables of a place, those that are used.
func (f *file) set(p place, path string) string {
	text := fmt.Sprintf("%[1]ssize: %[2]d, %[1]sregion: %[3]d", path, p.size, p.region)
	if !f.Test.latency {
		text += fmt.Sprintf(", %sstride: %d", path, p.stride)
	}
	if f.Inline > 0 {
		text += fmt.Sprintf(", %sflag: %s", path, p.flag)
	}
	return text
}

// of is a variable, or its value where there is one size.
func (f *file) of(name string) string {
	if f.many {
		return "$" + name
	}
	switch name {
	case "size":
		return fmt.Sprint(f.only.size)
	case "region":
		return fmt.Sprint(f.only.region)
	case "stride":
		return fmt.Sprint(f.only.stride)
	}
	return f.only.flag
}

// host writes one of the two, which are alike.
func (f *file) host(name, peer string) {
	remote := map[verb]string{write: "REMOTE_WRITE", read: "REMOTE_READ", atomic: "REMOTE_ATOMIC"}[f.Test.verb]
	access, rights := []string{"LOCAL_WRITE"}, ""
	if remote != "" {
		access, rights = append(access, remote), fmt.Sprintf(", access: [%s]", remote)
	}
	if f.ODP {
		access = append(access, "ON_DEMAND")
	}
	f.line("  %s:\n    pd: [p]", name)
	memory := "length: " + f.of("region")
	if f.HugePages {
		memory += ", page: 2MiB"
	}
	f.line("    mr: {buf: {%s%s, access: [%s]}}", f.count(f.MRPerQP), memory, strings.Join(access, ", "))
	f.line("    qp: {q: {%stype: %s, peer: %s.q, mtu: %d%s%s}}", f.count(f.QPs > 1), f.Connection, peer, f.MTU, f.queues(), rights)
}

// count makes an array, one for each queue pair.
func (f *file) count(array bool) string {
	if !array || f.QPs == 1 {
		return ""
	}
	return fmt.Sprintf("count: %d, ", f.QPs)
}

// queues are the attributes of a queue pair that are not the language's default.
func (f *file) queues() string {
	var b strings.Builder
	say := func(is bool, format string, args ...any) {
		if is {
			fmt.Fprintf(&b, ", "+format, args...)
		}
	}
	say(f.TxDepth > 128, "sq: %d", f.TxDepth)
	say(f.received() && f.RxDepth > 128, "rq: %d", f.RxDepth)
	say(f.Inline > 64, "max_inline: %d", f.Inline)
	say(f.Outs != 0 && f.Outs != 16, "max_rd_atomic: %d, max_dest_rd_atomic: %d", f.Outs, f.Outs)
	say(f.Timeout != 14, "timeout: %d", f.Timeout)
	say(f.Connection == "UD", "qkey: 0x11111111")
	return b.String()
}

// cached is how many bytes of buffers a cache may hold.
const cached = 32 << 20

// fresh has the software fill the buffers that a stream reads, as perftest does:
// they are in the cache, as far as it holds them. What a ping-pong sends has
// come in just before, and atomics stay in the adapter.
func (f *file) fresh() {
	if f.Test.pingpong() || f.Test.verb == atomic || uint64(f.QPs)*up(f.Size, cycle) > cached {
		return
	}
	owner := "client"
	if f.Test.verb == read {
		owner = "server"
	}
	f.line("  # perftest fills its buffers first, which leaves them in the cache.")
	for _, host := range []string{"client", "server"} {
		switch {
		case host != owner && !f.Both:
		case f.MRPerQP && f.QPs > 1:
			f.line("  - loop: {times: %d, var: i, ops: [{on: %s, store: {buf: \"buf#${i}\", length: %s, data: 1}}]}", f.QPs, host, f.of("region"))
		default:
			f.line("  - {on: %s, store: {buf: buf, length: %s, data: 1}}", host, f.of("region"))
		}
	}
}

// load writes the traffic, one way or both.
func (f *file) load(end string) {
	if !f.Both {
		f.line("  - %s", f.traffic("client", end))
		return
	}
	f.line("  - parallel:\n      - %s\n      - %s", f.traffic("client", end), f.traffic("server", end))
}

func (f *file) traffic(on, end string) string {
	depth, walk, mode := f.TxDepth, "{walk: sequential, stride: "+f.of("stride")+"}", ""
	if f.Test.latency {
		walk = "{walk: fixed}"
	}
	if f.Test.pingpong() {
		depth, mode = 2, ", mode: pingpong" // the next message goes before the last one's completion is there
	}
	var b strings.Builder
	fmt.Fprintf(&b, "{on: %s, traffic: {opcode: %s%s, size: %s, depth: %d", on, f.opcode(), mode, f.of("size"), depth)
	if f.PostList > 1 {
		fmt.Fprintf(&b, ", batch: %d", f.PostList)
	}
	if f.CQMod > 1 {
		fmt.Fprintf(&b, ", signal_every: %d", f.CQMod)
	}
	if f.Inline > 0 {
		fmt.Fprintf(&b, ", send_flags: [%s]", f.of("flag"))
	}
	if f.received() {
		fmt.Fprintf(&b, ", recv_depth: %d", f.RxDepth)
	}
	fmt.Fprintf(&b, ", source: %s, target: %s, %s}}", walk, walk, end)
	return b.String()
}

// end says when a traffic ends.
func (o *Options) end() string {
	if o.Duration > 0 {
		return fmt.Sprintf("warmup: %s, time: %s", o.Margin, o.Duration-2*o.Margin)
	}
	return fmt.Sprintf("count: %d", o.Iterations*uint64(o.QPs))
}
