// Package lang is the language of the scenario files: YAML in, a checked plan
// out. It knows names, units and shapes; it does not know what a key opens or
// how long anything takes.
//
// File is a whole file, File.Scenarios what there is to run in it. A Scenario
// has a Setup (hosts and what exists before time 0) and Steps. A Step has one
// verb in Step.Do, to be told by a type switch, and an Expect. All references
// are complete after Load: no reader guesses a default.
package lang
