package kuzu

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/quartet-mcp/quartet/pretensor/internal/graph"
)

// Load adds nodes of a label, or edges of an edge type. columns are the names of
// properties, the key among them for nodes; for edges the first two columns are the
// keys of the two ends, under any name. Each row has one value per column: a string,
// bool, int, int64, float64, []string, []float32, or nil. An empty string stays
// apart from no value. A key that is there twice and an end that does not exist are
// errors, after which some of the rows may be there: fill should give up. rows may be
// nil; where a property is a list they are gone through twice. A row is not kept, so
// that the next one may be in its place.
//
// A zero byte, which the engine takes for the end of a string, becomes U+FFFD, as
// invalid UTF-8 does.
func (w *Writer) Load(ctx context.Context, name string, columns []string, rows iter.Seq[[]any]) error {
	types, err := columnTypes(name, columns)
	if err != nil {
		return err
	}
	if rows == nil {
		return nil
	}
	c := csvWriter{types: types, null: nullMark()}
	if slices.Contains(types, "STRING[]") {
		if c.separator, err = listSeparator(rows); err != nil {
			return fmt.Errorf("loading %s: %w", name, err)
		}
	}
	f, err := os.CreateTemp(w.dir, "load-*.csv") // 0600
	if err != nil {
		return fmt.Errorf("loading %s: %w", name, cause(err))
	}
	defer os.Remove(f.Name())
	defer f.Close()
	c.out = bufio.NewWriterSize(f, 1<<16)
	part := func() error {
		if err := c.out.Flush(); err != nil {
			return cause(err)
		}
		if _, err := w.run(ctx, loadStatement(name, columns, c, f.Name())); err != nil {
			return err
		}
		trim()
		c.size = 0
		_, err := f.Seek(0, io.SeekStart)
		return errors.Join(err, f.Truncate(0))
	}
	for row := range rows {
		if err = c.row(row); err == nil && c.size > partSize {
			err = part()
		}
		if err != nil {
			return fmt.Errorf("loading %s: %w", name, err)
		}
	}
	if c.size > 0 {
		if err := part(); err != nil {
			return fmt.Errorf("loading %s: %w", name, err)
		}
	}
	return nil
}

// partSize is how many bytes of text are given to the engine at once, which keeps all
// of it in memory until it is stored. Smaller parts take longer: each is a transaction.
const partSize = 8 << 20

// fewRows is up to how many nodes are created one by one: filling a label of few of
// them in bulk takes the engine a fifth of a second, most of it to clear memory.
const fewRows = 1000

// loadStatement is what loads the file that c has written. Only what the engine cannot
// read as it stands goes through a query, which takes longer.
func loadStatement(name string, columns []string, c csvWriter, file string) string {
	into := columns
	_, edge := graph.Find(name, 0)
	if edge != nil {
		into = columns[2:]
	}
	// The engine wants one property of an edge at least, if it has any.
	noneGiven := edge != nil && len(into) == 0 && len(edge.Properties) > 0
	if noneGiven {
		into = []string{edge.Properties[0].Name}
	}
	target := quoteName(name)
	if len(into) > 0 {
		quoted := make([]string, len(into))
		for i, c := range into {
			quoted[i] = quoteName(c)
		}
		target += "(" + strings.Join(quoted, ", ") + ")"
	}
	// Fields may hold line breaks, so the file is read by one thread.
	options := fmt.Sprintf("(HEADER=false, AUTO_DETECT=false, PARALLEL=false, DELIM=',', QUOTE='\"', ESCAPE='\"', NULL_STRINGS=[%s])", quoteText(c.null))
	few := edge == nil && c.rows <= fewRows
	if !few && !noneGiven && !slices.Contains(c.types, "STRING[]") {
		return fmt.Sprintf("COPY %s FROM %s %s", target, quoteText(file), options)
	}
	var read, result []string
	for i, t := range c.types {
		cell := fmt.Sprintf("c%d", i)
		if t == "STRING[]" {
			read = append(read, cell+" STRING")
			result = append(result, fmt.Sprintf("list_transform(string_split(%s, '%s')[2:], x -> substring(x, 2, size(x)))", cell, c.separator))
			continue
		}
		read, result = append(read, cell+" "+t), append(result, cell)
	}
	load := fmt.Sprintf("LOAD WITH HEADERS (%s) FROM %s %s", strings.Join(read, ", "), quoteText(file), options)
	if few {
		for i, value := range result {
			result[i] = quoteName(columns[i]) + ": " + value
		}
		return fmt.Sprintf("%s CREATE (:%s {%s})", load, quoteName(name), strings.Join(result, ", "))
	}
	if noneGiven {
		result = append(result, "CAST(NULL AS "+edge.Properties[0].Type+")")
	}
	return fmt.Sprintf("COPY %s FROM (%s RETURN %s)", target, load, strings.Join(result, ", "))
}

func quoteText(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "'"
}

