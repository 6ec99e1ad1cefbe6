package column

import (
	"bytes"
	"slices"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/dates"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/charset"
)

// Form is what the file's own syntax says about a cell.
type Form uint8

// The forms. A CSV file has Plain cells only, a JSON file all the others.
const (
	Plain  Form = iota // text that may be anything; empty: missing
	Absent             // missing
	Number             // a JSON number
	String             // text that may be a date, never a number
	Bool               // the words true and false
	Nested             // text that may be nothing else
)

// Cell says where a cell's bytes are.
type Cell struct {
	off  uint32 // with arenaBit
	size uint32 // with the form in the highest bits
}

const (
	arenaBit  = 1 << 31
	formShift = 28
	sizeMask  = 1<<formShift - 1 // more than input.MaxRecord, the longest cell
)

// InData is a cell of form f at data[off:off+n].
func InData(f Form, off, n int) Cell {
	return Cell{uint32(off), uint32(n) | uint32(f)<<formShift}
}

// InArena is a cell of form f at arena[off:off+n].
func InArena(f Form, off, n int) Cell {
	return Cell{uint32(off) | arenaBit, uint32(n) | uint32(f)<<formShift}
}

func (c Cell) form() Form { return Form(c.size >> formShift) }

// Batch is the memory that cells lie in.
type Batch struct {
	Data   []byte // of the block
	Arena  []byte // cells that the file spells differently: "a ""b""", "\u0041"
	Clean  bool   // every cell is UTF-8 as it is
	Coding charset.Encoding
}

// Bytes returns the bytes of c, as the file spells them but for quoting. They share
// the memory of b.
func (b *Batch) Bytes(c Cell) []byte {
	n := c.size & sizeMask
	if c.off&arenaBit == 0 {
		return b.Data[c.off : c.off+n : c.off+n]
	}
	off := c.off &^ arenaBit
	return b.Arena[off : off+n : off+n]
}

// Parser parses the cells of one column, block by block: [Parser.Reset], any
// number of [Parser.Add], [Parser.Piece]. Its memory is used again for the next
// block. The dictionary of labels is kept from block to block. For one goroutine.
type Parser struct {
	Semicolon bool // the delimiter is ';': a comma may be the decimal mark

	target  Target
	ev      Evidence
	rows    int
	missing []uint32 // rows
	failed  bool     // contradicted: the piece is to be made again as a label

	ints     []int64
	floats   []float64 // instead of ints, once a number needs it
	fraction bool
	codes    []uint32
	off      []uint32 // strings, instead of codes
	buf      []byte
	strings  bool
	dict     *col.Dict
	labels   int // present labels given to dict
	cache    [64]struct{ code, set uint32 }
	scratch  []byte

	lastDate [10]byte // the block's last date without time, and its value
	lastDay  int64
	lastSet  bool

	unparsed, replaced int
}

// Reset begins a block, with cells expected to be as t says.
func (p *Parser) Reset(t Target) {
	p.target = t
	p.ev = Evidence{class: t.class}
	if t.class < label {
		p.ev.class = none // until a cell shows it
	}
	p.target.unit = col.Day
	p.rows = 0
	p.missing = p.missing[:0]
	p.failed = false
	p.ints, p.floats, p.codes = p.ints[:0], p.floats[:0], p.codes[:0]
	p.off, p.buf = p.off[:0], p.buf[:0]
	p.fraction, p.lastSet = false, false
	p.unparsed, p.replaced = 0, 0
	p.strings = t.class == forcedText || p.gaveUp()
	if p.dict == nil {
		p.dict = col.NewDict()
	}
}

// gaveUp reports whether a dictionary does not pay: the column will be stored as
// strings anyway (see [col.LabelBuilder], which decides), so stop hashing.
func (p *Parser) gaveUp() bool {
	if p.dict == nil {
		return false
	}
	n := p.dict.Len()
	return n > 1<<20 || p.dict.Bytes() > 1<<30 ||
		p.labels >= 1<<16 && n > p.labels/10*9 || p.labels >= 1<<18 && n > p.labels/2
}

// Failed reports whether a cell contradicted the target, so that the block is to
// be given again after Reset([Label]). The evidence holds nevertheless.
func (p *Parser) Failed() bool { return p.failed }

// Label is the target of a column that was seen to be neither of numbers nor of
// dates.
var Label = Target{class: label}

