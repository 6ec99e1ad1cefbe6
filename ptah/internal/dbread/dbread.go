// Package dbread lists the objects of a live database: their kinds, schemas and names.
//
// [Read] opens one connection, which the server itself holds to reading, sends statements
// of this package alone (what a call names travels as bound parameters), and closes it.
// No row of a table is read. What a server says of its own failing is shown without
// secrets and nowhere else.
package dbread

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/quartet-mcp/quartet/ptah/internal/code"
	"github.com/quartet-mcp/quartet/ptah/internal/config"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/provider"
)

// Bounds on a reading.
const (
	connectTimeout   = 10 * time.Second
	statementTimeout = 15 * time.Second
	callTimeout      = 60 * time.Second
	maxObjects       = 20_000  // in an answer
	maxRead          = 200_000 // in memory
	maxShownSchemas  = 20      // in an error
)

// Catalog is what is in a database.
type Catalog struct {
	Dialect string // a canonical name, or that of a provider's engine
	Version string // short, as 16.3; empty if not known
	Schemas []string
	Objects []Object // by schema, kind and name
}

// Object is one object of a database.
type Object struct {
	Kind    string // table, view, materialized_view, sequence, enum, function, …
	Schema  string // empty where there are none
	Name    string
	Columns *int // how many there are; nil where there are none or they were not counted
}

// reader is an open connection.
type reader interface {
	// identify returns the dialect and the short version.
	identify(ctx context.Context) (dialect, version string, err error)
	// defaultSchema returns the connection's own schema; empty if it has none.
	defaultSchema(ctx context.Context) (string, error)
	// schemas returns the schemas that exist, those of the system included, in order.
	schemas(ctx context.Context) ([]string, error)
	// system reports whether a schema belongs to the system.
	system(schema string) bool
	// objects calls add for each object of some schemas that exist, and returns once add
	// returns false. What it knows to be there but cannot be seen, it adds to the report.
	objects(ctx context.Context, schemas []string, add func(Object) bool, rep *finding.Report) error
	close()
}

// CheckSchemas checks the schemas of a call against what the operator allows, before
// anything is asked or connected. The error is a [code.Error].
func CheckSchemas(db config.Database, schemas []string) error {
	for i, s := range schemas {
		switch {
		case s == "":
			return code.New(code.InvalidRequest, "schemas[%d] is empty", i)
		case len(db.Schemas) > 0 && !slices.Contains(db.Schemas, s):
			return code.New(code.InvalidRequest, "schema %.80q is not among those that may be read of %q", s, db.Name).
				WithHint("the operator allows %s", strings.Join(db.Schemas, ", "))
		}
	}
	return nil
}

// Read lists the objects in some schemas of a database, in that of the connection if none
// is named. What is left out is added to the report. log gets, at the debug level, what a
// provider writes about its work. The error is a [code.Error], or that of ctx.
func Read(ctx context.Context, db config.Database, schemas []string, rep *finding.Report, log *slog.Logger) (*Catalog, error) {
	if err := CheckSchemas(db, schemas); err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	r := &reading{db: db, rep: rep}
	var err error
	if db.Provider != nil {
		err = r.fromProvider(limited, unique(schemas), log)
	} else {
		err = r.fromServer(limited, unique(schemas))
	}
	switch {
	case err == nil:
		return r.finish(), nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limited.Err() != nil:
		return nil, code.New(code.DatabaseUnreachable, "database %q was not read within %v", db.Name, callTimeout).Because(err)
	}
	return nil, err
}

func unique(schemas []string) []string {
	sorted := slices.Clone(schemas)
	slices.Sort(sorted)
	return slices.Compact(sorted)
}

// reading is one reading of a database.
type reading struct {
	db  config.Database
	rep *finding.Report
	c   Catalog
}

func (r *reading) fromServer(ctx context.Context, schemas []string) error {
	conn, err := r.open(ctx)
	if err != nil {
		return err
	}
	defer conn.close()
	if r.c.Dialect, r.c.Version, err = conn.identify(ctx); err != nil {
		return err
	}
	existing, err := conn.schemas(ctx)
	if err != nil {
		return err
	}
	if r.c.Schemas, err = r.choose(ctx, conn, existing, schemas); err != nil {
		return err
	}
	return conn.objects(ctx, r.c.Schemas, r.add, r.rep)
}

// open connects with the reader of the URL's scheme.
func (r *reading) open(ctx context.Context) (reader, error) {
	limited, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	switch d := r.db.URL.Dialect(); {
	case d.PostgresFamily():
		return openPostgres(limited, r.db)
	case d.MySQLFamily():
		return openMySQL(limited, r.db)
	case d != "":
		return openSQLite(limited, r.db)
	}
	return nil, code.New(code.DatabaseReadFailed, "database %q has the scheme %q, which no reader serves", r.db.Name, r.db.URL.Scheme())
}

