package main

import (
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/mattn/go-isatty"
)

// pulse shows on a terminal that a long run goes on, until it is stopped.
func (p *program) pulse(name string) (stop func()) {
	return p.beat(func(elapsed time.Duration) string {
		return fmt.Sprintf("%s: running for %.0f s", name, elapsed.Seconds())
	})
}

// progress is a pulse of work that is told how far it is: how fast it goes,
// and how long it will take.
func (p *program) progress(name string) (told func(done, all int), stop func()) {
	var done, all atomic.Int64
	stop = p.beat(func(elapsed time.Duration) string {
		n, of := done.Load(), all.Load()
		if n == 0 {
			return fmt.Sprintf("%s: running for %.0f s", name, elapsed.Seconds())
		}
		rate := float64(n) / elapsed.Seconds()
		return fmt.Sprintf("%s: %d of %d simulations · %.1f a second · %.0f s left", name, n, of, rate, float64(of-n)/rate)
	})
	return func(n, of int) {
		all.Store(int64(of))
		for was := done.Load(); int64(n) > was && !done.CompareAndSwap(was, int64(n)); was = done.Load() {
		}
	}, stop
}

// beat writes a line on a terminal every two seconds, until it is stopped.
func (p *program) beat(line func(elapsed time.Duration) string) (stop func()) {
	if !isatty.IsTerminal(os.Stderr.Fd()) {
		return func() {}
	}
	done, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		tick := time.NewTicker(2 * time.Second)
		defer tick.Stop()
		shown := false
		for began := time.Now(); ; {
			select {
			case <-done:
				if shown {
					_, _ = fmt.Fprint(p.err, "\r\x1b[K") // the line is not part of the record
				}
				return
			case <-tick.C:
				shown = true
				_, _ = fmt.Fprintf(p.err, "\r%s\x1b[K", line(time.Since(began)))
			}
		}
	}()
	return func() {
		close(done)
		<-gone
	}
}
