-- all_paid
SELECT SUM("payments"."amount") AS "all_paid"
FROM "main"."payments" AS "payments"
WHERE (status = 'settled')
--   source main.payments (amount, status)

-- big_paid
SELECT SUM("payments"."amount") AS "big_paid"
FROM "main"."payments" AS "payments"
WHERE (status = 'settled') AND ("payments"."amount" > 10 or "payments"."amount" < 1)
--   source main.payments (amount, status)

-- total_paid
SELECT SUM("payments"."amount") AS "total_paid"
FROM "main"."payments" AS "payments"
LEFT JOIN "main"."orders" AS "orders" ON "payments"."order_id" = "orders"."id"
WHERE ("payments"."status" = 'settled') AND ("orders"."channel" <> 'test')
--   filter main.orders (channel, id)
--   source main.payments (amount, order_id, status)

-- paid_by_region
SELECT "regions"."name" AS "region", SUM("payments"."amount") AS "paid_by_region"
FROM "main"."payments" AS "payments"
LEFT JOIN "main"."orders" AS "orders" ON "payments"."order_id" = "orders"."id"
LEFT JOIN "main"."customers" AS "customers" ON "orders"."customer_id" = "customers"."id"
LEFT JOIN "main"."regions" AS "regions" ON "customers"."region_id" = "regions"."id"
WHERE ("payments"."status" = 'settled')
GROUP BY 1
--   join main.customers (id, region_id)
--   join main.orders (customer_id, id)
--   source main.payments (amount, order_id, status)
--   join main.regions (id, name)

-- paid_by_day
SELECT date_trunc('day', "payments"."paid_at") AS "paid_at", SUM("payments"."amount") AS "paid_by_day"
FROM "main"."payments" AS "payments"
WHERE (status = 'settled')
GROUP BY 1
ORDER BY 1
--   source main.payments (amount, paid_at, status)

-- paid_by_week
SELECT date_trunc('week', "payments"."paid_at") AS "paid_at", SUM("payments"."amount") AS "paid_by_week"
FROM "main"."payments" AS "payments"
WHERE (status = 'settled')
GROUP BY 1
ORDER BY 1
--   source main.payments (amount, paid_at, status)

-- paid_by_month
SELECT date_trunc('month', "payments"."paid_at") AS "paid_at", SUM("payments"."amount") AS "paid_by_month"
FROM "main"."payments" AS "payments"
WHERE (status = 'settled')
GROUP BY 1
ORDER BY 1
--   source main.payments (amount, paid_at, status)

-- paid_by_quarter
SELECT date_trunc('quarter', "payments"."paid_at") AS "paid_at", SUM("payments"."amount") AS "paid_by_quarter"
FROM "main"."payments" AS "payments"
WHERE (status = 'settled')
GROUP BY 1
ORDER BY 1
--   source main.payments (amount, paid_at, status)

-- paid_by_year
SELECT date_trunc('year', "payments"."paid_at") AS "paid_at", SUM("payments"."amount") AS "paid_by_year"
FROM "main"."payments" AS "payments"
WHERE (status = 'settled')
GROUP BY 1
ORDER BY 1
--   source main.payments (amount, paid_at, status)

-- settled_n
SELECT COUNT("payments"."id") AS "settled_n"
FROM "main"."payments" AS "payments"
WHERE (status = 'settled')
--   source main.payments (id, status)

-- failed_n
SELECT COUNT(*) AS "failed_n"
FROM "main"."payments" AS "payments"
WHERE (status = 'failed')
--   source main.payments (status)

-- payments_n
SELECT COUNT(*) AS "payments_n"
FROM "main"."payments" AS "payments"
--   source main.payments ()

-- payers
SELECT COUNT(DISTINCT "orders"."customer_id") AS "payers"
FROM "main"."payments" AS "payments"
LEFT JOIN "main"."orders" AS "orders" ON "payments"."order_id" = "orders"."id"
WHERE ("payments"."status" = 'settled')
--   expression main.orders (customer_id, id)
--   source main.payments (order_id, status)

-- ticket
SELECT AVG("payments"."amount") AS "ticket"
FROM "main"."payments" AS "payments"
WHERE (status = 'settled')
--   source main.payments (amount, status)

-- least
SELECT MIN("payments"."amount") AS "least"
FROM "main"."payments" AS "payments"
--   source main.payments (amount)

-- most
SELECT MAX("payments"."amount") AS "most"
FROM "main"."payments" AS "payments"
--   source main.payments (amount)

