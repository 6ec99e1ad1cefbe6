package export

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// DDL writes the structure of a catalog as SQL of its database's dialect: types,
// tables with their keys, each after those that it refers to, and indexes, and then
// the keys that need what is written after their tables. What is
// known of a table or column beside that stands in comments, and so do views, whose
// queries an index does not keep, and whatever cannot be written as SQL.
func DDL(w io.Writer, c *catalog.Catalog) error {
	d := &ddl{c: c, d: dialectOf(c), done: make([]bool, c.Len())}
	d.comment("The structure of %s (%s) as connection %s knows it, of %s", c.Database, c.Dialect, c.Connection, c.BuiltAt.UTC().Format("2006-01-02 15:04:05Z"))
	d.schemas()
	d.types()
	for _, t := range d.order() {
		d.table(t)
		d.done[t] = true
	}
	d.indexes()
	for _, l := range d.late {
		d.line("%s", l)
	}
	d.views()
	b := bufio.NewWriter(w)
	if _, err := b.WriteString(strings.ReplaceAll(d.String(), "\x00", "")); err != nil {
		return err
	}
	return b.Flush()
}

type ddl struct {
	strings.Builder
	c    *catalog.Catalog
	d    sqltree.Dialect
	done []bool   // tables that were written
	late []string // keys that are declared after all tables and indexes
}

func (d *ddl) line(format string, args ...any) { fmt.Fprintf(d, format+"\n", args...) }

func (d *ddl) comment(format string, args ...any) {
	d.line("-- %s", oneLine(fmt.Sprintf(format, args...)))
}

// name is a table as statements name it: without its schema where that is the default.
func (d *ddl) name(schema, table string) string {
	if schema == "" || schema == d.c.DefaultSchema {
		return d.d.Quote(table)
	}
	return d.d.Quote(schema) + "." + d.d.Quote(table)
}

func (d *ddl) names(list []string) string {
	out := make([]string, len(list))
	for i, n := range list {
		out[i] = d.d.Quote(n)
	}
	return strings.Join(out, ", ")
}

func (d *ddl) schemas() {
	if d.d == sqltree.SQLite {
		return
	}
	for _, s := range d.c.Schemas() {
		if s != "" && s != d.c.DefaultSchema {
			d.line("CREATE SCHEMA IF NOT EXISTS %s;", d.d.Quote(s))
		}
	}
}

// types declares the domains and enums that columns have, where those are types of
// their own.
func (d *ddl) types() {
	if d.d != sqltree.Postgres && d.d != sqltree.DuckDB {
		return
	}
	seen := map[string]bool{}
	for i := range d.c.Tables {
		if d.c.Tables[i].IsView() {
			continue
		}
		for k := range d.c.Tables[i].Columns {
			col := &d.c.Tables[i].Columns[k]
			name := d.typeName(strings.TrimSuffix(col.Type, "[]"))
			if seen[name] {
				continue
			}
			switch {
			case col.Base != "":
				d.line("CREATE DOMAIN %s AS %s;", name, d.typeName(col.Base))
			case len(col.Enum) > 0 && !strings.ContainsRune(name, '('):
				labels := make([]string, len(col.Enum))
				for j, l := range col.Enum {
					labels[j] = "'" + strings.ReplaceAll(l, "'", "''") + "'"
				}
				d.line("CREATE TYPE %s AS ENUM (%s);", name, strings.Join(labels, ", "))
			default:
				continue
			}
			seen[name] = true
		}
	}
}

// order are the tables that are no views, each after those that it refers to as far as
// they do not refer to each other.
func (d *ddl) order() []int {
	var out []int
	seen := make([]bool, d.c.Len())
	var visit func(int)
	visit = func(t int) {
		if seen[t] || d.c.Tables[t].IsView() {
			return
		}
		seen[t] = true
		for _, k := range d.c.Tables[t].ForeignKeys {
			if to := d.c.At(k.RefSchema, k.RefTable); to >= 0 {
				visit(to)
			}
		}
		out = append(out, t)
	}
	for t := range d.c.Tables {
		visit(t)
	}
	return out
}

