package scratch

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/quartet-mcp/quartet/ptah/internal/dbscript"
)

// postgresOwn restricts a query to what is neither the system's nor an extension's.
const postgresOwn = `nspname !~ '^pg_' AND nspname <> 'information_schema'
	AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend WHERE objid = o.oid AND deptype = 'e')`

// postgresContents are the objects of a database beside what every new one has. The
// second column drops one; it is empty where dropping its schema does.
const postgresContents = `SELECT what, how FROM (
	SELECT 1, evtname::text, format('DROP EVENT TRIGGER %I', evtname) FROM pg_catalog.pg_event_trigger o
	UNION ALL SELECT 2, pubname, format('DROP PUBLICATION %I', pubname) FROM pg_catalog.pg_publication
	UNION ALL SELECT 3, nspname, format('DROP SCHEMA %I CASCADE', nspname) FROM pg_catalog.pg_namespace o WHERE nspname <> 'public' AND ` + postgresOwn + `
	UNION ALL SELECT 4, extname, format('DROP EXTENSION %I CASCADE', extname) FROM pg_catalog.pg_extension WHERE extname <> 'plpgsql'
	UNION ALL SELECT 5, fdwname, format('DROP FOREIGN DATA WRAPPER %I CASCADE', fdwname) FROM pg_catalog.pg_foreign_data_wrapper
	UNION ALL SELECT 6, format('%s AS %s', castsource::regtype, casttarget::regtype), format('DROP CAST (%s AS %s)', castsource::regtype, casttarget::regtype)
		FROM pg_catalog.pg_cast o WHERE oid >= 16384 AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend WHERE objid = o.oid AND deptype IN ('e', 'i'))
	UNION ALL SELECT 7, relname, '' FROM pg_catalog.pg_class o JOIN pg_catalog.pg_namespace n ON n.oid = relnamespace WHERE relkind IN ('r', 'p', 'v', 'm', 'S', 'f') AND ` + postgresOwn + `
	UNION ALL SELECT 8, typname, '' FROM pg_catalog.pg_type o JOIN pg_catalog.pg_namespace n ON n.oid = typnamespace WHERE typrelid = 0 AND typcategory <> 'A' AND ` + postgresOwn + `
	UNION ALL SELECT 9, proname, '' FROM pg_catalog.pg_proc o JOIN pg_catalog.pg_namespace n ON n.oid = pronamespace WHERE ` + postgresOwn + `
	UNION ALL SELECT 10, collname, '' FROM pg_catalog.pg_collation o JOIN pg_catalog.pg_namespace n ON n.oid = collnamespace WHERE ` + postgresOwn + `
	UNION ALL SELECT 11, oprname, '' FROM pg_catalog.pg_operator o JOIN pg_catalog.pg_namespace n ON n.oid = oprnamespace WHERE ` + postgresOwn + `
	UNION ALL SELECT 12, cfgname, '' FROM pg_catalog.pg_ts_config o JOIN pg_catalog.pg_namespace n ON n.oid = cfgnamespace WHERE ` + postgresOwn + `
) x (phase, what, how) ORDER BY phase, what`

type content struct{ What, How string }

func (db *DB) postgresContents(ctx context.Context) ([]content, error) {
	rows, err := db.conn.Postgres.Query(ctx, postgresContents)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[content])
}

func (db *DB) postgresObjects(ctx context.Context) ([]string, error) {
	contents, err := db.postgresContents(ctx)
	names := make([]string, len(contents))
	for i, c := range contents {
		names[i] = c.What
	}
	return names, err
}

// resetPostgres drops the objects that dropping a schema does not, then the schemas. The
// schema public is then as in a new database.
func (db *DB) resetPostgres(ctx context.Context) error {
	// What a script left open or set ends here.
	for _, statement := range []string{"ROLLBACK", "DISCARD ALL"} {
		if _, err := db.conn.Postgres.Exec(ctx, statement, pgx.QueryExecModeSimpleProtocol); err != nil {
			return err
		}
	}
	contents, err := db.postgresContents(ctx)
	if err != nil {
		return err
	}
	statements := []string{}
	for _, c := range contents {
		if c.How != "" {
			statements = append(statements, c.How)
		}
	}
	var version int
	if err := db.conn.Postgres.QueryRow(ctx, "SELECT current_setting('server_version_num')::int").Scan(&version); err != nil {
		return err
	}
	statements = append(statements, "DROP SCHEMA IF EXISTS public CASCADE", "CREATE SCHEMA public", "COMMENT ON SCHEMA public IS 'standard public schema'")
	switch {
	case version >= 150000:
		statements = append(statements, "GRANT USAGE ON SCHEMA public TO PUBLIC", "ALTER SCHEMA public OWNER TO pg_database_owner")
	default:
		statements = append(statements, "GRANT ALL ON SCHEMA public TO PUBLIC")
	}
	for _, s := range statements {
		if _, err := db.conn.Postgres.Exec(ctx, s, pgx.QueryExecModeSimpleProtocol); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	for _, role := range db.roles {
		for _, s := range []string{"DROP OWNED BY " + role.name, "DROP ROLE IF EXISTS " + role.name} {
			_, err := db.conn.Postgres.Exec(ctx, s, pgx.QueryExecModeSimpleProtocol)
			if gone := (*pgconn.PgError)(nil); err != nil && !(errors.As(err, &gone) && gone.Code == postgresUndefined) {
				return fmt.Errorf("%s: %w", s, err)
			}
		}
	}
	db.roles = nil
	return nil
}

// postgresScript leaves the search path as it found it, for what is executed next.
func postgresScript(ctx context.Context, conn *pgx.Conn) (*dbscript.Script, error) {
	var path string
	if err := conn.QueryRow(ctx, "SELECT pg_catalog.current_setting('search_path')").Scan(&path); err != nil {
		return nil, err
	}
	s, err := dbscript.Postgres(ctx, conn)
	if err != nil {
		return nil, err
	}
	_, err = conn.Exec(ctx, "SELECT pg_catalog.set_config('search_path', $1, false)", path)
	return s, err
}
