// Package roles guesses what part each table plays in a database (fact, dimension,
// junction, audit, …) from its name, columns, keys, neighbours and counters. Every
// role collects points from signals; the one with the most wins. It is
// deterministic and reads nothing but the model.
package roles

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/names"
	"github.com/quartet-mcp/quartet/pretensor/internal/types"
)

// Role is the part that a table plays.
type Role string

// The roles, in the order that decides between equal scores.
const (
	System    Role = "system"
	Staging   Role = "staging"
	Audit     Role = "audit"
	Junction  Role = "junction"
	Fact      Role = "fact"
	Dimension Role = "dimension"
	Bridge    Role = "bridge"
	Aggregate Role = "aggregate"
	Snapshot  Role = "snapshot_scd"
	Entity    Role = "entity_candidate"
	Unknown   Role = "unknown"
)

// All are the roles that are scored.
var All = []Role{System, Staging, Audit, Junction, Fact, Dimension, Bridge, Aggregate, Snapshot, Entity}

// Limits.
const (
	leastScore  = 0.15 // below it nothing is known
	unknownSure = 0.25
	maxSignals  = 8
	halfDegree  = 0.8 // confidence from which an inferred join counts, by half
)

// Edge is a join between two tables: From refers to To.
type Edge struct {
	From, To   int
	Inferred   bool
	Confidence float64 // of an inferred join
}

// Degrees are how many different tables a table refers to and is referred to by.
// A table that only an inferred join leads to counts as half.
type Degrees struct{ Out, In float64 }

// Count returns the degrees of that many tables. Inferred joins below 0.8 and
// references to the own table do not count.
func Count(tables int, edges []Edge) []Degrees {
	weight := map[[2]int]float64{}
	for _, e := range edges {
		w := 1.0
		if e.Inferred {
			w = 0.5
		}
		if e.From != e.To && (!e.Inferred || e.Confidence >= halfDegree) {
			weight[[2]int{e.From, e.To}] = max(weight[[2]int{e.From, e.To}], w)
		}
	}
	d := make([]Degrees, tables)
	for pair, w := range weight { // halves add up exactly, in any order
		d[pair[0]].Out += w
		d[pair[1]].In += w
	}
	return d
}

// Result is a table's role.
type Result struct {
	Role       Role
	Confidence float64  // 0 to 1
	Signals    []string // at most 8 short phrases, the strongest first
}

// Classify finds the role of a table. similar, which may be nil, adds points to
// roles, such as the weighted cosine of the table to what is typical of a role.
func Classify(dialect string, t *model.Table, d Degrees, similar func(Role) float64) Result {
	c := card{points: map[Role]float64{}, signals: map[Role][]signal{}}
	f := look(dialect, t)
	c.byName(t, f)
	c.byShape(t, f, d)
	c.byUse(t, d)
	if similar != nil {
		for _, r := range All {
			if p := similar(r); p > 0 {
				c.add(r, p, "like other tables of this role")
			}
		}
	}
	return c.result()
}

type signal struct {
	points float64
	text   string
}

// card collects the points.
type card struct {
	points  map[Role]float64
	signals map[Role][]signal
}

func (c *card) add(r Role, points float64, text string, args ...any) {
	if len(args) > 0 {
		text = fmt.Sprintf(text, args...)
	}
	c.points[r] += points
	c.signals[r] = append(c.signals[r], signal{points, text})
}

func (c *card) result() Result {
	order := slices.Clone(All)
	slices.SortStableFunc(order, func(a, b Role) int { return cmp.Compare(round(c.points[b]), round(c.points[a])) })
	best, second := c.points[order[0]], c.points[order[1]]
	if round(best) < leastScore {
		return Result{Role: Unknown, Confidence: unknownSure, Signals: []string{}}
	}
	signals := c.signals[order[0]]
	slices.SortStableFunc(signals, func(a, b signal) int { return cmp.Compare(b.points, a.points) })
	r := Result{Role: order[0], Signals: []string{}}
	for _, s := range signals[:min(len(signals), maxSignals)] {
		r.Signals = append(r.Signals, s.text)
	}
	sure := 1 - math.Exp(-best/1.4) + min(0.35, 0.45*(best-second))
	r.Confidence = model.Round(min(1, max(0, sure)))
	return r
}

