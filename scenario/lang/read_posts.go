package lang

import (
	"reflect"

	"go.yaml.in/yaml/v4"

	"hcasim/ib"
)

// A shortForm is a verb that is a post_send of one request.
type shortForm struct {
	verb   string
	opcode ib.WROpcode
	wr     *WR // that the step has, if it has this one
}

// shortForms are those whose fields are a request's.
func (s *Step) shortForms() []shortForm {
	return []shortForm{
		{"wr_rdma_write", ib.WRRDMAWrite, s.WRWrite}, {"wr_rdma_write_imm", ib.WRRDMAWriteWithImm, s.WRWriteImm},
		{"wr_rdma_read", ib.WRRDMARead, s.WRRead}, {"wr_send", ib.WRSend, s.WRSend}, {"wr_send_imm", ib.WRSendWithImm, s.WRSendImm},
		{"wr_send_inv", ib.WRSendWithInv, s.WRSendInv}, {"wr_atomic_fetch_add", ib.WRAtomicFetchAndAdd, s.WRFetchAdd},
		{"wr_atomic_cmp_swp", ib.WRAtomicCmpAndSwp, s.WRCmpSwp}, {"wr_local_inv", ib.WRLocalInv, s.WRLocalInv},
	}
}

// short makes the post_send that a wr_ verb means.
func (s *Step) short(d *decoder) Act {
	for _, short := range s.shortForms() {
		if short.wr == nil {
			continue
		}
		if short.wr.Opcode.Given {
			d.in(short.wr.Pos, "opcode", short.verb+" says the opcode", "post_send takes any")
		}
		short.wr.Opcode = Opcode{true, short.opcode}
		return d.postOf(*short.wr)
	}
	switch {
	case s.WRBind != nil:
		b := s.WRBind
		return d.postOf(WR{Pos: b.Pos, ID: b.ID, QP: b.QP, Signaled: b.Signaled, Flags: b.Flags,
			Opcode: Opcode{true, ib.WRBindMW}, Bind: &b.Bind, SGE: b.SGE})
	case s.WRReg != nil:
		r := s.WRReg
		return d.postOf(WR{Pos: r.Pos, ID: r.ID, QP: r.QP, Signaled: r.Signaled, Flags: r.Flags,
			Opcode: Opcode{true, ib.WRRegMR}, Reg: &r.Reg})
	}
	return nil
}

// postOf returns the post of one request, repeated as often as it says.
func (d *decoder) postOf(wrs ...WR) *PostSend {
	p := &PostSend{Pos: wrs[0].Pos}
	for _, w := range wrs {
		if !p.QP.Given() {
			p.QP = w.QP
		}
		d.repeat(w.Pos, w.Times, func() { p.WRs = append(p.WRs, w) })
	}
	return p
}

// postForm is post_send of a list with what its requests have in common.
type postForm struct {
	// QP to post on; by default the host's first.
	QP Ref `yaml:"qp" kind:"qp"`
	// WRs are the requests of the list.
	WRs []WR `yaml:"wrs" required:"true"`
	// Doorbell rings once for the list, or once for each request; list.
	Doorbell string `yaml:"doorbell" enum:"list,each"`
}

func (p *PostSend) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	var f postForm
	if n.Kind == yaml.MappingNode && find(n, "wrs") != nil {
		d.structure(n, reflect.ValueOf(&f))
	} else {
		d.value(n, reflect.ValueOf(&f.WRs).Elem(), "")
	}
	if len(f.WRs) == 0 {
		if n.Kind == yaml.SequenceNode {
			d.node(n, "no work request", "")
		}
		return
	}
	*p = *d.postOf(f.WRs...)
	p.Pos = d.pos(n)
	if f.QP.Given() {
		p.QP = f.QP
	}
	p.EachDoorbell = f.Doorbell == "each"
}

// recvForm is post_recv of a list with what its requests have in common.
type recvForm struct {
	// QP to post on; by default the host's first.
	QP Ref `yaml:"qp" kind:"qp"`
	// SRQ to post on, of post_srq_recv.
	SRQ Ref `yaml:"srq" kind:"srq"`
	// WRs are the receives of the list.
	WRs []RecvWR `yaml:"wrs" required:"true"`
}

func (p *PostRecv) read(d *decoder, n *yaml.Node, _ reflect.StructTag) {
	f := recvForm{WRs: make([]RecvWR, 1)}
	switch {
	case null(n):
		f.WRs[0].Pos = d.pos(n)
	case n.Kind == yaml.MappingNode && find(n, "wrs") != nil:
		d.structure(n, reflect.ValueOf(&f))
	default:
		d.value(n, reflect.ValueOf(&f.WRs).Elem(), "")
	}
	*p = PostRecv{Pos: d.pos(n), QP: f.QP, SRQ: f.SRQ}
	for _, w := range f.WRs {
		if !p.QP.Given() && !p.SRQ.Given() {
			p.QP, p.SRQ = w.QP, w.SRQ
		}
		d.repeat(w.Pos, w.Times, func() { p.WRs = append(p.WRs, w) })
	}
}
