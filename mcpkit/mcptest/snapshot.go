package mcptest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Snapshot holds the tool definitions of a server to the files
// <dir>/<tool>.json, byte for byte and in the order of keys in which clients
// get them: what a model is told is part of the contract, and a change of it
// should be read in review. A tool without a file is an error, as is a file
// without a tool. With the flag -update the files are written instead; see
// [Updating].
//
// The definitions without their output schemas may together have at most
// budget bytes of compact JSON: this is what every conversation of every user
// pays for. A budget that is not positive is an error.
//
// The server is that of the SDK; with mcpkit it is s.SDK(). It is asked over a
// connection in memory, so nothing else is needed to run it.
func Snapshot(tb testing.TB, server *mcp.Server, dir string, budget int) {
	tb.Helper()
	if budget <= 0 {
		tb.Errorf("the budget for the tool list is %d bytes; state one", budget)
	}
	tools, err := listTools(server)
	if err != nil {
		tb.Fatalf("listing the tools: %v", err)
		return
	}
	size, err := listSize(tools)
	if err != nil {
		tb.Fatalf("measuring the tool list: %v", err)
		return
	}
	tb.Logf("%d tools, %d of %d bytes without output schemas", len(tools), size, budget)
	if budget > 0 && size > budget {
		tb.Errorf("the tool list has %d bytes without output schemas, the budget is %d", size, budget)
	}

	update := Updating(tb)
	if update {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			tb.Fatal(err)
			return
		}
	}
	known := map[string]bool{}
	for _, tool := range tools {
		file := filepath.Join(dir, tool.name+".json")
		known[filepath.Base(file)] = true
		if update {
			if err := os.WriteFile(file, tool.text, 0o644); err != nil {
				tb.Error(err)
			}
			continue
		}
		want, err := os.ReadFile(file)
		if errors.Is(err, os.ErrNotExist) {
			tb.Errorf("tool %s has no snapshot %s; run the test with -update and read it", tool.name, file)
		} else if err != nil {
			tb.Error(err)
		} else if diff := firstDifference(string(want), string(tool.text)); diff != "" {
			tb.Errorf("the definition of tool %s is not that of %s: %s", tool.name, file, diff)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		tb.Error(err)
	}
	for _, file := range files {
		if known[filepath.Base(file)] {
			continue
		}
		if !update {
			tb.Errorf("%s is the snapshot of a tool that does not exist", file)
		} else if err := os.Remove(file); err != nil {
			tb.Error(err)
		}
	}
}

// definition is one entry of a tool list.
type definition struct {
	name string
	raw  json.RawMessage // as it came
	text []byte          // indented, with a newline at the end
}

// snapshotTimeout bounds the listing of tools, which takes milliseconds.
const snapshotTimeout = 30 * time.Second

// listTools asks a server for its tools. It speaks JSON-RPC by hand, because a
// client library would sort the keys.
func listTools(server *mcp.Server) (tools []definition, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), snapshotTimeout)
	defer cancel()
	ours, theirs := mcp.NewInMemoryTransports()
	session, err := server.Connect(ctx, theirs, nil)
	if err != nil {
		return nil, err
	}
	conn, err := ours.Connect(ctx)
	if err != nil {
		return nil, errors.Join(err, session.Close())
	}
	defer func() {
		err = errors.Join(err, conn.Close())
		_ = session.Wait() // the end of the connection is what it returns
	}()

	if _, err := ask(ctx, conn, 1, "initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"mcptest","version":"1"}}`); err != nil {
		return nil, err
	}
	if err := conn.Write(ctx, &jsonrpc.Request{Method: "notifications/initialized", Params: json.RawMessage(`{}`)}); err != nil {
		return nil, err
	}
	for cursor, id := "", 2; ; id++ {
		params, err := json.Marshal(map[string]string{"cursor": cursor})
		if err != nil {
			return nil, err
		}
		if cursor == "" {
			params = []byte(`{}`)
		}
		result, err := ask(ctx, conn, id, "tools/list", string(params))
		if err != nil {
			return nil, err
		}
		var page struct {
			Tools      []json.RawMessage
			NextCursor string
		}
		if err := json.Unmarshal(result, &page); err != nil {
			return nil, err
		}
		for _, raw := range page.Tools {
			var head struct{ Name string }
			if err := json.Unmarshal(raw, &head); err != nil {
				return nil, err
			}
			if head.Name == "" || head.Name != filepath.Base(head.Name) {
				return nil, fmt.Errorf("the name %q cannot be that of a file", head.Name)
			}
			text, err := readable(raw)
			if err != nil {
				return nil, err
			}
			tools = append(tools, definition{head.Name, raw, text})
		}
		if cursor = page.NextCursor; cursor == "" {
			return tools, nil
		}
	}
}

// ask sends a request and reads on until its answer.
func ask(ctx context.Context, conn mcp.Connection, id int, method, params string) (json.RawMessage, error) {
	want, err := jsonrpc.MakeID(float64(id))
	if err != nil {
		return nil, err
	}
	if err := conn.Write(ctx, &jsonrpc.Request{ID: want, Method: method, Params: json.RawMessage(params)}); err != nil {
		return nil, err
	}
	for {
		msg, err := conn.Read(ctx)
		if err != nil {
			return nil, fmt.Errorf("waiting for the answer to %s: %w", method, err)
		}
		if answer, ok := msg.(*jsonrpc.Response); ok && answer.ID == want {
			if answer.Error != nil {
				return nil, fmt.Errorf("%s: %w", method, answer.Error)
			}
			return answer.Result, nil
		}
	}
}

// readable indents a definition and writes <, > and & as themselves.
func readable(raw json.RawMessage) ([]byte, error) {
	node, err := parseJSON(raw)
	if err != nil {
		return nil, err
	}
	var buf bytes.Buffer
	if err := json.Indent(&buf, []byte(node.String()), "", "  "); err != nil {
		return nil, err
	}
	buf.WriteByte('\n')
	return buf.Bytes(), nil
}

// listSize is the size of the tool list without its output schemas.
func listSize(tools []definition) (int, error) {
	size := len(`{"tools":[]}`) + max(len(tools)-1, 0)
	for _, tool := range tools {
		node, err := parseJSON(tool.raw)
		if err != nil {
			return 0, err
		}
		node.remove("outputSchema")
		size += len(node.String())
	}
	return size, nil
}

// firstDifference shows the first line in which two texts differ, "" when there
// is none.
func firstDifference(want, got string) string {
	if want == got {
		return ""
	}
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	at := 0
	for at < min(len(w), len(g)) && w[at] == g[at] {
		at++
	}
	line := func(lines []string) string {
		if at < len(lines) {
			return cmp.Or(strings.TrimSpace(lines[at]), "(an empty line)")
		}
		return "(the end)"
	}
	return fmt.Sprintf("line %d is\n\t%s\nand was\n\t%s", at+1, line(g), line(w))
}
