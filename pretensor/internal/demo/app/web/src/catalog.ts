// The shelves of the shop, read with a query builder.
import { Knex } from "knex";

export async function shelf(knex: Knex, slug: string) {
  return knex("products")
    .join("product_categories", "product_categories.product_id", "products.id")
    .join("categories", "categories.id", "product_categories.category_id")
    .where("categories.slug", slug)
    .where("products.is_active", true)
    .orderBy("products.name")
    .select("products.sku", "products.name", "products.unit_price");
}

export async function ticketsOf(knex: Knex, orderNo: string) {
  return knex("support_tickets").where({ order_no: orderNo }).select("id", "subject", "closed_at");
}
