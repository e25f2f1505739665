package talk

import (
	"fmt"
	"slices"
	"strings"
)

// Notes are what is to be known of a capture, or of what is made of it: what was not used, not known, or
// chosen.
type Notes struct {
	list   []note
	counts []count
	more   int
}

// A note is of one frame, or of none (0).
type note struct {
	frame int
	text  string
}

// A count is of frames that have one thing in common.
type count struct {
	what  string
	n     int
	first int // frame
}

// MostNotes bounds the list: a broken capture has as many as frames.
const MostNotes = 40

// Add notes something of a frame, or of none (0), as fmt.Sprintf writes it.
func (n *Notes) Add(frame int, format string, args ...any) {
	if len(n.list) == MostNotes {
		n.more++
		return
	}
	n.list = append(n.list, note{frame, fmt.Sprintf(format, args...)})
}

// count notes that a frame is one more of which the same is to be said.
func (n *Notes) count(what string, frame int) {
	for i := range n.counts {
		if n.counts[i].what == what {
			n.counts[i].n++
			return
		}
	}
	n.counts = append(n.counts, count{what, 1, frame})
}

// Lines returns the notes as sentences.
func (n *Notes) Lines() (list []string) {
	for _, c := range n.counts {
		list = append(list, fmt.Sprintf("%s: %d, from frame %d on", c.what, c.n, c.first))
	}
	for _, k := range n.list {
		if k.frame > 0 {
			list = append(list, fmt.Sprintf("frame %d: %s", k.frame, k.text))
		} else {
			list = append(list, k.text)
		}
	}
	if n.more > 0 {
		list = append(list, fmt.Sprintf("and %d more", n.more))
	}
	return list
}

// A Tally counts things by a word: frames that are not used, by why.
type Tally map[string]int

// String lists them, the most frequent first.
func (t Tally) String() string {
	words := make([]string, 0, len(t))
	for w := range t {
		words = append(words, w)
	}
	slices.SortFunc(words, func(a, b string) int {
		if t[a] != t[b] {
			return t[b] - t[a]
		}
		return strings.Compare(a, b)
	})
	for i, w := range words {
		words[i] = fmt.Sprintf("%d %s", t[w], w)
	}
	return strings.Join(words, ", ")
}
