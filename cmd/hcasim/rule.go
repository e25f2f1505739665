package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"hcasim/report"
	"hcasim/rules"
)

// ruleTopic is hcasim help rule [ID]. Cobra hands what follows a topic to
// nobody, so that the help command is asked first.
func (p *program) ruleTopic(root *cobra.Command) {
	topic := &cobra.Command{
		Use: "rule", Short: "The rules of protection: help rule MW-9 shows one, help rule MW those of a subject",
		Long: "hcasim refuses by rules, and says which. hcasim help rule MW-9 shows one, hcasim help rule MW\n" +
			"all of a subject; docs/rules.md has them all.\n\n" + report.RuleGroups(),
	}
	root.AddCommand(topic)
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		if c.Name() != "help" {
			continue
		}
		before, complete := c.Run, c.ValidArgsFunction
		c.Run = nil
		c.RunE = func(c *cobra.Command, args []string) error {
			if len(args) > 1 && args[0] == topic.Name() {
				return p.rules(args[1:])
			}
			before(c, args)
			return nil
		}
		c.ValidArgsFunction = func(c *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) == 1 && args[0] == topic.Name() {
				return ruleIDs(begun), cobra.ShellCompDirectiveNoFileComp
			}
			return complete(c, args, begun)
		}
	}
}

// rules shows what is asked for.
func (p *program) rules(names []string) error {
	var b strings.Builder
	for _, name := range names {
		text, err := report.Rule(name)
		if err != nil {
			return err
		}
		b.WriteString(text)
	}
	if _, err := fmt.Fprint(p.out, b.String()); err != nil {
		return &failure{statusUnwritten, err}
	}
	return nil
}

// ruleIDs completes an id.
func ruleIDs(begun string) (ids []string) {
	for _, id := range rules.IDs() {
		if strings.HasPrefix(id, strings.ToUpper(begun)) {
			ids = append(ids, id)
		}
	}
	return ids
}
