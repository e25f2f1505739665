package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"hcasim/scenario/run"
	"hcasim/sim"
)

// mostKeys is how many keys are shown one by one unless all are asked for.
const mostKeys = 12

// keys shows the lives of keys that a reader should know of: a value that came
// back, one that worked when it was dead, what the run made and left open to
// the peer, and the longest time that a key was open and not needed.
func (rec *Record) keys(w *bytes.Buffer) error { return rec.keyLives(w, (*grid).plain) }

func (rec *Record) keyLives(w *bytes.Buffer, write func(*grid, io.Writer) error) error {
	g, more := rec.keyTable()
	if len(g.rows) == 0 {
		return nil
	}
	fmt.Fprintln(w, "keys, times in us")
	if err := write(g, w); err != nil {
		return err
	}
	if more > 0 {
		fmt.Fprintf(w, "… and %s; --keys shows all\n", count(more, "more key"))
	}
	if n := rec.Result.KeysOmitted; n > 0 {
		fmt.Fprintf(w, "%s beyond those are not kept\n", count(int(n), "key"))
	}
	return nil
}

// keyTable has one row a life, and tells how many more there would be. Where
// there is room for some only, those come first that matter most; the rows
// stand in the order of births all the same.
func (rec *Record) keyTable() (g *grid, more int) {
	g = &grid{columns: []column{left("key"), left("host"), left("of"), right("born"), right("died"), left("by"),
		right("uses"), right("last use"), right("exposed"), right("refused after"), left("")}}
	longest := rec.longest()
	var shown []int
	for i := range rec.Result.Keys {
		if rec.AllKeys || weight(&rec.Result.Keys[i], longest) > 0 {
			shown = append(shown, i)
		}
	}
	if more = len(shown) - mostKeys; more > 0 && !rec.AllKeys {
		slices.SortStableFunc(shown, func(a, b int) int {
			return weight(&rec.Result.Keys[b], longest) - weight(&rec.Result.Keys[a], longest)
		})
		shown = shown[:mostKeys]
		slices.Sort(shown)
	} else {
		more = 0
	}
	for _, i := range shown {
		l := &rec.Result.Keys[i]
		g.row(rec.keyRow(l, notes(l, longest))...)
	}
	return g, more
}

// weight says how much a life matters to a reader; 0 for not at all.
func weight(l, longest *run.KeyLife) int {
	switch {
	case l.Late > 0:
		return 5
	case l.Reused():
		return 4
	case l == longest:
		return 3
	case leftOpen(l):
		return 2
	case l.Before != nil:
		return 1
	}
	return 0
}

// leftOpen reports whether the run made a key that a peer can use and did not
// take it back.
func leftOpen(l *run.KeyLife) bool { return !l.Dead && l.Open() && !l.Declared }

// longest returns the life with the longest exposure of those that are dead;
// nil if there is none.
func (rec *Record) longest() (longest *run.KeyLife) {
	for i := range rec.Result.Keys {
		l := &rec.Result.Keys[i]
		if l.Dead && l.Open() && (longest == nil || l.Exposure(l.Died) > longest.Exposure(longest.Died)) {
			longest = l
		}
	}
	return longest
}

// notes say what is remarkable about a life.
func notes(l, longest *run.KeyLife) (notes []string) {
	if l.Reused() {
		notes = append(notes, "stood before for "+meaning(l.Before)+", now for "+meaning(&l.Meaning))
	} else if l.Before != nil {
		notes = append(notes, "came back with the same meaning")
	}
	if l.Late > 0 {
		notes = append(notes, fmt.Sprintf("granted %s after its death", count(int(l.Late), "access")))
	}
	if leftOpen(l) {
		notes = append(notes, "alive at the end")
	}
	if l == longest {
		notes = append(notes, "longest exposure of a dead key")
	}
	return notes
}

func (rec *Record) keyRow(l *run.KeyLife, notes []string) []string {
	bare := func(d sim.Duration) string { return strings.TrimSuffix(micro(d), " us") }
	row := []string{fmt.Sprintf("0x%08x", uint32(l.Key)), l.Host, object(&l.Meaning), "", "", "", "", "", "", "", strings.Join(notes, "; ")}
	if !l.Declared {
		row[3] = bare(sim.Duration(l.Born))
	}
	if l.Dead {
		row[4], row[5] = bare(sim.Duration(l.Died)), l.By.String()
	}
	if n := l.Remote.Count + l.Local.Count; n > 0 {
		row[6] = thousands(n)
		row[7] = bare(sim.Duration(max(l.Remote.Last, l.Local.Last)))
	}
	if l.Open() {
		row[8] = bare(l.Exposure(rec.Result.Now))
	}
	if l.Refused > 0 {
		row[9] = thousands(l.Refused)
	}
	return row
}

// object names what a key is of.
func object(m *run.KeyMeaning) string {
	if m.Object == "" {
		return "a " + m.Kind.String()
	}
	return m.Object
}

// meaning writes what a key opens, to whom.
func meaning(m *run.KeyMeaning) string {
	words := []string{object(m), fmt.Sprintf("[%#x, +%d)", m.Start, m.Length), m.Rights.Short()}
	if m.PD != "" {
		words = append(words, "pd "+m.PD)
	}
	if m.QP != "" {
		words = append(words, "qp "+m.QP)
	}
	return strings.Join(words, " ")
}
