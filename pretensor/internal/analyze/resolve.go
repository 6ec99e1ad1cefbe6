package analyze

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/names"
)

// resolver finds the tables that names mean.
type resolver struct {
	c      *catalog.Catalog
	schema string
	shared map[string]bool // folded bare names, true where several schemas have one
	// Partitions that are folded into their table, by folded schema and name.
	partitions map[[2]string]int
}

func newResolver(c *catalog.Catalog, schema string) *resolver {
	r := &resolver{c: c, schema: schema, shared: map[string]bool{}, partitions: map[[2]string]int{}}
	if r.schema == "" {
		r.schema = c.DefaultSchema
		if all := c.Schemas(); len(all) == 1 {
			r.schema = all[0]
		}
	}
	for i := range c.Tables {
		n := c.Fold(c.Tables[i].Name)
		_, r.shared[n] = r.shared[n]
		if p := c.Tables[i].Partition; p != nil {
			for _, t := range p.Tables {
				r.partitions[[2]string{c.Fold(t.Schema), c.Fold(t.Name)}] = i
			}
		}
	}
	return r
}

// table finds the table of a name's parts. A name without a schema is one of the
// default schema, else the only table of that name. several says that other
// schemas have such a table too and the default decided. A partition is its table.
func (r *resolver) table(name []string) (table int, several, ok bool) {
	last := r.c.Fold(name[len(name)-1])
	if _, known := r.shared[last]; !known {
		// Looking it up would only search for names that are like it.
		schema := r.schema
		if len(name) > 1 {
			schema = name[len(name)-2]
		}
		i, ok := r.partitions[[2]string{r.c.Fold(schema), last}]
		return i, false, ok
	}
	// The database itself may stand before the schema, or before the table where
	// schemas are left out.
	if len(name) > 1 && r.c.Database != "" && r.c.Fold(name[0]) == r.c.Fold(r.c.Database) {
		if i, err := lookup(r.c, name...); err == nil {
			return i, false, true
		}
		name = name[1:]
	}
	if len(name) == 1 && r.schema != "" {
		if i, err := lookup(r.c, r.schema, name[0]); err == nil {
			return i, r.shared[last], true
		}
	}
	i, err := lookup(r.c, name...)
	return i, false, err == nil
}

// lookup finds the table of a name's parts, as they are: no dot or quote in them
// means anything. Empty ones are left out.
func lookup(c *catalog.Catalog, name ...string) (int, error) {
	var quoted []string
	for _, n := range name {
		if n != "" {
			quoted = append(quoted, `"`+strings.ReplaceAll(n, `"`, `""`)+`"`)
		}
	}
	return c.Find(strings.Join(quoted, "."))
}

// commonWord reports whether a table's name is a word that prose has too.
func commonWord(name string) bool {
	switch strings.TrimSuffix(strings.ToLower(name), "s") {
	case "user", "order", "event", "log", "data":
		return true
	}
	return false
}

// consumerID is the id of a place; see the package's contract on stable ids.
func consumerID(connection, service, file string, line int, fingerprint string) string {
	sum := sha256.Sum256([]byte(service + "|" + file + "|" + strconv.Itoa(line) + "|" + fingerprint))
	return names.IDPart(connection) + "::consumer::" + hex.EncodeToString(sum[:])[:24]
}

func edgeID(consumer string, c *catalog.Catalog, table int, op string) string {
	t := &c.Tables[table]
	return consumer + "->" + names.IDPart(c.Connection) + "::" + names.IDPart(t.Schema) + "::" + names.IDPart(t.Name) + ":" + op
}

// fingerprint identifies a text without telling it: spacing and case do not count.
func fingerprint(text string) string {
	sum := sha256.Sum256([]byte(strings.ToLower(strings.Join(strings.Fields(text), " "))))
	return hex.EncodeToString(sum[:])[:16]
}

// A use is a use of a table by its name.
type use struct {
	name        []string // schema and table, or the table alone
	op          string
	kind        string
	symbol      string
	lineStart   int
	lineEnd     int
	confidence  float64
	fingerprint string
	dialect     string
	keywordOnly bool
	derived     bool // the name is a convention's, so that its absence says nothing
}

// A modelDef is a class, struct or variable that stands for a table.
type modelDef struct {
	orm      string
	name     string
	table    []string
	explicit bool // the table is written, not derived
	silent   bool // the definition itself is not recorded
	uses     use  // its place
}

// A modelCall is a call on a model.
type modelCall struct {
	orms   []string // whose models it can be about
	model  string
	method string
	ops    []string
	use    use // its place
}

// models are those of the repository, by family of languages and name.
type models map[[2]string][]located

type located struct {
	*modelDef
	file string
}

func newModels(files []*file) models {
	m := models{}
	for _, f := range files {
		if f.skipped {
			continue
		}
		for i := range f.models {
			d := &f.models[i]
			key := [2]string{f.lang.family, d.name}
			m[key] = append(m[key], located{d, f.path})
		}
	}
	return m
}

// find finds the model that a name means in a file: that of the file, else that
// of its folder, else the only one. Several that stand for one table are one.
func (m models) find(f *file, call *modelCall) *modelDef {
	for _, near := range []func(string) bool{
		func(p string) bool { return p == f.path },
		func(p string) bool { return path.Dir(p) == path.Dir(f.path) },
		func(string) bool { return true },
	} {
		var found *modelDef
		ambiguous := false
		for _, d := range m[[2]string{f.lang.family, call.model}] {
			if !near(d.file) || !contains(call.orms, d.orm) {
				continue
			}
			ambiguous = ambiguous || found != nil && strings.Join(found.table, ".") != strings.Join(d.table, ".")
			found = d.modelDef
		}
		if ambiguous {
			return nil
		}
		if found != nil {
			return found
		}
	}
	return nil
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return len(list) == 0
}

// uses are what a file's models and the calls on models use.
func (m models) uses(f *file) []use {
	var out []use
	for i := range f.models {
		d := &f.models[i]
		if d.silent {
			continue
		}
		u := d.uses
		u.name, u.kind, u.op, u.confidence, u.symbol, u.derived = d.table, KindModel, Read, 0.60, d.name, !d.explicit
		u.fingerprint = fingerprint("model " + d.orm + " " + d.name)
		out = append(out, u)
	}
	// One place does one thing to a model once, however many calls say so:
	// select(X.a).join(X).
	type deed struct {
		def        *modelDef
		op         string
		start, end int
	}
	done := map[deed]bool{}
	for i := range f.calls {
		k := &f.calls[i]
		d := m.find(f, k)
		if d == nil {
			continue
		}
		for _, op := range k.ops {
			u := k.use
			this := deed{d, op, u.lineStart, u.lineEnd}
			if done[this] {
				continue
			}
			done[this] = true
			u.name, u.kind, u.op, u.symbol, u.derived = d.table, KindORMCall, op, k.model+"."+k.method, !d.explicit
			u.confidence = 0.65
			if d.explicit {
				u.confidence = 0.80
			}
			u.fingerprint = fingerprint("call " + d.orm + " " + k.model + " " + k.method)
			out = append(out, u)
		}
	}
	return out
}
