// Package types understands the spellings of column types in the dialects that
// pretensor reads: which family a type belongs to, whether two spellings mean one
// type, and whether a change of type loses values.
//
// Everything is decided from the spelling alone. What is not known, such as a
// user's own type, is [Unknown]: a spelling that equals only itself.
package types

import (
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// Family is what kind of value a type holds.
type Family string

// The families.
const (
	Unknown  Family = "unknown"
	Numeric  Family = "numeric"
	String   Family = "string"
	Temporal Family = "temporal"
	Boolean  Family = "boolean"
	UUID     Family = "uuid"
	Binary   Family = "binary"
	JSON     Family = "json"
)

// FamilyOf is the family of a type as the dialect spells it. Arrays, structures
// and types that a user defined are Unknown.
func FamilyOf(dialect, spelling string) Family { return parse(dialect, spelling).family }

// ColumnFamily is the family of a column: of the type behind a domain, and String
// for an enum. Arrays are Unknown.
func ColumnFamily(dialect string, c *model.Column) Family {
	switch {
	case c.Array:
		return Unknown
	case len(c.Enum) > 0:
		return String
	case c.Base != "":
		return FamilyOf(dialect, c.Base)
	}
	return FamilyOf(dialect, c.Type)
}

// Normalize gives equal texts for spellings of one type: int4 and integer,
// character varying(5) and varchar(5), int(11) and int. The labels of an enum are
// left out; they are compared on their own. The result is meant for comparing, not
// for printing.
func Normalize(dialect, spelling string) string { return parse(dialect, spelling).name }

// Change says what becomes of the values when a column's type changes.
type Change int

// The changes.
const (
	Same     Change = iota // two spellings of one type
	Wider                  // every old value fits, or nearly so: the type differs
	Narrower               // some old values do not fit
	Other                  // another family, or nothing is known
)

// Compare says what a change from one type to another means.
func Compare(dialect, from, to string) Change {
	a, b := parse(dialect, from), parse(dialect, to)
	switch {
	case a.name == b.name:
		return Same
	case a.dims != b.dims:
		return Other
	case a.elem != nil && b.elem != nil:
		return compare(*a.elem, *b.elem)
	}
	return compare(a, b)
}

func compare(a, b typ) Change {
	switch {
	case a.family == Unknown || a.family != b.family:
		return Other
	case b.holds(a):
		return Wider
	}
	return Narrower
}

// typ is a type that has been understood.
type typ struct {
	family Family
	name   string // normalised
	dims   int    // of an array
	elem   *typ   // its elements' type

	// Numbers: integers have bits, decimals digits before and behind the point, floats
	// the bits of a mantissa. An unlimited number holds all.
	unlimited bool
	signed    bool
	bits      int
	digits    int
	scale     int
	mantissa  int

	// Strings and bytes: how many characters or bytes fit; -1 without limit.
	length int

	// Times: whether there is a date, a time of day, a zone, and the decimal places
	// of the second.
	date, clock, zone bool
	precision         int
	span              bool // an interval
}

// holds reports whether every value of the type a, which is of the same family,
// fits.
func (t typ) holds(a typ) bool {
	switch t.family {
	case Numeric:
		return t.holdsNumber(a)
	case String, Binary:
		return t.length < 0 || a.length >= 0 && t.length >= a.length
	case Temporal:
		return t.span == a.span && t.date == a.date && (t.clock || !a.clock) && (t.zone || !a.zone) && t.precision >= a.precision
	}
	return true // json and jsonb, spellings of booleans: one set of values
}

func (t typ) holdsNumber(a typ) bool {
	switch {
	case t.unlimited:
		return true
	case a.unlimited:
		return false
	case t.mantissa > 0 && a.mantissa > 0:
		return t.mantissa >= a.mantissa
	case t.mantissa > 0:
		return a.scale <= 0 && a.bitsNeeded() <= t.mantissa
	case a.mantissa > 0 || a.signed && !t.signed || t.scale < a.scale:
		return false
	case t.digits > 0 && a.digits > 0:
		return t.digits >= a.digits
	}
	return t.bitsHeld() >= a.bitsNeeded()
}

// One decimal digit takes this many bits, in units of 1/bitsUnit.
const (
	bitsPerDigit = 33219281
	bitsUnit     = 10_000_000
)

// bitsNeeded is the size of the smallest integer that holds every value.
func (t typ) bitsNeeded() int {
	if t.digits > 0 {
		return (t.digits*bitsPerDigit + bitsUnit - 1) / bitsUnit
	}
	return t.bits
}

// bitsHeld is the size of the largest integer of which every value fits.
func (t typ) bitsHeld() int {
	if t.digits > 0 {
		return t.digits * bitsPerDigit / bitsUnit
	}
	return t.bits
}

func integer(bits int) typ  { return typ{family: Numeric, signed: true, bits: bits - 1} }
func unsigned(bits int) typ { return typ{family: Numeric, bits: bits} }
func float(mantissa int) typ {
	return typ{family: Numeric, signed: true, mantissa: mantissa}
}

// decimal is an exact number of precision digits, scale of them behind the point.
func decimal(precision, scale int) typ {
	return typ{family: Numeric, signed: true, digits: max(0, precision-scale), scale: scale}
}

func text(length int) typ  { return typ{family: String, length: length} }
func bytes(length int) typ { return typ{family: Binary, length: length} }
func day() typ             { return typ{family: Temporal, date: true} }
func clock(precision int, zone bool) typ {
	return typ{family: Temporal, clock: true, zone: zone, precision: precision}
}
func stamp(precision int, zone bool) typ {
	return typ{family: Temporal, date: true, clock: true, zone: zone, precision: precision}
}
func plain(f Family) typ { return typ{family: f} }

// spelled is a type's spelling in parts.
type spelled struct {
	words string   // in lower case, single blanks: "timestamp with time zone"
	args  []string // of the first brackets, as written
	dims  int      // pairs of square brackets at the end
	sizes string   // these brackets
	bad   bool     // quoted or otherwise no plain name
}

// num is the nth argument as a number of sensible size.
func (s spelled) num(n, otherwise int) int {
	if n < len(s.args) {
		if v, err := strconv.Atoi(s.args[n]); err == nil && max(v, -v) < 1<<32 {
			return v
		}
	}
	return otherwise
}

// split takes a spelling apart.
func split(text string) spelled {
	var s spelled
	text = strings.TrimSpace(text)
	for strings.HasSuffix(text, "]") {
		open := strings.LastIndexByte(text, '[')
		if open < 0 || strings.Trim(text[open+1:len(text)-1], "0123456789 ") != "" {
			break
		}
		s.sizes = "[" + strings.TrimSpace(text[open+1:len(text)-1]) + "]" + s.sizes
		text = strings.TrimSpace(text[:open])
		s.dims++
	}
	head, rest, bracket := strings.Cut(text, "(")
	if bracket {
		args, tail, closed := cutArguments(rest)
		s.bad = s.bad || !closed
		for a := range strings.SplitSeq(args, ",") {
			s.args = append(s.args, strings.TrimSpace(a))
		}
		head += " " + tail
	}
	s.bad = s.bad || strings.ContainsAny(head, "\"'`[]<>{}():")
	s.words = strings.ToLower(strings.Join(strings.Fields(head), " "))
	return s
}

// cutArguments finds the bracket that closes, past quoted labels and inner
// brackets.
func cutArguments(text string) (args, tail string, ok bool) {
	depth, quoted := 1, false
	for i := range len(text) {
		switch c := text[i]; {
		case c == '\'':
			quoted = !quoted
		case quoted:
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return text[:i], text[i+1:], true
			}
		}
	}
	return text, "", false
}

