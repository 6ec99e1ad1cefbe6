// Package catalogtest writes down what a real database holds, an object or part of one on
// each line, so that tests can compare two databases: the one that a schema was declared
// in and the one that its rendering made. Everything comes from the catalogs of the
// database itself.
package catalogtest

import (
	"fmt"
	"strings"
)

// Line is one object or part of one.
type Line struct {
	Kind string // table, column, constraint, …
	Name string
	Text string // everything else that the catalog says of it
}

func (l Line) String() string { return fmt.Sprintf("%s %s: %s", l.Kind, l.Name, l.Text) }

// Diff returns what only one of two databases has, as lines that begin with - and +,
// empty if they are equal, and how many objects of each kind the first has.
func Diff(before, after []Line) (diff string, counts map[string]int) {
	counts = map[string]int{}
	had := map[Line]int{}
	for _, l := range before {
		counts[l.Kind]++
		had[l]++
	}
	var b strings.Builder
	for _, l := range after {
		if had[l] > 0 {
			had[l]--
			continue
		}
		fmt.Fprintln(&b, "+", l)
	}
	for _, l := range before {
		if had[l] > 0 {
			had[l]--
			fmt.Fprintln(&b, "-", l)
		}
	}
	return b.String(), counts
}
