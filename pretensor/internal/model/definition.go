package model

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// SetDefinition gives a view its query and the hash of it.
func (t *Table) SetDefinition(text string) {
	t.Definition, t.DefinitionHash = text, HashTokens(Tokens(text))
}

// HashTokens is the hash of a definition: the same however its text is laid out.
func HashTokens(tokens []string) string {
	sum := sha256.Sum256([]byte(strings.Join(tokens, " ")))
	return hex.EncodeToString(sum[:])
}

// Tokens splits SQL into words, quoted pieces and single marks, without comments,
// white space and a semicolon at the end. Words are in lower case, backticks are
// double quotes, and a quoted name that could do without quotes has none. That holds for all dialects nearly
// enough: where it errs, two texts that mean the same are told apart.
func Tokens(sql string) []string {
	var out []string
	for i := 0; i < len(sql); {
		switch c := sql[i]; {
		case c <= ' ':
			i++
		case strings.HasPrefix(sql[i:], "--"):
			line, _, _ := strings.Cut(sql[i:], "\n")
			i += len(line)
		case strings.HasPrefix(sql[i:], "/*"):
			_, rest, _ := strings.Cut(sql[i+2:], "*/")
			i = len(sql) - len(rest)
		case c == '\'' || c == '"' || c == '`':
			end := i + 1
			for end < len(sql) && sql[end] != c {
				end++
			}
			end = min(end+1, len(sql)) // a doubled quote inside begins a second piece
			piece := sql[i:end]
			if c == '`' {
				piece = `"` + strings.Trim(piece, "`") + `"`
			}
			if c != '\'' && len(piece) > 2 && plain(piece[1:len(piece)-1]) && (end == len(sql) || sql[end] != c) {
				piece = piece[1 : len(piece)-1]
			}
			out = append(out, piece)
			i = end
		case word(c):
			end := i
			for end < len(sql) && word(sql[end]) {
				end++
			}
			out = append(out, lower(sql[i:end]))
			i = end
		default:
			out = append(out, sql[i:i+1])
			i++
		}
	}
	if n := len(out); n > 0 && out[n-1] == ";" {
		out = out[:n-1]
	}
	return slices.Clip(out)
}

// NameToken is the token that a name is.
func NameToken(name string) string {
	if plain(name) {
		return name
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// plain reports whether a name needs no quotes in any dialect, whatever it does
// with case.
func plain(name string) bool {
	for i := range len(name) {
		if c := name[i]; c != '_' && (c < 'a' || c > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}

func word(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// lower folds ASCII letters: what more a server folds depends on it.
func lower(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}
