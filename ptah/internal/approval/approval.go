// Package approval asks a person where the policy says so. A [Desk] decides: what the
// policy allows goes on, what it denies does not, and for the rest a [Question] is put to
// the person at the client, whose consent holds once or until the connection ends.
//
// The text of a question is the server's own. How it gets to the person is an [Asker]'s.
package approval

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/quartet-mcp/quartet/ptah/internal/code"
	"github.com/quartet-mcp/quartet/ptah/internal/config"
	"github.com/quartet-mcp/quartet/ptah/internal/plain"
	"github.com/quartet-mcp/quartet/ptah/internal/policy"
)

// Decision is what a person chose.
type Decision string

// The decisions. Whatever is none of them is [Refuse].
const (
	Refuse  Decision = "deny"
	Once    Decision = "allow once"
	Session Decision = "allow for this session"
)

// Question is what a person is asked.
type Question struct {
	Capability policy.Capability
	Scope      string
	Target     string // what a consent for the session is for
	Prompt     string // plain text
	NoSession  bool   // a consent holds once at most
}

// Choices are what the person can choose from, the default first.
func (q Question) Choices() []Decision {
	if q.NoSession {
		return []Decision{Refuse, Once}
	}
	return []Decision{Refuse, Once, Session}
}

// Choose returns the decision that a text stands for.
func (q Question) Choose(text string) Decision {
	if d := Decision(text); slices.Contains(q.Choices(), d) {
		return d
	}
	return Refuse
}

// maxPrompt is the longest prompt, in characters.
const maxPrompt = 4000

// Inspection asks whether a database may be inspected.
func Inspection(d config.Database) Question {
	const word = 300 // characters of what the operator wrote
	prompt := strings.Join([]string{
		"The assistant asks to inspect a database.",
		"",
		"Capability: " + string(policy.DatabaseInspect) + ":" + string(d.Class),
		"Target: " + plain.Line(d.Name, word),
		"Class: " + string(d.Class),
		"Database: " + plain.Line(d.URL.Display(), word),
		"",
		"The names of its tables, views and other objects are read. No rows are read, and nothing is changed.",
	}, "\n")
	return Question{Capability: policy.DatabaseInspect, Scope: string(d.Class), Target: targetID(d), Prompt: plain.Text(prompt, maxPrompt)}
}

// targetID names a database by what it is, so that a consent does not pass to another one
// that takes its name.
func targetID(d config.Database) string {
	sum := sha256.Sum256([]byte(d.Name + "\x00" + d.URL.Reveal()))
	return "target:" + hex.EncodeToString(sum[:])[:16]
}

// Asker puts questions to the person at a client.
type Asker interface {
	// Connection identifies the client's connection, and can be compared.
	Connection() any
	// CanAsk reports whether the client shows questions at all.
	CanAsk() bool
	// Ask waits for the person's decision. A malformed one is [Refuse]. Where the client
	// has to call again with the decision, the error is the transport's way to say so;
	// the Desk hands it on.
	Ask(ctx context.Context, q Question) (Decision, error)
}

// Permit says how it came to a decision, for the record.
type Permit struct {
	Row      policy.Row
	Approved bool     // a person consented, now or before
	Consent  Decision // [Once] or [Session] if Approved
}

// Desk decides for all connections of a server. It is safe for concurrent use.
type Desk struct {
	policy  *policy.Policy
	timeout time.Duration

	mu     sync.Mutex
	grants map[grant]bool
}

// grant is a consent for the rest of a connection. It is never stored.
type grant struct {
	connection any
	capability policy.Capability
	scope      string
	target     string
}

// NewDesk returns a desk that waits for a person no longer than the timeout.
func NewDesk(p *policy.Policy, timeout time.Duration) *Desk {
	return &Desk{policy: p, timeout: timeout, grants: map[grant]bool{}}
}

// Authorise decides about everything that one operation needs: all of it or nothing. What
// a person has to decide is one question. The error of a refusal is a [code.Error]; the
// permit is in any case what the policy had to say of what was refused or asked for, else
// of the last question.
func (d *Desk) Authorise(ctx context.Context, asker Asker, questions ...Question) (Permit, error) {
	var (
		permit Permit
		open   []Question
		asked  policy.Row
	)
	for _, q := range questions {
		row := d.policy.Decide(q.Capability, q.Scope)
		if err := row.Refused(); err != nil {
			return Permit{Row: row}, err
		}
		if row.Verdict != policy.Ask {
			if !permit.Approved {
				permit.Row = row
			}
			continue
		}
		permit = Permit{Row: row, Approved: true, Consent: Session}
		if q.NoSession || !d.granted(grantOf(asker, q)) {
			if open == nil {
				asked = row
			}
			open = append(open, q)
		}
	}
	if open == nil {
		return permit, nil
	}
	permit = Permit{Row: asked}
	if !asker.CanAsk() {
		return permit, code.New(code.ApprovalUnavailable, "policy wants a person to be asked about %s (decided by the %s layer), and this client cannot ask", asked.Name(), asked.DecidedBy).
			WithHint("use a client that supports elicitation; or the operator may decide it beforehand")
	}
	decision, err := d.ask(ctx, join(open), asker)
	if err != nil {
		return permit, err
	}
	if decision == Refuse {
		return permit, code.New(code.ApprovalRefused, "the person at the client did not allow %s", asked.Name())
	}
	if decision == Session {
		d.grant(asker, open)
	}
	permit.Approved, permit.Consent = true, decision
	return permit, nil
}

// join makes one question of several.
func join(questions []Question) Question {
	if len(questions) == 1 {
		return questions[0]
	}
	var (
		all              Question
		prompts, targets []string
	)
	for _, q := range questions {
		prompts = append(prompts, q.Prompt)
		targets = append(targets, q.Target)
		all.NoSession = all.NoSession || q.NoSession
	}
	all.Target = strings.Join(targets, " ")
	all.Prompt = plain.Text(strings.Join(prompts, "\n\n"), maxPrompt)
	return all
}

func grantOf(asker Asker, q Question) grant {
	return grant{asker.Connection(), q.Capability, q.Scope, q.Target}
}

func (d *Desk) grant(asker Asker, questions []Question) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, q := range questions {
		d.grants[grantOf(asker, q)] = true
	}
}

func (d *Desk) granted(g grant) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.grants[g]
}

// errTimeout is the cause of a context that ended because nobody answered.
var errTimeout = errors.New("nobody answered")

func (d *Desk) ask(ctx context.Context, q Question, asker Asker) (Decision, error) {
	limited, cancel := context.WithTimeoutCause(ctx, d.timeout, errTimeout)
	defer cancel()
	decision, err := asker.Ask(limited, q)
	if err != nil && errors.Is(context.Cause(limited), errTimeout) {
		return Refuse, code.New(code.ApprovalRefused, "nobody answered within %v", d.timeout)
	}
	return q.Choose(string(decision)), err
}
