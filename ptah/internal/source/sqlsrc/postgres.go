package sqlsrc

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	pgsql "github.com/quartet-mcp/quartet/datakit/sqltree/postgres"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
	"github.com/quartet-mcp/quartet/ptah/internal/trees"
)

// postgres executes scripts of the PostgreSQL family. The server's own grammar decides
// what a statement is; its tree says what it declares, and its tokens say what the tree
// leaves out.
type postgres struct {
	d   dialect.Dialect
	rep *finding.Report
	db  *schema.Database
	namespaces

	// The piece at hand.
	piece piece
	text  string // of the piece or of a part of it
	base  int    // where text begins in the piece
	lines []int  // where the lines of the piece begin
	at    int    // where the statement at hand begins in text
	// elements: the statement at hand follows CREATE SCHEMA without a semicolon, and
	// makes things in that schema.
	elements string
	marks    map[mark]bool // of the statement at hand, for relatives of PostgreSQL
}

func newPostgres(d dialect.Dialect, rep *finding.Report) interpreter {
	in := &postgres{d: d, rep: rep, db: &schema.Database{}}
	in.init()
	return in
}

func (in *postgres) database() *schema.Database {
	in.keepComments()
	return in.db
}

// run executes a piece, one statement after the other: what is wrong with one does not
// hide the others, and those that were read before need not be read again.
func (in *postgres) run(ctx context.Context, p piece) {
	in.piece, in.text, in.base, in.lines = p, p.text, 0, nil
	text := p.text
	for rest, repairs := 0, 0; rest < len(text) && ctx.Err() == nil; repairs++ {
		from := rest
		rest = len(text)
		pieces := pgsql.Split(text[from:])
		for i, s := range pieces {
			if ctx.Err() != nil {
				in.db.Partial = true
				return
			}
			start, end := from+s.Start, from+s.End
			if i == len(pieces)-1 && repairs < maxRepairs {
				if n := unclosed(text[start:end]); n > 0 {
					end = start + n
					rest = end
				}
			}
			if in.isRelative() {
				in.relativePart(ctx, text[start:end], start)
				continue
			}
			in.text, in.base = text[start:end], start
			in.parsed(in.text)
		}
	}
}

// maxRepairs is how often reading goes on behind something that is never closed. Each
// time the rest of the text is cut into statements anew.
const maxRepairs = 20

// parsed executes a part of the piece, which is one statement as far as can be told.
func (in *postgres) parsed(text string) {
	script, err := trees.Parse(sqltree.Postgres, text)
	if err != nil {
		in.syntax(err)
		return
	}
	in.script(script)
}

// syntax reports a text that the grammar does not take.
func (in *postgres) syntax(err error) {
	in.at = 0
	message := err.Error()
	var e *sqltree.SyntaxError
	if errors.As(err, &e) {
		in.at, message = e.Start, e.Message
	}
	in.report(refused("SRC002", "", "%s", strings.ToLower(message[:1])+message[1:]))
}

// unclosed returns where a statement ends that has a bracket, a string or a comment which
// is never closed: before the next line that begins as statements do, behind a semicolon.
// It is 0 where all of the text may belong to one statement.
func unclosed(text string) int {
	if _, err := pgsql.Tokens(text); err == nil {
		return 0
	}
	for from := 0; ; {
		i := strings.IndexByte(text[from:], ';')
		if i < 0 {
			return 0
		}
		from += i + 1
		rest := strings.TrimLeft(text[from:], " \t\r")
		if !strings.HasPrefix(rest, "\n") {
			continue
		}
		for _, line := range strings.SplitN(rest, "\n", 20) {
			line = strings.TrimSpace(line)
			if line == "" || strings.HasPrefix(line, "--") {
				continue
			}
			word, _, _ := strings.Cut(line, " ")
			switch strings.ToUpper(word) {
			case "CREATE", "ALTER", "DROP", "COMMENT", "GRANT", "REVOKE", "SET", "SELECT", "INSERT", "BEGIN", "COMMIT", "COPY":
				return from
			}
			break
		}
	}
}

// script executes the statements of a script, which is in.text.
func (in *postgres) script(script *sqltree.Script) {
	end := 0
	for _, st := range script.Statements {
		at := st.Pos()
		if in.elements != "" {
			// Only blanks and comments stand between CREATE SCHEMA and its elements.
			if toks, err := pgsql.Tokens(in.text[end:at.Start]); err != nil || len(toks) > 0 {
				in.elements = ""
			}
		}
		end = at.End
		in.at = at.Start
		if err := in.statement(st); err != nil {
			in.report(err)
		}
	}
	in.elements = ""
}

