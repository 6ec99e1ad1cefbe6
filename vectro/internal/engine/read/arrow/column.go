package arrow

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"sort"
	"strconv"
	"unicode/utf8"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/dates"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/mem"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/charset"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/column"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/input"
)

// blockRows is the number of values decoded at a time, whole words of a bitmap.
const blockRows = 8192

// store is how a column is collected. A column begins with the first that its
// type allows; a value that it cannot hold exactly sends the column back to its
// first row with the next.
type store uint8

const (
	asInts store = iota
	asFloats
	asDays
	asMicros
	asNanos
	asLabels
	asText
	asParsed // strings as numbers or dates
)

// columnReader reads one leaf from all batches into one column.
type columnReader struct {
	c     *container
	leaf  *leaf
	kind  input.Kind
	bytes func(n int64)
	lease *mem.Lease // holds charged bytes for the column
	flows ledger     // buffers of the current batch
	dicts ledger     // buffers of the current dictionary

	charged  int64
	rows     int // appended so far
	lost     int // dates outside the years 1 to 9999
	replaced int // cells with bytes that were not UTF-8

	store  store
	ints   *col.IntBuilder
	floats *col.FloatBuilder
	labels *col.LabelBuilder
	text   *col.TextBuilder
	parsed parsed
	seen   *col.Dict // labels of the file's dictionaries, under codes that stay the same

	dict dictionary

	// Scratch of one block.
	pos   []int // index into the values behind a dictionary or run ends, -1 for missing
	valid col.Bitmap
	i64   []int64
	f64   []float64
	codes []uint32
	buf   []byte
}

// dictionary is the state of the leaf's dictionary for the current batch.
type dictionary struct {
	parts  []part
	starts []int // first index of each part, and the size of the whole
	used   int   // messages about the dictionary that have been taken in
}

// part is one array of values behind a dictionary or run ends.
type part struct {
	*array
	codes []uint32 // of labels: code in seen + 1, 0 for not yet known
	bad   []bool   // of labels: was not UTF-8; nil: none was
}

// errMisfit says that a value needs the store that it names.
type errMisfit struct{ need store }

func (e errMisfit) Error() string { return fmt.Sprintf("arrow: a value needs store %d", e.need) }

// read returns the column. Its memory is charged to the lease.
func (r *columnReader) read(ctx context.Context) (*col.Column, error) {
	defer r.flows.release()
	defer r.dicts.release()
	next, err := r.firstStore()
	if err != nil {
		return nil, err
	}
	r.parsed.target = column.Forced(r.kind)
	for {
		c, err := r.attempt(ctx, next)
		var misfit errMisfit
		if errors.As(err, &misfit) {
			next = misfit.need
			continue
		}
		return c, err
	}
}

// firstStore chooses the store from the leaf's class and the kind asked for.
func (r *columnReader) firstStore() (store, error) {
	switch r.kind {
	case input.Category:
		return asLabels, nil
	case input.Text:
		return asText, nil
	}
	if r.forced() {
		return asParsed, nil
	}
	natural := col.Number
	st := asInts
	switch r.leaf.class {
	case floats:
		st = asFloats
	case fractions:
		if r.leaf.value.typ != decimalType || r.leaf.value.scale > 0 {
			st = asFloats
		}
	case moments:
		natural, st = col.Date, asMicros
		if r.leaf.value.typ == dateType {
			st = asDays
		}
	case labels, bools:
		natural, st = col.Category, asLabels
	case nulls:
		if r.kind == input.Date {
			natural, st = col.Date, asDays
		}
	}
	if r.kind == input.Number && natural != col.Number || r.kind == input.Date && natural != col.Date {
		asked := col.Number
		if r.kind == input.Date {
			asked = col.Date
		}
		return 0, input.Errorf("types asks for %s in column '%s', which the file stores as %s; leave it out of types, or take category or text.", asked, r.leaf.name, r.leaf.f)
	}
	return st, nil
}

