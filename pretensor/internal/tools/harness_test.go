package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/graph/pool"
	"github.com/quartet-mcp/quartet/pretensor/internal/index"
	"github.com/quartet-mcp/quartet/pretensor/internal/modeltest"
	"github.com/quartet-mcp/quartet/pretensor/internal/registry"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"
	"github.com/quartet-mcp/quartet/pretensor/internal/store"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == pool.ChildArg {
		os.Exit(pool.Child(os.Args[2:]))
	}
	goleak.VerifyTestMain(m)
}

// today is the clock of the tests; what they index is a day old.
var today = time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)

const shopDDL = `
create table customers (id bigint primary key, name text, email text unique, signed_up date);
comment on table customers is 'People who bought at least once';
comment on column customers.email is 'Where invoices go';
create table addresses (id bigint primary key, customer_id bigint references customers, city text);
create table orders (id bigint primary key, customer_id bigint not null references customers, billing_id bigint references addresses, shipping_id bigint references addresses,
  placed timestamptz, status text check (status in ('open', 'paid')), total numeric(10,2));
comment on table orders is 'One row per placed order';
create table order_items (order_id bigint references orders, line int, product_id bigint, qty int, primary key (order_id, line));
create table products (id bigint primary key, name text, sku text);
create table refunds (id bigint primary key, order_id bigint, line int, amount numeric, foreign key (order_id, line) references order_items (order_id, line));
create table web_events (id uuid primary key, customer_ref text, at timestamptz, payload jsonb);
create table employees (id bigint primary key, name text, manager_id bigint references employees);
create schema raw; create table raw.events (id bigint, body text);
create table events (id bigint primary key, body text);
create table "Odd ""Name""" (id bigint primary key, "Order" text);
create view v_customers as select id, name, email from customers;
create view v_totals as select c.id, sum(o.total) as total from customers c join orders o on o.customer_id = c.id group by c.id;
`

// shop is the data of a small index of connection shop. The caller owns it.
func shop(t testing.TB) *catalog.Data { return indexed(t, "shop", sqltree.Postgres, "public", shopDDL) }

// indexed is the data of an index of a schema in DDL.
func indexed(t testing.TB, connection string, d sqltree.Dialect, defaultSchema, ddl string) *catalog.Data {
	t.Helper()
	db := modeltest.FromDDL(t, d, defaultSchema, ddl)
	db.Name = connection
	data := index.Analyse(connection, db, index.Settings{AliasSources: 1, MinClusterSize: 3, SameNameMaxTables: 8})
	data.Generation, data.BuiltAt = "g1", today.Add(-24*time.Hour)
	return data
}

// world is a state directory with indexed connections, and a real client of a server
// over it.
type world struct {
	t       testing.TB
	dir     *state.Dir
	reg     *registry.Store
	sv      *Service
	session *mcp.ClientSession
}

// serve writes the data and serves them. edit may change the service before it runs.
func serve(t testing.TB, edit func(*Service), data ...*catalog.Data) *world {
	t.Helper()
	w := &world{t: t, dir: state.At(t.TempDir())}
	if err := w.dir.Create(); err != nil {
		t.Fatal(err)
	}
	w.reg = registry.NewStore(w.dir, func(string) string { return "" })
	for _, d := range data {
		w.put(d)
	}
	w.sv = &Service{Store: store.New(w.dir, w.reg, store.Options{AliasSources: 1}), StaleDays: 7, Now: func() time.Time { return today }}
	if edit != nil {
		edit(w.sv)
	}
	server := mcpkit.New(mcpkit.Info{Name: "pretensor", Version: "test"}, w.sv.Options(0))
	Register(server, w.sv, nil)
	ours, theirs := mcp.NewInMemoryTransports()
	there, err := server.SDK().Connect(context.Background(), theirs, nil)
	if err != nil {
		t.Fatal(err)
	}
	w.session, err = mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(context.Background(), ours, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		w.session.Close()
		there.Wait()
	})
	return w
}

// put writes an index without a graph file, as of a day before today.
func (w *world) put(d *catalog.Data) {
	w.t.Helper()
	b, err := catalog.Encode(d)
	if err != nil {
		w.t.Fatal(err)
	}
	path, err := w.dir.Graph(d.Connection)
	if err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(catalog.PathOf(path), b, 0o600); err != nil {
		w.t.Fatal(err)
	}
	w.register(registry.Entry{Name: d.Connection, Database: d.Database, Dialect: d.Dialect, Indexed: d.BuiltAt, Generation: d.Generation, Tables: len(d.Tables)})
}

func (w *world) register(e registry.Entry) {
	w.t.Helper()
	if err := w.reg.Update(context.Background(), func(r *registry.Registry) error { return r.Put(e) }); err != nil {
		w.t.Fatal(err)
	}
}

// call calls a tool with arguments in JSON and returns the text of its result. It
// checks the shape: a good result carries the same JSON twice, a failure one text,
// its error object.
func (w *world) call(tool, args string) (text string, failed bool) {
	w.t.Helper()
	res, err := w.session.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(args)})
	if err != nil {
		w.t.Fatalf("%s %s: %v", tool, args, err)
	}
	if len(res.Content) != 1 {
		w.t.Fatalf("%s %s: %d content items, want 1", tool, args, len(res.Content))
	}
	text = res.Content[0].(*mcp.TextContent).Text
	other := res.StructuredContent
	if res.IsError {
		if other != nil {
			w.t.Errorf("%s %s: a failure with structured content", tool, args)
		}
		other = res.Meta["pretensor/error"]
	}
	var same any
	if err := json.Unmarshal([]byte(text), &same); err != nil {
		w.t.Fatalf("%s %s: the text is no JSON: %v\n%s", tool, args, err, text)
	}
	a, _ := json.Marshal(same)
	if b, _ := json.Marshal(other); !bytes.Equal(a, b) {
		w.t.Errorf("%s %s: text and structure differ:\n%s\n%s", tool, args, a, b)
	}
	return text, res.IsError
}

// good calls a tool that has to succeed and decodes the result, if into is not nil.
func (w *world) good(tool, args string, into any) string {
	w.t.Helper()
	text, failed := w.call(tool, args)
	if failed {
		w.t.Fatalf("%s %s: %s", tool, args, text)
	}
	if into != nil {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			w.t.Fatal(err)
		}
	}
	return text
}

// bad calls a tool that has to refuse and returns the error object.
func (w *world) bad(tool, args string) failure {
	w.t.Helper()
	text, failed := w.call(tool, args)
	if !failed {
		w.t.Fatalf("%s %s: %s, want a refusal", tool, args, text)
	}
	var f failure
	if err := json.Unmarshal([]byte(text), &f); err != nil {
		w.t.Fatal(err)
	}
	return f
}

// refusals calls a tool with arguments and compares the error objects as JSON.
func (w *world) refusals(tool string, want map[string]string) {
	w.t.Helper()
	for args, want := range want {
		text, failed := w.call(tool, args)
		if !failed || text != want {
			w.t.Errorf("%s %s\n got %s\nwant %s", tool, args, text, want)
		}
	}
}
