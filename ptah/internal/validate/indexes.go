package validate

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/plain"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// checkIndexes checks indexes, and the keys that the database makes indexes for (IDX).
func (c *checker) checkIndexes(_ context.Context) {
	for _, t := range c.tables {
		for _, x := range t.indexes {
			c.checkIndex(x, t)
		}
		for _, k := range t.constraints {
			if k.Kind != schema.PrimaryKey && k.Kind != schema.Unique {
				continue
			}
			x := &schema.Index{Unique: true, Keys: k.Keys, Origin: k.Origin}
			if len(k.Keys) == 0 {
				for _, name := range k.Columns {
					x.Keys = append(x.Keys, schema.IndexKey{Column: name})
				}
			}
			object := t.object
			if k.Name != "" {
				object += "." + k.Name
			}
			c.indexable(x, t, object, constraintKind(k), k.Kind == schema.PrimaryKey)
		}
	}
	for _, v := range c.db.Views {
		for _, x := range v.Indexes {
			c.indexColumns(x, c.catalog.columnsOfView(c, v), c.show(v.Name))
		}
	}
	for _, x := range c.db.Indexes {
		switch r := c.relation(x.Table); {
		case r == nil:
			c.missing("IDX001", x.Origin, x.Name, "index is of table %.80q, which is not declared%s", c.show(x.Table), c.nearTable(x.Table))
		case r.kind == "materialized view":
			c.indexColumns(x, c.catalog.columnsOfView(c, r.view), c.show(x.Table))
		case r.table == nil && !(r.kind == "view" && c.d == dialect.SQLServer):
			c.problem("IDX001", x.Origin, x.Name, "index is of %.80q, which is a %s and cannot have one", c.show(x.Table), r.kind)
		}
	}
}

// indexColumns checks the columns of an index on a materialised view; the columns of
// one that are not known are nil.
func (c *checker) indexColumns(x *schema.Index, columns map[string]bool, of string) {
	c.emptyOrRepeated(x, of)
	if columns == nil {
		return
	}
	for _, name := range slices.Concat(indexColumns(x), x.Include) {
		if name != "" && !columns[c.d.Key(name)] {
			c.missing("IDX002", x.Origin, x.Name, "index names column %.80q, which materialized view %q does not have", name, of)
		}
	}
}

func (c *checker) emptyOrRepeated(x *schema.Index, of string) {
	if len(x.Keys) == 0 {
		c.problem("IDX003", x.Origin, x.Name, "index of %q has no columns", of)
	}
	// PostgreSQL and SQLite do with a repeated column what they are told.
	if (c.d.PostgresFamily() || c.d == dialect.SQLite) && asWritten(x.Origin) {
		return
	}
	seen := map[schema.IndexKey]bool{}
	for _, k := range x.Keys {
		if k.Column == "" {
			continue
		}
		key := schema.IndexKey{Column: c.d.Key(k.Column), Opclass: k.Opclass, Collation: k.Collation}
		if seen[key] {
			c.problem("IDX003", x.Origin, x.Name, "index names column %.80q twice", k.Column)
		}
		seen[key] = true
	}
}

// ofForeignKey reports whether the database made an index for a foreign key: what is
// wrong with its columns is said of that.
func (c *checker) ofForeignKey(x *schema.Index, t *table) bool {
	return x.Implicit && slices.ContainsFunc(t.constraints, func(k *schema.Constraint) bool {
		return k.Kind == schema.ForeignKey && slices.Equal(k.Columns, indexColumns(x))
	})
}

func (c *checker) checkIndex(x *schema.Index, t *table) {
	if c.ofForeignKey(x, t) {
		return
	}
	c.emptyOrRepeated(x, t.object)
	for _, name := range slices.Concat(indexColumns(x), x.Include) {
		if name != "" && c.column(t, name) == nil && !t.open {
			c.missing("IDX002", x.Origin, x.Name, "index names column %.80q, which table %q does not declare%s", name, t.object, c.nearColumn(t, name))
		}
	}
	for _, k := range x.Keys {
		if k.Expr != "" {
			c.expression(text{rule: "IDX002", what: "index expression", expr: k.Expr, of: t, fixed: true, at: x.Origin, object: x.Name})
		}
	}
	if x.Where != "" {
		c.expression(text{rule: "IDX002", what: "index condition", expr: x.Where, of: t, truth: true, fixed: true, at: x.Origin, object: x.Name})
	}
	c.indexable(x, t, x.Name, "index", false)
}

