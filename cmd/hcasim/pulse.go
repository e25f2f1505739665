package main

import (
	"fmt"
	"os"
	"time"

	"github.com/mattn/go-isatty"
)

// pulse shows on a terminal that a long run goes on, until it is stopped.
func (p *program) pulse(name string) (stop func()) {
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
				_, _ = fmt.Fprintf(p.err, "\r%s: running for %.0f s", name, time.Since(began).Seconds())
			}
		}
	}()
	return func() {
		close(done)
		<-gone
	}
}
