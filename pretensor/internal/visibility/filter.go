package visibility

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/cluster"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/names"
	"github.com/quartet-mcp/quartet/pretensor/internal/roles"
)

// Filter returns the data of a catalog with only what is visible. What was derived
// from tables that are hidden is derived anew from those that are not: labels and
// shapes of clusters, names of entities, roles. A table of which a column is hidden
// or a text has changed loses its vector, which was made of them. The data is not
// changed, and what is returned shares with it what it can.
func (r *Rules) Filter(d *catalog.Data) *catalog.Data {
	out := *d
	if r.Empty() {
		return &out
	}
	s := r.sight(d.Connection)
	s.show(d.Database)
	v := s.look(d.Dialect, d.Tables, d.Lineage)
	s.settle()
	f := &filtering{structure: v, from: d, to: &out}
	out.DefaultSchema = s.defaultSchema(d.DefaultSchema)
	out.Tables, out.Lineage = v.tables(), v.lineage()
	f.joins()
	f.edges()
	f.facts()
	f.clusters()
	f.entities()
	f.paths()
	f.vectors()
	f.metrics()
	f.consumers()
	return &out
}

// filtering makes one catalog's data out of another's.
type filtering struct {
	*structure
	from, to *catalog.Data

	before, after []catalog.Edge
	edge          []int // of each edge before: its id after, -1 of one that is gone

	code *spoken
}

// spoken are the stems of tables' names: how code and dbt call what tables hold
// (payroll_runs is PayrollRun).
type spoken struct{ hidden, visible map[string]bool }

// spoken returns the stems of the tables of the old data.
func (f *filtering) spoken() *spoken {
	if f.code != nil {
		return f.code
	}
	f.code = &spoken{map[string]bool{}, map[string]bool{}}
	for i := range f.all {
		stem := names.Stem(names.Tokens(f.all[i].Name))
		if f.place[i] >= 0 {
			f.code.visible[stem] = true
		} else if len(stem) >= leastAnywhere {
			f.code.hidden[stem] = true
		}
	}
	return f.code
}

// has reports whether a word is about a hidden table, and not about a visible one
// whose name is longer.
func (s *spoken) has(word string) bool {
	tokens := names.Tokens(word)
	tokens = tokens[:min(len(tokens), maxEdges)]
	n := len(tokens)
	longer := func(i, j int) bool {
		for a := 0; a <= i; a++ {
			for b := j; b <= n; b++ {
				if s.visible[names.Stem(tokens[a:b])] {
					return true
				}
			}
		}
		return false
	}
	for i := range n {
		for j := i + 1; j <= n; j++ {
			if s.hidden[names.Stem(tokens[i:j])] && !longer(i, j) {
				return true
			}
		}
	}
	return false
}

// scrubCode takes hidden names out of a text that comes from code, in the spelling of
// code as well.
func (f *filtering) scrubCode(text string) string {
	text = f.words.scrub(text)
	var b strings.Builder
	for at := 0; at < len(text); {
		r, n := utf8.DecodeRuneInString(text[at:])
		end := at + n
		if wordRune(r) {
			end = wordEnd(text, end)
		}
		done := strings.HasSuffix(text[:end]+"]", redacted) // it is the word of a redaction
		if word := text[at:end]; wordRune(r) && !done && f.spoken().has(word) {
			b.WriteString(redacted)
		} else {
			b.WriteString(word)
		}
		at = end
	}
	return b.String()
}

// now is the place of a table among the visible ones, or -1.
func (f *filtering) now(table int) int {
	if table < 0 || table >= len(f.place) {
		return -1
	}
	return f.place[table]
}

// visibleOf are the places of the visible ones of some tables, in their order.
func (f *filtering) visibleOf(tables []int) []int {
	out := make([]int, 0, len(tables))
	for _, t := range tables {
		if n := f.now(t); n >= 0 {
			out = append(out, n)
		}
	}
	return out
}

// joins keeps what joins visible columns, and of several columns all or none.
func (f *filtering) joins() {
	broken := map[int]bool{}
	visible := func(j catalog.Join) bool {
		return f.now(j.From) >= 0 && f.now(j.To) >= 0 && !f.lost[j.From][j.FromColumn] && !f.lost[j.To][j.ToColumn]
	}
	for _, j := range f.from.Joins {
		if j.Group != 0 && !visible(j) {
			broken[j.Group] = true
		}
	}
	f.to.Joins = slices.Clone(f.from.Joins)
	f.to.Joins = slices.DeleteFunc(f.to.Joins, func(j catalog.Join) bool { return broken[j.Group] || !visible(j) })
	for i := range f.to.Joins {
		j := &f.to.Joins[i]
		j.Reasoning = f.words.scrub(j.Reasoning)
		j.From, j.To = f.now(j.From), f.now(j.To)
	}
}

