SELECT key, value FROM departments, jsonb_each(settings) WHERE departments.id = 1;

SELECT k, v FROM departments CROSS JOIN LATERAL jsonb_each(settings) AS s (k, v) WHERE k <> 'internal';

SELECT ordinality, phone FROM patients p, unnest(p.phones) WITH ORDINALITY AS phone WHERE p.mrn = $1;

SELECT happened_at, what FROM patients JOIN LATERAL patient_events(id) ON true WHERE mrn = $1 ORDER BY happened_at;

SELECT word, ndoc FROM ts_stat('SELECT search FROM patients') ORDER BY ndoc DESC, word LIMIT 10;

SELECT pid, state, query FROM pg_stat_activity WHERE datname = current_database() AND state <> 'idle';

SELECT t.relname, t.n_live_tup, pg_size_pretty(pg_total_relation_size(t.relid)) AS size FROM pg_stat_user_tables t ORDER BY pg_total_relation_size(t.relid) DESC;

SELECT conname, pg_get_constraintdef(c.oid) FROM pg_constraint c WHERE conrelid = '"Appointment"'::regclass AND contype IN ('f', 'c');

SELECT (pg_catalog.aclexplode(relacl)).* FROM pg_class WHERE relname = 'visits';

WITH batch AS (
    SELECT id FROM lab_orders
    WHERE status = 'ordered'
    ORDER BY priority, ordered_at
    LIMIT 10
    FOR UPDATE SKIP LOCKED
)
UPDATE lab_orders q SET status = 'sent' FROM batch b WHERE q.id = b.id RETURNING q.id, q.panel, q.ordered_by;

INSERT INTO "AuditLogs" ("entityType", "entityId", "changes", "createdAt")
SELECT 'merge', keep.mrn, jsonb_build_object('from', dup.mrn), clock_timestamp()
FROM patients keep
JOIN patients dup ON dup.family_name = keep.family_name AND dup.birth_date = keep.birth_date AND dup.created_at > keep.created_at
ON CONFLICT ("id") DO NOTHING;

UPDATE visits SET patient_id = m.keep_id
FROM (
    SELECT first_value(id) OVER w AS keep_id, id AS dup_id
    FROM patients
    WINDOW w AS (PARTITION BY family_name, given_name, birth_date ORDER BY created_at)
) m
WHERE patient_id = m.dup_id AND m.dup_id <> m.keep_id;

DELETE FROM "Appointment" a
USING (SELECT "id", row_number() OVER (PARTITION BY "patientId", "startsAt" ORDER BY "createdAt") AS rn FROM "Appointment") d
WHERE d."id" = a."id" AND d.rn > 1;

WITH expired AS (
    UPDATE prescriptions SET status = 'expired' WHERE status = 'active' AND NOT valid @> CURRENT_DATE RETURNING patient_id, medication_id
), agg AS (
    SELECT patient_id, array_agg(medication_id) AS meds FROM expired GROUP BY patient_id
)
UPDATE patients p SET tags = p.tags || 'rx-review'::text, updated_at = now() FROM agg WHERE agg.patient_id = p.id AND cardinality(agg.meds) > 2;

WITH moved AS (DELETE FROM ONLY measurements WHERE measured_at < '2024-01-01' RETURNING *)
INSERT INTO measurements_2024 SELECT * FROM moved;

INSERT INTO billing.invoices AS inv (number, patient_id, payer_id, issued_on, due_on, total)
SELECT 'M-' || p.mrn, p.id, (SELECT py.id FROM billing.payers py WHERE py.name = p.insurance ->> 'carrier' ORDER BY py.id LIMIT 1), CURRENT_DATE, CURRENT_DATE + 14, s.total
FROM patients p
JOIN LATERAL (
    SELECT sum(l.amount) AS total
    FROM billing.invoice_lines l JOIN billing.invoices i ON i.id = l.invoice_id
    WHERE i.patient_id = p.id AND i.status = 'draft'
) s ON s.total > 0
ON CONFLICT (number) DO UPDATE SET total = inv.total + excluded.total, meta = excluded.meta
WHERE inv.status = 'draft' AND excluded.total > (SELECT min(x.total) FROM billing.invoices x WHERE x.patient_id = inv.patient_id)
RETURNING inv.id, number, (SELECT mrn FROM patients WHERE patients.id = inv.patient_id) AS mrn;

SELECT p.mrn, x.n
FROM patients p,
     LATERAL (SELECT count(*) AS n FROM visits v WHERE v.patient_id = p.id) x,
     LATERAL (SELECT x.n * 2 AS doubled) y
WHERE y.doubled > 10;

SELECT d.code, s.role, (SELECT count(*) FROM staff s2 WHERE (s2.department_id, s2.role) = (d.id, s.role) AND s2.hired_on < s.hired_on) AS seniors
FROM departments d JOIN staff s ON s.department_id = d.id;

SELECT v.id FROM visits v WHERE v.id IN (SELECT vd.visit_id FROM visit_diagnoses vd WHERE vd.code IN (SELECT c.code FROM icd_codes c WHERE c.chapter = v.triage_level));

SELECT a.id AS shift, b.id AS clash FROM shifts a, shifts b WHERE a.id < b.id AND a.staff_id = b.staff_id AND a.during && b.during AND NOT (a.on_call AND b.on_call);

