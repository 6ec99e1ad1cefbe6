package infer

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/names"
	"github.com/quartet-mcp/quartet/pretensor/internal/types"
)

// work is the state of one inference: what is known of each table, the indexes
// that make every lookup one step, and what was found.
type work struct {
	in     Input
	o      Options
	tables []table
	order  []int // tables by schema and name
	rank   []int // a table's place in order

	byName map[[2]string]int // schema, name
	byStem map[string][]int  // tables, in order
	byKey  map[string][]Ref  // normal form → single-column keys, in order
	stems  []string          // sorted, for abbreviations
	// byColumn are the columns with a normal form, in order.
	byColumn map[string][]Ref

	declared map[[2]Ref]bool // pairs of declared keys, both ways
	found    map[Ref][]Candidate
	groups   []int // how many candidates each group has; the first is no group
	abbrevs  map[string][]int
}

// table is what is known of one table.
type table struct {
	*model.Table
	tokens  []string
	stem    string // of its bare name
	whole   string // normal form of its whole name
	columns []column
	key     int    // the column that others refer to; -1: none
	shape   string // its columns; empty if they are too few to tell tables apart
	keys    int    // declared primary and unique keys and unique indexes; 0: nothing is known
	base    map[string]bool
}

// column is what is known of one column.
type column struct {
	tokens []string // without the table's prefix and a number at the end
	normal string   // with the number
	family types.Family
	unique bool // alone
	// indexed: it leads an index that finds single values; loose: it is only in indexes
	// that do not (GIN, BRIN).
	indexed, loose bool
	sparse         bool // more than 80 % null
	few            bool // fewer than 50 distinct values in more than 10,000 rows
	refers         bool // part of a declared key
	home           bool // names its own table: customer_id of customers
	field          bool // a field of a struct
	satellite      bool // a key that names another table: customer_id of customer_details
}

func newWork(in Input, o Options) *work {
	w := &work{
		in: in, o: o, tables: make([]table, len(in.Tables)), order: make([]int, len(in.Tables)), rank: make([]int, len(in.Tables)),
		byName: map[[2]string]int{}, byStem: map[string][]int{}, byKey: map[string][]Ref{}, byColumn: map[string][]Ref{},
		declared: map[[2]Ref]bool{}, found: map[Ref][]Candidate{}, groups: []int{0}, abbrevs: map[string][]int{},
	}
	for i := range w.order {
		w.order[i] = i
	}
	slices.SortStableFunc(w.order, func(a, b int) int {
		x, y := &in.Tables[a], &in.Tables[b]
		return cmp.Or(cmp.Compare(x.Schema, y.Schema), cmp.Compare(x.Name, y.Name))
	})
	tokens := map[string][]string{} // of names; thousands of tables share their columns' names
	split := func(name string) []string {
		if _, ok := tokens[name]; !ok {
			tokens[name] = names.Tokens(name)
		}
		return tokens[name]
	}
	for at, i := range w.order {
		w.rank[i] = at
		t := &w.tables[i]
		t.Table = &in.Tables[i]
		words := split(t.Name)
		t.tokens = names.Bare(words)
		t.whole, t.stem = strings.Join(words, ""), names.Stem(t.tokens)
		t.shape = shapeOf(t.Table)
		w.byName[[2]string{t.Schema, t.Name}] = i
		if t.stem != "" {
			if w.byStem[t.stem] == nil {
				w.stems = append(w.stems, t.stem)
			}
			w.byStem[t.stem] = append(w.byStem[t.stem], i)
		}
	}
	slices.Sort(w.stems)
	families := map[string]types.Family{}
	for _, i := range w.order {
		w.readColumns(&w.tables[i], split, families)
	}
	for _, i := range w.order {
		w.readKeys(i)
		for c := range w.tables[i].columns {
			if col := &w.tables[i].columns[c]; !col.field {
				w.byColumn[col.normal] = append(w.byColumn[col.normal], Ref{i, c})
			}
		}
	}
	for _, keys := range w.byKey {
		for _, r := range keys {
			rest, ok := idRest(w.at(r).tokens)
			w.at(r).satellite = ok && !w.at(r).home && w.named(r.Table, rest) >= 0
		}
	}
	w.readBases()
	return w
}

