package generic

import (
	"go/ast"
	goparser "go/parser"
	gotoken "go/token"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestKeywords_Complete holds every word that the parser compares tokens with
// against the list of keywords: a word that is not in it never matches.
func TestKeywords_Complete(t *testing.T) {
	upper := regexp.MustCompile(`^[A-Z][A-Z_]+$`)
	// Functions whose string arguments are words, and switches over them.
	asks := map[string]bool{"is": true, "isAt": true, "are": true, "isAny": true, "accept": true, "acceptAny": true, "expect": true, "isAtSymbol": true, "more": true, "mark": true}
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	known := func(pos gotoken.Position, lit string) {
		s, err := strconv.Unquote(lit)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range strings.Fields(s) {
			if _, ok := ids[w]; !ok {
				t.Errorf("%s: %q is not among the keywords and symbols", pos, w)
			}
		}
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		set := gotoken.NewFileSet()
		file, err := goparser.ParseFile(set, f.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				name := ""
				switch fun := n.Fun.(type) {
				case *ast.SelectorExpr:
					name = fun.Sel.Name
				case *ast.Ident:
					name = fun.Name
				}
				if asks[name] {
					for _, a := range n.Args {
						if l, ok := a.(*ast.BasicLit); ok && l.Kind == gotoken.STRING {
							known(set.Position(l.Pos()), l.Value)
						}
					}
				}
			case *ast.SwitchStmt:
				switch tag := n.Tag.(type) {
				case *ast.Ident:
					if tag.Name != "w" {
						return true
					}
				case *ast.CallExpr:
					if sel, ok := tag.Fun.(*ast.SelectorExpr); !ok || !strings.HasPrefix(sel.Sel.Name, "word") {
						return true
					}
				case *ast.IndexExpr:
				default:
					return true
				}
				for _, c := range n.Body.List {
					for _, l := range c.(*ast.CaseClause).List {
						if l, ok := l.(*ast.BasicLit); ok && l.Kind == gotoken.STRING && l.Value != `""` {
							known(set.Position(l.Pos()), l.Value)
						}
					}
				}
			case *ast.BinaryExpr:
				if l, ok := n.Y.(*ast.BasicLit); ok && l.Kind == gotoken.STRING {
					if s, _ := strconv.Unquote(l.Value); upper.MatchString(s) && n.Op == gotoken.EQL {
						known(set.Position(l.Pos()), l.Value)
					}
				}
			}
			return true
		})
	}
	for w := range clauseRank {
		known(gotoken.Position{Filename: "clauseRank"}, strconv.Quote(w))
	}
}
