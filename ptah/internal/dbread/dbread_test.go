package dbread

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/quartet-mcp/quartet/ptah/internal/code"
	"github.com/quartet-mcp/quartet/ptah/internal/config"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/provider"
)

// withProvider is a database that a program reads, which answers any request the same.
func withProvider(t *testing.T, answer string, schemas ...string) config.Database {
	t.Helper()
	dir := t.TempDir()
	script := "#!/bin/sh\nread -r request\ncat <<'END'\n" + answer + "\nEND\n"
	exe := filepath.Join(dir, "reader")
	if err := os.WriteFile(exe, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(script))
	manifest, err := json.Marshal(provider.Manifest{Protocol: provider.Protocol, Name: "vault", Engine: "vaultdb", Schemes: []string{"vaultdb"},
		Executable: exe, SHA256: hex.EncodeToString(sum[:])})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "vault.json")
	if err := os.WriteFile(file, manifest, 0o600); err != nil {
		t.Fatal(err)
	}
	db := target(t, "vaultdb://reader:"+secret+"@vault/core", schemas...)
	if db.Provider, err = provider.Load(file); err != nil {
		t.Fatal(err)
	}
	return db
}

func TestRead_Provider(t *testing.T) {
	const answer = `{"dialect":"vaultdb","version":"7.1","objects":[{"kind":"table","schema":"b","name":"t","columns":3},
{"kind":"view","schema":"a","name":"v"},{"kind":"keyspace","name":"k"}]}`
	c, partial := mustRead(t, withProvider(t, answer))
	if diff := cmp.Diff([]string{"keyspace .k", "view a.v", "table b.t 3"}, lines(c)); diff != "" {
		t.Errorf("objects (-want +got):\n%s", diff)
	}
	if c.Dialect != "vaultdb" || c.Version != "7.1" || cmp.Diff([]string{"a", "b"}, c.Schemas) != "" || partial != nil {
		t.Errorf("%s %s %q, %q", c.Dialect, c.Version, c.Schemas, partial)
	}
	_, _, err := read(t, withProvider(t, answer), "a")
	wantError(t, err, code.DatabaseReadFailed, "a schema that was not asked for")
	_, _, err = read(t, withProvider(t, answer, "a")) // the operator's bound holds for it, too
	wantError(t, err, code.DatabaseReadFailed, "a schema that was not asked for")
	_, _, err = read(t, withProvider(t, answer, "a"), "b")
	wantError(t, err, code.InvalidRequest, "the operator allows a")
	_, _, err = read(t, withProvider(t, `{"error":{"code":"unreachable","message":"`+secret+` was refused"}}`))
	wantError(t, err, code.DatabaseUnreachable, `provider "vault": *** was refused`)
}

func TestReading_Cut(t *testing.T) {
	for _, test := range []struct{ found, want, warnings int }{{maxObjects, maxObjects, 0}, {maxObjects + 1, maxObjects, 1}, {maxRead + 1, maxObjects, 2}} {
		r := &reading{rep: &finding.Report{}}
		for i := range test.found {
			if !r.add(Object{Kind: "table", Schema: "s", Name: fmt.Sprintf("%07d", test.found-i)}) {
				break
			}
		}
		c := r.finish()
		warnings := 0
		for _, w := range r.rep.Warnings() {
			warnings += len(w.Objects)
		}
		if len(c.Objects) != test.want || warnings != test.warnings {
			t.Errorf("%d objects: %d and %d warnings, want %d and %d", test.found, len(c.Objects), warnings, test.want, test.warnings)
		}
		if test.found <= maxRead && c.Objects[0].Name != "0000001" {
			t.Errorf("%d objects: the first is %s", test.found, c.Objects[0].Name)
		}
	}
	c := (&reading{}).finish()
	if c.Objects == nil || c.Schemas == nil {
		t.Errorf("an empty catalog has no lists: %+v", c)
	}
}

// Nobody makes a database without a reader, but one that got through is not a crash.
func TestRead_NoReader(t *testing.T) {
	_, _, err := read(t, target(t, "oracle://h/d"))
	wantError(t, err, code.DatabaseReadFailed, `has the scheme "oracle", which no reader serves`)
}

// The cause that goes to the log has no secrets either.
func TestUnreachable_Redacts(t *testing.T) {
	db := target(t, "postgres://reader:"+secret+"@h/d")
	err := unreachable(db, fmt.Errorf("parsing postgres://reader:%s@h: %w", secret, io.EOF), "password="+secret)
	wantError(t, err, code.DatabaseUnreachable, "password=***")
	if cause := errors.Unwrap(err); cause == nil || !strings.Contains(cause.Error(), "postgres://***@h") {
		t.Errorf("cause = %v", cause)
	}
}

// A server that takes the connection and says nothing is given up.
func TestOpen_SilentServer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for scheme, open := range map[string]func(context.Context, config.Database) (reader, error){"postgres": openPostgres, "mysql": openMySQL} {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		_, err := open(ctx, target(t, scheme+"://u:"+secret+"@"+l.Addr().String()+"/d"))
		cancel()
		wantError(t, err, code.DatabaseUnreachable, "no answer in time")
	}
}
