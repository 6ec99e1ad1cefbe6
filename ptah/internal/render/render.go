// Package render writes a declared schema as the statements that make it in an empty
// database: [Render].
//
// Each family of dialects has a file and one function of type writer, listed in writers;
// a dialect without one is refused. A writer adds the statements of each object to the
// [job]'s graph, under the phase of the list that they belong to and with the objects
// that have to be there before; the graph puts them in order. Before a writer runs, the
// features that the dialect's table (package dialect) lacks are refused for the whole
// schema in one place, refuse.go, so that a writer only writes.
//
// Nothing that is declared is left out silently: it is written as declared, or as the
// documented equivalent, or there is a problem that names the object and the feature.
// Rules that do not depend on what a dialect can write belong to package validate, and a
// schema that breaks one of those renders to statements that a database may refuse.
package render

import (
	"context"
	"fmt"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// Options say for whom a schema is rendered.
type Options struct {
	Dialect dialect.Dialect
	// ServerVersion is the version of the database; empty: the newest one.
	ServerVersion string
	// Passwords renders the passwords of roles, which are left out otherwise.
	Passwords bool
}

// writer adds the statements of everything that is declared to a job's graph.
type writer func(*job)

// writers has the writer of each dialect that can be rendered.
var writers = map[dialect.Dialect]writer{
	dialect.Postgres:    writePostgres,
	dialect.MySQL:       writeMySQL,
	dialect.MariaDB:     writeMySQL,
	dialect.SQLite:      writeSQLite,
	dialect.SQLServer:   writeSQLServer,
	dialect.CockroachDB: writeCockroachDB,
	dialect.YugabyteDB:  writeYugabyteDB,
	dialect.ClickHouse:  writeClickHouse,
	dialect.Spanner:     writeSpanner,
	dialect.Oracle:      writeOracle,
	dialect.YDB:         writeYDB,
}

// Render returns the statements that make the schema in an empty database, in the order
// in which they can be executed: each ends with a semicolon, and the same schema gives
// the same statements. What the dialect cannot hold goes to rep as problems, what it
// holds with a loss as warnings; with a problem the statements are not to be used. It
// never returns nil.
func Render(ctx context.Context, db *schema.Database, o Options, rep *finding.Report) []string {
	write := writers[o.Dialect]
	if write == nil {
		rep.Problem(finding.Problem{Kind: finding.Schema, Rule: "DIA001", Message: fmt.Sprintf("a schema for %s cannot be rendered", o.Dialect)})
		return []string{}
	}
	if doubt := o.Dialect.DoubtVersion(o.ServerVersion); doubt != "" {
		rep.Warn(finding.ServerVersionApproximated, "%s", doubt)
	}
	v, _ := dialect.ParseVersion(o.ServerVersion)
	j := newJob(ctx, db, o, v, rep)
	j.refuse()
	write(j)
	return j.statements()
}
