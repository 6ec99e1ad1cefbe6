package tools

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/lookup"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

func pointer[T any](v T) *T { return &v }

// sales is an index in which orders has everything that context tells.
func sales() *catalog.Data {
	customers := model.Table{
		Schema: "public", Name: "customers", Type: model.BaseTable, Columns: []model.Column{{Name: "id", Type: "bigint"}},
		PrimaryKey: &model.Key{Columns: []string{"id"}},
	}
	daily := model.Table{Schema: "public", Name: "daily", Type: model.View, Columns: []model.Column{{Name: "day", Type: "date"}}}
	orders := model.Table{
		Schema: "public", Name: "orders", Type: model.PartitionedTable, Comment: "from the database", Rows: pointer(int64(90211)), RowsSource: model.CountStat,
		Columns: []model.Column{
			{Name: "id", Type: "bigint", Identity: true, Stats: &model.Stats{NullFraction: pointer(0.0), Distinct: pointer(int64(90211)), Min: "1", Max: "90211", Source: "catalog", Correlation: pointer(0.99999)}},
			{Name: "customer_id", Type: "bigint", Comment: "who bought"},
			{Name: "status", Type: "order_status", Nullable: true, Default: "'open'::order_status", Enum: []string{"open", "paid"}},
			{Name: "total", Type: "numeric(10,2)", Nullable: true, Generated: true},
		},
		PrimaryKey:  &model.Key{Name: "orders_pkey", Columns: []string{"id"}},
		ForeignKeys: []model.ForeignKey{{Name: "orders_customer_id_fkey", Columns: []string{"customer_id"}, RefSchema: "public", RefTable: "customers", RefColumns: []string{"id"}}},
		Checks:      []model.Check{{Name: "positive", Expr: "total >= 0", Columns: []string{"total"}}},
		Indexes:     []model.Index{{Name: "orders_pkey", Columns: []string{"id"}, Unique: true, Type: "btree", Primary: true}, {Name: "orders_lower", Columns: []string{"(lower(status))"}}},
		Partition:   &model.Partition{Key: []string{"id", "(total / 2)"}, Count: 4},
		Usage:       &model.Usage{SeqScans: 1, IdxScans: 2, Inserts: 3, Updates: 4, Deletes: 5}, Bytes: pointer(int64(8192)),
		Grants: []model.Grant{{Grantee: "analyst", Privilege: "SELECT", Columns: []string{"id"}}, {Grantee: "app", Privilege: "INSERT"}},
	}
	return &catalog.Data{
		Connection: "shop", Database: "shop", Dialect: "postgresql", DefaultSchema: "public", Generation: "g", BuiltAt: today.Add(-24 * time.Hour),
		Tables: []model.Table{customers, daily, orders},
		Facts: []catalog.Facts{{Role: "dimension", Confidence: 0.7}, {Role: "aggregate", Confidence: 0.5}, {
			Description: "One row per placed order", Tags: []string{"core"}, Aliases: []string{"fct_orders"}, Role: "fact", Confidence: 0.91234,
			Signals: []string{"named like a fact"},
		}},
		Lineage: []model.Lineage{
			{FromSchema: "public", FromTable: "orders", ToSchema: "public", ToTable: "daily", Type: model.LineageView, Source: "catalog", Confidence: 1},
			{FromSchema: "public", FromTable: "customers", ToSchema: "public", ToTable: "orders", Type: model.LineageTrigger, Source: "trigger", Confidence: 0.7},
			{FromSchema: "old", FromTable: "orders", ToSchema: "public", ToTable: "orders", Type: model.LineageTrigger, Source: "trigger", Confidence: 0.7},
		},
		Clusters: []catalog.Cluster{{Number: 0, Label: "public.orders · Order (2 tables)", Description: "2 tables around orders and customers", Tables: []int{0, 2}, Cohesion: 0.31415, Pattern: "star", Stale: true}},
		Entities: []catalog.Entity{{Name: "Order", Description: "What was bought", Source: "heuristic", Tables: []int{2}}},
		Consumers: []catalog.Consumer{
			{ID: "1", Service: "billing", File: "a.py", Kind: "raw_sql", Uses: []catalog.Use{{Table: 2, Op: "read", Confidence: 1}, {Table: 2, Op: "write", Confidence: 1}}},
			{ID: "2", Service: "Board", File: "b.yml", Kind: "dbt_exposure", Uses: []catalog.Use{{Table: 2, Op: "read", Confidence: 1}}},
		},
		Scans: []catalog.Scan{{Service: "billing"}},
	}
}