// Add parses the next rows' cells.
func (p *Parser) Add(b *Batch, cells []Cell) {
	for len(cells) > 0 && !p.failed {
		n := p.run(b, cells)
		cells = cells[n:]
	}
	p.rows += len(cells) // of a failed block, the count only
}

// absent is a run of missing cells.
var absent = slices.Repeat([]Cell{InData(Absent, 0, 0)}, 1024)

// AddMissing adds n rows without a value.
func (p *Parser) AddMissing(n int) {
	for b := (&Batch{}); n > 0; {
		k := min(n, len(absent))
		p.Add(b, absent[:k])
		n -= k
	}
}

// run parses cells under one class and returns how many: all, unless a cell
// changed the class or contradicted.
func (p *Parser) run(b *Batch, cells []Cell) int {
	switch p.target.class {
	case none:
		return p.begin(b, cells)
	case number:
		return p.numbers(b, cells)
	case boolean:
		return p.booleans(b, cells)
	case isoDate, dottedDate, slashDate:
		return p.dates(b, cells)
	case forcedNumber:
		return p.forcedNumbers(b, cells)
	case forcedDate:
		return p.forcedDates(b, cells)
	}
	if p.strings {
		return p.texts(b, cells)
	}
	return p.labelCodes(b, cells)
}

// begin skips missing cells until a cell shows the column's class.
func (p *Parser) begin(b *Batch, cells []Cell) int {
	for i, c := range cells {
		s := b.Bytes(c)
		if p.isMissing(c, s) {
			p.rows++
			continue
		}
		p.target.class = p.classify(c, s)
		if p.target.class == label && p.ev.facts&sawWord == 0 {
			// Nothing but empty cells so far: go on without a second try.
			p.ev.class = label
		} else if p.target.class == label {
			p.fail()
			return i
		}
		p.missing = p.missing[:0]
		for r := range p.rows {
			p.missing = append(p.missing, uint32(r))
		}
		p.pad()
		return i
	}
	return len(cells)
}

// pad gives the rows before the first present cell a value in the storage of the
// class that was found.
func (p *Parser) pad() {
	if p.target.class != label {
		p.ints = append(p.ints, make([]int64, p.rows)...)
		return
	}
	if p.strings {
		p.off = append(p.off, make([]uint32, p.rows+1)...)
		return
	}
	p.codes = append(p.codes, make([]uint32, p.rows)...)
}

// isMissing reports whether a cell of a column that may be of numbers or dates is
// missing, and notes when it is spelled.
func (p *Parser) isMissing(c Cell, s []byte) bool {
	switch c.form() {
	case Absent:
		return true
	case Plain:
		if len(s) == 0 {
			return true
		}
		if s = trim(s); len(s) == 0 || missingWord(s) {
			p.ev.facts |= sawWord
			return true
		}
	}
	return false
}

// missingWord knows the words for a missing value in columns of numbers and dates.
func missingWord(s []byte) bool {
	if len(s) > 4 {
		return false
	}
	switch string(s) {
	case "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None", "-", ".", "#N/A":
		return true
	}
	return false
}

func trim(s []byte) []byte {
	for len(s) > 0 && (s[0] == ' ' || s[0] == '\t') {
		s = s[1:]
	}
	for len(s) > 0 && (s[len(s)-1] == ' ' || s[len(s)-1] == '\t') {
		s = s[:len(s)-1]
	}
	return s
}

// classify returns the class of a present cell.
func (p *Parser) classify(c Cell, s []byte) class {
	switch c.form() {
	case Bool:
		return boolean
	case Nested:
		return label
	case Number:
		return number
	case String:
		if _, ok := dates.ParseISO(s); ok {
			return isoDate
		}
		return label
	}
	s = trim(s)
	if _, _, ok := p.parseNumber(s); ok {
		return number
	}
	if _, ok := boolWord(s); ok {
		return boolean
	}
	if _, ok := dates.ParseISO(s); ok {
		return isoDate
	}
	if _, ok := parseDotted(s); ok {
		return dottedDate
	}
	if _, _, ok := parseSlash(s); ok {
		return slashDate
	}
	return label
}

