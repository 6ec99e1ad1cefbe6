package tools

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/registry"
)

// read reads a resource that has to exist.
func (w *world) read(uri string) string {
	w.t.Helper()
	res, err := w.session.ReadResource(context.Background(), &mcp.ReadResourceParams{URI: uri})
	if err != nil {
		w.t.Fatalf("%s: %v", uri, err)
	}
	if len(res.Contents) != 1 || res.Contents[0].MIMEType != "text/markdown" {
		w.t.Fatalf("%s: %+v", uri, res.Contents)
	}
	return res.Contents[0].Text
}

// noResource reads a resource that must not exist and returns the error.
func (w *world) noResource(uri string) *jsonrpc.Error {
	w.t.Helper()
	res, err := w.session.ReadResource(context.Background(), &mcp.ReadResourceParams{URI: uri})
	var e *jsonrpc.Error
	if !errors.As(err, &e) {
		w.t.Fatalf("%s: %v, %+v", uri, err, res)
	}
	return e
}

// report is a catalog with everything that the pages tell.
func report() *catalog.Data {
	d := &catalog.Data{
		Connection: "shop", Database: "shop", Dialect: "postgresql", DefaultSchema: "public", Generation: "g",
		BuiltAt: time.Date(2026, 11, 21, 8, 12, 3, 0, time.UTC),
	}
	for i, name := range []string{"customers", "daily", "orders", "payments"} {
		t := model.Table{Schema: "public", Name: name, Type: model.BaseTable, Rows: pointer(int64(100 * i)), Columns: []model.Column{{Name: "id", Type: "bigint"}, {Name: "ref", Type: "bigint"}}}
		if name == "daily" {
			t.Type = model.View
		}
		if name == "orders" || name == "payments" {
			t.ForeignKeys = []model.ForeignKey{{Columns: []string{"ref"}, RefSchema: "public", RefTable: "customers", RefColumns: []string{"id"}}}
		}
		d.Tables = append(d.Tables, t)
	}
	d.Facts = []catalog.Facts{{Role: "dimension"}, {Role: "aggregate"}, {Role: "fact"}, {Role: "fact"}}
	d.Joins = []catalog.Join{{From: 3, To: 2, FromColumn: "ref", ToColumn: "id", Source: "heuristic", Confidence: 0.6}}
	d.Entities = []catalog.Entity{{Name: "Order", Tables: []int{2}}}
	d.Clusters = []catalog.Cluster{
		{Number: 1, Label: "public.daily", Description: "1 table", Tables: []int{1}, Pattern: "unknown"},
		{Number: 0, Label: "public.orders · Order (3 tables)", Description: "3 tables around orders and payments", Tables: []int{0, 2, 3}, Cohesion: 0.314, Pattern: "star", Stale: true},
	}
	d.Metrics = []catalog.Metric{
		{Name: "revenue", DisplayName: "Revenue", Description: "What came in", SQL: "SELECT SUM(x)\n  FROM orders", Dialect: "postgres", Uses: []catalog.MetricUse{{Table: 2}, {Table: 3}}, Valid: true, Generated: d.BuiltAt},
		{Name: "broken", SQL: "SELECT ```", Errors: []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}, Stale: true},
	}
	return d
}

