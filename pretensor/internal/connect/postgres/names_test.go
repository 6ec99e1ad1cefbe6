package postgres

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

func TestTypeName(t *testing.T) {
	in := &introspection{db: &model.Database{DefaultSchema: "Shop.x"}}
	for _, tt := range [][3]string{
		{"integer", "pg_catalog", "int"},
		{"integer[]", "pg_catalog", "int[]"},
		{"bigint", "pg_catalog", "bigint"},
		{"interval", "pg_catalog", "interval"},
		{"character varying", "pg_catalog", "varchar"},
		{"character varying(45)[]", "pg_catalog", "varchar(45)[]"},
		{"character(3)", "pg_catalog", "char(3)"},
		{`"char"`, "pg_catalog", `"char"`},
		{"bit varying(8)", "pg_catalog", "varbit(8)"},
		{"bit(8)", "pg_catalog", "bit(8)"},
		{"timestamp without time zone", "pg_catalog", "timestamp"},
		{"timestamp(3) without time zone[]", "pg_catalog", "timestamp(3)[]"},
		{"timestamp with time zone", "pg_catalog", "timestamptz"},
		{"timestamp(6) with time zone[]", "pg_catalog", "timestamptz(6)[]"},
		{"time without time zone", "pg_catalog", "time"},
		{"time(0) with time zone", "pg_catalog", "timetz(0)"},
		{"numeric(10,2)", "pg_catalog", "numeric(10,2)"},
		{`"Shop.x".status`, "Shop.x", "status"},
		{`"Shop.x".status[]`, "Shop.x", "status[]"},
		{"other.status", "other", "other.status"},
		{`other."integer"`, "other", `other."integer"`},
	} {
		if got := in.typeName(tt[0], tt[1]); got != tt[2] {
			t.Errorf("typeName(%q, %q) = %q, want %q", tt[0], tt[1], got, tt[2])
		}
	}
}

func TestSplitListAndParenthesised(t *testing.T) {
	got := splitList(`a, lower("x, y"), ('a,''b'::text || c), "d""," , [1,2]`)
	if diff := cmp.Diff([]string{"a", `lower("x, y")`, `('a,''b'::text || c)`, `"d"","`, "[1,2]"}, got); diff != "" {
		t.Errorf("splitList (-want +got):\n%s", diff)
	}
	for in, want := range map[string]string{
		"lower(a)": "(lower(a))", "(a + b)": "(a + b)", "(a) + (b)": "((a) + (b))", "('(' || a)": "('(' || a)", `(")")`: `(")")`, "": "()", "(a": "((a)",
	} {
		if got := parenthesised(in); got != want {
			t.Errorf("parenthesised(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestWriteTargets(t *testing.T) {
	tests := []struct{ body, want string }{
		{"BEGIN INSERT INTO log VALUES (1); END", ".log"},
		{`insert into "A.b"."C ""d""" default values`, `A.b.C "d"`},
		{"INSERT INTO db.Audit.LOG SELECT 1", "audit.log"},
		{"UPDATE t SET a = 1; UPDATE ONLY s.t AS x SET a = 1; UPDATE u * SET a = 1; update v w set a = 1", ".t s.t .u .v"},
		{"DELETE FROM a; DELETE FROM ONLY b WHERE true; MERGE INTO c USING d ON true WHEN MATCHED THEN UPDATE SET x = 1 WHEN NOT MATCHED THEN INSERT VALUES (1)", ".a .b .c"},
		{"INSERT INTO a VALUES (1) ON CONFLICT (x) DO UPDATE SET y = 1", ".a"},
		{"WITH gone AS (DELETE FROM a RETURNING *) INSERT INTO b SELECT * FROM gone", ".a .b"},
		{"SELECT 1 FROM t FOR UPDATE; SELECT 1 FROM t FOR NO KEY UPDATE OF t", ""},
		{"IF TG_OP = 'UPDATE' THEN NEW.update := 1; x.insert := 2; END IF", ""},
		{"-- DELETE FROM a\n/* DELETE /* FROM */ b */ PERFORM 'it''s DELETE FROM c', E'\\'DELETE FROM d', $q$ DELETE FROM e $q$, $$DELETE FROM f$$, $1", ""},
		{"EXECUTE 'DELETE FROM a'; DELETE FROM b", ""},
		{"DELETE FROM a; execute format('x')", ""},
		{`x := "execute"; DELETE FROM a`, ".a"},
		{"DELETE FROM größe; DELETE FROM _x1$", ".größe ._x1$"},
		{"DELETE FROM", ""}, {"INSERT INTO (1)", ""}, {"UPDATE", ""}, {"UPDATE a.", ""}, {"DELETE FROM a.", ".a"}, {"'", ""}, {`"`, ""}, {"/*", ""}, {"$a$", ""}, {"E'\\", ""},
	}
	for _, tt := range tests {
		var got []string
		for _, target := range writeTargets(tt.body) {
			got = append(got, target[0]+"."+target[1])
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("writeTargets(%q) = %q, want %q", tt.body, got, tt.want)
		}
	}
}

func FuzzBodies(f *testing.F) {
	for _, s := range []string{"DELETE FROM a", "$x$ E'\\'' \"", "/* /* */ UPDATE a SET", "(a, 'b')", "--"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, target := range writeTargets(s) {
			if target[1] == "" && !strings.Contains(s, `""`) {
				t.Errorf("writeTargets(%q) found a table without a name", s)
			}
		}
		if got := writeTargets(s + "\n; EXECUTE x"); got != nil && !strings.ContainsAny(s, "'\"$/-") {
			t.Errorf("writeTargets(%q) = %q, want none of a dynamic body", s, got)
		}
		if p := parenthesised(s); !strings.HasPrefix(p, "(") || !strings.HasSuffix(p, ")") {
			t.Errorf("parenthesised(%q) = %q", s, p)
		}
		if parts := splitList(s); len(parts) == 0 || slices.Contains(parts, s+",") {
			t.Errorf("splitList(%q) = %q", s, parts)
		}
	})
}
