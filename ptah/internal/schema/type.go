package schema

import (
	"fmt"
	"strings"
)

// Type is a data type taken apart.
type Type struct {
	// Name is, for a type that is not quoted, the words as written with single blanks
	// between them and the arguments taken out: "timestamp with time zone",
	// "order_status"; for a quoted one the exact name.
	Name   string
	Schema string   // as written or exact, as Name; empty: none
	Quoted bool     // Name is exact, not a word of the language
	Args   []string // between the parentheses, as written: 12, 2; 'a', 'b'; max
	Array  int      // how many dimensions
	// Unsigned and Zerofill are MySQL's.
	Unsigned, Zerofill bool
	SetOf              bool // of a routine's result
	// Native: it is given for the dialect that the schema is read for, in its words, and
	// only if it is no type of that dialect, in portable ones.
	Native bool
	Text   string
}

// Base is the name in lower case, as built-in types are looked up; empty for a quoted
// name or one with a schema other than pg_catalog.
func (t Type) Base() string {
	if t.Quoted || t.Schema != "" && !strings.EqualFold(t.Schema, "pg_catalog") {
		return ""
	}
	return strings.ToLower(t.Name)
}

func (t Type) String() string { return t.Text }

// TypeError is a text that is no data type.
type TypeError struct{ Text, Reason string }

func (e *TypeError) Error() string {
	return fmt.Sprintf("type %.80q: %s", e.Text, e.Reason)
}

// ParseType takes the text of a data type apart: words, with arguments in parentheses
// behind any of them, then any number of [] or [n]. Names may be quoted with ", ` or
// [ ] and qualified by a schema. Every error is a [*TypeError].
func ParseType(text string) (Type, error) {
	p := typeParser{text: text, rest: strings.TrimSpace(text)}
	t, err := p.parse()
	if err != nil {
		return Type{}, err
	}
	t.Text = strings.Join(strings.Fields(text), " ")
	return t, nil
}

type typeParser struct{ text, rest string }

func (p *typeParser) fail(format string, args ...any) error {
	return &TypeError{p.text, fmt.Sprintf(format, args...)}
}

func (p *typeParser) blank() { p.rest = strings.TrimLeft(p.rest, " \t\r\n") }

func (p *typeParser) take(prefix string) bool {
	p.blank()
	if strings.HasPrefix(p.rest, prefix) {
		p.rest = p.rest[len(prefix):]
		return true
	}
	return false
}

func (p *typeParser) parse() (t Type, err error) {
	var words []string
	for {
		p.blank()
		switch {
		case p.rest == "":
			if len(words) == 0 && !t.Quoted {
				return t, p.fail("it is empty")
			}
			if !t.Quoted {
				t.Name = strings.Join(words, " ")
			}
			return t, nil
		case p.rest[0] == '(':
			if t.Args != nil || len(words) == 0 && !t.Quoted {
				return t, p.fail("there is a %q too many", "(")
			}
			if t.Args, err = p.arguments(); err != nil {
				return t, err
			}
		case strings.HasPrefix(p.rest, "[") && (len(words) > 0 || t.Quoted):
			end := strings.IndexByte(p.rest, ']')
			if end < 0 || strings.Trim(p.rest[1:end], "0123456789 ") != "" {
				return t, p.fail("an array is written [] or [n]")
			}
			p.rest = p.rest[end+1:]
			t.Array++
		case strings.ContainsRune("\"`[", rune(p.rest[0])):
			if len(words) > 0 || t.Quoted {
				return t, p.fail("a quoted name stands alone")
			}
			name, err := p.quoted()
			if err != nil {
				return t, err
			}
			t.Name, t.Quoted = name, true
			if p.take(".") {
				t.Schema = name
				if t.Name, t.Quoted, err = p.part(); err != nil {
					return t, err
				}
				if !t.Quoted {
					words = append(words, t.Name)
				}
			}
		default:
			w := p.word()
			if w == "" {
				return t, p.fail("%q is not expected", p.rest[:1])
			}
			if t.Quoted {
				return t, p.fail("%q behind a quoted name", w)
			}
			if len(words) == 0 && p.take(".") {
				t.Schema = w
				if t.Name, t.Quoted, err = p.part(); err != nil {
					return t, err
				}
				if !t.Quoted {
					words = append(words, t.Name)
				}
				continue
			}
			if strings.EqualFold(w, "array") && len(words) == 0 && strings.HasPrefix(strings.TrimLeft(p.rest, " \t\r\n"), "(") {
				words = append(words, w) // the array of a type in parentheses: ClickHouse
				continue
			}
			switch strings.ToLower(w) {
			case "unsigned":
				t.Unsigned = true
			case "zerofill":
				t.Zerofill, t.Unsigned = true, true
			case "array":
				if len(words) == 0 {
					return t, p.fail("of what is the array")
				}
				t.Array++
				if p.take("[") {
					p.rest = "[" + p.rest
					t.Array--
				}
			case "setof":
				if len(words) > 0 {
					return t, p.fail("SETOF comes first")
				}
				t.SetOf = true
			default:
				words = append(words, w)
			}
		}
	}
}

// part is what follows the dot of a qualified name.
func (p *typeParser) part() (name string, quoted bool, err error) {
	p.blank()
	if p.rest != "" && strings.ContainsRune("\"`[", rune(p.rest[0])) {
		name, err = p.quoted()
		return name, true, err
	}
	if name = p.word(); name == "" {
		return "", false, p.fail("there is no name behind the dot")
	}
	return name, false, nil
}

func (p *typeParser) word() string {
	p.blank()
	end := strings.IndexFunc(p.rest, func(r rune) bool { return strings.ContainsRune(" \t\r\n()[].,\"`'", r) })
	if end < 0 {
		end = len(p.rest)
	}
	w := p.rest[:end]
	p.rest = p.rest[end:]
	return w
}

func (p *typeParser) quoted() (string, error) {
	open := p.rest[0]
	shut := open
	if open == '[' {
		shut = ']'
	}
	var name strings.Builder
	for i := 1; i < len(p.rest); i++ {
		if p.rest[i] != shut {
			name.WriteByte(p.rest[i])
			continue
		}
		if i+1 < len(p.rest) && p.rest[i+1] == shut {
			name.WriteByte(shut)
			i++
			continue
		}
		p.rest = p.rest[i+1:]
		if name.Len() == 0 {
			return "", p.fail("a name is empty")
		}
		return name.String(), nil
	}
	return "", p.fail("a quoted name does not end")
}

// arguments reads a list in parentheses; texts in quotes keep them.
func (p *typeParser) arguments() ([]string, error) {
	args := []string{}
	depth, start := 0, 1
	for i := 0; i < len(p.rest); i++ {
		switch c := p.rest[i]; c {
		case '\'', '"', '`':
			for i++; ; i++ {
				if i >= len(p.rest) {
					return nil, p.fail("a text does not end")
				}
				if p.rest[i] == c {
					if i+1 < len(p.rest) && p.rest[i+1] == c {
						i++
						continue
					}
					break
				}
			}
		case '(':
			depth++
		case ',', ')':
			if depth > 1 {
				if c == ')' {
					depth--
				}
				continue
			}
			arg := strings.TrimSpace(p.rest[start:i])
			if arg == "" {
				return nil, p.fail("an argument is empty")
			}
			args = append(args, arg)
			start = i + 1
			if c == ')' {
				p.rest = p.rest[i+1:]
				return args, nil
			}
		}
	}
	return nil, p.fail("a parenthesis does not close")
}
