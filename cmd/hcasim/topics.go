package main

import (
	"github.com/spf13/cobra"

	"hcasim/report"
	"hcasim/study/sweep"
)

// topics are the pages of the help that belong to no command.
func (p *program) topics() []*cobra.Command {
	return []*cobra.Command{
		{Use: "faults", Short: "The causes for which an access is refused", Long: report.Faults()},
		{Use: "language", Short: "The language of the scenarios: help language wr_send shows a word with its fields and an example"},
		{Use: "limits", Short: "What input may grow to, and what raises it", Long: report.Limits(sweep.MaxPoints)},
		{Use: "exit", Short: "The statuses that the program ends with", Long: statuses},
	}
}

const statuses = `hcasim ends with one of these statuses:

  0    done, and as expected
  1    ran, but an expectation or a threshold does not hold, the model is
       farther from what was measured than it may be, or a result is worse than
       the one that it is compared with
  2    the command line, a file or a value is wrong; nothing was simulated
  3    the model stopped itself: an invariant does not hold, nothing moves any
       more though something is waited for, or the limit of simulated time is
       reached with work in flight
  4    results could not be written, or what is printed could not
  75   interrupted (INT, TERM, HUP); results that were finished are kept, and
       a second signal ends it at once
  141  who read what is printed has gone, as head does: said by no word, and by
       the signal PIPE where there are signals; results that were finished are
       kept

What has its name is whole, however hcasim ends. What was being written has a
name that ends with .part: it is removed, or, after kill -9, by the next hcasim
that writes into the folder.

test ends with the first of 4, 3, 1 and 2 that is true of any file.`
