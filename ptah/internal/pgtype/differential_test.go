package pgtype

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/quartet-mcp/quartet/datakit/dbtest"
	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/postgres"
)

// columnTypes are those of the columns of the table t that the tests have. A column is
// named by its type.
var columnTypes = strings.Fields(`int2 int4 int8 numeric float4 float8 text varchar bpchar name bool date time timetz timestamp timestamptz interval
	uuid json jsonb bytea inet cidr macaddr money bit varbit point box circle tsvector tsquery xml oid
	int4range numrange tstzrange daterange int4multirange _int4 _text _numeric _jsonb _timestamptz _bool _int8 _uuid jsonpath`)

// schemaOf makes what the tests declare, on the server and for the checker.
const schemaOf = `
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE DOMAIN amount AS numeric CHECK (VALUE > 0);
CREATE DOMAIN label AS text;
CREATE TYPE pair AS (a int, b text);
CREATE FUNCTION twice(int) RETURNS int LANGUAGE sql AS 'SELECT $1 * 2';
CREATE FUNCTION twice(text) RETURNS text LANGUAGE sql AS 'SELECT $1 || $1';
`

// declarations is a catalog of tests.
type declarations struct {
	types     map[string]*Type
	relations map[string]*Relation
	functions map[string][]*Function
}

func (d *declarations) Type(n sqltree.Name) *Type         { return d.types[fold(n.Last())] }
func (d *declarations) Relation(n sqltree.Name) *Relation { return d.relations[fold(n.Last())] }
func (d *declarations) Functions(n sqltree.Name) []*Function {
	return d.functions[fold(n.Last())]
}
func (d *declarations) Others(sqltree.Name) bool { return false }

func declareAll() (*declarations, string) {
	ddl := schemaOf
	d := &declarations{types: map[string]*Type{}, relations: map[string]*Relation{}, functions: map[string][]*Function{}}
	b := func(name string) *Type { return Builtin(name, true, nil) }
	d.types["mood"] = NewEnum("mood", []string{"sad", "ok", "happy"})
	d.types["amount"] = NewDomain("amount", b("numeric"))
	d.types["label"] = NewDomain("label", b("text"))
	d.types["pair"] = NewComposite("pair")
	d.types["pair"].SetFields([]Field{{"a", b("int4")}, {"b", b("text")}})
	for _, t := range []string{"int4", "text"} {
		d.functions["twice"] = append(d.functions["twice"], &Function{Args: []*Type{b(t)}, Returns: b(t), Kind: 'f', Volatility: 'v'})
	}
	t := &Relation{}
	columns := []string{"id int PRIMARY KEY"}
	t.Columns, t.Key = append(t.Columns, Field{"id", b("int4")}), []int{0}
	for _, name := range columnTypes {
		columns = append(columns, fmt.Sprintf("%q %s", "c_"+name, sqlName(name)))
		t.Columns = append(t.Columns, Field{"c_" + name, b(name)})
	}
	for _, name := range []string{"mood", "amount", "label", "pair"} {
		columns = append(columns, "c_"+name+" "+name)
		t.Columns = append(t.Columns, Field{"c_" + name, d.types[name]})
	}
	d.relations["t"] = t
	ddl += "CREATE TABLE t (" + strings.Join(columns, ", ") + ");\n"
	ddl += "CREATE TABLE u (id int PRIMARY KEY, t_id int, n bigint, s text, v varchar(10), d date, ts timestamptz, j jsonb, js json, amt numeric, ok boolean, a int[]);\n"
	d.relations["u"] = &Relation{Key: []int{0}, Columns: []Field{
		{"id", b("int4")}, {"t_id", b("int4")}, {"n", b("int8")}, {"s", b("text")}, {"v", b("varchar")}, {"d", b("date")}, {"ts", b("timestamptz")},
		{"j", b("jsonb")}, {"js", b("json")}, {"amt", b("numeric")}, {"ok", b("bool")}, {"a", b("_int4")},
	}}
	return d, ddl
}

func sqlName(key string) string {
	if elem, ok := strings.CutPrefix(key, "_"); ok {
		return elem + "[]"
	}
	return key
}

func full() bool { return os.Getenv("QUARTET_FULL") != "" }

// server opens a database with the declarations.
func server(t *testing.T, ddl string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), dbtest.Postgres(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	if _, err := conn.Exec(context.Background(), ddl); err != nil {
		t.Fatal(err)
	}
	return conn
}