// refusal is a statement that cannot be executed, or kept.
type refusal struct {
	rule    finding.Rule
	object  string
	message string
}

func (r *refusal) Error() string { return r.message }

func refused(rule finding.Rule, object, format string, args ...any) *refusal {
	return &refusal{rule, object, fmt.Sprintf(format, args...)}
}

// unkept refuses a statement that declares something that the model does not hold.
func unkept(what, advice string) *refusal {
	if advice != "" {
		advice = "; " + advice
	}
	return refused("SRC005", "", "%s is not supported as a declaration%s", what, advice)
}

// temporary is why what belongs to a session is not declared.
const temporary = "it is gone with the session"

// undeclared refuses a statement about something that no statement before it declares.
func undeclared(kind, name string) *refusal {
	return refused("SRC006", name, "%s %s is not declared before it is used", strings.ToLower(kind), quoted(name))
}

// twice refuses a second declaration of an object.
func twice(kind, name string, at schema.Origin) *refusal {
	return refused("SRC007", name, "%s %s is declared twice, here and at %s", strings.ToLower(kind), quoted(name), at)
}

// clash refuses a declaration whose name an object of another kind has.
func clash(kind, name, oldKind string, at schema.Origin) *refusal {
	rule := finding.Rule("TBL006")
	if kind == "index" {
		rule = "IDX005"
	}
	return refused(rule, name, "%s %s has the name of a %s, at %s; both are in one set of names, rename one of them", kind, quoted(name), oldKind, at)
}

// twoColumns refuses a second column of one name.
func (in *postgres) twoColumns(t *schema.Table, name string, old *schema.Column) *refusal {
	if old.Name != name {
		r := in.taking("column", schema.Name{Schema: t.Schema, Name: name}, "column", schema.Name{Name: old.Name}, old.Origin)
		r.object = t.Name.String() + "." + name
		return r
	}
	return refused("TBL002", t.Name.String()+"."+name, "table %s has two columns %s", quoted(t.Name.String()), quoted(name))
}

// taking refuses a declaration whose name another object has, of the same kind or of one
// that shares a set of names with it. Names that are equal only because the server cuts
// them are shown in their whole length.
func (in *postgres) taking(kind string, n schema.Name, oldKind string, old schema.Name, at schema.Origin) *refusal {
	kind, oldKind = strings.ToLower(kind), strings.ToLower(oldKind)
	switch {
	case n.Name != old.Name:
	case kind == oldKind:
		return twice(kind, n.String(), at)
	default:
		return clash(kind, n.String(), oldKind, at)
	}
	kept := dialect.Cut(n.Name)
	in.rep.Warn(finding.TruncatedName, "schema file %s: %s %q in schema %q is %d bytes; the server keeps its first %d: %q",
		in.piece.shown, kind, n.Name, in.key(n).schema, len(n.Name), len(kept), kept)
	return refused("NAM002", n.String(), "%s %q takes the name of %q, at %s: the server keeps the first %d bytes of a name", kind, n.Name, old.Name, at, dialect.MaxNameBytes)
}

// report adds the problem of the statement at hand. What it declares is missing then.
func (in *postgres) report(err error) {
	in.db.Partial = true
	p := finding.Problem{Rule: "SRC005", Path: in.piece.shown, Line: in.line(in.at), Message: err.Error()}
	var r *refusal
	if errors.As(err, &r) {
		p.Rule, p.Object = r.rule, r.object
	}
	p.Kind = kindOf(p.Rule)
	in.rep.Problem(p)
}

// skip warns of a statement, or a part of one, that declares nothing.
func (in *postgres) skip(what string) {
	in.rep.Warn(finding.SkippedDeclaration, "schema file %s:%d: %s is skipped", in.piece.shown, in.line(in.at), what)
}

// exists warns of a declaration that IF NOT EXISTS makes nothing of.
func (in *postgres) exists(kind, name string, at schema.Origin) error {
	in.skip(fmt.Sprintf("CREATE %s IF NOT EXISTS of %s, which is declared at %s,", kind, quoted(name), at))
	return nil
}