// readColumns fills in a table's columns, but for what its keys say.
func (w *work) readColumns(t *table, split func(string) []string, families map[string]types.Family) {
	t.columns = make([]column, len(t.Columns))
	all := make([][]string, 0, len(t.columns))
	for i, c := range t.Columns {
		t.columns[i].tokens = split(c.Name)
		if c.Parent == "" {
			all = append(all, t.columns[i].tokens)
		}
	}
	prefix := names.ColumnPrefix(all)
	if prefix != "" && w.namesTable(prefix) && names.Singular(prefix) != t.stem {
		prefix = "" // user_id, user_name, user_role: they speak of users, they are not prefixed
	}
	for i := range t.columns {
		c, m := &t.columns[i], &t.Columns[i]
		if prefix != "" && len(c.tokens) > 1 && c.tokens[0] == prefix {
			c.tokens = c.tokens[1:]
		}
		c.normal = strings.Join(c.tokens, "")
		c.tokens = names.Unnumbered(c.tokens)
		c.field = m.Parent != ""
		if m.Array || m.Base != "" || len(m.Enum) > 0 {
			c.family = types.ColumnFamily(w.in.Dialect, m)
		} else {
			family, ok := families[m.Type]
			if !ok {
				family = types.FamilyOf(w.in.Dialect, m.Type)
				families[m.Type] = family
			}
			c.family = family
		}
		if s := m.Stats; s != nil {
			c.sparse = s.NullFraction != nil && *s.NullFraction > 0.8
			c.few = s.Distinct != nil && *s.Distinct < 50 && t.Rows != nil && *t.Rows > 10_000
		}
		if rest, ok := idStem(c.tokens); ok && rest == t.stem {
			c.home = true
		}
	}
}

func (w *work) namesTable(token string) bool { return len(w.byStem[names.Singular(token)]) > 0 }

// leastShape is how many columns make a table's shape its own.
const leastShape = 3

// shapeOf states the columns of a table; empty if they are too few to tell it apart.
func shapeOf(t *model.Table) string {
	var list []string
	for _, c := range t.Columns {
		if c.Parent == "" {
			list = append(list, c.Name+"\x00"+c.Type)
		}
	}
	if len(list) < leastShape {
		return ""
	}
	slices.Sort(list)
	return strings.Join(list, "\x01")
}

// readKeys fills in what a table's keys and indexes say and enters its key into
// the index of keys.
func (w *work) readKeys(i int) {
	t := &w.tables[i]
	t.key = -1
	at := make(map[string]int, len(t.columns))
	for c := len(t.columns) - 1; c >= 0; c-- {
		if !t.columns[c].field {
			at[t.Columns[c].Name] = c
		}
	}
	single := func(columns []string) int {
		t.keys++
		if len(columns) != 1 {
			return -1
		}
		c, ok := at[columns[0]]
		if !ok {
			return -1
		}
		t.columns[c].unique = true
		return c
	}
	if t.PrimaryKey != nil {
		t.key = single(t.PrimaryKey.Columns)
	}
	for _, u := range t.Uniques {
		single(u.Columns)
	}
	loose := map[int]bool{}
	for _, x := range t.Indexes {
		if x.Unique && !x.Partial {
			single(x.Columns)
		}
		if method := strings.ToLower(x.Type); method == "gin" || method == "brin" {
			for _, name := range x.Columns {
				if c, ok := at[name]; ok {
					loose[c] = true
				}
			}
		} else if len(x.Columns) > 0 {
			if c, ok := at[x.Columns[0]]; ok {
				t.columns[c].indexed = true
			}
		}
	}
	for c := range t.columns {
		col := &t.columns[c]
		col.loose = loose[c] && !col.indexed && !col.unique
		col.indexed = col.indexed || col.unique
	}
	if t.key < 0 && t.PrimaryKey == nil && !t.IsView() {
		t.key = t.likelyKey()
	}
	for c := range t.columns {
		col := &t.columns[c]
		if !col.field && !generic[col.normal] && (c == t.key && t.PrimaryKey != nil || col.unique && (idLike(col.tokens) || idStemOnly(col.tokens))) {
			w.byKey[col.normal] = append(w.byKey[col.normal], Ref{i, c})
		}
	}
	w.readDeclared(i, at)
}

