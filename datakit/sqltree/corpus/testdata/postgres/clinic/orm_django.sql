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
