// Package drift compares two introspections of a database: what was added,
// removed, changed or renamed, and whether it breaks what uses the database.
//
// Only structure counts. Row counts, scan counters and the statistics of columns
// never make a [Change]; large differences of row counts are a [RowDrift] of their
// own. What a change means for a graph is not known here.
package drift

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/names"
	"github.com/quartet-mcp/quartet/pretensor/internal/types"
)

// What happened.
const (
	Added    = "added"
	Removed  = "removed"
	Modified = "modified"
	Renamed  = "renamed"
)

// What it happened to.
const (
	Table      = "table"
	View       = "view"
	Column     = "column"
	Constraint = "constraint"
	ForeignKey = "foreign_key"
	Index      = "index"
	Comment    = "comment"
	LineageOf  = "lineage"
)

// How bad it is.
const (
	Breaking = "breaking" // what uses the object fails, or values are lost
	Risky    = "risky"    // what uses the object may behave differently
	Safe     = "safe"
)

// Change is one difference.
type Change struct {
	Type   string `json:"type" jsonschema:"added, removed, modified or renamed"`
	Target string `json:"target" jsonschema:"table, column, foreign_key, index, constraint, view, lineage or comment"`
	Schema string `json:"schema" jsonschema:"schema of the table"`
	Table  string `json:"table" jsonschema:"the table, by its new name if it was renamed"`
	Column string `json:"column,omitempty" jsonschema:"the column, if it is about one"`
	// Name is that of the constraint, key or index, if it has one.
	Name     string `json:"name,omitempty" jsonschema:"of the constraint, key or index, if it has one"`
	Old      string `json:"old,omitempty" jsonschema:"as it was"`
	New      string `json:"new,omitempty" jsonschema:"as it is"`
	Details  string `json:"details" jsonschema:"one phrase"`
	Breaking bool   `json:"breaking" jsonschema:"whether what uses it fails"`
	Severity string `json:"severity" jsonschema:"breaking, risky or safe"`
}

// Touches reports whether what was derived from the structure of the table may be
// another now. A comment, an index that columns are no less unique without, and where
// data flows make no difference to joins, groups and metrics.
func (c Change) Touches() bool {
	return c.Target != Comment && c.Target != LineageOf && (c.Target != Index || c.Breaking)
}

// Compare lists the differences from before to after, the worst first, then by
// schema and table. Neither of the two changes. They need not be sorted. A part
// that could not be read of after is not compared.
func Compare(before, after *model.Database) []Change {
	c := comparison{dialect: after.Dialect, unread: after.Unread, changes: []Change{}, tables: map[name]name{}, gone: map[name]bool{}, renames: map[name]map[string]string{}}
	c.run(before, after)
	slices.SortFunc(c.changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(rank(a.Severity), rank(b.Severity)), cmp.Compare(a.Schema, b.Schema), cmp.Compare(a.Table, b.Table),
			cmp.Compare(slices.Index(targets, a.Target), slices.Index(targets, b.Target)), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Name, b.Name),
			cmp.Compare(a.Type, b.Type), cmp.Compare(a.Details, b.Details), cmp.Compare(a.Old, b.Old), cmp.Compare(a.New, b.New))
	})
	return c.changes
}

var targets = []string{Table, View, Column, Constraint, ForeignKey, Index, LineageOf, Comment}

func rank(severity string) int { return slices.Index([]string{Breaking, Risky, Safe}, severity) }

// name is a table's.
type name struct{ schema, table string }

func nameOf(t *model.Table) name { return name{t.Schema, t.Name} }

func (n name) String() string { return model.Qualify(n.schema, n.table) }

type comparison struct {
	dialect string
	unread  []string // parts of the later state
	changes []Change
	tables  map[name]name              // renamed ones: old to new
	gone    map[name]bool              // added and removed ones
	renames map[name]map[string]string // by a table's new name: its columns, old to new
}

func (c *comparison) add(ch Change) {
	ch.Breaking = ch.Severity == Breaking
	c.changes = append(c.changes, ch)
}

