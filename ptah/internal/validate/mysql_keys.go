package validate

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// mysqlKeys checks what the parts of keys and indexes are of: prefixes of texts, texts
// that are searched, places (IDX006).
func (c *checker) mysqlKeys(t *table) {
	for _, x := range t.indexes {
		c.mysqlKey(t, x.Kind, "index", x.Keys, x.Origin, x.Name)
	}
	for _, k := range t.constraints {
		if k.Kind == schema.PrimaryKey || k.Kind == schema.Unique {
			c.mysqlKey(t, "", constraintKind(k), k.Keys, k.Origin, t.object+given(k.Name))
		}
	}
}

func given(name string) string {
	if name == "" {
		return ""
	}
	return "." + name
}

func (c *checker) mysqlKey(t *table, kind, what string, keys []schema.IndexKey, at schema.Origin, object string) {
	bad := func(format string, args ...any) { c.problem("IDX006", at, object, format, args...) }
	kind = strings.ToUpper(kind)
	if kind == "SPATIAL" && len(keys) != 1 {
		bad("spatial index %.80q has %d columns; it is of one", object, len(keys))
		return
	}
	for _, k := range keys {
		col := c.column(t, k.Column)
		if col == nil {
			continue
		}
		dt, known := c.typeOf(col)
		if !known || dt.user != nil {
			continue
		}
		isText := strings.HasSuffix(dt.name, "text") || dt.name == "char" || dt.name == "varchar"
		isBytes := strings.HasSuffix(dt.name, "blob") || strings.HasSuffix(dt.name, "binary")
		switch {
		case kind == "FULLTEXT" && !isText && !slices.Contains(typesOfTexts, dt.name):
			bad("fulltext index has column %.80q of type %.80q; it is of texts", col.Name, typeText(col))
		case kind == "SPATIAL" && !slices.Contains(typesOfPlaces, dt.name):
			bad("spatial index has column %.80q of type %.80q, which is no place", col.Name, typeText(col))
		case kind == "SPATIAL" && !col.NotNull:
			bad("spatial index has column %.80q, which may be NULL; declare it NOT NULL", col.Name)
		case k.Length == 0 || kind != "":
		case !isText && !isBytes && !slices.Contains(typesOfTexts, dt.name) && !slices.Contains(typesOfPlaces, dt.name):
			bad("%s takes %d characters of column %.80q, which is of type %.80q and has none", what, k.Length, col.Name, typeText(col))
		case len(dt.args) == 1 && (strings.HasSuffix(dt.name, "char") || strings.HasSuffix(dt.name, "binary")):
			if n, err := strconv.Atoi(dt.args[0]); err == nil && k.Length > n {
				bad("%s takes %d characters of column %.80q, which has %d", what, k.Length, col.Name, n)
			}
		}
	}
}

var (
	typesOfPlaces = strings.Fields("geometry point linestring polygon multipoint multilinestring multipolygon geometrycollection")
	// typesOfTexts are those besides CHAR, VARCHAR and …TEXT.
	typesOfTexts = append(strings.Fields("json long nchar nvarchar character"), "national char", "national character", "national varchar", "nchar varchar",
		"nchar varying", "long varchar", "national character varying", "national char varying")
)

