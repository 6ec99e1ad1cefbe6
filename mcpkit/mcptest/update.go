package mcptest

import (
	"flag"
	"os"
	"testing"
)

// updateFlag is the -update flag of the test binary. A test package that
// imports mcptest must not define a flag of that name itself.
var updateFlag = flag.Bool("update", false, "rewrite golden files instead of comparing (refused when CI is set)")

// Updating reports whether the test was started with -update, so that golden
// files are to be rewritten instead of compared. It ends the test when the
// environment variable CI is set as well: a golden file that rewrites itself
// in CI proves nothing.
func Updating(tb testing.TB) bool {
	tb.Helper()
	if !*updateFlag {
		return false
	}
	if os.Getenv("CI") != "" {
		tb.Fatal("-update is refused when CI is set: update golden files locally and read the diff")
	}
	return true
}
