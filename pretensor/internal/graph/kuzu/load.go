package kuzu

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/pretensor/internal/graph"
)

// Load adds nodes of a label, or edges of an edge type. columns are the names of
// properties, the key among them for nodes; for edges the first two columns are the
// keys of the two ends, under any name. Each row has one value per column: a string,
// bool, int, int64, float64, []string, []float32, or nil. An empty string stays
// apart from no value. All rows are added, or none with an error: a key that is there
// twice, an end that does not exist.
//
// A zero byte, which the engine takes for the end of a string, becomes U+FFFD, as
// invalid UTF-8 does.
func (w *Writer) Load(ctx context.Context, name string, columns []string, rows [][]any) error {
	types, err := columnTypes(name, columns)
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		return nil
	}
	separator, err := listSeparator(rows)
	if err != nil {
		return fmt.Errorf("loading %s: %w", name, err)
	}
	f, err := os.CreateTemp(w.dir, "load-*.csv") // 0600
	if err != nil {
		return fmt.Errorf("loading %s: %w", name, cause(err))
	}
	defer os.Remove(f.Name())
	if err := errors.Join(writeCSV(f, types, rows, separator), f.Close()); err != nil {
		return fmt.Errorf("loading %s: %w", name, cause(err))
	}

	var read, result []string
	for i, t := range types {
		c := fmt.Sprintf("c%d", i)
		switch t {
		case "STRING":
			read, result = append(read, c+" STRING"), append(result, fmt.Sprintf("substring(%s, 2, size(%s))", c, c))
		case "STRING[]":
			read, result = append(read, c+" STRING"), append(result, fmt.Sprintf("list_transform(string_split(%s, '%s')[2:], x -> substring(x, 2, size(x)))", c, separator))
		default:
			read, result = append(read, c+" "+t), append(result, c)
		}
	}
	into := columns
	if _, edge := graph.Find(name, 0); edge != nil {
		into = columns[2:]
		if len(into) == 0 && len(edge.Properties) > 0 { // the engine wants one at least
			into = []string{edge.Properties[0].Name}
			result = append(result, "CAST(NULL AS "+edge.Properties[0].Type+")")
		}
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
	_, err = w.run(ctx, fmt.Sprintf("COPY %s FROM (LOAD WITH HEADERS (%s) FROM %s (HEADER=false, AUTO_DETECT=false, PARALLEL=false, DELIM=',', QUOTE='\"', ESCAPE='\"') RETURN %s)",
		target, strings.Join(read, ", "), quoteText(f.Name()), strings.Join(result, ", ")))
	if err != nil {
		return fmt.Errorf("loading %s: %w", name, err)
	}
	return nil
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
func listSeparator(rows [][]any) (string, error) {
	used := map[rune]bool{}
	for _, row := range rows {
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

// mark begins each string, so that an empty one is not taken for none, and each
// list and each of its elements, which come after a separator: the engine's split
// loses empty pieces at the end. It is taken off by substring, which counts what a
// person sees as one character: only a control character never joins the next.
const mark = "\x01"

// writeCSV writes rows.
func writeCSV(f *os.File, types []string, rows [][]any, separator string) error {
	w := bufio.NewWriterSize(f, 1<<16)
	for n, row := range rows {
		if len(row) != len(types) {
			return fmt.Errorf("row %d has %d values, want %d", n, len(row), len(types))
		}
		for i, v := range row {
			if i > 0 {
				w.WriteByte(',')
			}
			cell, err := csvCell(types[i], v, separator)
			if err != nil {
				return fmt.Errorf("row %d, column %d: %w", n, i, err)
			}
			w.WriteString(cell)
		}
		w.WriteByte('\n')
	}
	return w.Flush()
}

// misfit says that a property of a type cannot have a value.
func misfit(typ string, v any) error { return fmt.Errorf("a value of type %T does not fit %s", v, typ) }

func csvCell(typ string, v any, separator string) (string, error) {
	switch v := v.(type) {
	case nil:
		return "", nil
	case string:
		if typ != "STRING" {
			return "", misfit(typ, v)
		}
		return quoteCell(mark + v), nil
	case []string:
		if typ != "STRING[]" {
			return "", misfit(typ, v)
		}
		if v == nil {
			return "", nil
		}
		text := mark
		for _, s := range v {
			text += separator + mark + s
		}
		return quoteCell(text), nil
	case bool:
		if typ != "BOOL" {
			return "", misfit(typ, v)
		}
		return strconv.FormatBool(v), nil
	case int:
		return integerCell(typ, int64(v))
	case int64:
		return integerCell(typ, v)
	case float64:
		if typ != "DOUBLE" || math.IsNaN(v) || math.IsInf(v, 0) {
			return "", misfit(typ, v)
		}
		return strconv.FormatFloat(v, 'g', -1, 64), nil
	case []float32:
		if typ != "FLOAT[]" {
			return "", misfit(typ, v)
		}
		if v == nil {
			return "", nil
		}
		text := make([]string, len(v))
		for i, f := range v {
			if math.IsNaN(float64(f)) || math.IsInf(float64(f), 0) {
				return "", misfit(typ, v)
			}
			text[i] = strconv.FormatFloat(float64(f), 'g', -1, 32)
		}
		return quoteCell("[" + strings.Join(text, ",") + "]"), nil
	}
	return "", misfit(typ, v)
}

// integerCell refuses the smallest integer, which the engine stores as another one.
func integerCell(typ string, v int64) (string, error) {
	if typ != "INT64" || v == math.MinInt64 {
		return "", misfit(typ, v)
	}
	return strconv.FormatInt(v, 10), nil
}

func quoteCell(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}