// columnTypes returns the engine's types of the columns of a label or edge type.
func columnTypes(name string, columns []string) ([]string, error) {
	label, edge := graph.Find(name, 1)
	var list []graph.Property
	var types []string
	switch {
	case label != nil && label.Name == name:
		if !slices.Contains(columns, graph.Key) {
			return nil, fmt.Errorf("loading %s: no column %s", name, graph.Key)
		}
		list = label.Properties
	case edge != nil && edge.Name == name:
		if len(columns) < 2 {
			return nil, fmt.Errorf("loading %s: the first two columns must be the keys of the ends", name)
		}
		list, columns, types = edge.Properties, columns[2:], []string{"STRING", "STRING"}
	default:
		return nil, fmt.Errorf("loading %q: no label or edge type of this name", name)
	}
	for _, c := range columns {
		i := slices.IndexFunc(list, func(p graph.Property) bool { return p.Name == c })
		if i < 0 {
			return nil, fmt.Errorf("loading %s: no property %q", name, c)
		}
		t := list[i].Type
		if strings.HasPrefix(t, "FLOAT[") {
			t = "FLOAT[]" // the engine checks the length when it converts
		}
		types = append(types, t)
	}
	return types, nil
}

// listSeparator returns a character that no element of a list has.
func listSeparator(rows iter.Seq[[]any]) (string, error) {
	used := map[rune]bool{}
	for row := range rows {
		for _, v := range row {
			list, ok := v.([]string)
			if !ok {
				continue
			}
			for _, s := range list {
				for _, r := range s {
					used[r] = true
				}
			}
		}
	}
	for r := rune(0x1f); r >= 0x1c; r-- {
		if !used[r] {
			return string(r), nil
		}
	}
	for r := rune(0xe000); r <= 0xf8ff; r++ { // private use
		if !used[r] {
			return string(r), nil
		}
	}
	return "", errors.New("the lists' elements use every character that could separate them")
}

// mark begins each list and each of its elements, which come after a separator: the
// engine's split loses empty pieces at the end. It is taken off by substring, which
// counts what a person sees as one character: only a control character never joins
// the next.
const mark = "\x01"

// nullMark is what stands for no string. Nobody can know it, so no string is like it.
func nullMark() string { return mark + rand.Text()[:8] }

// csvWriter writes rows as the engine reads them.
type csvWriter struct {
	types           []string
	null, separator string
	out             *bufio.Writer
	rows            int    // so far
	size            int    // bytes since the last part
	buf             []byte // of a row
}

// row adds a row.
func (c *csvWriter) row(row []any) error {
	if len(row) != len(c.types) {
		return fmt.Errorf("row %d has %d values, want %d", c.rows, len(row), len(c.types))
	}
	c.buf = c.buf[:0]
	for i, v := range row {
		if i > 0 {
			c.buf = append(c.buf, ',')
		}
		if err := c.cell(c.types[i], v); err != nil {
			return fmt.Errorf("row %d, column %d: %w", c.rows, i, err)
		}
	}
	c.buf = append(c.buf, '\n')
	c.rows++
	c.size += len(c.buf)
	_, err := c.out.Write(c.buf)
	return err
}

// misfit says that a property of a type cannot have a value.
func misfit(typ string, v any) error { return fmt.Errorf("a value of type %T does not fit %s", v, typ) }

// cell adds a value.
func (c *csvWriter) cell(typ string, v any) error {
	switch v := v.(type) {
	case nil:
		c.none(typ)
		return nil
	case string:
		if typ != "STRING" {
			return misfit(typ, v)
		}
		c.buf = append(c.buf, '"')
		c.text(v)
		c.buf = append(c.buf, '"')
		return nil
	case []string:
		if typ != "STRING[]" {
			return misfit(typ, v)
		}
		if v == nil {
			c.none(typ)
			return nil
		}
		c.buf = append(c.buf, '"')
		c.text(mark)
		for _, s := range v {
			c.text(c.separator)
			c.text(mark)
			c.text(s)
		}
		c.buf = append(c.buf, '"')
		return nil
	case bool:
		if typ != "BOOL" {
			return misfit(typ, v)
		}
		c.buf = strconv.AppendBool(c.buf, v)
		return nil
	case int:
		return c.integer(typ, int64(v))
	case int64:
		return c.integer(typ, v)
	case float64:
		if typ != "DOUBLE" || math.IsNaN(v) || math.IsInf(v, 0) {
			return misfit(typ, v)
		}
		c.buf = strconv.AppendFloat(c.buf, v, 'g', -1, 64)
		return nil
	case []float32:
		if typ != "FLOAT[]" {
			return misfit(typ, v)
		}
		if v == nil {
			c.none(typ)
			return nil
		}
		c.buf = append(c.buf, '"', '[')
		for i, f := range v {
			if math.IsNaN(float64(f)) || math.IsInf(float64(f), 0) {
				return misfit(typ, v)
			}
			if i > 0 {
				c.buf = append(c.buf, ',')
			}
			c.buf = strconv.AppendFloat(c.buf, float64(f), 'g', -1, 32)
		}
		c.buf = append(c.buf, ']', '"')
		return nil
	}
	return misfit(typ, v)
}

// none adds no value.
func (c *csvWriter) none(typ string) {
	if typ == "STRING" || typ == "STRING[]" {
		c.buf = append(c.buf, c.null...)
	}
}

// integer refuses the smallest integer, which the engine stores as another one.
func (c *csvWriter) integer(typ string, v int64) error {
	if typ != "INT64" || v == math.MinInt64 {
		return misfit(typ, v)
	}
	c.buf = strconv.AppendInt(c.buf, v, 10)
	return nil
}

// text adds a part of a quoted cell.
func (c *csvWriter) text(s string) {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	for i := range len(s) {
		switch b := s[i]; b {
		case 0:
			c.buf = append(c.buf, "\uFFFD"...)
		case '"':
			c.buf = append(c.buf, '"', '"')
		default:
			c.buf = append(c.buf, b)
		}
	}
}
