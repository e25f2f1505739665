package tpt

import (
	"fmt"
	"strconv"
	"strings"

	"hcasim/ib"
)

// A Switch is one choice of a Variant as users name it.
type Switch struct {
	Name    string
	Values  []string
	Default string // value under the specification
	Doc     string // one sentence
}

// A row is a switch and the place in a Variant that it sets: the value is
// read and written by its number in Values.
type row struct {
	name, doc string
	values    []string
	get       func(v *Variant) int
	set       func(v *Variant, n int)
}

// pick makes a row of a field that may hold one of the given values.
func pick[T comparable](name, doc string, at func(*Variant) *T, words []string, values ...T) row {
	return row{name, doc, words,
		func(v *Variant) int {
			for n, value := range values {
				if *at(v) == value {
					return n
				}
			}
			return -1
		},
		func(v *Variant, n int) { *at(v) = values[n] }}
}

func status(name, doc string, at func(*Variant) *ib.WCStatus, values ...ib.WCStatus) row {
	words := make([]string, len(values))
	for n, s := range values {
		words[n] = strconv.Itoa(int(s))
	}
	return pick(name, doc, at, words, values...)
}

func word(name, doc string, at func(*Variant) *string, values ...string) row {
	return pick(name, doc, at, values, values...)
}

func flag(name, doc string, at func(*Variant) *bool, no, yes string) row {
	return pick(name, doc, at, []string{no, yes}, false, true)
}

func onOff(name, doc string, at func(*Variant) *bool) row {
	return pick(name, doc, at, []string{"on", "off"}, true, false)
}

