package config_test

import (
	"fmt"

	"go.yaml.in/yaml/v4"

	"hcasim/scenario/config"
	"hcasim/scenario/lang"
	"hcasim/wire"
)

// A tree of parameters is any struct whose fields are tagged.
type cable struct {
	Wire wire.Params `yaml:"wire" doc:"The link."`
}

func Example() {
	s := config.New[cable]()
	apply := func(text string) []lang.Problem {
		var tree yaml.Node
		if err := yaml.Load([]byte(text), &tree); err != nil {
			panic(err)
		}
		return s.Apply("", &tree, config.In("cable.yaml"))
	}
	apply("wire: {length: 30}")
	fmt.Println(s.Params.Wire.Propagation())

	origin, _ := s.Origin("wire.length")
	fmt.Println(origin)

	for _, p := range apply("wire: {lenght: 30}") {
		fmt.Printf("%s:%d:%d: %s; %s\n", p.File, p.Line, p.Column, p.Message, p.Suggestion)
	}
	fmt.Println(config.DescribeUnder(s.Params, "wire.mtu")[0].Range())
	// Output:
	// 150ns
	// cable.yaml:1
	// cable.yaml:1:8: unknown parameter "lenght"; did you mean "length"? (hcasim params wire)
	// 256 to 4096 bytes
}
