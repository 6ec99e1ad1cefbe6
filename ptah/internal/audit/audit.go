// Package audit records what was asked of a server and what came of it: one line of JSON
// for each operation, refusals included, on the disk before the answer leaves. A record
// has no content of files, no SQL, no URL and no secret.
package audit

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"syscall"
	"time"

	"github.com/quartet-mcp/quartet/ptah/internal/approval"
	"github.com/quartet-mcp/quartet/ptah/internal/code"
	"github.com/quartet-mcp/quartet/ptah/internal/config"
	"github.com/quartet-mcp/quartet/ptah/internal/files"
	"github.com/quartet-mcp/quartet/ptah/internal/plain"
	"github.com/quartet-mcp/quartet/ptah/internal/policy"
)

// SchemaVersion is the version of the records' form.
const SchemaVersion = 1

// Outcome is what came of an operation.
type Outcome string

// The outcomes.
const (
	Permitted Outcome = "permitted" // the policy allowed it
	Approved  Outcome = "approved"  // a person did
	Denied    Outcome = "denied"    // the policy, a person or nobody's answer forbade it
	Failed    Outcome = "failed"    // it was allowed and did not succeed
)

// The operations that are no tools.
const (
	SessionStart = "session_start"
	SessionStop  = "session_stop"
)

// Client is the program that a person uses, as it calls itself.
type Client struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Session is what all records of a process have in common.
type Session struct {
	PtahVersion     string
	ContractVersion string
}

// Record is what is recorded of one operation. What is zero is left out.
type Record struct {
	Client     *Client           `json:"client,omitempty"`
	Operation  string            `json:"operation"`
	Capability policy.Capability `json:"capability,omitempty"`
	Scope      string            `json:"scope,omitempty"`
	Verdict    policy.Verdict    `json:"verdict,omitempty"`
	DecidedBy  policy.Layer      `json:"decided_by,omitempty"`
	Approved   bool              `json:"approved"`
	Consent    string            `json:"approval_scope,omitempty"` // once or session
	Outcome    Outcome           `json:"outcome"`
	Code       code.Code         `json:"code,omitempty"`
	Reason     string            `json:"reason,omitempty"`

	Artifact     string   `json:"artifact,omitempty"`
	Paths        []string `json:"paths,omitempty"`
	PatchID      string   `json:"patch_id,omitempty"`
	BaseDigest   string   `json:"base_digest,omitempty"`
	ResultDigest string   `json:"result_digest,omitempty"`
	Gates        []string `json:"gates,omitempty"`
	GateFailures int      `json:"gate_failures,omitempty"`
	RolledBack   bool     `json:"rolled_back,omitempty"`
	Summary      string   `json:"caller_summary,omitempty"` // the caller's own words, not verified

	Target        string `json:"target,omitempty"`
	DatabaseClass string `json:"database_class,omitempty"`
	DurationMS    int64  `json:"duration_ms"`
}

// Decided notes what was decided, and by whom.
func (r *Record) Decided(p approval.Permit) {
	r.Capability, r.Scope, r.Verdict, r.DecidedBy = p.Row.Capability, p.Row.Scope, p.Row.Verdict, p.Row.DecidedBy
	r.Approved = p.Approved
	switch p.Consent {
	case approval.Once:
		r.Consent = "once"
	case approval.Session:
		r.Consent = "session"
	}
}

