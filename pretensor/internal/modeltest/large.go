package modeltest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// Large makes a database of that many tables, a tenth of them views, with that many
// columns in all: widths are log-normal, three declared keys for two tables prefer
// what others refer to already, and each schema has one of 20 ways to give names. The
// same numbers make the same database.
func Large(tables, columns int) *model.Database {
	g := &generator{
		rng: rand.New(rand.NewPCG(uint64(tables), uint64(columns))),
		db:  &model.Database{Name: "large", Dialect: "postgresql", Version: "16.4", DefaultSchema: "public", Tables: make([]model.Table, 0, tables)},
	}
	views := tables / 10
	widths := g.widths(tables-views, columns-views*viewWidth)
	for i := range tables - views {
		g.table(i, widths[i])
	}
	g.keys((tables-views)*5/3, widths)
	for i := range widths {
		g.fillUp(i, widths[i])
	}
	for i := range views {
		g.view(i)
	}
	g.db.Sort()
	return g.db
}

const (
	schemaSize = 100 // tables of a schema
	viewWidth  = 6
	minWidth   = 4
)

type generator struct {
	rng      *rand.Rand
	db       *model.Database
	words    [][]string // per table: of its name
	taken    []map[string]bool
	referred []int // tables that keys refer to, once for each key
}

// naming is how a schema gives names.
type naming struct {
	table, key, ref, column func(words ...string) string
}

func snake(words ...string) string  { return strings.Join(words, "_") }
func glued(words ...string) string  { return strings.Join(words, "") }
func shout(words ...string) string  { return strings.ToUpper(snake(words...)) }
func pascal(words ...string) string { return camelFrom(0, words) }
func camel(words ...string) string  { return camelFrom(1, words) }

func camelFrom(from int, words []string) string {
	var b strings.Builder
	for i, w := range words {
		if i >= from {
			w = strings.ToUpper(w[:1]) + w[1:]
		}
		b.WriteString(w)
	}
	return b.String()
}

func plural(words []string) []string {
	out := slices.Clone(words)
	last := &out[len(out)-1]
	switch {
	case strings.HasSuffix(*last, "y"):
		*last = (*last)[:len(*last)-1] + "ies"
	case strings.HasSuffix(*last, "s"), strings.HasSuffix(*last, "x"), strings.HasSuffix(*last, "ch"):
		*last += "es"
	default:
		*last += "s"
	}
	return out
}

func short(w string) string { return w[:min(3, len(w))] }

// namings are 20: five spellings in four habits each.
var namings = func() []naming {
	var all []naming
	for _, spell := range []func(...string) string{snake, glued, shout, pascal, camel} {
		with := func(end string) func(...string) string {
			return func(w ...string) string { return spell(append(slices.Clone(w), end)...) }
		}
		before := func(start string, many bool) func(...string) string {
			return func(w ...string) string {
				if many {
					w = plural(w)
				}
				return spell(append([]string{start}, w...)...)
			}
		}
		all = append(all,
			// orders: id, order_id
			naming{table: func(w ...string) string { return spell(plural(w)...) }, key: func(...string) string { return spell("id") }, ref: with("id"), column: spell},
			// order: order_id, order_id
			naming{table: spell, key: with("id"), ref: with("id"), column: spell},
			// tbl_orders: order_key, order_key
			naming{table: before("tbl", true), key: with("key"), ref: with("key"), column: spell},
			// dim_order: ord_id, ord_fk
			naming{table: before("dim", false), key: func(w ...string) string { return spell(short(w[0]), "id") }, ref: func(w ...string) string { return spell(short(w[len(w)-1]), "fk") }, column: spell},
		)
	}
	return all
}()

var (
	things = strings.Fields(`account address agent alert asset audit batch bill booking branch budget campaign carrier category channel claim
		client comment contact contract country coupon course customer delivery department device discount document employee event exam feature
		flight folder form goal group guest image incident inventory invoice item job journal ledger lesson license line loan location machine
		member message meter note notice offer order parcel partner patient payment payroll permit plan player policy post price product profile
		project quote rate receipt refund region report request review role route sale school sensor session shift shipment site skill stock store
		student subscription supplier survey tariff task tax team tenant term ticket token topic tour trade trip unit user vehicle vendor visit
		voucher warehouse wallet zone`)
	kinds = strings.Fields(`archive base daily detail draft entry extra global group header history internal local main master monthly old open
		partner pending primary public raw regional result rule shared source special state summary target temp type version weekly`)
	roles = []string{"billing", "shipping", "parent", "created", "primary", "source"}
)