// refusal is what the server says about a query without running it.
func refusal(conn *pgx.Conn, sql string) error {
	_, err := conn.PgConn().Prepare(context.Background(), "", sql, nil)
	return err
}

// differ compares the checker and the server on many queries.
func differ(t *testing.T, n int, seed uint64, make func(*generator) string) {
	d, ddl := declareAll()
	conn := server(t, ddl)
	g := newGenerator(seed)
	taken, refused, reported, alarms := 0, 0, 0, 0
	missed := map[string][]string{}
	for range n {
		sql := make(g)
		err := refusal(conn, sql)
		script, parsed := postgres.Parse(sql)
		if parsed != nil {
			continue
		}
		_, got := Query(d, sql, script.Statements[0].(*sqltree.Query), nil)
		if err == nil {
			taken++
			if got != nil {
				if alarms++; alarms <= 40 {
					t.Errorf("the server takes\n\t%s\nand is said not to: %s", sql, got.Message)
				}
			}
			continue
		}
		var pg *pgconn.PgError
		if !errors.As(err, &pg) {
			t.Fatal(sql, err)
		}
		refused++
		if got != nil {
			reported++
		} else {
			missed[pg.Code] = append(missed[pg.Code], pg.Message+"\t"+sql)
		}
	}
	t.Logf("%d queries: %d taken, %d of them reported; %d refused, %d of them (%.1f%%) reported", taken+refused, taken, alarms, refused, reported, 100*float64(reported)/float64(max(refused, 1)))
	if reported*100 < refused*95 {
		t.Errorf("less than 95%% of what is refused is reported")
	}
	if os.Getenv("MISSED") != "" {
		for code, list := range missed {
			t.Logf("%s: %d", code, len(list))
			for _, m := range list[:min(len(list), 15)] {
				t.Log("   ", m)
			}
		}
	}
}

func TestExpressions_Server(t *testing.T) {
	n := 1000
	if full() {
		n = 12000
	}
	differ(t, n, 1, func(g *generator) string {
		if g.n(3) == 0 {
			return "SELECT 1 FROM t WHERE " + g.of("bool", 3)
		}
		return "SELECT " + g.any(3) + " AS x FROM t"
	})
}

func TestQueries_Server(t *testing.T) {
	n := 300
	if full() {
		n = 3000
	}
	differ(t, n, 2, (*generator).query)
}

// generator makes expressions: most would be right if every argument were of the type
// that was asked for, and one in some is not.
type generator struct {
	r         *rand.Rand
	byResult  map[string][]string // templates by the type that they give: "%int4 + %int8"
	all       []string
	returning []string
}