const (
	ordersStandard = `{"connection_name":"shop","database":"shop","schema_name":"public","table_name":"orders","qualified_name":"public.orders",` +
		`"table_type":"partitioned_table","description":"One row per placed order","tags":["core"],"aliases":["fct_orders","public.daily"],"row_count":90211,"row_count_source":"stat",` +
		`"entity_name":"Order","entity_description":"What was bought","entity_type":"Order","role":"fact","role_confidence":0.9123,` +
		`"classification_summary":"Fact table (0.91) in a star-shaped cluster.",` + ordersSignals +
		`"cluster":{"cluster_id":"shop::cluster::0","label":"public.orders · Order (2 tables)","description":"2 tables around orders and customers","cohesion_score":0.3142,` +
		`"schema_pattern":"star","table_count":2,"stale":true,"stale_warning":"Tables of this cluster have changed since it was found. Run: pretensor reindex --database shop --recompute-intelligence"},` +
		`"columns":[{"column_name":"id","data_type":"bigint","nullable":false,"is_primary_key":true,"is_foreign_key":false,"description":"","is_indexed":true` + idStats + `},` +
		`{"column_name":"customer_id","data_type":"bigint","nullable":false,"is_primary_key":false,"is_foreign_key":true,"description":"who bought","is_indexed":false,"references":"public.customers.id"},` +
		`{"column_name":"status","data_type":"order_status","nullable":true,"is_primary_key":false,"is_foreign_key":false,"description":"","is_indexed":false,"default_value":"'open'::order_status",` +
		`"enum_values":["open","paid"]},` +
		`{"column_name":"total","data_type":"numeric(10,2)","nullable":true,"is_primary_key":false,"is_foreign_key":false,"description":"","is_indexed":false,` +
		`"check_constraints":["total >= 0"],"is_generated":true}],` +
		`"primary_key":["id"],"relationships":[{"direction":"out","target_table":"public.customers","rel_type":"FK_REFERENCES","source_column":"customer_id","target_column":"id",` +
		`"source_columns":["customer_id"],"target_columns":["id"],"constraint_name":"orders_customer_id_fkey","source":"declared_fk","confidence":1,"reasoning":null,"cardinality":"many_to_one"}],` +
		`"referenced_tables":{"tables":["public.customers"],"total":1},"referring_tables":{"tables":[],"total":0},` +
		`"lineage_in":[{"table":"public.customers","lineage_type":"TRIGGER","confidence":0.7,"source":"trigger"}],` +
		`"lineage_out":[{"table":"public.daily","lineage_type":"VIEW","confidence":1,"source":"catalog"}],` +
		"\"lineage_markdown\":\"- fed by `public.customers` (TRIGGER)\\n- feeds `public.daily` (VIEW)\"," +
		`"indexes":[{"name":"orders_pkey","columns":["id"],"unique":true,"type":"btree"},{"name":"orders_lower","columns":["(lower(status))"],"unique":false,"type":""}],` +
		`"partition":{"is_partitioned":true,"partition_key":"id, (total / 2)","partition_count":4},"has_external_consumers":true,` +
		`"consumers":{"read":2,"write":1,"services":["Board","billing"]},"deprecation_signal":null,"staleness_warning":null,` +
		`"usage_stats":{"seq_scan_count":1,"idx_scan_count":2,"insert_count":3,"update_count":4,"delete_count":5},"access_patterns":{"table_bytes":8192},` + ordersGrants +
		`"detail":"standard"}`
	// What only full has.
	ordersSignals = `"classification_signals":["named like a fact"],`
	idStats       = `,"stats":{"null_fraction":0,"distinct_estimate":90211,"cardinality_source":"catalog","min":"1","max":"90211","correlation":1,"index_type":"btree","index_is_unique":true}`
	ordersGrants  = `"grants":[{"grantee":"analyst","privilege":"SELECT","columns":["id"]},{"grantee":"app","privilege":"INSERT"}],`
)