SELECT s.id, s.full_name
FROM staff s
WHERE s.role = 'nurse'
  AND NOT EXISTS (
      SELECT 1 FROM shifts sh
      WHERE sh.staff_id = s.id
        AND sh.during && tstzrange($1, $2)
  )
  AND (SELECT coalesce(sum(upper(sh.during) - lower(sh.during)), '0') FROM shifts sh WHERE sh.staff_id = s.id AND sh.during <@ tstzrange($1 - interval '7 days', $2)) < interval '38 hours'
ORDER BY random()
LIMIT 1;

BEGIN;

SET LOCAL statement_timeout = '5s';

SAVEPOINT before_merge;

SELECT set_config('app.staff_id', $1, true), pg_advisory_xact_lock(hashtext($2));

SELECT nextval('measurements_id_seq'), currval('measurements_id_seq'::regclass), lastval();

NOTIFY lab_results, '42';

LISTEN "AppointmentChanges";

SHOW search_path;

SET TIME ZONE 'Europe/Vienna';

EXPLAIN (ANALYZE, BUFFERS) SELECT count(*) FROM measurements WHERE measured_at >= now() - interval '1 day' AND loinc = '8867-4';

SELECT m.patient_id, m.loinc, m.value, r.low, r.high
FROM measurements m
JOIN (VALUES ('8867-4', 50, 110), ('8480-6', 90, 140)) AS r (loinc, low, high) USING (loinc)
WHERE m.value NOT BETWEEN r.low AND r.high AND m.measured_at > now() - interval '1 hour';

SELECT p.id, jsonb_agg(e ORDER BY e.happened_at) AS timeline
FROM patients p
CROSS JOIN LATERAL (SELECT pe.happened_at, pe.what FROM patient_events(p.id) pe ORDER BY 1 DESC LIMIT 10) e
GROUP BY p.id;

SELECT count(*) OVER () AS total_rows, sub.* FROM (SELECT i.id, i.number, i.total, p.family_name FROM billing.invoices i JOIN patients p ON p.id = i.patient_id WHERE p.family_name ILIKE $1 || '%') sub ORDER BY sub.total DESC LIMIT $2 OFFSET ($3 - 1) * $2;

SELECT CASE WHEN EXISTS (SELECT 1 FROM rooms r WHERE r.id = v.room_id AND r.kind = 'icu') THEN 'critical' ELSE (SELECT d.name FROM departments d WHERE d.id = v.department_id) END AS place, v.id
FROM visits v
WHERE v.ended_at IS NULL;

SELECT department_id, code, n
FROM (SELECT v.department_id, vd.code, count(*) AS n, max(count(*)) OVER (PARTITION BY v.department_id) AS top
      FROM visits v JOIN visit_diagnoses vd ON vd.visit_id = v.id GROUP BY v.department_id, vd.code) ranked
WHERE n = top;

SELECT patient_id FROM (SELECT patient_id, unnest(flags) AS flag FROM measurements) f GROUP BY patient_id HAVING bool_or(flag = 'HH') AND NOT bool_or(flag = 'reviewed');

SELECT (CURRENT_DATE - max(opened_on)) / 365 AS years, name FROM departments WHERE code ~ '^[A-Z]{3}$' GROUP BY id ORDER BY max(departments.opened_on) LIMIT 1;

SELECT lo.id FROM lab_orders lo WHERE lo.result IS NULL AND lo.status = 'collected' AND lo.collected_at < ALL (SELECT l2.collected_at FROM lab_orders l2 WHERE l2.visit_id = lo.visit_id AND l2.id <> lo.id AND l2.collected_at IS NOT NULL);

INSERT INTO shifts (staff_id, department_id, during) SELECT staff_id, department_id, tstzrange(lower(during) + '7 days', upper(during) + '7 days') FROM shifts WHERE during <@ tstzrange(date_trunc('week', now()), date_trunc('week', now()) + '7 days');

WITH t AS (INSERT INTO departments (code, name) VALUES ('TMP', 'Temporary') RETURNING id, code), u AS (INSERT INTO rooms (department_id, number) SELECT t.id, t.code || '-1' FROM t RETURNING department_id, rooms.id AS room_id)
SELECT t.code, u.room_id FROM t JOIN u ON u.department_id = t.id;

DELETE FROM visits v WHERE (v.patient_id, v.created_at) IN (SELECT patient_id, min(created_at) FROM visits GROUP BY patient_id HAVING count(*) > 50) AND NOT EXISTS (TABLE billing.invoices);

SELECT * FROM (SELECT * FROM (SELECT id, mrn FROM patients) AS a CROSS JOIN (SELECT code FROM departments) b) c WHERE c.code = 'X' AND c.mrn > '5';

SELECT v.*, p.mrn, extract(epoch FROM v.stay_length) AS secs FROM (SELECT visits.*, ended_at - started_at AS stay_length FROM visits) v INNER JOIN patients p ON v.patient_id = p.id WHERE stay_length > '1 day' AND stay IS NOT NULL;

SELECT DISTINCT s.role, count(*) OVER (PARTITION BY s.role), s.department_id IS NOT NULL AND EXISTS (SELECT 1 FROM departments WHERE id = s.department_id AND parent_id = 2) FROM staff s;