// likelyKey is the column that would be the key of a table that declares none: id,
// or one that names the table.
func (t *table) likelyKey() int {
	for c := range t.columns {
		if t.columns[c].normal == "id" && !t.columns[c].field {
			return c
		}
	}
	for c := range t.columns {
		if t.columns[c].home && !t.columns[c].field {
			return c
		}
	}
	return -1
}

// readDeclared marks the columns and pairs of declared keys.
func (w *work) readDeclared(i int, at map[string]int) {
	for _, fk := range w.tables[i].ForeignKeys {
		ref, ok := w.byName[[2]string{fk.RefSchema, fk.RefTable}]
		for p, name := range fk.Columns {
			c, known := at[name]
			if !known {
				continue
			}
			w.tables[i].columns[c].refers = true
			if !ok || p >= len(fk.RefColumns) {
				continue
			}
			if d := w.tables[ref].find(fk.RefColumns[p]); d >= 0 {
				a, b := Ref{i, c}, Ref{ref, d}
				w.declared[[2]Ref{a, b}], w.declared[[2]Ref{b, a}] = true, true
			}
		}
	}
}

func (t *table) find(name string) int {
	return slices.IndexFunc(t.Columns, func(c model.Column) bool { return c.Name == name && c.Parent == "" })
}

// readBases notes for each view the names of the columns of what it reads.
func (w *work) readBases() {
	for _, l := range w.in.Lineage {
		from, ok := w.byName[[2]string{l.FromSchema, l.FromTable}]
		to, view := w.byName[[2]string{l.ToSchema, l.ToTable}]
		if !ok || !view || !w.tables[to].IsView() {
			continue
		}
		if w.tables[to].base == nil {
			w.tables[to].base = map[string]bool{}
		}
		for _, c := range w.tables[from].columns {
			w.tables[to].base[c.normal] = true
		}
	}
}

func (w *work) at(r Ref) *column { return &w.tables[r.Table].columns[r.Column] }

// title is a column as it is named in a reasoning.
func (w *work) title(r Ref) string {
	t := &w.tables[r.Table]
	return t.QualifiedName() + "." + t.Columns[r.Column].Name
}

// idKind are the kinds that take a column for an identifier.
func idKind(k Kind) bool {
	switch k {
	case NameID, PKName, RoleSuffix, PrefixAbbrev, CompositeKey, SelfReference:
		return true
	}
	return false
}

// guess is a candidate before vetoes and adjustments.
type guess struct {
	source, target Ref
	kind           Kind
	origin         string
	base           float64
	why            string
	group          int
}

