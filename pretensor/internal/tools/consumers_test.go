package tools

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
)

// spot is the index of a table in an index.
func spot(t testing.TB, d *catalog.Data, schema, name string) int {
	t.Helper()
	for i := range d.Tables {
		if d.Tables[i].Schema == schema && d.Tables[i].Name == name {
			return i
		}
	}
	t.Fatalf("no table %s.%s", schema, name)
	return -1
}

// used is the shop with code that uses it.
func used(t testing.TB) *catalog.Data {
	d := shop(t)
	orders := spot(t, d, "public", "orders")
	d.Consumers = []catalog.Consumer{
		{ID: "1", Service: "billing-api", File: "jobs/refund.py", Language: "python", Symbol: "execute", Kind: "call", LineStart: 18, LineEnd: 22,
			Fingerprint: "9f31c0de55aa7b02", Uses: []catalog.Use{{Table: orders, Op: "write", Confidence: 0.9}, {Table: orders, Op: "read", Confidence: 0.9}}},
		{ID: "2", Service: "admin", File: "q.sql", Language: "sql", Kind: "sql_file", LineStart: 1, LineEnd: 3,
			Fingerprint: "0000000000000001", Uses: []catalog.Use{{Table: orders, Op: "read", Confidence: 0.95}, {Table: spot(t, d, "public", "customers"), Op: "read", Confidence: 0.95}}},
		{ID: "3", Service: "old", File: "a \"b\"\u202e.rb", Language: "ruby", Kind: "literal", LineStart: 7, LineEnd: 7,
			Uses: []catalog.Use{{Table: orders, Op: "read", Confidence: 0.50004}}},
	}
	d.Scans = []catalog.Scan{{Service: "admin", At: today.Add(-time.Hour)}, {Service: "billing-api", At: today.Add(-2 * time.Hour)}}
	return d
}

func TestConsumers(t *testing.T) {
	w := serve(t, nil, used(t))
	const (
		sql   = `{"service":"admin","file":"q.sql","line_start":1,"line_end":3,"kind":"sql_file","language":"sql","symbol":"","op":"read","confidence":0.95,"sql_fingerprint":"0000000000000001"}`
		read  = `{"service":"billing-api","file":"jobs/refund.py","line_start":18,"line_end":22,"kind":"call","language":"python","symbol":"execute","op":"read","confidence":0.9,"sql_fingerprint":"9f31c0de55aa7b02"}`
		write = `{"service":"billing-api","file":"jobs/refund.py","line_start":18,"line_end":22,"kind":"call","language":"python","symbol":"execute","op":"write","confidence":0.9,"sql_fingerprint":"9f31c0de55aa7b02"}`
		old   = `{"service":"old","file":"a \"b\"` + "\u202e" + `.rb","line_start":7,"line_end":7,"kind":"literal","language":"ruby","symbol":"","op":"read","confidence":0.5,"sql_fingerprint":""}`
		scan  = `,"last_scan":"2026-11-30T08:00:00Z"`
	)
	for args, want := range map[string]string{
		`{"table":"orders","database":"shop"}`:                                                `{"table":"public.orders","database":"shop","consumers":[` + sql + `,` + read + `,` + write + `],"counts":{"read":2,"write":1,"total":3},"services":["admin","billing-api"]` + scan + `}`,
		`{"table":"shop.public.ORDERS","database":"Shop","op":"write","min_confidence":null}`: `{"table":"public.orders","database":"shop","consumers":[` + write + `],"counts":{"read":0,"write":1,"total":1},"services":["billing-api"]` + scan + `}`,
		`{"table":"orders","database":"shop","op":" read ","min_confidence":0.95}`:            `{"table":"public.orders","database":"shop","consumers":[` + sql + `],"counts":{"read":1,"write":0,"total":1},"services":["admin"]` + scan + `}`,
		`{"table":"orders","database":"shop","op":"","min_confidence":0}`:                     `{"table":"public.orders","database":"shop","consumers":[` + sql + `,` + read + `,` + write + `,` + old + `],"counts":{"read":3,"write":1,"total":4},"services":["admin","billing-api","old"]` + scan + `}`,
		`{"table":"orders","database":"shop","op":"read","min_confidence":0.5}`:               `{"table":"public.orders","database":"shop","consumers":[` + sql + `,` + read + `,` + old + `],"counts":{"read":3,"write":0,"total":3},"services":["admin","billing-api","old"]` + scan + `}`,
		`{"table":"orders","database":"shop","min_confidence":1.5}`:                           `{"table":"public.orders","database":"shop","consumers":[],"counts":{"read":0,"write":0,"total":0},"services":[]` + scan + `,"warning":"min_confidence 1.5 is out of range and was taken as 1"}`,
		// Analysed, but nothing found; a view does not show what uses its base.
		`{"table":"products","database":"shop"}`:    `{"table":"public.products","database":"shop","consumers":[],"counts":{"read":0,"write":0,"total":0},"services":[]` + scan + `}`,
		`{"table":"v_customers","database":"shop"}`: `{"table":"public.v_customers","database":"shop","consumers":[],"counts":{"read":0,"write":0,"total":0},"services":[]` + scan + `}`,
	} {
		if got := w.good("consumers", args, nil); got != want {
			t.Errorf("%s\n got %s\nwant %s", args, got, want)
		}
	}
}

