-- all_paid
SELECT SUM(`payments`.`amount`) AS `all_paid`
FROM `shop`.`payments` AS `payments`
WHERE (status = 'settled')
--   source shop.payments (amount, status)

-- big_paid
SELECT SUM(`payments`.`amount`) AS `big_paid`
FROM `shop`.`payments` AS `payments`
WHERE (status = 'settled') AND (`payments`.`amount` > 10 or `payments`.`amount` < 1)
--   source shop.payments (amount, status)

-- total_paid
SELECT SUM(`payments`.`amount`) AS `total_paid`
FROM `shop`.`payments` AS `payments`
LEFT JOIN `shop`.`orders` AS `orders` ON `payments`.`order_id` = `orders`.`id`
WHERE (`payments`.`status` = 'settled') AND (`orders`.`channel` <> 'test')
--   filter shop.orders (channel, id)
--   source shop.payments (amount, order_id, status)

-- paid_by_region
SELECT `regions`.`name` AS `region`, SUM(`payments`.`amount`) AS `paid_by_region`
FROM `shop`.`payments` AS `payments`
LEFT JOIN `shop`.`orders` AS `orders` ON `payments`.`order_id` = `orders`.`id`
LEFT JOIN `shop`.`customers` AS `customers` ON `orders`.`customer_id` = `customers`.`id`
LEFT JOIN `shop`.`regions` AS `regions` ON `customers`.`region_id` = `regions`.`id`
WHERE (`payments`.`status` = 'settled')
GROUP BY 1
--   join shop.customers (id, region_id)
--   join shop.orders (customer_id, id)
--   source shop.payments (amount, order_id, status)
--   join shop.regions (id, name)

-- paid_by_day
SELECT DATE_FORMAT(`payments`.`paid_at`, '%Y-%m-%d') AS `paid_at`, SUM(`payments`.`amount`) AS `paid_by_day`
FROM `shop`.`payments` AS `payments`
WHERE (status = 'settled')
GROUP BY 1
ORDER BY 1
--   source shop.payments (amount, paid_at, status)

-- paid_by_week
SELECT DATE_FORMAT(DATE_SUB(`payments`.`paid_at`, INTERVAL WEEKDAY(`payments`.`paid_at`) DAY), '%Y-%m-%d') AS `paid_at`, SUM(`payments`.`amount`) AS `paid_by_week`
FROM `shop`.`payments` AS `payments`
WHERE (status = 'settled')
GROUP BY 1
ORDER BY 1
--   source shop.payments (amount, paid_at, status)

-- paid_by_month
SELECT DATE_FORMAT(`payments`.`paid_at`, '%Y-%m-01') AS `paid_at`, SUM(`payments`.`amount`) AS `paid_by_month`
FROM `shop`.`payments` AS `payments`
WHERE (status = 'settled')
GROUP BY 1
ORDER BY 1
--   source shop.payments (amount, paid_at, status)

-- paid_by_quarter
SELECT CONCAT(DATE_FORMAT(`payments`.`paid_at`, '%Y-'), LPAD(3 * QUARTER(`payments`.`paid_at`) - 2, 2, '0'), '-01') AS `paid_at`, SUM(`payments`.`amount`) AS `paid_by_quarter`
FROM `shop`.`payments` AS `payments`
WHERE (status = 'settled')
GROUP BY 1
ORDER BY 1
--   source shop.payments (amount, paid_at, status)

-- paid_by_year
SELECT DATE_FORMAT(`payments`.`paid_at`, '%Y-01-01') AS `paid_at`, SUM(`payments`.`amount`) AS `paid_by_year`
FROM `shop`.`payments` AS `payments`
WHERE (status = 'settled')
GROUP BY 1
ORDER BY 1
--   source shop.payments (amount, paid_at, status)

-- settled_n
SELECT COUNT(`payments`.`id`) AS `settled_n`
FROM `shop`.`payments` AS `payments`
WHERE (status = 'settled')
--   source shop.payments (id, status)

-- failed_n
SELECT COUNT(*) AS `failed_n`
FROM `shop`.`payments` AS `payments`
WHERE (status = 'failed')
--   source shop.payments (status)

-- payments_n
SELECT COUNT(*) AS `payments_n`
FROM `shop`.`payments` AS `payments`
--   source shop.payments ()

-- payers
SELECT COUNT(DISTINCT `orders`.`customer_id`) AS `payers`
FROM `shop`.`payments` AS `payments`
LEFT JOIN `shop`.`orders` AS `orders` ON `payments`.`order_id` = `orders`.`id`
WHERE (`payments`.`status` = 'settled')
--   expression shop.orders (customer_id, id)
--   source shop.payments (order_id, status)

-- ticket
SELECT AVG(`payments`.`amount`) AS `ticket`
FROM `shop`.`payments` AS `payments`
WHERE (status = 'settled')
--   source shop.payments (amount, status)

