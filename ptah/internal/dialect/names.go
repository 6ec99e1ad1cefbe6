package dialect

import (
	"strings"
	"unicode/utf8"
)

// MaxNameBytes is how much of a name PostgreSQL keeps: NAMEDATALEN - 1.
const MaxNameBytes = 63

// Cut returns the part of a name that a server of the PostgreSQL family keeps: its first
// 63 bytes, less a character that would be split.
func Cut(name string) string { return CutTo(name, MaxNameBytes) }

// CutTo returns at most n bytes of a name, less a character that would be split.
func CutTo(name string, n int) string {
	if n >= len(name) {
		return name
	}
	for n > 0 && !utf8.RuneStart(name[n]) {
		n--
	}
	return name[:n]
}

// GeneratedName is the name that PostgreSQL gives to an object of a table that has none,
// such as a key or a sequence: the names of the table and of the columns with a label
// behind them. Where that is too long, the longer of the two gives up bytes until it fits,
// and then what is left of a character. Columns and label may be empty.
func GeneratedName(table, columns, label string) string {
	table, columns = Cut(table), Cut(columns)
	room := MaxNameBytes
	if label != "" {
		room -= len(label) + 1
	}
	if columns != "" {
		room--
	}
	a, b := len(table), len(columns)
	for a+b > room {
		if a > b {
			a--
		} else {
			b--
		}
	}
	name := CutTo(table, a)
	if columns != "" {
		name += "_" + CutTo(columns, b)
	}
	if label != "" {
		name += "_" + label
	}
	return name
}

// JoinedColumns is how the names of an object's columns go into its [GeneratedName].
func JoinedColumns(columns []string) string {
	var b strings.Builder
	for _, c := range columns {
		if b.Len() > 0 {
			b.WriteByte('_')
		}
		b.WriteString(Cut(c))
		if b.Len() > MaxNameBytes {
			break
		}
	}
	return Cut(b.String())
}
