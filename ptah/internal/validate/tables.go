package validate

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/plain"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// checkTables checks tables and columns by themselves (TBL, DEF, IDN, UNQ, EXC, TTL, CLS).
func (c *checker) checkTables(ctx context.Context) {
	for _, t := range c.tables {
		if ctx.Err() != nil {
			return
		}
		if len(t.all) == 0 && !t.open && !c.d.PostgresFamily() && c.d != dialect.YDB {
			c.problem("TBL001", t.Origin, t.object, "table %q has no columns; %s needs at least one", t.object, c.d)
		}
		c.checkColumns(t)
		c.checkKeys(t)
		c.checkGenerated(t)
		c.checkTTL(t)
		switch {
		case c.d == dialect.ClickHouse:
			c.checkOrderKey(t)
		case c.d == dialect.SQLite:
			c.checkSQLiteTable(t)
		case c.d.MySQLFamily():
			c.checkMySQLTable(t)
		}
		if t.primaryKey() == nil && !t.open && t.Foreign == "" && c.d != dialect.ClickHouse {
			c.warnNoPrimaryKey(t)
		}
	}
	if c.d.PostgresFamily() {
		c.checkHeritage()
		c.checkDetails()
	}
	for _, k := range c.db.Constraints {
		if c.table(k.Table) != nil {
			continue
		}
		rule := map[schema.ConstraintKind]finding.Rule{
			schema.PrimaryKey: "TBL003", schema.Unique: "UNQ001", schema.Check: "CHK002", schema.ForeignKey: "FK004", schema.Exclude: "EXC001",
		}[k.Kind]
		what := constraintKind(k)
		if k.Name != "" {
			what = fmt.Sprintf("%s %.80q", what, k.Name)
		}
		c.missing(rule, k.Origin, c.show(k.Table), "%s is of table %.80q, which is not declared%s", what, c.show(k.Table), c.nearTable(k.Table))
	}
}

func (c *checker) warnNoPrimaryKey(t *table) {
	in := ""
	if s := t.Name.In(c.d.DefaultSchema()).Schema; s != "" {
		in = " in schema " + strconv.Quote(s)
	}
	where := "schema file " + t.Path
	if t.Language == schema.Annotation {
		where = "annotation " + t.Origin.String()
	}
	c.rep.Warn(finding.TableWithoutPrimaryKey, "%s: table %q%s has no primary key", where, t.Name.Name, in)
}

func (c *checker) checkColumns(t *table) {
	seen := make(map[string]*schema.Column, len(t.Columns))
	var counting []*schema.Column // those that number rows
	for _, col := range t.Columns {
		object := t.object + "." + col.Name
		if old := seen[c.d.Key(col.Name)]; old != nil {
			if old.Name == col.Name {
				c.problem("TBL002", col.Origin, object, "table %q declares column %.80q twice", t.object, col.Name)
			} else {
				rule := finding.Rule("TBL002")
				if c.d.PostgresFamily() { // it cut them
					rule = "NAM002"
				}
				c.problem(rule, col.Origin, object, "table %q declares columns %.80q and %.80q, which are one name for %s", t.object, old.Name, col.Name, c.d)
			}
		}
		seen[c.d.Key(col.Name)] = col
		if col.Type.Name == "" && len(col.Enum) == 0 && !c.typeless(col) {
			c.problem("TBL005", col.Origin, object, "column %.80q has no type", col.Name)
		}
		if c.counts(col) {
			counting = append(counting, col)
		}
		c.checkDefault(col, object)
	}
	c.checkCounting(t, counting)
}

// typeless reports whether a column may be without a type.
func (c *checker) typeless(col *schema.Column) bool {
	return col.Inherited || c.d == dialect.SQLite && col.Native ||
		col.Generated != nil && (c.d == dialect.SQLServer || c.d == dialect.Oracle || c.d == dialect.ClickHouse) ||
		c.d == dialect.ClickHouse && col.Default != nil
}

// isSerial reports whether a type makes a sequence for its column.
func isSerial(t schema.Type) bool {
	switch t.Base() {
	case "serial", "bigserial", "smallserial", "serial2", "serial4", "serial8":
		return t.Array == 0
	}
	return false
}

// counts reports whether a column numbers the rows.
func (c *checker) counts(col *schema.Column) bool {
	return col.AutoIncrement || col.Identity != nil || isSerial(col.Type) && !(c.d == dialect.SQLite && col.Native)
}

