// Package column turns the cells of a file into columns when neither the kind of
// a column nor the place of a cell's row is known before the whole file is read.
//
// A reader cuts its file into blocks and gives the cells of every block to one
// [Parser] a column. A parser believes what it is told about the column (its
// [Target]) until a cell contradicts, and makes a [Piece]: typed values and the
// [Evidence] seen. All pieces' evidence together decides the column's kind
// ([Resolve]); the few pieces that were made under another belief
// ([Target.Suits]) are made again; [Merge] joins them in block order. So the kind
// depends on every cell and on neither the size of the blocks nor the order in
// which workers happened to parse them.
package column

import (
	"hash/maphash"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/dates"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/input"
)

// class is what the present cells of a column have in common.
type class uint8

const (
	none       class = iota // no present cell yet
	number                  // all are numbers
	boolean                 // all are true or false
	isoDate                 // all are ISO dates or times
	dottedDate              // all are DD.MM.YYYY
	slashDate               // all are MM/DD/YYYY or DD/MM/YYYY
	label                   // cells of several classes, or text

	// What the caller asked for.
	forcedNumber
	forcedDate
	forcedLabel
	forcedText
)

// facts about cells, each of them true once any cell shows it.
type facts uint32

const (
	sawWord     facts = 1 << iota // missing, but spelled by something (NA)
	sawPlus                       // a number with a sign +
	sawNoPlus                     // a number without
	sawFraction                   // a number that is not a whole one within int64
	sawWide                       // a whole number within int64 that float64 does not hold

	// In files whose delimiter is ';'. Cells of the last two read differently
	// with a decimal comma.
	sawPoint       // only a number with a decimal point: 12.5
	sawComma       // only a number with a decimal comma: 12,5
	sawEitherPoint // 1.234
	sawEitherComma // 1,234

	sawTime      // a time of day
	sawNanos     // finer than microseconds
	sawZone      // a time with a zone
	sawNoZone    // a time without
	sawFarDay    // a day that int64 nanoseconds cannot hold
	sawSlash     // a date with slashes
	sawFirst13   // the first part of a date with slashes is over 12
	sawSecond13  // the second part is
	notMonthDay  // a date with slashes that does not exist as MM/DD
	notDayMonth  // … as DD/MM
	sawCondensed // YYYYMMDD
)

// Evidence is what the cells seen so far say about their column. The zero value
// has seen none.
type Evidence struct {
	class class
	facts facts
}

// Join adds what other has seen.
func (e *Evidence) Join(other Evidence) {
	switch {
	case e.class == none:
		e.class = other.class
	case other.class != none && other.class != e.class:
		e.class = label
	}
	e.facts |= other.facts
}

// Contradicted reports whether the column is sure to be one of labels.
func (e Evidence) Contradicted() bool { return e.class == label }

// Target is what the cells of a column are parsed as. The zero value is a column
// of which nothing is known.
type Target struct {
	class        class
	decimalComma bool
	dayFirst     bool
	zone         bool
	unit         col.Unit
}

// Forced returns the target of a column whose kind the caller chose, or the zero
// Target for [input.Auto].
func Forced(k input.Kind) Target {
	return Target{class: [...]class{none, forcedNumber, forcedLabel, forcedText, forcedDate}[k]}
}

// Evidence is what is known of a column of that target before any cell is seen: the
// kind that the caller chose.
func (t Target) Evidence() Evidence {
	if t.class > label {
		return Evidence{class: t.class}
	}
	return Evidence{}
}

// Guess returns the target to begin with after e was seen in a part of the file.
func Guess(e Evidence) Target {
	return Target{class: e.class, decimalComma: e.decimalComma(), dayFirst: e.facts&sawFirst13 != 0}
}

// Settled reports whether no further cell can change the target's class.
func (t Target) Settled() bool { return t.class >= label }

func (e Evidence) decimalComma() bool {
	switch {
	case e.facts&sawPoint != 0:
		return false
	case e.facts&sawComma != 0:
		return true
	}
	return e.facts&sawEitherComma != 0
}

