package conformance

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/quartet-mcp/quartet/mcpkit/mcptest"
)

// A Server is a row of [Servers].
type Server struct {
	Name    string   // as on the command line and under testdata/
	Binary  string   // the name of the executable
	Package string   // the folder of its main package, from the repository's root
	Args    []string // before the arguments of a transcript; the folder is empty and temporary

	// Example says that the binary is not shipped. It is built when the
	// folder that the others are taken from does not hold it.
	Example bool

	// Failing names tools that fail whatever they are asked; they need no
	// transcript in which a call succeeds. No shipped server has such a tool.
	Failing []string

	Good  mcptest.Call  // a call that always succeeds and changes nothing
	Bad   mcptest.Call  // a call that always ends in an error result
	Slow  *mcptest.Call // a call that takes minutes unless cancelled, where there is one
	Panic *mcptest.Call // a call whose handler panics, where there is one

	// HTTP says that the server also speaks streamable HTTP.
	HTTP bool
}

// Servers lists every server of the repository. One whose package is not there
// yet is listed all the same: [Server.Exists] tells.
var Servers = []Server{
	{
		Name: "echo", Binary: "echo", Package: "mcpkit/examples/echo", Example: true,
		Failing: []string{"fail", "panic"},
		Good:    mcptest.Call{Tool: "echo", Arguments: `{"text":"good"}`},
		Bad:     mcptest.Call{Tool: "fail"},
		Slow:    &mcptest.Call{Tool: "slow", Arguments: `{"ms":60000}`},
		Panic:   &mcptest.Call{Tool: "panic"},
		HTTP:    true,
	},
	{
		Name: "vectro", Binary: "vectro-mcp", Package: "vectro/cmd/vectro-mcp", Args: []string{"--root", "."},
		Good: mcptest.Call{Tool: "list_tables"},
		Bad:  mcptest.Call{Tool: "describe_table", Arguments: `{"table":"none"}`},
		HTTP: true,
	},
	{
		Name: "pretensor", Binary: "pretensor", Package: "pretensor/cmd/pretensor", Args: []string{"serve"},
		Good: mcptest.Call{Tool: "list_databases"},
		Bad:  mcptest.Call{Tool: "context", Arguments: `{"table":"none"}`},
		HTTP: true,
	},
	{
		Name: "ptah", Binary: "ptah", Package: "ptah/cmd/ptah", Args: []string{"mcp", "--schema-source-root", "."},
		Good: mcptest.Call{Tool: "describe_session"},
		Bad:  mcptest.Call{Tool: "validate_schema", Arguments: `{"dialect":"none","source":{"schema_files":["a.sql"]}}`},
	},
	{Name: "cerebro", Binary: "cerebro", Package: "cerebro/cmd/cerebro"},
}

// ServerNamed finds a row by name.
func ServerNamed(name string) (Server, error) {
	var names []string
	for _, s := range Servers {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return Server{}, fmt.Errorf("no server is named %q; the servers are %s", name, strings.Join(names, ", "))
}

// Root finds the repository's root from a folder inside it.
func Root(from string) (string, error) {
	dir, err := filepath.Abs(from)
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.work")); err == nil {
			return dir, nil
		}
		if parent := filepath.Dir(dir); parent != dir {
			dir = parent
			continue
		}
		return "", fmt.Errorf("no go.work in %s or above it; run inside the repository", from)
	}
}

// Exists reports whether the server's main package is in the tree.
func (s Server) Exists(root string) bool {
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(s.Package), "*.go"))
	return err == nil && len(files) > 0
}

// Transcripts is the folder of the server's transcripts.
func (s Server) Transcripts(root string) string {
	return filepath.Join(root, "conformance", "testdata", s.Name)
}

// errNotBuilt marks a server whose package is not in the tree.
var errNotBuilt = errors.New("not built yet")

// locate returns how to start the server: the binary in the folder bin, or,
// when bin is empty, one built into the folder tmp.
func (s Server) locate(ctx context.Context, root, bin, tmp string) (mcptest.Server, error) {
	start := mcptest.Server{Args: s.Args}
	if !s.Exists(root) {
		return start, fmt.Errorf("server %s is %w: there is no Go file in %s", s.Name, errNotBuilt, s.Package)
	}
	if bin != "" {
		path, err := filepath.Abs(filepath.Join(bin, s.Binary))
		if err != nil {
			return start, err
		}
		if _, err := os.Stat(path); err == nil {
			start.Path = path
			return start, nil
		}
		if !s.Example {
			return start, fmt.Errorf("there is no binary %s in %s; build it there, or leave --bin out", s.Binary, bin)
		}
	}
	start.Path = filepath.Join(tmp, s.Binary)
	build := exec.CommandContext(ctx, "go", "build", "-o", start.Path, ".")
	build.Dir = filepath.Join(root, filepath.FromSlash(s.Package))
	if out, err := build.CombinedOutput(); err != nil {
		return start, fmt.Errorf("building %s: %w\n%s", s.Package, err, out)
	}
	return start, nil
}
