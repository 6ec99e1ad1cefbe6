package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/dsn"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// A driver may say anything, the password included, as it is or encoded.
func TestErrors_OfDriversAreRedacted(t *testing.T) {
	b := newBench(t)
	b.Connect = func(_ context.Context, d dsn.DSN) (connect.Connector, error) {
		return nil, fmt.Errorf("cannot use %s: password %q, %s", d, d.Password, (&connect.Error{Message: "user " + d.User + ":" + d.Password}).Error())
	}
	log := filepath.Join(t.TempDir(), "log")
	text := "postgresql://ann:hunter%2F2@db/shop"
	b.run("add", text).want(t, exitOK, "", "")
	for _, args := range [][]string{
		{"add", text, "--test"}, {"index", text}, {"index", "shop"}, {"index", "--all"}, {"index", "--all", "--json"}, {"index", "shop", "--log-format", "json"},
		{"init", "--yes", "--no-repo", "--dsn", text},
	} {
		o := b.run(append(args, "--log-file", log)...).want(t, exitFailed, "", "cannot use")
		if !strings.Contains(o.stderr, dsn.Mask) {
			t.Errorf("%q: %s", args, o.stderr)
		}
	}
	b.all = append(b.all, read(t, log))
	b.keeps("hunter/2")
	b.keeps("hunter%2F2")
}

func TestLog_Redacts(t *testing.T) {
	for _, json := range []bool{false, true} {
		var out bytes.Buffer
		s := &secrets{}
		log, done, err := logging{json: json, secrets: s, level: slog.LevelDebug}.open(&out)
		if err != nil {
			t.Fatal(err)
		}
		defer done()
		s.add(dsn.DSN{Dialect: dsn.PostgreSQL, User: "ann", Password: "hunter2"})
		log.Info("says hunter2", "text", "hunter2", "error", errors.New("hunter2"), slog.Group("g", slog.String("x", "hunter2")), "n", 3)
		log.With("with", "hunter2").WithGroup("later").Warn("hunter2", "y", "hunter2")
		if text := out.String(); strings.Contains(text, "hunter2") || strings.Count(text, dsn.Mask) != 7 || !strings.Contains(text, "says") {
			t.Errorf("%s", text)
		}
	}
}

// busy is a database that answers when its context ends.
type busy struct{ connect.Connector }

func (busy) Introspect(ctx context.Context, _ connect.Options) (*model.Database, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}
func (busy) Close() error { return nil }

func TestIndex_Interrupted(t *testing.T) {
	b := newBench(t)
	b.run("add", "postgresql://ann@db/shop").want(t, exitOK, "", "")
	b.run("add", "postgresql://ann@db/stock").want(t, exitOK, "", "")
	ctx, cancel := context.WithCancel(t.Context())
	p := b.Program
	var stderr, stdout bytes.Buffer
	p.Stderr, p.Stdout = &stderr, &stdout
	p.Connect = func(context.Context, dsn.DSN) (connect.Connector, error) {
		cancel()
		return busy{}, nil
	}
	for _, what := range []string{"shop", "--all"} {
		if code := p.Run(ctx, []string{"index", what, "--state-dir", b.dir}); code != exitFailed || !strings.Contains(stderr.String(), "interrupted") || stdout.Len() > 0 {
			t.Errorf("code %d, %q, %q", code, stdout.String(), stderr.String())
		}
	}
}

// Every line of a JSON log is an object with the keys that are promised.
func TestIndex_JSONLog(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	o := b.run("index", shop(t), "--log-format", "json").want(t, exitOK, "tables 3", "")
	stages := 0
	for line := range strings.Lines(o.stderr) {
		var x map[string]any
		if err := json.Unmarshal([]byte(line), &x); err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		for _, key := range []string{"timestamp", "level", "logger", "event", "status", "message"} {
			if s, ok := x[key].(string); !ok || s == "" {
				t.Errorf("%s is %v in %s", key, x[key], line)
			}
		}
		if x["event"] == "stage" {
			stages++
			if _, ok := x["duration_ms"].(float64); !ok || x["status"] != "ok" || x["level"] != "info" {
				t.Errorf("%s", line)
			}
		}
	}
	if stages < 4 {
		t.Errorf("%d stages in %s", stages, o.stderr)
	}
	b.env["PRETENSOR_PROFILE_INDEX"] = "1"
	b.run("index", "shop").want(t, exitOK, "", "MB in use")
}
