package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/config"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/embed"
	"github.com/quartet-mcp/quartet/pretensor/internal/index"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/modeltest"
	"github.com/quartet-mcp/quartet/pretensor/internal/registry"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"
)

// database is a connection of one who may do everything.
type database struct{ conn *pgx.Conn }

func open(url string) (database, error) {
	conn, err := pgx.Connect(background, url)
	return database{conn}, err
}

func (d database) close() { _ = d.conn.Close(background) } // of a server that is thrown away

// do runs a script of any number of statements as one transaction.
func (d database) do(script string) error {
	_, err := d.conn.PgConn().Exec(background, script).ReadAll()
	return err
}

// makeSakila makes the database of a video rental, with the first rows of each table,
// and returns how many tables it has.
func makeSakila(url, scripts string) (tables int, err error) {
	d, err := open(url)
	if err != nil {
		return 0, err
	}
	defer d.close()
	script, err := unpacked(filepath.Join(scripts, "sakila.sql.gz"))
	if err != nil {
		return 0, err
	}
	if err := d.do(script); err != nil {
		return 0, err
	}
	if script, err = unpacked(filepath.Join(scripts, "sakila-data-head.sql.gz")); err != nil {
		return 0, err
	}
	// A script of psql: the rows stand between COPY and a line of its own.
	if err := d.do("SET session_replication_role = replica"); err != nil {
		return 0, err
	}
	for _, part := range strings.Split("\n"+script, "\nCOPY ")[1:] {
		head, rest, _ := strings.Cut(part, ";")
		rows, _, ok := strings.Cut(rest, "\n\\.")
		if !ok {
			return 0, fmt.Errorf("COPY %s has no end", head)
		}
		if rows == "" {
			continue
		}
		if _, err := d.conn.PgConn().CopyFrom(background, strings.NewReader(strings.TrimPrefix(rows, "\n")+"\n"), "COPY "+head); err != nil {
			return 0, err
		}
	}
	if err := d.do("ANALYZE"); err != nil {
		return 0, err
	}
	return tables, d.conn.QueryRow(background, "SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition").Scan(&tables)
}

func unpacked(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(z)
	return string(text), err
}

// rowsEach is how many rows a table of the large database has, so that the planner has
// statistics on its columns.
const rowsEach = 20

// makeLarge makes a database of its own with that many tables, 20 columns each on
// average, and returns its URL.
func makeLarge(url string, tables int) (string, error) {
	first, err := open(url)
	if err != nil {
		return "", err
	}
	defer first.close()
	if err := first.do("CREATE DATABASE large"); err != nil {
		return "", err
	}
	url = strings.Replace(url, "/postgres?", "/large?", 1)
	d, err := open(url)
	if err != nil {
		return "", err
	}
	defer d.close()
	db := modeltest.Large(tables, 20*tables)
	if err := d.tables(db); err != nil {
		return "", err
	}
	return url, nil
}

// parts are how many tables are made in one transaction, which holds a lock on each.
const parts = 100

// tables makes the tables of a model: first all of them with their rows, then what
// refers to others.
func (d database) tables(db *model.Database) error {
	schemas := map[string]bool{"public": true}
	for _, write := range []func(*strings.Builder, *model.Table){createTable, createKeys, createView} {
		for from := 0; from < len(db.Tables); from += parts {
			var b strings.Builder
			for i := from; i < min(from+parts, len(db.Tables)); i++ {
				t := &db.Tables[i]
				if !schemas[t.Schema] {
					schemas[t.Schema] = true
					fmt.Fprintf(&b, "CREATE SCHEMA %s;\n", quoted(t.Schema))
				}
				write(&b, t)
			}
			if err := d.do(b.String()); err != nil {
				return err
			}
		}
	}
	if err := d.do("ANALYZE"); err != nil {
		return err
	}
	// As many rows as the model says, as far as the planner is concerned.
	var b strings.Builder
	b.WriteString("UPDATE pg_class SET reltuples = v.n FROM (VALUES (0::oid, 0::real)")
	for i := range db.Tables {
		if t := &db.Tables[i]; t.Rows != nil {
			fmt.Fprintf(&b, ",\n(%s::regclass, %d)", literal(qualified(t.Schema, t.Name)), *t.Rows)
		}
	}
	b.WriteString(") v (id, n) WHERE oid = v.id")
	return d.do(b.String())
}

func createTable(b *strings.Builder, t *model.Table) {
	if t.IsView() {
		return
	}
	name := qualified(t.Schema, t.Name)
	var columns, values []string
	for i := range t.Columns {
		c := &t.Columns[i]
		column := quoted(c.Name) + " " + c.Type
		if !c.Nullable {
			column += " NOT NULL"
		}
		columns, values = append(columns, column), append(values, value(c))
	}
	if k := t.PrimaryKey; k != nil {
		columns = append(columns, "CONSTRAINT "+quoted(k.Name)+" PRIMARY KEY ("+list(k.Columns)+")")
	}
	for _, c := range t.Checks {
		columns = append(columns, "CONSTRAINT "+quoted(c.Name)+" CHECK ("+c.Expr+")")
	}
	fmt.Fprintf(b, "CREATE TABLE %s (%s);\n", name, strings.Join(columns, ", "))
	fmt.Fprintf(b, "INSERT INTO %s SELECT %s FROM generate_series(1, %d) g;\n", name, strings.Join(values, ", "), rowsEach)
	if t.Comment != "" {
		fmt.Fprintf(b, "COMMENT ON TABLE %s IS %s;\n", name, literal(t.Comment))
	}
	for i := range t.Columns {
		if c := &t.Columns[i]; c.Comment != "" {
			fmt.Fprintf(b, "COMMENT ON COLUMN %s.%s IS %s;\n", name, quoted(c.Name), literal(c.Comment))
		}
	}
}

