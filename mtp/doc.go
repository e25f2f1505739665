// Package mtp is the memory translation and protection pipeline of the
// adapter: it finds the protection entry that a key points to, has it judged,
// finds the pages behind it, and changes the tables without ever letting a
// dead key work.
//
// It decides nothing itself: the rules are [tpt.Check] and [tpt.Table.Apply].
// What it adds is when, and from which copy. It does not know what an access
// is for, nor packets, queue pairs' states or hosts.
//
//	clients ──► arbiter ──► MPT lookup, check ──► MTT lookup ──► order per stream ──► client
//	                            │   ▲                │   ▲
//	                            ▼   │ fill           ▼   │ fill
//	                        fetch engine: DMA reads of the tables in host memory
//	                            ▲
//	table unit: fetch ► Apply ► drop or renew copies ► write back ► fence ► done
//
// Copies stand on chip in one level, or in a near one over a far one; several
// kinds may share the near one. What is only far comes near through one port, by
// the same engine as what is fetched. Contexts of queue pairs are stored and
// fetched likewise; who asks for one is told whether it is here, or whether his
// engine waits for it, or only the queue pair.
//
// Begin with access.go and stages.go, then fetch.go for misses and change.go for the
// table unit.
//
// Invariants:
//
//	M1  An access is judged once, by one copy of one entry.
//	M2  Accesses of one stream leave in the order in which they were submitted;
//	    those of different streams may pass each other.
//	M3  A fill that was under way when its entry changed is neither used nor
//	    kept: those who wait for it ask again.
//	M4  Changes are applied one at a time, in the order in which they came.
//	M5  A change is done only when its entries are written back and every
//	    access that was judged before it has been released by its client.
//	M6  Translation entries are not written while an access that was judged
//	    before an earlier change may still use them. Those that a region gave back
//	    are absent from then on.
package mtp