// mysqlPartitions checks the columns by which a table is partitioned: that it has them,
// that every key has them, and that no foreign key begins there (TBL007, FK009).
func (c *checker) mysqlPartitions(t *table) {
	if t.PartitionBy == "" {
		return
	}
	for _, k := range t.constraints {
		if k.Kind == schema.ForeignKey {
			c.problem("FK009", k.Origin, t.object, "table %q is partitioned and has a foreign key; %s has none of partitioned tables", t.object, c.d)
		}
	}
	for _, m := range mysqlPartitionKey.FindAllStringSubmatchIndex(t.PartitionBy, -1) {
		form, columns := strings.ToUpper(t.PartitionBy[m[2]:m[3]]), m[4] >= 0
		inner := enclosedIn(t.PartitionBy[m[1]-1:])
		var used []string
		if columns || form == "KEY" {
			for name := range strings.SplitSeq(inner, ",") {
				if name = strings.Trim(strings.TrimSpace(name), "`"); name != "" {
					used = append(used, name)
				}
			}
			for _, name := range used {
				if c.column(t, name) == nil && !t.open {
					c.missing("TBL007", t.Origin, t.object, "table %q is partitioned by column %.80q, which it does not declare%s", t.object, name, c.nearColumn(t, name))
				}
			}
		} else {
			used = c.expression(text{rule: "TBL007", what: "partition key", expr: inner, of: t, at: t.Origin, object: t.object})
			if col := c.column(t, strings.Trim(strings.TrimSpace(inner), "`")); col != nil {
				if dt, known := c.typeOf(col); known && integerBits[dt.name] == 0 && dt.name != "year" && dt.name != "bit" && dt.name != "boolean" {
					c.problem("TBL007", t.Origin, t.object, "table %q is partitioned by %s of column %.80q, which is of type %.80q and no integer; use %s COLUMNS or KEY",
						t.object, form, col.Name, typeText(col), form)
				}
			}
		}
		c.keysHold(t, used)
	}
}

// mysqlPartitionKey is where a key by which a table is partitioned begins.
var mysqlPartitionKey = regexp.MustCompile(`(?i)(?:^|\bSUBPARTITION\s+BY\s+)\s*(?:LINEAR\s+)?(HASH|KEY|RANGE|LIST)\b\s*(COLUMNS\s*)?(?:ALGORITHM\s*=\s*\d\s*)?\(`)

// enclosedIn is what the parentheses enclose with which a text begins.
func enclosedIn(text string) string {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return text[1:i]
			}
		}
	}
	return ""
}

// keysHold checks that every unique key of a partitioned table has its columns: each
// partition looks after itself.
func (c *checker) keysHold(t *table, used []string) {
	check := func(what string, columns []string, at schema.Origin) {
		for _, name := range used {
			key := c.d.Key(name)
			if c.column(t, name) != nil && !slices.ContainsFunc(columns, func(own string) bool { return c.d.Key(own) == key }) {
				c.problem("TBL007", at, t.object, "%s of table %q lacks column %.80q, by which the table is partitioned; every unique key has it", what, t.object, name)
			}
		}
	}
	for _, k := range t.constraints {
		if k.Kind == schema.PrimaryKey || k.Kind == schema.Unique {
			check(constraintKind(k), keyColumns(k), k.Origin)
		}
	}
	for _, x := range t.indexes {
		if x.Unique {
			check("unique index", indexColumns(x), x.Origin)
		}
	}
}

