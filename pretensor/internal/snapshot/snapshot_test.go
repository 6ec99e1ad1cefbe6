package snapshot

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"
	"pgregory.net/rapid"
)

func num[T any](v T) *T { return &v }

func newDir(t *testing.T) *state.Dir {
	t.Helper()
	d := state.At(filepath.Join(t.TempDir(), "s"))
	if err := d.Create(); err != nil {
		t.Fatal(err)
	}
	return d
}

// shop is a database with one of everything.
func shop() *model.Database {
	return &model.Database{
		Name: "shop", Dialect: "postgresql", Version: "15.4", DefaultSchema: "public",
		Tables: []model.Table{
			{Schema: "public", Name: "orders", Type: model.PartitionedTable, Comment: "orders: all\n# of them", Rows: num[int64](1200), RowsSource: model.CountStat,
				Columns: []model.Column{
					{Name: "id", Ordinal: 1, Type: "bigint", Identity: true, Stats: &model.Stats{NullFraction: num(0.0), Distinct: num[int64](-1), Correlation: num(1.0), Min: "1", Max: "9", Histogram: []string{"1", "9"}, Source: "catalog"}},
					{Name: "status", Ordinal: 2, Type: "status", Base: "text", Nullable: true, Default: "'new'::text", Comment: "a", Enum: []string{"new", "no"},
						Stats: &model.Stats{Distinct: num[int64](2), Common: []string{"new"}, Source: "catalog"}},
					{Name: "total", Ordinal: 3, Type: "numeric(10,2)", Generated: true, Array: true, Parent: "a.b"},
				},
				PrimaryKey: &model.Key{Name: "orders_pk", Columns: []string{"id"}}, Uniques: []model.Key{{Name: "u", Columns: []string{"status", "total"}}},
				ForeignKeys: []model.ForeignKey{{Name: "fk", Columns: []string{"status"}, RefSchema: "public", RefTable: "states", RefColumns: []string{"code"}, OnDelete: "CASCADE"}},
				Checks:      []model.Check{{Name: "c", Expr: "total > 0", Columns: []string{"total"}}}, Indexes: []model.Index{{Name: "i", Columns: []string{"(lower(status))"}, Unique: true, Type: "btree", Partial: true}},
				Partition: &model.Partition{Key: []string{"id"}, Count: 3, Tables: []model.TableName{{Schema: "public", Name: "o2"}, {Schema: "public", Name: "o1"}}}, Usage: &model.Usage{SeqScans: 1, Deletes: 2}, Bytes: num[int64](8192),
				Grants: []model.Grant{{Grantee: "PUBLIC", Privilege: "SELECT", Columns: []string{"id"}}}},
			{Schema: "public", Name: "v", Type: model.View, Columns: []model.Column{}, DefinitionHash: "abc", Definition: "SELECT 'geheim'"},
		},
		Lineage:  []model.Lineage{{FromSchema: "public", FromTable: "orders", ToSchema: "public", ToTable: "v", Type: model.LineageView, Source: "catalog", Confidence: 1}},
		Roles:    []model.Role{{Name: "r"}},
		Warnings: []string{"geheim"},
	}
}

const shopText = `# pretensor snapshot: written by pretensor index, read by pretensor reindex
version: 1
connection: "eu/shop"
taken: "2026-03-04T05:06:07Z"
generation: "g"
stats: "catalog"
sample_values: false
database: "shop"
dialect: "postgresql"
server_version: "15.4"
default_schema: "public"
tables:
- table: {"schema":"public","name":"orders","type":"partitioned_table","comment":"orders: all\n# of them","primary_key":{"name":"orders_pk","columns":["id"]},"uniques":[{"name":"u","columns":["status","total"]}],"foreign_keys":[{"name":"fk","columns":["status"],"ref_schema":"public","ref_table":"states","ref_columns":["code"],"on_delete":"CASCADE"}],"checks":[{"name":"c","expr":"total > 0","columns":["total"]}],"indexes":[{"name":"i","columns":["(lower(status))"],"unique":true,"type":"btree","partial":true}],"partition":{"key":["id"],"count":3,"tables":[{"schema":"public","name":"o1"},{"schema":"public","name":"o2"}]},"grants":[{"grantee":"PUBLIC","privilege":"SELECT","columns":["id"]}],"rows":1200,"rows_source":"stat","bytes":8192,"usage":{"seq_scans":1,"idx_scans":0,"inserts":0,"updates":0,"deletes":2}}
  columns:
  - {"name":"id","ordinal":1,"type":"bigint","nullable":false,"identity":true,"stats":{"null_fraction":0,"distinct":-1,"correlation":1,"min":"1","max":"9","histogram":["1","9"],"source":"catalog"}}
  - {"name":"status","ordinal":2,"type":"status","base_type":"text","nullable":true,"default":"'new'::text","comment":"a","enum":["new","no"],"stats":{"distinct":2,"source":"catalog"}}
  - {"name":"total","ordinal":3,"type":"numeric(10,2)","nullable":false,"generated":true,"array":true,"parent":"a.b"}
- table: {"schema":"public","name":"v","type":"view","definition_hash":"abc"}
  columns: []
lineage:
- {"from_schema":"public","from_table":"orders","to_schema":"public","to_table":"v","type":"VIEW","source":"catalog","confidence":1}
`

