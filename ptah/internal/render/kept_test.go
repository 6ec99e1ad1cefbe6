package render

import (
	"slices"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

func TestRender_KeptStatementsInOrder(t *testing.T) {
	kept := func(kind, name, text string) *schema.Verbatim {
		return &schema.Verbatim{Kind: kind, Name: schema.Name{Name: name}, Text: text}
	}
	db := &schema.Database{
		Verbatim: []*schema.Verbatim{
			kept("EVENT TRIGGER", "a_event", "CREATE EVENT TRIGGER a_event ON ddl_command_end EXECUTE FUNCTION z()"),
			kept("SERVER", "a_server", "CREATE SERVER a_server FOREIGN DATA WRAPPER wrapper;"),
			kept("FOREIGN DATA WRAPPER", "wrapper", "CREATE FOREIGN DATA WRAPPER wrapper -- ours"),
			kept("RULE", "r", "CREATE RULE r AS ON INSERT TO t DO NOTHING"),
			kept("DEFAULT PRIVILEGES", "", "ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO PUBLIC"),
		},
		Tables:   []*schema.Table{{Name: schema.Name{Name: "t"}, Foreign: "SERVER a_server"}},
		Routines: []*schema.Routine{{Name: schema.Name{Name: "z"}, Declared: "CREATE FUNCTION z() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN END $$"}},
	}
	rep := &finding.Report{}
	list := Render(t.Context(), db, Options{Dialect: dialect.Postgres}, rep)
	at := -1
	for _, want := range []string{"CREATE FOREIGN DATA WRAPPER", "CREATE SERVER", "CREATE FOREIGN TABLE", "CREATE FUNCTION", "CREATE RULE", "ALTER DEFAULT", "CREATE EVENT"} {
		i := slices.IndexFunc(list, func(s string) bool { return strings.HasPrefix(s, want) })
		if i <= at {
			t.Errorf("%s is statement %d, behind %d is right:\n%s", want, i, at, strings.Join(list, "\n"))
		}
		at = i
	}
	if rep.Failed() {
		t.Error(rep.Problems())
	}
}

// TestRender_CircleIsNamed wants objects that need each other to be a problem, where
// nothing can be given up.
func TestRender_CircleIsNamed(t *testing.T) {
	view := func(name, body string) *schema.View { return &schema.View{Name: schema.Name{Name: name}, Body: body} }
	for _, d := range []dialect.Dialect{dialect.Postgres, dialect.MariaDB, dialect.SQLite} {
		rep := &finding.Report{}
		Render(t.Context(), &schema.Database{Views: []*schema.View{view("a", "SELECT 1 AS x FROM b"), view("b", "SELECT 1 AS x FROM a"), view("c", "SELECT 1 AS x")}}, Options{Dialect: d}, rep)
		if p := rep.Problems(); len(p) != 1 || p[0].Rule != "VW005" || p[0].Object != "a" || !strings.Contains(p[0].Message, `"b"`) {
			t.Errorf("%s: problems %v, want VW005 that names both views", d, p)
		}
	}
}

// TestRender_Hostile wants names and texts that mean harm to stay names and texts.
func TestRender_Hostile(t *testing.T) {
	for d := range writers {
		for _, text := range []string{"", "'", `"`, "`", `\`, "/*", "--", "$$", "a;b", "\xff", "(", strings.Repeat("(", 10000), "é\x00"} {
			db := &schema.Database{
				Tables: []*schema.Table{{Name: schema.Name{Name: "t" + text}, Comment: text,
					Columns:     []*schema.Column{{Name: "c" + text, Type: schema.Type{Name: text, Text: text}, Native: true, Default: &schema.Default{Text: text}, Generated: &schema.Generated{Expr: text}}},
					Constraints: []*schema.Constraint{{Kind: schema.Check, Expr: text}, {Kind: schema.PrimaryKey}, {Kind: schema.ForeignKey, Reference: &schema.Reference{}}},
					Indexes:     []*schema.Index{{Keys: []schema.IndexKey{{Expr: text}}}}}},
				Views:    []*schema.View{{Name: schema.Name{Name: text}, Body: text}},
				Routines: []*schema.Routine{{Name: schema.Name{Name: text}, Body: text}, {Declared: text}, {Aggregate: true, Declared: text}},
				Triggers: []*schema.Trigger{{Body: text}, {Declared: text}},
				Verbatim: []*schema.Verbatim{{Kind: text, Text: text}},
			}
			Render(t.Context(), db, Options{Dialect: d, ServerVersion: text}, &finding.Report{})
		}
	}
}
