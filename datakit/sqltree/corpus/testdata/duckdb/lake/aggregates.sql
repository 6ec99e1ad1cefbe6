SELECT count(*), count(tip), count(DISTINCT vendor_id), min(pickup_at), max(pickup_at), avg(fare), sum(total)
FROM trips;

SELECT payment, arg_max(trip_id, tip) AS most_generous, arg_min(trip_id, tip), arg_max(trip_id, tip, 3) AS top3, max(tip, 3)
FROM trips
GROUP BY payment;

SELECT borough, string_agg(zone_name, ', ' ORDER BY zone_name) AS zones, list(zone_id ORDER BY area_km2 DESC NULLS LAST) AS ids
FROM zones
GROUP BY borough;

SELECT pickup_zone, count(*) FILTER (WHERE payment = 'card') AS card, count(*) FILTER (payment = 'cash') AS cash, pct(card, card + cash) AS card_share
FROM trips
GROUP BY pickup_zone
HAVING card + cash > 50;

SELECT vendor_id,
    payment,
    sum(total)
FROM trips
GROUP BY GROUPING SETS ((vendor_id, payment), (vendor_id), ());

SELECT year(pickup_at) AS y, month(pickup_at) AS m, grouping(y, m) AS g, sum(total) AS revenue
FROM trips
GROUP BY ROLLUP (y, m)
ORDER BY y NULLS LAST, m NULLS LAST;

SELECT exchange,
    sector,
    listing.currency AS currency,
    count(*)
FROM instruments
GROUP BY CUBE (exchange, sector, currency);

SELECT exchange,
    sector,
    grouping_id(exchange, sector), max(lot_size)
FROM instruments
GROUP BY exchange, ROLLUP (sector);

SELECT time_bucket(INTERVAL '1 hour', ts) AS hour, metric, avg(value), approx_quantile(value, 0.99) AS p99, mode(quality)
FROM readings
WHERE ts >= now() - INTERVAL 1 DAY
GROUP BY hour, metric
ORDER BY hour;

SELECT median(fare),
    quantile_disc(fare, 0.25),
    percentile_cont(0.9) WITHIN GROUP (ORDER BY fare DESC) AS p90,
    mode() WITHIN GROUP (ORDER BY payment)
FROM trips;

SELECT kurtosis(fare), skewness(fare), entropy(payment), mad(fare), regr_slope(tip, fare), covar_pop(tip, fare)
FROM trips;

SELECT bool_and(active),
    bool_or(active),
    bit_or(vendor_id),
    product(commission::DOUBLE),
    count_if(active),
    any_value(name)
FROM vendors;

SELECT first(close ORDER BY "date") AS first_close, last(close ORDER BY "date") AS last_close, last_close / first_close - 1 AS growth, symbol
FROM prices
GROUP BY symbol;

SELECT symbol, sum(qty * CASE side WHEN 'buy' THEN 1 ELSE -1 END) AS position, sum(DISTINCT qty)
FROM trades
GROUP BY symbol;

select histogram(date_part('hour', pickup_at))
from trips
where date_part('dow', pickup_at) in (0, 6);

SELECT *
FROM (SELECT symbol, max(high) - min(low) AS span FROM prices GROUP BY symbol)
WHERE span > (SELECT avg(high - low) * 50 FROM prices);

SELECT CASE WHEN distance_km < 2 THEN '0-2' WHEN distance_km < 5 THEN '2-5' ELSE '5+' END AS bracket,
       count(*) AS trips,
       round(avg(tip / fare) FILTER (WHERE fare > 0), 3) AS tip_rate
FROM trips
GROUP BY bracket
ORDER BY min(distance_km);

SELECT map_from_entries(list({'k': payment::VARCHAR, 'v': n}))
FROM (FROM trips SELECT payment, count(*) AS n GROUP BY payment);

SELECT user_id, max_by(name, occurred_at) AS last_event, min_by(payload, occurred_at) AS first_payload
FROM events
GROUP BY user_id;

SELECT name,
    count(*) AS total
FROM events
GROUP BY name
HAVING total > 10
  AND max(occurred_at) > TIMESTAMP '2024-06-01'
ORDER BY total DESC, name
LIMIT 5 OFFSET 5;

SELECT date_trunc('month', signed_up_at) AS cohort, plan, count(*)
FROM users
GROUP BY 1, 2
ORDER BY 1, 3 DESC;

SELECT site, avg("pH Value")::DECIMAL(4, 2) AS "mean pH", count(*) FILTER ("pH Value" NOT BETWEEN 6.5 AND 8.5) AS "out of range"
FROM "Lab Results"
GROUP BY site
ORDER BY "mean pH";

SELECT "group", avg(metals.lead) AS lead, max(metals."iron (II)")
FROM "Lab Results"
GROUP BY "group"
HAVING lead > 0.01;

SELECT sum(total) FROM trips HAVING count(*) > 0;

SELECT DISTINCT payment, count(*) OVER () FROM trips GROUP BY payment;

SELECT approx_count_distinct(user_id) AS users,
    approx_top_k(name, 5) AS top_names
FROM events;

SELECT list(DISTINCT tag ORDER BY tag) AS tags
FROM (SELECT unnest(tags) AS tag FROM trips WHERE tags IS NOT NULL);

SELECT zone_id % 10 AS bucket, reservoir_quantile(revenue, 0.5), weighted_avg(revenue, trip_count)
FROM daily_trips
GROUP BY bucket;

SELECT device_id,
    bitstring_agg(quality::INT, 0, 255) AS seen
FROM readings
GROUP BY device_id;

SELECT h.bin, h.count FROM histogram(prices, close, bin_count := 8) AS h;

SELECT vendor_id AS v,
    extract(hour FROM pickup_at) AS h,
    count(*)
FROM trips
WHERE h BETWEEN 7 AND 9
GROUP BY v, h;

SELECT total > 50 AS expensive, avg(distance_km) FROM trips GROUP BY expensive;

SELECT payment,
    sum(sum(total)) OVER (ORDER BY payment) AS running
FROM trips
GROUP BY payment;

SELECT lower(name) AS name, count(*) FROM vendors GROUP BY lower(name);

SELECT v.name, count(t.trip_id) AS n, coalesce(sum(t.total), 0)::BIGINT AS revenue, list(t.trip_id ORDER BY t.total DESC)[1:5] AS best
FROM vendors v LEFT JOIN trips t ON t.vendor_id = v.vendor_id
GROUP BY ALL
ORDER BY n DESC;

SELECT array_agg(value ORDER BY ts DESC)[:10] AS last_ten, metric
FROM readings
GROUP BY metric;

SELECT corr(w.tmax, d.trip_count) AS heat_effect, z.borough
FROM weather w
JOIN daily_trips d USING (zone_id, day)
JOIN zones z USING (zone_id)
GROUP BY z.borough;

SELECT sum(item.qty) FROM (SELECT unnest(items) AS item FROM events);

SELECT group_concat(symbol, '|') AS symbols, sector FROM instruments GROUP BY sector;

SELECT sector, avg(p.close) FILTER (WHERE p."date" >= DATE '2024-01-01') AS now_avg, avg(p.close) FILTER (WHERE p."date" < DATE '2024-01-01') AS then_avg
FROM instruments LEFT JOIN prices AS p USING (symbol)
GROUP BY sector
ORDER BY now_avg - then_avg;
