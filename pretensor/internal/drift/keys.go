package drift

import (
	"fmt"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// part is a key, constraint or index as it is compared: by what it is, and by its
// name only where that does not match.
type part struct {
	what string // identity: columns, target, kind
	name string
	rest string // attributes that may change without making it another one
	text string // for people
	cols []string
}

// matched calls each once for every part that is only old (new is nil), only new
// (old is nil), or both with a difference. Those of equal identity pair up first,
// then those of equal name.
func matched(olds, news []part, each func(old, new *part)) {
	usedOld, usedNew := make([]bool, len(olds)), make([]bool, len(news))
	for _, same := range []func(a, b part) bool{
		func(a, b part) bool { return a.what == b.what && a.name == b.name },
		func(a, b part) bool { return a.what == b.what },
		func(a, b part) bool { return a.name != "" && a.name == b.name },
	} {
		for i := range olds {
			if usedOld[i] {
				continue
			}
			for j := range news {
				if usedNew[j] || !same(olds[i], news[j]) {
					continue
				}
				usedOld[i], usedNew[j] = true, true
				if olds[i].what != news[j].what || olds[i].rest != news[j].rest {
					each(&olds[i], &news[j])
				}
				break
			}
		}
	}
	for i := range olds {
		if !usedOld[i] {
			each(&olds[i], nil)
		}
	}
	for j := range news {
		if !usedNew[j] {
			each(nil, &news[j])
		}
	}
}

// change is the change of a part without its severity.
func change(old, new *part, target, noun string) Change {
	ch := Change{Target: target}
	switch {
	case new == nil:
		ch.Type, ch.Name, ch.Old, ch.Details = Removed, old.name, old.text, noun+" dropped: "+old.text
	case old == nil:
		ch.Type, ch.Name, ch.New, ch.Details = Added, new.name, new.text, noun+" added: "+new.text
	default:
		ch.Type, ch.Name, ch.Old, ch.New, ch.Details = Modified, new.name, old.text, new.text, noun+" changed"
	}
	return ch
}

// identity joins names so that no two lists look alike.
func identity(lists ...[]string) string { return fmt.Sprintf("%q", lists) }

// mapped are columns under their new names.
func mapped(columns []string, renamed map[string]string) []string {
	out := slices.Clone(columns)
	for i, c := range out {
		if to, ok := renamed[c]; ok {
			out[i] = to
		}
	}
	return out
}

// expression is an expression as it is compared: not by its layout, and with
// columns under their new names, as the database has put them there too.
func expression(text string, renamed map[string]string) string {
	now := make(map[string]string, len(renamed))
	for from, to := range renamed {
		now[model.NameToken(from)] = model.NameToken(to)
	}
	return identity(mapped(model.Tokens(text), now))
}

// mappedKeys is mapped for columns and expressions, which stand in parentheses.
func mappedKeys(keys []string, renamed map[string]string) []string {
	out := mapped(keys, renamed)
	for i, k := range out {
		if strings.HasPrefix(k, "(") {
			out[i] = expression(k, renamed)
		}
	}
	return out
}

func list(columns []string) string { return "(" + strings.Join(columns, ", ") + ")" }

// keys compares the primary key and the unique keys. Losing one breaks what relies
// on it, unless the columns are unique all the same.
func (c *comparison) keys(old, new *model.Table, renamed map[string]string, at func(Change)) {
	key := func(k model.Key, columns []string) part {
		return part{what: identity(columns), name: k.Name, text: list(columns), cols: columns}
	}
	report := func(noun string) func(a, b *part) {
		return func(a, b *part) {
			ch := change(a, b, Constraint, noun)
			if ch.Severity = Safe; a != nil && (noun == "primary key" || !new.IsKey(a.cols)) {
				ch.Severity = Breaking
			}
			at(ch)
		}
	}
	var a, b *part // a table has one at most, whatever it is called
	if k := old.PrimaryKey; k != nil {
		p := key(*k, mapped(k.Columns, renamed))
		a = &p
	}
	if k := new.PrimaryKey; k != nil {
		p := key(*k, k.Columns)
		b = &p
	}
	if (a == nil) != (b == nil) || a != nil && a.what != b.what {
		report("primary key")(a, b)
	}
	var olds, news []part
	for _, k := range old.Uniques {
		olds = append(olds, key(k, mapped(k.Columns, renamed)))
	}
	for _, k := range new.Uniques {
		news = append(news, key(k, k.Columns))
	}
	matched(olds, news, report("unique key"))
}

func (c *comparison) foreignKeys(old, new *model.Table, renamed map[string]string, at func(Change)) {
	key := func(k model.ForeignKey, columns []string, target name) part {
		text := list(columns) + " to " + target.String() + list(k.RefColumns)
		rules := ""
		for _, r := range []struct{ when, does string }{{" on delete ", k.OnDelete}, {" on update ", k.OnUpdate}} {
			if r.does != "" && c.read(model.PartRules) {
				rules += r.when + strings.ToLower(r.does)
			}
		}
		return part{what: identity(columns, []string{target.schema, target.table}, k.RefColumns), name: k.Name, rest: rules, text: text + rules}
	}
	var olds, news []part
	for _, k := range old.ForeignKeys {
		target := c.now(name{k.RefSchema, k.RefTable})
		k.RefColumns = mapped(k.RefColumns, c.renames[target])
		olds = append(olds, key(k, mapped(k.Columns, renamed), target))
	}
	for _, k := range new.ForeignKeys {
		news = append(news, key(k, k.Columns, name{k.RefSchema, k.RefTable}))
	}
	matched(olds, news, func(a, b *part) {
		ch := change(a, b, ForeignKey, "foreign key")
		switch {
		case a != nil && b != nil && a.what == b.what:
			ch.Severity, ch.Details = Safe, "foreign key's rules changed"
		case a != nil:
			ch.Severity = Risky
		default:
			ch.Severity = Safe
		}
		at(ch)
	})
}

// checks compares the check constraints by their expressions, in which the database
// has renamed the columns that were.
func (c *comparison) checks(old, new *model.Table, renamed map[string]string, at func(Change)) {
	parts := func(checks []model.Check, renamed map[string]string) (out []part) {
		for _, k := range checks {
			out = append(out, part{what: expression(k.Expr, renamed), name: k.Name, text: strings.Join(strings.Fields(k.Expr), " ")})
		}
		return out
	}
	matched(parts(old.Checks, renamed), parts(new.Checks, nil), func(a, b *part) {
		ch := change(a, b, Constraint, "check")
		ch.Severity = Safe
		at(ch)
	})
}

// indexes compares those that are not there for a key: such a one goes and comes
// with its key.
func (c *comparison) indexes(old, new *model.Table, renamed map[string]string, at func(Change)) {
	parts := func(t *model.Table, renamed map[string]string) (out []part) {
		ofKey := func(x model.Index) bool {
			same := func(k model.Key) bool { return slices.Equal(k.Columns, x.Columns) }
			return x.Primary || x.Unique && !x.Partial && (t.PrimaryKey != nil && same(*t.PrimaryKey) || slices.ContainsFunc(t.Uniques, same))
		}
		for _, x := range t.Indexes {
			if ofKey(x) {
				continue
			}
			columns := mapped(x.Columns, renamed)
			text := strings.TrimSpace(strings.ToLower(x.Type) + " " + list(columns))
			if x.Unique {
				text = "unique " + text
			}
			rest := ""
			if x.Partial {
				rest, text = "partial", "partial "+text
			}
			p := part{what: identity(mappedKeys(x.Columns, renamed), []string{fmt.Sprint(x.Unique), strings.ToLower(x.Type)}), name: x.Name, rest: rest, text: text}
			if x.Unique && !x.Partial {
				p.cols = columns
			}
			out = append(out, p)
		}
		return out
	}
	matched(parts(old, renamed), parts(new, nil), func(a, b *part) {
		ch := change(a, b, Index, "index")
		if ch.Severity = Safe; a != nil && a.cols != nil && !new.IsKey(a.cols) {
			ch.Severity, ch.Details = Breaking, ch.Details+", the columns are no longer unique"
		}
		at(ch)
	})
}