// table writes one table. Each line of its parts may have a comment behind it.
func (d *ddl) table(i int) {
	t := &d.c.Tables[i]
	d.line("")
	d.about(i)
	type part struct{ sql, comment string }
	var parts []part
	add := func(sql, comment string) { parts = append(parts, part{sql, oneLine(comment)}) }
	for k := range t.Columns {
		if col := &t.Columns[k]; col.Parent == "" {
			add(d.column(col))
		}
	}
	if k := t.PrimaryKey; k != nil {
		add(d.constraint(k.Name)+"PRIMARY KEY ("+d.names(k.Columns)+")", "")
	}
	for _, k := range t.Uniques {
		add(d.constraint(k.Name)+"UNIQUE ("+d.names(k.Columns)+")", "")
	}
	var left []string // what cannot be written
	for _, k := range t.ForeignKeys {
		sql := d.constraint(k.Name) + d.reference(&k)
		to := d.c.At(k.RefSchema, k.RefTable)
		switch {
		case to < 0:
			left = append(left, sql+", which is not in the index")
		case (to == i || d.done[to]) && isKey(&d.c.Tables[to], k.RefColumns) || d.d == sqltree.SQLite:
			add(sql, "")
		default:
			d.late = append(d.late, fmt.Sprintf("ALTER TABLE %s ADD %s;", d.name(t.Schema, t.Name), sql))
		}
	}
	for _, k := range t.Checks {
		switch {
		case ofDomain(t, &k):
			left = append(left, "check of the type of "+strings.Join(k.Columns, ", ")+": "+k.Expr)
		case d.d == sqltree.MariaDB && ofJSON(t, &k): // the type brings it
		case contained(k.Expr, d.d):
			add(d.constraint(k.Name)+"CHECK ("+k.Expr+")", "")
		default:
			left = append(left, "check "+k.Expr)
		}
	}
	d.line("CREATE TABLE %s (", d.name(t.Schema, t.Name))
	for k, p := range parts {
		line := "  " + p.sql
		if k < len(parts)-1 {
			line += ","
		}
		if p.comment != "" {
			line += " -- " + p.comment
		}
		d.line("%s", line)
	}
	d.line(");")
	for _, l := range left {
		d.comment("%s", l)
	}
}

// isKey reports whether a table is written with a key of these columns, in any order.
// A foreign key may lead to what is no key but has a unique index, too.
func isKey(t *model.Table, columns []string) bool {
	same := func(k model.Key) bool {
		return len(k.Columns) == len(columns) && !slices.ContainsFunc(k.Columns, func(c string) bool { return !slices.Contains(columns, c) })
	}
	return len(columns) == 0 || t.PrimaryKey != nil && same(*t.PrimaryKey) || slices.ContainsFunc(t.Uniques, same)
}

// ofJSON reports whether a check is the one that MariaDB makes for a column of type
// JSON and calls like the column.
func ofJSON(t *model.Table, k *model.Check) bool {
	col := t.Column(k.Name)
	return col != nil && col.Type == "json" && k.Expr == "json_valid("+sqltree.MariaDB.Quote(k.Name)+")"
}

// ofDomain reports whether a check is one of a column's domain: it speaks of VALUE.
func ofDomain(t *model.Table, k *model.Check) bool {
	return len(k.Columns) == 1 && t.Column(k.Columns[0]) != nil && t.Column(k.Columns[0]).Base != "" && value.MatchString(k.Expr)
}

var value = regexp.MustCompile(`\bVALUE\b`)

// about says what is known of a table beside its columns.
func (d *ddl) about(i int) {
	t := &d.c.Tables[i]
	if text := d.c.Facts[i].Description; text != "" {
		d.comment("%s", text)
	} else if t.Comment != "" {
		d.comment("%s", t.Comment)
	}
	if t.Type != model.BaseTable {
		d.comment("%s", strings.ReplaceAll(t.Type, "_", " "))
	}
	if p := t.Partition; p != nil {
		d.comment("partitioned by %s, %d partitions", strings.Join(p.Key, ", "), p.Count)
	}
}

