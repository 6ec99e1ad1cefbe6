-- Recursion with SEARCH and CYCLE, over a set operation.
WITH RECURSIVE parts (id, parent, depth) AS (
    (SELECT p.id, p.parent_id, 0 FROM parts_list p WHERE p.parent_id IS NULL ORDER BY p.id LIMIT 10)
    UNION ALL
    SELECT c.id, c.parent_id, t.depth + 1 FROM parts t, parts_list c WHERE c.parent_id = t.id
) SEARCH DEPTH FIRST BY id SET ord
  CYCLE id SET looped USING path
SELECT id FROM parts
EXCEPT ALL
(VALUES (1), (2))
INTERSECT
TABLE kept;
