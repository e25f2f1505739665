package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"hcasim/report"
	"hcasim/rules"
)

// A namedTopic is a page of the help of which one may ask for parts by name.
type namedTopic struct {
	name  string
	page  func(name string) (string, error)
	names func() []string
	alone func() string // without a name; nil: what cobra shows
}

// namedTopics are hcasim help rule [ID], help faults [CAUSE], help params [PATH]
// and help language [WORD]. Cobra hands what follows a topic to nobody, so that
// the help command is asked first.
func (p *program) namedTopics(root *cobra.Command) {
	topics := []namedTopic{
		{"rule", report.Rule, rules.IDs, nil}, {"faults", report.Fault, report.FaultNames, nil},
		{"params", report.ParamsText, report.ParamPaths, report.ParamsPage},
		{"language", report.LanguageWord, report.Words, report.Language}, // reading the schema takes some ms: not at each start
	}
	root.AddCommand(&cobra.Command{
		Use: "rule", Short: "The rules of protection: help rule MW-9 shows one, help rule MW those of a subject",
		Long: "hcasim refuses by rules, and says which. hcasim help rule MW-9 shows one, hcasim help rule MW\n" +
			"all of a subject; docs/rules.md has them all.\n\n" + report.RuleGroups(),
	})
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		if c.Name() != "help" {
			continue
		}
		before, complete := c.Run, c.ValidArgsFunction
		c.Run = nil
		c.RunE = func(c *cobra.Command, args []string) error {
			switch t := topicOf(topics, args); {
			case t != nil && len(args) > 1:
				return p.pages(t, args[1:])
			case t != nil && t.alone != nil:
				return p.page(t.alone())
			}
			if found, rest, _ := root.Find(args); found != nil && found.HasSubCommands() && len(rest) > 0 {
				return noCommand(found, rest[0])
			}
			before(c, args)
			return nil
		}
		c.ValidArgsFunction = func(c *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if t := topicOf(topics, args); t != nil && len(args) == 1 {
				return begin(t.names(), begun), cobra.ShellCompDirectiveNoFileComp
			}
			list, how := complete(c, args, begun)
			if len(args) == 0 { // cobra offers commands alone
				list = append(list, topicNames(root, begun)...)
			}
			return list, how
		}
	}
}

// topicNames are the pages of the help that belong to no command and begin so.
func topicNames(root *cobra.Command, begun string) (list []cobra.Completion) {
	for _, c := range root.Commands() {
		if c.IsAdditionalHelpTopicCommand() && strings.HasPrefix(c.Name(), begun) {
			list = append(list, cobra.CompletionWithDesc(c.Name(), c.Short))
		}
	}
	return list
}

// topicOf returns the topic that is asked for, nil for another.
func topicOf(topics []namedTopic, args []string) *namedTopic {
	for i := range topics {
		if len(args) > 0 && args[0] == topics[i].name {
			return &topics[i]
		}
	}
	return nil
}

// pages shows what is asked for.
func (p *program) pages(t *namedTopic, names []string) error {
	var b strings.Builder
	for _, name := range names {
		text, err := t.page(name)
		if err != nil {
			return err
		}
		b.WriteString(text)
	}
	return p.page(b.String())
}

// page shows a text.
func (p *program) page(text string) error {
	if _, err := fmt.Fprint(p.out, text); err != nil {
		return &failure{statusUnwritten, err}
	}
	return nil
}

// begin returns the names that begin so, however they are written.
func begin(names []string, begun string) (list []string) {
	for _, name := range names {
		if strings.HasPrefix(strings.ToLower(name), strings.ToLower(begun)) {
			list = append(list, name)
		}
	}
	return list
}