// round takes the noise of sums off, which must not decide between roles.
func round(x float64) float64 { return math.Round(x*1e9) / 1e9 }

// features are what the columns of a table look like.
type features struct {
	columns    int // of the table itself
	plain      int // besides timestamps
	keys       int // that refer to something, or look like it
	measures   int // numbers that are no keys
	dates      int
	id, anyID  bool // a column id; one that ends in it
	validity   bool // valid_from, effective_date, is_current
	sums       bool // total, sum_, avg_, count_
	keyColumns []string
}

func look(dialect string, t *model.Table) features {
	var f features
	refers := map[string]bool{}
	for _, fk := range t.ForeignKeys {
		for _, c := range fk.Columns {
			refers[c] = true
		}
	}
	for c := range refers {
		f.keyColumns = append(f.keyColumns, c)
	}
	slices.Sort(f.keyColumns)
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.Parent != "" {
			continue
		}
		f.columns++
		tokens := names.Tokens(c.Name)
		normal, last := strings.Join(tokens, ""), ""
		if len(tokens) > 0 {
			last = tokens[len(tokens)-1]
		}
		family := types.ColumnFamily(dialect, c)
		temporal := family == types.Temporal || family == types.Unknown && (last == "date" || last == "at" || last == "timestamp")
		f.id = f.id || normal == "id"
		f.anyID = f.anyID || last == "id" || len(tokens) == 1 && strings.HasSuffix(last, "id") && len(last) > 4
		key := refers[c.Name] || len(tokens) > 1 && (last == "id" || last == "key" || last == "sk" || last == "fk")
		switch {
		case key:
			f.keys++
		case family == types.Numeric && normal != "id":
			f.measures++
		}
		if temporal {
			f.dates++
		}
		if !temporal && last != "update" || refers[c.Name] {
			f.plain++
		}
		switch normal {
		case "validfrom", "validto", "iscurrent", "currentflag":
			f.validity = true
		}
		if len(tokens) > 0 {
			f.validity = f.validity || tokens[0] == "effective"
			f.sums = f.sums || strings.HasPrefix(tokens[0], "total") || len(tokens) > 1 && (tokens[0] == "sum" || tokens[0] == "avg" || tokens[0] == "count")
		}
	}
	return f
}

// system are tables of migration tools.
var system = map[string]bool{
	"migrations": true, "schema_migrations": true, "flyway_schema_history": true, "databasechangelog": true,
	"databasechangeloglock": true, "alembic_version": true, "django_migrations": true, "goose_db_version": true,
	"ar_internal_metadata": true, "__efmigrationshistory": true,
}

// byName adds what the table's name says.
func (c *card) byName(t *model.Table, f features) {
	name := strings.ToLower(t.Name)
	starts := func(prefixes ...string) string {
		for _, p := range prefixes {
			if strings.HasPrefix(name, p) {
				return p
			}
		}
		return ""
	}
	ends := func(suffixes ...string) string {
		for _, s := range suffixes {
			if strings.HasSuffix(name, s) {
				return s
			}
		}
		return ""
	}
	if system[name] || starts("ar_internal_", "pg_", "sqlite_") != "" {
		c.add(System, 2.5, "a table of a tool")
	}
	if p := starts("stg_", "raw_", "tmp_", "staging_", "landing_"); p != "" {
		c.add(Staging, 2.2, "name starts with "+p)
	}
	if s := strings.ToLower(t.Schema); s == "staging" || s == "raw" || s == "landing" {
		c.add(Staging, 1.4, "in schema "+s)
	}
	if s := ends("_audit", "_log", "_history", "_changelog"); s != "" {
		c.add(Audit, 2.0, "name ends in "+s)
	}
	if starts("dim_") != "" || ends("_dim") != "" || strings.Contains(name, "_dim_") {
		c.add(Dimension, 1.1, "named a dimension")
	}
	if starts("fact_", "fct_") != "" {
		c.add(Fact, 1.1, "named a fact")
	} else if ends("_fact") != "" {
		c.add(Fact, 0.85, "named a fact")
	}
	if p := starts("agg_", "aggregate_", "summary_", "rollup_"); p != "" {
		c.add(Aggregate, 1.2, "name starts with "+p)
	} else if p := starts("daily_", "weekly_", "monthly_"); p != "" {
		c.add(Aggregate, 0.7, "name starts with "+p)
	}
	if strings.Contains(name, "snapshot") || starts("snap_") != "" || ends("_scd") != "" {
		c.add(Snapshot, 1.0, "named a snapshot")
	}
	if starts("bridge_") != "" || ends("_bridge") != "" {
		c.add(Bridge, 1.0, "named a bridge")
	}
	// A name that says another role in one of its two words is no pair of tables.
	said := false
	for _, points := range c.points {
		said = said || points > 0
	}
	if tokens := names.Tokens(t.Name); len(tokens) == 2 && !said && !names.TablePrefix(tokens[0]) && f.columns >= 2 && f.columns <= 3 && !f.id {
		c.add(Junction, 1.8, "two words and %d columns without an id", f.columns)
	}
}

