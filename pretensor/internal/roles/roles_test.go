package roles

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// gold are tables as "role name column column>table …"; * marks the primary key. A
// column's type is told by its name's end: _at and _date are timestamps, _id, id and
// _sk integers, _amount, total… and _count numeric, all others text.
const gold = `
system schema_migrations version*
system alembic_version version_num*
system django_migrations id* app name applied_at
staging stg_orders id* order_no payload
staging raw_events payload received_at
staging tmp_staging_v2 a b c
audit orders_audit id* order_id>orders changed_at changed_by
audit audit_log id* tenant_id>accounts user_id>users event_id>events subscription_id>subscriptions created_at
junction film_actor actor_id*>actor film_id*>film last_update_at
junction product_categories product_id*>products category_id*>categories
junction user_roles user_id>users role_id>roles
dimension dim_customer customer_sk* name city segment
dimension dim_date date_sk* calendar_date year month
dimension dim_product product_sk* name brand
fact fact_sales sale_id* date_sk>dim_date product_sk>dim_product customer_sk>dim_customer amount_count net_amount
fact order_items id* order_id>orders product_id>products warehouse_id>warehouses quantity_count unit_amount
fact fct_visits visit_id* date_sk>dim_date customer_sk>dim_customer seconds_count
aggregate agg_daily day_date total_amount order_count
aggregate daily_revenue day_date total_amount orders_count
snapshot_scd customer_snapshot customer_id>customers valid_from_date valid_to_date name
snapshot_scd price_scd product_id>products valid_from_date valid_to_date unit_amount
bridge bridge_x group_id*>groups member_id weight_count note other more
dimension categories id* name
dimension products id* category_id>categories name unit_amount
dimension customers id* name email
dimension roles id* name
entity_candidate groups id* name owner_id parent_id a b c d
`

func read(tb testing.TB) (tables []model.Table, want []Role, degrees []Degrees) {
	tb.Helper()
	at := map[string]int{}
	lines := strings.Split(strings.TrimSpace(gold), "\n")
	for i, line := range lines {
		at[strings.Fields(line)[1]] = i
	}
	n := len(lines)
	var edges []Edge
	for i, line := range lines {
		f := strings.Fields(line)
		t := model.Table{Schema: "public", Name: f[1], Type: model.BaseTable}
		for _, c := range f[2:] {
			name, ref, refers := strings.Cut(c, ">")
			key := strings.HasSuffix(name, "*")
			name = strings.TrimSuffix(name, "*")
			typ := "text"
			switch {
			case strings.HasSuffix(name, "_at"), strings.HasSuffix(name, "_date"):
				typ = "timestamptz"
			case name == "id", strings.HasSuffix(name, "_id"), strings.HasSuffix(name, "_sk"):
				typ = "bigint"
			case strings.HasSuffix(name, "_amount"), strings.HasSuffix(name, "_count"):
				typ = "numeric"
			}
			t.Columns = append(t.Columns, model.Column{Name: name, Type: typ, Ordinal: len(t.Columns) + 1})
			if key {
				if t.PrimaryKey == nil {
					t.PrimaryKey = &model.Key{}
				}
				t.PrimaryKey.Columns = append(t.PrimaryKey.Columns, name)
			}
			if refers {
				t.ForeignKeys = append(t.ForeignKeys, model.ForeignKey{Columns: []string{name}, RefSchema: "public", RefTable: ref, RefColumns: []string{"id"}})
				to, ok := at[ref]
				if !ok { // a table that the list leaves out
					to, at[ref] = n, n
					n++
				}
				edges = append(edges, Edge{From: i, To: to})
			}
		}
		tables, want = append(tables, t), append(want, Role(f[0]))
	}
	return tables, want, Count(n, edges)
}