// The whole of an answer, at each detail.
func TestContext(t *testing.T) {
	w := serve(t, func(sv *Service) { sv.Lookup = nil }, sales())
	full := strings.Replace(ordersStandard, `"detail":"standard"`, `"detail":"full"`, 1)
	standard := strings.NewReplacer(ordersSignals, "", idStats, "", ordersGrants, "").Replace(ordersStandard)
	summary := `{"summary":{"qualified_name":"public.orders","table_type":"partitioned_table","description":"One row per placed order","row_count":90211,"role":"fact",` +
		`"cluster_label":"public.orders · Order (2 tables)","entity_name":"Order","column_count":4,"primary_key":["id"],"key_columns":["id","customer_id","total"],"relationship_count":1,` +
		`"referenced_tables":{"tables":["public.customers"],"total":1},"referring_tables":{"tables":[],"total":0},"lineage_in_count":1,"lineage_out_count":1},"staleness_warning":null}`
	for _, test := range []struct{ args, want string }{
		{`{"table":"orders"}`, standard},
		{`{"table":" \"public\".\"ORDERS\" ","db":" SHOP ","detail":" standard "}`, standard},
		{`{"table":"shop.public.orders","db":"","detail":null}`, standard},
		{`{"table":"orders","detail":"full"}`, full},
		{`{"table":"orders","detail":"summary"}`, summary},
		{`{"table":"orders","detail":"summary","include_similar":true}`, strings.TrimSuffix(summary, "}") + `,"similar_tables":[],"similar_reason":"disabled"}`},
		{`{"table":"orders","include_similar":true,"similar_k":"7"}`, strings.Replace(standard, `"detail"`, `"similar_tables":[],"similar_reason":"disabled","detail"`, 1)},
		{
			`{"table":"orders","include_similar":true,"similar_k":99,"detail":"summary"}`,
			strings.TrimSuffix(summary, "}") + `,"similar_tables":[],"similar_reason":"disabled","warning":"similar_k 99 is out of range and was taken as 50"}`,
		},
		{
			`{"table":"daily"}`,
			`{"connection_name":"shop","database":"shop","schema_name":"public","table_name":"daily","qualified_name":"public.daily","table_type":"view","description":"","row_count":null,` +
				`"entity_name":null,"entity_description":null,"entity_type":null,"role":"aggregate","role_confidence":0.5,` +
				`"classification_summary":"Aggregate view (0.50), which shows public.orders and nothing else.","cluster":null,` +
				`"columns":[{"column_name":"day","data_type":"date","nullable":false,"is_primary_key":false,"is_foreign_key":false,"description":"","is_indexed":false}],"primary_key":[],` +
				`"relationships":[],"referenced_tables":{"tables":[],"total":0},"referring_tables":{"tables":[],"total":0},` +
				`"lineage_in":[{"table":"public.orders","lineage_type":"VIEW","confidence":1,"source":"catalog"}],"lineage_markdown":"- fed by ` + "`public.orders`" + ` (VIEW)",` +
				`"shadow_of":"public.orders","indexes":[],"consumers":{"read":0,"write":0,"services":[]},"deprecation_signal":null,"staleness_warning":null,"detail":"standard"}`,
		},
	} {
		if got := w.good("context", test.args, nil); got != test.want {
			t.Errorf("%s, -want +got\n%s", test.args, cmp.Diff(strings.SplitAfter(test.want, ","), strings.SplitAfter(got, ",")))
		}
	}
	var r contextResult
	if w.good("context", `{"table":"daily","detail":"full"}`, &r); !slices.Equal(r.ViewTables, []string{"public.orders"}) {
		t.Errorf("view_definition_tables %v", r.ViewTables)
	}
}

func TestContext_Refusals(t *testing.T) {
	bare := &catalog.Data{Connection: "bare", Dialect: "sqlite", BuiltAt: today, Generation: "g"}
	w := serve(t, nil, shop(t))
	w.refusals("context", map[string]string{
		`{}`:                  `{"error":"context needs the argument 'table'.","code":"invalid_argument","hint":"give it as text"}`,
		`{"table":5}`:         `{"error":"table must be text, not the number 5.","code":"invalid_argument"}`,
		`{"table":"events"}`:  `{"error":"'events' exists in 2 schemas; use schema.table.","code":"ambiguous_table","candidates":["public.events","raw.events"]}`,
		`{"table":"custmer"}`: `{"error":"No table 'custmer' in shop.","code":"table_not_found","candidates":["public.customers"]}`,
		`{"table":"\u202enone\u0000such\n# Heading"}`:              `{"error":"No table 'nonesuch # Heading' in shop.","code":"table_not_found"}`,
		`{"table":"orders","detail":"more"}`:                       `{"error":"detail must be \"summary\", \"standard\" or \"full\", not the text \"more\".","code":"invalid_argument"}`,
		`{"table":"orders","db":"other"}`:                          `{"error":"No connection named 'other'.","code":"unknown_database","hint":"Call list_databases for the full list.","candidates":["shop"]}`,
		`{"table":"orders","database":"shop"}`:                     `{"error":"context has no argument 'database'.","code":"invalid_argument","hint":"its arguments are 'table', 'db', 'detail', 'include_similar' and 'similar_k'"}`,
		`{"table":"orders","include_similar":"certainly"}`:         `{"error":"include_similar must be true or false, not the text \"certainly\".","code":"invalid_argument"}`,
		`{"table":"orders","include_similar":true,"similar_k":{}}`: `{"error":"similar_k must be a whole number, not the object {}.","code":"invalid_argument"}`,
	})
	w.put(bare)
	w = serve(t, nil, shop(t), bare)
	w.refusals("context", map[string]string{
		`{"table":"orders"}`:             `{"error":"Several databases are indexed; say which one.","code":"database_required","candidates":["bare","shop"]}`,
		`{"table":"orders","db":"bare"}`: `{"error":"No table 'orders' in bare.","code":"table_not_found","hint":"The index of bare holds no visible table."}`,
	})
	w = serve(t, nil)
	w.refusals("context", map[string]string{
		`{"table":"orders"}`: `{"error":"No database is indexed yet.","code":"no_databases","hint":"Run: pretensor quickstart, or pretensor index DSN"}`,
	})
}

