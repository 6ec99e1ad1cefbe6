// Package artifact holds what is known of artifacts: the classes of files that a
// workspace keeps, the digests that name a state of them, and the checksum file of
// migrations.
package artifact

import (
	"fmt"
	"slices"
	"strings"
)

// Class is a sort of files that a workspace keeps in a directory of its own.
type Class string

// The classes.
const (
	Migrations Class = "migrations"
	Schema     Class = "schema"
	Tests      Class = "tests"
)

// Classes lists the classes in the order in which they are shown.
func Classes() []Class { return []Class{Migrations, Schema, Tests} }

// ParseClass reads the exact name of a class.
func ParseClass(name string) (Class, error) {
	if c := Class(name); slices.Contains(Classes(), c) {
		return c, nil
	}
	names := make([]string, 0, len(Classes()))
	for _, c := range Classes() {
		names = append(names, string(c))
	}
	return "", fmt.Errorf("unknown artifact class %.80q; the classes are %s", name, strings.Join(names, ", "))
}
