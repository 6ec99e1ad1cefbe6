package provider

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// decode reads exactly one JSON object whose fields are those of v, each at most once.
func decode(text []byte, v any) error {
	if err := checkKeys(json.NewDecoder(bytes.NewReader(text)), 0); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		var typ *json.UnmarshalTypeError
		if errors.As(err, &typ) {
			return fmt.Errorf("%s is a %s", typ.Field, typ.Value)
		}
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the object")
	}
	return nil
}

// maxDepth is deeper than anything that is asked for.
const maxDepth = 10

// checkKeys reads one value and refuses keys that stand twice in an object, and those
// with letters of the upper case: the decoder would take them for the lower-case ones.
func checkKeys(d *json.Decoder, depth int) error {
	if depth > maxDepth {
		return errors.New("nested too deeply")
	}
	t, err := d.Token()
	if err != nil {
		return errors.New("it is no JSON object")
	}
	open, ok := t.(json.Delim)
	if !ok {
		return nil
	}
	seen := map[string]bool{}
	for d.More() {
		if open == '{' {
			t, err := d.Token()
			if err != nil {
				return errors.New("it is no JSON object")
			}
			key := t.(string) // the decoder gives nothing else here
			if key != string(bytes.ToLower([]byte(key))) {
				return fmt.Errorf("unknown field %.80q", key)
			}
			if seen[key] {
				return fmt.Errorf("the field %.80q stands twice", key)
			}
			seen[key] = true
		}
		if err := checkKeys(d, depth+1); err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil {
		return errors.New("it is no JSON object")
	}
	return nil
}
