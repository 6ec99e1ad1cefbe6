package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"time"

	"github.com/quartet-mcp/quartet/ptah/internal/code"
	"github.com/quartet-mcp/quartet/ptah/internal/dburl"
	"github.com/quartet-mcp/quartet/ptah/internal/plain"
)

const (
	maxStdout = 16 << 20
	maxStderr = 8 << 10
	// killDelay is how long the pipes of a program that was killed may stay open: a child
	// that left its group can hold them.
	killDelay = 2 * time.Second
)

// Catalog is what a program answers.
type Catalog struct {
	Dialect string   `json:"dialect"`
	Version string   `json:"version"`
	Objects []Object `json:"objects"`
}

// Object is one object of a database.
type Object struct {
	Kind    string `json:"kind"`
	Schema  string `json:"schema"`
	Name    string `json:"name"`
	Columns *int   `json:"columns"` // nil: it has none, or the program does not tell
}

// failure is what a program says of its own failing.
type failure struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

type request struct {
	Op      string   `json:"op"`
	URL     string   `json:"url"`
	Schemas []string `json:"schemas"`
}

type reply struct {
	Catalog
	Error *failure `json:"error"`
}

// Read runs the program for the catalog of a database; no schemas means those that the
// engine takes by default. What the program writes to stderr goes to the log at the
// debug level, less the secrets of the URL. The error is a [code.Error].
func (p *Provider) Read(ctx context.Context, u dburl.URL, schemas []string, log *slog.Logger) (*Catalog, error) {
	if err := p.verify(); err != nil {
		return nil, code.New(code.DatabaseReadFailed, "provider %q is not what it was at start-up", p.m.Name).Because(err)
	}
	if schemas == nil {
		schemas = []string{}
	}
	input, err := json.Marshal(request{"read", u.Reveal(), schemas})
	if err != nil {
		return nil, fmt.Errorf("writing the request of a provider: %w", err)
	}
	out, err := p.run(ctx, append(input, '\n'), u, log)
	if err != nil {
		return nil, err
	}
	var r reply
	if err := decode(out, &r); err != nil {
		return nil, p.failed("its answer is not valid: %s", plain.Line(u.Redact(err.Error()), 200))
	}
	if r.Error != nil {
		message := plain.Line(u.Redact(r.Error.Message), 500)
		if r.Error.Code == "unreachable" {
			return nil, code.New(code.DatabaseUnreachable, "provider %q: %s", p.m.Name, message)
		}
		return nil, p.failed("%s", message)
	}
	return &r.Catalog, p.check(&r.Catalog)
}

// failed makes the error of a reading that did not succeed.
func (p *Provider) failed(format string, args ...any) *code.Error {
	return code.New(code.DatabaseReadFailed, "provider %q: %s", p.m.Name, fmt.Sprintf(format, args...))
}

func (p *Provider) check(c *Catalog) error {
	if !word.MatchString(c.Dialect) {
		return p.failed("the dialect of its answer is no lower-case word")
	}
	for i, o := range c.Objects {
		if !word.MatchString(o.Kind) || o.Name == "" || o.Columns != nil && *o.Columns < 0 {
			return p.failed("object %d of its answer has no kind, no name or a negative number of columns", i)
		}
	}
	return nil
}

// run starts the program, gives it the input and returns what it prints.
func (p *Provider) run(ctx context.Context, input []byte, u dburl.URL, log *slog.Logger) ([]byte, error) {
	dir, err := os.MkdirTemp("", "ptah-provider-")
	if err != nil {
		return nil, fmt.Errorf("making a directory for a provider: %w", err)
	}
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()

	cmd := exec.CommandContext(ctx, p.m.Executable, p.m.Args...)
	cmd.Dir = dir
	cmd.Env = []string{}
	for _, name := range []string{"PATH", "HOME", "LANG"} {
		if v, ok := os.LookupEnv(name); ok {
			cmd.Env = append(cmd.Env, name+"="+v)
		}
	}
	cmd.Stdin = bytes.NewReader(input)
	stdout := &capped{limit: maxStdout, over: cancel}
	stderr := &capped{limit: maxStderr, over: func() {}}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	cmd.WaitDelay = killDelay
	ownGroup(cmd)
	err = cmd.Run()
	endGroup(cmd) // what the program started ends with it

	if text := stderr.buf.String(); text != "" {
		log.LogAttrs(ctx, slog.LevelDebug, "provider", slog.String("name", p.m.Name), slog.String("stderr", plain.Text(u.Redact(text), maxStderr)))
	}
	var exit *exec.ExitError
	switch {
	case stdout.full:
		return nil, p.failed("its answer is longer than %d bytes", maxStdout)
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, code.New(code.DatabaseUnreachable, "provider %q did not answer in time", p.m.Name)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.As(err, &exit) && stdout.buf.Len() > 0: // its answer says why
	case err != nil:
		return nil, p.failed("it did not run to its end").Because(errors.New(u.Redact(err.Error())))
	}
	return stdout.buf.Bytes(), nil
}

// capped keeps the first bytes that are written to it and calls over once there are
// more.
type capped struct {
	buf   bytes.Buffer
	limit int
	full  bool
	over  func()
}

// Write implements [io.Writer]. It takes everything, so that a program is not stopped by
// a pipe that breaks.
func (c *capped) Write(p []byte) (int, error) {
	if room := c.limit - c.buf.Len(); len(p) > room {
		c.buf.Write(p[:room])
		if !c.full {
			c.full = true
			c.over()
		}
		return len(p), nil
	}
	return c.buf.Write(p)
}