// address is a URL in a text.
var address = regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*:/\S*`)

// Ended notes how the operation ended; err is nil if it succeeded. The message is kept of
// failures that say nothing of what was read: of refusals, and of what surrounds the
// server.
func (r *Record) Ended(err error) {
	r.Code = code.Of(err)
	switch r.Code {
	case "":
		r.Outcome = Permitted
		if r.Approved {
			r.Outcome = Approved
		}
		return
	case code.CapabilityDenied, code.ApprovalUnavailable, code.ApprovalRefused:
		r.Outcome = Denied
	default:
		r.Outcome = Failed
	}
	var e *code.Error
	if a := r.Code.Actor(); errors.As(err, &e) && a != code.Caller && a != code.Ptah {
		r.Reason = plain.Line(address.ReplaceAllString(e.Message, "…"), maxText)
	}
}

// maxText is the longest text of others in a record, in characters.
const maxText = 500

// line is a record as it is written.
type line struct {
	SchemaVersion   int    `json:"schema_version"`
	Timestamp       string `json:"timestamp"`
	SessionID       string `json:"session_id"`
	Surface         string `json:"surface"`
	PtahVersion     string `json:"ptah_version"`
	ContractVersion string `json:"contract_version"`
	Record
}

// Log is where records go. A nil Log keeps none. It is safe for concurrent use.
type Log struct {
	session Session
	id      string
	now     func() time.Time

	mu   sync.Mutex
	file *os.File
}

// Open opens the log at an absolute path, makes it and its directory if they are not
// there, and records the start of a session. An empty path is no log.
func Open(path string, s Session) (*Log, error) {
	if path == "" {
		return nil, nil
	}
	f, err := open(path)
	if err != nil {
		return nil, fmt.Errorf("the audit log cannot be opened: %w", files.Cause(err))
	}
	id := make([]byte, 16)
	_, _ = rand.Read(id) // it never fails
	l := &Log{session: s, id: hex.EncodeToString(id), now: time.Now, file: f}
	if err := l.Record(Record{Operation: SessionStart, Outcome: Permitted}); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return l, nil
}

// open opens a file for appending. A link in its place would let somebody who can write
// there choose the file that grows; so it has to be a file of its own.
func open(path string) (*os.File, error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if filepath.Base(dir) == config.StateDir {
		if err := prepareStateDir(dir); err != nil {
			return nil, err
		}
	}
	before, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	case !before.Mode().IsRegular():
		return nil, files.ErrNotRegular
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY|syscall.O_NONBLOCK, 0o600)
	if err != nil {
		return nil, err
	}
	after, err := os.Lstat(path)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if opened, err := f.Stat(); err != nil || !os.SameFile(after, opened) {
		return nil, errors.Join(files.ErrNotRegular, f.Close())
	}
	return f, nil
}

// prepareStateDir keeps the server's own directory in a workspace out of its repository.
func prepareStateDir(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is no directory of its own", config.StateDir)
	}
	f, err := os.OpenFile(filepath.Join(dir, ".gitignore"), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString("*\n")
	return errors.Join(err, f.Close())
}

// Record writes a record. Once it returns without an error, the record is on the disk.
func (l *Log) Record(r Record) error {
	if l == nil {
		return nil
	}
	clean(&r)
	text, err := json.Marshal(line{
		SchemaVersion: SchemaVersion, Timestamp: l.now().UTC().Format(time.RFC3339Nano), SessionID: l.id, Surface: "mcp",
		PtahVersion: l.session.PtahVersion, ContractVersion: l.session.ContractVersion, Record: r,
	})
	if err != nil {
		return fmt.Errorf("encoding an audit record: %w", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, err := l.file.Write(append(text, '\n')); err != nil { // one write, so that lines do not mix
		return fmt.Errorf("writing the audit log: %w", files.Cause(err))
	}
	if err := l.file.Sync(); err != nil {
		return fmt.Errorf("writing the audit log: %w", files.Cause(err))
	}
	return nil
}

// clean makes the texts of others short and plain.
func clean(r *Record) {
	r.Summary = plain.Line(r.Summary, maxText)
	r.Target = plain.Line(r.Target, maxText)
	if r.Client != nil {
		r.Client = &Client{plain.Line(r.Client.Name, 100), plain.Line(r.Client.Version, 100)}
	}
}

// Close records the end of the session and closes the log.
func (l *Log) Close() error {
	if l == nil {
		return nil
	}
	err := l.Record(Record{Operation: SessionStop, Outcome: Permitted})
	l.mu.Lock()
	defer l.mu.Unlock()
	return errors.Join(err, l.file.Close())
}
