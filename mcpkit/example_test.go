package mcpkit_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/quartet-mcp/quartet/mcpkit"
)

// A whole server: put this into main, build it, and name the program in the
// configuration of a client (--print-config writes it).
func Example() {
	type greetArgs struct {
		Name  string `json:"name" jsonschema:"whom to greet" minLength:"1"`
		Times int    `json:"times,omitempty" jsonschema:"how often" default:"1" minimum:"1" maximum:"5"`
	}
	type greetResult struct {
		Greetings []string `json:"greetings" jsonschema:"one line each"`
	}
	server := mcpkit.New(mcpkit.Info{Name: "greeter", Title: "Greeter", Version: "1.0.0"}, nil)
	mcpkit.Add(server, mcpkit.Tool[greetArgs, greetResult]{
		Name:        "greet",
		Title:       "Greet",
		Description: "Use it to greet somebody. Returns the greetings, at most five.",
		Hints:       mcpkit.Hints{ReadOnly: true, Idempotent: true},
		Handle: func(_ context.Context, in greetArgs) (greetResult, error) {
			var res greetResult
			for range in.Times {
				res.Greetings = append(res.Greetings, "Hello, "+in.Name)
			}
			return res, nil
		},
	})
	mcpkit.Main(server)
}

type countArgs struct {
	Table string `json:"table" jsonschema:"the table to count"`
	Limit int    `json:"limit,omitempty" jsonschema:"rows to look at" default:"100" minimum:"1" maximum:"1000"`
}

type countResult struct {
	Rows int `json:"rows" jsonschema:"rows counted"`
}

func ExampleAdd() {
	server := mcpkit.New(mcpkit.Info{Name: "counter", Version: "1.0.0"}, nil)
	mcpkit.Add(server, mcpkit.Tool[countArgs, countResult]{
		Name:        "count",
		Description: "Use it to learn how many rows a table has.",
		Hints:       mcpkit.Hints{ReadOnly: true},
		OutOfRange:  mcpkit.Clamp, // a limit of 5000 is taken as 1000, with a warning
		Handle: func(_ context.Context, in countArgs) (countResult, error) {
			return countResult{Rows: in.Limit}, nil
		},
	})
	print(call(server, "count", `{"table":"orders"}`))
	print(call(server, "count", `{"table":"orders","limit":5000}`))
	print(call(server, "count", `{"tabel":"orders"}`))
	print(call(server, "count", `{"table":"orders","limit":"many"}`))
	// Output:
	// {"rows":100}
	// {"rows":1000}
	// warning: limit 5000 is out of range and was taken as 1000
	// error: count has no argument 'tabel'; did you mean 'table'?
	// error: limit must be a whole number, not the text "many"
}

func ExampleError() {
	server := mcpkit.New(mcpkit.Info{Name: "counter", Version: "1.0.0"}, nil)
	mcpkit.Add(server, mcpkit.Tool[countArgs, countResult]{
		Name:        "count",
		Description: "Use it to learn how many rows a table has.",
		Handle: func(_ context.Context, in countArgs) (countResult, error) {
			if in.Table != "orders" {
				return countResult{}, &mcpkit.Error{
					Kind:    mcpkit.NotFound,
					Code:    "no_table",
					Field:   "table",
					Message: fmt.Sprintf("there is no table %q", mcpkit.Untrusted(in.Table)),
					Fix:     `did you mean "orders"?`,
				}
			}
			return countResult{Rows: 3}, nil
		},
	})
	print(call(server, "count", `{"table":"ordrs"}`))
	// Output:
	// error: there is no table "ordrs"; did you mean "orders"?
}

func ExampleWarn() {
	type args struct{}
	server := mcpkit.New(mcpkit.Info{Name: "counter", Version: "1.0.0"}, nil)
	mcpkit.Add(server, mcpkit.Tool[args, countResult]{
		Name:        "count",
		Description: "Use it to learn how many rows there are.",
		Handle: func(ctx context.Context, _ args) (countResult, error) {
			for _, line := range []string{"7", "12"} {
				mcpkit.Warn(ctx, mcpkit.Warning{Category: "skipped", Message: "lines that are no rows were left out", Object: line})
			}
			return countResult{Rows: 3}, nil
		},
	})
	print(call(server, "count", `{}`))
	// Output:
	// {"rows":3}
	// warning: lines that are no rows were left out
}

func ExampleOpenRoot() {
	dir, err := os.MkdirTemp("", "root")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "orders.csv"), []byte("id\n1\n"), 0o600); err != nil {
		panic(err)
	}

	root, err := mcpkit.OpenRoot(dir)
	if err != nil {
		panic(err)
	}
	defer root.Close()
	for _, name := range []string{"orders.csv", "ordes.csv", "../orders.csv", "file:///etc/passwd"} {
		f, err := root.Open(name)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println("opened", name)
		f.Close()
	}
	// Output:
	// opened orders.csv
	// there is no file "ordes.csv"; did you mean "orders.csv"?
	// "../orders.csv" leaves the folder; give a path inside the folder, relative to it
	// "file:///etc/passwd" is an address, not a path; give a path inside the folder, relative to it
}

func ExampleCheckSchema() {
	inferred, err := jsonschema.For[struct {
		Columns []string `json:"columns" jsonschema:"the columns"`
		Limit   *int     `json:"limit"`
	}](nil)
	if err != nil {
		panic(err)
	}
	for _, err := range mcpkit.CheckSchema(inferred) {
		fmt.Println(err)
	}
	// Output:
	// /properties/columns: a list of types is not portable; use anyOf with one complete schema per type
	// /properties/limit: the property has no description
	// /properties/limit: a list of types is not portable; use anyOf with one complete schema per type
}

func ExampleUntrusted() {
	fmt.Printf("%q", mcpkit.Untrusted("orders\u202e\nvsc.exe\u200b"))
	// Output: "orders vsc.exe"
}

// call calls a tool over a connection in memory, as a client does.
func call(server *mcpkit.Server, tool, args string) *mcp.CallToolResult {
	ctx := context.Background()
	ours, theirs := mcp.NewInMemoryTransports()
	there, err := server.SDK().Connect(ctx, theirs, nil)
	if err != nil {
		panic(err)
	}
	here, err := mcp.NewClient(&mcp.Implementation{Name: "example", Version: "1"}, nil).Connect(ctx, ours, nil)
	if err != nil {
		panic(err)
	}
	res, err := here.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: rawArgs(args)})
	if err != nil {
		panic(err)
	}
	here.Close()
	there.Wait()
	return res
}

// rawArgs are arguments that are JSON already.
type rawArgs string

func (a rawArgs) MarshalJSON() ([]byte, error) { return []byte(a), nil }

// print shows the text of a result.
func print(res *mcp.CallToolResult) {
	var lines []string
	for _, c := range res.Content {
		lines = append(lines, c.(*mcp.TextContent).Text)
	}
	text := strings.Join(lines, "\n")
	if res.IsError {
		text = "error: " + text
	}
	fmt.Println(text)
}
