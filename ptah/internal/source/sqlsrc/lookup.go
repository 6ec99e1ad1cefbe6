package sqlsrc

import "github.com/quartet-mcp/quartet/ptah/internal/schema"

// growth tells what a list has got since it was last seen. Declarations add to the end of
// a list, so that what is known of it still holds when it has grown.
type growth[T any] struct {
	n    int
	last *T
}

// since returns where the new members begin: at 0 if more than the end has changed.
func (g *growth[T]) since(list []*T) int {
	from := g.n
	if from > len(list) || from > 0 && list[from-1] != g.last {
		from = 0
	}
	if g.n, g.last = len(list), nil; g.n > 0 {
		g.last = list[g.n-1]
	}
	return from
}

// lookup finds members of the lists of tables, or of the model, by name: to look at each
// would take long in long ones.
// Who changes a name in its place calls forget.
type lookup[T any] struct {
	name  func(*T) string // in the form in which names compare
	known map[*schema.Table]*places[T]
}

// places are those of the members of one list, by name.
type places[T any] struct {
	growth[T]
	of map[string][]int
}

// short is the length of lists that are searched as they are.
const short = 40

// find returns the first member that fits and has the name, in its form, of a list of a
// table, or of the model if t is nil.
func (l *lookup[T]) find(t *schema.Table, list []*T, name string, fits func(*T) bool) *T {
	if len(list) <= short {
		for _, x := range list {
			if l.name(x) == name && fits(x) {
				return x
			}
		}
		return nil
	}
	p := l.known[t]
	if p == nil {
		p = &places[T]{}
		if l.known == nil {
			l.known = map[*schema.Table]*places[T]{}
		}
		l.known[t] = p
	}
	from := p.since(list)
	if from == 0 {
		p.of = make(map[string][]int, len(list))
	}
	for i := from; i < len(list); i++ {
		k := l.name(list[i])
		p.of[k] = append(p.of[k], i)
	}
	for _, i := range p.of[name] {
		switch x := list[i]; {
		case l.name(x) != name: // the list has been put in another order
			l.forget(t)
			return l.find(t, list, name, fits)
		case fits(x):
			return x
		}
	}
	return nil
}

// forget is for names that have changed in their place.
func (l *lookup[T]) forget(t *schema.Table) { delete(l.known, t) }

// anyOf fits all that have a name.
func anyOf[T any](*T) bool { return true }