func (c *comparison) run(before, after *model.Database) {
	olds, news := byName(before), byName(after)
	var pairs [][2]*model.Table
	var removed, added []*model.Table
	for n, t := range olds {
		if u, ok := news[n]; ok {
			pairs = append(pairs, [2]*model.Table{t, u})
		} else {
			removed = append(removed, t)
		}
	}
	for n, t := range news {
		if _, ok := olds[n]; !ok {
			added = append(added, t)
		}
	}
	byQualified := func(a, b *model.Table) int {
		return cmp.Or(cmp.Compare(a.Schema, b.Schema), cmp.Compare(a.Name, b.Name))
	}
	slices.SortFunc(removed, byQualified)
	slices.SortFunc(added, byQualified)
	for _, p := range renamedTables(c.dialect, removed, added) {
		c.tables[nameOf(p[0])] = nameOf(p[1])
		removed = without(removed, p[0])
		added = without(added, p[1])
		pairs = append(pairs, p)
		c.add(Change{Type: Renamed, Target: kind(p[1]), Schema: p[1].Schema, Table: p[1].Name, Old: nameOf(p[0]).String(), New: nameOf(p[1]).String(),
			Details: kind(p[1]) + " renamed", Severity: Breaking})
	}
	for _, t := range removed {
		c.gone[nameOf(t)] = true
		c.add(Change{Type: Removed, Target: kind(t), Schema: t.Schema, Table: t.Name, Details: fmt.Sprintf("%s dropped (%s)", kind(t), names.Count(len(t.Columns), "column")), Severity: Breaking})
	}
	for _, t := range added {
		c.gone[nameOf(t)] = true
		c.add(Change{Type: Added, Target: kind(t), Schema: t.Schema, Table: t.Name, Details: fmt.Sprintf("%s added (%s)", kind(t), names.Count(len(t.Columns), "column")), Severity: Safe})
	}
	for _, p := range pairs {
		if r := columnRenames(c.dialect, p[0], p[1]); len(r) > 0 {
			c.renames[nameOf(p[1])] = r
		}
	}
	for _, p := range pairs {
		c.table(p[0], p[1], after.Lineage)
	}
	c.lineage(before.Lineage, after.Lineage)
}

func byName(db *model.Database) map[name]*model.Table {
	m := make(map[name]*model.Table, len(db.Tables))
	for i := range db.Tables {
		m[nameOf(&db.Tables[i])] = &db.Tables[i]
	}
	return m
}

func without(list []*model.Table, t *model.Table) []*model.Table {
	return slices.DeleteFunc(list, func(x *model.Table) bool { return x == t })
}

func kind(t *model.Table) string {
	if t.IsView() {
		return View
	}
	return Table
}

// now is the present name of a table.
func (c *comparison) now(n name) name {
	if to, ok := c.tables[n]; ok {
		return to
	}
	return n
}

// table compares what two states of one table are made of. lineage is that of
// today.
func (c *comparison) table(old, new *model.Table, lineage []model.Lineage) {
	at := func(ch Change) {
		ch.Schema, ch.Table = new.Schema, new.Name
		c.add(ch)
	}
	if old.Type != new.Type {
		at(Change{Type: Modified, Target: kind(new), Old: old.Type, New: new.Type, Details: fmt.Sprintf("%s became %s", words(old.Type), words(new.Type)), Severity: Safe})
	}
	columns := c.renames[nameOf(new)]
	if a, b := partitioning(old.Partition, columns), partitioning(new.Partition, nil); a != b && old.Type == new.Type && c.read(model.PartPartitions) {
		at(Change{Type: Modified, Target: Table, Old: a, New: b, Details: "partitioning changed", Severity: Safe})
	}
	if new.IsView() && old.DefinitionHash != new.DefinitionHash && old.DefinitionHash != "" && new.DefinitionHash != "" &&
		!c.renamedInside(new, old.DefinitionHash, lineage) {
		at(Change{Type: Modified, Target: View, Details: "view definition changed", Severity: Risky})
	}
	if ch, ok := comment(old.Comment, new.Comment, kind(new)); ok {
		at(ch)
	}
	c.columns(old, new, columns, at)
	c.keys(old, new, columns, at)
	c.foreignKeys(old, new, columns, at)
	if c.read(model.PartChecks) {
		c.checks(old, new, columns, at)
	}
	c.indexes(old, new, columns, at)
}

