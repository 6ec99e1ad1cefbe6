package mcptest_test

import (
	"fmt"
	"testing"

	"github.com/quartet-mcp/quartet/mcpkit/mcptest"
)

// A server is held to recorded conversations, to hostile input, and to answering
// all that it has accepted when stdin ends.
func Example() {
	_ = func(t *testing.T) { // as a test: func TestConformance(t *testing.T)
		s := mcptest.Build(t, "./cmd/shop", "--root", ".")
		mcptest.Replay(t, s, "testdata/golden")
		mcptest.Hostile(t, s, mcptest.HostileOptions{Good: mcptest.Call{Tool: "list_tables"}})
	}
}

// A vary line says how a value may differ, and never covers a whole answer.
func ExampleParseVary() {
	v, err := mcptest.ParseVary("/result/structuredContent/ms number")
	fmt.Println(v, err)
	_, err = mcptest.ParseVary("/result string")
	fmt.Println(err)
	// Output:
	// /result/structuredContent/ms number <nil>
	// /result would cover a whole answer or a fixed part of one; point at the single value that varies
}
