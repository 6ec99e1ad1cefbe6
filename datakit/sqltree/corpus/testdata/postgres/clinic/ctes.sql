WITH RECURSIVE tree AS (
    SELECT id, name, parent_id, 1 AS depth, ARRAY[id] AS path
    FROM departments
    WHERE parent_id IS NULL
    UNION ALL
    SELECT d.id, d.name, d.parent_id, tree.depth + 1, tree.path || d.id
    FROM departments d
    JOIN tree ON tree.id = d.parent_id
    WHERE NOT d.id = ANY (tree.path)
)
SELECT repeat('  ', depth - 1) || name AS label, path
FROM tree
ORDER BY path;

with recent as (select * from visits where started_at > now() - interval '7 days')
select kind, count(*) from recent group by kind;

WITH visits AS (SELECT id, patient_id FROM visits WHERE status = 'finished')
SELECT p.mrn, count(visits.id) FROM patients p JOIN visits ON visits.patient_id = p.id GROUP BY p.mrn;

WITH adults AS (
    SELECT id, mrn FROM patients WHERE birth_date <= CURRENT_DATE - interval '18 years'
), busy AS (
    SELECT patient_id, count(*) AS n FROM visits GROUP BY patient_id HAVING count(*) > 5
), both_sets AS (
    SELECT a.mrn, b.n FROM adults a JOIN busy b ON b.patient_id = a.id
)
SELECT * FROM both_sets ORDER BY n DESC;

WITH gone AS (
    DELETE FROM "AuditLogs" WHERE "createdAt" < now() - interval '2 years' RETURNING *
)
SELECT count(*), min("createdAt") FROM gone;

WITH closed AS (
    UPDATE visits SET status = 'finished', ended_at = now()
    WHERE status = 'in_progress' AND kind = 'outpatient' AND started_at < now() - interval '1 day'
    RETURNING id, patient_id, ended_at
), inv AS (
    INSERT INTO billing.invoices (number, visit_id, patient_id, status, total)
    SELECT 'A-' || left(id::text, 8), id, patient_id, 'draft', 0 FROM closed
    RETURNING id, visit_id
)
INSERT INTO billing.invoice_lines (invoice_id, line_no, description, unit_price)
SELECT inv.id, 1, 'Consultation ' || closed.ended_at::date, 85
FROM inv JOIN closed ON closed.id = inv.visit_id;

WITH RECURSIVE ancestors (code, ancestor, distance) AS (
    SELECT code, parent_code, 1 FROM icd_codes WHERE parent_code IS NOT NULL
  UNION
    SELECT a.code, i.parent_code, a.distance + 1
    FROM ancestors a JOIN icd_codes i ON i.code = a.ancestor
    WHERE i.parent_code IS NOT NULL
)
SELECT a.code, c.title, max(a.distance) AS level
FROM ancestors a JOIN icd_codes c ON c.code = a.code
GROUP BY a.code, c.title;

WITH RECURSIVE chain AS (
  SELECT id, manager_id, full_name FROM staff WHERE id = $1
  UNION ALL
  SELECT s.id, s.manager_id, s.full_name FROM chain c, staff s WHERE s.id = c.manager_id
) CYCLE id SET is_cycle USING trail
SELECT full_name, trail FROM chain WHERE NOT is_cycle;

WITH RECURSIVE sub (id, parent_id, name) AS (
  SELECT id, parent_id, name FROM departments WHERE code = 'MED'
  UNION ALL
  SELECT d.id, d.parent_id, d.name FROM departments d INNER JOIN sub s ON d.parent_id = s.id
) SEARCH DEPTH FIRST BY name, id SET ord
SELECT id, name FROM sub ORDER BY ord;

WITH RECURSIVE t AS (
    SELECT id, parent_id FROM departments WHERE parent_id IS NULL
    UNION ALL
    SELECT d.id, d.parent_id FROM departments d JOIN t ON d.parent_id = t.id
) SEARCH BREADTH FIRST BY id SET bf CYCLE id SET looped TO 'Y' DEFAULT 'N' USING p
SELECT id, bf, looped, p FROM t WHERE looped = 'N';

WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 12)
SELECT make_date(2025, i, 1) AS month, (SELECT count(*) FROM visits WHERE extract(month FROM started_at) = n.i) AS visits
FROM n;

WITH w AS MATERIALIZED (SELECT patient_id, max(value) AS v FROM measurements WHERE loinc = '29463-7' GROUP BY patient_id),
     h AS NOT MATERIALIZED (SELECT patient_id, max(value) / 100 AS v FROM measurements WHERE loinc = '8302-2' GROUP BY patient_id)
SELECT patient_id, bmi(w.v, h.v) AS bmi
FROM w JOIN h USING (patient_id)
WHERE bmi(w.v, h.v) NOT BETWEEN 18.5 AND 25;

