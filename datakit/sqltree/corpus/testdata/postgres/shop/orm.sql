SELECT "orders"."id", "orders"."status", "orders"."total" FROM "orders" WHERE "orders"."customer_id" = $1 ORDER BY "orders"."placed_at" DESC LIMIT $2 OFFSET $3;

SELECT "t0"."id" AS "t0_c0", "t0"."name" AS "t0_c1", "t1"."id" AS "t1_c0", "t1"."sku" AS "t1_c1" FROM "products" AS "t0" LEFT OUTER JOIN "variants" AS "t1" ON ("t1"."product_id" = "t0"."id") WHERE ("t0"."discontinued" = FALSE AND "t0"."category_id" IN ($1, $2, $3));

SELECT COUNT(*) AS "__count" FROM "customers" WHERE ("customers"."country"::text LIKE $1 AND "customers"."deleted_at" IS NULL);

SELECT (1) AS "a" FROM "reviews" INNER JOIN "products" ON ("reviews"."product_id" = "products"."id") WHERE ("products"."supplier_id" = $1 AND "reviews"."rating" >= $2) LIMIT 1;

SELECT DISTINCT "customers"."id", "customers"."email" FROM "customers" INNER JOIN "orders" ON "orders"."customer_id" = "customers"."id" INNER JOIN "order_lines" ON "order_lines"."order_id" = "orders"."id" WHERE "order_lines"."variant_id" = $1;

SELECT "c"."Id", "c"."Code", "c"."ValidTo" FROM "CouponCodes" AS c WHERE "c"."Code" = $1 AND ("c"."ValidTo" IS NULL OR "c"."ValidTo" > now()) LIMIT 2;

SELECT c."Id", c."Code", (
    SELECT count(*)::int
    FROM orders AS o
    WHERE c."Id" = o.coupon_id) AS "Uses"
FROM "CouponCodes" AS c
WHERE EXISTS (
    SELECT 1
    FROM orders AS o0
    INNER JOIN customers AS c0 ON o0.customer_id = c0.id
    WHERE c."Id" = o0.coupon_id AND c0.country = 'DE')
ORDER BY c."order", c."Code";

SELECT t.id, t."Name", t0.id, t0.sku
FROM (
    SELECT p.id, p.name AS "Name", p.created_at
    FROM products AS p
    WHERE p.list_price > $1
    ORDER BY p.created_at DESC
    LIMIT $2 OFFSET $3
) AS t
LEFT JOIN variants AS t0 ON t.id = t0.product_id
ORDER BY t.created_at DESC, t.id;

select order0_.id as id1_0_0_, customer1_.id as id1_1_1_, order0_.status as status2_0_0_, customer1_.email as email2_1_1_ from orders order0_ inner join customers customer1_ on order0_.customer_id=customer1_.id where order0_.id=$1 for update of order0_;

select p1_0.id,p1_0.sku,p1_0.name,c1_0.id,c1_0.name from products p1_0 left join categories c1_0 on c1_0.id=p1_0.category_id where lower(p1_0.name) like ('%'||lower($1)||'%') escape '' order by p1_0.id fetch first $2 rows only;

SELECT * FROM "addresses" WHERE "addresses"."customer_id" = $1 AND "addresses"."kind" = 'billing' AND "addresses"."is_default" = TRUE ORDER BY "addresses"."id" LIMIT 1 FOR NO KEY UPDATE;

INSERT INTO "reviews" ("product_id","customer_id","rating","body") VALUES ($1,$2,$3,$4),($5,$6,$7,$8) ON CONFLICT DO NOTHING RETURNING "id", "created_at";

UPDATE "variants" SET "color" = $1, "size" = CAST($2 AS text) WHERE "variants"."id" = $3;

DELETE FROM "crm"."contacts" WHERE "crm"."contacts"."id" IN (SELECT "U0"."id" FROM "crm"."contacts" "U0" LEFT OUTER JOIN "crm"."tickets" "U1" ON ("U1"."contact_id" = "U0"."id") WHERE "U1"."id" IS NULL);

SELECT "crm"."tickets"."id", "crm"."tickets"."subject", "T3"."full_name" FROM "crm"."tickets" INNER JOIN "orders" ON ("crm"."tickets"."order_id" = "orders"."id") LEFT OUTER JOIN "crm"."contacts" "T3" ON ("crm"."tickets"."contact_id" = "T3"."id") WHERE "orders"."total" > $1;

SELECT "subquery"."bucket", COUNT("subquery"."id") FROM (SELECT "orders"."id" AS "id", CASE WHEN "orders"."total" < 50 THEN 'S' ELSE 'L' END AS "bucket" FROM "orders") "subquery" GROUP BY "subquery"."bucket";

