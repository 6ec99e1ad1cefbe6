package tools

import (
	"fmt"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

func TestValidateSQL(t *testing.T) {
	w := serve(t, nil, shop(t))
	tests := []struct{ args, want string }{
		{
			`{"sql":"select c.name, sum(o.total) from customers c join orders o on o.customer_id = c.id group by 1","database":"shop"}`,
			`{"valid":true,"missing_tables":[],"missing_columns":[],"invalid_joins":[],"suggestions":[],"dialect":"postgres","syntax_errors":[],"warnings":[],` +
				`"tables_used":["public.customers","public.orders"],"diagnostics":[]}`,
		},
		{
			`{"sql":"select nam from custmers","database":" SHOP "}`,
			`{"valid":false,"missing_tables":["custmers"],"missing_columns":[],"invalid_joins":[],"suggestions":["Table custmers is not indexed; closest: public.customers."],` +
				`"dialect":"postgres","syntax_errors":[],"warnings":[],"tables_used":[],` +
				`"diagnostics":[{"kind":"missing_table","identifier":"custmers","line":1,"column":17,"message":"unknown table","candidates":["public.customers"]}]}`,
		},
	}
	for _, test := range tests {
		if got := w.good("validate_sql", test.args, nil); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.args, got, test.want)
		}
	}
	w.refusals("validate_sql", map[string]string{
		`{"sql":" ","database":"shop"}`:                         `{"error":"sql is empty.","code":"invalid_argument","hint":"Give the statement to check."}`,
		`{"sql":"select 1","database":"shpo"}`:                  `{"error":"No connection named 'shpo'.","code":"unknown_database","hint":"Call list_databases for the full list.","candidates":["shop"]}`,
		`{"sql":"select 1"}`:                                    `{"error":"validate_sql needs the argument 'database'.","code":"invalid_argument","hint":"give it as text","candidates":["shop"]}`,
		`{"sql":"-- nothing","database":"shop"}`:                `{"error":"the text has no SQL statement.","code":"invalid_argument","hint":"Give one SQL statement."}`,
		`{"sql":"select 1","database":"shop","dialect":"tsql"}`: `{"error":"There is no dialect 'tsql'.","code":"invalid_argument","hint":"Known dialects: bigquery, duckdb, generic, mariadb, mysql, postgres, postgresql, redshift, snowflake, sqlite.","candidates":["mysql"]}`,
	})
}

// Without a dialect a database of another kind is checked in its own.
func TestValidateSQL_Dialect(t *testing.T) {
	w := serve(t, nil, shop(t), indexed(t, "lite", sqltree.SQLite, "main", "create table notes (id integer primary key, body text);"))
	for args, want := range map[string]string{
		`{"sql":"select [body] from notes","database":"lite"}`:                       "sqlite",
		`{"sql":"select body from notes","database":"lite","dialect":"postgres"}`:    "postgres",
		`{"sql":"select body from notes","database":"lite","dialect":null}`:          "sqlite",
		`{"sql":"select body from notes","database":"lite","dialect":" "}`:           "sqlite",
		`{"sql":"select body from notes","database":"lite","dialect":" PostgreSQL"}`: "postgres",
	} {
		var r validateSQLResult
		if w.good("validate_sql", args, &r); r.Dialect != want || !r.Valid {
			t.Errorf("%s: dialect %s, %+v", args, r.Dialect, r.Report)
		}
	}
}

// An answer with too many faults keeps the first of each list and says how many there
// are.
func TestValidateSQL_Cut(t *testing.T) {
	w := serve(t, nil, shop(t))
	var many, joins strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&many, "c.no_such_column_%d, ", i)
		fmt.Fprintf(&joins, "select 1 from no_such_table_at_all_%d; ", i)
	}
	for _, sql := range []string{"select " + many.String() + "1 from customers c", joins.String()} {
		var r validateSQLResult
		text := w.good("validate_sql", `{"database":"shop","sql":"`+sql+`"}`, &r)
		if len(text) > maxAnswer || !r.Cut || r.Total != 3000 || len(r.Diagnostics) == 0 || r.Valid || !strings.Contains(r.Warning, "first faults") {
			t.Errorf("%d characters, truncated %v, %d of %d diagnostics, warning %q", len(text), r.Cut, len(r.Diagnostics), r.Total, r.Warning)
		}
	}
}