func shopSnapshot() *Snapshot {
	return &Snapshot{Connection: "eu/shop", Taken: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC), Generation: "g", Stats: connect.StatsCatalog, Database: shop()}
}

func TestWrite_FileAndMode(t *testing.T) {
	d, s := newDir(t), shopSnapshot()
	if err := Write(d, s); err != nil {
		t.Fatal(err)
	}
	path, _ := d.Snapshot("eu/shop")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(shopText, string(text)); diff != "" {
		t.Error(diff)
	}
	if info, _ := os.Stat(path); runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %o, want 600", info.Mode().Perm())
	}
	if diff := cmp.Diff(shop(), s.Database); diff != "" {
		t.Errorf("writing changed what was given: %s", diff)
	}
	got, err := Read(d, "eu/shop")
	if err != nil {
		t.Fatal(err)
	}
	want := shopSnapshot()
	want.Database = Clean(want.Database, want.Stats, false)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestEncode_PrivacyRule(t *testing.T) {
	for _, c := range []struct {
		mode   connect.StatsMode
		sample bool
		has    []string
		hasNot []string
	}{
		{connect.StatsCatalog, false, []string{`"min":"1"`, `"rows":1200`}, []string{`"common"`, "geheim"}},
		{connect.StatsCatalog, true, []string{`"common":["new"]`}, []string{"geheim"}},
		{connect.StatsNone, true, []string{`"new"`}, []string{`"stats":{`, `"rows"`, `"bytes"`, `"usage"`, "geheim"}},
	} {
		s := shopSnapshot()
		s.Stats, s.SampleValues = c.mode, c.sample
		text, err := Encode(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range c.has {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s, %t: no %s", c.mode, c.sample, want)
			}
		}
		for _, bad := range c.hasNot {
			if strings.Contains(string(text), bad) {
				t.Errorf("%s, %t: %s is written", c.mode, c.sample, bad)
			}
		}
	}
	// Values that someone wrote into the file are not read either.
	forged := strings.Replace(shopText, `"stats":{"distinct":2,`, `"stats":{"distinct":2,"common":["geheim"],`, 1)
	s, err := Decode([]byte(forged))
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Database.Tables[0].Columns[1].Stats.Common; got != nil {
		t.Errorf("read %v", got)
	}
}

