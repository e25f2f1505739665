// Package rc is the reliable connected transport as steps over values: what a
// packet means to the side that receives it, given what that side remembers.
//
// It knows no time, no memory and no queue: timers and resources belong to
// package hca, which asks these steps and acts on their answers.
//
// Invariants:
//
//	R1  A request is executed at most once, save READs, which may be repeated
//	    (REM-21).
//	R2  A refused step changes nothing.
//	R3  Every request that is not dropped is answered, in PSN order.
//	R4  A loss is answered once, and takes the requester back once, however many
//	    packets show it; whatever else helps is the timer.
package rc
