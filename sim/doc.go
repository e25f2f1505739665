// Package sim is the discrete-event engine: time, clocks, events, and the
// carriers in which time passes.
package sim
