package mysql

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/internal/treetest"
)

var update = flag.Bool("update", false, "rewrite the golden trees")

// constructs has one case for each construct: lines of treetest that the tree
// must have, in this order. A line ends with the text that the node spans.
var constructs = []struct {
	name, sql string
	want      []string
}{
	{"select list", "SELECT a, `b c`, t.b AS x, s.t.c y, t.*, * FROM s.t", []string{
		"Query SELECT a, `b c`, t.b AS x, s.t.c y, t.*, * FROM s.t", "SelectItem a", "Ident{Name:b c Quoted} `b c`", "SelectItem t.b AS x", "Column t.b", "Ident{Name:x} x",
		"Column s.t.c", "Star t.*", "Star *", "TableRef s.t"}},
	{"backquotes", "SELECT `a``b`.`c` FROM `a``b`", []string{"Column `a``b`.`c`", "Ident{Name:a`b Quoted} `a``b`", "Ident{Name:c Quoted} `c`", "TableRef `a``b`"}},
	{"strings", `SELECT 'it''s', "x""y", 'a\'b', 'a' 'b', N'n', _utf8mb4'z'`, []string{
		`Literal{Kind:3 Value:it's} 'it''s'`, `Literal{Kind:3 Value:x"y} "x""y"`, `Literal{Kind:3 Value:a'b} 'a\'b'`, `Literal{Kind:3 Value:ab} 'a' 'b'`}},
	{"string as alias", `SELECT '&lt;', 1 'one', 2 AS "two" FROM t`, []string{`Literal{Kind:3 Value:&lt;} '&lt;'`, `SelectItem 1 'one'`, `Ident{Name:one Quoted} 'one'`, `SelectItem 2 AS "two"`, `Ident{Name:two Quoted} "two"`}},
	{"distinctrow", "SELECT DISTINCTROW a, COUNT(DISTINCTROW b), NEXT VALUE FOR s FROM t", []string{"Select{Distinct} SELECT DISTINCTROW a, COUNT(DISTINCTROW b), NEXT VALUE FOR s FROM t", "Column a", "Column b"}},
	{"modifiers", "SELECT SQL_CALC_FOUND_ROWS DISTINCT STRAIGHT_JOIN a FROM t", []string{"Select{Distinct} SELECT SQL_CALC_FOUND_ROWS DISTINCT STRAIGHT_JOIN a FROM t", "SelectItem a"}},
	{"index hints and partitions", "SELECT 1 FROM a AS x USE INDEX (i) IGNORE INDEX FOR ORDER BY (j, k), b PARTITION (p0, p1) y FORCE KEY (PRIMARY)", []string{"Ident{Name:a} a", "Ident{Name:x} x", "Ident{Name:b} b", "Ident{Name:y} y"}},
	{"joins", "SELECT 1 FROM a JOIN b ON a.x = b.x LEFT OUTER JOIN c USING (y, z) NATURAL JOIN d CROSS JOIN e STRAIGHT_JOIN f ON f.x = a.x", []string{
		"Join{Kind:INNER} a JOIN b ON a.x = b.x LEFT OUTER JOIN c USING (y, z) NATURAL JOIN d CROSS JOIN e STRAIGHT_JOIN f ON f.x = a.x", "Join{Kind:CROSS} a JOIN b ON a.x = b.x LEFT OUTER JOIN c USING (y, z) NATURAL JOIN d CROSS JOIN e",
		"Join{Kind:INNER Natural} a JOIN b ON a.x = b.x LEFT OUTER JOIN c USING (y, z) NATURAL JOIN d", "Join{Kind:LEFT} a JOIN b ON a.x = b.x LEFT OUTER JOIN c USING (y, z)", "Join{Kind:INNER} a JOIN b ON a.x = b.x", "Ident{Name:y} y", "Op{Name:=} f.x = a.x"}},
	{"joins in parentheses", "SELECT 1 FROM (a, b) LEFT JOIN (c CROSS JOIN d) ON a.x = c.x", []string{"TableRef a", "TableRef b", "TableRef c", "TableRef d", "Op{Name:=} a.x = c.x"}},
	{"derived and lateral", "SELECT 1 FROM (SELECT a FROM t) AS d (x), LATERAL (SELECT d.x) l (y)", []string{
		"Derived (SELECT a FROM t) AS d (x)", "Query SELECT a FROM t", "Ident{Name:d} d", "Ident{Name:x} x", "Derived{Lateral} LATERAL (SELECT d.x) l (y)", "Ident{Name:y} y"}},
	{"json_table", "SELECT j.a FROM t, JSON_TABLE(t.doc, '$[*]' COLUMNS (id FOR ORDINALITY, a INT PATH '$.a' DEFAULT '1' ON EMPTY, NESTED PATH '$.c[*]' COLUMNS (d VARCHAR(10) PATH '$.d'))) AS j", []string{
		"TableFunc JSON_TABLE(t.doc, '$[*]' COLUMNS (id FOR ORDINALITY, a INT PATH '$.a' DEFAULT '1' ON EMPTY, NESTED PATH '$.c[*]' COLUMNS (d VARCHAR(10) PATH '$.d'))) AS j", "Column t.doc", "Ident{Name:id} id", "Ident{Name:a} a", "Ident{Name:d} d", "Ident{Name:j} j"}},
	{"group by with rollup", "SELECT a, COUNT(*) FROM t GROUP BY a, b + 1 WITH ROLLUP HAVING COUNT(*) > 1 ORDER BY a DESC, 2 LIMIT 5, 10", []string{"Func{Star", "Column a"}},
	{"limit and locks", "SELECT a FROM t, u LIMIT 10 OFFSET 5 FOR UPDATE OF t, u SKIP LOCKED", []string{"Literal{Kind:2 Value:10} 10", "Literal{Kind:2 Value:5} 5", "Name t", "Name u"}},
	{"lock in share mode", "SELECT a FROM t LOCK IN SHARE MODE", []string{"Query SELECT a FROM t LOCK IN SHARE MODE"}},
	{"into variables", "SELECT a, b FROM t WHERE c = 'INTO @x' INTO @x, @y", []string{"Column a", "TableRef t", "Column c"}},
	{"into a file", "SELECT a INTO OUTFILE 'INTO \\'f' FIELDS TERMINATED BY ',' LINES TERMINATED BY '\\n' FROM t WHERE b", []string{"Column a", "TableRef t", "Column b"}},
	{"into a dump", "SELECT a INTO DUMPFILE 'f' FROM t", []string{"Column a", "TableRef t"}},
	{"sounds like", "SELECT sounds SOUNDS LIKE 'x', a sounds FROM t WHERE b SOUNDS LIKE c", []string{"Op{Name:SOUNDS LIKE} sounds SOUNDS LIKE 'x'", "Ident{Name:sounds} sounds", "Op{Name:SOUNDS LIKE} b SOUNDS LIKE c"}},
	{"match without parentheses", "SELECT a FROM t WHERE MATCH b, t.c AGAINST ('x' IN BOOLEAN MODE) AND MATCH d AGAINST ('y')", []string{
		"Func MATCH b, t.c AGAINST ('x' IN BOOLEAN MODE)", "Column b", "Column t.c", "Func MATCH d AGAINST ('y')", "Column d"}},
	{"outer join of ODBC", "SELECT 1 FROM { OJ a LEFT OUTER JOIN b ON a.x = b.x } WHERE c", []string{"Join{Kind:LEFT} a LEFT OUTER JOIN b ON a.x = b.x", "Column c"}},
	{"names with a dollar", "SELECT a AS $x, b y$ FROM t ORDER BY $x", []string{"Ident{Name:$x} $x", "Ident{Name:y$} y$"}},
	{"bytes with a character set", "SELECT _latin1 0xE4, _utf8mb4 x'41' FROM t", []string{"Literal{Kind:4 Value:0xE4} _latin1 0xE4"}},
	{"prepare", "PREPARE p FROM 'SELECT a FROM t'", []string{"Name p", "Query SELECT a FROM t"}},
	{"lock tables", "LOCK TABLES a READ, b AS x WRITE", []string{"Name a", "Name b"}},
	{"windows", "SELECT SUM(a) OVER w, RANK() OVER (PARTITION BY b ORDER BY c DESC ROWS BETWEEN 1 PRECEDING AND UNBOUNDED FOLLOWING), NTH_VALUE(a, 2) FROM FIRST RESPECT NULLS OVER w FROM t WINDOW w AS (PARTITION BY d)", []string{
		"Func SUM(a) OVER w", "WindowDef w", "Func RANK() OVER (PARTITION BY b ORDER BY c DESC ROWS BETWEEN 1 PRECEDING AND UNBOUNDED FOLLOWING)", "Column b", "OrderItem{Desc} c DESC", "WindowDef w AS (PARTITION BY d)"}},
	{"set operations", "SELECT 1 UNION SELECT 2 INTERSECT SELECT 3 EXCEPT ALL SELECT 4 ORDER BY 1 LIMIT 1", []string{
		"SetOp{Op:EXCEPT All} SELECT 1 UNION SELECT 2 INTERSECT SELECT 3 EXCEPT ALL SELECT 4", "SetOp{Op:UNION} SELECT 1 UNION SELECT 2 INTERSECT SELECT 3", "SetOp{Op:INTERSECT} SELECT 2 INTERSECT SELECT 3", "OrderItem 1"}},
	{"set operations in parentheses", "(SELECT 1 ORDER BY 1 LIMIT 2) UNION ALL (SELECT 2) ORDER BY 1", []string{"SetOp{Op:UNION All} (SELECT 1 ORDER BY 1 LIMIT 2) UNION ALL (SELECT 2)", "Select SELECT 1", "Select SELECT 2"}},
	{"values", "VALUES ROW(1, 'a'), ROW(2, 'b') ORDER BY 1", []string{"Query VALUES ROW(1, 'a'), ROW(2, 'b') ORDER BY 1", "Literal{Kind:2 Value:1} 1", "Literal{Kind:3 Value:b} 'b'"}},
	{"table", "TABLE s.t ORDER BY a LIMIT 1", []string{"Star TABLE", "TableRef s.t", "OrderItem a"}},
	{"with recursive", "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 5), d AS (TABLE c) SELECT * FROM c JOIN d USING (n)", []string{
		"With{Recursive} WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 5), d AS (TABLE c)", "CTE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 5)", "CTE d AS (TABLE c)", "Ident{Name:n} n"}},
	{"variables", "SELECT @a := @a + b, @@global.x, @`q r` FROM t", []string{"Param{Name:", "Column b"}},
	{"tests", "SELECT a IS NULL, a IS NOT TRUE, a LIKE 'x' ESCAPE '!', a NOT REGEXP 'b', a BETWEEN 1 AND 2, a NOT IN (1, 2), a <=> b FROM t", []string{
		"Op{Name:IS NULL} a IS NULL", "Op{Name:IS NOT TRUE} a IS NOT TRUE", "Op{Name:LIKE} a LIKE 'x' ESCAPE '!'", "Op{Name:NOT REGEXP} a NOT REGEXP 'b'", "Op{Name:BETWEEN} a BETWEEN 1 AND 2", "Op{Name:NOT IN} a NOT IN (1, 2)", "Op{Name:<=>} a <=> b"}},
	{"subqueries", "SELECT (SELECT 1), a IN (SELECT 2), (a, b) NOT IN (SELECT 1, 2), a = ANY (SELECT 3), a <> ALL (SELECT 4), EXISTS (SELECT 5) FROM t", []string{
		"Subquery{Kind:SCALAR} (SELECT 1)", "Subquery{Kind:IN} a IN (SELECT 2)", "Subquery{Kind:IN} (a, b) NOT IN (SELECT 1, 2)", "Subquery{Kind:IN} a = ANY (SELECT 3)", "Subquery{Kind:IN} a <> ALL (SELECT 4)", "Subquery{Kind:EXISTS} EXISTS (SELECT 5)"}},
	{"casts", "SELECT CAST(a AS UNSIGNED), CAST(b AS CHAR(10)), CONVERT(c, DECIMAL(10, 2)), CONVERT(d USING utf8mb4), BINARY e, f COLLATE utf8mb4_bin FROM t", []string{
		"Cast CAST(a AS UNSIGNED)", "Cast CAST(b AS CHAR(10))", "Cast CONVERT(c, DECIMAL(10, 2))", "Column d", "Column e", "Op{Name:COLLATE} f COLLATE utf8mb4_bin"}},
	{"json", "SELECT doc -> '$.a', doc ->> '$.b', 1 MEMBER OF (doc), JSON_VALUE(doc, '$.x' RETURNING DECIMAL(4, 2) DEFAULT 0 ON EMPTY), JSON_ARRAYAGG(a) FROM t", []string{
		"Op{Name:->} doc -> '$.a'", "Op{Name:->>} doc ->> '$.b'", "Column doc", "Column doc", "Func JSON_ARRAYAGG(a)"}},
	{"dates", "SELECT DATE_ADD(a, INTERVAL 1 DAY), b + INTERVAL c MONTH, EXTRACT(YEAR FROM d), TIMESTAMPDIFF(MONTH, e, f), GET_FORMAT(DATE, 'USA'), CURRENT_TIMESTAMP(3), DATE '2020-01-01' FROM t", []string{
		"Func DATE_ADD(a, INTERVAL 1 DAY)", "Column a", "Column b", "Column c", "Column d", "Column e", "Column f"}},
	{"aggregates", "SELECT GROUP_CONCAT(DISTINCT a, b ORDER BY c DESC SEPARATOR ';'), COUNT(DISTINCT a, b), MATCH (a, b) AGAINST ('x' IN BOOLEAN MODE) FROM t", []string{
		"Column a", "Column b", "OrderItem{Desc} c DESC", "Column a", "Column b", "Column a", "Column b"}},
	{"parameters", "SELECT a FROM t WHERE a = ? LIMIT ?", []string{"Param ?", "Param ?"}},

	{"insert", "INSERT LOW_PRIORITY IGNORE INTO s.t PARTITION (p0) (a, `b`) VALUES (1, DEFAULT), (2, b + 1) ON DUPLICATE KEY UPDATE a = VALUES(a) + 1, b = t.b", []string{
		"Name s.t", "Ident{Name:a} a", "Ident{Name:b Quoted} `b`", "Literal{Kind:4 Value:DEFAULT} DEFAULT", "Conflict ON DUPLICATE KEY UPDATE a = VALUES(a) + 1, b = t.b", "Assignment a = VALUES(a) + 1", "Assignment b = t.b", "Column t.b"}},
	{"insert set", "INSERT t SET a = 1, b = DEFAULT", []string{"TableRef t", "Assignment a = 1", "Assignment b = DEFAULT"}},
	{"row alias", "INSERT INTO t (a, b) VALUES (1, 2) AS new ON DUPLICATE KEY UPDATE b = new.a", []string{"Conflict{Excluded:new} ON DUPLICATE KEY UPDATE b = new.a", "Column new.a"}},
	{"row alias with columns", "INSERT INTO t (a, b) VALUES (1, 2) AS new (m, n) ON DUPLICATE KEY UPDATE b = m", []string{"Conflict{Excluded:new} ON DUPLICATE KEY UPDATE b = m", "Assignment b = m"}},
	{"insert returning", "INSERT INTO t (a) VALUES (1) RETURNING a, b AS c", []string{"SelectItem a", "SelectItem b AS c"}},
	{"insert select", "INSERT INTO t (a) WITH c AS (SELECT 1) SELECT * FROM c", []string{"Query WITH c AS (SELECT 1) SELECT * FROM c"}},
	{"replace", "REPLACE INTO t (a) VALUES (1)", []string{"Insert REPLACE INTO t (a) VALUES (1)", "TableRef t", "Ident{Name:a} a"}},
	{"update", "UPDATE LOW_PRIORITY t AS x SET a = 1, x.b = b + 1 WHERE a = 2 ORDER BY a LIMIT 5", []string{"TableRef t AS x", "Assignment a = 1", "Column a", "Assignment x.b = b + 1", "Column x.b", "Op{Name:=} a = 2", "OrderItem a", "Literal{Kind:2 Value:5} 5"}},
	{"update of several tables", "UPDATE a, b JOIN c USING (k) SET a.x = b.y, c.z = DEFAULT WHERE a.k = b.k", []string{"TableRef a", "Join{Kind:INNER} b JOIN c USING (k)", "Assignment a.x = b.y", "Column a.x", "Assignment c.z = DEFAULT"}},
	{"delete", "DELETE QUICK FROM t AS x WHERE a = 1 ORDER BY b LIMIT 3", []string{"TableRef t AS x", "Op{Name:=} a = 1", "OrderItem b", "Literal{Kind:2 Value:3} 3"}},
	{"delete from several tables", "DELETE a, b FROM a JOIN b USING (k) WHERE a.x = 1", []string{"Name a", "Name b", "Join{Kind:INNER} a JOIN b USING (k)"}},
	{"delete using", "DELETE FROM a, b USING a JOIN b USING (k) WHERE b.x = 1", []string{"Name a", "Name b", "Join{Kind:INNER} a JOIN b USING (k)", "Op{Name:=} b.x = 1"}},
	{"delete returning", "DELETE FROM t WHERE a = 1 RETURNING a, b", []string{"SelectItem a", "SelectItem b"}},

	{"create table", "CREATE TABLE IF NOT EXISTS `s`.`t` (a INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY COMMENT 'x', b VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_uca1400_ai_ci DEFAULT 'y', c DECIMAL(10,2) GENERATED ALWAYS AS (a * 2) STORED, d ENUM('a','b') INVISIBLE, e TIMESTAMP DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP, p POINT NOT NULL SRID 4326, KEY k (b(10), a DESC), UNIQUE KEY u (b), SPATIAL INDEX (p), CONSTRAINT fk FOREIGN KEY (a) REFERENCES p (id) ON DELETE CASCADE ON UPDATE SET NULL, CONSTRAINT ck CHECK (a > 0)) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='tab'", []string{
		"CreateTable{IfNotExists}", "Name `s`.`t`", "Constraint{Kind:NOT NULL} NOT NULL", "Constraint{Kind:IDENTITY} AUTO_INCREMENT", "Constraint{Kind:PRIMARY KEY} PRIMARY KEY", "Constraint{Kind:DEFAULT} DEFAULT 'y'",
		"Constraint{Kind:GENERATED", "Op{Name:*} a * 2", "Constraint{Kind:ON UPDATE}", "Constraint{Kind:UNIQUE", "Constraint{Kind:FOREIGN KEY OnDelete:CASCADE OnUpdate:SET NULL} CONSTRAINT fk FOREIGN KEY (a) REFERENCES p (id) ON DELETE CASCADE ON UPDATE SET NULL",
		"Constraint{Kind:CHECK} CONSTRAINT ck CHECK (a > 0)"}},
	{"partitions", "CREATE TABLE t (a INT, d DATE) PARTITION BY RANGE (YEAR(d)) (PARTITION p0 VALUES LESS THAN (2000), PARTITION p1 VALUES LESS THAN MAXVALUE)", []string{"CreateTable CREATE TABLE t (a INT, d DATE) PARTITION BY RANGE (YEAR(d)) (PARTITION p0 VALUES LESS THAN (2000), PARTITION p1 VALUES LESS THAN MAXVALUE)", "ColumnDef d DATE"}},
	{"create table like", "CREATE TABLE t LIKE s.u", []string{"Name t", "Name s.u"}},
	{"create table as", "CREATE TABLE t (a INT) AS SELECT b FROM u", []string{"ColumnDef a INT", "Query SELECT b FROM u"}},
	{"create index", "CREATE UNIQUE INDEX i ON t (a, (b + 1), c(10) DESC) USING BTREE COMMENT 'x'", []string{"CreateIndex{Unique", "Ident{Name:i} i", "Name t", "Column a", "Op{Name:+} b + 1", "IndexKey{Desc Length:10} c(10) DESC"}},
	{"create view", "CREATE OR REPLACE ALGORITHM=MERGE DEFINER=`root`@`localhost` SQL SECURITY INVOKER VIEW s.v (a, b) AS SELECT 1, 2 WITH CASCADED CHECK OPTION", []string{"CreateView{Replace}", "Name s.v", "Ident{Name:b} b", "Query SELECT 1, 2"}},
	{"alter table", "ALTER TABLE t ADD COLUMN a INT NOT NULL AFTER b, DROP COLUMN c, MODIFY d VARCHAR(10), CHANGE e f INT, ADD INDEX i (a), ADD CONSTRAINT fk FOREIGN KEY (a) REFERENCES u (b), RENAME COLUMN g TO h, ALTER COLUMN l SET DEFAULT 3", []string{
		"AlterTable{Kind:TABLE}", "AlterAction{Kind:ADD COLUMN", "Ident{Name:a} a", "AlterAction{Kind:DROP COLUMN} DROP COLUMN c", "Ident{Name:c} c", "Constraint{Kind:FOREIGN KEY} CONSTRAINT fk FOREIGN KEY (a) REFERENCES u (b)", "Literal{Kind:2 Value:3} 3"}},
	{"drop", "DROP TABLE IF EXISTS a, s.b CASCADE", []string{"Drop{Kind:TABLE IfExists} DROP TABLE IF EXISTS a, s.b CASCADE", "Name a", "Name s.b"}},
	{"truncate", "TRUNCATE TABLE t", []string{"Truncate TRUNCATE TABLE t", "Name t"}},
	{"explain", "EXPLAIN FORMAT=JSON SELECT a FROM t", []string{"Explain", "Query SELECT a FROM t"}},
	{"trigger", "CREATE DEFINER=`root`@`localhost` TRIGGER g BEFORE INSERT ON t FOR EACH ROW SET NEW.a = 1", []string{"CreateTrigger{Timing:BEFORE Events:[INSERT]}", "Ident{Name:g} g", "Name t"}},
	{"set", "SET NAMES utf8mb4 COLLATE utf8mb4_uca1400_ai_ci", []string{"Other{Kind:SET"}},
	{"comments", "SELECT /*+ MAX_EXECUTION_TIME(1) */ /*! STRAIGHT_JOIN */ a /* b */, # c\n d -- e\nFROM t /*T! , u */", []string{"SelectItem a", "SelectItem d", "TableRef t"}},
	{"conditional comments", "/*!50003 SELECT*/ a/*!99999 , b*//*!80000 , c*/ FROM t", []string{"SelectItem a", "SelectItem c", "TableRef t"}},
}

