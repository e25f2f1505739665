package scenario

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

func TestTopics(t *testing.T) {
	files := []string{"s/quickstart.yaml", "s/p/window-type-1-use.yaml", "s/p/window-type-2-use.yaml", "s/p/keys.yaml",
		"s/p/receive.yaml", "s/p/receive-shared.yaml", "s/q/keys.yaml", "s/seeds/01-a.yaml", "s/seeds/02-b.yaml"}
	want := []string{"s/quickstart", "s/p/window-type", "s/p/window-type", "s/p/keys",
		"s/p/receive", "s/p/receive", "s/q/keys", "s/seeds", "s/seeds"}
	if got := Topics(files); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

const topicFile = "../docs/topics.md"

// A topicCount is what the files of a topic hold.
type topicCount struct{ files, cases, expectations int }

// topicCounts collects what each file holds.
type topicCounts struct {
	mu    sync.Mutex
	files map[string]*topicCount
}

// add counts a case of a file, and what is expected of it.
func (c *topicCounts) add(file string, expectations int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.files == nil {
		c.files = map[string]*topicCount{}
	}
	if c.files[file] == nil {
		c.files[file] = &topicCount{files: 1}
	}
	c.files[file].cases++
	c.files[file].expectations += expectations
}

// compare holds docs/topics.md to what was counted, or writes it with -update.
// Where -run left something out it says nothing.
func (c *topicCounts) compare(t *testing.T, all []string) {
	files := slices.DeleteFunc(slices.Clone(all), func(file string) bool { return OtherKind(file) != "" })
	if len(c.files) != len(files) || t.Failed() {
		return
	}
	got := c.document(files)
	if *update {
		if err := os.WriteFile(topicFile, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want, err := os.ReadFile(topicFile); err != nil || string(want) != got {
		t.Errorf("%s is not what the scenarios hold (go test ./scenario -run TestScenarios -update): %v", topicFile, err)
	}
}

// document writes the counts as a table.
func (c *topicCounts) document(files []string) string {
	var order []string
	sums, all := map[string]*topicCount{}, topicCount{}
	for i, topic := range Topics(files) {
		if sums[topic] == nil {
			sums[topic] = &topicCount{}
			order = append(order, topic)
		}
		for _, sum := range []*topicCount{sums[topic], &all} {
			n := c.files[files[i]]
			sum.files += n.files
			sum.cases += n.cases
			sum.expectations += n.expectations
		}
	}
	var b strings.Builder
	b.WriteString("# Topics\n\n" +
		"What the scenarios of this project hold, by topic: a folder, and in it the files that are named alike. A case is one\n" +
		"world and what is done in it; an expectation is one statement about it that is held to the model by `hcasim test` and\n" +
		"`go test`. `hcasim test --format json` counts the same under `topics`. Written by the test that runs them all.\n\n" +
		"| topic | files | cases | expectations |\n|---|--:|--:|--:|\n")
	for _, topic := range order {
		rel, _ := filepath.Rel("../scenarios", topic)
		n := sums[topic]
		fmt.Fprintf(&b, "| %s | %d | %d | %d |\n", filepath.ToSlash(rel), n.files, n.cases, n.expectations)
	}
	fmt.Fprintf(&b, "| **all** | %d | %d | %d |\n", all.files, all.cases, all.expectations)
	return b.String()
}
