package infer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// generic are names of keys that say nothing of what they are the key of.
var generic = map[string]bool{"id": true, "key": true, "code": true, "name": true, "uuid": true, "date": true}

// boring are the normal forms of names that many tables have for reasons of their
// own.
var boring = func() map[string]bool {
	m := map[string]bool{}
	for name := range strings.FieldsSeq(`
		id created_at updated_at deleted_at modified_at modifieddate last_update lastupdate rowguid version category class
		code color comment comments description descriptions due_date duedate end_date enddate start_date startdate flag group label name note notes remark remarks
		size status style title type active length rating amount count height level order position price qty quantity rank
		score total weight width
		created_by updated_by email phone address city state country zip currency date year month day value data metadata
		json payload url uuid hash locale language timezone suffix prefix jobtitle`) {
		m[strings.ReplaceAll(name, "_", "")] = true
	}
	return m
}()

// sameNames adds the joins between columns of one name, as long as few tables have
// it.
func (w *work) sameNames() {
	var order []string
	byName := map[string][]Ref{}
	for _, t := range w.order {
		seen := map[string]bool{} // a table may spell one name in two ways
		for i := range w.tables[t].columns {
			c := &w.tables[t].columns[i]
			if c.normal == "" || c.field || boring[c.normal] || w.tables[t].base[c.normal] || seen[c.normal] {
				continue
			}
			seen[c.normal] = true
			if byName[c.normal] == nil {
				order = append(order, c.normal)
			}
			byName[c.normal] = append(byName[c.normal], Ref{t, i})
		}
	}
	// Rare names first: they say most, and a pair of tables takes only a few.
	slices.SortFunc(order, func(a, b string) int { return cmp.Or(cmp.Compare(len(byName[a]), len(byName[b])), cmp.Compare(a, b)) })
	pairs := map[[2]int]int{}
	for _, name := range order {
		if refs := byName[name]; len(refs) >= 2 && len(refs) <= w.o.SameNameMaxTables {
			w.sameName(refs, pairs)
		}
	}
}

// sameName joins the columns of one name.
func (w *work) sameName(refs []Ref, pairs map[[2]int]int) {
	n := len(refs)
	base := baseSameName * min(1, 2/float64(n))
	targets := refs
	if n > crowded {
		// Only a unique target lifts such a name above the least confidence, and each
		// column takes two targets at most: without this bound the work would be
		// quadratic.
		targets = nil
		for _, r := range refs {
			if w.at(r).unique && len(targets) < crowdedUnique {
				targets = append(targets, r)
			}
		}
	}
	for _, src := range refs {
		if w.known(src) {
			continue
		}
		for _, dst := range targets {
			if src == dst || !w.leads(src, dst) {
				continue
			}
			key := [2]int{src.Table, dst.Table}
			if pairs[key] >= samePerPair {
				continue
			}
			why := fmt.Sprintf("%s and %s have one name, which %d tables use", w.title(src), w.title(dst), n)
			if w.add(guess{source: src, target: dst, kind: SameName, origin: Heuristic, base: base, why: why}) {
				pairs[key]++
			}
		}
	}
}

// leads reports whether a join of one name goes from src to dst: to the unique
// side, both ways where neither is.
func (w *work) leads(src, dst Ref) bool {
	a, b := w.at(src).unique, w.at(dst).unique
	if a && b {
		return w.parent(src, dst) == dst
	}
	return !a
}

// known reports whether a column's parent is known, so that another column of its
// name is its sibling and no parent.
func (w *work) known(src Ref) bool {
	return w.at(src).refers || slices.ContainsFunc(w.found[src], func(c Candidate) bool { return c.Confidence >= strong && c.Kind != SameName })
}

// composites adds the joins to keys of several columns, all of which occur in
// another table by name. The search starts at the key's rarest column.
func (w *work) composites(t int) {
	dst := &w.tables[t]
	keys := dst.Uniques
	if dst.PrimaryKey != nil {
		keys = append([]model.Key{*dst.PrimaryKey}, keys...)
	}
	for _, key := range keys {
		if len(key.Columns) < 2 {
			continue
		}
		columns := make([]int, 0, len(key.Columns))
		for _, name := range key.Columns {
			if c := dst.find(name); c >= 0 && !boring[dst.columns[c].normal] && !generic[dst.columns[c].normal] {
				columns = append(columns, c)
			}
		}
		if len(columns) == len(key.Columns) {
			w.composite(t, columns)
		}
	}
}

func (w *work) composite(t int, columns []int) {
	dst := &w.tables[t]
	rarest := w.byColumn[dst.columns[columns[0]].normal]
	for _, c := range columns[1:] {
		if h := w.byColumn[dst.columns[c].normal]; len(h) < len(rarest) {
			rarest = h
		}
	}
	if len(rarest) > w.o.SameNameMaxTables {
		return
	}
	for _, r := range rarest {
		if r.Table == t {
			continue
		}
		if source := w.covers(r.Table, t, columns); source != nil {
			w.joinComposite(r.Table, source, t, columns)
		}
	}
}

// covers finds the columns of table from that have the names and families of a
// key's columns; nil if some are missing.
func (w *work) covers(from, t int, columns []int) []int {
	var source []int
	for _, c := range columns {
		k := &w.tables[t].columns[c]
		at := slices.IndexFunc(w.tables[from].columns, func(s column) bool {
			return s.normal == k.normal && !s.field && !differ(s.family, k.family)
		})
		if at < 0 {
			return nil
		}
		source = append(source, at)
	}
	return source
}

func (w *work) joinComposite(from int, source []int, t int, columns []int) {
	src, dst := &w.tables[from], &w.tables[t]
	if src.PrimaryKey != nil && len(src.PrimaryKey.Columns) == len(source) && len(dst.Name) >= len(src.Name) && w.isKey(src, source) {
		return // two tables with one key: the longer name refers
	}
	if src.IsView() {
		return
	}
	group := len(w.groups)
	w.groups = append(w.groups, 0)
	var named []string
	for _, c := range columns {
		named = append(named, dst.Table.Columns[c].Name)
	}
	why := fmt.Sprintf("%s has all columns of the key (%s) of %s", src.QualifiedName(), strings.Join(named, ", "), dst.QualifiedName())
	for i := range source {
		if w.add(guess{source: Ref{from, source[i]}, target: Ref{t, columns[i]}, kind: CompositeKey, origin: Heuristic, base: baseComposite, why: why, group: group}) {
			w.groups[group]++
		}
	}
	if w.groups[group] < len(source) {
		w.groups[group] = len(source) // some of it is missing: what is there goes too
	}
}

// isKey reports whether the columns at are the table's primary key.
func (w *work) isKey(t *table, at []int) bool {
	for _, c := range at {
		if !slices.Contains(t.PrimaryKey.Columns, t.Table.Columns[c].Name) {
			return false
		}
	}
	return true
}
