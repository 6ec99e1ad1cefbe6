package postgres

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/connecttest"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/wiretest"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

func btree(name string, columns ...string) model.Index {
	return model.Index{Name: name, Columns: columns, Unique: true, Type: "btree"}
}

func primary(name string, columns ...string) (*model.Key, model.Index) {
	index := btree(name, columns...)
	index.Primary = true
	return &model.Key{Name: name, Columns: columns}, index
}

func hasAt(column string) model.Check {
	return model.Check{Name: "has_at", Expr: "VALUE::text ~~ '%@%'::text", Columns: []string{column}}
}

// conformance is what testdata/conformance.sql makes.
func conformance() *model.Database {
	oddKey, oddIndex := primary(`Größe :: "select" . x_pkey`, "select")
	customerKey, customerIndex := primary("customer_pkey", "id")
	orderKey, orderIndex := primary("order key", "shop", "no")
	fk := func(name, column, ref, refColumn string) model.ForeignKey {
		return model.ForeignKey{Name: name, Columns: []string{column}, RefSchema: "public", RefTable: ref, RefColumns: []string{refColumn}}
	}
	referrer := fk("referrer", "referred_by", "customer", "id")
	referrer.OnDelete = "SET NULL"
	payer := fk("order_payer_fkey", "payer", "customer", "id")
	payer.OnDelete, payer.OnUpdate = "CASCADE", "RESTRICT"
	payerMail := fk("order_payer_mail_fkey", "payer_mail", "customer", "mail")
	payerMail.OnDelete = "SET DEFAULT"

	return &model.Database{Dialect: "postgresql", DefaultSchema: "public", Tables: []model.Table{
		{
			Schema: "Ops.EU", Name: `Größe :: "select" . x`, Type: model.BaseTable, PrimaryKey: oddKey, Indexes: []model.Index{oddIndex},
			Columns: []model.Column{
				{Name: "select", Ordinal: 1, Type: "int"},
				{Name: "a b.c::d", Ordinal: 2, Type: "double precision", Nullable: true, Comment: "odd"},
				{Name: "Ünïcode", Ordinal: 3, Type: `"char"`, Nullable: true},
				{Name: "n23456789012345678901234567890123456789012345678901234567890123", Ordinal: 4, Type: "varbit(8)", Nullable: true},
			},
		},
		{Schema: "audit", Name: "busy", Type: model.View, Columns: []model.Column{{Name: "name", Ordinal: 1, Type: "text", Nullable: true}}},
		{
			Schema: "audit", Name: "line", Type: model.BaseTable,
			Columns: []model.Column{
				{Name: "order_no", Ordinal: 1, Type: "bigint", Nullable: true},
				{Name: "order_shop", Ordinal: 2, Type: "smallint", Nullable: true},
				{Name: "line", Ordinal: 3, Type: "int", Nullable: true},
			},
			Uniques: []model.Key{{Name: "line_key", Columns: []string{"line", "order_no"}}},
			ForeignKeys: []model.ForeignKey{{Name: "line_order", Columns: []string{"order_shop", "order_no"}, RefSchema: "public", RefTable: "order",
				RefColumns: []string{"shop", "no"}}},
			Checks:  []model.Check{{Name: "positive", Expr: "line > 0", Columns: []string{"line"}}},
			Indexes: []model.Index{btree("line_key", "line", "order_no")},
		},
		{
			Schema: "audit", Name: "log", Type: model.BaseTable,
			Columns: []model.Column{
				{Name: "line", Ordinal: 1, Type: "int", Nullable: true},
				{Name: "order_no", Ordinal: 2, Type: "bigint", Nullable: true},
				{Name: "what", Ordinal: 3, Type: "text", Nullable: true},
			},
			ForeignKeys: []model.ForeignKey{{Name: "line_order", Columns: []string{"line", "order_no"}, RefSchema: "audit", RefTable: "line",
				RefColumns: []string{"line", "order_no"}}},
			Checks: []model.Check{{Name: "positive", Expr: "line > 1", Columns: []string{"line"}}},
		},
		{Schema: "audit", Name: "raw", Type: model.ForeignTable, Columns: []model.Column{{Name: "line", Ordinal: 1, Type: "text", Nullable: true}}},
		{
			Schema: "public", Name: "customer", Type: model.BaseTable, Comment: `Who buys. "Quoted", it's fine.`, PrimaryKey: customerKey,
			Columns: []model.Column{
				{Name: "id", Ordinal: 1, Type: "int", Identity: true},
				{Name: "mail", Ordinal: 2, Type: "email", Base: "varchar(254)", Nullable: true, Comment: "Größe"},
				{Name: "work", Ordinal: 3, Type: "work_email", Base: "varchar(254)"},
				{Name: "country", Ordinal: 4, Type: "char(2)", Nullable: true, Default: "'DE'::bpchar"},
				{Name: "first", Ordinal: 5, Type: "text", Nullable: true},
				{Name: "last", Ordinal: 6, Type: "text", Nullable: true},
				{Name: "name", Ordinal: 7, Type: "text", Nullable: true, Default: "first || last", Generated: true},
				{Name: "tags", Ordinal: 8, Type: "text[]", Default: "'{}'::text[]", Array: true},
				{Name: "kinds", Ordinal: 9, Type: "audit.kind[]", Nullable: true, Enum: []string{"b", "a"}, Array: true},
				{Name: "doc", Ordinal: 10, Type: "jsonb", Nullable: true},
				{Name: "seen", Ordinal: 11, Type: "timestamptz(3)", Nullable: true, Default: "now()"},
				{Name: "at_noon", Ordinal: 12, Type: "time(0)", Nullable: true},
				{Name: "referred_by", Ordinal: 13, Type: "int", Nullable: true},
			},
			Uniques:     []model.Key{{Name: "customer_mail_key", Columns: []string{"mail"}}},
			ForeignKeys: []model.ForeignKey{referrer},
			Checks:      []model.Check{{Name: "at_work", Expr: "VALUE::text ~~ '%.example'::text", Columns: []string{"work"}}, hasAt("mail"), hasAt("work")},
			Indexes:     []model.Index{{Name: "customer_doc", Columns: []string{"doc"}, Type: "gin"}, btree("customer_mail_key", "mail"), customerIndex},
		},
		{
			Schema: "public", Name: "measure", Type: model.PartitionedTable,
			Columns: []model.Column{
				{Name: "at", Ordinal: 1, Type: "date"},
				{Name: "region", Ordinal: 2, Type: "text"},
				{Name: "customer", Ordinal: 3, Type: "int", Nullable: true},
				{Name: "v", Ordinal: 4, Type: "real", Nullable: true},
			},
			ForeignKeys: []model.ForeignKey{fk("measure_customer_fkey", "customer", "customer", "id")},
			Indexes:     []model.Index{{Name: "measure_v", Columns: []string{"v"}, Type: "btree"}},
			Partition:   &model.Partition{Key: []string{"at", "(lower(region))"}, Count: 4, Tables: []model.TableName{{Schema: "audit", Name: "measure_2"}, {Schema: "public", Name: "measure_1"}, {Schema: "public", Name: "measure_2_eu"}, {Schema: "public", Name: "measure_2_us"}}},
		},
		{
			Schema: "public", Name: "monthly", Type: model.MaterializedView,
			Columns: []model.Column{{Name: "month", Ordinal: 1, Type: "timestamptz", Nullable: true}, {Name: "v", Ordinal: 2, Type: "real", Nullable: true}},
			Indexes: []model.Index{btree("monthly_key", "month")},
		},
		{Schema: "public", Name: "nothing", Type: model.BaseTable, Columns: []model.Column{}},
		{
			Schema: "public", Name: "open_order", Type: model.View, Comment: "not yet paid",
			Columns: []model.Column{{Name: "no", Ordinal: 1, Type: "bigint", Nullable: true}, {Name: "name", Ordinal: 2, Type: "text", Nullable: true}},
		},
		{
			Schema: "public", Name: "order", Type: model.BaseTable, PrimaryKey: orderKey,
			Columns: []model.Column{
				{Name: "shop", Ordinal: 1, Type: "smallint"},
				{Name: "no", Ordinal: 2, Type: "bigint", Default: "nextval('public.order_no_seq'::regclass)", Identity: true},
				{Name: "customer", Ordinal: 3, Type: "int"},
				{Name: "payer", Ordinal: 4, Type: "int", Nullable: true},
				{Name: "payer_mail", Ordinal: 5, Type: "email", Base: "varchar(254)", Nullable: true},
				{Name: "state", Ordinal: 6, Type: "status", Default: "'new'::public.status", Enum: []string{"new", "paid", "packed", "sent"}},
				{Name: "total", Ordinal: 7, Type: "numeric(10,2)", Nullable: true},
				{Name: "note", Ordinal: 8, Type: "varchar(200)", Nullable: true,
					Default: "'" + strings.Repeat("0123456789", 7) + "012345678…'::character varying"},
			},
			ForeignKeys: []model.ForeignKey{fk("order_customer_fkey", "customer", "customer", "id"), payer, payerMail},
			Checks: []model.Check{hasAt("payer_mail"), {Name: "order_total_check", Expr: "total >= 0::numeric", Columns: []string{"total"}},
				{Name: "positive", Expr: "shop > 0 AND no > 0", Columns: []string{"shop", "no"}}},
			Indexes: []model.Index{
				orderIndex,
				{Name: "order_brin", Columns: []string{"no"}, Type: "brin"},
				{Name: "order_hash", Columns: []string{"payer"}, Type: "hash"},
				{Name: "order_lower", Columns: []string{"(lower(note::text))", "(no + 1)", "state"}, Type: "btree"},
				btree("order_note", "note"),
				{Name: "order_open", Columns: []string{"customer"}, Type: "btree", Partial: true},
			},
		},
	}, Lineage: []model.Lineage{
		{FromSchema: "audit", FromTable: "log", ToSchema: "audit", ToTable: "busy", Type: "VIEW", Source: "catalog", Confidence: 1},
		{FromSchema: "public", FromTable: "open_order", ToSchema: "audit", ToTable: "busy", Type: "VIEW", Source: "catalog", Confidence: 1},
		{FromSchema: "audit", FromTable: "line", ToSchema: "audit", ToTable: "log", Type: "TRIGGER", Source: "trigger", Confidence: 0.7},
		{FromSchema: "public", FromTable: "order", ToSchema: "audit", ToTable: "log", Type: "TRIGGER", Source: "trigger", Confidence: 0.7},
		{FromSchema: "public", FromTable: "order", ToSchema: "public", ToTable: "customer", Type: "TRIGGER", Source: "trigger", Confidence: 0.7},
		{FromSchema: "public", FromTable: "order", ToSchema: "public", ToTable: "measure", Type: "TRIGGER", Source: "trigger", Confidence: 0.7},
		{FromSchema: "public", FromTable: "measure", ToSchema: "public", ToTable: "monthly", Type: "MATERIALIZED_VIEW", Source: "catalog", Confidence: 1},
		{FromSchema: "public", FromTable: "customer", ToSchema: "public", ToTable: "open_order", Type: "VIEW", Source: "catalog", Confidence: 1},
		{FromSchema: "public", FromTable: "order", ToSchema: "public", ToTable: "open_order", Type: "VIEW", Source: "catalog", Confidence: 1},
	}}
}