func (r *columnReader) attempt(ctx context.Context, st store) (*col.Column, error) {
	r.store, r.rows, r.lost, r.replaced = st, 0, 0, 0
	r.ints, r.floats, r.labels, r.text = new(col.IntBuilder), new(col.FloatBuilder), new(col.LabelBuilder), new(col.TextBuilder)
	r.dict, r.seen = dictionary{}, nil
	r.parsed.reset(r.parsed.target)
	r.dicts.release()
	if err := r.charge(0); err != nil {
		return nil, err
	}
	for i, b := range r.c.batches {
		if err := r.batch(ctx, i, b); err != nil {
			return nil, r.c.where(err, b, r.leaf.name)
		}
		r.flows.release()
	}
	if st == asParsed {
		return r.finishParsed()
	}
	c, err := r.finish()
	if err != nil {
		return nil, input.Errorf("column '%s' of '%s': %s.", r.leaf.name, r.c.src.Name, err)
	}
	return c, r.charge(c.Bytes())
}

func (r *columnReader) finishParsed() (*col.Column, error) {
	c, unparsed, again, err := r.parsed.finish(r.leaf.name)
	if err != nil {
		return nil, err
	}
	if again {
		return nil, errMisfit{asParsed}
	}
	r.lost = unparsed
	return c, r.charge(c.Bytes())
}

// charge makes the lease hold n bytes for the column.
func (r *columnReader) charge(n int64) error {
	d := n - r.charged
	r.charged = n
	return r.lease.Grow(d)
}

func (r *columnReader) finish() (*col.Column, error) {
	f := col.Field{Name: r.leaf.name}
	switch r.store {
	case asInts:
		return r.ints.Column(f), nil
	case asFloats:
		return r.floats.Column(f), nil
	case asDays, asMicros, asNanos:
		f.Kind, f.Zone = col.Date, r.leaf.value.zone
		f.Unit = map[store]col.Unit{asDays: col.Day, asMicros: col.Micro, asNanos: col.Nano}[r.store]
		return r.ints.Column(f), nil
	case asLabels:
		f.Kind, f.Bool = col.Category, r.leaf.class == bools
		return r.labels.Column(f)
	}
	f.Kind = col.Text
	return r.text.Column(f)
}

// held returns the memory of the builder in use.
func (r *columnReader) held() int64 {
	switch r.store {
	case asFloats:
		return r.floats.Bytes()
	case asLabels:
		n := r.labels.Bytes()
		if r.seen != nil {
			n += r.seen.Bytes()
		}
		return n
	case asText:
		return r.text.Bytes()
	case asParsed:
		return r.parsed.bytes
	}
	return r.ints.Bytes()
}

// batch appends the values of record batch i.
func (r *columnReader) batch(ctx context.Context, i int, b *batch) error {
	load := &loader{c: r.c, b: b, layout: r.c.layout, l: &r.flows, bytes: r.bytes}
	n := int(b.rows)
	var outer col.Bitmap // of the struct that the leaf is part of
	if r.leaf.parent != nil {
		s, err := load.open(r.leaf.parent, n)
		if err != nil {
			return err
		}
		outer = s.valid
	}
	a, err := load.load(r.leaf.f, n)
	if err != nil {
		return err
	}
	w, err := r.walk(a, i)
	if err != nil {
		return err
	}
	for from := 0; from < n; from += blockRows {
		if from/blockRows%16 == 0 {
			if err := ctx.Err(); err != nil {
				return context.Cause(ctx)
			}
		}
		k := min(blockRows, n-from)
		if err := r.block(w, outer, from, k); err != nil {
			return err
		}
		if before := r.rows; before/col.ChunkRows != (before+k)/col.ChunkRows {
			if err := r.charge(r.held()); err != nil {
				return err
			}
		}
		r.rows += k
	}
	return r.charge(r.held())
}

// walk is a way from the rows of a batch to values: directly, or through indices
// or run ends, or through run ends and then indices.
type walk struct {
	a      *array // the batch's own array
	index  *array // indices into a dictionary: a itself, or the values of a's runs
	run    int    // the run that the walk has reached
	parts  []part
	starts []int
}

// walk prepares the way for array a of record batch number i.
func (r *columnReader) walk(a *array, i int) (*walk, error) {
	w := &walk{a: a}
	values := a
	if a.f.dict == nil && a.f.typ == runEndType {
		values = a.kids[1]
	}
	if enc := values.f.dict; enc != nil {
		w.index = values
		if err := r.advance(enc.id, i); err != nil {
			return nil, err
		}
		w.parts, w.starts = r.dict.parts, r.dict.starts
		return w, r.checkIndices(values, w.starts[len(w.starts)-1])
	}
	w.parts, w.starts = []part{{array: values}}, []int{0, values.n}
	return w, r.prepareParts(w.parts, &r.flows)
}

