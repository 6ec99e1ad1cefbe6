INSERT INTO crm.users (user_id, email, full_name, addresses, consent)
VALUES (1, 'a@example.com', 'Ana', [STRUCT('home', 'Porto', '4000')], STRUCT(TRUE, FALSE)), (2, 'b@example.com', 'Ben', [], NULL);

INSERT ads.daily_costs (cost_date, campaign_id, cost) VALUES (CURRENT_DATE(), 3, 12.5), (DATE '2026-01-01', 4, DEFAULT);

INSERT INTO mart.daily_traffic (day, channel, sessions, users, conversions, revenue)
SELECT
  s.session_date,
  s.medium,
  COUNT(*),
  COUNT(DISTINCT s.user_pseudo_id),
  COUNT(o.order_id),
  SUM(o.total)
FROM mart.v_sessions AS s
LEFT JOIN shop.orders AS o ON o.session_id = s.session_id
WHERE s.session_date = DATE_SUB(CURRENT_DATE(), INTERVAL 1 DAY)
GROUP BY 1, 2;

INSERT INTO shop.refunds (refund_id, order_id, amount)
WITH lost AS (SELECT order_id, total FROM shop.orders WHERE status = 'lost')
SELECT ROW_NUMBER() OVER (ORDER BY order_id), order_id, total FROM lost;

UPDATE shop.orders SET status = 'expired' WHERE status = 'pending' AND ordered_at < TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 2 DAY);

UPDATE shop.products AS p
SET price = p.price * 0.9, updated_at = CURRENT_DATETIME()
WHERE p.category = 'winter' AND p.sku IN (SELECT l.sku FROM shop.orders AS o, UNNEST(o.lines) AS l GROUP BY l.sku HAVING SUM(l.quantity) < 5);

UPDATE crm.users u
SET u.plan = s.plan
FROM crm.subscriptions s
WHERE s.user_id = u.user_id AND s.cancelled_on IS NULL;

UPDATE web.sessions SET device.category = 'mobile', geo.country = NULL WHERE device.os = 'iOS';

UPDATE ads.campaigns SET labels = ARRAY(SELECT l FROM UNNEST(labels) AS l WHERE l != 'draft') WHERE 'draft' IN UNNEST(labels);

UPDATE shop.orders o SET lines = ARRAY(SELECT AS STRUCT l.* REPLACE (l.unit_price * 2 AS unit_price) FROM UNNEST(o.lines) AS l) WHERE o.order_id = @id;

DELETE FROM web.hits WHERE DATE(hit_at) < DATE_SUB(CURRENT_DATE(), INTERVAL 400 DAY);

DELETE shop.refunds r WHERE NOT EXISTS (SELECT * FROM shop.orders o WHERE o.order_id = r.order_id);

DELETE FROM mart.daily_traffic WHERE TRUE;

MERGE mart.daily_traffic AS t
USING (
  SELECT cost_date, c.channel, SUM(d.clicks) AS clicks
  FROM ads.daily_costs AS d JOIN ads.campaigns AS c USING (campaign_id)
  GROUP BY cost_date, c.channel
) AS s
ON t.day = s.cost_date AND t.channel = s.channel
WHEN MATCHED AND s.clicks > t.sessions THEN UPDATE SET sessions = s.clicks
WHEN MATCHED THEN UPDATE SET users = t.users + 1, revenue = DEFAULT
WHEN NOT MATCHED BY TARGET THEN INSERT (day, channel, sessions) VALUES (s.cost_date, s.channel, s.clicks)
WHEN NOT MATCHED BY SOURCE AND t.day < '2020-01-01' THEN DELETE;

MERGE INTO ads.keywords k
USING (SELECT * FROM UNNEST([STRUCT(1 AS keyword_id, 'shoes' AS keyword), (2, 'boots')])) n
ON k.keyword_id = n.keyword_id
WHEN MATCHED THEN UPDATE SET k.keyword = n.keyword
WHEN NOT MATCHED THEN INSERT (keyword_id, keyword) VALUES (n.keyword_id, n.keyword);

MERGE `acme-prod.shop.refunds` T USING `acme-prod.shop.refunds` S ON FALSE WHEN NOT MATCHED AND S.amount < 0 THEN INSERT ROW WHEN NOT MATCHED BY SOURCE AND T.amount < 0 THEN DELETE;

MERGE crm.accounts USING crm.users ON accounts.owner_user_id = users.user_id
WHEN MATCHED AND users.plan = 'enterprise' THEN UPDATE SET industry = 'enterprise', account_name = CONCAT(users.full_name, ' Ltd');

TRUNCATE TABLE ads.keywords;

