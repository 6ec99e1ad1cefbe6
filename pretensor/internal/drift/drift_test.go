package drift

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"pgregory.net/rapid"
)

func num[T any](v T) *T { return &v }

// shop is a small database; each call makes a new one.
func shop() *model.Database {
	return &model.Database{Name: "shop", Dialect: "postgresql", DefaultSchema: "public",
		Tables: []model.Table{
			{Schema: "public", Name: "customers", Type: model.BaseTable, Rows: num[int64](10),
				Columns: []model.Column{{Name: "id", Ordinal: 1, Type: "integer", Identity: true}, {Name: "email", Ordinal: 2, Type: "varchar(50)", Nullable: true},
					{Name: "legacy_id", Ordinal: 3, Type: "integer", Nullable: true}, {Name: "state", Ordinal: 4, Type: "state", Nullable: true, Enum: []string{"new", "old"}}},
				PrimaryKey: &model.Key{Name: "customers_pk", Columns: []string{"id"}}, Uniques: []model.Key{{Name: "customers_email", Columns: []string{"email"}}},
				Indexes: []model.Index{{Name: "customers_pk", Columns: []string{"id"}, Unique: true, Primary: true, Type: "btree"}, {Name: "customers_email", Columns: []string{"email"}, Unique: true, Type: "btree"},
					{Name: "by_state", Columns: []string{"state"}, Type: "btree"}, {Name: "legacy", Columns: []string{"legacy_id"}, Unique: true, Type: "btree"}}},
			{Schema: "public", Name: "orders", Type: model.BaseTable, Rows: num[int64](10_000),
				Columns: []model.Column{{Name: "id", Ordinal: 1, Type: "bigint"}, {Name: "customer_id", Ordinal: 2, Type: "integer"}, {Name: "total", Ordinal: 3, Type: "numeric(10,2)", Nullable: true, Default: "0", Comment: "in euros",
					Stats: &model.Stats{Distinct: num[int64](5)}}},
				PrimaryKey:  &model.Key{Columns: []string{"id"}},
				ForeignKeys: []model.ForeignKey{{Name: "orders_customer", Columns: []string{"customer_id"}, RefSchema: "public", RefTable: "customers", RefColumns: []string{"id"}}},
				Checks:      []model.Check{{Name: "positive", Expr: "total >= 0", Columns: []string{"total"}}}},
			{Schema: "public", Name: "v", Type: model.View, DefinitionHash: "1", Columns: []model.Column{{Name: "id", Ordinal: 1, Type: "bigint", Nullable: true}}},
		},
		Lineage: []model.Lineage{{FromSchema: "public", FromTable: "orders", ToSchema: "public", ToTable: "v", Type: model.LineageView}},
	}
}

const customers, orders, view = 0, 1, 2

// col finds a column of the shop.
func col(d *model.Database, table int, name string) *model.Column {
	return d.Tables[table].Column(name)
}