// direct reports whether row i is value i.
func (w *walk) direct() bool { return w.index == nil && w.parts[0].array == w.a }

// prepareParts gives parts that hold labels room for their codes.
func (r *columnReader) prepareParts(parts []part, l *ledger) error {
	if r.leaf.class != labels || r.store != asLabels || len(parts) == 1 && parts[0].f == r.leaf.f {
		return nil // labels without detour need none
	}
	for i := range parts {
		if err := l.take(4 * int64(parts[i].n)); err != nil {
			return err
		}
		parts[i].codes = make([]uint32, parts[i].n)
	}
	return nil
}

// advance brings the dictionary to its state for record batch number i.
func (r *columnReader) advance(id int64, i int) error {
	messages, before := r.c.dicts[id], r.dict.used
	for ; r.dict.used < len(messages) && messages[r.dict.used].before <= i; r.dict.used++ {
		m := messages[r.dict.used]
		if !m.delta {
			r.dict.parts = nil
			r.dicts.release()
		}
		layout := map[*field]place{}
		var size counts
		var old int
		placeFields([]*field{r.leaf.value}, layout, &size, &old)
		if err := r.c.checkParts(m.batch, size); err != nil {
			return err
		}
		load := &loader{c: r.c, b: m.batch, layout: layout, l: &r.dicts, bytes: r.bytes}
		values, err := load.load(r.leaf.value, int(m.rows))
		if err != nil {
			return r.c.where(err, m.batch, r.leaf.name)
		}
		parts := []part{{array: values}}
		if err := r.prepareParts(parts, &r.dicts); err != nil {
			return err
		}
		r.dict.parts = append(r.dict.parts, parts...)
	}
	if len(r.dict.starts) == 0 || r.dict.used != before {
		r.dict.starts = []int{0}
		for _, p := range r.dict.parts {
			r.dict.starts = append(r.dict.starts, r.dict.starts[len(r.dict.starts)-1]+p.n)
		}
	}
	return nil
}

// checkIndices makes sure that every present index is below size.
func (r *columnReader) checkIndices(a *array, size int) error {
	enc := a.f.dict
	for i := range a.n {
		if x := integer(a.data, i, enc.bits, enc.signed); uint64(x) >= uint64(size) && a.valid.Get(i) {
			if !enc.signed {
				return corrupt("index %d is %d; its dictionary has %d values", i+1, uint64(x), size)
			}
			return corrupt("index %d is %d; its dictionary has %d values", i+1, x, size)
		}
	}
	return nil
}

// positions fills r.pos with the values of rows [from, from+n), -1 for missing.
func (r *columnReader) positions(w *walk, from, n int) {
	r.pos = grow(r.pos, n)
	for i := range r.pos {
		at := from + i
		if w.a.f.dict == nil && w.a.f.typ == runEndType {
			ends := w.a.kids[0]
			if w.run > 0 && int64(at) < ends.integer(w.run-1) {
				w.run = 0
			}
			for ends.integer(w.run) <= int64(at) {
				w.run++
			}
			at = w.run
		}
		if w.index != nil {
			if !w.index.valid.Get(at) {
				r.pos[i] = -1
				continue
			}
			at = int(integer(w.index.data, at, w.index.f.dict.bits, w.index.f.dict.signed))
		}
		r.pos[i] = at
	}
}

// find returns the part that holds position at, and its place there.
func (w *walk) find(at int) (*part, int) {
	k := 0
	if len(w.parts) > 1 {
		k = sort.SearchInts(w.starts[1:], at+1)
	}
	return &w.parts[k], at - w.starts[k]
}