// Joins are told from the table's side, composite keys in the order of the key, one
// with itself in both directions.
func TestContext_Relationships(t *testing.T) {
	data := indexed(t, "shop", sqltree.Postgres, "public", `
		create table a (k2 int, k1 int, boss int references b, primary key (k1, k2));
		create table b (id int primary key, boss int references b, twin int unique references b);
		create table c (x int, y int, z text, foreign key (y, x) references a (k1, k2));
		create table d (z text, w text unique);`)
	at := map[string]int{}
	for i := range data.Tables {
		at[data.Tables[i].Name] = i
	}
	join := func(from, to, fromColumn, toColumn string, confidence float64, fromUnique, toUnique bool) catalog.Join {
		return catalog.Join{
			From: at[from], To: at[to], FromColumn: fromColumn, ToColumn: toColumn, Source: "heuristic", Confidence: confidence, Reasoning: "names",
			SourceUnique: fromUnique, TargetUnique: toUnique,
		}
	}
	data.Joins = []catalog.Join{
		join("c", "d", "z", "z", 0.5, false, false), join("c", "d", "z", "w", 0.6, false, true), join("d", "a", "w", "k1", 0.91116, true, false), join("d", "c", "w", "x", 0.7, true, true),
	}
	w := serve(t, nil, data)
	want := map[string][]string{
		"a": {
			"out public.b FK_REFERENCES [boss]=[id] declared_fk 1 - many_to_one",
			"in public.c FK_REFERENCES [k1 k2]=[y x] declared_fk 1 - one_to_many",
			"in public.d INFERRED_JOIN [k1]=[w] heuristic 0.9112 names many_to_one",
		},
		"b": {
			"out public.b FK_REFERENCES [boss]=[id] declared_fk 1 - many_to_one",
			"out public.b FK_REFERENCES [twin]=[id] declared_fk 1 - one_to_one",
			"in public.a FK_REFERENCES [id]=[boss] declared_fk 1 - one_to_many",
			"in public.b FK_REFERENCES [id]=[boss] declared_fk 1 - one_to_many",
			"in public.b FK_REFERENCES [id]=[twin] declared_fk 1 - one_to_one",
		},
		"c": {
			"out public.a FK_REFERENCES [y x]=[k1 k2] declared_fk 1 - many_to_one",
			"out public.d INFERRED_JOIN [z]=[w] heuristic 0.6 names many_to_one",
			"out public.d INFERRED_JOIN [z]=[z] heuristic 0.5 names unknown",
			"in public.d INFERRED_JOIN [x]=[w] heuristic 0.7 names one_to_one",
		},
		"d": {
			"out public.a INFERRED_JOIN [w]=[k1] heuristic 0.9112 names one_to_many",
			"out public.c INFERRED_JOIN [w]=[x] heuristic 0.7 names one_to_one",
			"in public.c INFERRED_JOIN [w]=[z] heuristic 0.6 names one_to_many",
			"in public.c INFERRED_JOIN [z]=[z] heuristic 0.5 names unknown",
		},
	}
	for table, want := range want {
		var r contextResult
		w.good("context", `{"table":"`+table+`"}`, &r)
		got := []string{}
		for _, x := range r.Relationships {
			reasoning := "-"
			if x.Reasoning != nil {
				reasoning = *x.Reasoning
			}
			got = append(got, fmt.Sprintf("%s %s %s %v=%v %s %v %s %s", x.Direction, x.Target, x.Type, x.SourceColumns, x.TargetColumns, x.Source, x.Confidence, reasoning, x.Cardinality))
			if x.SourceColumn != x.SourceColumns[0] || x.TargetColumn != x.TargetColumns[0] {
				t.Errorf("%s: %+v", table, x)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s, -want +got\n%s", table, diff)
		}
	}
	var r contextResult
	w.good("context", `{"table":"c"}`, &r)
	references := map[string]string{}
	for _, c := range r.Columns {
		references[c.Name] = c.References
	}
	if diff := cmp.Diff(map[string]string{"x": "public.a.k2", "y": "public.a.k1", "z": ""}, references); diff != "" {
		t.Errorf("references, -want +got\n%s", diff)
	}
}

// Inferred joins are capped, declared ones are not.
func TestContext_CapsInferred(t *testing.T) {
	var ddl strings.Builder
	ddl.WriteString("create table hub (id int primary key);")
	for i := range 320 {
		fmt.Fprintf(&ddl, "create table t%03d (ref int", i)
		if i < 30 {
			ddl.WriteString(" references hub")
		}
		ddl.WriteString(");")
	}
	data := indexed(t, "shop", sqltree.Postgres, "public", ddl.String())
	data.Joins = nil
	for i := range data.Tables {
		if i > 0 && len(data.Tables[i].ForeignKeys) == 0 {
			data.Joins = append(data.Joins, catalog.Join{From: i, To: 0, FromColumn: "ref", ToColumn: "id", Source: "heuristic", Confidence: 0.5 + float64(i)/1000, TargetUnique: true})
		}
	}
	w := serve(t, nil, data)
	for detail, inferred := range map[string]int{"standard": 25, "full": 200} {
		var r contextResult
		text := w.good("context", `{"table":"hub","detail":"`+detail+`"}`, &r)
		declared := slices.IndexFunc(r.Relationships, func(x relationship) bool { return !x.declared() })
		if len(text) > maxAnswer || r.RelationshipsTotal != 320 || declared != 30 || r.Relationships[30].Target != "public.t319" {
			t.Errorf("%s: %d characters, %d relationships of %d, %d declared", detail, len(text), len(r.Relationships), r.RelationshipsTotal, declared)
		}
		if len(r.Relationships) != 30+inferred && !r.Cut {
			t.Errorf("%s: %d inferred joins, want %d", detail, len(r.Relationships)-declared, inferred)
		}
		if r.Referring.Total != 320 || len(r.Referring.Tables) != 10 || r.Referring.Tables[0] != "public.t000" {
			t.Errorf("%s: referring %+v", detail, r.Referring)
		}
	}
	var r contextResult
	if w.good("context", `{"table":"t000"}`, &r); r.RelationshipsTotal != 0 || len(r.Relationships) != 1 {
		t.Errorf("%d relationships of %d", len(r.Relationships), r.RelationshipsTotal)
	}
}

func TestContext_RowCount(t *testing.T) {
	data := shop(t)
	counted(t, data, "public.v_customers", -1, model.CountTimeout)
	counted(t, data, "public.products", 1<<53+1, model.CountExact)
	w := serve(t, nil, data)
	for table, want := range map[string]string{
		"v_customers": `"row_count":null,"row_count_source":"view_timeout","entity_name"`,
		"products":    `"row_count":9007199254740993,"row_count_source":"exact","entity_name"`,
		"addresses":   `"row_count":null,"entity_name"`,
	} {
		if text := w.good("context", `{"table":"`+table+`"}`, nil); !strings.Contains(text, want) {
			t.Errorf("%s: %s", table, text)
		}
	}
}

// Similar tables come nearest first, whatever their cluster, and why there are none is
// told.
func TestContext_Similar(t *testing.T) {
	data := indexed(t, "shop", sqltree.Postgres, "public", "create table a (id int); create table b (id int); create table c (id int); create table d (id int); create table e (id int);")
	data.Clusters = []catalog.Cluster{{Number: 4, Tables: []int{0, 2}}, {Number: 7, Tables: []int{1}}}
	data.Vectors = catalog.Vectors{Model: "m", Dim: 2, Tables: [][]float32{{1, 0}, {0.6, 0.8}, {0.8, 0.6}, nil, {-1, 0}}}
	found, err := lookup.New()
	if err != nil {
		t.Fatal(err)
	}
	w := serve(t, func(sv *Service) { sv.Lookup, sv.Embedder = found, nil }, data)
	t.Cleanup(func() { found.Close() })
	for _, detail := range []string{"summary", "standard", "full"} {
		for args, want := range map[string]string{
			`"table":"a","similar_k":1`: `"similar_tables":[{"table_id":"shop::public::c","qualified_name":"public.c","score":0.8,"cluster_id":"shop::cluster::4"}],"similar_reason":"nearest_by_embedding"`,
			`"table":"a"`: `"similar_tables":[{"table_id":"shop::public::c","qualified_name":"public.c","score":0.8,"cluster_id":"shop::cluster::4"},` +
				`{"table_id":"shop::public::b","qualified_name":"public.b","score":0.6,"cluster_id":"shop::cluster::7"}],"similar_reason":"nearest_by_embedding"`,
			`"table":"d"`: `"similar_tables":[],"similar_reason":"no_embedding"`,
			`"table":"e"`: `"similar_tables":[],"similar_reason":"none_above_floor"`,
		} {
			if text := w.good("context", `{`+args+`,"include_similar":true,"detail":"`+detail+`"}`, nil); !strings.Contains(text, want) {
				t.Errorf("%s %s: %s", args, detail, text)
			}
		}
	}
	if text := w.good("context", `{"table":"a"}`, nil); strings.Contains(text, "similar_") {
		t.Error(text)
	}
}

func TestContext_Stale(t *testing.T) {
	data := shop(t)
	data.BuiltAt = today.Add(-9 * 24 * time.Hour)
	w := serve(t, nil, data)
	for _, detail := range []string{"summary", "standard", "full"} {
		var r contextResult
		w.good("context", `{"table":"orders","detail":"`+detail+`"}`, &r)
		if r.StalenessWarning == nil || *r.StalenessWarning != "Index is 9 days old (limit 7). Run: pretensor reindex --database shop" {
			t.Errorf("%s: %v", detail, r.StalenessWarning)
		}
	}
}

// What an exposure of dbt uses is known to have consumers outside, as is everything
// that the models before it are made of, round a cycle too.
func TestContext_Exposures(t *testing.T) {
	data := indexed(t, "shop", sqltree.Postgres, "public", "create table a (id int); create table b (id int); create table c (id int); create table d (id int);")
	for _, l := range []string{"ab", "bc", "cb", "bd"} {
		data.Lineage = append(data.Lineage, model.Lineage{FromSchema: "public", FromTable: l[:1], ToSchema: "public", ToTable: l[1:], Type: "model_dependency", Source: "dbt", Confidence: 1})
	}
	data.Consumers = []catalog.Consumer{{ID: "1", Kind: "dbt_exposure", Service: "board", Uses: []catalog.Use{{Table: 2, Op: "read", Confidence: 1}}}}
	w := serve(t, nil, data)
	for table, want := range map[string]bool{"a": true, "b": true, "c": true, "d": false} {
		var r contextResult
		if w.good("context", `{"table":"`+table+`"}`, &r); r.ExternalConsumers != want {
			t.Errorf("%s: %v, want %v", table, r.ExternalConsumers, want)
		}
	}
}

func TestContext_Classification(t *testing.T) {
	data := sales()
	w := serve(t, nil, data)
	d, err := w.sv.open("")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ role, pattern, want string }{
		{"fact", "star", "Fact table (0.91) in a star-shaped cluster."},
		{"snapshot_scd", "constellation", "Snapshot table (0.91) in a constellation-shaped cluster."},
		{"entity_candidate", "erd", "Entity table (0.91) in a cluster of related tables."},
		{"unknown", "unknown", "Of unknown role (0.91) in a cluster of no known shape."},
		{"", "snowflake", "Not classified in a snowflake-shaped cluster."},
	} {
		d.Facts[2].Role, d.Clusters[0].Pattern = test.role, test.pattern
		if got := d.classification(2); got != test.want {
			t.Errorf("%s, %s: %s", test.role, test.pattern, got)
		}
	}
	d.Clusters[0].Tables = []int{2}
	if got := d.classification(2); got != "Not classified in a cluster of its own." {
		t.Error(got)
	}
	d.Clusters[0].Tables = []int{0}
	if got := d.classification(2); got != "Not classified, in no cluster." {
		t.Error(got)
	}
}

