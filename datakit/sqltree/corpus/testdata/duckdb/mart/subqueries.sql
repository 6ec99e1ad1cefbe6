SELECT full_name
FROM mart.current_customers
WHERE customer_key IN (SELECT customer_key FROM mart.fct_orders WHERE net_amount > 1_000);

SELECT sku
FROM mart.dim_product p
WHERE list_price > (SELECT avg(q.list_price) FROM mart.dim_product q WHERE q.category = p.category);

SELECT store_name, (SELECT sum(revenue) FROM mart.sales WHERE sales.store_code = s.store_code) AS revenue, (SELECT count(*) FROM mart.fct_orders o WHERE o.store_key = s.store_key) AS orders FROM mart.dim_store s;

SELECT c.customer_key
FROM mart.dim_customer c
WHERE EXISTS (FROM mart.fct_orders o JOIN mart.fct_order_lines l USING (order_key) WHERE o.customer_key = c.customer_key AND l.returned);

SELECT o.order_key
FROM mart.fct_orders o
WHERE NOT EXISTS (SELECT NULL FROM mart.fct_payments p WHERE p.order_key = o.order_key)
  AND o.status NOT IN ('placed');

SELECT o.order_id, o.net_amount - coalesce((SELECT sum(p.amount) FROM mart.fct_payments p WHERE p.order_key = o.order_key), 0) AS open_amount
FROM mart.fct_orders o
WHERE o.status = 'shipped'
ORDER BY o.order_id;

SELECT p.product_name,
    ARRAY(SELECT DISTINCT o.store_key FROM mart.fct_orders o JOIN mart.fct_order_lines l USING (order_key) WHERE l.product_key = p.product_key) AS stores
FROM mart.dim_product p;

SELECT *
FROM mart.fct_inventory
WHERE (store_key, product_key, date_key) IN (SELECT store_key, product_key, max(date_key) FROM mart.fct_inventory GROUP BY store_key, product_key);

SELECT sku
FROM mart.dim_product
WHERE cost < ALL (SELECT cost FROM mart.dim_product WHERE brand = 'Acme' AND cost IS NOT NULL);

SELECT year,
    (SELECT x.category FROM (SELECT category, sum(revenue) AS r FROM mart.sales WHERE year(sale_date) = d.year GROUP BY category) x ORDER BY x.r DESC LIMIT 1) AS best
FROM (SELECT DISTINCT year FROM mart.dim_date) d;

SELECT country
FROM mart.dim_store
INTERSECT
SELECT country
FROM mart.dim_customer
EXCEPT SELECT iso2
FROM country_codes
WHERE region = 'Europe';

(SELECT store_code, revenue FROM mart.monthly_sales ORDER BY revenue DESC LIMIT 3)
UNION ALL
(SELECT store_code, revenue FROM mart.monthly_sales ORDER BY revenue LIMIT 3);

SELECT customer_id,
    email
FROM mart.dim_customer
UNION SELECT customer_id,
    email
FROM staging.stg_customers
ORDER BY email NULLS LAST, 1
LIMIT 50;

SELECT sku,
    list_price
FROM staging.stg_products
UNION BY NAME
SELECT sku,
    margin,
    brand
FROM mart.dim_product
ORDER BY sku;

FROM mart.fct_payments SELECT method UNION FROM staging.stg_payments SELECT method;

SELECT n, what FROM (
    SELECT count(*) AS n, 'orders' AS what FROM mart.fct_orders
    UNION ALL SELECT count(*), 'lines' FROM mart.fct_order_lines
    UNION ALL (SELECT count(*), 'payments' FROM mart.fct_payments)
) counts
WHERE counts.n > 0;

SELECT big.order_key
FROM (SELECT order_key, count(*) AS n FROM mart.fct_order_lines GROUP BY order_key) AS big(order_key, lines)
WHERE big.lines > 10;

SELECT x.order_key, x.total
FROM (SELECT l.order_key, sum(l.qty * l.unit_price) FROM mart.fct_order_lines l GROUP BY l.order_key) x(order_key, total)
JOIN mart.fct_orders o ON o.order_key = x.order_key AND o.gross_amount <> x.total;

SELECT s.store_name, t.*
FROM mart.dim_store s
LEFT JOIN LATERAL (
    SELECT o.order_key, o.net_amount
    FROM mart.fct_orders o
    WHERE o.store_key = s.store_key
    ORDER BY o.net_amount DESC
    LIMIT 1
) t ON true
WHERE s.opened_on < DATE '2020-01-01';

