package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"hcasim/scenario"
)

// version returns the version of the program, as the Go toolchain knows it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

func (p *program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Show the versions of the program and of the model",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(p.out, "hcasim %s, model %d, %s %s/%s\n",
				version(), scenario.ModelVersion, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
