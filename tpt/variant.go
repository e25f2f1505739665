package tpt

import "hcasim/ib"

// A Variant is the set of choices that the specification leaves or that
// implementations make differently. A rule asks for a switch, never for a
// vendor. Switches of the transport live here too, as data for it to read.
//
// The comment of a field gives the switch's name and values, the default of
// the specification first; a bool is true for the second value unless the
// values are on | off.
type Variant struct {
	LocalInvFailStatus      ib.WCStatus // local_inv_fail_status: 6 | 2 | 4
	RemoteInvFail           string      // remote_inv_fail: silent | ack | nak_access
	RemoteInvFailRecvStatus ib.WCStatus // remote_inv_fail_recv_status: 6 | 9
	RecvLKeyFailStatus      ib.WCStatus // recv_lkey_fail_status: 4 | 2
	RecvShortStatus         ib.WCStatus // recv_short_status: 1 | 9 | 2
	SendLKeyFailStatus      ib.WCStatus // send_lkey_fail_status: 4 | 2
	WriteImmFault           string      // write_imm_fault: recv_8 | recv_10 | event_only
	DeregBound              string      // dereg_bound: ebusy | einval | orphan
	MW2Flavor               Kind        // mw2_flavor: 2B | 2A
	MaxBind                 uint64      // max_bind_length: none | 2GiB; bytes, 0 is none

	AtomicKeyFirst        bool // atomic_check_order: align_first | key_first
	AtomicBadSGEImmediate bool // atomic_bad_sge: cqe_1 | imm_einval
	AtomicMisalignedPost  bool // atomic_misaligned_post: accept | einval
	UnreliableSendErr     bool // unreliable_send_fault: sqe | err
	PostSendNotRTS        bool // post_send_not_rts: einval | accept
	BindRangeCheck        bool // bind_range_check: on | off
	MWRangeOfMR           bool // mw_range: window | mr
	Type2InvQPCheck       bool // type2_inv_qp_check: on | off
	InvFreeMW             bool // inv_free_mw: refuse | accept
	ReregBound            bool // rereg_bound: ebusy | allow
	ReregKeepsKeys        bool // rereg_keys: new | keep
	ReregTranslation      bool // rereg_translation: on | off
	MW1KeyRandom          bool // mw1_key: inc | random
	LocalInvRelaxed       bool // local_inv_fence: strong | relaxed
	RangePerPacket        bool // range_check: whole | per_packet
	SGEUpfront            bool // sge_check: lazy | upfront
	RecvOverlongWhole     bool // recv_overlong_sge: payload | whole
	AsyncEvents           bool // async_events: on | off
	RKeyZeroIfNoRemote    bool // rkey_value: same | zero_if_no_remote
	ODP                   bool // odp: on | off
	SendWithInv           bool // send_with_inv: on | off
}

// SpecVariant returns the choices of the specification, and where it leaves
// one, the choice that most of its readers make.
func SpecVariant() Variant {
	return Variant{
		LocalInvFailStatus:      ib.MWBindErr,
		RemoteInvFail:           "silent",
		RemoteInvFailRecvStatus: ib.MWBindErr,
		RecvLKeyFailStatus:      ib.LocProtErr,
		RecvShortStatus:         ib.LocLenErr,
		SendLKeyFailStatus:      ib.LocProtErr,
		WriteImmFault:           "recv_8",
		DeregBound:              "ebusy",
		MW2Flavor:               Window2B,
		BindRangeCheck:          true,
		Type2InvQPCheck:         true,
		ReregTranslation:        true,
		AsyncEvents:             true,
		ODP:                     true,
		SendWithInv:             true,
	}
}

// MLX5Variant returns the choices of ConnectX-5 and its kin with the drivers
// of Linux and rdma-core.
func MLX5Variant() Variant {
	v := SpecVariant()
	v.PostSendNotRTS = true
	v.BindRangeCheck = false
	v.ReregBound = true
	v.ReregKeepsKeys = true
	v.LocalInvRelaxed = true
	v.RangePerPacket = true
	v.MaxBind = 2 << 30
	return v
}

// RXEVariant returns the choices of Linux' software RoCE, kernel 6.1.
func RXEVariant() Variant {
	v := SpecVariant()
	v.LocalInvFailStatus = ib.LocQPOpErr
	v.RemoteInvFail = "ack"
	v.RemoteInvFailRecvStatus = ib.RemInvReqErr
	v.RecvLKeyFailStatus = ib.LocQPOpErr
	v.RecvShortStatus = ib.LocQPOpErr // measured on 6.1 and on 6.12
	v.SendLKeyFailStatus = ib.LocQPOpErr
	v.WriteImmFault = "recv_10"
	v.AtomicKeyFirst = true
	v.AtomicBadSGEImmediate = true
	v.AtomicMisalignedPost = true
	v.UnreliableSendErr = true // measured on 6.1 and on 6.12, of UC
	v.MWRangeOfMR = true
	v.Type2InvQPCheck = false
	v.InvFreeMW = true
	v.DeregBound = "einval"
	v.ReregBound = true
	v.ReregKeepsKeys = true
	v.ReregTranslation = false
	v.AsyncEvents = false // measured on 6.1 and on 6.12
	v.MW1KeyRandom = true
	v.ODP = false
	return v
}

// VariantNames are the named sets of choices.
func VariantNames() []string { return []string{"spec", "mlx5", "rxe"} }

// NamedVariant returns the set of choices called name.
func NamedVariant(name string) (v Variant, found bool) {
	switch name {
	case "spec":
		return SpecVariant(), true
	case "mlx5":
		return MLX5Variant(), true
	case "rxe":
		return RXEVariant(), true
	}
	return Variant{}, false
}
