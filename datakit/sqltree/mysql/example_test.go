package mysql_test

import (
	"fmt"
	"log"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/mysql"
)

// What the server executes of a text is what counts: conditional comments with
// their version.
func ExampleParse() {
	s, err := mysql.Parse("SELECT id /*!80000 , name */ /*!99999 , secret */ FROM users")
	if err != nil {
		log.Fatal(err)
	}
	for _, item := range s.Statements[0].(*sqltree.Query).Body.(*sqltree.Select).Items {
		fmt.Println(s.Text[item.Start:item.End])
	}
	// Output:
	// id
	// name
}

// Syntax that TiDB's grammar does not have is a note instead of an error.
func ExampleParseLenient() {
	const text = "SELECT id FROM users LIMIT 10 ROWS EXAMINED 500"
	_, err := mysql.ParseMariaDB(text)
	fmt.Println(err)
	s, err := mysql.ParseLenient(sqltree.MariaDB, text)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(s.Statements), s.Notes[0].Message)
	// Output:
	// syntax error at or near "ROWS" (line 1, column 31)
	// 1 MySQL's grammar may not accept this: syntax error at or near "ROWS"
}
