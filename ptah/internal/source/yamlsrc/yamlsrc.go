// Package yamlsrc reads schemas that are declared in YAML files.
//
// A file is one document: a mapping with a key for each kind of objects, in which names
// lead to their declarations. Which keys a declaration has, and what they mean, is the
// business of package declare; this package knows the shape of the file. It is strict:
// what it does not know it refuses, with the line and the nearest name that it knows.
package yamlsrc

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/quartet-mcp/quartet/mcpkit/nearest"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
	"github.com/quartet-mcp/quartet/ptah/internal/source/declare"
	"github.com/quartet-mcp/quartet/ptah/internal/source/textfile"
)

// section is a key of the document.
type section struct {
	key, alias string
	kind       *declare.Kind
	// self is the attribute that a name stands for; empty: names are labels, for people.
	self string
	// list is the attribute that a list in the place of a declaration stands for.
	list string
}

// sections are in the order in which they are read.
var sections = []section{
	{key: "schemas", kind: declare.Namespace, self: "name"},
	{key: "extensions", kind: declare.Extension, self: "name"},
	{key: "enums", kind: declare.Enum, self: "name", list: "values"},
	{key: "domains", kind: declare.Domain, self: "name"},
	{key: "composites", kind: declare.Composite, self: "name"},
	{key: "ranges", kind: declare.Range, self: "name"},
	{key: "sequences", kind: declare.Sequence, self: "name"},
	{key: "tables", kind: declare.Table, self: "name"},
	{key: "indexes", kind: declare.Index, self: "name"},
	{key: "constraints", kind: declare.Constraint, self: "name"},
	{key: "views", kind: declare.View, self: "name"},
	{key: "materialized_views", alias: "matviews", kind: declare.MatView, self: "name"},
	{key: "functions", kind: declare.Function, self: "name"},
	{key: "procedures", kind: declare.Procedure, self: "name"},
	{key: "triggers", kind: declare.Trigger, self: "name"},
	{key: "rls_enabled_tables", alias: "rls_enabled", kind: declare.RowSecurity, self: "table"},
	{key: "rls_policies", kind: declare.Policy, self: "name"},
	{key: "roles", kind: declare.Role, self: "name"},
	{key: "grants", kind: declare.Grant},
	{key: "data", kind: declare.Data},
}

// Load reads the text of a file, which messages show as shown. What is wrong with it goes
// to rep, and the model has the rest; it is never nil.
func Load(ctx context.Context, data []byte, shown string, d dialect.Dialect, rep *finding.Report) *schema.Database {
	r := &reader{Unit: declare.NewUnit(schema.YAML, d, rep), ctx: ctx, path: shown}
	text, err := textfile.Check(data)
	if err != nil {
		r.Problem(r.at(0), "SRC001", "", "%v", err)
		r.DB.Partial = true
		return r.DB
	}
	root, ok := r.document(text)
	if !ok {
		r.DB.Partial = true
		return r.DB
	}
	r.file(root)
	if !r.declared && !r.DB.Partial {
		rep.Warn(finding.IgnoredFile, "schema file %s: it declares nothing", shown)
	}
	return r.DB
}

// reader reads one file.
type reader struct {
	*declare.Unit
	ctx      context.Context
	path     string
	declared bool // there is a declaration
}

func (r *reader) at(line int) schema.Origin {
	return schema.Origin{Language: schema.YAML, Path: r.path, Line: line}
}

// refuse reports what makes a part of the file unreadable.
func (r *reader) refuse(line int, format string, args ...any) {
	r.Problem(r.at(line), "SRC003", "", format, args...)
	r.DB.Partial = true
}