// indexable checks that the columns of a key can be in an index (IDX006).
func (c *checker) indexable(x *schema.Index, t *table, object, kind string, primary bool) {
	bad := func(format string, args ...any) {
		c.problem("IDX006", x.Origin, object, format, args...)
	}
	switch {
	case c.d.MySQLFamily():
		if x.Kind == "" {
			c.keyWidth(x, t, kind, primary, bad)
		}
	case c.d == dialect.SQLServer:
		for _, k := range x.Keys {
			if col := c.column(t, k.Column); col != nil && c.isMax(col) {
				bad("%s has column %.80q of type %q, which sqlserver stores outside of rows and does not index; give it a length", kind, col.Name, col.Type.Text)
			}
		}
	case c.d == dialect.Postgres, c.d == dialect.YugabyteDB:
		for _, k := range x.Keys {
			if name := c.foreignOpclass(x.Method, k); name != "" {
				bad("%s has operator class %.80s, which is none of its access method; drop it or set the method", kind, name)
			}
			col := c.column(t, k.Column)
			if col == nil || k.Opclass != "" {
				continue
			}
			if dt, known := c.typeOf(col); known && !c.hasOpclass(x.Method, dt) {
				method := x.Method
				if method == "" {
					method = "btree"
				}
				bad("%s has column %.80q of type %q, for which %s has no default operator class; name one or use another method", kind, col.Name, col.Type.Text, method)
			}
		}
	}
}

// foreignOpclass returns the operator class of a key that an access method of PostgreSQL
// does not have. Extensions bring more.
func (c *checker) foreignOpclass(method string, k schema.IndexKey) string {
	name, _, _ := strings.Cut(k.Opclass, "(")
	name = strings.Trim(strings.TrimPrefix(strings.TrimSpace(name), "pg_catalog."), `"`)
	if method == "" {
		method = "btree"
	}
	of := opclasses[strings.ToLower(method)]
	if name == "" || of == nil || len(c.db.Extensions) > 0 || strings.Contains(name, ".") || slices.Contains(of, name) || c.hasVerbatim("OPERATOR CLASS") {
		return ""
	}
	return name
}

// opclasses are the operator classes of PostgreSQL, by access method. BRIN has others
// than the rest.
var opclasses = map[string][]string{
	"btree": strings.Fields(`array_ops bit_ops bool_ops bpchar_ops bpchar_pattern_ops bytea_ops char_ops cidr_ops date_ops enum_ops float4_ops float8_ops
		inet_ops int2_ops int4_ops int8_ops interval_ops jsonb_ops macaddr8_ops macaddr_ops money_ops multirange_ops name_ops numeric_ops
		oid_ops oidvector_ops pg_lsn_ops range_ops record_image_ops record_ops text_ops text_pattern_ops tid_ops time_ops timestamp_ops
		timestamptz_ops timetz_ops tsquery_ops tsvector_ops uuid_ops varbit_ops varchar_ops varchar_pattern_ops xid8_ops`),
	"hash": strings.Fields(`aclitem_ops array_ops bool_ops bpchar_ops bpchar_pattern_ops bytea_ops char_ops cid_ops cidr_ops date_ops enum_ops float4_ops
		float8_ops inet_ops int2_ops int4_ops int8_ops interval_ops jsonb_ops macaddr8_ops macaddr_ops multirange_ops name_ops numeric_ops
		oid_ops oidvector_ops pg_lsn_ops range_ops record_ops text_ops text_pattern_ops tid_ops time_ops timestamp_ops timestamptz_ops
		timetz_ops uuid_ops varchar_ops varchar_pattern_ops xid8_ops xid_ops`),
	"gin":    strings.Fields("array_ops jsonb_ops jsonb_path_ops tsvector_ops"),
	"gist":   strings.Fields("box_ops circle_ops inet_ops multirange_ops point_ops poly_ops range_ops tsquery_ops tsvector_ops"),
	"spgist": strings.Fields("box_ops inet_ops kd_point_ops poly_ops quad_point_ops range_ops text_ops"),
	"brin": strings.Fields(`bit_minmax_ops box_inclusion_ops bpchar_bloom_ops bpchar_minmax_ops bytea_bloom_ops bytea_minmax_ops char_bloom_ops
		char_minmax_ops date_bloom_ops date_minmax_multi_ops date_minmax_ops float4_bloom_ops float4_minmax_multi_ops float4_minmax_ops
		float8_bloom_ops float8_minmax_multi_ops float8_minmax_ops inet_bloom_ops inet_inclusion_ops inet_minmax_multi_ops
		inet_minmax_ops int2_bloom_ops int2_minmax_multi_ops int2_minmax_ops int4_bloom_ops int4_minmax_multi_ops int4_minmax_ops
		int8_bloom_ops int8_minmax_multi_ops int8_minmax_ops interval_bloom_ops interval_minmax_multi_ops interval_minmax_ops
		macaddr8_bloom_ops macaddr8_minmax_multi_ops macaddr8_minmax_ops macaddr_bloom_ops macaddr_minmax_multi_ops macaddr_minmax_ops
		name_bloom_ops name_minmax_ops numeric_bloom_ops numeric_minmax_multi_ops numeric_minmax_ops oid_bloom_ops
		oid_minmax_multi_ops oid_minmax_ops pg_lsn_bloom_ops pg_lsn_minmax_multi_ops pg_lsn_minmax_ops range_inclusion_ops
		text_bloom_ops text_minmax_ops tid_bloom_ops tid_minmax_multi_ops tid_minmax_ops time_bloom_ops time_minmax_multi_ops
		time_minmax_ops timestamp_bloom_ops timestamp_minmax_multi_ops timestamp_minmax_ops timestamptz_bloom_ops
		timestamptz_minmax_multi_ops timestamptz_minmax_ops timetz_bloom_ops timetz_minmax_multi_ops timetz_minmax_ops
		uuid_bloom_ops uuid_minmax_multi_ops uuid_minmax_ops varbit_minmax_ops`),
}

