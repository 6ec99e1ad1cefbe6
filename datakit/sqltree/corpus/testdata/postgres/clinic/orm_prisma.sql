SELECT "public"."Appointment"."id", "public"."Appointment"."patientId", "public"."Appointment"."startsAt", "public"."Appointment"."status"::text FROM "public"."Appointment" WHERE ("public"."Appointment"."patientId" = $1 AND "public"."Appointment"."startsAt" >= $2) ORDER BY "public"."Appointment"."startsAt" ASC LIMIT $3 OFFSET $4;

SELECT "public"."User"."id", "public"."User"."email", "public"."User"."roles" FROM "public"."User" WHERE ("public"."User"."email" = $1 AND 1=1) LIMIT $2 OFFSET $3;

SELECT COUNT(*) FROM (SELECT "public"."Appointment"."id" FROM "public"."Appointment" WHERE "public"."Appointment"."status" = CAST($1::text AS "public"."AppointmentStatus") OFFSET $2) AS "sub";

SELECT COUNT(*), "public"."Appointment"."staffId", MIN("public"."Appointment"."startsAt") FROM "public"."Appointment" WHERE 1=1 GROUP BY "public"."Appointment"."staffId" HAVING COUNT(*) > $1 ORDER BY COUNT("public"."Appointment"."id") DESC OFFSET $2;

INSERT INTO "public"."Appointment" ("id","patientId","staffId","startsAt","durationMin","status","createdAt","updatedAt") VALUES ($1,$2,$3,$4,$5,CAST($6::text AS "public"."AppointmentStatus"),$7,$8) RETURNING "public"."Appointment"."id", "public"."Appointment"."metadata";

UPDATE "public"."Appointment" SET "status" = CAST($1::text AS "public"."AppointmentStatus"), "updatedAt" = $2 WHERE ("public"."Appointment"."id" = $3 AND 1=1) RETURNING "public"."Appointment"."id", "public"."Appointment"."status"::text;

UPDATE "public"."Appointment" SET "durationMin" = ("public"."Appointment"."durationMin" + $1) WHERE "public"."Appointment"."id" IN ($2,$3,$4);

DELETE FROM "public"."AuditLogs" WHERE ("public"."AuditLogs"."createdAt" < $1 AND "public"."AuditLogs"."userId" IS NULL);

INSERT INTO "public"."User" ("email","passwordHash","displayName") VALUES ($1,$2,$3) ON CONFLICT ("email") DO UPDATE SET "displayName" = $4, "lastLoginAt" = $5 WHERE ("public"."User"."email" = $6 AND 1=1) RETURNING "public"."User"."id";

SELECT "public"."User"."id" FROM "public"."User" WHERE ("public"."User"."id") IN (SELECT "t1"."createdById" FROM "public"."Appointment" AS "t1" INNER JOIN "public"."patients" AS "j1" ON ("j1"."id") = ("t1"."patientId") WHERE ("j1"."mrn" = $1 AND "t1"."createdById" IS NOT NULL));

SELECT "t1"."id", "t1"."email", "User_Appointment"."__prisma_data__" AS "appointments" FROM "public"."User" AS "t1" LEFT JOIN LATERAL (SELECT COALESCE(JSONB_AGG("__prisma_data__"), '[]') AS "__prisma_data__" FROM (SELECT "t4"."__prisma_data__" FROM (SELECT JSONB_BUILD_OBJECT('id', "t3"."id", 'startsAt', "t3"."startsAt") AS "__prisma_data__", "t3"."startsAt" FROM (SELECT "t2".* FROM "public"."Appointment" AS "t2" WHERE "t1"."id" = "t2"."createdById" /* root select */) AS "t3" /* inner select */) AS "t4" ORDER BY "t4"."startsAt" DESC LIMIT $1 /* middle select */) AS "t5" /* outer select */) AS "User_Appointment" ON true WHERE "t1"."email" = $2 LIMIT $3;

SELECT "t0"."id", "t0"."mrn", COALESCE("aggr_selection_0_Appointment"."_aggr_count_appointments", 0) AS "_aggr_count_appointments" FROM "public"."patients" AS "t0" LEFT JOIN (SELECT "public"."Appointment"."patientId", COUNT(*) AS "_aggr_count_appointments" FROM "public"."Appointment" WHERE 1=1 GROUP BY "public"."Appointment"."patientId") AS "aggr_selection_0_Appointment" ON ("t0"."id" = "aggr_selection_0_Appointment"."patientId") ORDER BY COALESCE("aggr_selection_0_Appointment"."_aggr_count_appointments", 0) DESC OFFSET $1;

SELECT "public"."Appointment"."id", "j0"."family_name" FROM "public"."Appointment" LEFT JOIN "public"."patients" AS "j0" ON ("j0"."id") = ("public"."Appointment"."patientId") WHERE (NOT "public"."Appointment"."status" = 'CANCELED') ORDER BY "j0"."family_name" ASC, "public"."Appointment"."id" DESC;

