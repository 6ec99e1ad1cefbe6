package sqlfront

import (
	"fmt"
	"strings"
	"unicode/utf8"

	pg "github.com/pganalyze/pg_query_go/v6"
	"github.com/quartet-mcp/quartet/mcpkit/nearest"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/caret"
	names "github.com/quartet-mcp/quartet/vectro/internal/engine/ident"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// ident is a name as it was written. The parser lowers unquoted names and cuts
// all of them at 63 bytes; columns of files have either case and any length, so
// the text itself is read where its place is known.
type ident struct {
	name   string
	quoted bool
}

func (id ident) String() string { return fmt.Sprintf("%q", caret.Clean(id.name)) }

// idents returns the names of a dotted list that begins at a byte offset; parsed
// are its parts as the parser has them.
func (p *planner) idents(at int32, parsed []string) []ident {
	i := p.tokenAt(at)
	ids := make([]ident, len(parsed))
	for n, name := range parsed {
		ids[n] = ident{name: name}
		if t := i + 2*n; i >= 0 && t < len(p.tokens) {
			if raw, ok := rawIdent(p.text[p.tokens[t].Start:p.tokens[t].End], name); ok {
				ids[n] = raw
			}
		}
	}
	return ids
}

// rawIdent reads a token as the name that the parser made parsed of, if it did.
func rawIdent(token, parsed string) (ident, bool) {
	if s, ok := strings.CutPrefix(token, `"`); ok && strings.HasSuffix(s, `"`) {
		s = strings.ReplaceAll(s[:len(s)-1], `""`, `"`)
		return ident{s, true}, strings.HasPrefix(s, parsed)
	}
	return ident{name: token}, strings.HasPrefix(strings.ToLower(token), strings.ToLower(parsed))
}

// maxName is how many bytes of a name the parser keeps.
const maxName = 63

// restoreNames gives the names that the parser cut back what it cut, in the whole
// tree: an alias must be what the text calls it. Of two names that begin alike
// neither is restored.
func (p *planner) restoreNames(tree proto.Message) {
	whole := map[string]string{} // by what the parser keeps; empty for two
	for _, t := range p.tokens {
		name := p.text[t.Start:t.End]
		if len(name) <= maxName {
			continue
		}
		if s, ok := strings.CutPrefix(name, `"`); ok {
			name = strings.ReplaceAll(strings.TrimSuffix(s, `"`), `""`, `"`)
		} else if t.Token == pg.Token_IDENT {
			name = strings.ToLower(name)
		} else {
			continue
		}
		cut := min(maxName, len(name))
		for cut < len(name) && !utf8.RuneStart(name[cut]) {
			cut--
		}
		kept := name[:cut]
		if before, ok := whole[kept]; ok && before != name {
			name = ""
		}
		whole[kept] = name
	}
	if len(whole) > 0 {
		restore(tree.ProtoReflect(), whole)
	}
}

func restore(m protoreflect.Message, whole map[string]string) {
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.Kind() == protoreflect.StringKind && !f.IsList():
			if name := whole[v.String()]; name != "" {
				m.Set(f, protoreflect.ValueOfString(name))
			}
		case f.Kind() == protoreflect.MessageKind && f.IsList():
			for i := range v.List().Len() {
				restore(v.List().Get(i).Message(), whole)
			}
		case f.Kind() == protoreflect.MessageKind && !f.IsMap():
			restore(v.Message(), whole)
		}
		return true
	})
}

// match returns which of the names id means: the one that is exactly so, else
// those that differ in case alone.
func match(id ident, names []string) []int {
	for _, same := range []func(string) bool{
		func(n string) bool { return n == id.name },
		func(n string) bool { return strings.EqualFold(n, id.name) },
	} {
		var hits []int
		for i, n := range names {
			if same(n) {
				hits = append(hits, i)
			}
		}
		if hits != nil {
			return hits
		}
	}
	return nil
}

// scope is the columns that expressions of one SELECT may name.
type scope struct {
	schema  plan.Schema // Field.Table is the table's alias
	hidden  []bool      // the second of two columns that USING made one
	star    []int       // the columns of *, in order
	aliases []string    // of the tables, in order
}

func newScope(alias string, schema plan.Schema) scope {
	s := scope{aliases: []string{alias}, hidden: make([]bool, len(schema))}
	for i, f := range schema {
		f.Table = alias
		s.schema = append(s.schema, f)
		s.star = append(s.star, i)
	}
	return s
}

// beside returns the scope of two tables, the columns of s first.
func (s scope) beside(t scope) scope {
	n := len(s.schema)
	u := scope{
		schema:  append(s.schema[:n:n], t.schema...),
		hidden:  append(s.hidden[:n:n], t.hidden...),
		star:    append([]int(nil), s.star...),
		aliases: append(s.aliases[:len(s.aliases):len(s.aliases)], t.aliases...),
	}
	for _, i := range t.star {
		u.star = append(u.star, n+i)
	}
	return u
}

