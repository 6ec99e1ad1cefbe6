package duckdb

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	bindings "github.com/duckdb/duckdb-go-bindings"

	"github.com/quartet-mcp/quartet/cerebro/internal/backend"
	"github.com/quartet-mcp/quartet/mcpkit/nearest"
)

// Version is that of the engine.
func (d *Database) Version(context.Context) (string, error) { return bindings.LibraryVersion(), nil }

// Ping opens the file, unless it is open.
func (d *Database) Ping(ctx context.Context) error {
	return d.with(ctx, func(c *connection) error { return nil })
}

// all are the rows of a statement of our own.
func (d *Database) all(ctx context.Context, text string, args ...any) ([][]any, error) {
	s := backend.Statement{SQL: text}
	for _, a := range args {
		s.Args = append(s.Args, backend.Arg{Value: a})
	}
	r, err := d.run(ctx, s)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }() // it was only read
	var out [][]any
	for {
		row, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		out = append(out, row)
	}
}

func word(v any) string {
	s, _ := v.(string)
	return s
}

func number(v any) int64 {
	switch v := v.(type) {
	case int64:
		return v
	case string:
		if n, err := strconv.ParseInt(v, 10, 64); err == nil {
			return n
		}
	}
	return -1
}

// ours chooses what is of the file, not of the engine.
const ours = "database_name = current_database() AND NOT internal"

// Databases are the schemas of the file.
func (d *Database) Databases(ctx context.Context) ([]string, error) {
	rows, err := d.all(ctx, "SELECT schema_name FROM duckdb_schemas() WHERE database_name = current_database() AND (NOT internal OR schema_name = 'main') ORDER BY 1")
	if err != nil {
		return nil, err
	}
	var out []string
	for _, r := range rows {
		out = append(out, word(r[0]))
	}
	return out, nil
}

// Tables are those of a schema.
func (d *Database) Tables(ctx context.Context, database string) ([]backend.Table, error) {
	rows, err := d.all(ctx, "SELECT table_name, false, estimated_size FROM duckdb_tables() WHERE schema_name = $1 AND "+ours+
		" UNION ALL SELECT view_name, true, -1 FROM duckdb_views() WHERE schema_name = $1 AND "+ours+" ORDER BY 1", database)
	if err != nil {
		return nil, err
	}
	var out []backend.Table
	for _, r := range rows {
		view, _ := r[1].(bool)
		out = append(out, backend.Table{Database: database, Name: word(r[0]), View: view, Rows: number(r[2]), Bytes: -1})
	}
	return out, nil
}

// Describe is a table with its columns.
func (d *Database) Describe(ctx context.Context, database, table string) (*backend.Table, error) {
	tables, err := d.Tables(ctx, database)
	if err != nil {
		return nil, err
	}
	// Names are the same whatever their case.
	i := slices.IndexFunc(tables, func(t backend.Table) bool { return strings.EqualFold(t.Name, table) })
	if i < 0 {
		names := make([]string, len(tables))
		for i, t := range tables {
			names[i] = t.Name
		}
		return nil, &backend.Error{
			Code: backend.NotFound, Message: fmt.Sprintf("there is no table %q in %q", table, database), Name: table, Near: nearest.Find(table, names, 5),
		}
	}
	t := tables[i]
	rows, err := d.all(ctx, "SELECT column_name, data_type, is_nullable, column_default, comment FROM duckdb_columns() "+
		"WHERE database_name = current_database() AND schema_name = $1 AND table_name = $2 ORDER BY column_index", database, t.Name)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		nullable, _ := r[2].(bool)
		t.Columns = append(t.Columns, backend.TableColumn{Name: word(r[0]), Type: word(r[1]), Nullable: nullable, Default: word(r[3]), Comment: word(r[4])})
	}
	return &t, nil
}

// step is an operator of a plan.
type step struct {
	Name     string `json:"name"`
	Children []step `json:"children"`
	Extra    struct {
		Cardinality string `json:"Estimated Cardinality"`
		Table       string `json:"Table"`
		Function    string `json:"Function"`
	} `json:"extra_info"`
}

// Estimate sums the rows of the scans in the plan.
func (d *Database) Estimate(ctx context.Context, s backend.Statement) (backend.Estimate, error) {
	s.SQL = "EXPLAIN (FORMAT JSON) " + s.SQL
	r, err := d.run(ctx, s)
	if err != nil {
		return backend.Estimate{}, err
	}
	defer func() { _ = r.Close() }() // it was only read
	// The plan is longer than a cell that is shown.
	text, err := r.raw(1)
	if err != nil {
		return backend.Estimate{}, err
	}
	var plan []step
	if err := json.Unmarshal([]byte(text), &plan); err != nil {
		return backend.Estimate{}, &backend.Error{Code: backend.Failed, Message: "DuckDB gives no plan"}
	}
	var e backend.Estimate
	size := map[string]int64{}
	for _, p := range plan {
		p.scans(func(table string, n int64) {
			e.Rows += n
			if table != "" {
				size[table] += n
			}
		})
	}
	for t := range size {
		e.Tables = append(e.Tables, t)
	}
	slices.SortFunc(e.Tables, func(a, b string) int {
		if size[a] != size[b] {
			if size[a] > size[b] {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
	return e, nil
}

// scans visits the operators that read.
func (s *step) scans(visit func(table string, rows int64)) {
	if len(s.Children) == 0 {
		if n, err := strconv.ParseInt(s.Extra.Cardinality, 10, 64); err == nil {
			visit(s.Extra.Table, n)
		}
	}
	for i := range s.Children {
		s.Children[i].scans(visit)
	}
}