-- web_paid
SELECT SUM("payments"."amount") AS "web_paid"
FROM "main"."payments" AS "payments"
WHERE (order_id IN (SELECT o.id FROM orders o WHERE o.channel = 'web'))
--   filter main.orders (channel, id)
--   source main.payments (amount, order_id)

-- avg_ticket
SELECT (
  SELECT SUM("payments"."amount") AS "total_paid"
  FROM "main"."payments" AS "payments"
  LEFT JOIN "main"."orders" AS "orders" ON "payments"."order_id" = "orders"."id"
  WHERE ("payments"."status" = 'settled') AND ("orders"."channel" <> 'test')
) / NULLIF((
  SELECT COUNT("payments"."id") AS "settled_n"
  FROM "main"."payments" AS "payments"
  WHERE (status = 'settled')
), 0) AS "avg_ticket"
--   filter main.orders (channel, id)
--   source main.payments (amount, id, order_id, status)

-- settled_share
SELECT (
  SELECT COUNT("payments"."id") AS "settled_n"
  FROM "main"."payments" AS "payments"
  WHERE (status = 'settled')
) / NULLIF((
  SELECT COUNT(*) AS "payments_n"
  FROM "main"."payments" AS "payments"
), 0) AS "settled_share"
--   source main.payments (id, status)

-- none_share
SELECT (
  SELECT COUNT("payments"."id") AS "settled_n"
  FROM "main"."payments" AS "payments"
  WHERE (status = 'settled') AND (amount > 1000)
) / NULLIF((
  SELECT COUNT(*) AS "payments_n"
  FROM "main"."payments" AS "payments"
  WHERE (amount > 1000)
), 0) AS "none_share"
--   source main.payments (amount, id, status)

-- failed_share
SELECT "den"."region" AS "region", COALESCE("num"."failed_n", 0) / NULLIF("den"."payments_n", 0) AS "failed_share"
FROM (
  SELECT "regions"."name" AS "region", COUNT(*) AS "payments_n"
  FROM "main"."payments" AS "payments"
  LEFT JOIN "main"."orders" AS "orders" ON "payments"."order_id" = "orders"."id"
  LEFT JOIN "main"."customers" AS "customers" ON "orders"."customer_id" = "customers"."id"
  LEFT JOIN "main"."regions" AS "regions" ON "customers"."region_id" = "regions"."id"
  GROUP BY 1
) AS "den"
LEFT JOIN (
  SELECT "regions"."name" AS "region", COUNT(*) AS "failed_n"
  FROM "main"."payments" AS "payments"
  LEFT JOIN "main"."orders" AS "orders" ON "payments"."order_id" = "orders"."id"
  LEFT JOIN "main"."customers" AS "customers" ON "orders"."customer_id" = "customers"."id"
  LEFT JOIN "main"."regions" AS "regions" ON "customers"."region_id" = "regions"."id"
  WHERE ("payments"."status" = 'failed')
  GROUP BY 1
) AS "num" ON "num"."region" IS NOT DISTINCT FROM "den"."region"
--   join main.customers (id, region_id)
--   join main.orders (customer_id, id)
--   source main.payments (order_id, status)
--   join main.regions (id, name)

-- failed_share_month
SELECT "den"."paid_at" AS "paid_at", COALESCE("num"."failed_n", 0) / NULLIF("den"."payments_n", 0) AS "failed_share_month"
FROM (
  SELECT date_trunc('month', "payments"."paid_at") AS "paid_at", COUNT(*) AS "payments_n"
  FROM "main"."payments" AS "payments"
  GROUP BY 1
) AS "den"
LEFT JOIN (
  SELECT date_trunc('month', "payments"."paid_at") AS "paid_at", COUNT(*) AS "failed_n"
  FROM "main"."payments" AS "payments"
  WHERE (status = 'failed')
  GROUP BY 1
) AS "num" ON "num"."paid_at" IS NOT DISTINCT FROM "den"."paid_at"
ORDER BY 1
--   source main.payments (paid_at, status)

-- own
SELECT status, COUNT(*) AS n
FROM payments GROUP BY status ORDER BY status
--   expression main.payments (status)

-- orders_n
SELECT COUNT(*) AS "orders_n"
FROM "main"."orders" AS "orders"
--   source main.orders ()

