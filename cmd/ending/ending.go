package ending

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"hcasim/whole"
)

// The statuses of ends that no command has chosen.
const (
	Unwritten   = 4   // something could not be written
	Interrupted = 75  // INT, TERM or HUP
	Gone        = 141 // a reader has gone, where there is no signal to say it
)

// Run runs a program and returns the status to end with.
func Run(do func(out *Stdout) int) int {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(stop, syscall.SIGHUP)
	}
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // so that a write says it, and we can tidy up
	done := make(chan int, 1)
	go func() { done <- do(&Stdout{to: os.Stdout}) }()
	select {
	case status := <-done:
		return status
	case <-stop:
		signal.Stop(stop) // the next one ends it where it stands
		whole.Close()
		_, _ = fmt.Fprintln(os.Stderr, "interrupted; results that were finished are kept")
		return Interrupted
	}
}

// gone ends the program as one that nobody listens to any more.
func (s *Stdout) gone(b []byte) {
	whole.Close()
	signal.Reset(syscall.SIGPIPE)
	_, _ = s.to.Write(b) // where there are such signals, this is the end
	os.Exit(Gone)
}