func TestDecode_OtherSpellings(t *testing.T) {
	want, err := Decode([]byte(shopText))
	if err != nil {
		t.Fatal(err)
	}
	var generic any
	if err := yaml.Unmarshal([]byte(shopText), &generic); err != nil {
		t.Fatalf("what is written is no YAML: %v", err)
	}
	respelled, err := yaml.Marshal(generic)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"no first line": strings.TrimPrefix(shopText, headLine), "another comment": shopText + "# end\n", "block style": string(respelled),
		"blanks": strings.Replace(shopText, `"ordinal":1`, `"ordinal": 1`, 1),
	} {
		got, err := Decode([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestDecode_Refused(t *testing.T) {
	cut := func(after string) string { return shopText[:strings.Index(shopText, after)] }
	for name, c := range map[string]struct {
		text string
		want error
	}{
		"empty":              {"", ErrCorrupt},
		"not YAML":           {"{geheim", ErrCorrupt},
		"a list":             {"- geheim\n", ErrCorrupt},
		"cut before tables":  {cut("tables:"), ErrCorrupt},
		"cut inside tables":  {cut("- table: {\"schema\":\"public\",\"name\":\"v\""), ErrCorrupt},
		"cut before lineage": {cut("lineage:"), ErrCorrupt},
		"cut inside a line":  {cut(`"nullable":false,"identity"`), ErrCorrupt},
		"a wrong type":       {strings.Replace(shopText, `"ordinal":1`, `"ordinal":"geheim"`, 1), ErrCorrupt},
		"no time":            {strings.Replace(shopText, "2026-03-04T05:06:07Z", "geheim", 1), ErrCorrupt},
		"newer":              {strings.Replace(shopText, "version: 1\n", "version: 2\n", 1), ErrNewer},
		"newer, other shape": {"version: 7\ntables: 3\n", ErrNewer},
		"older":              {strings.Replace(shopText, "version: 1\n", "version: 0\n", 1), ErrOlder},
		"older, other shape": {"version: 0\nx: [1]\n", ErrOlder},
		"no version":         {strings.Replace(shopText, "version: 1\n", "", 1), ErrOlder},
		"a version in words": {strings.Replace(shopText, "version: 1\n", "version: \"geheim\"\n", 1), ErrCorrupt},
	} {
		_, err := Decode([]byte(c.text))
		if !errors.Is(err, c.want) || strings.Contains(err.Error(), "geheim") {
			t.Errorf("%s: error %v, want %v", name, err, c.want)
		}
	}
	d := newDir(t)
	if _, err := Read(d, "shop"); !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), `pretensor index shop`) {
		t.Errorf("missing: %v", err)
	}
	path, _ := d.Snapshot("shop")
	os.WriteFile(path, []byte("geheim"), 0o600)
	if _, err := Read(d, "shop"); !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), `pretensor index shop`) {
		t.Errorf("damaged: %v", err)
	}
}

// anyDatabase draws a database with names and texts of every kind.
func anyDatabase(t *rapid.T) *model.Database {
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "a", "'x'", "\"", "\\", "\n", ": ", "# ", "- ", "{}", "\u0085\u2028\ufeff\x7f\x00", "~", "null", "1", "äöü", "😀", "${X}"}))
	some := func(g *rapid.Generator[string], label string) []string {
		if out := rapid.SliceOfN(g, 0, 3).Draw(t, label); len(out) > 0 {
			return out
		}
		return nil
	}
	db := &model.Database{Name: text.Draw(t, "name"), Dialect: rapid.SampledFrom([]string{"postgresql", "mysql", "sqlite", "duckdb"}).Draw(t, "dialect"), Version: text.Draw(t, "version"), DefaultSchema: text.Draw(t, "schema")}
	for i := range rapid.IntRange(0, 4).Draw(t, "tables") {
		tab := model.Table{Schema: text.Draw(t, "schema"), Name: fmt.Sprint(i, text.Draw(t, "table")), Type: text.Draw(t, "type"), Comment: text.Draw(t, "comment"), DefinitionHash: text.Draw(t, "hash")}
		for j := range rapid.IntRange(0, 4).Draw(t, "columns") {
			c := model.Column{Name: text.Draw(t, "column"), Ordinal: j + 1, Type: rapid.OneOf(text, rapid.SampledFrom([]string{"int", "text", "date", "boolean"})).Draw(t, "type"), Base: text.Draw(t, "base"),
				Nullable: rapid.Bool().Draw(t, "nullable"), Default: text.Draw(t, "default"), Comment: text.Draw(t, "comment"), Enum: some(text, "enum"), Identity: rapid.Bool().Draw(t, "identity"),
				Generated: rapid.Bool().Draw(t, "generated"), Array: rapid.Bool().Draw(t, "array"), Parent: text.Draw(t, "parent")}
			if rapid.Bool().Draw(t, "has stats") {
				c.Stats = &model.Stats{NullFraction: num(rapid.Float64Range(0, 1).Draw(t, "nulls")), Distinct: num(rapid.Int64().Draw(t, "distinct")), Min: text.Draw(t, "min"), Common: some(text, "common"),
					Histogram: some(rapid.SampledFrom([]string{"1", "2", "x"}), "histogram"), Source: "catalog"}
			}
			tab.Columns = append(tab.Columns, c)
		}
		if rapid.Bool().Draw(t, "more") {
			tab.Rows, tab.RowsSource, tab.Bytes = num(rapid.Int64().Draw(t, "rows")), text.Draw(t, "source"), num[int64](0)
			tab.PrimaryKey = &model.Key{Name: text.Draw(t, "pk"), Columns: some(text, "pk")}
			tab.ForeignKeys = []model.ForeignKey{{Name: text.Draw(t, "fk"), Columns: some(text, "fk"), RefTable: text.Draw(t, "ref"), RefColumns: some(text, "ref")}}
			tab.Indexes = []model.Index{{Name: text.Draw(t, "index"), Columns: some(text, "index"), Unique: rapid.Bool().Draw(t, "unique")}}
			tab.Checks = []model.Check{{Expr: text.Draw(t, "check"), Columns: some(text, "check")}}
			tab.Usage = &model.Usage{IdxScans: rapid.Int64().Draw(t, "scans")}
			tab.Partition = &model.Partition{Key: some(text, "partition"), Count: rapid.Int().Draw(t, "count")}
			tab.Grants = []model.Grant{{Grantee: text.Draw(t, "grantee"), Privilege: text.Draw(t, "privilege"), Columns: some(text, "grant")}}
		}
		db.Tables = append(db.Tables, tab)
	}
	for range rapid.IntRange(0, 3).Draw(t, "lineage") {
		db.Lineage = append(db.Lineage, model.Lineage{FromTable: text.Draw(t, "from"), ToTable: text.Draw(t, "to"), Type: text.Draw(t, "kind"), Confidence: rapid.Float64Range(0, 1).Draw(t, "confidence")})
	}
	return db
}

