package postgres

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/connecttest"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/wiretest"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// 200 partitions below 4 of their own, filled, and a table with 1,000 columns.
func TestIntrospect_PartitionsAndWidth(t *testing.T) {
	var s strings.Builder
	s.WriteString(`CREATE TABLE kind (id int PRIMARY KEY);
CREATE TABLE event (y int, n int, kind int REFERENCES kind, PRIMARY KEY (y, n)) PARTITION BY RANGE (y);`)
	for y := range 4 {
		fmt.Fprintf(&s, "CREATE TABLE event_%d PARTITION OF event FOR VALUES FROM (%d) TO (%d) PARTITION BY RANGE (n);", y, y, y+1)
		for n := range 50 {
			fmt.Fprintf(&s, "CREATE TABLE event_%d_%d PARTITION OF event_%d FOR VALUES FROM (%d) TO (%d);", y, n, y, n, n+1)
		}
	}
	s.WriteString(`
INSERT INTO kind VALUES (1);
INSERT INTO event SELECT y, n, 1 FROM generate_series(0, 3) y, generate_series(0, 49) n;
CREATE TABLE whole (y int, n int, FOREIGN KEY (y, n) REFERENCES event);
CREATE TABLE part (y int, n int, CONSTRAINT to_part FOREIGN KEY (y, n) REFERENCES event_1_7);
CREATE VIEW of_part AS SELECT * FROM event_2_3;
CREATE TABLE wide (`)
	for i := range 1000 {
		fmt.Fprintf(&s, "c%d int,", i)
	}
	s.WriteString("UNIQUE (c999, c0));")
	d, _ := load(t, s.String(), flush, analyze, flush)

	db := introspect(t, d, connect.Options{})
	if len(db.Tables) != 6 {
		t.Fatalf("%d tables, want 6: partitions are folded", len(db.Tables))
	}
	event := connecttest.Table(t, db, "public", "event")
	if n := len(event.Partition.Tables); n != 204 {
		t.Errorf("%d partitions are named", n)
	}
	event.Partition.Tables = nil
	if diff := cmp.Diff(&model.Partition{Key: []string{"y"}, Count: 204}, event.Partition); diff != "" {
		t.Errorf("partition (-want +got):\n%s", diff)
	}
	if event.Rows == nil || *event.Rows != 200 || event.RowsSource != model.CountStat {
		t.Errorf("rows %v (%s), want the sum of the partitions, 200", event.Rows, event.RowsSource)
	}
	if event.Bytes == nil || *event.Bytes < 200*8192 || event.Usage == nil || event.Usage.Inserts != 200 {
		t.Errorf("bytes %v, usage %+v", event.Bytes, event.Usage)
	}
	if s := event.Column("n").Stats; s == nil || s.Distinct == nil || *s.Distinct != 50 {
		t.Errorf("statistics of n %+v", s)
	}
	if len(event.ForeignKeys) != 1 || len(connecttest.Table(t, db, "public", "whole").ForeignKeys) != 1 {
		t.Errorf("keys of event %+v and whole %+v, want one each", event.ForeignKeys, connecttest.Table(t, db, "public", "whole").ForeignKeys)
	}
	want := []model.ForeignKey{{Name: "to_part", Columns: []string{"y", "n"}, RefSchema: "public", RefTable: "event", RefColumns: []string{"y", "n"}}}
	if diff := cmp.Diff(want, connecttest.Table(t, db, "public", "part").ForeignKeys); diff != "" {
		t.Errorf("key to a partition (-want +got):\n%s", diff)
	}
	if len(db.Lineage) != 1 || db.Lineage[0].FromTable != "event" {
		t.Errorf("lineage %+v", db.Lineage)
	}
	wide := connecttest.Table(t, db, "public", "wide")
	if len(wide.Columns) != 1000 || wide.Columns[999].Name != "c999" || wide.Columns[999].Ordinal != 1000 || !slices.Equal(wide.Uniques[0].Columns, []string{"c999", "c0"}) {
		t.Errorf("%d columns, last %+v, key %+v", len(wide.Columns), wide.Columns[len(wide.Columns)-1], wide.Uniques)
	}

	db = introspect(t, d, connect.Options{IncludePartitions: true})
	if len(db.Tables) != 210 {
		t.Errorf("%d tables with partitions, want 210", len(db.Tables))
	}
	if e := connecttest.Table(t, db, "public", "event"); *e.Rows != 200 {
		t.Errorf("rows %d with partitions, want 200", *e.Rows)
	}
	if p := connecttest.Table(t, db, "public", "event_1_7"); *p.Rows != 1 || len(p.ForeignKeys) != 0 || p.PrimaryKey == nil {
		t.Errorf("partition %+v", p)
	}
	if k := connecttest.Table(t, db, "public", "part").ForeignKeys; len(k) != 1 || k[0].RefTable != "event_1_7" {
		t.Errorf("key %+v", k)
	}
}

