// Package arrow reads Arrow IPC files and streams and Feather files of version 2
// into tables. [Read] is the whole of it.
//
// Such a file is a memory dump with a description: believing it is how readers
// crash. This one believes nothing. The metadata are walked with bounds checked
// at every step ([flat]), all places they name are checked against the file when
// it is opened ([container]), and the lengths, offsets, views, run ends and
// dictionary indices of an array are checked when it is loaded ([array]), before
// the first value is decoded. What a file claims to need is reserved from the
// memory budget before it is allocated. Only the buffers of columns that become
// part of the table are read, one column at a time for each worker.
//
// The metadata are not left to the Arrow project's Go library, which follows them
// without limits: measured with its v18.8.0, a schema of 963 bytes whose structs
// share their fields took 250 MB, twice as much with every further level, and one
// nested three million levels deep ended the process with a stack overflow, from
// which Go cannot recover. What can be decoded after that check is a few lines a
// type. The library writes the files of the tests.
//
// How Arrow's types become columns:
//
//	(u)int8 … uint64             number, exact; with a uint64 beyond int64 the column is float64
//	float16, float32, float64    number; NaN is missing
//	decimal32 … decimal256       number: exact if all values are whole by their scale (scale ≤ 0) and
//	                             fit int64, else the nearest float64
//	bool                         category with the labels true and false
//	utf8, large_utf8, utf8_view  category; bytes that are not UTF-8 become U+FFFD
//	date32, date64, timestamp    date; in UTC and marked so if the timestamp has a zone
//	time32, time64, duration     number of seconds
//	null                         number, all missing
//	dictionary, run_end_encoded  as the values they stand for
//	extension                    as its storage
//	struct                       its fields as columns struct.field, one level deep
//	list of floats               of one length: the table's embedding (the first such column)
//
// Binary data, intervals, maps, unions and other nested types are left out and
// named in the result.
package arrow

import (
	"context"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/input"
)

// Read loads src, whose first bytes decide between file and stream. Damage is an
// [*input.Error] that says what is wrong and where; the lease then still holds
// what was charged and is its owner's to close. In the result Unparsed counts,
// besides cells of columns named in opt.Types, dates outside the years 1 to 9999,
// which become missing, and vectors with a number that is missing or not finite,
// whose rows have no vector.
func Read(ctx context.Context, src input.Source, opt input.Options) (res *input.Result, err error) {
	defer guard(src, &err)
	opt = opt.WithDefaults()
	c, err := open(src, opt.Lease.Budget)
	if c != nil {
		defer c.scratch.release()
	}
	if err != nil {
		return nil, err
	}
	list, err := c.leaves()
	if err != nil {
		return nil, err
	}
	kinds, err := kindsOf(list, opt.Types)
	if err != nil {
		return nil, err
	}

	progress := &input.Progress{Total: src.Size, Report: opt.Progress}
	t := &col.Table{Rows: c.rows}
	res = &input.Result{Table: t, Unparsed: map[string]int{}}
	columns := make([]*col.Column, len(list))
	readers := make([]*columnReader, len(list))
	// Number 0 is the embedding, which is the most work where there is one.
	err = input.Each(ctx, opt.Threads, len(list)+1, func(_, i int) (err error) {
		defer guard(src, &err)
		if i == 0 {
			t.Embedding, err = c.readEmbedding(ctx, list, opt, progress, res)
			return err
		}
		i--
		if l := list[i]; !l.isList() && l.class != noClass {
			readers[i] = &columnReader{
				c: c, leaf: l, kind: kinds[i], bytes: progress.Add, lease: opt.Lease,
				flows: ledger{budget: opt.Lease.Budget}, dicts: ledger{budget: opt.Lease.Budget},
			}
			columns[i], err = readers[i].read(ctx)
		}
		return err
	})
	if err != nil {
		return nil, err
	}

	for i, l := range list {
		switch {
		case columns[i] != nil:
			t.Columns = append(t.Columns, columns[i])
			res.Replaced += readers[i].replaced
			if n := readers[i].lost; n > 0 {
				res.Unparsed[l.name] = n
			}
		case l.class == noClass:
			res.SkippedColumns = append(res.SkippedColumns, input.SkippedColumn{Name: l.name, Reason: l.reason})
		}
	}
	if len(t.Columns) == 0 {
		if e := t.Embedding; e != nil {
			return nil, input.Errorf("'%s' has no column beside the embedding '%s'; Vectro needs at least one.", src.Name, e.Field)
		}
		return nil, c.noColumn(res.SkippedColumns)
	}
	progress.Add(src.Size)
	return res, nil
}

// kindsOf returns what types asks for, for each of the leaves.
func kindsOf(list []*leaf, types map[string]string) ([]input.Kind, error) {
	var names []string
	var at []int
	for i, l := range list {
		if !l.isList() && l.class != noClass {
			names, at = append(names, l.name), append(at, i)
		}
	}
	if err := notColumns(list, names, types); err != nil {
		return nil, err
	}
	asked, err := input.Kinds(names, types)
	kinds := make([]input.Kind, len(list))
	for i, k := range asked {
		kinds[at[i]] = k
	}
	return kinds, err
}

// notColumns refuses types that name something which the file has but which does
// not become a column that could be of another kind.
func notColumns(list []*leaf, names []string, types map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(types)) {
		same := func(n string) bool { return strings.EqualFold(n, name) }
		if slices.ContainsFunc(names, same) {
			continue
		}
		var inside []string
		for _, l := range list {
			switch {
			case same(l.name) && l.isList():
				return input.Errorf("types names the column '%s', which is %s: it becomes the embedding or is left out, and takes no other kind.", name, l.f)
			case same(l.name):
				return input.Errorf("types names the column '%s', which is not loaded: %s.", name, l.reason)
			case len(l.name) > len(name) && strings.EqualFold(l.name[:len(name)+1], name+"."):
				inside = append(inside, l.name)
			}
		}
		if len(inside) > 0 {
			return input.Errorf("types names the column '%s', which is a struct; its fields are columns: '%s'.", name, strings.Join(inside[:min(5, len(inside))], "', '"))
		}
	}
	return nil
}

// readEmbedding makes the first column of lists that can be one the embedding,
// and leaves the others out.
func (c *container) readEmbedding(ctx context.Context, list []*leaf, opt input.Options, progress *input.Progress, res *input.Result) (*col.Embedding, error) {
	var found *col.Embedding
	for _, l := range list {
		if l.class != vectors {
			continue
		}
		if found != nil {
			l.skip(fmt.Sprintf("a table has one embedding, here '%s'", found.Field))
			continue
		}
		r := &vectorReader{c: c, leaf: l, bytes: progress.Add, lease: opt.Lease, flows: ledger{budget: opt.Lease.Budget}}
		e, why, err := r.read(ctx)
		if err != nil {
			return nil, err
		}
		if why != "" {
			l.skip(why)
			continue
		}
		found = e
		if r.lost > 0 {
			res.Unparsed[l.name] = r.lost
		}
	}
	return found, nil
}

// guard turns a panic into an error. Nothing here is known to panic; but one in a
// worker would end the process, on input that anyone may have prepared.
func guard(src input.Source, err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("reading '%s': internal fault: %v\n%s", src.Name, p, debug.Stack())
	}
}