// missing is treetest.Missing for lines of which some are only a beginning.
func missing(s *sqltree.Script, want []string) string {
	lines := treetest.Lines(s)
	i := 0
	for _, w := range want {
		for i < len(lines) && lines[i] != w && !(strings.Contains(w, "{") && !strings.Contains(w, "} ") && strings.HasPrefix(lines[i], w)) && !(!strings.Contains(w, " ") && strings.HasPrefix(lines[i], w)) {
			i++
		}
		if i == len(lines) {
			return w
		}
		i++
	}
	return ""
}

func TestParse_Constructs(t *testing.T) {
	for _, c := range constructs {
		t.Run(c.name, func(t *testing.T) {
			for _, parse := range []func(string) (*sqltree.Script, error){Parse, ParseMariaDB} {
				if c.name == "conditional comments" && parse != nil {
					parse = Parse
				}
				s, err := parse(c.sql)
				if err != nil {
					t.Fatalf("Parse(%q): %v", c.sql, err)
				}
				if m := missing(s, c.want); m != "" {
					t.Errorf("Parse(%q) has no\n%s\nat its place in\n%s", c.sql, m, treetest.Dump(s))
				}
				for _, p := range treetest.Problems(s, spelled) {
					t.Error(p)
				}
			}
		})
	}
}