// parse understands a spelling.
func parse(dialect, spelling string) typ {
	s := split(spelling)
	var t typ
	switch strings.ToLower(dialect) {
	case "postgresql", "postgres":
		t = postgres(&s)
		s.sizes = strings.Repeat("[]", s.dims) // their sizes mean nothing
	case "mysql", "mariadb":
		t = mysql(s)
	case "sqlite":
		t = sqlite(s)
	case "duckdb":
		t = duckdb(s)
	default:
		t = duckdb(s) // the widest list of names that mean one thing everywhere
	}
	if t.name == "" {
		// Nothing is known: the spelling itself, without regard to blanks, and to case
		// unless it is quoted.
		t.name = strings.Join(strings.Fields(spelling), " ")
		if !strings.ContainsAny(t.name, "\"'`") {
			t.name = strings.ToLower(t.name)
		}
		return t
	}
	if s.dims > 0 {
		elem := t
		t = typ{family: Unknown, name: elem.name + s.sizes, dims: s.dims, elem: &elem}
	}
	return t
}

// named sets the normalised name: the word and the arguments that tell types apart.
func named(t typ, word string, args ...int) typ {
	t.name = word
	for i, a := range args {
		if i == 0 {
			t.name += "("
		} else {
			t.name += ","
		}
		t.name += strconv.Itoa(a)
		if i == len(args)-1 {
			t.name += ")"
		}
	}
	return t
}

// limited is a text or binary type with a length, which may be missing.
func limited(of func(int) typ, word string, length int) typ {
	if length < 0 {
		return named(of(-1), word)
	}
	return named(of(length), word, length)
}
