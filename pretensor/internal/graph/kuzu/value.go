package kuzu

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	kuzu "github.com/kuzudb/go-kuzu"
	"github.com/shopspring/decimal"

	"github.com/quartet-mcp/quartet/pretensor/internal/graph"
)

// Object is a JSON object whose members keep their order.
type Object []Member

// Member is a member of an [Object].
type Member struct {
	Name  string
	Value any
}

// MarshalJSON implements json.Marshaler.
func (o Object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := e.Encode(m.Name); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := e.Encode(m.Value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// maxExact is the largest integer up to which a JSON reader that knows floats only
// has every integer.
const maxExact = 1 << 53

// propertyOrder is the order of properties of each label and edge type.
var propertyOrder = func() map[string]map[string]int {
	order := map[string]map[string]int{}
	add := func(name string, list []graph.Property) {
		order[name] = map[string]int{}
		for i, p := range list {
			order[name][p.Name] = i + 1
		}
	}
	for _, l := range graph.Labels(1) {
		add(l.Name, l.Properties)
	}
	for _, e := range graph.EdgeTypes() {
		add(e.Name, e.Properties)
	}
	return order
}()

// converter turns the binding's values into those of a Result.
type converter struct {
	max  int // characters of a cell's strings; 0: any
	left int // of the current cell
	cut  bool

	text  string // the engine's own print of the row, exact where the binding is not
	keys  map[kuzu.InternalID]string
	edges []edge
}

// edge is an edge whose ends are to be named.
type edge struct {
	object   Object // members 1 and 2 are _from and _to
	from, to kuzu.InternalID
}

// row reads the next row.
func (c *converter) row(r *kuzu.QueryResult) ([]any, error) {
	tuple, err := r.Next()
	defer tuple.Close()
	if err != nil {
		return nil, &Error{Value, "a row could not be read"}
	}
	n := int(r.GetNumberOfColumns())
	raw := make([]any, n)
	needsText := false
	for i := range raw {
		if raw[i], err = tuple.GetValue(uint64(i)); err != nil {
			return nil, &Error{Value, fmt.Sprintf("column %d could not be read: %v", i+1, err)}
		}
		needsText = needsText || inexact(raw[i])
	}
	var printed []string
	c.text = ""
	if needsText {
		c.text = strings.TrimSuffix(tuple.GetAsString(), "\n")
		// A bar separates the columns. Only a bar inside a value makes more pieces.
		if printed = strings.Split(c.text, "|"); len(printed) != n {
			printed = nil
		}
	}
	row := make([]any, n)
	for i, v := range raw {
		c.left = c.max
		if printed != nil && isScalar(v) {
			row[i] = c.printed(v, printed[i])
			continue
		}
		if vector, ok := floats(v); ok { // asked for by name
			row[i] = vector
			continue
		}
		if row[i], err = c.value(v); err != nil {
			return nil, err
		}
	}
	return row, nil
}

// isScalar reports whether a value is of a kind for which the row's text is needed.
func isScalar(v any) bool {
	switch v.(type) {
	case time.Time, time.Duration, []byte:
		return true
	}
	return false
}

// inexact reports whether a value is or contains one that the binding may get wrong.
func inexact(v any) bool {
	switch v := v.(type) {
	case []any:
		return slices.ContainsFunc(v, inexact)
	case map[string]any:
		for _, e := range v {
			if inexact(e) {
				return true
			}
		}
	case []kuzu.MapItem:
		return slices.ContainsFunc(v, func(m kuzu.MapItem) bool { return inexact(m.Key) || inexact(m.Value) })
	case kuzu.Node:
		return inexact(v.Properties)
	case kuzu.Relationship:
		return inexact(v.Properties)
	}
	return isScalar(v)
}

var printedTime = regexp.MustCompile(`^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)(?:\+00(?::00)?)?$`)

// printed converts a scalar by the engine's own print of it.
func (c *converter) printed(v any, text string) any {
	switch v.(type) {
	case []byte:
		return c.str(base64.StdEncoding.EncodeToString(blob(text)))
	case time.Time:
		return printedTime.ReplaceAllString(text, "${1}T${2}Z")
	default:
		return text
	}
}

// blob reads the engine's print of a binary value: bytes that are no printable
// ASCII are \xHH.
func blob(text string) []byte {
	out := []byte{}
	for i := 0; i < len(text); i++ {
		if strings.HasPrefix(text[i:], `\x`) && len(text) >= i+4 {
			if b, err := strconv.ParseUint(text[i+2:i+4], 16, 8); err == nil {
				out = append(out, byte(b))
				i += 3
				continue
			}
		}
		out = append(out, text[i])
	}
	return out
}

func (c *converter) value(v any) (any, error) {
	switch v := v.(type) {
	case nil, bool:
		return v, nil
	case string:
		return c.str(v), nil
	case int64:
		return integer(v), nil
	case int32:
		return int64(v), nil
	case int16:
		return int64(v), nil
	case int8:
		return int64(v), nil
	case uint64:
		if v > maxExact {
			return strconv.FormatUint(v, 10), nil
		}
		return int64(v), nil
	case uint32:
		return int64(v), nil
	case uint16:
		return int64(v), nil
	case uint8:
		return int64(v), nil
	case *big.Int:
		if v.IsInt64() {
			return integer(v.Int64()), nil
		}
		return v.String(), nil
	case float64:
		return float(v), nil
	case float32:
		return float(shortest(v)), nil
	case decimal.Decimal:
		if s := v.String(); len(strings.TrimLeft(s, "-0.")) <= 16 {
			return json.Number(s), nil
		}
		return v.String(), nil
	case uuid.UUID:
		return v.String(), nil
	case time.Time:
		if v.Location() == time.UTC { // only dates are
			return v.Format(time.DateOnly), nil
		}
		return v.UTC().Format(time.RFC3339Nano), nil
	case time.Duration:
		return v.String(), nil
	case []byte:
		if strings.Contains(c.text, `\x00`) {
			return nil, &Error{Value, "a binary value with a zero byte can be returned only as a column of its own, beside columns without a bar"}
		}
		return c.str(base64.StdEncoding.EncodeToString(v)), nil
	case []any:
		return c.list(v)
	case []kuzu.MapItem:
		o := Object{}
		for _, m := range v {
			key, err := c.value(m.Key)
			if err != nil {
				return nil, err
			}
			value, err := c.value(m.Value)
			if err != nil {
				return nil, err
			}
			o = append(o, Member{fmt.Sprint(key), value})
		}
		return o, nil
	case map[string]any:
		return c.members(Object{}, "", v, false)
	case kuzu.InternalID:
		return nil, nil
	case kuzu.Node:
		return c.node(v)
	case kuzu.Relationship:
		return c.relationship(v)
	case kuzu.RecursiveRelationship:
		return c.path(v)
	}
	return nil, &Error{Value, fmt.Sprintf("a value of an unknown type (%T)", v)}
}

func integer(v int64) any {
	if v > maxExact || v < -maxExact {
		return strconv.FormatInt(v, 10)
	}
	return v
}

// float returns v, or its name where JSON has no number for it.
func float(v float64) any {
	switch {
	case math.IsNaN(v):
		return "NaN"
	case math.IsInf(v, 1):
		return "Infinity"
	case math.IsInf(v, -1):
		return "-Infinity"
	}
	return v
}

// shortest is the float64 that prints as the float32 does.
func shortest(v float32) float64 {
	f, err := strconv.ParseFloat(strconv.FormatFloat(float64(v), 'g', -1, 32), 64)
	if err != nil {
		return float64(v)
	}
	return f
}

// floats returns a vector's numbers.
func floats(v any) ([]any, bool) {
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		return nil, false
	}
	out := make([]any, len(list))
	for i, e := range list {
		f, ok := e.(float32)
		if !ok {
			return nil, false
		}
		out[i] = float(shortest(f))
	}
	return out, true
}

func (c *converter) str(s string) string {
	if c.max == 0 {
		return s
	}
	n := utf8.RuneCountInString(s)
	if n <= c.left {
		c.left -= n
		return s
	}
	end := 0
	for ; c.left > 0; c.left-- {
		_, size := utf8.DecodeRuneInString(s[end:])
		end += size
	}
	c.cut = true
	return s[:end] + "…"
}

// list converts a list. Each element takes one character of the cell at least; what
// there is no room for is counted in the last element.
func (c *converter) list(v []any) (any, error) {
	out := make([]any, 0, len(v))
	for i, e := range v {
		if c.max > 0 && c.left <= 0 {
			c.cut = true
			return append(out, fmt.Sprintf("… %d more", len(v)-i)), nil
		}
		c.left--
		if _, ok := floats(e); ok {
			out = append(out, fmt.Sprintf("<vector %d>", len(e.([]any))))
			continue
		}
		value, err := c.value(e)
		if err != nil {
			return nil, err
		}
		out = append(out, value)
	}
	return out, nil
}

// members appends properties in the order of the schema, others by name. Of nodes
// and edges those without a value are left out.
func (c *converter) members(o Object, label string, properties map[string]any, skipNull bool) (Object, error) {
	order := propertyOrder[label]
	rank := func(name string) int {
		if n := order[name]; n > 0 {
			return n
		}
		return len(order) + 1
	}
	names := slices.SortedFunc(maps.Keys(properties), func(a, b string) int {
		if d := rank(a) - rank(b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	for _, name := range names {
		v := properties[name]
		if _, internal := v.(kuzu.InternalID); internal || v == nil && skipNull {
			continue
		}
		if vector, ok := floats(v); ok {
			o = append(o, Member{name, fmt.Sprintf("<vector %d>", len(vector))})
			continue
		}
		value, err := c.value(v)
		if err != nil {
			return nil, err
		}
		o = append(o, Member{name, value})
	}
	return o, nil
}

func (c *converter) node(n kuzu.Node) (any, error) {
	if key, ok := n.Properties[graph.Key].(string); ok {
		if c.keys == nil {
			c.keys = map[kuzu.InternalID]string{}
		}
		c.keys[n.ID] = key
	}
	return c.members(Object{{"_label", n.Label}}, n.Label, n.Properties, true)
}

func (c *converter) relationship(r kuzu.Relationship) (any, error) {
	o, err := c.members(Object{{"_type", r.Label}, {"_from", nil}, {"_to", nil}}, r.Label, r.Properties, true)
	if err != nil {
		return nil, err
	}
	c.edges = append(c.edges, edge{o, r.SourceID, r.DestinationID})
	return o, nil
}

func (c *converter) path(p kuzu.RecursiveRelationship) (any, error) {
	nodes, rels := []any{}, []any{}
	for _, n := range p.Nodes {
		v, err := c.node(n)
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, v)
	}
	for _, r := range p.Relationships {
		v, err := c.relationship(r)
		if err != nil {
			return nil, err
		}
		rels = append(rels, v)
	}
	return Object{{"nodes", nodes}, {"rels", rels}}, nil
}

// endpoints names the ends of all edges: those of nodes in the result are known,
// the others are asked for.
func (c *converter) endpoints(conn *kuzu.Connection, stop *atomic.Bool) error {
	if c.keys == nil {
		c.keys = map[kuzu.InternalID]string{}
	}
	missing := map[uint64]map[int64]bool{} // table → offsets
	for _, e := range c.edges {
		for _, id := range []kuzu.InternalID{e.from, e.to} {
			if _, ok := c.keys[id]; !ok {
				if missing[id.TableID] == nil {
					missing[id.TableID] = map[int64]bool{}
				}
				missing[id.TableID][int64(id.Offset)] = true
			}
		}
	}
	if len(missing) > 0 {
		if err := c.readKeys(conn, missing, stop); err != nil {
			return err
		}
	}
	for _, e := range c.edges {
		if key, ok := c.keys[e.from]; ok {
			e.object[1].Value = key
		}
		if key, ok := c.keys[e.to]; ok {
			e.object[2].Value = key
		}
	}
	return nil
}

// readKeys reads the keys of nodes.
func (c *converter) readKeys(conn *kuzu.Connection, missing map[uint64]map[int64]bool, stop *atomic.Bool) error {
	names := map[uint64]string{}
	err := eachRow(conn, "CALL show_tables() RETURN id, name", nil, func(row []any) {
		if id, ok := row[0].(uint64); ok {
			names[id], _ = row[1].(string)
		}
	})
	if err != nil {
		return err
	}
	for table, offsets := range missing {
		if stop.Load() {
			return &Error{Interrupted, "the query was interrupted"}
		}
		if names[table] == "" {
			continue
		}
		// The id is made before MATCH: compared with a call in WHERE, or looked for in a
		// list, it costs a look at every node for every id.
		text := fmt.Sprintf("UNWIND $ids AS i WITH internal_id(%d, i) AS j, i MATCH (n:%s) WHERE id(n) = j RETURN i, n.%s", table, quoteName(names[table]), graph.Key)
		err := eachRow(conn, text, map[string]any{"ids": slices.Sorted(maps.Keys(offsets))}, func(row []any) {
			offset, isOffset := row[0].(int64)
			if key, isKey := row[1].(string); isOffset && isKey {
				c.keys[kuzu.InternalID{TableID: table, Offset: uint64(offset)}] = key
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// eachRow runs a statement of this package's own and calls row for every row.
func eachRow(conn *kuzu.Connection, text string, params map[string]any, row func([]any)) error {
	statement, err := conn.Prepare(text)
	defer statement.Close()
	if err != nil {
		return classify(err)
	}
	r, err := conn.Execute(statement, params)
	defer r.Close()
	if err != nil {
		return classify(err)
	}
	for r.HasNext() {
		t, err := r.Next()
		if err != nil {
			t.Close()
			return &Error{Value, "a row could not be read"}
		}
		values, err := t.GetAsSlice()
		t.Close()
		if err != nil {
			return &Error{Value, "the key of a node could not be read"}
		}
		row(values)
	}
	return nil
}
