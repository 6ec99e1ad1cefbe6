package export

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/graph"
	"github.com/quartet-mcp/quartet/pretensor/internal/graph/fill"
)

// Source says where an export comes from.
type Source struct {
	Graph   string // path of the graph file
	At      time.Time
	Version string // of the product
}

// JSON writes every node and edge of the graph of a catalog as one JSON object. Each
// type lists its properties, and each of its rows has all of them, null where nothing
// is known. Rows are in the order of their ids and stand on a line of their own;
// integers are exact. An edge is left out unless both of its ends are there.
func JSON(w io.Writer, c *catalog.Catalog, source Source) error {
	batches := map[string]fill.Batch{}
	for _, b := range fill.Catalog(c, source.Version) {
		batches[b.Name] = b
	}
	e := newEncoder(w)
	e.text("{\n")
	for _, f := range []struct{ name, value string }{
		{"connection_name", c.Connection}, {"database", c.Database}, {"graph_path", source.Graph}, {"exported_at", source.At.UTC().Format(time.RFC3339)},
	} {
		e.text("  %q: %s,\n", f.name, e.json(f.value))
	}
	labels, types := graph.Labels(c.Vectors.Dim), graph.EdgeTypes()
	e.text("  \"node_types\": [")
	nodes := 0
	for i, l := range labels {
		e.comma(i)
		nodes += e.rows(l.Name, l.Properties, batches[l.Name], false)
	}
	e.text("\n  ],\n  \"edge_types\": [")
	edges := 0
	for i, t := range types {
		e.comma(i)
		edges += e.rows(t.Name, t.Properties, batches[t.Name], true)
	}
	e.text("\n  ],\n  \"stats\": {\"node_types\": %d, \"edge_types\": %d, \"node_count\": %d, \"edge_count\": %d}\n}\n", len(labels), len(types), nodes, edges)
	return cmp.Or(e.err, e.w.Flush())
}

// encoder writes pieces of JSON and keeps the first error.
type encoder struct {
	w     *bufio.Writer
	nodes map[string]bool // ids that were written
	err   error

	value *json.Encoder // into piece
	piece bytes.Buffer
}

func newEncoder(w io.Writer) *encoder {
	e := &encoder{w: bufio.NewWriter(w), nodes: map[string]bool{}}
	e.value = json.NewEncoder(&e.piece)
	e.value.SetEscapeHTML(false)
	return e
}

func (e *encoder) text(format string, args ...any) {
	if e.err == nil {
		_, e.err = fmt.Fprintf(e.w, format, args...)
	}
}

func (e *encoder) comma(i int) {
	if i > 0 {
		e.text(",")
	}
}

// json is a value in one line, until the next one.
func (e *encoder) json(v any) []byte {
	if v == nil {
		return []byte("null")
	}
	e.piece.Reset()
	if err := e.value.Encode(v); err != nil {
		e.err = cmp.Or(e.err, err)
	}
	return bytes.TrimRight(e.piece.Bytes(), "\n")
}

// rows writes a type with its rows and returns how many there are.
func (e *encoder) rows(name string, properties []graph.Property, b fill.Batch, edge bool) int {
	type row struct {
		key  string
		text []byte
	}
	names := make([]string, 0, len(properties)+2)
	if edge {
		names = append(names, "from", "to")
	}
	lists := map[string]bool{}
	for _, p := range properties {
		names = append(names, p.Name)
		lists[p.Name] = p.Type == "STRING[]"
	}
	place, before := make([]int, len(names)), make([]string, len(names))
	for i, n := range names {
		place[i] = slices.Index(b.Columns, n)
		before[i] = fmt.Sprintf(", %s: ", e.json(n))
		if i == 0 {
			before[i] = "{" + before[i][2:]
		}
	}
	var rows []row
	var line bytes.Buffer
	if b.Rows != nil {
		for values := range b.Rows {
			if edge && !(e.nodes[values[0].(string)] && e.nodes[values[1].(string)]) {
				continue
			}
			line.Reset()
			for i, n := range names {
				line.WriteString(before[i])
				var v any
				if place[i] >= 0 {
					v = values[place[i]]
				}
				if list, ok := v.([]string); lists[n] && (v == nil || ok && list == nil) {
					v = []string{}
				}
				line.Write(e.json(v))
			}
			line.WriteByte('}')
			rows = append(rows, row{keyOf(b.Columns, values, edge), bytes.Clone(line.Bytes())})
			if !edge {
				e.nodes[values[slices.Index(b.Columns, graph.Key)].(string)] = true
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Or(strings.Compare(a.key, b.key), bytes.Compare(a.text, b.text)) })
	e.text("\n    {\"type\": %q, \"properties\": %s, \"rows\": [", name, e.json(properties))
	for i, r := range rows {
		e.comma(i)
		e.text("\n      %s", r.text)
	}
	if len(rows) > 0 {
		e.text("\n    ")
	}
	e.text("]}")
	return len(rows)
}

// keyOf is what rows are ordered by: the id of a node; the id of an edge, or its ends
// where it has none.
func keyOf(columns []string, values []any, edge bool) string {
	id := graph.Key
	if edge {
		id = "edge_id"
	}
	if i := slices.Index(columns, id); i >= 0 {
		return values[i].(string)
	}
	return values[0].(string) + "\x00" + values[1].(string)
}
