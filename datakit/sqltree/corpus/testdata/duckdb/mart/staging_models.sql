-- stg_customers, cleaned
with source as (

    select * from staging.stg_customers

),

renamed as (

    select
        customer_id,
        trim(first_name) || ' ' || trim(last_name) as full_name,
        lower(email) as email,
        coalesce(country, 'XX') as country,
        address.city as city,
        created_at,
        updated_at
    from source

)

select * from renamed;

with source as (select * from staging.stg_products),
typed as (
    select sku
         , product_name
         , category_path[1] as category
         , category_path[2] as subcategory
         , attributes['brand'] as brand
         , list_price
         , cost
    from source
    qualify row_number() over (partition by sku order by updated_at desc) = 1
)
select *, list_price - cost as margin from typed;

SELECT order_id, line_no, line.sku, line.qty, line.unit_price, coalesce(line.discount, 0) AS discount
FROM staging.stg_order_lines;

SELECT order_id, line_no, line.* FROM staging.stg_order_lines WHERE line.qty > 0;

SELECT l.order_id, l.line['sku'] AS sku, l.line.qty * l.line.unit_price AS amount
FROM staging.stg_order_lines AS l
ORDER BY amount DESC
LIMIT 20;

SELECT o.order_id, x.li.sku, x.li.qty
FROM staging.stg_orders o, unnest(o.lines) AS x(li)
WHERE o.status IN ('placed', 'shipped');

SELECT order_id, unnest(lines, recursive := true) FROM staging.stg_orders;

SELECT order_id,
    list_sum(list_transform(lines, lambda l: l.qty * l.unit_price - l.discount)) AS total
FROM staging.stg_orders;

SELECT order_id,
    [l.sku for l in lines if l.discount > 0] AS discounted
FROM staging.stg_orders
WHERE len(discounted) > 0;

SELECT payment_id, order_id, amount_cents / 100.0 AS amount, response->>'$.provider.code' AS provider_code
FROM staging.stg_payments
WHERE (response->>'$.ok')::BOOLEAN;

SELECT
    id,
    received_at AT TIME ZONE 'UTC' AS received_at,
    body->>'type' AS event_type,
    (body->>'customer_id')::INT AS customer_id,
    TRY_CAST(body->>'value' AS DECIMAL(12, 2)) AS value,
    headers['user-agent'] AS user_agent,
FROM staging.raw_events
WHERE body->>'type' IS NOT NULL;

SELECT id,
    h.key AS header,
    h.value
FROM (SELECT id, unnest(map_entries(headers)) AS h FROM staging.raw_events);

SELECT e.id,
    j.key,
    j.value
FROM staging.raw_events e, json_each(e.body, '$.props') AS j;

SELECT body.customer.id AS customer, body.type FROM staging.raw_events;

FROM staging.raw_events
SELECT id, body
QUALIFY row_number() OVER (PARTITION BY body->>'message_id' ORDER BY received_at) = 1;

SELECT customer_id,
    address.geo.lat AS lat,
    address.geo.lng AS lng
FROM staging.stg_customers
WHERE address.geo IS NOT NULL;

SELECT stg_customers.address.city,
    count(*)
FROM staging.stg_customers
GROUP BY stg_customers.address.city;

SELECT staging.stg_customers.address.zip, staging.stg_customers.email
FROM staging.stg_customers;

SELECT customer_id,
    tag
FROM staging.stg_customers c, unnest(c.marketing_tags) AS t(tag)
WHERE tag NOT LIKE '\_%' ESCAPE '\';

SELECT customer_id,
    email
FROM staging.stg_customers
WHERE NOT regexp_full_match(email, '[^@]+@[^@]+\.[a-z]{2,}');

SELECT customer_id, COLUMNS('_name$') FROM staging.stg_customers;

SELECT upper(trim(COLUMNS(c -> c LIKE '%name'))) FROM staging.stg_customers;

