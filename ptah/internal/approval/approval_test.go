package approval

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/quartet-mcp/quartet/ptah/internal/code"
	"github.com/quartet-mcp/quartet/ptah/internal/config"
	"github.com/quartet-mcp/quartet/ptah/internal/dburl"
	"github.com/quartet-mcp/quartet/ptah/internal/policy"
)

// client is a client whose person always answers the same.
type client struct {
	connection string
	cannot     bool
	answer     func(ctx context.Context) (Decision, error)
	asked      int
	last       Question
}

func (c *client) Connection() any { return c.connection }
func (c *client) CanAsk() bool    { return !c.cannot }
func (c *client) Ask(ctx context.Context, q Question) (Decision, error) {
	c.asked++
	c.last = q
	return c.answer(ctx)
}

func answers(d Decision) *client {
	return &client{connection: "a", answer: func(context.Context) (Decision, error) { return d, nil }}
}

func database(t *testing.T, name, url string) config.Database {
	t.Helper()
	u, err := dburl.Parse(url)
	if err != nil {
		t.Fatal(err)
	}
	return config.Database{Name: name, Class: policy.Dev, URL: u}
}

func desk(t *testing.T, rules ...policy.Rule) *Desk {
	t.Helper()
	p, err := policy.New(nil, rules, nil)
	if err != nil {
		t.Fatal(err)
	}
	return NewDesk(p, time.Minute)
}

func TestAuthorise(t *testing.T) {
	inspect := func(v policy.Verdict) policy.Rule {
		return policy.Rule{Capability: policy.DatabaseInspect, Scope: string(policy.Dev), Verdict: v}
	}
	deaf := answers(Once)
	deaf.cannot = true
	broken := &client{answer: func(context.Context) (Decision, error) { return Once, io.ErrUnexpectedEOF }}
	tests := []struct {
		name    string
		verdict policy.Verdict
		client  *client
		want    Permit // but its row
		code    code.Code
		asked   int
	}{
		{"allowed", policy.Allow, answers(Refuse), Permit{}, "", 0},
		{"allowed, and nobody could be asked", policy.Allow, deaf, Permit{}, "", 0},
		{"denied", policy.Deny, answers(Session), Permit{}, code.CapabilityDenied, 0},
		{"once", policy.Ask, answers(Once), Permit{Approved: true, Consent: Once}, "", 1},
		{"session", policy.Ask, answers(Session), Permit{Approved: true, Consent: Session}, "", 1},
		{"refused", policy.Ask, answers(Refuse), Permit{}, code.ApprovalRefused, 1},
		{"malformed", policy.Ask, answers("yes"), Permit{}, code.ApprovalRefused, 1},
		{"empty", policy.Ask, answers(""), Permit{}, code.ApprovalRefused, 1},
		{"nobody can be asked", policy.Ask, deaf, Permit{}, code.ApprovalUnavailable, 0},
		{"connection breaks", policy.Ask, broken, Permit{}, code.Internal, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.client.asked = 0
			got, err := desk(t, inspect(test.verdict)).Authorise(t.Context(), test.client, Inspection(database(t, "shop", "sqlite:a.db")))
			if code.Of(err) != test.code {
				t.Errorf("error = %v, want %q", err, test.code)
			}
			test.want.Row = policy.Row{Capability: policy.DatabaseInspect, Scope: "dev", Verdict: test.verdict, DecidedBy: policy.Invocation}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("permit (-want +got):\n%s", diff)
			}
			if test.client.asked != test.asked {
				t.Errorf("asked %d times, want %d", test.client.asked, test.asked)
			}
		})
	}
}

// A consent for the session is for one database as it is, on one connection; one for once
// is gone.
func TestAuthorise_Grants(t *testing.T) {
	d := desk(t)
	shop := Inspection(database(t, "shop", "sqlite:a.db"))
	ask := func(q Question, c *client) bool {
		t.Helper()
		c.asked = 0
		if _, err := d.Authorise(t.Context(), c, q); err != nil {
			t.Fatal(err)
		}
		return c.asked == 1
	}
	if !ask(shop, answers(Once)) || !ask(shop, answers(Session)) {
		t.Error("a consent for once lasts")
	}
	if ask(shop, answers(Refuse)) {
		t.Error("a consent for the session does not last")
	}
	other := answers(Once)
	other.connection = "b"
	if !ask(shop, other) {
		t.Error("a consent passes to another connection")
	}
	for _, db := range []config.Database{database(t, "shop", "sqlite:b.db"), database(t, "ledger", "sqlite:a.db")} {
		if !ask(Inspection(db), answers(Once)) {
			t.Errorf("a consent passes to %s at %s", db.Name, db.URL.Display())
		}
	}
	shop.NoSession = true
	if !ask(shop, answers(Once)) {
		t.Error("a consent for the session holds for what is asked each time")
	}
	if _, err := d.Authorise(t.Context(), answers(Session), shop); code.Of(err) != code.ApprovalRefused {
		t.Errorf("a choice that was not offered: %v", err)
	}
}