-- least
SELECT MIN(`payments`.`amount`) AS `least`
FROM `shop`.`payments` AS `payments`
--   source shop.payments (amount)

-- most
SELECT MAX(`payments`.`amount`) AS `most`
FROM `shop`.`payments` AS `payments`
--   source shop.payments (amount)

-- web_paid
SELECT SUM(`payments`.`amount`) AS `web_paid`
FROM `shop`.`payments` AS `payments`
WHERE (order_id IN (SELECT o.id FROM orders o WHERE o.channel = 'web'))
--   filter shop.orders (channel, id)
--   source shop.payments (amount, order_id)

-- avg_ticket
SELECT (
  SELECT SUM(`payments`.`amount`) AS `total_paid`
  FROM `shop`.`payments` AS `payments`
  LEFT JOIN `shop`.`orders` AS `orders` ON `payments`.`order_id` = `orders`.`id`
  WHERE (`payments`.`status` = 'settled') AND (`orders`.`channel` <> 'test')
) / NULLIF((
  SELECT COUNT(`payments`.`id`) AS `settled_n`
  FROM `shop`.`payments` AS `payments`
  WHERE (status = 'settled')
), 0) AS `avg_ticket`
--   filter shop.orders (channel, id)
--   source shop.payments (amount, id, order_id, status)

-- settled_share
SELECT (
  SELECT COUNT(`payments`.`id`) AS `settled_n`
  FROM `shop`.`payments` AS `payments`
  WHERE (status = 'settled')
) / NULLIF((
  SELECT COUNT(*) AS `payments_n`
  FROM `shop`.`payments` AS `payments`
), 0) AS `settled_share`
--   source shop.payments (id, status)

-- none_share
SELECT (
  SELECT COUNT(`payments`.`id`) AS `settled_n`
  FROM `shop`.`payments` AS `payments`
  WHERE (status = 'settled') AND (amount > 1000)
) / NULLIF((
  SELECT COUNT(*) AS `payments_n`
  FROM `shop`.`payments` AS `payments`
  WHERE (amount > 1000)
), 0) AS `none_share`
--   source shop.payments (amount, id, status)

-- failed_share
SELECT `den`.`region` AS `region`, COALESCE(`num`.`failed_n`, 0) / NULLIF(`den`.`payments_n`, 0) AS `failed_share`
FROM (
  SELECT `regions`.`name` AS `region`, COUNT(*) AS `payments_n`
  FROM `shop`.`payments` AS `payments`
  LEFT JOIN `shop`.`orders` AS `orders` ON `payments`.`order_id` = `orders`.`id`
  LEFT JOIN `shop`.`customers` AS `customers` ON `orders`.`customer_id` = `customers`.`id`
  LEFT JOIN `shop`.`regions` AS `regions` ON `customers`.`region_id` = `regions`.`id`
  GROUP BY 1
) AS `den`
LEFT JOIN (
  SELECT `regions`.`name` AS `region`, COUNT(*) AS `failed_n`
  FROM `shop`.`payments` AS `payments`
  LEFT JOIN `shop`.`orders` AS `orders` ON `payments`.`order_id` = `orders`.`id`
  LEFT JOIN `shop`.`customers` AS `customers` ON `orders`.`customer_id` = `customers`.`id`
  LEFT JOIN `shop`.`regions` AS `regions` ON `customers`.`region_id` = `regions`.`id`
  WHERE (`payments`.`status` = 'failed')
  GROUP BY 1
) AS `num` ON `num`.`region` <=> `den`.`region`
--   join shop.customers (id, region_id)
--   join shop.orders (customer_id, id)
--   source shop.payments (order_id, status)
--   join shop.regions (id, name)

-- failed_share_month
SELECT `den`.`paid_at` AS `paid_at`, COALESCE(`num`.`failed_n`, 0) / NULLIF(`den`.`payments_n`, 0) AS `failed_share_month`
FROM (
  SELECT DATE_FORMAT(`payments`.`paid_at`, '%Y-%m-01') AS `paid_at`, COUNT(*) AS `payments_n`
  FROM `shop`.`payments` AS `payments`
  GROUP BY 1
) AS `den`
LEFT JOIN (
  SELECT DATE_FORMAT(`payments`.`paid_at`, '%Y-%m-01') AS `paid_at`, COUNT(*) AS `failed_n`
  FROM `shop`.`payments` AS `payments`
  WHERE (status = 'failed')
  GROUP BY 1
) AS `num` ON `num`.`paid_at` <=> `den`.`paid_at`
ORDER BY 1
--   source shop.payments (paid_at, status)

-- own
SELECT status, COUNT(*) AS n
FROM payments GROUP BY status ORDER BY status
--   expression shop.payments (status)

-- orders_n
SELECT COUNT(*) AS `orders_n`
FROM `shop`.`orders` AS `orders`
--   source shop.orders ()