SELECT * EXCLUDE (_loaded_at, _file) REPLACE (coalesce(currency, 'EUR') AS currency)
FROM staging.stg_orders;

SELECT c.* RENAME (customer_id AS id),
    md5(concat_ws('|', c.customer_id, c.updated_at)) AS surrogate
FROM staging.stg_customers AS c;

SELECT md5(COALESCE(CAST(customer_id AS VARCHAR), '_null_') || '-' || COALESCE(CAST(updated_at AS VARCHAR), '_null_')) AS customer_sk,
    *
FROM staging.stg_customers;

SELECT max(_loaded_at) AS max_loaded_at FROM staging.stg_orders;

SELECT *
FROM staging.stg_orders
WHERE _loaded_at > (SELECT coalesce(max(o.ordered_at), '1900-01-01') FROM mart.fct_orders o);

SELECT 'stg_customers' AS source, count(*) AS n, max(_loaded_at) AS fresh FROM staging.stg_customers
UNION ALL
SELECT 'stg_products', count(*), max(_loaded_at) FROM staging.stg_products
UNION ALL
SELECT 'stg_orders', count(*), max(_loaded_at) FROM staging.stg_orders
ORDER BY fresh;

SELECT customer_id,
    first_name,
    last_name
FROM staging.stg_customers
UNION ALL BY NAME
SELECT customer_id,
    status,
    order_id
FROM staging.stg_orders;

SELECT date_diff('year', birth_date, current_date) AS age, count(*)
FROM staging.stg_customers
WHERE age BETWEEN 18 AND 99
GROUP BY age
ORDER BY age;

SELECT order_id,
    list_distinct([x.sku for x in lines]) AS skus,
    len(skus) AS n
FROM staging.stg_orders
ORDER BY n DESC;

SELECT order_id,
    lines[1].sku AS first_sku,
    lines[-1].qty AS last_qty,
    (lines[2:]).len() AS more
FROM staging.stg_orders;

WITH exploded AS (SELECT order_id, unnest(lines) AS l FROM staging.stg_orders)
SELECT l.sku, sum(l.qty) AS units, count(DISTINCT order_id) AS orders, avg(l.unit_price)
FROM exploded
GROUP BY l.sku
HAVING units > 10
ORDER BY units DESC;

SELECT o.order_id, p.paid, o.due, o.due - p.paid AS open
FROM (SELECT order_id, sum(line.qty * line.unit_price) AS due FROM staging.stg_order_lines GROUP BY order_id) o
LEFT JOIN (SELECT order_id, sum(amount_cents) / 100 AS paid FROM staging.stg_payments GROUP BY order_id) p USING (order_id)
WHERE p.paid IS DISTINCT FROM o.due;

SELECT sku,
    map_keys(attributes) AS attribute_names,
    attributes['color'] AS color
FROM staging.stg_products
WHERE 'color' IN map_keys(attributes);

SELECT a.entry.key AS attribute, count(DISTINCT a.sku)
FROM (SELECT sku, unnest(map_entries(attributes)) AS entry FROM staging.stg_products) a
GROUP BY ALL;

SELECT sku,
    array_to_string(category_path, ' > ') AS path,
    list_reverse(category_path)[1] AS leaf
FROM staging.stg_products;

SELECT json_object('id', order_id, 'lines', to_json(lines), 'status', status) AS doc
FROM staging.stg_orders;

SELECT {'customer': c.customer_id, 'orders': list({'id': o.order_id, 'at': o.ordered_at} ORDER BY o.ordered_at)} AS doc
FROM staging.stg_customers c LEFT JOIN staging.stg_orders o USING (customer_id)
GROUP BY c.customer_id;

SELECT d.doc.customer, d.doc.orders[1].at AS first_order
FROM (SELECT {'customer': customer_id, 'orders': list({'at': ordered_at})} AS doc FROM staging.stg_orders GROUP BY customer_id) d;