// The server tells others of a session's counters only now and then.
const (
	analyze = "ANALYZE"
	flush   = "SELECT pg_stat_force_next_flush()"
)

const dataSQL = `
CREATE TYPE size AS ENUM ('s', 'l');
CREATE TABLE person (id int PRIMARY KEY, secret text, grade text, age int, born date, at timestamptz, active boolean, few numeric, size size, doc json, ip inet, share float8);
INSERT INTO person SELECT i, 'secret-' || i, CASE WHEN i % 3 = 0 THEN 'good' ELSE 'bad' END, CASE WHEN i % 4 > 0 THEN i % 90 END, date '1990-01-01' + i,
  timestamptz '2026-01-01 00:00:00+00' + i * interval '1 hour', i % 2 = 0, (i % 5) * 1.5, 's', '{"a": 1}', '10.0.0.1', 'NaN' FROM generate_series(1, 1000) i;
CREATE TABLE untouched (id int);
CREATE VIEW quick AS SELECT * FROM person WHERE id <= 10;
CREATE VIEW slow AS SELECT id FROM person WHERE pg_sleep(60) IS NOT NULL;
CREATE MATERIALIZED VIEW grades AS SELECT grade, count(*) AS n FROM person GROUP BY grade;
CREATE TABLE big AS SELECT i AS id, i % 7 AS r FROM generate_series(1, 200000) i;
CREATE TABLE small AS SELECT i AS n, date '2024-01-01' + i AS day FROM generate_series(1, 3) i;`

func TestIntrospect_CatalogStatistics(t *testing.T) {
	d, _ := load(t, dataSQL, flush, analyze, "CREATE TABLE never (id int)", flush)
	db := introspect(t, d, connect.Options{})
	person := connecttest.Table(t, db, "public", "person")
	if person.Rows == nil || *person.Rows != 1000 {
		t.Fatalf("rows %v", person.Rows)
	}
	if n := connecttest.Table(t, db, "public", "untouched"); n.Rows == nil || *n.Rows != 0 {
		t.Errorf("rows of an empty, analysed table: %v, want 0", n.Rows)
	}
	if n := connecttest.Table(t, db, "public", "never"); n.Rows != nil || n.RowsSource != "" {
		t.Errorf("rows of a table that nothing is known of: %v", *n.Rows)
	}
	if n := connecttest.Table(t, db, "public", "quick"); n.Rows != nil {
		t.Errorf("rows of a view: %v", *n.Rows)
	}
	if n := connecttest.Table(t, db, "public", "grades"); n.Rows == nil || *n.Rows != 2 {
		t.Errorf("rows of a materialised view: %v", n.Rows)
	}
	id := person.Column("id").Stats
	if *id.Distinct != 1000 || *id.NullFraction != 0 || id.Min != "1" || id.Max != "1000" || len(id.Histogram) != 11 || *id.Correlation != 1 || id.Common != nil || id.Source != "catalog" {
		t.Errorf("id: distinct %d, %+v", *id.Distinct, id)
	}
	if age := person.Column("age").Stats; *age.NullFraction != 0.25 || age.Common != nil || age.Max != "89" || *age.Distinct < 60 {
		t.Errorf("age: %+v", age)
	}
	for name, want := range map[string][]string{"n": {"1", "2", "3"}, "day": {"2024-01-02", "2024-01-03", "2024-01-04"}} {
		s := connecttest.Table(t, db, "public", "small").Column(name).Stats
		if !slices.Equal(s.Histogram, want) || s.Min != want[0] || s.Max != want[2] {
			t.Errorf("%s, of a table of three rows: %+v", name, s)
		}
	}
	if born := person.Column("born").Stats; born.Min != "1990-01-02" || born.Max != "1992-09-27" {
		t.Errorf("born: %+v", born)
	}
	if at := person.Column("at").Stats; at.Min != "2026-01-01 01:00:00+00" {
		t.Errorf("at: %+v", at)
	}
	if active := person.Column("active").Stats; len(active.Common) != 2 {
		t.Errorf("active: %+v", active)
	}
	if few := person.Column("few").Stats; len(few.Common) != 5 || few.Min != "0.0" || few.Max != "6.0" {
		t.Errorf("few: %+v", few)
	}
	if share := person.Column("share").Stats; share.Min != "" || share.Common != nil {
		t.Errorf("share, all NaN: %+v", share)
	}
	for _, name := range []string{"secret", "grade", "size", "doc", "ip"} {
		if s := person.Column(name).Stats; s == nil || s.Common != nil || s.Histogram != nil || s.Min != "" || s.Max != "" {
			t.Errorf("%s: %+v, want no values", name, s)
		}
	}
	person = connecttest.Table(t, introspect(t, d, connect.Options{SampleValues: true}), "public", "person")
	if got := person.Column("grade").Stats.Common; !slices.Equal(got, []string{"bad", "good"}) {
		t.Errorf("grade with sample values: %q", got)
	}
	if s := person.Column("secret").Stats; s.Common != nil {
		t.Errorf("secret, 1000 values: %+v", s)
	}
	person = connecttest.Table(t, introspect(t, d, connect.Options{Stats: connect.StatsNone, SampleValues: true}), "public", "person")
	if person.Rows != nil || person.Bytes != nil || person.Usage != nil || person.Columns[0].Stats != nil {
		t.Errorf("without statistics: %+v", person)
	}
}

