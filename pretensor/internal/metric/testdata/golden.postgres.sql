-- all_paid
SELECT SUM("payments"."amount") AS "all_paid"
FROM "public"."payments" AS "payments"
WHERE (status = 'settled')
--   source public.payments (amount, status)

-- big_paid
SELECT SUM("payments"."amount") AS "big_paid"
FROM "public"."payments" AS "payments"
WHERE (status = 'settled') AND ("payments"."amount" > 10 or "payments"."amount" < 1)
--   source public.payments (amount, status)

-- total_paid
SELECT SUM("payments"."amount") AS "total_paid"
FROM "public"."payments" AS "payments"
LEFT JOIN "public"."orders" AS "orders" ON "payments"."order_id" = "orders"."id"
WHERE ("payments"."status" = 'settled') AND ("orders"."channel" <> 'test')
--   filter public.orders (channel, id)
--   source public.payments (amount, order_id, status)

-- paid_by_region
SELECT "regions"."name" AS "region", SUM("payments"."amount") AS "paid_by_region"
FROM "public"."payments" AS "payments"
LEFT JOIN "public"."orders" AS "orders" ON "payments"."order_id" = "orders"."id"
LEFT JOIN "public"."customers" AS "customers" ON "orders"."customer_id" = "customers"."id"
LEFT JOIN "public"."regions" AS "regions" ON "customers"."region_id" = "regions"."id"
WHERE ("payments"."status" = 'settled')
GROUP BY 1
--   join public.customers (id, region_id)
--   join public.orders (customer_id, id)
--   source public.payments (amount, order_id, status)
--   join public.regions (id, name)

-- paid_by_day
SELECT date_trunc('day', "payments"."paid_at") AS "paid_at", SUM("payments"."amount") AS "paid_by_day"
FROM "public"."payments" AS "payments"
WHERE (status = 'settled')
GROUP BY 1
ORDER BY 1
--   source public.payments (amount, paid_at, status)

-- paid_by_week
SELECT date_trunc('week', "payments"."paid_at") AS "paid_at", SUM("payments"."amount") AS "paid_by_week"
FROM "public"."payments" AS "payments"
WHERE (status = 'settled')
GROUP BY 1
ORDER BY 1
--   source public.payments (amount, paid_at, status)

-- paid_by_month
SELECT date_trunc('month', "payments"."paid_at") AS "paid_at", SUM("payments"."amount") AS "paid_by_month"
FROM "public"."payments" AS "payments"
WHERE (status = 'settled')
GROUP BY 1
ORDER BY 1
--   source public.payments (amount, paid_at, status)

-- paid_by_quarter
SELECT date_trunc('quarter', "payments"."paid_at") AS "paid_at", SUM("payments"."amount") AS "paid_by_quarter"
FROM "public"."payments" AS "payments"
WHERE (status = 'settled')
GROUP BY 1
ORDER BY 1
--   source public.payments (amount, paid_at, status)

-- paid_by_year
SELECT date_trunc('year', "payments"."paid_at") AS "paid_at", SUM("payments"."amount") AS "paid_by_year"
FROM "public"."payments" AS "payments"
WHERE (status = 'settled')
GROUP BY 1
ORDER BY 1
--   source public.payments (amount, paid_at, status)

-- settled_n
SELECT COUNT("payments"."id") AS "settled_n"
FROM "public"."payments" AS "payments"
WHERE (status = 'settled')
--   source public.payments (id, status)

-- failed_n
SELECT COUNT(*) AS "failed_n"
FROM "public"."payments" AS "payments"
WHERE (status = 'failed')
--   source public.payments (status)

-- payments_n
SELECT COUNT(*) AS "payments_n"
FROM "public"."payments" AS "payments"
--   source public.payments ()

-- payers
SELECT COUNT(DISTINCT "orders"."customer_id") AS "payers"
FROM "public"."payments" AS "payments"
LEFT JOIN "public"."orders" AS "orders" ON "payments"."order_id" = "orders"."id"
WHERE ("payments"."status" = 'settled')
--   expression public.orders (customer_id, id)
--   source public.payments (order_id, status)

-- ticket
SELECT AVG("payments"."amount") AS "ticket"
FROM "public"."payments" AS "payments"
WHERE (status = 'settled')
--   source public.payments (amount, status)

-- least
SELECT MIN("payments"."amount") AS "least"
FROM "public"."payments" AS "payments"
--   source public.payments (amount)

-- most
SELECT MAX("payments"."amount") AS "most"
FROM "public"."payments" AS "payments"
--   source public.payments (amount)

