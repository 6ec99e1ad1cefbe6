package search_test

import (
	"context"
	"fmt"

	"github.com/quartet-mcp/quartet/datakit/search"
)

func Example() {
	index, err := search.New(search.Config{
		Fields:   []search.Field{{Name: "name", Boost: 3, Title: true}, {Name: "columns"}},
		Synonyms: search.BusinessSynonyms(),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer index.Close()
	err = index.Index(
		search.Document{ID: "orders", Fields: map[string][]string{"name": {"sales_orders"}, "columns": {"order_id", "customerId"}}},
		search.Document{ID: "vendors", Fields: map[string][]string{"name": {"vendors"}, "columns": {"vendor_id", "tax_number"}}},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, question := range []string{"orders of a customer", "suppliers", "ordrs"} {
		results, err := index.Search(context.Background(), question, 1)
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, hit := range results.Hits {
			fmt.Println(question, "→", hit.ID, hit.Fields)
		}
	}
	// Output:
	// orders of a customer → orders [name columns]
	// suppliers → vendors [name columns]
	// ordrs → orders [name columns]
}

func ExampleFuse() {
	keywords := []string{"orders", "customers", "invoices"}
	vectors := []string{"invoices", "orders"}
	for _, f := range search.Fuse(keywords, vectors) {
		fmt.Printf("%s %.5f\n", f.ID, f.Score)
	}
	// Output:
	// orders 0.03252
	// invoices 0.03227
	// customers 0.01613
}
