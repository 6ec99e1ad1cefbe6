-- inventory valuation at cost and in EUR, one row per store and category
WITH last_day AS (
    SELECT max(date_key) AS date_key
    FROM mart.fct_inventory
),
valued AS (
    SELECT
        i.store_key,
        p.category,
        sum(i.on_hand) AS pieces,
        sum(i.on_hand * p.cost) AS at_cost,
        sum(i.on_hand * p.list_price) AS at_list,
        count(*) FILTER (WHERE i.on_hand <= 0) AS empty_shelves
    FROM mart.fct_inventory AS i
    JOIN last_day USING (date_key)
    JOIN mart.dim_product AS p USING (product_key)
    WHERE p.discontinued_on IS NULL
    GROUP BY i.store_key, p.category
)
SELECT
    s.store_code,
    s.store_name,
    v.category,
    v.pieces,
    to_eur(v.at_cost, r.rate_to_eur) AS at_cost_eur,
    to_eur(v.at_list, r.rate_to_eur) AS at_list_eur,
    v.empty_shelves,
    rank() OVER (PARTITION BY s.country ORDER BY v.at_cost DESC) AS place_in_country
FROM valued AS v
JOIN mart.dim_store AS s ON s.store_key = v.store_key
JOIN country_codes AS c ON c.iso2 = s.country
LEFT JOIN latest_rates AS r ON r.currency = c.currency
ORDER BY s.store_code, v.category;

/* customer lifetime: first and last order, gaps, favourite category */
CREATE OR REPLACE TABLE mart.customer_lifetime AS
WITH orders AS (
    SELECT
        o.customer_key,
        o.order_key,
        o.ordered_at,
        o.net_amount,
        o.ordered_at - lag(o.ordered_at) OVER (PARTITION BY o.customer_key ORDER BY o.ordered_at) AS gap
    FROM mart.fct_orders o
    WHERE o.status <> 'returned'
),
favourite AS (
    SELECT o.customer_key, mode(p.category) AS category
    FROM orders o
    JOIN mart.fct_order_lines l ON l.order_key = o.order_key
    JOIN mart.dim_product p ON p.product_key = l.product_key
    GROUP BY o.customer_key
),
totals AS (
    SELECT
        customer_key,
        min(ordered_at) AS first_at,
        max(ordered_at) AS last_at,
        count(*) AS orders,
        sum(net_amount) AS value,
        avg(gap) AS mean_gap
    FROM orders
    GROUP BY ALL
)
SELECT
    c.customer_key,
    c.full_name,
    t.* EXCLUDE (customer_key),
    f.category AS favourite_category,
    CASE
        WHEN t.last_at + 2 * t.mean_gap < now()::TIMESTAMP THEN 'lost'
        WHEN t.last_at + t.mean_gap < now()::TIMESTAMP THEN 'late'
        ELSE 'active'
    END AS state
FROM mart.current_customers c
JOIN totals t USING (customer_key)
LEFT JOIN favourite f USING (customer_key);

-- type 2 dimension in one pass: close the changed rows
MERGE INTO mart.dim_customer AS dim
USING (
    SELECT
        s.customer_id,
        concat_ws(' ', s.first_name, s.last_name) AS full_name,
        lower(s.email) AS email,
        upper(s.country) AS country,
        s.updated_at
    FROM staging.stg_customers AS s
    QUALIFY row_number() OVER (PARTITION BY s.customer_id ORDER BY s.updated_at DESC) = 1
) AS src
ON dim.customer_id = src.customer_id
AND dim.is_current
WHEN MATCHED
    AND (dim.full_name, dim.email, dim.country) IS DISTINCT FROM (src.full_name, src.email, src.country)
    THEN UPDATE SET
        valid_to = src.updated_at,
        is_current = false
WHEN NOT MATCHED BY SOURCE
    AND dim.valid_from < now()::TIMESTAMP - INTERVAL 5 YEARS
    THEN DELETE
