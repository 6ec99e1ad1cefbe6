package validate

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/plain"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// mysqlColumn checks the type of a column and its default, beyond what is checked for
// every database (TYP002, TYP003, DEF).
func (c *checker) mysqlColumn(t *table, col *schema.Column, object string) {
	dt, known := c.typeOf(col)
	if !known {
		return
	}
	set := charsetOf(t, col)
	if n := length(dt); dt.name == "varchar" && set.set != "" && n*charBytes(set) > maxRowBytes {
		c.problem("TYP002", col.Origin, object, "column %.80q is of %d characters of %s; it has %d at most", col.Name, n, set.set, maxRowBytes/charBytes(set))
	}
	var members []string
	if dt.name == "set" {
		members = c.members(col, dt, object)
	}
	if col.Default == nil {
		return
	}
	bad := func(why string) {
		c.problem("DEF001", col.Origin, object, "default %.80q of column %.80q does not fit type %.80q: %s", col.Default.Text, col.Name, typeText(col), why)
	}
	if strings.EqualFold(strings.TrimSpace(col.Default.Text), "NULL") && (!col.Default.Literal || !isNative(col)) {
		if col.NotNull {
			bad("it is NOT NULL")
		}
		return
	}
	value, form := literalOf(col.Default)
	if form == expression {
		c.mysqlDefault(t, col, object)
		return
	}
	switch dt.name {
	case "set":
		for member := range strings.SplitSeq(value, ",") {
			if value != "" && !slices.ContainsFunc(members, func(m string) bool { return strings.EqualFold(m, member) }) {
				bad("it has members that the set does not have" + c.didYouMean(member, members))
				return
			}
		}
	case "binary", "varbinary":
		if n := length(dt); n > 0 && len(value) > n {
			bad("it is longer than " + plain.Count(n, "byte", "bytes"))
		}
	case "decimal", "numeric", "float", "double":
		f, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		switch {
		case err != nil:
		case dt.unsigned && f < 0:
			bad("it is out of range")
		case dt.name == "decimal" && math.Abs(f) >= math.Pow10(wholeDigits(dt)):
			bad("it is out of range")
		}
	}
}

// maxRowBytes is how long a row of MySQL may be, and each of its texts.
const maxRowBytes = 65535

// length is the argument of a type, 0 without one.
func length(dt dataType) int {
	if len(dt.args) != 1 {
		return 0
	}
	n, _ := strconv.Atoi(dt.args[0])
	return n
}

// wholeDigits is how many digits of a decimal are before its point.
func wholeDigits(dt dataType) int {
	precision, scale := 10, 0
	if len(dt.args) > 0 {
		precision, _ = strconv.Atoi(dt.args[0])
	}
	if len(dt.args) > 1 {
		scale, _ = strconv.Atoi(dt.args[1])
	}
	return precision - scale
}

// members are those of a set, which are told apart and parted by commas (TYP003).
func (c *checker) members(col *schema.Column, dt dataType, object string) []string {
	members := make([]string, len(dt.args))
	seen := map[string]bool{}
	for i, text := range dt.args {
		members[i] = unquote(text)
		key := strings.ToLower(members[i])
		switch {
		case strings.Contains(members[i], ","):
			c.problem("TYP003", col.Origin, object, "member %.80q of the set %.80q has a comma, which parts members", members[i], col.Name)
		case seen[key]:
			c.problem("TYP003", col.Origin, object, "the set %.80q has member %.80q twice", col.Name, members[i])
		}
		seen[key] = true
	}
	return members
}

// mysqlDefault checks a default that computes: it may name columns of its table, and in
// MariaDB sequences.
func (c *checker) mysqlDefault(t *table, col *schema.Column, object string) {
	x := text{rule: "DEF003", what: "default", expr: col.Default.Text, of: t, at: col.Origin, object: object}
	e := c.parseExpr(x.expr).expr
	if e == nil && isNative(col) {
		return // as it was read, its own grammar took it
	}
	if e != nil {
		sqltree.Walk(e, func(n sqltree.Node) bool {
			if f, ok := n.(*sqltree.Func); ok && slices.Contains([]string{"nextval", "lastval", "setval"}, strings.ToLower(f.Name.Last().Name)) {
				x.of = nil // the name in it is a sequence's
			}
			return x.of != nil
		})
	}
	c.expression(x)
}

// mysqlComputed checks what checks and computed columns are made of: values that stay
// the same, and no column that the server counts up (CHK001, GEN001).
func (c *checker) mysqlComputed(t *table) {
	for _, k := range t.constraints {
		if k.Kind == schema.Check {
			if why := c.mysqlUnfit(t, k.Expr, true); why != "" {
				c.problem("CHK001", k.Origin, t.object+given(k.Name), "check %.80q %s; %s does not allow that there", k.Expr, why, c.d)
			}
		}
	}
	for _, col := range t.Columns {
		if col.Generated == nil {
			continue
		}
		object := t.object + "." + col.Name
		// MariaDB computes a virtual column whenever it is asked for.
		if c.d == dialect.MySQL || col.Generated.Stored {
			if why := c.mysqlUnfit(t, col.Generated.Expr, c.d == dialect.MariaDB); why != "" {
				c.problem("GEN001", col.Origin, object, "generation expression %.80q %s; %s does not allow that there", col.Generated.Expr, why, c.d)
			}
		}
		if c.d == dialect.MariaDB || !col.Generated.Stored {
			if pk := t.primaryKey(); pk != nil && slices.ContainsFunc(keyColumns(pk), func(name string) bool { return c.d.Key(name) == c.d.Key(col.Name) }) {
				c.problem("GEN001", col.Origin, object, "column %.80q is computed and in the primary key; %s does not allow that", col.Name, c.d)
			}
		}
	}
}

// mysqlUnfit says why an expression cannot be in a check or a stored column.
func (c *checker) mysqlUnfit(t *table, expr string, counters bool) string {
	e := c.parseExpr(expr).expr
	if e == nil {
		return ""
	}
	why := ""
	sqltree.Walk(e, func(n sqltree.Node) bool {
		switch n := n.(type) {
		case *sqltree.Func:
			name := strings.ToLower(n.Name.Last().Name)
			if len(n.Name.Parts) == 1 && (slices.Contains(mysqlChanging, name) || name == "unix_timestamp" && len(n.Args) == 0) {
				why = "calls " + name + "(), whose value changes"
			}
		case *sqltree.Literal:
			if name := strings.ToLower(n.Value); n.Kind == sqltree.OtherLiteral && slices.Contains(mysqlChanging, name) {
				why = "has " + name + ", whose value changes"
			}
		case *sqltree.Column:
			if col := c.column(t, n.Parts[len(n.Parts)-1].Name); counters && col != nil && col.AutoIncrement {
				why = "names column " + strconv.Quote(col.Name) + ", which is AUTO_INCREMENT"
			}
		}
		return why == ""
	})
	return why
}

// mysqlChanging are the functions whose value depends on when or by whom they are called.
var mysqlChanging = strings.Fields(`now current_timestamp sysdate curdate current_date curtime current_time localtime localtimestamp utc_date utc_time
	utc_timestamp rand random_bytes uuid uuid_short user current_user session_user system_user current_role database schema connection_id
	version last_insert_id row_count found_rows sleep benchmark get_lock release_lock release_all_locks is_free_lock is_used_lock load_file
	master_pos_wait name_const`)
