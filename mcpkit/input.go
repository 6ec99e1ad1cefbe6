package mcpkit

import (
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// InputRequired is what a handler returns as its error when the call cannot go
// on without answers of the client: of revision 2026-07-28 and later the
// answer to the call then is these requests, and the client calls again, with
// the responses and the state beside the same arguments ([Request] has them).
// For clients of older revisions the SDK asks and calls the handler again by
// itself; a handler that wants to bound the waiting asks the session instead.
//
// Nothing else goes with such an answer: warnings and [SetMeta] are dropped.
// State comes back through the client, so it must prove nothing by itself.
type InputRequired struct {
	Requests mcp.InputRequestMap
	State    string
}

// Error implements error; callers of tools never see it.
func (e *InputRequired) Error() string { return "the call needs input of the client" }

// inputResult returns the answer to a call whose handler needs input, nil if err
// is another error.
func inputResult(err error) *mcp.CallToolResult {
	var in *InputRequired
	if !errors.As(err, &in) {
		return nil
	}
	return &mcp.CallToolResult{InputRequests: in.Requests, RequestState: in.State}
}
