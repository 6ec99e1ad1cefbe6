package postgres_test

import (
	"fmt"
	"log"

	"github.com/quartet-mcp/quartet/datakit/sqltree/postgres"
)

// What pg_dump writes is parsed as it stands, with its meta-commands and rows.
func ExampleParse() {
	s, err := postgres.Parse("CREATE TABLE t (id int);\nCOPY t (id) FROM stdin;\n1\n2\n\\.\nSELECT count(*) FROM t;\n")
	if err != nil {
		log.Fatal(err)
	}
	for _, st := range s.Statements {
		fmt.Printf("%T %s\n", st, s.Text[st.Pos().Start:st.Pos().End])
	}
	_, err = postgres.Parse("SELECT a FROM t GROUP a")
	fmt.Println(err)
	// Output:
	// *sqltree.CreateTable CREATE TABLE t (id int)
	// *sqltree.Other COPY t (id) FROM stdin
	// *sqltree.Query SELECT count(*) FROM t
	// syntax error at or near "a" (line 1, column 23)
}
