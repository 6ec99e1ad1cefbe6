package sqltree_test

import (
	"fmt"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/parse"
)

// A statement is parsed, bound to a catalog, and its columns are followed back to
// where their values come from.
func ExampleResolve() {
	schema, err := parse.Parse(sqltree.Postgres, `
		CREATE TABLE customers (id int PRIMARY KEY, name text);
		CREATE TABLE orders (id int PRIMARY KEY, customer_id int, total numeric);
		CREATE VIEW big AS SELECT customer_id, total FROM orders WHERE total > 100;`)
	if err != nil {
		fmt.Println(err)
		return
	}
	catalog := sqltree.NewSchema(sqltree.Postgres, "public")
	catalog.Add(schema)

	script, err := parse.Parse(sqltree.Postgres, `
		SELECT c.name, sum(b.total) AS worth, c.emial
		FROM customers c JOIN big b ON b.customer_id = c.id GROUP BY c.name`)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := sqltree.Resolve(script.Statements[0], sqltree.Postgres, catalog)
	for _, o := range r.Output {
		fmt.Print(o.Name, ":")
		for _, s := range o.Sources {
			fmt.Print(" ", s.Table, ".", s.Column)
		}
		fmt.Println()
	}
	for _, u := range r.Columns {
		if u.Status == sqltree.Unknown {
			fmt.Printf("unknown column %s at byte %d\n", u.At.Name, u.At.Start)
		}
	}
	for _, j := range r.Joins {
		fmt.Printf("%s.%s joins %s.%s\n", j.Left.Table, j.Left.Column, j.Right.Table, j.Right.Column)
	}
	// Output:
	// name: customers.name
	// worth: orders.total
	// emial:
	// unknown column emial at byte 43
	// orders.customer_id joins customers.id
}
