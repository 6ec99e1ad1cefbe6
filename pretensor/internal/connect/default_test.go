package connect

import (
	"strings"
	"testing"
)

func TestShortDefault(t *testing.T) {
	long := strings.Repeat("é", 81)
	tests := []struct{ name, in, want string }{
		{"empty", "", ""},
		{"short", "'abc'", "'abc'"},
		{"of 80 characters", "'" + long[:160] + "'", "'" + long[:160] + "'"},
		{"of 81 characters", "'" + long + "'::text", "'" + long[:158] + "…'::text"},
		{"second literal", "concat('a', '" + long + "')", "concat('a', '" + long[:158] + "…')"},
		{"doubled quote at the cut", "'" + strings.Repeat("x", 78) + "''" + long + "'", "'" + strings.Repeat("x", 78) + "…'"},
		{"doubled quote before the cut", "'" + strings.Repeat("x", 77) + "''" + long + "'", "'" + strings.Repeat("x", 77) + "''…'"},
		{"long expression without literals", strings.Repeat("a + ", 40) + "b", strings.Repeat("a + ", 40) + "b"},
		{"quote that never ends", strings.Repeat("a", 90) + "'b", strings.Repeat("a", 90) + "'b"},
		{"quote that never ends behind a literal", "'" + long + "' 'b", "'" + long[:158] + "…' 'b"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := ShortDefault(test.in); got != test.want {
				t.Errorf("ShortDefault(%q) = %q, want %q", test.in, got, test.want)
			}
		})
	}
}
