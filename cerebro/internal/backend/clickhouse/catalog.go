package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/cerebro/internal/backend"
	"github.com/quartet-mcp/quartet/mcpkit/nearest"
)

// all are the rows of a statement of our own.
func (d *Database) all(ctx context.Context, s backend.Statement) ([][]any, error) {
	r, err := d.run(ctx, s, backend.Limits{})
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

func (d *Database) ask(ctx context.Context, text string, args ...any) ([][]any, error) {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	s := backend.Statement{SQL: text}
	for _, a := range args {
		s.Args = append(s.Args, backend.Arg{Value: a})
	}
	return d.all(ctx, s)
}

func textOf(v any) string {
	s, _ := v.(string)
	return s
}

// number reads a count; -1 is one that is not known.
func number(v any) int64 {
	switch v := v.(type) {
	case int64:
		return v
	case string:
		if n, err := strconv.ParseInt(v, 10, 64); err == nil {
			return n
		}
		return math.MaxInt64
	}
	return -1
}

// Version is that of the server.
func (d *Database) Version(ctx context.Context) (string, error) {
	rows, err := d.ask(ctx, "SELECT version()")
	if err != nil || len(rows) == 0 {
		return "", err
	}
	return textOf(rows[0][0]), nil
}

// Ping asks the server for a row.
func (d *Database) Ping(ctx context.Context) error {
	_, err := d.ask(ctx, "SELECT 1")
	return err
}

// Databases are those of the server.
func (d *Database) Databases(ctx context.Context) ([]string, error) {
	rows, err := d.ask(ctx, "SELECT name FROM system.databases WHERE lower(name) NOT IN ('system', 'information_schema') ORDER BY name")
	if err != nil {
		return nil, err
	}
	var out []string
	for _, r := range rows {
		out = append(out, textOf(r[0]))
	}
	return out, nil
}

// columns are those that stand alone or in functions in an expression of keys.
var keyColumn = regexp.MustCompile("`[^`]+`|[A-Za-z_][A-Za-z_0-9]*\\b\\s*\\(?")

func keys(expressions ...string) (out []string) {
	for _, e := range expressions {
		for _, m := range keyColumn.FindAllString(e, -1) {
			if name := strings.Trim(m, "` "); !strings.HasSuffix(name, "(") && !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// Tables are those of a database.
func (d *Database) Tables(ctx context.Context, database string) ([]backend.Table, error) {
	rows, err := d.ask(ctx, "SELECT name, engine, total_rows, total_bytes, partition_key, sorting_key FROM system.tables WHERE database = {p1:String} AND NOT is_temporary ORDER BY name", database)
	if err != nil {
		return nil, err
	}
	var out []backend.Table
	for _, r := range rows {
		t := backend.Table{Database: database, Name: textOf(r[0]), Engine: textOf(r[1]), Rows: number(r[2]), Bytes: number(r[3])}
		t.View = strings.HasSuffix(t.Engine, "View")
		if t.Partition = keys(textOf(r[4])); t.Partition == nil {
			t.Partition = keys(textOf(r[5]))
		}
		out = append(out, t)
	}
	return out, nil
}

// Describe is a table with its columns.
func (d *Database) Describe(ctx context.Context, database, table string) (*backend.Table, error) {
	tables, err := d.Tables(ctx, database)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(tables, func(t backend.Table) bool { return t.Name == table })
	if i < 0 {
		names := make([]string, len(tables))
		for i, t := range tables {
			names[i] = t.Name
		}
		return nil, &backend.Error{
			Code: backend.NotFound, Message: fmt.Sprintf("there is no table %q in %q", table, database), Name: table, Near: nearest.Find(table, names, 5),
		}
	}
	rows, err := d.ask(ctx, "SELECT name, type, default_kind, default_expression, comment FROM system.columns WHERE database = {p1:String} AND table = {p2:String} ORDER BY position", database, table)
	if err != nil {
		return nil, err
	}
	t := tables[i]
	for _, r := range rows {
		kind := textOf(r[1])
		t.Columns = append(t.Columns, backend.TableColumn{
			Name: textOf(r[0]), Type: kind, Nullable: strings.HasPrefix(kind, "Nullable(") || strings.HasPrefix(kind, "LowCardinality(Nullable("),
			Default: strings.TrimSpace(textOf(r[2]) + " " + textOf(r[3])), Comment: textOf(r[4]),
		})
	}
	return &t, nil
}

var query = regexp.MustCompile(`(?i)^(?:\s|--[^\n]*\n|/\*(?s:.*?)\*/|\()*(?:select|with)\b`)

// Check has the server plan a query. Other statements that read, such as SHOW, it
// cannot plan; they pass.
func (d *Database) Check(ctx context.Context, s backend.Statement) error {
	if !query.MatchString(s.SQL) {
		return nil
	}
	s.SQL = "EXPLAIN PLAN " + s.SQL
	_, err := d.all(ctx, s)
	return err
}

// Estimate sums what the server says it would read of each table.
func (d *Database) Estimate(ctx context.Context, s backend.Statement) (backend.Estimate, error) {
	s.SQL = "EXPLAIN ESTIMATE " + s.SQL
	rows, err := d.all(ctx, s)
	if err != nil {
		return backend.Estimate{}, err
	}
	slices.SortStableFunc(rows, func(a, b []any) int {
		switch x, y := number(a[3]), number(b[3]); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	var e backend.Estimate
	for _, r := range rows {
		e.Rows += number(r[3])
		e.Tables = append(e.Tables, textOf(r[0])+"."+textOf(r[1]))
	}
	return e, nil
}