// block appends rows [from, from+n). from is a multiple of blockRows.
func (r *columnReader) block(w *walk, outer col.Bitmap, from, n int) error {
	if r.leaf.class == nulls {
		r.appendMissing(n)
		return nil
	}
	direct := w.direct()
	var valid col.Bitmap // nil: all present
	if direct {
		if w.a.valid != nil {
			valid = w.a.valid[from/64:]
		}
	} else {
		r.positions(w, from, n)
		valid = r.validity(w, n)
	}
	if outer != nil {
		valid = r.and(valid, outer[from/64:], n)
	}
	if r.leaf.class == labels && (r.store == asLabels || r.store == asText) {
		return r.appendLabels(w, direct, from, n, valid)
	}
	if r.store == asParsed {
		r.parsed.append(r, w, direct, from, n, valid)
		return nil
	}
	if r.store == asLabels || r.store == asText {
		r.appendWritten(w, direct, from, n, valid)
		return nil
	}
	if r.store == asFloats {
		r.f64 = grow(r.f64, n)
		r.decodeFloats(w, direct, from, valid)
		col.AppendFloats(r.floats, r.f64, valid)
		return nil
	}
	r.i64 = grow(r.i64, n)
	if r.leaf.class == moments {
		valid, err := r.decodeDates(w, direct, from, valid)
		if err != nil {
			return err
		}
		col.AppendInts(r.ints, r.i64, valid)
		return nil
	}
	if err := r.decodeInts(w, direct, from, valid); err != nil {
		return err
	}
	col.AppendInts(r.ints, r.i64, valid)
	return nil
}

func (r *columnReader) appendMissing(n int) {
	switch r.store {
	case asFloats:
		r.floats.AppendMissing(n)
	case asLabels:
		r.labels.AppendMissing(n)
	case asText:
		r.text.AppendMissing(n)
	default:
		r.ints.AppendMissing(n)
	}
}

// validity returns which of the rows at r.pos are present.
func (r *columnReader) validity(w *walk, n int) col.Bitmap {
	r.valid = grow(r.valid, (n+63)/64)
	clear(r.valid)
	for i, at := range r.pos {
		if at >= 0 {
			if p, j := w.find(at); p.valid.Get(j) {
				r.valid.Set(i)
			}
		}
	}
	return r.valid
}

// and returns the rows that are present in both, in r.valid.
func (r *columnReader) and(a, b col.Bitmap, n int) col.Bitmap {
	if a == nil {
		return b
	}
	words := (n + 63) / 64
	r.valid = grow(r.valid, words)
	for i := range words {
		r.valid[i] = a[i] & b[i]
	}
	return r.valid
}

// grow returns s with length n and any content.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// at returns the array and the place in it of row i of the block.
func (r *columnReader) at(w *walk, direct bool, from, i int) (*array, int) {
	if direct {
		return w.a, from + i
	}
	p, j := w.find(r.pos[i])
	return p.array, j
}

// decodeInts fills r.i64 with whole numbers; missing ones are arbitrary.
func (r *columnReader) decodeInts(w *walk, direct bool, from int, valid col.Bitmap) error {
	v := r.leaf.value
	switch {
	case v.typ == decimalType:
		for i := range r.i64 {
			if valid.Get(i) {
				a, j := r.at(w, direct, from, i)
				x, ok := decimalInt(a.decimal(j), v.scale)
				if !ok {
					return errMisfit{asFloats}
				}
				r.i64[i] = x
			}
		}
	case direct:
		r.decodeDirect(w.a, from)
	default:
		for i := range r.i64 {
			if valid.Get(i) {
				a, j := r.at(w, direct, from, i)
				r.i64[i] = a.whole(j)
			}
		}
	}
	if v.typ == intType && v.bits == 64 && !v.signed {
		for i, x := range r.i64 {
			if x < 0 && valid.Get(i) {
				return errMisfit{asFloats}
			}
		}
	}
	return nil
}

// decodeDirect fills r.i64 from a's values, the common case, in tight loops.
func (r *columnReader) decodeDirect(a *array, from int) {
	bits, signed := a.f.width(), a.f.signed || a.f.typ != intType
	d := a.data[from*bits/8:]
	out := r.i64
	switch {
	case bits == 64:
		for i := range out {
			out[i] = int64(binary.LittleEndian.Uint64(d[8*i:]))
		}
	case bits == 32 && signed:
		for i := range out {
			out[i] = int64(int32(binary.LittleEndian.Uint32(d[4*i:])))
		}
	default:
		for i := range out {
			out[i] = integer(d, i, bits, signed)
		}
	}
}

// whole returns value i of an array of ints, times, durations, dates or
// timestamps, as stored.
func (a *array) whole(i int) int64 {
	return integer(a.data, i, a.f.width(), a.f.signed || a.f.typ != intType)
}

func (a *array) decimal(i int) []byte {
	w := a.f.bits / 8
	return a.data[w*i : w*(i+1)]
}

// perSecond are the powers of ten that the units divide a second into.
var perSecond = [...]int{seconds: 0, millis: 3, micros: 6, nanos: 9}