SELECT p.sku, s.units
FROM mart.dim_product p, LATERAL (SELECT sum(qty) AS units FROM mart.fct_order_lines WHERE product_key = p.product_key) AS s
WHERE s.units IS NULL OR s.units < 5;

SELECT o.order_key,
    r.eur
FROM mart.fct_orders o, (SELECT o.net_amount * l.rate_to_eur AS eur FROM latest_rates l WHERE l.currency = o.currency) r;

SELECT CASE WHEN EXISTS (SELECT 1 FROM run_log WHERE status = 'running') THEN 'busy' ELSE 'idle' END AS state;

SELECT customer_key,
    net_amount
FROM mart.fct_orders
WHERE net_amount >= (SELECT quantile_cont(net_amount, 0.99) FROM mart.fct_orders);

SELECT brand
FROM mart.dim_product
GROUP BY brand
HAVING avg(list_price) > (SELECT avg(list_price) FROM mart.dim_product);

SELECT full_date
FROM mart.dim_date d
WHERE d.is_weekend AND d.date_key NOT IN (SELECT date_key FROM mart.fct_orders WHERE date_key IS NOT NULL)
ORDER BY full_date DESC
LIMIT 1;

SELECT dim_customer.full_name,
    fct_orders.net_amount
FROM (mart.fct_orders JOIN mart.dim_customer USING (customer_key));

SELECT w.iso2
FROM (FROM VALUES ('FR', 'France'), ('IT', 'Italy') AS v(iso2, name)) w
WHERE w.name <> 'Italy';

SELECT *
FROM mart.dim_store
JOIN country_codes ON country = iso2
WHERE dim_store.country <> 'US';

SELECT order_key,
    dim_customer.country,
    dim_store.country AS store_country
FROM mart.fct_orders
LEFT JOIN mart.dim_customer USING (customer_key)
LEFT JOIN mart.dim_store USING (store_key)
WHERE dim_customer.country IS DISTINCT FROM dim_store.country;

SELECT o FROM mart.fct_orders o ORDER BY o.order_key LIMIT 1;

SELECT fct_orders.*
FROM mart.fct_orders
JOIN mart.dim_date USING (date_key)
WHERE dim_date.is_holiday;

SELECT a.x,
    a.y,
    b.x
FROM (SELECT customer_key AS x, count(*) AS y FROM mart.fct_orders GROUP BY ALL) a
FULL JOIN (SELECT customer_key AS x FROM mart.fct_web_sessions GROUP BY 1) b USING (x);

SELECT coalesce(o.customer_key, w.customer_key) AS customer_key, o.n AS orders, w.n AS visits
FROM (FROM mart.fct_orders SELECT customer_key, n: count(*) GROUP BY ALL) o
FULL OUTER JOIN (FROM mart.fct_web_sessions SELECT customer_key, n: count(*) GROUP BY ALL) w ON o.customer_key = w.customer_key;

SELECT a.store_key, b.store_key FROM mart.dim_store a POSITIONAL JOIN mart.dim_store b;

SELECT p.coupon,
    o.n
FROM mart.dim_promotion AS p
LEFT JOIN (SELECT promotion_key, count(*) AS n FROM mart.fct_orders GROUP BY promotion_key) AS o USING (promotion_key)
WHERE p.ends_on IS NULL OR p.ends_on >= today();

SELECT w.session_id, c.segment
FROM mart.fct_web_sessions w
ASOF JOIN mart.dim_customer c ON w.customer_key = c.customer_key AND c.valid_from <= w.started_at
WHERE w.referrer LIKE '%search%';

SELECT o.order_key, e.rate_to_eur, e.rate_date
FROM mart.fct_orders o
ASOF LEFT JOIN (SELECT currency, rate_date::TIMESTAMP AS ordered_at, rate_to_eur, rate_date FROM exchange_rates) e USING (currency, ordered_at);

WITH t AS (SELECT sku, unnest(category_path) AS node, generate_subscripts(category_path, 1) AS lvl FROM staging.stg_products)
SELECT lvl, node, count(DISTINCT sku) AS skus FROM t GROUP BY lvl, node ORDER BY lvl, skus DESC;

SELECT z.k
FROM (SELECT customer_key AS k FROM (SELECT customer_key FROM (SELECT customer_key, net_amount FROM mart.fct_orders) a WHERE a.net_amount > 10) b) z
WHERE z.k % 7 = 0;
