package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"hcasim/report"
	"hcasim/scenario/lang"
	"hcasim/scenario/starter"
)

// An initCall is one hcasim init.
type initCall struct {
	*program
	template string
	force    bool
	list     bool
}

func (p *program) initCommand() *cobra.Command {
	x := &initCall{program: p}
	c := &cobra.Command{
		Use:   "init [NAME|FOLDER]",
		Short: "Write files to start from, which run as they are",
		Long: "init writes commented files that run as they are, and the schema that an editor checks and\n" +
			"completes them by. They are called NAME, or my- and the template's name; a FOLDER is one that\n" +
			"is there, or ends with a slash. Nothing that is there is written over but with --force.",
		Example: "  hcasim init --list\n  hcasim init my-test\n  hcasim init --template sweep studies/cache-size\n  hcasim init --template ci my-adapter",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("hcasim init wants one NAME or FOLDER, not %d (hcasim init --help)", len(args))
			}
			return nil
		},
		ValidArgsFunction: only(1, completeFolders),
		RunE:              func(_ *cobra.Command, args []string) error { return x.write(strings.Join(args, "")) },
	}
	f := c.Flags()
	f.StringVarP(&x.template, "template", "t", starter.Templates[0].Name, "`NAME`: "+strings.Join(starter.Names(), ", "))
	f.BoolVar(&x.list, "list", false, "list the templates")
	f.BoolVar(&x.force, "force", false, "write over files that are there")
	complete(c, map[string]cobra.CompletionFunc{
		"template": func(*cobra.Command, []string, string) (words []string, d cobra.ShellCompDirective) {
			for _, t := range starter.Templates {
				words = append(words, t.Name+"\t"+t.About)
			}
			return words, cobra.ShellCompDirectiveNoFileComp
		},
	})
	return c
}

// write writes the files of a template, or lists the templates.
func (x *initCall) write(target string) error {
	if x.list {
		return x.listed()
	}
	t, found := starter.Named(x.template)
	if !found {
		return fmt.Errorf("--template: there is no template %q; %s (hcasim init --list)", x.template, lang.DidYouMean(x.template, starter.Names()))
	}
	w, err := starter.Write(starter.Request{Template: t, Target: target, Force: x.force})
	var unwritten *starter.Unwritten
	switch {
	case errors.As(err, &unwritten):
		return &failure{statusUnwritten, err}
	case err != nil:
		return err
	}
	var b strings.Builder
	for _, f := range w.Files {
		fmt.Fprintf(&b, "wrote %s\n", f)
	}
	fmt.Fprintln(&b, "next:")
	for _, n := range w.Next {
		fmt.Fprintln(&b, "  "+n)
	}
	for _, f := range w.Stale {
		_, _ = fmt.Fprintf(x.err, "%s is there and of another version of hcasim: without it, hcasim init writes it anew\n", f)
	}
	if _, err := fmt.Fprint(x.out, b.String()); err != nil {
		return &failure{statusUnwritten, err}
	}
	return nil
}

func (x *initCall) listed() error {
	t := report.NewTable("template", "what it is")
	for _, one := range starter.Templates {
		t.Row(one.Name, one.About)
	}
	if err := t.Write(x.out, false); err != nil {
		return &failure{statusUnwritten, err}
	}
	return nil
}
