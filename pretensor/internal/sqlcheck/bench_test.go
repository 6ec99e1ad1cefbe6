package sqlcheck

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/modeltest"
)

// benchQueries are what an analyst asks of a video shop, by name.
var benchQueries = []struct{ id, sql string }{
	{"films_with_categories", `SELECT f.title, c.name AS category FROM film f JOIN film_category fc ON fc.film_id = f.film_id JOIN category c ON c.category_id = fc.category_id ORDER BY f.title`},
	{"customers_per_city", `SELECT ci.city, count(*) AS customers FROM customer cu JOIN address a USING (address_id) JOIN city ci ON ci.city_id = a.city_id GROUP BY ci.city ORDER BY customers DESC`},
	{"rentals_per_store", `SELECT i.store_id, count(r.rental_id) FROM rental r JOIN inventory i ON i.inventory_id = r.inventory_id GROUP BY i.store_id`},
	{"top_films_by_rentals", `WITH counted AS (SELECT i.film_id, count(*) AS n FROM rental r JOIN inventory i ON i.inventory_id = r.inventory_id GROUP BY i.film_id)
SELECT f.title, counted.n FROM counted JOIN film f ON f.film_id = counted.film_id ORDER BY counted.n DESC, f.title LIMIT 10`},
	{"avg_rental_days", `SELECT avg(extract(epoch FROM return_date - rental_date) / 86400) AS days FROM rental WHERE return_date IS NOT NULL`},
	{"films_for_actor", `SELECT f.title FROM actor a JOIN film_actor fa ON fa.actor_id = a.actor_id JOIN film f ON f.film_id = fa.film_id WHERE a.first_name = 'PENELOPE' AND a.last_name = 'GUINESS'`},
	{"payment_total", `SELECT c.first_name, c.last_name, sum(p.amount) AS total FROM payment p JOIN customer c ON c.customer_id = p.customer_id GROUP BY c.customer_id, c.first_name, c.last_name HAVING sum(p.amount) > 100`},
	{"customers_never_rented", `SELECT c.customer_id, c.email FROM customer c WHERE NOT EXISTS (SELECT 1 FROM rental r WHERE r.customer_id = c.customer_id)`},
	{"staff_with_store", `SELECT s.first_name, s.last_name, st.store_id FROM staff s LEFT JOIN store st ON st.store_id = s.store_id`},
	{"inventory_per_film", `SELECT f.film_id, f.title, count(i.inventory_id) AS copies FROM film f LEFT JOIN inventory i ON i.film_id = f.film_id GROUP BY f.film_id, f.title`},
}

// The ten are right on the published schema, and with one name misspelled each is
// wrong.
func TestCheck_BenchQueries(t *testing.T) {
	f, err := os.Open(filepath.Join("..", "..", "..", "datakit", "testdata", "scripts", "sakila.sql.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	ddl, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	db := modeltest.FromDDL(t, sqltree.Postgres, "public", string(ddl))
	c := catalog.New(catalog.Data{Connection: "sakila", Dialect: db.Dialect, DefaultSchema: "public", Tables: db.Tables, Lineage: db.Lineage, Facts: make([]catalog.Facts, len(db.Tables))}, 1)
	broken := strings.NewReplacer("film_id = f.film_id", "film_id = f.film_idd", "a USING (address_id)", "a USING (place_id)", "r.rental_id", "r.rentl_id",
		"return_date IS", "returned_date IS", "p.amount) AS", "p.amnt) AS", "c.email", "c.e_mail", "staff s", "stuff s", "counted.film_id", "counted.flm_id", "fa.actor_id", "fa.actr_id")
	for _, q := range benchQueries {
		if r := check(t, c, sqltree.Postgres, q.sql); !r.Valid || len(r.Warnings) > 0 {
			t.Errorf("%s: %s", q.id, render(r))
		}
		if wrong := broken.Replace(q.sql); wrong == q.sql {
			t.Errorf("%s has no broken twin", q.id)
		} else if r := check(t, c, sqltree.Postgres, wrong); r.Valid {
			t.Errorf("%s: %s is called valid", q.id, wrong)
		}
	}
}