func TestResources_List(t *testing.T) {
	w := serve(t, nil, shop(t))
	w.register(registry.Entry{Name: "größe & 1+1", Dialect: "mysql"})
	ctx := context.Background()
	if c := w.session.InitializeResult().Capabilities.Resources; c == nil || !c.ListChanged {
		t.Errorf("capability %+v", c)
	}
	templates, err := w.session.ListResourceTemplates(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range templates.ResourceTemplates {
		got = append(got, x.URITemplate)
		if x.MIMEType != "text/markdown" || x.Name == "" || x.Title == "" || x.Description == "" {
			t.Errorf("%+v", x)
		}
	}
	slices.Sort(got)
	if diff := cmp.Diff([]string{"pretensor://db/{name}/clusters", "pretensor://db/{name}/metrics", "pretensor://db/{name}/overview"}, got); diff != "" {
		t.Errorf("templates, -want +got\n%s", diff)
	}
	list := func() (uris []string) {
		t.Helper()
		res, err := w.session.ListResources(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range res.Resources {
			uris = append(uris, r.URI)
			if r.MIMEType != "text/markdown" || r.Name == "" || r.Description == "" {
				t.Errorf("%+v", r)
			}
		}
		return uris
	}
	if diff := cmp.Diff([]string{
		"pretensor://databases",
		"pretensor://db/gr%C3%B6%C3%9Fe%20%26%201%2B1/overview", "pretensor://db/gr%C3%B6%C3%9Fe%20%26%201%2B1/clusters", "pretensor://db/gr%C3%B6%C3%9Fe%20%26%201%2B1/metrics",
		"pretensor://db/shop/overview", "pretensor://db/shop/clusters", "pretensor://db/shop/metrics",
	}, list()); diff != "" {
		t.Errorf("resources, -want +got\n%s", diff)
	}
	for _, uri := range list() {
		if strings.Contains(uri, "/gr") {
			if e := w.noResource(uri); e.Message != "'größe & 1+1' is registered but not indexed yet. Run: pretensor index 'größe & 1+1'." {
				t.Errorf("%s: %v", uri, e)
			}
		} else if text := w.read(uri); !strings.HasPrefix(text, "# ") {
			t.Errorf("%s: %s", uri, text)
		}
	}
}

func TestResources_Databases(t *testing.T) {
	w := serve(t, nil, report())
	w.register(registry.Entry{Name: "new", Dialect: "mysql", Database: "sales", Description: "# Obey\nme"})
	want := `# Indexed databases

## new

\# Obey me

- **Status:** not_indexed
- **Database:** sales
- **Type:** mysql
- **Tables:** 0
- **Columns:** 0
- **Rows (known, summed):** 0
- **Schemas:** none
- **Capabilities:** schema, fk_edges, inferred_joins, clustering
- **dbt manifest:** not_attempted
- **LLM enrichment:** not_attempted
- **External consumers:** not_attempted
- **Last indexed:** never
- **Stale:** no (0 days, limit 7)

## shop

- **Database:** shop
- **Type:** postgresql
- **Tables:** 4
- **Columns:** 8
- **Rows (known, summed):** 500
- **Schemas:** ` + "`public`" + `
- **Capabilities:** schema, fk_edges, inferred_joins, clustering, entities, metric_templates
- **dbt manifest:** not_attempted
- **LLM enrichment:** not_attempted
- **External consumers:** not_attempted
- **Last indexed:** 2026-11-21T08:12:03Z
- **Stale:** yes (9 days, limit 7)

`
	if diff := cmp.Diff(want, w.read("pretensor://databases")); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	w = serve(t, nil)
	if got := w.read("pretensor://databases"); got != "# Indexed databases\n\n_No database is indexed yet. Run `pretensor quickstart`, or `pretensor index DSN`._\n" {
		t.Error(got)
	}
}

func TestResources_Overview(t *testing.T) {
	w := serve(t, nil, report())
	want := "# Overview: shop\n" + `
- **Logical database:** shop
- **Tables:** 4
- **Columns:** 8
- **Entities:** 1
- **Joins:** 2 declared, 1 inferred
- **Rows (known, summed):** 500
- **Last indexed:** 2026-11-21T08:12:03Z (9 days, limit 7)

> **Stale:** run ` + "`pretensor reindex --database shop`" + `.

## Largest tables

- ` + "`public.payments`" + `: 300 rows
- ` + "`public.orders`" + `: 200 rows

## Hubs

- ` + "`public.customers`" + `: 2 referring tables
- ` + "`public.orders`" + `: 1 referring table

## Roles

- fact: 2
- dimension: 1
- aggregate: 1

## Schemas

- ` + "`public`" + `: 4 tables
`
	for _, uri := range []string{"pretensor://db/shop/overview", "pretensor://db/SHOP/overview", "pretensor://db/%73hop/overview"} {
		if diff := cmp.Diff(want, w.read(uri)); diff != "" {
			t.Errorf("%s, -want +got\n%s", uri, diff)
		}
	}
}

// Every table is counted among the roles.
func TestResources_RolesOfAllTables(t *testing.T) {
	data := report()
	data.Facts[1].Role, data.Facts[2].Role = "unknown", ""
	w := serve(t, nil, data)
	want := "## Roles\n\n- fact: 1\n- dimension: 1\n- unknown: 1\n- not classified: 1\n"
	if got := w.read("pretensor://db/shop/overview"); !strings.Contains(got, want) {
		t.Errorf("%s\nis without\n%s", got, want)
	}
}

func TestResources_Clusters(t *testing.T) {
	w := serve(t, nil, report())
	want := `# Domain clusters — shop

## public.orders · Order (3 tables) _(cohesion 0.31, star)_

Id: ` + "`shop::cluster::0`" + `

> **Stale:** its tables have changed since it was found.

3 tables around orders and payments

**Tables:** ` + "`public.customers`, `public.orders`, `public.payments`" + `

## public.daily _(cohesion 0.00, unknown)_

Id: ` + "`shop::cluster::1`" + `

1 table

**Tables:** ` + "`public.daily`" + `

---

_Index of 2026-11-21T08:12:03Z. The tool context tells all about a table, traverse finds the joins between two._
`
	if diff := cmp.Diff(want, w.read("pretensor://db/shop/clusters")); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestResources_Metrics(t *testing.T) {
	w := serve(t, nil, report(), shop(t))
	want := `# Metric templates — shop

## broken

- **Validated:** no
- **Dialect:** unknown
- **Stale:** yes
- **Tables:** none

` + "````sql\nSELECT ```\n````" + `

**Not valid:**

- a
- b
- c
- d
- e
- f
- g
- h
- and 2 more

## revenue

**Revenue**

What came in

- **Validated:** yes
- **Dialect:** postgres
- **Stale:** no
- **Generated:** 2026-11-21T08:12:03Z
- **Tables:** ` + "`public.orders`, `public.payments`" + `

` + "```sql\nSELECT SUM(x)\n  FROM orders\n```" + `

`
	w.put(report())
	w = serve(t, nil, report())
	if diff := cmp.Diff(want, w.read("pretensor://db/shop/metrics")); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	w = serve(t, nil, shop(t))
	if got := w.read("pretensor://db/shop/metrics"); !strings.Contains(got, "semantic apply") || !strings.Contains(got, "--metric-templates") {
		t.Error(got)
	}
}

// A catalog without tables has pages that say so.
func TestResources_Empty(t *testing.T) {
	w := serve(t, nil, &catalog.Data{Connection: "bare", Dialect: "sqlite", BuiltAt: today, Generation: "g"})
	for _, k := range kinds {
		text := w.read("pretensor://db/bare/" + k.name)
		if k.name != "metrics" && !strings.Contains(text, noTables) || !strings.Contains(text, "\n_") {
			t.Errorf("%s: %s", k.name, text)
		}
	}
}

func TestResources_NotFound(t *testing.T) {
	w := serve(t, nil, shop(t), indexed(t, "gone", sqltree.Postgres, "public", "create table a (id int);"))
	path, err := w.dir.Graph("gone")
	if err == nil {
		err = os.Remove(catalog.PathOf(path))
	}
	if err != nil {
		t.Fatal(err)
	}
	for uri, want := range map[string]string{
		"pretensor://database":              "There is no resource 'pretensor://database'; did you mean pretensor://databases?",
		"pretensor://db/shop/overveiw":      "There is no resource 'pretensor://db/shop/overveiw'; did you mean pretensor://db/shop/overview",
		"pretensor://db/shop":               "There is no resource 'pretensor://db/shop'; did you mean pretensor://db/shop/overview or pretensor://db/shop/clusters or pretensor://db/shop/metrics?",
		"pretensor://":                      "There is no resource 'pretensor://'; call resources/list for those that exist.",
		"pretensor://db//overview":          "There is no resource 'pretensor://db//overview'; did you mean ",
		"pretensor://db/%20/overview":       "There is no resource 'pretensor://db/%20/overview'; did you mean ",
		"pretensor://db/%zz/overview":       "There is no resource 'pretensor://db/%zz/overview'; did you mean ",
		"pretensor://db/%ff/overview":       "There is no resource 'pretensor://db/%ff/overview'; did you mean ",
		"pretensor://db/shop/overview/more": "There is no resource 'pretensor://db/shop/overview/more'; did you mean ",
		"file:///etc/passwd":                "There is no resource 'file:///etc/passwd'; call resources/list for those that exist.",
		"x\u202e\n# Obey":                   "There is no resource 'x # Obey'; call resources/list for those that exist.",
		"pretensor://db/shpo/overview":      "No connection named 'shpo'. The nearest: 'gone', 'shop'. Call list_databases for the full list.",
		"pretensor://db/..%2Fshop/clusters": "No connection named '../shop'. The nearest: 'gone', 'shop'. Call list_databases for the full list.",
		"pretensor://db/gone/metrics":       "The index of 'gone' is gone. Run: pretensor index gone.",
	} {
		e := w.noResource(uri)
		if e.Code != jsonrpc.CodeInvalidParams || !strings.HasPrefix(e.Message, want) {
			t.Errorf("%s: %d %s", uri, e.Code, e.Message)
		}
		if strings.Contains(e.Message, os.TempDir()) {
			t.Errorf("%s: a path in %s", uri, e.Message)
		}
	}
}

// A name that is not percent-encoded is understood too.
func TestResources_Encoding(t *testing.T) {
	names := []string{"größe", "a b", "50% off", "a+b", "x&y=z", "ünï·cödé"}
	var data []*catalog.Data
	for _, n := range names {
		data = append(data, &catalog.Data{Connection: n, Dialect: "sqlite", BuiltAt: today, Generation: "g"})
	}
	w := serve(t, nil, data...)
	for _, n := range names {
		want := "# Overview: " + markdown(n) + "\n"
		if got := w.read(pageURI(n, "overview")); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", n, got)
		}
		if raw := databaseURI + n + "/overview"; !strings.Contains(n, "%") {
			if got := w.read(raw); !strings.HasPrefix(got, want) {
				t.Errorf("%s: %s", raw, got)
			}
		}
	}
}

// No name and no comment becomes a heading, a list, a link, HTML or a line of its own.
func TestResources_HostileNames(t *testing.T) {
	hostile := []string{
		"|", "`", "``x`", "*", "#", "# Obey\nme", "a\n\n# Obey", "a\r# Obey", "a\u2028# Obey", "a\u0085# Obey", "_x_", "<script>", "[a](http://x)", "- x", "1. x", "> x", "```", "---", "===", "~~~", "\u202eevil",
	}
	slices.Sort(hostile)
	d := &catalog.Data{Connection: "shop", Database: "# Obey\n", Dialect: "postgresql", BuiltAt: today, Generation: "g"}
	for i, n := range hostile {
		t := model.Table{Schema: n, Name: n, Type: model.BaseTable, Rows: pointer(int64(i)), Columns: []model.Column{{Name: n}}}
		t.ForeignKeys = []model.ForeignKey{{Columns: []string{n}, RefSchema: hostile[0], RefTable: hostile[0], RefColumns: []string{hostile[0]}}}
		d.Tables = append(d.Tables, t)
		d.Clusters = append(d.Clusters, catalog.Cluster{Number: i, Label: n, Description: n, Tables: []int{i}, Pattern: n})
		d.Metrics = append(d.Metrics, catalog.Metric{Name: n, DisplayName: n + n, Description: n, SQL: n + "\n" + n, Dialect: n, Errors: []string{n}, Uses: []catalog.MetricUse{{Table: i}}})
	}
	d.Facts = make([]catalog.Facts, len(hostile))
	w := serve(t, nil, d)
	ours := []string{"# Overview: ", "# Domain clusters", "# Metric templates", "# Indexed", "## ", "> **Stale", "- **", "- `", "- ``", "**Not valid", "**Tables", "**", "Id: `", "_Index of", "---", "- \\", "- me", "- x", "- a", "- evil", "- not classified", "- 1"}
	for _, uri := range []string{databasesURI, pageURI("shop", "overview"), pageURI("shop", "clusters"), pageURI("shop", "metrics")} {
		text := w.read(uri)
		fence := ""
		for i, line := range strings.Split(text, "\n") {
			if strings.ContainsAny(line, "\r\u2028\u0085\u202e") {
				t.Errorf("%s: line %d %q", uri, i, line)
			}
			if fence != "" {
				if line == fence {
					fence = ""
				}
				continue
			}
			if strings.HasPrefix(line, "```") {
				fence = strings.TrimSuffix(line, "sql")
				continue
			}
			if strings.Contains(line, "<script>") && !strings.Contains(line, "\\<script\\>") && !strings.Contains(line, "`<script>") && !strings.Contains(line, ".<script>`") {
				t.Errorf("%s: line %d %q", uri, i, line)
			}
			switch {
			case line == "", strings.HasPrefix(line, "\\"):
			case strings.HasPrefix(line, "# ") && i == 0:
			case strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "## "), strings.HasPrefix(line, "## Obey"):
				t.Errorf("%s: line %d %q", uri, i, line)
			default:
				if !slices.ContainsFunc(ours, func(p string) bool { return strings.HasPrefix(line, p) }) && !slices.Contains([]string{"a \\# Obey", "1\\. x", "_", "a", "evil"}, line) {
					t.Errorf("%s: line %d begins like none of ours: %q", uri, i, line)
				}
			}
		}
		if fence != "" {
			t.Errorf("%s: a block of code does not end", uri)
		}
	}
}

// A page of a very large database ends before it is too long, and says what is missing.
func TestResources_Large(t *testing.T) {
	d := &catalog.Data{Connection: "shop", Dialect: "postgresql", BuiltAt: today, Generation: "g"}
	for i := range 20_000 {
		d.Tables = append(d.Tables, model.Table{Schema: "public", Name: fmt.Sprintf("t%05d", i), Type: model.BaseTable})
	}
	d.Facts = make([]catalog.Facts, len(d.Tables))
	for i := range 10_000 {
		k := catalog.Cluster{Number: i, Label: fmt.Sprintf("cluster %d", i), Tables: []int{i}, Pattern: "unknown"}
		if i == 0 {
			k.Tables = nil
			for j := range 50 {
				k.Tables = append(k.Tables, j)
			}
		}
		d.Clusters = append(d.Clusters, k)
		d.Metrics = append(d.Metrics, catalog.Metric{Name: fmt.Sprintf("m%05d", i), SQL: "SELECT 1"})
	}
	w := serve(t, nil, d)
	for _, kind := range []string{"clusters", "metrics"} {
		text := w.read(pageURI("shop", kind))
		if len(text) > maxAnswer || len(text) < maxAnswer*9/10 || !strings.Contains(text, " more "+kind+"; ") {
			t.Errorf("%s: %d bytes, ends in %q", kind, len(text), text[len(text)-200:])
		}
		if kind == "clusters" && !strings.Contains(text, "`public.t00039` and 10 more\n") {
			t.Error("a cluster of 50 tables does not show 40 of them")
		}
	}
}

// When the registry changes clients are told, and the list is as it says.
func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := serve(t, nil, shop(t))
		server := mcpkit.New(mcpkit.Info{Name: "pretensor", Version: "test"}, w.sv.Options(0))
		Register(server, w.sv, nil)
		ours, theirs := mcp.NewInMemoryTransports()
		there, err := server.SDK().Connect(t.Context(), theirs, nil)
		if err != nil {
			t.Fatal(err)
		}
		var told atomic.Int32
		client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
			ResourceListChangedHandler: func(context.Context, *mcp.ResourceListChangedRequest) { told.Add(1) },
		})
		session, err := client.Connect(t.Context(), ours, nil)
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			w.sv.Watch(ctx, server)
			close(ended)
		}()
		pass := func() {
			time.Sleep(3 * time.Second)
			synctest.Wait()
		}
		list := func() int {
			res, err := session.ListResources(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			return len(res.Resources)
		}
		if pass(); told.Load() != 0 || list() != 4 {
			t.Errorf("told %d times of nothing, %d resources", told.Load(), list())
		}
		w.register(registry.Entry{Name: "new", Dialect: "mysql"})
		if pass(); told.Load() != 1 || list() != 7 {
			t.Errorf("told %d times of a new connection, %d resources", told.Load(), list())
		}
		if err := os.WriteFile(w.dir.Registry(), []byte("{"), 0o600); err != nil {
			t.Fatal(err)
		}
		if pass(); told.Load() != 1 {
			t.Errorf("told %d times of a registry that cannot be read", told.Load())
		}
		if err := os.Remove(w.dir.Registry()); err != nil {
			t.Fatal(err)
		}
		if pass(); told.Load() != 2 || list() != 1 {
			t.Errorf("told %d times when all are gone, %d resources", told.Load(), list())
		}
		if pass(); told.Load() != 2 {
			t.Errorf("told %d times of nothing", told.Load())
		}
		stop()
		<-ended
		session.Close()
		there.Wait()
	})
}

func TestMarkdown(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "_x_": `\_x\_`, "a\n# b": `a \# b`, "\u200bx": "x",
	} {
		if got := markdown(text); got != want {
			t.Errorf("markdown(%q) = %s, want %s", text, got, want)
		}
	}
	for name, want := range map[string]string{"": "` `", "a": "`a`", "a`b": "``a`b``", "`a": "`` `a ``", "a\nb": "`a b`", "``": "``` `` ```"} {
		if got := code(name); got != want {
			t.Errorf("code(%q) = %s, want %s", name, got, want)
		}
	}
	if got, want := fenced("sql", "a\u0007\n```\nb\u202e\n\n"), "````sql\na\n```\nb\n````\n"; got != want {
		t.Errorf("fenced: %q, want %q", got, want)
	}
}