// A child by INHERITS is a table of its own.
func TestIntrospect_Inherits(t *testing.T) {
	d, _ := load(t, `
CREATE TABLE event (id int PRIMARY KEY, at date);
CREATE TABLE event_2024 (extra text, CHECK (at < '2025-01-01')) INHERITS (event);
INSERT INTO event_2024 VALUES (1, '2024-01-01', 'x');`, flush, analyze, flush)
	db := introspect(t, d, connect.Options{})
	parent, child := connecttest.Table(t, db, "public", "event"), connecttest.Table(t, db, "public", "event_2024")
	if parent.Type != model.BaseTable || parent.Partition != nil || *parent.Rows != 0 {
		t.Errorf("parent %+v", parent)
	}
	if child.Type != model.BaseTable || len(child.Columns) != 3 || child.Column("extra") == nil || child.PrimaryKey != nil || len(child.Checks) != 1 || *child.Rows != 1 {
		t.Errorf("child %+v", child)
	}
}

func TestIntrospect_Sample(t *testing.T) {
	d, admin := load(t, dataSQL, `
CREATE EXTENSION file_fdw; CREATE SERVER f FOREIGN DATA WRAPPER file_fdw;
CREATE FOREIGN TABLE gone (line text) SERVER f OPTIONS (filename '/nowhere/at/all');
CREATE TABLE "odd "" name" ("a "" b" int); INSERT INTO "odd "" name" VALUES (7), (NULL); CREATE TABLE nothing ();`, flush, analyze, flush)
	execute(t, admin, "DELETE FROM pg_statistic") // so that everything comes from the sample
	c, recorded := connectTo(t, d)
	c.dataTimeout = 300_000_000
	db, err := c.Introspect(context.Background(), connect.Options{Stats: connect.StatsSample})
	if err != nil {
		t.Fatal(err)
	}
	var read []string
	statements := recorded.Take()
	wiretest.ReadsOnly(t, sqltree.Postgres, statements)
	for _, s := range statements {
		if strings.HasPrefix(s.SQL, "SELECT count(*)") {
			read = append(read, s.SQL)
		}
	}
	if len(read) != 8 { // person, untouched, quick, slow, grades, big, small, odd
		t.Errorf("%d statements read data, want one for each readable table: %q", len(read), read)
	}
	person := connecttest.Table(t, db, "public", "person")
	age := person.Column("age").Stats
	if age.Source != "sample" || *age.NullFraction != 0.25 || *age.Distinct != 90 || age.Min != "0" || age.Max != "89" {
		t.Errorf("age: distinct %d, nulls %v, %+v", *age.Distinct, *age.NullFraction, age)
	}
	if s := person.Column("secret").Stats; *s.Distinct != 1000 || s.Min != "" || s.Max != "" || s.Common != nil {
		t.Errorf("secret: %+v, want no values", s)
	}
	if s := person.Column("doc").Stats; s.Distinct != nil || *s.NullFraction != 0 {
		t.Errorf("doc: %+v", s)
	}
	if v := connecttest.Table(t, db, "public", "quick"); v.Rows == nil || *v.Rows != 10 || v.RowsSource != model.CountView {
		t.Errorf("quick: %v %s", v.Rows, v.RowsSource)
	}
	if v := connecttest.Table(t, db, "public", "slow"); v.Rows == nil || *v.Rows != -1 || v.RowsSource != model.CountTimeout {
		t.Errorf("slow: %v %s", v.Rows, v.RowsSource)
	}
	if s := connecttest.Table(t, db, "public", "big").Column("r").Stats; s == nil || *s.Distinct != 7 || s.Max != "6" {
		t.Errorf("big: %+v", s)
	}
	if !strings.Contains(strings.Join(read, "\n"), `"big" TABLESAMPLE SYSTEM (60) REPEATABLE (1)`) {
		t.Errorf("big was not read by a sample: %q", read)
	}
	if s := connecttest.Table(t, db, "public", `odd " name`).Column(`a " b`).Stats; s == nil || s.Min != "7" || *s.NullFraction != 0.5 {
		t.Errorf("odd name: %+v", s)
	}
	if len(db.Warnings) != 1 || !strings.Contains(db.Warnings[0], "1 tables") {
		t.Errorf("warnings %q", db.Warnings)
	}
}

