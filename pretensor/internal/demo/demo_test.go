package demo

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/pretensor/internal/analyze"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/dsn"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/sqlite"
	"github.com/quartet-mcp/quartet/pretensor/internal/index"
	"github.com/quartet-mcp/quartet/pretensor/internal/infer"
	"github.com/quartet-mcp/quartet/pretensor/internal/metric"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/registry"
	"github.com/quartet-mcp/quartet/pretensor/internal/sqlcheck"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"
)

// content is what Write makes the database of; it is built once for all tests that
// only read it.
var content = sync.OnceValues(shop)

func built(t *testing.T) []byte {
	t.Helper()
	b, err := content()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// written is the demonstration in a new folder.
func written(t *testing.T) Files {
	t.Helper()
	f, err := write(state.Writer{}, t.TempDir(), built(t))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// database opens the shop, to be changed at will.
func database(t *testing.T) *sql.DB {
	t.Helper()
	path := filepath.Join(t.TempDir(), databaseName)
	if err := os.WriteFile(path, built(t), 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// connector opens a SQLite file as pretensor does.
func connector(t *testing.T, path string) connect.Connector {
	t.Helper()
	c, err := sqlite.Open(context.Background(), dsn.DSN{Dialect: dsn.SQLite, Path: path})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// introspected is the structure of the shop.
func introspected(t *testing.T) *model.Database {
	t.Helper()
	path := filepath.Join(t.TempDir(), databaseName)
	if err := os.WriteFile(path, built(t), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := connector(t, path).Introspect(context.Background(), connect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Warnings) > 0 {
		t.Errorf("warnings %q", d.Warnings)
	}
	return d
}

// structure is the shop in short: type, rows, columns, keys.
const structure = `
addresses table 2514 rows: id customer_id street postcode city region country; key id; customer_id -> customers.id
audit_log table 1200 rows: id table_name row_id action actor changed_at; key id
categories table 18 rows: id name slug; key id; unique name; unique slug
customers table 2000 rows: id customer_ref full_name email status newsletter created_at; key id; unique customer_ref; unique email
daily_revenue table 3294 rows: day region total_orders total_revenue total_refunds; key day,region
employees table 32 rows: id full_name email job_title manager_id hired_on; key id; unique email; manager_id -> employees.id
order_items table 17767 rows: order_id line_no product_id quantity unit_price line_total; key order_id,line_no; order_id -> orders.id; product_id -> products.id
orders table 8000 rows: id order_no customer_id billing_address_id shipping_address_id status channel shipping_fee total_amount placed_at; key id; unique order_no; billing_address_id -> addresses.id; customer_id -> customers.id; shipping_address_id -> addresses.id
payments table 8153 rows: id order_id method status amount paid_at; key id; order_id -> orders.id
product_categories table 614 rows: product_id category_id; key product_id,category_id; category_id -> categories.id; product_id -> products.id
products table 400 rows: id sku name supplier_id unit_price unit_cost is_active launched_on; key id; unique sku; supplier_id -> suppliers.id
purchase_order_items table 1257 rows: purchase_order_id line_no warehouse_id product_id quantity unit_cost; key purchase_order_id,line_no; product_id -> products.id; purchase_order_id -> purchase_orders.id; warehouse_id -> warehouses.id; warehouse_id,product_id -> stock_levels.warehouse_id,product_id
purchase_orders table 300 rows: id supplier_id buyer_id status ordered_on received_on; key id; buyer_id -> employees.id; supplier_id -> suppliers.id
refunds table 438 rows: id payment_id amount reason approved_by refunded_at; key id; approved_by -> employees.id; payment_id -> payments.id
schema_migrations table 14 rows: version name applied_at; key version
shipments table 7881 rows: id order_id warehouse_id carrier tracking_no shipped_at delivered_at; key id; unique tracking_no; order_id -> orders.id; warehouse_id -> warehouses.id
stg_raw_orders table 500 rows: order_no customer_ref placed_at total source_file loaded_at
stock_levels table 2000 rows: warehouse_id product_id on_hand reorder_level counted_at; key warehouse_id,product_id; product_id -> products.id; warehouse_id -> warehouses.id
suppliers table 25 rows: id name country contact_email lead_time_days; key id; unique name
support_tickets table 900 rows: id order_no subject priority agent opened_at closed_at; key id
v_active_customers view: id customer_ref full_name email newsletter created_at
v_order_summary view: order_id order_no placed_at status customer_name line_count pieces total_amount
warehouses table 5 rows: id code name city region; key id; unique code
web_events table 20000 rows: id session_id customer_ref event_type page occurred_at; key id
customers feeds v_active_customers
customers feeds v_order_summary
order_items feeds v_order_summary
orders feeds v_order_summary
`

func summary(d *model.Database) string {
	var b strings.Builder
	b.WriteString("\n")
	for i := range d.Tables {
		t := &d.Tables[i]
		fmt.Fprintf(&b, "%s %s", t.Name, t.Type)
		if t.Rows != nil {
			fmt.Fprintf(&b, " %d rows", *t.Rows)
		}
		b.WriteString(":")
		for _, c := range t.Columns {
			b.WriteString(" " + c.Name)
		}
		if t.PrimaryKey != nil {
			b.WriteString("; key " + strings.Join(t.PrimaryKey.Columns, ","))
		}
		for _, u := range t.Uniques {
			b.WriteString("; unique " + strings.Join(u.Columns, ","))
		}
		for _, k := range t.ForeignKeys {
			fmt.Fprintf(&b, "; %s -> %s.%s", strings.Join(k.Columns, ","), k.RefTable, strings.Join(k.RefColumns, ","))
		}
		b.WriteString("\n")
	}
	for _, l := range d.Lineage {
		fmt.Fprintf(&b, "%s feeds %s\n", l.FromTable, l.ToTable)
	}
	return b.String()
}

func TestShop_Structure(t *testing.T) {
	if diff := cmp.Diff(structure, summary(introspected(t))); diff != "" {
		t.Errorf("structure, -want +got\n%s", diff)
	}
}

// rowsDigest is of all rows of the tables. A change of it is a change of what the
// documentation shows; it does not depend on the version of SQLite.
const rowsDigest = "fde01f933eb9255455e7727f9b475d98046b13d7850a0ae235d325528cc28908"

func TestShop_Rows(t *testing.T) {
	db := database(t)
	h := sha256.New()
	d := introspected(t)
	for i := range d.Tables {
		if d.Tables[i].IsView() {
			continue
		}
		if err := hashRows(db, d.Tables[i].Name, h); err != nil {
			t.Fatal(err)
		}
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != rowsDigest {
		t.Errorf("digest of the rows is %s, want %s", got, rowsDigest)
	}
}

func hashRows(db *sql.DB, table string, h hash.Hash) error {
	found, err := db.Query("SELECT * FROM " + table + " ORDER BY 1, 2") // which are unique in all of them
	if err != nil {
		return err
	}
	defer found.Close()
	columns, err := found.Columns()
	if err != nil {
		return err
	}
	row, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range row {
		into[i] = &row[i]
	}
	for found.Next() {
		if err := found.Scan(into...); err != nil {
			return err
		}
		fmt.Fprintln(h, append([]any{table}, row...)...)
	}
	return found.Err()
}

// Everything that can be described is.
func TestShop_Comments(t *testing.T) {
	d := introspected(t)
	for i := range d.Tables {
		table := &d.Tables[i]
		if table.Comment == "" {
			t.Errorf("%s has no comment", table.Name)
		}
		for _, c := range table.Columns {
			if c.Comment == "" && !table.IsView() { // SQLite has no place for those of a view
				t.Errorf("%s.%s has no comment", table.Name, c.Name)
			}
		}
	}
}

// Queries that must find nothing: what does not hold together in the shop.
var contradictions = map[string]string{
	"a declared key leads nowhere":             `SELECT * FROM pragma_foreign_key_check`,
	"the file is damaged":                      `SELECT * FROM pragma_integrity_check WHERE integrity_check <> 'ok'`,
	"an event of an unknown customer":          `SELECT 1 FROM web_events WHERE customer_ref NOT IN (SELECT customer_ref FROM customers)`,
	"a ticket about an unknown order":          `SELECT 1 FROM support_tickets WHERE order_no NOT IN (SELECT order_no FROM orders)`,
	"a ticket before its order":                `SELECT 1 FROM support_tickets t JOIN orders o ON o.order_no = t.order_no WHERE t.opened_at < o.placed_at`,
	"a raw order of another customer":          `SELECT 1 FROM stg_raw_orders r LEFT JOIN orders o ON o.order_no = r.order_no LEFT JOIN customers c ON c.id = o.customer_id WHERE c.customer_ref IS NOT r.customer_ref`,
	"an order without items":                   `SELECT 1 FROM orders WHERE id NOT IN (SELECT order_id FROM order_items)`,
	"an order with a wrong total":              `SELECT 1 FROM orders o JOIN order_items i ON i.order_id = o.id GROUP BY o.id HAVING abs(o.total_amount - o.shipping_fee - sum(i.line_total)) > 0.001`,
	"an order before its customer":             `SELECT 1 FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.placed_at < c.created_at`,
	"an order to another customer's address":   `SELECT 1 FROM orders o JOIN addresses b ON b.id = o.billing_address_id JOIN addresses s ON s.id = o.shipping_address_id WHERE b.customer_id <> o.customer_id OR s.customer_id <> o.customer_id`,
	"a customer dormant and yet ordering":      `SELECT 1 FROM orders o JOIN customers c ON c.id = o.customer_id WHERE c.status = 'dormant' AND o.placed_at > '2024-12-31 20:00:00'`,
	"a delivered order that is not paid":       `SELECT 1 FROM orders o WHERE status IN ('paid', 'shipped', 'delivered', 'returned') AND (SELECT sum(amount) FROM payments p WHERE p.order_id = o.id AND p.status IN ('settled', 'refunded')) IS NOT o.total_amount`,
	"a cancelled order with money":             `SELECT 1 FROM orders o JOIN payments p ON p.order_id = o.id WHERE o.status = 'cancelled' AND p.status <> 'failed'`,
	"a payment without or with a wrong time":   `SELECT 1 FROM payments p JOIN orders o ON o.id = p.order_id WHERE (p.paid_at IS NULL) <> (p.status IN ('pending', 'failed')) OR p.paid_at < o.placed_at`,
	"a refund above its payment":               `SELECT 1 FROM refunds r JOIN payments p ON p.id = r.payment_id WHERE r.amount > p.amount OR r.amount <= 0 OR r.refunded_at < p.paid_at`,
	"a refunded payment with something left":   `SELECT 1 FROM payments p WHERE status = 'refunded' AND amount IS NOT (SELECT sum(amount) FROM refunds r WHERE r.payment_id = p.id)`,
	"a sent order without a parcel":            `SELECT 1 FROM orders WHERE (status IN ('shipped', 'delivered', 'returned')) <> (id IN (SELECT order_id FROM shipments))`,
	"a parcel that is early":                   `SELECT 1 FROM shipments s JOIN orders o ON o.id = s.order_id WHERE s.shipped_at < o.placed_at OR s.delivered_at < s.shipped_at OR s.shipped_at > '2025-12-31 20:00:00' OR s.delivered_at > '2025-12-31 20:00:00'`,
	"a purchase of another supplier's product": `SELECT 1 FROM purchase_orders o JOIN purchase_order_items i ON i.purchase_order_id = o.id JOIN products p ON p.id = i.product_id WHERE p.supplier_id <> o.supplier_id`,
	"a purchase without items":                 `SELECT 1 FROM purchase_orders WHERE id NOT IN (SELECT purchase_order_id FROM purchase_order_items)`,
	"a product name twice":                     `SELECT name FROM products GROUP BY name HAVING count(*) > 1`,
	"a product for less than it costs":         `SELECT 1 FROM products WHERE unit_price <= unit_cost`,
	"more than one head of the shop":           `SELECT 1 FROM employees WHERE (manager_id IS NULL) <> (id = 1) OR manager_id = id`,
	"a revenue that is not what was paid":      `SELECT 1 WHERE abs((SELECT sum(total_revenue) FROM daily_revenue) - (SELECT sum(amount) FROM payments WHERE status IN ('settled', 'refunded'))) > 0.01`,
	"refunds that are not what was paid back":  `SELECT 1 WHERE abs((SELECT sum(total_refunds) FROM daily_revenue) - (SELECT sum(amount) FROM refunds)) > 0.01`,
	"something after the last day":             `SELECT 1 FROM orders WHERE placed_at > '2025-12-31 20:00:00' UNION ALL SELECT 1 FROM web_events WHERE occurred_at > '2025-12-31 20:00:00' UNION ALL SELECT 1 FROM refunds WHERE refunded_at > '2025-12-31 20:00:00' UNION ALL SELECT 1 FROM payments WHERE paid_at > '2025-12-31 20:00:00'`,
	"an audit note before its order":           `SELECT 1 FROM audit_log a JOIN orders o ON o.id = a.row_id WHERE a.table_name = 'orders' AND a.changed_at < o.placed_at`,
}

func TestShop_Consistent(t *testing.T) {
	db := database(t)
	for what, query := range contradictions {
		var n int
		if err := db.QueryRow("SELECT count(*) FROM (" + query + ")").Scan(&n); err != nil {
			t.Errorf("%s: %v", what, err)
		} else if n != 0 {
			t.Errorf("%s, %d times", what, n)
		}
	}
}

// A statement that breaks a key is found, so the check above can fail.
func TestShop_ConsistentCanFail(t *testing.T) {
	db := database(t)
	for _, c := range []struct{ change, found string }{
		{`DELETE FROM warehouses WHERE id = 3`, "a declared key leads nowhere"},
		{`UPDATE web_events SET customer_ref = 'C-0' WHERE id = 7`, "an event of an unknown customer"},
		{`UPDATE orders SET total_amount = total_amount + 1 WHERE id = 7`, "an order with a wrong total"},
	} {
		if _, err := db.Exec(c.change); err != nil {
			t.Fatal(err)
		}
		var n int
		if err := db.QueryRow("SELECT count(*) FROM (" + contradictions[c.found] + ")").Scan(&n); err != nil || n == 0 {
			t.Errorf("after %s: %d, %v", c.change, n, err)
		}
	}
}

// The script that fills daily_revenue gives the same again.
func TestShop_Refresh(t *testing.T) {
	db := database(t)
	script, err := files.ReadFile(refreshSQL)
	if err != nil {
		t.Fatal(err)
	}
	sum := func() (n int, revenue float64) {
		if err := db.QueryRow(`SELECT count(*), sum(total_revenue) FROM daily_revenue`).Scan(&n, &revenue); err != nil {
			t.Fatal(err)
		}
		return n, revenue
	}
	n, revenue := sum()
	if _, err := db.Exec(string(script)); err != nil {
		t.Fatal(err)
	}
	if n2, revenue2 := sum(); n2 != n || revenue2 != revenue {
		t.Errorf("%d rows of %v, before %d of %v", n2, revenue2, n, revenue)
	}
}

func settings() index.Settings { return index.Settings{AliasSources: 1, MinClusterSize: 3} }

// TestIndex indexes the shop as quickstart does: what nobody declared is found.
func TestIndex(t *testing.T) {
	f := written(t)
	dir := state.At(t.TempDir())
	if err := dir.Create(); err != nil {
		t.Fatal(err)
	}
	reg := registry.NewStore(dir, func(string) string { return "" })
	r, err := index.Run(context.Background(), dir, reg, index.Request{
		Entry: registry.Entry{Name: Connection}, Connector: connector(t, f.Database), Settings: settings(), Now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Version: "test",
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := catalog.New(*r.Data, settings().AliasSources)
	var sure []string
	for _, j := range r.Data.Joins {
		if infer.Band(j.Confidence) == "high" {
			sure = append(sure, fmt.Sprintf("%s.%s -> %s.%s %.2f", c.Tables[j.From].Name, j.FromColumn, c.Tables[j.To].Name, j.ToColumn, j.Confidence))
		}
	}
	want := []string{
		"stg_raw_orders.order_no -> orders.order_no 0.95",
		"stg_raw_orders.customer_ref -> customers.customer_ref 0.95",
		"support_tickets.order_no -> orders.order_no 0.95",
		"v_order_summary.order_id -> orders.id 0.95",
		"v_order_summary.order_no -> orders.order_no 0.95",
		"web_events.customer_ref -> customers.customer_ref 0.95",
	}
	if diff := cmp.Diff(want, sure); diff != "" {
		t.Errorf("inferred joins, -want +got\n%s", diff)
	}
	shadows, roles := map[string]string{}, map[string]string{}
	for i := range c.Tables {
		if s := c.ShadowOf(i); s >= 0 {
			shadows[c.Tables[i].Name] = c.Tables[s].Name
		}
		roles[c.Tables[i].Name] = r.Data.Facts[i].Role
	}
	if diff := cmp.Diff(map[string]string{"v_active_customers": "customers"}, shadows); diff != "" {
		t.Errorf("shadow aliases, -want +got\n%s", diff)
	}
	for table, role := range map[string]string{
		"schema_migrations": "system", "stg_raw_orders": "staging", "audit_log": "audit", "product_categories": "junction", "daily_revenue": "aggregate", "customers": "dimension",
	} {
		if roles[table] != role {
			t.Errorf("role of %s is %s, want %s", table, roles[table], role)
		}
	}
}

// names are the columns of the shop's tables.
func names(d *model.Database) map[string]map[string]bool {
	m := map[string]map[string]bool{}
	for i := range d.Tables {
		columns := map[string]bool{}
		for _, c := range d.Tables[i].Columns {
			columns[c.Name] = true
		}
		m[d.Tables[i].Name] = columns
	}
	return m
}

// dbtNode is what a reader of the manifest looks at.
type dbtNode struct {
	Schema       string `json:"schema"`
	Name         string `json:"name"`
	ResourceType string `json:"resource_type"`
	UniqueID     string `json:"unique_id"`
	Alias        string `json:"alias"`
	Identifier   string `json:"identifier"`
	Description  string `json:"description"`
	Tags         []string
	Columns      map[string]struct{ Name, Description string }
	ColumnName   string  `json:"column_name"`
	AttachedNode *string `json:"attached_node"`
	TestMetadata *struct {
		Name   string         `json:"name"`
		Kwargs map[string]any `json:"kwargs"`
	} `json:"test_metadata"`
	DependsOn struct{ Nodes []string } `json:"depends_on"`
}

func (n *dbtNode) table() string {
	if n.Identifier != "" {
		return n.Identifier
	}
	return n.Alias
}

// TestManifest holds the manifest against the shop: it names what exists, and all of
// it but the table of the migrations.
func TestManifest(t *testing.T) {
	b, err := manifest()
	if err != nil {
		t.Fatal(err)
	}
	var m struct {
		Metadata struct {
			Version string `json:"dbt_schema_version"`
			Adapter string `json:"adapter_type"`
		} `json:"metadata"`
		Nodes, Sources, Exposures map[string]dbtNode
		ParentMap                 map[string][]string `json:"parent_map"`
		ChildMap                  map[string][]string `json:"child_map"`
	}
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	if m.Metadata.Version != "https://schemas.getdbt.com/dbt/manifest/v12.json" || m.Metadata.Adapter != "sqlite" {
		t.Errorf("metadata %+v", m.Metadata)
	}
	d := introspected(t)
	known := names(d)
	described := map[string]string{} // table to id
	byID := map[string]dbtNode{}
	for id, n := range m.Sources {
		byID[id] = n
	}
	kinds := map[string]int{}
	for id, n := range m.Nodes {
		byID[id] = n
		if n.ResourceType == "test" {
			kinds[n.TestMetadata.Name]++
		}
	}
	for id, n := range byID {
		if n.UniqueID != id {
			t.Errorf("%s calls itself %s", id, n.UniqueID)
		}
		if n.ResourceType == "test" {
			continue
		}
		columns := known[n.table()]
		if columns == nil || n.Schema != "main" || described[n.table()] != "" {
			t.Errorf("%s is about %s.%s, which is not there or is described twice", id, n.Schema, n.table())
		}
		described[n.table()] = id
		if n.Description == "" {
			t.Errorf("%s has no description", id)
		}
		for key, c := range n.Columns {
			if !columns[key] || c.Name != key || c.Description == "" {
				t.Errorf("%s: column %q", id, key)
			}
		}
		for i := range d.Tables {
			if d.Tables[i].Name == n.table() && d.Tables[i].IsView() != (n.ResourceType == "model" && strings.HasPrefix(n.table(), "v_")) {
				t.Errorf("%s is a %s, the table is a %s", id, n.ResourceType, d.Tables[i].Type)
			}
		}
	}
	for table := range known {
		if (described[table] == "") != (table == "schema_migrations") {
			t.Errorf("%s is described by %q", table, described[table])
		}
	}
	// Models depend on what the views really read.
	for _, l := range d.Lineage {
		if !slices.Contains(byID[described[l.ToTable]].DependsOn.Nodes, described[l.FromTable]) {
			t.Errorf("%s does not depend on %s", l.ToTable, l.FromTable)
		}
	}
	for id, n := range m.Nodes {
		if n.ResourceType != "test" {
			continue
		}
		about := byID[n.DependsOn.Nodes[len(n.DependsOn.Nodes)-1]]
		if !known[about.table()][n.ColumnName] {
			t.Errorf("%s is about %s.%s", id, about.table(), n.ColumnName)
		}
		if (n.AttachedNode != nil) != (about.ResourceType == "model") || n.AttachedNode != nil && *n.AttachedNode != about.UniqueID {
			t.Errorf("%s is attached to %v", id, n.AttachedNode)
		}
		if n.TestMetadata.Name == "relationships" {
			to, field := byID[n.DependsOn.Nodes[0]], fmt.Sprint(n.TestMetadata.Kwargs["field"])
			if len(n.DependsOn.Nodes) != 2 || !known[to.table()][field] {
				t.Errorf("%s refers to %s.%s", id, to.table(), field)
			}
		}
	}
	if diff := cmp.Diff(map[string]int{"unique": 3, "not_null": 3, "accepted_values": 2, "relationships": 3}, kinds); diff != "" {
		t.Errorf("tests, -want +got\n%s", diff)
	}
	if len(m.Exposures) != 1 {
		t.Errorf("%d exposures", len(m.Exposures))
	}
	for id, n := range m.Exposures {
		byID[id] = n
		if len(n.DependsOn.Nodes) == 0 {
			t.Errorf("%s depends on nothing", id)
		}
	}
	for id, parents := range m.ParentMap {
		if _, ok := byID[id]; !ok || !slices.Equal(parents, append([]string{}, byID[id].DependsOn.Nodes...)) {
			t.Errorf("parents of %s are %q", id, parents)
		}
		for _, p := range parents {
			if !slices.Contains(m.ChildMap[p], id) {
				t.Errorf("%s is no child of %s", id, p)
			}
		}
	}
	if len(m.ParentMap) != len(byID) || len(m.ChildMap) != len(byID) {
		t.Errorf("%d and %d of %d nodes are in the maps", len(m.ParentMap), len(m.ChildMap), len(byID))
	}
}

// The tests of the manifest hold for the rows.
func TestManifest_TestsHold(t *testing.T) {
	db := database(t)
	for _, c := range checks {
		var query string
		switch c.kind {
		case "unique":
			query = fmt.Sprintf("SELECT %s FROM %s GROUP BY 1 HAVING count(*) > 1", c.column, c.table)
		case "not_null":
			query = fmt.Sprintf("SELECT 1 FROM %s WHERE %s IS NULL", c.table, c.column)
		case "accepted_values":
			query = fmt.Sprintf("SELECT 1 FROM %s WHERE %s NOT IN ('%s')", c.table, c.column, strings.Join(c.values, "', '"))
		case "relationships":
			query = fmt.Sprintf("SELECT 1 FROM %s WHERE %s NOT IN (SELECT %s FROM %s)", c.table, c.column, c.field, c.to)
		}
		var n int
		if err := db.QueryRow("SELECT count(*) FROM (" + query + ")").Scan(&n); err != nil || n > 0 {
			t.Errorf("%s of %s.%s: %d, %v", c.kind, c.table, c.column, n, err)
		}
	}
}

// checked is the catalog that SQL is checked against.
func checked(t *testing.T) *catalog.Catalog {
	t.Helper()
	return catalog.New(*index.Analyse(Connection, introspected(t), settings()), settings().AliasSources)
}

func checkSQL(t *testing.T, c *catalog.Catalog, where, text string) []string {
	t.Helper()
	r, err := sqlcheck.Check(c, sqltree.SQLite, text)
	if err != nil {
		t.Errorf("%s: %v", where, err)
		return nil
	}
	if !r.Valid || len(r.Suggestions) > 0 {
		t.Errorf("%s: %q %q %q %v\n%s", where, r.SyntaxErrors, r.MissingTables, r.MissingColumns, r.InvalidJoins, text)
	}
	return r.TablesUsed
}

// TestSemantic holds the semantic layer against the shop.
func TestSemantic(t *testing.T) {
	b, err := files.ReadFile(semanticName)
	if err != nil {
		t.Fatal(err)
	}
	var layer struct {
		ConnectionName string `yaml:"connection_name"`
		Domains        []struct {
			Name, Description string
			Entities          []struct {
				Name, Description string
				SourceTable       string `yaml:"source_table"`
				Attributes        []struct {
					Name, Description, Role string
					SourceColumn            string         `yaml:"source_column"`
					FormatConfig            map[string]any `yaml:"format_config"`
				}
				Metrics []struct {
					Name, Description, Type, Field string
					Filters                        []string
					TimeDimension                  string `yaml:"time_dimension"`
					Granularity                    string
					Numerator, Denominator         string
				}
			}
		}
		FormatDefaults map[string]any `yaml:"format_defaults"`
	}
	if err := yaml.UnmarshalWithOptions(b, &layer, yaml.DisallowUnknownField()); err != nil {
		t.Fatal(err)
	}
	if layer.ConnectionName != Connection {
		t.Errorf("connection_name %q", layer.ConnectionName)
	}
	known := names(introspected(t))
	c := checked(t)
	db := database(t)
	metrics := map[string]string{}
	for _, d := range layer.Domains {
		for _, e := range d.Entities {
			table, ok := strings.CutPrefix(e.SourceTable, "main.")
			if !ok || known[table] == nil || d.Description == "" || e.Description == "" {
				t.Errorf("entity %q of %q", e.Name, e.SourceTable)
			}
			attributes := map[string]bool{}
			for _, a := range e.Attributes {
				attributes[a.Name] = true
				if !known[table][a.SourceColumn] || a.Role == "" || a.Description == "" {
					t.Errorf("attribute %s.%s of column %q", e.Name, a.Name, a.SourceColumn)
				}
			}
			for _, m := range e.Metrics {
				metrics[m.Name] = m.Type
				if m.Description == "" || m.Type != "ratio" && !attributes[m.Field] || m.TimeDimension != "" && !attributes[m.TimeDimension] {
					t.Errorf("metric %+v", m)
				}
				if m.Type == "ratio" && (metrics[m.Numerator] == "" || metrics[m.Denominator] == "") {
					t.Errorf("metric %s divides %q by %q", m.Name, m.Numerator, m.Denominator)
				}
				for _, f := range m.Filters {
					query := fmt.Sprintf("SELECT count(*) FROM %s AS %s WHERE (%s)", e.SourceTable, table, f)
					checkSQL(t, c, m.Name, query)
					var n int
					if err := db.QueryRow(query).Scan(&n); err != nil || n == 0 {
						t.Errorf("filter of %s: %d rows, %v", m.Name, n, err)
					}
				}
			}
		}
	}
	if diff := cmp.Diff(map[string]string{"monthly_revenue": "sum", "revenue": "sum", "payments_settled": "count", "average_payment": "ratio"}, metrics); diff != "" {
		t.Errorf("metrics, -want +got\n%s", diff)
	}
}

// TestSemantic_Compiles compiles the metrics and runs them: they give what a plain
// query over the rows gives.
func TestSemantic_Compiles(t *testing.T) {
	b, err := files.ReadFile(semanticName)
	if err != nil {
		t.Fatal(err)
	}
	c := checked(t)
	if found := metric.Lint(c, string(b)); len(found) > 0 {
		t.Errorf("lint: %+v", found)
	}
	db := database(t)
	for name, plain := range map[string]string{
		"revenue":          `SELECT total(amount) FROM payments WHERE status = 'settled'`,
		"payments_settled": `SELECT count(*) FROM payments WHERE status = 'settled'`,
		"average_payment":  `SELECT avg(amount) FROM payments WHERE status = 'settled'`,
		"monthly_revenue":  `SELECT total(amount) FROM payments WHERE status = 'settled'`,
	} {
		r, err := metric.Compile(c, string(b), name)
		if err != nil || !r.Validation.Valid || len(r.Warnings) > 0 {
			t.Errorf("%s: %v, %+v", name, err, r)
			continue
		}
		compiled := fmt.Sprintf("SELECT total(%s) FROM (%s)", name, r.SQL) // months add up to the whole
		var got, want float64
		if err := errors.Join(db.QueryRow(compiled).Scan(&got), db.QueryRow(plain).Scan(&want)); err != nil {
			t.Errorf("%s: %v", name, err)
		} else if want == 0 || math.Abs(got-want) > 0.01 {
			t.Errorf("%s = %v, want %v", name, got, want)
		}
	}
}

// literals are the strings of source code that hold SQL: raw ones, those of three
// quotes, templates, and adjacent ones of Python.
var literals = regexp.MustCompile("(?s)`([^`]*)`" + `|"""(.*?)"""|"((?:[^"\n]|"\s*\n\s*")*)"`)

var joined = regexp.MustCompile(`"\s*\n\s*"`)

// TestApp checks the SQL of the application: each statement fits the shop, and all
// four languages have some.
func TestApp(t *testing.T) {
	c := checked(t)
	db := database(t)
	used := map[string][]string{} // by extension
	err := fs.WalkDir(files, appName, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		ext := filepath.Ext(name)
		texts := []string{string(b)}
		if ext != ".sql" {
			texts = nil
			for _, m := range literals.FindAllStringSubmatch(string(b), -1) {
				text := strings.TrimSpace(m[1] + m[2] + joined.ReplaceAllString(m[3], ""))
				if word, _, _ := strings.Cut(text, " "); slices.Contains([]string{"SELECT", "INSERT", "UPDATE", "DELETE"}, strings.TrimSpace(word)) {
					texts = append(texts, text)
				}
			}
		}
		for _, text := range texts {
			used[ext] = append(used[ext], checkSQL(t, c, name, text)...)
			st, err := db.Prepare(text)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			st.Close()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for ext, tables := range used {
		slices.Sort(tables)
		used[ext] = slices.Compact(tables)
	}
	want := map[string][]string{
		".go":  {"main.addresses", "main.audit_log", "main.orders"},
		".py":  {"main.payments", "main.refunds"},
		".sql": {"main.addresses", "main.daily_revenue", "main.order_items", "main.orders", "main.payments", "main.products", "main.refunds", "main.stock_levels", "main.suppliers"},
		".ts":  {"main.customers", "main.orders", "main.web_events"},
	}
	if diff := cmp.Diff(want, used); diff != "" {
		t.Errorf("tables used, -want +got\n%s", diff)
	}
}

// TestApp_Consumers looks for the tables in the application as pretensor analyze
// does: all that the programs use is found, in all four languages.
func TestApp_Consumers(t *testing.T) {
	c := checked(t)
	r, err := analyze.Run(context.Background(), analyze.Options{Root: written(t).App, Service: "shop"}, c)
	if err != nil {
		t.Fatal(err)
	}
	uses := map[string]map[string]bool{}
	for _, row := range r.Rows {
		if uses[row.File] == nil {
			uses[row.File] = map[string]bool{}
		}
		uses[row.File][row.Op+" "+strings.TrimPrefix(row.Table, "main.")] = true
	}
	got := map[string][]string{}
	for file := range uses {
		got[file] = slices.Sorted(maps.Keys(uses[file]))
	}
	want := map[string][]string{
		"billing/models.py":             {"read payments"},
		"billing/refund.py":             {"read payments", "read refunds", "write payments", "write refunds"},
		"orders/store.go":               {"read addresses", "read orders", "write audit_log", "write orders"},
		"sql/refresh_daily_revenue.sql": {"read addresses", "read orders", "read payments", "read refunds", "write daily_revenue"},
		"sql/slow_movers.sql":           {"read order_items", "read orders", "read products", "read stock_levels", "read suppliers"},
		"web/src/catalog.ts":            {"read categories", "read product_categories", "read products", "read support_tickets"},
		"web/src/tracking.ts":           {"read customers", "read orders", "read web_events", "write web_events"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("uses, -want +got\n%s", diff)
	}
	if r.Failed > 0 || r.Dropped > 0 {
		t.Errorf("%d statements are not understood, %d names not known: %v", r.Failed, r.Dropped, r.Unresolved)
	}
}

// tree is the content of a folder by relative name.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	m := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		m[filepath.ToSlash(name)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func same(a, b map[string]string) string {
	var differ []string
	for name := range a {
		if a[name] != b[name] {
			differ = append(differ, name)
		}
	}
	if len(a) != len(b) || len(differ) > 0 {
		return fmt.Sprintf("%d and %d files, of which %q differ", len(a), len(b), differ)
	}
	return ""
}

func TestWrite_SameBytes(t *testing.T) {
	a := written(t)
	b, err := Write(t.TempDir()) // from the beginning
	if err != nil {
		t.Fatal(err)
	}
	one, two := tree(t, filepath.Dir(a.Database)), tree(t, filepath.Dir(b.Database))
	if d := same(one, two); d != "" {
		t.Error(d)
	}
	want := []string{"app/billing/models.py", "app/billing/refund.py", "app/orders/store.go", "app/sql/refresh_daily_revenue.sql", "app/sql/slow_movers.sql",
		"app/web/src/catalog.ts", "app/web/src/tracking.ts", "manifest.json", "semantic.yaml", "shop.db"}
	var got []string
	for name := range one {
		got = append(got, name)
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("files, -want +got\n%s", diff)
	}
	for _, path := range []string{a.Database, a.Manifest, a.Semantic, a.App} {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}

// A second Write touches nothing, and restores what was changed.
func TestWrite_Again(t *testing.T) {
	f := written(t)
	dir := filepath.Dir(f.Database)
	good := tree(t, dir)
	var renamed []string
	w := state.Writer{Before: func(step state.Step, path string) error {
		if step == state.StepRename {
			renamed = append(renamed, filepath.Base(path))
		}
		return nil
	}}
	if g, err := write(w, dir, built(t)); err != nil || g != f || len(renamed) > 0 {
		t.Errorf("second: %v, %v, wrote %q", g, err, renamed)
	}
	own := filepath.Join(dir, "notes.txt")
	if err := errors.Join(os.WriteFile(f.Semantic, []byte("x"), 0o600), os.Remove(f.Manifest), os.WriteFile(own, []byte("mine"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if _, err := write(w, dir, built(t)); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(renamed, []string{manifestName, semanticName}) {
		t.Errorf("third: wrote %q", renamed)
	}
	good["notes.txt"] = "mine"
	if d := same(good, tree(t, dir)); d != "" {
		t.Error(d)
	}
}

// A write that fails at any step leaves each file old or new, and can be repeated.
func TestWrite_Fails(t *testing.T) {
	good := tree(t, filepath.Dir(written(t).Database))
	broken := errors.New("disk full")
	for _, step := range []state.Step{state.StepCreate, state.StepWrite, state.StepSync, state.StepRename, state.StepSyncDir} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, manifestName), []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := write(state.Writer{Before: func(s state.Step, path string) error {
			if s == step && filepath.Base(path) == manifestName {
				return broken
			}
			return nil
		}}, dir, built(t))
		if !errors.Is(err, broken) || strings.Contains(err.Error(), dir) {
			t.Errorf("%s: error %v", step, err)
		}
		for name, text := range tree(t, dir) {
			if text != good[name] && text != "old" {
				t.Errorf("%s: %s is neither old nor new", step, name)
			}
		}
		if _, err := write(state.Writer{}, dir, built(t)); err != nil {
			t.Errorf("%s: then %v", step, err)
		}
		if d := same(good, tree(t, dir)); d != "" {
			t.Errorf("%s: then %s", step, d)
		}
	}
}

// A folder that cannot be made is an error that does not say where it is.
func TestWrite_NoFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := write(state.Writer{}, filepath.Join(file, "demo"), built(t))
	if err == nil || strings.Contains(err.Error(), filepath.Dir(file)) {
		t.Errorf("error %v", err)
	}
}

// What the program carries for the demonstration is small.
func TestEmbedded_Size(t *testing.T) {
	size := len(schemaSQL) + len(indexesSQL)
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			size += int(info.Size())
		}
		return err
	})
	if err != nil || size > 1<<20 {
		t.Errorf("%d bytes are embedded, %v", size, err)
	}
}

func BenchmarkWrite(b *testing.B) {
	for b.Loop() {
		if _, err := Write(b.TempDir()); err != nil {
			b.Fatal(err)
		}
	}
}
