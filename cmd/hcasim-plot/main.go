package main

import (
	"errors"
	"fmt"
	"os"
)

// The statuses that the program ends with, as hcasim has them.
const (
	statusMissing   = 1
	statusUsage     = 2
	statusUnwritten = 4
)

// A failure ends the program with a status.
type failure struct {
	status int
	error
}

func main() {
	err := command(os.Stdout).Execute()
	if err == nil {
		return
	}
	fmt.Fprintln(os.Stderr, err)
	f := &failure{statusUsage, err}
	errors.As(err, &f)
	os.Exit(f.status)
}
