package fit

// roundTrips are the files that TestRoundTrip runs.
var roundTrips = []string{
	"quickstart", "verbs/write", "verbs/read", "verbs/send-recv", "verbs/atomics", "verbs/order", "verbs/pieces",
	"verbs/retry", "verbs/queue-pairs", "verbs/windows", "verbs/fast-register",
	"protection/remote-key", "protection/remote-key-messages", "protection/receive", "protection/ordering",
	"protection/window-type-2-use", "protection/window-type-2-invalidate", "protection/atomic-rules",
}

// Why the packets of some scenarios do not come again.
const (
	reconnected = "the queue pairs are taken down and connected anew: a second life of them is noted and not imported"
	changed     = "what was allowed is refused by the queue pair: that its rights were changed is not on the wire"
	midway      = "the key dies, or its range ends, inside a message: the scenario's key is refused at the first packet"
	unfinished  = "the message breaks off, as its own host could not read all of it"
	spoilt      = "a packet with a wrong ICRC is not used; its like with a right one comes in its place"
	late        = "a packet that was overtaken is taken for one that was sent later"
	stopped     = "the requester was stopped before it had an answer; here it goes on"
)

// apart are the scenarios whose packets cannot be the same, and why.
var apart = map[string]string{
	"read/key-dies-under-way":                                   midway,
	"pieces/a-bad-piece-in-the-third-packet":                    unfinished,
	"retry/a-spoilt-packet":                                     spoilt,
	"retry/packets-out-of-turn":                                 late,
	"queue-pairs/into-err-by-hand":                              stopped,
	"queue-pairs/mended":                                        reconnected,
	"queue-pairs/rights-are-changed-later":                      changed,
	"remote-key-messages/all-that-fits-if-each-is-judged-alone": midway,
	"remote-key-messages/a-write-whose-key-dies":                midway,
	"remote-key-messages/a-read-whose-key-dies":                 midway,
}