// line returns the line of the file in which a byte of text stands.
func (in *postgres) line(at int) int {
	if in.lines == nil {
		in.lines = append(in.lines, 0)
		for i := range len(in.piece.text) {
			if in.piece.text[i] == '\n' {
				in.lines = append(in.lines, i+1)
			}
		}
	}
	at += in.base
	return in.piece.line - 1 + sort.Search(len(in.lines), func(i int) bool { return in.lines[i] > at })
}

func (in *postgres) origin(at int) schema.Origin {
	return schema.Origin{Language: schema.SQL, Path: in.piece.shown, Line: in.line(at)}
}

// here is the origin of the statement at hand.
func (in *postgres) here() schema.Origin { return in.origin(in.at) }

// statement executes a statement.
func (in *postgres) statement(st sqltree.Statement) error {
	switch st := st.(type) {
	case *sqltree.CreateTable:
		return in.createTable(st)
	case *sqltree.CreateIndex:
		return in.createIndex(st)
	case *sqltree.AlterTable:
		return in.alter(st)
	case *sqltree.CreateView:
		return in.createView(st)
	case *sqltree.CreateType:
		return in.createType(st)
	case *sqltree.CreateSequence:
		return in.createSequence(st)
	case *sqltree.CreateFunction:
		return in.createFunction(st)
	case *sqltree.CreateTrigger:
		return in.createTrigger(st)
	case *sqltree.Comment:
		return in.comment(st)
	case *sqltree.Drop:
		return in.drop(st)
	case *sqltree.Insert:
		in.skip("INSERT")
		return nil
	case *sqltree.Query:
		return in.query(st)
	case *sqltree.Update:
		return unkept("UPDATE", "")
	case *sqltree.Delete:
		return unkept("DELETE", "")
	case *sqltree.Merge:
		return unkept("MERGE", "")
	case *sqltree.Truncate:
		return unkept("TRUNCATE", "")
	case *sqltree.Explain:
		return unkept("EXPLAIN", "")
	case *sqltree.Other:
		return in.other(st)
	}
	return unkept("a statement of this kind", "")
}

// query executes a SELECT. Two kinds are calls that dumps make.
func (in *postgres) query(q *sqltree.Query) error {
	s, ok := q.Body.(*sqltree.Select)
	if ok && q.Into == nil && q.With == nil && len(s.Items) == 1 && len(s.From) == 0 {
		if f, ok := s.Items[0].Expr.(*sqltree.Func); ok {
			switch strings.ToLower(f.Name.Last().Name) {
			case "set_config":
				in.setConfig(f)
				in.skip("SELECT set_config(…)")
				return nil
			case "setval":
				in.skip("SELECT setval(…)")
				return nil
			}
		}
	}
	if q.Into != nil {
		return unkept("SELECT INTO", "declare the table with its columns")
	}
	if ok && len(s.Items) == 1 && len(s.From) == 0 {
		if f, ok := s.Items[0].Expr.(*sqltree.Func); ok {
			return unkept("SELECT "+in.text[f.Name.Start:f.Name.End]+"(…)", "")
		}
	}
	return unkept("SELECT", "")
}

// setConfig follows set_config('search_path', …).
func (in *postgres) setConfig(f *sqltree.Func) {
	if len(f.Args) < 2 {
		return
	}
	name, ok := f.Args[0].(*sqltree.Literal)
	value, ok2 := f.Args[1].(*sqltree.Literal)
	if ok && ok2 && strings.EqualFold(name.Value, "search_path") && value.Kind == sqltree.StringLiteral {
		in.setPath(value.Value)
	}
}

// skippedKinds are statements that declare nothing: they set the session up, carry rows or
// act on what is stored.
var skippedKinds = map[string]bool{
	"RESET": true, "BEGIN": true, "START": true, "COMMIT": true, "END": true, "SAVEPOINT": true, "RELEASE": true,
	"COPY": true, "CLUSTER": true, "ANALYZE": true, "ANALYSE": true, "VACUUM": true, "LOCK": true, "CHECKPOINT": true,
	"REFRESH MATERIALIZED VIEW": true, "REINDEX TABLE": true, "REINDEX INDEX": true, "REINDEX SCHEMA": true, "REINDEX DATABASE": true, "REINDEX SYSTEM": true,
	"CREATE DATABASE": true,
}

