package scenario

import (
	"fmt"
	"slices"
	"strings"

	"hcasim/ib"
	"hcasim/scenario/lang"
	"hcasim/scenario/run"
)

// unmodelled gathers what the language can say and the model cannot do yet.
// It is a mistake of the file, with its place, and nothing runs.
type unmodelled struct {
	problems []lang.Problem
	ud       map[[2]string]bool // declared queue pairs of type UD, by host and name
}

func (u *unmodelled) say(p lang.Pos, what string) {
	u.add(p, what+" is not modelled yet", "")
}

func (u *unmodelled) add(p lang.Pos, message, suggestion string) {
	u.problems = append(u.problems, lang.Problem{File: p.File, Line: p.Line, Column: max(1, p.Column), Message: message, Suggestion: suggestion})
}

// checkModelled returns all that a scenario asks for and does not get.
func checkModelled(s *lang.Scenario) []lang.Problem {
	u := &unmodelled{ud: map[[2]string]bool{}}
	for i := range s.Hosts {
		h := &s.Hosts[i]
		for j := range h.Value.QP {
			if q := &h.Value.QP[j]; pointee(q.Value.Type, ib.RC) == ib.UD {
				u.ud[[2]string{h.Name, q.Name}] = true
			}
		}
	}
	u.steps(s.Ops, false)
	var hosts []string
	for i := range s.Hosts {
		hosts = append(hosts, s.Hosts[i].Name)
	}
	u.thresholds(s.Thresholds, hosts)
	u.record(s.Record, hosts)
	return u.problems
}

// steps looks at every step, those of loops and branches included.
func (u *unmodelled) steps(list []lang.Step, branch bool) {
	for i := range list {
		s := &list[i]
		u.step(s, branch)
		switch a := s.Do.(type) {
		case *lang.Loop:
			for _, round := range a.Rounds {
				u.steps(round, branch)
			}
		case *lang.Parallel:
			for _, b := range a.Branches {
				u.steps(b, true)
			}
		}
	}
}

func (u *unmodelled) step(s *lang.Step, branch bool) {
	switch a := s.Do.(type) {
	case *lang.RegShared:
		if a.Iova != nil {
			u.say(s.Pos, "an iova of a shared region")
		}
	case *lang.CreateQP:
		if pointee(a.Type, ib.RC) == ib.UD {
			u.ud[[2]string{s.On.Text, a.As.Text}] = true
		}
	case *lang.ModifyQP:
		if a.QPN != nil {
			u.add(s.Pos, "a queue pair has its number for life", "create_qp chooses one")
		}
	case *lang.ModifySRQ:
		if a.MaxWR != nil {
			u.say(s.Pos, "resizing a shared receive queue")
		}
	case *lang.PostSend:
		u.datagrams(a)
	case *lang.Traffic:
		u.traffic(a)
	case *lang.Wait:
		for _, id := range a.IDs {
			if branch && id.Text == "all" {
				u.add(s.Pos, "wait: all within parallel would wait for itself", "name the steps")
			}
		}
	}
}

// datagrams looks for what a UD queue pair would send without an address
// handle: there is nowhere to send it. What is refused at the post is judged.
func (u *unmodelled) datagrams(a *lang.PostSend) {
	for i := range a.WRs {
		w := &a.WRs[i]
		send := w.Opcode.Value == ib.WRSend || w.Opcode.Value == ib.WRSendWithImm
		if !w.AH.Given() && send && u.ud[[2]string{a.QP.Host, a.QP.Name}] {
			u.add(w.Pos, "a datagram goes nowhere without an address handle", "create_ah makes one, ah: names it")
		}
	}
}

func (u *unmodelled) traffic(t *lang.Traffic) {
	if batch, depth := pointee(t.Batch, 1), pointee(t.Depth, 16); batch > depth && t.Window == nil {
		u.add(t.Pos, fmt.Sprintf("a batch of %d with %d in flight is never posted", batch, depth), "depth: at least as much as batch")
	}
	for _, q := range t.QP {
		if !u.ud[[2]string{q.Host, q.Name}] {
			continue
		}
		for _, s := range t.Mix {
			if s.Opcode != ib.WRSend && s.Opcode != ib.WRSendWithImm {
				u.add(s.Pos, "a datagram is no "+s.Opcode.Short(), "opcode: SEND, or qp: names one that is connected")
			}
		}
	}
	for _, s := range t.Mix {
		if t.Mode == "pingpong" && (s.Opcode == ib.WRRDMARead || s.Opcode == ib.WRAtomicCmpAndSwp || s.Opcode == ib.WRAtomicFetchAndAdd) {
			u.add(s.Pos, "the other end sees nothing of "+s.Opcode.Short()+" and cannot answer it", "mode: stream with depth: 1")
		}
	}
	if every, depth := pointee(t.SignalEvery, 1), pointee(t.Depth, 16); every > depth {
		u.add(t.Pos, fmt.Sprintf("of %d requests in flight none asks for a completion: signal_every is %d", depth, every), "depth: at least as much as signal_every")
	}
}

func pointee[T any](p *T, otherwise T) T {
	if p != nil {
		return *p
	}
	return otherwise
}

// thresholds looks for figures that no run has.
func (u *unmodelled) thresholds(list []lang.Threshold, hosts []string) {
	for i := range list {
		if t := &list[i]; !run.KnownMetric(t.Metric, hosts) {
			u.add(t.Pos, fmt.Sprintf("no run has a figure %q", t.Metric), "such as write.p99, wire.packets or "+hosts[0]+".mpt.misses")
		}
	}
}

// record looks for figures to be recorded that no run has.
func (u *unmodelled) record(list []lang.Record, hosts []string) {
	for i := range list {
		r := &list[i]
		switch {
		case strings.HasPrefix(r.Figure, "op."):
		case !r.Pattern() && !run.KnownMetric(r.Figure, hosts):
			hint := lang.DidYouMean(r.Figure, run.Metrics(hosts))
			if !strings.HasPrefix(hint, "did") {
				hint = "such as write.p99, wire.packets or " + hosts[0] + ".mpt.misses, or op.1 for the latency of an op"
			}
			u.add(r.Pos, fmt.Sprintf("no run has a figure %q", r.Figure), hint)
		case r.Pattern() && !slices.ContainsFunc(run.Metrics(hosts), r.Names) && !strings.HasPrefix(r.Figure, "wire."):
			u.add(r.Pos, fmt.Sprintf("no run has a figure that matches %q", r.Figure), `such as "write.*" or "`+hosts[0]+`.mpt.*"; * goes beyond dots`)
		}
	}
}