RETURNING
    merge_action AS what,
    customer_id,
    valid_to;

SELECT
    t.test,
    t.failures,
    t.failures > 0 AS failed
FROM (
    SELECT 'orders without customer' AS test, count(*) AS failures
    FROM mart.fct_orders
    WHERE customer_key IS NULL

    UNION ALL

    SELECT 'lines without order', count(*)
    FROM mart.fct_order_lines l
    WHERE NOT EXISTS (
        SELECT 1
        FROM mart.fct_orders o
        WHERE o.order_key = l.order_key
    )

    UNION ALL

    SELECT 'payments above order', count(*)
    FROM (
        SELECT p.order_key, sum(p.amount) AS paid
        FROM mart.fct_payments p
        GROUP BY p.order_key
    ) p
    JOIN mart.fct_orders o USING (order_key)
    WHERE p.paid > o.gross_amount
) t
ORDER BY t.failures DESC;

WITH visits AS (
    SELECT
        w.session_id,
        w.customer_key,
        w.started_at,
        w.referrer,
        w.pages[1] AS entry_page,
        w.pages[-1] AS exit_page,
        len(w.pages) AS depth,
        w.converted
    FROM mart.fct_web_sessions w
),
touches AS (
    SELECT
        o.order_key,
        v.referrer,
        v.started_at,
        row_number() OVER first_touch AS nr,
        count(*) OVER (PARTITION BY o.order_key) AS touches
    FROM mart.fct_orders o
    JOIN visits v
        ON v.customer_key = o.customer_key
        AND v.started_at BETWEEN o.ordered_at - INTERVAL 30 DAYS AND o.ordered_at
    WINDOW first_touch AS (PARTITION BY o.order_key ORDER BY v.started_at)
)
SELECT
    coalesce(t.referrer, 'direct') AS referrer,
    sum(o.net_amount / t.touches) AS linear,
    sum(o.net_amount) FILTER (t.nr = 1) AS first_touch,
    sum(o.net_amount) FILTER (t.nr = t.touches) AS last_touch
FROM touches t
JOIN mart.fct_orders o USING (order_key)
GROUP BY ALL
HAVING linear > 0
ORDER BY linear DESC;

INSERT INTO mart.fct_orders
    (order_key, order_id, date_key, customer_key, store_key, status, ordered_at, gross_amount, discount_amount, currency)
WITH lines AS (
    SELECT
        order_id,
        sum(line.qty * line.unit_price) AS gross,
        sum(coalesce(line.discount, 0)) AS discount
    FROM staging.stg_order_lines
    GROUP BY order_id
)
SELECT
    o.order_id * 10 AS order_key,
    o.order_id,
    d.date_key,
    c.customer_key,
    s.store_key,
    o.status,
    o.ordered_at,
    l.gross,
    l.discount,
    o.currency
FROM staging.stg_orders AS o
INNER JOIN lines AS l USING (order_id)
LEFT JOIN mart.dim_date AS d ON d.full_date = o.ordered_at::DATE
LEFT JOIN mart.dim_store AS s USING (store_code)
ASOF LEFT JOIN mart.dim_customer AS c
    ON c.customer_id = o.customer_id
    AND c.valid_from <= o.ordered_at
ON CONFLICT (order_key) DO UPDATE SET
    status = excluded.status,
    gross_amount = excluded.gross_amount,
    discount_amount = excluded.discount_amount
WHERE excluded.status <> fct_orders.status;

UPDATE mart.bridge_customer_segment AS b
SET
    weight = n.weight,
    assigned_on = current_date
FROM (
    SELECT
        customer_key,
        CASE
            WHEN sum(net_amount) > 5_000 THEN 'gold'
            WHEN count(*) > 10 THEN 'regular'
            ELSE 'casual'
        END AS segment,
        least(1.0, count(*) / 20.0) AS weight
    FROM mart.fct_orders
    WHERE ordered_at > now()::TIMESTAMP - INTERVAL 1 YEAR
    GROUP BY customer_key
) AS n
WHERE n.customer_key = b.customer_key
  AND n.segment = b.segment
  AND n.weight <> b.weight;

