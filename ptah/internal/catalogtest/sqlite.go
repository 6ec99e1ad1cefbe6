package catalogtest

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"strings"
)

// SQLite reads everything that a database of SQLite holds. Columns, keys and indexes come
// from the pragmas; texts that SQLite keeps as they were written (checks, generated
// columns, views, triggers) are compared without quotes and blanks.
func SQLite(ctx context.Context, db *sql.DB) ([]Line, error) {
	var lines []Line
	add := func(kind, query string, args ...any) error {
		rows, err := db.QueryContext(ctx, query, args...)
		if err != nil {
			return fmt.Errorf("reading %s: %w", kind, err)
		}
		defer rows.Close()
		for rows.Next() {
			l := Line{Kind: kind}
			if err := rows.Scan(&l.Name, &l.Text); err != nil {
				return fmt.Errorf("reading %s: %w", kind, err)
			}
			lines = append(lines, l)
		}
		return rows.Err()
	}
	const mine = `m.name NOT LIKE 'sqlite\_%' ESCAPE '\'`
	for _, q := range []struct{ kind, sql string }{
		{"table", `SELECT m.name, l.type || ' without rowid ' || l.wr || ' strict ' || l.strict || ' autoincrement ' || (m.sql LIKE '%autoincrement%')
			FROM sqlite_schema m JOIN pragma_table_list(m.name) l WHERE m.type = 'table' AND l.schema = 'main' AND ` + mine + ` ORDER BY 1`},
		{"column", `SELECT m.name || '.' || c.name, format('#%d %s notnull %d default %s pk %d hidden %d', c.cid, c.type, c."notnull", c.dflt_value, c.pk, c.hidden)
			FROM sqlite_schema m JOIN pragma_table_xinfo(m.name) c WHERE m.type IN ('table', 'view') AND ` + mine + ` ORDER BY m.name, c.cid`},
		{"foreign key", `SELECT m.name || '.' || f."from", format('#%d %s.%s update %s delete %s match %s', f.seq, f."table", f."to", f.on_update, f.on_delete, f.match)
			FROM sqlite_schema m JOIN pragma_foreign_key_list(m.name) f WHERE m.type = 'table' AND ` + mine + ` ORDER BY m.name, f."table", f."from", f.seq`},
		{"index", `SELECT m.name || CASE i.origin WHEN 'c' THEN '.' || i.name ELSE '' END, format('%s unique %d partial %d on %s', i.origin, i."unique", i.partial,
				(SELECT group_concat(coalesce(x.name, 'expression') || ' ' || x."desc" || ' ' || x.coll, ', ') FROM pragma_index_xinfo(i.name) x WHERE x.key))
			FROM sqlite_schema m JOIN pragma_index_list(m.name) i WHERE m.type = 'table' AND ` + mine + ` ORDER BY 1, 2`},
	} {
		if err := add(q.kind, q.sql); err != nil {
			return nil, err
		}
	}
	first := len(lines)
	if err := add("text", `SELECT m.type || ' ' || m.name, m.sql FROM sqlite_schema m WHERE m.sql IS NOT NULL AND `+mine+` ORDER BY 1`); err != nil {
		return nil, err
	}
	kept := lines[:first:first]
	for _, l := range lines[first:] {
		if strings.HasPrefix(l.Name, "table ") {
			for _, part := range parts(l.Text) {
				kept = append(kept, Line{"part of a table", l.Name, part})
			}
			continue
		}
		l.Text = bare(l.Text)
		if strings.HasPrefix(l.Name, "index ") {
			l.Text = loose(l.Text)
		}
		kept = append(kept, l)
	}
	return kept, nil
}

var (
	blanks = regexp.MustCompile(`\s+`)
	marks  = regexp.MustCompile("[\"`\\[\\];]")
)

// bare is a text without quotes of names and with blanks only between words.
func bare(text string) string {
	text = strings.ToLower(blanks.ReplaceAllString(marks.ReplaceAllString(text, ""), " "))
	for _, sign := range []string{"(", ")", ",", "=", "<", ">"} {
		text = strings.ReplaceAll(strings.ReplaceAll(text, " "+sign, sign), sign+" ", sign)
	}
	return strings.TrimSpace(text)
}

// loose is bare without parentheses, which SQLite keeps around expressions where they
// were written and which mean nothing there.
func loose(text string) string {
	return bare(strings.NewReplacer("(", " ", ")", " ").Replace(text))
}

var textual = regexp.MustCompile(`(?i)\b(check|as|deferrable[a-z ]*|on conflict [a-z]+)\s*\(?`)

// parts are the checks, generated expressions, deferrals and conflict clauses of a
// CREATE TABLE, in the order of the text.
func parts(create string) []string {
	var found []string
	for _, at := range textual.FindAllStringIndex(create, -1) {
		text := create[at[0]:at[1]]
		if !strings.HasSuffix(text, "(") {
			if !strings.EqualFold(strings.TrimSpace(text), "as") && !strings.EqualFold(strings.TrimSpace(text), "check") {
				found = append(found, bare(text))
			}
			continue
		}
		depth, end := 1, at[1]
		for ; end < len(create) && depth > 0; end++ {
			switch create[end] {
			case '(':
				depth++
			case ')':
				depth--
			}
		}
		found = append(found, bare(create[at[0]:end]))
	}
	return found
}