func TestConsumers_Refusals(t *testing.T) {
	w := serve(t, nil, used(t))
	w.refusals("consumers", map[string]string{
		`{"table":"events","database":"shop"}`:             `{"error":"'events' exists in 2 schemas; use schema.table.","code":"ambiguous_table","candidates":["public.events","raw.events"]}`,
		`{"table":"ordres","database":"shop"}`:             `{"error":"No table 'ordres' in shop.","code":"table_not_found","candidates":["public.orders"]}`,
		`{"table":"orders"}`:                               `{"error":"consumers needs the argument 'database'.","code":"invalid_argument","hint":"give it as text","candidates":["shop"]}`,
		`{"database":"shop"}`:                              `{"error":"consumers needs the argument 'table'.","code":"invalid_argument","hint":"give it as text"}`,
		`{"table":"orders","database":"x"}`:                `{"error":"No connection named 'x'.","code":"unknown_database","hint":"Call list_databases for the full list.","candidates":["shop"]}`,
		`{"table":"a\"; drop\u202e::x","database":"shop"}`: `{"error":"No table 'a\"; drop::x' in shop.","code":"table_not_found"}`,
	})
	if f := w.bad("consumers", `{"table":"orders","database":"shop","op":"delete"}`); f.Code != invalidArgument || !strings.Contains(f.Error, "op") {
		t.Errorf("an unknown op: %+v", f)
	}
}

// Without any analysis the answer says how to make one.
func TestConsumers_NeverAnalysed(t *testing.T) {
	d := indexed(t, "a b's", sqltree.Postgres, "public", "create table x (id int primary key);")
	w := serve(t, nil, d)
	want := `{"table":"public.x","database":"a b's","consumers":[],"counts":{"read":0,"write":0,"total":0},"services":[],` +
		`"warning":"No code has been analysed for a b's. Run: pretensor analyze PATH --connection 'a b'\\''s'"}`
	if got := w.good("consumers", `{"table":"x","database":"a b's"}`, nil); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

func TestConsumers_Empty(t *testing.T) {
	w := serve(t, nil, indexed(t, "shop", sqltree.Postgres, "public", ""))
	if f := w.bad("consumers", `{"table":"x","database":"shop"}`); f.Code != tableNotFound || f.Hint != "The index of shop holds no visible table." {
		t.Errorf("got %+v", f)
	}
}

// A long answer keeps the most certain places; counts are of all.
func TestConsumers_Cut(t *testing.T) {
	d := shop(t)
	orders := spot(t, d, "public", "orders")
	for i := range 2000 {
		d.Consumers = append(d.Consumers, catalog.Consumer{
			ID: fmt.Sprint(i), Service: "s", File: fmt.Sprintf("internal/some/folder/file_%04d.go", i), Kind: "call", Language: "go", LineStart: 1, LineEnd: 2,
			Uses: []catalog.Use{{Table: orders, Op: "read", Confidence: 0.7 + float64(i)/10_000}},
		})
	}
	w := serve(t, nil, d)
	var r consumersResult
	text := w.good("consumers", `{"table":"orders","database":"shop"}`, &r)
	if len(text) > maxAnswer || !r.Cut || r.Total != 2000 || r.Counts.Total != 2000 || len(r.Consumers) < 200 || r.Consumers[0].File != "internal/some/folder/file_1999.go" || r.Warning == "" {
		t.Errorf("%d characters, %v, %d of %d: %q", len(text), r.Cut, len(r.Consumers), r.Total, r.Warning)
	}
}
