-- revenue per month and channel, side by side
SELECT DATE_FORMAT(o.placed_at, '%Y-%m') AS month,
       SUM(CASE WHEN o.channel = 'web' THEN o.total ELSE 0 END) AS web,
       SUM(CASE WHEN o.channel = 'app' THEN o.total ELSE 0 END) AS app,
       SUM(IF(o.channel NOT IN ('web', 'app'), o.total, 0)) AS other,
       SUM(o.total) AS total
FROM orders o
WHERE o.status NOT IN ('cart', 'cancelled')
GROUP BY month
ORDER BY month;

SELECT c.country_code, COUNT(DISTINCT c.id) AS customers, COUNT(o.id) AS orders, ROUND(SUM(o.total) / COUNT(DISTINCT c.id), 2) AS per_head
FROM customers c LEFT JOIN orders o ON o.customer_id = c.id AND YEAR(o.placed_at) = 2024
GROUP BY c.country_code
HAVING customers >= 10
ORDER BY per_head DESC;

SELECT IFNULL(b.name, '(all)') AS brand, IFNULL(p.status, '(all)') AS state, COUNT(*) AS n
FROM products p JOIN brands b ON b.id = p.brand_id
GROUP BY b.name, p.status WITH ROLLUP;

SELECT carrier,
       COUNT(*) AS parcels,
       AVG(TIMESTAMPDIFF(HOUR, shipped_at, delivered_at)) AS avg_hours,
       SUM(delivered_at IS NULL AND shipped_at < NOW() - INTERVAL 10 DAY) AS lost
FROM shipments
WHERE shipped_at BETWEEN '2024-01-01' AND '2024-03-31 23:59:59'
GROUP BY carrier
ORDER BY avg_hours;

SELECT p.method, p.state, COUNT(*) cnt, SUM(p.amount) amt, MIN(p.created_at) AS first_at, MAX(p.created_at) AS last_at
FROM payments p
GROUP BY p.method, p.state
ORDER BY p.method, FIELD(p.state, 'captured', 'authorised', 'pending', 'failed', 'refunded');

select week(o.placed_at, 1) wk, dayname(o.placed_at) as day, count(*) as orders
from orders as o
where o.placed_at >= date_sub(curdate(), interval 12 week)
group by wk, day
having orders > (select avg(cnt) from (select count(*) as cnt from orders group by date(placed_at)) as per_day)
order by wk, min(weekday(o.placed_at));

SELECT s.name AS supplier,
       COUNT(DISTINCT p.id) AS products,
       SUM(st.on_hand * p.cost) AS stock_value,
       SUM(CASE WHEN st.on_hand < st.reorder_level THEN 1 ELSE 0 END) AS to_reorder
FROM suppliers s
LEFT JOIN products p ON p.supplier_id = s.id
LEFT JOIN product_variants v ON v.product_id = p.id
LEFT JOIN stock st ON st.variant_id = v.id
GROUP BY s.id
ORDER BY stock_value DESC;

SELECT r.reason, r.`condition`, COUNT(*) AS returns, SUM(r.refund) AS refunded, AVG(DATEDIFF(r.received_at, o.placed_at)) AS days
FROM `returns` r
JOIN orders o ON o.id = r.order_id
GROUP BY r.reason, r.`condition`
ORDER BY `returns` DESC;

SELECT cp.code, cp.kind, COUNT(o.id) AS uses, SUM(o.total) AS turnover, SUM(o.total) / NULLIF(COUNT(o.id), 0) AS basket
FROM coupons cp
LEFT JOIN orders o ON o.coupon_code = cp.code
WHERE cp.valid_from <= CURDATE()
GROUP BY cp.code, cp.kind
HAVING COUNT(o.id) <> MAX(cp.used) OR uses = 0;

SELECT CONCAT(FLOOR(TIMESTAMPDIFF(YEAR, birth_date, CURDATE()) / 10) * 10, 's') AS age_group, COUNT(*) AS n
FROM customers
WHERE birth_date IS NOT NULL
GROUP BY age_group
ORDER BY age_group;

SELECT
	p.id
	, p.name
	, COUNT(r.id)			AS reviews
	, AVG(r.rating)			AS stars
	, SUM(r.rating = 1)		AS ones
	, MAX(r.created_at)		AS newest
FROM products p
	INNER JOIN reviews r
		ON r.product_id = p.id
		AND r.approved
GROUP BY
	p.id
	, p.name
HAVING
	stars < 3
	AND reviews >= 10
ORDER BY
	stars
	, reviews DESC;

SELECT t.placed_on, t.revenue, t.revenue - IFNULL(y.revenue, 0) AS vs_last_year
FROM (SELECT placed_on, SUM(total) AS revenue FROM orders GROUP BY placed_on) t
LEFT JOIN (SELECT placed_on + INTERVAL 1 YEAR AS placed_on, SUM(total) AS revenue FROM orders GROUP BY orders.placed_on) y
       ON y.placed_on = t.placed_on
