package repolint

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"
)

func TestRepository(t *testing.T) {
	tree, err := Load(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	if len(tree.goFiles()) < 50 {
		t.Fatalf("only %d Go files below the root; is it the repository?", len(tree.goFiles()))
	}
	for _, r := range Rules {
		t.Run(r.Name, func(t *testing.T) {
			for _, breach := range r.Check(tree) {
				t.Error(breach)
			}
		})
	}
}

// parse makes a tree of a txtar archive.
func parse(t *testing.T, archive string) *Tree {
	t.Helper()
	root := fstest.MapFS{}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		root[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	tree, err := Load(root)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// Each rule bites on the bad tree, once for each line of want and no more, and
// leaves the good one alone.
func TestRules(t *testing.T) {
	tests := []struct {
		name      string
		rule      func(*Tree) []string
		bad, good string
		want      []string
	}{
		{
			name: "imports", rule: Imports,
			bad: `
-- mcpkit/a.go --
package mcpkit
import _ "github.com/quartet-mcp/quartet/ptah/internal/patch"
-- datakit/a/a.go --
package a
import _ "github.com/quartet-mcp/quartet/mcpkit"
import _ "github.com/modelcontextprotocol/go-sdk/mcp"
-- ptah/internal/patch/a.go --
package patch
import _ "github.com/quartet-mcp/quartet/mcpkit"
import _ "github.com/quartet-mcp/quartet/vectro/internal/engine"
import _ "github.com/modelcontextprotocol/go-sdk/mcp"
import _ "github.com/quartet-mcp/quartet/ptah/internal/tools"
-- ptah/internal/tools/a.go --
package tools
import _ "github.com/quartet-mcp/quartet/ptah/cmd/ptah"
-- ptah/internal/patch/b.go --
package patch
import _ "github.com/quartet-mcp/quartet/ptah/internal/cli"
-- conformance/a_test.go --
package conformance
import _ "github.com/quartet-mcp/quartet/vectro"
import _ "github.com/quartet-mcp/quartet/datakit/search"
-- vectro/a.go --
package vectro
import _ "github.com/quartet-mcp/quartet/conformance/wire"
`,
			want: []string{
				"mcpkit/a.go:2: import of github.com/quartet-mcp/quartet/ptah/internal/patch: mcpkit imports no other module",
				"datakit/a/a.go:2: import of github.com/quartet-mcp/quartet/mcpkit: datakit takes mcpkit/nearest and nothing else",
				"datakit/a/a.go:3: import of github.com/modelcontextprotocol/go-sdk/mcp: engine packages know nothing of MCP",
				"ptah/internal/patch/a.go:2: import of github.com/quartet-mcp/quartet/mcpkit: engine packages know nothing of MCP",
				"ptah/internal/patch/a.go:3: import of github.com/quartet-mcp/quartet/vectro/internal/engine: products do not import one another",
				"ptah/internal/patch/a.go:4: import of github.com/modelcontextprotocol/go-sdk/mcp: engine packages know nothing of MCP",
				"ptah/internal/patch/a.go:5: import of github.com/quartet-mcp/quartet/ptah/internal/tools: tools are imported by commands only",
				"ptah/internal/tools/a.go:2: import of github.com/quartet-mcp/quartet/ptah/cmd/ptah: nobody imports a command",
				"ptah/internal/patch/b.go:2: import of github.com/quartet-mcp/quartet/ptah/internal/cli: nobody imports a command",
				"conformance/a_test.go:2: import of github.com/quartet-mcp/quartet/vectro: conformance drives binaries",
				"conformance/a_test.go:3: import of github.com/quartet-mcp/quartet/datakit/search: conformance drives binaries",
				"vectro/a.go:2: import of github.com/quartet-mcp/quartet/conformance/wire: conformance is no library",
			},
			good: `
-- mcpkit/a.go --
package mcpkit
import _ "github.com/modelcontextprotocol/go-sdk/mcp"
import _ "github.com/quartet-mcp/quartet/mcpkit/nearest"
-- datakit/a/a.go --
package a
import _ "github.com/quartet-mcp/quartet/mcpkit/nearest"
import _ "github.com/quartet-mcp/quartet/datakit/search"
-- ptah/internal/patch/a.go --
package patch
import _ "github.com/quartet-mcp/quartet/mcpkit/nearest"
import _ "github.com/quartet-mcp/quartet/datakit/search"
import _ "github.com/quartet-mcp/quartet/ptah/internal/schema"
-- ptah/internal/tools/a.go --
package tools
import _ "github.com/quartet-mcp/quartet/mcpkit"
import _ "github.com/quartet-mcp/quartet/ptah/internal/patch"
-- ptah/cmd/ptah/main.go --
package main
import _ "github.com/quartet-mcp/quartet/mcpkit"
import _ "github.com/quartet-mcp/quartet/ptah/internal/cli"
-- ptah/internal/cli/a.go --
package cli
import _ "github.com/quartet-mcp/quartet/mcpkit"
import _ "github.com/quartet-mcp/quartet/ptah/internal/tools"
-- conformance/a_test.go --
package conformance
import _ "github.com/quartet-mcp/quartet/mcpkit/mcptest"
`,
		},
		{
			name: "leaves", rule: Leaves,
			bad: `
-- vectro/internal/a/a.go --
package a
import _ "github.com/pganalyze/pg_query_go/v6"
-- vectro/internal/b/b.go --
package b
import _ "github.com/pganalyze/pg_query_go/v6"
-- vectro/internal/tools/c.go --
package tools
import _ "github.com/duckdb/duckdb-go/v2"
-- vectro/internal/tools/c_test.go --
package tools
import _ "github.com/duckdb/duckdb-go/v2"
-- vectro/internal/x/x.go --
package x
import _ "github.com/duckdb/duckdb-go-bindings"
-- vectro/internal/y/y.go --
package y
import _ "github.com/duckdb/duckdb-go-bindings/lib"
-- vectro/cmd/v/main.go --
package main
import _ "github.com/kuzudb/go-kuzu"
`,
			want: []string{
				"vectro/internal/b/b.go:2: github.com/pganalyze/pg_query_go is imported by a already",
				"vectro/internal/tools/c.go:2: github.com/duckdb/duckdb-go belongs into an engine package",
				"vectro/internal/tools/c_test.go:2: github.com/duckdb/duckdb-go belongs into an engine package",
				"vectro/internal/y/y.go:2: github.com/duckdb/duckdb-go-bindings is imported by x already",
				"vectro/cmd/v/main.go:2: github.com/kuzudb/go-kuzu belongs into an engine package",
			},
			good: `
-- vectro/internal/a/a.go --
package a
import _ "github.com/pganalyze/pg_query_go/v6"
-- vectro/internal/a/a_test.go --
package a
import _ "github.com/pganalyze/pg_query_go/v6"
-- vectro/internal/b/b_test.go --
package b
import _ "github.com/pganalyze/pg_query_go/v6"
-- vectro/internal/x/x.go --
package x
import _ "github.com/duckdb/duckdb-go/v2"
-- vectro/internal/y/y.go --
package y
import _ "github.com/duckdb/duckdb-go-bindings"
-- datakit/sqltree/postgres/p.go --
package postgres
import _ "github.com/pganalyze/pg_query_go/v6"
-- pretensor/internal/graph/g.go --
package graph
import _ "github.com/kuzudb/go-kuzu"
`,
		},
		{
			name: "package comments", rule: PackageComments,
			bad: `
-- a/a.go --
package a
-- b/b.go --
// B does things.
package b
-- c/c.go --
// Package c does things.
package c
-- c/d.go --
// Package c does other things.
package c
-- cmd/x/main.go --
// Package main runs x.
package main
`,
			want: []string{
				"a: no package comment",
				`b/b.go:1: the package comment begins "B does things.", want "Package b …"`,
				"c: package comments in c.go and d.go; one is enough",
				`cmd/x/main.go:1: the package comment begins "Package main runs", want "Command x …"`,
			},
			good: `
-- c/c.go --
// Package c does things.
package c
-- c/d.go --
package c
-- c/c_test.go --
package c
-- cmd/x/main.go --
// Command x runs.
package main
-- c/testdata/x.go --
package broken {
`,
		},
		{
			name: "exported docs", rule: ExportedDocs,
			bad: `
-- a/a.go --
package a
type A struct{}
func B() {}
func (*A) M() {}
const C = 1
var (
	D = 1
	e = 2
)
type G[T any] struct{}
func (G[T]) N() {}
`,
			want: []string{"type A", "function B", "function M", "const C", "var D", "type G", "function N"},
			good: `
-- a/a.go --
package a
// A is.
type A struct{}
func (A) String() string { return "" }
func (A) Schema() int { return 0 }
// Node has a schema.
type Node interface { Schema() int }
type b struct{}
func (b) M() {}
// Some values.
const (
	C = 1
	D = 2
)
const E = 1 // of something
func f() {}
-- a/a_test.go --
package a
func Helper() {}
-- cmd/x/main.go --
package main
type X struct{}
`,
		},
		{
			name: "stdout", rule: Stdout,
			bad: `
-- ptah/internal/a/a.go --
package a
import ("fmt"; "os"; "syscall")
func a() {
	fmt.Println()
	fmt.Printf("")
	println()
	print()
	_ = os.Stdout
	_ = syscall.Stdout
}
-- ptah/cmd/ptah/main.go --
package main
import "fmt"
func main() { fmt.Print() }
-- ptah/cmd/ptah/other.go --
package main
import "os"
var w = os.Stdout
`,
			want: []string{
				"a.go:4: fmt.Println", "a.go:5: fmt.Printf", "a.go:6: println", "a.go:7: print", "a.go:8: os.Stdout", "a.go:9: syscall.Stdout",
				"main.go:3: fmt.Print", "other.go:3: os.Stdout",
			},
			good: `
-- mcpkit/stdio.go --
package mcpkit
import "os"
var out = os.Stdout
-- ptah/internal/a/a.go --
package a
import ("fmt"; "os")
func a() {
	fmt.Fprintln(os.Stderr)
}
-- ptah/internal/a/a_test.go --
package a
import "fmt"
func b() { fmt.Println() }
-- ptah/cmd/ptah/main.go --
package main
import "os"
var w = os.Stdout
-- mcpkit/internal/bench/main.go --
package main
import "fmt"
func main() { fmt.Println() }
`,
		},
		{
			name: "tool files", rule: ToolFiles,
			bad: `
-- cerebro/internal/tools/x.go --
package tools
-- vectro/internal/tools/tools.go --
package tools
func Register() { add(a()); add(b()) }
func own() mcpkit.Tool[int, int] { return mcpkit.Tool[int, int]{Name: "own"} }
-- vectro/internal/tools/first.go --
package tools
// This file defines first, which leads.
func a() mcpkit.Tool[int, int] { return mcpkit.Tool[int, int]{Name: "first"} }
-- vectro/internal/tools/pair.go --
package tools
// This file defines pair, which is two.
func b() mcpkit.Tool[int, int] { return mcpkit.Tool[int, int]{Name: "pair"} }
// This file defines twin, which is too many.
func c() mcpkit.Tool[int, int] { return mcpkit.Tool[int, int]{Name: "twin"} }
-- vectro/internal/tools/silent.go --
package tools
var a = mcpkit.Tool[int, int]{Name: "silent"}
`,
			want: []string{
				"cerebro/internal/tools: no tools.go",
				"vectro/internal/tools/pair.go: defines 2 tools",
				"vectro/internal/tools/pair.go:5: defines twin; its file is twin.go",
				"vectro/internal/tools/pair.go:5: twin is not listed in tools.go",
				`vectro/internal/tools/silent.go: no sentence "This file defines silent, which …"`,
				"vectro/internal/tools/tools.go:3: defines own; tools.go only lists",
			},
			good: `
-- vectro/internal/tools/tools.go --
package tools
func Register() { add(a()) }
-- vectro/internal/tools/first.go --
package tools
// This file defines first, which leads.
func a() mcpkit.Tool[int, int] { return mcpkit.Tool[int, int]{Name: "first"} }
-- vectro/internal/tools/rows.go --
package tools
`,
		},
		{
			name: "test names", rule: TestNames,
			bad: `
-- a/a_test.go --
package a
func Test1(t *testing.T) {}
func TestA2(t *testing.T) {}
func Test_x(t *testing.T) {}
func TestPatch_(t *testing.T) {}
func BenchmarkX(b *testing.B) {}
`,
			want: []string{"Test1", "TestA2", "Test_x", "TestPatch_", "BenchmarkX"},
			good: `
-- a/a_test.go --
package a
func TestMain(m *testing.M) {}
func TestPatch_KillDuringRename(t *testing.T) {}
func TestInt64(t *testing.T) {}
func FuzzScan(f *testing.F) {}
func Tester() int { return 1 }
`,
		},
		{
			name: "machine paths", rule: MachinePaths,
			bad:  "\n-- a.md --\nsee /" + "home/jo/x\n-- b.sh --\ncd '/" + "work/main'\n-- c.go --\npackage c\nvar p = \"/" + "root/go\"\n-- d.txt --\nC:\\" + "Users\\jo\n",
			want: []string{"a.md:1: ", "b.sh:1: ", "c.go:2: ", "d.txt:1: "},
			good: "\n-- a.md --\nhttps://example.org/home/x, ~/work/x, patch/work/x, $DIR/work/x, /etc/passwd, /home/\n",
		},
		{
			name: "unfinished", rule: Unfinished,
			bad:  "\n-- a.go --\npackage a\n// TO" + "DO: more\n-- b.md --\nFIX" + "ME\n",
			want: []string{"a.go:2: TO" + "DO", "b.md:1: FIX" + "ME"},
			good: "\n-- a.go --\npackage a\n// mastodon\n-- testdata/a.txtar --\nTO" + "DO\n",
		},
		{
			name: "tool tables", rule: ToolTables,
			bad: `
-- vectro/README.md --
<!-- tools: generated from testdata/tools -->
| tool | arguments | when |
|---|---|---|
| ` + "`old`" + ` | | |
<!-- end of tools -->
-- vectro/testdata/tools/sql.json --
{"name":"sql","description":"Runs SQL. At most 500 rows.","inputSchema":{"properties":{"query":{},"limit":{}},"required":["query"]}}
-- ptah/README.md --
<!-- tools: generated from testdata/tools -->
<!-- end of tools -->
-- cerebro/README.md --
<!-- tools: generated from testdata/tools -->
`,
			want: []string{
				"vectro/README.md: the tool table is stale; it has to be:\n| tool | arguments | when |\n|---|---|---|\n| `sql` | `query` [`limit`] | Runs SQL |",
				"ptah/README.md: no tool snapshot in ptah/testdata/tools",
				"cerebro/README.md: no line <!-- end of tools -->",
			},
			good: `
-- README.md --
No table.
-- vectro/README.md --
<!-- tools: generated from testdata/tools -->
| tool | arguments | when |
|---|---|---|
| ` + "`sql` | `query` [`limit`] | Runs SQL |" + `
<!-- end of tools -->
-- vectro/testdata/tools/sql.json --
{"name":"sql","description":"Runs SQL. At most 500 rows.","inputSchema":{"properties":{"query":{},"limit":{}},"required":["query"]}}
`,
		},
		{
			name: "licences", rule: Licences,
			bad:  "\n-- LICENSE --\nours\n-- vectro/testdata/big.csv --\n" + strings.Repeat("a,b\n", 2000) + "-- vectro/wire/schema/x.json --\n" + strings.Repeat(" ", 5000) + "\n",
			want: []string{"vectro/testdata/big.csv: no licence", "vectro/wire/schema/x.json: no licence"},
			good: "\n-- vectro/testdata/data/big.csv --\n" + strings.Repeat("a,b\n", 2000) + "-- vectro/testdata/SOURCES.md --\nmade up\n-- vectro/testdata/small.csv --\na\n",
		},
		{
			name: "modules", rule: Modules,
			bad: `
-- go.work --
go 1.26.0
use ./mcpkit
-- mcpkit/go.mod --
module github.com/quartet-mcp/quartet/mcpkit
go 1.26.0
require example.org/x v1.0.0
-- datakit/go.mod --
module github.com/quartet-mcp/quartet/datakit
go 1.26.0
require github.com/quartet-mcp/quartet/mcpkit v0.0.0
replace github.com/quartet-mcp/quartet/mcpkit => ../mcpkit
-- ptah/go.mod --
module example.org/ptah
go 1.25.0
require (
	example.org/x v1.1.0 // indirect
	github.com/quartet-mcp/quartet/datakit v0.0.0
)
replace github.com/quartet-mcp/quartet/datakit => ../datakit
-- ptah/internal/tools/a.go --
package tools
import _ "github.com/quartet-mcp/quartet/vectro/x"
`,
			want: []string{
				"go.work: does not use ./datakit",
				"ptah/go.mod: module example.org/ptah, want github.com/quartet-mcp/quartet/ptah",
				"go.work: does not use ./ptah",
				"ptah/go.mod: go 1.25.0, but datakit/go.mod has go 1.26.0",
				"ptah/go.mod: has to require github.com/quartet-mcp/quartet/mcpkit and replace it by ../mcpkit (needed by datakit/go.mod)",
				"ptah/go.mod: has to require github.com/quartet-mcp/quartet/vectro and replace it by ../vectro (needed by ptah/internal/tools/a.go:2)",
				"ptah/go.mod: example.org/x v1.1.0, but mcpkit/go.mod has v1.0.0",
			},
			good: `
-- go.work --
go 1.26.0
use (
	./datakit
	./mcpkit
)
-- mcpkit/go.mod --
module github.com/quartet-mcp/quartet/mcpkit
go 1.26.0
-- datakit/go.mod --
module github.com/quartet-mcp/quartet/datakit
go 1.26.0
require github.com/quartet-mcp/quartet/mcpkit v0.0.0
replace github.com/quartet-mcp/quartet/mcpkit => ../mcpkit
-- datakit/a/a.go --
package a
import _ "github.com/quartet-mcp/quartet/mcpkit/nearest"
`,
		},
		{
			name: "formatted", rule: Formatted,
			bad:  "\n-- a.go --\npackage a\nvar  x = 1\n",
			want: []string{"a.go: not formatted"},
			good: "\n-- a.go --\npackage a\n\nvar x = 1\n",
		},
	}
	if len(tests) != len(Rules) {
		t.Errorf("%d rules have a bad tree, but there are %d rules", len(tests), len(Rules))
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			left := tt.rule(parse(t, tt.bad))
			for _, want := range tt.want {
				found := false
				for i, got := range left {
					if strings.Contains(got, want) {
						left = append(left[:i], left[i+1:]...)
						found = true
						break
					}
				}
				if !found {
					t.Errorf("no breach with %q in\n%s", want, strings.Join(left, "\n"))
				}
			}
			for _, got := range left {
				t.Errorf("not wanted: %s", got)
			}
			for _, got := range tt.rule(parse(t, tt.good)) {
				t.Errorf("in the good tree: %s", got)
			}
		})
	}
}
