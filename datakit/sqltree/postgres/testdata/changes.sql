-- Data-modifying CTEs, row assignment, conflicts and MERGE.
WITH gone AS (DELETE FROM stock s USING sales x WHERE s.id = x.stock_id RETURNING s.id, x.*),
     moved AS (UPDATE ONLY bins AS b SET (a, b) = (SELECT 1, g.id FROM gone g), tags[2] = 'x', n = DEFAULT FROM gone WHERE b.id = gone.id RETURNING b.*)
INSERT INTO archive AS a (id, "Note")
SELECT id, (note).text FROM moved
ON CONFLICT (id, lower("Note")) WHERE id > 0 DO UPDATE SET "Note" = excluded."Note" || a."Note" WHERE a.id <> 3
RETURNING a.id AS archived, xmax = 0;

MERGE INTO wine w USING (SELECT * FROM changes) c ON c.name = w.name
WHEN NOT MATCHED AND c.delta > 0 THEN INSERT (name, stock) VALUES (c.name, c.delta)
WHEN MATCHED AND w.stock + c.delta > 0 THEN UPDATE SET stock = w.stock + c.delta
WHEN NOT MATCHED BY SOURCE THEN DELETE
RETURNING merge_action(), w.*;
