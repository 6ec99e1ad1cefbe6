// Command vectro-mcp serves the files of one folder to an assistant: it loads
// them into tables and answers questions about them over the Model Context
// Protocol.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/vectro/internal/engine"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/mem"
	"github.com/quartet-mcp/quartet/vectro/internal/tools"
)

// version is set by the linker.
var version = "dev"

const instructions = "Load a file with load_file first, and see its columns with describe_table before filtering. " +
	"Ask single-table questions with query: filters and aggregates are expressions such as price > 100 or sum(price * qty). " +
	"Use sql for joins. Text goes in single quotes. Results are small on purpose: aggregate, filter and sort instead of fetching rows."

// minMemory is the least that --memory takes: buffers for one file and one question.
const minMemory = 16_000_000

// maxFile is the largest file that load_file reads; --max-file only lowers it.
const maxFile = 2_000_000_000

func main() { os.Exit(run(os.Args[1:])) }

// config is what the command line says.
type config struct {
	flags   mcpkit.Flags
	root    string
	threads int
	memory  size
	timeout duration
	maxFile size
	preload []string
	maxText int
	noHints bool
	log     string
}

func run(args []string) int {
	info := mcpkit.Info{Name: "vectro", Title: "Vectro", Version: version, Instructions: instructions}
	c := config{maxFile: maxFile}
	c.flags.Paths = []string{"root", "log"}
	set := flag.NewFlagSet("vectro-mcp", flag.ContinueOnError)
	c.register(set)
	if code, done := c.flags.Parse(set, info, args); done {
		return code
	}
	c.flags.HTTP.Listening = func(a net.Addr) { fmt.Fprintf(os.Stderr, "vectro-mcp: serving http://%s/mcp\n", a) }
	server, err := c.server(info)
	if err != nil {
		fmt.Fprintf(os.Stderr, "vectro-mcp: %v\n", err)
		return 2
	}
	return c.flags.Run(context.Background(), server)
}

func (c *config) register(set *flag.FlagSet) {
	c.flags.Register(set)
	set.StringVar(&c.root, "root", ".", "the data `folder`; no file outside of it is read")
	set.IntVar(&c.threads, "threads", runtime.GOMAXPROCS(0), "workers for one call")
	set.Var(&c.memory, "memory", "most memory for tables and calls together, a `size` such as 6GB; default: 70 % of what the process may use")
	set.Var(&c.timeout, "timeout", "end a call that runs longer, a `duration` such as 30s or 5m; default: no limit")
	set.Lookup("addr").Usage = "`host:port` to serve HTTP on, at the path /mcp; off loopback a bearer token is required"
	set.Var(&c.maxFile, "max-file", "largest file that load_file reads, a `size` up to 2GB")
	set.Func("preload", "load `path[=name]` before the first answer; repeatable, not with --transport http", func(s string) error {
		c.preload = append(c.preload, s)
		return nil
	})
	set.IntVar(&c.maxText, "max-text", 0, "cut strings in rows after this many characters; 0 for no limit")
	set.BoolVar(&c.noHints, "no-hints", false, "leave out hints about labels that do not exist")
	set.StringVar(&c.log, "log", "", "append one JSON line per call to a `file`: tool, time, rows and their bytes, error; never values")
}

// server builds the server; its errors are mistakes on the command line.
func (c *config) server(info mcpkit.Info) (*mcpkit.Server, error) {
	switch {
	case c.threads < 1:
		return nil, fmt.Errorf("--threads must be at least 1, not %d", c.threads)
	case c.maxFile > maxFile:
		return nil, fmt.Errorf("--max-file may be at most %s", mem.Size(maxFile))
	case c.maxText < 0:
		return nil, fmt.Errorf("--max-text must not be negative, it is %d", c.maxText)
	case c.timeout < 0:
		return nil, fmt.Errorf("--timeout must not be negative, it is %s", time.Duration(c.timeout))
	case c.memory != 0 && c.memory < minMemory:
		return nil, fmt.Errorf("--memory must be at least %s, the least with which a small file can be loaded and asked about, not %s", mem.Size(minMemory), mem.Size(int64(c.memory)))
	case len(c.preload) > 0 && c.flags.Transport == "http":
		return nil, errors.New("--preload is for stdio; over HTTP every session has tables of its own")
	}
	root, err := mcpkit.OpenRoot(c.root)
	if err != nil {
		return nil, fmt.Errorf("--root must name a folder: %w", err)
	}
	if c.memory == 0 {
		c.memory = size(max(minMemory, mem.Available(os.DirFS("/"))/10*7))
	}
	limitHeap(int64(c.memory))
	service := &tools.Service{
		Root: root,
		Engines: tools.NewEngines(engine.Options{
			Threads: c.threads, Budget: mem.NewBudget(int64(c.memory)),
		}),
		MaxFile: int64(c.maxFile), MaxText: c.maxText, Hints: !c.noHints,
	}
	if c.log != "" {
		f, err := os.OpenFile(filepath.Clean(c.log), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, fmt.Errorf("--log: %w", err)
		}
		service.Log = tools.NewCallLog(f)
	}
	for _, p := range c.preload {
		name := ""
		if i := strings.LastIndexByte(p, '='); i >= 0 {
			p, name = p[:i], p[i+1:]
		}
		if err := service.Preload(context.Background(), p, name); err != nil {
			return nil, fmt.Errorf("--preload: %w", err)
		}
	}
	server := mcpkit.New(info, &mcpkit.Options{
		Logger:    c.flags.Logger(),
		Limits:    mcpkit.Limits{Call: time.Duration(c.timeout), Result: maxResult},
		ErrorText: tools.ErrorText,
	})
	tools.Register(server, service)
	return server, nil
}

// limitHeap makes the collector keep the heap near the memory budget. Left alone it
// lets garbage grow to the size of what is in use, and the process to twice the
// budget. An eighth of the budget and 64 MiB are room for what the budget does not
// count: garbage, the parser's trees, messages, stacks.
func limitHeap(budget int64) {
	if os.Getenv("GOMEMLIMIT") == "" { // the operator's choice goes first
		debug.SetMemoryLimit(budget + budget/8 + 64<<20)
	}
}

// maxResult bounds the text of one result; rows are cut before it is reached.
const maxResult = 10 << 20

// duration is a flag's span of time.
type duration time.Duration

func (d *duration) String() string {
	if d == nil || *d == 0 {
		return ""
	}
	return time.Duration(*d).String()
}

func (d *duration) Set(text string) error {
	v, err := time.ParseDuration(text)
	if err != nil {
		return fmt.Errorf("%q is no duration; write its unit, for example 5s, 500ms or 2m", text)
	}
	*d = duration(v)
	return nil
}

// size is a flag's number of bytes.
type size int64

func (s *size) String() string {
	if s == nil || *s == 0 {
		return ""
	}
	return strings.ReplaceAll(mem.Size(int64(*s)), " ", "")
}

func (s *size) Set(text string) error {
	n, err := mem.ParseSize(text)
	*s = size(n)
	return err
}
