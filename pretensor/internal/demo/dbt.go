package demo

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
)

// This file makes the manifest that dbt would write for a project over the shop: the
// tables that other programs fill are its sources, what is computed from them its
// models.

const (
	project   = "shop"
	schema    = "main"
	sourceYML = "models/sources.yml"
	modelYML  = "models/models.yml"
)

// relation is a source or a model.
type relation struct {
	source      string // name of the source that it belongs to; empty for a model
	name        string
	table       string // in the database, where it differs from name
	description string
	columns     map[string]string // some of them, with their descriptions
	tags        []string
	synonyms    []string
	as          string   // of a model: table or view
	from        []string // of a model: the tables that it is computed from
}

func (r *relation) id() string {
	if r.source == "" {
		return "model." + project + "." + r.name
	}
	return "source." + project + "." + r.source + "." + r.name
}

func (r *relation) tableName() string {
	if r.table != "" {
		return r.table
	}
	return r.name
}

// file is the file that describes the relation.
func (r *relation) file() string {
	if r.source == "" {
		return modelYML
	}
	return sourceYML
}

// call is how dbt's templates name the relation.
func (r *relation) call() string {
	if r.source == "" {
		return fmt.Sprintf("ref('%s')", r.name)
	}
	return fmt.Sprintf("source('%s', '%s')", r.source, r.name)
}

var sources = map[string]string{
	"shop":   "The shop's own database, written by its programs",
	"market": "Files of the market place",
	"script": "What the tracking script in the browser reports",
	"desk":   "Nightly copy of the help desk",
}

var relations = []relation{
	{source: "shop", name: "customers", description: "Everybody who has or had an account, one row each. An account that is given up stays with status closed, so that its orders keep their customer.",
		columns: map[string]string{
			"customer_ref": "The number to join with data from outside: web events, letters and the market place know no other.",
			"status":       "active, dormant (no visit for a year) or closed",
		}, tags: []string{"core", "personal_data"}, synonyms: []string{"clients", "buyers"}},
	{source: "shop", name: "addresses", description: "Postal addresses of customers. Most have one; an order keeps one for the bill and one for the parcel.",
		columns: map[string]string{"region": "One of the five sales regions: North, East, South, West, Central"}, tags: []string{"personal_data"}},
	{source: "shop", name: "orders", description: "One row per placed order, also those that were cancelled or sent back.",
		columns: map[string]string{
			"order_no":     "The number on the bill: the year and a running number",
			"total_amount": "What the customer has to pay in EUR, with tax and shipping. Not the same as revenue: see payments.",
			"channel":      "Where the order came from; market orders arrive through a file first",
		}, tags: []string{"core", "finance"}, synonyms: []string{"sales"}},
	{source: "shop", name: "order_items", description: "Products on orders, with the price of that day.", tags: []string{"core"}, synonyms: []string{"order lines"}},
	{source: "shop", name: "products", description: "The assortment. What is no longer for sale stays with is_active 0.",
		columns: map[string]string{"unit_cost": "Purchase price in EUR, for margins; not for customers' eyes"}, tags: []string{"core"}, synonyms: []string{"articles"}},
	{source: "shop", name: "categories", description: "Shelves of the shop. A product may stand on more than one."},
	{source: "shop", name: "product_categories", description: "Which product stands on which shelves."},
	{source: "shop", name: "payments", description: "Every attempt to pay. Revenue is the sum of those that are settled.",
		columns: map[string]string{"amount": "In EUR, with tax", "status": "settled money is revenue; refunded money was, and has gone back as a whole"}, tags: []string{"finance"}},
	{source: "shop", name: "refunds", description: "Money that went back to customers, as a part or the whole of a payment.", tags: []string{"finance"}},
	{source: "shop", name: "shipments", description: "Parcels. A large order may come in two.", tags: []string{"logistics"}, synonyms: []string{"parcels", "deliveries"}},
	{source: "shop", name: "warehouses", description: "The five depots, one in each sales region.", tags: []string{"logistics"}},
	{source: "shop", name: "stock_levels", description: "Pieces of a product in a warehouse at the last count.", tags: []string{"logistics"}, synonyms: []string{"inventory"}},
	{source: "shop", name: "suppliers", description: "Companies that products are bought from.", tags: []string{"purchasing"}, synonyms: []string{"vendors"}},
	{source: "shop", name: "purchase_orders", description: "Orders of the shop at its suppliers. Not to be confused with the orders of customers.", tags: []string{"purchasing"}},
	{source: "shop", name: "purchase_order_items", description: "Products on purchase orders and the warehouse that they go to.", tags: []string{"purchasing"}},
	{source: "shop", name: "employees", description: "Staff, with who reports to whom.", tags: []string{"personal_data"}},
	{source: "shop", name: "audit_log", description: "Changes made by staff and jobs; kept for two years."},
	{source: "market", name: "raw_orders", table: "stg_raw_orders", description: "Lines of the market place's files, all text, before they are checked.",
		columns: map[string]string{"total": "With a decimal comma and the currency behind it"}, tags: []string{"staging"}},
	{source: "script", name: "web_events", description: "Pages, searches and carts of visitors. Less than half of the visits are of somebody who is signed in.",
		columns: map[string]string{"customer_ref": "Number of the customer, when signed in"}, tags: []string{"marketing"}, synonyms: []string{"clickstream"}},
	{source: "desk", name: "support_tickets", description: "Questions and complaints of customers.",
		columns: map[string]string{"order_no": "As the customer wrote it down, checked by the help desk"}, tags: []string{"care"}, synonyms: []string{"complaints"}},
	{name: "daily_revenue", as: "table", from: []string{"payments", "orders", "addresses", "refunds"},
		description: "Revenue per day and sales region. The finance dashboard shows nothing else.",
		columns: map[string]string{
			"day":           "Day on which the money arrived, not the day of the order",
			"total_revenue": "Payments in EUR before refunds",
		}, tags: []string{"finance", "nightly"}, synonyms: []string{"turnover"}},
	{name: "order_summary", table: "v_order_summary", as: "view", from: []string{"orders", "customers", "order_items"},
		description: "Orders in one line each, for lists and exports.", columns: map[string]string{"pieces": "Sum of the quantities"}, tags: []string{"core"}},
	{name: "active_customers", table: "v_active_customers", as: "view", from: []string{"customers"},
		description: "Customers with status active.", tags: []string{"core", "personal_data"}},
}

