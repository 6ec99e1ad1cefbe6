INSERT INTO departments (code, name, floor) VALUES ('ONC', 'Oncology', 3), ('PED', 'Paediatrics', DEFAULT)
ON CONFLICT (code) DO UPDATE SET name = EXCLUDED.name, floor = coalesce(EXCLUDED.floor, departments.floor)
RETURNING id, code, (xmax = 0) AS inserted;

INSERT INTO rooms DEFAULT VALUES;

INSERT INTO rooms (id, department_id, number) OVERRIDING SYSTEM VALUE VALUES (1, 1, '101');

INSERT INTO measurements AS m (id, patient_id, loinc, value, measured_at)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (id, measured_at) DO UPDATE
SET value = EXCLUDED.value, flags = m.flags || '{corrected}'
WHERE m.value IS DISTINCT FROM EXCLUDED.value
RETURNING m.*;

insert into visit_diagnoses (visit_id, code, is_primary)
select v.id, 'Z00', true
from visits v
where v.kind = 'outpatient'
  and not exists (select 1 from visit_diagnoses d where d.visit_id = v.id and d.is_primary)
on conflict (visit_id) where is_primary do nothing;

INSERT INTO patients (mrn, given_name, family_name, birth_date)
VALUES ($1, $2, $3, $4)
ON CONFLICT ON CONSTRAINT patients_mrn_key DO UPDATE
SET (given_name, family_name) = (EXCLUDED.given_name, EXCLUDED.family_name),
    updated_at = DEFAULT
RETURNING id, concat_ws(chr(32), patients.given_name, patients.family_name) AS label;

INSERT INTO shifts (staff_id, department_id, during, on_call)
SELECT s.id, s.department_id, tstzrange(g, g + interval '12 hours'), extract(isodow FROM g) >= 6
FROM staff s
CROSS JOIN generate_series(timestamptz '2025-06-01 07:00+02', timestamptz '2025-06-30 07:00+02', interval '3 days') AS g
WHERE s.role = 'nurse' AND s.department_id = ANY ($1)
RETURNING id AS shift_id, lower(during) AS starts;

INSERT INTO icd_codes
TABLE icd_codes
ON CONFLICT DO NOTHING;

INSERT INTO icd_codes VALUES ('I10', NULL, 'Essential hypertension', 9, '{high blood pressure}');

INSERT INTO staff (department_id, role, given_name, family_name, hired_on, manager_id)
VALUES ((SELECT id FROM departments WHERE code = $1), 'nurse', 'Eva', 'Huber', CURRENT_DATE,
        (SELECT s.id FROM staff s JOIN departments d ON d.id = s.department_id WHERE d.code = $1 AND s.manager_id IS NULL LIMIT 1))
RETURNING *;

WITH src (code, title) AS (VALUES ('A00', 'Cholera'), ('A01', 'Typhoid'))
INSERT INTO icd_codes (code, title, chapter)
SELECT src.code, src.title, 1 FROM src
WHERE NOT EXISTS (SELECT 1 FROM icd_codes i WHERE i.code = src.code);

UPDATE visits SET ended_at = started_at + interval '30 minutes' WHERE ended_at IS NULL AND kind = 'telehealth' AND started_at < now() - interval '1 day';

UPDATE visits v
SET attending_id = p.primary_physician_id
FROM patients p
WHERE p.id = v.patient_id AND v.attending_id IS NULL AND p.primary_physician_id IS NOT NULL
RETURNING v.id, p.mrn, v.attending_id;

UPDATE billing.invoices
SET (total, status) = (SELECT coalesce(sum(l.amount), 0), 'sent' FROM billing.invoice_lines l WHERE l.invoice_id = invoices.id),
    issued_on = CURRENT_DATE,
    due_on = CURRENT_DATE + 30
WHERE status = 'draft';

UPDATE staff AS s
SET department_id = d.id, manager_id = boss.id
FROM departments d
LEFT JOIN staff boss ON boss.department_id = d.id AND boss.manager_id IS NULL
WHERE d.code = 'NEU' AND s.licence_no = ANY (ARRAY['A-1', 'A-2']);

