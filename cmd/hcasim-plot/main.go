package main

import (
	"errors"
	"fmt"
	"os"

	"hcasim/cmd/ending"
)

// The statuses that the program ends with, as hcasim has them.
const (
	statusMissing   = 1
	statusUsage     = 2
	statusUnwritten = ending.Unwritten
)

// A failure ends the program with a status.
type failure struct {
	status int
	error
}

func main() {
	os.Exit(ending.Run(func(out *ending.Stdout) int {
		err := command(out).Execute()
		if broken := out.Broken(); broken != nil {
			err = &failure{statusUnwritten, broken}
		}
		if err == nil {
			return 0
		}
		fmt.Fprintln(os.Stderr, err)
		f := &failure{statusUsage, err}
		errors.As(err, &f)
		return f.status
	}))
}
