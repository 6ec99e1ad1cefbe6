package render

import (
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// relative writes for a database that speaks PostgreSQL's SQL and is not PostgreSQL. It
// refuses what that database lacks and says in PostgreSQL's words what it has of its own;
// the rest is PostgreSQL's writer.
type relative struct{ *job }

// copyTables replaces the schema by one whose tables may be changed.
func (r *relative) copyTables(change func(*schema.Table)) {
	db := *r.db
	db.Tables = make([]*schema.Table, len(r.db.Tables))
	for i, t := range r.db.Tables {
		own := *t
		change(&own)
		db.Tables[i] = &own
	}
	r.db = &db
}

// lacks reports a problem where something is declared that PostgreSQL has and this
// database does not.
func (r *relative) lacks(declared bool, s subject, what string) { r.belongs(false, declared, s, what) }

func writeYugabyteDB(j *job) {
	y := &relative{j}
	y.copyTables(func(t *schema.Table) {
		s := subject{"table", t.Name.String(), t.Origin, "TBL007"}
		y.lacks(t.ClusterOn != "", s, "is clustered")
		t.Indexes = y.lsm(t.Indexes)
	})
	views := make([]*schema.View, len(y.db.Views))
	for i, v := range y.db.Views {
		own := *v
		own.Indexes = y.lsm(v.Indexes)
		views[i] = &own
	}
	y.db.Views = views // of the copy
	writePostgres(j)
}

// lsm returns indexes in the words of PostgreSQL, in which the usual method of YugabyteDB
// goes without saying.
func (r *relative) lsm(indexes []*schema.Index) []*schema.Index {
	list := make([]*schema.Index, len(indexes))
	for i, x := range indexes {
		own := *x
		own.Name = r.indexName(x)
		switch strings.ToLower(x.Method) {
		case "lsm":
			own.Method = ""
		case "ybgin":
			own.Method = "gin"
		case "", "btree", "hash", "gin":
		default:
			r.problem(finding.Index, "IDX004", own.Name, x.Origin, "index %q has type %q; yugabytedb has lsm, btree, hash and gin", own.Name, x.Method)
			own.Method = ""
		}
		list[i] = &own
	}
	return list
}

func writeCockroachDB(j *job) {
	c := &relative{j}
	tables, views := j.db.Tables, j.db.Views
	c.copyTables(c.cockroachTable)
	db := *c.db
	db.Views = make([]*schema.View, len(views))
	for i, v := range views {
		db.Views[i] = c.cockroachView(v)
	}
	c.db = &db
	c.cockroachObjects()
	writePostgres(j)
	for _, t := range tables {
		for _, x := range t.Indexes {
			c.cockroachIndex(t.Name, x, true)
		}
	}
	for _, v := range views {
		for _, x := range v.Indexes {
			c.cockroachIndex(v.Name, x, false)
		}
	}
}

// cockroachTable puts a table of CockroachDB in the words of PostgreSQL. Its indexes are
// written apart.
func (r *relative) cockroachTable(t *schema.Table) {
	s := subject{"table", t.Name.String(), t.Origin, "TBL007"}
	r.lacks(t.Method != "" || t.Tablespace != "", s, "says how it is stored")
	r.lacks(t.Foreign != "", s, "is a foreign table")
	r.lacks(t.Of != nil, s, "is made of a type")
	r.lacks(t.ReplicaIdentity != "" || t.ClusterOn != "", s, "has a replica identity or is clustered")
	t.Options = slices.Concat(t.Options, t.TTL)
	t.Indexes = nil
	for _, c := range t.Constraints {
		s := subject{strings.ToLower(string(c.Kind)), constraintObject(t, c), at(c.Origin, t.Origin), "CON001"}
		r.lacks(c.Method != "", s, "is by "+strings.ToUpper(c.Method))
		r.lacks(c.Tablespace != "" || c.AttachTo != nil, s, "says how it is stored")
	}
	columns := make([]*schema.Column, len(t.Columns))
	for i, c := range t.Columns {
		columns[i] = r.cockroachColumn(t, c)
	}
	t.Columns = columns
}

// cockroachColumn gives a column that is counted up the serial type of its width.
func (r *relative) cockroachColumn(t *schema.Table, c *schema.Column) *schema.Column {
	s := subject{"column", t.Name.String() + "." + c.Name, at(c.Origin, t.Origin), "TBL007"}
	r.lacks(c.Storage != "" || c.Compression != "" || c.Statistics != nil || len(c.Options) > 0, s, "says how it is stored")
	if _, err := r.builtin(c.Type, c.Native); err != nil && r.userType(c.Type) == nil && c.Type.Text != "" {
		r.typeProblem(err, s.object, s.at) // no extension brings it, as it might to PostgreSQL
	}
	if !c.AutoIncrement {
		return c
	}
	own := *c
	name, _ := dialect.Portable(c.Type)
	serial := map[string]string{"smallint": "SERIAL2", "integer": "SERIAL4", "bigint": "SERIAL8", "smallserial": "SERIAL2", "serial": "SERIAL4", "bigserial": "SERIAL8"}[name]
	if serial == "" || c.Type.Array > 0 {
		r.problem(finding.Schema, "IDN001", s.object, s.at, "auto-increment column %q has type %s; %s counts only SMALLINT, INTEGER and BIGINT up", s.object, c.Type.Text, r.d)
		return c
	}
	own.AutoIncrement, own.Native = false, true
	own.Type = schema.Type{Name: serial, Text: serial}
	return &own
}

// cockroachView refuses what views of CockroachDB lack. Their indexes are written apart.
func (r *relative) cockroachView(v *schema.View) *schema.View {
	s := subject{"view", v.Name.String(), v.Origin, "VW006"}
	r.lacks(v.Recursive || v.Method != "" || v.Tablespace != "" || len(v.Options) > 0, s, "is recursive, has options or says how it is stored")
	r.noComment(v.Comment, "view", v.Name.String(), v.Origin)
	for _, c := range v.Comments {
		r.noComment(c.Value, "column", v.Name.String()+"."+c.Key, v.Origin)
	}
	own := *v
	own.Indexes, own.Comment, own.Comments = nil, "", nil
	return &own
}

// cockroachObjects refuses what other objects of CockroachDB lack, and takes their comments
// off where they have none.
func (r *relative) cockroachObjects() {
	db := *r.db
	for _, v := range db.Verbatim {
		r.lacks(true, subject{strings.ToLower(v.Kind), v.Name.String(), v.Origin, "TBL007"}, "is declared")
	}
	for i, q := range db.Sequences {
		r.lacks(q.Unlogged, subject{"sequence", q.Name.String(), q.Origin, "SEQ001"}, "is unlogged")
		if q.Comment != "" {
			r.noComment(q.Comment, "sequence", q.Name.String(), q.Origin)
			own := *q
			own.Comment = ""
			db.Sequences = slices.Clone(db.Sequences)
			db.Sequences[i] = &own
		}
	}
	for i, f := range db.Routines {
		r.lacks(f.Aggregate, subject{"aggregate", f.Name.String(), f.Origin, "RTN002"}, "is declared")
		if f.Comment != "" {
			r.noComment(f.Comment, "routine", f.Name.String(), f.Origin)
			own := *f
			own.Comment = ""
			db.Routines = slices.Clone(db.Routines)
			db.Routines[i] = &own
		}
	}
	for _, role := range db.Roles {
		r.lacks(role.Superuser || role.NoInherit, subject{"role", role.Name, role.Origin, "ROL001"}, "is SUPERUSER or NOINHERIT")
	}
	r.db = &db
}

// cockroachIndex adds an index of a table or materialized view.
func (r *relative) cockroachIndex(on schema.Name, x *schema.Index, table bool) {
	name := r.indexName(x)
	s := subject{"index", name, x.Origin, "IDX004"}
	r.lacks(x.Tablespace != "" || x.Only || x.AttachTo != nil, s, "says how it is stored or is that of a partition")
	kind, using := "", ""
	switch method := strings.ToLower(x.Method); method {
	case "", "btree":
	case "gin", "gist", "inverted":
		kind = "INVERTED"
	case "hash":
		using = "USING HASH"
	default:
		r.problem(finding.Index, "IDX004", name, x.Origin, "index %q has type %q; cockroachdb has btree, hash and inverted ones, which gin and gist are", name, x.Method)
	}
	plain := true // it calls no function that would have to be there before
	keys := make([]string, len(x.Keys))
	pg := &postgres{job: r.job}
	for i, k := range x.Keys {
		keys[i] = pg.indexKey(k)
		plain = plain && k.Column != ""
	}
	storing := ""
	if len(x.Include) > 0 {
		storing = "STORING " + r.list(x.Include)
	}
	p := phaseIndex
	if x.Unique && table && plain && x.Where == "" {
		p = phaseUniqueIndex
	}
	r.add(p, on, x.Origin, statement("CREATE", given(x.Unique, "UNIQUE"), kind, "INDEX", r.quote(name), "ON", r.ref(on), "("+strings.Join(keys, ", ")+")", using, storing,
		pg.with(x.Options), given(x.Where != "", "WHERE "+text(x.Where)), given(x.Invisible, "NOT VISIBLE")))
	if x.Comment != "" {
		r.add(phaseLast, on, x.Origin, pg.commentOn("INDEX", r.ref(schema.Name{Schema: on.Schema, Name: name}), x.Comment))
	}
}