func (d *ddl) constraint(name string) string {
	if name == "" || name == "PRIMARY" && (d.d == sqltree.MySQL || d.d == sqltree.MariaDB) {
		return ""
	}
	return "CONSTRAINT " + d.d.Quote(name) + " "
}

func (d *ddl) reference(k *model.ForeignKey) string {
	sql := "FOREIGN KEY (" + d.names(k.Columns) + ") REFERENCES " + d.name(k.RefSchema, k.RefTable)
	if len(k.RefColumns) > 0 {
		sql += " (" + d.names(k.RefColumns) + ")"
	}
	for _, rule := range []struct{ on, does string }{{"DELETE", k.OnDelete}, {"UPDATE", k.OnUpdate}} {
		if words.MatchString(rule.does) {
			sql += " ON " + rule.on + " " + rule.does
		}
	}
	return sql
}

var words = regexp.MustCompile(`^[A-Z]+( [A-Z]+)*$`)

// column is a column's definition and what is said about it.
func (d *ddl) column(c *model.Column) (sql, comment string) {
	sql, comment = d.d.Quote(c.Name), c.Comment
	if strings.TrimSpace(c.Type) != "" {
		sql += " " + d.typeName(c.Type)
	}
	sequence := strings.HasPrefix(strings.ToLower(c.Default), "nextval(")
	mysql := d.d == sqltree.MySQL || d.d == sqltree.MariaDB
	unwritten := ""
	switch {
	case c.Generated && c.Default != "" && contained(c.Default, d.d):
		sql += " GENERATED ALWAYS AS (" + c.Default + ")"
		if d.d == sqltree.Postgres {
			sql += " STORED"
		}
	case c.Generated:
		unwritten = "generated " + c.Default
	case c.Identity && d.d == sqltree.Postgres:
		sql += " GENERATED BY DEFAULT AS IDENTITY"
	case c.Identity && mysql && !sequence:
		sql += " AUTO_INCREMENT"
	case c.Default == "":
	case sequence || !contained(c.Default, d.d):
		unwritten = "default " + c.Default
	case d.d == sqltree.SQLite:
		sql += " DEFAULT (" + c.Default + ")"
	default:
		sql += " DEFAULT " + c.Default
	}
	if !c.Nullable {
		sql += " NOT NULL"
	}
	if unwritten != "" {
		comment = strings.TrimPrefix(comment+"; "+unwritten, "; ")
	}
	return sql, comment
}

// typeName is a type as the database shows it, if it can only be a type, else quoted.
func (d *ddl) typeName(text string) string {
	name, _, _ := strings.Cut(text, "(")
	if typeText.MatchString(text) && !strings.Contains(name, "'") && contained(text, d.d) {
		return text
	}
	return d.d.Quote(oneLine(text))
}

// typeText are words, quoted names and labels, and lists of them in brackets.
var typeText = regexp.MustCompile("^[\\pL_\"`](?:[\\pL\\pN_$ .,()\\[\\]:-]|'(?:[^'\\\\]|''|\\\\.)*'|\"[^\"]*\"|`[^`]*`)*$")

// contained reports whether a text is one expression that ends where it ends: its
// quotes and brackets are closed, and no statement or comment begins in it.
func contained(text string, d sqltree.Dialect) bool {
	var open []byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '\'', '"', '`':
			end, ok := endOfQuotes(text, i, d)
			if !ok {
				return false
			}
			i = end
		case '(':
			open = append(open, ')')
		case '[':
			open = append(open, ']')
		case ')', ']':
			if len(open) == 0 || open[len(open)-1] != c {
				return false
			}
			open = open[:len(open)-1]
		case ';', '$', 0:
			return false
		case '#':
			if d == sqltree.MySQL || d == sqltree.MariaDB {
				return false
			}
		case '-', '/':
			if i+1 < len(text) && (c == '-' && text[i+1] == '-' || c == '/' && text[i+1] == '*') {
				return false
			}
		}
	}
	return len(open) == 0 && strings.TrimSpace(text) != ""
}