// hasOpclass reports whether an access method of PostgreSQL may index a type without
// being told how. Extensions bring operator classes, so where there is one nothing is
// certain but what concerns btree and hash.
func (c *checker) hasOpclass(method string, t dataType) bool {
	array, declared := t.array > 0, ""
	if t.user != nil {
		declared = t.user.kind
	}
	switch strings.ToLower(method) {
	case "", "btree":
		return array || declared != "" || hasOrder(t.name)
	case "hash":
		switch t.name {
		case "bit", "bit varying", "money", "tsvector", "tsquery":
			return array || declared != ""
		}
		return array || declared != "" || hasOrder(t.name)
	case "gin":
		return len(c.db.Extensions) > 0 || array && (declared != "" || hasOrder(t.name)) || !array && (t.name == "jsonb" || t.name == "tsvector")
	case "gist":
		switch t.name {
		case "tsvector", "tsquery", "point", "box", "polygon", "circle":
			return !array || len(c.db.Extensions) > 0
		}
		return len(c.db.Extensions) > 0 || !array && (declared == "range type" || strings.HasSuffix(t.name, "range"))
	}
	return true
}

// hasOrder reports whether values of a type of PostgreSQL have an order.
func hasOrder(name string) bool {
	switch name {
	case "json", "xml", "point", "line", "lseg", "box", "path", "polygon", "circle", "jsonpath":
		return false
	}
	return true
}

// isMax reports whether SQL Server has a column of this type as one without a limit.
func (c *checker) isMax(col *schema.Column) bool {
	switch dt, _ := c.typeOf(col); dt.name {
	case "text", "ntext", "image", "xml":
		return true
	default:
		return len(dt.args) == 1 && strings.EqualFold(dt.args[0], "max")
	}
}

// maxKeyBytes is how long a key of InnoDB may be, and each part of it.
const maxKeyBytes = 3072

// keyWidth checks the length of a key of MySQL or MariaDB. MariaDB has other means: it
// cuts a part that is too long in a plain index and makes a unique one over hashes.
func (c *checker) keyWidth(x *schema.Index, t *table, kind string, primary bool, bad func(string, ...any)) {
	mariadb := c.d == dialect.MariaDB
	if mariadb && x.Unique && !primary || t.Engine != "" && !strings.EqualFold(t.Engine, "innodb") {
		return
	}
	total := 0
	for _, k := range x.Keys {
		col := c.column(t, k.Column)
		if col == nil {
			continue
		}
		dt, known := c.typeOf(col)
		if !known {
			continue
		}
		width := 0
		switch name := dt.name; name {
		case "tinytext", "text", "mediumtext", "longtext", "tinyblob", "blob", "mediumblob", "longblob":
			if k.Length == 0 {
				if primary || !mariadb {
					bad("%s has column %.80q of type %q, which needs a length: %s(255)", kind, col.Name, typeText(col), plain.Line(col.Name, 80))
					return
				}
				continue
			}
			width = k.Length
			if strings.HasSuffix(name, "text") {
				width *= charBytes(charsetOf(t, col))
			}
		case "json":
			if !mariadb {
				bad("%s has column %.80q of type JSON, which cannot be indexed; index a generated column or an expression", kind, col.Name)
				return
			}
			continue
		case "char", "varchar", "binary", "varbinary":
			if len(dt.args) == 1 {
				width, _ = strconv.Atoi(dt.args[0])
			}
			if k.Length > 0 {
				width = min(width, k.Length)
			}
			if strings.HasSuffix(name, "char") {
				width *= charBytes(charsetOf(t, col))
			}
		}
		if width > maxKeyBytes {
			if mariadb && !primary {
				width = maxKeyBytes
			} else {
				bad("%s has column %.80q of %d bytes; %s indexes %d, give it a length", kind, col.Name, width, c.d, maxKeyBytes)
				return
			}
		}
		total += width
	}
	if total > maxKeyBytes {
		bad("%s is %d bytes long; %s allows %d, give its columns lengths", kind, total, c.d, maxKeyBytes)
	}
}

// charBytes is the most bytes that a character takes: 4 of the default, utf8mb4.
func charBytes(s charset) int {
	switch s.set {
	case "", "utf8mb4", "utf16", "utf32", "utf16le", "gb18030":
		return 4
	case "utf8mb3", "eucjpms", "ujis":
		return 3
	case "ucs2", "big5", "gbk", "gb2312", "sjis", "cp932", "euckr":
		return 2
	}
	return 1
}