// spelled is the name that a spelling of an identifier stands for.
func spelled(s string) string {
	q := s[0]
	if q != '`' && q != '\'' && q != '"' || len(s) < 2 {
		return s
	}
	var b strings.Builder
	for i := 1; i < len(s)-1; i++ {
		switch {
		case s[i] == q:
			i++
		case s[i] == '\\' && q != '`':
			i++
			if s[i] == '%' || s[i] == '_' {
				b.WriteByte('\\')
			} else if n := strings.IndexByte("0bnrtZ", s[i]); n >= 0 {
				b.WriteByte("\x00\b\n\r\t\x1a"[n])
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func TestParse_Golden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatalf("no statements: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s, err := Parse(string(text))
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range treetest.Problems(s, spelled) {
				t.Error(p)
			}
			golden := strings.TrimSuffix(file, ".sql") + ".tree"
			got := treetest.Dump(s)
			if *update {
				if os.Getenv("CI") != "" {
					t.Fatal("-update is for people, not for CI")
				}
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("tree of %s:\n%s\nwant\n%s", file, got, want)
			}
		})
	}
}

func TestParse_Errors(t *testing.T) {
	tests := []struct{ name, text, want, at string }{
		{"word left over", "SELECT a\n FORM t WHERE b", "", "t"},
		{"grammar", "SELECT a FROM t GROUP BY ROLLUP (a)", `syntax error at or near "(a" (line 1, column 33)`, "("},
		{"another dialect's", "SELECT a::int FROM t", "", ""},
		{"full join", "SELECT 1 FROM a FULL OUTER JOIN b ON a.x = b.x", "", ""},
		{"later statement", "SELECT 1;\nSELECT a FROM t GROUP BY ROLLUP (a)", `syntax error at or near "(a" (line 2, column 33)`, "("},
		{"in RETURNING", "DELETE FROM t RETURNING a, ROLLUP (b", "", ""},
		{"NUL", "SELECT 1\x00", "", "\x00"},
		{"UTF-8", "SELECT '\xff'", "", "\xff"},
		{"nested", "SELECT " + strings.Repeat("(", 501) + "1" + strings.Repeat(")", 501), "", "("},
		{"AND", "SELECT 1 WHERE a" + strings.Repeat(" OR a", 100001), "too many AND and OR in a row (more than 100000) (line 1, column 500018)", "OR"},
		{"operators", "SELECT 1" + strings.Repeat("+1", 1000000), "", "+"},
		{"string", "SELECT 'a", "", ""},
		{"comment", "SELECT 1 /* a", "", ""},
		{"conditional comment", "SELECT 1 /*!50003 + ", "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Parse(test.text)
			var e *sqltree.SyntaxError
			if !errors.As(err, &e) {
				t.Fatalf("got %v, want a *sqltree.SyntaxError", err)
			}
			if test.want != "" && e.Error() != test.want {
				t.Errorf("got %q, want %q", e.Error(), test.want)
			}
			if at := test.text[e.Start:e.End]; test.at != "" && at != test.at {
				t.Errorf("the error %v is at %q, want %q", e, at, test.at)
			}
		})
	}
}

