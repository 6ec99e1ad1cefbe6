package diff

import (
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// comments are the statements for comments that the making of their objects does not
// bring along, and for those that are gone.
func (d *differ) comments() []string {
	var list []string
	for _, o := range d.to.objects {
		before := d.from.byKey[o.key]
		switch {
		case d.comesAlong(o):
			continue
		case !d.made(o):
		case o.kind == "constraint" || o.kind == "foreign key" || o.kind == "index":
			before = nil
		default:
			continue // they came with it
		}
		had := map[string]string{}
		if before != nil {
			for _, c := range before.comments {
				if !d.droppedColumn(o, c.target) {
					had[c.target] = c.statement
				}
			}
		}
		for _, c := range o.comments {
			if had[c.target] != c.statement {
				list = append(list, c.statement)
			}
			delete(had, c.target)
		}
		if before != nil {
			for _, c := range before.comments { // in their order
				if had[c.target] != "" {
					list = append(list, c.target+"NULL;")
				}
			}
		}
	}
	return list
}

// droppedColumn reports whether a comment of a table went with its column.
func (d *differ) droppedColumn(o *object, target string) bool {
	t := d.byKey[o.key]
	return t != nil && slices.ContainsFunc(t.columns, func(c columnChange) bool { return c.dropped() && target == d.columnTarget(t.before, c.before) })
}

func (d *differ) columnTarget(t *schema.Table, c *schema.Column) string {
	return "COMMENT ON COLUMN " + d.from.parts.Name(t.Name) + "." + d.from.quote(c.Name) + " IS "
}

// constraintComment is the comment of a constraint of PostgreSQL.
func (s *state) constraintComment(t *schema.Table, name, text string) []comment {
	if text == "" {
		return nil
	}
	target := "COMMENT ON CONSTRAINT " + s.quote(name) + " ON " + s.parts.Name(t.Name) + " IS "
	return []comment{{target, target + s.o.Dialect.String(text) + ";"}}
}

// ofConstraint reports whether a comment is one of a constraint, which is an object of
// its own.
func ofConstraint(c comment) bool { return strings.HasPrefix(c.target, "COMMENT ON CONSTRAINT ") }