-- web_paid
SELECT SUM("payments"."amount") AS "web_paid"
FROM "public"."payments" AS "payments"
WHERE (order_id IN (SELECT o.id FROM orders o WHERE o.channel = 'web'))
--   filter public.orders (channel, id)
--   source public.payments (amount, order_id)

-- avg_ticket
SELECT 1.0 * (
  SELECT SUM("payments"."amount") AS "total_paid"
  FROM "public"."payments" AS "payments"
  LEFT JOIN "public"."orders" AS "orders" ON "payments"."order_id" = "orders"."id"
  WHERE ("payments"."status" = 'settled') AND ("orders"."channel" <> 'test')
) / NULLIF((
  SELECT COUNT("payments"."id") AS "settled_n"
  FROM "public"."payments" AS "payments"
  WHERE (status = 'settled')
), 0) AS "avg_ticket"
--   filter public.orders (channel, id)
--   source public.payments (amount, id, order_id, status)

-- settled_share
SELECT 1.0 * (
  SELECT COUNT("payments"."id") AS "settled_n"
  FROM "public"."payments" AS "payments"
  WHERE (status = 'settled')
) / NULLIF((
  SELECT COUNT(*) AS "payments_n"
  FROM "public"."payments" AS "payments"
), 0) AS "settled_share"
--   source public.payments (id, status)

-- none_share
SELECT 1.0 * (
  SELECT COUNT("payments"."id") AS "settled_n"
  FROM "public"."payments" AS "payments"
  WHERE (status = 'settled') AND (amount > 1000)
) / NULLIF((
  SELECT COUNT(*) AS "payments_n"
  FROM "public"."payments" AS "payments"
  WHERE (amount > 1000)
), 0) AS "none_share"
--   source public.payments (amount, id, status)

-- failed_share
SELECT "den"."region" AS "region", 1.0 * COALESCE("num"."failed_n", 0) / NULLIF("den"."payments_n", 0) AS "failed_share"
FROM (
  SELECT "regions"."name" AS "region", COUNT(*) AS "payments_n"
  FROM "public"."payments" AS "payments"
  LEFT JOIN "public"."orders" AS "orders" ON "payments"."order_id" = "orders"."id"
  LEFT JOIN "public"."customers" AS "customers" ON "orders"."customer_id" = "customers"."id"
  LEFT JOIN "public"."regions" AS "regions" ON "customers"."region_id" = "regions"."id"
  GROUP BY 1
) AS "den"
LEFT JOIN (
  SELECT "regions"."name" AS "region", COUNT(*) AS "failed_n"
  FROM "public"."payments" AS "payments"
  LEFT JOIN "public"."orders" AS "orders" ON "payments"."order_id" = "orders"."id"
  LEFT JOIN "public"."customers" AS "customers" ON "orders"."customer_id" = "customers"."id"
  LEFT JOIN "public"."regions" AS "regions" ON "customers"."region_id" = "regions"."id"
  WHERE ("payments"."status" = 'failed')
  GROUP BY 1
) AS "num" ON "num"."region" IS NOT DISTINCT FROM "den"."region"
--   join public.customers (id, region_id)
--   join public.orders (customer_id, id)
--   source public.payments (order_id, status)
--   join public.regions (id, name)

-- failed_share_month
SELECT "den"."paid_at" AS "paid_at", 1.0 * COALESCE("num"."failed_n", 0) / NULLIF("den"."payments_n", 0) AS "failed_share_month"
FROM (
  SELECT date_trunc('month', "payments"."paid_at") AS "paid_at", COUNT(*) AS "payments_n"
  FROM "public"."payments" AS "payments"
  GROUP BY 1
) AS "den"
LEFT JOIN (
  SELECT date_trunc('month', "payments"."paid_at") AS "paid_at", COUNT(*) AS "failed_n"
  FROM "public"."payments" AS "payments"
  WHERE (status = 'failed')
  GROUP BY 1
) AS "num" ON "num"."paid_at" IS NOT DISTINCT FROM "den"."paid_at"
ORDER BY 1
--   source public.payments (paid_at, status)

-- own
SELECT status, COUNT(*) AS n
FROM payments GROUP BY status ORDER BY status
--   expression public.payments (status)

-- orders_n
SELECT COUNT(*) AS "orders_n"
FROM "public"."orders" AS "orders"
--   source public.orders ()

