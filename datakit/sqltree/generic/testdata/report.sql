WITH monthly AS (
  SELECT c.id AS customer_id, c.name, c.country, date_trunc('month', o.placed_at) AS month,
         sum(i.quantity * i.unit_price * (1 - i.discount)) AS revenue,
         count(DISTINCT o.id) FILTER (WHERE o.status <> 'cancelled') AS orders
  FROM customers AS c
  JOIN orders AS o ON o.customer_id = c.id AND o.placed_at >= DATE '2023-01-01'
  LEFT JOIN order_items AS i ON i.order_id = o.id
  LEFT JOIN products AS p ON p.id = i.product_id
  WHERE c.deleted_at IS NULL
    AND p.category IN ('books', 'music', 'games')
    AND NOT EXISTS (SELECT 1 FROM refunds r WHERE r.order_id = o.id AND r.amount > 0)
    AND (o.channel LIKE 'web%' OR o.channel = 'store')
  GROUP BY c.id, c.name, c.country, date_trunc('month', o.placed_at)
  HAVING sum(i.quantity) > 3
), ranked AS (
  SELECT m.*, row_number() OVER (PARTITION BY m.country, m.month ORDER BY m.revenue DESC) AS place,
         lag(m.revenue) OVER (PARTITION BY m.customer_id ORDER BY m.month) AS before,
         avg(m.revenue) OVER (PARTITION BY m.customer_id ORDER BY m.month ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS moving
  FROM monthly AS m
)
SELECT r.country, r.month, r.name, r.revenue, r.orders, r.place,
       CASE WHEN r.before IS NULL THEN 'new' WHEN r.revenue > r.before * 1.1 THEN 'up'
            WHEN r.revenue < r.before * 0.9 THEN 'down' ELSE 'level' END AS trend,
       coalesce(r.moving, 0)::DECIMAL(12, 2) AS moving,
       (SELECT max(x.revenue) FROM monthly x WHERE x.customer_id = r.customer_id) AS best,
       upper(substring(r.name, 1, 1)) || lower(substring(r.name, 2)) AS shown
FROM ranked AS r
WHERE r.place <= 10 AND r.month BETWEEN DATE '2023-01-01' AND DATE '2023-12-31'
UNION ALL
SELECT 'all', m.month, NULL, sum(m.revenue), sum(m.orders), NULL, NULL, avg(m.revenue), max(m.revenue), 'total'
FROM monthly AS m
GROUP BY m.month
ORDER BY 1, 2 DESC, 6 NULLS LAST
LIMIT 500 OFFSET 20
