package render

import (
	"os"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

const othersNames = "sqlserver cockroachdb yugabytedb clickhouse spanner oracle ydb"

// Each feature is refused by name in some dialects, and written in all others.
func TestRender_OthersRefuse(t *testing.T) {
	with := func(change func(*schema.Database, *schema.Table)) *schema.Database {
		tb := plainTable("INTEGER")
		db := &schema.Database{Tables: []*schema.Table{tb}}
		change(db, tb)
		return db
	}
	ofTable := func(change func(*schema.Table)) *schema.Database {
		return with(func(_ *schema.Database, tb *schema.Table) { change(tb) })
	}
	ofType := func(text string) *schema.Database {
		return &schema.Database{Tables: []*schema.Table{plainTable(text)}}
	}
	index := func(x schema.Index) *schema.Database {
		x.Name, x.Table = "i", schema.Name{Name: "t"}
		return ofTable(func(tb *schema.Table) { tb.Indexes = []*schema.Index{&x} })
	}
	constraint := func(c schema.Constraint) *schema.Database {
		return ofTable(func(tb *schema.Table) { tb.Constraints = append(tb.Constraints, &c) })
	}
	foreign := func(r schema.Reference) *schema.Database {
		r.Table, r.Columns = schema.Name{Name: "t"}, []string{"id"}
		return constraint(schema.Constraint{Kind: schema.ForeignKey, Columns: []string{"a"}, Reference: &r})
	}
	view := func(v schema.View) *schema.Database {
		v.Name, v.Body = schema.Name{Name: "v"}, "SELECT a FROM t"
		return with(func(db *schema.Database, _ *schema.Table) { db.Views = []*schema.View{&v} })
	}
	two := int64(2)
	key := []schema.IndexKey{{Column: "a"}}
	for _, test := range []struct {
		name    string
		db      *schema.Database
		rule    finding.Rule
		object  string
		refused string // dialects, each with a version behind @ where it matters; the others take it
	}{
		{"plain", with(func(*schema.Database, *schema.Table) {}), "", "", ""},
		{"schema", ofTable(func(tb *schema.Table) { tb.Schema = "app" }), "SCH001", "app.t", "oracle ydb"},
		{"no primary key", ofTable(func(tb *schema.Table) { tb.Constraints = nil }), "TBL007", "t", "spanner ydb"},
		{"inheritance", ofTable(func(tb *schema.Table) { tb.Inherits = []schema.Name{{Name: "u"}} }), "TBL007", "t", othersNames},
		{"partition", ofTable(func(tb *schema.Table) {
			tb.Partition = &schema.Partition{Of: schema.Name{Name: "p"}, Bound: "DEFAULT"}
		}), "TBL007", "t", strings.ReplaceAll(othersNames, "yugabytedb ", "")},
		{"partitioned", ofTable(func(tb *schema.Table) { tb.PartitionBy = "HASH (id)" }), "TBL007", "t", "sqlserver cockroachdb spanner oracle"},
		{"unlogged", ofTable(func(tb *schema.Table) { tb.Unlogged = true }), "TBL007", "t", othersNames},
		{"expiry", ofTable(func(tb *schema.Table) {
			tb.TTL = []schema.Option{{Key: "ttl_expire_after", Value: "'1 day'"}}
		}), "TTL001", "t", strings.ReplaceAll(othersNames, "cockroachdb ", "")},
		{"fill factor", ofTable(func(tb *schema.Table) { tb.Options = []schema.Option{{Key: "fillfactor", Value: "70"}} }), "TBL007", "t", "sqlserver spanner oracle"},
		{"row level security", ofTable(func(tb *schema.Table) { tb.RowSecurity = &schema.RowSecurity{Enabled: true} }), "RLS001", "t", "sqlserver clickhouse spanner oracle ydb cockroachdb@25.1"},
		{"tablespace", ofTable(func(tb *schema.Table) { tb.Tablespace = "x" }), "TBL007", "t", strings.ReplaceAll(othersNames, "yugabytedb ", "")},
		{"no other order", ofTable(func(tb *schema.Table) { tb.Engine = "Memory" }), "TBL007", "t", "clickhouse"},

		{"counted", ofTable(func(tb *schema.Table) { tb.Columns[0].AutoIncrement = true }), "IDN001", "t.id", "clickhouse spanner ydb"},
		{"counted text", ofTable(func(tb *schema.Table) { tb.Columns[1].Type, tb.Columns[1].AutoIncrement = typ("TEXT"), true }), "IDN001", "t.a", othersNames},
		{"identity", ofTable(func(tb *schema.Table) { tb.Columns[0].Identity = &schema.Identity{} }), "IDN001", "t.id", "clickhouse spanner ydb"},
		{"identity with a limit", ofTable(func(tb *schema.Table) {
			tb.Columns[0].Identity = &schema.Identity{SequenceOptions: schema.SequenceOptions{Max: &two}}
		}), "IDN001", "t.id", "sqlserver clickhouse spanner ydb"},
		{"stored", ofTable(func(tb *schema.Table) { tb.Columns[1].Generated = &schema.Generated{Expr: "id + 1", Stored: true} }), "GEN001", "t.a", "oracle ydb"},
		{"virtual", ofTable(func(tb *schema.Table) { tb.Columns[1].Generated = &schema.Generated{Expr: "id + 1"} }), "GEN001", "t.a", "yugabytedb spanner ydb"},
		{"generated somehow", ofTable(func(tb *schema.Table) { tb.Columns[1].Generated = &schema.Generated{Expr: "id + 1", Unsaid: true} }), "GEN001", "t.a", "ydb"},
		{"computed and not null", ofTable(func(tb *schema.Table) {
			tb.Columns[1].NotNull, tb.Columns[1].Generated = true, &schema.Generated{Expr: "id + 1"}
		}), "GEN001", "t.a", "sqlserver yugabytedb spanner ydb"},
		{"collation", ofTable(func(tb *schema.Table) { tb.Columns[1].Type, tb.Columns[1].Collation = typ("TEXT"), "x" }), "TBL007", "t.a", "spanner ydb"},
		{"character set", ofTable(func(tb *schema.Table) { tb.Columns[1].Charset = "utf8mb4" }), "TBL007", "t.a", othersNames},
		{"storage", ofTable(func(tb *schema.Table) { tb.Columns[1].Storage = "PLAIN" }), "TBL007", "t.a", strings.ReplaceAll(othersNames, "yugabytedb ", "")},
		{"invisible", ofTable(func(tb *schema.Table) { tb.Columns[1].Invisible = true }), "TBL007", "t.a", strings.ReplaceAll(othersNames, "oracle ", "")},
		{"default of the time", ofTable(func(tb *schema.Table) {
			tb.Columns[1].Type, tb.Columns[1].Default = typ("TIMESTAMPTZ"), &schema.Default{Text: "now()"}
		}), "DEF003", "t.a", "ydb"},
		{"unique expression", ofTable(func(tb *schema.Table) { tb.Columns[1].UniqueExpr = "lower(a)" }), "UNQ001", "t.a", othersNames},

		{"array", ofType("TEXT[]"), "TYP005", "t.a", "sqlserver oracle ydb"},
		{"array of arrays", ofType("TEXT[][]"), "TYP005", "t.a", "sqlserver cockroachdb spanner oracle ydb"},
		{"unknown", ofType("frobnicate"), "TYP001", "t.a", "sqlserver cockroachdb yugabytedb spanner oracle ydb"},

		{"unique", constraint(schema.Constraint{Kind: schema.Unique, Name: "u", Columns: []string{"a"}}), "CON001", "u", "clickhouse ydb"},
		{"unique with more", constraint(schema.Constraint{Kind: schema.Unique, Name: "u", Columns: []string{"a"}, Include: []string{"id"}}), "CON001", "u", "sqlserver clickhouse spanner oracle ydb"},
		{"check", constraint(schema.Constraint{Kind: schema.Check, Name: "c", Expr: "a > 0"}), "CON001", "c", "ydb"},
		{"check of new rows", constraint(schema.Constraint{Kind: schema.Check, Name: "c", Expr: "a > 0", NotValid: true}), "CON001", "c", "clickhouse spanner ydb"},
		{"check not enforced", constraint(schema.Constraint{Kind: schema.Check, Name: "c", Expr: "a > 0", NotEnforced: true}), "CON001", "c", strings.ReplaceAll(othersNames, "clickhouse ", "")},
		{"exclusion", constraint(schema.Constraint{Kind: schema.Exclude, Name: "x", Method: "gist", Keys: []schema.IndexKey{{Column: "a", With: "="}}}), "EXC001", "x", othersNames},
		{"deferrable", constraint(schema.Constraint{Kind: schema.Check, Name: "c", Expr: "a > 0", Deferrable: true}), "CON001", "c", "sqlserver cockroachdb clickhouse spanner ydb"},
		{"hashed key", constraint(schema.Constraint{Kind: schema.Unique, Name: "u", Columns: []string{"a"}, Method: "hash"}), "CON001", "u", "cockroachdb clickhouse spanner oracle ydb"},

		{"foreign key", foreign(schema.Reference{}), "FK009", "t.a", "clickhouse ydb"},
		{"cascade", foreign(schema.Reference{OnDelete: "CASCADE"}), "FK009", "t.a", "clickhouse ydb"},
		{"no action", foreign(schema.Reference{OnDelete: "NO ACTION", OnUpdate: "NO ACTION"}), "FK009", "t.a", "clickhouse ydb"},
		{"restrict", foreign(schema.Reference{OnDelete: "RESTRICT"}), "FK007", "t.a", "spanner oracle"},
		{"set null", foreign(schema.Reference{OnDelete: "SET NULL"}), "FK007", "t.a", "spanner"},
		{"set default", foreign(schema.Reference{OnDelete: "SET DEFAULT"}), "FK007", "t.a", "spanner oracle"},
		{"cascade of updates", foreign(schema.Reference{OnUpdate: "CASCADE"}), "FK007", "t.a", "spanner oracle"},
		{"match full", foreign(schema.Reference{Match: "FULL"}), "FK007", "t.a", "sqlserver spanner oracle"},
		{"set columns", foreign(schema.Reference{OnDelete: "SET NULL", SetColumns: []string{"a"}}), "FK007", "t.a", "sqlserver cockroachdb spanner oracle yugabytedb@2024.2"},

		{"index", index(schema.Index{Keys: key}), "IDX004", "i", "clickhouse"},
		{"unique index", index(schema.Index{Keys: key, Unique: true}), "IDX004", "i", "clickhouse"},
		{"partial index", index(schema.Index{Keys: key, Where: "a > 0"}), "IDX004", "i", "clickhouse spanner oracle ydb"},
		{"expression index", index(schema.Index{Keys: []schema.IndexKey{{Expr: "a + 1"}}}), "IDX004", "i", "sqlserver clickhouse spanner ydb"},
		{"include", index(schema.Index{Keys: key, Include: []string{"id"}}), "IDX004", "i", "clickhouse oracle"},
		{"descending", index(schema.Index{Keys: []schema.IndexKey{{Column: "a", Desc: true}}}), "IDX004", "i", "clickhouse ydb"},
		{"nulls first", index(schema.Index{Keys: []schema.IndexKey{{Column: "a", Nulls: "FIRST"}}}), "IDX004", "i", "sqlserver clickhouse spanner oracle ydb"},
		{"collated", index(schema.Index{Keys: []schema.IndexKey{{Column: "a", Collation: "x"}}}), "IDX004", "i", "sqlserver clickhouse spanner oracle ydb"},
		{"operator class", index(schema.Index{Keys: []schema.IndexKey{{Column: "a", Opclass: "x"}}}), "IDX004", "i", "sqlserver clickhouse spanner oracle ydb"},
		{"nulls not distinct", index(schema.Index{Keys: key, Unique: true, NullsNotDistinct: true}), "IDX004", "i", "sqlserver cockroachdb clickhouse spanner oracle ydb yugabytedb@2.20"},
		{"gin", index(schema.Index{Keys: key, Method: "gin"}), "IDX004", "i", "sqlserver clickhouse spanner oracle ydb"},
		{"brin", index(schema.Index{Keys: key, Method: "brin"}), "IDX004", "i", othersNames},
		{"skipping", index(schema.Index{Keys: key, Method: "minmax"}), "IDX004", "i", strings.ReplaceAll(othersNames, "clickhouse ", "")},
		{"skipping of an expression", index(schema.Index{Keys: []schema.IndexKey{{Expr: "a + 1"}}, Method: "set(100)"}), "IDX004", "i", strings.ReplaceAll(othersNames, "clickhouse ", "")},
		{"clustered", index(schema.Index{Keys: key, Kind: "CLUSTERED"}), "IDX004", "i", "clickhouse spanner oracle ydb"},
		{"bitmap", index(schema.Index{Keys: key, Kind: "BITMAP"}), "IDX004", "i", "sqlserver clickhouse spanner ydb"},
		{"options", index(schema.Index{Keys: key, Options: []schema.Option{{Key: "fillfactor", Value: "70"}}}), "IDX004", "i", "sqlserver clickhouse spanner oracle ydb"},
		{"invisible index", index(schema.Index{Keys: key, Invisible: true}), "IDX004", "i", strings.ReplaceAll(othersNames, "cockroachdb ", "")},

		{"view", view(schema.View{}), "", "", ""},
		{"view with columns", view(schema.View{Columns: []string{"x"}}), "VW006", "v", "spanner ydb"},
		{"check option", view(schema.View{CheckOption: "CASCADED"}), "VW006", "v", "cockroachdb clickhouse spanner ydb"},
		{"local check option", view(schema.View{CheckOption: "LOCAL"}), "VW006", "v", "sqlserver cockroachdb clickhouse spanner oracle ydb"},
		{"option of a view", view(schema.View{Options: []schema.Option{{Key: "security_barrier", Value: "true"}}}), "VW006", "v", strings.ReplaceAll(othersNames, "yugabytedb ", "")},
		{"materialized", view(schema.View{Materialized: true}), "VW006", "v", "sqlserver clickhouse spanner ydb"},
		{"materialized with an engine", view(schema.View{Materialized: true, Engine: "MergeTree ORDER BY a"}), "VW006", "v", strings.ReplaceAll(othersNames, "clickhouse ", "")},

		{"domain", with(func(db *schema.Database, _ *schema.Table) {
			db.Domains = []*schema.Domain{{Name: schema.Name{Name: "d"}, Type: typ("TEXT")}}
		}), "TYP004", "d", strings.ReplaceAll(othersNames, "yugabytedb ", "")},
		{"enum", with(func(db *schema.Database, tb *schema.Table) {
			db.Enums = []*schema.Enum{{Name: schema.Name{Name: "e"}, Values: []string{"x"}}}
			tb.Columns[1].Type = typ("e")
		}), "TYP004", "t.a", "ydb"},
		{"composite", with(func(db *schema.Database, _ *schema.Table) {
			db.Composites = []*schema.Composite{{Name: schema.Name{Name: "c"}, Fields: []schema.Field{{Name: "x", Type: typ("TEXT")}}}}
		}), "TYP004", "c", "sqlserver clickhouse spanner oracle ydb cockroachdb@22.2"},
		{"sequence", with(func(db *schema.Database, _ *schema.Table) {
			db.Sequences = []*schema.Sequence{{Name: schema.Name{Name: "q"}}}
		}), "SEQ001", "q", "clickhouse spanner ydb"},
		{"owned sequence", with(func(db *schema.Database, tb *schema.Table) {
			db.Sequences = []*schema.Sequence{{Name: schema.Name{Name: "q"}, OwnedBy: &schema.ColumnRef{Table: tb.Name, Column: "a"}}}
		}), "SEQ001", "q", "sqlserver clickhouse spanner oracle ydb"},
		{"extension", with(func(db *schema.Database, _ *schema.Table) { db.Extensions = []*schema.Extension{{Name: "x"}} }), "EXT001", "x", strings.ReplaceAll(othersNames, "yugabytedb ", "")},
		{"function", with(func(db *schema.Database, _ *schema.Table) {
			db.Routines = []*schema.Routine{{Name: schema.Name{Name: "f"}, Returns: "integer", Language: "sql", Body: "SELECT 1"}}
		}), "RTN002", "f", "sqlserver clickhouse spanner oracle ydb"},
		{"trigger", with(func(db *schema.Database, tb *schema.Table) {
			db.Triggers = []*schema.Trigger{{Name: "g", Table: tb.Name, Timing: "AFTER", Events: []string{"INSERT"}, Body: "f()"}}
		}), "TRG001", "g", "sqlserver clickhouse spanner oracle ydb cockroachdb@24.2"},
		{"policy", with(func(db *schema.Database, tb *schema.Table) {
			db.Policies = []*schema.Policy{{Name: "p", Table: tb.Name, Using: "true"}}
		}),
			"RLS001", "p", "sqlserver clickhouse spanner oracle ydb cockroachdb@25.1"},
		{"role", with(func(db *schema.Database, _ *schema.Table) { db.Roles = []*schema.Role{{Name: "r"}} }), "ROL001", "r", "sqlserver clickhouse spanner oracle ydb"},
		{"superuser", with(func(db *schema.Database, _ *schema.Table) { db.Roles = []*schema.Role{{Name: "r", Superuser: true}} }), "ROL001", "r", "sqlserver cockroachdb clickhouse spanner oracle ydb"},
		{"grant", with(func(db *schema.Database, tb *schema.Table) {
			db.Grants = []*schema.Grant{{Privileges: []string{"SELECT"}, On: "TABLE", Object: tb.Name, Roles: []string{"r"}}}
		}), "ROL001", "t", "sqlserver clickhouse spanner oracle ydb"},
		{"another statement", with(func(db *schema.Database, _ *schema.Table) {
			db.Verbatim = []*schema.Verbatim{{Kind: "RULE", Name: schema.Name{Name: "x"}, Text: "CREATE RULE x"}}
		}), "TBL007", "x", strings.ReplaceAll(othersNames, "yugabytedb ", "")},
	} {
		t.Run(test.name, func(t *testing.T) {
			taken := strings.Fields(othersNames)
			if test.rule == "FK007" { // the whole key is refused
				taken = strings.Fields(strings.NewReplacer("clickhouse ", "", " ydb", "").Replace(othersNames))
			}
			problems := func(target string) []finding.Problem {
				name, version, _ := strings.Cut(target, "@")
				rep := &finding.Report{}
				Render(t.Context(), test.db, Options{Dialect: dialect.Dialect(name), ServerVersion: version}, rep)
				return rep.Problems()
			}
			for target := range strings.FieldsSeq(test.refused) {
				for i, name := range taken {
					if name == target {
						taken[i] = ""
					}
				}
				found := false
				for _, p := range problems(target) {
					found = found || p.Rule == test.rule && p.Object == test.object && strings.Contains(p.Message, test.object)
				}
				if !found {
					t.Errorf("%s: problems %v; want %s about %q", target, problems(target), test.rule, test.object)
				}
			}
			for _, target := range taken {
				if target == "" {
					continue
				}
				if got := problems(target); len(got) > 0 {
					t.Errorf("%s: problems %v; want none", target, got)
				}
			}
		})
	}
}

// portableTypes are those of the table of types, each as people declare it.
const portableTypes = `SMALLINT; INTEGER; BIGINT; SMALLSERIAL; SERIAL; BIGSERIAL; BOOLEAN; REAL; DOUBLE PRECISION; NUMERIC(12,2); NUMERIC; TEXT; VARCHAR(20);
	VARCHAR(4001); VARCHAR; CHAR(3); CITEXT; BYTEA; BLOB; DATE; TIME; TIMESTAMP; TIMESTAMPTZ; TIMESTAMP(6); INTERVAL; UUID; JSON; JSONB; INTEGER[]; INET; CIDR;
	MACADDR; TSVECTOR; XML; MONEY; BIT(4); VECTOR(3)`

// What a column of each type becomes in each dialect.
func TestRender_OthersTypes(t *testing.T) {
	var out strings.Builder
	for name := range strings.FieldsSeq(othersNames) {
		out.WriteString(name + "\n")
		for text := range strings.SplitSeq(strings.Join(strings.Fields(portableTypes), " "), "; ") {
			rep := &finding.Report{}
			tb := plainTable(text)
			tb.Columns[1].NotNull = true
			list := Render(t.Context(), &schema.Database{Tables: []*schema.Table{tb}}, Options{Dialect: dialect.Dialect(name)}, rep)
			line := ""
			for _, p := range rep.Problems() {
				line = "! " + p.Message
			}
			if line == "" {
				line = strings.Split(list[len(list)-1], "\n")[2]
			}
			out.WriteString("  " + text + ": " + strings.TrimRight(strings.TrimSpace(line), ",") + "\n")
			for _, w := range rep.Warnings() {
				out.WriteString("    " + string(w.Category) + "\n")
			}
		}
	}
	const path = "testdata/library/types.golden"
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(path, []byte(out.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if out.String() != string(want) {
		t.Errorf("%s differs; got\n%s", path, out.String())
	}
}
