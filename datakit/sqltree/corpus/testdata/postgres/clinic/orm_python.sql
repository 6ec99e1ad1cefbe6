SELECT "patients"."id", "patients"."mrn", "patients"."given_name", "patients"."family_name", "patients"."birth_date" FROM "patients" WHERE "patients"."deceased_at" IS NULL ORDER BY "patients"."family_name" ASC, "patients"."given_name" ASC LIMIT 25;

SELECT COUNT(*) AS "__count" FROM "visits" WHERE ("visits"."status" = 'planned' AND "visits"."started_at" >= '2025-05-01 00:00:00+00:00'::timestamptz);

SELECT (1) AS "a" FROM "staff" WHERE "staff"."email" = $1 LIMIT 1;

SELECT "visits"."id", "visits"."kind", "patients"."id", "patients"."mrn", T3."id", T3."full_name" FROM "visits" INNER JOIN "patients" ON ("visits"."patient_id" = "patients"."id") LEFT OUTER JOIN "staff" T3 ON ("patients"."primary_physician_id" = T3."id") WHERE "visits"."department_id" = 4 ORDER BY "visits"."started_at" DESC;

SELECT "departments"."id", "departments"."name", COUNT("visits"."id") AS "num_visits" FROM "departments" LEFT OUTER JOIN "visits" ON ("departments"."id" = "visits"."department_id") GROUP BY "departments"."id" HAVING COUNT("visits"."id") > 10 ORDER BY "num_visits" DESC;

SELECT "staff"."id", "staff"."family_name", COUNT("visits"."id") FILTER (WHERE "visits"."kind" = 'emergency') AS "emergencies", COUNT(DISTINCT "visits"."patient_id") AS "patient_count" FROM "staff" LEFT OUTER JOIN "visits" ON ("staff"."id" = "visits"."attending_id") GROUP BY "staff"."id", "staff"."family_name";

SELECT "patients"."id", "patients"."mrn", (SELECT U0."started_at" FROM "visits" U0 WHERE U0."patient_id" = ("patients"."id") ORDER BY U0."started_at" DESC LIMIT 1) AS "last_visit" FROM "patients";

SELECT "patients"."id" FROM "patients" WHERE EXISTS(SELECT 1 AS "a" FROM "visits" U0 WHERE (U0."patient_id" = ("patients"."id") AND U0."kind" = 'inpatient') LIMIT 1);

SELECT "patients"."id", "patients"."email" FROM "patients" WHERE NOT ("patients"."id" IN (SELECT U1."patient_id" FROM "visits" U1 INNER JOIN "departments" U2 ON (U1."department_id" = U2."id") WHERE U2."code" = 'ONC'));

SELECT DISTINCT "staff"."id", "staff"."full_name", "staff"."hired_on" FROM "staff" INNER JOIN "shifts" ON ("staff"."id" = "shifts"."staff_id") WHERE ("shifts"."on_call" AND "shifts"."during" @> '2025-05-05T10:00:00+00:00'::timestamptz) ORDER BY "staff"."hired_on" ASC;

UPDATE "visits" SET "status" = 'cancelled', "notes" = CONCAT(COALESCE("visits"."notes", ''), ' (auto)') WHERE "visits"."id" IN (SELECT U0."id" FROM "visits" U0 INNER JOIN "patients" U1 ON (U0."patient_id" = U1."id") WHERE U1."deceased_at" IS NOT NULL);

UPDATE "rooms" SET "beds" = ("rooms"."beds" + 1) WHERE "rooms"."id" = 17;

DELETE FROM "visit_diagnoses" WHERE "visit_diagnoses"."visit_id" IN ('7f1e0f9e-8c1c-4f8b-9f3e-0f5f6a1b2c3d'::uuid, '0b7d5b39-2b7e-4a8f-8f8d-2f4f2c1f9c11'::uuid);

INSERT INTO "patients" ("mrn", "given_name", "family_name", "birth_date", "sex", "email", "phones", "tags", "created_at", "updated_at") VALUES ('0000001234', 'Ada', 'Novak', '1990-04-03'::date, 'F', NULL, '{}'::text[], '{}'::text[], '2025-05-05 08:00:00+00:00'::timestamptz, '2025-05-05 08:00:00+00:00'::timestamptz) RETURNING "patients"."id";

INSERT INTO "medications" ("name", "atc", "strength", "form", "is_controlled") VALUES ('Morphine', 'N02AA01', '10 mg', 'ampoule', true), ('Codeine', 'R05DA04', '30 mg', 'tablet', true) ON CONFLICT ("name", "strength", "form") DO UPDATE SET "atc" = EXCLUDED."atc", "is_controlled" = EXCLUDED."is_controlled" RETURNING "medications"."id";

SELECT "visits"."id", "visits"."started_at" FROM "visits" WHERE ("visits"."started_at" AT TIME ZONE 'Europe/Vienna')::date = '2025-05-05'::date ORDER BY "visits"."id" ASC LIMIT 21 OFFSET 21;

SELECT DATE_TRUNC('month', "visits"."started_at" AT TIME ZONE 'UTC') AS "m", COUNT("visits"."id") AS "c" FROM "visits" GROUP BY 1 ORDER BY 1 ASC;