// check is a test of a column. A relationships test says which column it refers to.
type check struct {
	kind          string // unique, not_null, accepted_values, relationships
	table, column string
	to, field     string
	values        []string
}

var checks = []check{
	{kind: "unique", table: "customers", column: "customer_ref"},
	{kind: "not_null", table: "customers", column: "customer_ref"},
	{kind: "unique", table: "orders", column: "order_no"},
	{kind: "not_null", table: "orders", column: "order_no"},
	{kind: "accepted_values", table: "orders", column: "status", values: []string{"placed", "paid", "shipped", "delivered", "cancelled", "returned"}},
	{kind: "relationships", table: "orders", column: "customer_id", to: "customers", field: "id"},
	{kind: "relationships", table: "stg_raw_orders", column: "customer_ref", to: "customers", field: "customer_ref"},
	{kind: "not_null", table: "daily_revenue", column: "day"},
	{kind: "accepted_values", table: "daily_revenue", column: "region", values: []string{"North", "East", "South", "West", "Central"}},
	{kind: "unique", table: "v_order_summary", column: "order_id"},
	{kind: "relationships", table: "v_order_summary", column: "order_id", to: "orders", field: "id"},
}

// dashboard is the exposure: who looks at what is computed here.
var dashboard = struct {
	name, label, description, owner, email, url string
	from                                        []string
}{
	name: "finance_dashboard", label: "Finance dashboard", description: "Revenue by day and region, read by the management every morning.",
	owner: "Finance", email: "finance@shop.example", url: "https://dashboards.shop.example/finance", from: []string{"daily_revenue", "v_order_summary"},
}

// object is a JSON object; its keys are written in the order of the alphabet.
type object = map[string]any

func find(table string) *relation {
	i := slices.IndexFunc(relations, func(r relation) bool { return r.tableName() == table })
	if i < 0 {
		panic("no relation " + table) // a slip in the lists above
	}
	return &relations[i]
}

