package scratch

import (
	"context"
	"fmt"
	"strings"
)

const mysqlObjects = `SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()
UNION ALL SELECT routine_name FROM information_schema.routines WHERE routine_schema = DATABASE()
UNION ALL SELECT event_name FROM information_schema.events WHERE event_schema = DATABASE() ORDER BY 1`

// mysqlDrops are what lists the objects of each kind and what drops them. Triggers go with
// their tables.
var mysqlDrops = []struct{ kind, list string }{
	{"EVENT", "SELECT event_name FROM information_schema.events WHERE event_schema = DATABASE() ORDER BY 1"},
	{"VIEW", "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type = 'VIEW' ORDER BY 1"},
	{"TABLE", "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type IN ('BASE TABLE', 'SYSTEM VERSIONED') ORDER BY 1"},
	{"SEQUENCE", "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type = 'SEQUENCE' ORDER BY 1"},
	{"PROCEDURE", "SELECT routine_name FROM information_schema.routines WHERE routine_schema = DATABASE() AND routine_type = 'PROCEDURE' ORDER BY 1"},
	{"FUNCTION", "SELECT routine_name FROM information_schema.routines WHERE routine_schema = DATABASE() AND routine_type = 'FUNCTION' ORDER BY 1"},
}

func (db *DB) resetMySQL(ctx context.Context) error {
	statements := []string{"ROLLBACK", "SET foreign_key_checks = 0"}
	for _, d := range mysqlDrops {
		names, err := db.strings(ctx, d.list)
		if err != nil {
			return err
		}
		for _, name := range names {
			statements = append(statements, "DROP "+d.kind+" `"+strings.ReplaceAll(name, "`", "``")+"`")
		}
	}
	for _, role := range db.roles {
		statements = append(statements, "DROP "+role.kind+" IF EXISTS "+role.name)
	}
	for _, s := range append(statements, "SET foreign_key_checks = 1") {
		if _, err := db.conn.SQL.ExecContext(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	db.roles = nil
	return nil
}
