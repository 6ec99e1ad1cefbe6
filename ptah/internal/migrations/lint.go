package migrations

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/trees"
)

// Options say for which database SQL is judged.
type Options struct {
	Dialect dialect.Dialect
	Version dialect.Version // zero: the newest
}

// Lint judges the SQL of one file: does it parse, can the database do it, and what should
// a person look at twice. The statements of a way down (down is true) are not advised on.
// The diagnostics are in the order of the text, never nil.
func Lint(text, shown string, down bool, o Options) []Diagnostic {
	l := linter{text: text, shown: shown, down: down, o: o, found: []Diagnostic{}}
	sql, _ := o.Dialect.SQL()
	script, err := trees.Parse(sql, text)
	if err != nil {
		line, message := 0, err.Error()
		if e := (*sqltree.SyntaxError)(nil); errors.As(err, &e) {
			line, message = e.Line, e.Message
		}
		return append(l.found, Diagnostic{Failure, "SQL001", shown, line, message})
	}
	l.declared = map[string]bool{}
	for _, statement := range script.Statements {
		if t, ok := statement.(*sqltree.CreateTable); ok {
			l.declared[l.key(t.Name)] = true
		}
	}
	l.keyed = keyed(script, l.key)
	for _, statement := range script.Statements {
		l.statement(statement)
	}
	return l.found
}

type linter struct {
	text, shown string
	down        bool
	o           Options
	found       []Diagnostic
	declared    map[string]bool // tables that the file creates
	keyed       map[string]bool // tables that ALTER TABLE gives a primary key
}

func (l *linter) key(n sqltree.Name) string {
	d, _ := l.o.Dialect.SQL()
	return d.Fold(n.Last())
}

func (l *linter) report(s Severity, rule string, at sqltree.Node, format string, args ...any) {
	line := 1 + strings.Count(l.text[:at.Pos().Start], "\n")
	l.found = append(l.found, Diagnostic{s, rule, l.shown, line, fmt.Sprintf(format, args...)})
}

// unsupported are statements that a migration cannot have: they act on more than the
// database that it is for, or need what only an interactive client has.
var unsupported = []string{
	"CREATE DATABASE", "DROP DATABASE", "ALTER DATABASE", "CREATE TABLESPACE", "ALTER SYSTEM", "USE", "ATTACH", "DETACH", "LOAD DATA", "LOAD XML", "SHUTDOWN", "KILL",
}

func (l *linter) statement(s sqltree.Statement) {
	switch s := s.(type) {
	case *sqltree.Other:
		for _, kind := range unsupported {
			if s.Kind == kind || strings.HasPrefix(s.Kind, kind+" ") {
				l.report(Failure, "SQL002", s, "a migration cannot have %s", s.Kind)
			}
		}
		if s.Kind == "COPY" && s.Writes && strings.Contains(strings.ToUpper(l.text[s.Start:s.End]), "FROM STDIN") {
			l.report(Failure, "SQL002", s, "a migration cannot have COPY … FROM stdin; use INSERT")
		}
	case *sqltree.CreateTable:
		l.table(s)
	case *sqltree.CreateIndex:
		l.index(s, l.declared[l.key(s.Table)])
	case *sqltree.AlterTable:
		l.alter(s)
	case *sqltree.Drop:
		if !l.down && (s.Kind == "TABLE" || s.Kind == "FOREIGN TABLE") {
			for _, n := range s.Names {
				l.report(Advice, "DDL002", n, "dropping table %q loses its rows", n.Last().Name)
			}
		}
	case *sqltree.CreateFunction:
		if s.Procedure && l.o.Dialect == dialect.Postgres {
			l.need(s, "11", "procedures")
		}
	case *sqltree.Merge:
		if l.o.Dialect == dialect.Postgres {
			l.need(s, "15", "MERGE")
		}
	}
}

// need reports a feature that came with a later version of the database.
func (l *linter) need(at sqltree.Node, version, what string) {
	if l.o.Version.Before(version) {
		l.report(Failure, "CAP001", at, "%s has %s from version %s on", l.o.Dialect, what, version)
	}
}

func (l *linter) table(t *sqltree.CreateTable) {
	hasKey := l.keyed[l.key(t.Name)]
	for _, c := range t.Columns {
		for _, k := range c.Constraints {
			hasKey = hasKey || k.Kind == sqltree.PrimaryKey
			l.constraint(k)
		}
	}
	for _, k := range t.Constraints {
		hasKey = hasKey || k.Kind == sqltree.PrimaryKey
		l.constraint(k)
	}
	for _, x := range t.Indexes {
		l.index(x, true)
	}
	if l.o.Dialect == dialect.SQLite && slices.ContainsFunc(t.Options, func(o sqltree.Option) bool { return strings.EqualFold(o.Key, "STRICT") }) {
		l.need(t, "3.37", "STRICT tables")
	}
	if !hasKey && !l.down && !t.Temporary && t.As == nil && t.PartitionOf == nil && len(t.Inherits) == 0 && len(t.Like) == 0 {
		l.report(Advice, "DDL001", t.Name, "table %q has no primary key", t.Name.Last().Name)
	}
}

