package report

import "hcasim/report/reference"

// Language is the overview of the scenario language, for the help.
func Language() string { return reference.Overview() }

// Words are what LanguageWord knows.
func Words() []string { return reference.Names() }

// LanguageWord tells a step, verb, value or field of the language.
func LanguageWord(name string) (string, error) { return reference.Page(name) }
