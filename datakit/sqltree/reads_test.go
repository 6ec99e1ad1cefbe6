package sqltree_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/generic"
	"github.com/quartet-mcp/quartet/datakit/sqltree/postgres"
)

// reads lists the tables of a resolution: what stands in the text, then what views
// read, with how; and the columns that decide about rows.
func reads(r *sqltree.Resolution) string {
	var b strings.Builder
	for _, u := range r.Tables {
		fmt.Fprintf(&b, "%s", u.Name.Last().Name)
		switch {
		case u.Written:
			b.WriteString("!")
		case u.Mentioned:
			b.WriteString("?")
		}
		if u.Through != "" {
			b.WriteString("<" + u.Through)
		}
		b.WriteString(" ")
	}
	b.WriteString("|")
	for _, c := range r.References {
		fmt.Fprintf(&b, " %s.%s", c.Table, c.Column)
	}
	return strings.TrimSpace(b.String())
}

// TestResolve_Reads says which tables a statement reads and writes, also through
// views, and which columns decide about its rows.
func TestResolve_Reads(t *testing.T) {
	const ddl = `create table emp (id int, boss int, pay int, dept_id int); create table dept (dept_id int, title text, city_id int);
		create view v1 as select id, pay from emp where dept_id = 3; create view v2 as select v1.id, d.title from v1 join dept d on d.dept_id = v1.id`
	tests := []struct {
		dialect   sqltree.Dialect
		sql, want string
	}{
		{"postgres", "select id from v1", "v1 emp<v1 | emp.dept_id"},
		{"postgres", "select id from v2 union select id from v1", "v2 v1 v1<v2 dept<v2 emp<v1 | dept.dept_id emp.dept_id emp.id"},
		{"postgres", "with recursive r as (select id from v2 union select id from r) select * from r", "v2 v1<v2 dept<v2 emp<v1 | dept.dept_id emp.dept_id emp.id"},
		{"postgres", "select pay from emp except select dept_id from dept", "emp dept | dept.dept_id"},
		{"postgres", "select boss, sum(pay) from emp group by 1 order by 2", "emp | emp.boss emp.pay"},
		{"duckdb", "select boss, sum(pay) from emp group by all", "emp | emp.boss"},
		{"mysql", "delete e from emp e join dept d on d.dept_id = e.dept_id", "emp! dept | dept.dept_id emp.dept_id"},
		{"mysql", "delete e from emp e, dept d where d.dept_id = e.dept_id", "emp! dept | dept.dept_id emp.dept_id"},
		{"mysql", "update emp e join dept d using (dept_id) set e.pay = 1, title = 'x'", "emp! dept! | emp.dept_id dept.dept_id"},
		{"mysql", "update emp, dept set emp.pay = dept.city_id", "emp! dept |"},
		{"postgres", "create table copy as select id from emp", "copy! emp |"},
		{"postgres", "create view v3 as select id from v1", "v3! v1 emp<v1 | emp.dept_id"},
		{"postgres", "drop view v2", "v2! |"},
		{"postgres", "select id into other from emp", "other! emp |"},
		{"postgres", "comment on table emp is 'x'", "emp? |"},
		{"postgres", "insert into emp (id) select dept_id from dept on conflict do nothing", "emp! dept |"},
		{"postgres", "merge into emp e using dept d on d.dept_id = e.id when matched then delete", "emp! dept | dept.dept_id emp.id"},
	}
	for _, test := range tests {
		t.Run(test.sql, func(t *testing.T) {
			schema, err := generic.Parse(test.dialect, ddl)
			if err != nil {
				t.Fatal(err)
			}
			catalog := sqltree.NewSchema(test.dialect)
			catalog.Add(schema)
			script, err := generic.Parse(test.dialect, test.sql)
			if err != nil {
				t.Fatal(err)
			}
			r := sqltree.Resolve(script.Statements[0], test.dialect, catalog)
			want := strings.Fields(test.want)
			got := strings.Fields(reads(r))
			count := func(list []string) map[string]int {
				m := map[string]int{}
				for _, w := range list {
					m[w]++
				}
				return m
			}
			if diff := cmp.Diff(count(want), count(got)); diff != "" {
				t.Errorf("got %s\n-want +got\n%s", reads(r), diff)
			}
		})
	}
}

// TestResolve_StarOrder has the order of the columns of * where USING makes one of
// two: SQLite and DuckDB leave it in its place.
func TestResolve_StarOrder(t *testing.T) {
	const ddl = "create table dept (dept_id int, title text, city_id int); create table city (city_id int, pop int)"
	for _, test := range []struct {
		dialect   sqltree.Dialect
		sql, want string
	}{
		{"postgres", "select * from dept join city using (city_id)", "city_id dept_id title pop"},
		{"mysql", "select * from dept join city using (city_id)", "city_id dept_id title pop"},
		{"mysql", "select * from dept right join city using (city_id)", "city_id pop dept_id title"},
		{"sqlite", "select * from dept join city using (city_id)", "dept_id title city_id pop"},
		{"duckdb", "select * from dept natural join city", "dept_id title city_id pop"},
		{"duckdb", "select d.*, c.* from dept d full join city c using (city_id)", "dept_id title city_id city_id pop"},
	} {
		schema, err := generic.Parse(test.dialect, ddl)
		if err != nil {
			t.Fatal(err)
		}
		catalog := sqltree.NewSchema(test.dialect)
		catalog.Add(schema)
		script, err := generic.Parse(test.dialect, test.sql)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, o := range sqltree.Resolve(script.Statements[0], test.dialect, catalog).Output {
			got = append(got, o.Name)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %s: %v, want %s", test.dialect, test.sql, got, test.want)
		}
	}
}

