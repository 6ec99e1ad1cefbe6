package mysql

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// readGrants reads who may read and write the tables, and who belongs to which
// role. A privilege on a schema or on everything becomes one on each table that was
// read. A user is called user@host, a role of MariaDB by its name alone. Privileges
// that were revoked in part (partial_revokes of MySQL) are not taken away. A user
// who may not read the server's own tables sees only what concerns itself.
func (c *connector) readGrants(ctx context.Context, s *structure) error {
	const data = "('SELECT', 'INSERT', 'UPDATE', 'DELETE')"
	query := `SELECT 'column', GRANTEE, TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, PRIVILEGE_TYPE FROM information_schema.COLUMN_PRIVILEGES
		UNION ALL SELECT 'table', GRANTEE, TABLE_SCHEMA, TABLE_NAME, '', PRIVILEGE_TYPE FROM information_schema.TABLE_PRIVILEGES WHERE PRIVILEGE_TYPE IN ` + data + `
		UNION ALL SELECT 'schema', GRANTEE, TABLE_SCHEMA, '', '', PRIVILEGE_TYPE FROM information_schema.SCHEMA_PRIVILEGES WHERE PRIVILEGE_TYPE IN ` + data + `
		UNION ALL SELECT 'global', GRANTEE, '', '', '', PRIVILEGE_TYPE FROM information_schema.USER_PRIVILEGES
		UNION ALL `
	switch {
	case s.has["mysql.roles_mapping"]:
		query += `SELECT 'role', CONCAT('''', User, '''@''', Host, ''''), CONCAT('''', Role, '''@'''''), '', '', '' FROM mysql.roles_mapping`
	case s.has["mysql.role_edges"]:
		query += `SELECT 'role', CONCAT('''', TO_USER, '''@''', TO_HOST, ''''), CONCAT('''', FROM_USER, '''@''', FROM_HOST, ''''), '', '', '' FROM mysql.role_edges`
	case s.has["APPLICABLE_ROLES.ROLE_HOST"]:
		query += `SELECT 'role', CONCAT('''', GRANTEE, '''@''', GRANTEE_HOST, ''''), CONCAT('''', ROLE_NAME, '''@''', ROLE_HOST, ''''), '', '', '' FROM information_schema.APPLICABLE_ROLES`
	default:
		query += `SELECT 'role', GRANTEE, ROLE_NAME, '', '', '' FROM information_schema.APPLICABLE_ROLES`
	}
	return c.each(ctx, query, nil, func(rows *sql.Rows) error {
		var kind, who, schema, table, column, privilege string
		if err := rows.Scan(&kind, &who, &schema, &table, &column, &privilege); err != nil {
			return err
		}
		name := account(who)
		role := s.roles[name]
		if role == nil {
			role = &model.Role{Name: name}
			s.roles[name] = role
		}
		if kind == "role" {
			role.MemberOf = add(role.MemberOf, account(schema))
			return nil
		}
		if kind == "global" {
			role.Superuser = role.Superuser || privilege == "SUPER"
			if !slices.Contains([]string{"SELECT", "INSERT", "UPDATE", "DELETE"}, privilege) {
				return nil
			}
		}
		tables := s.relations
		switch kind {
		case "table", "column":
			tables = nil
			if r := s.find(schema, table); r != nil {
				tables = []*relation{r}
			}
		case "schema":
			tables = slices.DeleteFunc(slices.Clone(tables), func(r *relation) bool { return !like(schema, r.Schema) })
		}
		for _, r := range tables {
			role.Schemas = add(role.Schemas, r.Schema)
			r.grant(name, privilege, column)
		}
		return nil
	})
}

// grant adds a privilege, on one column or, if that is empty, on the whole table.
func (r *relation) grant(grantee, privilege, column string) {
	i := slices.IndexFunc(r.Grants, func(g model.Grant) bool {
		return g.Grantee == grantee && g.Privilege == privilege && (len(g.Columns) > 0) == (column != "")
	})
	if i < 0 {
		i = len(r.Grants)
		r.Grants = append(r.Grants, model.Grant{Grantee: grantee, Privilege: privilege})
	}
	if column != "" {
		r.Grants[i].Columns = add(r.Grants[i].Columns, column)
		slices.Sort(r.Grants[i].Columns)
	}
}

func add(list []string, name string) []string {
	if slices.Contains(list, name) {
		return list
	}
	return append(list, name)
}

// account is the name of 'user'@'host'; what has no host is a role.
func account(grantee string) string {
	name, ok := strings.CutPrefix(grantee, "'")
	if !ok {
		return grantee
	}
	name = strings.TrimSuffix(name, "'")
	user, host := name, ""
	if i := strings.LastIndex(name, "'@'"); i >= 0 {
		user, host = name[:i], name[i+len("'@'"):]
	}
	if host == "" {
		return user
	}
	return user + "@" + host
}

// like reports whether the name of a schema matches the pattern of a grant, in
// which _ is any character and % any text, but behind a backslash.
func like(pattern, name string) bool {
	if pattern == "" {
		return name == ""
	}
	switch pattern[0] {
	case '%':
		pattern = "%" + strings.TrimLeft(pattern, "%")
		for i := range len(name) + 1 {
			if like(pattern[1:], name[i:]) {
				return true
			}
		}
		return false
	case '\\':
		if len(pattern) > 1 {
			pattern = pattern[1:]
		}
	case '_':
		return name != "" && like(pattern[1:], name[1:])
	}
	return name != "" && name[0] == pattern[0] && like(pattern[1:], name[1:])
}
