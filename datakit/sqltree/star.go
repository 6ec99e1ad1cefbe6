package sqltree

import "fmt"

// star expands * and t.*.
func (r *resolver) star(s *Star, sc *scope, out *output) {
	sources := sc.sources
	if len(s.Qualifier) > 0 {
		src, _ := r.findSource(s.Qualifier, sc)
		if src == nil {
			if v, ok := r.pathStar(s, sc); ok {
				r.expand(v, s.Span, out)
				return
			}
		}
		if src == nil {
			r.unknownColumn(s.Span, s.Qualifier, s.Qualifier[len(s.Qualifier)-1], sc)
			out.open, out.why = true, fmt.Sprintf("unknown relation %q", joinIdents(s.Qualifier))
			return
		}
		sources = []*source{src}
	}
	// The lists name columns of what the star stands for.
	of := &scope{sources: sources}
	replaced := map[string]value{}
	for _, it := range s.Replace {
		v := r.expr(it.Expr, sc)
		if it.Alias != nil {
			r.starColumn(*it.Alias, of)
			replaced[r.d.Fold(*it.Alias)] = v
		}
	}
	renamed := map[string]Ident{}
	for _, it := range s.Rename {
		if c, ok := it.Expr.(*Column); ok && it.Alias != nil {
			id := c.Parts[len(c.Parts)-1]
			r.starColumn(id, of)
			renamed[r.d.Fold(id)] = *it.Alias
		}
	}
	except := map[string]bool{}
	for _, id := range s.Except {
		r.starColumn(id, of)
		except[r.d.Fold(id)] = true
	}
	for _, src := range sources {
		if len(out.fields)+len(src.fields) > maxWidth || !r.spend(len(src.fields)) {
			out.open, out.why = true, "too many columns"
			return
		}
		for _, f := range src.fields {
			if (f.hidden && len(s.Qualifier) == 0) || except[f.key] {
				continue
			}
			if v, ok := replaced[f.key]; ok {
				f.val = v
			}
			var at Ident
			if id, ok := renamed[f.key]; ok {
				f.key, f.name, at = r.d.Fold(id), r.d.shown(id), id
			}
			f.hidden = false
			f.adrift = f.adrift || out.open
			r.collect(f.val, sc)
			if r.stars {
				r.record(ColumnUse{Span: s.Span, Parts: s.Qualifier, Sources: bases(f.val.sources), Relation: src.name, Table: src.rel})
			}
			out.fields = append(out.fields, outField{field: f, span: s.Span, at: at})
		}
		if src.open {
			out.open, out.why = true, "star over a relation without declared columns"
			if src.why != "" && src.why != noColumns {
				out.why = src.why
			}
		}
	}
	if s.Filter != nil {
		// Which columns it picks is not known; each may be any of those found.
		out.open, out.why = true, "which columns it stands for is not known"
	}
}

// pathStar binds the qualifier of a star that is a column with fields, or a path to
// one: device.*, t.device.browser.*.
func (r *resolver) pathStar(s *Star, sc *scope) (value, bool) {
	if !r.d.hasPaths() {
		return value{}, false
	}
	_, found := r.peek(s.Qualifier[0], sc)
	if src, _ := r.findSource(s.Qualifier[:1], sc); !found && src == nil {
		return value{}, false
	}
	span := Span{s.Qualifier[0].Start, s.Qualifier[len(s.Qualifier)-1].End}
	return r.column(&Column{Span: span, Parts: s.Qualifier}, sc, false), true
}

// expand adds the fields of a row to an output.
func (r *resolver) expand(v value, at Span, out *output) {
	if v.row == nil {
		out.open, out.why = true, "fields of a value whose type is not known"
		return
	}
	for _, f := range v.row.fields {
		f.adrift = out.open
		out.fields = append(out.fields, outField{field: f, span: at})
	}
	if v.row.open {
		out.open, out.why = true, v.row.why
	}
}

// starColumn checks a name in the lists behind a star.
func (r *resolver) starColumn(id Ident, of *scope) {
	use := ColumnUse{Span: id.Span, Parts: []Ident{id}, At: id}
	open := false
	for _, src := range of.sources {
		if f, ok := src.find(r.d.Fold(id)); ok {
			use.Sources, use.Relation = bases(f.val.sources), src.name
			r.record(use)
			return
		}
		open = open || src.open
	}
	if open {
		use.Status = Undecided
		r.record(use)
		return
	}
	r.unknownColumn(use.Span, use.Parts, id, of)
}

// overColumns finds DuckDB's COLUMNS(*) inside a call, which makes one column of the
// result for each that the star stands for.
func (r *resolver) overColumns(it SelectItem) (*Func, *Star) {
	call, ok := it.Expr.(*Func)
	if !ok || r.d != DuckDB || it.Alias != nil || call.Over != nil {
		return nil, nil
	}
	var star *Star
	Walk(call, func(n Node) bool {
		if s, ok := n.(*Star); ok && s.Filter == nil {
			star = s
		}
		_, inner := n.(*Query)
		return star == nil && !inner
	})
	if star == nil || call.Star || call.named("count") || call.named("struct_pack") || call.named("row") {
		return nil, nil
	}
	return call, star
}

// eachColumn adds the columns of a call over those of a star.
func (r *resolver) eachColumn(call *Func, star *Star, sc *scope, out *output) {
	whole := r.expr(call, sc)
	var of output
	r.muted++
	r.star(star, sc, &of)
	r.muted--
	feed := Expression
	if call.aggregates() {
		feed = Aggregated
	}
	for _, f := range of.fields {
		f.val = combine(feed, f.val)
		f.span, f.at = call.Span, Ident{}
		out.fields = append(out.fields, f)
	}
	if of.open {
		out.open, out.why = true, whole.undecided
	}
}
