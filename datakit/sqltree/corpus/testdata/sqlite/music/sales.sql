SELECT "Month", "Total" FROM "Revenue By Month" WHERE currency = 'EUR' ORDER BY "Month" DESC LIMIT 12;

SELECT pu.purchase_id, pu.bought_at, sum(pl.amount) AS total, sum(pl.quantity) AS items
FROM purchase pu INNER JOIN purchase_line pl ON pl.purchase_id = pu.purchase_id
WHERE pu.listener_id = ?
GROUP BY pu.purchase_id
ORDER BY pu.bought_at DESC;

SELECT l.Nick, total(x.amount) AS spent
FROM Listener l
LEFT JOIN purchase p ON p.listener_id = l.ListenerId AND p.paid
LEFT JOIN purchase_line x ON x.purchase_id = p.purchase_id
GROUP BY l.ListenerId
HAVING spent > (SELECT avg(s) FROM (SELECT sum(amount) AS s FROM purchase JOIN purchase_line USING (purchase_id) GROUP BY listener_id))
ORDER BY spent DESC;

SELECT r."Month",
       r."Total",
       lag(r."Total") OVER w AS before,
       round(100.0 * (r."Total" - lag(r."Total") OVER w) / lag(r."Total") OVER w, 1) AS growth
FROM "Revenue By Month" r
WINDOW w AS (PARTITION BY r.currency ORDER BY r."Month");

SELECT c.iso, c.name, c.vat, sum(l.amount) AS gross, round(sum(l.amount / (1 + c.vat / 100)), 2) AS net
FROM purchase p
  JOIN purchase_line l USING (purchase_id)
  JOIN country c ON c.iso = p.country
WHERE p.paid = 1 AND strftime('%Y', p.bought_at) = :year
GROUP BY c.iso
ORDER BY gross DESC;

-- best earners among performers
SELECT performer, sum(amount) AS revenue, count(DISTINCT purchase_id) AS orders
FROM purchase_line JOIN song_full USING (song_id)
GROUP BY performer_id
ORDER BY revenue DESC
LIMIT 10;

SELECT pl.purchase_id, pl.line_no, pl.price, song.price AS list_price
FROM purchase_line pl, song
WHERE song.song_id = pl.song_id AND pl.price <> song.price;

SELECT purchase_id
FROM purchase
WHERE purchase_id NOT IN (SELECT purchase_id FROM purchase_line) AND NOT paid;

SELECT strftime('%Y', bought_at) AS y,
       sum(CASE WHEN strftime('%m', bought_at) <= '03' THEN amount ELSE 0 END) AS q1,
       sum(CASE WHEN strftime('%m', bought_at) BETWEEN '04' AND '06' THEN amount ELSE 0 END) AS q2,
       sum(CASE WHEN strftime('%m', bought_at) BETWEEN '07' AND '09' THEN amount ELSE 0 END) AS q3,
       sum(CASE WHEN strftime('%m', bought_at) >= '10' THEN amount ELSE 0 END) AS q4
FROM purchase NATURAL JOIN purchase_line
GROUP BY y;

SELECT a.song_id, b.song_id, count(*) AS together
FROM purchase_line a JOIN purchase_line b ON a.purchase_id = b.purchase_id AND a.song_id < b.song_id
GROUP BY 1, 2
ORDER BY 3 DESC
LIMIT 20;

WITH first_buy AS (
  SELECT listener_id, min(bought_at) AS first_at FROM purchase WHERE paid GROUP BY listener_id
)
SELECT strftime('%Y-%m', f.first_at) AS cohort,
       cast((julianday(p.bought_at) - julianday(f.first_at)) / 30 AS INTEGER) AS month_no,
       count(DISTINCT p.listener_id) AS buyers
FROM first_buy f JOIN purchase p ON p.listener_id = f.listener_id AND p.paid
GROUP BY cohort, month_no
ORDER BY cohort, month_no;

select listener_id, julianday(bought_at) - julianday(lag(bought_at) over (partition by listener_id order by bought_at)) as days_between
from purchase
where paid;

SELECT currency, sum(amount) FILTER (WHERE paid) AS received, sum(amount) FILTER (WHERE NOT paid) AS open
FROM purchase p LEFT JOIN purchase_line pl ON pl.purchase_id = p.purchase_id
GROUP BY currency
ORDER BY open DESC NULLS LAST;

