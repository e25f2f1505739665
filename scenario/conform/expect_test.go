package conform

import "testing"

// TestWrite: what both variants say stands once, what differs under rxe, and
// what only the specification says under spec.
func TestWrite(t *testing.T) {
	for _, c := range []struct {
		name      string
		spec, rxe expectation
		want      string
	}{
		{"the same", expectation{"wc": "SUCCESS"}, expectation{"wc": "SUCCESS"}, "wc: SUCCESS"},
		{"another value", expectation{"wc": "LOC_PROT_ERR"}, expectation{"wc": "LOC_QP_OP_ERR"}, "wc: LOC_PROT_ERR, under: {rxe: {wc: LOC_QP_OP_ERR}}"},
		{"rxe alone", expectation{}, expectation{"errno": "OK"}, "under: {rxe: {errno: OK}}"},
		{"spec alone", expectation{"errno": "OK", "wc": "none"}, expectation{"errno": "OK"}, "errno: OK, under: {spec: {wc: none}}"},
		{"nothing", expectation{}, expectation{}, ""},
	} {
		if got := write(c.spec, c.rxe); got != c.want {
			t.Errorf("%s: %s, not %s", c.name, got, c.want)
		}
	}
}

// TestOfStep: outcomes of a step as members of its expect:.
func TestOfStep(t *testing.T) {
	post, verb := Step{Verb: "RDMA_READ"}, Step{Verb: "reg_mr"}
	for _, c := range []struct {
		outcome string
		step    *Step
		want    string
	}{
		{"1.wc=SUCCESS/64/inv", &post, "wc: {status: SUCCESS, byte_len: 64, wc_flags: [WITH_INV]}"},
		{"1.wc=LOC_PROT_ERR|MW_BIND_ERR", &post, "wc: {status: [LOC_PROT_ERR, MW_BIND_ERR]}"},
		{"1.wc=MW_BIND_ERR|NONE", &post, "any: [{wc: MW_BIND_ERR}, {wc: none}]"},
		{"1.errno=EINVAL 1.wc=NONE", &post, "errno: EINVAL, wc: none"},
		{"2.wc=SUCCESS", &post, ""},
		{"2.errno=EINVAL", &verb, "errno: OK"},
		{"1.errno=EINVAL|EOVERFLOW", &verb, "errno: EINVAL"},
		{"1.rereg=CMD:EACCES", &verb, "errno: EACCES, rereg: CMD"},
		{"1.rereg=OK", &verb, "errno: OK, rereg: OK"},
	} {
		v := view{outcome: readOutcome(c.outcome)}
		if got := v.ofStep(1, c.step, false).list(); got != c.want {
			t.Errorf("%s: %s, not %s", c.outcome, got, c.want)
		}
	}
}

// TestAllows: what was seen is as the specification asks, or is not.
func TestAllows(t *testing.T) {
	for _, c := range []struct {
		spec, seen string
		want       bool
	}{
		{"", "1.wc=SUCCESS", true},
		{"1.wc=SUCCESS", "1.wc=SUCCESS/64", true},
		{"1.wc=SUCCESS/0/inv", "1.wc=SUCCESS/0", false},
		{"1.wc=LOC_PROT_ERR|MW_BIND_ERR", "1.wc=MW_BIND_ERR qp.qa=ERR", true},
		{"event.b=QP_ACCESS_ERR", "1.wc=SUCCESS", false},
		{"mem.bb=0 qp.qa=ERR", "mem.bb=0 qp.qa=RTS", false},
	} {
		if got := readOutcome(c.spec).allows(readOutcome(c.seen)); got != c.want {
			t.Errorf("%q allows %q: %v", c.spec, c.seen, got)
		}
	}
}
