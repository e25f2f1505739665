package tpt

import (
	"reflect"
	"strings"
	"testing"

	"hcasim/ib"
)

// switchList is every switch that must exist: name, default, alternatives.
const switchList = `local_inv_fail_status: 6 | 2 | 4
remote_inv_fail: silent | ack | nak_access
remote_inv_fail_recv_status: 6 | 9
recv_lkey_fail_status: 4 | 2
recv_short_status: 1 | 9 | 2
send_lkey_fail_status: 4 | 2
write_imm_fault: recv_8 | recv_10 | event_only
atomic_check_order: align_first | key_first
atomic_bad_sge: cqe_1 | imm_einval
atomic_misaligned_post: accept | einval
unreliable_send_fault: sqe | err
post_send_not_rts: einval | accept
bind_range_check: on | off
mw_range: window | mr
type2_inv_qp_check: on | off
inv_free_mw: refuse | accept
dereg_bound: ebusy | einval | orphan
rereg_bound: ebusy | allow
rereg_keys: new | keep
rereg_translation: on | off
mw1_key: inc | random
local_inv_fence: strong | relaxed
mw2_flavor: 2B | 2A
range_check: whole | per_packet
sge_check: lazy | upfront
recv_overlong_sge: payload | whole
async_events: on | off
rkey_value: same | zero_if_no_remote
max_bind_length: none | 2GiB
odp: on | off
send_with_inv: on | off`

func TestSwitches(t *testing.T) {
	var lines []string
	for _, s := range Switches() {
		lines = append(lines, s.Name+": "+strings.Join(s.Values, " | "))
		if s.Default != s.Values[0] {
			t.Errorf("%s: the default is %q, the first value %q", s.Name, s.Default, s.Values[0])
		}
		if !strings.HasSuffix(s.Doc, ".") || strings.Contains(s.Doc, "\n") {
			t.Errorf("%s: %q is no sentence", s.Name, s.Doc)
		}
	}
	if got := strings.Join(lines, "\n"); got != switchList {
		t.Errorf("switches:\n%s\nwant:\n%s", got, switchList)
	}
}

// Every value of every switch can be set and read back, and moves one field
// and no other.
func TestVariantSet(t *testing.T) {
	for _, s := range Switches() {
		for _, value := range s.Values {
			v := SpecVariant()
			if err := v.Set(s.Name, value); err != nil {
				t.Fatal(err)
			}
			if got := v.Get(s.Name); got != value {
				t.Errorf("%s: set to %s, reads %s", s.Name, value, got)
			}
			changed := 0
			spec := SpecVariant()
			for n := range reflect.TypeOf(v).NumField() {
				if reflect.ValueOf(v).Field(n).Interface() != reflect.ValueOf(spec).Field(n).Interface() {
					changed++
				}
			}
			if want := map[bool]int{true: 0, false: 1}[value == s.Default]; changed != want {
				t.Errorf("%s: %s changes %d fields, want %d", s.Name, value, changed, want)
			}
		}
	}
	if n := reflect.TypeFor[Variant]().NumField(); n != len(Switches()) {
		t.Errorf("%d fields, %d switches", n, len(Switches()))
	}
	v := SpecVariant()
	if err := v.Set("mw_rage", "mr"); err == nil || err.Error() != `no switch is called "mw_rage"` {
		t.Errorf("a switch nobody knows: %v", err)
	}
	if err := v.Set("mw_range", "mrs"); err == nil || err.Error() != `mw_range: "mrs" is none of window, mr` {
		t.Errorf("a value nobody knows: %v", err)
	}
	if v != SpecVariant() || v.Get("mw_rage") != "" {
		t.Error("a mistake changed something")
	}
	v.WriteImmFault = "never"
	if v.Get("write_imm_fault") != "" {
		t.Error("a field that holds no value of its switch reads as one")
	}
}

// 6.1: where the named sets differ from the specification.
func TestNamedVariants(t *testing.T) {
	for _, c := range []struct{ name, differs string }{
		{"spec", ""},
		{"mlx5", "post_send_not_rts=accept bind_range_check=off rereg_bound=allow rereg_keys=keep local_inv_fence=relaxed range_check=per_packet max_bind_length=2GiB"},
		{"rxe", "local_inv_fail_status=2 remote_inv_fail=ack remote_inv_fail_recv_status=9 recv_lkey_fail_status=2 recv_short_status=2 send_lkey_fail_status=2 write_imm_fault=recv_10 atomic_check_order=key_first atomic_bad_sge=imm_einval atomic_misaligned_post=einval unreliable_send_fault=err mw_range=mr type2_inv_qp_check=off inv_free_mw=accept dereg_bound=einval rereg_bound=allow rereg_keys=keep rereg_translation=off mw1_key=random async_events=off odp=off"},
	} {
		v, found := NamedVariant(c.name)
		if !found {
			t.Errorf("%s is not found", c.name)
		}
		var differs []string
		for _, s := range Switches() {
			if got := v.Get(s.Name); got != s.Default {
				differs = append(differs, s.Name+"="+got)
			}
		}
		if got := strings.Join(differs, " "); got != c.differs {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.differs)
		}
	}
	if _, found := NamedVariant("siw"); found || len(VariantNames()) != 3 {
		t.Error("three sets have names")
	}
	if SpecVariant().LocalInvFailStatus != ib.MWBindErr {
		t.Error("a refused LOCAL_INV is a memory management operation error")
	}
}

// The defaults that the tags of Limits state are those it has.
func TestLimitsTags(t *testing.T) {
	l := reflect.ValueOf(DefaultLimits())
	for n := range l.NumField() {
		f := l.Type().Field(n)
		var want uint64
		for _, digit := range f.Tag.Get("default") {
			want = want*10 + uint64(digit-'0')
		}
		if l.Field(n).Uint() != want || f.Tag.Get("yaml") == "" || f.Tag.Get("doc") == "" {
			t.Errorf("%s: the default is %d, the tag says %q", f.Name, l.Field(n).Uint(), f.Tag)
		}
	}
}