// choose returns the schemas to read: those of the call, else that of the connection if
// the operator allows it, else all that the operator allows.
func (r *reading) choose(ctx context.Context, conn reader, existing, schemas []string) ([]string, error) {
	// What the operator lists may be named, whatever it is; of others, those of the system
	// may not.
	known := slices.DeleteFunc(slices.Clone(existing), func(s string) bool {
		if len(r.db.Schemas) > 0 {
			return !slices.Contains(r.db.Schemas, s)
		}
		return conn.system(s)
	})
	if len(schemas) > 0 {
		for _, s := range schemas {
			if !slices.Contains(known, s) {
				return nil, code.New(code.InvalidRequest, "schema %.80q is not in database %q", s, r.db.Name).WithHint("%s", shown(known))
			}
		}
		return schemas, nil
	}
	own, err := conn.defaultSchema(ctx)
	if err != nil {
		return nil, err
	}
	if slices.Contains(known, own) {
		return []string{own}, nil
	}
	if len(r.db.Schemas) == 0 {
		return nil, code.New(code.InvalidRequest, "the connection of database %q has no default schema; name one in schemas", r.db.Name).WithHint("%s", shown(known))
	}
	for _, s := range r.db.Schemas {
		if !slices.Contains(known, s) {
			r.rep.Warn(finding.CatalogPartial, "schema %q, which the operator lists, is not in database %q", s, r.db.Name)
		}
	}
	return unique(known), nil
}

// shown lists schemas for an error.
func shown(schemas []string) string {
	if len(schemas) == 0 {
		return "no schema can be seen"
	}
	more := ""
	if n := len(schemas) - maxShownSchemas; n > 0 {
		schemas, more = schemas[:maxShownSchemas], fmt.Sprintf(" and %d more", n)
	}
	quoted := make([]string, 0, len(schemas))
	for _, s := range schemas {
		quoted = append(quoted, fmt.Sprintf("%.80q", s))
	}
	return "the schemas are " + strings.Join(quoted, ", ") + more
}

func (r *reading) fromProvider(ctx context.Context, schemas []string, log *slog.Logger) error {
	if len(schemas) == 0 {
		schemas = unique(r.db.Schemas)
	}
	answer, err := r.db.Provider.Read(ctx, r.db.URL, schemas, log)
	if err != nil {
		return err
	}
	r.c.Dialect, r.c.Version = answer.Dialect, answer.Version
	r.c.Schemas = schemas
	for _, o := range answer.Objects {
		if len(schemas) > 0 && !slices.Contains(schemas, o.Schema) {
			return code.New(code.DatabaseReadFailed, "provider %q answered with an object of a schema that was not asked for", r.db.Provider.Name())
		}
		if !r.add(fromProvider(o)) {
			break
		}
	}
	if len(schemas) == 0 {
		for _, o := range r.c.Objects {
			r.c.Schemas = append(r.c.Schemas, o.Schema)
		}
		r.c.Schemas = slices.DeleteFunc(unique(r.c.Schemas), func(s string) bool { return s == "" })
	}
	return nil
}

func fromProvider(o provider.Object) Object { return Object(o) }

// add takes an object, unless there are too many for the memory of a reading.
func (r *reading) add(o Object) bool {
	if len(r.c.Objects) == maxRead {
		r.rep.Warn(finding.CatalogPartial, "there are more than %d objects; others were not read", maxRead)
		return false
	}
	r.c.Objects = append(r.c.Objects, o)
	return true
}

// finish puts the objects in their order and cuts them.
func (r *reading) finish() *Catalog {
	slices.SortFunc(r.c.Objects, compare)
	r.c.Objects = slices.CompactFunc(r.c.Objects, func(a, b Object) bool { return compare(a, b) == 0 }) // overloaded functions
	if n := len(r.c.Objects); n > maxObjects {
		r.c.Objects = r.c.Objects[:maxObjects]
		r.rep.Warn(finding.CatalogPartial, "there are %d objects, of which the first %d by schema, kind and name are listed", n, maxObjects)
	}
	if r.c.Objects == nil {
		r.c.Objects = []Object{}
	}
	if r.c.Schemas == nil {
		r.c.Schemas = []string{}
	}
	return &r.c
}

func compare(a, b Object) int {
	return cmp.Or(cmp.Compare(a.Schema, b.Schema), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
}

// unreachable makes the error of a connection that could not be made.
func unreachable(db config.Database, err error, reason string) error {
	return code.New(code.DatabaseUnreachable, "database %q (%s) cannot be reached: %s", db.Name, db.URL.Display(), db.URL.Redact(reason)).Because(redacted(db, err))
}

// unreadable makes the error of a statement that did not succeed. An end of the context is
// left to [Read], which knows whose it is.
func unreadable(ctx context.Context, db config.Database, err error, reason string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return code.New(code.DatabaseReadFailed, "the catalog of database %q cannot be read: %s", db.Name, db.URL.Redact(reason)).Because(redacted(db, err))
}

// redacted is the text of an error for the log, without what it may hold of secrets.
func redacted(db config.Database, err error) error { return errors.New(db.URL.Redact(err.Error())) }
