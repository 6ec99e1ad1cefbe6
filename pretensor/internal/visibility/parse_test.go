package visibility

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quartet-mcp/quartet/pretensor/internal/yamldoc"
)

// rules are those of a text and a profile.
func rules(t testing.TB, text, profile string) *Rules {
	t.Helper()
	f, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	r, err := f.Rules(profile)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRules_Table(t *testing.T) {
	const public = "shop::public.orders (table)"
	tests := []struct {
		name, rules    string
		shows, conceal []string // connection::schema.table (type)
	}{
		{name: "none", rules: "", shows: []string{public}},
		{name: "table", rules: `hidden_tables: ["orders"]`, conceal: []string{public, "x::y.orders (view)"}, shows: []string{"shop::public.Orders (table)", "shop::public.orders2 (table)", "shop::orders.x (table)"}},
		{name: "schema and table", rules: `hidden_tables: ["public.orders"]`, conceal: []string{public, "x::public.orders (table)"}, shows: []string{"shop::old.orders (table)", "public::x.orders (table)"}},
		{name: "all names", rules: `hidden_tables: ["shop::public.orders"]`, conceal: []string{public}, shows: []string{"x::public.orders (table)", "shop::old.orders (table)"}},
		{name: "connection and table", rules: `hidden_tables: ["shop::orders"]`, conceal: []string{public, "shop::old.orders (table)"}, shows: []string{"x::public.orders (table)"}},
		{name: "star", rules: `hidden_tables: ["ord*s"]`, conceal: []string{public, "x::y.ords (view)"}, shows: []string{"shop::public.order (table)", "shop::public.xorders (table)"}},
		{name: "question", rules: `hidden_tables: ["order?"]`, conceal: []string{public, "x::y.orderé (table)"}, shows: []string{"shop::public.order (table)", "shop::public.orderss (table)"}},
		{name: "brackets", rules: `hidden_tables: ["[a-o]rders", "[!a-y]ebra"]`, conceal: []string{public, "x::y.zebra (table)"}, shows: []string{"shop::public.prders (table)", "shop::public.yebra (table)", "shop::public.Orders (table)"}},
		{name: "stars everywhere", rules: `hidden_tables: ["s*::p*.o*"]`, conceal: []string{public, "s::p.o (table)"}, shows: []string{"x::public.orders (table)", "shop::x.orders (table)", "shop::public.x (table)"}},
		{name: "dots in a table's name", rules: `hidden_tables: ["a.b.c"]`, conceal: []string{"s::a.b.c (table)", "s::[a.b].c (table)", "s::x.[a.b.c] (table)"}, shows: []string{"s::a.b (table)", "s::b.c (table)", "s::x.[b.c] (table)"}},
		{name: "colons in a table's name", rules: `hidden_tables: ["a::b"]`, conceal: []string{"a::x.b (table)", "s::x.[a::b] (table)"}, shows: []string{"s::x.b (table)"}},
		{name: "literal", rules: `hidden_tables: ["` + Literal("a.*[b]?:c d") + `"]`, conceal: []string{"s::x.[a.*[b]?:c d] (table)"}, shows: []string{"s::a.[*[b]?:c d] (table)", "s::x.[a.x[b]?:c d] (table)"}},
		{name: "schema", rules: `hidden_schemas: ["pub*"]`, conceal: []string{public}, shows: []string{"shop::x.public (table)"}},
		{name: "schema of a connection", rules: `hidden_schemas: ["shop::public"]`, conceal: []string{public}, shows: []string{"x::public.orders (table)"}},
		{name: "type", rules: `hidden_table_types: ["VIEW", "Foreign Table", "*external*"]`, conceal: []string{"s::x.a (view)", "s::x.a (foreign_table)", "s::x.a (EXTERNAL_TABLE)"}, shows: []string{public, "s::x.a (materialized_view)", "s::x.a ()"}},
		{name: "base table", rules: `hidden_table_types: ["BASE TABLE"]`, conceal: []string{public}, shows: []string{"s::x.a (view)"}},
		{name: "allowed schemas", rules: `allowed_schemas: ["public", "s*"]`, shows: []string{public, "a::sales.x (table)"}, conceal: []string{"a::other.x (table)"}},
		{name: "allowed tables", rules: `allowed_tables: ["orders", "x::y.z"]`, shows: []string{public, "x::y.z (table)"}, conceal: []string{"x::y.q (table)", "shop::y.z (table)"}},
		{name: "allowed in both", rules: `{allowed_schemas: ["public"], allowed_tables: ["orders"]}`, shows: []string{public}, conceal: []string{"s::public.x (table)", "s::x.orders (table)"}},
		{name: "hidden wins", rules: `{allowed_tables: ["orders"], hidden_tables: ["orders"]}`, conceal: []string{public}},
		{name: "nothing allowed", rules: `allowed_tables: ["!none"]`, conceal: []string{public, "s::x.!none (table)", "s::x. (table)"}},
		{name: "nothing but one", rules: `allowed_tables: ["!none", "orders"]`, shows: []string{public}, conceal: []string{"s::x.y (table)"}},
		{name: "empty lists", rules: `{allowed_tables: [], hidden_tables: []}`, shows: []string{public}},
	}
	names := func(text string) (c, s, n, typ string) {
		c, rest, _ := strings.Cut(text, "::")
		rest, typ, _ = strings.Cut(strings.TrimSuffix(rest, ")"), " (")
		at := strings.IndexByte(rest, '.')
		if strings.HasPrefix(rest, "[") {
			at = strings.Index(rest, "].") + 1
		}
		trim := func(s string) string {
			if strings.HasPrefix(s, "[") {
				return s[1 : len(s)-1]
			}
			return s
		}
		return c, trim(rest[:at]), trim(rest[at+1:]), typ
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := rules(t, test.rules, "")
			for _, text := range test.shows {
				if c, s, n, typ := names(text); !r.Table(c, s, n, typ) {
					t.Errorf("%s is hidden: %q, %q, %q, %q", text, c, s, n, typ)
				}
			}
			for _, text := range test.conceal {
				if c, s, n, typ := names(text); r.Table(c, s, n, typ) {
					t.Errorf("%s is visible: %q, %q, %q, %q", text, c, s, n, typ)
				}
			}
		})
	}
}

