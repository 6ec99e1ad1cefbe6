package cli

import (
	"errors"
	"fmt"

	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/registry"
	"github.com/quartet-mcp/quartet/pretensor/internal/store"
	"github.com/quartet-mcp/quartet/pretensor/internal/visibility"
)

// choose finds the connection that an argument or --database means, as the tools do,
// and opens its catalog. An empty name means the only connection there is.
func (s *session) choose(name string) (registry.Entry, *catalog.Catalog, error) {
	return s.chooseSeen(name, nil)
}

// chooseSeen is choose with a catalog of what rules let be seen.
func (s *session) chooseSeen(name string, rules *visibility.Rules) (registry.Entry, *catalog.Catalog, error) {
	if err := checkName(name); err != nil {
		return registry.Entry{}, nil, err
	}
	o := store.Options{AliasSources: s.aliasSources()}
	if !rules.Empty() {
		o.Hide = rules.Filter
	}
	st := store.New(s.dir, s.reg, o)
	e, err := st.Choose(name)
	if err != nil {
		return e, nil, problem(err)
	}
	c, err := st.Catalog(e)
	return e, c, problem(err)
}

// indexed is chooseSeen for a command that does something with the connection:
// one that is not there is a failure like others, and one without tables too.
func (s *session) indexed(name string, rules *visibility.Rules) (registry.Entry, *catalog.Catalog, error) {
	e, c, err := s.chooseSeen(name, rules)
	if u, ok := errors.AsType[*usageError](err); ok {
		return e, nil, errors.New(u.message)
	}
	if err == nil && c.Len() == 0 {
		err = hintf(fmt.Errorf("the index of %q has no tables", e.Name), "when it has some, run: %s", s.line("index", e.Name))
	}
	return e, c, err
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
