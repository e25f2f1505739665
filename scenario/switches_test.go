package scenario

import (
	"slices"
	"strings"
	"testing"

	"hcasim/scenario/run"
	"hcasim/tpt"
)

// switchFiles have a case for each value of each switch, named SWITCH-VALUE-….
var switchFiles = []string{"../scenarios/protection/switches-transport.yaml", "../scenarios/protection/switches-tables.yaml"}

// switchCases returns the cases of switchFiles by "SWITCH-VALUE". Each must
// turn the one switch that it is named by, over the specification.
func switchCases(t *testing.T) map[string]*Run {
	t.Helper()
	cases := map[string]*Run{}
	for _, file := range switchFiles {
		runs, err := Load(file, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range runs {
			turned := r.Scenario.Variant.Switches
			if base := r.Scenario.Variant.Base; base != "" && base != "spec" || len(turned) != 1 {
				t.Errorf("%s: %s turns %d switches of %q, not one of the specification", file, r.Case.Name, len(turned), base)
				continue
			}
			name := turned[0].Name + "-" + turned[0].Value
			if !strings.HasPrefix(r.Case.Name, name+"-") {
				t.Errorf("%s: %s turns %s", file, r.Case.Name, name)
			}
			if cases[name] != nil {
				t.Errorf("%s: %s has a second case, %s", file, name, r.Case.Name)
			}
			cases[name] = r
		}
	}
	return cases
}

// TestSwitches: every value of every switch has its case, which holds under
// that value and under no other: the switch works, and it alone. (TestScenarios
// holds the cases to more.)
func TestSwitches(t *testing.T) {
	cases := switchCases(t)
	for _, s := range tpt.Switches() {
		for _, value := range s.Values {
			name := s.Name + "-" + value
			r := cases[name]
			delete(cases, name)
			if r == nil {
				t.Errorf("%s: %s has no case", s.Name, value)
				continue
			}
			for _, other := range s.Values {
				turned := *r
				if err := turned.Variant.Set(s.Name, other); err != nil {
					t.Fatal(err)
				}
				if res := do(t, turned.Do); held(res) != (other == value) {
					t.Errorf("%s: with %s it comes to the end with %d failures", r.Case.Name, other, len(res.Failures))
				}
			}
		}
	}
	for name := range cases {
		t.Errorf("%s: there is no such value", name)
	}
}

func held(res *run.Result) bool { return res.OK() && len(res.Failures) == 0 && len(res.Waits) == 0 }

// variantTable is what each named variant chooses: of the specification, of
// ConnectX-5, of Linux' software RoCE.
var variantTable = []struct{ name, spec, mlx5, rxe string }{
	{"local_inv_fail_status", "6", "6", "2"},
	{"remote_inv_fail", "silent", "silent", "ack"},
	{"remote_inv_fail_recv_status", "6", "6", "9"},
	{"recv_lkey_fail_status", "4", "4", "2"},
	{"recv_short_status", "1", "1", "2"}, // rxe by its source 9; 2 was measured
	{"send_lkey_fail_status", "4", "4", "2"},
	{"write_imm_fault", "recv_8", "recv_8", "recv_10"},
	{"atomic_check_order", "align_first", "align_first", "key_first"},
	{"atomic_bad_sge", "cqe_1", "cqe_1", "imm_einval"},
	{"atomic_misaligned_post", "accept", "accept", "einval"},
	{"unreliable_send_fault", "sqe", "sqe", "err"},
	{"post_send_not_rts", "einval", "accept", "einval"},
	{"bind_range_check", "on", "off", "on"},
	{"mw_range", "window", "window", "mr"},
	{"type2_inv_qp_check", "on", "on", "off"},
	{"inv_free_mw", "refuse", "refuse", "accept"},
	{"dereg_bound", "ebusy", "ebusy", "einval"},
	{"rereg_bound", "ebusy", "allow", "allow"},
	{"rereg_keys", "new", "keep", "keep"},
	{"rereg_translation", "on", "on", "off"},
	{"mw1_key", "inc", "inc", "random"},
	{"local_inv_fence", "strong", "relaxed", "strong"},
	{"mw2_flavor", "2B", "2B", "2B"},
	{"range_check", "whole", "per_packet", "whole"},
	{"sge_check", "lazy", "lazy", "lazy"},
	{"recv_overlong_sge", "payload", "payload", "payload"},
	{"async_events", "on", "on", "off"},
	{"rkey_value", "same", "same", "same"},
	{"max_bind_length", "none", "2GiB", "none"},
	{"odp", "on", "on", "off"},
	{"send_with_inv", "on", "on", "on"},
}

// TestVariantTable holds the named variants to the table, switch by switch.
func TestVariantTable(t *testing.T) {
	spec, mlx5, rxe := tpt.SpecVariant(), tpt.MLX5Variant(), tpt.RXEVariant()
	var names []string
	for _, row := range variantTable {
		names = append(names, row.name)
		for _, c := range []struct {
			of   string
			v    *tpt.Variant
			want string
		}{{"spec", &spec, row.spec}, {"mlx5", &mlx5, row.mlx5}, {"rxe", &rxe, row.rxe}} {
			if got := c.v.Get(row.name); got != c.want {
				t.Errorf("%s: %s of %s, want %s", row.name, got, c.of, c.want)
			}
		}
	}
	for _, s := range tpt.Switches() {
		n := slices.Index(names, s.Name)
		if n < 0 {
			t.Errorf("%s stands in no row", s.Name)
		} else if s.Default != variantTable[n].spec {
			t.Errorf("%s: the default is %s, of spec %s", s.Name, s.Default, variantTable[n].spec)
		}
	}
	if len(names) != len(tpt.Switches()) {
		t.Errorf("%d rows for %d switches", len(names), len(tpt.Switches()))
	}
}
