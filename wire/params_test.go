package wire

import (
	"fmt"
	"strings"
	"testing"

	"hcasim/sim"
)

// TestFlows: each direction has the flow control that was asked for.
func TestFlows(t *testing.T) {
	for _, test := range []struct {
		protocol, flow, back string
		want                 [2]flow
	}{
		{"ib", "auto", "same", [2]flow{flowCredits, flowCredits}},
		{"roce_v4", "auto", "same", [2]flow{flowDrop, flowDrop}},
		{"roce_v4", "pause", "same", [2]flow{flowPause, flowPause}},
		{"roce_v6", "pause", "auto", [2]flow{flowPause, flowDrop}},
		{"ib", "drop", "credits", [2]flow{flowDrop, flowCredits}},
	} {
		p := Params{Protocol: test.protocol, Flow: test.flow, FlowBack: test.back}
		if got, err := p.flows(); err != nil || got != test.want {
			t.Errorf("%v: %v, %v", test, got, err)
		}
	}
}

// TestCheck: what does not fit together is said, all of it.
func TestCheck(t *testing.T) {
	p := DefaultParams()
	if err := p.Check(); err != nil {
		t.Errorf("defaults: %v", err)
	}
	p.MTU, p.ResumeAt, p.Flow, p.Requests.Bytes, p.Answers.Bytes = 4095, p.PauseAt, "rate", 4096, 512
	err := fmt.Sprint(p.Check())
	for _, word := range []string{"mtu 4095", "resume_at", `flow "rate"`, "requests.bytes", "answers.bytes"} {
		if !strings.Contains(err, word) {
			t.Errorf("%q says nothing of %s", err, word)
		}
	}
}

// TestPropagation: cable, switches and whatever else add up.
func TestPropagation(t *testing.T) {
	p := DefaultParams()
	p.Length, p.PerMetre, p.Delay, p.Hops, p.HopDelay = 7, 11*sim.Picosecond, 13*sim.Nanosecond, 3, 17*sim.Microsecond
	if got, want := p.Propagation(), 77*sim.Picosecond+13*sim.Nanosecond+51*sim.Microsecond; got != want {
		t.Errorf("%v, want %v", got, want)
	}
}