SELECT s.full_name, c.n
FROM staff s
JOIN (
    WITH v AS (SELECT attending_id, count(*) AS n FROM visits GROUP BY attending_id)
    SELECT v.attending_id, v.n FROM v WHERE v.n > 100
) c ON c.attending_id = s.id;

WITH a AS (
    WITH b AS (
        WITH c AS (SELECT id, code FROM departments)
        SELECT c.id AS dep, code FROM c
    )
    SELECT dep, lower(code) AS code FROM b
)
SELECT a.code, count(s.*) FROM a LEFT JOIN staff s ON s.department_id = a.dep GROUP BY a.code;

SELECT p.mrn, (WITH lv AS (SELECT started_at FROM visits v WHERE v.patient_id = p.id) SELECT max(lv.started_at) FROM lv) AS last_seen
FROM patients p
WHERE p.tags @> '{chronic}';

WITH departments AS (SELECT * FROM departments WHERE closed_on IS NULL),
     staff AS (SELECT staff.* FROM staff JOIN departments ON departments.id = staff.department_id)
SELECT departments.name, staff.family_name FROM departments JOIN staff ON staff.department_id = departments.id;

WITH params AS (SELECT $1::date AS from_day, $2::date AS to_day)
SELECT d.code, count(*)
FROM visits v
CROSS JOIN params
JOIN departments d ON d.id = v.department_id
WHERE v.started_at::date BETWEEN params.from_day AND params.to_day
GROUP BY d.code;

WITH params (threshold, unit) AS (VALUES (140::numeric, 'mmHg'::text))
SELECT m.patient_id, m.value FROM measurements m, params p WHERE m.unit = p.unit AND m.value > threshold;

WITH moved AS (
    DELETE FROM prescriptions WHERE upper(valid) < CURRENT_DATE - 365 RETURNING id, patient_id, medication_id, valid, status
)
SELECT m.name, count(*) AS archived
FROM moved
JOIN medications m ON m.id = moved.medication_id
GROUP BY m.name
ORDER BY archived DESC;

WITH upd AS (
    UPDATE rooms r SET beds = beds + 1
    FROM departments d
    WHERE d.id = r.department_id AND d.code = 'ICU'
    RETURNING r.id, r.number, r.beds AS new_beds, d.name AS dept
)
TABLE upd;

WITH first_visit AS (
    SELECT DISTINCT ON (patient_id) patient_id, started_at FROM visits ORDER BY patient_id, started_at
),
cohorts AS (
    SELECT patient_id, date_trunc('month', started_at) AS cohort FROM first_visit
),
activity AS (
    SELECT c.cohort,
           (extract(year FROM age(date_trunc('month', v.started_at), c.cohort)) * 12
            + extract(month FROM age(date_trunc('month', v.started_at), c.cohort)))::int AS month_no,
           c.patient_id
    FROM cohorts c
    JOIN visits v ON v.patient_id = c.patient_id
)
SELECT cohort::date, month_no, count(DISTINCT patient_id) AS patients
FROM activity
GROUP BY cohort, month_no
ORDER BY cohort, month_no;

with x as (select 1 as id), y as (select id from x), z as (select y.id, p.mrn from y, patients p) select z.* from z where z.id = 1;

WITH stay AS (SELECT id, stay FROM visits WHERE kind = 'inpatient')
SELECT stay.id, lower(stay.stay) FROM stay WHERE NOT isempty(stay.stay);

WITH ordered AS (
    SELECT v.*, row_number() OVER (PARTITION BY patient_id ORDER BY started_at) AS seq FROM visits v
)
SELECT a.patient_id, a.started_at, b.started_at - a.ended_at AS gap
FROM ordered a
LEFT JOIN ordered b ON b.patient_id = a.patient_id AND b.seq = a.seq + 1
WHERE a.seq = 1;

WITH RECURSIVE days AS (
    SELECT date_trunc('month', CURRENT_DATE)::date AS d
    UNION ALL
    SELECT d + 1 FROM days WHERE d + 1 < date_trunc('month', CURRENT_DATE) + interval '1 month'
)
SELECT days.d, coalesce(sum(upper(s.during * tstzrange(days.d, days.d + 1)) - lower(s.during * tstzrange(days.d, days.d + 1))), interval '0') AS covered
FROM days
LEFT JOIN shifts s ON s.during && tstzrange(days.d, days.d + 1) AND s.department_id = 3
GROUP BY days.d;

WITH u AS (SELECT "id", "displayName" AS "name" FROM "User")
SELECT u."name", count(a."id") AS "appointments"
FROM u LEFT JOIN "Appointment" a ON a."createdById" = u."id"
GROUP BY u."id", u."name"
HAVING count(a."id") > 0;