func TestCompare_EachChange(t *testing.T) {
	drop := func(d *model.Database, table int, name string) {
		d.Tables[table].Columns = slices.DeleteFunc(d.Tables[table].Columns, func(c model.Column) bool { return c.Name == name })
	}
	put := func(d *model.Database, table int, c model.Column) {
		c.Ordinal = 20
		d.Tables[table].Columns = append(d.Tables[table].Columns, c)
	}
	for name, c := range map[string]struct {
		change func(*model.Database)
		want   []string // type target column|name severity: details
	}{
		"nothing": {func(*model.Database) {}, nil},
		"statistics and counters only": {func(d *model.Database) {
			d.Tables[customers].Rows, d.Tables[customers].Usage, d.Tables[customers].Bytes = num[int64](99_999), &model.Usage{SeqScans: 5}, num[int64](1)
			col(d, orders, "total").Stats = &model.Stats{Distinct: num[int64](9), Min: "1"}
			d.Version, d.Warnings, d.Roles = "16", []string{"x"}, []model.Role{{Name: "r"}}
			d.Tables[customers].Grants = []model.Grant{{Grantee: "x", Privilege: "SELECT"}}
		}, nil},
		"ordinals only": {func(d *model.Database) {
			col(d, customers, "id").Ordinal, col(d, customers, "email").Ordinal = 2, 1
		}, nil},
		"spelling of a type only": {func(d *model.Database) {
			col(d, customers, "id").Type, col(d, customers, "email").Type = "int4", "character varying(50)"
		}, nil},
		"names of constraints only": {func(d *model.Database) {
			d.Tables[customers].PrimaryKey.Name, d.Tables[customers].Uniques[0].Name, d.Tables[orders].ForeignKeys[0].Name, d.Tables[customers].Indexes[2].Name = "a", "b", "c", "d"
			d.Tables[orders].Checks[0].Name = "e"
		}, nil},

		"table added": {func(d *model.Database) {
			d.Tables = append(d.Tables, model.Table{Schema: "public", Name: "x", Type: model.BaseTable, Columns: []model.Column{{Name: "a"}}})
		},
			[]string{"added table x safe: table added (1 column)"}},
		"view added": {func(d *model.Database) {
			d.Tables = append(d.Tables, model.Table{Schema: "public", Name: "x", Type: model.MaterializedView})
		},
			[]string{"added view x safe: view added (0 columns)"}},
		"table removed": {func(d *model.Database) { d.Tables = d.Tables[1:]; d.Tables[0].ForeignKeys = nil },
			[]string{"removed table customers breaking: table dropped (4 columns)", "removed foreign_key orders_customer risky: foreign key dropped: (customer_id) to public.customers(id)"}},
		"view removed": {func(d *model.Database) { d.Tables = d.Tables[:2]; d.Lineage = nil }, []string{"removed view v breaking: view dropped (1 column)"}},
		"table renamed": {func(d *model.Database) {
			d.Tables[customers].Name, d.Tables[orders].ForeignKeys[0].RefTable = "clients", "clients"
		}, []string{"renamed table clients breaking: table renamed"}},
		"table became a view": {func(d *model.Database) { d.Tables[orders].Type = model.View }, []string{"modified view orders safe: table became view"}},
		"partitioning changed": {func(d *model.Database) { d.Tables[orders].Partition = &model.Partition{Key: []string{"id"}, Count: 2} },
			[]string{"modified table orders safe: partitioning changed"}},
		"view definition changed": {func(d *model.Database) { d.Tables[view].DefinitionHash = "2" }, []string{"modified view v risky: view definition changed"}},
		"view definition unknown": {func(d *model.Database) { d.Tables[view].DefinitionHash = "" }, nil},

		"column removed": {func(d *model.Database) { drop(d, orders, "total") }, []string{"removed column total breaking: column dropped (numeric(10,2))"}},
		"column added":   {func(d *model.Database) { put(d, orders, model.Column{Name: "note", Type: "text", Nullable: true}) }, []string{"added column note safe: column added (text)"}},
		"column added not null with default": {func(d *model.Database) { put(d, orders, model.Column{Name: "note", Type: "text", Default: "'x'"}) },
			[]string{"added column note risky: column added (text, not null, with a default)"}},
		"column added not null without default": {func(d *model.Database) { put(d, orders, model.Column{Name: "note", Type: "text"}) },
			[]string{"added column note breaking: column added (text, not null, without a default)"}},
		"column added generated":     {func(d *model.Database) { put(d, orders, model.Column{Name: "twice", Type: "int", Generated: true}) }, []string{"added column twice safe: column added (int)"}},
		"column added to a view":     {func(d *model.Database) { put(d, view, model.Column{Name: "note", Type: "text"}) }, []string{"added column note safe: column added (text)"}},
		"field of a structure added": {func(d *model.Database) { put(d, orders, model.Column{Name: "a", Parent: "doc", Type: "text"}) }, []string{"added column doc.a safe: column added (text)"}},
		"column renamed too far": {func(d *model.Database) {
			col(d, orders, "total").Name = "total_amt"
			d.Tables[orders].Checks[0] = model.Check{Name: "positive", Expr: "total_amt >= 0"}
		},
			[]string{"removed column total breaking: column dropped (numeric(10,2))", "added column total_amt safe: column added (numeric(10,2))", "modified constraint positive safe: check changed"}},
		"column renamed with its check": {func(d *model.Database) {
			col(d, orders, "total").Name = "totals"
			d.Tables[orders].Checks[0] = model.Check{Name: "positive", Expr: "totals >= 0", Columns: []string{"totals"}}
		}, []string{"renamed column totals breaking: column renamed (numeric(10,2))"}},
		"renamed and referenced anew": {func(d *model.Database) {
			col(d, customers, "legacy_id").Name = "legacyid"
			d.Tables[customers].Indexes[3].Columns = []string{"legacyid"}
			d.Tables[orders].ForeignKeys[0].RefColumns = []string{"legacyid"}
		}, []string{"renamed column legacyid breaking: column renamed (integer)", "modified foreign_key orders_customer risky: foreign key changed"}},
		"column renamed slightly": {func(d *model.Database) {
			col(d, orders, "customer_id").Name = "customerid"
			d.Tables[orders].ForeignKeys[0].Columns = []string{"customerid"}
			col(d, customers, "legacy_id").Name = "legacyid"
			d.Tables[customers].Indexes[3].Columns = []string{"legacyid"}
		}, []string{"renamed column legacyid breaking: column renamed (integer)", "renamed column customerid breaking: column renamed (integer)"}},
		"key column renamed with what refers to it": {func(d *model.Database) {
			col(d, customers, "email").Name = "emails"
			d.Tables[customers].Uniques[0].Columns, d.Tables[customers].Indexes[1].Columns = []string{"emails"}, []string{"emails"}
		}, []string{"renamed column emails breaking: column renamed (varchar(50))"}},
		"renamed, but of another type": {func(d *model.Database) {
			c := col(d, customers, "legacy_id")
			c.Name, c.Type = "legacyid", "text"
			d.Tables[customers].Indexes[3].Columns = []string{"legacyid"}
		},
			[]string{"removed column legacy_id breaking: column dropped (integer)", "modified index legacy breaking: index changed, the columns are no longer unique", "added column legacyid safe: column added (text)"}},
		"renamed, but far away": {func(d *model.Database) {
			c := col(d, orders, "customer_id")
			c.Name, c.Ordinal, c.Nullable = "customerid", 9, true
			d.Tables[orders].ForeignKeys = nil
		},
			[]string{"removed column customer_id breaking: column dropped (integer)", "removed foreign_key orders_customer risky: foreign key dropped: (customer_id) to public.customers(id)", "added column customerid safe: column added (integer)"}},

		"type of another family": {func(d *model.Database) { col(d, orders, "customer_id").Type = "text" }, []string{"modified column customer_id breaking: type changed to another kind: integer to text"}},
		"type narrower":          {func(d *model.Database) { col(d, customers, "email").Type = "varchar(20)" }, []string{"modified column email breaking: type narrowed: varchar(50) to varchar(20)"}},
		"type wider":             {func(d *model.Database) { col(d, customers, "email").Type = "text" }, []string{"modified column email risky: type widened: varchar(50) to text"}},
		"domain over the type":   {func(d *model.Database) { c := col(d, customers, "email"); c.Base, c.Type = c.Type, "mail" }, []string{"modified column email safe: type changed: varchar(50) to mail"}},
		"enum instead of text":   {func(d *model.Database) { c := col(d, customers, "email"); c.Type, c.Enum = "state", []string{"new"} }, []string{"modified column email breaking: type narrowed: varchar(50) to state"}},
		"text instead of enum":   {func(d *model.Database) { c := col(d, customers, "state"); c.Type, c.Enum = "text", nil }, []string{"modified column state risky: type widened: state to text"}},
		"larger enum": {func(d *model.Database) {
			c := col(d, customers, "state")
			c.Type, c.Enum = "state2", []string{"new", "x", "old"}
		}, []string{"modified column state risky: type widened: state to state2"}},
		"array of the type":      {func(d *model.Database) { c := col(d, customers, "legacy_id"); c.Type, c.Array = "integer[]", true }, []string{"modified column legacy_id breaking: type changed to another kind: integer to integer[]"}},
		"enum label removed":     {func(d *model.Database) { col(d, customers, "state").Enum = []string{"new", "x"} }, []string{"modified column state breaking: enum label removed: old"}},
		"enum label added":       {func(d *model.Database) { col(d, customers, "state").Enum = []string{"new", "mid", "old"} }, []string{"modified column state safe: enum label added: mid"}},
		"enum labels reordered":  {func(d *model.Database) { col(d, customers, "state").Enum = []string{"old", "new"} }, []string{"modified column state safe: order of the enum labels changed"}},
		"not null, no default":   {func(d *model.Database) { col(d, customers, "email").Nullable = false }, []string{"modified column email breaking: column became not null without a default"}},
		"not null, with default": {func(d *model.Database) { col(d, orders, "total").Nullable = false }, []string{"modified column total risky: column became not null with a default"}},
		"nullable":               {func(d *model.Database) { col(d, orders, "customer_id").Nullable = true }, []string{"modified column customer_id safe: column became nullable"}},
		"default changed":        {func(d *model.Database) { col(d, orders, "total").Default = "1" }, []string{"modified column total safe: default changed"}},
		"generated":              {func(d *model.Database) { col(d, customers, "legacy_id").Generated = true }, []string{"modified column legacy_id safe: column is now generated, was ordinary"}},
		"identity gone":          {func(d *model.Database) { col(d, customers, "id").Identity = false }, []string{"modified column id safe: column is now ordinary, was identity"}},
		"comment changed":        {func(d *model.Database) { col(d, orders, "total").Comment = "in cents" }, []string{"modified comment total safe: comment of the column changed"}},
		"comment removed":        {func(d *model.Database) { col(d, orders, "total").Comment = "" }, []string{"removed comment total safe: comment of the column removed"}},
		"comment on a table":     {func(d *model.Database) { d.Tables[orders].Comment = "x" }, []string{"added comment orders safe: comment of the table added"}},
		"primary key dropped":    {func(d *model.Database) { d.Tables[orders].PrimaryKey = nil }, []string{"removed constraint orders breaking: primary key dropped: (id)"}},
		"primary key added":      {func(d *model.Database) { d.Tables[view].PrimaryKey = &model.Key{Name: "k", Columns: []string{"id"}} }, []string{"added constraint k safe: primary key added: (id)"}},
		"primary key changed":    {func(d *model.Database) { d.Tables[orders].PrimaryKey.Columns = []string{"id", "customer_id"} }, []string{"modified constraint orders breaking: primary key changed"}},
		"unique key dropped": {func(d *model.Database) {
			d.Tables[customers].Uniques = nil
			d.Tables[customers].Indexes = slices.Delete(d.Tables[customers].Indexes, 1, 2)
		}, []string{"removed constraint customers_email breaking: unique key dropped: (email)"}},
		"unique key is an index": {func(d *model.Database) { d.Tables[customers].Uniques = nil }, []string{"removed constraint customers_email safe: unique key dropped: (email)", "added index customers_email safe: index added: unique btree (email)"}},
		"unique key added": {func(d *model.Database) {
			d.Tables[orders].Uniques = []model.Key{{Name: "u", Columns: []string{"total"}}}
		}, []string{"added constraint u safe: unique key added: (total)"}},
		"unique key changed": {func(d *model.Database) {
			d.Tables[customers].Uniques[0].Columns = []string{"email", "state"}
			d.Tables[customers].Indexes[1].Columns = []string{"email", "state"}
		}, []string{"modified constraint customers_email breaking: unique key changed"}},
		"foreign key added": {func(d *model.Database) {
			d.Tables[orders].ForeignKeys = append(d.Tables[orders].ForeignKeys, model.ForeignKey{Name: "self", Columns: []string{"id"}, RefSchema: "public", RefTable: "orders", RefColumns: []string{"id"}})
		}, []string{"added foreign_key self safe: foreign key added: (id) to public.orders(id)"}},
		"foreign key dropped":    {func(d *model.Database) { d.Tables[orders].ForeignKeys = nil }, []string{"removed foreign_key orders_customer risky: foreign key dropped: (customer_id) to public.customers(id)"}},
		"foreign key redirected": {func(d *model.Database) { d.Tables[orders].ForeignKeys[0].RefColumns = []string{"legacy_id"} }, []string{"modified foreign_key orders_customer risky: foreign key changed"}},
		"foreign key's rule":     {func(d *model.Database) { d.Tables[orders].ForeignKeys[0].OnDelete = "CASCADE" }, []string{"modified foreign_key orders_customer safe: foreign key's rules changed"}},
		"check added":            {func(d *model.Database) { d.Tables[customers].Checks = []model.Check{{Expr: "id > 0"}} }, []string{"added constraint customers safe: check added: id > 0"}},
		"check removed":          {func(d *model.Database) { d.Tables[orders].Checks = nil }, []string{"removed constraint positive safe: check dropped: total >= 0"}},
		"check changed":          {func(d *model.Database) { d.Tables[orders].Checks[0].Expr = "total > 0" }, []string{"modified constraint positive safe: check changed"}},
		"index dropped": {func(d *model.Database) {
			d.Tables[customers].Indexes = slices.Delete(d.Tables[customers].Indexes, 2, 3)
		}, []string{"removed index by_state safe: index dropped: btree (state)"}},
		"index added": {func(d *model.Database) {
			d.Tables[orders].Indexes = []model.Index{{Name: "x", Columns: []string{"total"}, Type: "gin"}}
		}, []string{"added index x safe: index added: gin (total)"}},
		"index of another type":   {func(d *model.Database) { d.Tables[customers].Indexes[2].Type = "hash" }, []string{"modified index by_state safe: index changed"}},
		"unique index dropped":    {func(d *model.Database) { d.Tables[customers].Indexes = d.Tables[customers].Indexes[:3] }, []string{"removed index legacy breaking: index dropped: unique btree (legacy_id), the columns are no longer unique"}},
		"unique index is partial": {func(d *model.Database) { d.Tables[customers].Indexes[3].Partial = true }, []string{"modified index legacy breaking: index changed, the columns are no longer unique"}},
		"lineage added": {func(d *model.Database) {
			d.Lineage = append(d.Lineage, model.Lineage{FromSchema: "public", FromTable: "customers", ToSchema: "public", ToTable: "v", Type: model.LineageView})
		}, []string{"added lineage VIEW safe: view from public.customers added"}},
		"lineage removed": {func(d *model.Database) { d.Lineage = nil }, []string{"removed lineage VIEW safe: view from public.orders removed"}},
	} {
		after := shop()
		c.change(after)
		var got []string
		for _, ch := range Compare(shop(), after) {
			what := ch.Table
			if ch.Name != "" {
				what = ch.Name
			}
			if ch.Column != "" {
				what = ch.Column
			}
			got = append(got, fmt.Sprintf("%s %s %s %s: %s", ch.Type, ch.Target, what, ch.Severity, ch.Details))
			if ch.Breaking != (ch.Severity == Breaking) {
				t.Errorf("%s: breaking is %t", name, ch.Breaking)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestCompare_RenamedTables(t *testing.T) {
	table := func(schema, name string, columns ...string) model.Table {
		tab := model.Table{Schema: schema, Name: name, Type: model.BaseTable}
		for i, c := range columns {
			tab.Columns = append(tab.Columns, model.Column{Name: c, Ordinal: i + 1, Type: "int", Nullable: true})
		}
		return tab
	}
	five := []string{"a", "b", "c", "d", "e"}
	for name, c := range map[string]struct {
		before, after []model.Table
		want          []string
	}{
		"four of five columns":      {[]model.Table{table("s", "x", five...)}, []model.Table{table("s", "y", "a", "b", "c", "d")}, []string{"breaking: s.y.e: column dropped (int)", "breaking: s.y: table renamed, was s.x"}},
		"three of five columns":     {[]model.Table{table("s", "x", five...)}, []model.Table{table("s", "y", "a", "b", "c")}, []string{"breaking: s.x: table dropped (5 columns)", "safe: s.y: table added (3 columns)"}},
		"two columns":               {[]model.Table{table("s", "x", "a", "b")}, []model.Table{table("s", "y", "a", "b")}, []string{"breaking: s.x: table dropped (2 columns)", "safe: s.y: table added (2 columns)"}},
		"moved to another schema":   {[]model.Table{table("s", "x", five...), table("s", "y", five...)}, []model.Table{table("u", "x", five...), table("u", "y", five...)}, []string{"breaking: u.x: table renamed, was s.x", "breaking: u.y: table renamed, was s.y"}},
		"the more alike is the one": {[]model.Table{table("s", "x", five...)}, []model.Table{table("s", "a", "a", "b", "c", "d"), table("s", "b", five...)}, []string{"breaking: s.b: table renamed, was s.x", "safe: s.a: table added (4 columns)"}},
		"the same schema first":     {[]model.Table{table("s", "x", five...)}, []model.Table{table("a", "y", five...), table("s", "y", five...)}, []string{"breaking: s.y: table renamed, was s.x", "safe: a.y: table added (5 columns)"}},
	} {
		got := []string{}
		for _, ch := range Compare(&model.Database{Dialect: "postgresql", Tables: c.before}, &model.Database{Dialect: "postgresql", Tables: c.after}) {
			got = append(got, ch.String())
		}
		slices.Sort(got)
		slices.Sort(c.want)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestCompare_JSON(t *testing.T) {
	after := shop()
	after.Tables[customers].Columns = slices.Delete(after.Tables[customers].Columns, 2, 3)
	after.Tables[customers].Indexes = after.Tables[customers].Indexes[:3]
	got, err := json.Marshal(Compare(shop(), after)[0])
	if err != nil {
		t.Fatal(err)
	}
	want := `{"type":"removed","target":"column","schema":"public","table":"customers","column":"legacy_id","details":"column dropped (integer)","breaking":true,"severity":"breaking"}`
	if string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, _ := json.Marshal(Compare(shop(), shop())); string(got) != "[]" {
		t.Errorf("no changes are %s, want []", got)
	}
}

func TestSummary(t *testing.T) {
	ch := func(n int, what, target, severity string) []Change {
		return slices.Repeat([]Change{{Type: what, Target: target, Severity: severity}}, n)
	}
	for _, c := range []struct {
		changes []Change
		stale   int
		want    string
	}{
		{nil, 0, "No structural changes."},
		{ch(1, Removed, Column, Breaking), 3, "1 breaking change: 1 column removed; 3 stored join paths need a refresh."},
		{ch(1, Added, Index, Safe), 1, "1 safe change: 1 index added; 1 stored join path needs a refresh."},
		{slices.Concat(ch(2, Added, Index, Safe), ch(2, Removed, ForeignKey, Risky), ch(1, Renamed, Table, Breaking), ch(2, Modified, Column, Breaking), ch(1, Added, LineageOf, Safe)), 0,
			"3 breaking changes: 1 table renamed, 2 columns modified; 2 risky changes: 2 foreign keys removed; 3 safe changes: 2 indexes added, 1 lineage edge added."},
	} {
		if got := Summary(c.changes, c.stale); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestRecommendation(t *testing.T) {
	column := func(table string) Change { return Change{Target: Column, Table: table} }
	for name, c := range map[string]struct {
		changes       []Change
		tables, stale int
		connection    string
		want          string
	}{
		"nothing":            {nil, 100, 0, "shop", "Nothing to do."},
		"little":             {[]Change{column("a"), column("a"), column("b")}, 21, 0, "shop", "Run: pretensor reindex --database shop"},
		"a tenth":            {[]Change{column("a"), column("b")}, 20, 0, "shop", "Run: pretensor reindex --database shop --recompute-intelligence"},
		"comments only":      {[]Change{{Target: Comment, Table: "a"}}, 1, 0, "shop", "Run: pretensor reindex --database shop"},
		"a foreign key":      {[]Change{{Target: ForeignKey}}, 100, 0, "shop", "Run: pretensor reindex --database shop --recompute-intelligence"},
		"a primary key":      {[]Change{{Target: Constraint, Details: "primary key dropped: (id)"}}, 100, 0, "shop", "Run: pretensor reindex --database shop --recompute-intelligence"},
		"a check":            {[]Change{{Target: Constraint, Details: "check added: a > 0"}}, 100, 0, "shop", "Run: pretensor reindex --database shop"},
		"paths are stale":    {[]Change{column("a")}, 100, 3, "shop", "Run: pretensor reindex --database shop --recompute-intelligence"},
		"a name with blanks": {[]Change{column("a")}, 100, 0, "it's mine", `Run: pretensor reindex --database 'it'\''s mine'`},
	} {
		if got := Recommendation(c.changes, c.tables, c.stale, c.connection); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
	if got := RecommendIndex("eu/shop"); got != "Run: pretensor index eu/shop" {
		t.Errorf("got %s", got)
	}
}

func TestRowDrifts(t *testing.T) {
	with := func(rows ...int64) *model.Database {
		d := &model.Database{}
		for i, n := range rows {
			tab := model.Table{Name: string(rune('a' + i))}
			if n != -2 {
				tab.Rows = num(n)
			}
			d.Tables = append(d.Tables, tab)
		}
		return d
	}
	got := RowDrifts(with(5000, 5000, 10_000, 20_000, 10_000, -1, -2, 30_000, 0), with(10_000, 9_999, 5_000, 10_001, 0, 50_000, 50_000, -2, 10_000))
	want := []RowDrift{{"", "a", 5000, 10_000}, {"", "c", 10_000, 5_000}, {"", "e", 10_000, 0}, {"", "i", 0, 10_000}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := RowDrifts(with(), with()); got == nil {
		t.Error("no drift is nil, want an empty list")
	}
}

// anyDatabase draws a small database with names that often coincide.
func anyDatabase(t *rapid.T, label string) *model.Database {
	word := rapid.SampledFrom([]string{"a", "b", "order_id", "orderid", "total", "totals"})
	kind := rapid.SampledFrom([]string{"int", "bigint", "text", "varchar(3)", "mood"})
	d := &model.Database{Dialect: "postgresql"}
	for _, name := range rapid.SliceOfNDistinct(word, 0, 4, rapid.ID).Draw(t, label) {
		tab := model.Table{Schema: "s", Name: name, Type: rapid.SampledFrom([]string{model.BaseTable, model.View}).Draw(t, "type"), Comment: rapid.SampledFrom([]string{"", "c"}).Draw(t, "comment")}
		for i, c := range rapid.SliceOfNDistinct(word, 1, 5, rapid.ID).Draw(t, "columns") {
			tab.Columns = append(tab.Columns, model.Column{Name: c, Ordinal: i + 1, Type: kind.Draw(t, "kind"), Nullable: rapid.Bool().Draw(t, "nullable")})
		}
		keys := rapid.SliceOfN(word, 1, 2)
		if rapid.Bool().Draw(t, "keys") {
			tab.PrimaryKey = &model.Key{Columns: keys.Draw(t, "pk")}
			tab.Uniques = []model.Key{{Name: word.Draw(t, "name"), Columns: keys.Draw(t, "unique")}}
			tab.ForeignKeys = []model.ForeignKey{{Columns: keys.Draw(t, "fk"), RefSchema: "s", RefTable: word.Draw(t, "ref"), RefColumns: keys.Draw(t, "refs")}}
			tab.Indexes = []model.Index{{Name: word.Draw(t, "index"), Columns: keys.Draw(t, "on"), Unique: rapid.Bool().Draw(t, "u")}}
			tab.Checks = []model.Check{{Expr: word.Draw(t, "check")}}
		}
		d.Tables = append(d.Tables, tab)
	}
	return d
}

func TestCompare_Properties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyDatabase(t, "a"), anyDatabase(t, "b")
		if got := Compare(a, a); len(got) != 0 {
			t.Fatalf("compared with itself: %v", got)
		}
		before, _ := json.Marshal([]*model.Database{a, b})
		first := Compare(a, b)
		if after, _ := json.Marshal([]*model.Database{a, b}); string(after) != string(before) {
			t.Fatal("comparing changed what was compared")
		}
		if diff := cmp.Diff(first, Compare(a, b)); diff != "" {
			t.Fatalf("compared again: %s", diff)
		}
		slices.Reverse(a.Tables)
		slices.Reverse(b.Tables)
		if diff := cmp.Diff(first, Compare(a, b)); diff != "" {
			t.Fatalf("in another order: %s", diff)
		}
		// What comes there goes here.
		number := func(changes []Change, what, target string) (n int) {
			for _, c := range changes {
				if c.Type == what && c.Target == target {
					n++
				}
			}
			return n
		}
		back := Compare(b, a)
		for _, target := range []string{Table, View} {
			if number(first, Added, target) != number(back, Removed, target) || number(first, Renamed, target) != number(back, Renamed, target) {
				t.Fatalf("%v\nand back\n%v", first, back)
			}
		}
		for i, c := range first {
			if c.Details == "" || c.Severity == "" || c.Table == "" {
				t.Fatalf("incomplete: %+v", c)
			}
			if i > 0 && rank(first[i-1].Severity) > rank(c.Severity) {
				t.Fatal("not the worst first")
			}
		}
	})
}

func benchmark(b *testing.B, change func(i int, t *model.Table)) {
	build := func() *model.Database {
		d := &model.Database{Dialect: "postgresql"}
		for i := range 10_000 {
			t := model.Table{Schema: "public", Name: fmt.Sprintf("table_%05d", i), Type: model.BaseTable}
			for j := range 20 {
				t.Columns = append(t.Columns, model.Column{Name: fmt.Sprintf("column_%d", j), Ordinal: j + 1, Type: "int", Nullable: true})
			}
			d.Tables = append(d.Tables, t)
		}
		return d
	}
	before, after := build(), build()
	for i := range after.Tables {
		change(i, &after.Tables[i])
	}
	for b.Loop() {
		Compare(before, after)
	}
}

func BenchmarkCompare_10000Equal(b *testing.B) { benchmark(b, func(int, *model.Table) {}) }

func BenchmarkCompare_10000Renamed(b *testing.B) {
	benchmark(b, func(i int, t *model.Table) { t.Schema, t.Name = "app", fmt.Sprintf("tab%d", i) })
}

func TestCompare_ReferencedColumnRenamed(t *testing.T) {
	before, after := shop(), shop()
	before.Tables[orders].ForeignKeys[0].RefColumns = []string{"legacy_id"}
	col(after, customers, "legacy_id").Name = "legacyid"
	after.Tables[customers].Indexes[3].Columns = []string{"legacyid"}
	after.Tables[orders].ForeignKeys[0].RefColumns = []string{"legacyid"}
	got := Compare(before, after)
	if len(got) != 1 || got[0].Type != Renamed || got[0].Old != "legacy_id" || got[0].New != "legacyid" {
		t.Errorf("got %v, want the renaming alone", got)
	}
}

// What could not be read is not taken for gone.
func TestCompare_Unread(t *testing.T) {
	before, after := shop(), shop()
	for _, d := range []*model.Database{before, after} {
		d.Tables[orders].Type = model.PartitionedTable
		d.Lineage = append(d.Lineage, model.Lineage{FromSchema: "public", FromTable: "orders", ToSchema: "public", ToTable: "customers", Type: model.LineageTrigger})
	}
	before.Tables[orders].Partition = &model.Partition{Key: []string{"id"}}
	before.Tables[orders].ForeignKeys[0].OnDelete = "CASCADE"
	after.Tables[orders].Checks, after.Lineage = nil, nil
	all := []string{model.PartChecks, model.PartRules, model.PartPartitions, model.PartViews, model.PartTriggers}
	for i, part := range all {
		after.Unread = slices.Delete(slices.Clone(all), i, i+1)
		if got := Compare(before, after); len(got) != 1 {
			t.Errorf("with all unread but %s: %v, want the one change of it", part, got)
		}
	}
	after.Unread = all
	if got := Compare(before, after); len(got) != 0 {
		t.Errorf("with all unread: %v", got)
	}
}

// What a view reads was renamed: its text is another one, the view is not.
func TestCompare_ViewOfRenamed(t *testing.T) {
	for name, c := range map[string]struct {
		definition string
		want       []string
	}{
		"printed anew": {`SELECT o.id, o.totals AS total FROM "Sales"."Bought" orders, "Sales"."Bought" o WHERE o.totals > 5;`, nil},
		"in place":     {"SELECT o.id, o.totals FROM public.\"Bought\", public.\"Bought\" o\nWHERE o.totals > 5", nil},
		"and changed":  {`SELECT o.id, o.totals AS total FROM "Sales"."Bought" orders, "Sales"."Bought" o WHERE o.totals > 6;`, []string{"modified view v"}},
		"unknown":      {"", []string{"modified view v"}},
	} {
		t.Run(name, func(t *testing.T) {
			before, after := shop(), shop()
			before.Tables[view].SetDefinition("SELECT o.id, o.total FROM public.orders, public.orders o WHERE o.total > 5")
			before.Tables[view].Definition = "" // as a snapshot has it
			moved := &after.Tables[orders]
			moved.Schema, moved.Name = "Sales", "Bought"
			col(after, orders, "total").Name = "totals"
			moved.Checks[0] = model.Check{Name: "positive", Expr: "totals >= 0", Columns: []string{"totals"}}
			after.Lineage[0].FromSchema, after.Lineage[0].FromTable = "Sales", "Bought"
			// Enough columns in common to be the same table.
			for _, d := range []*model.Database{before, after} {
				for i := range 10 {
					d.Tables[orders].Columns = append(d.Tables[orders].Columns, model.Column{Name: fmt.Sprint("c", i), Ordinal: 10 + i, Type: "text", Nullable: true})
				}
			}
			after.Tables[view].SetDefinition(c.definition)
			var got []string
			for _, ch := range Compare(before, after) {
				if ch.Table == "v" {
					got = append(got, fmt.Sprint(ch.Type, " ", ch.Target, " ", ch.Table))
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("changes of the view (-want +got):\n%s", diff)
			}
		})
	}
}