func TestParse_ManyConditions(t *testing.T) {
	s, err := Parse("SELECT 1 FROM t WHERE a = 1" + strings.Repeat(" OR a = 1", 50000))
	if err != nil || len(s.Statements) != 1 {
		t.Fatalf("%v", err)
	}
}

// TestParse_StringsSideBySide holds that TiDB's grammar, whose time for such a
// string grows with its square, gets the first part alone, and the tree has all.
func TestParse_StringsSideBySide(t *testing.T) {
	const n = 20000
	text := "SELECT 'a'" + strings.Repeat(" /* x */ \"b\"", n) + ", `c` 'd', 'e' AS 'f'"
	if bare := makeTexts(text, false).bare; len(strings.Fields(bare)) != 8 {
		t.Errorf("TiDB gets %d words, want 8", len(strings.Fields(bare)))
	}
	s, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	items := s.Statements[0].(*sqltree.Query).Body.(*sqltree.Select).Items
	if l := items[0].Expr.(*sqltree.Literal); l.Value != "a"+strings.Repeat("b", n) || len(items) != 3 {
		t.Errorf("%d items, a string of %d bytes; want 3 and %d", len(items), len(l.Value), n+1)
	}
}

// dump is what mysqldump writes, shortened.
const dump = `-- MySQL dump 10.13  Distrib 8.0.36
/*M!999999\- enable the sandbox mode */
/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!50503 SET NAMES utf8mb4 */;
DROP TABLE IF EXISTS ` + "`actor`" + `;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
CREATE TABLE ` + "`actor`" + ` (
  ` + "`id`" + ` smallint unsigned NOT NULL AUTO_INCREMENT,
  ` + "`at`" + ` point NOT NULL /*!80003 SRID 0 */,
  PRIMARY KEY (` + "`id`" + `)
) ENGINE=InnoDB AUTO_INCREMENT=201 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;
LOCK TABLES ` + "`actor`" + ` WRITE;
/*!40000 ALTER TABLE ` + "`actor`" + ` DISABLE KEYS */;
INSERT INTO ` + "`actor`" + ` VALUES (1,'O\'Neil;'),(2,"x;");
UNLOCK TABLES;
DELIMITER ;;
/*!50003 CREATE*/ /*!50017 DEFINER=` + "`root`@`localhost`" + `*/ /*!50003 TRIGGER ` + "`t`" + ` BEFORE INSERT ON ` + "`actor`" + ` FOR EACH ROW BEGIN
  SET NEW.id = 1;
  IF NEW.id > 1 THEN SET NEW.id = 2; END IF;
END */;;
CREATE PROCEDURE p(IN a INT) BEGIN SELECT a; SELECT 2; END;;
DELIMITER ;
/*!50001 CREATE ALGORITHM=UNDEFINED */
/*!50013 DEFINER=` + "`root`@`localhost`" + ` SQL SECURITY DEFINER */
/*!50001 VIEW ` + "`v`" + ` AS select ` + "`a`.`id`" + ` AS ` + "`id`" + ` from ` + "`actor` `a`" + ` */;
/*!40101 SET CHARACTER_SET_CLIENT=@OLD_CHARACTER_SET_CLIENT */;
`