func newGenerator(seed uint64) *generator {
	g := &generator{r: rand.New(rand.NewPCG(seed, 0)), byResult: map[string][]string{}}
	add := func(result, template string) { g.byResult[result] = append(g.byResult[result], template) }
	usable := func(names ...string) bool {
		for _, n := range names {
			if !slices.Contains(columnTypes, n) && n != "anyarray" && n != "anyelement" && n != "anycompatible" && n != "anycompatiblearray" && n != "any" {
				return false
			}
		}
		return true
	}
	section := func(title string) string {
		_, rest, _ := strings.Cut(facts, "["+title+"]\n")
		rest, _, _ = strings.Cut(rest, "\n[")
		return rest
	}
	for line := range strings.Lines(section("operators")) {
		f := strings.Fields(line)
		switch {
		case f[1] == "-" && usable(f[2]):
			add(f[3], "("+f[0]+" %"+f[2]+")")
		case f[1] != "-" && usable(f[1], f[2]):
			add(f[3], "(%"+f[1]+" "+f[0]+" %"+f[2]+")")
		}
	}
	for line := range strings.Lines(section("functions")) {
		f := strings.Fields(line)
		if f[3][0] != 'f' || f[3][1] == 's' || strings.HasPrefix(f[0], "pg_") || strings.Contains(f[1], "*") || newer[f[0]] != "" {
			continue
		}
		args := strings.Split(f[1], ",")
		if f[1] == "-" {
			args = nil
		}
		if usable(args...) {
			for i := range args {
				args[i] = "%" + args[i]
			}
			add(f[2], f[0]+"("+strings.Join(args, ", ")+")")
		}
	}
	for _, x := range [][2]string{
		{"bool", "(%text LIKE %text)"}, {"bool", "(%text NOT ILIKE %varchar ESCAPE '!')"}, {"bool", "(%text SIMILAR TO %text)"}, {"bool", "(%text ~ %text)"},
		{"bool", "(%int4 BETWEEN %int4 AND %int8)"}, {"bool", "(%date NOT BETWEEN %date AND %timestamp)"}, {"bool", "(%int4 IN (1, 2, %int8))"}, {"bool", "(%text IN ('a', 'b'))"},
		{"bool", "(%mood IN ('sad', 'ok'))"}, {"bool", "(%int4 IN (1, '2', 3.5))"}, {"bool", "(%numeric NOT IN (%int4, %float8, 7))"}, {"bool", "(%? IN (%?, %?))"}, {"bool", "(%? = ANY (%_int4))"},
		{"bool", "(%text = ANY (%_text))"}, {"bool", "(%int4 < ALL (%_int4))"}, {"bool", "(%text <> ALL (ARRAY['a', 'b']))"}, {"bool", "(%int8 = ANY ('{1,2}'))"}, {"bool", "(%? = ANY (%?))"},
		{"bool", "(%bool AND %bool)"}, {"bool", "(NOT %bool)"}, {"bool", "(%bool OR %bool OR %bool)"}, {"bool", "(%bool IS NOT TRUE)"}, {"bool", "(%? IS NULL)"}, {"bool", "(%? IS DISTINCT FROM %?)"},
		{"bool", "(%int4 IS NOT DISTINCT FROM NULL)"}, {"bool", "((%int4, %text) = (%int8, %varchar))"}, {"bool", "((%int4, %text) IN ((1, 'a'), (2, 'b')))"}, {"bool", "(ROW(%int4, %date) < ROW(%int4, %date))"},
		{"bool", "((%date, %date) OVERLAPS (%date, %interval))"}, {"bool", "((%timestamp, %timestamp) OVERLAPS (%timestamp, %timestamp))"}, {"bool", "(%amount > %int4)"}, {"bool", "(%mood = %mood)"}, {"bool", "(%mood < 'ok')"}, {"bool", "(%label = %text)"},
		{"bool", "(%jsonb ? %text)"}, {"bool", "EXISTS (SELECT 1 FROM u WHERE u.id = %int4)"}, {"bool", "(%int4 IN (SELECT id FROM u))"}, {"bool", "(%? = ANY (SELECT s FROM u))"}, {"bool", "(%? NOT IN (SELECT n FROM u))"},
		{"timestamp", "(%timestamptz AT TIME ZONE 'UTC')"}, {"timestamptz", "(%timestamp AT TIME ZONE %text)"}, {"timestamptz", "(%timestamp AT TIME ZONE %interval)"}, {"timetz", "(%timetz AT TIME ZONE 'UTC')"},
		{"text", "CASE WHEN %bool THEN %text ELSE %varchar END"}, {"numeric", "CASE %int4 WHEN 1 THEN %numeric WHEN %int8 THEN %int4 END"}, {"int4", "CASE %text WHEN 'a' THEN 1 ELSE %int4 END"}, {"?", "CASE WHEN %bool THEN %? ELSE %? END"},
		{"text", "coalesce(%text, 'x')"}, {"numeric", "coalesce(%numeric, %int4, 0)"}, {"date", "coalesce(%date, 'yesterday')"}, {"?", "coalesce(%?, %?)"}, {"?", "greatest(%?, %?)"}, {"int4", "nullif(%int4, 0)"}, {"?", "nullif(%?, %?)"},
		{"int4", "%_int4[%int4]"}, {"_text", "%_text[1:%int4]"}, {"jsonb", "(%jsonb)['a']"}, {"jsonb", "(%jsonb)[%int4]"}, {"_int4", "ARRAY[%int4, 1, '2']"}, {"_text", "ARRAY[%text, 'a']"}, {"_numeric", "ARRAY[%numeric, %int4]"}, {"?", "ARRAY[%?, %?]"},
		{"_int4", "ARRAY[]::int[]"}, {"_int4", "ARRAY['1', %text]::int[]"}, {"text", "(%text COLLATE \"C\")"}, {"?", "(%? COLLATE \"C\")"}, {"text", "(%? || %text)"}, {"text", "(%jsonb ->> 'a')"}, {"jsonb", "(%jsonb -> 'a' -> 0)"}, {"text", "(%jsonb #>> '{a,b}')"},
		{"bool", "(%jsonb @> '{\"a\": 1}')"}, {"bool", "(%_int4 && ARRAY[1, 2])"}, {"bool", "(%_text @> ARRAY['a'])"}, {"bool", "(%tsvector @@ to_tsquery('a'))"}, {"bool", "(%int4range @> %int4)"}, {"bool", "(%daterange && %daterange)"},
		{"numeric", "extract(year FROM %timestamp)"}, {"numeric", "extract(epoch FROM %?)"}, {"text", "trim(%text)"}, {"text", "substring(%text FROM 2 FOR 3)"}, {"text", "substring(%text FOR %int4)"}, {"int4", "position('a' IN %text)"}, {"text", "overlay(%text PLACING 'x' FROM 2)"},
		{"timestamptz", "now()"}, {"date", "current_date"}, {"timestamptz", "current_timestamp"}, {"interval", "(now() - %timestamptz)"}, {"interval", "interval '1 day'"}, {"date", "date '2020-01-01'"}, {"text", "concat(%?, %?)"}, {"text", "format('%%s', %?)"}, {"text", "concat_ws(',', %?, %?)"},
		{"text", "to_char(%timestamp, 'YYYY')"}, {"jsonb", "jsonb_build_object('a', %?)"}, {"jsonb", "to_jsonb(%?)"}, {"int4", "twice(%int4)"}, {"text", "twice(%text)"}, {"?", "twice(%?)"}, {"int4", "(%pair).a"}, {"text", "lower(%?)"}, {"int4", "length(%?)"}, {"text", "upper(%label)"},
		{"numeric", "round(%numeric, 2)"}, {"numeric", "round(%?, %?)"}, {"float8", "sqrt(%?)"}, {"int4", "char_length(%?)"}, {"bool", "starts_with(%text, 'a')"}, {"text", "no_such_function(%?)"}, {"int4", "(SELECT max(id) FROM u)"}, {"text", "(SELECT s FROM u LIMIT 1)"},
		{"?", "(%? + %?)"}, {"?", "(%? - %?)"}, {"?", "(%? * %?)"}, {"?", "(%? / %?)"}, {"bool", "(%? = %?)"}, {"bool", "(%? < %?)"}, {"?", "(%? || %?)"}, {"?", "(- %?)"}, {"?", "(%? % %?)"}, {"?", "(%? ^ %?)"}, {"?", "(%? -> %?)"}, {"bool", "(%? @> %?)"}, {"bool", "(%? && %?)"}, {"bool", "(%? <> %?)"}, {"bool", "(%? >= %?)"},
	} {
		add(x[0], x[1])
	}
	for name, list := range g.byResult {
		g.all = append(g.all, list...)
		g.returning = append(g.returning, name)
	}
	slices.Sort(g.all)
	slices.Sort(g.returning)
	return g
}

