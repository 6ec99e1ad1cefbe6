-- open items by age
SELECT c.id AS customer_id,
       c.email,
       sum(i.open) FILTER (WHERE i.days <= 30)              AS current,
       sum(i.open) FILTER (WHERE i.days BETWEEN 31 AND 60)  AS "31-60",
       sum(i.open) FILTER (WHERE i.days BETWEEN 61 AND 90)  AS "61-90",
       sum(i.open) FILTER (WHERE i.days > 90)               AS "over 90",
       sum(i.open)                                          AS total
FROM (
    SELECT o.customer_id,
           current_date - o.placed_at::date AS days,
           o.total - coalesce(sum(p.amount), 0) AS open
    FROM orders o
    LEFT JOIN payments p ON p.order_id = o.id AND p.status = 'captured'
    WHERE o.status NOT IN ('cart', 'cancelled')
    GROUP BY o.id
    HAVING o.total > coalesce(sum(p.amount), 0)
) i
JOIN customers c ON c.id = i.customer_id
GROUP BY c.id, c.email
ORDER BY total DESC;

WITH booked AS (
    SELECT date_trunc('month', p.captured_at)::date AS month, p.currency, sum(p.amount) AS captured
    FROM payments p
    WHERE p.captured_at IS NOT NULL
    GROUP BY 1, 2
),
refunds AS (
    SELECT date_trunc('month', p.refunded_at)::date AS month, p.currency, sum(p.amount) AS refunded
    FROM payments p
    WHERE p.refunded_at IS NOT NULL
    GROUP BY 1, 2
)
SELECT month,
       currency,
       coalesce(booked.captured, 0) AS captured,
       coalesce(refunds.refunded, 0) AS refunded,
       coalesce(captured, 0) - coalesce(refunded, 0) AS net,
       sum(coalesce(captured, 0) - coalesce(refunded, 0)) OVER (PARTITION BY currency ORDER BY month) AS cumulative
FROM booked
FULL JOIN refunds USING (month, currency)
ORDER BY currency, month;

SELECT a.country,
       date_part('quarter', o.placed_at) AS quarter,
       sum(l.amount)                                            AS gross,
       round(sum(l.amount) / (1 + r.rate), 2)                   AS net,
       sum(l.amount) - round(sum(l.amount) / (1 + r.rate), 2)   AS vat
FROM orders o
JOIN order_lines l ON l.order_id = o.id
JOIN addresses a ON a.id = o.shipping_address
JOIN (VALUES ('DE', 0.19), ('AT', 0.20), ('FR', 0.20), ('NL', 0.21)) AS r (country, rate)
  ON r.country = a.country
WHERE o.status IN ('shipped', 'delivered')
  AND extract(year FROM o.placed_at) = $1
GROUP BY a.country, date_part('quarter', o.placed_at), r.rate
ORDER BY a.country, quarter;

SELECT o.id,
       o.total AS order_total,
       lines.sum AS lines_total,
       pay.sum AS paid_total,
       CASE
           WHEN lines.sum IS DISTINCT FROM o.total THEN 'lines'
           WHEN pay.sum > o.total THEN 'overpaid'
           WHEN pay.count = 0 AND o.status > 'paid' THEN 'unpaid'
       END AS problem
FROM orders o
CROSS JOIN LATERAL (SELECT sum(amount), count(*) FROM order_lines WHERE order_id = o.id) lines
CROSS JOIN LATERAL (SELECT sum(amount), count(*) FROM payments WHERE order_id = o.id AND status = 'captured') pay
WHERE o.status <> 'cart'
  AND (lines.sum IS DISTINCT FROM o.total
       OR pay.sum > o.total
       OR (pay.count = 0 AND o.status > 'paid'))
ORDER BY problem, o.id;

WITH target (quarter, country, goal) AS (
    VALUES
        (1, 'DE', 100000.0),
        (2, 'DE', 120000.0),
        (1, 'AT',  20000.0),
        (2, 'AT',  25000.0)
),
actual AS (
    SELECT cal.quarter, s.country, sum(s.revenue) AS revenue
    FROM analytics.daily_sales s
    NATURAL JOIN analytics.calendar cal
    WHERE cal.year = 2024
    GROUP BY cal.quarter, s.country
)
SELECT target.country,
       target.quarter,
       target.goal,
       actual.revenue,
       to_char(100 * actual.revenue / target.goal, 'FM990.0"%"') AS reached
FROM target
NATURAL LEFT JOIN actual
ORDER BY target.country, target.quarter;

SELECT *
FROM (
    SELECT ds.country,
           ds.channel,
           p.category_id,
           sum(ds.revenue) AS revenue,
           sum(ds.revenue - coalesce(ds.cost, 0)) AS margin,
           rank() OVER (PARTITION BY ds.country, ds.channel ORDER BY sum(ds.revenue) DESC) AS pos,
           sum(ds.revenue) / sum(sum(ds.revenue)) OVER (PARTITION BY ds.country, ds.channel) AS share
    FROM analytics.daily_sales ds
    JOIN products p ON p.id = ds.product_id
    WHERE ds.day >= date_trunc('year', current_date)
    GROUP BY ds.country, ds.channel, p.category_id
) AS ranking
LEFT JOIN categories ON categories.id = ranking.category_id
WHERE ranking.pos <= 5
  AND ranking.share > 0.05
ORDER BY ranking.country, ranking.channel, ranking.pos;

