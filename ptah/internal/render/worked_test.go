package render

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// typ takes a type apart that a test knows to be one.
func typ(text string) schema.Type {
	t, err := schema.ParseType(text)
	if err != nil {
		panic(err)
	}
	return t
}

// shop is the schema of the worked renderings: orders and their customers, with the index
// on some rows where the dialect is to have it.
func shop(partial bool, total string) *schema.Database {
	customers := &schema.Table{
		Name: schema.Name{Name: "customers"},
		Columns: []*schema.Column{
			{Name: "id", Type: typ("BIGSERIAL"), NotNull: true},
			{Name: "email", Type: typ("VARCHAR(255)"), NotNull: true},
		},
		Constraints: []*schema.Constraint{
			{Kind: schema.PrimaryKey, Inline: true, Columns: []string{"id"}},
			{Kind: schema.Unique, Inline: true, Columns: []string{"email"}},
		},
	}
	orders := &schema.Table{
		Name:    schema.Name{Name: "orders"},
		Comment: "One row per order",
		Columns: []*schema.Column{
			{Name: "id", Type: typ("BIGSERIAL"), NotNull: true},
			{Name: "customer_id", Type: typ("BIGINT"), NotNull: true},
			{Name: "total", Type: typ(total), NotNull: true, Default: &schema.Default{Literal: true, Text: "0"}},
			{Name: "status", Type: typ("order_status"), NotNull: true, Default: &schema.Default{Literal: true, Text: "new"}},
		},
		Constraints: []*schema.Constraint{
			{Kind: schema.Check, Expr: "total >= 0"},
			{Kind: schema.PrimaryKey, Inline: true, Columns: []string{"id"}},
			{Kind: schema.ForeignKey, Inline: true, Name: "fk_orders_customer_id", Columns: []string{"customer_id"},
				Reference: &schema.Reference{Table: schema.Name{Name: "customers"}, Columns: []string{"id"}, OnDelete: "CASCADE"}},
		},
	}
	if partial {
		orders.Indexes = []*schema.Index{{Name: "orders_customer_idx", Table: orders.Name,
			Keys: []schema.IndexKey{{Column: "customer_id"}}, Where: "status <> 'shipped'"}}
	}
	return &schema.Database{
		Enums:  []*schema.Enum{{Name: schema.Name{Name: "order_status"}, Values: []string{"new", "paid", "shipped"}}},
		Tables: []*schema.Table{orders, customers},
		Views:  []*schema.View{{Name: schema.Name{Name: "open_orders"}, Body: "SELECT id, total FROM orders WHERE status = 'new'"}},
	}
}

func TestRender_WorkedPostgres(t *testing.T) {
	rep := &finding.Report{}
	got := Render(t.Context(), shop(true, "NUMERIC(12,2)"), Options{Dialect: dialect.Postgres}, rep)
	const want = `CREATE TYPE "order_status" AS ENUM ('new', 'paid', 'shipped');
CREATE TABLE "customers" (
  "id" BIGSERIAL PRIMARY KEY NOT NULL,
  "email" VARCHAR(255) NOT NULL UNIQUE
);
CREATE TABLE "orders" (
  "id" BIGSERIAL PRIMARY KEY NOT NULL,
  "customer_id" BIGINT NOT NULL,
  "total" NUMERIC(12,2) NOT NULL DEFAULT 0,
  "status" "order_status" NOT NULL DEFAULT 'new',
  CONSTRAINT "orders_total_check" CHECK (total >= 0)
);
ALTER TABLE "orders" ADD CONSTRAINT "fk_orders_customer_id" FOREIGN KEY ("customer_id") REFERENCES "customers" ("id") ON DELETE CASCADE;
CREATE VIEW "open_orders" AS
SELECT id, total FROM orders WHERE status = 'new';
COMMENT ON TABLE "orders" IS 'One row per order';
CREATE INDEX "orders_customer_idx" ON "orders" ("customer_id") WHERE status <> 'shipped';`
	if diff := cmp.Diff(want, strings.Join(got, "\n")); diff != "" {
		t.Errorf("the worked rendering (-want +got):\n%s", diff)
	}
	if rep.Failed() || len(rep.Warnings()) > 0 {
		t.Errorf("problems %v, warnings %v; want none", rep.Problems(), rep.Warnings())
	}
}