func createKeys(b *strings.Builder, t *model.Table) {
	name := qualified(t.Schema, t.Name)
	for _, k := range t.ForeignKeys {
		fmt.Fprintf(b, "ALTER TABLE %s ADD CONSTRAINT %s FOREIGN KEY (%s) REFERENCES %s (%s);\n", name, quoted(k.Name), list(k.Columns), qualified(k.RefSchema, k.RefTable), list(k.RefColumns))
	}
	for _, x := range t.Indexes {
		if !x.Primary {
			fmt.Fprintf(b, "CREATE INDEX %s ON %s (%s);\n", quoted(x.Name), name, list(x.Columns))
		}
	}
}

func createView(b *strings.Builder, t *model.Table) {
	if t.IsView() {
		fmt.Fprintf(b, "CREATE VIEW %s AS %s;\n", qualified(t.Schema, t.Name), t.Definition)
	}
}

// value is an expression for the column's value in row g.
func value(c *model.Column) string {
	typ, _, _ := strings.Cut(c.Type, "(")
	switch typ {
	case "bigint":
		return "g" // a key, or what refers to one
	case "int", "smallint":
		return "g % 7"
	case "numeric", "double precision":
		return "g * 1.5"
	case "boolean":
		return "g % 2 = 0"
	case "date", "timestamptz":
		return "date '2024-01-01' + g"
	case "jsonb":
		return "'{}'::jsonb"
	case "uuid":
		return "md5(g::text)::uuid"
	case "text[]":
		return "ARRAY['a', 'b']"
	}
	return fmt.Sprintf("'v' || (g %% %d)", 2+c.Ordinal%5)
}

func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

func qualified(schema, table string) string { return quoted(schema) + "." + quoted(table) }

func literal(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

func list(columns []string) string {
	out := make([]string, len(columns))
	for i, c := range columns {
		out[i] = quoted(c)
	}
	return strings.Join(out, ", ")
}

// handed is a connector that hands a generated structure over.
type handed struct{ tables int }

func (h handed) Introspect(context.Context, connect.Options) (*model.Database, error) {
	return modeltest.Large(h.tables, 20*h.tables), nil
}
func (handed) Ping(context.Context) error { return nil }
func (handed) Close() error               { return nil }

// indexHanded indexes a structure that no database has, as the program does it with one.
func indexHanded(path string, tables int) (err error) {
	dir := state.At(path)
	if err := dir.Create(); err != nil {
		return err
	}
	cfg := config.Defaults()
	e, err := embed.Open(cfg.Embeddings, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	_, err = index.Run(background, dir, registry.NewStore(dir, os.Getenv), index.Request{
		Entry:     registry.Entry{Name: "large", DSN: "postgresql://localhost/large"},
		Connector: handed{tables}, Settings: index.SettingsOf(cfg.Graph), Now: time.Now(), Version: "bench",
		Embed: func(ctx context.Context, d *catalog.Data) (catalog.Vectors, error) {
			return embed.Tables(ctx, e.Provider(), d)
		},
	}, func(string, time.Duration) {})
	return err
}

// makeCode writes files of a service that uses the tables of the large database, 20
// statements each.
func makeCode(dir, stateDir string, files int) error {
	c, err := loaded(stateDir)
	if err != nil {
		return err
	}
	root := filepath.Join(dir, "code")
	if err := os.MkdirAll(root, 0o700); err != nil {
		return err
	}
	r := random()
	for f := range files {
		var b bytes.Buffer
		fmt.Fprintf(&b, "package store\n\n")
		for n := range 20 {
			t := &c.Tables[r.IntN(c.Len())]
			sql := fmt.Sprintf("SELECT %s FROM %s", quoted(t.Columns[0].Name), qualified(t.Schema, t.Name))
			if n%5 == 4 {
				sql = fmt.Sprintf("UPDATE %s SET %s = $1", qualified(t.Schema, t.Name), quoted(t.Columns[len(t.Columns)-1].Name))
			}
			fmt.Fprintf(&b, "func (s *Store) Do%d(ctx context.Context) error {\n\t_, err := s.db.ExecContext(ctx, `%s`)\n\treturn err\n}\n\n", n, sql)
		}
		if err := os.WriteFile(filepath.Join(root, fmt.Sprintf("store%04d.go", f)), b.Bytes(), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// loaded is the catalog of the large database.
func loaded(stateDir string) (*catalog.Catalog, error) {
	data, err := index.Load(state.At(stateDir), "large")
	if err != nil {
		return nil, err
	}
	return catalog.New(*data, index.SettingsOf(config.Defaults().Graph).AliasSources), nil
}