UPDATE ONLY measurements SET unit = lower(unit) WHERE unit <> lower(unit);

update rooms set (beds, kind) = row (4, 'ward') where number like '3%';

UPDATE prescriptions AS pr SET status = 'stopped', valid = pr.valid * daterange(NULL, CURRENT_DATE)
FROM (
    SELECT p.patient_id, p.medication_id, max(p.created_at) AS latest
    FROM prescriptions p
    WHERE p.status = 'active'
    GROUP BY p.patient_id, p.medication_id
    HAVING count(*) > 1
) dup
WHERE dup.patient_id = pr.patient_id AND dup.medication_id = pr.medication_id AND pr.created_at < dup.latest;

UPDATE departments SET settings = '{}', floor = DEFAULT WHERE id IN (SELECT d.id FROM departments d LEFT JOIN visits v ON v.department_id = d.id WHERE v.id IS NULL);

UPDATE billing.invoice_lines l SET unit_price = t.price FROM billing.tariffs t, billing.invoices i
WHERE l.service_code = t.service_code AND i.id = l.invoice_id AND t.valid @> i.issued_on AND i.status = 'draft' RETURNING l.invoice_id, line_no, t.*;

DELETE FROM visits WHERE status = 'cancelled' AND created_at < now() - interval '5 years';

DELETE FROM measurements m
USING visits v
JOIN patients p ON p.id = v.patient_id
WHERE m.visit_id = v.id AND p.mrn = $1
RETURNING m.id, m.loinc, v.started_at;

DELETE FROM shifts AS a USING shifts AS b WHERE a.staff_id = b.staff_id AND a.during = b.during AND a.id > b.id;

DELETE FROM "User" u WHERE NOT EXISTS (SELECT FROM "AuditLogs" l WHERE l."userId" = u."id") AND u."lastLoginAt" IS NULL RETURNING u;

delete from only patients where ctid = any (array(select ctid from patients where given_name = 'TEST' limit 1000));

DELETE FROM billing.payments WHERE invoice_id IN (SELECT id FROM billing.invoices WHERE status = 'void') RETURNING payments.id, invoice_id, amount * -1 AS reversal;

MERGE INTO billing.tariffs AS t
USING (VALUES ('LAB-01', 'Full blood count', 18.2), ('LAB-02', 'CRP', 9.9)) AS s (code, title, price)
ON t.service_code = s.code AND upper_inf(t.valid)
WHEN MATCHED AND t.price <> s.price THEN
    UPDATE SET price = s.price, title = s.title
WHEN MATCHED THEN
    DO NOTHING
WHEN NOT MATCHED THEN
    INSERT (service_code, title, valid, price) VALUES (s.code, s.title, daterange(CURRENT_DATE, NULL), s.price);

MERGE INTO rooms r
USING (SELECT department_id, number, max(bed_count) AS beds FROM (SELECT d.id AS department_id, '1' AS number, 2 AS bed_count FROM departments d) x GROUP BY department_id, number) src
ON (r.department_id = src.department_id AND r.number = src.number)
WHEN MATCHED AND src.beds = 0 THEN DELETE
WHEN MATCHED THEN UPDATE SET beds = src.beds
WHEN NOT MATCHED AND src.beds > 0 THEN INSERT (department_id, number, beds) VALUES (src.department_id, src.number, src.beds);

WITH feed AS (SELECT x.mrn, x.mail FROM json_to_recordset($1) AS x (mrn text, mail text))
MERGE INTO patients p
USING feed f ON f.mrn = p.mrn
WHEN MATCHED AND f.mail IS NULL THEN UPDATE SET email = NULL
WHEN MATCHED THEN UPDATE SET email = f.mail, updated_at = now();

merge into visit_diagnoses using icd_codes c on c.code = visit_diagnoses.code when matched and c.parent_code is null then update set rank = visit_diagnoses.rank + 1;

