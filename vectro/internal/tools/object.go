package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// object is a JSON object that keeps the order of its members, on the way in
// (aggregates come out in the order in which they were asked for) and on the way
// out (columns stand in the order of the table).
type object[V any] []member[V]

type member[V any] struct {
	Name  string
	Value V
}

// MarshalJSON writes the members in order; an empty object is {}.
func (o object[V]) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(appendString(b.AvailableBuffer(), m.Name))
		b.WriteByte(':')
		v, err := marshal(m.Value)
		if err != nil {
			return nil, err
		}
		b.Write(v)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// UnmarshalJSON reads the members in order. Of a name given twice the last
// value counts, in the place of the first.
func (o *object[V]) UnmarshalJSON(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return fmt.Errorf("not an object: %s", data)
	}
	*o = object[V]{}
	at := map[string]int{}
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return err
		}
		name := t.(string)
		var v V
		if err := dec.Decode(&v); err != nil {
			return fmt.Errorf("reading %q: %w", name, err)
		}
		if i, ok := at[name]; ok {
			(*o)[i].Value = v
			continue
		}
		at[name] = len(*o)
		*o = append(*o, member[V]{name, v})
	}
	return nil
}

// marshal is json.Marshal without the escaping of <, > and &.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// oneOrMany is a list of names of which a single one may be given bare.
type oneOrMany []string

// UnmarshalJSON accepts a string or a list of strings.
func (l *oneOrMany) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*l = oneOrMany{one}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(l))
}
