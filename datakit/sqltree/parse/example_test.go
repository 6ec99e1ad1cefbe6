package parse_test

import (
	"fmt"
	"log"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/parse"
)

// A text is parsed by the front end of its dialect, and its tree says where in the
// text everything stands.
func ExampleParse() {
	text := "SELECT name FROM users WHERE id = :id"
	s, err := parse.Parse(sqltree.Postgres, text)
	if err != nil {
		log.Fatal(err)
	}
	sqltree.Inspect(s, func(n sqltree.Node) bool {
		switch n := n.(type) {
		case *sqltree.TableRef:
			fmt.Println("table", n.Name.Last().Name, "at", n.Start)
		case *sqltree.Param:
			fmt.Println("parameter", n.Name, "at", n.Start)
		}
		return true
	})
	_, err = parse.Parse(sqltree.SQLite, "SELECT name FORM users WHERE id")
	fmt.Println(err)
	// Output:
	// table users at 17
	// parameter id at 34
	// expected the end of the statement, found "users" (line 1, column 18)
}
