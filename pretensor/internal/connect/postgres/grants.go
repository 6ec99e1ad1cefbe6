package postgres

import (
	"context"
	"slices"

	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

func (in *introspection) readGrants(ctx context.Context) error {
	rows, err := query[struct {
		Table, Grantee          int64
		Name, Privilege, Column string
	}](ctx, in.conn, grantsSQL, in.kept)
	if err != nil {
		return err
	}
	for _, r := range rows { // ordered by table, grantee, privilege and column
		t := in.tables[r.Table]
		n := len(t.Grants)
		same := n > 0 && t.Grants[n-1].Grantee == r.Name && t.Grants[n-1].Privilege == r.Privilege
		switch {
		case r.Column == "" && !same:
			t.Grants = append(t.Grants, model.Grant{Grantee: r.Name, Privilege: r.Privilege})
		case r.Column == "", same && len(t.Grants[n-1].Columns) == 0:
			// granted twice, or a column's privilege that the table's includes
		case same:
			if last := &t.Grants[n-1]; !slices.Contains(last.Columns, r.Column) {
				last.Columns = append(last.Columns, r.Column)
			}
		default:
			t.Grants = append(t.Grants, model.Grant{Grantee: r.Name, Privilege: r.Privilege, Columns: []string{r.Column}})
		}
	}
	return nil
}

func (in *introspection) readRoles(ctx context.Context) error {
	var schemas []string
	for _, t := range in.tables {
		schemas = append(schemas, t.Schema)
	}
	slices.Sort(schemas)
	rows, err := query[struct {
		Name              string
		Superuser         bool
		MemberOf, Schemas []string
	}](ctx, in.conn, rolesSQL, slices.Compact(schemas))
	if err != nil {
		return err
	}
	for _, r := range rows {
		in.db.Roles = append(in.db.Roles, model.Role(r))
	}
	return nil
}