MERGE INTO "User" AS u
USING staff AS s ON u."staffId" = s.id
WHEN MATCHED AND NOT s.is_active THEN UPDATE SET "roles" = '{}', "displayName" = s.full_name
WHEN NOT MATCHED THEN INSERT ("email", "passwordHash", "displayName", "staffId") VALUES (s.email, '!', s.full_name, s.id);

MERGE INTO billing.invoices i USING billing.payments p ON p.invoice_id = i.id
WHEN MATCHED AND p.amount >= i.total THEN UPDATE SET status = 'paid'
WHEN NOT MATCHED BY SOURCE AND i.due_on < CURRENT_DATE THEN UPDATE SET status = 'void'
RETURNING merge_action(), i.id, p.amount;

INSERT INTO "AuditLogs" ("userId", "entityType", "entityId", "changes", "createdAt")
SELECT u."id", 'login', u."id"::varchar, jsonb_build_object('at', u."lastLoginAt"), now()
FROM "User" u
WHERE u."lastLoginAt" > now() - interval '5 min';

INSERT INTO visit_diagnoses SELECT visit_id, primary_code, 1, true FROM visit_summary WHERE department_id = $1;

INSERT INTO billing.payers AS p (name, kind) VALUES ('State fund', 'public') RETURNING p.id, p.*, p.contract IS NULL AS open;

INSERT INTO lab_orders (visit_id, ordered_by, panel)
(SELECT v.id, v.attending_id, ARRAY['CBC'] FROM visits v WHERE v.attending_id IS NOT NULL ORDER BY v.started_at DESC LIMIT 3)
UNION ALL
SELECT lo.visit_id, lo.ordered_by, lo.panel || 'CRP'::text FROM lab_orders lo WHERE lo.status = 'repeat';

UPDATE measurements_2024 SET flags = ARRAY(SELECT DISTINCT f FROM unnest(flags) f ORDER BY f) WHERE cardinality(flags) > 1;

UPDATE patients p SET primary_physician_id = (
    SELECT v.attending_id FROM visits v WHERE v.patient_id = p.id GROUP BY v.attending_id ORDER BY count(*) DESC, v.attending_id LIMIT 1
) WHERE p.primary_physician_id IS NULL RETURNING p.mrn AS record, (SELECT s.full_name FROM staff s WHERE s.id = p.primary_physician_id) AS physician;

COPY (SELECT mrn, family_name, birth_date FROM patients WHERE deceased_at IS NULL ORDER BY mrn) TO STDOUT WITH (FORMAT csv, HEADER true, DELIMITER ';');

COPY visits (id, patient_id, started_at) TO STDOUT;

COPY (DELETE FROM "AuditLogs" WHERE "entityType" = 'ping' RETURNING "id", "createdAt") TO STDOUT (FORMAT text, NULL 'n/a');

LOCK TABLE billing.invoices, ONLY visits IN SHARE ROW EXCLUSIVE MODE NOWAIT;

TRUNCATE measurements_2024, visit_diagnoses RESTART IDENTITY CASCADE;

EXPLAIN (COSTS OFF, FORMAT json) UPDATE rooms SET beds = beds FROM departments d WHERE d.id = department_id AND d.code = 'X';

EXPLAIN ANALYZE INSERT INTO icd_codes (code, title, chapter) SELECT 'Q' || n, 'T', n FROM generate_series(1, 5) n RETURNING code;

PREPARE open_visits (smallint, visit_kind) AS SELECT id, started_at FROM visits WHERE department_id = $1 AND kind = $2 AND ended_at IS NULL;

DECLARE pat_cur NO SCROLL CURSOR FOR SELECT p.id, p.mrn FROM patients p ORDER BY p.created_at FOR UPDATE OF p;

UPDATE visits SET notes = concat(notes, E'\n', $2::text), room_id = r.id FROM rooms AS r WHERE visits.id = $1 AND r.number = $3 AND r.department_id = visits.department_id;
