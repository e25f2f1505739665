package reference

import (
	_ "embed"

	"go.yaml.in/yaml/v4"
)

// exampleText has an example for each entry, steps that begin with - or parts
// of a file, and under set-up: the file that they belong to.
//
//go:embed examples.yaml
var exampleText []byte

func examples() map[string]string {
	var texts map[string]string
	if err := yaml.Load(exampleText, &texts); err != nil {
		panic("reference: the examples cannot be read: " + err.Error())
	}
	return texts
}