-- orders_with_items
SELECT COUNT(DISTINCT "orders"."id") AS "orders_with_items"
FROM "public"."orders" AS "orders"
LEFT JOIN "public"."order_items" AS "order_items" ON "orders"."id" = "order_items"."order_id"
WHERE ("order_items"."qty" > 0)
--   filter public.order_items (order_id, qty)
--   source public.orders (id)
--   warning: fan_out: rows of public.orders may repeat, once for each row of public.order_items that they are joined to; metric "orders_with_items" counts each once, by its key

-- fees_with_items
SELECT SUM("orders"."fee") AS "fees_with_items"
FROM "public"."orders" AS "orders"
LEFT JOIN "public"."order_items" AS "order_items" ON "orders"."id" = "order_items"."order_id"
WHERE ("order_items"."qty" > 0)
--   filter public.order_items (order_id, qty)
--   source public.orders (fee, id)
--   warning: fan_out: rows of public.orders may repeat, once for each row of public.order_items that they are joined to; the sum of metric "fees_with_items" counts them as often

-- web_qty
SELECT SUM("order_items"."qty") AS "web_qty"
FROM "public"."orders" AS "orders"
LEFT JOIN "public"."order_items" AS "order_items" ON "orders"."id" = "order_items"."order_id"
WHERE ("orders"."channel" = 'web')
--   expression public.order_items (order_id, qty)
--   source public.orders (channel, id)

-- orders_by_city
SELECT "addresses"."city" AS "city", COUNT(*) AS "orders_by_city"
FROM "public"."orders" AS "orders"
LEFT JOIN "public"."addresses" AS "addresses" ON "orders"."shipping_id" = "addresses"."id"
GROUP BY 1
--   join public.addresses (city, id)
--   source public.orders (shipping_id)

-- open_paid
SELECT SUM("payments"."amount") AS "open_paid"
FROM "public"."orders" AS "orders"
LEFT JOIN "public"."payments" AS "payments" ON "orders"."id" = "payments"."order_id"
WHERE ("orders"."status" = 'open') AND ("payments"."status" = 'settled')
--   source public.orders (id, status)
--   expression public.payments (amount, order_id, status)

-- noted_items
SELECT COUNT(DISTINCT CASE WHEN "order_items"."order_id" IS NOT NULL THEN ("order_items"."order_id", "order_items"."line") END) AS "noted_items"
FROM "public"."order_items" AS "order_items"
LEFT JOIN "public"."item_notes" AS "item_notes" ON "order_items"."order_id" = "item_notes"."order_id" AND "order_items"."line" = "item_notes"."line"
WHERE ("item_notes"."body" is not null)
--   filter public.item_notes (body, line, order_id)
--   source public.order_items (line, order_id)
--   warning: fan_out: rows of public.order_items may repeat, once for each row of public.item_notes that they are joined to; metric "noted_items" counts each once, by its key

-- noted_qty_n
SELECT COUNT(DISTINCT CASE WHEN "order_items"."qty" IS NOT NULL THEN ("order_items"."order_id", "order_items"."line") END) AS "noted_qty_n"
FROM "public"."order_items" AS "order_items"
LEFT JOIN "public"."item_notes" AS "item_notes" ON "order_items"."order_id" = "item_notes"."order_id" AND "order_items"."line" = "item_notes"."line"
WHERE ("item_notes"."body" is not null)
--   filter public.item_notes (body, line, order_id)
--   source public.order_items (line, order_id, qty)
--   warning: fan_out: rows of public.order_items may repeat, once for each row of public.item_notes that they are joined to; metric "noted_qty_n" counts each once, by its key

-- item_fees
SELECT SUM("orders"."fee") AS "item_fees"
FROM "public"."order_items" AS "order_items"
LEFT JOIN "public"."orders" AS "orders" ON "order_items"."order_id" = "orders"."id"
--   source public.order_items (order_id)
--   expression public.orders (fee, id)
--   warning: fan_out: rows of public.orders may repeat, once for each row of public.order_items that they are joined to; the sum of metric "item_fees" counts them as often

-- item_orders
SELECT COUNT(DISTINCT CASE WHEN "orders"."fee" IS NOT NULL THEN "orders"."id" END) AS "item_orders"
FROM "public"."order_items" AS "order_items"
LEFT JOIN "public"."orders" AS "orders" ON "order_items"."order_id" = "orders"."id"
--   source public.order_items (order_id)
--   expression public.orders (fee, id)
--   warning: fan_out: rows of public.orders may repeat, once for each row of public.order_items that they are joined to; metric "item_orders" counts each once, by its key

