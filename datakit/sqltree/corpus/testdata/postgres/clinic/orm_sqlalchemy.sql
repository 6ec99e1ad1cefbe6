SELECT patients.id AS patients_id, patients.mrn AS patients_mrn, patients.family_name AS patients_family_name 
FROM patients 
WHERE patients.mrn = $1::VARCHAR;

SELECT anon_1.patient_id, anon_1.visit_count, patients_1.mrn 
FROM (SELECT visits.patient_id AS patient_id, count(visits.id) AS visit_count 
FROM visits GROUP BY visits.patient_id) AS anon_1 JOIN patients AS patients_1 ON patients_1.id = anon_1.patient_id 
WHERE anon_1.visit_count > $1::INTEGER ORDER BY anon_1.visit_count DESC;

SELECT visits.id, visits.kind, visits.started_at, patients_1.id AS id_1, patients_1.mrn, staff_1.id AS id_2, staff_1.full_name 
FROM visits LEFT OUTER JOIN patients AS patients_1 ON patients_1.id = visits.patient_id LEFT OUTER JOIN staff AS staff_1 ON staff_1.id = visits.attending_id 
WHERE visits.department_id = $1::SMALLINT AND visits.status IN ('planned', 'arrived');

SELECT visits_1.patient_id AS visits_1_patient_id, visits_1.id AS visits_1_id, visits_1.reason AS visits_1_reason 
FROM visits AS visits_1 
WHERE visits_1.patient_id IN ($1::UUID, $2::UUID, $3::UUID);

SELECT anon_1.visits_id AS anon_1_visits_id, anon_1.visits_kind AS anon_1_visits_kind, visit_diagnoses_1.code AS visit_diagnoses_1_code 
FROM (SELECT visits.id AS visits_id, visits.kind AS visits_kind, visits.started_at AS visits_started_at 
FROM visits ORDER BY visits.started_at DESC 
 LIMIT $1::INTEGER OFFSET $2::INTEGER) AS anon_1 LEFT OUTER JOIN visit_diagnoses AS visit_diagnoses_1 ON anon_1.visits_id = visit_diagnoses_1.visit_id ORDER BY anon_1.visits_started_at DESC, visit_diagnoses_1.rank;

SELECT EXISTS (SELECT 1 
FROM shifts 
WHERE shifts.staff_id = $1::UUID AND (shifts.during && $2::TSTZRANGE)) AS anon_1;

SELECT departments.name, coalesce(anon_1.total, $1::INTEGER) AS coalesce_1 
FROM departments LEFT OUTER JOIN (SELECT rooms.department_id AS department_id, sum(rooms.beds) AS total 
FROM rooms 
WHERE rooms.kind != 'office' GROUP BY rooms.department_id) AS anon_1 ON departments.id = anon_1.department_id;

WITH RECURSIVE dept_tree(id, parent_id, name, level) AS 
(SELECT departments.id AS id, departments.parent_id AS parent_id, departments.name AS name, 0 AS level 
FROM departments 
WHERE departments.parent_id IS NULL UNION ALL SELECT d.id AS id, d.parent_id AS parent_id, d.name AS name, t.level + 1 AS anon_1 
FROM departments AS d, dept_tree AS t 
WHERE d.parent_id = t.id)
 SELECT dept_tree.id, dept_tree.name, dept_tree.level 
FROM dept_tree ORDER BY dept_tree.level, dept_tree.name;

INSERT INTO visits (patient_id, department_id, kind, status, started_at) VALUES ($1::UUID, $2::SMALLINT, $3, $4, $5::TIMESTAMP WITH TIME ZONE) RETURNING visits.id, visits.created_at;

INSERT INTO lab_orders (visit_id, ordered_by, panel, priority) SELECT p0::UUID, p1::UUID, p2::TEXT[], p3::SMALLINT FROM (VALUES ($1, $2, $3, $4, 0), ($5, $6, $7, $8, 1)) AS imp_sen(p0, p1, p2, p3, sen_counter) ORDER BY sen_counter RETURNING lab_orders.id, lab_orders.id AS id__1;

INSERT INTO icd_codes (code, title, chapter) VALUES ($1::VARCHAR, $2::VARCHAR, $3::SMALLINT) ON CONFLICT (code) DO UPDATE SET title = excluded.title, chapter = excluded.chapter WHERE icd_codes.title IS DISTINCT FROM excluded.title;

UPDATE visits SET status=$1, ended_at=now() WHERE visits.id = $2::UUID AND visits.status = 'in_progress' RETURNING visits.id, visits.stay;

UPDATE billing.invoices SET status='void' FROM billing.payers WHERE billing.invoices.payer_id = billing.payers.id AND billing.payers.kind = $1::VARCHAR;