func TestIntrospect_Conformance(t *testing.T) {
	d, _ := load(t, conformanceSQL)
	got := introspect(t, d, connect.Options{})

	if got.Name != d.Database || !regexp.MustCompile(`^\d+\.\d+`).MatchString(got.Version) {
		t.Errorf("name %q, version %q", got.Name, got.Version)
	}
	if len(got.Warnings) > 0 {
		t.Errorf("warnings %q", got.Warnings)
	}
	// A definition prints differently on other versions of the server.
	for name, part := range map[string]string{"busy": "UNION", "open_order": `public."order" o`, "monthly": "date_trunc"} {
		schema := "public"
		if name == "busy" {
			schema = "audit"
		}
		v := connecttest.Table(t, got, schema, name)
		if !strings.Contains(v.Definition, part) || v.DefinitionHash != model.HashTokens(model.Tokens(v.Definition)) {
			t.Errorf("%s: definition %q, hash %s", name, v.Definition, v.DefinitionHash)
		}
	}
	for i := range got.Tables {
		table := &got.Tables[i]
		if counted := table.Usage != nil; counted == (table.Type == model.View || table.Type == model.ForeignTable) {
			t.Errorf("%s: usage counters %v", table.Name, table.Usage)
		}
		if sized := table.Bytes != nil; sized == (table.Type == model.View || table.Type == model.ForeignTable) {
			t.Errorf("%s: bytes %v", table.Name, table.Bytes)
		}
		table.Usage, table.Bytes, table.Definition, table.DefinitionHash = nil, nil, "", ""
	}
	want := conformance()
	want.Name, want.Version = got.Name, got.Version
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestIntrospect_SameBytesEachTime(t *testing.T) {
	d, _ := load(t, conformanceSQL)
	var first []byte
	for range 3 {
		got, err := json.Marshal(introspect(t, d, connect.Options{Grants: true}))
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = got
		} else if string(got) != string(first) {
			t.Fatalf("not the same:\n%s\n%s", first, got)
		}
	}
}

