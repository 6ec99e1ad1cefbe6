package sqlcheck

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

func TestPlaces(t *testing.T) {
	for _, text := range []string{"", "a", "\n", "é\nab\n\nß", strings.Repeat("x", placeBlock), strings.Repeat("é\n", placeBlock), strings.Repeat("aé😀", placeBlock) + "\nb"} {
		p := newPlaces(text)
		for i := 0; i <= len(text); i++ {
			if i < len(text) && !utf8.RuneStart(text[i]) {
				continue
			}
			before := text[:i]
			wantLine, wantColumn := 1+strings.Count(before, "\n"), 1+utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
			if line, column := p.at(i); line != wantLine || column != wantColumn {
				t.Fatalf("%.20q at %d: line %d, column %d, want %d, %d", text, i, line, column, wantLine, wantColumn)
			}
		}
		if line, column := p.at(len(text) + 5); line < 1 || column < 1 {
			t.Errorf("%.20q: behind its end is line %d, column %d", text, line, column)
		}
	}
}

// A fault must not cost a look at the whole text, nor at all other faults: this would
// take a minute.
func TestCheck_ManyFaults(t *testing.T) {
	const n = 40_000
	var b strings.Builder
	b.WriteString("SELECT 1")
	for i := range n {
		fmt.Fprintf(&b, ", nope%d", i)
	}
	b.WriteString(" FROM orders")
	r := check(t, shop(t), sqltree.MySQL, b.String())
	if len(r.MissingColumns) != n || r.MissingColumns[n-1] != fmt.Sprintf("public.orders.nope%d", n-1) {
		t.Errorf("%d missing columns, want %d", len(r.MissingColumns), n)
	}
}