SELECT EXTRACT(YEAR FROM "patients"."birth_date") AS "year", "patients"."sex" AS "sex", COUNT(*) AS "n" FROM "patients" GROUP BY "year", "patients"."sex" ORDER BY 1, 2;

SELECT "patients"."id", "patients"."family_name" FROM "patients" WHERE (UPPER("patients"."family_name"::text) LIKE UPPER('%mos%') OR UPPER("patients"."mrn"::text) = UPPER('0000001234')) ORDER BY "patients"."id" DESC;

SELECT "measurements"."id", "measurements"."value", AVG("measurements"."value") OVER (PARTITION BY "measurements"."patient_id" ORDER BY "measurements"."measured_at" ROWS BETWEEN 3 PRECEDING AND CURRENT ROW) AS "rolling" FROM "measurements" WHERE "measurements"."loinc" = '8867-4';

SELECT * FROM (SELECT "prescriptions"."id" AS "col1", "prescriptions"."dose" AS "col2", ROW_NUMBER() OVER (PARTITION BY "prescriptions"."patient_id" ORDER BY "prescriptions"."created_at" DESC) AS "qual0" FROM "prescriptions" WHERE "prescriptions"."status" = 'active') "qualify" WHERE "qual0" <= 3;

SELECT "col1", "col2" FROM (SELECT "shifts"."id" AS "col1", LOWER("shifts"."during") AS "col2", RANK() OVER (PARTITION BY "shifts"."staff_id" ORDER BY LOWER("shifts"."during")) AS "qual0" FROM "shifts") "qualify" WHERE "qual0" = 1 ORDER BY "col2" DESC;

SELECT "departments"."id", ("departments"."settings" #> '{visiting,from}') AS "from", ("departments"."settings" -> 'color') FROM "departments" WHERE ("departments"."settings" @> '{"public": true}'::jsonb AND ("departments"."settings" #>> '{visiting,from}') = '08:00');

SELECT COUNT(*) FROM (SELECT DISTINCT "visits"."patient_id" AS "col1" FROM "visits" INNER JOIN "visit_diagnoses" ON ("visits"."id" = "visit_diagnoses"."visit_id") WHERE "visit_diagnoses"."code" = 'I10') subquery;

SELECT COALESCE(SUM("__col1"), 0), MAX("__col2") FROM (SELECT SUM("billing"."invoices"."total") AS "__col1", MAX("billing"."invoices"."due_on") AS "__col2" FROM "billing"."invoices" GROUP BY "billing"."invoices"."patient_id" ORDER BY "__col1" LIMIT 10) subquery;

(SELECT "visits"."patient_id" AS "col1" FROM "visits" WHERE "visits"."kind" = 'emergency') UNION (SELECT "lab_orders"."ordered_by" AS "col1" FROM "lab_orders" WHERE "lab_orders"."priority" = 1) ORDER BY "col1" ASC LIMIT 5;

SELECT "staff"."id", CASE WHEN "staff"."left_on" IS NULL THEN 'active' WHEN "staff"."left_on" > '2025-01-01'::date THEN 'recent' ELSE 'gone' END AS "state", "staff"."hourly_rate" * 1.1 AS "raised" FROM "staff" WHERE "staff"."role" IN ('nurse', 'technician');

SELECT "icd_codes"."code", T2."title" AS "parent_title", T3."title" FROM "icd_codes" LEFT OUTER JOIN "icd_codes" T2 ON ("icd_codes"."parent_code" = T2."code") LEFT OUTER JOIN "icd_codes" T3 ON (T2."parent_code" = T3."code") WHERE T3."chapter" = 9;

SELECT "visits"."id" FROM "visits" WHERE "visits"."id" = '7f1e0f9e-8c1c-4f8b-9f3e-0f5f6a1b2c3d'::uuid LIMIT 21 FOR UPDATE OF "visits" NOWAIT;

SELECT "patients"."id", ts_rank("patients"."search", plainto_tsquery('simple'::regconfig, 'ada novak')) AS "rank" FROM "patients" WHERE "patients"."search" @@ (plainto_tsquery('simple'::regconfig, 'ada novak')) ORDER BY "rank" DESC;

SELECT "patients"."tags", ARRAY_AGG("visits"."kind" ORDER BY "visits"."started_at") FILTER (WHERE "visits"."ended_at" IS NOT NULL) AS "kinds", STRING_AGG("visits"."reason", ', ') AS "reasons", BOOL_OR("visits"."triage_level" = 1) AS "critical" FROM "patients" INNER JOIN "visits" ON ("visits"."patient_id" = "patients"."id") GROUP BY "patients"."tags";

UPDATE "staff" SET "hourly_rate" = CASE WHEN ("staff"."id" = '0b7d5b39-2b7e-4a8f-8f8d-2f4f2c1f9c11'::uuid) THEN '31.50'::numeric WHEN ("staff"."id" = $1) THEN 29 ELSE NULL END WHERE "staff"."id" IN ('0b7d5b39-2b7e-4a8f-8f8d-2f4f2c1f9c11'::uuid, $1);

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
