-- Products that lie in a warehouse and that nobody ordered in the last 90 days.
SELECT p.sku, p.name, s.name AS supplier, sum(l.on_hand) AS pieces
FROM products AS p
JOIN suppliers AS s ON s.id = p.supplier_id
JOIN stock_levels AS l ON l.product_id = p.id
WHERE NOT EXISTS (
  SELECT 1
  FROM order_items AS i
  JOIN orders AS o ON o.id = i.order_id
  WHERE i.product_id = p.id
    AND o.placed_at >= date('now', '-90 days')
)
GROUP BY p.sku, p.name, s.name
HAVING sum(l.on_hand) > 0
ORDER BY pieces DESC;