// checkCounting checks the columns that number the rows of a table (IDN001), as far as
// that is not said by the renderer, which chooses the type of auto_increment.
func (c *checker) checkCounting(t *table, columns []*schema.Column) {
	for _, col := range columns {
		object := t.object + "." + col.Name
		dt, known := c.typeOf(col)
		number := dt.array == 0 && integerBits[dt.name] > 0
		// What no number is the renderer refuses to count, where it chooses the type.
		mysql := c.d.MySQLFamily() && (isNative(col) || dt.name == "decimal") && dt.name != "float" && dt.name != "double"
		if known && !number && (mysql || col.Identity != nil && c.d.PostgresFamily()) {
			c.problem("IDN001", col.Origin, object, "column %.80q numbers the rows and is of type %q; it must be of an integer type", col.Name, col.Type.Text)
		}
		if col.Identity != nil {
			if col.Nullable && c.d.PostgresFamily() {
				c.problem("IDN001", col.Origin, object, "column %.80q is an identity column and declared NULL; identity columns are NOT NULL", col.Name)
			}
			c.sequenceOptions(col.Identity.SequenceOptions, col.Type.Text, col.Origin, object)
		}
	}
	switch {
	case len(columns) == 0:
	case len(columns) > 1 && (c.d.MySQLFamily() || c.d == dialect.SQLServer || c.d == dialect.Oracle):
		c.problem("IDN001", columns[1].Origin, t.object+"."+columns[1].Name, "columns %.80q and %.80q of table %q both number its rows; %s allows one", columns[0].Name, columns[1].Name, t.object, c.d)
	case c.d.MySQLFamily():
		col := columns[0]
		unique := col.Native && col.Type.Base() == "serial" // by itself
		if !unique && !c.leads(t, col) {
			c.problem("IDN001", col.Origin, t.object+"."+col.Name, "column %.80q is AUTO_INCREMENT and no key begins with it; make it the primary key or index it", col.Name)
		}
	}
}

// leads reports whether a key or index of the table begins with the column. Engines
// other than InnoDB take it anywhere in one.
func (c *checker) leads(t *table, col *schema.Column) bool {
	anywhere := t.Engine != "" && !strings.EqualFold(t.Engine, "innodb")
	in := func(columns []string) bool {
		for i, name := range columns {
			if c.d.Key(name) == c.d.Key(col.Name) && (i == 0 || anywhere) {
				return true
			}
		}
		return false
	}
	for _, k := range t.constraints {
		if (k.Kind == schema.PrimaryKey || k.Kind == schema.Unique) && in(keyColumns(k)) {
			return true
		}
	}
	for _, x := range t.indexes {
		if in(indexColumns(x)) {
			return true
		}
	}
	return false
}

// keyColumns are the columns of a key, in order; "" for a part that is no column.
func keyColumns(k *schema.Constraint) []string {
	if len(k.Columns) > 0 || len(k.Keys) == 0 {
		return k.Columns
	}
	names := make([]string, len(k.Keys))
	for i, p := range k.Keys {
		names[i] = p.Column
	}
	return names
}

func indexColumns(x *schema.Index) []string {
	names := make([]string, len(x.Keys))
	for i, p := range x.Keys {
		names[i] = p.Column
	}
	return names
}

// checkKeys checks the columns of primary keys, unique and exclusion constraints.
func (c *checker) checkKeys(t *table) {
	var primary *schema.Constraint
	for _, k := range t.constraints {
		var rule finding.Rule
		switch k.Kind {
		case schema.PrimaryKey:
			rule = "TBL003"
			if primary != nil {
				c.problem(rule, k.Origin, t.object, "table %q has two primary keys%s", t.object, owner{at: primary.Origin}.also())
			}
			primary = k
		case schema.Unique:
			rule = "UNQ001"
		case schema.Exclude:
			if len(k.Keys) == 0 && c.d.PostgresFamily() {
				c.problem("EXC001", k.Origin, t.object+"."+k.Name, "exclusion constraint %.80q has no elements; list them as column WITH operator", k.Name)
			}
			for _, p := range k.Keys {
				if p.Column != "" && c.column(t, p.Column) == nil && !t.open {
					c.missing("EXC001", k.Origin, t.object+"."+k.Name, "exclusion constraint names column %.80q, which table %q does not declare%s", p.Column, t.object, c.nearColumn(t, p.Column))
				}
			}
			continue
		default:
			continue
		}
		kind := constraintKind(k)
		object := t.object
		if k.Name != "" {
			object += "." + k.Name
		}
		columns := keyColumns(k)
		if len(columns) == 0 {
			c.problem(rule, k.Origin, object, "%s of table %q has no columns", kind, t.object)
		}
		seen := map[string]bool{}
		for _, name := range columns {
			if name == "" {
				continue
			}
			key := c.d.Key(name)
			if seen[key] && !(c.d == dialect.SQLite && asWritten(k.Origin)) {
				c.problem(rule, k.Origin, object, "%s of table %q names column %.80q twice", kind, t.object, name)
			}
			seen[key] = true
			col := t.byKey[key]
			if col == nil {
				if !t.open {
					c.missing(rule, k.Origin, object, "%s names column %.80q, which table %q does not declare%s", kind, name, t.object, c.nearColumn(t, name))
				}
				continue
			}
			// Most databases take NULL of a key's column for a slip of the pen.
			if k.Kind == schema.PrimaryKey && col.Nullable && (!asWritten(col.Origin) || c.d == dialect.MySQL) {
				c.problem("TBL004", col.Origin, t.object+"."+col.Name, "column %.80q is part of the primary key and declared nullable; a primary key is NOT NULL", col.Name)
			}
		}
		for _, name := range k.Include {
			if c.column(t, name) == nil && !t.open {
				c.missing(rule, k.Origin, object, "%s includes column %.80q, which table %q does not declare%s", kind, name, t.object, c.nearColumn(t, name))
			}
		}
	}
}

