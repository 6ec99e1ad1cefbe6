package generic

import (
	"os"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// report is a statement of about 2 KB as an analyst writes it.
func report(tb testing.TB) string {
	b, err := os.ReadFile("testdata/report.sql")
	if err != nil {
		tb.Fatal(err)
	}
	return string(b)
}

func BenchmarkParse_Report(b *testing.B) {
	text := report(b)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(sqltree.DuckDB, text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParse_Dump(b *testing.B) {
	text := dump(10 << 20)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(sqltree.SQLite, text); err != nil {
			b.Fatal(err)
		}
	}
}

// dump is a script of INSERT statements of about n bytes.
func dump(n int) string {
	var s strings.Builder
	for s.Len() < n {
		s.WriteString("INSERT INTO customers (id, name, email, born, balance) VALUES\n")
		for range 100 {
			s.WriteString("  (1234, 'It''s Ann', 'ann@example.com', '1980-02-29', -12.50),\n")
		}
		s.WriteString("  (1, NULL, NULL, NULL, 0);\n")
	}
	return s.String()
}