// byShape adds what columns, keys and neighbours say.
func (c *card) byShape(t *model.Table, f features, d Degrees) {
	single := t.PrimaryKey != nil && len(t.PrimaryKey.Columns) == 1
	if pk := t.PrimaryKey; pk != nil && f.plain >= 2 && f.plain <= 4 && len(t.ForeignKeys) >= 2 && len(f.keyColumns) >= 2 &&
		slices.Equal(slices.Sorted(slices.Values(pk.Columns)), f.keyColumns) {
		c.add(Junction, 2.2, "the primary key is its %d references", len(t.ForeignKeys))
	}
	switch {
	case d.Out >= 3:
		c.add(Fact, 0.55+min(0.45, 0.12*(d.Out-3)), "refers to %g tables", d.Out)
	case d.Out >= 2:
		c.add(Fact, 0.25, "refers to %g tables", d.Out)
	}
	if d.In >= 2 && d.Out <= 1 {
		c.add(Dimension, 0.4+min(0.35, 0.12*(d.In-2)), "%g tables refer to it", d.In)
	}
	if d.In >= 2 && d.Out >= 2 {
		points := 0.85 + min(0.4, 0.1*(min(d.In, d.Out)-2))
		if f.measures >= 3 {
			points /= 2
		}
		c.add(Bridge, points, "refers to %g tables and %g refer to it", d.Out, d.In)
	}
	if f.keys >= 3 && d.Out >= 2 {
		c.add(Fact, 0.15, "%d key columns", f.keys)
	}
	if f.columns >= 2 && f.keys <= 1 && d.Out <= 1 {
		c.add(Dimension, 0.2, "mostly describing columns")
	}
	if f.dates >= 2 && d.Out >= 1 {
		if f.validity {
			c.add(Snapshot, 0.5, "columns of validity")
		} else {
			c.add(Snapshot, 0.1, "%d dates", f.dates)
		}
	}
	if f.sums {
		points := 0.55
		if single {
			points = 0.15
		}
		c.add(Aggregate, points, "columns of totals")
	}
	id := 0.05
	if f.id || f.anyID {
		id = 0.35
	}
	c.add(Entity, id+0.08*float64(min(f.columns, 8))/8, "has an id and columns")
}

// byUse adds what the numbers of rows and accesses say.
func (c *card) byUse(t *model.Table, d Degrees) {
	rows := int64(-1)
	if t.Rows != nil {
		rows = *t.Rows
	}
	if rows > 500_000 && d.Out >= 2 {
		c.add(Fact, 0.2, "many rows")
	}
	if rows >= 0 && rows < 50_000 && d.In >= 1 && d.Out <= 1 {
		c.add(Dimension, 0.12, "few rows that others refer to")
	}
	if t.Usage == nil {
		return
	}
	u := t.Usage
	writes, reads := float64(u.Inserts+u.Updates+u.Deletes), float64(u.SeqScans+u.IdxScans)
	if writes > 500 && writes > 0.15*reads {
		c.add(Fact, min(0.35, math.Log(1+writes)/25), "written often")
	}
	if rows > 10_000 && reads > 0 && float64(u.SeqScans) > 0.9*reads {
		c.add(Fact, 0.15, "read as a whole")
		c.add(Staging, 0.15, "read as a whole")
	}
}
