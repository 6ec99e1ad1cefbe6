// Command demo runs the main job of each server on real bundled data, through
// a real MCP client over stdio, and prints what an assistant would see.
//
// The steps are data: one JSON file per server in the folder that -data names.
// A step that does not answer as the file says (a result, or an error that the
// assistant can repair) ends the demo with exit code 1.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// script is one server's demo.
type script struct {
	Server string   `json:"server"` // the binary's name
	Title  string   `json:"title"`
	Args   []string `json:"args"`
	Steps  []step   `json:"steps"`
}

type step struct {
	Why       string          `json:"why"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	Error     bool            `json:"error"` // the call is a mistake on purpose
}

func main() {
	bin := flag.String("bin", "bin", "folder of the binaries")
	data := flag.String("data", "conformance/testdata/demo", "folder of the demo scripts")
	flag.Parse()
	if err := run(context.Background(), os.Stdout, *bin, *data); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

// servers is the order in which the demos run.
var servers = []string{"vectro", "pretensor", "ptah", "cerebro"}

func run(ctx context.Context, w io.Writer, bin, data string) error {
	ran := 0
	var missing []string
	for _, name := range servers {
		text, err := os.ReadFile(filepath.Join(data, name+".json"))
		if errors.Is(err, os.ErrNotExist) {
			missing = append(missing, name)
			continue
		}
		if err != nil {
			return err
		}
		var s script
		if err := json.Unmarshal(text, &s); err != nil {
			return fmt.Errorf("reading the demo of %s: %w", name, err)
		}
		if err := play(ctx, w, bin, s); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		ran++
	}
	if len(missing) > 0 {
		fmt.Fprintf(w, "Not part of this tree yet, so not shown: %s.\n", strings.Join(missing, ", "))
	}
	if ran == 0 {
		return fmt.Errorf("no demo in %s", data)
	}
	return nil
}

// play starts the server and makes the calls of the script.
func play(ctx context.Context, w io.Writer, bin string, s script) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	binary, err := filepath.Abs(filepath.Join(bin, s.Server))
	if err != nil {
		return err
	}
	cmd := exec.Command(binary, s.Args...)
	cmd.Stderr = os.Stderr
	client := mcp.NewClient(&mcp.Implementation{Name: "quartet-demo", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		return fmt.Errorf("starting: %w", err)
	}
	defer session.Close()
	tools, err := session.ListTools(ctx, nil)
	if err != nil {
		return fmt.Errorf("listing the tools: %w", err)
	}
	fmt.Fprintf(w, "━━ %s\n   %s %s, %d tools\n\n", s.Title, s.Server, strings.Join(s.Args, " "), len(tools.Tools))
	for i, st := range s.Steps {
		if err := call(ctx, w, session, i+1, st); err != nil {
			return fmt.Errorf("step %d, %s: %w", i+1, st.Tool, err)
		}
	}
	return session.Close()
}

func call(ctx context.Context, w io.Writer, session *mcp.ClientSession, n int, st step) error {
	// As they stand: the order of members can matter to a tool.
	res, err := session.CallTool(ctx, &mcp.CallToolParams{Name: st.Tool, Arguments: st.Arguments})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%d. %s\n   → %s %s\n", n, st.Why, st.Tool, compact(st.Arguments))
	mark := "←"
	if res.IsError {
		mark = "✗"
	}
	for _, c := range res.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			fmt.Fprintf(w, "   %s %s\n", mark, readable(t.Text))
		}
	}
	fmt.Fprintln(w)
	if res.IsError != st.Error {
		return fmt.Errorf("isError is %v, the script expects %v", res.IsError, st.Error)
	}
	return nil
}

// mostLines and mostWidth bound what one answer takes of the screen.
const (
	mostLines = 24
	mostWidth = 150
)

// readable lays a JSON text out for a person, one row of a result a line, and
// cuts what is long. Other text is only indented.
func readable(text string) string {
	var members map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &members) != nil {
		return cut(strings.Split(text, "\n"))
	}
	lines := []string{"{"}
	dec := json.NewDecoder(strings.NewReader(text))
	_, _ = dec.Token() // the brace; the text is known to be an object
	for dec.More() {
		key, _ := dec.Token()
		var value json.RawMessage
		if dec.Decode(&value) != nil {
			break
		}
		var items []json.RawMessage
		if json.Unmarshal(value, &items) == nil && len(items) > 0 && items[0][0] == '{' {
			lines = append(lines, fmt.Sprintf("  %q: [", key))
			for _, item := range items {
				lines = append(lines, "    "+compact(item))
			}
			lines = append(lines, "  ]")
			continue
		}
		lines = append(lines, fmt.Sprintf("  %q: %s", key, compact(value)))
	}
	return cut(append(lines, "}"))
}

func cut(lines []string) string {
	if len(lines) > mostLines {
		rest := fmt.Sprintf("  … %d more lines", len(lines)-mostLines)
		lines = append(lines[:mostLines:mostLines], rest)
	}
	for i, l := range lines {
		if r := []rune(l); len(r) > mostWidth {
			lines[i] = string(r[:mostWidth]) + "…"
		}
	}
	return strings.Join(lines, "\n     ")
}

func compact(data json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, data) != nil {
		return string(data)
	}
	return b.String()
}
