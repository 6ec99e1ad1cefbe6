CREATE TABLE wishlists (
    customer_id bigint REFERENCES customers (id) ON DELETE CASCADE,
    product_id  bigint REFERENCES products,
    added_at    timestamptz NOT NULL DEFAULT now(),
    note        text CHECK (length(note) < 500),
    PRIMARY KEY (customer_id, product_id)
);

CREATE TABLE IF NOT EXISTS orders_archive (LIKE orders INCLUDING ALL, archived_on date DEFAULT CURRENT_DATE);

CREATE TABLE analytics.sales_2024 AS
SELECT s.day, s.product_id, sum(s.units) AS units, sum(s.revenue) AS revenue
FROM analytics.daily_sales s
WHERE s.day >= DATE '2024-01-01' AND s.day < DATE '2025-01-01'
GROUP BY s.day, s.product_id;

CREATE TEMP TABLE dead_variants (variant_id, sku) ON COMMIT DROP AS
SELECT v.id, v.sku FROM variants v LEFT JOIN order_lines l ON l.variant_id = v.id WHERE l.order_id IS NULL
WITH DATA;

CREATE UNLOGGED TABLE crm.contact_scores AS TABLE crm.contacts WITH NO DATA;

create table if not exists snapshots as select now() as taken_at, p.* from products p where p.updated_at > current_date;

SELECT c.id, c.email, max(o.placed_at) AS last_order INTO TEMPORARY TABLE sleepers
FROM customers c LEFT JOIN orders o ON o.customer_id = c.id
GROUP BY c.id HAVING max(o.placed_at) < now() - interval '1 year';

CREATE VIEW stock_overview AS
SELECT w.name AS warehouse, v.sku, sl.on_hand - sl.reserved AS free
FROM stock_levels sl
JOIN warehouses w ON w.code = sl.warehouse_code
JOIN variants v ON v.id = sl.variant_id;

CREATE OR REPLACE VIEW analytics.late_shipments (shipment, "order", days) WITH (security_barrier = true) AS
SELECT s.id, s.order_id, extract(day FROM now() - s.shipped_at)
FROM public.shipments s
WHERE s.delivered_at IS NULL AND s.shipped_at < now() - interval '6 days';

CREATE VIEW german_customers AS SELECT * FROM customers WHERE country = 'DE' WITH LOCAL CHECK OPTION;

CREATE TEMPORARY VIEW todays_orders AS SELECT id, total FROM orders WHERE placed_at::date = current_date;

CREATE RECURSIVE VIEW public.category_paths (id, path) AS
    SELECT id, name::text FROM categories WHERE parent_id IS NULL
    UNION ALL
    SELECT c.id, cp.path || ' > ' || c.name FROM categories c JOIN category_paths cp ON cp.id = c.parent_id;

CREATE MATERIALIZED VIEW IF NOT EXISTS analytics.supplier_kpi AS
WITH sold AS (
    SELECT p.supplier_id, sum(d.revenue) AS revenue, sum(d.cost) AS cost
    FROM analytics.daily_sales d JOIN products p ON p.id = d.product_id
    GROUP BY p.supplier_id
)
SELECT s.id, s.company, sold.revenue, sold.revenue - sold.cost AS margin
FROM suppliers s LEFT JOIN sold ON sold.supplier_id = s.id
WITH NO DATA;

REFRESH MATERIALIZED VIEW analytics.product_ratings;

CREATE INDEX ON orders (customer_id, placed_at DESC NULLS LAST);

CREATE INDEX idx_products_name_lower ON products (lower(name) text_pattern_ops);

CREATE UNIQUE INDEX one_default_address ON addresses (customer_id, kind) WHERE is_default;

CREATE INDEX idx_products_search ON products USING gin (search) WITH (fastupdate = off);

CREATE INDEX IF NOT EXISTS idx_orders_open ON orders USING btree (status, (meta ->> 'source') COLLATE "C") INCLUDE (total, customer_id) WHERE status IN ('placed', 'paid') AND coupon_id IS NULL;

CREATE INDEX idx_customers_prefs ON public.customers USING gin (preferences jsonb_path_ops);

CREATE INDEX idx_events_brin ON analytics.page_events USING brin (occurred_at) WITH (pages_per_range = 32);

CREATE STATISTICS st_products (dependencies, ndistinct) ON category_id, supplier_id FROM products;

ALTER TABLE customers ADD COLUMN phone varchar(20), ADD COLUMN vat_id text DEFAULT NULL;