// Value reports whether s, a cell of a CSV file, is a number or a date by itself.
func Value(s []byte, semicolon bool) bool {
	s = trim(s)
	if _, ok := parseNumber(s, '.', ','); ok {
		return true
	}
	if _, ok := parseNumber(s, ',', '.'); ok && semicolon {
		return true
	}
	if _, ok := dates.ParseISO(s); ok {
		return true
	}
	_, dotted := parseDotted(s)
	_, _, slash := parseSlash(s)
	return dotted || slash
}

func (p *Parser) fail() {
	p.ev.class = label
	p.failed = true
}

// miss adds a missing row to a column of numbers, dates or booleans.
func (p *Parser) miss() {
	p.missing = append(p.missing, uint32(p.rows))
	if p.fraction {
		p.floats = append(p.floats, 0)
	} else {
		p.ints = append(p.ints, 0)
	}
	p.rows++
}

func (p *Parser) addInt(v int64) {
	if p.fraction {
		if inexact(v) {
			p.ev.facts |= sawWide
		}
		p.floats = append(p.floats, float64(v))
	} else {
		p.ints = append(p.ints, v)
	}
	p.rows++
}

func (p *Parser) addFloat(f float64) {
	if !p.fraction {
		p.fraction = true
		p.ev.facts |= sawFraction
		p.noteWide()
		for _, v := range p.ints {
			p.floats = append(p.floats, float64(v))
		}
		p.ints = p.ints[:0]
	}
	p.floats = append(p.floats, f)
	p.rows++
}

// noteWide looks for whole numbers that float64 does not hold.
func (p *Parser) noteWide() {
	for _, v := range p.ints {
		if inexact(v) {
			p.ev.facts |= sawWide
			return
		}
	}
}

func (p *Parser) numbers(b *Batch, cells []Cell) int {
	for i, c := range cells {
		f := c.form()
		if f > Absent && f != Number {
			p.fail()
			return i
		}
		s := b.Bytes(c)
		if len(s) == 0 {
			p.miss()
			continue
		}
		v, n := fastInt(s)
		if n == len(s) {
			p.ev.facts |= sawNoPlus
			p.addInt(v)
			continue
		}
		if n > 0 && s[n] == '.' && !p.Semicolon {
			if x, ok := fastFraction(s, v, n); ok {
				p.ev.facts |= sawNoPlus
				p.addFloat(x)
				continue
			}
		}
		if p.isMissing(c, s) {
			p.miss()
			continue
		}
		x, fact, ok := p.parseNumber(trim(s))
		if !ok {
			p.fail()
			return i
		}
		p.ev.facts |= fact
		if x.whole {
			p.addInt(x.i)
		} else {
			p.addFloat(x.f)
		}
	}
	if len(p.missing) < p.rows {
		p.ev.class = number
	}
	return len(cells)
}

// parseNumber reads a number that may make a column of numbers, in either of the
// decimal marks that the file may use.
func (p *Parser) parseNumber(s []byte) (num, facts, bool) {
	n, fact, ok := p.anyNumber(s)
	return n, fact, ok && !n.zeros && !n.long && !n.huge
}

func (p *Parser) anyNumber(s []byte) (num, facts, bool) {
	n, ok := parseNumber(s, '.', ',')
	var fact facts
	if p.Semicolon && bytes.ContainsAny(s, ".,") {
		alt, okAlt := parseNumber(s, ',', '.')
		switch {
		case ok && okAlt && bytes.IndexByte(s, ',') >= 0:
			fact = sawEitherComma
		case ok && okAlt:
			fact = sawEitherPoint
		case ok:
			fact = sawPoint
		case okAlt:
			fact = sawComma
		}
		// A cell of the other form alone is read as well: the evidence decides
		// in the end whether the column allows it.
		if okAlt && (p.target.decimalComma || !ok) {
			n, ok = alt, true
		}
	}
	if n.plus {
		fact |= sawPlus
	} else {
		fact |= sawNoPlus
	}
	return n, fact, ok
}

func (p *Parser) booleans(b *Batch, cells []Cell) int {
	for i, c := range cells {
		s := b.Bytes(c)
		f := c.form()
		if f == Absent || len(s) == 0 && f < Absent {
			p.miss()
			continue
		}
		v, ok := boolWord(trim(s))
		if !ok || f > Absent && f != Bool {
			p.fail()
			return i
		}
		p.ev.class = boolean
		p.addInt(v)
	}
	return len(cells)
}

func boolWord(s []byte) (int64, bool) {
	switch {
	case len(s) == 4 && bytes.EqualFold(s, []byte("true")):
		return 1, true
	case len(s) == 5 && bytes.EqualFold(s, []byte("false")):
		return 0, true
	}
	return 0, false
}