// checkDefault checks the default of a column (DEF).
func (c *checker) checkDefault(col *schema.Column, object string) {
	def := col.Default
	if def == nil {
		return
	}
	switch {
	case col.Generated != nil && c.d != dialect.ClickHouse:
		c.problem("DEF002", col.Origin, object, "column %.80q is generated and has a default; a generated column has no other value", col.Name)
	case col.Identity != nil, isSerial(col.Type) && !(col.Native && c.d == dialect.SQLite):
		c.problem("DEF002", col.Origin, object, "column %.80q takes its values from a sequence and has a default as well; drop one of them", col.Name)
	case col.AutoIncrement && !(c.d == dialect.SQLite && asWritten(col.Origin)):
		if !(def.Literal && strings.EqualFold(def.Text, "NULL")) {
			c.problem("DEF002", col.Origin, object, "column %.80q numbers the rows and has a default as well; drop one of them", col.Name)
		}
	default:
		value, form := literalOf(def)
		if form == expression {
			c.checkDefaultNames(col, object)
			c.typeDefault(col, object)
			return
		}
		if why := c.literalFault(col, value, form); why != "" {
			c.problem("DEF001", col.Origin, object, "default %.80q of column %.80q does not fit type %.80q: %s", value, col.Name, col.Type.Text, why)
		} else if form != bare {
			c.typeDefault(col, object)
		}
	}
}

// form is how a value is written.
type form uint8

const (
	expression form = iota // it is no value but computes one
	bare                   // by itself, to be written as its column's type wants
	inQuotes
	number
)

// literalOf is the value of a default, if it is one: in SQL the text says so.
func literalOf(def *schema.Default) (string, form) {
	text := strings.TrimSpace(def.Text)
	switch {
	case strings.EqualFold(text, "NULL"):
		return text, expression
	case def.Literal:
		return def.Text, bare
	case decimalNumber.MatchString(text):
		return text, number
	case quotedText.MatchString(text):
		return unquote(text), inQuotes
	}
	return text, expression
}

var (
	quotedText    = regexp.MustCompile(`^'([^'\\]|'')*'$`)
	decimalNumber = regexp.MustCompile(`^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$`)
	baseNumber    = regexp.MustCompile(`^[+-]?0([xX][0-9a-fA-F]+|[oO][0-7]+|[bB][01]+)$`)
	isoDate       = regexp.MustCompile(`^(\d{4})-(\d{1,2})-(\d{1,2})`)
	uuidDigits    = regexp.MustCompile(`^\{?([0-9a-fA-F]{4}-?){7}[0-9a-fA-F]{4}\}?$`)
)

// integerBits are the sizes of integers.
var integerBits = map[string]int{
	"tinyint": 8, "smallint": 16, "mediumint": 24, "int": 32, "integer": 32, "bigint": 64,
}