WHERE t.placed_on >= MAKEDATE(YEAR(CURDATE()), 1)
ORDER BY t.placed_on;

SELECT COUNT(*) AS customers, SUM(n = 1) AS once, SUM(n BETWEEN 2 AND 4) AS some, SUM(n > 4) AS many
FROM (SELECT customer_id, COUNT(*) AS n FROM orders WHERE status = 'delivered' GROUP BY customer_id) AS per_customer;

WITH rfm AS (
  SELECT c.id,
         DATEDIFF(CURDATE(), MAX(o.placed_at)) AS recency,
         COUNT(o.id) AS frequency,
         SUM(o.total) AS monetary
  FROM customers c JOIN orders o ON o.customer_id = c.id
  GROUP BY c.id
),
scored AS (
  SELECT id,
         NTILE(5) OVER (ORDER BY recency DESC) AS r,
         NTILE(5) OVER (ORDER BY frequency) AS f,
         NTILE(5) OVER (ORDER BY monetary) AS m
  FROM rfm
)
SELECT CONCAT(r, f, m) AS cell, COUNT(*) AS n
FROM scored
GROUP BY r, f, m
ORDER BY r + f + m DESC;

WITH RECURSIVE months AS (
  SELECT DATE('2024-01-01') AS m UNION ALL SELECT m + INTERVAL 1 MONTH FROM months WHERE m < '2024-12-01'
)
SELECT months.m, k.code, COALESCE(SUM(o.total), 0) AS revenue, COALESCE(SUM(o.total), 0) * k.vat_rate / (100 + k.vat_rate) AS vat
FROM months
CROSS JOIN countries k
LEFT JOIN (orders o INNER JOIN addresses a ON a.id = o.billing_address_id) ON a.country_code = k.code AND o.placed_on >= months.m AND o.placed_on < months.m + INTERVAL 1 MONTH
WHERE k.in_eu = 1
GROUP BY months.m, k.code, k.vat_rate;

SELECT cat.path, SUM(i.quantity) AS units, SUM(i.line_total) AS net, SUM(i.line_total * (1 + i.tax_rate / 100)) AS gross, SUM(i.line_total - i.quantity * p.cost) AS profit
FROM category_paths AS cat
JOIN products AS p ON p.category_id = cat.id
JOIN product_variants AS v ON v.product_id = p.id
JOIN order_items AS i ON i.variant_id = v.id
JOIN orders AS o ON o.id = i.order_id AND o.status IN ('shipped', 'delivered')
GROUP BY cat.id, cat.path
ORDER BY cat.path;

SELECT ROUND(AVG(x.total), 2) AS median
FROM (
  SELECT total, ROW_NUMBER() OVER (ORDER BY total) AS rn, COUNT(*) OVER () AS cnt FROM orders
) x
WHERE x.rn IN (FLOOR((x.cnt + 1) / 2), CEIL((x.cnt + 1) / 2));

SELECT hour_of_day, SUM(views) views FROM (SELECT HOUR(viewed_at) hour_of_day, COUNT(*) views FROM page_views GROUP BY viewed_at) h GROUP BY hour_of_day ORDER BY views DESC;

SELECT url, COUNT(*) AS hits, COUNT(DISTINCT visitor) AS people, AVG(duration_ms) / 1000 AS seconds
FROM page_views PARTITION (p2024)
WHERE referrer IS NOT NULL AND referrer NOT LIKE CONCAT('https://', ?, '%')
GROUP BY url
ORDER BY hits DESC
LIMIT ? OFFSET ?;

SELECT v.visitor, GROUP_CONCAT(v.url ORDER BY v.viewed_at SEPARATOR ' > ') AS journey, COUNT(*) steps
FROM page_views v
WHERE v.viewed_at > NOW() - INTERVAL 1 HOUR
GROUP BY v.visitor
HAVING steps > 1 AND journey LIKE '%/cart%';

SELECT DATE(m.moved_at) AS day, w.code,
       SUM(CASE m.reason WHEN 'receipt' THEN m.quantity END) AS received,
       -SUM(CASE WHEN m.reason = 'sale' THEN m.quantity END) AS sold,
       SUM(m.quantity) AS net
FROM stock_moves m
JOIN warehouses w ON w.id = m.warehouse_id
GROUP BY DATE(m.moved_at), w.code WITH ROLLUP
HAVING net IS NOT NULL;

SELECT cv.customer_id, cv.email, cv.lifetime_value,
       CASE
         WHEN cv.lifetime_value >= 10000 THEN 'platinum'
         WHEN cv.lifetime_value >= 1000 THEN 'gold'
         ELSE 'standard'
       END AS tier,
       TIMESTAMPDIFF(MONTH, cv.last_order_on, CURDATE()) AS months_quiet
FROM customer_value cv
ORDER BY tier, lifetime_value DESC;

SELECT COUNT(*) AS open_orders, SUM(ot.goods) AS open_goods, SUM(ot.tax) AS open_tax, MAX(ot.line_count) AS longest FROM order_totals AS ot WHERE ot.status IN ('placed', 'paid', 'packed');

