package generic_test

import (
	"fmt"
	"log"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/generic"
)

// A statement of another dialect, and the columns that it leaves out.
func ExampleParse() {
	s, err := generic.Parse(sqltree.DuckDB, "FROM 'sales.parquet' SELECT * EXCLUDE (note) WHERE amount > 10")
	if err != nil {
		log.Fatal(err)
	}
	sqltree.Inspect(s, func(n sqltree.Node) bool {
		if star, ok := n.(*sqltree.Star); ok {
			fmt.Println("all but", star.Except[0].Name)
		}
		return true
	})
	// Output: all but note
}

// Template tags are not evaluated: each stands for a name or value that is not known.
func ExampleParse_template() {
	s, err := generic.Parse(sqltree.Snowflake, "SELECT id FROM {{ ref('orders') }} WHERE paid")
	if err != nil {
		log.Fatal(err)
	}
	for _, n := range s.Notes {
		fmt.Printf("%s: %s\n", s.Text[n.Start:n.End], n.Message)
	}
	// Output: {{ ref('orders') }}: template tag is not evaluated
}
