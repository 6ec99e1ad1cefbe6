-- A report: CTEs, windows, JSON_TABLE and a correlated subquery.
WITH monthly (month, region, revenue) AS (
    SELECT DATE_FORMAT(o.ordered_at, '%Y-%m'), c.`Region`, SUM(i.quantity * i.price)
    FROM sales.orders AS o USE INDEX (by_date)
    JOIN sales.items i USING (order_id)
    LEFT JOIN crm.customers c ON c.id = o.customer_id AND c.active
    WHERE o.ordered_at BETWEEN ? AND ? + INTERVAL 1 MONTH
    GROUP BY 1, c.`Region` WITH ROLLUP
    HAVING COUNT(DISTINCT o.id) > 3
), ranked AS (
    SELECT m.*, RANK() OVER w AS rk, LAG(m.revenue, 1, 0) OVER (w ROWS UNBOUNDED PRECEDING) AS `before`
    FROM monthly m
    WINDOW w AS (PARTITION BY m.region ORDER BY m.revenue DESC)
)
SELECT r.month, (r.revenue - r.`before`) / NULLIF(r.`before`, 0) AS growth,
       CASE WHEN r.rk <= 3 THEN 'top' ELSE CONCAT(g.label, '-', r.rk) END band,
       (SELECT MAX(x.at) FROM audit.log x WHERE x.region = r.region) AS 'last seen', t.tag, @n := @n + 1
FROM ranked r
CROSS JOIN LATERAL (SELECT label, tags FROM geo.regions q WHERE q.code = r.region LIMIT 1) AS g
JOIN JSON_TABLE(g.tags, '$[*]' COLUMNS (n FOR ORDINALITY, tag VARCHAR(20) PATH '$')) AS t
WHERE EXISTS (TABLE enabled) AND r.region <> ALL (SELECT region FROM hidden) OR NOT r.month RLIKE '^20' XOR r.rk & 1 = 0
ORDER BY r.month, growth DESC
LIMIT 5, 100
FOR SHARE OF r SKIP LOCKED;
