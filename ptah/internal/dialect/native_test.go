package dialect

import (
	"testing"

	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// A type that is given for one dialect is in its words first, and portable second.
func TestMapType_Native(t *testing.T) {
	for _, c := range []struct {
		text   string
		native bool
		want   string
	}{
		{"TIMESTAMP", true, "TIMESTAMP"},
		{"TIMESTAMP", false, "DATETIME(6)"},
		{"TIMESTAMPTZ", true, "TIMESTAMP(6)"},
		{"TIMESTAMPTZ", false, "TIMESTAMP(6)"},
	} {
		typ, err := schema.ParseType(c.text)
		if err != nil {
			t.Fatal(err)
		}
		typ.Native = c.native
		if got, err := MySQL.MapType(typ, Version{}); err != nil || got.SQL != c.want {
			t.Errorf("%s, native %t: %q, %v; want %q", c.text, c.native, got.SQL, err, c.want)
		}
	}
}