func TestRules_Column(t *testing.T) {
	tests := []struct {
		pattern        string
		conceal, shows [][4]string
	}{
		{"ssn", [][4]string{{"c", "s", "t", "ssn"}, {"x", "y", "z", "ssn"}}, [][4]string{{"c", "s", "ssn", "x"}, {"c", "s", "t", "SSN"}}},
		{"t.ssn", [][4]string{{"c", "s", "t", "ssn"}, {"c", "x", "t", "ssn"}, {"c", "s", "x", "t.ssn"}}, [][4]string{{"c", "t", "x", "ssn"}, {"c", "s", "x", "ssn"}}},
		{"s.t.ssn", [][4]string{{"c", "s", "t", "ssn"}, {"c", "x", "s.t", "ssn"}, {"c", "x", "s", "t.ssn"}}, [][4]string{{"c", "x", "t", "ssn"}, {"s", "t", "x", "ssn"}}},
		{"c::s.t.ssn", [][4]string{{"c", "s", "t", "ssn"}}, [][4]string{{"x", "s", "t", "ssn"}}},
		{"c::ssn", [][4]string{{"c", "s", "t", "ssn"}}, [][4]string{{"x", "s", "t", "ssn"}}},
		{"t.*", [][4]string{{"c", "s", "t", "ssn"}}, [][4]string{{"c", "t", "x", "ssn"}}},
		{"*.t.[a-s]?n", [][4]string{{"c", "s", "t", "ssn"}}, [][4]string{{"c", "s", "t", "tsn"}, {"c", "s", "x", "ssn"}}},
		{"a.b.c.d.ssn", [][4]string{{"c", "a.b", "c.d", "ssn"}, {"c", "a", "b.c.d", "ssn"}, {"c", "x", "a.b.c.d", "ssn"}}, [][4]string{{"c", "a", "b", "ssn"}}},
	}
	for _, test := range tests {
		r := rules(t, fmt.Sprintf("hidden_columns: [%q]", test.pattern), "")
		for _, n := range test.conceal {
			if r.Column(n[0], n[1], n[2], n[3]) {
				t.Errorf("%s: %q is visible", test.pattern, n)
			}
		}
		for _, n := range test.shows {
			if !r.Column(n[0], n[1], n[2], n[3]) {
				t.Errorf("%s: %q is hidden", test.pattern, n)
			}
		}
	}
}

