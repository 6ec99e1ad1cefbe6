SELECT s.session_id, u.email, o.order_id
FROM web.sessions AS s
LEFT JOIN crm.users AS u ON u.user_id = s.user_id
LEFT JOIN shop.orders AS o ON o.session_id = s.session_id AND o.status != 'cancelled'
WHERE DATE(s.started_at) = '2026-04-01';

SELECT user_id, email, plan FROM crm.users JOIN (SELECT DISTINCT user_id FROM shop.orders) USING (user_id);

SELECT a.account_name, parent.account_name AS parent_name, owner.full_name AS owner
FROM crm.accounts a
LEFT JOIN crm.accounts parent ON parent.account_id = a.parent_account_id
INNER JOIN crm.users owner ON owner.user_id = a.owner_user_id;

SELECT COALESCE(t.day, c.cost_date) AS day, t.revenue, c.cost
FROM (SELECT day, SUM(revenue) AS revenue FROM mart.daily_traffic GROUP BY day) AS t
FULL OUTER JOIN (SELECT cost_date, SUM(cost) AS cost FROM ads.daily_costs GROUP BY cost_date) AS c
  ON c.cost_date = t.day
ORDER BY 1;

SELECT c.campaign_name, k.keyword
FROM ads.campaigns AS c, ads.keywords AS k
WHERE c.campaign_id = k.campaign_id AND 'brand' IN UNNEST(c.labels);

SELECT u.user_id
FROM crm.users AS u
WHERE NOT EXISTS (
  SELECT 1 FROM web.sessions AS s
  WHERE s.user_id = u.user_id AND s.started_at > TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 90 DAY)
);

SELECT p.sku, p.title, rel.title AS related_title
FROM shop.products AS p
CROSS JOIN UNNEST(p.related) AS related_sku
JOIN shop.products AS rel ON rel.sku = related_sku;

SELECT m.channel, x.keyword, x.n
FROM ads.campaigns AS m
JOIN (
  SELECT campaign_id, keyword, COUNT(*) AS n
  FROM ads.keywords
  WHERE match_type <> 'broad'
  GROUP BY campaign_id, keyword
) AS x ON x.campaign_id = m.campaign_id
WHERE m.end_date IS NULL OR m.end_date > CURRENT_DATE();

SELECT pg.title, COUNT(h.hit_id) AS views
FROM mart.pages AS pg RIGHT OUTER JOIN web.hits AS h ON h.page.path = pg.page_path
GROUP BY pg.title;

SELECT o.order_id, (SELECT SUM(r.amount) FROM shop.refunds AS r WHERE r.order_id = o.order_id) AS refunded, (SELECT COUNT(*) FROM UNNEST(o.lines)) AS line_count
FROM shop.orders AS o
WHERE o.total > (SELECT AVG(total) FROM shop.orders);

SELECT sku FROM shop.products WHERE sku NOT IN (SELECT l.sku FROM shop.orders, UNNEST(lines) AS l WHERE l.sku IS NOT NULL);

SELECT a.user_id, a.order_id AS first_order, b.order_id AS second_order, TIMESTAMP_DIFF(b.ordered_at, a.ordered_at, DAY) AS days
FROM shop.orders a INNER JOIN shop.orders b ON a.user_id = b.user_id AND b.ordered_at > a.ordered_at
QUALIFY ROW_NUMBER() OVER (PARTITION BY a.user_id ORDER BY a.ordered_at, b.ordered_at) = 1;

SELECT s.store_name, h.weekday, h.opens
FROM mart.store_locations AS s
LEFT JOIN s.opening_hours AS h
WHERE h.weekday = 7 OR h.weekday IS NULL;

SELECT st.store_name, ST_DISTANCE(st.position, ST_GEOGPOINT(@lon, @lat)) AS meters
FROM mart.store_locations st
WHERE ST_DWITHIN(st.position, ST_GEOGPOINT(@lon, @lat), 5000)
ORDER BY meters;

SELECT sessions.session_id, users.full_name
FROM web.sessions
JOIN crm.users ON users.user_id = sessions.user_id
WHERE users.consent.analytics AND sessions.geo.country = users.country;

SELECT d.campaign_id, d.cost, fx.rate
FROM ads.daily_costs AS d
JOIN UNNEST([STRUCT('USD' AS code, NUMERIC '0.92' AS rate), ('GBP', NUMERIC '1.17')]) AS fx ON fx.code = d.currency;

SELECT e.experiment_id, v, idx
FROM mart.experiments AS e
JOIN UNNEST(e.variants) AS v WITH OFFSET AS idx
WHERE idx > 0 AND e.ended_on IS NULL;

SELECT u.full_name, adr.city
FROM crm.users AS u INNER JOIN UNNEST(u.addresses) AS adr ON adr.kind = 'billing'
WHERE STARTS_WITH(adr.postcode, '10');

