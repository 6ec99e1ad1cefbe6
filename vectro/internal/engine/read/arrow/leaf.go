package arrow

import (
	"fmt"
	"strings"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/caret"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/input"
)

// class is what a field becomes.
type class uint8

const (
	noClass class = iota // nothing: the field is skipped
	integers
	floats
	fractions // whole numbers of a unit that is not 1: seconds of a time, decimals
	moments
	labels
	bools
	nulls
	vectors // the embedding, if all lengths agree
)

// leaf is a field that becomes a column, or the reason why it does not.
type leaf struct {
	name   string
	f      *field
	parent *field // the struct that f is part of, or nil
	value  *field // type of the values behind dictionaries and run ends
	class  class
	reason string
}

// leaves lists the fields of the schema and of its structs' first level with the
// names that they get: unnamed ones are called column1, column2, … after their
// position, one whose name is taken gets _2, _3, ….
func (c *container) leaves() ([]*leaf, error) {
	var list []*leaf
	var names []string
	for i, f := range c.fields {
		name := nameOf(f, i)
		if f.typ != structType || f.dict != nil || len(f.kids) == 0 {
			list, names = append(list, &leaf{f: f}), append(names, name)
			continue
		}
		for j, kid := range f.kids {
			list, names = append(list, &leaf{f: kid, parent: f}), append(names, name+"."+nameOf(kid, j))
		}
	}
	names, err := input.Names(c.src.Name, names)
	if err != nil {
		return nil, err
	}
	for i, l := range list {
		l.name = names[i]
		l.classify()
	}
	return list, nil
}

func nameOf(f *field, i int) string {
	if f.name == "" {
		return fmt.Sprintf("column%d", i+1)
	}
	return f.name
}

func (l *leaf) classify() {
	l.value = l.f
	if l.value.dict == nil && l.value.typ == runEndType {
		l.value = l.value.kids[1]
	}
	if l.value.dict != nil {
		v := *l.value
		v.dict = nil
		l.value = &v
	}
	l.class = classOf(l.value)
	if l.class == vectors && l.value != l.f {
		l.class = noClass
	}
	if l.class != noClass {
		return
	}
	switch l.value.typ {
	case binaryType, largeBinaryType, binaryViewType, fixedBinaryType:
		l.skip("Vectro reads no binary data")
	case intervalType:
		l.skip("Vectro has no kind for intervals")
	default:
		l.skip("Vectro reads flat columns")
	}
}

// isList reports whether the leaf was classified as a list of floats: it is the
// embedding's business, also after it has been skipped.
func (l *leaf) isList() bool { return classOf(l.value) == vectors }

// skip leaves the column out, for a reason that follows its type.
func (l *leaf) skip(why string) {
	typ := l.f.String()
	article := "a"
	if strings.ContainsRune("aeiou", rune(typ[0])) && !strings.HasPrefix(typ, "u") {
		article = "an"
	}
	l.class = noClass
	l.reason = fmt.Sprintf("column %s is %s %s; %s", caret.Quote(l.name), article, caret.Line(typ), why)
}

func classOf(f *field) class {
	switch f.typ {
	case intType:
		return integers
	case floatType:
		return floats
	case decimalType:
		return fractions
	case timeType, durationType:
		if f.unit == seconds {
			return integers
		}
		return fractions
	case dateType, timestampType:
		return moments
	case utf8Type, largeUtf8Type, utf8ViewType:
		return labels
	case boolType:
		return bools
	case nullType:
		return nulls
	case listType, largeListType, listViewType, largeListViewType, fixedListType:
		if kid := f.kids[0]; kid.typ == floatType && kid.dict == nil {
			return vectors
		}
	}
	return noClass
}

// noColumn is the refusal of a file of which nothing can be read.
func (c *container) noColumn(skipped []input.SkippedColumn) error {
	const most = 5
	var reasons []string
	for _, s := range skipped[:min(most, len(skipped))] {
		reasons = append(reasons, s.Reason)
	}
	if n := len(skipped) - most; n > 0 {
		reasons = append(reasons, fmt.Sprintf("and %d more", n))
	}
	return input.Errorf("'%s' has no column that Vectro reads: %s.", c.src.Name, strings.Join(reasons, "; "))
}
