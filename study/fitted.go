package study

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"hcasim/report"
	"hcasim/scenario"
	"hcasim/scenario/lang"
	"hcasim/scenario/suite"
)

// A FittedTable says which numbers were fitted on which items.
type FittedTable []FittedRow

// A FittedRow is one parameter of a profile, or the constant of a testbed.
type FittedRow struct {
	Parameter string   `json:"parameter"` // a path, or constant
	Profile   string   `json:"profile,omitempty"`
	Testbed   string   `json:"testbed,omitempty"`
	Value     string   `json:"value"`
	Items     []string `json:"items"`
}

// Fitted returns what profiles and testbeds say of themselves. An item that
// is neither in the suite nor among those that the program carries, or that is
// of class V, is a mistake of the file: such items are for validation only.
// The error is that of suite.Load.
func Fitted(o suite.Options) (FittedTable, error) {
	o.Heads, o.IDs, o.Fast = true, nil, false
	s, err := suite.Load(o)
	if err != nil {
		return nil, err
	}
	items := s.Items
	if o.Folder != "" { // profiles that the program carries were fitted on its own items
		carried := o
		carried.Folder = ""
		own, err := suite.Load(carried)
		if err != nil {
			return nil, err
		}
		items = append(items, own.Items...)
	}
	folder := o.Library
	if folder == "" {
		folder = o.Folder
	}
	profiles, problems := scenario.NewProfiles(folder).List()
	table := FittedTable{}
	for _, p := range profiles {
		for _, f := range p.Fits() {
			problems = append(problems, fitOn(items, f.Item, f.Pos)...)
			table.add(FittedRow{Parameter: f.Path, Profile: p.Name, Value: p.Text(f.Path)}, f.Item)
		}
	}
	for _, t := range s.Testbeds {
		for _, f := range t.FittedOn {
			problems = append(problems, fitOn(items, f.Item, f.Pos)...)
			table.add(FittedRow{Parameter: "constant", Testbed: t.Name, Value: t.ConstantText}, f.Item)
		}
	}
	if len(problems) > 0 {
		return nil, &scenario.Mistakes{Problems: problems}
	}
	return table, nil
}

// add puts an item into the row of its parameter, which is the last if it is
// there.
func (t *FittedTable) add(row FittedRow, item string) {
	if n := len(*t); n > 0 {
		last := &(*t)[n-1]
		if last.Parameter == row.Parameter && last.Profile == row.Profile && last.Testbed == row.Testbed {
			last.Items = append(last.Items, item)
			return
		}
	}
	row.Items = []string{item}
	*t = append(*t, row)
}

// fitOn returns why a number may not have been fitted on an item.
func fitOn(items []*suite.Item, id string, at lang.Pos) []lang.Problem {
	p := lang.Problem{File: at.File, Line: at.Line, Column: at.Column, Length: len(id)}
	i := slices.IndexFunc(items, func(item *suite.Item) bool { return item.ID == id })
	switch {
	case i < 0:
		ids := make([]string, len(items))
		for k, item := range items {
			ids[k] = item.ID
		}
		p.Message, p.Suggestion = fmt.Sprintf("fitted on %q, and there is no such item", id), lang.DidYouMean(id, ids)
	case items[i].Class == suite.Validation:
		p.Message, p.Suggestion = fmt.Sprintf("fitted on %s, which is of class V", id), "such items are for validation only"
	default:
		return nil
	}
	return []lang.Problem{p}
}

// Write writes the table in one of ValidateFormats.
func (t FittedTable) Write(w io.Writer, format string) error {
	if format == "json" {
		return report.Indented(w, struct {
			Format  string      `json:"format"`
			Version int         `json:"version"`
			Fitted  FittedTable `json:"fitted"`
		}{"hcasim.fitted", 1, t})
	}
	if len(t) == 0 {
		_, err := io.WriteString(w, "nothing was fitted on an item\n")
		return err
	}
	grid := report.NewTable("parameter", "profile", "testbed", ">value", "fitted on")
	for _, row := range t {
		grid.Row(row.Parameter, row.Profile, row.Testbed, row.Value, strings.Join(row.Items, ", "))
	}
	return grid.Write(w, format == "md")
}