func TestEncode_RoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &Snapshot{Connection: rapid.String().Draw(t, "connection"), Taken: time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "taken"), 7).UTC(), Generation: rapid.String().Draw(t, "generation"),
			Stats: rapid.SampledFrom([]connect.StatsMode{connect.StatsNone, connect.StatsCatalog, connect.StatsSample}).Draw(t, "mode"), SampleValues: rapid.Bool().Draw(t, "sample"), Database: anyDatabase(t)}
		text, err := Encode(s)
		if err != nil {
			t.Fatal(err)
		}
		if doc, ok := decodeLines(text); !ok || doc.Version != Version {
			t.Fatalf("not read line by line:\n%s", text)
		}
		got, err := Decode(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		want := *s
		want.Database = Clean(s.Database, s.Stats, s.SampleValues)
		if diff := cmp.Diff(&want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
		if again, err := Encode(got); err != nil || string(again) != string(text) {
			t.Fatalf("written again it differs: %v\n%s\n%s", err, text, again)
		}
	})
}

// large is a database of n tables with 20 columns each.
func large(n int) *model.Database {
	db := &model.Database{Name: "large", Dialect: "postgresql", DefaultSchema: "public"}
	for i := range n {
		t := model.Table{Schema: "public", Name: fmt.Sprintf("table_%05d", i), Type: model.BaseTable, Rows: num(int64(i)), RowsSource: model.CountStat, PrimaryKey: &model.Key{Name: "pk", Columns: []string{"id"}}}
		for j := range 20 {
			t.Columns = append(t.Columns, model.Column{Name: fmt.Sprintf("column_%d", j), Ordinal: j + 1, Type: "numeric(10,2)", Nullable: true,
				Stats: &model.Stats{NullFraction: num(0.25), Distinct: num[int64](40), Min: "1", Max: "99", Source: "catalog"}})
		}
		db.Tables = append(db.Tables, t)
	}
	return db
}

func BenchmarkEncode_10000Tables(b *testing.B) {
	s := &Snapshot{Connection: "large", Stats: connect.StatsCatalog, Database: large(10_000)}
	for b.Loop() {
		text, err := Encode(s)
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(text)))
	}
}

func BenchmarkDecode_10000Tables(b *testing.B) {
	text, err := Encode(&Snapshot{Connection: "large", Stats: connect.StatsCatalog, Database: large(10_000)})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := Decode(text); err != nil {
			b.Fatal(err)
		}
	}
}

func FuzzDecode_SnapshotNeverPanics(f *testing.F) {
	f.Add([]byte(shopText))
	f.Add([]byte(strings.TrimPrefix(shopText, headLine)))
	f.Add([]byte("version: 2\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := Decode(text)
		if err != nil {
			if !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrOlder) && !errors.Is(err, ErrNewer) {
				t.Fatalf("error %v", err)
			}
			return
		}
		first, err := Encode(s)
		if err != nil {
			return // a time or number that JSON does not have
		}
		again, err := Decode(first)
		if err != nil {
			t.Fatalf("what was written is not read: %v\n%s", err, first)
		}
		if second, err := Encode(again); err != nil || string(second) != string(first) {
			t.Fatalf("written again it differs\n%s\n%s", first, second)
		}
	})
}
