package compare

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// kept makes a folder of results, NAME or NAME/HASH, of the p50 of their WRITEs.
func kept(t *testing.T, results map[string]int) string {
	t.Helper()
	dir := t.TempDir()
	for name, p50 := range results {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf(summary, p50, 1000, "", 8, 8, 1.0, 5)
		if err := os.WriteFile(filepath.Join(dir, name, summaryFile), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestFolders: results are matched by name, wherever their hash stands; one
// that is missing is worse, one more is not.
func TestFolders(t *testing.T) {
	base := kept(t, map[string]int{"a": 100, "b/11112222": 100, "c": 100})
	other := kept(t, map[string]int{"a/33334444": 100, "b": 110, "d": 7})
	d, got := compared(t, base, other)
	if want := "map[b write.p50:worse]"; fmt.Sprint(got) != want {
		t.Errorf("the verdicts are %v, want %s", got, want)
	}
	if d.Results != 2 || d.Same != 1 || fmt.Sprint(d.Gone, d.Came) != "[c] [d]" || !d.Regressed() {
		t.Errorf("%d results, %d the same, gone %v, came %v", d.Results, d.Same, d.Gone, d.Came)
	}
	if d, _ := compared(t, kept(t, map[string]int{"a": 1, "b": 1}), kept(t, map[string]int{"a": 1, "b": 1, "c": 1})); d.Regressed() {
		t.Error("a result that the base has not is worse")
	}
}

// TestFoldersWrong: what does not tell which results are meant is an error.
func TestFoldersWrong(t *testing.T) {
	two := kept(t, map[string]int{"a": 1, "b": 1})
	for _, x := range []struct{ base, other, want string }{
		{two, filepath.Join(two, "a"), "there are 2 results in this folder, name one"},
		{two, t.TempDir(), "there are 2 results in this folder, name one"},
		{two, kept(t, map[string]int{"a/1": 1, "a/2": 2, "b": 1}), "has 2 results of a, and none is the one to compare"},
	} {
		if _, err := Compare(x.base, x.other, &Tolerances{}); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("the error is %v, want %s", err, x.want)
		}
	}
}

// TestManyRows: a comment has no more rows than a forge takes, and says so.
func TestManyRows(t *testing.T) {
	a, b := map[string]int{}, map[string]int{}
	for i := range mostRows + 25 {
		name := fmt.Sprintf("r%03d", i)
		a[name], b[name] = 100, 200
	}
	d, _ := compared(t, kept(t, a), kept(t, b))
	for _, all := range []bool{false, true} {
		var text strings.Builder
		if err := d.Write(&text, "md", all); err != nil {
			t.Fatal(err)
		}
		rows := strings.Count(text.String(), "| worse")
		if want := map[bool]int{false: mostRows, true: mostRows + 25}[all]; rows != want {
			t.Errorf("all %v: %d rows, want %d", all, rows, want)
		}
		if said := strings.Contains(text.String(), "… and 25 more: --all"); said == all {
			t.Errorf("all %v: it is said %v", all, said)
		}
	}
}

// TestTallied: a change that all results have is said once, another with the
// number of those that have it.
func TestTallied(t *testing.T) {
	var x tallied
	for i := range 3 {
		x.add([]Change{{"everywhere", "1", "2"}})
		if i == 0 {
			x.add([]Change{{"once", "1", ""}})
		}
	}
	if got, want := fmt.Sprint(x.list(3)), "[{everywhere 1 2} {once 1 (none)  (1 of 3 results)}]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