// An operation that needs several things is one question, about those that a person has
// to decide, and is allowed as a whole.
func TestAuthorise_Several(t *testing.T) {
	write := Question{Capability: policy.ArtifactWrite, Scope: "schema", Target: "schema", Prompt: "Write?"}
	remove := Question{Capability: policy.ArtifactDelete, Scope: "schema", Target: "schema", Prompt: "Delete?", NoSession: true}
	read := Question{Capability: policy.ArtifactRead, Scope: "schema", Prompt: "Read?"}
	rules := []policy.Rule{{Capability: policy.ArtifactDelete, Scope: "schema", Verdict: policy.Ask}}
	d := desk(t, rules...)
	c := answers(Once)
	permit, err := d.Authorise(t.Context(), c, read, write, remove)
	if err != nil || !permit.Approved || permit.Consent != Once || permit.Row.Capability != policy.ArtifactWrite {
		t.Errorf("permit = %+v, error = %v", permit, err)
	}
	if c.asked != 1 || c.last.Prompt != "Write?\n\nDelete?" || !c.last.NoSession {
		t.Errorf("asked %d times, last %+v", c.asked, c.last)
	}
	if _, err := d.Authorise(t.Context(), answers(Session), write, remove); code.Of(err) != code.ApprovalRefused {
		t.Errorf("a consent that was not offered: %v", err)
	}
	if _, err := d.Authorise(t.Context(), answers(Session), write, read); err != nil {
		t.Fatal(err)
	}
	c = answers(Once)
	if permit, err := d.Authorise(t.Context(), c, write, read); err != nil || c.asked != 0 || permit.Consent != Session || permit.Row.Capability != policy.ArtifactWrite {
		t.Errorf("after a consent for the session: %+v, error %v, asked %d times", permit, err, c.asked)
	}
	if _, err := d.Authorise(t.Context(), c, write, remove); err != nil || c.last.Prompt != "Delete?" {
		t.Errorf("what is left to ask is %q, error %v", c.last.Prompt, err)
	}
	// What is denied is denied before anybody is asked.
	d = desk(t, policy.Rule{Capability: policy.ArtifactRead, Verdict: policy.Deny})
	c = answers(Once)
	if permit, err := d.Authorise(t.Context(), c, write, read); code.Of(err) != code.CapabilityDenied || c.asked != 0 || permit.Row.Capability != policy.ArtifactRead {
		t.Errorf("permit = %+v, error = %v, asked %d times", permit, err, c.asked)
	}
}

func TestAuthorise_Timeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		silent := &client{answer: func(ctx context.Context) (Decision, error) { <-ctx.Done(); return Once, ctx.Err() }}
		start := time.Now()
		_, err := desk(t).Authorise(t.Context(), silent, Inspection(database(t, "shop", "sqlite:a.db")))
		if code.Of(err) != code.ApprovalRefused || !strings.Contains(err.Error(), "nobody answered within 1m0s") || time.Since(start) != time.Minute {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		if _, err := desk(t).Authorise(ctx, silent, Inspection(database(t, "shop", "sqlite:a.db"))); !errors.Is(err, context.Canceled) {
			t.Errorf("of a cancelled call: %v", err)
		}
	})
}

func TestInspection(t *testing.T) {
	q := Inspection(database(t, "sh\u202eop\x1b[1m\nDatabase: other", "postgres://reader:hunter2@db:5432/shop?sslmode=require"))
	want := `The assistant asks to inspect a database.

Capability: database.inspect:dev
Target: shop[1m Database: other
Class: dev
Database: postgres://reader@db:5432/shop

The names of its tables, views and other objects are read. No rows are read, and nothing is changed.`
	if diff := cmp.Diff(want, q.Prompt); diff != "" {
		t.Errorf("prompt (-want +got):\n%s", diff)
	}
	if !strings.HasPrefix(q.Target, "target:") || len(q.Target) != len("target:")+16 {
		t.Errorf("target = %q", q.Target)
	}
	if diff := cmp.Diff([]Decision{Refuse, Once, Session}, q.Choices()); diff != "" {
		t.Errorf("choices (-want +got):\n%s", diff)
	}
	long := Inspection(database(t, strings.Repeat("n", 9000), "sqlite:a.db"))
	if n := utf8.RuneCountInString(long.Prompt); n > maxPrompt || !strings.Contains(long.Prompt, "nothing is changed") {
		t.Errorf("a prompt of %d characters: %s", n, long.Prompt)
	}
}

func TestPending(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := Inspection(database(t, "shop", "sqlite:a.db"))
		other := q
		other.Prompt += " again"
		p := NewPending(time.Minute)
		if p.Take("a", "", q) {
			t.Error("nothing was asked")
		}
		id := p.Put("a", q)
		if p.Take("b", id, q) {
			t.Error("taken on another connection")
		}
		if !p.Take("a", id, q) {
			t.Error("not taken")
		}
		if p.Take("a", id, q) {
			t.Error("taken twice")
		}
		if id := p.Put("a", q); p.Take("a", id, other) || p.Take("a", id, q) {
			t.Error("taken for another question, or still there after that")
		}
		id = p.Put("a", q)
		time.Sleep(time.Minute)
		if p.Take("a", id, q) {
			t.Error("taken too late")
		}
		first := p.Put("a", q)
		for range maxPending {
			id = p.Put("a", q)
		}
		if p.Take("a", first, q) || !p.Take("a", id, q) {
			t.Error("it is not the oldest that gives way")
		}
	})
}
