package study

import (
	"bytes"
	"strings"
	"testing"

	"hcasim/scenario/suite"
)

// TestFittedOfTheProgram: the profiles and testbeds that the program carries
// say nothing that is not so, and none was fitted on an item of class V.
func TestFittedOfTheProgram(t *testing.T) {
	if _, err := Fitted(suite.Options{Workers: 2}); err != nil {
		t.Error(err)
	}
}

const bed = "version: 1\nkind: testbed\nname: bed\nabout: A bed.\nconstant: {value: 5ns, source: s, fitted_on: %}\n"

func fits(t *testing.T, profile, constant string) string {
	return write(t, map[string]string{
		"v01.yaml": item + "id: V01\nclass: C\ncurves: [{name: a, source: s, encode: $x, points: {BTH: 12}}]\n",
		"v02.yaml": item + "id: V02\nclass: V\ncurves: [{name: a, source: s, encode: $x, points: {BTH: 12}}]\n",
		"profiles/mine.yaml": "version: 1\nkind: profile\nname: mine\nabout: Mine.\n" +
			"hca: {schedule: {value: 26, source: s, fitted_on: " + profile + "}, receive: {value: 5, source: s}}\n",
		"testbeds/bed.yaml": strings.Replace(bed, "%", constant, 1),
	})
}

func TestFitted(t *testing.T) {
	table, err := Fitted(suite.Options{Folder: fits(t, "[V01, V01]", "[V01]"), Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := table.Write(&b, "text"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"hca.schedule mine 26 V01, V01", "constant bed 5ns V01"} {
		if !strings.Contains(strings.Join(strings.Fields(b.String()), " "), want) {
			t.Errorf("%q is not in\n%s", want, &b)
		}
	}
	for _, c := range []struct{ profile, constant, want string }{
		{"[V02]", "[V01]", `mine.yaml:5:52: fitted on V02, which is of class V; such items are for validation only`},
		{"[V99]", "[V01]", `mine.yaml:5:52: fitted on "V99", and there is no such item`},
		{"[V01]", "[V02]", `bed.yaml:5:47: fitted on V02, which is of class V`},
		{"[V01]", "[V1]", `fitted on "V1", and there is no such item; did you mean "V01"?`},
	} {
		if _, err := Fitted(suite.Options{Folder: fits(t, c.profile, c.constant), Workers: 1}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v\nwant %s", err, c.want)
		}
	}
}
