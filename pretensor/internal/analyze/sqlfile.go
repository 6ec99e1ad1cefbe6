package analyze

import (
	"regexp"
	"strings"
)

// sqlLanguage is files of SQL: schemas, migrations, reports, and the query files
// of sqlc, whose queries are called by the name in the comment before them.
var sqlLanguage = language{name: "sql", family: "sql", exts: []string{".sql", ".ddl", ".pgsql", ".psql"}, lex: lexSQL, whole: sqlFile}

// lexSQL cuts SQL of any dialect. Quoted names are strings; the strings of SQL are
// of kind other.
func lexSQL(src string) *scanner {
	s := newScanner(src)
	for s.i < len(src) {
		if s.blank() {
			continue
		}
		start := s.i
		switch c := src[s.i]; {
		case s.has("--"), c == '#' && s.newline:
			s.lineComment()
		case s.has("/*"):
			s.blockComment("*/")
		case c == '\'':
			s.sqlQuoted('\'')
			s.emit(other, start, nil)
		case c == '"' || c == '`':
			s.sqlQuoted(c)
			name := strings.Trim(src[start:s.i], string(c))
			s.emit(str, start, []part{{text: name}})
		case c == '$' && s.dollar():
			s.emit(other, start, nil)
		case letter(c):
			s.word("$")
			s.emit(ident, start, nil)
		case digit(c):
			s.word(".")
			s.emit(other, start, nil)
		default:
			s.i++
			s.emit(punct, start, nil)
		}
	}
	return s
}

// sqlQuoted passes over what a quote begins; a doubled or escaped one is part of it.
func (s *scanner) sqlQuoted(q byte) {
	for s.i++; s.i < len(s.src); s.i++ {
		switch {
		case s.src[s.i] == '\\' && q == '\'' && s.at(1) == q && s.at(2) != '\n' && s.at(2) != ';' && s.at(2) != 0 && s.at(2) != ',' && s.at(2) != ')':
			s.i++
		case s.src[s.i] == q && s.at(1) == q:
			s.i++
		case s.src[s.i] == q:
			s.i++
			return
		}
	}
}

// dollar passes over $$…$$ and $tag$…$tag$ and reports whether it stands here.
func (s *scanner) dollar() bool {
	end := s.i + 1
	for end < len(s.src) && (letter(s.src[end]) || end > s.i+1 && digit(s.src[end])) {
		end++
	}
	if end >= len(s.src) || s.src[end] != '$' {
		return false
	}
	tag := s.src[s.i : end+1]
	n := strings.Index(s.src[end+1:], tag)
	if n < 0 {
		return false
	}
	s.i = end + 1 + n + len(tag)
	return true
}

// sqlcName is the comment that names a query for sqlc.
var sqlcName = regexp.MustCompile(`^--\s*name:\s*(\w+)\s*:\w+`)

// sqlFile analyses the statements of a file one by one, so that one that no
// dialect has does not hide the others.
func sqlFile(f *file, src string) {
	// Commands of a client are no SQL: they become blanks of the same length.
	src = clientCommands(src)
	s := lexSQL(src)
	comments := s.comments
	for _, st := range statements(s) {
		from, to := s.toks[st[0]].start, s.toks[st[1]].end
		q := query{parts: []part{{text: src[from:to]}}, kind: KindSQLFile, file: true, certain: true}
		q.place = use{lineStart: f.line(from), lineEnd: f.line(max(from, to-1))}
		// The comment directly before the statement, in sqlc's form.
		for len(comments) > 0 && comments[0].start < from {
			c := comments[0]
			comments = comments[1:]
			if st[0] > 0 && c.start < s.toks[st[0]-1].end {
				continue
			}
			if m := sqlcName.FindStringSubmatch(src[c.start:c.end]); m != nil {
				q.symbol = m[1]
			}
		}
		f.query(q)
	}
}

// statements finds the first and last token of every statement, without its semicolon.
// Semicolons between BEGIN and END of a trigger or routine do not end it.
func statements(s *scanner) [][2]int {
	var out [][2]int
	first, depth, routine := -1, 0, false
	for i, t := range s.toks {
		if t.kind == punct && t.text == ";" && depth == 0 {
			if first >= 0 {
				out = append(out, [2]int{first, i - 1})
			}
			first, routine = -1, false
			continue
		}
		if first < 0 {
			first = i
		}
		if t.kind != ident {
			continue
		}
		switch word := strings.ToUpper(t.text); word {
		case "TRIGGER", "PROCEDURE", "FUNCTION":
			routine = routine || strings.EqualFold(s.toks[first].text, "CREATE") && i-first < 8
		case "BEGIN", "CASE":
			if routine {
				depth++
			}
		case "END":
			if depth > 0 {
				next := ""
				if i+1 < len(s.toks) {
					next = strings.ToUpper(s.toks[i+1].text)
				}
				if next != "IF" && next != "LOOP" && next != "WHILE" && next != "REPEAT" {
					depth--
				}
			}
		}
	}
	if first >= 0 {
		out = append(out, [2]int{first, len(s.toks) - 1})
	}
	return out
}

// clientCommands blanks the lines that a client takes for itself: psql's \c, the
// rows behind COPY … FROM stdin, sqlcmd's GO and mysql's DELIMITER, whose
// delimiter becomes the semicolon it stands for.
func clientCommands(src string) string {
	if !strings.Contains(src, "\n\\") && !strings.HasPrefix(src, "\\") && !strings.Contains(strings.ToUpper(src), "STDIN") &&
		!strings.Contains(strings.ToUpper(src), "DELIMITER") && !strings.Contains(strings.ToUpper(src), "GO") {
		return src
	}
	blank := func(line string) string { return strings.Repeat(" ", len(line)) }
	lines := strings.SplitAfter(src, "\n")
	rows, delimiter := false, ";"
	for i, whole := range lines {
		line := strings.TrimRight(whole, "\r\n")
		rest := whole[len(line):]
		trimmed := strings.TrimSpace(line)
		upper := strings.ToUpper(trimmed)
		switch {
		case rows:
			rows = trimmed != `\.`
			lines[i] = blank(line) + rest
		case strings.HasPrefix(trimmed, `\`):
			lines[i] = blank(line) + rest
		case strings.HasPrefix(upper, "COPY ") && strings.Contains(upper, "FROM STDIN") && strings.HasSuffix(upper, ";"):
			rows = true
		case upper == "GO":
			lines[i] = strings.Replace(strings.ToUpper(line), "GO", "; ", 1) + rest
		case strings.HasPrefix(upper, "DELIMITER "):
			delimiter = strings.TrimSpace(trimmed[len("DELIMITER "):])
			lines[i] = blank(line) + rest
		case delimiter != ";" && delimiter != "" && strings.HasSuffix(trimmed, delimiter):
			at := strings.LastIndex(line, delimiter)
			lines[i] = line[:at] + ";" + strings.Repeat(" ", len(delimiter)-1) + line[at+len(delimiter):] + rest
		}
	}
	return strings.Join(lines, "")
}
