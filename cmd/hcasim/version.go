package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"hcasim/scenario"
)

// version returns the version of the program, as the Go toolchain knows it.
func version() string {
	if v := built().Version; v != "" {
		return v
	}
	return "(devel)"
}

// An identity is what is known of how the program came about.
type identity struct {
	Version  string `json:"version"`
	Model    int    `json:"model"` // results of equal models are equal
	Revision string `json:"revision,omitempty"`
	Time     string `json:"time,omitempty"` // of the revision
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
}

func built() identity {
	b := identity{Model: scenario.ModelVersion, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	b.Version = info.Main.Version
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.time":
			b.Time = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

func (p *program) versionCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "version",
		Short: "Show the versions of the program and of the model",
		Long: "Version says which program this is, and which model: results of equal models are\n" +
			"equal, byte for byte, whatever the program and the machine.",
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			b := built()
			if asJSON {
				b.Version = version()
				text, err := json.MarshalIndent(b, "", "  ")
				if err == nil {
					_, err = fmt.Fprintf(p.out, "%s\n", text)
				}
				return err
			}
			_, err := fmt.Fprintf(p.out, "hcasim %s, model %d, %s %s/%s\n", version(), b.Model, b.Go, b.OS, b.Arch)
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return c
}
