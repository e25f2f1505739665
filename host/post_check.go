package host

import "hcasim/ib"

// plainOpcodes are, by transport service, those that nothing is asked of but
// what plain asks.
var plainOpcodes = [...]uint32{
	ib.RC: 1<<ib.WRSend | 1<<ib.WRSendWithImm | 1<<ib.WRRDMAWrite | 1<<ib.WRRDMAWriteWithImm | 1<<ib.WRRDMARead,
	ib.UC: 1<<ib.WRSend | 1<<ib.WRSendWithImm | 1<<ib.WRRDMAWrite | 1<<ib.WRRDMAWriteWithImm,
	ib.UD: 0,
}

// plain reports whether a request is one of those that CheckPost need not look
// at: it would refuse none that is.
func (q *QP) plain(w *SendWR) bool {
	ring := q.Attr.SQ
	return q.State == ib.RTS && plainOpcodes[q.Attr.Type]>>w.Opcode&1 != 0 && w.Flags&ib.Inline == 0 &&
		q.sent-q.freed < uint32(len(ring.WQEs)) && len(w.SGE) <= ring.MaxSGE && w.AH == nil && !q.gone
}

// CheckPost makes the checks of the moment of posting, in the order of 3.0, and
// names the rule that refuses. Keys and ranges are not looked at (POST-1). It
// changes nothing: who was refused may ask again, for the rule.
func (h *Host) CheckPost(q *QP, w *SendWR) (ib.Errno, string) {
	v := h.variant
	if q.gone {
		return ib.EINVAL, "DER-5"
	}
	switch q.State {
	case ib.Reset, ib.Init, ib.RTR:
		if !v.PostSendNotRTS {
			return ib.EINVAL, "1.5"
		}
	case ib.RTS, ib.SQD, ib.SQE, ib.Err:
	}
	ring := q.Attr.SQ
	atomic := w.Opcode == ib.WRAtomicCmpAndSwp || w.Opcode == ib.WRAtomicFetchAndAdd
	switch {
	case q.sent-q.freed >= uint32(len(ring.WQEs)):
		return ib.ENOMEM, "QP-9"
	case !posts(q.Attr.Type, w.Opcode), w.Opcode == ib.WRSendWithInv && !v.SendWithInv:
		return ib.EINVAL, "QP-8"
	case q.Attr.Type == ib.UD && (w.AH == nil || w.AH.gone):
		return ib.EINVAL, "QP-8"
	case len(w.SGE) > ring.MaxSGE:
		return ib.EINVAL, "QP-9"
	case w.Flags&ib.Inline != 0 && !inlines(w.Opcode):
		return ib.EINVAL, "LOC-9"
	case w.Flags&ib.Inline != 0 && total(w.SGE) > uint64(q.MaxInline):
		return ib.EINVAL, "LOC-9"
	case atomic && total(w.SGE) < 8 && v.AtomicBadSGEImmediate:
		return ib.EINVAL, "LOC-6"
	case atomic && w.RemoteAddr%8 != 0 && v.AtomicMisalignedPost:
		return ib.EINVAL, "3.2-7"
	case w.Opcode == ib.WRBindMW && len(w.SGE) > 0:
		return ib.EINVAL, "BIN-10"
	case w.Opcode == ib.WRBindMW:
		return v.CheckBind(&w.Bind, bindObjects(w.MW, w.MR))
	}
	return ib.OK, ""
}

// posts reports whether a transport service takes an opcode (QP-8). The manual
// page lists SEND_WITH_INV for UC too, but the specification has no packet of
// UC that could carry it.
func posts(t ib.QPType, o ib.WROpcode) bool {
	switch o {
	case ib.WRSend, ib.WRSendWithImm:
		return true
	case ib.WRRDMAWrite, ib.WRRDMAWriteWithImm, ib.WRBindMW, ib.WRLocalInv, ib.WRRegMR:
		return t == ib.RC || t == ib.UC
	case ib.WRSendWithInv, ib.WRRDMARead, ib.WRAtomicCmpAndSwp, ib.WRAtomicFetchAndAdd:
		return t == ib.RC
	default:
		return false
	}
}

// inlines reports whether an opcode may carry inline data.
func inlines(o ib.WROpcode) bool {
	switch o {
	case ib.WRSend, ib.WRSendWithImm, ib.WRSendWithInv, ib.WRRDMAWrite, ib.WRRDMAWriteWithImm:
		return true
	default:
		return false
	}
}