// common are the columns that fill tables up.
var common = []struct {
	words, typ string
}{
	{"name", "varchar(120)"}, {"created at", "timestamptz"}, {"updated at", "timestamptz"}, {"status", "varchar(20)"}, {"amount", "numeric(12,2)"},
	{"quantity", "int"}, {"description", "text"}, {"is active", "boolean"}, {"code", "varchar(32)"}, {"total price", "numeric(12,2)"}, {"notes", "text"},
	{"start date", "date"}, {"end date", "date"}, {"email", "varchar(255)"}, {"sort order", "smallint"}, {"currency code", "char(3)"}, {"external ref", "varchar(64)"},
	{"deleted at", "timestamptz"}, {"weight kg", "double precision"}, {"payload", "jsonb"}, {"version", "int"}, {"title", "varchar(200)"}, {"city", "varchar(80)"},
	{"tracking no", "varchar(40)"}, {"row guid", "uuid"}, {"net value", "numeric(14,4)"}, {"tags", "text[]"}, {"priority", "smallint"}, {"approved on", "date"}, {"file size", "bigint"},
}

// widths are log-normal and sum up to columns.
func (g *generator) widths(tables, columns int) []int {
	raw, sum := make([]float64, tables), 0.0
	for i := range raw {
		raw[i] = math.Exp(g.rng.NormFloat64() * 0.7)
		sum += raw[i]
	}
	out, left := make([]int, tables), columns
	for i := range out {
		out[i] = max(minWidth, int(raw[i]/sum*float64(columns)))
		left -= out[i]
	}
	for i := 0; left != 0 && tables > 0; i = (i + 1) % tables {
		switch {
		case left > 0:
			out[i]++
			left--
		case out[i] > minWidth:
			out[i]--
			left++
		case slices.Max(out) == minWidth:
			return out // fewer columns than the least that tables have
		}
	}
	return out
}

func (g *generator) naming(table int) naming { return namings[table/schemaSize%len(namings)] }

func schemaOf(table int) string {
	if table < schemaSize {
		return "public"
	}
	return fmt.Sprintf("%s_%02d", things[table/schemaSize%len(things)], table/schemaSize)
}

// table makes a table with its key.
func (g *generator) table(i, width int) {
	place := i % schemaSize
	offset := i / schemaSize * 7 // the same things are in several schemas
	w := []string{things[(place+offset)%len(things)]}
	if place%3 > 0 {
		w = append(w, kinds[(place*5+offset)%len(kinds)])
	}
	n := g.naming(i)
	t := model.Table{Schema: schemaOf(i), Name: n.table(w...), Type: model.BaseTable, Columns: make([]model.Column, 0, width)}
	rows := int64(math.Exp(g.rng.Float64() * 16))
	size, key := rows*int64(width)*9, n.key(w...)
	t.Rows, t.RowsSource, t.Bytes = &rows, model.CountStat, &size
	t.Usage = &model.Usage{SeqScans: g.rng.Int64N(1000), IdxScans: g.rng.Int64N(1e6), Inserts: rows, Updates: rows / 3, Deletes: rows / 50}
	if g.rng.IntN(4) == 0 {
		t.Comment = fmt.Sprintf("Holds the %s of the %s department", strings.Join(plural(w), " "), things[offset%len(things)])
	}
	t.PrimaryKey = &model.Key{Name: t.Name + "_pkey", Columns: []string{key}}
	t.Indexes = append(t.Indexes, model.Index{Name: t.Name + "_pkey", Columns: []string{key}, Unique: true, Type: "btree", Primary: true})
	g.words = append(g.words, w)
	g.taken = append(g.taken, map[string]bool{})
	g.db.Tables = append(g.db.Tables, t)
	g.add(i, key, "bigint", false)
}

// add adds a column unless there is one of its name.
func (g *generator) add(table int, name, typ string, nullable bool) bool {
	t := &g.db.Tables[table]
	if g.taken[table][name] {
		return false
	}
	g.taken[table][name] = true
	c := model.Column{Name: name, Ordinal: len(t.Columns) + 1, Type: typ, Nullable: nullable, Array: strings.HasSuffix(typ, "[]")}
	nulls, distinct, correlation := float64(g.rng.IntN(100))/100, 1+g.rng.Int64N(*t.Rows+1), float64(g.rng.IntN(2001)-1000)/1000
	if !nullable {
		nulls = 0
	}
	c.Stats = &model.Stats{NullFraction: &nulls, Distinct: &distinct, Correlation: &correlation, Source: "catalog"}
	switch {
	case typ == "date" || typ == "timestamptz":
		c.Stats.Min, c.Stats.Max = "2019-01-02", fmt.Sprintf("2026-%02d-11", 1+g.rng.IntN(12))
	case strings.Contains(typ, "int") || strings.HasPrefix(typ, "numeric"):
		step := 1 + g.rng.IntN(5000)
		for k := range 11 {
			c.Stats.Histogram = append(c.Stats.Histogram, fmt.Sprint(1+k*step))
		}
		c.Stats.Min, c.Stats.Max = c.Stats.Histogram[0], c.Stats.Histogram[10]
	case typ == "boolean":
		c.Stats.Common = []string{"true", "false"}
	}
	if g.rng.IntN(8) == 0 {
		c.Comment = "The " + strings.ToLower(name) + " as it was entered"
	}
	t.Columns = append(t.Columns, c)
	return true
}