func (g *generator) n(n int) int { return g.r.IntN(n) }

func pick[T any](g *generator, list []T) T { return list[g.n(len(list))] }

// any makes an expression of any type.
func (g *generator) any(depth int) string {
	if depth == 0 || g.n(4) == 0 {
		return g.leaf(pick(g, columnTypes))
	}
	if g.n(6) == 0 {
		return g.of("?", depth)
	}
	return g.fill(pick(g, g.all), depth-1)
}

// of makes an expression that is meant to be of a type.
func (g *generator) of(t string, depth int) string {
	switch t {
	case "any", "anyelement", "anycompatible", "?":
		if t == "?" && depth > 0 && g.n(3) == 0 {
			return g.fill(pick(g, g.byResult["?"]), depth-1)
		}
		return g.any(depth)
	case "anyarray", "anycompatiblearray":
		t = pick(g, []string{"_int4", "_text", "_numeric", "_jsonb"})
	}
	if depth == 0 || len(g.byResult[t]) == 0 || g.n(3) == 0 {
		return g.leaf(t)
	}
	switch g.n(12) {
	case 0:
		return g.any(depth - 1)
	case 1:
		return "CAST(" + g.any(depth-1) + " AS " + sqlName(t) + ")"
	}
	return g.fill(pick(g, g.byResult[t]), depth-1)
}

