package validate

import (
	"regexp"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// mysqlEngines are the storage engines of MySQL and MariaDB, those that a server may
// lack among them.
var mysqlEngines = strings.Fields(`aria archive blackhole cassandra columnstore connect csv example falcon federated federatedx heap ibmdb2i
	infinidb innodb maria memory merge mrg_myisam mroonga myisam mysql_heap ndb ndbcluster oqgraph performance_schema pbxt rocksdb s3
	sequence sphinx spider tokudb videx xpand xtradb`)

// mysqlCharsets are the character sets of MySQL and MariaDB, and DEFAULT.
var mysqlCharsets = strings.Fields(`default armscii8 ascii big5 binary cp1250 cp1251 cp1256 cp1257 cp850 cp852 cp866 cp932 dec8 eucjpms euckr filename
	gb18030 gb2312 gbk geostd8 greek hebrew hp8 keybcs2 koi8r koi8u latin1 latin2 latin5 latin7 macce macroman sjis swe7 tis620
	ucs2 ujis utf16 utf16le utf32 utf8 utf8mb3 utf8mb4`)

// checkMySQLTable checks the names of engines, character sets and collations, which are
// the server's, and when columns are said to hold the current time.
func (c *checker) checkMySQLTable(t *table) {
	if e := strings.Trim(t.Engine, "'\"`"); e != "" && !slices.Contains(mysqlEngines, strings.ToLower(e)) {
		c.problem("TBL007", t.Origin, t.object, "table %q has engine %.80q, which %s does not know%s", t.object, e, c.d, c.didYouMean(e, mysqlEngines))
	}
	c.checkCharset(t.Charset, t.Collation, t.Origin, t.object)
	c.mysqlEngine(t)
	c.mysqlKeys(t)
	c.mysqlPartitions(t)
	c.mysqlComputed(t)
	c.invisible(t)
	if c.d == dialect.MariaDB {
		c.periods(t)
	}
	for _, col := range t.Columns {
		object := t.object + "." + col.Name
		c.checkCharset(col.Charset, col.Collation, col.Origin, object)
		c.mysqlColumn(t, col, object)
		c.currentTime(col, object)
	}
}

// rowFormats are those of all engines.
var rowFormats = strings.Fields(`default dynamic fixed compressed redundant compact page tokudb_default tokudb_fast tokudb_small tokudb_zlib
	tokudb_quicklz tokudb_lzma tokudb_snappy tokudb_uncompressed`)

// mysqlEngine checks what a table's storage engine does not take (TBL007, TYP001).
func (c *checker) mysqlEngine(t *table) {
	for _, o := range t.Options {
		if o.Key == "ROW_FORMAT" && !slices.Contains(rowFormats, strings.ToLower(strings.Trim(o.Value, "'\"`"))) {
			c.problem("TBL007", t.Origin, t.object, "table %q has row format %.80q, which %s does not know%s", t.object, o.Value, c.d, c.didYouMean(o.Value, rowFormats))
		}
	}
	engine := strings.ToLower(strings.Trim(t.Engine, "'\"`"))
	switch engine {
	case "csv":
		if len(t.indexes) > 0 || slices.ContainsFunc(t.constraints, func(k *schema.Constraint) bool { return k.Kind == schema.PrimaryKey || k.Kind == schema.Unique }) {
			c.problem("TBL007", t.Origin, t.object, "table %q has engine CSV and a key; the engine has none", t.object)
		}
	case "memory", "heap":
	default:
		return
	}
	for _, col := range t.Columns {
		object := t.object + "." + col.Name
		dt, known := c.typeOf(col)
		long := strings.HasSuffix(dt.name, "text") || strings.HasSuffix(dt.name, "blob") || dt.name == "json" || slices.Contains(typesOfPlaces, dt.name)
		switch {
		case engine == "csv" && !col.NotNull:
			c.problem("TBL007", col.Origin, object, "column %.80q may be NULL, which the engine CSV does not take", col.Name)
		case engine != "csv" && known && long:
			c.problem("TYP001", col.Origin, object, "column %.80q is of type %.80q, which the engine MEMORY does not take; use VARCHAR or VARBINARY", col.Name, typeText(col))
		}
	}
}

func (c *checker) checkCharset(set, collation string, at schema.Origin, object string) {
	set, collation = strings.Trim(set, "'\"`"), strings.Trim(collation, "'\"`")
	if set != "" && !slices.Contains(mysqlCharsets, strings.ToLower(set)) {
		c.problem("TBL007", at, object, "%q has character set %.80q, which %s does not know%s", object, set, c.d, c.didYouMean(set, mysqlCharsets))
	}
	if of, _, _ := strings.Cut(strings.ToLower(collation), "_"); set != "" && collation != "" && slices.Contains(mysqlCharsets, of) &&
		!sameCharset(of, strings.ToLower(set)) && of != "default" && !strings.EqualFold(set, "default") {
		c.problem("TBL007", at, object, "%q has character set %.80q and collation %.80q, which is one of another", object, set, collation)
	}
	// A collation begins with its character set; MariaDB has some that go with several.
	of, _, _ := strings.Cut(strings.ToLower(collation), "_")
	if collation != "" && of != "uca1400" && !slices.Contains(mysqlCharsets, of) {
		c.problem("TBL007", at, object, "%q has collation %.80q, which %s does not know; it begins with a character set, such as utf8mb4_bin", object, collation, c.d)
	}
}

// sameCharset compares character sets, of which one has two names.
func sameCharset(a, b string) bool {
	long := func(s string) string {
		if s == "utf8" {
			return "utf8mb3"
		}
		return s
	}
	return long(a) == long(b) || b == "utf8" && a == "utf8mb4" // what utf8 stands for is a setting
}

var currentTimestamp = regexp.MustCompile(`(?i)^\s*(?:current_timestamp|now|localtime|localtimestamp)\s*(?:\(\s*([0-9]*)\s*\))?\s*$`)

// currentTime checks a column that holds the current time by itself: in MySQL the value
// must have the digits of the column's type, and MariaDB has it as a default of others, too.
func (c *checker) currentTime(col *schema.Column, object string) {
	type use struct{ what, text string }
	uses := []use{{"ON UPDATE", col.OnUpdate}}
	if c.d == dialect.MySQL && col.Native && col.Default != nil && !col.Default.Literal { // to others the renderer gives the digits
		uses = append(uses, use{"default", col.Default.Text})
	}
	for _, u := range uses {
		m := currentTimestamp.FindStringSubmatch(u.text)
		if m == nil {
			continue
		}
		digits := strings.TrimLeft(m[1], "0")
		dt, known := c.typeOf(col)
		switch of := strings.TrimLeft(strings.Join(dt.args, ","), "0"); {
		case !known:
		case dt.name != "datetime" && dt.name != "timestamp":
			c.problem("DEF001", col.Origin, object, "%s %.80q of column %.80q does not fit type %.80q; %s has it for DATETIME and TIMESTAMP", u.what, u.text, col.Name, col.Type.Text, c.d)
		case of != digits && c.d == dialect.MySQL:
			c.problem("DEF001", col.Origin, object, "%s %.80q of column %.80q does not fit type %.80q; both must have the same fractional digits", u.what, u.text, col.Name, col.Type.Text)
		}
	}
}