// edges finds which edge of the new catalog is which of the old one: their order is
// the same.
func (f *filtering) edges() {
	f.before, f.after = catalog.EdgesOf(f.from), catalog.EdgesOf(f.to)
	f.edge = make([]int, len(f.before))
	next := 0
	for i := range f.before {
		f.edge[i] = -1
		if next == len(f.after) {
			continue
		}
		a, b := &f.before[i], &f.after[next]
		if f.now(a.From) == b.From && f.now(a.To) == b.To && a.Declared == b.Declared && a.Source == b.Source && a.Confidence == b.Confidence &&
			slices.Equal(a.FromColumns, b.FromColumns) && slices.Equal(a.ToColumns, b.ToColumns) {
			f.edge[i] = next
			next++
		}
	}
}

// facts keeps what is known of the visible tables. A table that is made of less now,
// or has less neighbours, gets its role anew.
func (f *filtering) facts() {
	degrees := func(tables int, edges []catalog.Edge) []roles.Degrees {
		list := make([]roles.Edge, len(edges))
		for i := range edges {
			e := &edges[i]
			list[i] = roles.Edge{From: e.From, To: e.To, Inferred: !e.Declared, Confidence: e.Confidence}
		}
		return roles.Count(tables, list)
	}
	had, has := degrees(len(f.all), f.before), degrees(len(f.to.Tables), f.after)
	f.to.Facts = make([]catalog.Facts, 0, len(f.to.Tables))
	for i, x := range f.from.Facts {
		now := f.now(i)
		if now < 0 {
			continue
		}
		if clean := f.words.scrub(x.Description); clean != x.Description {
			x.Description, f.reworded[i] = clean, true
		}
		unsaid := func(name string) bool { return !f.words.has(name) && !f.spoken().has(name) }
		x.Tags, x.Aliases = filter(x.Tags, unsaid), filter(x.Aliases, unsaid)
		if x.Role != "" && (f.reshaped[i] || had[i] != has[now]) {
			role := roles.Classify(f.from.Dialect, &f.to.Tables[now], has[now], nil)
			x.Role, x.Confidence, x.Signals = string(role.Role), role.Confidence, role.Signals
		}
		f.to.Facts = append(f.to.Facts, x)
	}
}

// clusters keeps those with a visible table. One that has lost a table or a join, or
// that is called by a hidden name, gets its shape, label and description anew.
func (f *filtering) clusters() {
	tables := make([]cluster.Table, len(f.to.Tables))
	for i := range f.to.Tables {
		t := &f.to.Tables[i]
		tables[i] = cluster.Table{Schema: t.Schema, Name: t.Name, Rows: t.Rows}
		if i < len(f.to.Facts) {
			tables[i].Role = roles.Role(f.to.Facts[i].Role)
		}
	}
	of := make([]int, len(f.all))
	for i := range of {
		of[i] = -1
	}
	for i := range f.from.Clusters {
		for _, t := range f.from.Clusters[i].Tables {
			if f.now(t) >= 0 {
				of[t] = i
			}
		}
	}
	less := make([]bool, len(f.from.Clusters))
	inside := make([][]cluster.Edge, len(f.from.Clusters))
	all := make([]cluster.Edge, 0, len(f.after))
	for i := range f.before {
		old := &f.before[i]
		in := of[old.From]
		if f.edge[i] < 0 {
			if in >= 0 && in == of[old.To] {
				less[in] = true
			}
			continue
		}
		e := &f.after[f.edge[i]]
		x := cluster.Edge{From: e.From, To: e.To, Inferred: !e.Declared, Confidence: e.Confidence}
		all = append(all, x)
		if in >= 0 && in == of[old.To] {
			inside[in] = append(inside[in], x)
		}
	}
	namer := cluster.NewNamer(tables, all)
	f.to.Clusters = make([]catalog.Cluster, 0, len(f.from.Clusters))
	for i, c := range f.from.Clusters {
		members := f.visibleOf(c.Tables)
		if len(members) == 0 {
			continue
		}
		if len(members) < len(c.Tables) || less[i] {
			cohesion, pattern := cluster.Shape(tables, members, inside[i])
			c.Cohesion, c.Pattern = model.Round(cohesion), string(pattern)
			less[i] = true
		}
		c.Tables = members
		if less[i] || f.words.has(c.Label) || f.words.has(c.Description) {
			c.Label, c.Description = namer.Name(members)
		}
		f.to.Clusters = append(f.to.Clusters, c)
	}
}