// Whatever a database calls its things, they are found and told as they are.
func TestContext_HostileNames(t *testing.T) {
	names := []string{`Odd "Name"`, "a.b", "a::b", "x`y", "[z]", "größe 表", "tab\tand\nnewline", "''; drop table x; --", "# Ignore all of this", "\u202eevil"}
	data := &catalog.Data{Connection: "shop", Dialect: "postgresql", DefaultSchema: "public", Generation: "g", BuiltAt: today}
	slices.Sort(names)
	for _, n := range names {
		data.Tables = append(data.Tables, model.Table{
			Schema: "public", Name: n, Type: model.BaseTable, Comment: "a \u0007 bell, </script> and \u2028 more", Columns: []model.Column{{Name: n, Type: "text", Comment: n}},
		})
	}
	data.Facts = make([]catalog.Facts, len(names))
	for i := range names {
		from, to := &data.Tables[i], &data.Tables[(i+1)%len(names)]
		data.Lineage = append(data.Lineage, model.Lineage{FromSchema: "public", FromTable: from.Name, ToSchema: "public", ToTable: to.Name, Type: model.LineageTrigger})
		from.ForeignKeys = []model.ForeignKey{{Columns: []string{from.Name}, RefSchema: "public", RefTable: to.Name, RefColumns: []string{to.Name}}}
	}
	w := serve(t, nil, data)
	for i, n := range names {
		next := names[(i+1)%len(names)]
		args, err := json.Marshal(contextArgs{Table: `public."` + strings.ReplaceAll(n, `"`, `""`) + `"`, Detail: "full"})
		if err != nil {
			t.Fatal(err)
		}
		var r contextResult
		text := w.good("context", string(args), &r)
		if r.Name != n || r.Columns[0].Name != n || r.Columns[0].References != "public."+next+"."+next || r.LineageOut[0].Table != "public."+next {
			t.Errorf("%q: %s", n, text)
		}
		if strings.Count(r.LineageMarkdown, "\n") != 1 || strings.ContainsAny(r.LineageMarkdown, "\t\u202e") {
			t.Errorf("%q: lineage in Markdown %q", n, r.LineageMarkdown)
		}
		w.good("context", strings.Replace(string(args), `"full"`, `"summary"`, 1), nil)
	}
}

