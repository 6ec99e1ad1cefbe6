package postgres

import (
	"slices"
	"strings"
)

// word is a token of a PL/pgSQL body: a word, a quoted name, or a mark.
type word struct {
	text   string // in lower case unless quoted
	quoted bool
}

// is reports whether the token is one of the keywords.
func (w word) is(keywords ...string) bool { return !w.quoted && slices.Contains(keywords, w.text) }

// name reports whether the token can be a part of a table's name.
func (w word) name() bool {
	return w.quoted || w.text != "" && (w.text[0] == '_' || w.text[0] >= 'a' && w.text[0] <= 'z' || w.text[0] >= 0x80)
}

// writeTargets lists the tables that the static INSERT, UPDATE, DELETE and MERGE
// statements of a PL/pgSQL body write to, as schema (or empty) and name, each
// once. A body with dynamic SQL has none: what it does is not to be seen.
func writeTargets(body string) [][2]string {
	words := scan(body)
	at := func(i int) word {
		if i < 0 || i >= len(words) {
			return word{}
		}
		return words[i]
	}
	var targets [][2]string
	for i, w := range words {
		if at(i-1).text == "." && !at(i-1).quoted {
			continue // a column or field that is called so
		}
		next := i + 1
		switch {
		case w.is("execute"):
			return nil
		case w.is("insert") && at(next).is("into"), w.is("merge") && at(next).is("into"), w.is("delete") && at(next).is("from"):
			next++
		case w.is("update") && !at(i-1).is("for", "key", "on"):
		default:
			continue
		}
		if at(next).is("only") {
			next++
		}
		var path []string
		for at(next).name() {
			path = append(path, at(next).text)
			next++
			if at(next).text != "." || at(next).quoted {
				break
			}
			next++
		}
		if len(path) == 0 || w.is("update") && !setFollows(at, next) {
			continue
		}
		target := [2]string{"", path[len(path)-1]}
		if len(path) > 1 {
			target[0] = path[len(path)-2]
		}
		if !slices.Contains(targets, target) {
			targets = append(targets, target)
		}
	}
	return targets
}

// setFollows reports whether, after the table's name, at most an alias stands
// before SET. In "DO UPDATE SET" and in MERGE no table stands there at all.
func setFollows(at func(int) word, i int) bool {
	if at(i).text == "*" {
		i++
	}
	if at(i).is("set") {
		return true
	}
	if at(i).is("as") {
		i++
	}
	return at(i).name() && at(i+1).is("set")
}

// scan cuts a body into words, without comments, numbers and literals.
func scan(s string) []word {
	var words []word
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case strings.HasPrefix(s[i:], "--"):
			end := strings.IndexByte(s[i:], '\n')
			if end < 0 {
				return words
			}
			i += end
		case strings.HasPrefix(s[i:], "/*"):
			i = endOfComment(s, i)
		case c == '"':
			end := endOfQuoted(s, i)
			words = append(words, word{identifier(s[i:end]), true})
			i = end
		case c == '\'':
			i = endOfQuoted(s, i)
			words = append(words, word{"'", false})
		case c == '$':
			i = endOfDollar(s, i)
			words = append(words, word{"'", false})
		case letter(c):
			end := i + 1
			for end < len(s) && (letter(s[end]) || s[end] >= '0' && s[end] <= '9' || s[end] == '$') {
				end++
			}
			w := strings.ToLower(s[i:end])
			i = end
			if w == "e" && i < len(s) && s[i] == '\'' {
				i = endOfEscaped(s, i)
				w = "'"
			}
			words = append(words, word{w, false})
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f':
			i++
		default:
			words = append(words, word{string(c), false})
			i++
		}
	}
	return words
}

func letter(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// endOfComment is the index after the comment at i; comments may be nested.
func endOfComment(s string, i int) int {
	for depth := 0; i < len(s); {
		switch {
		case strings.HasPrefix(s[i:], "/*"):
			depth++
			i += 2
		case strings.HasPrefix(s[i:], "*/"):
			depth--
			i += 2
			if depth == 0 {
				return i
			}
		default:
			i++
		}
	}
	return len(s)
}

// endOfDollar is the index after the dollar-quoted literal at i, or after the
// dollar if there is none.
func endOfDollar(s string, i int) int {
	end := i + 1
	for end < len(s) && (letter(s[end]) || end > i+1 && s[end] >= '0' && s[end] <= '9') {
		end++
	}
	if end == len(s) || s[end] != '$' {
		return i + 1
	}
	tag := s[i : end+1]
	close := strings.Index(s[end+1:], tag)
	if close < 0 {
		return len(s)
	}
	return end + 1 + close + len(tag)
}

// endOfEscaped is the index after the literal at i in which backslashes escape.
func endOfEscaped(s string, i int) int {
	for i++; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == '\'' && i+1 < len(s) && s[i+1] == '\'':
			i++
		case s[i] == '\'':
			return i + 1
		}
	}
	return len(s)
}