func TestParse_Dump(t *testing.T) {
	for name, parse := range map[string]func(string) (*sqltree.Script, error){"mysql": Parse, "mariadb": ParseMariaDB} {
		s, err := parse(dump)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, p := range treetest.Problems(s, spelled) {
			t.Errorf("%s: %s", name, p)
		}
		kinds := map[string]int{}
		for _, st := range s.Statements {
			kinds[fmt.Sprintf("%T", st)]++
			if v, ok := st.(*sqltree.CreateView); ok && v.Query == nil {
				t.Errorf("%s: the view has no query", name)
			}
		}
		want := map[string]int{
			"*sqltree.Drop": 1, "*sqltree.CreateTable": 1, "*sqltree.AlterTable": 1, "*sqltree.Insert": 1,
			"*sqltree.CreateTrigger": 1, "*sqltree.CreateFunction": 1, "*sqltree.CreateView": 1,
		}
		for k, n := range want {
			if kinds[k] != n {
				t.Errorf("%s: %d of %s, want %d", name, kinds[k], k, n)
			}
		}
	}
}

// TestParse_MariaDB is of what the two take differently.
func TestParse_MariaDB(t *testing.T) {
	text := "SELECT 1 /*M!100100 , 2 */ /*!50701 , 3 */ /*!50500 , 4 */ /*!100100 , 5 */"
	for name, want := range map[string]string{"mysql": "1 3 4", "mariadb": "1 2 4 5"} {
		parse := Parse
		if name == "mariadb" {
			parse = ParseMariaDB
		}
		s, err := parse(text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []string
		sqltree.Inspect(s, func(n sqltree.Node) bool {
			if l, ok := n.(*sqltree.Literal); ok {
				got = append(got, text[l.Start:l.End])
			}
			return true
		})
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", name, got, want)
		}
	}
	if _, err := Parse("CREATE OR REPLACE TABLE t (a INT)"); err == nil {
		t.Error("MySQL has no CREATE OR REPLACE TABLE")
	}
	if _, err := ParseMariaDB("CREATE OR REPLACE TABLE t (a INT)"); err != nil {
		t.Error(err)
	}
}

