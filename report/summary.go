package report

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"hcasim/scenario/run"
)

// A kind is the ops of one request, or of one request and size.
type kind struct {
	request string
	bytes   uint64    // of a size; else of the first
	all     []*run.Op // in order
	ops     []*run.Op // that were done and did not fail, fastest first
	failed  int
	pending int
}

// add counts one more op.
func (k *kind) add(o *run.Op) {
	k.all = append(k.all, o)
	switch {
	case !o.Done:
		k.pending++
	case o.Failed():
		k.failed++
	default:
		k.ops = append(k.ops, o)
	}
}

// split groups ops by what is the same about them, in the order in which each
// group first appears.
func split[K comparable](ops []*run.Op, same func(*run.Op) K) (list []*kind) {
	place := map[K]*kind{}
	for _, o := range ops {
		k := place[same(o)]
		if k == nil {
			k = &kind{request: o.Request, bytes: o.Bytes}
			place[same(o)] = k
			list = append(list, k)
		}
		k.add(o)
	}
	for _, k := range list {
		slices.SortStableFunc(k.ops, func(a, b *run.Op) int { return cmp.Compare(a.Latency(), b.Latency()) })
	}
	return list
}

// bySize splits a kind by the bytes of its ops, smallest first.
func (k *kind) bySize() []*kind {
	list := split(k.all, func(o *run.Op) uint64 { return o.Bytes })
	slices.SortFunc(list, func(a, b *kind) int { return cmp.Compare(a.bytes, b.bytes) })
	return list
}

// kinds groups the ops by request.
func (rec *Record) kinds() []*kind {
	ops := make([]*run.Op, len(rec.Result.Ops))
	for i := range ops {
		ops[i] = &rec.Result.Ops[i]
	}
	return split(ops, func(o *run.Op) string { return o.Request })
}

// at returns the op of which a share of all, in parts per thousand, is not
// slower: the nearest rank.
func (k *kind) at(perMille int) *run.Op { return k.atBasis(10 * perMille) }

// atBasis is at in basis points, parts per ten thousand.
func (k *kind) atBasis(points int) *run.Op {
	i := (len(k.ops)*points + 9999) / 10_000
	return k.ops[max(i, 1)-1]
}

// summary shows the ops by request.
func (rec *Record) summary(w *bytes.Buffer) error {
	text := fmt.Sprintf("%s ops, by request; the result folder has them one by one", thousands(uint64(len(rec.Result.Ops))))
	if rec.Result.Omitted > 0 {
		text = fmt.Sprintf("the first %s of %s ops, by request; the rest is not kept",
			thousands(uint64(len(rec.Result.Ops))), thousands(uint64(len(rec.Result.Ops))+rec.Result.Omitted))
	}
	fmt.Fprintln(w, text)
	return rec.summaryTable().plain(w)
}

func (rec *Record) summaryTable() *grid {
	g := &grid{columns: []column{left("request"), right("#bytes"), right("count"), right("failed"), right("pending"),
		right("min"), right("p50"), right("p99"), right("max")}}
	for _, k := range rec.kinds() {
		if sizes := k.bySize(); len(sizes) <= fewSizes {
			for _, s := range sizes {
				s.row(g, fmt.Sprint(s.bytes))
			}
			continue
		}
		k.row(g, "various")
	}
	return g
}

// fewSizes is how many sizes of one request have a row each.
const fewSizes = 8

func (k *kind) row(g *grid, size string) {
	cells := []string{k.request, size, fmt.Sprint(len(k.ops) + k.failed + k.pending), unlessZero(k.failed), unlessZero(k.pending)}
	for _, share := range []int{0, 500, 990, 1000} {
		if len(k.ops) == 0 {
			cells = append(cells, "-")
			continue
		}
		cells = append(cells, micro(k.at(share).Latency()))
	}
	g.row(cells...)
}

func unlessZero(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}