func TestFile_Rules(t *testing.T) {
	f, err := Parse(`
hidden_tables: ["secret"]
allowed_tables: ["a"]
profiles:
  analyst: {allowed_tables: ["b"], hidden_tables: ["c*"]}
  empty: {}
`)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"analyst", "empty"}, f.Profiles()); diff != "" {
		t.Error(diff)
	}
	for profile, want := range map[string]string{"": "a", "analyst": "ab", "empty": "a"} {
		r, err := f.Rules(profile)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, n := range []string{"a", "b", "c", "secret"} {
			if r.Table("x", "y", n, "table") {
				got += n
			}
		}
		if got != want {
			t.Errorf("profile %q shows %q, want %q", profile, got, want)
		}
	}
	for profile, want := range map[string]string{
		"analist": `profile "analist" is not known; did you mean "analyst"?`, "zzzzzzzz": `profile "zzzzzzzz" is not known; known are "analyst", "empty"`,
	} {
		if _, err := f.Rules(profile); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

func TestRules_Key(t *testing.T) {
	var none *Rules
	if !none.Empty() || none.Key() != "" || !none.Table("a", "b", "c", "d") || !none.Column("a", "b", "c", "d") {
		t.Error("no rules hide something")
	}
	for _, text := range []string{"", "hidden_tables: []", "profiles: {}"} {
		if r := rules(t, text, ""); !r.Empty() || r.Key() != "" {
			t.Errorf("%q is not empty: %q", text, r.Key())
		}
	}
	a := rules(t, `hidden_tables: ["x", "y"]`, "")
	keys := map[string]bool{a.Key(): true}
	for _, text := range []string{`hidden_tables: ["y", "x", "x"]`, "hidden_columns: []\nhidden_tables:\n- y\n- x\n"} {
		if r := rules(t, text, ""); r.Key() != a.Key() || r.Empty() {
			t.Errorf("%q has another key", text)
		}
	}
	for _, text := range []string{`hidden_tables: ["x"]`, `allowed_tables: ["x", "y"]`, `hidden_columns: ["x", "y"]`, `allowed_tables: ["!none"]`} {
		k := rules(t, text, "").Key()
		if keys[k] || len(k) != 16 {
			t.Errorf("%q has the key %q", text, k)
		}
		keys[k] = true
	}
}

func TestParse_Refused(t *testing.T) {
	for text, want := range map[string]string{
		"hidden_tables: [a":                     "line 1: this is not YAML",
		"a":                                     "line 1: the file must be a mapping",
		"~":                                     "line 1: the file must be a mapping",
		"- a":                                   "line 1: the file must be a mapping",
		"\nhiden_tables: []":                    `line 2: unknown key "hiden_tables" in the file; did you mean "hidden_tables"?`,
		"zzzzzz: []":                            `line 1: unknown key "zzzzzz" in the file; known are hidden_schemas, hidden_tables, hidden_columns, hidden_table_types, allowed_schemas, allowed_tables, profiles`,
		"hidden_tables: a":                      `line 1: hidden_tables must be a list of patterns in quotes, such as ["tmp_*"]; [] is one without any`,
		"hidden_schemas: []\nallowed_tables:\n": "line 2: allowed_tables must be a list",
		"hidden_tables: {a: b}":                 "line 1: hidden_tables must be a list",
		"hidden_tables:\n- a\n- 5":              `line 3: an item of hidden_tables is not a text; put it in quotes, as "5"`,
		"hidden_tables: [true]":                 `line 1: an item of hidden_tables is not a text; put it in quotes, as "true"`,
		"hidden_tables: [~]":                    "line 1: an item of hidden_tables is empty",
		"hidden_tables: [[a]]":                  "line 1: an item of hidden_tables must be one pattern in quotes",
		"hidden_tables: [{a: b}]":               "line 1: an item of hidden_tables must be one pattern in quotes",
		"hidden_tables: ['']":                   `line 1: the pattern "" of hidden_tables is empty`,
		"hidden_tables: ['a[b']":                `line 1: the pattern "a[b" of hidden_tables has a [ without ]; [[] stands for the character itself`,
		"hidden_tables: ['[z-a]']":              `line 1: the pattern "[z-a]" of hidden_tables has a range that runs backwards; write [a-z]`,
		"hidden_tables: ['!a']":                 `line 1: the pattern "!a" of hidden_tables begins with !, which negates nothing here; only "!none" has a meaning`,
		"hidden_tables: [' a']":                 `line 1: the pattern " a" of hidden_tables has blanks around it`,
		"hidden_tables: ['public.']":            `line 1: the pattern "public." of hidden_tables lacks a name`,
		"hidden_tables: ['a::']":                `line 1: the pattern "a::" of hidden_tables lacks a name`,
		"hidden_tables: ['.a']":                 `line 1: the pattern ".a" of hidden_tables lacks a name`,
		"hidden_columns: ['a.b.c.d.e.f.g.h.i.j.k.l.m.n']":    `line 1: the pattern "a.b.c.d.e.f.g.h.i.j.k.l.m.n" of hidden_columns has more than 12 dots`,
		"hidden_tables: [" + strings.Repeat("x", 2000) + "]": "has 2000 bytes, at most 1024 are allowed",
		"allowed_tables: [!none]":                            "line 1: this is not YAML",
		"allowed_tables:\n- !none":                           `line 2: an item of allowed_tables is empty; a pattern stands in quotes, such as "tmp_*" or "!none"`,
		"allowed_tables:\n- !none\n- a":                      `line 2: an item of allowed_tables begins with !, which is a tag; put it in quotes, as "!none"`,
		"hidden_tables: [*_tmp]":                             "line 1: the alias has no anchor; a pattern that begins with * must be in quotes",
		"hidden_tables:\n- *_tmp":                            "line 2: the alias has no anchor; a pattern that begins with * must be in quotes",
		"hidden_table_types: ['veiw']":                       `line 1: "veiw" of hidden_table_types is no type of table; did you mean "view"?`,
		"hidden_table_types: ['zzzzzzz*']":                   `line 1: "zzzzzzz*" of hidden_table_types is no type of table; known are table, partitioned_table, view`,
		"hidden_tables: []\nhidden_tables: []":               `line 2: key "hidden_tables" stands here a second time`,
		"profiles: [a]":                                      "line 1: profiles must be a mapping",
		"profiles:\n":                                        "line 1: profiles must be a mapping",
		"profiles:\n  a:\n":                                  `line 2: profile "a" must be a mapping of keys to values; {} is one without any`,
		"profiles:\n  a:\n    hidden_table: []":              `line 3: unknown key "hidden_table" in profile "a"; did you mean "hidden_tables"?`,
		"profiles:\n  a: {profiles: {}}":                     `line 2: unknown key "profiles" in profile "a"`,
		"profiles:\n  '': {}":                                "line 2: a profile has an empty name",
		"profiles:\n  a: {}\n  a: {}":                        `line 3: key "a" stands here a second time`,
		"x: &x {hidden_tables: [a]}\nprofiles: {}":           `line 1: unknown key "x" in the file`,
		"<<: {hidden_tables: [a]}":                           `line 1: unknown key "<<" in the file`,
	} {
		f, err := Parse(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: error %v, want %s", text, err, want)
		}
		if f != nil {
			t.Errorf("%.60q: rules in spite of an error", text)
		}
	}
	_, err := Parse("a: 1\nb: 2\nhidden_tables: [1]\n")
	if lines := strings.Split(err.Error(), "\n"); len(lines) != 3 || !strings.HasPrefix(lines[2], "line 3: ") {
		t.Errorf("not all errors are told:\n%v", err)
	}
}

// Lists that aliases use again and again are bounded.
func TestParse_ManyPatterns(t *testing.T) {
	var b strings.Builder
	b.WriteString("hidden_tables: &x [" + strings.Repeat("a,", 100_000) + "]\nprofiles:\n")
	for i := range 900 {
		fmt.Fprintf(&b, "  p%d: {hidden_tables: *x}\n", i)
	}
	if _, err := Parse(b.String()); err == nil || !strings.Contains(err.Error(), "there are more than 100000 patterns") {
		t.Errorf("error %v", err)
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := write("good.yml", "\ufeffhidden_tables: [\"a\"]\nprofiles: {p: {hidden_tables: [\"b\"]}}\n")
	bad := write("bad.yml", "hidden_tables: [\"a\"]\nx: 1\n")
	missing := filepath.Join(dir, "visibility.yml")
	tests := []struct {
		name, path, profile string
		required            bool
		want                string // the error; empty: none
		a, b                bool   // what is visible
	}{
		{name: "base", path: good, b: true},
		{name: "profile", path: good, profile: "p"},
		{name: "empty", path: write("empty.yml", "# nothing\n"), required: true, a: true, b: true},
		{name: "missing", path: missing, a: true, b: true},
		{name: "no path", path: "", a: true, b: true},
		{name: "missing and required", path: missing, required: true, want: "the visibility file visibility.yml does not exist"},
		{name: "missing with profile", path: missing, profile: "p", want: `profile "p" is not known: there is no visibility file visibility.yml`},
		{name: "unknown profile", path: good, profile: "q", want: `good.yml: profile "q" is not known; known are "p"`},
		{name: "bad", path: bad, want: `bad.yml:2: unknown key "x" in the file; known are hidden_schemas, hidden_tables, hidden_columns, hidden_table_types, allowed_schemas, allowed_tables, profiles`},
		{name: "folder", path: dir, want: "the visibility file " + filepath.Base(dir) + " is not a file"},
		{name: "large", path: write("large.yml", strings.Repeat("#", yamldoc.MaxSize+1)), want: "the visibility file large.yml has 1048577 bytes, at most 1048576 are read; globs such as shop::sales.* say more in less"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r, err := Load(test.path, test.profile, test.required)
			if test.want != "" {
				if r != nil || err == nil || err.Error() != test.want {
					t.Errorf("Load = %v, %v, want %s", r, err, test.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if a, b := r.Table("x", "y", "a", "table"), r.Table("x", "y", "b", "table"); a != test.a || b != test.b {
				t.Errorf("a and b are visible: %v and %v, want %v and %v", a, b, test.a, test.b)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"hidden_tables: [\"a\"]", "profiles: {p: {allowed_tables: [\"!none\"]}}", "hidden_columns: [\"a::b.c.d*\"]", "hidden_table_types: [view]",
		"a: &a [*a]", "hidden_tables: [\"[a-\"]", "hidden_tables: [!none]", "<<: *a", "\"\\", "? hidden_tables\n: [a]",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file, err := Parse(text)
		if err != nil {
			if file != nil || !strings.HasPrefix(err.Error(), "line ") {
				t.Fatalf("%q: %v, %v", text, file, err)
			}
			return
		}
		for _, profile := range append(file.Profiles(), "") {
			r, err := file.Rules(profile)
			if err != nil {
				t.Fatalf("%q: profile %q: %v", text, profile, err)
			}
			if shown := r.Table("c", "s", "t", "table") && r.Column("c", "s", "t", "x"); r.Empty() && !shown {
				t.Fatalf("%q: empty rules hide something", text)
			}
		}
	})
}

// A glob with many stars is no burden.
func BenchmarkGlob(b *testing.B) {
	g, err := newGlob(strings.Repeat("*a", 100) + "b")
	if err != nil {
		b.Fatal(err)
	}
	name := strings.Repeat("a", 1000)
	for b.Loop() {
		g.match(name)
	}
}