DELETE FROM mart.fct_order_lines
USING (
    SELECT order_key, line_no
    FROM (
        SELECT
            l.order_key,
            l.line_no,
            row_number() OVER (
                PARTITION BY l.order_key, l.product_key
                ORDER BY l.line_no
            ) AS n
        FROM mart.fct_order_lines l
    ) numbered
    WHERE numbered.n > 1
) AS dup
WHERE dup.order_key = fct_order_lines.order_key
  AND dup.line_no = fct_order_lines.line_no
RETURNING fct_order_lines.order_key, fct_order_lines.line_no;

select
      dd.fiscal_period                                  as period
    , ds.country                                        as country
    , sum(fo.net_amount)                                as net
    , sum(fo.net_amount) filter (fo.promotion_key is not null) as promoted
    , promoted / nullif(net, 0)                         as promoted_share
    , lag(sum(fo.net_amount)) over (
          partition by ds.country
          order by min(dd.full_date)
      )                                                 as previous
from mart.fct_orders           as fo
    join mart.dim_date         as dd on dd.date_key  = fo.date_key
    join mart.dim_store        as ds on ds.store_key = fo.store_key
where
      fo.status in ('completed', 'shipped')
  and dd.full_date >= make_date(2023, 1, 1)
  and not exists (
          select 1
          from mart.dim_promotion as dp
          where dp.promotion_key = fo.promotion_key
            and dp.kind = 'internal'
      )
group by
      dd.fiscal_period
    , ds.country
having sum(fo.net_amount) > 0
order by period, net desc;

WITH RECURSIVE
calendar(day) AS (
    SELECT min(full_date) FROM mart.dim_date WHERE year = 2024
    UNION ALL
    SELECT day + 1 FROM calendar WHERE day < (SELECT max(full_date) FROM mart.dim_date WHERE year = 2024)
),
levels AS (
    SELECT
        d.full_date AS day,
        i.store_key,
        i.product_key,
        i.on_hand
    FROM mart.fct_inventory i
    JOIN mart.dim_date d USING (date_key)
)
SELECT
    c.day,
    k.store_key,
    k.product_key,
    l.on_hand
FROM calendar c
CROSS JOIN (SELECT DISTINCT store_key, product_key FROM levels) k
ASOF LEFT JOIN levels l
    ON l.store_key = k.store_key
    AND l.product_key = k.product_key
    AND l.day <= c.day
ORDER BY ALL;

COPY (
    SELECT
        o.order_id,
        strftime(o.ordered_at, '%d.%m.%Y') AS "Datum",
        c.full_name AS "Kunde",
        list({
            'sku': p.sku,
            'qty': l.qty,
            'price': l.unit_price
        } ORDER BY l.line_no) AS positions
    FROM mart.fct_orders o
    JOIN mart.dim_customer c USING (customer_key)
    JOIN mart.fct_order_lines l USING (order_key)
    JOIN mart.dim_product p USING (product_key)
    WHERE o.ordered_at::DATE = current_date - 1
    GROUP BY o.order_id, o.ordered_at, c.full_name
)
TO 'out/orders_yesterday.json'
(FORMAT json, DATEFORMAT '%d.%m.%Y');

