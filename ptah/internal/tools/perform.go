package tools

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/ptah/internal/approval"
	"github.com/quartet-mcp/quartet/ptah/internal/audit"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/policy"
)

// This file holds what every call does around its work: the policy and the person at the
// client are asked, warnings are passed on, failures get their code, and what happened is
// recorded.

// operation is a call of a tool.
type operation struct {
	name policy.Operation
	// ask are the questions that the policy decides, or a person.
	ask []approval.Question
	// database is what read_database reads, for the record.
	database, class string
}

// plainly is the operation of a tool whose capabilities have no scope.
func plainly(name policy.Operation) operation {
	op := operation{name: name}
	for _, c := range name.Needs() {
		op.ask = append(op.ask, approval.Question{
			Capability: c, Target: string(c), Prompt: "The assistant asks to use the tool " + string(name) + ".\n\nCapability: " + string(c),
		})
	}
	return op
}

// perform does the work of a call that may be done.
func perform[T any](ctx context.Context, sv *Service, op operation, work func(context.Context, *finding.Report) (T, error)) (result T, err error) {
	began := time.Now()
	record := audit.Record{Operation: string(op.name), Target: op.database, DatabaseClass: op.class, Client: clientOf(ctx)}
	var rep finding.Report
	err = sv.authorise(ctx, op, &record)
	if err == nil {
		result, err = work(ctx, &rep)
	}
	if isQuestion(err) {
		return result, err // the call comes again
	}
	record.Ended(err)
	record.DurationMS = time.Since(began).Milliseconds()
	if failed := sv.Audit.Record(record); failed != nil && sv.Log != nil {
		sv.Log.ErrorContext(ctx, "an operation was not recorded", "operation", op.name, "error", failed)
	}
	sv.warn(ctx, &rep)
	return result, explain(err)
}

// authorise asks the policy, and a person where it says so, about the capabilities of an
// operation.
func (sv *Service) authorise(ctx context.Context, op operation, record *audit.Record) error {
	if op.ask == nil {
		return nil
	}
	permit, err := sv.Approver.Authorise(ctx, op.ask...)
	record.Decided(permit)
	return err
}

// clientOf is the program at the other end, as it calls itself.
func clientOf(ctx context.Context) *audit.Client {
	request, ok := mcpkit.Request(ctx).(*mcp.CallToolRequest)
	if !ok {
		return nil
	}
	about := request.Session.InitializeParams()
	if about == nil || about.ClientInfo == nil {
		return nil
	}
	return &audit.Client{Name: about.ClientInfo.Name, Version: about.ClientInfo.Version}
}
