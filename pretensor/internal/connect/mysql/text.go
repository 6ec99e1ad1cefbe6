package mysql

import (
	"regexp"
	"strings"
)

// quote is a name as an identifier of a statement.
func quote(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

// labels are those of an enum('a','b') or set(…). Quotes are doubled in it and
// control characters and backslashes escaped.
func labels(columnType string) []string {
	_, text, _ := strings.Cut(columnType, "(")
	var list []string
	for {
		start := strings.IndexByte(text, '\'')
		if start < 0 {
			return list
		}
		text = text[start+1:]
		var label strings.Builder
		i := 0
		for ; i < len(text); i++ {
			ch := text[i]
			if ch == '\'' {
				if !strings.HasPrefix(text[i:], "''") {
					break
				}
				i++
			}
			if ch == '\\' && i+1 < len(text) {
				i++
				ch = text[i]
				if at := strings.IndexByte("0nrtbZ", ch); at >= 0 {
					ch = "\x00\n\r\t\b\x1a"[at]
				}
			}
			label.WriteByte(ch)
		}
		list = append(list, label.String())
		text = text[min(i+1, len(text)):]
	}
}

// introducer is the character set that MySQL prints before a string literal.
var introducer = regexp.MustCompile(`_(utf8mb3|utf8mb4|utf8|latin1|ascii|binary)\\?'`)

// expression is an expression of the catalog as one would write it. MySQL prints
// _utf8mb4\'x\' for 'x' and parentheses around a check.
func (s *structure) expression(expr string) string {
	if s.mariadb {
		return expr
	}
	expr = introducer.ReplaceAllString(expr, "'")
	expr = strings.ReplaceAll(expr, `\'`, "'")
	if strings.HasPrefix(expr, "(") && closing(expr) == len(expr)-1 {
		expr = expr[1 : len(expr)-1]
	}
	return expr
}

// closing is where the bracket closes that begins a text; -1 if it does not.
func closing(text string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\'', '"', '`':
			i += skipQuoted(text[i:]) - 1
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// skipQuoted is the length of the quoted piece that begins a text. A doubled quote
// begins a second piece, which the caller skips alike.
func skipQuoted(text string) int {
	for i := 1; i < len(text); i++ {
		if text[i] == '\\' && text[0] != '`' {
			i++
		} else if text[i] == text[0] {
			return i + 1
		}
	}
	return len(text)
}

// quotedNames are the names in backticks of an expression that the server printed.
func quotedNames(expr string) []string {
	var names []string
	for i := 0; i < len(expr); i++ {
		if ch := expr[i]; ch != '\'' && ch != '"' && ch != '`' {
			continue
		}
		n := skipQuoted(expr[i:])
		for expr[i] == '`' && strings.HasPrefix(expr[i+n:], "`") { // a doubled one
			n += skipQuoted(expr[i+n:])
		}
		if expr[i] == '`' {
			names = append(names, strings.ReplaceAll(expr[i+1:max(i+n-1, i+1)], "``", "`"))
		}
		i += n - 1
	}
	return names
}

// keyParts splits a partitioning expression into names, without their backticks,
// and expressions.
func keyParts(expr string) []string {
	var parts []string
	start, depth := 0, 0
	for i := 0; i <= len(expr); i++ {
		if i < len(expr) {
			switch expr[i] {
			case '\'', '"', '`':
				i += skipQuoted(expr[i:]) - 1
				continue
			case '(':
				depth++
			case ')':
				depth--
			}
			if expr[i] != ',' || depth > 0 {
				continue
			}
		}
		part := strings.TrimSpace(expr[start:i])
		if names := quotedNames(part); len(names) == 1 && part == quote(names[0]) {
			part = names[0]
		}
		if part != "" {
			parts = append(parts, part)
		}
		start = i + 1
	}
	return parts
}

// startsStatement are the words behind which a statement begins in the body of a
// trigger.
var startsStatement = map[string]bool{
	"": true, "BEGIN": true, "THEN": true, "ELSE": true, "DO": true, "LOOP": true, "REPEAT": true, ":": true,
	"FOUND": true, "SQLEXCEPTION": true, "SQLWARNING": true, // of DECLARE … HANDLER FOR
}

// writes are the INSERT, REPLACE, UPDATE and DELETE statements in the body of a
// trigger. The body is not parsed: its control flow is skipped word by word. Whole
// reports whether the body is nothing but one such statement.
func writes(body string) (statements []string, whole bool) {
	previous := "" // the word or mark before; empty at the start of a statement
	first, start, depth := -1, -1, 0
	end := func(at int) {
		if start >= 0 {
			whole = start == first
			statements = append(statements, body[start:at])
		}
		start = -1
	}
	for i := 0; i < len(body); {
		rest := body[i:]
		if n := blank(rest); n > 0 {
			i += n
			continue
		}
		if first < 0 {
			first = i
		}
		switch ch := rest[0]; {
		case ch == '\'' || ch == '"' || ch == '`':
			i += skipQuoted(rest)
			previous = "quoted"
		case wordByte(ch):
			n := 1
			for n < len(rest) && wordByte(rest[n]) {
				n++
			}
			word := strings.ToUpper(rest[:n])
			if start < 0 && depth == 0 && startsStatement[previous] {
				switch word {
				case "INSERT", "REPLACE": // but not the functions INSERT() and REPLACE()
					if !strings.HasPrefix(strings.TrimLeft(rest[n:], " \t\r\n"), "(") {
						start = i
					}
				case "UPDATE", "DELETE", "WITH":
					start = i
				}
			}
			i += n
			previous = word
		case ch == ';' && depth == 0:
			end(i)
			i++
			previous = ""
		default:
			if ch == '(' {
				depth++
			} else if ch == ')' && depth > 0 {
				depth--
			}
			i++
			previous = string(ch)
		}
	}
	end(len(body))
	return statements, whole
}

// blank is the length of the white space or comment that begins a text.
func blank(text string) int {
	switch {
	case strings.IndexByte(" \t\r\n", text[0]) >= 0:
		return 1
	case text[0] == '#', strings.HasPrefix(text, "-- "), strings.HasPrefix(text, "--\n"):
		line, _, _ := strings.Cut(text, "\n")
		return len(line)
	case strings.HasPrefix(text, "/*"):
		if end := strings.Index(text[2:], "*/"); end >= 0 {
			return end + 4
		}
		return len(text)
	}
	return 0
}

func wordByte(ch byte) bool {
	return ch == '_' || ch == '$' || ch == '@' || ch >= 0x80 || '0' <= ch && ch <= '9' || 'a' <= ch|0x20 && ch|0x20 <= 'z'
}