WITH old AS (
  SELECT id FROM lab_orders WHERE status = 'ordered' AND ordered_at < now() - interval '14 days' FOR UPDATE SKIP LOCKED
)
UPDATE lab_orders lo
SET status = 'expired'
FROM old
WHERE old.id = lo.id
RETURNING lo.id, lo.visit_id;

WITH "Top Payers" AS (
    SELECT payer_id AS "Payer Id", sum(total) AS "Sum Total" FROM billing.invoices GROUP BY 1 ORDER BY 2 DESC LIMIT 5
)
SELECT p.name, "Sum Total" FROM billing.payers p JOIN "Top Payers" ON "Top Payers"."Payer Id" = p.id;

WITH t (a, b, c) AS (SELECT id, mrn, birth_date FROM patients)
SELECT a, b, c FROM t WHERE c > '2000-01-01' ORDER BY b;

WITH t (a) AS (SELECT id, mrn FROM patients)
SELECT t.a, t.mrn FROM t;

WITH s1 AS (SELECT patient_id FROM visits), s2 AS (SELECT patient_id FROM measurements)
SELECT patient_id FROM s1 UNION SELECT patient_id FROM s2 ORDER BY patient_id;

(WITH q AS (SELECT id FROM rooms WHERE kind = 'icu') SELECT id FROM q)
UNION ALL
(WITH q AS (SELECT department_id FROM rooms) SELECT q.department_id FROM q);

WITH dead AS (SELECT id, deceased_at FROM patients WHERE deceased_at IS NOT NULL)
DELETE FROM "Appointment" a
USING dead
WHERE dead.id = a."patientId" AND a."startsAt" > dead.deceased_at
RETURNING a."id", dead.deceased_at;

WITH ins AS (
    INSERT INTO medications (name, form) VALUES ('Ibuprofen', 'tablet')
    ON CONFLICT DO NOTHING
    RETURNING id
)
SELECT id FROM ins
UNION ALL
SELECT id FROM medications WHERE name = 'Ibuprofen' AND form = 'tablet'
LIMIT 1;

with recursive org(id, boss, lvl) as (
  select s.id, s.manager_id, 0 from staff s where s.manager_id is null
  union all
  select s.id, s.manager_id, o.lvl+1 from staff s join org o on o.id=s.manager_id
), sized as (
  select boss, count(*) as team from org where boss is not null group by boss
)
select s.full_name, sized.team, org.lvl from sized join staff s on s.id=sized.boss join org on org.id=s.id order by lvl, team desc;

WITH RECURSIVE evens AS (SELECT 0 AS n UNION ALL SELECT o.n FROM (SELECT n + 2 AS n FROM evens) o WHERE o.n < 20)
SELECT r.id FROM rooms r WHERE r.id IN (SELECT n FROM evens);

WITH m AS (SELECT patient_id AS pid, value AS val, measured_at AS ts FROM measurements WHERE flags && ARRAY['H', 'HH'])
SELECT pid, val, ts
FROM m AS outer_m
WHERE ts = (SELECT max(m.ts) FROM m WHERE m.pid = outer_m.pid);

WITH lines AS (
    SELECT l.invoice_id, sum(l.amount) AS lines_total FROM billing.invoice_lines l GROUP BY l.invoice_id
)
UPDATE billing.invoices AS inv
SET total = lines.lines_total
FROM lines
WHERE lines.invoice_id = inv.id AND inv.total <> lines.lines_total;

WITH summary AS (TABLE visit_summary)
SELECT primary_code, count(*) FROM summary WHERE length_of_stay > interval '3 days' GROUP BY primary_code;

WITH pivot AS (SELECT patient_id, jsonb_object_agg(loinc, value) AS values FROM measurements GROUP BY patient_id)
SELECT p.mrn, pivot.values ->> '8480-6' AS systolic FROM pivot JOIN patients p ON p.id = pivot.patient_id;

WITH inserted AS (INSERT INTO visits (patient_id, department_id, kind, started_at) VALUES ($1, $2, 'emergency', now()) RETURNING visits.*),
     labs AS (INSERT INTO lab_orders (visit_id, ordered_by, panel) SELECT inserted.id, $3, '{CBC,CRP}' FROM inserted RETURNING id)
SELECT inserted.id AS visit_id, labs.id AS order_id FROM inserted CROSS JOIN labs;

WITH a AS (SELECT 1 AS k), a2 AS (SELECT k FROM a UNION ALL SELECT k + 1 FROM a)
SELECT r.number FROM rooms r WHERE EXISTS (WITH a AS (SELECT beds AS k FROM rooms WHERE id = r.id) SELECT FROM a JOIN a2 USING (k));

WITH empty AS (SELECT FROM patients)
SELECT count(*) FROM empty;