// other executes the statements that the tree has no type for.
func (in *postgres) other(st *sqltree.Other) error {
	if strings.HasPrefix(st.Kind, `\`) {
		return in.meta(st.Kind)
	}
	w := in.words(st.Span)
	if w.endsWithOwner() {
		in.skip(st.Kind + " … OWNER TO")
		return nil
	}
	if skippedKinds[st.Kind] {
		in.skip(st.Kind)
		switch st.Kind {
		case "RESET":
			all := w.isAt(1, "ALL")
			if all || w.isAt(1, "SEARCH_PATH") {
				in.path, in.namespaces.set = nil, false
			}
			if all || w.isAt(1, "CHECK_FUNCTION_BODIES") {
				in.unchecked = false
			}
		case "CLUSTER":
			return in.cluster(w)
		case "REFRESH MATERIALIZED VIEW":
			return in.refresh(st, w)
		}
		return nil
	}
	switch st.Kind {
	case "SET":
		in.set(w)
		in.skip("SET")
		return nil
	case "CREATE SCHEMA":
		return in.createSchema(w)
	case "CREATE EXTENSION":
		return in.createExtension(w)
	case "CREATE ROLE", "CREATE USER", "CREATE GROUP":
		return in.createRole(w)
	case "ALTER ROLE", "ALTER USER", "ALTER GROUP":
		return in.alterRole(w)
	case "CREATE POLICY":
		return in.createPolicy(w)
	case "ALTER POLICY":
		return in.alterPolicy(w)
	case "GRANT", "REVOKE":
		return in.grant(w, st.Kind == "REVOKE")
	case "ALTER PRIVILEGES":
		in.defaultPrivileges(w)
		return in.keep(st, "DEFAULT PRIVILEGES")
	case "ALTER DOMAIN":
		return in.alterDomain(st, w)
	case "ALTER TYPE":
		return in.alterType(w)
	case "ALTER SCHEMA":
		return in.alterSchema(w)
	case "ALTER EXTENSION":
		return in.alterExtension(w)
	case "ALTER FUNCTION", "ALTER PROCEDURE", "ALTER ROUTINE", "ALTER AGGREGATE":
		return in.alterRoutine(st, w)
	case "ROLLBACK", "ABORT":
		return unkept(st.Kind, "it takes declarations back")
	case "CREATE AGGREGATE":
		return in.createAggregate(st, w)
	}
	if kind, ok := strings.CutPrefix(st.Kind, "CREATE "); ok && verbatimKinds[kind] {
		return in.keep(st, kind)
	}
	if kind, ok := strings.CutPrefix(st.Kind, "ALTER "); ok && verbatimKinds[kind] {
		return in.alterVerbatim(st, w, kind)
	}
	switch st.Kind {
	case "SECURITY":
		return unkept("SECURITY LABEL", "")
	case "IMPORT":
		return unkept("IMPORT FOREIGN SCHEMA", "declare the tables")
	}
	return unkept(st.Kind, "")
}

// cluster notes the index that CLUSTER t USING i leaves marked.
func (in *postgres) cluster(w *words) error {
	w.accept("CLUSTER")
	if w.punct('(') {
		w.group()
	}
	w.accept("VERBOSE")
	if w.done() {
		return nil
	}
	n := w.name()
	if t := in.table(n); t == nil {
		return undeclared("table", n.String())
	} else if w.accept("USING") {
		t.ClusterOn = w.ident()
	}
	return nil
}

// refresh notes whether REFRESH leaves a materialised view with rows.
func (in *postgres) refresh(st *sqltree.Other, w *words) error {
	if st.Name == nil {
		return nil
	}
	n := in.parts(*st.Name)
	r := in.relation(n)
	if r == nil || r.view == nil {
		return undeclared("materialized view", n.String())
	}
	r.view.NoData = w.find("WITH", "NO", "DATA") < len(w.toks)
	return nil
}

// meta executes a line for psql. Those that choose or bring statements cannot be left
// out; the others declare nothing.
func (in *postgres) meta(command string) error {
	switch strings.TrimLeft(command, `\`) {
	case "i", "ir", "include", "include_relative":
		return unkept(command, "import the file with a line -- atlas:import <relative path>")
	case "if", "elif", "else", "endif", "gexec", "g", "gx", "gset", "gdesc", "watch", "crosstabview":
		return unkept(command, "")
	}
	in.skip(command)
	return nil
}
