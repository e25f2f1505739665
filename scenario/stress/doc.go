// Package stress has tests only: the model as a whole under stress. A seed draws
// a world of two hosts, built from the extremes of its parameters, work of many
// queue pairs at once, with streams and datagrams beside it, and trouble: packets
// lost, repeated, spoiled and overtaken, keys that die under way, and keys that
// get another range all the time. It is written as a scenario, run, and held to
// what the rules' text alone says of it.
//
// What the text leaves to time is a set here, never a single answer: of a queue
// pair that broke, memory is what some beginning of its packets would have made
// of it; of bytes that several write at once, each has one of the values
// written. What it does not leave to time is exact. Old values of counters form
// one chain, in which each addition occurs once.
//
// # Invariants
//
// S1. A seed gives the same scenario for ever, on every machine; the same
// scenario gives the same run.
//
// S2. Nothing here asks the tables of the model anything: bytes are slices, keys
// are names, and a lane knows by itself whether its keys are good.
//
// S3. Every request that is posted ends exactly once, those of a queue pair in
// their order; behind the first that fails all are flushed.
package stress