WITH parsed AS (
    SELECT
        e.id,
        e.received_at,
        e.body->>'$.type' AS kind,
        e.body->'$.order' AS doc,
        from_json(e.body->'$.order.lines', '[{"sku": "VARCHAR", "qty": "INTEGER", "price": "DECIMAL(12,2)"}]') AS lines
    FROM staging.raw_events e
    WHERE json_exists(e.body, '$.order')
),
latest AS (
    SELECT *
    FROM parsed
    QUALIFY row_number() OVER (PARTITION BY doc->>'id' ORDER BY received_at DESC) = 1
)
SELECT
    (doc->>'id')::BIGINT AS order_id,
    (doc->>'customer')::INTEGER AS customer_id,
    doc->>'store' AS store_code,
    list_transform(lines, lambda l: struct_pack(sku := l.sku, qty := l.qty, unit_price := l.price, discount := 0)) AS lines,
    received_at AS _loaded_at
FROM latest
WHERE kind IN ('order.created', 'order.changed');

SELECT
    a.category,
    b.category AS other_category,
    count(DISTINCT a.order_key) AS baskets,
    baskets / (
        SELECT count(*)
        FROM mart.fct_orders
    ) AS support
FROM mart.sales AS a
JOIN mart.sales AS b
    ON a.order_key = b.order_key
   AND a.category < b.category
GROUP BY a.category, b.category
HAVING count(DISTINCT a.order_key) > 20
ORDER BY support DESC
LIMIT 50;

FROM (
    FROM mart.fct_orders o
    JOIN mart.dim_store s USING (store_key)
    SELECT
        store: s.store_name,
        month: date_trunc('month', o.ordered_at),
        net: sum(o.net_amount),
        orders: count(*)
    GROUP BY ALL
) monthly
SELECT
    store,
    month,
    net,
    basket: net / orders,
    yoy: net / lag(net, 12) OVER (PARTITION BY store ORDER BY month) - 1,
    best: max(net) OVER (PARTITION BY store) = net
WHERE month >= DATE '2022-01-01'
QUALIFY best OR yoy < 0
ORDER BY store, month;

PIVOT (
    SELECT
        s.store_name,
        d.day_name,
        o.net_amount
    FROM mart.fct_orders o
    JOIN mart.dim_store s USING (store_key)
    JOIN mart.dim_date d USING (date_key)
)
ON day_name IN ('Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday')
USING
    sum(net_amount) AS net,
    count(*) AS n
GROUP BY store_name
ORDER BY store_name;

CREATE OR REPLACE VIEW mart.plan_vs_actual AS
WITH plan AS (
    SELECT "Cost Center" AS store_code, "Fiscal Year" AS year, right(quarter, 1)::INT AS quarter, amount
    FROM "Budget Plan"
    UNPIVOT (amount FOR quarter IN ("Q1", "Q2", "Q3", "Q4"))
),
actual AS (
    SELECT
        store_code,
        year(sale_date) AS year,
        quarter(sale_date) AS quarter,
        sum(revenue) AS amount
    FROM mart.sales
    GROUP BY ALL
)
SELECT
    store_code,
    year,
    quarter,
    plan.amount AS planned,
    actual.amount AS achieved,
    achieved - planned AS difference
FROM plan
FULL JOIN actual USING (store_code, year, quarter);

WITH monthly AS (
    SELECT
        currency,
        date_trunc('month', rate_date) AS month,
        avg(rate_to_eur) AS mean_rate,
        min(rate_to_eur) AS low,
        max(rate_to_eur) AS high,
        last(rate_to_eur ORDER BY rate_date) AS closing
    FROM exchange_rates
    WHERE rate_date >= DATE '2020-01-01'
    GROUP BY currency, month
)
SELECT
    m.*,
    m.closing / p.closing - 1 AS change,
    stddev_samp(m.mean_rate) OVER (
        PARTITION BY m.currency
        ORDER BY m.month
        ROWS BETWEEN 11 PRECEDING AND CURRENT ROW
    ) AS volatility
FROM monthly m
LEFT JOIN monthly p
    ON p.currency = m.currency
    AND p.month = m.month - INTERVAL 1 MONTH
WHERE m.currency IN (
    SELECT currency FROM mart.fct_orders
    INTERSECT
    SELECT currency FROM country_codes
)
ORDER BY m.currency, m.month;
