package run

import (
	"hcasim/host"
	"hcasim/ib"
	"hcasim/scenario/lang"
	"hcasim/sim"
)

// hostAct is something that the CPU or the operating system does to memory.
func (r *runner) hostAct(now sim.Time, st *step, a *lang.HostAct) {
	h, o := r.newOp(now, st, 0, st.Verb)
	b := r.place(st.side, a)
	if a.Length == nil && a.Data != nil {
		b.length = min(b.length, ownLength(a.Data, b.length))
	}
	o.Bytes = b.length
	o.Object = a.Buf.Name
	if a.MR.Given() {
		o.Object = a.MR.Name
	}
	done := func(now sim.Time) {
		o := r.ops.At(h)
		o.Verb, o.Done, o.End = true, true, now
		o.Errno = r.touch(st, a, b)
		r.ended.Emit(&o.Op)
		st.open--
		r.check(now, st)
	}
	switch st.Verb {
	case "page_out", "munmap", "mprotect": // pages of on-demand regions are taken from the adapter first
		st.side.host.Withdraw(now, b.proc, b.va, b.length, done)
	default:
		done(now)
	}
}

// touch does to memory what a host act says.
func (r *runner) touch(st *step, a *lang.HostAct, b buffer) (errno ib.Errno) {
	switch st.Verb {
	case "store":
		data := lang.Data{}
		if a.Data != nil {
			data = *a.Data
		}
		errno = b.proc.Store(b.va, r.bytes(&data, b.length))
	case "load":
		errno = b.proc.Load(b.va, make([]byte, b.length))
	case "mprotect":
		errno = b.proc.Protect(b.va, b.length, protOf(a.Prot))
	case "munmap":
		errno = b.proc.Unmap(b.va, b.length)
	case "page_out":
		_, errno = b.proc.PageOut(b.va, b.length)
	case "page_in":
		_, errno = b.proc.PageIn(b.va, b.length)
	case "iommu_unmap":
		r.unmapIOMMU(st.side, b)
	}
	return errno
}

// ownLength returns how many bytes data has by itself; left if it fills
// whatever there is.
func ownLength(d *lang.Data, left uint64) uint64 {
	switch d.Kind {
	case lang.DataU64:
		return 8
	case lang.DataBytes:
		return uint64(len(d.Bytes))
	default:
		return left
	}
}

// place returns the memory that a host act is about.
func (r *runner) place(x *side, a *lang.HostAct) buffer {
	b := buffer{proc: x.first}
	if a.Proc.Given() {
		b.proc = x.procs[a.Proc.Name]
	}
	of := r.object(a.Buf)
	if of == nil {
		of = r.object(a.MR)
	}
	if m, ok := of.memory(); ok {
		b = m
		b.va += uint64(a.Offset)
		b.length -= min(b.length, uint64(max(a.Offset, 0)))
	}
	if a.Addr != nil {
		b.va = uint64(*a.Addr)
	}
	if a.Length != nil {
		b.length = uint64(*a.Length)
	}
	return b
}

// unmapIOMMU takes the frames of memory out of the adapter's reach.
func (r *runner) unmapIOMMU(x *side, b buffer) {
	if x.host.Root.IOMMU == nil {
		return
	}
	for at := b.va &^ 4095; at < b.va+b.length; at += 4096 {
		if pa, ok := b.proc.Translate(at); ok {
			x.host.Root.IOMMU.Revoke(host.Run{PA: pa &^ 4095, N: 4096})
		}
	}
}
