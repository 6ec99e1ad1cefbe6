package sqlguard_test

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	_ "github.com/duckdb/duckdb-go/v2"

	"github.com/quartet-mcp/quartet/cerebro/internal/demo"
	"github.com/quartet-mcp/quartet/cerebro/internal/demo/build"
	"github.com/quartet-mcp/quartet/cerebro/internal/sqlguard"
	"github.com/quartet-mcp/quartet/datakit/dbtest"
)

func TestMain(m *testing.M) {
	code := dbtest.Main(m)
	if orchardDir != "" {
		os.RemoveAll(orchardDir)
	}
	os.Exit(code)
}

// policy is that of the project orchard, with some of its models kept back.
func policy(d sqlguard.Dialect) sqlguard.Policy {
	p := sqlguard.Policy{
		Databases: map[string]string{demo.Schema: demo.Schema},
		Denied: map[sqlguard.Relation]string{
			{Database: demo.Schema, Name: "dim_customers"}: "restricted",
			{Database: demo.Schema, Name: "stg_customers"}: "internal",
		},
		RequireFilter: map[sqlguard.Relation][]string{{Database: demo.Schema, Name: "fct_sessions"}: {"session_day", "started_at"}},
	}
	if d == sqlguard.DuckDB {
		p.Catalog = demo.Database
	}
	return p
}

// statements reads a file of statements, one a line; a line in quotes is one with
// escapes, and one that begins with ## a remark.
func statements(t testing.TB, name string) []string {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []string
	for s := bufio.NewScanner(f); s.Scan(); {
		line := s.Text()
		if strings.HasPrefix(line, `"`) {
			if line, err = strconv.Unquote(line); err != nil {
				t.Fatalf("%s: %v: %s", name, err, s.Text())
			}
		}
		if line != "" && !strings.HasPrefix(line, "##") {
			list = append(list, line)
		}
	}
	return list
}

var (
	orchardOnce sync.Once
	orchardDir  string
	orchardErr  error
)

// orchardFile is the warehouse of the demo, made once.
func orchardFile(t testing.TB) string {
	t.Helper()
	orchardOnce.Do(func() {
		if orchardDir, orchardErr = os.MkdirTemp("", "sqlguard"); orchardErr == nil {
			orchardErr = build.Database(context.Background(), filepath.Join(orchardDir, "demo.duckdb"))
		}
	})
	if orchardErr != nil {
		t.Fatal(orchardErr)
	}
	return filepath.Join(orchardDir, "demo.duckdb")
}

// duck opens the warehouse as the server does: read-only, nothing outside of it to be
// reached, and no setting to be changed.
func duck(t testing.TB) *sql.DB {
	t.Helper()
	db, err := sql.Open("duckdb", orchardFile(t)+"?access_mode=read_only")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	db.SetMaxIdleConns(1)
	t.Cleanup(func() { db.Close() })
	for _, s := range []string{
		"USE " + demo.Database + "." + demo.Schema,
		"SET GLOBAL memory_limit = '1GB'", "SET GLOBAL threads = 2", "SET GLOBAL autoinstall_known_extensions = false",
		"SET GLOBAL autoload_known_extensions = false", "SET GLOBAL allow_community_extensions = false",
		"SET GLOBAL enable_external_access = false", "SET GLOBAL lock_configuration = true",
	} {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	return db
}

// run executes a statement of DuckDB to its end.
func run(db *sql.DB, text string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	r, err := db.QueryContext(ctx, text)
	if err != nil {
		return err
	}
	defer r.Close()
	for n := 0; r.Next() && n < 1000; n++ {
	}
	return r.Err()
}

// house is a ClickHouse server with some rows of each table of the warehouse.
type house struct{ address string }

func (h house) run(user, text string) error {
	_, err := h.ask(user, text, "Null")
	return err
}

// ask sends a statement as a user: default, reader (who may change settings of a query)
// or readonly (who may not).
func (h house) ask(user, text, format string) ([]byte, error) {
	u, err := url.Parse(h.address)
	if err != nil {
		return nil, err
	}
	u.User = url.User(user)
	q := u.Query()
	q.Set("database", demo.Schema)
	q.Set("default_format", format)
	if user != "readonly" {
		q.Set("max_execution_time", "20")
		q.Set("join_use_nulls", "1")
	}
	u.RawQuery = q.Encode()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, 1<<20))
	if err != nil {
		return nil, err
	}
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%.300s", strings.TrimSpace(string(body)))
	}
	return body, nil
}

func clickhouse(t testing.TB) house {
	t.Helper()
	db := duck(t)
	h := house{dbtest.ClickHouse(t)}
	must := func(text string) {
		t.Helper()
		q, err := url.Parse(h.address)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.Post(q.String(), "text/plain", strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if body, _ := io.ReadAll(answer.Body); answer.StatusCode != http.StatusOK {
			t.Fatalf("%.500s\n%.300s", body, text)
		}
	}
	must("CREATE DATABASE " + demo.Schema)
	t.Cleanup(func() { must("DROP DATABASE " + demo.Schema) })
	r, err := db.Query("SELECT table_name, string_agg(column_name || ' ' || data_type, ';' ORDER BY column_index) FROM duckdb_columns() WHERE schema_name = ? GROUP BY 1 ORDER BY 1", demo.Schema)
	if err != nil {
		t.Fatal(err)
	}
	tables := map[string]string{}
	for r.Next() {
		var name, columns string
		if err := r.Scan(&name, &columns); err != nil {
			t.Fatal(err)
		}
		tables[name] = columns
	}
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	for name, columns := range tables {
		var defs []string
		for _, c := range strings.Split(columns, ";") {
			column, typ, _ := strings.Cut(c, " ")
			defs = append(defs, "`"+column+"` "+houseType(t, typ))
		}
		must("CREATE TABLE " + demo.Schema + ".`" + name + "` (" + strings.Join(defs, ", ") + ") ENGINE = MergeTree ORDER BY tuple()")
		rows, err := db.Query("SELECT to_json(t) FROM (FROM " + demo.Schema + "." + name + " LIMIT 200) t")
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for rows.Next() {
			var v any
			if err := rows.Scan(&v); err != nil {
				t.Fatal(err)
			}
			text, ok := v.(string)
			if !ok {
				b, err := json.Marshal(v)
				if err != nil {
					t.Fatal(err)
				}
				text = string(b)
			}
			lines = append(lines, text)
		}
		must("INSERT INTO " + demo.Schema + ".`" + name + "` SETTINGS date_time_input_format='best_effort' FORMAT JSONEachRow\n" + strings.Join(lines, "\n"))
	}
	return h
}

func houseType(t testing.TB, typ string) string {
	switch {
	case strings.HasPrefix(typ, "DECIMAL"):
		return "Nullable(Decimal" + strings.TrimPrefix(typ, "DECIMAL") + ")"
	case strings.HasPrefix(typ, "TIMESTAMP"):
		return "DateTime64(6, 'UTC')"
	}
	types := map[string]string{
		"BIGINT": "Int64", "INTEGER": "Int32", "VARCHAR": "Nullable(String)", "DATE": "Date32", "DOUBLE": "Nullable(Float64)",
		"BOOLEAN": "Nullable(Bool)", "HUGEINT": "Nullable(Int128)", "SMALLINT": "Int16", "TINYINT": "Int8",
	}
	if types[typ] == "" {
		t.Fatalf("type %s", typ)
	}
	return types[typ]
}
