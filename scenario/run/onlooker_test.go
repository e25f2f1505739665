package run_test

import (
	"testing"

	"hcasim/scenario"
	"hcasim/scenario/run"
)

const onlooked = `version: 1
kind: scenario
name: t
profile: connectx5-like
host: {iommu: {mode: on}}
hosts:
  A: {pd: [p], mr: {m: {length: 4KiB, access: [LOCAL_WRITE]}}, qp: {q: {peer: B.q}}}
  B: {pd: [p], mr: {m: {length: 4KiB, access: [LOCAL_WRITE, REMOTE_WRITE]}}, qp: {q: {peer: A.q, access: [REMOTE_WRITE]}}}
ops:
  - {on: A, traffic: {opcode: RDMA_WRITE, count: 100}}
`

// TestOnlooker: an onlooker is called, and changes nothing.
func TestOnlooker(t *testing.T) {
	alone := held(t, onlooked)
	runs, err := scenario.Read("t.yaml", []byte(onlooked), scenario.Options{})
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	res, err := runs[0].DoBefore(func() { calls++ })
	if err != nil {
		t.Fatal(err)
	}
	if res.Now != alone.Now || res.Events != alone.Events || len(res.Stats) != len(alone.Stats) {
		t.Errorf("before an onlooker it ends at %v after %d events, without at %v after %d", res.Now, res.Events, alone.Now, alone.Events)
	}
	for i := range alone.Stats {
		if res.Stats[i] != alone.Stats[i] {
			t.Errorf("before an onlooker %v, without %v", res.Stats[i], alone.Stats[i])
		}
	}
	if calls < 100*10 {
		t.Errorf("the onlooker was called %d times in 100 WRITEs", calls)
	}
}

// TestNoProbeIsUnseen: an onlooker is told of all that any room shows.
func TestNoProbeIsUnseen(t *testing.T) {
	runs, err := scenario.Read("t.yaml", []byte(onlooked), scenario.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := run.Plan{Scenario: runs[0].Scenario, Variant: runs[0].Variant, Onlooker: func() {}}
	for _, s := range runs[0].Settings {
		p.Params = append(p.Params, &s.Params)
	}
	unseen, err := run.Unseen(p)
	if err != nil {
		t.Fatal(err)
	}
	if len(unseen) > 0 {
		t.Errorf("an onlooker is not told of %q", unseen)
	}
}