-- orders_with_items
SELECT COUNT(DISTINCT `orders`.`id`) AS `orders_with_items`
FROM `shop`.`orders` AS `orders`
LEFT JOIN `shop`.`order_items` AS `order_items` ON `orders`.`id` = `order_items`.`order_id`
WHERE (`order_items`.`qty` > 0)
--   filter shop.order_items (order_id, qty)
--   source shop.orders (id)
--   warning: fan_out: rows of shop.orders may repeat, once for each row of shop.order_items that they are joined to; metric "orders_with_items" counts each once, by its key

-- fees_with_items
SELECT SUM(`orders`.`fee`) AS `fees_with_items`
FROM `shop`.`orders` AS `orders`
LEFT JOIN `shop`.`order_items` AS `order_items` ON `orders`.`id` = `order_items`.`order_id`
WHERE (`order_items`.`qty` > 0)
--   filter shop.order_items (order_id, qty)
--   source shop.orders (fee, id)
--   warning: fan_out: rows of shop.orders may repeat, once for each row of shop.order_items that they are joined to; the sum of metric "fees_with_items" counts them as often

-- web_qty
SELECT SUM(`order_items`.`qty`) AS `web_qty`
FROM `shop`.`orders` AS `orders`
LEFT JOIN `shop`.`order_items` AS `order_items` ON `orders`.`id` = `order_items`.`order_id`
WHERE (`orders`.`channel` = 'web')
--   expression shop.order_items (order_id, qty)
--   source shop.orders (channel, id)

-- orders_by_city
SELECT `addresses`.`city` AS `city`, COUNT(*) AS `orders_by_city`
FROM `shop`.`orders` AS `orders`
LEFT JOIN `shop`.`addresses` AS `addresses` ON `orders`.`shipping_id` = `addresses`.`id`
GROUP BY 1
--   join shop.addresses (city, id)
--   source shop.orders (shipping_id)

-- open_paid
SELECT SUM(`payments`.`amount`) AS `open_paid`
FROM `shop`.`orders` AS `orders`
LEFT JOIN `shop`.`payments` AS `payments` ON `orders`.`id` = `payments`.`order_id`
WHERE (`orders`.`status` = 'open') AND (`payments`.`status` = 'settled')
--   source shop.orders (id, status)
--   expression shop.payments (amount, order_id, status)

-- noted_items
SELECT COUNT(DISTINCT `order_items`.`order_id`, `order_items`.`line`) AS `noted_items`
FROM `shop`.`order_items` AS `order_items`
LEFT JOIN `shop`.`item_notes` AS `item_notes` ON `order_items`.`order_id` = `item_notes`.`order_id` AND `order_items`.`line` = `item_notes`.`line`
WHERE (`item_notes`.`body` is not null)
--   filter shop.item_notes (body, line, order_id)
--   source shop.order_items (line, order_id)
--   warning: fan_out: rows of shop.order_items may repeat, once for each row of shop.item_notes that they are joined to; metric "noted_items" counts each once, by its key

-- noted_qty_n
SELECT COUNT(DISTINCT `order_items`.`order_id`, CASE WHEN `order_items`.`qty` IS NOT NULL THEN `order_items`.`line` END) AS `noted_qty_n`
FROM `shop`.`order_items` AS `order_items`
LEFT JOIN `shop`.`item_notes` AS `item_notes` ON `order_items`.`order_id` = `item_notes`.`order_id` AND `order_items`.`line` = `item_notes`.`line`
WHERE (`item_notes`.`body` is not null)
--   filter shop.item_notes (body, line, order_id)
--   source shop.order_items (line, order_id, qty)
--   warning: fan_out: rows of shop.order_items may repeat, once for each row of shop.item_notes that they are joined to; metric "noted_qty_n" counts each once, by its key

-- item_fees
SELECT SUM(`orders`.`fee`) AS `item_fees`
FROM `shop`.`order_items` AS `order_items`
LEFT JOIN `shop`.`orders` AS `orders` ON `order_items`.`order_id` = `orders`.`id`
--   source shop.order_items (order_id)
--   expression shop.orders (fee, id)
--   warning: fan_out: rows of shop.orders may repeat, once for each row of shop.order_items that they are joined to; the sum of metric "item_fees" counts them as often

-- item_orders
SELECT COUNT(DISTINCT CASE WHEN `orders`.`fee` IS NOT NULL THEN `orders`.`id` END) AS `item_orders`
FROM `shop`.`order_items` AS `order_items`
LEFT JOIN `shop`.`orders` AS `orders` ON `order_items`.`order_id` = `orders`.`id`
--   source shop.order_items (order_id)
--   expression shop.orders (fee, id)
--   warning: fan_out: rows of shop.orders may repeat, once for each row of shop.order_items that they are joined to; metric "item_orders" counts each once, by its key

