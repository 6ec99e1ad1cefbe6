package validate

import (
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// nullableKey is the setting of a table that lets its key be nullable.
const nullableKey = "allow_nullable_key"

// checkOrderKey checks the key by which a table of ClickHouse is sorted (CLS001).
func (c *checker) checkOrderKey(t *table) {
	if !strings.Contains(strings.ToLower(t.Engine), "mergetree") && t.Engine != "" {
		return
	}
	order, object := strings.TrimSpace(t.OrderBy), t.object
	if order == "" {
		if t.primaryKey() == nil {
			c.problem("CLS001", t.Origin, object, "table %q has no key to sort by; declare a primary key or ORDER BY", object)
		}
		return
	}
	if slices.ContainsFunc(t.Options, func(o schema.Option) bool {
		return strings.EqualFold(o.Key, nullableKey) || o.Key == "SETTINGS" && strings.Contains(o.Value, nullableKey)
	}) {
		return
	}
	order = strings.TrimPrefix(order, "tuple")
	if strings.HasPrefix(order, "(") && strings.HasSuffix(order, ")") {
		order = order[1 : len(order)-1]
	}
	for part := range strings.SplitSeq(order, ",") {
		name := strings.Trim(strings.TrimSpace(part), "`\"")
		col := c.column(t, name)
		if col == nil { // an expression, or a part of one
			continue
		}
		nullable := strings.EqualFold(col.Type.Name, "Nullable")
		if !col.Native {
			nullable = !c.notNull(t, col)
		}
		if nullable {
			c.problem("CLS001", t.Origin, object, "column %.80q of the ORDER BY of table %q is nullable; declare it not null", col.Name, object)
		}
	}
}

// checkTTL checks the row expiry of CockroachDB (TTL001).
func (c *checker) checkTTL(t *table) {
	if len(t.TTL) == 0 || c.d != dialect.CockroachDB {
		return
	}
	if !slices.ContainsFunc(t.TTL, func(o schema.Option) bool {
		return strings.HasSuffix(o.Key, "expire_after") || strings.HasSuffix(o.Key, "expiration_expression") || o.Key == "ttl"
	}) {
		c.problem("TTL001", t.Origin, t.object, "table %q has %s and neither ttl_expire_after nor ttl_expiration_expression; add one", t.object, t.TTL[0].Key)
	}
}