// dependencies are the ids of tables, and how the manifest lists them.
func dependencies(tables ...string) (ids []string, refs []object, srcs [][]string) {
	ids, refs, srcs = []string{}, []object{}, [][]string{}
	for _, t := range tables {
		r := find(t)
		ids = append(ids, r.id())
		if r.source == "" {
			refs = append(refs, object{"name": r.name, "package": nil, "version": nil})
		} else {
			srcs = append(srcs, []string{r.source, r.name})
		}
	}
	return ids, refs, srcs
}

// manifest is manifest.json.
func manifest() ([]byte, error) {
	nodes, srcs := object{}, object{}
	parents := map[string][]string{}
	for i := range relations {
		r := &relations[i]
		if r.source != "" {
			srcs[r.id()] = r.sourceJSON()
			parents[r.id()] = []string{}
			continue
		}
		nodes[r.id()] = r.modelJSON()
		parents[r.id()], _, _ = dependencies(r.from...)
	}
	for _, c := range checks {
		id, node := c.json()
		nodes[id] = node
		parents[id], _, _ = dependencies(c.tables()...)
	}
	exposure := "exposure." + project + "." + dashboard.name
	ids, refs, used := dependencies(dashboard.from...)
	parents[exposure] = ids
	children := map[string][]string{}
	for child := range parents {
		children[child] = []string{}
	}
	for _, child := range slices.Sorted(maps.Keys(parents)) {
		for _, p := range parents[child] {
			children[p] = append(children[p], child)
		}
	}
	empty := object{}
	return json.MarshalIndent(object{
		"metadata": object{
			"dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v12.json", "dbt_version": "1.9.0", "generated_at": today.Format(time.RFC3339),
			"invocation_id": nil, "env": empty, "project_name": project, "project_id": nil, "user_id": nil, "send_anonymous_usage_stats": false, "adapter_type": "sqlite",
		},
		"nodes": nodes, "sources": srcs, "macros": empty, "docs": empty, "metrics": empty, "groups": empty, "selectors": empty, "disabled": empty,
		"group_map": empty, "saved_queries": empty, "semantic_models": empty, "unit_tests": empty, "parent_map": parents, "child_map": children,
		"exposures": object{exposure: object{
			"name": dashboard.name, "resource_type": "exposure", "package_name": project, "path": "exposures.yml", "original_file_path": "models/exposures.yml",
			"unique_id": exposure, "fqn": []string{project, dashboard.name}, "type": "dashboard", "maturity": "high", "label": dashboard.label,
			"owner": object{"name": dashboard.owner, "email": dashboard.email}, "description": dashboard.description, "url": dashboard.url, "meta": empty,
			"tags": []string{"finance"}, "config": object{"enabled": true}, "unrendered_config": empty, "depends_on": object{"macros": []string{}, "nodes": ids},
			"refs": refs, "sources": used, "metrics": []any{}, "created_at": today.Unix(),
		}},
	}, "", " ")
}

// common are the fields that models and sources share.
func (r *relation) common() object {
	columns := object{}
	for name, text := range r.columns {
		columns[name] = object{"name": name, "description": text, "meta": object{}, "data_type": nil, "constraints": []any{}, "quote": nil, "tags": []string{}}
	}
	meta := object{}
	if len(r.synonyms) > 0 {
		meta["synonyms"] = r.synonyms
	}
	return object{
		"database": project, "schema": schema, "name": r.name, "package_name": project, "unique_id": r.id(), "description": r.description,
		"columns": columns, "meta": meta, "tags": append([]string{}, r.tags...), "unrendered_config": object{}, "created_at": today.Unix(),
		"relation_name": fmt.Sprintf("%q.%q", schema, r.tableName()),
	}
}

func (r *relation) sourceJSON() object {
	o := r.common()
	maps.Copy(o, object{
		"resource_type": "source", "path": sourceYML, "original_file_path": sourceYML, "fqn": []string{project, r.source, r.name},
		"source_name": r.source, "source_description": sources[r.source], "source_meta": object{}, "loader": "", "identifier": r.tableName(), "external": nil,
		"quoting": object{"database": nil, "schema": nil, "identifier": nil, "column": nil}, "loaded_at_field": nil, "patch_path": nil,
		"freshness": object{"warn_after": object{"count": nil, "period": nil}, "error_after": object{"count": nil, "period": nil}, "filter": nil},
		"config":    object{"enabled": true},
	})
	return o
}