// TestResolve_Costs has statements that are short and could cost without bound.
func TestResolve_Costs(t *testing.T) {
	repeat := func(n int, f func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(f(i))
		}
		return b.String()
	}
	wide := "create table w (" + strings.TrimSuffix(repeat(1000, func(i int) string { return fmt.Sprintf("c%d int,", i) }), ",") + ")"
	tests := []struct {
		name    string
		dialect sqltree.Dialect
		sql     string
	}{
		{"a window of itself", "postgres", "select sum(id) over w from w window w as (partition by sum(c1) over w, sum(c2) over w)"},
		{"windows of windows", "postgres", "select sum(c1) over w29 from w window w0 as (partition by c0)" +
			repeat(29, func(i int) string {
				return fmt.Sprintf(", w%d as (partition by sum(c1) over w%d, sum(c2) over w%d)", i+1, i, i)
			})},
		{"thousands of windows", "postgres", "select 1 from w window w0 as (partition by c0)" + repeat(3000, func(i int) string { return fmt.Sprintf(", w%d as (w%d)", i+1, i) })},
		{"names of names", "clickhouse", "with 1 as x0" + repeat(30, func(i int) string { return fmt.Sprintf(", x%d + x%d as x%d", i, i, i+1) }) + " select x30"},
		{"doubling", "postgres", "with c0 as (select c1, c2 from w)" +
			repeat(40, func(i int) string { return fmt.Sprintf(", c%d as (select x.*, y.* from c%d x, c%d y)", i+1, i, i) }) + " select * from c40"},
		{"stars", "postgres", "select " + strings.TrimSuffix(repeat(3000, func(int) string { return "*," }), ",") + " from w"},
		{"thousands of common table expressions", "sqlite", "with a0 as (select 1 as x)" + repeat(10000, func(i int) string { return fmt.Sprintf(", a%d as (select x from a%d)", i+1, i) }) + " select * from a10000"},
		{"unknown columns", "postgres", "select " + strings.TrimSuffix(repeat(5000, func(i int) string { return fmt.Sprintf("nope%d,", i) }), ",") + " from w"},
		{"unknown tables", "postgres", "select 1 from w" + repeat(3000, func(i int) string { return fmt.Sprintf(", nope%d", i) })},
		{"recursion in recursion", "postgres", strings.Repeat("with recursive r as (select c1 from w union all (", 12) + "select c1 from w" + strings.Repeat(") union all select c1 from r) select * from r", 12)},
		{"a long sum", "duckdb", "select 0" + repeat(1800, func(i int) string { return fmt.Sprintf("+c%d", i%1000) }) + " from w"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			schema, err := generic.Parse(test.dialect, wide)
			if err != nil {
				t.Fatal(err)
			}
			catalog := sqltree.NewSchema(test.dialect)
			catalog.Add(schema)
			for i := range 5000 {
				catalog.AddRelation(&sqltree.Relation{Name: fmt.Sprintf("table_%d", i)})
			}
			script, err := generic.Parse(test.dialect, test.sql)
			if err != nil {
				t.Fatal(err)
			}
			// Not a measurement: without the bounds these take minutes to forever.
			done := make(chan bool)
			go func() {
				sqltree.Resolve(script.Statements[0], test.dialect, catalog)
				close(done)
			}()
			select {
			case <-done:
			case <-time.After(20 * time.Second):
				t.Fatal("it goes on and on")
			}
		})
	}
}

// TestSchema_Scripts has what a script does to what it has declared before.
func TestSchema_Scripts(t *testing.T) {
	for _, test := range []struct {
		dialect     sqltree.Dialect
		ddl, want   string // the relations with their columns
		description string
	}{
		{"postgres", "create table a (x int); create table if not exists a (y int)", "public.a(x)", "an existing table stays"},
		{"postgres", "create table a (x int); create table b (x int); drop table a", "public.b(x)", "dropped"},
		{"postgres", "create table a (x int); alter table a rename to b; alter table b rename column x to y", "public.b(y)", "renamed"},
		{"postgres", "create table a (x int); alter table a set schema s", "s.a(x)", "moved"},
		{"mysql", "create table a (X int, y int); alter table a drop column x, change column Y z int, add w int", "a(z w)", "without regard to case"},
		{"postgres", "set search_path = s, pg_catalog; create table a (x int); create view v as select x from a", "s.a(x) s.v()", "as dumps begin"},
		{"postgres", "create table a (x int, y int); select y into b from a", "public.a(x y) public.b(y)", "select into"},
		{"postgres", "create table t (É int)", "public.t(É)", "letters beyond ASCII do not fold"},
	} {
		schemas := []string{}
		if test.dialect == "postgres" {
			schemas = append(schemas, "public")
		}
		var script *sqltree.Script
		var err error
		if test.dialect == "postgres" {
			script, err = postgres.Parse(test.ddl)
		} else {
			script, err = generic.Parse(test.dialect, test.ddl)
		}
		if err != nil {
			t.Fatal(err)
		}
		s := sqltree.NewSchema(test.dialect, schemas...)
		s.Add(script)
		var got []string
		for _, name := range s.Names() {
			var parts []sqltree.Ident
			for p := range strings.SplitSeq(name, ".") {
				parts = append(parts, sqltree.Ident{Name: p, Quoted: true})
			}
			got = append(got, name+"("+strings.Join(s.Relation(test.dialect, sqltree.Name{Parts: parts}).Columns, " ")+")")
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %v, want %s", test.description, got, test.want)
		}
	}
}
