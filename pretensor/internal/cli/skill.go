package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/names"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"
	"github.com/quartet-mcp/quartet/pretensor/internal/tools"
)

// skillMark is in every skill file that we wrote. A file without it is somebody's own.
const skillMark = "<!-- written by pretensor; index --skills-target writes it anew -->"

const (
	skillEntities = 12
	skillTables   = 5 // of each
	skillHubs     = 5
	skillJoins    = 8
)

// skillPaths are the files that a target stands for.
func skillPaths(connection, target string) ([]string, error) {
	file, err := state.FileName(connection)
	if err != nil {
		return nil, err
	}
	claude := filepath.Join(".claude", "skills", name+"-"+file, "SKILL.md")
	cursor := filepath.Join(".cursor", "rules", name+"-"+file+".mdc")
	switch target {
	case "none":
		return nil, nil
	case "claude":
		return []string{claude}, nil
	case "cursor":
		return []string{cursor}, nil
	case "all":
		return []string{claude, cursor}, nil
	}
	return []string{target}, nil
}

// writeSkill writes the skill files of a connection and returns their paths.
func (s *session) writeSkill(connection, target string) ([]string, error) {
	paths, err := skillPaths(connection, target)
	if err != nil || len(paths) == 0 {
		return nil, err
	}
	_, c, err := s.choose(connection)
	if err != nil {
		return nil, err
	}
	text := s.skill(c)
	for _, path := range paths {
		old, err := os.ReadFile(path)
		switch {
		case err == nil && !strings.Contains(string(old), skillMark):
			return nil, fmt.Errorf("the index is written, but not the skill file: %s is there and was not written by pretensor", path)
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("reading the skill file: %w", err)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, fmt.Errorf("writing the skill file: %w", err)
		}
		if err := (state.Writer{}).Write(path, []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	return paths, nil
}

// skill is what an assistant should know before it asks about a connection.
func (s *session) skill(c *catalog.Catalog) string {
	var b strings.Builder
	conn := prose(c.Connection)
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("---\nname: %s-%s\ndescription: %q\n---\n%s\n", name, strings.ReplaceAll(conn, " ", "-"),
		fmt.Sprintf("The structure of the %s database %s: find tables, join them, check SQL before it runs.", c.Dialect, conn), skillMark)
	line("# %s\n", conn)
	declared, inferred := joinsOf(c)
	line("%s with %s, %s and %s; %s. Indexed %s.\n", names.Count(c.Len(), "table"), names.Count(c.Columns(), "column"),
		names.Count(len(declared), "declared join"), names.Count(len(inferred), "inferred join"),
		names.Count(len(c.Clusters), "cluster"), c.BuiltAt.UTC().Format("2006-01-02 15:04 UTC"))

	if len(c.Entities) > 0 {
		line("## Entities\n")
		for i, e := range c.Entities {
			if i == skillEntities {
				line("- … %d more", len(c.Entities)-i)
				break
			}
			names := make([]string, len(e.Tables))
			for j, t := range e.Tables {
				names[j] = prose(c.Name(t))
			}
			more := ""
			if len(names) > skillTables {
				more = fmt.Sprintf(", … %d more", len(names)-skillTables)
			}
			line("- %s: %s%s", prose(e.Name), strings.Join(names[:min(skillTables, len(names))], ", "), more)
		}
		line("")
	}
	if hubs := hubsOf(c); len(hubs) > 0 {
		line("## Hubs\n")
		for _, t := range hubs {
			line("- %s: %s", prose(c.Name(t)), names.Count(len(c.In(t))+len(c.Out(t)), "join"))
		}
		line("")
	}
	line("## Tools\n")
	server := mcpkit.New(mcpkit.Info{Name: name, Version: s.Version}, nil)
	tools.Register(server, &tools.Service{}, nil)
	for _, t := range server.Tools() {
		line("- `%s`: %s", t.Name, firstSentence(t.Description))
	}
	line("\n## How to call them\n")
	from, to := example(c, declared)
	for _, call := range []string{
		fmt.Sprintf(`query {"q": "what you look for, in words", "db": %q}`, conn),
		fmt.Sprintf(`context {"table": %q, "db": %q}`, from, conn),
		fmt.Sprintf(`traverse {"from_table": %q, "to_table": %q, "database": %q}`, from, to, conn),
		fmt.Sprintf(`validate_sql {"sql": "SELECT … FROM %s", "database": %q}`, strings.ReplaceAll(from, `"`, `\"`), conn),
		fmt.Sprintf(`impact {"table": %q, "database": %q}`, to, conn),
	} {
		line("- `%s`", call)
	}
	for _, part := range []struct {
		title string
		edges []*catalog.Edge
	}{{"Declared joins", declared}, {"Inferred joins", inferred}} {
		if len(part.edges) == 0 {
			continue
		}
		line("\n## %s\n", part.title)
		for i, e := range part.edges {
			if i == skillJoins {
				line("- … %d more", len(part.edges)-i)
				break
			}
			sure := ""
			if !e.Declared {
				sure = fmt.Sprintf(" (%.2f)", e.Confidence)
			}
			line("- %s (%s) → %s (%s)%s", prose(c.Name(e.From)), prose(strings.Join(e.FromColumns, ", ")), prose(c.Name(e.To)), prose(strings.Join(e.ToColumns, ", ")), sure)
		}
	}
	return b.String()
}

// prose is a name of the database as it may stand in a text for assistants: one line,
// and nothing that ends a code span.
func prose(text string) string { return strings.ReplaceAll(oneLine(text), "`", "'") }

func firstSentence(text string) string {
	text = oneLine(text)
	if i := strings.Index(text, ". "); i >= 0 {
		return text[:i+1]
	}
	return text
}

// joinsOf are the joins, those between the tables that are joined most first, inferred
// ones by their confidence.
func joinsOf(c *catalog.Catalog) (declared, inferred []*catalog.Edge) {
	degree := func(e *catalog.Edge) int { return len(c.In(e.To)) + len(c.In(e.From)) }
	for i := range c.Edges() {
		if e := c.Edge(i); e.Declared {
			declared = append(declared, e)
		} else {
			inferred = append(inferred, e)
		}
	}
	slices.SortStableFunc(declared, func(a, b *catalog.Edge) int { return cmp.Compare(degree(b), degree(a)) })
	slices.SortStableFunc(inferred, func(a, b *catalog.Edge) int { return cmp.Compare(b.Confidence, a.Confidence) })
	return declared, inferred
}

// hubsOf are the tables with the most joins, three at least.
func hubsOf(c *catalog.Catalog) []int {
	var all []int
	for t := range c.Len() {
		if len(c.In(t))+len(c.Out(t)) >= 3 {
			all = append(all, t)
		}
	}
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(len(c.In(b))+len(c.Out(b)), len(c.In(a))+len(c.Out(a))) })
	return all[:min(skillHubs, len(all))]
}

// example is a pair of tables to show calls with.
func example(c *catalog.Catalog, declared []*catalog.Edge) (from, to string) {
	switch {
	case len(declared) > 0:
		return prose(c.Name(declared[0].From)), prose(c.Name(declared[0].To))
	case c.Len() > 0:
		return prose(c.Name(0)), prose(c.Name(c.Len() - 1))
	}
	return "orders", "customers"
}