SELECT a.brand, a.category, a.name, a.margin / a.price AS margin_rate
FROM active_products a
WHERE a.margin / a.price < (SELECT AVG(x.margin / x.price) FROM active_products x WHERE x.category = a.category)
ORDER BY margin_rate
LIMIT 25;

SELECT YEAR(c.created_at) AS joined, QUARTER(c.created_at) AS q, c.status, COUNT(*) AS n
FROM customers c
GROUP BY joined, q, c.status
ORDER BY joined DESC, q DESC, n;

SELECT 100.0 * SUM(EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id)) / COUNT(*) AS conversion FROM customers c WHERE c.created_at >= CURDATE() - INTERVAL 30 DAY;

SELECT inviter.email, COUNT(invited.id) AS invited, SUM(v.lifetime_value) AS value_brought
FROM customers AS inviter
JOIN customers AS invited ON invited.referred_by = inviter.id
JOIN customer_value AS v ON v.customer_id = invited.id
GROUP BY inviter.id, inviter.email
ORDER BY value_brought DESC, invited DESC;

/* which variants run out first, at the speed of the last four weeks */
SELECT ss.variant_id, ss.available, s.per_day, ss.available / s.per_day AS days_left
FROM stock_summary ss
JOIN (
    SELECT variant_id, -SUM(quantity) / 28 AS per_day
    FROM stock_moves
    WHERE reason = 'sale' AND moved_at >= NOW() - INTERVAL 4 WEEK
    GROUP BY variant_id
    HAVING per_day > 0
) s USING (variant_id)
WHERE ss.available / s.per_day < 14
ORDER BY days_left;

SELECT o.currency, SUM(o.total) AS amount, SUM(o.total * CASE o.currency WHEN 'USD' THEN 0.92 WHEN 'GBP' THEN 1.17 ELSE 1 END) AS eur FROM orders o GROUP BY o.currency WITH ROLLUP;

SELECT DISTINCT p.id, p.name, MIN(i.unit_price) OVER (PARTITION BY p.id) AS lowest, MAX(i.unit_price) OVER (PARTITION BY p.id) AS highest
FROM order_items i, product_variants v, products p
WHERE v.id = i.variant_id AND p.id = v.product_id AND i.unit_price <> p.price;

SELECT SUBSTRING_INDEX(email, '@', -1) AS domain, COUNT(*) AS n, MAX(created_at) FROM customers GROUP BY domain HAVING n > 50 AND domain NOT IN ('gmail.com', 'gmx.de') ORDER BY 2 DESC;

SELECT LEFT(a.postcode, 2) AS zone, a.country_code, COUNT(*) AS parcels, SUM(sh.weight_g) DIV 1000 AS kg
FROM shipments sh
INNER JOIN orders o ON sh.order_id = o.id
INNER JOIN addresses a ON o.shipping_address_id = a.id
GROUP BY zone, a.country_code
ORDER BY kg DESC;

SELECT COALESCE(o.channel, 'Total') AS channel, COUNT(*) orders FROM orders o WHERE o.placed_on = CURRENT_DATE - INTERVAL 1 DAY GROUP BY o.channel WITH ROLLUP LIMIT 10;

SELECT a.product_id, a.avg_rating, b.avg_rating AS before_that
FROM (SELECT product_id, AVG(rating) AS avg_rating FROM reviews WHERE created_at >= '2024-07-01' GROUP BY product_id) a
JOIN (SELECT product_id, AVG(rating) AS avg_rating FROM reviews WHERE created_at < '2024-07-01' GROUP BY product_id) b USING (product_id)
WHERE a.avg_rating + 1 < b.avg_rating;

SELECT id, number, total FROM orders WHERE total > 1000 INTO OUTFILE '/tmp/big_orders.csv' FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '"' LINES TERMINATED BY '\n';

SELECT email, first_name INTO OUTFILE '/tmp/newsletter.txt' CHARACTER SET utf8mb4 FIELDS TERMINATED BY '\t' FROM customers WHERE FIND_IN_SET('newsletter', segments);

SELECT body INTO DUMPFILE '/tmp/review.txt' FROM reviews WHERE id = 1;

SELECT COUNT(*), SUM(total) INTO @cnt, @sum FROM orders WHERE placed_on = CURDATE();

SELECT @cnt AS orders_today, @sum AS revenue_today, @sum / NULLIF(@cnt, 0) AS basket;

SELECT b.name, GROUP_CONCAT(p.name ORDER BY p.price DESC SEPARATOR '\n') AS catalogue
FROM brands b JOIN products p ON b.id = p.brand_id
WHERE b.founded < 2000
GROUP BY b.name
HAVING COUNT(p.id) BETWEEN 2 AND 20
   AND MIN(p.price) > 10;

SELECT status, total, COUNT(*) OVER (PARTITION BY status) AS in_status
FROM orders
WHERE id IN (SELECT order_id FROM payments GROUP BY order_id HAVING SUM(IF(state = 'captured', amount, 0)) < SUM(amount))
ORDER BY in_status, total;

