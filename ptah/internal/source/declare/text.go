package declare

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// split takes a list apart at its commas and the blanks from its elements. If the
// elements are SQL, commas in parentheses, brackets and quotes are theirs. The list of
// a blank text is empty.
func split(text string, sql bool) []string {
	list := []string{}
	if blank(text) {
		return list
	}
	depth, start := 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case ',':
			if depth == 0 {
				list = append(list, strings.TrimSpace(text[start:i]))
				start = i + 1
			}
		case '\'', '"', '`':
			if sql {
				i = skipQuoted(text, i)
			}
		case '(', '[':
			if sql {
				depth++
			}
		case ')', ']':
			depth = max(0, depth-1)
		}
	}
	return append(list, strings.TrimSpace(text[start:]))
}

// skipQuoted returns where the quoted text that begins at i ends; i itself if it does not.
func skipQuoted(text string, i int) int {
	if end := strings.IndexByte(text[i+1:], text[i]); end >= 0 {
		return i + 1 + end
	}
	return i
}

// name reads a name at the beginning of a text: up to a blank or one of stop, or quoted.
func name(text, stop string) (name, rest string, ok bool) {
	if !strings.HasPrefix(text, `"`) {
		end := strings.IndexAny(text, stop)
		if end < 0 {
			end = len(text)
		}
		name = strings.TrimSpace(text[:end])
		return name, text[end:], name != "" && !strings.Contains(name, `"`)
	}
	for i := 1; i < len(text); i++ {
		if text[i] != '"' {
			continue
		}
		if strings.HasPrefix(text[i+1:], `"`) {
			i++
			continue
		}
		return strings.ReplaceAll(text[1:i], `""`, `"`), strings.TrimSpace(text[i+1:]), i > 1
	}
	return "", "", false
}

// tableName reads table or schema.table. Names are exact; one that holds a dot is quoted.
func tableName(text string) (schema.Name, error) {
	n, rest, ok := qualified(strings.TrimSpace(text))
	if !ok || rest != "" {
		return schema.Name{}, fmt.Errorf("%.80q is not of the form table or schema.table", text)
	}
	return n, nil
}

func qualified(text string) (n schema.Name, rest string, ok bool) {
	const stop = ".(),"
	if n.Name, rest, ok = name(text, stop); !ok || !strings.HasPrefix(rest, ".") {
		return n, rest, ok
	}
	n.Schema = n.Name
	n.Name, rest, ok = name(strings.TrimSpace(rest[1:]), stop)
	return n, rest, ok
}

// reference reads table(column) or schema.table(column).
func reference(text string) (*schema.Reference, error) {
	wrong := fmt.Errorf("%.80q is not of the form table(column) or schema.table(column)", text)
	n, rest, ok := qualified(strings.TrimSpace(text))
	if !ok || !strings.HasPrefix(rest, "(") || !strings.HasSuffix(rest, ")") {
		return nil, wrong
	}
	column, rest, ok := name(strings.TrimSpace(rest[1:len(rest)-1]), ".(),")
	if !ok || rest != "" {
		return nil, wrong
	}
	return &schema.Reference{Table: n, Columns: []string{column}}, nil
}

// columnOf reads table.column or schema.table.column.
func columnOf(text string) (*schema.ColumnRef, error) {
	n, rest, ok := qualified(strings.TrimSpace(text))
	if ok && n.Schema != "" {
		ref := &schema.ColumnRef{Table: schema.Name{Name: n.Schema}, Column: n.Name}
		if rest == "" {
			return ref, nil
		}
		ref.Table = n
		if ref.Column, rest, ok = name(strings.TrimPrefix(rest, "."), ".(),"); ok && rest == "" {
			return ref, nil
		}
	}
	return nil, fmt.Errorf("%.80q is not of the form table.column or schema.table.column", text)
}

var (
	nullsOrder = regexp.MustCompile(`(?i)\s+NULLS\s+(FIRST|LAST)$`)
	direction  = regexp.MustCompile(`(?i)\s+(ASC|DESC)$`)
	prefixKey  = regexp.MustCompile(`^([^\s"'()]+)\s*\(\s*([1-9][0-9]{0,5})\s*\)$`)
	with       = regexp.MustCompile(`(?i)\s+WITH\s+(\S+)$`)
)