SELECT "public"."Appointment"."id" FROM "public"."Appointment" WHERE ("public"."Appointment"."metadata"#>ARRAY[$1]::text[])::jsonb = $2::jsonb;

SELECT "User"."id", "User"."displayName", "appointments"."id" AS "appointments.id", "appointments"."startsAt" AS "appointments.startsAt", "appointments->patient"."id" AS "appointments.patient.id", "appointments->patient"."mrn" AS "appointments.patient.mrn" FROM "User" AS "User" LEFT OUTER JOIN "Appointment" AS "appointments" ON "User"."id" = "appointments"."createdById" LEFT OUTER JOIN "patients" AS "appointments->patient" ON "appointments"."patientId" = "appointments->patient"."id" WHERE "User"."email" ILIKE '%@clinic.example';

SELECT "User".*, "logs"."id" AS "logs.id", "logs"."entityType" AS "logs.entityType" FROM (SELECT "User"."id", "User"."email" FROM "User" AS "User" WHERE ( SELECT "userId" FROM "AuditLogs" AS "logs" WHERE ("logs"."userId" = "User"."id") LIMIT 1 ) IS NOT NULL ORDER BY "User"."email" LIMIT 10) AS "User" INNER JOIN "AuditLogs" AS "logs" ON "User"."id" = "logs"."userId" ORDER BY "User"."email";

SELECT count("User"."id") AS "count" FROM "User" AS "User" INNER JOIN "AuditLogs" AS "logs" ON "User"."id" = "logs"."userId" AND "logs"."ip" <<= '10.0.0.0/8'::inet;

INSERT INTO "AuditLogs" ("id","userId","entityType","entityId","changes","createdAt") VALUES (DEFAULT,$1,$2,$3,$4,$5) RETURNING "id","userId","entityType","entityId","changes","ip","createdAt";

UPDATE "AuditLogs" SET "userId"=$1 WHERE "userId" IN (SELECT "id" FROM "User" WHERE "staffId" IS NULL) RETURNING *;

DELETE FROM "User" WHERE "id" IN (SELECT "id" FROM "User" WHERE "lastLoginAt" < $1 LIMIT 100);

SELECT "AuditLogs"."entityType", COUNT(DISTINCT("AuditLogs"."userId")) AS "users", date_trunc('day', "createdAt") AS "day" FROM "AuditLogs" AS "AuditLogs" GROUP BY "entityType", "day" ORDER BY "day" DESC;

SELECT "visit"."id" AS "visit_id", "visit"."kind" AS "visit_kind", "patient"."id" AS "patient_id", "patient"."given_name" AS "patient_given_name" FROM "visits" "visit" LEFT JOIN "patients" "patient" ON "patient"."id"="visit"."patient_id" WHERE "visit"."status" = $1 AND "patient"."family_name" LIKE $2;

SELECT DISTINCT "distinctAlias"."visit_id" AS "ids_visit_id", "distinctAlias"."visit_started_at" FROM (SELECT "visit"."id" AS "visit_id", "visit"."started_at" AS "visit_started_at", "diag"."code" AS "diag_code" FROM "visits" "visit" LEFT JOIN "visit_diagnoses" "diag" ON "diag"."visit_id"="visit"."id" WHERE "visit"."kind" = $1) "distinctAlias" ORDER BY "distinctAlias"."visit_started_at" DESC, "visit_id" ASC LIMIT 20;

SELECT "department"."id" AS "department_id", "department"."name" AS "department_name", (SELECT COUNT(*) FROM "staff" "s" WHERE "s"."department_id" = "department"."id") AS "staffCount" FROM "departments" "department" ORDER BY "staffCount" DESC;

SELECT COUNT(DISTINCT("prescription"."id")) AS "cnt" FROM "prescriptions" "prescription" INNER JOIN "medications" "medication" ON "medication"."id"="prescription"."medication_id" AND "medication"."is_controlled" = true;

INSERT INTO "prescriptions"("id", "visit_id", "patient_id", "medication_id", "prescriber_id", "dose", "unit", "schedule", "valid") VALUES (DEFAULT, $1, $2, $3, $4, $5, $6, $7, $8) RETURNING "id", "refills", "status", "created_at";

UPDATE "staff" SET "left_on" = $2, "is_active" = FALSE WHERE "id" IN ($1) RETURNING "full_name";

SELECT "Patient"."id" AS "Patient_id", "Patient__Patient_visits"."id" AS "Patient__Patient_visits_id", "Patient__Patient_visits"."reason" AS "Patient__Patient_visits_reason" FROM "patients" "Patient" LEFT JOIN "visits" "Patient__Patient_visits" ON "Patient__Patient_visits"."patient_id"="Patient"."id" WHERE ((("Patient"."mrn" = $1))) ORDER BY "Patient__Patient_visits"."started_at" ASC;

SELECT "p"."id", "p"."mrn" FROM "patients" "p" WHERE "p"."id" IN (SELECT DISTINCT "m"."patient_id" FROM "measurements" "m" WHERE "m"."value" > $1 AND "m"."loinc" IN ($2, $3)) AND "p"."tags" && $4;

select "a"."id", "a"."startsAt", "p"."mrn" from "Appointment" as "a" inner join "patients" as "p" on "p"."id" = "a"."patientId" where "a"."status" in ('BOOKED', 'CONFIRMED') and exists (select * from "staff" where "staff"."id" = "a"."staffId" and "staff"."is_active" = true) order by "a"."startsAt" asc limit 10;

select "id", "email", row_number() over (partition by "staffId" order by "createdAt") as "rn" from "User" where "staffId" is not null;

with "ranked" as (select "patientId", "startsAt", rank() over (partition by "patientId" order by "startsAt" desc) as "r" from "Appointment") select "patients"."mrn", "ranked"."startsAt" from "ranked" left join "patients" on "patients"."id" = "ranked"."patientId" where "ranked"."r" = 1;

SELECT "UpcomingAppointments"."appointmentId", "UpcomingAppointments"."endsAt" FROM "UpcomingAppointments" WHERE "UpcomingAppointments"."mrn" = $1 ORDER BY "UpcomingAppointments"."startsAt" LIMIT 1;

insert into "Appointment" ("patientId", "staffId", "startsAt", "updatedAt") select "patientId", "staffId", "startsAt" + interval '1 week', now() from "Appointment" where "id" = $1 returning "id", "startsAt" as "newStart";
