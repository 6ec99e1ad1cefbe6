// Command kit is the echo server on mcpkit that the benchmark measures: the same
// one tool as the command bare.
package main

import (
	"context"

	"github.com/quartet-mcp/quartet/mcpkit"
)

type args struct {
	Text string `json:"text" jsonschema:"the text to send back"`
}

func main() {
	server := mcpkit.New(mcpkit.Info{Name: "kit", Version: "1.0.0"}, nil)
	mcpkit.Add(server, mcpkit.Tool[args, args]{
		Name:        "echo",
		Description: "Sends the text back unchanged.",
		Handle:      func(_ context.Context, in args) (args, error) { return in, nil },
	})
	mcpkit.Main(server)
}