func (r *relation) modelJSON() object {
	ids, refs, srcs := dependencies(r.from...)
	path := r.name + ".sql"
	o := r.common()
	maps.Copy(o, object{
		"resource_type": "model", "path": path, "original_file_path": "models/" + path, "fqn": []string{project, r.name}, "alias": r.tableName(),
		"checksum": object{"name": "none", "checksum": ""}, "language": "sql", "raw_code": "", "patch_path": project + "://" + modelYML,
		"config": object{"enabled": true, "materialized": r.as, "alias": r.tableName(), "tags": append([]string{}, r.tags...), "meta": o["meta"]},
		"refs":   refs, "sources": srcs, "metrics": []any{}, "depends_on": object{"macros": []string{}, "nodes": ids},
		"docs": object{"show": true, "node_color": nil}, "access": "protected", "group": nil, "version": nil, "latest_version": nil, "deprecation_date": nil,
		"constraints": []any{}, "contract": object{"enforced": false, "alias_types": true, "checksum": nil}, "build_path": nil,
	})
	return o
}

// tables are those that a test reads, in dbt's order: what is referred to first.
func (c *check) tables() []string {
	if c.to == "" {
		return []string{c.table}
	}
	return []string{c.to, c.table}
}

// json is the node of a test. dbt attaches tests to models alone: what a source's
// test is about stands in what it depends on.
func (c *check) json() (id string, node object) {
	r := find(c.table)
	arguments := object{"column_name": c.column, "model": fmt.Sprintf("{{ get_where_subquery(%s) }}", r.call())}
	name := fmt.Sprintf("%s_%s_%s", c.kind, r.name, c.column)
	attached, key := any(r.id()), "models."+r.name
	if r.source != "" {
		name = fmt.Sprintf("source_%s_%s_%s_%s", c.kind, r.source, r.name, c.column)
		attached, key = nil, "sources."+r.source
	}
	switch c.kind {
	case "accepted_values":
		arguments["values"] = c.values
		name += "__" + strings.Join(c.values, "__")
	case "relationships":
		arguments["to"], arguments["field"] = find(c.to).call(), c.field
		name += "__" + c.field + "__" + unplain.ReplaceAllString(find(c.to).call(), "_")
	}
	id = "test." + project + "." + name + "." + digest(name)[:10]
	ids, refs, srcs := dependencies(c.tables()...)
	return id, object{
		"database": project, "schema": schema + "_dbt_test__audit", "name": name, "resource_type": "test", "package_name": project, "path": name + ".sql",
		"original_file_path": r.file(), "unique_id": id, "fqn": []string{project, name}, "alias": name, "checksum": object{"name": "none", "checksum": ""},
		"config":        object{"enabled": true, "materialized": "test", "severity": "ERROR", "tags": []string{}, "meta": object{}},
		"test_metadata": object{"name": c.kind, "kwargs": arguments, "namespace": nil}, "column_name": c.column, "file_key_name": key, "attached_node": attached,
		"tags": []string{}, "description": "", "columns": object{}, "meta": object{}, "refs": refs, "sources": srcs, "metrics": []any{},
		"depends_on": object{"macros": []string{"macro.dbt.test_" + c.kind, "macro.dbt.get_where_subquery"}, "nodes": ids},
		"language":   "sql", "raw_code": fmt.Sprintf("{{ test_%s(**_dbt_generic_test_kwargs) }}", c.kind), "unrendered_config": object{}, "created_at": today.Unix(),
		"relation_name": nil, "group": nil, "docs": object{"show": true, "node_color": nil}, "patch_path": nil, "build_path": nil,
		"contract": object{"enforced": false, "alias_types": true, "checksum": nil},
	}
}

// unplain is what dbt makes an underscore of where a template's call gets into a name.
var unplain = regexp.MustCompile("[^0-9A-Za-z_]+")

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
