package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/quartet-mcp/quartet/mcpkit"
)

// rawStdout is descriptor 1 whatever os.Stdout is, as a C library would see it.
// It lives as long as the program, or the descriptor would be closed with it.
var rawStdout = os.NewFile(1, "descriptor 1")

// addMischief registers tools that do what a tool should not.
func addMischief(s *mcpkit.Server) {
	mcpkit.Add(s, mcpkit.Tool[noArgs, echoResult]{
		Name: "noise", Title: "Noise", Description: "Prints to standard output, past the transport.",
		Handle: func(context.Context, noArgs) (echoResult, error) {
			fmt.Println("noise by fmt.Println")
			if _, err := rawStdout.WriteString("noise by descriptor 1\n"); err != nil {
				return echoResult{}, err
			}
			return echoResult{Text: "printed"}, nil
		},
	})
	mcpkit.Add(s, mcpkit.Tool[slowArgs, slowResult]{
		Name: "stubborn", Title: "Stubborn", Description: "Takes as long as asked, also when cancelled.",
		Handle: takeYourTime,
	})
	mcpkit.Add(s, mcpkit.Tool[slowArgs, slowResult]{
		Name: "commit", Title: "Commit", Description: "Takes as long as asked, and the end of the server waits for it.",
		Uninterruptible: true,
		Handle:          takeYourTime,
	})
}

func takeYourTime(_ context.Context, in slowArgs) (slowResult, error) {
	time.Sleep(time.Duration(in.MS) * time.Millisecond)
	return slowResult(in), nil
}
