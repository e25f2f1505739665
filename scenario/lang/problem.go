package lang

// A Source is one text: a file, or a --set flag made by SetFlag.
type Source struct {
	Name string
	Data []byte
	flag bool
}

// A Problem is one mistake of the user, with where it stands and what would be
// right.
type Problem struct {
	File         string
	Line, Column int
	Message      string
	Suggestion   string
	Length       int // characters to underline; 0 means one
}
