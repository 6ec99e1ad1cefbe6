package validate

import (
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// catalog is what the names in queries can mean: the declared relations, and those of
// which it is not known whether they are there.
type catalog struct {
	c      *checker
	byKey  map[schema.Name]*sqltree.Relation
	tables map[*table]*sqltree.Relation
	views  map[*schema.View]*sqltree.Relation
	owned  map[*sqltree.Relation]*schema.View
	// schemas are those in which something is declared.
	schemas map[string]bool
	asked   int
	names   []string
}

// sequenceColumns are those that a sequence shows as a relation.
var sequenceColumns = []string{"last_value", "log_cnt", "is_called"}

func newCatalog(c *checker) *catalog {
	k := &catalog{
		c: c, byKey: make(map[schema.Name]*sqltree.Relation, len(c.tables)+len(c.db.Views)),
		tables: make(map[*table]*sqltree.Relation, len(c.tables)), views: map[*schema.View]*sqltree.Relation{},
		owned: map[*sqltree.Relation]*schema.View{}, schemas: map[string]bool{},
	}
	for _, t := range c.tables {
		r := &sqltree.Relation{Columns: make([]string, len(t.all)), Open: t.open}
		for i, col := range t.all {
			r.Columns[i] = k.kept(col.Name)
		}
		k.tables[t] = r
		k.add(t.Name, r)
		for _, col := range t.Columns {
			if c.d.PostgresFamily() && (col.Identity != nil || isSerial(col.Type)) {
				// Under its usual name; another table may have taken that.
				n := schema.Name{Schema: t.Schema, Name: dialect.GeneratedName(t.Name.Name, col.Name, "seq")}
				if k.byKey[k.key(n)] == nil {
					k.add(n, &sqltree.Relation{Sequence: true, Columns: sequenceColumns})
				}
			}
		}
	}
	for _, v := range c.db.Views {
		r := &sqltree.Relation{Open: true}
		k.views[v], k.owned[r] = r, v
		k.add(v.Name, r)
	}
	for _, s := range c.db.Sequences {
		k.add(s.Name, &sqltree.Relation{Sequence: true, Columns: sequenceColumns})
	}
	for _, x := range c.db.Verbatim {
		if strings.Contains(x.Kind, "TABLE") || strings.Contains(x.Kind, "VIEW") {
			k.add(x.Name, &sqltree.Relation{Open: true})
		}
	}
	return k
}

// kept is what the database keeps of a column's name.
func (k *catalog) kept(name string) string {
	if k.c.d.PostgresFamily() {
		return dialect.Cut(name)
	}
	return name
}

func (k *catalog) add(n schema.Name, r *sqltree.Relation) {
	n = n.In(k.c.d.DefaultSchema())
	r.Schema, r.Name = n.Schema, n.Name
	k.schemas[k.fold(n.Schema)] = true
	key := k.key(n)
	if old := k.byKey[key]; old != nil && old.Name != r.Name {
		old.Open = true // two names that texts do not tell apart
		return
	}
	k.byKey[key] = r
}

// fold is how queries compare names: MySQL's tables without regard to case, because
// that is so on some systems.
func (k *catalog) fold(name string) string {
	if k.c.d.MySQLFamily() {
		return strings.ToLower(name)
	}
	return k.c.d.TableKey(name)
}

func (k *catalog) key(n schema.Name) schema.Name { return n.Folded(k.c.d.DefaultSchema(), k.fold) }

// Relation implements [sqltree.Catalog].
func (k *catalog) Relation(d sqltree.Dialect, n sqltree.Name) *sqltree.Relation {
	parts := n.Parts
	name := schema.Name{Name: k.fold(d.Fold(parts[len(parts)-1]))}
	if len(parts) > 1 {
		name.Schema = k.fold(d.Fold(parts[len(parts)-2]))
	} else {
		name.Schema = k.fold(k.c.d.DefaultSchema())
	}
	if r := k.byKey[name]; r != nil {
		return r
	}
	if k.elsewhere(name, len(parts) > 1) {
		return &sqltree.Relation{Schema: name.Schema, Name: name.Name, Open: true}
	}
	return nil
}

// elsewhere reports whether a relation that is not declared may be there all the same:
// in another database, or because an extension brings it.
func (k *catalog) elsewhere(n schema.Name, qualified bool) bool {
	foreign := qualified && !k.schemas[n.Schema]
	switch {
	case k.c.d.MySQLFamily():
		return foreign
	case k.c.d == dialect.SQLite:
		return foreign // attached, or temp
	case k.c.d.PostgresFamily():
		if foreign {
			return len(k.c.db.Extensions) > 0
		}
		return len(k.c.db.Extensions) > 0 && slices.Contains([]string{
			"geometry_columns", "geography_columns", "spatial_ref_sys", "raster_columns", "raster_overviews",
		}, n.Name)
	}
	return false
}

// Names implements [sqltree.Catalog]. After many questions it has none: each costs a
// look at all of them.
func (k *catalog) Names() []string {
	if k.asked++; k.asked > maxSuggested {
		return nil
	}
	if k.names == nil {
		for _, t := range k.c.tables {
			k.names = append(k.names, t.object)
		}
		for _, v := range k.c.db.Views {
			k.names = append(k.names, k.c.show(v.Name))
		}
		slices.Sort(k.names)
	}
	return k.names
}

// columnsOfView are the keys of a view's columns; nil where they are not known.
func (k *catalog) columnsOfView(c *checker, v *schema.View) map[string]bool {
	r := k.views[v]
	if r == nil || r.Open {
		return nil
	}
	columns := map[string]bool{}
	for _, name := range r.Columns {
		columns[c.d.Key(name)] = true
	}
	return columns
}