// decodeFloats fills r.f64; missing ones are arbitrary.
func (r *columnReader) decodeFloats(w *walk, direct bool, from int, valid col.Bitmap) {
	v := r.leaf.value
	if direct && v.typ == floatType && v.bits == 64 {
		d := w.a.data[8*from:]
		for i := range r.f64 {
			r.f64[i] = math.Float64frombits(binary.LittleEndian.Uint64(d[8*i:]))
		}
		return
	}
	for i := range r.f64 {
		if !valid.Get(i) {
			r.f64[i] = 0
			continue
		}
		a, j := r.at(w, direct, from, i)
		switch v.typ {
		case floatType:
			r.f64[i] = a.float(j)
		case decimalType:
			r.f64[i] = decimalFloat(a.decimal(j), v.scale)
		case timeType, durationType:
			width := a.f.width() / 8
			r.f64[i] = decimalFloat(a.data[width*j:width*(j+1)], perSecond[v.unit])
		default: // uint64 above int64, with its neighbours
			x := a.whole(j)
			r.f64[i] = float64(uint64(x))
		}
	}
}

// decodeDates fills r.i64 in the unit of the store and returns the validity, from
// which days outside the years 1 to 9999 are taken.
func (r *columnReader) decodeDates(w *walk, direct bool, from int, valid col.Bitmap) (col.Bitmap, error) {
	v := r.leaf.value
	owned := false
	for i := range r.i64 {
		if !valid.Get(i) {
			r.i64[i] = 0
			continue
		}
		a, j := r.at(w, direct, from, i)
		x, need, ok := dateIn(a.whole(j), v, r.store)
		if need != r.store {
			return nil, errMisfit{need}
		}
		if !ok {
			if !owned {
				all := grow(col.Bitmap(nil), (len(r.i64)+63)/64)
				for k := range all {
					all[k] = math.MaxUint64
					if valid != nil {
						all[k] = valid[k]
					}
				}
				valid, owned = all, true
			}
			valid.Clear(i)
			r.lost++
			x = 0
		}
		r.i64[i] = x
	}
	return valid, nil
}

// unitsPerDay says how many of a unit make a day.
var unitsPerDay = [...]int64{seconds: 86_400, millis: 86_400_000, micros: dates.MicrosPerDay, nanos: dates.NanosPerDay, days: 1}

// dateIn converts x from the unit of f to that of st, or names the store that it
// needs. It is not ok when the day lies outside the years 1 to 9999.
func dateIn(x int64, f *field, st store) (v int64, need store, ok bool) {
	per := unitsPerDay[f.unit]
	day, rest := x/per, x%per
	if rest < 0 {
		day, rest = day-1, rest+per
	}
	if day < dates.MinDay || day > dates.MaxDay {
		return 0, st, false
	}
	switch st {
	case asDays:
		if rest != 0 {
			return 0, asMicros, true
		}
		return day, st, true
	case asMicros:
		if f.unit == nanos && rest%1000 != 0 {
			return 0, asNanos, true
		}
		if f.unit == nanos {
			return day*dates.MicrosPerDay + rest/1000, st, true
		}
		return day*dates.MicrosPerDay + rest*(dates.MicrosPerDay/per), st, true
	}
	return x, st, true // nanoseconds are only needed by nanoseconds
}

// appendLabels appends strings as labels or text.
func (r *columnReader) appendLabels(w *walk, direct bool, from, n int, valid col.Bitmap) error {
	if r.store == asLabels && !direct {
		return r.appendCodes(w, n, valid)
	}
	if direct && r.appendRun(w.a, from, n, valid) {
		return nil
	}
	for i := range n {
		if !valid.Get(i) {
			r.appendMissing(1)
			continue
		}
		a, j := r.at(w, direct, from, i)
		s, bad := r.clean(a.str(j))
		if bad {
			r.replaced++
		}
		if r.store == asText {
			r.text.Append(s)
		} else {
			r.labels.Append(s)
		}
	}
	return nil
}

