package lang

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"hcasim/sim"
)

// WholeShare is a share of 1: shares are in its parts.
const WholeShare = 1_000_000_000

// mostPoints bounds the points of a distribution.
const mostPoints = 10_000

// A SizePoint is a point of a distribution: the share of requests that are no
// larger. Shares do not fall, and the last is WholeShare.
type SizePoint struct {
	Size  sim.Bytes
	Share uint64
}

// Points are those of a distribution, smallest first.
type Points []SizePoint

func (x *Points) read(d *decoder, n *yaml.Node, _ reflect.StructTag) { *x = d.points(n) }

// A cdfReader reads the points of a distribution, from a file or from the
// scenario itself, and says of each what is wrong with it.
type cdfReader struct {
	points Points
	places []func(message, suggestion string) // of the points, to say so
}

// add takes one more point as it is written.
func (r *cdfReader) add(size, share string, say func(message, suggestion string)) {
	var p SizePoint
	if n, err := strconv.ParseUint(size, 10, 63); err == nil {
		p.Size = sim.Bytes(n)
	} else if p.Size.UnmarshalText([]byte(size)) != nil {
		say(fmt.Sprintf("want a size in bytes, not %q", size), "such as 4096 or 4KiB")
		return
	}
	v, ok := scaled(share, WholeShare)
	if !ok {
		say(fmt.Sprintf("want a share, not %q", share), "such as 0.53, or 53 where all are percent, with at most 9 digits behind the point")
		return
	}
	p.Share = v
	if n := len(r.points); n > 0 {
		switch last := r.points[n-1]; {
		case p.Size < last.Size:
			say(fmt.Sprintf("%s after %s: sizes do not fall", p.Size, last.Size), "")
		case p.Share < last.Share:
			say(fmt.Sprintf("%s after %s: shares are cumulative, they do not fall", share, showShare(last.Share)), "")
		}
	}
	r.points, r.places = append(r.points, p), append(r.places, say)
}

// finish holds the points together: they end with all requests.
func (r *cdfReader) finish(empty func(message, suggestion string)) Points {
	if len(r.points) == 0 {
		empty("there is no point in it", "lines of a size and a cumulative share: 4096 0.53")
		return nil
	}
	n := len(r.points) - 1
	say, last := r.places[n], r.points[n]
	switch {
	case n >= mostPoints:
		r.places[mostPoints](fmt.Sprintf("a distribution has at most %d points", mostPoints), "take every n-th: between two points sizes rise in a line")
	case last.Share == 100*WholeShare:
		for i := range r.points {
			if r.points[i].Share%100 != 0 {
				r.places[i]("too many digits", "at most 7 behind the point of a percentage")
			}
			r.points[i].Share /= 100
		}
	case last.Share != WholeShare:
		say(fmt.Sprintf("shares end at %s", showShare(last.Share)), "the last is 1, or 100 where all are percent")
	}
	if last.Size == 0 {
		say("all requests are of 0 bytes", "")
	}
	return r.points
}

// showShare writes a share as it would be written in a file.
func showShare(v uint64) string {
	if v%WholeShare == 0 {
		return strconv.FormatUint(v/WholeShare, 10)
	}
	return strings.TrimRight(fmt.Sprintf("%d.%09d", v/WholeShare, v%WholeShare), "0")
}

// points reads a distribution: [[size, share], …], or the name of a file of
// such lines.
func (d *decoder) points(n *yaml.Node) Points {
	if n.Kind == yaml.SequenceNode {
		return d.pairs(n)
	}
	name, ok := d.text(n, "the name of a file, or [[size, share], …]")
	if !ok {
		return nil
	}
	was, known := d.distributions[n]
	switch {
	case known && was.name == name:
		return was.points
	case known:
		d.node(n, fmt.Sprintf("%s here, and %s in another round of the loop", name, was.name), "a step of its own for each file")
		return nil
	case d.beside == nil:
		d.node(n, "no file can be read here", "cdf: [[64, 0.5], [4096, 1]]")
		return nil
	}
	src, err := d.beside(name)
	if err != nil {
		d.node(n, fmt.Sprintf("%s: %v", name, err), "a file of lines of a size and a cumulative share, beside the scenario or with its whole path")
		return nil
	}
	points := d.distribution(src)
	if d.distributions == nil {
		d.distributions = map[*yaml.Node]distribution{}
	}
	d.distributions[n] = distribution{name, points}
	return points
}

// A distribution is what a file of one was read as.
type distribution struct {
	name   string
	points Points
}

// node returns the same as it stands in a scenario.
func (x *distribution) node() *yaml.Node {
	list := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for _, p := range x.points {
		pair := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle, Content: []*yaml.Node{
			{Kind: yaml.ScalarNode, Value: strconv.FormatUint(uint64(p.Size), 10)},
			{Kind: yaml.ScalarNode, Value: showShare(p.Share)},
		}}
		list.Content = append(list.Content, pair)
	}
	return list
}

// pairs reads points that stand in the scenario.
func (d *decoder) pairs(n *yaml.Node) Points {
	var r cdfReader
	for _, pair := range n.Content {
		if pair.Kind != yaml.SequenceNode || len(pair.Content) != 2 {
			d.node(pair, "a point is a size and a cumulative share", "such as [4096, 0.53]")
			continue
		}
		size, ok1 := d.text(pair.Content[0], "a size")
		share, ok2 := d.text(pair.Content[1], "a share")
		if ok1 && ok2 {
			r.add(size, share, func(message, suggestion string) { d.node(pair, message, suggestion) })
		}
	}
	if len(r.points) == 0 && len(n.Content) > 0 {
		return nil // each was told
	}
	return r.finish(func(message, suggestion string) { d.node(n, message, suggestion) })
}

// distribution reads the lines of a file: a size and a cumulative share, with a
// comma or without; # begins a comment.
func (d *decoder) distribution(src Source) Points {
	d.sources = append(d.sources, src)
	var r cdfReader
	for i, line := range strings.Split(string(src.Data), "\n") {
		text, _, _ := strings.Cut(line, "#")
		fields := strings.FieldsFunc(text, func(c rune) bool { return c == ' ' || c == '\t' || c == ',' || c == '\r' })
		if len(fields) == 0 {
			continue
		}
		say := func(message, suggestion string) {
			at := Pos{src.Name, i + 1, 1 + len([]rune(line)) - len([]rune(strings.TrimLeft(line, " \t")))}
			d.at(at, len([]rune(strings.TrimSpace(text))), message, suggestion)
		}
		if len(fields) != 2 {
			say("a line has a size and a cumulative share", "such as 4096 0.53")
			continue
		}
		r.add(fields[0], fields[1], say)
	}
	return r.finish(func(message, suggestion string) { d.at(Pos{src.Name, 1, 1}, 1, message, suggestion) })
}