DELETE FROM prescriptions USING patients WHERE prescriptions.patient_id = patients.id AND patients.deceased_at IS NOT NULL AND prescriptions.status = 'active' RETURNING prescriptions.id;

SELECT CAST(visits.started_at AS DATE) AS day, count(*) AS count_1, count(distinct(visits.patient_id)) AS count_2 
FROM visits GROUP BY CAST(visits.started_at AS DATE) ORDER BY day;

SELECT staff_1.full_name AS manager, staff_2.full_name AS employee 
FROM staff AS staff_1 JOIN staff AS staff_2 ON staff_1.id = staff_2.manager_id 
WHERE staff_1.department_id != staff_2.department_id;

SELECT row_number() OVER (PARTITION BY prescriptions.patient_id ORDER BY prescriptions.created_at DESC) AS rn, prescriptions.id, prescriptions.medication_id 
FROM prescriptions;

SELECT anon_1.id, anon_1.name 
FROM (SELECT departments.id AS id, departments.name AS name 
FROM departments 
WHERE departments.floor = $1::INTEGER UNION ALL SELECT billing.payers.id AS id, billing.payers.name AS name 
FROM billing.payers) AS anon_1 ORDER BY anon_1.name;

SELECT medications.id, medications.name, medications.interactions 
FROM medications 
WHERE medications.name ILIKE '%' || $1::VARCHAR || '%' AND $2::INTEGER = ANY (medications.interactions) 
 LIMIT $3::INTEGER;

SELECT p.id, p.insurance ->> $1::TEXT AS anon_1, CAST((p.insurance ->> $2::TEXT) AS BOOLEAN) AS active 
FROM patients AS p 
WHERE (p.insurance ->> $3::TEXT) IS NOT NULL;

SELECT array_agg(departments.code ORDER BY departments.code ASC) AS codes, departments.floor IS NULL AS anon_1 
FROM departments GROUP BY departments.floor;

SELECT anon_1.value, patients.mrn 
FROM patients JOIN LATERAL (SELECT measurements.value AS value 
FROM measurements 
WHERE measurements.patient_id = patients.id AND measurements.loinc = $1::VARCHAR ORDER BY measurements.measured_at DESC 
 LIMIT $2::INTEGER) AS anon_1 ON true;

SELECT "User".id AS "User_id", "User"."displayName" AS "User_displayName", "Appointment_1"."startsAt" AS "Appointment_1_startsAt" 
FROM "User" LEFT OUTER JOIN "Appointment" AS "Appointment_1" ON "User".id = "Appointment_1"."createdById" 
WHERE "User".email LIKE $1::VARCHAR ORDER BY "User".id;

SELECT active_staff.id, active_staff.full_name, active_staff.department_code 
FROM active_staff 
WHERE active_staff.role = CAST($1 AS staff_role) AND active_staff.skills @> CAST($2 AS TEXT[]);

SELECT visits.id, sum(CASE WHEN (visit_diagnoses.confirmed_by IS NULL) THEN $1::INTEGER ELSE $2::INTEGER END) AS unconfirmed 
FROM visits JOIN visit_diagnoses ON visits.id = visit_diagnoses.visit_id GROUP BY visits.id 
HAVING count(visit_diagnoses.code) >= $3::INTEGER;

SELECT visits.id 
FROM visits 
WHERE (visits.started_at, visits.id) > ($1::TIMESTAMP WITH TIME ZONE, $2::UUID) ORDER BY visits.started_at, visits.id 
 LIMIT $3::INTEGER FOR SHARE OF visits SKIP LOCKED;

WITH anon_2 AS 
(UPDATE shifts SET swapped_with=NULL WHERE shifts.swapped_with = $1::BIGINT RETURNING shifts.id, shifts.staff_id)
 SELECT anon_2.id, staff.email 
FROM anon_2 JOIN staff ON staff.id = anon_2.staff_id;

SELECT patients.id, EXTRACT(year FROM age(patients.birth_date)) AS anon_1, (patients.address).city AS city 
FROM patients 
WHERE NOT (EXISTS (SELECT * 
FROM prescriptions, medications 
WHERE prescriptions.patient_id = patients.id AND medications.id = prescriptions.medication_id AND medications.is_controlled IS true));

SELECT count(*) AS count_1 
FROM (SELECT DISTINCT ON (lab_orders.visit_id) lab_orders.visit_id AS visit_id, lab_orders.status AS status 
FROM lab_orders ORDER BY lab_orders.visit_id, lab_orders.ordered_at DESC) AS anon_1 
WHERE anon_1.status = $1::VARCHAR;