-- orders_with_items
SELECT COUNT(DISTINCT "orders"."id") AS "orders_with_items"
FROM "main"."orders" AS "orders"
LEFT JOIN "main"."order_items" AS "order_items" ON "orders"."id" = "order_items"."order_id"
WHERE ("order_items"."qty" > 0)
--   filter main.order_items (order_id, qty)
--   source main.orders (id)
--   warning: fan_out: rows of main.orders may repeat, once for each row of main.order_items that they are joined to; metric "orders_with_items" counts each once, by its key

-- fees_with_items
SELECT SUM("orders"."fee") AS "fees_with_items"
FROM "main"."orders" AS "orders"
LEFT JOIN "main"."order_items" AS "order_items" ON "orders"."id" = "order_items"."order_id"
WHERE ("order_items"."qty" > 0)
--   filter main.order_items (order_id, qty)
--   source main.orders (fee, id)
--   warning: fan_out: rows of main.orders may repeat, once for each row of main.order_items that they are joined to; the sum of metric "fees_with_items" counts them as often

-- web_qty
SELECT SUM("order_items"."qty") AS "web_qty"
FROM "main"."orders" AS "orders"
LEFT JOIN "main"."order_items" AS "order_items" ON "orders"."id" = "order_items"."order_id"
WHERE ("orders"."channel" = 'web')
--   expression main.order_items (order_id, qty)
--   source main.orders (channel, id)

-- orders_by_city
SELECT "addresses"."city" AS "city", COUNT(*) AS "orders_by_city"
FROM "main"."orders" AS "orders"
LEFT JOIN "main"."addresses" AS "addresses" ON "orders"."shipping_id" = "addresses"."id"
GROUP BY 1
--   join main.addresses (city, id)
--   source main.orders (shipping_id)

-- open_paid
SELECT SUM("payments"."amount") AS "open_paid"
FROM "main"."orders" AS "orders"
LEFT JOIN "main"."payments" AS "payments" ON "orders"."id" = "payments"."order_id"
WHERE ("orders"."status" = 'open') AND ("payments"."status" = 'settled')
--   source main.orders (id, status)
--   expression main.payments (amount, order_id, status)

-- noted_items
SELECT COUNT(DISTINCT CASE WHEN "order_items"."order_id" IS NOT NULL THEN ("order_items"."order_id", "order_items"."line") END) AS "noted_items"
FROM "main"."order_items" AS "order_items"
LEFT JOIN "main"."item_notes" AS "item_notes" ON "order_items"."order_id" = "item_notes"."order_id" AND "order_items"."line" = "item_notes"."line"
WHERE ("item_notes"."body" is not null)
--   filter main.item_notes (body, line, order_id)
--   source main.order_items (line, order_id)
--   warning: fan_out: rows of main.order_items may repeat, once for each row of main.item_notes that they are joined to; metric "noted_items" counts each once, by its key

-- noted_qty_n
SELECT COUNT(DISTINCT CASE WHEN "order_items"."qty" IS NOT NULL THEN ("order_items"."order_id", "order_items"."line") END) AS "noted_qty_n"
FROM "main"."order_items" AS "order_items"
LEFT JOIN "main"."item_notes" AS "item_notes" ON "order_items"."order_id" = "item_notes"."order_id" AND "order_items"."line" = "item_notes"."line"
WHERE ("item_notes"."body" is not null)
--   filter main.item_notes (body, line, order_id)
--   source main.order_items (line, order_id, qty)
--   warning: fan_out: rows of main.order_items may repeat, once for each row of main.item_notes that they are joined to; metric "noted_qty_n" counts each once, by its key

-- item_fees
SELECT SUM("orders"."fee") AS "item_fees"
FROM "main"."order_items" AS "order_items"
LEFT JOIN "main"."orders" AS "orders" ON "order_items"."order_id" = "orders"."id"
--   source main.order_items (order_id)
--   expression main.orders (fee, id)
--   warning: fan_out: rows of main.orders may repeat, once for each row of main.order_items that they are joined to; the sum of metric "item_fees" counts them as often

-- item_orders
SELECT COUNT(DISTINCT CASE WHEN "orders"."fee" IS NOT NULL THEN "orders"."id" END) AS "item_orders"
FROM "main"."order_items" AS "order_items"
LEFT JOIN "main"."orders" AS "orders" ON "order_items"."order_id" = "orders"."id"
--   source main.order_items (order_id)
--   expression main.orders (fee, id)
--   warning: fan_out: rows of main.orders may repeat, once for each row of main.order_items that they are joined to; metric "item_orders" counts each once, by its key