// indexKey reads a part of an index: a column, a prefix of one such as title(20), or an
// expression, which has parentheses; then ASC or DESC and NULLS FIRST or LAST.
func indexKey(text string) schema.IndexKey {
	text = strings.TrimSpace(text)
	var k schema.IndexKey
	if m := nullsOrder.FindStringSubmatch(text); m != nil {
		k.Nulls = strings.ToUpper(m[1])
		text = text[:len(text)-len(m[0])]
	}
	if m := direction.FindStringSubmatch(text); m != nil {
		k.Desc = strings.EqualFold(m[1], "DESC")
		text = text[:len(text)-len(m[0])]
	}
	if column, rest, ok := name(text, ""); ok && rest == "" && (text[0] == '"' || !strings.Contains(text, "(")) {
		k.Column = column
	} else if m := prefixKey.FindStringSubmatch(text); m != nil {
		k.Column = m[1]
		k.Length, _ = strconv.Atoi(m[2]) // of at most six digits
	} else {
		k.Expr = bare(text)
	}
	return k
}

// excluded reads an element of an exclusion: a column or an expression, WITH an operator.
func excluded(text string) (schema.IndexKey, error) {
	text = strings.TrimSpace(text)
	m := with.FindStringSubmatch(text)
	if m == nil {
		return schema.IndexKey{}, fmt.Errorf("%.80q is not of the form column WITH operator", text)
	}
	k := indexKey(text[:len(text)-len(m[0])])
	if k.Length > 0 { // a prefix is MySQL's, which has no exclusions
		k = schema.IndexKey{Expr: strings.TrimSpace(text[:len(text)-len(m[0])])}
	}
	k.With = m[1]
	return k, nil
}

// bare takes parentheses away that enclose a whole expression.
func bare(text string) string {
	for strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")") {
		depth := 0
		for i := 0; i < len(text); i++ {
			switch text[i] {
			case '\'', '"', '`':
				i = skipQuoted(text, i)
			case '(':
				depth++
			case ')':
				if depth--; depth == 0 && i < len(text)-1 {
					return text
				}
			}
		}
		text = strings.TrimSpace(text[1 : len(text)-1])
	}
	return text
}

var paramDefault = regexp.MustCompile(`(?is)^(.*?)(?:\s+DEFAULT\s+|\s*:?=\s*)(.*)$`)

// params reads the parameters of a routine: [mode] [name] type [DEFAULT value].
func params(list []string) []schema.Param {
	var out []schema.Param
	for _, text := range list {
		var p schema.Param
		if m := paramDefault.FindStringSubmatch(text); m != nil {
			text, p.Default = m[1], strings.TrimSpace(m[2])
		}
		words := strings.Fields(text)
		if len(words) > 1 {
			switch mode := strings.ToUpper(words[0]); mode {
			case "IN", "OUT", "INOUT", "VARIADIC":
				p.Mode, words = mode, words[1:]
			}
		}
		if len(words) > 1 && !startsType(words) {
			p.Name, words = strings.Trim(words[0], `"`), words[1:]
		}
		p.Type = strings.Join(words, " ")
		out = append(out, p)
	}
	return out
}

// startsType reports whether words are a type of several words and not a name and a type.
func startsType(words []string) bool {
	pair := strings.ToLower(words[0] + " " + words[1])
	for _, t := range []string{"double precision", "character varying", "bit varying", "time with", "time without", "timestamp with", "timestamp without"} {
		if strings.HasPrefix(pair, t) {
			return true
		}
	}
	return false
}

// events reads the events of a trigger: INSERT OR UPDATE OF a, b.
func events(text string) []string {
	var out []string
	for _, e := range regexp.MustCompile(`(?i)\s+OR\s+`).Split(text, -1) {
		words := strings.Fields(e)
		columns := ""
		if len(words) > 2 && strings.EqualFold(words[0], "UPDATE") && strings.EqualFold(words[1], "OF") {
			columns = " " + strings.Join(words[2:], " ")
			words = words[:2]
		}
		out = append(out, strings.ToUpper(strings.Join(words, " "))+columns)
	}
	return out
}

// privileges are in upper case, but for the columns that follow one.
func privileges(list []string) []string {
	out := make([]string, 0, len(list))
	for _, p := range list {
		word, columns, _ := strings.Cut(p, "(")
		word = strings.ToUpper(strings.Join(strings.Fields(word), " "))
		if word == "ALL PRIVILEGES" {
			word = "ALL"
		}
		if columns != "" {
			word += " (" + columns
		}
		out = append(out, word)
	}
	return out
}
