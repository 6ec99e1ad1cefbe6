package pgtype

import "testing"

func TestFunctions(t *testing.T) {
	for name, want := range map[string]struct {
		n          int
		kind       byte
		volatility byte
		set        bool
	}{
		"now": {1, 'f', 's', false}, "sum": {8, 'a', 'i', false}, "row_number": {1, 'w', 'i', false}, "generate_series": {8, 'f', 'i', true}, "no_such": {0, 0, 0, false},
	} {
		list := Functions(name)
		if len(list) != want.n {
			t.Errorf("%s: %d functions, want %d", name, len(list), want.n)
			continue
		}
		for _, f := range list {
			if f.Kind != want.kind || f.Set != want.set || f.Returns == nil || name != "generate_series" && f.Volatility != want.volatility {
				t.Errorf("%s: %+v", name, f)
			}
		}
	}
}

func BenchmarkFacts(b *testing.B) {
	for b.Loop() {
		loadFacts()
	}
}