// However much is asked for, an introspection is one read-only transaction of at
// most fifteen statements, which read the system catalog alone. (TestIntrospect_Sample
// is about the mode that reads more.)
func TestIntrospect_Statements(t *testing.T) {
	d, _ := load(t, conformanceSQL)
	system := wiretest.Catalog(t, d)
	c, recorded := connectTo(t, d)
	for _, o := range []connect.Options{
		{}, {Grants: true, SampleValues: true, IncludePartitions: true, IncludeExtensions: true}, {Stats: connect.StatsNone}, {Stats: connect.StatsNone, RowCounts: true},
	} {
		if _, err := c.Introspect(context.Background(), o); err != nil {
			t.Fatal(err)
		}
		statements := recorded.Take()
		if len(statements) > connect.MaxCatalogQueries {
			t.Errorf("%+v: %d statements", o, len(statements))
		}
		if statements[0].SQL != beginSQL || statements[len(statements)-1].SQL != commitSQL || !strings.Contains(statements[2].SQL, "set_config('search_path', 'pg_catalog', true)") {
			t.Errorf("%+v: statements %q", o, statements)
		}
		wiretest.CatalogOnly(t, sqltree.Postgres, statements[:2], nil) // before the search path is set none is read
		wiretest.CatalogOnly(t, sqltree.Postgres, statements, system)
	}
	if err := c.Ping(context.Background()); err != nil {
		t.Error(err)
	}
	if got := recorded.Take(); len(got) != 1 || got[0].SQL != "SELECT 1" {
		t.Errorf("Ping sent %q", got)
	}
}

