-- A report: CTEs, windows, filters, a lateral join and a correlated subquery.
WITH monthly (month, region, revenue) AS (
    SELECT date_trunc('month', o.ordered_at), c."Region", sum(i.quantity * i.price) FILTER (WHERE NOT i.refunded)
    FROM sales.orders AS o
    JOIN sales.items i USING (order_id)
    LEFT JOIN crm.customers c ON c.id = o.customer_id AND c.active
    WHERE o.ordered_at BETWEEN $1 AND $2::date
    GROUP BY 1, ROLLUP (c."Region")
    HAVING count(DISTINCT o.id) > 3
), ranked AS MATERIALIZED (
    SELECT m.*, rank() OVER w AS rk, lag(m.revenue, 1, 0::numeric(12, 2)) OVER (w ROWS UNBOUNDED PRECEDING) AS before
    FROM monthly m
    WINDOW w AS (PARTITION BY m.region ORDER BY m.revenue DESC NULLS LAST)
)
SELECT DISTINCT ON (r.month) r.month, (r.revenue - r.before) / NULLIF(r.before, 0) AS growth,
       CASE WHEN r.rk <= 3 THEN 'top' ELSE g.label || '-' || r.rk::text END band,
       (SELECT max(x.at) FROM audit.log x WHERE x.region = r.region) AS "Last Seen"
FROM ranked r
CROSS JOIN LATERAL (SELECT label FROM geo.regions q WHERE q.code = r.region FETCH FIRST ROW ONLY) AS g
WHERE EXISTS (TABLE enabled) AND r.region <> ALL (ARRAY['x', 'y'])
ORDER BY r.month, growth DESC
LIMIT 100 OFFSET 5
FOR UPDATE OF r SKIP LOCKED;