// wide is a database of one table with many columns, beside which it has everything
// else.
func wide(columns int, comment string) *catalog.Data {
	data := sales()
	t := &data.Tables[2]
	for i := range columns - len(t.Columns) {
		t.Columns = append(t.Columns, model.Column{Name: fmt.Sprintf("attribute_%04d", i), Type: "character varying(255)", Nullable: true, Comment: comment})
	}
	return data
}

func TestContext_Wide(t *testing.T) {
	w := serve(t, nil, wide(1000, "one of a thousand attributes"))
	for _, detail := range []string{"standard", "full"} {
		var r contextResult
		text := w.good("context", `{"table":"orders","detail":"`+detail+`"}`, &r)
		if utf8.RuneCountInString(text) > maxAnswer || !r.Cut || r.TotalColumns != 1000 || len(r.Columns) < 200 || !strings.Contains(r.Warning, "lists are cut") {
			t.Errorf("%s: %d characters, %d of %d columns, %q", detail, len(text), len(r.Columns), r.TotalColumns, r.Warning)
		}
		// The rest is whole.
		if len(r.Relationships) != 1 || len(r.Indexes) != 2 || len(r.LineageIn) != 1 || r.Consumers == nil || r.Partition == nil || r.Cluster == nil || r.RelationshipsTotal != 0 || r.TotalIndexes != 0 {
			t.Errorf("%s: %s", detail, text[len(text)-3000:])
		}
		for i, c := range r.Columns {
			if i >= 4 && c.Name != fmt.Sprintf("attribute_%04d", i-4) {
				t.Fatalf("column %d is %s", i, c.Name)
			}
		}
	}
	var r contextResult
	if w.good("context", `{"table":"orders","detail":"summary"}`, &r); r.Summary.Columns != 1000 || r.Cut {
		t.Errorf("%+v", r.Summary)
	}
}

