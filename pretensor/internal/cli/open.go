package cli

import (
	"errors"

	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/registry"
	"github.com/quartet-mcp/quartet/pretensor/internal/store"
)

// choose finds the connection that an argument or --database means, as the tools do,
// and opens its catalog. An empty name means the only connection there is.
func (s *session) choose(name string) (registry.Entry, *catalog.Catalog, error) {
	if err := checkName(name); err != nil {
		return registry.Entry{}, nil, err
	}
	st := store.New(s.dir, s.reg, store.Options{AliasSources: s.aliasSources()})
	e, err := st.Choose(name)
	if err != nil {
		return e, nil, problem(err)
	}
	c, err := st.Catalog(e)
	return e, c, problem(err)
}

// problem is an error of the store as the command line says it.
func problem(err error) error {
	p, ok := errors.AsType[*store.Problem](err)
	switch {
	case !ok:
		return err
	case p.Code == store.UnknownDatabase || p.Code == store.AmbiguousDatabase || p.Code == store.DatabaseRequired:
		return usagef("%s%s", p.Message, listOf(p.Candidates))
	case p.Err != nil && p.Code == store.GraphUnreadable:
		return hintf(p.Err, "%s", p.Hint)
	case p.Hint != "":
		return hintf(p, "%s", p.Hint)
	}
	return err
}

func listOf(names []string) string {
	out := ""
	for i, n := range names {
		if i == 5 {
			return out + ", …"
		}
		out += map[bool]string{true: " There are: ", false: ", "}[i == 0] + n
	}
	return out
}
