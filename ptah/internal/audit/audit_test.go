package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/quartet-mcp/quartet/ptah/internal/approval"
	"github.com/quartet-mcp/quartet/ptah/internal/code"
	"github.com/quartet-mcp/quartet/ptah/internal/policy"
)

func openLog(t *testing.T, path string) *Log {
	t.Helper()
	l, err := Open(path, Session{"1.4.0", "2026-12-01"})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func records(t *testing.T, path string) []map[string]any {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var list []map[string]any
	for l := range bytes.Lines(text) {
		var r map[string]any
		if err := json.Unmarshal(l, &r); err != nil {
			t.Fatalf("%s: %v", l, err)
		}
		list = append(list, r)
	}
	return list
}

func TestLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), ".ptah", "agent-audit.jsonl")
	l := openLog(t, path)
	l.now = func() time.Time { return time.Date(2026, 9, 1, 10, 0, 0, 5, time.FixedZone("", 3600)) }
	r := Record{
		Operation: "read_database", Client: &Client{"a\u202eclient\n", "1"}, Target: "shop", DatabaseClass: "dev", DurationMS: 12,
		Summary: strings.Repeat("s", 600) + "\n\x1b[0m", Paths: []string{"a.sql"},
	}
	r.Decided(approval.Permit{Row: policy.Row{Capability: policy.DatabaseInspect, Scope: "dev", Verdict: policy.Ask, DecidedBy: policy.Builtin}, Approved: true, Consent: approval.Session})
	r.Ended(nil)
	if err := l.Record(r); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	got := records(t, path)
	if len(got) != 3 || got[0]["operation"] != SessionStart || got[2]["operation"] != SessionStop {
		t.Fatalf("records = %v", got)
	}
	id, _ := got[0]["session_id"].(string)
	if len(id) != 32 || got[2]["session_id"] != id {
		t.Errorf("session ids %q and %v", id, got[2]["session_id"])
	}
	want := map[string]any{
		"schema_version": 1.0, "timestamp": "2026-09-01T09:00:00.000000005Z", "session_id": id, "surface": "mcp", "ptah_version": "1.4.0",
		"contract_version": "2026-12-01", "client": map[string]any{"name": "aclient", "version": "1"}, "operation": "read_database",
		"capability": "database.inspect", "scope": "dev", "verdict": "ask", "decided_by": "builtin", "approved": true, "approval_scope": "session",
		"outcome": "approved", "paths": []any{"a.sql"}, "caller_summary": strings.Repeat("s", 499) + "…", "target": "shop", "database_class": "dev", "duration_ms": 12.0,
	}
	if diff := cmp.Diff(want, got[1]); diff != "" {
		t.Errorf("record (-want +got):\n%s", diff)
	}
	ignore, err := os.ReadFile(filepath.Join(filepath.Dir(path), ".gitignore"))
	if err != nil || string(ignore) != "*\n" {
		t.Errorf(".gitignore = %q, %v", ignore, err)
	}
	if runtime.GOOS != "windows" {
		for p, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
			if info, err := os.Stat(p); err != nil || info.Mode().Perm() != want {
				t.Errorf("%s: %v, %v", p, info.Mode(), err)
			}
		}
	}
	l = openLog(t, path) // it grows, and what is there stays
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if n := len(records(t, path)); n != 5 {
		t.Errorf("%d records after a second session, want 5", n)
	}
}

func TestRecord_Ended(t *testing.T) {
	tests := []struct {
		err     error
		outcome Outcome
		code    code.Code
		reason  string
	}{
		{nil, Permitted, "", ""},
		{code.New(code.CapabilityDenied, "policy denies docs.read"), Denied, code.CapabilityDenied, "policy denies docs.read"},
		{code.New(code.ApprovalRefused, "nobody answered"), Denied, code.ApprovalRefused, "nobody answered"},
		{code.New(code.ApprovalUnavailable, "no"), Denied, code.ApprovalUnavailable, "no"},
		{code.New(code.DatabaseUnreachable, "database (postgres://u@h/d) cannot be reached\nnow"), Failed, code.DatabaseUnreachable, "database (… cannot be reached now"},
		{code.New(code.SchemaSourceUnreadable, "at \"SELECT secret\""), Failed, code.SchemaSourceUnreadable, ""},
		{io.EOF, Failed, code.Internal, ""},
	}
	for _, test := range tests {
		var r Record
		r.Ended(test.err)
		if r.Outcome != test.outcome || r.Code != test.code || r.Reason != test.reason {
			t.Errorf("%v: %s %s %q, want %s %s %q", test.err, r.Outcome, r.Code, r.Reason, test.outcome, test.code, test.reason)
		}
	}
}

func TestLog_None(t *testing.T) {
	l, err := Open("", Session{})
	if l != nil || err != nil {
		t.Fatalf("a log without a path: %v, %v", l, err)
	}
	if err := errors.Join(l.Record(Record{}), l.Close()); err != nil {
		t.Error(err)
	}
}

func TestLog_Parallel(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	a, b := openLog(t, path), openLog(t, path)
	var wait sync.WaitGroup
	for range 20 {
		for _, l := range []*Log{a, b} {
			wait.Go(func() {
				if err := l.Record(Record{Operation: "search_docs", Reason: strings.Repeat("r", 5000)}); err != nil {
					t.Error(err)
				}
			})
		}
	}
	wait.Wait()
	if err := errors.Join(a.Close(), b.Close()); err != nil {
		t.Fatal(err)
	}
	if n := len(records(t, path)); n != 44 {
		t.Errorf("%d records, want 44", n)
	}
}

func TestLog_Errors(t *testing.T) {
	dir := t.TempDir()
	victim := filepath.Join(dir, "victim")
	if err := os.WriteFile(victim, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(victim, filepath.Join(dir, "link.jsonl")); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "work"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dir, filepath.Join(dir, "work", ".ptah")); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"link.jsonl":       "not a regular file",
		"work":             "not a regular file",
		"victim/a.jsonl":   "not a directory",
		"work/.ptah/a.log": "no directory of its own",
	} {
		_, err := Open(filepath.Join(dir, path), Session{})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), dir) {
			t.Errorf("%s: error %v, want %q", path, err, want)
		}
	}
	if text, err := os.ReadFile(victim); err != nil || len(text) != 0 {
		t.Errorf("the file behind the link has %q, %v", text, err)
	}
	l := openLog(t, filepath.Join(dir, "a.jsonl"))
	if err := l.file.Close(); err != nil {
		t.Fatal(err)
	}
	if err := l.Record(Record{}); err == nil || strings.Contains(err.Error(), dir) {
		t.Errorf("error of a log that cannot be written: %v", err)
	}
}
