package ending

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"syscall"

	"hcasim/whole"
)

// A Stdout is the standard output. It remembers what went wrong with it, since not
// all who print ask.
type Stdout struct {
	to io.Writer

	mu  sync.Mutex
	err error // the first
}

// Write writes. It does not return when the reader has gone.
func (s *Stdout) Write(b []byte) (int, error) {
	n, err := s.to.Write(b)
	if errors.Is(err, syscall.EPIPE) {
		s.gone(b[n:])
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
	return n, err
}

// Broken returns why not all was written; nil if it was.
func (s *Stdout) Broken() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		return nil
	}
	return fmt.Errorf("the standard output cannot be written: %w", whole.Reason(s.err))
}
