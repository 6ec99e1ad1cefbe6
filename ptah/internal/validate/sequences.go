package validate

import (
	"context"
	"math"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// checkSequences checks sequences (SEQ001).
func (c *checker) checkSequences(_ context.Context) {
	for _, s := range c.db.Sequences {
		object := c.show(s.Name)
		c.sequenceOptions(s.SequenceOptions, s.As, s.Origin, object)
		if s.OwnedBy == nil {
			continue
		}
		t := c.table(s.OwnedBy.Table)
		switch {
		case t == nil:
			c.missing("SEQ001", s.Origin, object, "sequence %.80q is owned by a column of table %.80q, which is not declared%s", object, c.show(s.OwnedBy.Table), c.nearTable(s.OwnedBy.Table))
		case c.column(t, s.OwnedBy.Column) == nil && !t.open:
			c.missing("SEQ001", s.Origin, object, "sequence %.80q is owned by column %.80q, which table %q does not declare%s", object, s.OwnedBy.Column, t.object, c.nearColumn(t, s.OwnedBy.Column))
		}
	}
}

// sequenceOptions checks the numbers of a sequence against each other. What is not said
// is what PostgreSQL assumes.
func (c *checker) sequenceOptions(o schema.SequenceOptions, as string, at schema.Origin, object string) {
	bad := func(format string, args ...any) { c.problem("SEQ001", at, object, format, args...) }
	lowest, highest := int64(math.MinInt64), int64(math.MaxInt64)
	if c.d.PostgresFamily() {
		t, _ := schema.ParseType(as)
		if own, known := c.builtin(t, true); known && integerBits[own.name] > 0 {
			highest = 1<<(integerBits[own.name]-1) - 1
			lowest = -highest - 1
		}
	}
	step := int64(1)
	if o.Increment != nil {
		step = *o.Increment
	}
	if step == 0 && c.d == dialect.MariaDB { // it takes the server's step
		step = 1
	}
	if step == 0 {
		bad("the increment of a sequence must not be 0")
		return
	}
	least, most := int64(1), highest
	if step < 0 {
		least, most = lowest, -1
	}
	if o.Min != nil {
		least = *o.Min
	}
	if o.Max != nil {
		most = *o.Max
	}
	start := least
	if step < 0 {
		start = most
	}
	if o.Start != nil {
		start = *o.Start
	}
	switch {
	case least < lowest:
		bad("the minimum %d is out of range for type %.80q", least, as)
	case most > highest:
		bad("the maximum %d is out of range for type %.80q", most, as)
	case least >= most:
		bad("the minimum %d of a sequence must be less than its maximum %d", least, most)
	case start < least || start > most:
		bad("the start %d of a sequence must be between its minimum %d and its maximum %d", start, least, most)
	}
	fewest := int64(1)
	if c.d.MySQLFamily() {
		fewest = 0 // NOCACHE
	}
	if o.Cache != nil && *o.Cache < fewest {
		bad("the cache of a sequence must be at least %d, got %d", fewest, *o.Cache)
	}
}