func FuzzParse(f *testing.F) {
	for _, c := range constructs {
		f.Add(c.sql)
	}
	f.Add(dump)
	f.Fuzz(func(t *testing.T, text string) {
		var s *sqltree.Script
		var err error
		treetest.Timely(t, text, func() { s, err = Parse(text) })
		if err != nil {
			var e *sqltree.SyntaxError
			if !errors.As(err, &e) || e.Start < 0 || e.End > len(text) || e.Start > e.End {
				t.Fatalf("Parse(%q): %#v", text, err)
			}
			return
		}
		for _, p := range treetest.Problems(s, spelled) {
			t.Errorf("Parse(%q): %s", text, p)
		}
	})
}

var statement2K = strings.Repeat(`SELECT r.month, r.region, COALESCE(r.revenue, 0) AS revenue, CASE WHEN r.rk = 1 THEN 'top' WHEN r.rk <= 3 THEN 'high' ELSE 'rest' END AS band
FROM (SELECT m.*, RANK() OVER (PARTITION BY m.region ORDER BY m.revenue DESC) AS rk FROM monthly m) r
JOIN sales.order_items AS oi ON oi.order_id = r.id LEFT JOIN crm.customers c ON c.id = r.customer_id
WHERE r.status IN ('paid', 'shipped') AND r.ordered_at >= DATE '2024-01-01' AND EXISTS (SELECT 1 FROM geo.regions g WHERE g.name = r.region AND g.active)
UNION ALL
`, 4) + "SELECT month, region, sum(revenue), 'all' FROM monthly GROUP BY 1, 2 ORDER BY 1"

