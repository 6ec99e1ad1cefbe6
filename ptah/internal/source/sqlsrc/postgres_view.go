package sqlsrc

import (
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// createView declares a view or a materialised one.
func (in *postgres) createView(st *sqltree.CreateView) error {
	name, err := in.declared(in.parts(st.Name))
	if err != nil {
		return err
	}
	kind := "VIEW"
	if st.Materialized {
		kind = "MATERIALIZED VIEW"
	}
	if st.Temporary {
		return unkept("CREATE TEMPORARY VIEW", temporary)
	}
	v := &schema.View{Name: name, Materialized: st.Materialized, Columns: in.folded(st.Columns), Origin: in.here()}
	head := in.words(sqltree.Span{Start: st.Start, End: st.Name.Start})
	v.Recursive = head.find("RECURSIVE") < len(head.toks)
	end := in.viewOptions(v, st)
	if v.Body = in.viewBody(st, v.Recursive, end); v.Body == "" {
		return unkept("CREATE MATERIALIZED VIEW … AS EXECUTE", "")
	}
	old := in.taken(name)
	switch {
	case old == nil:
		in.db.Views = append(in.db.Views, v)
		in.addRelation(&relation{kind: kind, name: name, view: v, origin: v.Origin})
		in.granted("TABLE", name, "")
	case st.IfNotExists:
		return in.exists(kind, name.String(), old.origin)
	case st.Replace && old.kind == "VIEW":
		v.Comment, v.Comments = old.view.Comment, old.view.Comments
		*old.view = *v
		old.origin = v.Origin
	default:
		return in.taking(kind, name, old.kind, old.name, old.origin)
	}
	return nil
}

// viewOptions reads what stands around the query of a view, and returns where the query
// ends.
func (in *postgres) viewOptions(v *schema.View, st *sqltree.CreateView) (end int) {
	end = st.End
	for _, o := range st.Options {
		switch {
		case o.Key == "CHECK OPTION":
			v.CheckOption = "CASCADED"
			if strings.HasPrefix(strings.ToUpper(o.Value), "LOCAL") {
				v.CheckOption = "LOCAL"
			}
			end = o.Start
		case o.Key == "WITH DATA", o.Key == "WITH NO DATA":
			v.NoData = o.Key == "WITH NO DATA"
			end = o.Start
		case strings.EqualFold(o.Key, "check_option"):
			v.CheckOption = strings.ToUpper(in.wordsOf(o.Value).value())
		case st.Materialized && o.Key == "USING":
			v.Method = in.wordsOf(o.Value).ident()
		case st.Materialized && o.Key == "TABLESPACE":
			v.Tablespace = in.wordsOf(o.Value).ident()
		default:
			v.Options = append(v.Options, in.option(o))
		}
	}
	return end
}

// viewBody is the query behind AS.
func (in *postgres) viewBody(st *sqltree.CreateView, recursive bool, end int) string {
	w := in.words(sqltree.Span{Start: st.Name.End, End: end})
	at := w.find("AS")
	if at >= len(w.toks)-1 || st.Query == nil {
		return ""
	}
	query := st.Query
	if recursive {
		// Its tree is what RECURSIVE stands for: the query in the text is the view's only
		// common table expression, and the rest names the view.
		query = &sqltree.Query{With: query.With}
	}
	return in.textOf(sqltree.Span{Start: w.base + w.toks[at].End, End: w.base + w.toks[len(w.toks)-1].End}, query)
}
