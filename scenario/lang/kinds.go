package lang

import "strings"

// kindWords are the words for kinds in the tags of the tree, and in messages.
var kindWords = [...]string{
	KindPD: "pd", KindQP: "qp", KindCQ: "cq", KindSRQ: "srq", KindAH: "ah",
	KindMR: "mr", KindMW: "mw", KindMem: "mem", KindProc: "proc",
}

// String returns the word of files for a kind.
func (k Kind) String() string {
	if int(k) < len(kindWords) {
		return kindWords[k]
	}
	return "?"
}

// kindNamed returns the kind of a word, or of the first of several.
func kindNamed(words string) Kind {
	first, _, _ := strings.Cut(words, ",")
	for k, w := range kindWords {
		if w == first && w != "" {
			return Kind(k)
		}
	}
	return NoKind
}

// in reports whether k is one of the words.
func (k Kind) in(words string) bool {
	for w := range strings.SplitSeq(words, ",") {
		if kindWords[k] == w {
			return true
		}
	}
	return false
}
