// Package report shows results and keeps them.
package report
