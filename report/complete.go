package report

import (
	"encoding/csv"
	"path/filepath"
	"slices"

	"hcasim/report/capture"
	"hcasim/report/timeline"
)

// What can be asked of --pcap and --trace.
var (
	CaptureKinds  = capture.Kinds
	TimelineKinds = timeline.Kinds
)

// Results are the folders of results below a folder, results/NAME/HASH, for
// completion.
func Results(root string) []string {
	found, _ := filepath.Glob(filepath.Join(root, "*", "*", manifestFile)) // the pattern is good
	for i, f := range found {
		found[i] = filepath.Dir(f)
	}
	slices.Sort(found)
	return found
}

// OpNames are the first ops of a result with what became of them, for
// completion; none where it is no result.
func OpNames(dir string, most int) (names []string) {
	rows, err := (&Kept{Folder: dir}).ops()
	if err != nil {
		return nil
	}
	defer func() { _ = rows.Close() }() // it was only read
	c := csv.NewReader(rows)
	head, err := c.Read()
	op, request, status := slices.Index(head, "op"), slices.Index(head, "request"), slices.Index(head, "status")
	if err != nil || min(op, request, status) < 0 {
		return nil
	}
	for len(names) < most {
		row, err := c.Read()
		if err != nil {
			break
		}
		names = append(names, row[op]+"\t"+row[request]+" "+row[status])
	}
	return names
}
