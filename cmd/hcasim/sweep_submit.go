package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"hcasim/study/sweep"
)

func (p *program) sweepSubmitCommand() *cobra.Command {
	s := &sweepCall{program: p}
	c := &cobra.Command{
		Use:   "submit STUDY",
		Short: "Write what a cluster needs to run a study in parts",
		Long: "submit plans a study and prints a script, a file or a command that runs it in parts and\n" +
			"merges them. It submits nothing unless it is told --now, which Slurm alone has.",
		Example: "  hcasim sweep submit scenarios/studies/demo.yaml --engine slurm --out out > job.sh\n" +
			"  hcasim sweep submit scenarios/studies/demo.yaml --engine parallel --out out | sh",
		Args:              theStudy("submit"),
		ValidArgsFunction: only(1, completeYAML),
		RunE:              func(_ *cobra.Command, args []string) error { return s.submitted(args[0]) },
	}
	s.add(c)
	f := c.Flags()
	f.StringVar(&s.submit.Engine, "engine", "", "`NAME`: "+strings.Join(sweep.Engines, ", "))
	f.StringVar(&s.submit.Image, "image", "hcasim:latest", "of --engine k8s: `IMAGE` with hcasim and the study")
	f.StringVar(&s.submit.Claim, "claim", "hcasim", "of --engine k8s: `NAME` of the claim of the volume that all parts share")
	f.BoolVar(&s.now, "now", false, "submit it, with sbatch")
	complete(c, map[string]cobra.CompletionFunc{"engine": fixed(sweep.Engines...)})
	return c
}

func (s *sweepCall) submitted(file string) error {
	if err := s.submit.Check(); err != nil {
		return err
	}
	if s.now && s.submit.Engine != "slurm" {
		return fmt.Errorf("--now submits to slurm; what --engine %s prints is for you to submit", s.submit.Engine)
	}
	w, err := s.open(file)
	if err != nil {
		return err
	}
	if s.submit.Program, err = os.Executable(); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := w.Submit(&b, s.submit); err != nil {
		return err
	}
	if !s.now {
		if _, err := s.out.Write(b.Bytes()); err != nil {
			return &failure{statusUnwritten, err}
		}
		return nil
	}
	sh := exec.Command("sh")
	sh.Stdin, sh.Stdout, sh.Stderr = &b, s.out, s.err
	if err := sh.Run(); err != nil {
		return fmt.Errorf("--now: %w", err)
	}
	return nil
}
