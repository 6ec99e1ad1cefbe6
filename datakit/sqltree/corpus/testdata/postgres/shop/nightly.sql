EXPLAIN SELECT * FROM orders WHERE customer_id = 17;

EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)
SELECT p.sku, sum(l.quantity) FROM products p JOIN variants v ON v.product_id = p.id JOIN order_lines l ON l.variant_id = v.id GROUP BY p.sku;

EXPLAIN VERBOSE DELETE FROM reviews USING products WHERE products.id = reviews.product_id AND products.discontinued;

explain (costs off) with t as (select id from crm.tickets where closed_at is null) update crm.tickets set state = 'stale' from t where t.id = crm.tickets.id;

COPY customers TO STDOUT;

COPY (SELECT id, email, country FROM customers WHERE deleted_at IS NULL ORDER BY id) TO STDOUT WITH (FORMAT csv, HEADER);

COPY products (sku, name, category_id, list_price) FROM '/dev/null' WITH (FORMAT csv, HEADER true, NULL '', FORCE_NOT_NULL (name));

COPY (WITH s AS (SELECT day, sum(revenue) AS revenue FROM analytics.daily_sales GROUP BY day) SELECT s.day, s.revenue, c.label FROM s JOIN analytics.calendar c USING (day)) TO STDOUT (DELIMITER ';', FORMAT csv);

COPY stock_levels (warehouse_code, variant_id, on_hand) TO STDOUT CSV HEADER QUOTE '"' FORCE QUOTE warehouse_code;

COPY analytics.page_events FROM '/dev/null' WHERE kind <> 'bot' AND occurred_at > '2024-01-01';

COPY (DELETE FROM analytics.page_events WHERE occurred_at < now() - interval '2 years' RETURNING session_id, kind, payload) TO STDOUT;

PREPARE order_by_id (bigint) AS SELECT id, status, total FROM orders WHERE id = $1;

PREPARE restock AS UPDATE stock_levels SET on_hand = on_hand + $1 WHERE warehouse_code = $2 AND variant_id = $3;

DECLARE due CURSOR FOR SELECT id, total FROM orders WHERE status = 'placed' ORDER BY id;

DECLARE big NO SCROLL CURSOR WITH HOLD FOR SELECT pe.* FROM analytics.page_events pe;

SELECT avg(total) FROM orders TABLESAMPLE SYSTEM (5);

SELECT s.kind, count(*) * 100 AS estimate FROM analytics.page_events AS s TABLESAMPLE BERNOULLI (1) REPEATABLE (42) GROUP BY s.kind;

SELECT tableoid::regclass AS partition, ctid, xmin, occurred_at FROM analytics.page_events LIMIT 5;

SELECT o.ctid, o.xmin::text, o.tableoid = 'orders'::regclass AS here, o.cmax FROM orders o;

SELECT c.relname, c.reltuples::bigint, pg_size_pretty(pg_total_relation_size(c.oid)) AS size
FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname IN ('public', 'crm', 'analytics') AND c.relkind = 'r'
ORDER BY pg_total_relation_size(c.oid) DESC;

SELECT table_schema, table_name, column_name, data_type
FROM information_schema.columns
WHERE table_schema NOT IN ('pg_catalog', 'information_schema')
ORDER BY table_schema, table_name, ordinal_position;

select pid, now() - query_start as running, left(query, 60) as query from pg_stat_activity where state <> 'idle' and datname = current_database() order by running desc;

SELECT s.relname, s.n_dead_tup, a.attname FROM pg_stat_user_tables s JOIN pg_attribute a ON a.attrelid = s.relid AND a.attnum > 0 WHERE NOT a.attisdropped;

SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = 'orders'::regclass AND contype = 'f';

SELECT name, setting FROM pg_settings WHERE name LIKE '%work_mem';

ANALYZE orders (customer_id, status), order_lines;

ANALYZE VERBOSE;

SET LOCAL search_path TO crm, public;

SET statement_timeout = '30s';

SHOW work_mem;

DO $$
DECLARE r record;
BEGIN
    FOR r IN SELECT id FROM orders WHERE status = 'cart' LOOP
        DELETE FROM order_lines WHERE order_id = r.id;
    END LOOP;
END
$$;

-- remove duplicates, keep the newest review of each customer
DELETE FROM reviews
WHERE id IN (
    SELECT id
    FROM (SELECT id, row_number() OVER (PARTITION BY product_id, customer_id ORDER BY created_at DESC) AS rn FROM reviews) d
    WHERE d.rn > 1
);

-- anonymise in batches
WITH batch AS (
    SELECT id FROM customers
    WHERE deleted_at < now() - interval '90 days' AND email NOT LIKE 'gone-%'
    ORDER BY id
    LIMIT 1000
    FOR UPDATE SKIP LOCKED
), wiped AS (
    UPDATE customers c
    SET email = 'gone-' || c.id || '@shop.invalid', first_name = NULL, last_name = NULL
    FROM batch
    WHERE batch.id = c.id
    RETURNING c.id
), contacts AS (
    UPDATE crm.contacts k SET full_name = '(deleted)', phones = '{}' FROM wiped w WHERE k.customer_id = w.id RETURNING k.id
)
SELECT (SELECT count(*) FROM wiped) AS customers, (SELECT count(*) FROM contacts) AS contacts;

/* compare counted stock with the sum of the movements */
SELECT coalesce(l.warehouse_code, m.warehouse_code) AS warehouse, coalesce(l.variant_id, m.variant_id) AS variant,
       l.on_hand, m.moved
FROM (SELECT warehouse_code, variant_id, sum(on_hand) AS on_hand FROM stock_levels GROUP BY warehouse_code, variant_id) l
FULL JOIN (SELECT warehouse_code, variant_id, sum(quantity) AS moved FROM stock_movements GROUP BY warehouse_code, variant_id) m
       ON (l.warehouse_code, l.variant_id) = (m.warehouse_code, m.variant_id)
WHERE l.on_hand IS DISTINCT FROM m.moved;

INSERT INTO stock_movements (warehouse_code, variant_id, quantity, reason, reference)
SELECT sl.warehouse_code, sl.variant_id, sl.reorder_point * 2 - sl.on_hand, 'receipt', jsonb_build_object('supplier', p.supplier_id, 'auto', true)
FROM stock_levels sl
JOIN variants v ON v.id = sl.variant_id
JOIN products p ON p.id = v.product_id AND NOT p.discontinued
WHERE sl.reorder_point IS NOT NULL AND sl.on_hand - sl.reserved < sl.reorder_point
RETURNING id, warehouse_code, variant_id, quantity;

UPDATE analytics.daily_sales ds
SET cost = x.cost
FROM (
    SELECT product_id, valid, avg(price) * 0.6 AS cost
    FROM price_history JOIN variants ON variants.id = price_history.variant_id
    GROUP BY product_id, valid
) AS x
WHERE x.product_id = ds.product_id AND x.valid @> ds.day AND ds.cost IS NULL;

SELECT pg_advisory_xact_lock(hashtext('nightly:' || code)), code FROM warehouses ORDER BY code;

SELECT set_config('shop.day', max(day)::text, true) FROM analytics.daily_sales;

REFRESH MATERIALIZED VIEW analytics.product_ratings WITH NO DATA;

NOTIFY stock_changed, 'BER1';

CREATE TEMP TABLE changed ON COMMIT DROP AS
SELECT DISTINCT v.product_id
FROM stock_movements sm JOIN variants v ON v.id = sm.variant_id
WHERE sm.moved_at > now() - interval '1 hour';

CLUSTER orders USING orders_pkey;

REINDEX TABLE crm.tickets;