var literals = []string{"1", "-2", "3.5", "4000000000", "1e3", "''", "'a'", "'1'", "'2.5'", "'true'", "'2020-01-01'", "'{}'", "'{1,2}'", "'{\"a\": 1}'", "NULL", "true", "'1 day'", "'sad'", "'[1,2]'", "B'101'", "'00000000-0000-0000-0000-000000000000'"}

var fitting = map[string][]string{
	"int4": {"1", "'1'", "-7"}, "int8": {"5000000000", "'1'", "2"}, "numeric": {"1.5", "'2.5'", "3"}, "float8": {"1.5::float8", "'1e3'", "2"}, "text": {"'a'", "'b'::text", "''"}, "bool": {"true", "'yes'", "false"},
	"date": {"'2020-01-01'", "date '2020-01-01'"}, "timestamp": {"'2020-01-01 10:00'", "timestamp '2020-01-01'"}, "interval": {"interval '1 day'", "'1 hour'"}, "jsonb": {"'{}'", "'[1]'::jsonb"}, "uuid": {"'00000000-0000-0000-0000-000000000000'"},
	"_int4": {"'{1,2}'", "ARRAY[1,2]"}, "_text": {"'{a,b}'", "ARRAY['a']"},
}

func (g *generator) leaf(t string) string {
	switch g.n(12) {
	case 0:
		return pick(g, literals)
	case 1, 2:
		if len(fitting[t]) > 0 {
			return pick(g, fitting[t])
		}
	case 3:
		return `c_` + pick(g, columnTypes)
	case 4:
		return pick(g, literals) + "::" + sqlName(pick(g, columnTypes))
	}
	if t == "?" || strings.HasPrefix(t, "any") {
		t = pick(g, columnTypes)
	}
	if slices.Contains(columnTypes, t) || t == "mood" || t == "amount" || t == "label" || t == "pair" {
		return `c_` + t
	}
	return "NULL::" + sqlName(t)
}

// fill replaces the %type of a template.
func (g *generator) fill(template string, depth int) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(template, "%")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		end := strings.IndexFunc(rest, func(r rune) bool { return r != '_' && r != '?' && (r < 'a' || r > 'z') && (r < '0' || r > '9') })
		if end < 0 {
			end = len(rest)
		}
		switch {
		case strings.HasPrefix(rest, "%s"):
			b.WriteString("%s")
			template = rest[2:]
			continue
		case end == 0:
			b.WriteString("%")
		default:
			b.WriteString(g.of(rest[:end], depth))
		}
		template = rest[end:]
	}
}