func BenchmarkParse_Statement(b *testing.B) {
	b.SetBytes(int64(len(statement2K)))
	for b.Loop() {
		if _, err := Parse(statement2K); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkParse_Dump is of a dump with INSERTs of many rows: 10 MB.
func BenchmarkParse_Dump(b *testing.B) {
	row := "(1,'PENELOPE','GUINESS','2006-02-15 04:34:33',NULL,12.50),"
	insert := "INSERT INTO `actor` VALUES " + strings.Repeat(row, 2000) + row[:len(row)-1] + ";\n"
	text := strings.Repeat(insert, 10<<20/len(insert))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := Parse(text); err != nil {
			b.Fatal(err)
		}
	}
}

func TestLive(t *testing.T) {
	for _, tt := range []struct {
		d          sqltree.Dialect
		text, want string
	}{
		{sqltree.MySQL, "a /*!50100 b */ c", "a          b    c"},
		{sqltree.MySQL, "a /*M! b */\n'/*! c */' -- /*! d */", "a          \n'/*! c */' -- /*! d */"},
		{sqltree.MariaDB, "a /*M! b */ /*!80000 c\n */d", "a      b              \n   d"},
	} {
		if got := Live(tt.d, tt.text); got != tt.want {
			t.Errorf("Live(%s, %q) = %q, want %q", tt.d, tt.text, got, tt.want)
		}
	}
}