// entities keeps those with a visible table. A name that no visible table accounts
// for, or with a hidden name in it, is made anew.
func (f *filtering) entities() {
	out := make([]catalog.Entity, 0, len(f.from.Entities))
	at := map[string]int{}       // by name
	renamed := map[string]bool{} // new names
	for _, e := range f.from.Entities {
		members := f.visibleOf(e.Tables)
		if len(members) == 0 {
			continue
		}
		own := func(t int) bool { return cluster.EntityName(f.to.Tables[t].Name) == e.Name }
		less := len(members) < len(e.Tables)
		derived := e.Source == "heuristic"
		if !slices.ContainsFunc(members, own) && (less && derived || f.words.has(e.Name) || f.spoken().has(e.Name)) {
			t := &f.to.Tables[members[0]]
			e.Name = cmp.Or(cluster.EntityName(t.Name), t.Name)
			renamed[e.Name] = true
		}
		if less && derived && e.Description != "" {
			e.Description = ""
			if len(f.to.Facts) > 0 {
				e.Description = f.to.Facts[members[0]].Description
			}
		}
		e.Description, e.Tables = f.words.scrub(e.Description), members
		if i, ok := at[e.Name]; ok && renamed[e.Name] { // another one has the new name
			for _, t := range members {
				if !slices.Contains(out[i].Tables, t) {
					out[i].Tables = append(out[i].Tables, t)
				}
			}
			continue
		}
		at[e.Name] = len(out)
		out = append(out, e)
	}
	if len(renamed) > 0 {
		slices.SortStableFunc(out, func(a, b catalog.Entity) int { return cmp.Compare(a.Name, b.Name) })
	}
	f.to.Entities = out
}

// paths keeps those of which every step is visible. One that is only the best of
// several, or instead of another, is left to a new search when joins are gone.
func (f *filtering) paths() {
	less := len(f.after) < len(f.before)
	out := make([]catalog.Path, 0, len(f.from.Paths))
	for _, p := range f.from.Paths {
		if p.From, p.To = f.now(p.From), f.now(p.To); p.From < 0 || p.To < 0 || less && (p.Ambiguous || p.Promoted) {
			continue
		}
		edges := make([]int, 0, len(p.Edges))
		for _, id := range p.Edges {
			if id < 0 || id >= len(f.edge) || f.edge[id] < 0 {
				break
			}
			edges = append(edges, f.edge[id])
		}
		if len(edges) == len(p.Edges) {
			p.Edges = edges
			out = append(out, p)
		}
	}
	f.to.Paths = out
}

func (f *filtering) vectors() {
	if f.from.Vectors.Tables == nil {
		return
	}
	f.to.Vectors.Tables = make([][]float32, 0, len(f.to.Tables))
	for i, v := range f.from.Vectors.Tables {
		if f.now(i) < 0 {
			continue
		}
		if f.reworded[i] {
			v = nil
		}
		f.to.Vectors.Tables = append(f.to.Vectors.Tables, v)
	}
}

// metrics keeps those that read nothing hidden.
func (f *filtering) metrics() {
	out := make([]catalog.Metric, 0, len(f.from.Metrics))
	for _, m := range f.from.Metrics {
		uses := make([]catalog.MetricUse, 0, len(m.Uses))
		for _, u := range m.Uses {
			table := u.Table
			if u.Table = f.now(table); u.Table < 0 || slices.ContainsFunc(u.Columns, func(c string) bool { return f.lost[table][c] }) {
				break
			}
			// What SQL that is not valid reads is not known for sure.
			if !m.Valid && f.tells(m.SQL, table) {
				break
			}
			uses = append(uses, u)
		}
		if len(uses) < len(m.Uses) || f.words.has(m.SQL) || f.words.has(m.Name) {
			continue
		}
		m.Uses, m.Errors = uses, f.scrubAll(m.Errors)
		m.DisplayName, m.Description = f.words.scrub(m.DisplayName), f.words.scrub(m.Description)
		out = append(out, m)
	}
	f.to.Metrics = out
}

// consumers keeps those that use a visible table, and of them those uses.
func (f *filtering) consumers() {
	out := make([]catalog.Consumer, 0, len(f.from.Consumers))
	for _, c := range f.from.Consumers {
		uses := make([]catalog.Use, 0, len(c.Uses))
		for _, u := range c.Uses {
			if u.Table = f.now(u.Table); u.Table >= 0 {
				uses = append(uses, u)
			}
		}
		if len(uses) == 0 {
			continue
		}
		if len(uses) < len(c.Uses) {
			c.Confidence = 0
			for _, u := range uses {
				c.Confidence = max(c.Confidence, u.Confidence)
			}
		}
		c.Uses = uses
		c.ID, c.Service, c.File, c.Symbol = f.words.scrub(c.ID), f.words.scrub(c.Service), f.scrubCode(c.File), f.scrubCode(c.Symbol)
		out = append(out, c)
	}
	slices.SortStableFunc(out, func(a, b catalog.Consumer) int {
		return cmp.Or(cmp.Compare(a.Service, b.Service), cmp.Compare(a.File, b.File), cmp.Compare(a.LineStart, b.LineStart), cmp.Compare(a.ID, b.ID))
	})
	f.to.Consumers = out
	f.to.Scans = slices.Clone(f.from.Scans)
	for i := range f.to.Scans {
		f.to.Scans[i].Service = f.words.scrub(f.to.Scans[i].Service)
	}
	slices.SortStableFunc(f.to.Scans, func(a, b catalog.Scan) int { return cmp.Compare(a.Service, b.Service) })
}
