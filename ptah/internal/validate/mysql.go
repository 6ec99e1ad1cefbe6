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
	for _, col := range t.Columns {
		object := t.object + "." + col.Name
		c.checkCharset(col.Charset, col.Collation, col.Origin, object)
		if c.d == dialect.MySQL {
			c.currentTime(col, object)
		}
	}
}

func (c *checker) checkCharset(set, collation string, at schema.Origin, object string) {
	set, collation = strings.Trim(set, "'\"`"), strings.Trim(collation, "'\"`")
	if set != "" && !slices.Contains(mysqlCharsets, strings.ToLower(set)) {
		c.problem("TBL007", at, object, "%q has character set %.80q, which %s does not know%s", object, set, c.d, c.didYouMean(set, mysqlCharsets))
	}
	// A collation begins with its character set; MariaDB has some that go with several.
	of, _, _ := strings.Cut(strings.ToLower(collation), "_")
	if collation != "" && of != "uca1400" && !slices.Contains(mysqlCharsets, of) {
		c.problem("TBL007", at, object, "%q has collation %.80q, which %s does not know; it begins with a character set, such as utf8mb4_bin", object, collation, c.d)
	}
}

var currentTimestamp = regexp.MustCompile(`(?i)^\s*(?:current_timestamp|now|localtime|localtimestamp)\s*(?:\(\s*([0-9]*)\s*\))?\s*$`)

// currentTime checks a column of MySQL that holds the current time by itself: the value
// must have the digits of the column's type.
func (c *checker) currentTime(col *schema.Column, object string) {
	type use struct{ what, text string }
	uses := []use{{"ON UPDATE", col.OnUpdate}}
	if col.Native && col.Default != nil && !col.Default.Literal { // to others the renderer gives the digits
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
			c.problem("DEF001", col.Origin, object, "%s %.80q of column %.80q does not fit type %.80q; mysql has it for DATETIME and TIMESTAMP", u.what, u.text, col.Name, col.Type.Text)
		case of != digits:
			c.problem("DEF001", col.Origin, object, "%s %.80q of column %.80q does not fit type %.80q; both must have the same fractional digits", u.what, u.text, col.Name, col.Type.Text)
		}
	}
}
