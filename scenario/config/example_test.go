package config_test

import (
	"fmt"

	"hcasim/scenario/config"
	"hcasim/wire"
)

// A tree of parameters is any struct whose fields are tagged.
type cable struct {
	Wire wire.Params `yaml:"wire" doc:"The link."`
}

func Example() {
	s := config.New[cable]()
	s.Set("wire.length=30")
	fmt.Println(s.Params.Wire.Propagation())

	origin, _ := s.Origin("wire.length")
	fmt.Println(origin)

	for _, p := range s.Set("wire.lenght=30") {
		fmt.Printf("%s: %s; %s\n", p.File, p.Message, p.Suggestion)
	}
	fmt.Println(config.DescribeUnder(s.Params, "wire.mtu")[0].Range())
	// Output:
	// 150ns
	// --set
	// --set wire.lenght: unknown parameter; did you mean "length"? (hcasim params wire)
	// 256 to 4096 bytes
}