func (p *Parser) dates(b *Batch, cells []Cell) int {
	for i, c := range cells {
		s := b.Bytes(c)
		f := c.form()
		if p.lastSet && len(s) == 10 && p.lastDate == [10]byte(s) && (f == Plain || f == String) {
			p.addInt(p.scaled(p.lastDay))
			continue
		}
		if p.isMissing(c, s) {
			p.miss()
			continue
		}
		switch f {
		case Plain:
			s = trim(s)
		case String:
		default:
			p.fail()
			return i
		}
		if !p.date(s, p.target.class) {
			p.fail()
			return i
		}
		p.ev.class = p.target.class
	}
	return len(cells)
}

// date adds the date s of the given class, or reports that it is none.
func (p *Parser) date(s []byte, as class) bool {
	switch as {
	case isoDate:
		m, ok := dates.ParseISO(s)
		if !ok {
			return false
		}
		if len(s) == 10 {
			p.lastDate, p.lastDay, p.lastSet = [10]byte(s), m.Day, true
		}
		p.moment(m)
		return true
	case dottedDate:
		day, ok := parseDotted(s)
		if !ok {
			return false
		}
		p.day(day)
		return true
	}
	v, f, ok := parseSlash(s)
	if ok {
		p.ev.facts |= f
		p.addInt(v)
	}
	return ok
}

func (p *Parser) day(day int64) { p.moment(dates.Moment{Day: day}) }

// scaled returns a day in the block's present unit.
func (p *Parser) scaled(day int64) int64 { return dates.Convert(day, col.Day, p.target.unit) }

// moment adds m, changing the unit of the block's values so far if it must.
func (p *Parser) moment(m dates.Moment) {
	p.ev.facts |= momentFacts(m)
	unit := p.target.unit
	switch {
	case p.ev.facts&sawNanos != 0 && p.ev.facts&sawFarDay == 0:
		unit = col.Nano
	case p.ev.facts&sawTime != 0:
		unit = col.Micro
	}
	if unit != p.target.unit {
		for i, v := range p.ints {
			p.ints[i] = dates.Convert(v, p.target.unit, unit)
		}
		p.target.unit = unit
	}
	p.addInt(m.In(unit))
}

func (p *Parser) forcedNumbers(b *Batch, cells []Cell) int {
	for _, c := range cells {
		s := b.Bytes(c)
		if p.isMissing(c, s) {
			p.miss()
			continue
		}
		n, fact, ok := p.anyNumber(trim(s))
		// Of the two decimal marks the column has one; the other is no number.
		if p.target.decimalComma {
			ok = ok && fact&sawPoint == 0
		} else {
			ok = ok && fact&sawComma == 0
		}
		p.ev.facts |= fact
		switch {
		case !ok || n.huge || c.form() == Bool || c.form() == Nested:
			p.unparsed++
			p.miss()
		case n.whole:
			p.addInt(n.i)
		default:
			p.addFloat(n.f)
		}
	}
	return len(cells)
}

func (p *Parser) forcedDates(b *Batch, cells []Cell) int {
	for _, c := range cells {
		s := b.Bytes(c)
		if p.isMissing(c, s) {
			p.miss()
			continue
		}
		s = trim(s)
		if c.form() == Bool || c.form() == Nested || !p.anyDate(s) {
			p.unparsed++
			p.miss()
		}
	}
	return len(cells)
}

// anyDate adds the date s of any form, or reports that it is none.
func (p *Parser) anyDate(s []byte) bool {
	if p.date(s, isoDate) || p.date(s, dottedDate) {
		return true
	}
	if day, ok := parseCondensed(s); ok {
		p.day(day)
		return true
	}
	v, f, ok := parseSlash(s)
	if !ok {
		return false
	}
	p.ev.facts |= f
	if y := v >> 16; y <= 1677 || y >= 2262 { // in either order
		p.ev.facts |= sawFarDay
	}
	if f&notMonthDay != 0 && !p.target.dayFirst || f&notDayMonth != 0 && p.target.dayFirst {
		return false
	}
	p.day(unpackSlash(v, p.target.dayFirst))
	return true
}

