package policy

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quartet-mcp/quartet/ptah/internal/artifact"
	"github.com/quartet-mcp/quartet/ptah/internal/code"
)

func rules(t *testing.T, text string) []Rule {
	t.Helper()
	r, err := Parse([]byte(text))
	if err != nil {
		t.Fatalf("Parse(%q): %v", text, err)
	}
	return r
}

func TestPolicy_EveryRowIsDecided(t *testing.T) {
	p, err := New(nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]Verdict{}
	for _, c := range []Capability{DocsRead, ProjectRead, SchemaValidate, SchemaRender, SchemaLineage} {
		want[string(c)] = Allow
	}
	for _, c := range []Capability{SchemaExternalExecute, FilesystemArbitraryRead, FilesystemArbitraryWrite, ShellExecute, NetworkArbitrary} {
		want[string(c)] = Deny
	}
	for _, d := range Classes() {
		for _, c := range []Capability{DatabaseReadRows, DatabaseExecuteSQL, MigrationApply} {
			want[string(c)+":"+string(d)] = Deny
		}
	}
	for class, v := range map[Class]Verdict{Ephemeral: Allow, Dev: Ask, Target: Ask, Production: Deny, Unclassified: Deny} {
		want["database.inspect:"+string(class)] = v
	}
	for _, a := range artifact.Classes() {
		want["artifact.read:"+string(a)] = Allow
		want["artifact.write:"+string(a)] = Ask
		want["artifact.delete:"+string(a)] = Deny
	}
	if len(want) != 39 {
		t.Fatalf("%d rows are expected, want 39", len(want))
	}
	got := map[string]Verdict{}
	for _, r := range p.Rows() {
		got[r.Name()] = r.Verdict
		if r.DecidedBy != Builtin {
			t.Errorf("%s is decided by %q", r.Name(), r.DecidedBy)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if len(p.Rows()) != 39 {
		t.Errorf("%d rows, want 39", len(p.Rows()))
	}
}

func TestPolicy_EveryOperationHasARow(t *testing.T) {
	p, err := New(nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	has := map[Capability]bool{}
	for _, r := range p.Rows() {
		has[r.Capability] = true
	}
	for _, o := range Operations() {
		if len(o.Needs()) == 0 {
			t.Errorf("%s needs nothing", o)
		}
		for _, c := range o.Needs() {
			if !has[c] {
				t.Errorf("%s needs %s, of which there is no row", o, c)
			}
		}
	}
	if r := p.Decide("made.up", ""); r.Verdict != Deny {
		t.Errorf("an unknown capability is %s", r.Verdict)
	}
	if r := p.Decide(DatabaseInspect, "made-up"); r.Verdict != Deny {
		t.Errorf("an unknown scope is %s", r.Verdict)
	}
}

func TestNew_Layers(t *testing.T) {
	tests := []struct {
		name                      string
		user, invocation, project string
		row                       string
		want                      Verdict
		by                        Layer
		ignored                   []string
	}{
		{name: "user widens production", user: "database.inspect:production ask", row: "database.inspect:production", want: Ask, by: User},
		{name: "user narrows", user: "docs.read deny", row: "docs.read", want: Deny, by: User},
		{name: "invocation over user", user: "database.inspect:dev deny", invocation: "database.inspect:dev allow",
			row: "database.inspect:dev", want: Allow, by: Invocation},
		{name: "a rule without scope covers all", user: "artifact.read deny", row: "artifact.read:tests", want: Deny, by: User},
		{name: "the last match counts", user: "database.inspect deny\ndatabase.inspect:dev allow\n", row: "database.inspect:dev", want: Allow, by: User},
		{name: "also if it is the general one", user: "database.inspect:dev allow\ndatabase.inspect deny\n", row: "database.inspect:dev", want: Deny, by: User},
		{name: "project narrows", project: "database.inspect:dev deny", row: "database.inspect:dev", want: Deny, by: Project},
		{name: "project narrows the invocation", invocation: "artifact.write:schema allow", project: "artifact.write ask",
			row: "artifact.write:schema", want: Ask, by: Project},
		{name: "project cannot widen", project: "database.inspect:production ask", row: "database.inspect:production", want: Deny, by: Builtin,
			ignored: []string{"database.inspect:production ask (project): a project file cannot widen database.inspect:production from deny"}},
		{name: "project widens some rows and narrows others", project: "database.inspect ask", row: "database.inspect:ephemeral", want: Ask, by: Project,
			ignored: []string{"database.inspect ask (project): a project file cannot widen database.inspect:production from deny, database.inspect:unclassified from deny"}},
		{name: "project repeats", project: "docs.read allow", row: "docs.read", want: Allow, by: Builtin},
		{name: "a project's earlier rule does not count", project: "docs.read deny\ndocs.read allow", row: "docs.read", want: Allow, by: Builtin},
		{name: "a denial of what is denied", user: "shell.execute deny", row: "shell.execute", want: Deny, by: User},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p, err := New(rules(t, test.user), rules(t, test.invocation), rules(t, test.project))
			if err != nil {
				t.Fatal(err)
			}
			capability, scope, _ := strings.Cut(test.row, ":")
			got := p.Decide(Capability(capability), scope)
			if got.Verdict != test.want || got.DecidedBy != test.by {
				t.Errorf("%s is %s by %s, want %s by %s", test.row, got.Verdict, got.DecidedBy, test.want, test.by)
			}
			if test.ignored == nil {
				test.ignored = []string{}
			}
			if diff := cmp.Diff(test.ignored, p.Ignored()); diff != "" {
				t.Errorf("ignored (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNew_GrantOfWhatIsHard(t *testing.T) {
	grant := []Rule{{ShellExecute, "", Ask}}
	for _, layers := range [][3][]Rule{{grant, nil, nil}, {nil, grant, nil}, {nil, nil, grant}} {
		if _, err := New(layers[0], layers[1], layers[2]); err == nil {
			t.Error("a layer may grant shell.execute")
		}
	}
}

func TestParse(t *testing.T) {
	got, err := Parse([]byte("# who may do what\n\n  \ndocs.read allow\r\ndatabase.inspect:dev deny"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Rule{{DocsRead, "", Allow}, {DatabaseInspect, "dev", Deny}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	tests := map[string]string{
		"docs.raed deny":                    `line 1: unknown capability "docs.raed"`,
		"\n#x\ndocs.read denny":             `line 3: unknown verdict "denny"`,
		"docs.read  deny":                   "with one space",
		" docs.read deny":                   "with one space",
		"docs.read deny ":                   "with one space",
		"docs.read\tdeny":                   "with one space",
		"docs.read":                         "with one space",
		"docs.read deny # because":          "with one space",
		"docs.read:all deny":                "docs.read has no scopes",
		"docs.read: deny":                   "no scope after its colon",
		"database.inspect:prod deny":        `"prod" is no scope of database.inspect; its scopes are ephemeral, dev, target, production, unclassified`,
		"artifact.write:dev ask":            "its scopes are migrations, schema, tests",
		"shell.execute ask":                 "cannot be granted",
		"network.arbitrary allow":           "cannot be granted",
		"\xef\xbb\xbfdocs.read deny":        "unknown capability",
		"docs.read deny\xff":                "not UTF-8",
		strings.Repeat("# nothing\n", 9000): "longer than",
	}
	for text, want := range tests {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%.40q): error %v, want %q in it", text, err, want)
		}
	}
}

func TestRow_Refused(t *testing.T) {
	err := Row{DatabaseInspect, "production", Deny, Builtin}.Refused()
	if code.Of(err) != code.CapabilityDenied || !strings.Contains(err.Error(), "database.inspect:production (decided by the builtin layer)") {
		t.Errorf("error = %v", err)
	}
	for _, v := range []Verdict{Allow, Ask} {
		if err := (Row{DocsRead, "", v, User}).Refused(); err != nil {
			t.Errorf("%s is refused: %v", v, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("docs.read allow\ndatabase.inspect:dev deny\n")
	f.Add("a:b c")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := Parse([]byte(text))
		if err != nil {
			return
		}
		var b strings.Builder
		for _, r := range got {
			b.WriteString(r.String() + "\n")
		}
		again, err := Parse([]byte(b.String()))
		if err != nil || cmp.Diff(got, again) != "" {
			t.Errorf("%q is written as %q and read as %v, %v", text, b.String(), again, err)
		}
	})
}