func TestIntrospect_Grants(t *testing.T) {
	d, admin := load(t, conformanceSQL)
	roles := `DROP ROLE IF EXISTS a_reader, a_clerk, a_boss;`
	execute(t, admin, roles+`CREATE ROLE a_reader; CREATE ROLE a_clerk LOGIN IN ROLE a_reader; CREATE ROLE a_boss SUPERUSER IN ROLE a_clerk;
GRANT USAGE ON SCHEMA audit TO a_reader; GRANT SELECT ON audit.line TO a_reader; GRANT SELECT, INSERT ON audit.line TO a_clerk;
GRANT SELECT (id, name) ON customer TO a_clerk; GRANT UPDATE (name) ON customer TO a_clerk; GRANT SELECT ON nothing TO PUBLIC;`)
	t.Cleanup(func() { execute(t, admin, "DROP OWNED BY a_reader, a_clerk, a_boss;"+roles) })

	clerk := d
	clerk.User = "a_clerk"
	for who, from := range map[string]*model.Database{"superuser": introspect(t, d, connect.Options{Grants: true}), "clerk": introspect(t, clerk, connect.Options{Grants: true})} {
		others := func(grants []model.Grant) []model.Grant {
			return slices.DeleteFunc(slices.Clone(grants), func(g model.Grant) bool { return g.Grantee == "postgres" })
		}
		for name, want := range map[string][]model.Grant{
			"audit.line":      {{Grantee: "a_clerk", Privilege: "INSERT"}, {Grantee: "a_clerk", Privilege: "SELECT"}, {Grantee: "a_reader", Privilege: "SELECT"}},
			"public.customer": {{Grantee: "a_clerk", Privilege: "SELECT", Columns: []string{"id", "name"}}, {Grantee: "a_clerk", Privilege: "UPDATE", Columns: []string{"name"}}},
			"public.nothing":  {{Grantee: "PUBLIC", Privilege: "SELECT"}},
			"public.order":    {},
		} {
			schema, table, _ := strings.Cut(name, ".")
			got := connecttest.Table(t, from, schema, table).Grants
			if diff := cmp.Diff(want, others(got)); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", who, name, diff)
			}
			if len(got) < len(want)+7 {
				t.Errorf("%s, %s: the owner's privileges are missing: %+v", who, name, got)
			}
		}
		role := func(name string) model.Role {
			i := slices.IndexFunc(from.Roles, func(r model.Role) bool { return r.Name == name })
			if i < 0 {
				t.Fatalf("%s: no role %s in %+v", who, name, from.Roles)
			}
			return from.Roles[i]
		}
		for _, want := range []model.Role{
			{Name: "a_reader", MemberOf: []string{}, Schemas: []string{"audit", "public"}},
			{Name: "a_clerk", MemberOf: []string{"a_reader"}, Schemas: []string{"audit", "public"}},
			{Name: "a_boss", Superuser: true, MemberOf: []string{"a_clerk"}, Schemas: []string{"Ops.EU", "audit", "public"}},
		} {
			if diff := cmp.Diff(want, role(want.Name)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", who, diff)
			}
		}
	}

	// The structure of tables that the user may not read is read all the same.
	mine, all := introspect(t, clerk, connect.Options{}), introspect(t, d, connect.Options{})
	for _, db := range []*model.Database{mine, all} {
		for i := range db.Tables {
			db.Tables[i].Usage, db.Tables[i].Bytes = nil, nil
		}
	}
	if diff := cmp.Diff(all, mine); diff != "" {
		t.Errorf("as a user without rights (-superuser +clerk):\n%s", diff)
	}
	// And none of their rows.
	c, recorded := connectTo(t, clerk)
	if _, err := c.Introspect(context.Background(), connect.Options{Stats: connect.StatsSample}); err != nil {
		t.Fatal(err)
	}
	for _, s := range recorded.Take() {
		if strings.HasPrefix(s.SQL, "SELECT count(*)") && !strings.Contains(s.SQL, `"line"`) {
			t.Errorf("read what it may not: %q", s.SQL)
		}
	}
}

