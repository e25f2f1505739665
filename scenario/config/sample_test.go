package config

import (
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"hcasim/scenario/lang"
	"hcasim/sim"
)

// A policy is a word of a closed list.
type policy string

// A sample has a field of every kind, in the shape that rooms give them.
type sample struct {
	HCA  sampleHCA  `yaml:"hca" doc:"The adapter."`
	Wire sampleWire `yaml:"wire" doc:"The cable."`
}

type sampleHCA struct {
	Clock sim.Hertz `yaml:"clock" default:"250MHz" min:"1MHz" max:"10GHz" doc:"Core clock."`
	Cache struct {
		QPC sampleCache `yaml:"qpc" doc:"Contexts."`
		MPT sampleCache `yaml:"mpt" doc:"Protection entries."`
	} `yaml:"cache" doc:"On-chip copies."`
	sampleLimits
	scratch int    //lint:ignore U1000 an unexported field is no parameter
	Name    string `yaml:"-"`
}

type sampleCache struct {
	Entries uint32     `yaml:"entries" default:"1024" min:"1" max:"65536" doc:"Entries held." unit:"entries"`
	Ways    uint32     `yaml:"ways" default:"4" min:"1" doc:"Entries of a set."`
	Latency sim.Cycles `yaml:"latency" default:"5" min:"1" max:"1000" doc:"From key to entry, on a hit."`
	Replace policy     `yaml:"replace" default:"lru" enum:"lru,plru,random" doc:"Which entry makes room."`
}

// Embedded without a name, so its fields are the adapter's own.
type sampleLimits struct {
	Skew int8 `yaml:"skew" default:"0" max:"100" doc:"A number with a sign."`
}

type sampleWire struct {
	Rate  sim.BitRate  `yaml:"rate" default:"100Gb/s" min:"1Gb/s" max:"1Tb/s" doc:"After coding."`
	Delay sim.Duration `yaml:"delay" default:"500ns" max:"1ms" doc:"One way."`
	MTU   sim.Bytes    `yaml:"mtu" default:"4KiB" min:"256B" max:"4KiB" doc:"Largest payload."`
	Pause bool         `yaml:"pause" default:"false" doc:"Whether the receiver may stop the sender."`
	Label string       `yaml:"label" default:"010" doc:"Free text that looks like a number."`
	Big   uint64       `yaml:"big" default:"0" doc:"No bounds."`
}

// parse reads a tree, or fails.
func parse(t testing.TB, text string) *yaml.Node {
	t.Helper()
	var n yaml.Node
	if err := yaml.Load([]byte(text), &n); err != nil {
		t.Fatal(err)
	}
	return &n
}

// print writes problems as the command line would, one a line.
func print(problems []lang.Problem) string {
	var b strings.Builder
	for _, p := range problems {
		b.WriteString(p.File)
		if p.Line > 0 {
			b.WriteString(":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column))
		}
		b.WriteString(": " + p.Message)
		if p.Suggestion != "" {
			b.WriteString("; " + p.Suggestion)
		}
		b.WriteString("\n")
	}
	return b.String()
}
