package drift

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/names"
)

// RowDrift is a table whose number of rows at least doubled or halved.
type RowDrift struct {
	Schema string `json:"schema" jsonschema:"schema of the table"`
	Table  string `json:"table" jsonschema:"the table"`
	Old    int64  `json:"old" jsonschema:"rows when it was indexed"`
	New    int64  `json:"new" jsonschema:"rows now"`
}

// leastRows is the larger of the two numbers from which a difference counts.
const leastRows = 10_000

// RowDrifts lists the tables, there before and now, whose number of rows at least
// doubled or halved and is or was 10,000 or more, sorted by schema and name.
func RowDrifts(before, after *model.Database) []RowDrift {
	out := []RowDrift{}
	olds := byName(before)
	for i := range after.Tables {
		t := &after.Tables[i]
		old := olds[nameOf(t)]
		if old == nil || old.Rows == nil || t.Rows == nil || *old.Rows < 0 || *t.Rows < 0 {
			continue
		}
		low, high := min(*old.Rows, *t.Rows), max(*old.Rows, *t.Rows)
		if high >= leastRows && low <= high/2 {
			out = append(out, RowDrift{t.Schema, t.Name, *old.Rows, *t.Rows})
		}
	}
	slices.SortFunc(out, func(a, b RowDrift) int { return cmp.Or(cmp.Compare(a.Schema, b.Schema), cmp.Compare(a.Table, b.Table)) })
	return out
}

// Summary says in one sentence what changed, and how many stored join paths need a
// refresh because of it.
func Summary(changes []Change, stalePaths int) string {
	if len(changes) == 0 {
		return "No structural changes."
	}
	var parts []string
	for _, severity := range []string{Breaking, Risky, Safe} {
		total := 0
		var kinds []string
		for _, target := range targets {
			for _, what := range []string{Removed, Renamed, Modified, Added} {
				n := 0
				for _, c := range changes {
					if c.Severity == severity && c.Target == target && c.Type == what {
						n++
					}
				}
				if n > 0 {
					kinds = append(kinds, names.Count(n, noun(target))+" "+what)
				}
				total += n
			}
		}
		if total > 0 {
			parts = append(parts, names.Count(total, severity+" change")+": "+strings.Join(kinds, ", "))
		}
	}
	switch {
	case stalePaths == 1:
		parts = append(parts, "1 stored join path needs a refresh")
	case stalePaths > 1:
		parts = append(parts, names.Count(stalePaths, "stored join path")+" need a refresh")
	}
	return strings.Join(parts, "; ") + "."
}

func noun(target string) string {
	switch target {
	case ForeignKey:
		return "foreign key"
	case LineageOf:
		return "lineage edge"
	}
	return target
}

// Recommendation says what to do about the changes to a database of so many tables
// that is indexed as the connection.
func Recommendation(changes []Change, tables, stalePaths int, connection string) string {
	switch {
	case len(changes) == 0:
		return "Nothing to do."
	case stalePaths > 0 || Far(changes, tables):
		return RecommendReindex(connection) + " --recompute-intelligence"
	}
	return RecommendReindex(connection)
}

// Stale warns of an index that is so many days old, if that is more than the limit;
// empty if it is not.
func Stale(days, limit int, connection string) string {
	if days <= limit {
		return ""
	}
	return fmt.Sprintf("Index is %s old (limit %d). %s", names.Count(days, "day"), limit, RecommendReindex(connection))
}

// RecommendReindex is the recommendation where the index is old, or little changed.
func RecommendReindex(connection string) string {
	return "Run: pretensor reindex --database " + names.Argument(connection)
}

// RecommendIndex is the recommendation where the snapshot's format is older and
// nothing can be compared.
func RecommendIndex(connection string) string {
	return "Run: pretensor index " + names.Argument(connection)
}

// Far reports whether the changes go so far that what was derived from the
// structure should be computed anew: keys changed, or at least a tenth of the
// tables did.
func Far(changes []Change, tables int) bool {
	touched := map[name]bool{}
	for _, c := range changes {
		if !c.Touches() {
			continue
		}
		if c.Target == ForeignKey || c.Target == Constraint && !strings.HasPrefix(c.Details, "check") {
			return true
		}
		touched[name{c.Schema, c.Table}] = true
	}
	return len(touched) > 0 && 10*len(touched) >= tables
}

// String is the change in one line, for people.
func (c Change) String() string {
	where := model.Qualify(c.Schema, c.Table)
	if c.Column != "" {
		where += "." + c.Column
	}
	text := fmt.Sprintf("%s: %s: %s", c.Severity, where, c.Details)
	if c.Type == Renamed {
		text += ", was " + c.Old
	}
	return text
}
