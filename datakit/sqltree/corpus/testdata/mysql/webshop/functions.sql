SELECT EXTRACT(YEAR FROM placed_at) y, EXTRACT(QUARTER FROM placed_at) q, EXTRACT(YEAR_MONTH FROM placed_at) ym, EXTRACT(DAY_HOUR FROM placed_at) dh FROM orders;

SELECT SUBSTRING(sku FROM 1 FOR 3) AS prefix, SUBSTRING(sku FROM 5) AS rest, SUBSTR(sku, -2), MID(sku, 2, 2) FROM products;

SELECT TRIM(BOTH ' ' FROM name), TRIM(LEADING '0' FROM sku), TRIM(TRAILING FROM name), TRIM('x' FROM sku), TRIM(name), LTRIM(name) FROM products;

SELECT POSITION('@' IN email) AS at_pos, LOCATE('.', email, 5), INSTR(email, 'shop') FROM customers;

SELECT CAST(total AS CHAR), CAST(total AS SIGNED), CAST(total AS UNSIGNED INTEGER), CAST(total AS DECIMAL(8,1)), CAST(number AS CHAR(5) CHARACTER SET utf8mb4), CAST(placed_at AS DATE), CAST(placed_at AS DATETIME(3)), CAST(placed_at AS TIME), CAST(total AS DOUBLE), CAST(note AS BINARY(10)), CAST(note AS NCHAR(20))
FROM orders;

SELECT CONVERT(price, CHAR), CONVERT(weight_g, DECIMAL(10,3)), CONVERT(name USING latin1), CONVERT('2024-02-30', DATE), CONVERT(sku USING utf8mb4) COLLATE utf8mb4_unicode_ci FROM products;

SELECT placed_at + INTERVAL 1 DAY, placed_at - INTERVAL '1:30' HOUR_MINUTE, INTERVAL 2 WEEK + placed_at, DATE_ADD(placed_at, INTERVAL 3 MONTH), DATE_SUB(paid_at, INTERVAL '2 12' DAY_HOUR), ADDDATE(placed_on, 10), SUBDATE(placed_on, INTERVAL total MICROSECOND)
FROM orders WHERE id = 1;

SELECT DATE_FORMAT(placed_at, '%W, %e. %M %Y %H:%i') AS nice, DATE_FORMAT(placed_at, GET_FORMAT(DATE, 'EUR')) eur, TIME_FORMAT(placed_at, '%H:%i') FROM orders;

SELECT STR_TO_DATE(?, '%d.%m.%Y') AS parsed, MAKEDATE(2024, 60), MAKETIME(12, 15, 30), FROM_DAYS(739000), SEC_TO_TIME(3661), PERIOD_ADD(202401, 5), PERIOD_DIFF(202412, 202401);

SELECT TIMESTAMPDIFF(YEAR, birth_date, CURDATE()) AS age, TIMESTAMPADD(MINUTE, 30, created_at), LAST_DAY(birth_date), DAYNAME(birth_date), DAYOFWEEK(birth_date), WEEK(birth_date, 3), DAYOFYEAR(birth_date), WEEKDAY(birth_date)
FROM customers WHERE birth_date IS NOT NULL;

SELECT UNIX_TIMESTAMP(placed_at), FROM_UNIXTIME(1700000000), FROM_UNIXTIME(1700000000, '%Y'), CONVERT_TZ(placed_at, 'UTC', 'Europe/Berlin'), TO_DAYS(placed_at), DATEDIFF(paid_at, placed_at), TIMEDIFF(paid_at, placed_at) FROM orders;

SELECT DATE '2024-03-01', TIME '10:20:30', TIMESTAMP '2024-03-01 10:20:30.123', {d '2024-03-01'}, {t '10:20:30'}, {ts '2024-03-01 10:20:30'};

SELECT id FROM orders WHERE placed_at >= TIMESTAMP('2024-05-01') AND placed_at < TIMESTAMP(DATE '2024-06-01', '00:00:00');

