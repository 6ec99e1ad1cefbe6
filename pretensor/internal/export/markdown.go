package export

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/names"
)

// Markdown writes a page about a catalog: a section for each table with its columns,
// keys and joins, those that were inferred with their confidence.
func Markdown(w io.Writer, c *catalog.Catalog) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "# %s\n\n", escaped(c.Connection))
	fmt.Fprintf(b, "Database %s (%s), %d tables, %d columns, indexed %s.\n", escaped(c.Database), escaped(c.Dialect), c.Len(), c.Columns(),
		c.BuiltAt.UTC().Format("2006-01-02 15:04:05Z"))
	from := feeding(c)
	for t := range c.Tables {
		section(b, c, t, from[t])
	}
	if len(c.Metrics) > 0 {
		fmt.Fprint(b, "\n## Metrics\n\n| metric | description | tables |\n|---|---|---|\n")
		for i := range c.Metrics {
			m := &c.Metrics[i]
			tables := make([]string, len(m.Uses))
			for k, u := range m.Uses {
				tables[k] = escaped(c.Name(u.Table))
			}
			fmt.Fprintf(b, "| %s | %s | %s |\n", escaped(m.Name), escaped(m.Description), strings.Join(tables, ", "))
		}
	}
	return b.Flush() // the first error of all writes
}

func section(b *bufio.Writer, c *catalog.Catalog, i int, from []string) {
	t, f := &c.Tables[i], &c.Facts[i]
	fmt.Fprintf(b, "\n## %s\n\n", escaped(c.Name(i)))
	if f.Description != "" {
		fmt.Fprintf(b, "%s\n\n", escaped(f.Description))
	}
	facts := []string{escaped(strings.ReplaceAll(t.Type, "_", " "))}
	if f.Role != "" {
		facts = append(facts, "role "+escaped(f.Role))
	}
	if t.Rows != nil && *t.Rows >= 0 {
		facts = append(facts, fmt.Sprintf("%d rows", *t.Rows))
	}
	if n := len(c.ConsumersOf(i)); n > 0 {
		facts = append(facts, fmt.Sprintf("uses in code: %d", n))
	}
	fmt.Fprintf(b, "%s\n\n| column | type | null | key | default | comment |\n|---|---|---|---|---|---|\n", strings.Join(facts, ", "))
	keys := t.ColumnFacts()
	for k := range t.Columns {
		col := &t.Columns[k]
		name, null := col.Name, ""
		key := keys[col.Name]
		if col.Parent != "" {
			name, key = col.Parent+"."+col.Name, model.ColumnFacts{}
		}
		if col.Nullable {
			null = "yes"
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s |\n", escaped(name), escaped(col.Type), null, strings.Join(marks(key), ", "), escaped(col.Default), escaped(col.Comment))
	}
	var lines []string
	for _, id := range c.Out(i) {
		e := c.Edge(id)
		lines = append(lines, fmt.Sprintf("refers to %s by %s%s", escaped(c.Name(e.To)), pairs(e), sure(e)))
	}
	for _, id := range c.In(i) {
		if e := c.Edge(id); e.From != i {
			lines = append(lines, fmt.Sprintf("referred to by %s by %s%s", escaped(c.Name(e.From)), pairs(e), sure(e)))
		}
	}
	for _, name := range from {
		lines = append(lines, "reads "+escaped(name))
	}
	if len(lines) > 0 {
		fmt.Fprintln(b)
	}
	for _, l := range lines {
		fmt.Fprintf(b, "- %s\n", l)
	}
}

// marks are what keys say of a column, in short.
func marks(f model.ColumnFacts) []string {
	var out []string
	if f.Primary {
		out = append(out, "PK")
	}
	if f.Foreign {
		out = append(out, "FK")
	}
	if f.Unique && !f.Primary {
		out = append(out, "UK")
	}
	return out
}

func pairs(e *catalog.Edge) string {
	out := make([]string, 0, len(e.FromColumns))
	for k := range min(len(e.FromColumns), len(e.ToColumns)) {
		out = append(out, escaped(e.FromColumns[k]+" = "+e.ToColumns[k]))
	}
	return strings.Join(out, " and ")
}

func sure(e *catalog.Edge) string {
	if e.Declared {
		return ""
	}
	return fmt.Sprintf(" (inferred, %.2f)", e.Confidence)
}

// escaped is a text as a part of a line or of a cell.
func escaped(text string) string { return names.Markdown(oneLine(text)) }
