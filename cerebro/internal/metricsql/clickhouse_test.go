package metricsql_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/quartet-mcp/quartet/cerebro/internal/metricsql"
	"github.com/quartet-mcp/quartet/datakit/dbtest"
)

func TestMain(m *testing.M) { os.Exit(dbtest.Main(m)) }

// house sends a statement to ClickHouse, with the settings that the server uses.
func house(t testing.TB, address, text string, args ...metricsql.Arg) ([][]string, error) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Set("join_use_nulls", "1")
	q.Set("default_format", "JSONCompact")
	q.Set("output_format_json_quote_decimals", "1")
	for i, a := range args {
		q.Set(fmt.Sprintf("param_p%d", i+1), fmt.Sprint(a.Value))
	}
	u.RawQuery = q.Encode()
	r, err := http.Post(u.String(), "text/plain", strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	if r.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s", strings.TrimSpace(string(body)))
	}
	var answer struct {
		Data [][]any `json:"data"`
	}
	if len(body) == 0 {
		return nil, nil
	}
	d := json.NewDecoder(strings.NewReader(string(body)))
	d.UseNumber()
	if err := d.Decode(&answer); err != nil {
		return nil, fmt.Errorf("%w: %.200s", err, body)
	}
	out := [][]string{}
	for _, row := range answer.Data {
		line := make([]string, len(row))
		for i, v := range row {
			line[i] = "NULL"
			if v != nil {
				line[i] = fmt.Sprint(v)
			}
		}
		out = append(out, line)
	}
	return out, nil
}

var fraction = regexp.MustCompile(`^-?[0-9]+\.[0-9]+$`)

// plain makes the two engines' spellings of a value one.
func plain(rows [][]string) [][]string {
	for _, r := range rows {
		for i, v := range r {
			if t, err := time.Parse("2006-01-02 15:04:05.999999", v); err == nil {
				r[i] = t.Format("2006-01-02 15:04:05")
				if t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0 {
					r[i] = t.Format(time.DateOnly)
				}
			}
			if f, err := strconv.ParseFloat(v, 64); err == nil && fraction.MatchString(v) {
				r[i] = strconv.FormatFloat(f, 'f', 6, 64)
				r[i] = strings.TrimSuffix(strings.TrimRight(r[i], "0"), ".")
			}
		}
	}
	return rows
}

// clickhouseTables is the script of the tables, for the other engine.
func clickhouseTables(t testing.TB) []string {
	t.Helper()
	b, err := os.ReadFile("../semantic/testdata/shop/tables.sql")
	if err != nil {
		t.Fatal(err)
	}
	types := strings.NewReplacer(
		" INTEGER", " Nullable(Int32)", " BIGINT", " Nullable(Int64)", " VARCHAR", " Nullable(String)", " DATE", " Nullable(Date32)",
		" TIMESTAMP", " Nullable(DateTime64(6, 'UTC'))", " DECIMAL(12,2)", " Nullable(Decimal(12, 2))", " BOOLEAN", " Nullable(Bool)", " DOUBLE", " Nullable(Float64)")
	var out []string
	for _, s := range strings.Split(strings.TrimSpace(string(b)), ";\n") {
		s = strings.TrimSuffix(s, ";")
		s = strings.Replace(s, "CREATE SCHEMA", "CREATE DATABASE IF NOT EXISTS", 1)
		if strings.HasPrefix(s, "CREATE TABLE") {
			s = types.Replace(s) + " ENGINE = MergeTree ORDER BY tuple()"
		}
		out = append(out, strings.ReplaceAll(s, "O''Hara", `O\'Hara`))
	}
	return out
}

// The same questions give the same numbers on both engines.
func TestCompile_ClickHouse(t *testing.T) {
	l, db := shop(t), duck(t)
	address := dbtest.ClickHouse(t)
	for _, s := range clickhouseTables(t) {
		if _, err := house(t, address, s); err != nil {
			t.Fatalf("%v\n%s", err, s)
		}
	}
	t.Cleanup(func() {
		if _, err := house(t, address, "DROP DATABASE shop"); err != nil {
			t.Error(err)
		}
	})
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range questions {
		t.Run(c.name, func(t *testing.T) {
			p, err := l.Plan(c.request)
			if err != nil {
				t.Fatal(err)
			}
			o := metricsql.Options{Dialect: metricsql.ClickHouse}
			if c.berlin {
				o.Zone = berlin
			}
			s := metricsql.Compile(p, o)
			got, err := house(t, address, s.SQL, s.Args...)
			if err != nil {
				t.Fatalf("%v\n%s", err, s.SQL)
			}
			o.Dialect = metricsql.DuckDB
			d := metricsql.Compile(p, o)
			_, want, err := rows(db, d.SQL, args(d)...)
			if err != nil {
				t.Fatal(err)
			}
			if !equal(plain(got), plain(want), true) {
				t.Errorf("ClickHouse gives\n%s\nDuckDB\n%s\n%s", show(got), show(want), s.Display)
			}
			if display, err := house(t, address, s.Display); err != nil || !equal(plain(display), got, true) {
				t.Errorf("the text for people gives %v %v\n%s", display, err, s.Display)
			}
		})
	}
}
