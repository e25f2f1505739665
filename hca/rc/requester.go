package rc

import "hcasim/ib"

// A Requester is what the requesting side of a connection remembers of what
// it has sent.
type Requester struct {
	Next    ib.PSN // of the next packet that was never sent
	Unacked ib.PSN // oldest that is not acknowledged
	Retries uint8  // left, of RetryCnt
	RNRs    uint8  // left, of RNRRetry
	behind  bool   // went back, and nothing was acknowledged since

	RetryCnt uint8 // 0..7
	RNRRetry uint8 // 0..6; 7 for ever
}

// Start sets a requester up that begins at psn.
func (r *Requester) Start(psn ib.PSN, retryCnt, rnrRetry uint8) {
	*r = Requester{Next: psn, Unacked: psn, Retries: retryCnt, RNRs: rnrRetry, RetryCnt: retryCnt, RNRRetry: rnrRetry}
}

// Outstanding reports whether anything waits for an answer.
func (r *Requester) Outstanding() bool { return r.Unacked != r.Next }

// A Reaction is what an answer asks of the requester.
type Reaction uint8

// The reactions to an answer.
const (
	Stale   Reaction = iota // of something answered before, or never asked
	Advance                 // everything through PSN is acknowledged
	Resend                  // everything before PSN is acknowledged; send again from PSN
	Wait                    // as Resend, but after the RNR timer
	Fail                    // everything before PSN is acknowledged; the request at PSN has failed with Status
)

// An Answer is what an AETH came to.
type Answer struct {
	Reaction Reaction
	PSN      ib.PSN
	Status   ib.WCStatus
	Timer    uint8 // RNR timer code
}

// Covers returns the PSN before which an acknowledgement acknowledges
// everything: an ACK its own packet too, a NAK what stands in front of it. ok is
// false for one of something answered before, or never asked.
func (r *Requester) Covers(psn ib.PSN, s ib.Syndrome) (before ib.PSN, ok bool) {
	if psn.Sub(r.Unacked) < 0 || psn.Sub(r.Next) >= 0 {
		return 0, false
	}
	if s.IsACK() {
		psn = psn.Add(1)
	}
	return psn, true
}

// Receive judges an acknowledgement (5.4). It counts retries down; progress
// restores them.
func (r *Requester) Receive(psn ib.PSN, s ib.Syndrome) Answer {
	if _, ok := r.Covers(psn, s); !ok {
		return Answer{Reaction: Stale}
	}
	switch {
	case s.IsACK():
		return Answer{Reaction: Advance, PSN: psn}
	case s.IsRNR():
		if r.RNRs == 0 && r.RNRRetry != 7 {
			return Answer{Reaction: Fail, PSN: psn, Status: ib.RNRRetryExcErr}
		}
		if r.RNRRetry != 7 {
			r.RNRs--
		}
		return Answer{Reaction: Wait, PSN: psn, Timer: s.Code()}
	case s == ib.NAKPSNSequence:
		return r.again(psn)
	default:
		return Answer{Reaction: Fail, PSN: psn, Status: s.Status()}
	}
}

// Timeout says what to do when no answer came in time.
func (r *Requester) Timeout() Answer { return r.again(r.Unacked) }

// Missing says what to do when an answer shows that an earlier one was lost: go
// back, once. All that is under way behind the loss will show it too.
func (r *Requester) Missing() Answer {
	if r.behind {
		return Answer{Reaction: Stale}
	}
	return r.again(r.Unacked)
}

func (r *Requester) again(psn ib.PSN) Answer {
	r.behind = true
	if r.Retries == 0 {
		return Answer{Reaction: Fail, PSN: psn, Status: ib.RetryExcErr}
	}
	r.Retries--
	return Answer{Reaction: Resend, PSN: psn}
}

// Acknowledged moves past everything before psn. It reports whether that was
// progress.
func (r *Requester) Acknowledged(psn ib.PSN) bool {
	if psn.Sub(r.Unacked) <= 0 {
		return false
	}
	r.Unacked, r.behind = psn, false
	r.Retries, r.RNRs = r.RetryCnt, r.RNRRetry
	return true
}