ALTER TABLE orders ADD CONSTRAINT total_not_negative CHECK (total >= 0) NOT VALID;

ALTER TABLE orders DROP COLUMN notes, ALTER COLUMN currency SET DEFAULT 'CHF', ALTER COLUMN placed_at SET NOT NULL;

ALTER TABLE ONLY shipments ALTER COLUMN weight_kg TYPE numeric(8, 3) USING weight_kg::numeric(8, 3);

ALTER TABLE stock_movements ADD FOREIGN KEY (warehouse_code, variant_id, bin) REFERENCES stock_levels (warehouse_code, variant_id, bin), ADD COLUMN bin varchar(12);

ALTER TABLE reviews RENAME COLUMN body TO content;

ALTER TABLE crm.tickets RENAME TO cases;

ALTER TABLE addresses ADD CONSTRAINT one_default EXCLUDE USING btree (customer_id WITH =, kind WITH =) WHERE (is_default);

ALTER TABLE variants ADD COLUMN volume integer GENERATED ALWAYS AS (dimensions[1] * dimensions[2] * dimensions[3]) STORED;

ALTER TABLE analytics.page_events DETACH PARTITION analytics.page_events_default;

CREATE TABLE analytics.page_events_2024 PARTITION OF analytics.page_events FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');

CREATE TABLE returns (
    id uuid DEFAULT gen_random_uuid(),
    order_id bigint NOT NULL,
    line_no smallint NOT NULL,
    reason text,
    refund numeric(12,2) GENERATED ALWAYS AS (0) STORED,
    requested tstzrange,
    CONSTRAINT returns_pk PRIMARY KEY (id),
    CONSTRAINT returns_line_fk FOREIGN KEY (order_id, line_no) REFERENCES order_lines (order_id, line_no) MATCH SIMPLE ON DELETE CASCADE DEFERRABLE,
    CONSTRAINT reason_given CHECK (reason <> '' OR requested IS NULL)
);

COMMENT ON COLUMN public.orders.total IS 'gross, in the order''s currency';

COMMENT ON TABLE crm.contacts IS $$People, not companies$$;

CREATE FUNCTION order_age(o orders) RETURNS interval LANGUAGE sql STABLE AS $body$ SELECT now() - o.placed_at $body$;

CREATE OR REPLACE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.updated_at := now();
    RETURN NEW;
END
$$;

CREATE FUNCTION crm.open_count(owner_name text DEFAULT current_user) RETURNS bigint
LANGUAGE sql
BEGIN ATOMIC
    SELECT count(*) FROM crm.open_tickets t WHERE t.owner = owner_name;
END;

CREATE POLICY own_contacts ON crm.contacts FOR SELECT USING (owner = current_user);

CREATE RULE no_delete AS ON DELETE TO "CouponCodes" DO INSTEAD UPDATE "CouponCodes" SET "ValidTo" = now() WHERE "Id" = OLD."Id";

DROP VIEW IF EXISTS analytics.top_customers, active_products;

DROP TABLE order_lines, reviews CASCADE;

DROP INDEX IF EXISTS idx_nowhere;

ALTER VIEW active_products RENAME COLUMN supplier TO supplier_name;

GRANT SELECT (id, email, country), UPDATE (preferences) ON customers TO PUBLIC;

ALTER TYPE order_status ADD VALUE IF NOT EXISTS 'on_hold' BEFORE 'picking';

CREATE TYPE size_range AS RANGE (subtype = integer);

CREATE VIEW crm."Contact List" AS SELECT c.id AS "Id", c.full_name AS "Name", c."jobTitle" AS "Title" FROM crm.contacts c;

LOCK TABLE stock_levels, orders IN SHARE ROW EXCLUSIVE MODE;

CREATE TABLE category_closure AS
WITH RECURSIVE closure AS (
    SELECT id AS ancestor, id AS descendant, 0 AS distance FROM categories
    UNION ALL
    SELECT cl.ancestor, c.id, cl.distance + 1 FROM closure cl JOIN categories c ON c.parent_id = cl.descendant
)
SELECT * FROM closure;

CREATE TRIGGER orders_touch BEFORE UPDATE OF status, total ON orders FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION suppress_redundant_updates_trigger();

ALTER TABLE products ALTER description SET STORAGE EXTERNAL, ALTER COLUMN list_price DROP DEFAULT, DROP CONSTRAINT products_sku_key, ADD UNIQUE (sku, supplier_id);
