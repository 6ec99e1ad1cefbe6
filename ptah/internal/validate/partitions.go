package validate

import (
	"cmp"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/plain"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// partitioning is how a table of PostgreSQL is divided.
type partitioning struct {
	strategy string // RANGE, LIST, HASH
	keys     []partitionKey
}

// partitionKey is a column or an expression by which a table is divided.
type partitionKey struct {
	column, expr string
	opclass      string // its own; empty: the default of its type
}

// partitioningOf takes PARTITION BY apart.
func partitioningOf(by string) partitioning {
	w := wordsOf(by)
	p := partitioning{strategy: strings.ToUpper(w.ident())}
	list, _ := w.group()
	for _, part := range items(list) {
		k := wordsOf(part)
		if inside, ok := k.group(); ok {
			p.keys = append(p.keys, partitionKey{expr: inside})
			continue
		}
		name := k.ident()
		if k.peek() == "(" || k.peek() == "." { // a call without brackets around it
			k.find("(")
			k.skip() // what follows says how the values are compared
			p.keys = append(p.keys, partitionKey{expr: part[:k.toks[k.i-1].End]})
			continue
		}
		if k.accept("COLLATE") {
			k.ident()
			for k.accept(".") {
				k.ident()
			}
		}
		p.keys = append(p.keys, partitionKey{column: name, opclass: k.name().Name})
	}
	return p
}

// checkPartitioning checks the key by which a table is divided (TBL007, TBL008), and that
// each unique key has all of it.
func (c *checker) checkPartitioning(t *table) {
	if t.PartitionBy == "" {
		return
	}
	bad := func(format string, args ...any) { c.problem("TBL008", t.Origin, t.object, format, args...) }
	p := partitioningOf(t.PartitionBy)
	if p.strategy == "LIST" && len(p.keys) > 1 {
		bad("table %q is partitioned by a list of %d columns; a list has one", t.object, len(p.keys))
	}
	if len(t.Inherits) > 0 {
		bad("table %q is partitioned and inherits; a table does one of them", t.object)
	}
	if len(t.Options) > 0 {
		c.problem("TBL007", t.Origin, t.object, "table %q is partitioned and has storage parameter %.80q; its partitions have them", t.object, t.Options[0].Key)
	}
	for _, k := range p.keys {
		if k.column == "" {
			c.partitionExpression(t, k)
			continue
		}
		col := c.column(t, k.column)
		switch {
		case systemColumn(k.column):
			bad("table %q is partitioned by the system column %.80q", t.object, k.column)
		case col == nil:
			if !t.open {
				c.missing("TBL008", t.Origin, t.object, "table %q is partitioned by column %.80q, which it does not declare%s", t.object, k.column, c.nearColumn(t, k.column))
			}
		case col.Generated != nil:
			bad("table %q is partitioned by column %.80q, which is generated", t.object, k.column)
		case k.opclass != "":
			if why := c.opclassFault(col, k.opclass); why != "" {
				bad("table %q is partitioned by %s", t.object, why)
			}
		default:
			method := "btree"
			if p.strategy == "HASH" {
				method = "hash"
			}
			if dt, known := c.typeOf(col); known && !c.hasOpclass(method, dt) {
				bad("table %q is partitioned by column %.80q of type %q, which has no default operator class for %s", t.object, k.column, typeText(col), method)
			}
		}
	}
	for _, k := range t.constraints {
		if k.Kind == schema.Check && k.NoInherit {
			c.problem("CHK001", k.Origin, t.object+"."+k.Name, "check %.80q is NO INHERIT; a partitioned table has no rows of its own", k.Name)
		}
	}
	c.checkPartitionedKeys(t, p)
}

// partitionExpression checks an expression by which a table is divided.
func (c *checker) partitionExpression(t *table, k partitionKey) {
	c.expression(text{rule: "TBL008", what: "partition key", expr: k.expr, of: t, at: t.Origin, object: t.object})
	e := c.parseExpr(k.expr).expr
	if e == nil || !c.reads() {
		return
	}
	if name := c.changing(e); name != "" {
		c.problem("TBL007", t.Origin, t.object, "table %q is partitioned by %.80q, which calls %s, whose value changes; %s does not allow that there", t.object, plain.Visible(k.expr), name, c.d)
		return
	}
	constant := true
	sqltree.Walk(e, func(n sqltree.Node) bool {
		if _, ok := n.(*sqltree.Column); ok {
			constant = false
		}
		return constant
	})
	if constant {
		c.problem("TBL008", t.Origin, t.object, "table %q is partitioned by %.80q, which names no column", t.object, plain.Visible(k.expr))
	}
}

// checkPartitionedKeys checks that unique keys of a partitioned table, and those it has
// from the tables that it is a partition of, have the columns by which it is divided:
// else no partition could tell whether a value is unique.
func (c *checker) checkPartitionedKeys(t *table, p partitioning) {
	lacks := func(columns []string) (string, bool) {
		for _, k := range p.keys {
			if k.column == "" {
				return "the expression " + strconv.Quote(plain.Line(k.expr, 80)), true
			}
			if !slices.ContainsFunc(columns, func(n string) bool { return c.d.Key(n) == c.d.Key(k.column) }) {
				return "column " + strconv.Quote(plain.Line(k.column, 80)), true
			}
		}
		return "", false
	}
	report := func(rule finding.Rule, at schema.Origin, object, what, lacking string) {
		c.problem(rule, at, object, "%s of table %q does not have %s, by which the table is partitioned; a unique key has all of them", what, t.object, lacking)
	}
	for of, depth := t, 0; of != nil && depth < maxDomains; depth++ {
		for _, k := range of.constraints {
			rule := map[schema.ConstraintKind]finding.Rule{schema.PrimaryKey: "TBL003", schema.Unique: "UNQ001", schema.Exclude: "EXC001"}[k.Kind]
			if rule == "" {
				continue
			}
			columns := keyColumns(k)
			if k.Kind == schema.Exclude {
				if c.version.Before("17") {
					c.problem(rule, k.Origin, of.object+"."+k.Name, "exclusion constraint %.80q is of a partitioned table, which has them from PostgreSQL 17 on", k.Name)
					continue
				}
				columns = nil
				for _, e := range k.Keys {
					if e.With == "=" {
						columns = append(columns, e.Column)
					}
				}
			}
			if what, ok := lacks(columns); ok {
				at := k.Origin
				if of != t {
					at = t.Origin
				}
				report(rule, at, of.object+"."+k.Name, constraintKind(k), what)
			}
		}
		for _, x := range of.indexes {
			if what, ok := lacks(indexColumns(x)); ok && x.Unique {
				report("IDX004", x.Origin, x.Name, "unique index", what)
			}
		}
		if of.Partition == nil || len(of.parents) == 0 {
			break
		}
		of = of.parents[0]
	}
}

// bound is what FOR VALUES says of a partition.
type bound struct {
	of        *table
	strategy  string // empty for DEFAULT
	from, to  []datum
	in        []datum
	modulus   int64
	remainder int64
}

// datum is a value of a bound. Two of one class can be compared by their order, and
// those of the class "" only by their key.
type datum struct {
	text, key string
	class     string
	number    *big.Rat
	infinite  int // of MINVALUE -1, of MAXVALUE 1
	null      bool
	unknown   bool // what it comes to is not known
}

// checkPartitions checks the partitions of a table, each by itself and all together
// (TBL008).
func (c *checker) checkPartitions(t *table, parts []*table) {
	p := partitioningOf(t.PartitionBy)
	var bounds []bound
	var defaulted *table
	for _, part := range parts {
		bad := func(format string, args ...any) {
			c.problem("TBL008", part.Origin, part.object, "partition %q of table %q %s", part.object, t.object, fmt.Sprintf(format, args...))
		}
		if t.PartitionBy == "" {
			c.problem("TBL008", part.Origin, part.object, "table %q is declared as a partition of table %q, which is not partitioned", part.object, t.object)
			continue
		}
		b, why := c.boundOf(t, part, p)
		switch {
		case why != "":
			bad("%s", why)
		case b.strategy != "":
			bounds = append(bounds, b)
		case defaulted != nil:
			bad("is a second default, beside %q", defaulted.object)
		default:
			defaulted = part
		}
	}
	report := func(a, b bound, how string) {
		c.problem("TBL008", b.of.Origin, b.of.object, "partition %q of table %q %s partition %q", b.of.object, t.object, how, a.of.object)
	}
	switch p.strategy {
	case "LIST":
		seen := map[string]bound{}
		for _, b := range bounds {
			for _, v := range b.in {
				if old, taken := seen[v.key]; taken && !v.unknown && old.of != b.of {
					report(old, b, "has the value "+plain.Line(v.text, 80)+" of")
					break
				}
				seen[v.key] = b
			}
		}
	case "RANGE":
		overlaps(bounds, report)
	case "HASH":
		moduli(bounds, report)
	}
}

// boundOf takes the bound of a partition apart; why says what is wrong with it.
func (c *checker) boundOf(t, part *table, p partitioning) (b bound, why string) {
	b.of = part
	w := wordsOf(part.Partition.Bound)
	if w.accept("DEFAULT") {
		if p.strategy == "HASH" {
			return b, "is the default; a table that is partitioned by HASH has none"
		}
		return b, ""
	}
	w.accept("FOR", "VALUES")
	switch {
	case w.accept("IN"):
		b.strategy = "LIST"
	case w.accept("FROM"):
		b.strategy = "RANGE"
	case w.accept("WITH"):
		b.strategy = "HASH"
	default:
		return b, ""
	}
	if b.strategy != p.strategy {
		return b, fmt.Sprintf("has a bound for %s, and the table is partitioned by %s", b.strategy, p.strategy)
	}
	list, _ := w.group()
	switch b.strategy {
	case "HASH":
		return b, b.hash(list)
	case "LIST":
		if len(p.keys) == 1 {
			b.in, why = c.data(t, p.keys, items(list), true)
		}
		return b, why
	}
	from := items(list)
	w.accept("TO")
	list, _ = w.group()
	to := items(list)
	for _, values := range [][]string{from, to} {
		if len(values) != len(p.keys) {
			return b, fmt.Sprintf("has a bound of %d values, and the partition key has %d columns", len(values), len(p.keys))
		}
	}
	if b.from, why = c.data(t, p.keys, from, false); why != "" {
		return b, why
	}
	if b.to, why = c.data(t, p.keys, to, false); why != "" {
		return b, why
	}
	if order, known := compareBounds(b.from, b.to); known && order >= 0 {
		return b, "is empty: its bounds begin where they end or behind that"
	}
	return b, ""
}

// hash reads MODULUS and REMAINDER.
func (b *bound) hash(list string) (why string) {
	for _, part := range items(list) {
		w := wordsOf(part)
		name := strings.ToUpper(w.ident())
		n, err := strconv.ParseInt(strings.ReplaceAll(part[len(name):], " ", ""), 10, 64)
		switch {
		case err != nil:
		case name == "MODULUS":
			b.modulus = n
		case name == "REMAINDER":
			b.remainder = n
		}
	}
	switch {
	case b.modulus <= 0:
		return "has a modulus that is not above 0"
	case b.remainder < 0 || b.remainder >= b.modulus:
		return fmt.Sprintf("has the remainder %d; it must be from 0 to below the modulus %d", b.remainder, b.modulus)
	}
	return ""
}

// data are the values of a bound for the columns of the key; those of a list are all for
// the one column.
func (c *checker) data(t *table, keys []partitionKey, values []string, list bool) (out []datum, why string) {
	infinite := 0
	for i, text := range values {
		k := keys[0]
		if !list {
			k = keys[i]
		}
		var col *schema.Column
		if k.column != "" {
			col = c.column(t, k.column)
		}
		d, why := c.datum(t, col, text, !list)
		switch {
		case why != "":
			return nil, why
		case infinite != 0 && d.infinite != infinite:
			return nil, fmt.Sprintf("has %s behind a bound without end; what follows MINVALUE or MAXVALUE must be the same", plain.Line(text, 80))
		case d.null && !list:
			return nil, "has NULL in the bound of a range"
		}
		infinite = d.infinite
		out = append(out, d)
	}
	return out, ""
}

var (
	isoTime    = regexp.MustCompile(`^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(?::(\d\d(?:\.\d{1,6})?))?)?(?: ?(Z|[+-]\d\d(?::?\d\d)?))?$`)
	signedText = regexp.MustCompile(`^([+-])\s*([\d.].*)$`)
)

// datum reads one value of a bound.
func (c *checker) datum(t *table, col *schema.Column, text string, inRange bool) (d datum, why string) {
	d = datum{text: text, unknown: true}
	if m := signedText.FindStringSubmatch(text); m != nil {
		text = m[1] + m[2]
	}
	switch upper := strings.ToUpper(text); {
	case inRange && upper == "MINVALUE":
		return datum{text: text, infinite: -1}, ""
	case inRange && upper == "MAXVALUE":
		return datum{text: text, infinite: 1}, ""
	case upper == "NULL":
		return datum{text: text, key: "NULL", null: true}, ""
	case quotedText.MatchString(text), decimalNumber.MatchString(text), upper == "TRUE", upper == "FALSE":
	default:
		e := c.parseExpr(text).expr
		if e == nil {
			return d, "" // a form that is not taken apart here
		}
		if what := forbidden(e, false); what != "" {
			return d, fmt.Sprintf("has the bound %s with %s, which is not allowed there", plain.Line(text, 80), what)
		}
		name := ""
		sqltree.Walk(e, func(n sqltree.Node) bool {
			if n, ok := n.(*sqltree.Column); ok {
				name = written(n.Parts)
			}
			return name == ""
		})
		if name != "" {
			return d, fmt.Sprintf("has the bound %s, which names column %q; a bound is a value", plain.Line(text, 80), plain.Line(name, 80))
		}
		return d, ""
	}
	if col == nil {
		return d, ""
	}
	value, as := literalOf(&schema.Default{Text: text})
	if as == expression {
		value = text
	} else if fault := c.literalFault(col, value, as); fault != "" {
		return d, fmt.Sprintf("has the bound %s, which does not fit column %q of type %q: %s", plain.Line(text, 80), plain.Line(col.Name, 80), typeText(col), fault)
	}
	dt, known := c.typeOf(col)
	if !known {
		return d, ""
	}
	return dt.datum(d, value), ""
}

// datum is a value as the type orders it.
func (t dataType) datum(d datum, value string) datum {
	number := func(class string, n *big.Rat) datum {
		d.class, d.number, d.key, d.unknown = class, n, class+n.RatString(), false
		return d
	}
	same := func(key string) datum {
		d.key, d.unknown = "="+key, false
		return d
	}
	trimmed := strings.TrimSpace(value)
	switch {
	case t.array > 0:
		return same(value)
	case t.labels != nil:
		if i := slices.Index(t.labels, value); i >= 0 {
			return number("label", big.NewRat(int64(i), 1))
		}
		return d
	}
	switch t.name {
	case "smallint", "integer", "bigint", "numeric", "real", "double precision":
		fraction := strings.ContainsAny(trimmed, ".eE")
		if n, ok := new(big.Rat).SetString(trimmed); ok && len(trimmed) < 100 && !strings.ContainsAny(trimmed, "eE_/xXoObB") && (!fraction || integerBits[t.name] == 0 && len(t.args) == 0) {
			return number("number", n)
		}
	case "boolean":
		switch low := strings.ToLower(trimmed); {
		case low == "1" || low == "on" || low != "" && (strings.HasPrefix("true", low) || strings.HasPrefix("yes", low)):
			return number("boolean", big.NewRat(1, 1))
		case booleanFault(value) == "":
			return number("boolean", new(big.Rat))
		}
	case "date", "timestamp", "timestamptz":
		if m := isoTime.FindStringSubmatch(trimmed); m != nil && len(t.args) == 0 {
			return t.moment(d, m, number)
		}
	case "uuid":
		return same(strings.ToLower(strings.NewReplacer("-", "", "{", "", "}", "").Replace(trimmed)))
	default:
		return same(value)
	}
	return d
}

// moment is a date or time.
func (t dataType) moment(d datum, m []string, number func(string, *big.Rat) datum) datum {
	clock, zone := cmp.Or(m[2], "00:00")+":"+cmp.Or(m[3], "00"), ""
	if t.name == "date" {
		clock = "00:00:00"
	}
	layout := "2006-01-02 15:04:05"
	class := t.name
	if t.name == "timestamptz" && m[4] != "" { // without one it is the session's
		class += " at"
		zone = strings.ReplaceAll(m[4], ":", "")
		if zone == "Z" {
			zone = "+00"
		}
		if len(zone) == 3 {
			zone += "00"
		}
		layout += "-0700"
	}
	at, err := time.Parse(layout, m[1]+" "+clock+zone)
	if err != nil {
		return d
	}
	return number(class, big.NewRat(at.UnixMicro(), 1))
}

// compare compares two values of a key; known is false where their order is not.
func (d datum) compare(o datum) (order int, known bool) {
	switch {
	case d.infinite != 0 || o.infinite != 0:
		return cmp.Compare(d.infinite, o.infinite), true
	case d.unknown || o.unknown:
		return 0, false
	case d.class != "" && d.class == o.class:
		return d.number.Cmp(o.number), true
	}
	return 0, d.key == o.key
}

// compareBounds compares two ends of ranges.
func compareBounds(a, b []datum) (order int, known bool) {
	for i := range a {
		order, known = a[i].compare(b[i])
		if !known || order != 0 || a[i].infinite != 0 { // what follows that counts for nothing
			return order, known
		}
	}
	return 0, true
}

// overlaps finds ranges that have values in common. Where the order of some is not known,
// only those that begin at the same value.
func overlaps(bounds []bound, report func(a, b bound, how string)) {
	ordered := true
	for i := range bounds {
		for _, ends := range [][2][]datum{{bounds[0].from, bounds[i].from}, {bounds[i].from, bounds[i].to}} {
			for k := range ends[0] {
				x, y := ends[0][k], ends[1][k]
				ordered = ordered && !x.unknown && !y.unknown && (x.infinite != 0 || y.infinite != 0 || x.class != "" && x.class == y.class)
			}
		}
	}
	if !ordered {
		seen := map[string]bound{}
		for _, b := range bounds {
			key := ""
			for _, d := range b.from {
				if d.unknown {
					key = ""
					break
				}
				key += fmt.Sprintf("%d %q ", d.infinite, d.key)
			}
			if old, taken := seen[key]; taken && key != "" {
				report(old, b, "has values in common with")
			}
			seen[key] = b
		}
		return
	}
	sorted := slices.Clone(bounds)
	slices.SortStableFunc(sorted, func(a, b bound) int {
		order, _ := compareBounds(a.from, b.from)
		return order
	})
	for i := 1; i < len(sorted); i++ {
		if order, known := compareBounds(sorted[i-1].to, sorted[i].from); known && order > 0 {
			report(sorted[i-1], sorted[i], "has values in common with")
		}
	}
}

// maxModulus is up to which modulus the remainders of others are looked at.
const maxModulus = 1 << 16

// moduli finds hash partitions that have values in common, or whose moduli do not divide
// each other.
func moduli(bounds []bound, report func(a, b bound, how string)) {
	sorted := slices.Clone(bounds)
	slices.SortStableFunc(sorted, func(a, b bound) int { return cmp.Compare(a.modulus, b.modulus) })
	for i := 1; i < len(sorted); i++ {
		if sorted[i].modulus%sorted[i-1].modulus != 0 {
			report(sorted[i-1], sorted[i], fmt.Sprintf("has the modulus %d, which is no multiple of the modulus %d of", sorted[i].modulus, sorted[i-1].modulus))
			return
		}
	}
	if len(sorted) == 0 || sorted[len(sorted)-1].modulus > maxModulus {
		return
	}
	most := sorted[len(sorted)-1].modulus
	taken := make([]*bound, most)
	for i := range sorted {
		b := &sorted[i]
		for r := b.remainder; r < most; r += b.modulus {
			if old := taken[r]; old != nil {
				report(*old, *b, "has values in common with")
				break
			}
			taken[r] = b
		}
	}
}