// read reports whether a part of the later state is known.
func (c *comparison) read(part string) bool { return !slices.Contains(c.unread, part) }

func words(tableType string) string { return strings.ReplaceAll(tableType, "_", " ") }

// partitioning is the key; the number of partitions grows with the data.
func partitioning(p *model.Partition, renamed map[string]string) string {
	if p == nil {
		return ""
	}
	return "by " + strings.Join(mapped(p.Key, renamed), ", ")
}

// comment is the change from one comment to another; ok is false without one.
func comment(old, new, of string) (ch Change, ok bool) {
	ch = Change{Type: Modified, Target: Comment, Old: old, New: new, Details: "comment of the " + of + " changed", Severity: Safe}
	switch {
	case old == new:
		return ch, false
	case old == "":
		ch.Type, ch.Details = Added, "comment of the "+of+" added"
	case new == "":
		ch.Type, ch.Details = Removed, "comment of the "+of+" removed"
	}
	return ch, true
}

// path is what a column is called in its table.
func path(col *model.Column) string {
	if col.Parent == "" {
		return col.Name
	}
	return col.Parent + "." + col.Name
}

// columns compares the columns; renamed are the new names of some.
func (c *comparison) columns(old, new *model.Table, renamed map[string]string, at func(Change)) {
	olds, news := columnsOf(old), columnsOf(new)
	came := map[string]bool{} // new names
	for _, col := range slices.SortedFunc(maps.Values(olds), func(a, b *model.Column) int { return cmp.Compare(path(a), path(b)) }) {
		if now := news[path(col)]; now != nil {
			c.column(col, now, renamed, at)
		} else if to, ok := renamed[path(col)]; ok {
			came[to] = true
			at(Change{Type: Renamed, Target: Column, Column: to, Old: path(col), New: to, Details: fmt.Sprintf("column renamed (%s)", news[to].Type), Severity: Breaking})
			c.column(col, news[to], renamed, at)
		} else {
			at(Change{Type: Removed, Target: Column, Column: path(col), Details: fmt.Sprintf("column dropped (%s)", col.Type), Severity: Breaking})
		}
	}
	for p, col := range news {
		if olds[p] != nil || came[p] {
			continue
		}
		ch := Change{Type: Added, Target: Column, Column: p, Details: fmt.Sprintf("column added (%s)", col.Type), Severity: Safe}
		switch {
		case col.Nullable || col.Generated || col.Identity || new.IsView() || col.Parent != "":
		case col.Default != "":
			ch.Details, ch.Severity = fmt.Sprintf("column added (%s, not null, with a default)", col.Type), Risky
		default: // what inserts rows without it fails
			ch.Details, ch.Severity = fmt.Sprintf("column added (%s, not null, without a default)", col.Type), Breaking
		}
		at(ch)
	}
}

// column compares the attributes of one column, each of which is a change; renamed
// are the new names of columns of the table.
func (c *comparison) column(old, new *model.Column, renamed map[string]string, at func(Change)) {
	change := func(from, to, severity, details string) {
		at(Change{Type: Modified, Target: Column, Column: path(new), Old: from, New: to, Details: details, Severity: severity})
	}
	if severity, details := c.typeChange(old, new); severity != "" {
		change(old.Type, new.Type, severity, details)
	} else if !slices.Equal(old.Enum, new.Enum) {
		from, to := strings.Join(old.Enum, ", "), strings.Join(new.Enum, ", ")
		switch lost := missing(old.Enum, new.Enum); {
		case len(lost) > 0:
			change(from, to, Breaking, "enum label removed: "+strings.Join(lost, ", "))
		case len(old.Enum) == len(new.Enum):
			change(from, to, Safe, "order of the enum labels changed")
		default:
			change(from, to, Safe, "enum label added: "+strings.Join(missing(new.Enum, old.Enum), ", "))
		}
	}
	switch {
	case old.Nullable && !new.Nullable && new.Default == "" && !new.Generated && !new.Identity:
		change("null", "not null", Breaking, "column became not null without a default")
	case old.Nullable && !new.Nullable:
		change("null", "not null", Risky, "column became not null with a default")
	case !old.Nullable && new.Nullable:
		change("not null", "null", Safe, "column became nullable")
	}
	if old.Default != new.Default && expression(old.Default, renamed) != expression(new.Default, nil) {
		change(old.Default, new.Default, Safe, "default changed")
	}
	if a, b := making(old), making(new); a != b {
		change(a, b, Safe, fmt.Sprintf("column is now %s, was %s", b, a))
	}
	if ch, ok := comment(old.Comment, new.Comment, Column); ok {
		ch.Column = path(new)
		at(ch)
	}
}