SELECT UPPER(last_name), LOWER(first_name), LCASE(email), UCASE(email), INITIAL, REVERSE(email)
FROM (SELECT last_name, first_name, email, LEFT(first_name, 1) AS INITIAL FROM customers) AS names;

SELECT LPAD(id, 8, '0'), RPAD(name, 20, '.'), REPEAT('*', rating), SPACE(3), ELT(1 + position, 'a', 'b'), MAKE_SET(3, 'x', 'y') FROM (SELECT b.id, b.name, 3 AS rating, 0 AS position FROM brands b) AS q;

SELECT CONCAT_WS(' ', first_name, NULLIF(last_name, '')) AS name, CHAR_LENGTH(email) AS len, OCTET_LENGTH(email), BIT_LENGTH(email), ASCII(email), ORD(email) FROM customers ORDER BY len;

SELECT REPLACE(url, 'http://', 'https://'), SUBSTRING_INDEX(SUBSTRING_INDEX(url, '/', 3), '//', -1) AS host, INSERT(url, 1, 4, 'HTTP'), LEFT(url, 10), RIGHT(url, 4), QUOTE(url) FROM page_views LIMIT 10;

SELECT CHAR(77, 121, 83 USING utf8mb4) AS my, CHAR(65), HEX('abc'), UNHEX('616263'), OCT(12), BIN(12), CONV('ff', 16, 10), FORMAT(1234567.891, 2), FORMAT(1234.5, 1, 'de_DE');

SELECT ROUND(price, 1), TRUNCATE(price, 0), CEIL(price), CEILING(price), FLOOR(price), MOD(price, 2), POW(price, 2), SQRT(price), ABS(-price), SIGN(margin), GREATEST(price, cost, 10), LEAST(price, cost) FROM products;

SELECT RAND(), RAND(7), PI(), EXP(1), LN(2), LOG(2, 8), LOG10(100), LOG2(8), DEGREES(1), RADIANS(90), CRC32('x');

SELECT MD5(email), SHA1(email), SHA2(email, 256), TO_BASE64(email), FROM_BASE64(TO_BASE64(email)) = email, UUID(), UUID_SHORT() FROM customers LIMIT 1;

SELECT HEX(AES_ENCRYPT(phone, @secret)) AS sealed, CONVERT(AES_DECRYPT(UNHEX('00'), @secret) USING utf8mb4) AS opened FROM customers WHERE id = ?;

SELECT name FROM products ORDER BY RAND() LIMIT 1;

SELECT email COLLATE utf8mb4_bin AS e FROM customers WHERE email COLLATE utf8mb4_unicode_ci = _utf8mb4'info@example.org' ORDER BY e;

SELECT COLLATION(email), CHARSET(email), COERCIBILITY(email), CHARSET(legacy_ref) FROM customers LIMIT 1;

SELECT GROUP_CONCAT(sku) FROM product_variants WHERE product_id = 3;

SELECT product_id, GROUP_CONCAT(DISTINCT colour, '/', size ORDER BY colour ASC, size DESC SEPARATOR ', ') AS choices FROM product_variants GROUP BY product_id;

SELECT REGEXP_REPLACE(phone, '[^0-9+]', '') AS digits, REGEXP_SUBSTR(email, '[a-z]+$') AS tld, REGEXP_INSTR(email, '@') FROM customers;

SELECT INTERVAL(total, 10, 50, 100, 500) AS price_band, COUNT(*) FROM orders GROUP BY price_band;

SELECT STRCMP(first_name, last_name), SOUNDEX(last_name), last_name LIKE 'M_ller' FROM customers;

SELECT VERSION(), CONNECTION_ID(), USER(), SCHEMA(), ROW_COUNT(), BENCHMARK(1, 1 + 1), SLEEP(0);

SELECT DEFAULT(status), DEFAULT(channel) FROM orders LIMIT 1;

SELECT IS_IPV4('10.0.0.1'), INET_ATON('10.0.0.1'), INET_NTOA(167772161), INET6_ATON('::1'), HEX(INET6_ATON('::1'));

