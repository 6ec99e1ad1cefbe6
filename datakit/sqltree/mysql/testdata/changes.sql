-- Changes in all forms.
INSERT IGNORE INTO shop.stock (id, `count`) VALUES (1, DEFAULT), (2, 3 + ?) ON DUPLICATE KEY UPDATE `count` = `count` + VALUES(`count`), seen = NOW();
INSERT INTO stock SET id = 1, note = 'it''s';
INSERT INTO stock (id, n) SELECT s.id, COUNT(*) FROM sales s GROUP BY s.id ON DUPLICATE KEY UPDATE n = n + 1;
REPLACE INTO stock VALUES (1, 2, 3);
UPDATE stock s JOIN bins b ON b.stock_id = s.id LEFT JOIN racks USING (rack_id) SET s.n = s.n - 1, b.used = b.used + 1 WHERE b.full IS NOT TRUE;
UPDATE stock SET n = n - 1 WHERE n > 0 ORDER BY seen DESC LIMIT 10;
DELETE s, b FROM stock AS s INNER JOIN bins AS b ON b.stock_id = s.id WHERE s.n = 0;
DELETE FROM stock WHERE id IN (SELECT id FROM gone) ORDER BY id LIMIT 1;