func (p *Parser) labelCodes(b *Batch, cells []Cell) int {
	for _, c := range cells {
		s, ok := p.text(b, c)
		if !ok {
			p.missing = append(p.missing, uint32(p.rows))
			p.codes = append(p.codes, 0)
			p.rows++
			continue
		}
		p.codes = append(p.codes, p.code(s))
		p.rows++
		p.labels++
	}
	return len(cells)
}

// code returns the code of a label. In front of the dictionary is a small cache
// addressed by cheap bits of the label: in most columns few labels are frequent.
func (p *Parser) code(s []byte) uint32 {
	n := len(s)
	slot := uint(n)
	if n > 0 {
		slot += uint(s[n-1])*5 + uint(s[n/2])*11 + uint(s[0])
	}
	e := &p.cache[slot&63]
	if e.set == 1 && p.dict.Label(e.code) == string(s) {
		return e.code
	}
	// It has room: gaveUp keeps a dictionary of 1 GiB from being used for another
	// block, and a block has far less than the 4 GiB that fit.
	code, _ := p.dict.Add(s)
	e.code, e.set = code, 1
	return code
}

func (p *Parser) texts(b *Batch, cells []Cell) int {
	if len(p.off) == 0 {
		p.off = append(p.off, 0)
	}
	for _, c := range cells {
		s, ok := p.text(b, c)
		if ok {
			p.buf = append(p.buf, s...)
		} else {
			p.missing = append(p.missing, uint32(p.rows))
		}
		p.off = append(p.off, uint32(len(p.buf)))
		p.rows++
	}
	return len(cells)
}

// text returns a cell's text as UTF-8, until the next call; false if it is missing.
func (p *Parser) text(b *Batch, c Cell) ([]byte, bool) {
	s := b.Bytes(c)
	if f := c.form(); f == Absent || f == Plain && len(s) == 0 {
		return nil, false
	}
	if b.Clean {
		return s, true
	}
	out, damaged := charset.Repair(p.scratch[:0], s, b.Coding)
	p.scratch = out
	if damaged {
		p.replaced++
	}
	return out, true
}

// Piece ends the block.
func (p *Parser) Piece() *Piece {
	if p.target.class == number && !p.fraction {
		p.noteWide()
	}
	out := &Piece{
		Evidence: p.ev, Rows: p.rows, Unparsed: p.unparsed, Replaced: p.replaced,
		made: p.target,
	}
	if p.ev.class == none { // the target may have been a guess that no cell used
		out.made.class = none
	}
	if len(p.missing) == p.rows || out.made.class == none {
		return out
	}
	if len(p.missing) > 0 {
		out.valid = col.NewBitmap(p.rows)
		for i := range out.valid {
			out.valid[i] = ^uint64(0)
		}
		if tail := p.rows & 63; tail != 0 {
			out.valid[len(out.valid)-1] = 1<<tail - 1
		}
		for _, r := range p.missing {
			out.valid.Clear(int(r))
		}
	}
	switch c := p.target.class; {
	case c == boolean:
		p.boolCodes(out)
	case c < label || c == forcedNumber || c == forcedDate:
		if p.fraction {
			out.data = append([]float64(nil), p.floats...)
		} else {
			out.data = col.NarrowInts(p.ints)
		}
	case p.strings:
		out.data = col.Strings{Off: append([]uint32(nil), p.off...), Buf: append([]byte(nil), p.buf...)}
	default:
		out.data, out.dict = col.NarrowCodes(p.codes), p.dict
	}
	return out
}

// Bytes returns the memory that p holds between blocks.
func (p *Parser) Bytes() int64 {
	n := int64(cap(p.missing)+cap(p.codes)+cap(p.off))*4 + int64(cap(p.ints)+cap(p.floats))*8 +
		int64(cap(p.buf)+cap(p.scratch)) + 1024
	if p.dict != nil {
		n += p.dict.Bytes()
	}
	return n
}

// boolDict has the labels of a boolean column. It never changes.
var boolDict = func() *col.Dict {
	d := col.NewDict()
	d.Add([]byte("false"))
	d.Add([]byte("true"))
	return d
}()

func (p *Parser) boolCodes(out *Piece) {
	codes := make([]uint8, len(p.ints))
	for i, v := range p.ints {
		codes[i] = uint8(v)
	}
	out.data, out.dict = codes, boolDict
}

// IsAbsent reports whether c is of the form [Absent].
func (c Cell) IsAbsent() bool { return c.form() == Absent }