// periods checks the periods of a table of MariaDB, and that versions of its rows are
// kept as that asks (TBL007).
func (c *checker) periods(t *table) {
	bad := func(format string, args ...any) { c.problem("TBL007", t.Origin, t.object, format, args...) }
	versioned := slices.ContainsFunc(t.Options, func(o schema.Option) bool { return o.Key == "WITH SYSTEM VERSIONING" })
	system, own := false, ""
	for _, p := range t.Periods {
		from, to := c.column(t, p.From), c.column(t, p.To)
		isSystem := strings.EqualFold(p.Name, "system_time")
		switch {
		case from == nil || to == nil:
			c.missing("TBL007", t.Origin, t.object, "period %.80q is of columns %.80q and %.80q, which table %q does not declare both", p.Name, p.From, p.To, t.object)
			continue
		case from == to:
			bad("period %.80q of table %q begins and ends with column %.80q", p.Name, t.object, p.From)
		case !strings.EqualFold(from.Type.Text, to.Type.Text):
			bad("period %.80q of table %q has columns of the types %.80q and %.80q; they have one type", p.Name, t.object, from.Type.Text, to.Type.Text)
		case isSystem && (from.RowPeriod != "START" || to.RowPeriod != "END"):
			bad("period SYSTEM_TIME of table %q is of columns that are GENERATED ALWAYS AS ROW START and AS ROW END", t.object)
		case !isSystem:
			if dt, known := c.typeOf(from); known && dt.name != "date" && dt.name != "datetime" && dt.name != "timestamp" {
				bad("period %.80q of table %q is of type %.80q; it is one of DATE, DATETIME or TIMESTAMP", p.Name, t.object, from.Type.Text)
			}
		}
		switch {
		case isSystem:
			system = true
		case own != "":
			bad("table %q has the periods %.80q and %.80q; mariadb has one of the application's", t.object, own, p.Name)
		default:
			own = p.Name
		}
		if c.column(t, p.Name) != nil {
			bad("period %.80q of table %q has the name of a column", p.Name, t.object)
		}
	}
	rows, kept := false, false
	for _, col := range t.Columns {
		rows = rows || col.RowPeriod != ""
		has := func(option string) bool {
			return slices.ContainsFunc(col.Options, func(o schema.Option) bool { return o.Key == option })
		}
		versioned = versioned || has("WITH SYSTEM VERSIONING")
		kept = kept || col.RowPeriod == "" && !has("WITHOUT SYSTEM VERSIONING")
		if dt, _ := c.typeOf(col); col.RowPeriod != "" && !(dt.name == "timestamp" && slices.Equal(dt.args, []string{"6"}) || dt.name == "bigint" && dt.unsigned) {
			c.problem("TBL007", col.Origin, t.object+"."+col.Name, "column %.80q keeps when a row holds and is of type %.80q; that is TIMESTAMP(6) or BIGINT UNSIGNED", col.Name, col.Type.Text)
		}
	}
	switch {
	case rows != system:
		bad("table %q has columns AS ROW START and END without PERIOD FOR SYSTEM_TIME, or that without them", t.object)
	case rows && !versioned:
		bad("table %q has PERIOD FOR SYSTEM_TIME and is not WITH SYSTEM VERSIONING", t.object)
	case versioned && !kept:
		bad("table %q is WITH SYSTEM VERSIONING and has no column of which versions are kept", t.object)
	}
	for _, k := range t.constraints {
		if k.WithoutOverlaps == "" {
			continue
		}
		i := slices.IndexFunc(t.Periods, func(p schema.Period) bool { return c.d.Key(p.Name) == c.d.Key(k.WithoutOverlaps) })
		if i < 0 {
			c.problem("UNQ001", k.Origin, t.object, "%s is WITHOUT OVERLAPS of %.80q, which is no period of table %q", constraintKind(k), k.WithoutOverlaps, t.object)
			continue
		}
		for _, name := range keyColumns(k) {
			if key := c.d.Key(name); key == c.d.Key(t.Periods[i].From) || key == c.d.Key(t.Periods[i].To) {
				c.problem("UNQ001", k.Origin, t.object, "%s is WITHOUT OVERLAPS of %.80q and has column %.80q, which that is of", constraintKind(k), k.WithoutOverlaps, name)
			}
		}
	}
}

// invisible checks that a table has a column to be seen and, in MariaDB, that those which
// are not get a value (TBL001, DEF003).
func (c *checker) invisible(t *table) {
	seen := len(t.Columns) == 0
	for _, col := range t.Columns {
		seen = seen || !col.Invisible
		if c.d == dialect.MariaDB && col.Invisible && col.NotNull && col.Default == nil && !col.AutoIncrement && col.Generated == nil && col.RowPeriod == "" {
			c.problem("DEF003", col.Origin, t.object+"."+col.Name, "column %.80q is invisible, NOT NULL and has no default; mariadb needs one", col.Name)
		}
	}
	if !seen {
		c.problem("TBL001", t.Origin, t.object, "all columns of table %q are invisible; %s needs one that is not", t.object, c.d)
	}
}
