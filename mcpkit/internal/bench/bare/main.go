// Command bare is the echo server that the benchmark compares with: the SDK's
// own typed tool over the SDK's own stdio transport, as its documentation shows.
package main

import (
	"context"
	"log"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type args struct {
	Text string `json:"text" jsonschema:"the text to send back"`
}

func main() {
	server := mcp.NewServer(&mcp.Implementation{Name: "bare", Version: "1.0.0"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "echo", Description: "Sends the text back unchanged."},
		func(_ context.Context, _ *mcp.CallToolRequest, in args) (*mcp.CallToolResult, args, error) {
			return nil, in, nil
		})
	if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		log.Fatal(err)
	}
}