// keys declares keys between tables, and leaves every fifth undeclared.
func (g *generator) keys(n int, widths []int) {
	tables := len(g.words)
	for k := range n {
		from := k % tables
		var to int
		if len(g.referred) > 0 && g.rng.IntN(3) > 0 {
			to = g.referred[g.rng.IntN(len(g.referred))]
		} else if to = from/schemaSize*schemaSize + g.rng.IntN(schemaSize); g.rng.IntN(10) == 0 || to >= tables {
			to = g.rng.IntN(tables)
		}
		g.referred = append(g.referred, to)
		t, nm := &g.db.Tables[from], g.naming(from)
		name := nm.ref(g.words[to]...)
		if g.taken[from][name] {
			name = nm.ref(append([]string{roles[g.rng.IntN(len(roles))]}, g.words[to]...)...)
		}
		if len(t.Columns) >= widths[from] || !g.add(from, name, "bigint", g.rng.IntN(2) == 0) {
			continue
		}
		if g.rng.IntN(2) == 0 {
			t.Indexes = append(t.Indexes, model.Index{Name: t.Name + "_" + name + "_idx", Columns: []string{name}, Type: "btree"})
		}
		if k%11 != 0 {
			ref := &g.db.Tables[to]
			t.ForeignKeys = append(t.ForeignKeys, model.ForeignKey{
				Name: t.Name + "_" + name + "_fkey", Columns: []string{name}, RefSchema: ref.Schema, RefTable: ref.Name, RefColumns: ref.PrimaryKey.Columns,
			})
		}
	}
}

// fillUp gives a table the rest of its columns.
func (g *generator) fillUp(table, width int) {
	n, t := g.naming(table), &g.db.Tables[table]
	first := g.rng.IntN(len(common))
	for k := 0; len(t.Columns) < width; k++ {
		c := common[(first+k)%len(common)]
		words := strings.Fields(c.words)
		if round := k / len(common); round > 0 {
			words = append([]string{kinds[(table+round)%len(kinds)]}, append(words, fmt.Sprint(round))...)
		}
		g.add(table, n.column(words...), c.typ, g.rng.IntN(3) > 0)
	}
	if g.rng.IntN(20) == 0 {
		t.Checks = append(t.Checks, model.Check{Name: t.Name + "_check", Expr: quoted(t.Columns[1].Name) + " IS NOT NULL", Columns: []string{t.Columns[1].Name}})
	}
}

func quoted(name string) string { return `"` + name + `"` }

// view makes a view over one table, or over two that a key joins.
func (g *generator) view(i int) {
	base := (i * 9) % len(g.words)
	t := &g.db.Tables[base]
	from := []*model.Table{t}
	sql := fmt.Sprintf("FROM %s.%s a", quoted(t.Schema), quoted(t.Name))
	if len(t.ForeignKeys) > 0 && i%2 == 0 {
		k := t.ForeignKeys[0]
		sql += fmt.Sprintf(" JOIN %s.%s b ON a.%s = b.%s", quoted(k.RefSchema), quoted(k.RefTable), quoted(k.Columns[0]), quoted(k.RefColumns[0]))
		for j := range g.words {
			if r := &g.db.Tables[j]; j != base && r.Schema == k.RefSchema && r.Name == k.RefTable {
				from = append(from, r)
			}
		}
	}
	v := model.Table{Schema: t.Schema, Name: fmt.Sprintf("v_%s_%d", t.Name, i), Type: model.View}
	var list []string
	for c := range min(viewWidth, len(t.Columns)) {
		v.Columns = append(v.Columns, model.Column{Name: t.Columns[c].Name, Ordinal: c + 1, Type: t.Columns[c].Type, Nullable: true, Array: t.Columns[c].Array})
		list = append(list, "a."+quoted(t.Columns[c].Name))
	}
	for len(v.Columns) < viewWidth {
		name := fmt.Sprintf("extra_%d", len(v.Columns))
		v.Columns = append(v.Columns, model.Column{Name: name, Ordinal: len(v.Columns) + 1, Type: "text", Nullable: true})
		list = append(list, "NULL::text AS "+name)
	}
	v.Definition = "SELECT " + strings.Join(list, ", ") + " " + sql
	v.DefinitionHash = fmt.Sprintf("%016x", i)
	for _, f := range from {
		g.db.Lineage = append(g.db.Lineage, model.Lineage{
			FromSchema: f.Schema, FromTable: f.Name, ToSchema: v.Schema, ToTable: v.Name, Type: model.LineageView, Source: "catalog", Confidence: 1,
		})
	}
	g.db.Tables = append(g.db.Tables, v)
}
