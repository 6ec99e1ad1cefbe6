// Command echo is a small MCP server on mcpkit, as a third party would write
// one: five tools in tools.go, flags and transport from the library.
//
// With --fixtures it also offers the tools, prompts and resources that the
// official conformance suite calls by name, and tools that misbehave on
// purpose, for the tests of the library.
package main

import (
	"context"
	"flag"
	"os"

	"github.com/quartet-mcp/quartet/mcpkit"
)

func main() {
	info := mcpkit.Info{
		Name:         "echo",
		Title:        "Echo",
		Version:      "1.0.0",
		Instructions: "Use echo to check the connection and add for exact sums of whole numbers.",
	}
	var flags mcpkit.Flags
	set := flag.NewFlagSet(info.Name, flag.ContinueOnError)
	flags.Register(set)
	fixtures := set.Bool("fixtures", false, "offer what the conformance suite calls, too")
	if code, done := flags.Parse(set, info, os.Args[1:]); done {
		os.Exit(code)
	}

	opts := &mcpkit.Options{Logger: flags.Logger()}
	if *fixtures {
		fixtureOptions(opts)
	}
	server := mcpkit.New(info, opts)
	addTools(server)
	if *fixtures {
		addFixtures(server)
	}
	os.Exit(flags.Run(context.Background(), server))
}
