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

// UnmarshalJSON reads the members in order.
func (o *object[V]) UnmarshalJSON(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return fmt.Errorf("not an object: %s", data)
	}
	*o = object[V]{}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return err
		}
		var v V
		if err := dec.Decode(&v); err != nil {
			return fmt.Errorf("reading %q: %w", name, err)
		}
		*o = append(*o, member[V]{name.(string), v}) // a member's name is a string
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