// Resolve decides about the column called name after all of its cells were seen.
// The error is an [*input.Error].
func Resolve(e Evidence, name string) (Target, error) {
	t := Guess(e)
	has := func(f facts) bool { return e.facts&f != 0 }
	switch {
	case has(sawNanos) && !has(sawFarDay):
		t.unit = col.Nano
	case has(sawTime):
		t.unit = col.Micro
	}
	t.zone = has(sawZone)
	switch e.class {
	case number:
		switch {
		case has(sawPlus) && !has(sawNoPlus), has(sawPoint) && has(sawComma):
			t.class = label
		case has(sawWide) && has(sawFraction):
			t.class = label // one of float64 would change the whole numbers
		}
	case boolean:
		if has(sawWord) {
			t.class = label
		}
	case isoDate:
		if has(sawZone) && has(sawNoZone) {
			t.class = label // no order among them
		}
	case slashDate:
		ok := has(sawFirst13) && !has(notDayMonth) || has(sawSecond13) && !has(notMonthDay)
		if !ok || has(sawFirst13) && has(sawSecond13) {
			t.class = label
		}
	case forcedDate:
		if has(sawSlash) && has(sawFirst13) == has(sawSecond13) {
			why := "none of its cells has a part over 12"
			if has(sawFirst13) {
				why = "some of its cells have the day first, others the month"
			}
			return t, input.Errorf("types asks for dates in column '%s', but whether 01/02 in it is in January or in February cannot be told: %s. Load it as a category.", name, why)
		}
	}
	return t, nil
}

// Suits reports whether p can be merged under t, the column's resolved target.
func (t Target) Suits(p *Piece) bool {
	made := p.made.class
	f := p.Evidence.facts
	switch t.class {
	case forcedNumber:
		return p.made.decimalComma == t.decimalComma || f&(sawPoint|sawComma|sawEitherPoint|sawEitherComma) == 0
	case forcedDate:
		return p.made.dayFirst == t.dayFirst || f&sawSlash == 0
	case number:
		if made == number {
			return p.made.decimalComma == t.decimalComma || f&(sawEitherPoint|sawEitherComma) == 0
		}
	case label:
		return made == label || made == none && f&sawWord == 0
	}
	return made == t.class || made == none
}

// Piece is one column's cells of one block.
type Piece struct {
	Evidence Evidence
	Rows     int
	Unparsed int // cells of a forced kind that became missing because they did not parse
	Replaced int // cells in which bytes that are not UTF-8 became U+FFFD

	made  Target
	valid col.Bitmap // nil: all present
	data  any        // nil: all missing; else as col.Chunk.Data, dates in made.unit or packed
	dict  *col.Dict  // of codes
}

// Bytes returns the memory that p holds, without its dictionary.
func (p *Piece) Bytes() int64 {
	const header = 128
	c := col.Chunk{Valid: p.valid, Data: p.data}
	return c.Bytes() + header
}

// Field returns how the resolved column is described.
func (t Target) Field(name string) col.Field {
	f := col.Field{Name: name}
	switch t.class {
	case none, number, forcedNumber:
		f.Kind = col.Number // a column without any value is one of numbers
	case boolean:
		f.Kind, f.Bool = col.Category, true
	case isoDate, dottedDate, slashDate, forcedDate:
		f.Kind, f.Unit, f.Zone = col.Date, t.unit, t.zone
	case label, forcedLabel:
		f.Kind = col.Category
	case forcedText:
		f.Kind = col.Text
	}
	return f
}

// Merge joins the pieces of one column, all of which suit t, in order, and forgets
// each as it is copied. A nil piece stands for rows(i) missing values.
func Merge(pieces []*Piece, t Target, name string, rows func(i int) int) (*col.Column, error) {
	f := t.Field(name)
	switch {
	case f.Kind == col.Number && anyFloats(pieces):
		var b col.FloatBuilder
		each(pieces, rows, b.AppendMissing, func(p *Piece) {
			switch d := p.data.(type) {
			case []int8:
				col.AppendFloats(&b, d, p.valid)
			case []int16:
				col.AppendFloats(&b, d, p.valid)
			case []int32:
				col.AppendFloats(&b, d, p.valid)
			case []int64:
				col.AppendFloats(&b, d, p.valid)
			case []float64:
				col.AppendFloats(&b, d, p.valid)
			}
		})
		return b.Column(f), nil
	case f.Kind == col.Number || f.Kind == col.Date:
		var b col.IntBuilder
		each(pieces, rows, b.AppendMissing, func(p *Piece) {
			data := p.data
			if f.Kind == col.Date && (t.class == slashDate || p.made.unit != t.unit) {
				data = p.finishDates(t)
			}
			switch d := data.(type) {
			case []int8:
				col.AppendInts(&b, d, p.valid)
			case []int16:
				col.AppendInts(&b, d, p.valid)
			case []int32:
				col.AppendInts(&b, d, p.valid)
			case []int64:
				col.AppendInts(&b, d, p.valid)
			}
		})
		return b.Column(f), nil
	case f.Kind == col.Text:
		var b col.TextBuilder
		each(pieces, rows, b.AppendMissing, func(p *Piece) { b.AppendStrings(p.data.(col.Strings), p.valid) })
		return b.Column(f)
	}
	b := new(col.LabelBuilder)
	if mostlyDistinct(pieces, rows) {
		b = col.NewPlainLabels()
	}
	each(pieces, rows, b.AppendMissing, func(p *Piece) {
		switch d := p.data.(type) {
		case []uint8:
			col.AppendCodes(b, p.dict, d, p.valid)
		case []uint16:
			col.AppendCodes(b, p.dict, d, p.valid)
		case []uint32:
			col.AppendCodes(b, p.dict, d, p.valid)
		case col.Strings:
			b.AppendStrings(d, p.valid)
		}
	})
	return b.Column(f)
}

