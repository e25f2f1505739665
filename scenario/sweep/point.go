package sweep

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"hcasim/scenario/figure"
)

// A Point is one run of a study.
type Point struct {
	Index  int // among all, from 0
	Row    int // what it has in common with the points of other seeds
	Repeat int // of its row, from 0
	Seed   uint64
	Values []*Value // of each axis
}

// Count returns how many points there are.
func (s *Study) Count() int { return len(s.rows) * s.Repeat }

// Rows returns how many rows there are: points but for their seeds.
func (s *Study) Rows() int { return len(s.rows) }

// Row returns the values of a row, one for each axis.
func (s *Study) Row(i int) []*Value { return s.rows[i] }

// Point returns a point. Its seed is drawn from that of the study by its
// index, so it depends on nothing else.
func (s *Study) Point(i int) Point {
	row := i / s.Repeat
	return Point{
		Index: i, Row: row, Repeat: i % s.Repeat, Values: s.rows[row],
		Seed: rand.NewPCG(s.Seed, uint64(i)).Uint64()>>1 | 1, // a seed of 0 means none
	}
}

// Named returns the values of a row by their axes, as expressions have them.
func (s *Study) Named(row []*Value) []figure.Value {
	list := make([]figure.Value, len(row))
	for i, v := range row {
		list[i] = figure.Value{Name: s.Axes[i].Name, Number: v.Number}
		if s.Axes[i].Words {
			list[i].Word = v.Text
		}
	}
	return list
}

// Beside returns the values of a row for metrics, which may name axes.
func (s *Study) Beside(row []*Value) map[string]any {
	return figure.Env(s.Named(row)...)
}

// Said returns a row in words: entries = 64, page = 4KiB.
func (s *Study) Said(row []*Value) string {
	words := make([]string, len(row))
	for i, v := range row {
		words[i] = s.Axes[i].Name + " = " + v.Text
	}
	return strings.Join(words, ", ")
}

// settings returns what a point lays over its scenario, in the order in which
// later ones win: of the study, of the axes, the seed.
func (s *Study) settings(p *Point) []Setting {
	list := append([]Setting(nil), s.set...)
	seeded := false
	for _, v := range p.Values {
		list = append(list, v.settings...)
	}
	for i := range list {
		seeded = seeded || list[i].Path == "run.seed"
	}
	if !seeded && !s.seeded {
		list = append(list, Setting{Path: "run.seed", Value: fmt.Sprint(p.Seed)})
	}
	return list
}

// place returns which scenario a point runs: that of an axis goes before that
// of the study.
func (s *Study) place(p *Point) place {
	at := s.base
	for _, v := range p.Values {
		if v.base.file != "" {
			at.file, at.name, at.pos = v.base.file, "", v.base.pos
		}
		if v.base.name != "" {
			at.name, at.pos = v.base.name, v.base.pos
		}
	}
	return at
}
