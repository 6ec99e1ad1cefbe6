package mysql

import (
	"database/sql"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

func TestLabels(t *testing.T) {
	for in, want := range map[string][]string{
		"enum('a')":                  {"a"},
		"set('a','b')":               {"a", "b"},
		`enum('it''s','','a\\b','')`: {"it's", "", `a\b`, ""},
		`enum('a\nb',',)''(')`:       {"a\nb", ",)'("},
		"int(11)":                    nil,
		"enum('broken":               {"broken"},
		`enum('a\`:                   {`a\`},
	} {
		if got := labels(in); !cmp.Equal(got, want) {
			t.Errorf("labels(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestKeyParts(t *testing.T) {
	for in, want := range map[string][]string{
		"": nil, "`a`": {"a"}, "`a`,`b``c`": {"a", "b`c"}, "year(`d`)": {"year(`d`)"}, "`a` + 1": {"`a` + 1"}, "mod(`a`,2)": {"mod(`a`,2)"}, "`a,b`,c": {"a,b", "c"},
	} {
		if got := keyParts(in); !cmp.Equal(got, want) {
			t.Errorf("keyParts(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestQuotedNames(t *testing.T) {
	for in, want := range map[string][]string{
		"`a` > 1": {"a"}, "'`x`' = `b`": {"b"}, "`a``b` < `c`": {"a`b", "c"}, `'it\'s' <> "` + "`q`" + `"`: nil, "`open": {"ope"}, "`": {""},
	} {
		if got := quotedNames(in); !cmp.Equal(got, want) {
			t.Errorf("quotedNames(%q) = %q, want %q", in, got, want)
		}
	}
}

// What MySQL 8 prints, as its manual and its tests show it.
func TestExpression_MySQL(t *testing.T) {
	s := &structure{}
	for in, want := range map[string]string{
		"(`price` >= 0)":                    "`price` >= 0",
		`(` + "`a`" + ` <> _utf8mb4\'x\')`:  "`a` <> 'x'",
		`concat(` + "`a`" + `,_utf8mb4'b')`: "concat(`a`,'b')",
		"(`a` > 1) or (`b` > 1)":            "(`a` > 1) or (`b` > 1)",
		"uuid()":                            "uuid()",
		"((`a`))":                           "(`a`)",
	} {
		if got := s.expression(in); got != want {
			t.Errorf("expression(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestDefaultOf(t *testing.T) {
	tests := []struct {
		mariadb            bool
		value, kind, extra string
		want               string
	}{
		{true, "'x''y'", "varchar", "", "'x''y'"},
		{true, "NULL", "int", "", ""},
		{false, "x'y", "varchar", "", "'x''y'"},
		{false, "NULL", "varchar", "", "'NULL'"},
		{false, "7", "int", "", "7"},
		{false, "b'101'", "bit", "", "b'101'"},
		{false, "2024-01-01", "date", "", "'2024-01-01'"},
		{false, "CURRENT_TIMESTAMP", "timestamp", "DEFAULT_GENERATED ON UPDATE CURRENT_TIMESTAMP", "CURRENT_TIMESTAMP"},
		{false, "uuid()", "varchar", "DEFAULT_GENERATED", "uuid()"},
	}
	for _, test := range tests {
		s := &structure{mariadb: test.mariadb}
		if got := s.defaultOf(sql.NullString{String: test.value, Valid: true}, test.kind, test.extra); got != test.want {
			t.Errorf("defaultOf(%q, %s, %q) = %q, want %q", test.value, test.kind, test.extra, got, test.want)
		}
	}
	if got := (&structure{}).defaultOf(sql.NullString{}, "int", ""); got != "" {
		t.Errorf("default of a column without one = %q", got)
	}
}

func TestWrites(t *testing.T) {
	tests := []struct {
		name, body string
		want       []string
		whole      bool
	}{
		{"empty", "", nil, false},
		{"one statement", "INSERT INTO a VALUES (1)", []string{"INSERT INTO a VALUES (1)"}, true},
		{"with a comment before", " -- log it\n/* now */ update a set b = 1;", []string{"update a set b = 1"}, true},
		{"SET", "SET NEW.a = REPLACE(NEW.a, ';', 'DELETE FROM t')", nil, false},
		{"block", "BEGIN DELETE FROM a; END", []string{"DELETE FROM a"}, false},
		{"labelled block", "l: BEGIN DELETE FROM a; LEAVE l; END l", []string{"DELETE FROM a"}, false},
		{"branches", "IF x THEN INSERT a VALUES (1); ELSEIF y THEN UPDATE b SET c = 1; ELSE REPLACE INTO d SELECT 1; END IF",
			[]string{"INSERT a VALUES (1)", "UPDATE b SET c = 1", "REPLACE INTO d SELECT 1"}, false},
		{"functions of the same name", "BEGIN SET x = CASE WHEN y THEN INSERT ('a', 1, 1, 'b') ELSE REPLACE('a', 'b', 'c') END; END", nil, false},
		{"words that are no statements", "BEGIN SELECT a INTO b FROM c FOR UPDATE; INSERT INTO d VALUES (1) ON DUPLICATE KEY UPDATE e = 1; END",
			[]string{"INSERT INTO d VALUES (1) ON DUPLICATE KEY UPDATE e = 1"}, false},
		{"semicolons in quotes", "BEGIN INSERT INTO a VALUES ('x;''y', \"z;\", `c;d`); # DELETE FROM b;\nEND", []string{"INSERT INTO a VALUES ('x;''y', \"z;\", `c;d`)"}, false},
		{"handler", "BEGIN DECLARE EXIT HANDLER FOR NOT FOUND UPDATE a SET b = 1; END", []string{"UPDATE a SET b = 1"}, false},
		{"loops", "BEGIN WHILE x DO DELETE FROM a; END WHILE; REPEAT DELETE FROM b; UNTIL y END REPEAT; LOOP DELETE FROM c; END LOOP; END",
			[]string{"DELETE FROM a", "DELETE FROM b", "DELETE FROM c"}, false},
		{"never ends", "BEGIN INSERT INTO a VALUES ('", []string{"INSERT INTO a VALUES ('"}, false},
		{"comment that never ends", "DELETE FROM a /* b", []string{"DELETE FROM a /* b"}, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, whole := writes(test.body)
			if diff := cmp.Diff(test.want, got); diff != "" || whole != test.whole {
				t.Errorf("writes(%q): whole %v, want %v, statements (-want +got):\n%s", test.body, whole, test.whole, diff)
			}
		})
	}
}

// The statements of a trigger and of a view find the right tables.
func TestUses(t *testing.T) {
	s := &structure{mariadb: true, schemas: []string{"shop"}, byName: map[key]*relation{}, byFolded: map[key]*relation{}}
	for _, name := range []string{"a", "b", "A"} {
		s.byName[key{"shop", name}] = &relation{Table: model.Table{Schema: "shop", Name: name, Columns: []model.Column{{Name: "c"}}}}
	}
	tests := []struct {
		statement string
		written   bool
		want      []key
	}{
		{"INSERT INTO a SELECT * FROM b", true, []key{{"shop", "a"}}},
		{"INSERT INTO a SELECT * FROM b", false, []key{{"shop", "b"}}},
		{"UPDATE a JOIN b ON a.c = b.c SET a.c = 1", true, []key{{"shop", "a"}}},
		{"UPDATE a AS x JOIN b ON x.c = b.c SET x.c = 1, b.c = 2", true, []key{{"shop", "a"}, {"shop", "b"}}},
		{"DELETE x FROM A JOIN b AS x ON 1", true, []key{{"shop", "b"}}},
		{"DELETE FROM elsewhere.t", true, []key{{"elsewhere", "t"}}},
		{"select `x`.`y` from (`shop`.`a` `x` join `elsewhere`.`t` on(`x`.`y` = 1))", false, []key{{"shop", "a"}, {"elsewhere", "t"}}},
		{"SELECT 1 FROM dropped", false, nil},
		{"with b as (select 1 from a) select * from b", false, []key{{"shop", "a"}}},
		{"SELECT 1 /*M!100100 FROM b */ /*!99999 FROM a */", false, []key{{"shop", "b"}}},
	}
	for _, test := range tests {
		got, err := s.uses(test.statement, "shop", test.written)
		if err != nil {
			t.Errorf("uses(%q): %v", test.statement, err)
		}
		if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(key{})); diff != "" {
			t.Errorf("uses(%q, %v) (-want +got):\n%s", test.statement, test.written, diff)
		}
	}
	if _, err := s.uses("SELECT 'open", "shop", false); err == nil {
		t.Error("a broken statement is no error")
	}
	if s.dialect() != sqltree.MariaDB || (&structure{}).dialect() != sqltree.MySQL {
		t.Error("dialects are wrong")
	}
}

func FuzzWrites(f *testing.F) {
	f.Add("BEGIN INSERT INTO a VALUES ('x;''y'); -- c\nEND")
	f.Add("`\\'\"/*")
	f.Fuzz(func(t *testing.T, body string) {
		writes(body)
		labels(body)
		keyParts(body)
		quotedNames(body)
		(&structure{}).expression(body)
	})
}

func TestHistogram(t *testing.T) {
	f, n := func(v float64) *float64 { return &v }, func(v int64) *int64 { return &v }
	tests := []struct {
		name, text string
		values     bool
		want       *model.Stats
	}{
		{"singleton", `{"buckets": [[1, 0.25], [9007199254740993, 1.0]], "data-type": "int", "null-values": 0.5, "histogram-type": "singleton", "sampling-rate": 1.0}`, true,
			&model.Stats{NullFraction: f(0.5), Distinct: n(2), Min: "1", Max: "9007199254740993", Histogram: []string{"1", "9007199254740993"}, Source: "catalog"}},
		{"of text", `{"buckets": [["base64:type254:YQ==", 1.0]], "data-type": "string", "null-values": 0.0, "histogram-type": "singleton", "sampling-rate": 1.0}`, false,
			&model.Stats{NullFraction: f(0), Distinct: n(1), Source: "catalog"}},
		{"equi-height, sampled", `{"buckets": [["2020-01-01", "2020-02-01", 0.5, 31], ["2020-02-02", "2020-03-01", 1.0, 20]], "null-values": 0.0, "histogram-type": "equi-height", "sampling-rate": 0.5}`, true,
			&model.Stats{NullFraction: f(0), Min: "2020-01-01", Max: "2020-03-01", Histogram: []string{"2020-01-01", "2020-02-01", "2020-03-01"}, Source: "catalog"}},
		{"equi-height, whole", `{"buckets": [[1, 5, 0.5, 4], [6, 9, 1.0, 3]], "null-values": 0.0, "histogram-type": "equi-height", "sampling-rate": 1.0}`, true,
			&model.Stats{NullFraction: f(0), Distinct: n(7), Min: "1", Max: "9", Histogram: []string{"1", "5", "9"}, Source: "catalog"}},
		{"of 21 values", `{"buckets": [[0,0],[1,0],[2,0],[3,0],[4,0],[5,0],[6,0],[7,0],[8,0],[9,0],[10,0],[11,0],[12,0],[13,0],[14,0],[15,0],[16,0],[17,0],[18,0],[19,0],[20,1]], "null-values": 0, "histogram-type": "singleton", "sampling-rate": 1}`, true,
			&model.Stats{NullFraction: f(0), Distinct: n(21), Min: "0", Max: "20", Histogram: []string{"0", "2", "4", "6", "8", "10", "12", "14", "16", "18", "20"}, Source: "catalog"}},
		{"empty", `{"buckets": [], "null-values": 1.0, "histogram-type": "singleton", "sampling-rate": 1.0}`, true, &model.Stats{NullFraction: f(1), Distinct: n(0), Source: "catalog"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := histogram(test.text, test.values)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("statistics (-want +got):\n%s", diff)
			}
		})
	}
	for _, text := range []string{"", "{", `{"buckets": [[1]]}`, `{"buckets": [[1, 2, 3, "x"]], "histogram-type": "equi-height"}`} {
		if got, err := histogram(text, true); err == nil {
			t.Errorf("histogram(%q) = %+v, want an error", text, got)
		}
	}
}