func each(pieces []*Piece, rows func(i int) int, missing func(n int), add func(p *Piece)) {
	for i, p := range pieces {
		switch {
		case p == nil:
			missing(rows(i))
		case p.data == nil:
			missing(p.Rows)
		default:
			add(p)
		}
		pieces[i] = nil
	}
}

// mostlyDistinct reports whether the first [col.EarlyRows] rows are better stored as
// strings, which it looks at only when a parser gave its dictionary up. Labels
// are told apart by 64 bits of hash: that can decide about the storage, never about
// a value.
func mostlyDistinct(pieces []*Piece, rows func(i int) int) bool {
	gaveUp := false
	for _, p := range pieces {
		if p != nil {
			_, strings := p.data.(col.Strings)
			gaveUp = gaveUp || strings
		}
	}
	if !gaveUp {
		return false
	}
	const slots = 2 * col.EarlyRows // a power of two
	seed := maphash.MakeSeed()
	set := make([]uint64, slots)
	row, present, distinct := 0, 0, 0
	for i, p := range pieces {
		if p == nil {
			row = min(row+rows(i), col.EarlyRows)
			continue
		}
		n := min(p.Rows, col.EarlyRows-row)
		row += n
		for j := range n {
			if p.data == nil || !p.valid.Get(j) {
				continue
			}
			present++
			h := max(1, maphash.String(seed, p.label(j)))
			at := h & (slots - 1)
			for set[at] != 0 && set[at] != h {
				at = (at + 1) & (slots - 1)
			}
			if set[at] == 0 {
				set[at] = h
				distinct++
			}
		}
		if row == col.EarlyRows {
			return col.PlainLabels(distinct, present)
		}
	}
	return false
}

// label returns the present label of row i.
func (p *Piece) label(i int) string {
	switch d := p.data.(type) {
	case []uint8:
		return p.dict.Label(uint32(d[i]))
	case []uint16:
		return p.dict.Label(uint32(d[i]))
	case []uint32:
		return p.dict.Label(d[i])
	}
	return p.data.(col.Strings).At(i)
}

func anyFloats(pieces []*Piece) bool {
	for _, p := range pieces {
		if p != nil {
			if _, ok := p.data.([]float64); ok {
				return true
			}
		}
	}
	return false
}

// finishDates returns p's dates in the unit of t, those with slashes as days.
func (p *Piece) finishDates(t Target) []int64 {
	var vals []int64
	switch d := p.data.(type) {
	case []int8:
		vals = wide(d)
	case []int16:
		vals = wide(d)
	case []int32:
		vals = wide(d)
	case []int64:
		vals = wide(d)
	}
	for i, v := range vals {
		switch {
		case !p.valid.Get(i):
		case t.class == slashDate:
			vals[i] = unpackSlash(v, t.dayFirst)
		default:
			vals[i] = dates.Convert(v, p.made.unit, t.unit)
		}
	}
	return vals
}

func wide[T col.Integer](d []T) []int64 {
	out := make([]int64, len(d))
	for i, v := range d {
		out[i] = int64(v)
	}
	return out
}

// A slash date whose order is not known yet, in one number.
func packSlash(first, second, year int) int64 {
	return int64(year)<<16 | int64(first)<<8 | int64(second)
}

func unpackSlash(v int64, dayFirst bool) int64 {
	year, first, second := int(v>>16), int(v>>8&0xFF), int(v&0xFF)
	if dayFirst {
		first, second = second, first
	}
	return dates.FromCivil(year, first, second)
}