// making is where a column's values come from.
func making(col *model.Column) string {
	switch {
	case col.Generated:
		return "generated"
	case col.Identity:
		return "identity"
	}
	return "ordinary"
}

// typeChange judges a change of type; the severity is empty if there is none.
func (c *comparison) typeChange(old, new *model.Column) (severity, details string) {
	normal := func(s string) string { return types.Normalize(c.dialect, s) }
	if normal(old.Type) == normal(new.Type) && normal(old.Base) == normal(new.Base) && old.Array == new.Array {
		return "", ""
	}
	beneath := func(col *model.Column) string { return cmp.Or(col.Base, col.Type) }
	change := types.Compare(c.dialect, beneath(old), beneath(new))
	text := types.String
	switch hadLabels, hasLabels := len(old.Enum) > 0, len(new.Enum) > 0; {
	case old.Array != new.Array:
		change = types.Other
	case hadLabels && hasLabels:
		if change = types.Wider; len(missing(old.Enum, new.Enum)) > 0 {
			change = types.Narrower
		}
	case hadLabels && types.ColumnFamily(c.dialect, new) == text:
		change = types.Wider
	case hasLabels && types.ColumnFamily(c.dialect, old) == text:
		change = types.Narrower
	}
	arrow := fmt.Sprintf("%s to %s", old.Type, new.Type)
	switch change {
	case types.Same: // a domain in the place of its type, or the other way
		return Safe, "type changed: " + arrow
	case types.Wider:
		return Risky, "type widened: " + arrow
	case types.Narrower:
		return Breaking, "type narrowed: " + arrow
	}
	return Breaking, "type changed to another kind: " + arrow
}

// missing are the members of a that b lacks.
func missing(a, b []string) []string {
	var out []string
	for _, s := range a {
		if !slices.Contains(b, s) {
			out = append(out, s)
		}
	}
	return out
}

// lineage compares the edges between tables that were there before and are there
// now.
func (c *comparison) lineage(before, after []model.Lineage) {
	type edge struct {
		from, to name
		kind     string
	}
	set := func(list []model.Lineage, rename bool) map[edge]bool {
		m := make(map[edge]bool, len(list))
		for _, l := range list {
			e := edge{name{l.FromSchema, l.FromTable}, name{l.ToSchema, l.ToTable}, l.Type}
			if rename {
				e.from, e.to = c.now(e.from), c.now(e.to)
			}
			if !c.gone[e.from] && !c.gone[e.to] {
				m[e] = true
			}
		}
		return m
	}
	olds, news := set(before, true), set(after, false)
	report := func(e edge, kind, verb string) {
		c.add(Change{Type: kind, Target: LineageOf, Schema: e.to.schema, Table: e.to.table, Name: e.kind,
			Details: fmt.Sprintf("%s from %s %s", strings.ToLower(words(e.kind)), e.from, verb), Severity: Safe})
	}
	for e := range olds {
		part := model.PartViews
		if e.kind == model.LineageTrigger {
			part = model.PartTriggers
		}
		if !news[e] && c.read(part) {
			report(e, Removed, "removed")
		}
	}
	for e := range news {
		if !olds[e] {
			report(e, Added, "added")
		}
	}
}
