package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// keyWorld binds a window twice under one value, leaves it open, and takes a
// region back.
const keyWorld = `version: 1
kind: scenario
name: bits
use: b0
hosts: {B: {mw: {w: {type: 2}}}}
ops:
  - {on: B, reg_mr: {as: m, pd: pB, buf: bufB, access: [LOCAL_WRITE, REMOTE_WRITE]}}
  - {on: A, wr_rdma_write: {remote: {mr: m}}, expect: {wc: SUCCESS}}
  - {wait: 10us}
  - {on: B, dereg_mr: m}
  - {on: B, wr_bind_mw: {mw: w, mr: mB, length: 4KiB, access: [REMOTE_READ], key_byte: 7}}
  - {on: B, wr_local_inv: {invalidate: w}}
  - {on: B, wr_bind_mw: {mw: w, mr: mB, length: 2KiB, access: [REMOTE_WRITE], key_byte: 7}}
`

// keyLines returns the rows of the section on keys.
func keyLines(t *testing.T, rec *Record) []string {
	t.Helper()
	var b bytes.Buffer
	if err := rec.keys(&b); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(b.String()), "\n")
}

// TestKeysToKnowOf: a value that came back with another meaning, what is left
// open and the longest exposure are shown; the rest when it is asked for.
func TestKeysToKnowOf(t *testing.T) {
	rec := record(t, keyWorld)
	lines := keyLines(t, rec)
	if len(lines) != 4 {
		t.Fatalf("%d lines, want a title, a head and two keys:\n%s", len(lines), strings.Join(lines, "\n"))
	}
	for i, want := range []string{
		"longest exposure of a dead key",
		"stood before for w [0x200000, +4096) REMOTE_READ pd pB qp qB, now for w [0x200000, +2048) REMOTE_WRITE pd pB qp qB; alive at the end",
	} {
		if !strings.HasSuffix(lines[2+i], "  "+want) {
			t.Errorf("key %d: %s\nwant … %s", i, lines[2+i], want)
		}
	}
	rec.AllKeys = true
	if lines := keyLines(t, rec); len(lines) != 2+5 {
		t.Errorf("all keys are %d, want the two declared and three made:\n%s", len(lines)-2, strings.Join(lines, "\n"))
	}
}

// TestNothingToSayOfKeys: what was declared and is still there is no news.
func TestNothingToSayOfKeys(t *testing.T) {
	rec := record(t, strings.Split(keyWorld, "hosts:")[0]+"ops: [{on: A, wr_rdma_write: {}}]\n")
	if lines := keyLines(t, rec); lines[0] != "" {
		t.Errorf("there is nothing to say, but:\n%s", strings.Join(lines, "\n"))
	}
}

// TestKeysThatMatterFirst: where there is no room for all, those with another
// meaning stay.
func TestKeysThatMatterFirst(t *testing.T) {
	text := keyWorld
	for i := range 20 {
		text += fmt.Sprintf("  - {on: B, wr_local_inv: {invalidate: w}}\n"+
			"  - {on: B, wr_bind_mw: {mw: w, mr: mB, length: %dKiB, access: [REMOTE_WRITE], key_byte: 7}}\n", 2+2*(i/19))
	}
	lines := keyLines(t, record(t, text))
	if n := strings.Count(strings.Join(lines, "\n"), "stood before for"); n != 2 {
		t.Errorf("%d keys with another meaning are shown, want both", n)
	}
	if last := lines[len(lines)-1]; !strings.HasPrefix(last, "… and 10 more keys") {
		t.Errorf("the last line is %q", last)
	}
}

// TestKeysInJSON: all lives are there, with both meanings.
func TestKeysInJSON(t *testing.T) {
	var b bytes.Buffer
	if err := writeJSON(&b, []*Record{record(t, keyWorld)}); err != nil {
		t.Fatal(err)
	}
	var doc struct{ Runs []struct{ Keys []keyDoc } }
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	keys := doc.Runs[0].Keys
	if len(keys) != 5 {
		t.Fatalf("%d keys", len(keys))
	}
	m, w := keys[2], keys[4]
	if !m.Dead || m.By != "dereg-mr" || m.Remote.Count != 1 || m.Exposure != m.Died-m.Remote.Last || m.Exposure < 10_000_000 {
		t.Errorf("the region: %+v", m)
	}
	if w.Dead || !w.Reused || w.Before == nil || w.Before.Length != 4096 || w.Meaning.Length != 2048 {
		t.Errorf("the window: %+v", w)
	}
}