func TestClassify_Gold(t *testing.T) {
	tables, want, degrees := read(t)
	hit, said, is := map[Role]float64{}, map[Role]float64{}, map[Role]float64{}
	for i := range tables {
		r := Classify("postgresql", &tables[i], degrees[i], nil)
		said[r.Role]++
		is[want[i]]++
		if r.Role == want[i] {
			hit[r.Role]++
		} else {
			t.Logf("%s is %s (%v), want %s", tables[i].Name, r.Role, r.Signals, want[i])
		}
		if r.Confidence <= 0 || r.Confidence > 1 || len(r.Signals) == 0 || len(r.Signals) > maxSignals {
			t.Errorf("%s: %+v", tables[i].Name, r)
		}
	}
	f1 := 0.0
	for role, n := range is {
		f1 += 2 * hit[role] / (n + said[role])
	}
	f1 /= float64(len(is))
	t.Logf("macro-F1 %.2f over %d tables", f1, len(tables))
	if f1 < 0.80 {
		t.Errorf("macro-F1 %.2f, want at least 0.80", f1)
	}
}

func TestClassify_Pinned(t *testing.T) {
	tables, _, degrees := read(t)
	want := map[string]Role{
		"schema_migrations": System, "stg_orders": Staging, "orders_audit": Audit, "film_actor": Junction, "dim_customer": Dimension,
		"fact_sales": Fact, "agg_daily": Aggregate, "customer_snapshot": Snapshot, "bridge_x": Bridge,
	}
	got := map[string]Role{}
	for i := range tables {
		if _, ok := want[tables[i].Name]; ok {
			got[tables[i].Name] = Classify("postgresql", &tables[i], degrees[i], nil).Role
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("roles (-want +got):\n%s", diff)
	}
}

func TestClassify_Unknown(t *testing.T) {
	r := Classify("postgresql", &model.Table{Name: "x", Columns: []model.Column{{Name: "a", Type: "text"}}}, Degrees{}, nil)
	if diff := cmp.Diff(Result{Role: Unknown, Confidence: 0.25, Signals: []string{}}, r); diff != "" {
		t.Errorf("a table that says nothing (-want +got):\n%s", diff)
	}
}

func TestClassify_UseAndSimilarity(t *testing.T) {
	rows := int64(1_000_000)
	table := model.Table{Name: "thing", Columns: []model.Column{{Name: "id", Type: "bigint"}, {Name: "a_id", Type: "bigint"}, {Name: "b_id", Type: "bigint"}}}
	before := Classify("postgresql", &table, Degrees{Out: 2}, nil)
	if before.Role != Entity {
		t.Fatalf("role %s, want %s", before.Role, Entity)
	}
	table.Rows, table.Usage = &rows, &model.Usage{SeqScans: 10, IdxScans: 1000, Inserts: 50_000}
	after := Classify("postgresql", &table, Degrees{Out: 2}, nil)
	want := Result{Role: Fact, Confidence: after.Confidence, Signals: []string{"written often", "refers to 2 tables", "many rows"}}
	if diff := cmp.Diff(want, after); diff != "" {
		t.Errorf("with counters (-want +got):\n%s", diff)
	}
	like := Classify("postgresql", &table, Degrees{Out: 2}, func(r Role) float64 {
		if r == Staging {
			return 2
		}
		return 0
	})
	if like.Role != Staging {
		t.Errorf("role %s, want what it is similar to", like.Role)
	}
}

func TestCount(t *testing.T) {
	got := Count(4, []Edge{
		{From: 0, To: 1}, {From: 0, To: 1}, {From: 0, To: 0}, // two keys to one table, and itself
		{From: 2, To: 1, Inferred: true, Confidence: 0.8}, {From: 3, To: 1, Inferred: true, Confidence: 0.79},
		{From: 0, To: 1, Inferred: true, Confidence: 0.9},
	})
	want := []Degrees{{Out: 1}, {In: 1.5}, {Out: 0.5}, {}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("degrees (-want +got):\n%s", diff)
	}
}
