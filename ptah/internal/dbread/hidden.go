package dbread

import (
	"cmp"
	"slices"

	"github.com/quartet-mcp/quartet/ptah/internal/finding"
)

// hidden counts what is there but may not be seen, by schema and kind.
type hidden struct{ counts map[Object]int }

func newHidden() hidden { return hidden{map[Object]int{}} }

func (h hidden) count(o Object) { h.counts[Object{Kind: o.Kind, Schema: o.Schema}]++ }

// report says how much of what cannot be seen, without a name of it.
func (h hidden) report(rep *finding.Report, role string) {
	groups := make([]Object, 0, len(h.counts))
	for o := range h.counts {
		groups = append(groups, o)
	}
	slices.SortFunc(groups, func(a, b Object) int { return cmp.Or(cmp.Compare(a.Schema, b.Schema), cmp.Compare(a.Kind, b.Kind)) })
	for _, o := range groups {
		rep.Warn(finding.CatalogPartial, "schema %q: the role %q has no privilege on %d of kind %s", o.Schema, role, h.counts[o], o.Kind)
	}
}