INSERT INTO purchase (listener_id, bought_at, country)
SELECT ListenerId, datetime('now'), Country
FROM Listener
WHERE Nick = :nick
RETURNING purchase_id;

INSERT INTO purchase_line (purchase_id, line_no, song_id, price)
SELECT :purchase, row_number() OVER (ORDER BY s.position), s.song_id, s.price
FROM song s
WHERE s.disc_id = :disc
ON CONFLICT (purchase_id, line_no) DO UPDATE
SET quantity = purchase_line.quantity + excluded.quantity
WHERE purchase_line.song_id = excluded.song_id;

UPDATE purchase
SET country = (SELECT l.Country FROM Listener l WHERE l.ListenerId = purchase.listener_id)
WHERE country IS NULL;

UPDATE purchase
SET paid = 1
WHERE purchase_id = ? AND paid = 0
RETURNING purchase_id, listener_id, (SELECT sum(amount) FROM purchase_line WHERE purchase_line.purchase_id = purchase.purchase_id) AS total;

UPDATE song SET price = round(price * 0.8, 2)
WHERE song_id IN (SELECT song_id FROM song LEFT JOIN purchase_line USING (song_id) GROUP BY song_id HAVING total(quantity) < 3);

DELETE FROM purchase
WHERE NOT paid AND bought_at < datetime('now', '-7 days') AND listener_id NOT IN (SELECT listener_id FROM play);

SELECT l.Nick, coalesce(b.n, 0) AS bought, coalesce(h.n, 0) AS heard
FROM Listener l
LEFT JOIN (SELECT p.listener_id AS id, count(*) AS n FROM purchase p JOIN purchase_line USING (purchase_id) GROUP BY p.listener_id) b ON b.id = l.ListenerId
LEFT JOIN (SELECT listener_id AS id, count(DISTINCT song_id) AS n FROM play GROUP BY 1) h ON h.id = l.ListenerId
WHERE bought > heard;

SELECT quantity, price, quantity * price AS amount, amount AS stored
FROM purchase_line
WHERE amount > 10
ORDER BY amount;

SELECT printf('%-20s %8.2f', substr(f.disc, 1, 20), sum(l.amount)) AS line
FROM purchase_line l JOIN song_full f ON f.song_id = l.song_id
GROUP BY f.disc_id
ORDER BY sum(l.amount) DESC;

SELECT buyers, "Month"
FROM (SELECT *, row_number() OVER (PARTITION BY substr("Month", 1, 4) ORDER BY buyers DESC) AS rn FROM "Revenue By Month")
WHERE rn = 1;

SELECT pu.*
FROM purchase AS pu
JOIN Listener AS li ON li.ListenerId = pu.listener_id AND li.Country <> pu.country
WHERE pu.paid;

SELECT 'line' AS kind, purchase_id AS id, amount FROM purchase_line
UNION ALL
SELECT 'sum', purchase_id, sum(amount) FROM purchase_line GROUP BY purchase_id
UNION ALL
SELECT 'all', NULL, sum(amount) FROM purchase_line
ORDER BY id NULLS LAST, kind;

SELECT d.title, sum(pl.amount) AS revenue,
       rank() OVER (ORDER BY sum(pl.amount) DESC) AS place,
       sum(sum(pl.amount)) OVER (ORDER BY sum(pl.amount) DESC ROWS UNBOUNDED PRECEDING) / sum(sum(pl.amount)) OVER () AS cumulative
FROM disc d JOIN song s ON s.disc_id = d.disc_id JOIN purchase_line pl ON pl.song_id = s.song_id
GROUP BY d.disc_id
ORDER BY place;

SELECT listener_id, max(bought_at) AS last_at, count(*) AS n, julianday('now') - julianday(max(bought_at)) AS recency,
       ntile(5) OVER (ORDER BY max(bought_at)) AS r, ntile(5) OVER (ORDER BY count(*)) AS f
FROM purchase
GROUP BY listener_id;

SELECT p.purchase_id, json_object('buyer', l.Nick, 'lines', json_group_array(json_object('song', s.title, 'amount', pl.amount))) AS receipt
FROM purchase p, Listener l, purchase_line pl, song s
WHERE l.ListenerId = p.listener_id AND pl.purchase_id = p.purchase_id AND s.song_id = pl.song_id
GROUP BY p.purchase_id;
