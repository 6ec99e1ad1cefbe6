package analysis_test

import (
	"fmt"

	"github.com/quartet-mcp/quartet/datakit/search/analysis"
)

func ExampleSplit() {
	for _, t := range analysis.Split("HTTPServer of userIDs") {
		fmt.Println(t.Start, t.End, t.Text, t.Joined)
	}
	// Output:
	// 0 4 http false
	// 4 10 server false
	// 0 10 httpserver true
	// 11 13 of false
	// 14 18 user false
	// 18 21 ids false
	// 14 21 userids true
}

func ExampleTerms() {
	for _, text := range []string{"the orders of a customer", "to be or not to be"} {
		var terms []string
		for _, t := range analysis.Terms(text) {
			terms = append(terms, t.Text)
		}
		fmt.Println(terms)
	}
	// Output:
	// [orders customer]
	// [to be or not to be]
}

func ExampleStemming_Stem() {
	for _, how := range []analysis.Stemming{analysis.Porter, analysis.Light, analysis.Off} {
		fmt.Println(how, how.Stem("orders"), how.Stem("ordering"), how.Stem("companies"))
	}
	// Output:
	// porter order order compani
	// light order ordering company
	// off orders ordering companies
}