// add judges a guess and keeps it unless something vetoes it or its pair is there
// already, which it then makes surer. It reports whether the pair stands.
func (w *work) add(g guess) bool {
	src, dst := w.at(g.source), w.at(g.target)
	if g.source == g.target || src.field || dst.field || w.declared[[2]Ref{g.source, g.target}] {
		return false
	}
	if g.origin == Heuristic && src.refers {
		return false // who declared where it leads has said it all
	}
	if g.origin == Heuristic && (idKind(g.kind) || dst.unique) && w.copies(g.source.Table, g.target.Table) {
		return false // the key of a copy is the same key
	}
	confidence, why := g.base, []string{g.why}
	adjust := func(by float64, reason string) {
		confidence += by
		why = append(why, reason)
	}
	if differ(src.family, dst.family) {
		if !w.uuidText(g.source, g.target) && !w.uuidText(g.target, g.source) {
			return false
		}
		adjust(-0.10, "a uuid is compared with text")
	}
	if g.kind == SameName && (src.loose || src.few) {
		return false
	}
	if idKind(g.kind) {
		if src.loose {
			adjust(-0.30, "the source is only in GIN or BRIN indexes")
		}
		if src.few {
			adjust(-0.20, "the source has few distinct values")
		}
	}
	together := g.kind == CompositeKey // the columns are unique together
	switch {
	case dst.unique || together:
		confidence += 0.15
		if !together {
			why = append(why, "the target is unique")
		}
	case g.kind != SameName && (w.tables[g.target.Table].keys > 0 || w.tables[g.target.Table].IsView()):
		adjust(-0.15, "the target is not unique")
	}
	if src.sparse || dst.sparse {
		adjust(-0.15, "more than 80 % of a side is null")
	}
	if src.indexed {
		adjust(+0.03, "the source is indexed")
	}
	if w.tables[g.source.Table].Schema != w.tables[g.target.Table].Schema {
		adjust(-0.05, "the schemas differ")
	}
	confidence = round(min(confidence, maxConfidence))
	if confidence < minConfidence {
		return false
	}
	w.keep(Candidate{Source: g.source, Target: g.target, Kind: g.kind, Origin: g.origin, Confidence: confidence,
		Reasoning: strings.Join(why, "; "), Group: g.group})
	return true
}

// copies reports whether two tables have the same columns: partitions of the old
// style, archives, a table for each month.
func (w *work) copies(a, b int) bool {
	return a != b && w.tables[a].shape != "" && w.tables[a].shape == w.tables[b].shape
}

// keep enters a candidate. Of several for one pair, either way, the surest stays, a
// little surer for each of the others; only joins of one name may stand both ways.
func (w *work) keep(c Candidate) {
	back := w.found[c.Target]
	if i := slices.IndexFunc(back, func(o Candidate) bool { return o.Target == c.Source }); i >= 0 {
		switch old := back[i]; {
		case c.Kind == SameName && old.Kind == SameName:
		case c.Kind == SameName:
			return // its other direction supports the pair
		case old.Confidence >= c.Confidence:
			back[i] = old.with(c)
			return
		default:
			w.found[c.Target] = slices.Delete(back, i, i+1)
			c = c.with(old)
		}
	}
	list := w.found[c.Source]
	i := slices.IndexFunc(list, func(o Candidate) bool { return o.Target == c.Target })
	switch {
	case i < 0:
		w.found[c.Source] = append(list, c)
	case list[i].Confidence >= c.Confidence:
		list[i] = list[i].with(c)
	default:
		list[i] = c.with(list[i])
	}
}

// with returns a candidate that another one of its pair supports.
func (c Candidate) with(other Candidate) Candidate {
	if c.Kind == other.Kind {
		return c
	}
	c.Group = cmp.Or(c.Group, other.Group)
	c.Confidence = round(min(maxConfidence, c.Confidence+0.03))
	c.Reasoning += fmt.Sprintf("; also %s (%s)", strings.SplitN(other.Reasoning, ";", 2)[0], other.Kind)
	return c
}

// differ reports whether two type families cannot be compared: both are known and
// not the same.
func differ(a, b types.Family) bool { return a != types.Unknown && b != types.Unknown && a != b }

// uuidText reports whether a is a uuid and b text that holds exactly one.
func (w *work) uuidText(a, b Ref) bool {
	if w.at(a).family != types.UUID || w.at(b).family != types.String {
		return false
	}
	typ := w.tables[b.Table].Table.Columns[b.Column].Type
	open := strings.IndexByte(typ, '(')
	var n int
	if open < 0 {
		return false
	}
	if _, err := fmt.Sscanf(typ[open:], "(%d)", &n); err != nil {
		return false
	}
	return n >= 32 && n <= 36
}

// round takes the noise of sums off: 0.85 + 0.15 - 0.15 is 0.85.
func round(x float64) float64 { return math.Round(x*1e6) / 1e6 }