// column returns the column that a reference means.
func (p *planner) column(s *scope, ids []ident, at int32) (*plan.Column, error) {
	id := ids[len(ids)-1]
	table := ""
	if len(ids) > 1 {
		alias, err := p.alias(s, ids[:len(ids)-1], at)
		if err != nil {
			return nil, p.dotted(s, ids, at, err)
		}
		table = alias
	}
	var names []string
	var at2 []int
	for i, f := range s.schema {
		if table != "" && f.Table == table || table == "" && !s.hidden[i] {
			names = append(names, f.Name)
			at2 = append(at2, i)
		}
	}
	switch hits := match(id, names); len(hits) {
	case 0:
		return nil, p.noColumn(id, names, at)
	case 1:
		i := at2[hits[0]]
		return &plan.Column{Index: i, Field: s.schema[i]}, nil
	default:
		var which []string
		for _, h := range hits {
			f := s.schema[at2[h]]
			which = append(which, quoteName(f.Table)+"."+quoteName(f.Name))
		}
		e := p.fail(at, "column %s is ambiguous; write %s", id, strings.Join(which, " or "))
		e.Candidates = which
		return nil, e
	}
}

// dotted returns the refusal of a name with dots whose prefix is no table, which is
// err unless a column has that name, dots and all.
func (p *planner) dotted(s *scope, ids []ident, at int32, err error) error {
	parts := make([]string, len(ids))
	for i, id := range ids {
		parts[i] = id.name
	}
	name := strings.Join(parts, ".")
	for _, f := range s.schema {
		if strings.EqualFold(f.Name, name) {
			e := p.fail(at, "column %q has a dot in its name; write %s", caret.Clean(name), quoteName(f.Name))
			e.Candidates = []string{f.Name}
			return e
		}
	}
	return err
}

// alias returns the alias of the table that a prefix means.
func (p *planner) alias(s *scope, ids []ident, at int32) (string, error) {
	id := ids[len(ids)-1]
	if len(ids) > 2 || len(ids) == 2 && !isDefaultSchema(ids[0].name) {
		return "", p.fail(at, "the prefix %s.%s is not that of a table; write table.column", ids[0], id)
	}
	switch hits := match(id, s.aliases); len(hits) {
	case 1:
		return s.aliases[hits[0]], nil
	case 0:
		if len(s.aliases) == 0 {
			return "", p.fail(at, "no table %s; there is no FROM", id)
		}
		var known []string
		for _, a := range s.aliases {
			known = append(known, quoteName(a))
		}
		return "", p.fail(at, "no table %s in FROM, which has %s", id, strings.Join(known, ", "))
	}
	return "", p.fail(at, "table %s is ambiguous; give each its own alias", id)
}

func isDefaultSchema(name string) bool {
	return strings.EqualFold(name, "main") || strings.EqualFold(name, "public")
}

func (p *planner) noColumn(id ident, names []string, at int32) error {
	candidates := nearest.Find(id.name, names, 3)
	hint := ""
	switch {
	case len(candidates) > 0 && id.quoted:
		hint = fmt.Sprintf("; did you mean %q? Text is written with single quotes: %s", candidates[0], textOf(id.name))
	case len(candidates) > 0:
		hint = fmt.Sprintf("; did you mean %q?", candidates[0])
	case id.quoted:
		hint = "; text is written with single quotes: " + textOf(id.name)
	case len(names) > 0:
		const most = 20
		var known []string
		for _, n := range names[:min(most, len(names))] {
			known = append(known, quoteName(n))
		}
		hint = "; the columns are " + strings.Join(known, ", ")
		if len(names) > most {
			hint += fmt.Sprintf(" and %d more", len(names)-most)
		}
	}
	e := p.fail(at, "no column %s%s", id, hint)
	e.Candidates = candidates
	return e
}

// textOf writes a text as SQL needs it, for a message.
func textOf(s string) string { return "'" + strings.ReplaceAll(caret.Clean(s), "'", "''") + "'" }

// quoteName writes a name as SQL needs it.
func quoteName(s string) string { return names.QuoteSQL(s) }

// stringsOf returns the values of a list of names, such as a column list.
func stringsOf(nodes []*pg.Node) []string {
	out := make([]string, len(nodes))
	for i, n := range nodes {
		out[i] = n.GetString_().GetSval()
	}
	return out
}

// distinctNames gives later columns of the same name _1, _2, …
func distinctNames(names []string) []string {
	taken := map[string]bool{}
	for _, n := range names {
		taken[n] = true
	}
	next := map[string]int{} // the number to try for the next of the same name
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = n
		if k := next[n]; k > 0 {
			for out[i] = fmt.Sprintf("%s_%d", n, k); taken[out[i]]; out[i] = fmt.Sprintf("%s_%d", n, k) {
				k++
			}
			taken[out[i]] = true
			next[n] = k
		}
		next[n]++
	}
	return out
}
