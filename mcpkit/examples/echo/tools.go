package main

import (
	"context"
	"time"

	"github.com/quartet-mcp/quartet/mcpkit"
)

type echoArgs struct {
	Text string `json:"text" jsonschema:"the text to send back"`
}

type echoResult struct {
	Text string `json:"text" jsonschema:"the text as it came"`
}

type addArgs struct {
	A int64 `json:"a" jsonschema:"the first number"`
	B int64 `json:"b" jsonschema:"the second number"`
}

type addResult struct {
	Sum int64 `json:"sum" jsonschema:"a + b, every digit exact"`
}

type slowArgs struct {
	MS int `json:"ms" jsonschema:"how long to take, in milliseconds" minimum:"0" maximum:"600000"`
}

type slowResult struct {
	MS int `json:"ms" jsonschema:"how long it took, in milliseconds"`
}

type failArgs struct {
	Reason string `json:"reason,omitempty" jsonschema:"what the error says" maxLength:"500" default:"no reason given"`
}

type noArgs struct{}

// addTools registers the tools in the order in which clients see them.
func addTools(s *mcpkit.Server) {
	readOnly := mcpkit.Hints{ReadOnly: true, Idempotent: true}

	mcpkit.Add(s, mcpkit.Tool[echoArgs, echoResult]{
		Name:        "echo",
		Title:       "Echo",
		Description: "Use it to check the connection. Sends the text back unchanged.",
		Hints:       readOnly,
		Handle: func(_ context.Context, in echoArgs) (echoResult, error) {
			return echoResult(in), nil
		},
	})

	mcpkit.Add(s, mcpkit.Tool[addArgs, addResult]{
		Name:        "add",
		Title:       "Add",
		Description: "Use it for sums of whole numbers of up to 64 bits. Returns the exact sum, or an error when it does not fit into 64 bits.",
		Hints:       readOnly,
		Handle: func(_ context.Context, in addArgs) (addResult, error) {
			sum := in.A + in.B
			if (sum > in.A) != (in.B > 0) && in.B != 0 {
				return addResult{}, &mcpkit.Error{
					Kind:    mcpkit.InvalidArgument,
					Field:   "b",
					Message: "the sum does not fit into 64 bits",
					Fix:     "use numbers whose sum is between -9223372036854775808 and 9223372036854775807",
				}
			}
			return addResult{Sum: sum}, nil
		},
	})

	mcpkit.Add(s, mcpkit.Tool[slowArgs, slowResult]{
		Name:        "slow",
		Title:       "Slow",
		Description: "Use it to try progress and cancellation. Takes as long as asked, reports progress on the way, and ends early when cancelled.",
		Hints:       readOnly,
		Handle: func(ctx context.Context, in slowArgs) (slowResult, error) {
			start := time.Now()
			end := time.NewTimer(time.Duration(in.MS) * time.Millisecond)
			defer end.Stop()
			tick := time.NewTicker(100 * time.Millisecond)
			defer tick.Stop()
			for {
				select {
				case <-end.C:
					return slowResult{MS: int(time.Since(start).Milliseconds())}, nil
				case <-tick.C:
					mcpkit.Progress(ctx, float64(time.Since(start).Milliseconds()), float64(in.MS), "waiting")
				case <-ctx.Done():
					return slowResult{}, ctx.Err()
				}
			}
		},
	})

	mcpkit.Add(s, mcpkit.Tool[failArgs, echoResult]{
		Name:        "fail",
		Title:       "Fail",
		Description: "Use it to see how errors look. Always answers with an error that gives the reason.",
		Hints:       readOnly,
		Handle: func(_ context.Context, in failArgs) (echoResult, error) {
			return echoResult{}, &mcpkit.Error{Kind: mcpkit.Unavailable, Message: in.Reason, Fix: "call echo instead"}
		},
	})

	mcpkit.Add(s, mcpkit.Tool[noArgs, echoResult]{
		Name:        "panic",
		Title:       "Panic",
		Description: "Use it to see that a fault in one call ends that call alone. Always answers with an internal error.",
		Hints:       readOnly,
		Handle: func(context.Context, noArgs) (echoResult, error) {
			panic("asked for by the caller")
		},
	})
}
