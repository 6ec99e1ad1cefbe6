package dialect

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestGeneratedName(t *testing.T) {
	long, wide := strings.Repeat("t", 70), strings.Repeat("ä", 40)
	for _, c := range []struct{ table, columns, label, want string }{
		{"orders", "", "pkey", "orders_pkey"},
		{"orders", "a_b", "key1", "orders_a_b_key1"},
		{long, "id", "seq", strings.Repeat("t", 56) + "_id_seq"},
		{"t", strings.Repeat("c", 80), "idx", "t_" + strings.Repeat("c", 57) + "_idx"},
		{long, strings.Repeat("c", 80), "fkey", strings.Repeat("t", 29) + "_" + strings.Repeat("c", 28) + "_fkey"},
		{wide, "id", "seq", strings.Repeat("ä", 28) + "_id_seq"},
		{wide, "", "", strings.Repeat("ä", 31)},
	} {
		got := GeneratedName(c.table, c.columns, c.label)
		if got != c.want || len(got) > MaxNameBytes || !utf8.ValidString(got) {
			t.Errorf("GeneratedName(%q, %q, %q) = %q (%d bytes), want %q", c.table, c.columns, c.label, got, len(got), c.want)
		}
	}
}

func TestJoinedColumns(t *testing.T) {
	long := strings.Repeat("c", 70)
	for _, c := range []struct {
		columns []string
		want    string
	}{
		{nil, ""},
		{[]string{"a", "b"}, "a_b"},
		{[]string{"a", long}, "a_" + long[:61]},
		{[]string{long, "b"}, long[:63]},
	} {
		if got := JoinedColumns(c.columns); got != c.want {
			t.Errorf("JoinedColumns(%q) = %q, want %q", c.columns, got, c.want)
		}
	}
}