INSERT INTO payments (order_id, method, amount, currency, status, provider, captured_at)
WITH bank AS (
    SELECT b.reference, b.amount, b.booked
    FROM jsonb_to_recordset($1::jsonb) AS b (reference text, amount numeric, booked date)
),
matched AS (
    SELECT (regexp_match(bank.reference, '\d{6,}'))[1]::bigint AS order_no, bank.*
    FROM bank
    WHERE bank.reference ~ '\d{6,}'
)
SELECT o.id,
       'transfer',
       m.amount,
       o.currency,
       CASE WHEN m.amount >= o.total THEN 'captured' ELSE 'partial' END,
       jsonb_build_object('reference', m.reference),
       m.booked
FROM matched m
JOIN orders o ON o.id = m.order_no
WHERE NOT EXISTS (
    SELECT FROM payments x
    WHERE x.order_id = o.id
      AND x.provider ->> 'reference' = m.reference
)
RETURNING order_id, amount, status;

SELECT s.id,
       s.company,
       count(DISTINCT p.id) AS products,
       sum(sl.on_hand * v_price.price) AS stock_at_price,
       sum(sl.on_hand * v_price.price) FILTER (WHERE sl.counted_at < now() - interval '6 months') AS not_counted,
       max(sl.counted_at) AS last_count
FROM suppliers s
JOIN products p ON p.supplier_id = s.id
JOIN variants v ON v.product_id = p.id
JOIN stock_levels sl ON sl.variant_id = v.id
CROSS JOIN LATERAL (
    SELECT coalesce(
        (SELECT ph.price
           FROM price_history ph
          WHERE ph.variant_id = v.id AND ph.valid @> current_date
          LIMIT 1),
        p.list_price + v.price_delta
    ) AS price
) v_price
GROUP BY s.id
HAVING sum(sl.on_hand) > 0
ORDER BY stock_at_price DESC
FETCH FIRST 25 ROWS ONLY;

UPDATE payments AS p
SET status = 'refunded',
    refunded_at = now(),
    provider = coalesce(p.provider, '{}') || jsonb_build_object('refund_reason', q.reason)
FROM (
    SELECT o.id AS order_id, coalesce(max(t.subject), 'return') AS reason
    FROM orders o
    LEFT JOIN crm.tickets t ON t.order_id = o.id
    WHERE o.status = 'returned'
    GROUP BY o.id
) q
WHERE q.order_id = p.order_id
  AND p.status = 'captured'
  AND p.refunded_at IS NULL
RETURNING p.id, p.order_id, p.amount, q.reason;

SELECT l.order_id,
       l.line_no,
       v.sku,
       l.unit_price AS charged,
       ph.price AS listed,
       l.unit_price - ph.price AS difference
FROM order_lines l
JOIN orders o ON o.id = l.order_id
JOIN variants v ON v.id = l.variant_id
LEFT JOIN price_history ph
       ON ph.variant_id = l.variant_id
      AND ph.currency = o.currency
      AND ph.valid @> o.placed_at::date
WHERE ph.price IS NULL
   OR abs(l.unit_price - ph.price) > 0.005
ORDER BY abs(l.unit_price - ph.price) DESC NULLS FIRST, l.order_id, l.line_no;

WITH daily AS (
    SELECT day, sum(revenue) AS revenue
    FROM analytics.daily_sales
    GROUP BY day
),
stats AS (
    SELECT daily.*,
           avg(revenue) OVER w AS mean,
           stddev_samp(revenue) OVER w AS dev
    FROM daily
    WINDOW w AS (ORDER BY day ROWS BETWEEN 28 PRECEDING AND 1 PRECEDING)
)
SELECT stats.day,
       calendar.label,
       stats.revenue,
       round(stats.mean, 2) AS expected,
       round((stats.revenue - stats.mean) / nullif(stats.dev, 0), 1) AS z
FROM stats
JOIN analytics.calendar ON calendar.day = stats.day
WHERE abs(stats.revenue - stats.mean) > 3 * stats.dev
ORDER BY z;

SELECT coalesce(o.currency, 'all') AS currency,
       coalesce(o.status::text, 'all') AS status,
       count(*) AS orders,
       sum(o.total) AS total,
       sum(o.total) / sum(sum(o.total)) OVER (PARTITION BY grouping(o.currency, o.status)) AS share
FROM orders o
GROUP BY GROUPING SETS ((o.currency, o.status), ROLLUP (o.currency))
HAVING sum(o.total) > 0
ORDER BY grouping(o.currency), o.currency, grouping(o.status), o.status;

CREATE VIEW analytics.cash_position (on_day, currency, moved, balance) AS
WITH flows AS (
    SELECT captured_at::date AS on_day, currency, amount FROM payments WHERE captured_at IS NOT NULL
    UNION ALL
    SELECT refunded_at::date, currency, -amount FROM payments WHERE refunded_at IS NOT NULL
),
per_day AS (
    SELECT flows.on_day, flows.currency, sum(flows.amount) AS moved
    FROM flows
    GROUP BY flows.on_day, flows.currency
)
SELECT per_day.on_day,
       per_day.currency,
       per_day.moved,
       sum(per_day.moved) OVER (PARTITION BY per_day.currency ORDER BY per_day.on_day)
FROM per_day;

-- what a price rise would have brought
SELECT p.sku,
       actual.units,
       actual.revenue,
       sim.factor,
       actual.revenue * sim.factor * (1 - sim.churn) AS simulated
FROM products p
JOIN (
    SELECT v.product_id, sum(l.quantity) AS units, sum(l.amount) AS revenue
    FROM order_lines l
    JOIN variants v ON v.id = l.variant_id
    GROUP BY v.product_id
) actual ON actual.product_id = p.id
CROSS JOIN (
    SELECT 1 + step / 100.0 AS factor, step * 0.004 AS churn
    FROM generate_series(0, 20, 5) AS step
) sim
WHERE actual.units >= 100
ORDER BY p.sku, sim.factor;