// appendRun appends strings that lie one after the other and are valid UTF-8,
// without a look at each. It reports false, and appends nothing, if they are not.
func (r *columnReader) appendRun(a *array, from, n int, valid col.Bitmap) bool {
	size := 4
	switch a.f.typ {
	case largeUtf8Type:
		size = 8
	case utf8Type:
	default:
		return false
	}
	first, last := offset(a.offs, size, from), offset(a.offs, size, from+n)
	run := a.data[first:last]
	if len(run) > math.MaxUint32 || !utf8.Valid(run) {
		return false
	}
	r.codes = grow(r.codes, n+1)
	for i := range r.codes {
		o := int(offset(a.offs, size, from+i) - first)
		if o < len(run) && !utf8.RuneStart(run[o]) {
			return false
		}
		r.codes[i] = uint32(o)
	}
	s := col.Strings{Off: r.codes, Buf: run}
	if r.store == asText {
		r.text.AppendStrings(s, valid)
	} else {
		r.labels.AppendStrings(s, valid)
	}
	return true
}

// appendCodes appends labels behind indices or run ends: each is looked at once.
func (r *columnReader) appendCodes(w *walk, n int, valid col.Bitmap) error {
	if r.seen == nil {
		r.seen = col.NewDict()
	}
	r.codes = grow(r.codes, n)
	for i := range n {
		r.codes[i] = 0
		if !valid.Get(i) {
			continue
		}
		p, j := w.find(r.pos[i])
		if p.codes[j] == 0 {
			s, bad := r.clean(p.str(j))
			code, ok := r.seen.Add(s)
			if !ok {
				return corrupt("its dictionaries hold more than 4 GiB of labels")
			}
			p.codes[j] = code + 1
			if bad {
				if p.bad == nil {
					p.bad = make([]bool, p.n)
				}
				p.bad[j] = true
			}
		}
		if p.bad != nil && p.bad[j] {
			r.replaced++
		}
		r.codes[i] = p.codes[j] - 1
	}
	col.AppendCodes(r.labels, r.seen, r.codes, valid)
	return nil
}

// clean returns s with bytes that are not UTF-8 replaced, in r.buf then, and
// whether there were any.
func (r *columnReader) clean(s []byte) (_ []byte, bad bool) {
	if utf8.Valid(s) {
		return s, false
	}
	r.buf, bad = charset.Repair(r.buf[:0], s, charset.UTF8)
	return r.buf, bad
}

// appendWritten appends values of other types as labels or text.
func (r *columnReader) appendWritten(w *walk, direct bool, from, n int, valid col.Bitmap) {
	for i := range n {
		if !valid.Get(i) {
			r.appendMissing(1)
			continue
		}
		a, j := r.at(w, direct, from, i)
		r.buf = a.write(r.buf[:0], j)
		switch {
		case len(r.buf) == 0:
			if a.f.typ != floatType { // NaN is missing and nothing lost
				r.lost++
			}
			r.appendMissing(1)
		case r.store == asText:
			r.text.Append(r.buf)
		default:
			r.labels.Append(r.buf)
		}
	}
}

// write appends value i as text; nothing for NaN and for dates out of range.
func (a *array) write(dst []byte, i int) []byte {
	f := a.f
	switch f.typ {
	case boolType:
		return strconv.AppendBool(dst, a.data[i/8]>>(i%8)&1 == 1)
	case intType:
		if f.signed {
			return strconv.AppendInt(dst, a.integer(i), 10)
		}
		return strconv.AppendUint(dst, uint64(a.integer(i)), 10)
	case floatType:
		return a.writeFloat(dst, i)
	case decimalType:
		return decimalText(dst, a.decimal(i), f.scale)
	case timeType, durationType:
		w := f.width() / 8
		return decimalText(dst, a.data[w*i:w*(i+1)], perSecond[f.unit])
	}
	x := a.whole(i)
	unit, st := col.Micro, asMicros
	if f.unit == nanos {
		unit, st = col.Nano, asNanos
	}
	v, _, ok := dateIn(x, f, st)
	if !ok {
		return dst
	}
	_, rest := dates.Split(v, unit)
	return dates.Append(dst, v, unit, f.typ == dateType && rest == 0, f.zone)
}

// writeFloat writes the shortest decimal that reads back to the same value,
// without an exponent for everyday magnitudes.
func (a *array) writeFloat(dst []byte, i int) []byte {
	x := a.float(i)
	bits := 64
	if a.f.bits < 64 {
		bits = 32
	}
	switch m := math.Abs(x); {
	case math.IsNaN(x):
		return dst
	case x == 0:
		return append(dst, '0')
	case m < 1e-6 || m >= 1e21:
		return strconv.AppendFloat(dst, x, 'g', -1, bits)
	}
	return strconv.AppendFloat(dst, x, 'f', -1, bits)
}
