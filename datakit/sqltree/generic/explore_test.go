package generic

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

func TestExplore(t *testing.T) {
	path := os.Getenv("EXPLORE")
	if path == "" {
		t.Skip()
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	d := sqltree.Generic
	n, bad := 0, 0
	for _, st := range strings.Split(string(b), "\n----\n") {
		st = strings.TrimSpace(st)
		if strings.HasPrefix(st, "@@ ") {
			line, rest, _ := strings.Cut(st, "\n")
			d = sqltree.Dialect(strings.TrimSpace(line[3:]))
			st = rest
		}
		if strings.TrimSpace(st) == "" {
			continue
		}
		n++
		s, err := Parse(d, st)
		if err != nil {
			bad++
			fmt.Printf("%s: %v\n   %s\n", d, err, st)
			continue
		}
		for _, no := range s.Notes {
			fmt.Printf("note %s: %s: %s\n", d, no.Message, st[no.Start:no.End])
		}
		if os.Getenv("COUNT") != "" && len(s.Statements) != 1 {
			fmt.Printf("%d statements: %s\n", len(s.Statements), st)
		}
	}
	fmt.Println(n, "statements,", bad, "bad")
}