func (l *linter) constraint(k sqltree.Constraint) {
	switch l.o.Dialect {
	case dialect.Postgres, dialect.YugabyteDB:
		switch {
		case k.Kind == sqltree.Generated && k.Stored:
			l.need(k, "12", "generated columns")
		case k.Kind == sqltree.Generated:
			l.need(k, "18", "VIRTUAL generated columns")
		case k.Kind == sqltree.Identity:
			l.need(k, "10", "identity columns")
		case len(k.Include) > 0:
			l.need(k, "11", "INCLUDE")
		case slices.ContainsFunc(k.Options, func(o sqltree.Option) bool { return o.Key == "NULLS" && o.Value == "NOT DISTINCT" }):
			l.need(k, "15", "NULLS NOT DISTINCT")
		}
	case dialect.MySQL:
		switch k.Kind {
		case sqltree.Check:
			l.need(k, "8.0.16", "CHECK constraints that it enforces")
		case sqltree.Default:
			if e, ok := k.Expr.(*sqltree.Literal); !ok || e == nil {
				if _, call := k.Expr.(*sqltree.Func); !call {
					l.need(k, "8.0.13", "defaults that are expressions")
				}
			}
		}
	case dialect.SQLite:
		if k.Kind == sqltree.Generated {
			l.need(k, "3.31", "generated columns")
		}
	}
}

// index judges an index; onNew says that its table has no rows yet.
func (l *linter) index(x *sqltree.CreateIndex, onNew bool) {
	expression := slices.ContainsFunc(x.Keys, func(k sqltree.IndexKey) bool { _, plain := k.Expr.(*sqltree.Column); return !plain })
	switch l.o.Dialect {
	case dialect.Postgres, dialect.YugabyteDB:
		if len(x.Include) > 0 {
			l.need(x, "11", "INCLUDE")
		}
		if x.NullsNotDistinct {
			l.need(x, "15", "NULLS NOT DISTINCT")
		}
		if !x.Concurrently && !onNew && !l.down {
			l.report(Advice, "DDL003", x, "building the index holds up writes to the table; CREATE INDEX CONCURRENTLY does not")
		}
	case dialect.MySQL:
		if expression {
			l.need(x, "8.0.13", "indexes on expressions")
		}
	case dialect.MariaDB:
		if expression {
			l.report(Failure, "CAP001", x, "mariadb has no indexes on expressions; index a generated column")
		}
	}
	if x.Where != nil && l.o.Dialect.MySQLFamily() {
		l.report(Failure, "CAP001", x, "%s has no partial indexes", l.o.Dialect)
	}
}

// sqliteAlterations are what SQLite's ALTER TABLE can do, and since when.
var sqliteAlterations = map[string]string{"RENAME": "3", "ADD COLUMN": "3", "RENAME COLUMN": "3.25", "DROP COLUMN": "3.35"}

func (l *linter) alter(a *sqltree.AlterTable) {
	for _, act := range a.Actions {
		if l.o.Dialect == dialect.SQLite && a.Kind == "TABLE" {
			if version, ok := sqliteAlterations[act.Kind]; ok {
				l.need(act, version, "ALTER TABLE … "+act.Kind)
			} else {
				l.report(Failure, "CAP001", act, "sqlite cannot %s; make a new table and copy the rows", act.Kind)
			}
		}
		if act.Kind == "DROP COLUMN" && act.Name != nil && !l.down {
			l.report(Advice, "DDL002", act, "dropping column %q loses its values", act.Name.Name)
		}
		if act.Constraint != nil {
			l.constraint(*act.Constraint)
		}
		if act.Index != nil {
			l.index(act.Index, l.declared[l.key(a.Table)])
		}
		if act.Column != nil {
			for _, k := range act.Column.Constraints {
				l.constraint(k)
			}
		}
	}
}

// keyed finds the tables that ALTER TABLE gives a primary key.
func keyed(script *sqltree.Script, key func(sqltree.Name) string) map[string]bool {
	tables := map[string]bool{}
	for _, s := range script.Statements {
		a, ok := s.(*sqltree.AlterTable)
		if !ok {
			continue
		}
		for _, act := range a.Actions {
			if act.Constraint != nil && act.Constraint.Kind == sqltree.PrimaryKey {
				tables[key(a.Table)] = true
			}
		}
	}
	return tables
}
