SELECT "patients".* FROM "patients" WHERE "patients"."id" = $1 LIMIT $2;

SELECT 1 AS one FROM "patients" WHERE "patients"."mrn" = $1 AND "patients"."id" != $2 LIMIT $3;

SELECT COUNT(*) FROM "visits" WHERE "visits"."patient_id" = $1 AND "visits"."status" IN ($2, $3);

SELECT "visits"."id" AS t0_r0, "visits"."patient_id" AS t0_r1, "visits"."kind" AS t0_r2, "patients"."id" AS t1_r0, "patients"."mrn" AS t1_r1, "departments"."id" AS t2_r0, "departments"."name" AS t2_r1 FROM "visits" LEFT OUTER JOIN "patients" ON "patients"."id" = "visits"."patient_id" LEFT OUTER JOIN "departments" ON "departments"."id" = "visits"."department_id" WHERE "departments"."code" = $1 AND "patients"."deceased_at" IS NULL ORDER BY "visits"."started_at" DESC;

SELECT DISTINCT "visits"."started_at" AS alias_0, "visits"."id" FROM "visits" LEFT OUTER JOIN "visit_diagnoses" ON "visit_diagnoses"."visit_id" = "visits"."id" WHERE "visit_diagnoses"."code" LIKE 'E1%' ORDER BY "visits"."started_at" DESC LIMIT $1 OFFSET $2;

SELECT "staff".* FROM "staff" INNER JOIN "shifts" ON "shifts"."staff_id" = "staff"."id" WHERE "shifts"."department_id" = $1 AND (lower(shifts.during) > now());

SELECT "medications".* FROM "medications" INNER JOIN "prescriptions" ON "medications"."id" = "prescriptions"."medication_id" WHERE "prescriptions"."patient_id" = $1 ORDER BY "medications"."name" ASC;

SELECT COUNT(*) AS "count_all", "visits"."kind" AS "visits_kind" FROM "visits" GROUP BY "visits"."kind";

SELECT SUM("billing"."invoices"."total") AS "sum_total", date_trunc('month', issued_on) AS "date_trunc_month_issued_on" FROM "billing"."invoices" WHERE "billing"."invoices"."status" = 'paid' GROUP BY date_trunc('month', issued_on);

INSERT INTO "visit_diagnoses" ("visit_id", "code", "rank", "is_primary", "confirmed_by", "noted_at") VALUES ($1, $2, $3, $4, $5, $6) RETURNING "visit_id","code";

INSERT INTO "medications" ("name","atc","form") VALUES ('Aspirin', 'B01AC06', 'tablet'), ('Heparin', 'B01AB01', 'vial') ON CONFLICT ("name","strength","form") DO UPDATE SET "atc"=excluded."atc" RETURNING "id";

INSERT INTO "icd_codes" ("code","title","chapter") VALUES ('J45', 'Asthma', 10) ON CONFLICT  DO NOTHING RETURNING "code";

UPDATE "patients" SET "email" = $1, "updated_at" = $2 WHERE "patients"."id" = $3;

UPDATE "departments" SET "floor" = COALESCE("departments"."floor", 0) + $1 WHERE "departments"."id" = $2;

UPDATE "lab_orders" SET "status" = 'cancelled' WHERE "lab_orders"."id" IN (SELECT "lab_orders"."id" FROM "lab_orders" INNER JOIN "visits" ON "visits"."id" = "lab_orders"."visit_id" WHERE "visits"."status" = 'cancelled');

DELETE FROM "shifts" WHERE "shifts"."id" IN (SELECT "shifts"."id" FROM "shifts" WHERE "shifts"."staff_id" = $1 ORDER BY "shifts"."id" ASC LIMIT $2);

SELECT "patients".* FROM "patients" WHERE ("patients"."sex" = 'F' AND "patients"."birth_date" < '1960-01-01' OR "patients"."tags" @> '{frail}') AND NOT ("patients"."email" IS NULL) ORDER BY "patients"."created_at" DESC, "patients"."id" DESC LIMIT 1;

SELECT "staff"."id", "managers_staff"."full_name" FROM "staff" LEFT OUTER JOIN "staff" "managers_staff" ON "managers_staff"."id" = "staff"."manager_id" WHERE "managers_staff"."id" IS NOT NULL;

SELECT "visits".* FROM "visits" WHERE "visits"."started_at" BETWEEN $1 AND $2 AND "visits"."department_id" IN (SELECT "departments"."id" FROM "departments" WHERE "departments"."parent_id" = $3) /*application:Clinic,controller:visits,action:index*/;

SELECT COUNT(*) FROM (SELECT 1 AS one FROM "measurements" WHERE "measurements"."patient_id" = $1 LIMIT $2) subquery_for_count;

SELECT "visits"."patient_id" FROM "visits" WHERE "visits"."kind" = 'telehealth' GROUP BY "visits"."patient_id" HAVING (COUNT(visits.id) > 3) ORDER BY COUNT(visits.id) DESC;

SELECT MAX("visits"."started_at") AS "max_started_at", "patients"."primary_physician_id" AS "patients_primary_physician_id" FROM "visits" INNER JOIN "patients" ON "patients"."id" = "visits"."patient_id" GROUP BY "patients"."primary_physician_id";

SELECT "patients".*, visits_count, (SELECT COUNT(*) FROM prescriptions WHERE prescriptions.patient_id = patients.id) AS rx_count FROM "patients" INNER JOIN (SELECT patient_id, COUNT(*) AS visits_count FROM visits GROUP BY patient_id) v ON v.patient_id = patients.id WHERE (visits_count > 2) ORDER BY visits_count DESC;

WITH "recent_visits" AS (SELECT "visits".* FROM "visits" WHERE (started_at > now() - interval '30 days')) SELECT "recent_visits"."department_id", COUNT(*) FROM "recent_visits" GROUP BY "recent_visits"."department_id";

SELECT "patients".* FROM ((SELECT "patients".* FROM "patients" WHERE "patients"."sex" = 'M') UNION (SELECT "patients".* FROM "patients" WHERE "patients"."tags" @> '{vip}')) "patients" WHERE "patients"."deceased_at" IS NULL;

SELECT "shifts".* FROM "shifts" WHERE "shifts"."id" = $1 LIMIT $2 FOR UPDATE;

SELECT "rooms"."number", "rooms"."beds" FROM "rooms" WHERE "rooms"."kind" = $1 AND 1=0;

SELECT "staff".*, ts_headline('simple', staff.full_name, query) AS highlight FROM "staff", to_tsquery('simple', 'nov:*') query WHERE (to_tsvector('simple', "staff"."full_name") @@ query) ORDER BY ts_rank(to_tsvector('simple', "staff"."full_name"), query) DESC;

SELECT "visits"."id" FROM "visits" WHERE "visits"."id" IN (WITH last_ones AS (SELECT DISTINCT ON (patient_id) id FROM visits ORDER BY patient_id, started_at DESC) SELECT id FROM last_ones);
