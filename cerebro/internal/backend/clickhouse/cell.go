package clickhouse

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"net"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/quartet-mcp/quartet/cerebro/internal/backend"
)

// kind is a type of the server, as far as cells depend on it.
type kind struct {
	name  string
	names []string // of a tuple's parts, empty where it has none
	parts []*kind
}

// parse reads the name of a type. What says nothing about values is taken off.
func parse(t string) *kind {
	name, rest, ok := strings.Cut(strings.TrimSpace(t), "(")
	k := &kind{name: name}
	if !ok {
		return k
	}
	args := split(strings.TrimSuffix(rest, ")"))
	switch name {
	case "Nullable", "LowCardinality":
		return parse(args[0])
	case "SimpleAggregateFunction":
		return parse(args[len(args)-1])
	case "Array", "Map", "Variant":
		for _, a := range args {
			k.parts = append(k.parts, parse(a))
		}
	case "Tuple", "Nested":
		for _, a := range args {
			part := ""
			// A name stands before the type, and no type has a blank before its arguments.
			if head, tail, ok := cutName(a); ok {
				part, a = head, tail
			}
			k.names, k.parts = append(k.names, part), append(k.parts, parse(a))
		}
	}
	return k
}

// split cuts at commas outside of brackets and quotes.
func split(s string) (out []string) {
	depth, start := 0, 0
	var quote rune
	escaped := false
	for i, r := range s {
		switch {
		case escaped:
			escaped = false
		case quote != 0 && r == '\\':
			escaped = true
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '\'' || r == '`':
			quote = r
		case r == '(':
			depth++
		case r == ')':
			depth--
		case r == ',' && depth == 0:
			out = append(out, strings.TrimSpace(s[start:i]))
			start = i + 1
		}
	}
	return append(out, strings.TrimSpace(s[start:]))
}

// cutName takes the name off a part of a tuple.
func cutName(s string) (name, rest string, ok bool) {
	if strings.HasPrefix(s, "`") {
		if name, rest, ok = strings.Cut(s[1:], "` "); ok {
			return name, rest, true
		}
	}
	name, rest, ok = strings.Cut(s, " ")
	if !ok || strings.ContainsAny(name, "(,") {
		return "", s, false
	}
	return name, rest, true
}

func (k *kind) cell(c *backend.Cells, v reflect.Value) any {
	switch out := k.value(c, v).(type) {
	case []any, backend.Object:
		return c.Nested(out)
	default:
		return out
	}
}

// exact is what the driver's decimals are.
type exact interface {
	Coefficient() *big.Int
	Exponent() int32
}

func (k *kind) value(c *backend.Cells, v reflect.Value) any {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return nil
		}
		if n, ok := v.Interface().(*big.Int); ok {
			return c.Big(n)
		}
		v = v.Elem()
	}
	if !v.IsValid() {
		return nil
	}
	switch x := v.Interface().(type) {
	case big.Int:
		return c.Big(&x)
	case exact:
		n, e := x.Coefficient(), int(x.Exponent())
		if e > 0 {
			n, e = new(big.Int).Mul(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(e)), nil)), 0
		}
		return c.Decimal(n, -e)
	case time.Time:
		if strings.HasPrefix(k.name, "Date") && !strings.HasPrefix(k.name, "DateTime") {
			return c.Date(x)
		}
		return c.Timestamp(x)
	case time.Duration:
		return c.Clock(x)
	case net.IP:
		return x.String()
	case netip.Addr:
		return x.String()
	case json.RawMessage:
		return c.Text(string(x))
	case interface{ Any() any }: // a value whose type is its own
		return (&kind{}).value(c, reflect.ValueOf(x.Any()))
	case fmt.Stringer: // a UUID and the like
		return c.Text(x.String())
	}
	switch v.Kind() {
	case reflect.Bool:
		return v.Bool()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return c.Int(v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return c.Uint(v.Uint())
	case reflect.Float32:
		return c.Float32(float32(v.Float()))
	case reflect.Float64:
		return c.Float(v.Float())
	case reflect.String:
		return c.Text(v.String())
	case reflect.Slice, reflect.Array:
		return k.list(c, v)
	case reflect.Map:
		return k.object(c, v)
	}
	if text, err := json.Marshal(v.Interface()); err == nil {
		return c.Text(string(text))
	}
	return c.Text(fmt.Sprint(v.Interface()))
}

// part is the kind of a value inside; types that name none leave it open.
func (k *kind) part(i int) *kind {
	if k.name == "Array" {
		i = 0
	}
	if i < len(k.parts) {
		return k.parts[i]
	}
	return &kind{}
}

func (k *kind) list(c *backend.Cells, v reflect.Value) any {
	named := k.name == "Tuple" && !slices.Contains(k.names, "")
	list, object := []any{}, backend.Object{}
	// A list of more parts than a cell has characters is cut anyway.
	for i := range min(v.Len(), backend.MaxCell) {
		x := k.part(i).value(c, v.Index(i))
		if named && i < len(k.names) {
			object = append(object, backend.Field{Name: k.names[i], Value: x})
		} else {
			list = append(list, x)
		}
	}
	if named {
		return object
	}
	return list
}

// object is a map, sorted by its keys, or a tuple with names, in the order of these.
func (k *kind) object(c *backend.Cells, v reflect.Value) any {
	out := backend.Object{}
	if k.name == "Tuple" && v.Type().Key().Kind() == reflect.String {
		for i, n := range k.names {
			if x := v.MapIndex(reflect.ValueOf(n)); x.IsValid() {
				out = append(out, backend.Field{Name: n, Value: k.part(i).value(c, x)})
			}
		}
		return out
	}
	for _, key := range v.MapKeys() {
		out = append(out, backend.Field{Name: fmt.Sprint(k.part(0).value(c, key)), Value: k.part(1).value(c, v.MapIndex(key))})
	}
	slices.SortFunc(out, func(a, b backend.Field) int { return cmp.Compare(a.Name, b.Name) })
	return out
}
