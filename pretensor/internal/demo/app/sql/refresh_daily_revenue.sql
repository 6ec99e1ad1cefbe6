-- Fills daily_revenue anew. Runs every night, after the last payments of the day.
DELETE FROM daily_revenue;

INSERT INTO daily_revenue (day, region, total_orders, total_revenue, total_refunds)
SELECT
  date(p.paid_at),
  a.region,
  count(DISTINCT p.order_id),
  round(sum(p.amount), 2),
  round(sum(coalesce(r.amount, 0)), 2)
FROM payments AS p
JOIN orders AS o ON o.id = p.order_id
JOIN addresses AS a ON a.id = o.shipping_address_id
LEFT JOIN (
  SELECT payment_id, sum(amount) AS amount
  FROM refunds
  GROUP BY payment_id
) AS r ON r.payment_id = p.id
WHERE p.status IN ('settled', 'refunded')
GROUP BY date(p.paid_at), a.region
ORDER BY date(p.paid_at), a.region;
