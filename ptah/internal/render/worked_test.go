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

func TestRender_WorkedMySQL(t *testing.T) {
	for _, d := range []dialect.Dialect{dialect.MySQL, dialect.MariaDB} {
		rep := &finding.Report{}
		got := Render(t.Context(), shop(false, "NUMERIC(12,2)"), Options{Dialect: d}, rep)
		const want = "CREATE TABLE `customers` (\n" +
			"  `id` BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,\n" +
			"  `email` VARCHAR(255) NOT NULL UNIQUE\n" +
			") ENGINE=InnoDB;\n" +
			"CREATE TABLE `orders` (\n" +
			"  `id` BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,\n" +
			"  `customer_id` BIGINT NOT NULL,\n" +
			"  `total` DECIMAL(12,2) NOT NULL DEFAULT 0,\n" +
			"  `status` ENUM('new', 'paid', 'shipped') NOT NULL DEFAULT 'new',\n" +
			"  CONSTRAINT `orders_total_check` CHECK (total >= 0)\n" +
			") ENGINE=InnoDB COMMENT='One row per order';\n" +
			"ALTER TABLE `orders` ADD CONSTRAINT `fk_orders_customer_id` FOREIGN KEY (`customer_id`) REFERENCES `customers` (`id`) ON DELETE CASCADE;\n" +
			"CREATE VIEW `open_orders` AS\n" +
			"SELECT id, total FROM orders WHERE status = 'new';"
		if diff := cmp.Diff(want, strings.Join(got, "\n")); diff != "" {
			t.Errorf("%s: the worked rendering (-want +got):\n%s", d, diff)
		}
		if rep.Failed() || len(rep.Warnings()) > 0 {
			t.Errorf("%s: problems %v, warnings %v; want none", d, rep.Problems(), rep.Warnings())
		}
	}
}

func TestRender_WorkedMySQLRefusesPartialIndex(t *testing.T) {
	rep := &finding.Report{}
	Render(t.Context(), shop(true, "NUMERIC(12,2)"), Options{Dialect: dialect.MySQL}, rep)
	want := []finding.Problem{{Kind: finding.Index, Rule: "IDX004", Object: "orders_customer_idx",
		Message: `index "orders_customer_idx" has a condition; mysql has no partial indexes; scope it with dialects= or drop it`}}
	if diff := cmp.Diff(want, rep.Problems()); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestRender_WorkedSQLite(t *testing.T) {
	rep := &finding.Report{}
	got := Render(t.Context(), shop(true, "REAL"), Options{Dialect: dialect.SQLite}, rep)
	const want = `CREATE TABLE "customers" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "email" TEXT NOT NULL UNIQUE
);
CREATE TABLE "orders" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "customer_id" INTEGER NOT NULL CONSTRAINT "fk_orders_customer_id" REFERENCES "customers" ("id") ON DELETE CASCADE,
  "total" REAL NOT NULL DEFAULT 0,
  "status" TEXT NOT NULL DEFAULT 'new' CHECK ("status" IN ('new', 'paid', 'shipped')),
  CONSTRAINT "orders_total_check" CHECK (total >= 0)
);
CREATE VIEW "open_orders" AS
SELECT id, total FROM orders WHERE status = 'new';
CREATE INDEX "orders_customer_idx" ON "orders" ("customer_id") WHERE status <> 'shipped';`
	if diff := cmp.Diff(want, strings.Join(got, "\n")); diff != "" {
		t.Errorf("the worked rendering (-want +got):\n%s", diff)
	}
	if rep.Failed() {
		t.Errorf("problems %v; want none", rep.Problems())
	}
	var categories []string
	for _, w := range rep.Warnings() {
		categories = append(categories, string(w.Category))
	}
	if diff := cmp.Diff([]string{"skipped-declaration", "lossy-type"}, categories); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}