func TestOpen_ReadOnlySession(t *testing.T) {
	d, _ := load(t)
	c, recorded := connectTo(t, d)
	ctx := context.Background()
	for setting, want := range map[string]string{"default_transaction_read_only": "on", "statement_timeout": "30s", "application_name": "pretensor", "client_encoding": "UTF8"} {
		var got string
		if err := c.pg.QueryRow(ctx, "SELECT current_setting($1)", setting).Scan(&got); err != nil || got != want {
			t.Errorf("%s = %q, %v, want %q", setting, got, err, want)
		}
	}
	if s := recorded.Sessions(); len(s) != 1 || s[0]["application_name"] != "pretensor" || s[0]["default_transaction_read_only"] != "on" {
		t.Errorf("the session began with %v", s)
	}
	if _, err := c.pg.Exec(ctx, "CREATE TABLE t ()"); err == nil || !strings.Contains(err.Error(), "25006") {
		t.Errorf("CREATE TABLE: %v, want a refusal", err)
	}
}

func TestIntrospect_Options(t *testing.T) {
	d, _ := load(t, conformanceSQL)
	names := func(o connect.Options) string {
		db := introspect(t, d, o)
		var out []string
		for _, table := range db.Tables {
			out = append(out, table.Name)
		}
		return strings.Join(append(out, db.Warnings...), ",")
	}
	for _, tt := range []struct {
		o    connect.Options
		want string
	}{
		{connect.Options{Schemas: []string{"audit"}}, "busy,line,log,raw"},
		{connect.Options{Schemas: []string{"public", "audit"}, ExcludeSchemas: []string{"public"}}, "busy,line,log,raw"},
		{connect.Options{ExcludeSchemas: []string{"audit", "Ops.EU"}}, "customer,measure,monthly,nothing,open_order,order"},
		{connect.Options{Schemas: []string{"none", "pg_catalog"}},
			`schema "none" does not exist or has no tables,schema "pg_catalog" does not exist or has no tables`},
		{connect.Options{Schemas: []string{"public"}, IncludeExtensions: true}, "customer,measure,monthly,nothing,open_order,order,pg_buffercache"},
		{connect.Options{Schemas: []string{"audit"}, IncludePartitions: true}, "busy,line,log,measure_2,raw"},
		{connect.Options{Schemas: []string{"public"}, IncludePartitions: true},
			"customer,measure,measure_1,measure_2_eu,measure_2_us,monthly,nothing,open_order,order"},
	} {
		if got := names(tt.o); got != tt.want {
			t.Errorf("%+v: %s, want %s", tt.o, got, tt.want)
		}
	}
	// A key's target is named although it is of a schema that is left out.
	line := connecttest.Table(t, introspect(t, d, connect.Options{Schemas: []string{"audit"}}), "audit", "line")
	if k := line.ForeignKeys[0]; k.RefSchema != "public" || k.RefTable != "order" || strings.Join(k.RefColumns, ",") != "shop,no" {
		t.Errorf("key %+v", k)
	}
	db := introspect(t, d, connect.Options{IncludePartitions: true})
	if m := connecttest.Table(t, db, "audit", "measure_2"); m.Partition == nil || m.Partition.Count != 2 || strings.Join(m.Partition.Key, ",") != "region" || len(m.ForeignKeys) != 0 {
		t.Errorf("measure_2: %+v, keys %+v, want none that repeat the parent's", m.Partition, m.ForeignKeys)
	}
	want := model.Lineage{FromSchema: "public", FromTable: "measure_1", ToSchema: "public", ToTable: "monthly", Type: "MATERIALIZED_VIEW", Source: "catalog", Confidence: 1}
	found := false
	for _, l := range db.Lineage {
		found = found || l == want
	}
	if !found {
		t.Errorf("lineage %+v lacks %+v", db.Lineage, want)
	}
}
