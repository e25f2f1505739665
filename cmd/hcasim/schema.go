package main

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hcasim/scenario/lang"
	"hcasim/scenarios"
)

// schemas are the kinds of files that have a schema.
var schemas = []string{"scenario", "profile", "validation", "testbed", "study"}

func (p *program) schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema [" + strings.Join(schemas, "|") + "]",
		Short: "Show the JSON Schema of a kind of file, for editors",
		Long: "schema writes the JSON Schema of a kind of file. An editor with a YAML language\n" +
			"server completes and checks files that begin with\n\n" +
			"  # yaml-language-server: $schema=scenario.v1.json",
		Example:   "  hcasim schema scenario > scenario.v1.json",
		Args:      atMostOne("KIND"),
		ValidArgs: schemas,
		RunE: func(_ *cobra.Command, args []string) error {
			return p.schema(strings.Join(append(args, "scenario")[:1], ""))
		},
	}
}

func (p *program) schema(kind string) error {
	if !slices.Contains(schemas, kind) {
		return fmt.Errorf("there is no schema %q; %s (hcasim schema --help)", kind, lang.DidYouMean(kind, schemas))
	}
	text, err := fs.ReadFile(scenarios.Schemas, "schema/"+kind+".v1.json")
	if err != nil {
		panic("hcasim: the schemas are not embedded: " + err.Error())
	}
	if _, err := p.out.Write(text); err != nil {
		return &failure{statusUnwritten, err}
	}
	return nil
}
