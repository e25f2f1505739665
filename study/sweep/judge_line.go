package sweep

import (
	"fmt"
	"math"

	"hcasim/scenario/figure"
	"hcasim/scenario/sweep"
)

// trend judges whether a line rises, or falls.
func (l *line) trend() finding {
	sign, word, back := 1.0, "rises", "falls"
	if l.e.Kind == sweep.Falls {
		sign, word, back = -1, "falls", "rises"
	}
	name, along := l.e.Metric.Name, l.e.Along.Name
	last := len(l.y) - 1
	from, to := l.value(l.y[0]), l.value(l.y[last])
	best := 0
	for i := range l.y {
		slip := sign * (l.y[best] - l.y[i])
		if slip > l.e.Slack*math.Abs(l.y[best]) {
			return finding{margin: -share(slip, l.y[best]), text: fmt.Sprintf("%s does not always %s along %s: it %s from %s at %s to %s at %s%s",
				name, word[:len(word)-1], along, back, l.value(l.y[best]), l.at(best), l.value(l.y[i]), l.at(i), l.group.in())}
		}
		if slip < 0 {
			best = i
		}
	}
	gain := sign * (l.y[last] - l.y[0])
	if gain <= 0 {
		return finding{margin: gain, text: fmt.Sprintf("%s does not %s along %s: it is %s at %s and %s at %s%s",
			name, word[:len(word)-1], along, from, l.at(0), to, l.at(last), l.group.in())}
	}
	f := finding{ok: true, margin: share(gain, l.y[0]), text: fmt.Sprintf("%s %s along %s from %s at %s to %s at %s%s",
		name, word, along, from, l.at(0), to, l.at(last), l.group.in())}
	if l.e.Least == nil {
		return f
	}
	factor := l.y[last] / l.y[0]
	if l.e.Kind == sweep.Falls {
		factor = 1 / factor
	}
	f.ok, f.margin = factor >= *l.e.Least, factor
	if math.IsInf(factor, 0) { // from nothing to something
		f.text += fmt.Sprintf(", expected at least %s times", figure.Number(*l.e.Least))
		return f
	}
	f.text += fmt.Sprintf(", %s times, expected at least %s", figure.Number(factor), figure.Number(*l.e.Least))
	return f
}

// share is a part of a whole; of nothing, all.
func share(part, whole float64) float64 {
	if whole == 0 {
		return math.Inf(1)
	}
	return math.Abs(part / whole)
}

// flat judges whether a line stays within a share of its greatest.
func (l *line) flat() finding {
	least, most := 0, 0
	for i, y := range l.y {
		if y < l.y[least] {
			least = i
		}
		if y > l.y[most] {
			most = i
		}
	}
	apart := 0.0
	if top := max(math.Abs(l.y[least]), math.Abs(l.y[most])); top > 0 {
		apart = (l.y[most] - l.y[least]) / top
	}
	f := finding{ok: apart <= l.e.Within, margin: l.e.Within - apart}
	word := "is flat"
	if !f.ok {
		word = "is not flat"
	}
	f.text = fmt.Sprintf("%s %s along %s: %s at %s, %s at %s, %s apart, expected at most %s%s", l.e.Metric.Name, word, l.e.Along.Name,
		l.value(l.y[least]), l.at(least), l.value(l.y[most]), l.at(most), percent(apart), percent(l.e.Within), l.group.in())
	return f
}

// The least that counts as a bend, as a share of how much the line changes,
// and the least change that counts, as a share of its greatest.
const (
	leastBend   = 0.05
	leastChange = 0.01
)

// bend returns where a line is farthest from the straight one between its
// ends; false if it has no bend.
func (l *line) bend() (at int, found bool) {
	xs := make([]float64, len(l.x))
	for i, x := range l.x {
		xs[i] = x
		if l.e.Along.Log && l.x[0] > 0 {
			xs[i] = math.Log(x)
		}
	}
	last := len(xs) - 1
	least, most := l.y[0], l.y[0]
	for _, y := range l.y {
		least, most = min(least, y), max(most, y)
	}
	if most-least <= leastChange*max(math.Abs(most), math.Abs(least)) {
		return 0, false
	}
	farthest := 0.0
	for i := 1; i < last; i++ {
		straight := l.y[0] + (l.y[last]-l.y[0])*(xs[i]-xs[0])/(xs[last]-xs[0])
		d := (l.y[i] - straight) / (most - least)
		switch l.e.Bend {
		case "up":
			d = -d
		case "":
			d = math.Abs(d)
		}
		if d > farthest {
			at, farthest = i, d
		}
	}
	return at, farthest >= leastBend
}

// knee judges where a line bends.
func (l *line) knee() finding {
	name, along := l.e.Metric.Name, l.e.Along
	env := figure.Env(l.table.Study.Named(l.group.rows[0].Values)...)
	low, high, err := bounds(l.e, env)
	if err != nil {
		return finding{text: err.Error(), margin: math.Inf(-1)}
	}
	expected := fmt.Sprintf("expected %s to %s", figure.Text(low, along.Unit), figure.Text(high, along.Unit))
	at, found := l.bend()
	if !found {
		return finding{margin: math.Inf(-1), text: fmt.Sprintf("%s has no knee along %s%s, %s", name, along.Name, l.group.in(), expected)}
	}
	x := l.x[at]
	return finding{ok: x >= low && x <= high, margin: min(x/low, high/x),
		text: fmt.Sprintf("knee of %s at %s%s, %s", name, l.at(at), l.group.in(), expected)}
}

// bounds are where a place must lie.
func bounds(e *sweep.Expectation, env figure.Figures) (low, high float64, err error) {
	if low, err = e.Low.Number(env); err != nil {
		return 0, 0, err
	}
	high, err = e.High.Number(env)
	return low, high, err
}
