package report

import (
	"fmt"
	"io"

	"hcasim/scenario"
	"hcasim/sim"
)

// A bounded writes a file of a result up to what run.limits.output says: no
// trace fills a disk because nobody knew how long it would be.
type bounded struct {
	to         io.Writer
	name       string
	most, left sim.Bytes
}

// within bounds a file of a run's result.
func within(r *scenario.Run, name string, to io.Writer) io.Writer {
	most := r.Scenario.Run.Limits.OutputOf()
	return &bounded{to: to, name: name, most: most, left: most}
}

// Write writes all or nothing.
func (b *bounded) Write(p []byte) (int, error) {
	if sim.Bytes(len(p)) > b.left {
		b.left = 0
		return 0, fmt.Errorf("%s would be larger than %s: --set run.limits.output=%s allows more", b.name, b.most, 4*b.most)
	}
	b.left -= sim.Bytes(len(p))
	return b.to.Write(p)
}