// file reads the document.
func (r *reader) file(root *yaml.Node) {
	if isNull(root) {
		return
	}
	entries, ok := r.mapping(root, func() string { return "the file" })
	if !ok {
		return
	}
	found := map[string]entry{}
	for _, e := range entries {
		i := slices.IndexFunc(sections, func(s section) bool { return e.key == s.key || e.key == s.alias && s.alias != "" })
		if i < 0 {
			r.unknown(e)
			continue
		}
		s := sections[i]
		if old, twice := found[s.key]; twice && old.key != e.key {
			r.refuse(e.line, "the file has both %q and %q, which are the same; give one", s.key, s.alias)
			continue
		}
		found[s.key] = e
	}
	for _, s := range sections {
		if e, ok := found[s.key]; ok {
			r.section(s, e)
		}
	}
}

func (r *reader) unknown(e entry) {
	var keys []string
	for _, s := range sections {
		keys = append(keys, s.key)
		if s.alias != "" {
			keys = append(keys, s.alias)
		}
	}
	if near := nearest.Best(e.key, keys); near != "" {
		r.refuse(e.line, "a schema has no key %.80q; did you mean %q?", e.key, near)
		return
	}
	r.refuse(e.line, "a schema has no key %.80q; its keys are %s", e.key, strings.Join(keys, ", "))
}

// section reads the declarations of a kind, by name, or one after the other.
func (r *reader) section(s section, e entry) {
	n, ok := r.resolve(e.value)
	if !ok || isNull(n) {
		return
	}
	if n.Kind == yaml.SequenceNode && s.self != "name" {
		for _, item := range n.Content {
			item, ok := r.resolve(item)
			switch {
			case !ok:
			case s.self != "" && item.Kind == yaml.ScalarNode && !isNull(item):
				r.object(s, entry{key: item.Value, line: item.Line, value: &null})
			case s.self != "":
				r.refuse(item.Line, "a name is expected in the list %q", e.key)
			default:
				r.object(s, entry{line: item.Line, value: item})
			}
		}
		return
	}
	entries, ok := r.mapping(n, quoted(e.key))
	if !ok {
		return
	}
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.key, b.key) })
	for _, e := range entries {
		if r.ctx.Err() != nil {
			return
		}
		r.object(s, e)
	}
}

// object reads one declaration.
func (r *reader) object(s section, e entry) {
	r.declared = true
	if s.kind == declare.Table {
		r.table(e)
		return
	}
	if spec, _, ok := r.spec(s, e, ""); ok && spec.Done() {
		r.AddObject(nil, spec)
	}
}

var (
	columns     = section{key: "columns", kind: declare.Field, self: "name"}
	indexes     = section{key: "indexes", kind: declare.Index, self: "name"}
	constraints = section{key: "constraints", kind: declare.Constraint, self: "name"}
)

// table reads a table with its parts. Those of a table that does not count are read as
// well, for their mistakes.
func (r *reader) table(e entry) {
	spec, parts, ok := r.spec(section{kind: declare.Table, self: "name"}, e, "")
	if !ok {
		return
	}
	var t *schema.Table
	if spec.Done() {
		t = r.Table(spec)
	}
	owner := spec.Text("struct_name")
	if owner == "" {
		owner = spec.Text("name")
	}
	r.parts(columns, parts, spec, func(column *declare.Spec) {
		field := column.Text("field_name")
		if field == "" {
			field = column.Text("name")
		}
		if c := r.Column(column, owner, field); c != nil && t != nil {
			r.AddColumn(t, c, declare.Use{})
		}
	})
	if t != nil {
		r.TableKeys(t, spec)
	}
	for _, s := range []section{constraints, indexes} {
		r.parts(s, parts, spec, func(part *declare.Spec) {
			if t != nil {
				r.AddObject(t, part)
			}
		})
	}
}

// parts reads the parts of a kind that a table has.
func (r *reader) parts(s section, parts map[string]entry, table *declare.Spec, add func(*declare.Spec)) {
	e, ok := parts[s.key]
	if !ok || isNull(e.value) {
		return
	}
	entries, _ := r.mapping(e.value, func() string { return fmt.Sprintf("%q of table %.80q", e.key, table.Object()) })
	for _, e := range entries {
		if spec, _, ok := r.spec(s, e, table.Object()); ok && spec.Done() {
			add(spec)
		}
	}
}