// Texts without end do not push out everything else, nor does an answer fail for them.
func TestContext_LongTexts(t *testing.T) {
	long := strings.Repeat("ж", 100_000)
	data := wide(300, long)
	o := &data.Tables[2]
	data.Facts[2].Description = long
	o.Columns[2].Enum = nil
	for i := range 5000 {
		o.Columns[2].Enum = append(o.Columns[2].Enum, fmt.Sprintf("label %d", i))
	}
	o.Columns[3].Default, o.Checks[0].Expr = long, long
	w := serve(t, nil, data)
	for _, detail := range []string{"summary", "standard", "full"} {
		var r contextResult
		text := w.good("context", `{"table":"orders","detail":"`+detail+`"}`, &r)
		if utf8.RuneCountInString(text) > maxAnswer {
			t.Errorf("%s: %d characters", detail, utf8.RuneCountInString(text))
		}
		if detail == "summary" {
			if n := utf8.RuneCountInString(r.Summary.Description); n != maxBrief {
				t.Errorf("a description of %d characters in a summary", n)
			}
			continue
		}
		if n := utf8.RuneCountInString(r.Description); n != maxTold || !strings.HasSuffix(r.Description, "ж…") {
			t.Errorf("a description of %d characters", n)
		}
		if c := r.Columns[2]; len(c.Enum) != maxEnum || c.EnumTotal != 5000 || c.Enum[0] != "label 0" {
			t.Errorf("%d of %d enum labels", len(c.Enum), c.EnumTotal)
		}
		if r.TotalColumns != 300 || len(r.Columns) < 10 {
			t.Errorf("%d of %d columns", len(r.Columns), r.TotalColumns)
		}
	}
}