// literalFault says why a value is none of a column's type; empty if it may be one.
func (c *checker) literalFault(col *schema.Column, text string, as form) string {
	if c.d == dialect.SQLite && isNative(col) { // any column holds any value
		return ""
	}
	if as == number && !c.d.MySQLFamily() { // which types it converts to is a long list
		return ""
	}
	t, known := c.typeOf(col)
	if !known {
		return ""
	}
	if t.array > 0 {
		if s := strings.TrimSpace(text); c.d.PostgresFamily() && !strings.HasPrefix(s, "{") && !strings.HasPrefix(s, "[") {
			return "an array is written {…}"
		}
		return ""
	}
	if t.labels != nil {
		same := func(label string) bool {
			return label == text || c.d.MySQLFamily() && strings.EqualFold(label, text)
		}
		if !slices.ContainsFunc(t.labels, same) {
			return "it is none of the enum's values" + c.didYouMean(text, t.labels)
		}
		return ""
	}
	if t.user != nil {
		return ""
	}
	mysql := c.d.MySQLFamily()
	if !isNative(col) && dialect.ClassOf(col.Type) == dialect.BooleanClass {
		return booleanFault(text)
	}
	switch t.name {
	case "boolean":
		if mysql { // a number
			return c.numberFault(dataType{name: "tinyint"}, text)
		}
		return booleanFault(text)
	case "smallint", "integer", "bigint", "tinyint", "mediumint", "int":
		if !mysql && as == inQuotes && decimalNumber.MatchString(strings.TrimSpace(text)) && strings.ContainsAny(text, ".eE") {
			return "a whole number is expected"
		}
		return c.numberFault(t, text)
	case "numeric", "decimal", "real", "double precision", "float", "double":
		return c.numberFault(t, text)
	case "date", "datetime", "timestamp", "timestamptz":
		if mysql && isNative(col) && t.name != "date" && isCurrentTime(text) {
			return ""
		}
		return dateFault(text, !mysql)
	case "uuid":
		if !uuidDigits.MatchString(strings.TrimSpace(text)) {
			return "a UUID has 32 hexadecimal digits"
		}
	case "json", "jsonb":
		if !mysql && !json.Valid([]byte(text)) {
			return "it is not JSON"
		}
	case "varchar", "char":
		if mysql && len(t.args) == 1 {
			if n, err := strconv.Atoi(t.args[0]); err == nil && utf8.RuneCountInString(text) > n {
				return "it is longer than " + plain.Count(n, "character", "characters")
			}
		}
	}
	return ""
}

// isCurrentTime reports whether a text is CURRENT_TIMESTAMP or what else means it.
func isCurrentTime(text string) bool {
	low := strings.ToLower(strings.TrimSpace(text))
	for _, word := range []string{"current_timestamp", "now", "localtime", "localtimestamp"} {
		if strings.HasPrefix(low, word) {
			return true
		}
	}
	return false
}

func booleanFault(text string) string {
	low := strings.ToLower(strings.TrimSpace(text))
	if low == "1" || low == "0" || low == "on" || low == "of" || low == "off" {
		return ""
	}
	for _, word := range []string{"true", "false", "yes", "no"} {
		if low != "" && strings.HasPrefix(word, low) {
			return ""
		}
	}
	return "a boolean is true or false"
}

func (c *checker) numberFault(t dataType, text string) string {
	s := strings.TrimSpace(text)
	bits := integerBits[t.name]
	if !decimalNumber.MatchString(s) && !baseNumber.MatchString(s) {
		switch strings.ToLower(strings.TrimLeft(s, "+-")) {
		case "nan", "infinity", "inf":
			if bits == 0 && c.d.PostgresFamily() {
				return ""
			}
		case "true", "false":
			if bits > 0 && c.d.MySQLFamily() {
				return ""
			}
		}
		return "a number is expected"
	}
	if !c.d.MySQLFamily() { // PostgreSQL finds out when a row is added
		return ""
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		var lo, hi float64
		switch {
		case bits > 0 && t.unsigned:
			hi = float64(uint64(1)<<(bits-1))*2 - 1
		case bits > 0:
			hi = float64(uint64(1)<<(bits-1)) - 1
			lo = -hi - 1
		default:
			return ""
		}
		if f < lo || f > hi {
			return "it is out of range"
		}
	}
	return ""
}

// dateFault says why a text is no date. PostgreSQL reads many forms; of those only what
// has no digit and is no word that it knows is certain to be none.
func dateFault(text string, words bool) string {
	s := strings.TrimSpace(text)
	if m := isoDate.FindStringSubmatch(s); m != nil {
		y, _ := strconv.Atoi(m[1])
		month, _ := strconv.Atoi(m[2])
		day, _ := strconv.Atoi(m[3])
		if y == 0 || month == 0 || day == 0 { // whether these are dates is a setting
			return ""
		}
		if d := time.Date(y, time.Month(month), day, 0, 0, 0, 0, time.UTC); month > 12 || d.Day() != day {
			return "there is no such day"
		}
		return ""
	}
	if strings.ContainsAny(s, "0123456789") {
		return ""
	}
	if words {
		switch strings.TrimLeft(strings.ToLower(s), "-+") {
		case "now", "today", "tomorrow", "yesterday", "epoch", "infinity", "allballs":
			return ""
		}
	}
	return "a date is written YYYY-MM-DD; an expression such as now() belongs into default_expr"
}