SELECT "public"."products"."category_id" AS "category_id", "Categories"."name" AS "Categories__name", SUM("Daily Sales"."revenue") AS "sum" FROM "public"."products" LEFT JOIN "public"."categories" AS "Categories" ON "public"."products"."category_id" = "Categories"."id" INNER JOIN "analytics"."daily_sales" AS "Daily Sales" ON "Daily Sales"."product_id" = "public"."products"."id" GROUP BY "public"."products"."category_id", "Categories"."name" ORDER BY "sum" DESC, "Categories"."name" ASC LIMIT 1000;

SELECT "source"."month" AS "month", AVG("source"."total") AS "avg"
FROM (SELECT DATE_TRUNC('month', "public"."orders"."placed_at") AS "month", "public"."orders"."total" AS "total" FROM "public"."orders" WHERE "public"."orders"."placed_at" >= DATE_TRUNC('year', CAST(NOW() AS timestamp))) AS "source"
GROUP BY "source"."month" ORDER BY "source"."month" ASC;

WITH "cte" AS (SELECT "id", "email" FROM "customers" WHERE "id" > $1 ORDER BY "id" ASC LIMIT 100) SELECT "cte".*, "a"."city" FROM "cte" LEFT JOIN "addresses" "a" ON "a"."customer_id" = "cte"."id" AND "a"."is_default";

SELECT "parent".*, COALESCE("children"."data", '[]'::json) AS "lines" FROM "orders" "parent" LEFT JOIN LATERAL (SELECT json_agg("l".* ORDER BY "l"."line_no") AS "data" FROM "order_lines" "l" WHERE "l"."order_id" = "parent"."id") "children" ON true WHERE "parent"."id" = ANY ($1);

select q.id, q.status from orders as q where (q.placed_at, q.id) < ($1, $2) order by q.placed_at desc, q.id desc limit 50;

SELECT o.id FROM orders o WHERE ($1::text IS NULL OR o.status = $1::order_status) AND ($2::bigint IS NULL OR o.customer_id = $2) AND o.total BETWEEN coalesce($3, 0) AND coalesce($4, 1e9);

SELECT id FROM stock_movements ORDER BY moved_at FOR UPDATE SKIP LOCKED LIMIT 10;

SELECT s.on_hand FROM stock_levels s JOIN variants v ON v.id = s.variant_id WHERE v.sku = $1 FOR UPDATE OF s NOWAIT FOR SHARE OF v;

SELECT "customers"."id" AS "_id", "customers"."first_name" "firstName", "customers"."created_at" AS "createdAt" FROM "customers" ORDER BY "createdAt" DESC, "_id";

SELECT EXISTS(SELECT * FROM "order_lines" WHERE ("order_id" = $1 AND "variant_id" = $2)) AS "exists";

SELECT anon_1.customer_id, anon_1.n, anon_2.city FROM (SELECT orders.customer_id AS customer_id, count(*) AS n FROM orders GROUP BY orders.customer_id) AS anon_1 JOIN (SELECT addresses.customer_id AS customer_id, min(addresses.city) AS city FROM addresses GROUP BY addresses.customer_id) AS anon_2 ON anon_1.customer_id = anon_2.customer_id;

UPDATE "orders" SET "meta" = jsonb_set("meta", '{seen}', 'true'), "updated_at" = CURRENT_TIMESTAMP WHERE "id" IN (SELECT "id" FROM "orders" WHERE "status" = $1 ORDER BY "id" FOR UPDATE SKIP LOCKED LIMIT 1) RETURNING "id", "meta";

select "u"."id", "u"."email", count(distinct "r"."id") as "reviewCount" from "customers" as "u" left join "reviews" as "r" on "r"."customer_id" = "u"."id" group by "u"."id" having count(distinct "r"."id") > $1 order by "reviewCount" desc;

SELECT 1 AS one FROM "customers" WHERE LOWER("customers"."email") = LOWER($1) AND "customers"."id" != $2 LIMIT 1;

SELECT "products".*, ts_rank("products"."search", plainto_tsquery($1)) AS pg_search_rank FROM "products" INNER JOIN (SELECT "products"."id" AS hit, 1 AS rank FROM "products" WHERE "products"."tags" @> $2) AS hits ON hits.hit = "products"."id" ORDER BY hits.rank DESC, pg_search_rank DESC;

SELECT nextval('order_no_seq'), currval(pg_get_serial_sequence('public.suppliers', 'id')), last_value FROM order_no_seq;

INSERT INTO "orders" ("id", "customer_id") VALUES (nextval('public.order_no_seq'::regclass), $1) ON CONFLICT ("id") DO UPDATE SET "customer_id" = EXCLUDED."customer_id", "meta" = "orders"."meta" || EXCLUDED."meta" RETURNING "orders"."id" AS "orders_id", (xmax::text::bigint > 0) AS "updated";
