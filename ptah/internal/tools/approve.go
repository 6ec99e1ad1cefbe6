package tools

import (
	"context"
	"errors"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/ptah/internal/approval"
	"github.com/quartet-mcp/quartet/ptah/internal/policy"
)

// This file puts questions of approval to the person at the client. Clients of the older
// revisions are asked while the call waits. From inputRevision on a server may not do
// that: the question is the answer to the call, and the client calls again with what the
// person decided, beside the arguments and never among them.

// inputRevision is the first revision in which questions are answers.
const inputRevision = "2026-07-28"

// approvalKey names the question among the inputs that a call needs.
const approvalKey = "ptah-approval"

// Approver decides what calls may do, with the person at the client where the policy
// wants one.
type Approver struct {
	desk    *approval.Desk
	pending *approval.Pending
}

// NewApprover returns an approver that waits for a person no longer than the timeout.
func NewApprover(p *policy.Policy, timeout time.Duration) *Approver {
	return &Approver{approval.NewDesk(p, timeout), approval.NewPending(timeout)}
}

// Authorise decides about everything that the call that ctx belongs to needs. An error may
// be the question itself, on its way to the client; the handler returns it as it is.
func (a *Approver) Authorise(ctx context.Context, questions ...approval.Question) (approval.Permit, error) {
	request, ok := mcpkit.Request(ctx).(*mcp.CallToolRequest)
	if !ok {
		return approval.Permit{}, errors.New("approval was sought outside of a call")
	}
	return a.desk.Authorise(ctx, &person{request, a.pending}, questions...)
}

// isQuestion reports whether an error is a question on its way to the client: the call has
// neither succeeded nor failed.
func isQuestion(err error) bool {
	var input *mcpkit.InputRequired
	return errors.As(err, &input)
}

// person is the person at the client of a call.
type person struct {
	request *mcp.CallToolRequest
	pending *approval.Pending
}

// Connection implements [approval.Asker].
func (p *person) Connection() any { return p.request.Session }

// CanAsk implements [approval.Asker]: the client has to say that it shows forms. One that
// says nothing of their sort shows them.
func (p *person) CanAsk() bool {
	about := p.request.Session.InitializeParams()
	if about == nil || about.Capabilities == nil || about.Capabilities.Elicitation == nil {
		return false
	}
	e := about.Capabilities.Elicitation
	return e.Form != nil || e.URL == nil
}

// Ask implements [approval.Asker].
func (p *person) Ask(ctx context.Context, q approval.Question) (approval.Decision, error) {
	if p.request.Session.InitializeParams().ProtocolVersion >= inputRevision {
		return p.askByAnswer(q)
	}
	res, err := p.request.Session.Elicit(ctx, form(q))
	if ctx.Err() != nil {
		return approval.Refuse, ctx.Err()
	}
	if err != nil { // the client's answer is not what was asked for, and so no consent
		res = nil
	}
	return decision(q, res), nil
}

func (p *person) askByAnswer(q approval.Question) (approval.Decision, error) {
	response, answered := p.request.Params.InputResponses[approvalKey]
	if !answered {
		return approval.Refuse, &mcpkit.InputRequired{
			Requests: mcp.InputRequestMap{approvalKey: form(q)},
			State:    p.pending.Put(p.Connection(), q),
		}
	}
	if !p.pending.Take(p.Connection(), p.request.Params.RequestState, q) {
		return approval.Refuse, nil
	}
	res, _ := response.(*mcp.ElicitResult)
	return decision(q, res), nil
}

// form is what the person sees of a question.
func form(q approval.Question) *mcp.ElicitParams {
	return &mcp.ElicitParams{Mode: "form", Message: q.Prompt, RequestedSchema: map[string]any{
		"type": "object",
		"properties": map[string]any{"decision": map[string]any{
			"type": "string", "title": "Decision", "enum": q.Choices(), "default": string(approval.Refuse),
		}},
		"required": []string{"decision"},
	}}
}

// decision reads a person's answer; nil is none.
func decision(q approval.Question, res *mcp.ElicitResult) approval.Decision {
	if res == nil || res.Action != "accept" {
		return approval.Refuse
	}
	text, _ := res.Content["decision"].(string)
	return q.Choose(text)
}
