package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"hcasim/scenario/run"
)

// A keyDoc is the life of a key. Times are in picoseconds.
type keyDoc struct {
	Key      string      `json:"key"`
	Host     string      `json:"host"`
	Meaning  meaningDoc  `json:"meaning"`
	Before   *meaningDoc `json:"before,omitempty"` // what the value stood for the last time
	Reused   bool        `json:"reused"`
	Declared bool        `json:"declared"`
	Born     uint64      `json:"born_ps"`
	Dead     bool        `json:"dead"`
	Died     uint64      `json:"died_ps,omitempty"`
	By       string      `json:"by,omitempty"`
	Remote   *usesDoc    `json:"remote,omitempty"`
	Local    *usesDoc    `json:"local,omitempty"`
	Exposure uint64      `json:"exposure_ps"`
	Denied   uint64      `json:"denied"`
	Refused  uint64      `json:"refused_after_death"`
	Late     uint64      `json:"granted_after_death"`
}

type meaningDoc struct {
	Object string   `json:"object"`
	Kind   string   `json:"kind"`
	Start  string   `json:"start"`
	Length uint64   `json:"bytes"`
	Rights []string `json:"rights"`
	PD     string   `json:"pd,omitempty"`
	QP     string   `json:"qp,omitempty"`
}

type usesDoc struct {
	Count uint64 `json:"count"`
	First uint64 `json:"first_ps"`
	Last  uint64 `json:"last_ps"`
}

func docOfMeaning(m *run.KeyMeaning) meaningDoc {
	rights := slices.DeleteFunc(strings.Split(m.Rights.String(), "|"), func(s string) bool { return s == "0" })
	return meaningDoc{m.Object, m.Kind.String(), fmt.Sprintf("%#x", m.Start), m.Length, rights, m.PD, m.QP}
}

func docOfUses(u *run.KeyUses) *usesDoc {
	if u.Count == 0 {
		return nil
	}
	return &usesDoc{u.Count, uint64(u.First), uint64(u.Last)}
}

func (rec *Record) docOfKey(l *run.KeyLife) keyDoc {
	d := keyDoc{
		Key: fmt.Sprintf("0x%08x", uint32(l.Key)), Host: l.Host, Meaning: docOfMeaning(&l.Meaning), Reused: l.Reused(),
		Declared: l.Declared, Born: uint64(l.Born), Dead: l.Dead, Remote: docOfUses(&l.Remote), Local: docOfUses(&l.Local),
		Exposure: uint64(l.Exposure(rec.Result.Now)), Denied: l.Denied, Refused: l.Refused, Late: l.Late,
	}
	if l.Before != nil {
		before := docOfMeaning(l.Before)
		d.Before = &before
	}
	if l.Dead {
		d.Died, d.By = uint64(l.Died), l.By.String()
	}
	return d
}

// keyColumns are the columns of keys.csv; doc.go explains them.
var keyColumns = []string{"key", "host", "object", "kind", "start", "bytes", "rights", "pd", "qp",
	"reused", "declared", "born_ps", "died_ps", "by",
	"remote_uses", "remote_first_ps", "remote_last_ps", "local_uses", "local_first_ps", "local_last_ps",
	"exposure_ps", "denied", "refused_after_death", "granted_after_death", "before"}

// keysCSV writes one row a life.
func (rec *Record) keysCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	if err := c.Write(keyColumns); err != nil {
		return err
	}
	for i := range rec.Result.Keys {
		if err := c.Write(rec.keyCells(&rec.Result.Keys[i])); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

func (rec *Record) keyCells(l *run.KeyLife) []string {
	d := rec.docOfKey(l)
	number := func(n uint64) string { return strconv.FormatUint(n, 10) }
	uses := func(u *usesDoc) []string {
		if u == nil {
			return []string{"0", "", ""}
		}
		return []string{number(u.Count), number(u.First), number(u.Last)}
	}
	died, before := "", ""
	if d.Dead {
		died = number(d.Died)
	}
	if l.Before != nil {
		before = meaning(l.Before)
	}
	m := d.Meaning
	row := []string{d.Key, d.Host, m.Object, m.Kind, m.Start, number(m.Length), l.Rights.Short(), m.PD, m.QP,
		flag(d.Reused), flag(d.Declared), number(d.Born), died, d.By}
	row = append(append(row, uses(d.Remote)...), uses(d.Local)...)
	return append(row, number(d.Exposure), number(d.Denied), number(d.Refused), number(d.Late), before)
}
