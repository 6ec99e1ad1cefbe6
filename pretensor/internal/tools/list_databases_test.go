package tools

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/registry"
)

// counted gives a table a row count.
func counted(t testing.TB, d *catalog.Data, table string, n int64, source string) {
	t.Helper()
	for i := range d.Tables {
		if d.Tables[i].QualifiedName() == table {
			d.Tables[i].Rows, d.Tables[i].RowsSource = &n, source
			return
		}
	}
	t.Fatalf("no table %s", table)
}

func TestListDatabases(t *testing.T) {
	data := indexed(t, "shop", sqltree.Postgres, "public", `
		create table customers (id bigint primary key, name text);
		create table orders (id bigint primary key, customer_id bigint references customers);
		create schema raw; create table raw.events (id bigint, body text);
		create view v_customers as select id, name from customers;`)
	counted(t, data, "public.customers", 1<<53+1, model.CountStat)
	counted(t, data, "public.orders", 4, model.CountExact)
	counted(t, data, "raw.events", -1, model.CountTimeout)
	counted(t, data, "public.v_customers", 100, model.CountView)
	w := serve(t, nil, data)
	got := w.good("list_databases", `{}`, nil)
	want := `{"databases":[{"name":"shop","db_type":"postgresql","table_count":4,"column_count":8,"row_count":9007199254740997,"schemas":["public","raw"],` +
		`"capabilities":["schema","fk_edges","inferred_joins","clustering","view_lineage","entities"],"has_dbt_manifest":"not_attempted","has_llm_enrichment":"not_attempted",` +
		`"has_external_consumers":"not_attempted","last_indexed":"2026-11-29T09:00:00Z","is_stale":false,"staleness_days":1,"status":"ready"}]}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	w.refusals("list_databases", map[string]string{
		`{"db":"shop"}`: `{"error":"list_databases has no argument 'db'.","code":"invalid_argument","hint":"it takes none"}`,
	})
}

// What is wrong with one connection is told of that one; the others are as ever.
func TestListDatabases_Status(t *testing.T) {
	w := serve(t, nil, shop(t), indexed(t, "gone", sqltree.Postgres, "public", "create table a (id int);"),
		indexed(t, "torn", sqltree.Postgres, "public", "create table a (id int);"))
	w.register(registry.Entry{Name: "new", Dialect: "mysql", Database: "sales", Description: "Sales of all branches"})
	for name, spoil := range map[string]func(path string) error{
		"gone": os.Remove,
		"torn": func(path string) error { return os.WriteFile(path, []byte("no catalog"), 0o600) },
	} {
		path, err := w.dir.Graph(name)
		if err == nil {
			err = spoil(catalog.PathOf(path))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var r listDatabasesResult
	text := w.good("list_databases", `{}`, &r)
	var got []string
	for _, d := range r.Databases {
		got = append(got, fmt.Sprintf("%s %s %s tables=%d columns=%d schemas=%d indexed=%v stale=%v %d", d.Name, d.Status, d.Type, d.Tables, d.Columns, len(d.Schemas),
			d.Indexed != nil, d.Stale, d.Days))
	}
	if diff := cmp.Diff([]string{
		"gone graph_missing postgresql tables=0 columns=0 schemas=0 indexed=true stale=false 1",
		"new not_indexed mysql tables=0 columns=0 schemas=0 indexed=false stale=false 0",
		"shop ready postgresql tables=13 columns=43 schemas=2 indexed=true stale=false 1",
		"torn graph_unreadable postgresql tables=0 columns=0 schemas=0 indexed=true stale=false 1",
	}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if !strings.Contains(text, `"name":"new","db_type":"mysql","database":"sales","description":"Sales of all branches",`) || !strings.Contains(text, `"last_indexed":null,`) {
		t.Error(text)
	}
	if strings.Contains(text, os.TempDir()) {
		t.Errorf("a path in %s", text)
	}
}

func TestListDatabases_None(t *testing.T) {
	w := serve(t, nil)
	if got, want := w.good("list_databases", `{}`, nil), `{"databases":[],"warning":"No database is indexed yet. Run: pretensor quickstart, or pretensor index DSN"}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if err := os.WriteFile(w.dir.Registry(), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	w = serve(t, nil)
	if err := os.WriteFile(w.dir.Registry(), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.refusals("list_databases", map[string]string{
		`{}`: `{"error":"The registry cannot be read.","code":"graph_unreadable","hint":"Run: pretensor check"}`,
	})
}

func TestListDatabases_EmptyCatalog(t *testing.T) {
	w := serve(t, nil, &catalog.Data{Connection: "bare", Database: "bare", Dialect: "sqlite", BuiltAt: today.Add(-10*24*time.Hour - time.Hour), Generation: "g"})
	got := w.good("list_databases", `{}`, nil)
	want := `{"databases":[{"name":"bare","db_type":"sqlite","table_count":0,"column_count":0,"row_count":0,"schemas":[],` +
		`"capabilities":["schema","fk_edges","inferred_joins","clustering"],"has_dbt_manifest":"not_attempted","has_llm_enrichment":"not_attempted",` +
		`"has_external_consumers":"not_attempted","last_indexed":"2026-11-20T08:00:00Z","is_stale":true,"staleness_days":10,` +
		`"stale_warning":"Index is 10 days old (limit 7). Run: pretensor reindex --database bare","status":"ready"}]}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Capabilities and states say what the index holds, and nothing that it does not.
func TestListDatabases_Capabilities(t *testing.T) {
	base := []string{"schema", "fk_edges", "inferred_joins", "clustering"}
	float := 0.5
	tests := []struct {
		name                string
		data                func(*catalog.Data)
		entry               registry.Entry
		more                []string
		dbt, llm, consumers string
	}{
		{name: "nothing", dbt: notAttempted, llm: notAttempted, consumers: notAttempted},
		{name: "a manifest that told nothing", entry: registry.Entry{DBTManifest: "m.json"}, dbt: empty, llm: notAttempted, consumers: notAttempted},
		{
			name: "dbt lineage", entry: registry.Entry{DBTManifest: "m.json"},
			data: func(d *catalog.Data) { d.Lineage = []model.Lineage{{Type: "model_dependency", Source: "dbt"}} },
			more: []string{"dbt_lineage"}, dbt: present, llm: notAttempted, consumers: notAttempted,
		},
		{
			name: "a trigger is no view", data: func(d *catalog.Data) { d.Lineage = []model.Lineage{{Type: model.LineageTrigger, Source: "trigger"}} },
			dbt: notAttempted, llm: notAttempted, consumers: notAttempted,
		},
		{name: "code without a hit", data: func(d *catalog.Data) { d.Scans = []catalog.Scan{{Service: "api"}} }, dbt: notAttempted, llm: notAttempted, consumers: empty},
		{
			name: "code", data: func(d *catalog.Data) { d.Consumers = []catalog.Consumer{{Kind: "raw_sql"}} },
			more: []string{"code_consumers"}, dbt: notAttempted, llm: notAttempted, consumers: present,
		},
		{
			name: "a report", entry: registry.Entry{DBTManifest: "m.json"}, data: func(d *catalog.Data) { d.Consumers = []catalog.Consumer{{Kind: "dbt_exposure"}} },
			more: []string{"external_consumers"}, dbt: present, llm: notAttempted, consumers: present,
		},
		{name: "vectors of no table", data: func(d *catalog.Data) { d.Vectors = catalog.Vectors{Model: "m", Dim: 2, Tables: [][]float32{nil}} }, dbt: notAttempted, llm: notAttempted, consumers: notAttempted},
		{
			name: "vectors, metrics, statistics and a connection string", entry: registry.Entry{DSN: "sqlite:///x.db", LLMEnriched: true},
			data: func(d *catalog.Data) {
				d.Vectors = catalog.Vectors{Model: "m", Dim: 2, Tables: [][]float32{{0, 1}}}
				d.Metrics = []catalog.Metric{{Name: "m"}}
				d.Tables[0].Columns[0].Stats = &model.Stats{NullFraction: &float}
			},
			more: []string{"embeddings", "metric_templates", "column_stats", "live_check"}, dbt: notAttempted, llm: empty, consumers: notAttempted,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			data := &catalog.Data{
				Connection: "x", Dialect: "sqlite", BuiltAt: today, Generation: "g", Facts: make([]catalog.Facts, 1),
				Tables: []model.Table{{Schema: "main", Name: "t", Type: model.BaseTable, Columns: []model.Column{{Name: "id"}}}},
			}
			if test.data != nil {
				test.data(data)
			}
			w := serve(t, nil, data)
			e := test.entry
			e.Name, e.Indexed, e.Generation, e.Dialect = "x", today, "g", "sqlite"
			w.register(e)
			var r listDatabasesResult
			w.good("list_databases", `{}`, &r)
			d := r.Databases[0]
			if diff := cmp.Diff(append(slices.Clone(base), test.more...), d.Capabilities); diff != "" {
				t.Errorf("capabilities, -want +got\n%s", diff)
			}
			if d.DBT != test.dbt || d.LLM != test.llm || d.Consumers != test.consumers {
				t.Errorf("dbt %s, llm %s, consumers %s", d.DBT, d.LLM, d.Consumers)
			}
		})
	}
}

// Neither many databases nor many schemas of one make the answer too long.
func TestListDatabases_Cut(t *testing.T) {
	tenants := &catalog.Data{Connection: "many", Dialect: "postgresql", BuiltAt: today, Generation: "g"}
	for i := range 5000 {
		tenants.Tables = append(tenants.Tables, model.Table{Schema: fmt.Sprintf("tenant_number_%05d", i), Name: "t", Type: model.BaseTable})
	}
	tenants.Facts = make([]catalog.Facts, len(tenants.Tables))
	w := serve(t, nil, shop(t), tenants)
	var r listDatabasesResult
	text := w.good("list_databases", `{}`, &r)
	if len(text) > maxAnswer || len(r.Databases) != 2 || r.Total != 0 || !r.Cut || r.Databases[0].SchemasTotal != 5000 || len(r.Databases[0].Schemas) < 1000 ||
		len(r.Databases[1].Schemas) != 2 || r.Databases[1].SchemasTotal != 0 || r.Warning == "" {
		t.Errorf("%d characters, %d of %d databases, %d of %d schemas, truncated %v, %s", len(text), len(r.Databases), r.Total, len(r.Databases[0].Schemas),
			r.Databases[0].SchemasTotal, r.Cut, r.Warning)
	}

	w = serve(t, nil)
	err := w.reg.Update(context.Background(), func(g *registry.Registry) error {
		for i := range 1000 {
			if err := g.Put(registry.Entry{Name: fmt.Sprintf("c%04d", i), Dialect: "mysql"}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	r = listDatabasesResult{}
	text = w.good("list_databases", `{}`, &r)
	if len(text) > maxAnswer || len(r.Databases) < 100 || r.Total != 1000 || !r.Cut || r.Databases[0].Name != "c0000" {
		t.Errorf("%d characters, %d of %d databases, truncated %v", len(text), len(r.Databases), r.Total, r.Cut)
	}
}