SELECT ST_Distance_Sphere(w.location, POINT(13.4, 52.5)) / 1000 AS km, w.code
FROM warehouses w
WHERE MBRContains(ST_GeomFromText('POLYGON((5 45, 15 45, 15 55, 5 55, 5 45))'), w.location)
ORDER BY km;

SELECT ST_AsGeoJSON(location), ST_SRID(location), ST_GeometryType(location), ST_Within(location, ST_Buffer(POINT(0, 0), 10)) FROM warehouses;

SELECT id, ELT(FIELD(status, 'placed', 'paid', 'shipped'), 'waiting', 'to pack', 'on its way') AS label FROM orders;

SELECT EXPORT_SET(5, 'Y', 'N', ',', 4), BIT_COUNT(29), 5 & 6, 5 | 6, 5 ^ 6, 1 << 4, 64 >> 2, ~0;

SELECT 7 DIV 2, 7 / 2, 7 % 2, 7 MOD 2, -7 DIV 2, 1 + 2 * 3, (1 + 2) * 3, 10 - -3;

SELECT 'a' 'b' 'c' AS joined, "it's", 'say \'hi\'', 'line\nbreak', 'per\%cent';

SELECT 3 BETWEEN 1 AND 5 AND 1, 3 IN (1, 2, 3) IS TRUE, NULL IS UNKNOWN, NOT 1 IS FALSE, 1 <=> NULL, 1 != 2, 1 <> 2, 2 >= 1;

SELECT id, TIME_TO_SEC(TIMEDIFF(delivered_at, shipped_at)) / 3600 AS hours FROM shipments WHERE delivered_at IS NOT NULL AND SECOND(shipped_at) = 0 AND MICROSECOND(shipped_at) = 0;

SELECT DATE(viewed_at) AS d, HOUR(viewed_at) h, MINUTE(viewed_at) DIV 15 AS quarter_hour, COUNT(*) FROM page_views GROUP BY d, h, quarter_hour;

SELECT FLOOR(UNIX_TIMESTAMP(viewed_at) / 300) * 300 AS slot, AVG(duration_ms) FROM page_views GROUP BY slot ORDER BY slot;

SELECT CASE DAYOFWEEK(placed_at) WHEN 1 THEN 'Sun' WHEN 7 THEN 'Sat' ELSE 'weekday' END AS day_kind, SUM(total) FROM orders GROUP BY day_kind;

SELECT NAME_CONST('answer', 42), COALESCE(NULL, NULL, 1), IF(1 > 2, 'a', IF(2 > 1, 'b', 'c')), IFNULL(NULL, 'z');

SELECT MATCH (name, description) AGAINST ('garden chair') AS score, id, name FROM products WHERE MATCH (name, description) AGAINST ('garden chair') ORDER BY score DESC;

SELECT p.sku FROM products p WHERE MATCH(p.name, p.description) AGAINST ('+oak -veneer "solid wood" chair*' IN BOOLEAN MODE);

SELECT r.id, MATCH (r.title, r.body) AGAINST (? IN NATURAL LANGUAGE MODE) rel FROM reviews r HAVING rel > 0.2 ORDER BY rel DESC LIMIT 10;

SELECT id FROM reviews WHERE MATCH (title, body) AGAINST ('broken' WITH QUERY EXPANSION) AND approved = 0;

SELECT @n := 0, @prev := NULL;

SELECT @n := IF(@prev = customer_id, @n + 1, 1) AS nth, @prev := customer_id AS customer_id, id
FROM orders, (SELECT @n := 0, @prev := 0) AS init
ORDER BY customer_id, placed_at;

SELECT COUNT(DISTINCT customer_id, channel), SUM(DISTINCT total), AVG(DISTINCT total), MIN(number), VARIANCE(total), STDDEV_SAMP(total) FROM orders;

SELECT YEAR(NOW()) - founded AS years, CAST(founded AS CHAR) FROM brands HAVING years > 100;

SELECT MONTHNAME(o.placed_at) AS `month name`, FORMAT(SUM(o.total), 2) AS `total (EUR)` FROM orders o GROUP BY MONTH(o.placed_at), `month name` ORDER BY MONTH(o.placed_at);

