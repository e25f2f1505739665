package scenario

import (
	"encoding/json"

	"github.com/invopop/jsonschema"

	"hcasim/scenario/config"
)

//go:generate go test -run ^TestProfileSchema$ -update .

// ProfileSchema returns the JSON Schema of profiles, made from the parameters.
func ProfileSchema() ([]byte, error) {
	s := config.ProfileSchemaOf(&config.World{})
	s.Version = jsonschema.Version
	s.ID = "https://hcasim/profile.v1.json"
	s.Required = []string{"version", "kind", "name", "about"}
	group, _ := s.Properties.Get("host")
	name := &jsonschema.Schema{Type: "string", Description: "The profile of the host that the device is usually found in."}
	s.Properties.Set("host", &jsonschema.Schema{AnyOf: []*jsonschema.Schema{name, group}})
	s.Properties.Set("base", &jsonschema.Schema{Type: "string", Description: "The profile that this one lies over: it has the other values, and they count as estimates."})
	s.Properties.Set("version", &jsonschema.Schema{Const: 1})
	s.Properties.Set("kind", &jsonschema.Schema{Const: "profile"})
	s.Properties.Set("name", &jsonschema.Schema{Type: "string", Description: "As the file is called, without .yaml."})
	s.Properties.Set("about", &jsonschema.Schema{Type: "string", Description: "What it stands for, and what is left out."})
	text, err := json.MarshalIndent(s, "", " ")
	return append(text, '\n'), err
}