// endOfQuotes is where a quoted piece ends that begins at start. Whether a backslash
// protects a quote depends on the kind of text and on settings, so that a quote behind
// an odd number of them is no end that one can rely on; SQLite knows no such thing.
func endOfQuotes(text string, start int, d sqltree.Dialect) (int, bool) {
	odd := false // the number of backslashes before
	for i := start + 1; i < len(text); i++ {
		switch {
		case text[i] == text[start] && odd && d != sqltree.SQLite:
			return 0, false
		case text[i] == text[start] && i+1 < len(text) && text[i+1] == text[start]:
			i++
			odd = false
		case text[i] == text[start]:
			return i, true
		default:
			odd = text[i] == '\\' && !odd
		}
	}
	return 0, false
}

// indexes writes the indexes that no key makes.
func (d *ddl) indexes() {
	for i := range d.c.Tables {
		t := &d.c.Tables[i]
		for k := range t.Indexes {
			x := &t.Indexes[k]
			if x.Primary || x.Name == "" || ofKey(t, x) {
				continue
			}
			columns := make([]string, len(x.Columns))
			whole := !x.Partial && len(columns) > 0 && !t.IsView()
			for j, c := range x.Columns {
				columns[j] = d.d.Quote(c)
				if t.Column(c) == nil {
					columns[j] = c // an expression
					whole = whole && strings.HasPrefix(c, "(") && contained(c, d.d)
				}
				whole = whole && !(d.d == sqltree.Postgres && ofClass(t, x.Type, c))
			}
			unique, using := "", ""
			if x.Unique {
				unique = "UNIQUE "
			}
			if d.d == sqltree.Postgres && x.Type != "" && x.Type != "btree" && typeText.MatchString(x.Type) {
				using = " USING " + x.Type
			}
			sql := fmt.Sprintf("CREATE %sINDEX %s ON %s%s (%s)", unique, d.d.Quote(x.Name), d.name(t.Schema, t.Name), using, strings.Join(columns, ", "))
			switch {
			case x.Partial:
				d.comment("%s for a part of the rows", sql)
			case !whole:
				d.comment("%s", sql)
			default:
				d.line("%s;", sql)
			}
		}
	}
}

// ofClass reports whether an index of PostgreSQL cannot hold this column or expression
// without naming an operator class, such as that of trigrams, which is not kept.
func ofClass(t *model.Table, method, column string) bool {
	if method != "gin" && method != "gist" {
		return false
	}
	if c := t.Column(column); c != nil {
		return scalar.MatchString(c.Type)
	}
	return !strings.Contains(column, "to_tsvector(")
}

var scalar = regexp.MustCompile(`^(text|varchar|char|citext|name|smallint|int|integer|bigint|real|double precision|numeric|money|boolean|uuid|date|time|timetz|timestamp|timestamptz|interval|inet|cidr|json)(\([0-9, ]*\))?$`)

// ofKey reports whether an index is there because of a key.
func ofKey(t *model.Table, x *model.Index) bool {
	if t.PrimaryKey != nil && x.Unique && slices.Equal(x.Columns, t.PrimaryKey.Columns) {
		return true
	}
	for _, k := range t.ForeignKeys {
		if k.Name != "" && k.Name == x.Name && slices.Equal(k.Columns, x.Columns) {
			return true // MySQL makes one for each key
		}
	}
	return slices.ContainsFunc(t.Uniques, func(k model.Key) bool {
		return x.Unique && !x.Partial && (k.Name != "" && k.Name == x.Name || slices.Equal(x.Columns, k.Columns))
	})
}

// views tells of views, as comments.
func (d *ddl) views() {
	from := feeding(d.c)
	for i := range d.c.Tables {
		t := &d.c.Tables[i]
		if !t.IsView() {
			continue
		}
		d.line("")
		d.about(i)
		d.comment("%s %s", strings.ReplaceAll(t.Type, "_", " "), d.name(t.Schema, t.Name))
		for k := range t.Columns {
			if c := &t.Columns[k]; c.Parent == "" {
				d.comment("  %s %s", d.d.Quote(c.Name), c.Type)
			}
		}
		if len(from[i]) > 0 {
			d.comment("  reads %s", strings.Join(from[i], ", "))
		}
	}
}
