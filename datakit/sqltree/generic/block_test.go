package generic

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// found writes what ParseRoutine finds, a line for each statement.
func found(s *sqltree.Script) string {
	var lines []string
	for _, st := range s.Statements {
		at := st.Pos()
		line := fmt.Sprintf("%T %s", st, strings.Join(strings.Fields(s.Text[at.Start:at.End]), " "))
		if o, ok := st.(*sqltree.Other); ok {
			line = o.Kind
			if o.Name != nil {
				for i, part := range o.Name.Parts {
					line += []string{" ", "."}[min(i, 1)] + part.Name
				}
				line += " ="
			}
			if len(o.Exprs) > 0 {
				line += " " + strings.Join(strings.Fields(s.Text[at.Start:at.End]), " ")
			}
		}
		lines = append(lines, strings.TrimPrefix(line, "*sqltree."))
	}
	for _, n := range s.Notes {
		lines = append(lines, "note: "+n.Message)
	}
	return strings.Join(lines, "\n")
}

func TestParseRoutine(t *testing.T) {
	tests := []struct {
		name    string
		dialect sqltree.Dialect
		text    string
		want    string
	}{
		{"plpgsql", sqltree.Postgres, `
DECLARE
  total numeric := (select sum(x) from t);
  r record;
  c CURSOR FOR SELECT id FROM u;
BEGIN
  SELECT a, b INTO STRICT va, r.b FROM t WHERE id = p;
  IF total > 3 AND EXISTS (SELECT 1 FROM u) THEN
    UPDATE t SET a = 1 WHERE id = p RETURNING id INTO v;
  ELSIF NOT FOUND THEN
    INSERT INTO u (id) VALUES (p) ON CONFLICT (id) DO UPDATE SET n = 1;
  END IF;
  FOR r IN SELECT * FROM t LOOP
    DELETE FROM u WHERE id = r.id;
  END LOOP;
  FOR i IN 1..10 LOOP
    x[i] := i + 1;
    NEW.total = total;
    PERFORM f(id) FROM u;
    EXIT WHEN x > 3;
  END LOOP;
  CASE x WHEN 1 THEN y := case when a then 1 else 2 end; ELSE NULL; END CASE;
  EXECUTE format('delete from %I', name) USING NEW.id;
  RETURN QUERY SELECT id FROM t;
  RETURN NEW;
EXCEPTION WHEN others THEN
  RAISE NOTICE 'x %', OLD.name;
END`,
			`SET numeric = (select sum(x) from t)
Query SELECT id FROM u
Query SELECT a, b INTO STRICT va, r.b FROM t WHERE id = p
IF total > 3 AND EXISTS (SELECT 1 FROM u)
Update UPDATE t SET a = 1 WHERE id = p RETURNING id
ELSIF NOT FOUND
Insert INSERT INTO u (id) VALUES (p) ON CONFLICT (id) DO UPDATE SET n = 1
Query SELECT * FROM t
Delete DELETE FROM u WHERE id = r.id
SET x = i + 1
SET NEW.total = total
Query PERFORM f(id) FROM u
WHEN x > 3
CASE x
WHEN 1
SET y = case when a then 1 else 2 end
EXECUTE format('delete from %I', name)
 NEW.id
Query SELECT id FROM t
RETURN NEW
WHEN others
 OLD.name`},
		{"mysql procedure", sqltree.MySQL, `CREATE DEFINER=root@localhost PROCEDURE p(IN a INT, OUT b INT)
READS SQL DATA COMMENT 'select 1'
BEGIN
  DECLARE done INT DEFAULT 0;
  DECLARE c CURSOR FOR SELECT id FROM t;
  DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = 1;
  SET b = (SELECT max(id) FROM t), @x = a + 1;
  SELECT count(*) INTO b FROM t;
  lbl: LOOP
    FETCH c INTO a;
    IF done THEN LEAVE lbl; END IF;
    WHILE a > 0 DO
      INSERT INTO u SELECT * FROM t;
    END WHILE;
    REPEAT UPDATE u SET n = n + 1; UNTIL a = 0 END REPEAT;
  END LOOP lbl;
  CALL q(a, (SELECT 1));
END`,
			`DEFAULT 0
Query SELECT id FROM t
SET done = 1
SET b = (SELECT max(id) FROM t)
SET @x = a + 1
Query SELECT count(*) INTO b FROM t
IF done
WHILE a > 0
Insert INSERT INTO u SELECT * FROM t
Update UPDATE u SET n = n + 1
UNTIL a = 0
CALL q(a, (SELECT 1))`},
		{"mysql function", sqltree.MySQL, "CREATE FUNCTION f(a INT) RETURNS INT DETERMINISTIC RETURN (SELECT max(x) FROM t WHERE id = a)", "RETURN (SELECT max(x) FROM t WHERE id = a)"},
		{"mysql trigger of one statement", sqltree.MySQL, "CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW FOLLOWS h INSERT INTO log VALUES (NEW.id)", "Insert INSERT INTO log VALUES (NEW.id)"},
		{"mysql trigger of a value", sqltree.MySQL, "CREATE TRIGGER g BEFORE UPDATE ON t FOR EACH ROW SET NEW.a = OLD.a + 1", "SET NEW.a = OLD.a + 1"},
		{"sqlite trigger", sqltree.SQLite, "CREATE TRIGGER g AFTER UPDATE OF a, b ON t WHEN new.a > 1 BEGIN UPDATE u SET n = case when old.a then 1 end; INSERT OR REPLACE INTO u SELECT new.id; END",
			"WHEN new.a > 1\nUpdate UPDATE u SET n = case when old.a then 1 end\nInsert INSERT OR REPLACE INTO u SELECT new.id"},
		{"tsql", sqltree.Generic, `CREATE TRIGGER g ON t AFTER INSERT, UPDATE AS
BEGIN
  SET NOCOUNT ON
  DECLARE @n int = 1
  IF EXISTS (SELECT 1 FROM inserted)
    UPDATE u SET n = 1 WHERE id = 2
  DELETE FROM u
  INSERT INTO log (id) SELECT id FROM inserted
  EXEC p @n
END`,
			"IF EXISTS (SELECT 1 FROM inserted)\nUpdate UPDATE u SET n = 1 WHERE id = 2\nDelete DELETE FROM u\nInsert INSERT INTO log (id) SELECT id FROM inserted\nEXEC p"},
		{"plsql", sqltree.Generic, "CREATE OR REPLACE TRIGGER g BEFORE UPDATE ON t REFERENCING OLD AS o FOR EACH ROW WHEN (new.a > 1) DECLARE n NUMBER; BEGIN SELECT max(x) INTO n FROM u; :NEW.b := :OLD.b + n; END;",
			"WHEN (new.a > 1)\nQuery SELECT max(x) INTO n FROM u\nSET NEW.b = OLD.b + n"},
		{"a statement that does not parse", sqltree.Postgres, "BEGIN select from where; delete from t; END", "Delete delete from t\nnote: expected a table, found \"where\""},
		{"a value that does not parse", sqltree.Postgres, "BEGIN IF new.a + THEN delete from t; END IF; x := new.b + ; old.c ; END", "Delete delete from t\nSET x =\n old.c"},
		{"nothing", sqltree.Postgres, "", ""},
		{"words alone", sqltree.MySQL, "BEGIN END IF RETURN CASE SET CALL", ""},
		{"a header alone", sqltree.MySQL, "CREATE TRIGGER", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, err := ParseRoutine(test.dialect, test.text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, found(s)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
	for _, text := range []string{"BEGIN select 'x", "select (1", "a\x00", "\xff", "select " + strings.Repeat("(", 600) + strings.Repeat(")", 600)} {
		if _, err := ParseRoutine(sqltree.Postgres, text); err == nil {
			t.Errorf("%.20q is no error", text)
		}
	}
}

// FuzzParseRoutine looks for texts that end the search, and for statements outside of
// the text.
func FuzzParseRoutine(f *testing.F) {
	for _, text := range []string{"BEGIN select a into b from t; new.x := old.y; END", "create trigger g before insert on t for each row set new.a = 1",
		"case case when end loop into strict a.b[1], c", "new.a + new.a + new.a +", ":new.b :=", "select into", "with a as (", "create function f() as"} {
		f.Add(text, uint8(0))
	}
	dialects := []sqltree.Dialect{sqltree.Postgres, sqltree.MySQL, sqltree.SQLite, sqltree.Generic}
	f.Fuzz(func(t *testing.T, text string, n uint8) {
		s, err := ParseRoutine(dialects[int(n)%len(dialects)], text)
		if err != nil {
			return
		}
		for _, st := range s.Statements {
			if at := st.Pos(); at.Start < 0 || at.Start > at.End || at.End > len(text) {
				t.Errorf("%T at %v of %d bytes", st, at, len(text))
			}
		}
	})
}

func BenchmarkParseRoutine_Broken(b *testing.B) {
	for _, piece := range []string{"new.a + ", "select new.a from t where ", "if select ", "x := y = ", "case when ", "into a, "} {
		for _, n := range []int{2_000, 20_000} {
			text := strings.Repeat(piece, n)
			b.Run(fmt.Sprintf("%s%d", piece, n), func(b *testing.B) {
				for b.Loop() {
					if _, err := ParseRoutine(sqltree.Postgres, text); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
