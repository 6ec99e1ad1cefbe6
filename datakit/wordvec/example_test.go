package wordvec_test

import (
	"context"
	"fmt"

	"github.com/quartet-mcp/quartet/datakit/wordvec"
)

func Example() {
	ctx := context.Background()
	provider, err := wordvec.NewBuiltin()
	if err != nil {
		fmt.Println(err)
		return
	}
	tables := []string{"hr.emp_salary: emp_id, gross, net", "shop.cust: cust_id, addr, phone", "fleet.trucks: vin, driver, mileage"}
	vectors, err := provider.Embed(ctx, append(tables, "wages of the staff"))
	if err != nil {
		fmt.Println(err)
		return
	}
	index, err := wordvec.NewIndex(provider.Model(), provider.Dim())
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, table := range tables {
		if err := index.Add(provider.Model(), table, vectors[i]); err != nil {
			fmt.Println(err)
			return
		}
	}
	ranking, err := index.Rank(provider.Model(), vectors[len(tables)], 1, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(ranking[0].ID)
	// Output: hr.emp_salary: emp_id, gross, net
}
