package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/dsn"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/open"
	"github.com/quartet-mcp/quartet/pretensor/internal/graph/pool"
)

// name is what the program is called.
const name = "pretensor"

// Program is the program and what it takes from the process around it. The zero
// value reads nothing, prints nowhere and sees an empty environment.
type Program struct {
	Version   string
	Stdin     io.Reader
	Stdout    io.Writer // results alone
	Stderr    io.Writer
	ServeLog  io.Writer // standard error of a server, which must not wait for a reader; nil is Stderr
	LookupEnv func(string) (string, bool)
	Now       func() time.Time
	// Terminal says that a person reads and answers: input and standard error are
	// terminals.
	Terminal bool
	// Executable is the absolute path of the program, for the configuration of
	// clients; Home the user's folder, empty if there is none.
	Executable string
	Home       string
	// LockWait is how long another writer is waited for; zero is the usual time.
	LockWait time.Duration
	// RentalAddress is where the PostgreSQL of quickstart --postgres listens, and
	// RentalWait how long it may take to start; empty is 127.0.0.1:55432 and a minute.
	RentalAddress string
	RentalWait    time.Duration

	// Connect opens a database, Serve runs a server to its end, and Command runs
	// another program and gives its output. Nil means the real thing.
	Connect func(context.Context, dsn.DSN) (connect.Connector, error)
	Serve   func(context.Context, *mcpkit.Server, *mcpkit.Flags) int
	Command func(ctx context.Context, program string, args ...string) ([]byte, error)
}

// Main runs the program as a process does and returns the exit code. args are
// without the program's name.
func Main(version string, args []string, stdin, stdout, stderr *os.File) int {
	if len(args) > 0 && args[0] == pool.ChildArg {
		return pool.Child(args[1:])
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	go func() {
		<-ctx.Done()
		stop() // a second signal ends the process at once
	}()
	executable, err := os.Executable()
	if err != nil {
		executable = name
	}
	home, _ := os.UserHomeDir() // empty: clients are not looked for
	p := &Program{
		Version: version, Stdin: stdin, Stdout: stdout, Stderr: stderr, ServeLog: mcpkit.Stderr(), LookupEnv: os.LookupEnv, Now: time.Now,
		Terminal:   isatty.IsTerminal(stdin.Fd()) && isatty.IsTerminal(stderr.Fd()),
		Executable: executable, Home: home,
	}
	return p.Run(ctx, args)
}

// withDefaults is the program with everything that is missing.
func (p Program) withDefaults() *Program {
	if p.Stdin == nil {
		p.Stdin = eof{}
	}
	if p.Stdout == nil {
		p.Stdout = io.Discard
	}
	if p.Stderr == nil {
		p.Stderr = io.Discard
	}
	if p.LookupEnv == nil {
		p.LookupEnv = func(string) (string, bool) { return "", false }
	}
	if p.Now == nil {
		p.Now = time.Now
	}
	if p.Executable == "" {
		p.Executable = name
	}
	if p.RentalAddress == "" {
		p.RentalAddress = rentalAddress
	}
	if p.RentalWait == 0 {
		p.RentalWait = rentalWait
	}
	if p.Connect == nil {
		p.Connect = open.Open
	}
	if p.Serve == nil {
		p.Serve = func(ctx context.Context, s *mcpkit.Server, f *mcpkit.Flags) int { return f.Run(ctx, s) }
	}
	if p.Command == nil {
		p.Command = command
	}
	if p.ServeLog == nil {
		p.ServeLog = p.Stderr
	}
	p.Stderr, p.ServeLog = &lockedWriter{w: p.Stderr}, &lockedWriter{w: p.ServeLog}
	return &p
}

func (p *Program) getenv(key string) string {
	value, _ := p.LookupEnv(key)
	return value
}

// command runs a program; what it said on standard error is in the error.
func command(ctx context.Context, program string, args ...string) ([]byte, error) {
	out, err := exec.CommandContext(ctx, program, args...).Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && len(exit.Stderr) > 0 {
		return out, errors.New(oneLine(string(exit.Stderr)))
	}
	return out, err
}

type eof struct{}

func (eof) Read([]byte) (int, error) { return 0, io.EOF }

// lockedWriter keeps lines of several goroutines apart.
type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(b)
}
