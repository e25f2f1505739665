package figure

import (
	"maps"
	"slices"
	"strings"
)

// Figures are the figures of a run by name: numbers, and groups of them, which
// are Figures too. Dots join the names.
type Figures map[string]any

// Put keeps a figure under its dotted name. Where a group and a figure have
// one name, the first of them stays.
func (f Figures) Put(name string, v float64) { f.put(name, v) }

// put keeps any value: those of axes may be words.
func (f Figures) put(name string, v any) {
	group, rest, dotted := strings.Cut(name, ".")
	if !dotted {
		if f[name] == nil {
			f[name] = v
		}
		return
	}
	if f[group] == nil {
		f[group] = Figures{}
	}
	if g, fine := f[group].(Figures); fine {
		g.put(rest, v)
	}
}

// Get returns the figure of a dotted name.
func (f Figures) Get(name string) (v float64, found bool) {
	x := f.value(name)
	v, found = x.(float64)
	return v, found
}

// value returns what stands under a dotted name, a group too; nil for nothing.
func (f Figures) value(name string) any {
	group, rest, dotted := strings.Cut(name, ".")
	if !dotted {
		return f[name]
	}
	if g, fine := f[group].(Figures); fine {
		return g.value(rest)
	}
	return nil
}

// Names returns all dotted names, sorted.
func (f Figures) Names() (all []string) {
	for _, name := range slices.Sorted(maps.Keys(f)) {
		if g, group := f[name].(Figures); group {
			for _, below := range g.Names() {
				all = append(all, name+"."+below)
			}
			continue
		}
		all = append(all, name)
	}
	return all
}