// rows are all the switches, in the order in which they are printed.
var rows = []row{
	status("local_inv_fail_status", "Completion status of a refused LOCAL_INV or REG_MR.",
		func(v *Variant) *ib.WCStatus { return &v.LocalInvFailStatus }, 6, 2, 4),
	word("remote_inv_fail", "What the receiver of a SEND_WITH_INV whose key it refuses sends back.",
		func(v *Variant) *string { return &v.RemoteInvFail }, "silent", "ack", "nak_access"),
	status("remote_inv_fail_recv_status", "Status of the RECV that a refused SEND_WITH_INV consumed.",
		func(v *Variant) *ib.WCStatus { return &v.RemoteInvFailRecvStatus }, 6, 9),
	status("recv_lkey_fail_status", "Status of a RECV whose buffer may not be written.",
		func(v *Variant) *ib.WCStatus { return &v.RecvLKeyFailStatus }, 4, 2),
	status("recv_short_status", "Status of a RECV that is smaller than the message; with 2 the sender is told REM_OP_ERR, else REM_INV_REQ_ERR.",
		func(v *Variant) *ib.WCStatus { return &v.RecvShortStatus }, 1, 9, 2),
	status("send_lkey_fail_status", "Status of a SEND or WRITE whose L_Key does not open its source; one that leaves its region has 4 always.",
		func(v *Variant) *ib.WCStatus { return &v.SendLKeyFailStatus }, 4, 2),
	word("write_imm_fault", "What becomes of the RECV of a WRITE with immediate whose R_Key is refused.",
		func(v *Variant) *string { return &v.WriteImmFault }, "recv_8", "recv_10", "event_only"),
	flag("atomic_check_order", "Whether a responder looks at an atomic's alignment or at its key first.",
		func(v *Variant) *bool { return &v.AtomicKeyFirst }, "align_first", "key_first"),
	flag("atomic_bad_sge", "How an atomic whose sink is not 8 bytes fails; with imm_einval only a shorter one does, of a longer one 8 bytes are used.",
		func(v *Variant) *bool { return &v.AtomicBadSGEImmediate }, "cqe_1", "imm_einval"),
	flag("atomic_misaligned_post", "Whether a misaligned atomic may be posted; if so it fails at the responder.",
		func(v *Variant) *bool { return &v.AtomicMisalignedPost }, "accept", "einval"),
	flag("unreliable_send_fault", "Where a send request that fails leaves a queue pair of an unreliable service.",
		func(v *Variant) *bool { return &v.UnreliableSendErr }, "sqe", "err"),
	flag("post_send_not_rts", "What posting a send to a QP in RESET, INIT or RTR does.",
		func(v *Variant) *bool { return &v.PostSendNotRTS }, "einval", "accept"),
	onOff("bind_range_check", "Whether a bind past its region is refused; if not, accesses there fault.",
		func(v *Variant) *bool { return &v.BindRangeCheck }),
	flag("mw_range", "Whose range bounds an access through a window.",
		func(v *Variant) *bool { return &v.MWRangeOfMR }, "window", "mr"),
	onOff("type2_inv_qp_check", "Whether a type 2 window may be invalidated only through its own QP.",
		func(v *Variant) *bool { return &v.Type2InvQPCheck }),
	flag("inv_free_mw", "Whether invalidating a type 2 window that is not bound is refused or does nothing.",
		func(v *Variant) *bool { return &v.InvFreeMW }, "refuse", "accept"),
	word("dereg_bound", "What deregistering a region with bound windows does.",
		func(v *Variant) *string { return &v.DeregBound }, "ebusy", "einval", "orphan"),
	flag("rereg_bound", "What reregistering a region with bound windows does.",
		func(v *Variant) *bool { return &v.ReregBound }, "ebusy", "allow"),
	flag("rereg_keys", "Whether a rereg changes the key byte of the region.",
		func(v *Variant) *bool { return &v.ReregKeepsKeys }, "new", "keep"),
	onOff("rereg_translation", "Whether a rereg may change the translation.",
		func(v *Variant) *bool { return &v.ReregTranslation }),
	flag("mw1_key", "How a type 1 bind chooses the new key byte.",
		func(v *Variant) *bool { return &v.MW1KeyRandom }, "inc", "random"),
	flag("local_inv_fence", "Whether LOCAL_INV waits for all earlier requests of its queue.",
		func(v *Variant) *bool { return &v.LocalInvRelaxed }, "strong", "relaxed"),
	pick("mw2_flavor", "Which kind of type 2 window the device offers.",
		func(v *Variant) *Kind { return &v.MW2Flavor }, []string{"2B", "2A"}, Window2B, Window2A),
	flag("range_check", "Whether the range of a WRITE is judged for the whole message at its first packet.",
		func(v *Variant) *bool { return &v.RangePerPacket }, "whole", "per_packet"),
	flag("sge_check", "Whether the pieces of a request are checked as they are gathered or before its first packet.",
		func(v *Variant) *bool { return &v.SGEUpfront }, "lazy", "upfront"),
	flag("recv_overlong_sge", "Whether a RECV piece is judged by the bytes that arrive or by its own length.",
		func(v *Variant) *bool { return &v.RecvOverlongWhole }, "payload", "whole"),
	onOff("async_events", "Whether a fault of the responder raises an asynchronous event.",
		func(v *Variant) *bool { return &v.AsyncEvents }),
	flag("rkey_value", "The R_Key handed out for a region without remote rights.",
		func(v *Variant) *bool { return &v.RKeyZeroIfNoRemote }, "same", "zero_if_no_remote"),
	pick("max_bind_length", "Longest window that may be bound; beyond it the verb returns EOPNOTSUPP.",
		func(v *Variant) *uint64 { return &v.MaxBind }, []string{"none", "2GiB"}, 0, 2<<30),
	onOff("odp", "Whether regions may be on-demand; if not they are refused with EOPNOTSUPP.",
		func(v *Variant) *bool { return &v.ODP }),
	onOff("send_with_inv", "Whether the adapter sends with invalidate; if not ibv_post_send returns EINVAL for it.",
		func(v *Variant) *bool { return &v.SendWithInv }),
}

// Switches lists every switch in a fixed order.
func Switches() []Switch {
	spec := SpecVariant()
	all := make([]Switch, len(rows))
	for n, r := range rows {
		all[n] = Switch{r.name, append([]string(nil), r.values...), r.values[r.get(&spec)], r.doc}
	}
	return all
}

func rowOf(name string) *row {
	for n := range rows {
		if rows[n].name == name {
			return &rows[n]
		}
	}
	return nil
}

// Set turns the switch called name to value, both as written in files.
func (v *Variant) Set(name, value string) error {
	r := rowOf(name)
	if r == nil {
		return fmt.Errorf("no switch is called %q", name)
	}
	for n, known := range r.values {
		if known == value {
			r.set(v, n)
			return nil
		}
	}
	return fmt.Errorf("%s: %q is none of %s", name, value, strings.Join(r.values, ", "))
}

// Get returns the value of the switch called name, or "" if there is no such
// switch or its field holds what no value stands for.
func (v *Variant) Get(name string) string {
	r := rowOf(name)
	if r == nil {
		return ""
	}
	if n := r.get(v); n >= 0 {
		return r.values[n]
	}
	return ""
}