// query makes a SELECT over t and u.
func (g *generator) query() string {
	ucol := func() string {
		return pick(g, strings.Fields("u.id u.t_id u.n u.s u.v u.d u.ts u.j u.js u.amt u.ok u.a"))
	}
	plain := func() string { return pick(g, strings.Fields("id t_id n s v d ts j js amt ok a")) }
	agg := func() string {
		return pick(g, []string{"count(*)", "sum(" + ucol() + ")", "max(" + ucol() + ")", "avg(" + ucol() + ")", "array_agg(" + ucol() + ")", "string_agg(" + ucol() + ", ',')", "bool_and(" + ucol() + ")", "count(DISTINCT " + ucol() + ")", "min(" + ucol() + ") FILTER (WHERE " + ucol() + ")"})
	}
	expr := func() string {
		return pick(g, []string{ucol(), ucol(), ucol() + " + 1", "lower(" + ucol() + ")", ucol() + " || 'x'", "coalesce(" + ucol() + ", " + ucol() + ")", "u.amt * " + ucol(), "u.j ->> 's'"})
	}
	cond := func() string {
		return pick(g, []string{"u.id > 1", "u.ok", "u.s = " + ucol(), ucol() + " > " + ucol(), "u.d < now()", ucol() + " IS NULL", ucol(), "u.id IN (SELECT " + plain() + " FROM u)", "EXISTS (SELECT 1 FROM t WHERE t.id = " + ucol() + ")", "u.s LIKE 'a%'", agg() + " > 1"})
	}
	sel := func() string { return "SELECT " + expr() + " AS x, " + ucol() + " AS y FROM u" }
	switch g.n(16) {
	case 0:
		return sel() + " WHERE " + cond()
	case 1:
		return "SELECT " + ucol() + ", " + agg() + " FROM u GROUP BY " + pick(g, []string{ucol(), "1", "2", "u.id", ucol() + ", " + ucol(), "ROLLUP (" + ucol() + ", 1)"})
	case 2:
		return "SELECT " + ucol() + " AS a, " + agg() + " AS b FROM u GROUP BY " + ucol() + " HAVING " + pick(g, []string{agg() + " > 1", "count(*) > 1", ucol() + " = 1", "max(u.n) > 5"}) + pick(g, []string{"", " ORDER BY b", " ORDER BY " + ucol()})
	case 3:
		return sel() + pick(g, []string{" UNION ", " UNION ALL ", " INTERSECT ", " EXCEPT "}) + sel()
	case 4:
		return "SELECT " + plain() + " FROM u UNION ALL SELECT " + pick(g, []string{plain(), "NULL", "'a'", "1", plain() + ", 1"}) + " FROM u" + pick(g, []string{"", " ORDER BY 1", " ORDER BY " + plain(), " ORDER BY 1 + 1", " UNION SELECT " + plain() + " FROM u"})
	case 5:
		return "SELECT DISTINCT " + expr() + " AS x FROM u" + pick(g, []string{"", " ORDER BY x", " ORDER BY " + ucol()})
	case 6:
		return "SELECT DISTINCT ON (" + ucol() + ") u.id, " + ucol() + " FROM u ORDER BY " + ucol() + ", u.n"
	case 7:
		return "SELECT u.id, " + expr() + " AS x FROM u JOIN t ON " + pick(g, []string{"t.id = u.t_id", ucol() + " = t.id", "t.c_text = " + ucol(), ucol(), "t.c_bool"})
	case 8:
		return "SELECT " + pick(g, []string{"id", "x.n", "u.n", "*", "t_id"}) + " FROM u JOIN (SELECT " + plain() + " AS id, n FROM u) x USING (" + pick(g, []string{"id", "n", "id, n"}) + ")"
	case 9:
		return "WITH RECURSIVE r AS (SELECT " + pick(g, []string{"1", "id", "n", "amt", "'a'", "s", "v", "id::bigint"}) + " AS x FROM u UNION ALL SELECT " + pick(g, []string{"x + 1", "x", "x + u.n", "x || 'a'", "u.s", "u.id"}) + " FROM r JOIN u ON true) SELECT x, x + 1 FROM r"
	case 10:
		return "SELECT (SELECT " + pick(g, []string{plain(), plain() + ", " + plain(), agg()}) + " FROM u LIMIT " + pick(g, []string{"1", "'1'", "1.5", "'a'"}) + ") + 1 AS x FROM t"
	case 11:
		return "SELECT " + pick(g, []string{"row_number()", "rank()", "sum(" + ucol() + ")", "lag(" + ucol() + ")", "lower(u.s)", "first_value(" + ucol() + ")"}) + pick(g, []string{"", " OVER ()", " OVER (PARTITION BY " + ucol() + " ORDER BY " + ucol() + ")", " OVER w"}) + " AS x FROM u" + pick(g, []string{"", " WINDOW w AS (ORDER BY " + ucol() + ")"})
	case 12:
		return "SELECT * FROM (VALUES (1, 'a'), (" + pick(g, []string{"2", "'2'", "'x'", "2.5", "now()"}) + ", " + pick(g, []string{"'b'", "1", "NULL"}) + ")) AS q(a, b) WHERE " + pick(g, []string{"a > 1", "b > 1", "a", "b LIKE 'a'"})
	case 13:
		return "SELECT g, g + " + pick(g, []string{"1", "'1'", "'a'", "now()", "interval '1 day'"}) + " AS x FROM generate_series(" + pick(g, []string{"1, 10", "now(), now(), '1 day'", "1, 'a'", "1, 2.5", "'a', 2"}) + ") g"
	case 14:
		return "SELECT x, count(*) FROM u, unnest(" + pick(g, []string{"a", "s", "string_to_array(s, ',')", "ARRAY[1, 2]"}) + ") AS x GROUP BY " + pick(g, []string{"x", "1", "id"}) + pick(g, []string{"", " HAVING x > 1", " ORDER BY x", " ORDER BY id"})
	default:
		return "SELECT " + pick(g, []string{"d.x", "d.y", "x + 1", "y || 'a'", "lower(x)", "sum(x)"}) + " AS z FROM (" + sel() + ") d WHERE " + pick(g, []string{"true", "x > 1", "y = 'a'", "x", "x = y"}) + pick(g, []string{"", " LIMIT 5", " ORDER BY 1", " ORDER BY 3"})
	}
}
