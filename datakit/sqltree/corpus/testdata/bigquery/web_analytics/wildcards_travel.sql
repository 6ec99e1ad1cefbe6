SELECT _TABLE_SUFFIX AS suffix, COUNT(*) AS n FROM `analytics.events_*` GROUP BY suffix ORDER BY suffix;

SELECT e.event_name, e._TABLE_SUFFIX AS day FROM `acme-prod.analytics.events_2026*` AS e WHERE e._TABLE_SUFFIX > '0101' AND e.platform = 'WEB';

SELECT COUNT(*) FROM `acme-prod.analytics.events_*` WHERE _TABLE_SUFFIX NOT LIKE 'intraday%' AND event_name = 'first_visit';

SELECT * FROM shop.orders FOR SYSTEM_TIME AS OF TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 HOUR) WHERE order_id = 7;

SELECT r.refund_id, old_o.status AS status_before, r.amount
FROM shop.refunds AS r
JOIN shop.orders AS old_o FOR SYSTEM_TIME AS OF '2026-05-05 10:00:00+00' ON old_o.order_id = r.order_id
WHERE old_o.status != 'refunded';

SELECT hit_type, COUNT(*) * 10 AS approx FROM web.hits TABLESAMPLE SYSTEM (10 PERCENT) GROUP BY hit_type;

SELECT s.session_id FROM web.sessions AS s TABLESAMPLE SYSTEM (1 PERCENT) WHERE s.pageviews > 5;

SELECT _PARTITIONTIME AS pt, COUNT(*) AS c FROM `web.page_errors` WHERE _PARTITIONTIME >= '2026-01-01' GROUP BY pt;

SELECT table_id, row_count, size_bytes / POW(1024, 3) AS gib FROM `acme-prod.shop.__TABLES__`;

SELECT table_name, column_name, data_type FROM shop.INFORMATION_SCHEMA.COLUMNS WHERE is_nullable = 'NO' ORDER BY ordinal_position;

SELECT job_id, total_bytes_processed FROM `region-eu`.INFORMATION_SCHEMA.JOBS_BY_PROJECT WHERE creation_time > TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 DAY) AND state = 'DONE';

SELECT `order_id`, `o`.`total` FROM `shop`.`orders` AS `o` WHERE `o`.`status` = 'paid';

SELECT Order_ID, O.TOTAL FROM shop.orders AS o ORDER BY Total;

SELECT orders.order_id, refunds.amount FROM acme-prod.shop.orders LEFT JOIN acme-prod.shop.refunds ON refunds.order_id = orders.order_id;

SELECT sessions FROM web.sessions AS sessions LIMIT 1;

SELECT u FROM crm.users AS u WHERE u.country = 'PT';

SELECT t.day, t.sessions AS sessions_today FROM mart.daily_traffic t WHERE t.sessions > (SELECT AVG(x.sessions) FROM mart.daily_traffic x WHERE x.channel = t.channel) ORDER BY sessions_today DESC LIMIT 10 OFFSET 10;

SELECT channel AS day, day AS channel FROM mart.daily_traffic ORDER BY channel, day;

SELECT DISTINCT device_category, medium FROM mart.v_sessions WHERE country IN ('DE', 'AT') OR duration_sec NOT BETWEEN 0 AND 3;

(SELECT plan FROM crm.users UNION DISTINCT SELECT plan FROM crm.subscriptions) EXCEPT DISTINCT SELECT 'free';

SELECT plan FROM crm.users UNION DISTINCT SELECT plan FROM crm.subscriptions ORDER BY plan;