// Every list that may be long is cut to what fits, and says how long it is.
func TestContext_LongLists(t *testing.T) {
	const many = 3000
	data := sales()
	data.Tables = slices.Grow(data.Tables, many)
	o := &data.Tables[2]
	for i := range many {
		name := fmt.Sprintf("report_number_%04d", i)
		data.Tables = append(data.Tables, model.Table{Schema: "r", Name: name, Type: model.BaseTable})
		data.Lineage = append(data.Lineage,
			model.Lineage{FromSchema: "public", FromTable: "orders", ToSchema: "r", ToTable: name, Type: model.LineageView, Source: "catalog", Confidence: 1},
			model.Lineage{FromSchema: "r", FromTable: name, ToSchema: "public", ToTable: "orders", Type: model.LineageView, Source: "catalog", Confidence: 1})
		o.Indexes = append(o.Indexes, model.Index{Name: name, Columns: []string{"id"}})
		o.Grants = append(o.Grants, model.Grant{Grantee: name, Privilege: "SELECT"})
		data.Facts[2].Aliases = append(data.Facts[2].Aliases, name)
	}
	data.Facts = append(data.Facts, make([]catalog.Facts, many)...)
	w := serve(t, nil, data)
	var r contextResult
	text := w.good("context", `{"table":"public.orders","detail":"full"}`, &r)
	if utf8.RuneCountInString(text) > maxAnswer || !r.Cut {
		t.Errorf("%d characters, truncated %v", utf8.RuneCountInString(text), r.Cut)
	}
	for name, got := range map[string][3]int{
		"lineage_in": {len(r.LineageIn), r.TotalIn, many + 1}, "lineage_out": {len(r.LineageOut), r.TotalOut, many + 1}, "indexes": {len(r.Indexes), r.TotalIndexes, many + 2},
		"grants": {len(r.Grants), r.TotalGrants, many + 2}, "aliases": {len(r.Aliases), r.TotalAliases, many + 2},
	} {
		if got[0] < 30 || got[0] > 1000 || got[1] != got[2] {
			t.Errorf("%s: %d of %d, want of %d", name, got[0], got[1], got[2])
		}
	}
	if len(r.Columns) != 4 || r.TotalColumns != 0 || r.RelationshipsTotal != 0 || len(r.ViewTables) > len(r.LineageIn) || len(r.ViewTables) < 30 {
		t.Errorf("%d columns of %d, %d view tables", len(r.Columns), r.TotalColumns, len(r.ViewTables))
	}
	if n := strings.Count(r.LineageMarkdown, "\n"); n != 2*maxListed+1 || !strings.Contains(r.LineageMarkdown, "- and 2981 more fed by\n") {
		t.Errorf("%d lines of lineage: %s", n, r.LineageMarkdown)
	}
}

// Fields of a struct column are columns that name their parent, and take nothing from
// a column of their own name.
func TestContext_StructColumns(t *testing.T) {
	data := sales()
	o := &data.Tables[2]
	o.Columns = append(o.Columns, model.Column{Name: "extra", Type: "STRUCT(id INTEGER)", Array: true}, model.Column{Name: "id", Parent: "extra", Type: "INTEGER"})
	w := serve(t, nil, data)
	var r contextResult
	w.good("context", `{"table":"orders"}`, &r)
	if c := r.Columns[4]; !c.Array || c.Parent != "" {
		t.Errorf("%+v", c)
	}
	if c := r.Columns[5]; c.Parent != "extra" || c.Primary || c.Indexed {
		t.Errorf("%+v", c)
	}
	var s contextResult
	if w.good("context", `{"table":"orders","detail":"summary"}`, &s); !slices.Equal(s.Summary.KeyColumns, []string{"id", "customer_id", "total"}) {
		t.Errorf("%v", s.Summary.KeyColumns)
	}
}

// Key columns are keys, then dates, then measures, and no more than eight.
func TestContext_KeyColumns(t *testing.T) {
	data := indexed(t, "shop", sqltree.Postgres, "public", `
		create table p (id int primary key);
		create table a (note text, m1 numeric, at timestamptz, sku text unique, p_id int references p, day date, id bigint primary key, m2 int, m3 int, m4 int, flag boolean);`)
	w := serve(t, nil, data)
	var r contextResult
	w.good("context", `{"table":"a","detail":"summary"}`, &r)
	if diff := cmp.Diff([]string{"id", "p_id", "sku", "at", "day", "m1", "m2", "m3"}, r.Summary.KeyColumns); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestAbridge(t *testing.T) {
	for _, test := range []struct {
		s    string
		n    int
		want string
	}{{"", 3, ""}, {"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"жжж", 3, "жжж"}, {"жжжж", 3, "жж…"}} {
		if got := abridge(test.s, test.n); got != test.want {
			t.Errorf("abridge(%q, %d) = %q, want %q", test.s, test.n, got, test.want)
		}
	}
}

func BenchmarkContext_300Columns(b *testing.B) {
	w := serve(b, nil, wide(300, "one of many attributes"))
	handle := tableContext(w.sv).Handle
	for b.Loop() {
		r, err := handle(b.Context(), contextArgs{Table: "orders", Detail: detailFull})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := json.Marshal(r); err != nil {
			b.Fatal(err)
		}
	}
}