// A database whose names stand before the system's cannot make the connector call
// its functions.
func TestIntrospect_HostileSearchPath(t *testing.T) {
	d, admin := load(t, conformanceSQL, `
CREATE SCHEMA evil;
CREATE FUNCTION evil.format_type(oid, int) RETURNS text LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''called''; END';
CREATE FUNCTION evil.current_schemas(boolean) RETURNS name[] LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''called''; END';
CREATE FUNCTION evil.set_config(text, text, boolean) RETURNS text LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''called''; END';
CREATE FUNCTION evil.current_setting(text) RETURNS text LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''called''; END';
CREATE FUNCTION evil.current_setting(text, boolean) RETURNS text LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''called''; END';
CREATE VIEW evil.pg_class AS SELECT 1 AS oid;`)
	execute(t, admin, "ALTER DATABASE "+d.Database+" SET search_path = evil, pg_catalog, public")
	db := introspect(t, d, connect.Options{Schemas: []string{"public", "audit", "Ops.EU"}})
	if db.DefaultSchema != "evil" || len(db.Tables) != len(conformance().Tables) || len(db.Warnings) > 0 {
		t.Errorf("default schema %q, %d tables, warnings %q", db.DefaultSchema, len(db.Tables), db.Warnings)
	}
	if typ := connecttest.Table(t, db, "public", "order").Column("state").Type; typ != "public.status" {
		t.Errorf("type %q, want it with its schema, which is not the default", typ)
	}
}

func TestIntrospect_OtherEncoding(t *testing.T) {
	d, admin := load(t)
	execute(t, admin, "DROP DATABASE IF EXISTS latin")
	execute(t, admin, "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C'")
	t.Cleanup(func() { execute(t, admin, "DROP DATABASE latin WITH (FORCE)") })
	d.Database = "latin"
	c, err := open(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.pg.Exec(context.Background(), `SET default_transaction_read_only = off`); err != nil {
		t.Fatal(err)
	}
	if _, err := c.pg.Exec(context.Background(), `CREATE TABLE "Größe" (é int)`); err != nil {
		t.Fatal(err)
	}
	if table := connecttest.Table(t, introspect(t, d, connect.Options{}), "public", "Größe"); table.Columns[0].Name != "é" {
		t.Errorf("column %q", table.Columns[0].Name)
	}
}

// The numbers are those of the statements in the scripts.
func TestIntrospect_RealSchemas(t *testing.T) {
	type counts struct{ tables, columns, primary, foreign, checks, indexes, enums int }
	tests := []struct {
		name string
		want counts
	}{
		{"sakila", counts{tables: 21, columns: 123, primary: 15, foreign: 40, checks: 7, indexes: 44, enums: 1}},
		{"northwind", counts{tables: 14, columns: 92, primary: 14, foreign: 13, indexes: 14}},
		{"chinook", counts{tables: 11, columns: 64, primary: 11, foreign: 11, indexes: 22}},
		{"panoptes", counts{tables: 54, columns: 530, primary: 51, foreign: 68, checks: 1, indexes: 202}},
		{"danbooru", counts{tables: 66, columns: 641, primary: 65, foreign: 93, indexes: 450}},
		{"omop-cdm-5.4", counts{tables: 39, columns: 432, primary: 28, foreign: 176, indexes: 98}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, _ := load(t, script(t, tt.name))
			db := introspect(t, d, connect.Options{})
			var got counts
			for _, table := range db.Tables {
				if table.Type != model.BaseTable {
					t.Errorf("%s is a %s", table.Name, table.Type)
				}
				got.tables++
				got.columns += len(table.Columns)
				if table.PrimaryKey != nil {
					got.primary++
				}
				got.foreign += len(table.ForeignKeys)
				got.checks += len(table.Checks)
				got.indexes += len(table.Indexes)
				for _, c := range table.Columns {
					if c.Enum != nil {
						got.enums++
					}
				}
			}
			if got != tt.want {
				t.Errorf("%+v, want %+v", got, tt.want)
			}
			if len(db.Warnings) > 0 {
				t.Errorf("warnings %q", db.Warnings)
			}
		})
	}
}
