SELECT
  "public"."visits"."kind" AS "kind",
  COUNT(*) AS "count"
FROM
  "public"."visits"
GROUP BY
  "public"."visits"."kind"
ORDER BY
  "public"."visits"."kind" ASC;

SELECT
  (CAST(DATE_TRUNC('week', (CAST("public"."visits"."started_at" AS timestamp) + INTERVAL '1 day')) AS timestamp) + INTERVAL '-1 day') AS "started_at",
  COUNT(DISTINCT "public"."visits"."patient_id") AS "count"
FROM
  "public"."visits"
LEFT JOIN "public"."departments" AS "Departments" ON "public"."visits"."department_id" = "Departments"."id"
WHERE
  ("Departments"."code" = 'ICU')
  AND ("public"."visits"."started_at" >= DATE_TRUNC('month', (NOW() + INTERVAL '-12 month')))
GROUP BY
  (CAST(DATE_TRUNC('week', (CAST("public"."visits"."started_at" AS timestamp) + INTERVAL '1 day')) AS timestamp) + INTERVAL '-1 day')
ORDER BY
  "started_at" ASC;

SELECT
  "source"."Patient" AS "Patient",
  SUM("source"."Total") AS "sum"
FROM
  (
    SELECT
      "billing"."invoices"."total" AS "Total",
      "Patients - Patient"."family_name" AS "Patient",
      "billing"."invoices"."issued_on" AS "issued_on"
    FROM
      "billing"."invoices"
    LEFT JOIN "public"."patients" AS "Patients - Patient" ON "billing"."invoices"."patient_id" = "Patients - Patient"."id"
  ) AS "source"
WHERE
  "source"."issued_on" >= DATE '2025-01-01'
GROUP BY
  "source"."Patient"
ORDER BY
  "sum" DESC,
  "source"."Patient" ASC
LIMIT
  10;

SELECT
  "source"."id" AS "id",
  "source"."Stay (hours)" AS "Stay (hours)"
FROM
  (
    SELECT
      "v"."id" AS "id",
      EXTRACT(EPOCH FROM "v"."ended_at" - "v"."started_at") / 3600.0 AS "Stay (hours)"
    FROM "public"."visits" AS "v"
  ) AS "source"
WHERE "source"."Stay (hours)" > 24
LIMIT 2000;

SELECT "t0"."Department" AS "Department", SUM(1) AS "sum:Number of Records:ok"
FROM (
  SELECT "departments"."name" AS "Department", "visits"."id" AS "id"
  FROM "public"."visits" "visits"
  INNER JOIN "public"."departments" "departments" ON ("visits"."department_id" = "departments"."id")
) "t0"
GROUP BY 1;

SELECT CAST("staff"."role" AS TEXT) AS "role",
  AVG(CAST("staff"."hourly_rate" AS DOUBLE PRECISION)) AS "avg:hourly_rate:ok",
  COUNT(DISTINCT "shifts"."staff_id") AS "ctd:staff_id:ok"
FROM "public"."shifts" "shifts"
  LEFT JOIN "public"."staff" "staff" ON ("shifts"."staff_id" = "staff"."id")
WHERE (NOT ("staff"."left_on" IS NOT NULL))
GROUP BY 1;

SELECT "visits"."kind" AS "kind",
  DATE_TRUNC('QUARTER', CAST("visits"."started_at" AS DATE)) AS "tqr:started_at:ok",
  COUNT("visits"."id") AS "cnt:id:ok"
FROM "public"."visits" "visits"
  INNER JOIN (
  SELECT "v"."department_id" AS "department_id",
    COUNT(1) AS "$__alias__0"
  FROM "public"."visits" "v"
  GROUP BY 1
  ORDER BY 2 DESC
  LIMIT 5
) "t0" ON ("visits"."department_id" = "t0"."department_id")
GROUP BY 1, 2;

SELECT
    departments.name  AS "departments.name",
    COUNT(*) AS "visits.count",
    COALESCE(SUM(CASE WHEN visits.kind = 'emergency' THEN 1 ELSE NULL END), 0) AS "visits.emergency_count",
    COUNT(DISTINCT patients.id ) AS "patients.count"
FROM public.visits  AS visits
LEFT JOIN public.departments  AS departments ON visits.department_id = departments.id
LEFT JOIN public.patients  AS patients ON visits.patient_id = patients.id
WHERE ((( visits.started_at ) >= ((SELECT DATE_TRUNC('day', CURRENT_TIMESTAMP AT TIME ZONE 'UTC') + (-29 || ' day')::INTERVAL))))
GROUP BY
    1
ORDER BY
    2 DESC
FETCH NEXT 500 ROWS ONLY;

SELECT * FROM (
SELECT *, DENSE_RANK() OVER (ORDER BY z___min_rank) as z___pivot_row_rank, RANK() OVER (PARTITION BY z__pivot_col_rank ORDER BY z___min_rank) as z__pivot_col_ordering FROM (
SELECT *, MIN(z___rank) OVER (PARTITION BY "departments.name") as z___min_rank FROM (
SELECT *, RANK() OVER (ORDER BY CASE WHEN z__pivot_col_rank=1 THEN (CASE WHEN "visits.count" IS NOT NULL THEN 0 ELSE 1 END) ELSE 2 END, "visits.count" DESC, z__pivot_col_rank, "departments.name") AS z___rank FROM (
SELECT *, DENSE_RANK() OVER (ORDER BY "visits.kind" NULLS LAST) AS z__pivot_col_rank FROM (
SELECT departments.name AS "departments.name", visits.kind AS "visits.kind", COUNT(*) AS "visits.count"
FROM visits LEFT JOIN departments ON visits.department_id = departments.id
GROUP BY 1, 2) ww
) bb WHERE z__pivot_col_rank <= 16384
) aa
) xx
) zz
WHERE (z__pivot_col_rank <= 50 OR z__pivot_col_ordering = 1) AND (z___pivot_row_rank <= 500) ORDER BY z___pivot_row_rank;

WITH stay_facts AS (SELECT v.id AS visit_id, v.department_id, CEIL(EXTRACT(EPOCH FROM v.ended_at - v.started_at)/86400) AS days
      FROM visits v
      WHERE v.kind = 'inpatient'
       )
SELECT
    stay_facts.days AS "stay_facts.days",
    COUNT(DISTINCT stay_facts.visit_id) AS "stay_facts.visits"
FROM stay_facts
INNER JOIN departments ON departments.id = stay_facts.department_id
WHERE departments.name ILIKE '%surg%'
GROUP BY 1
HAVING COUNT(DISTINCT stay_facts.visit_id) > 2
ORDER BY 1
LIMIT 500;

SELECT DATE_TRUNC('day', started_at) AS __timestamp, kind AS kind, count(*) AS "COUNT(*)"
FROM public.visits
JOIN (SELECT kind AS kind__, count(*) AS mme_inner__ FROM public.visits WHERE started_at >= TO_TIMESTAMP('2025-01-01 00:00:00.000000', 'YYYY-MM-DD HH24:MI:SS.US') GROUP BY kind ORDER BY mme_inner__ DESC LIMIT 3) AS anon_1 ON kind = kind__
WHERE started_at >= TO_TIMESTAMP('2025-01-01 00:00:00.000000', 'YYYY-MM-DD HH24:MI:SS.US')
GROUP BY kind, DATE_TRUNC('day', started_at)
ORDER BY "COUNT(*)" DESC
LIMIT 10000;

SELECT city AS city, sum(age) / nullif(count(age), 0) AS "Mean age"
FROM (SELECT pd.city, pd.age, pd.physician FROM patient_directory pd
) AS virtual_table
WHERE physician IS NOT NULL
GROUP BY city ORDER BY "Mean age" DESC NULLS LAST LIMIT 100;

SELECT
  bucket$ AS time, avg(value) AS value
FROM (SELECT floor(extract(epoch from measured_at)/300)*300 AS "$__timeGroup", value, measured_at FROM measurements WHERE loinc = '8867-4') m (  bucket$, value, measured_at)
GROUP BY 1
ORDER BY 1;

SELECT
  floor(extract(epoch from ordered_at)/3600)*3600 AS "time",
  status AS metric,
  count(*) AS "orders"
FROM lab_orders
WHERE ordered_at BETWEEN '2025-05-01T00:00:00Z' AND '2025-05-08T00:00:00Z'
GROUP BY 1, metric
ORDER BY 1, 2;

select "rows"."name" as "name", "rows"."visits" as "visits"
from
(
    select "_"."name", "_"."visits", "_"."avg_stay"
    from "public"."department_load" "_"
    where "_"."visits" > 100 and "_"."visits" is not null
) "rows"
limit 1000;

select "$Table"."mrn" as "mrn", "$Table"."sex" as "sex", "$Outer"."visit_count"
from "public"."patients" "$Table"
left outer join
(
    select "rows"."patient_id" as "patient_id", count(1) as "visit_count"
    from "public"."visits" "rows"
    group by "patient_id"
) "$Outer" on ("$Table"."id" = "$Outer"."patient_id")
order by "$Table"."mrn";

select "basetable0"."c2" as "a0", sum("basetable0"."c1") as "a1"
from (
	select "i"."total" as "c1", "p"."name" as "c2" from "billing"."invoices" as "i" inner join "billing"."payers" as "p" on ("i"."payer_id" = "p"."id")
) as "basetable0"
group by "basetable0"."c2"
having sum("basetable0"."c1") is not null
limit 1000001;

SELECT "Custom SQL Query"."physician" AS "physician",
  MIN("Custom SQL Query"."wait") AS "TEMP(attr:wait:nk)(1)",
  MAX("Custom SQL Query"."wait") AS "TEMP(attr:wait:nk)(2)"
FROM (
  SELECT s.full_name AS physician, a."startsAt" - lag(a."startsAt") OVER (PARTITION BY s.id ORDER BY a."startsAt") AS wait
  FROM "Appointment" a
  JOIN staff s ON s.id = a."staffId"
) "Custom SQL Query"
GROUP BY 1
HAVING (COUNT(1) > 0);

SELECT "source"."started_at" AS "started_at", "source"."avg" AS "avg", "Question 12"."avg" AS "Question 12__avg"
FROM (
  SELECT DATE_TRUNC('month', "v"."started_at") AS "started_at", AVG("v"."triage_level") AS "avg" FROM "public"."visits" "v" GROUP BY DATE_TRUNC('month', "v"."started_at")
) "source"
LEFT JOIN (
  SELECT DATE_TRUNC('month', "lab_orders"."ordered_at") AS "ordered_at", AVG("lab_orders"."priority") AS "avg" FROM "public"."lab_orders" GROUP BY 1
) "Question 12" ON "source"."started_at" = "Question 12"."ordered_at"
ORDER BY "source"."started_at";

SELECT COUNT(*) AS "count", CASE WHEN "p"."age" >= 65 THEN '65+' WHEN "p"."age" >= 18 THEN '18-64' ELSE '<18' END AS "Age group" FROM "public"."patient_directory" AS "p" GROUP BY CASE WHEN "p"."age" >= 65 THEN '65+' WHEN "p"."age" >= 18 THEN '18-64' ELSE '<18' END ORDER BY "Age group";

SELECT "monthly_revenue"."month", "monthly_revenue"."billed" AS "Billed",
       SUM(SUM("monthly_revenue"."billed")) OVER (ORDER BY "monthly_revenue"."month" ASC ROWS UNBOUNDED PRECEDING) AS "Cumulative"
FROM "billing"."monthly_revenue"
GROUP BY "monthly_revenue"."month", "monthly_revenue"."billed";

SELECT (FLOOR((("public"."staff"."hourly_rate" - 0.0) / 12.5)) * 12.5) + 0.0 AS "hourly_rate", COUNT(*) AS "count" FROM "public"."staff" GROUP BY (FLOOR((("public"."staff"."hourly_rate" - 0.0) / 12.5)) * 12.5) + 0.0 ORDER BY 1 ASC;

SELECT substring("public"."patients"."email" FROM '@(.*)$') AS "Domain", COUNT(*) AS "n" FROM "public"."patients" WHERE ("public"."patients"."email" <> '' OR "public"."patients"."email" IS NULL) GROUP BY "Domain" HAVING COUNT(*) > 1;

-- Metabase:: userID: 4 queryType: native
SELECT d.name, f.status, f.n
FROM departments d
JOIN (SELECT department_id, status, COUNT(*) AS n FROM visits WHERE TRUE AND started_at::date >= '2025-01-01' GROUP BY 1, 2) f ON f.department_id = d.id;

SELECT "u"."displayName" AS "User", "l"."entityType" AS "Entity", COUNT(1) AS "Events", MAX("l"."createdAt") AS "Last event"
FROM "AuditLogs" "l" RIGHT OUTER JOIN "User" "u" ON ("u"."id" = "l"."userId")
WHERE ((CASE WHEN ("l"."createdAt" IS NULL) THEN NULL ELSE "l"."createdAt" >= CURRENT_DATE - 7 END))
GROUP BY 1, 2;

SELECT row_kind, "name", "value" FROM (
  SELECT 1 AS ord, 'Patients' AS row_kind, sex::text AS "name", COUNT(*)::numeric AS "value" FROM patients GROUP BY sex
  UNION ALL
  SELECT 2, 'Rooms', kind, SUM(beds) FROM rooms GROUP BY kind
  UNION ALL
  SELECT 3, 'Revenue', currency, SUM(billed) FROM billing.monthly_revenue GROUP BY currency
) kpis
ORDER BY ord, "value" DESC;

SELECT q."Month", q."A" - q."B" AS "Diff" FROM (SELECT to_char(month, 'Mon') "Month", max(billed) FILTER (WHERE currency = 'EUR') "A", max(billed) FILTER (WHERE currency = 'USD') "B" FROM billing.monthly_revenue GROUP BY to_char(month, 'Mon')) q WHERE q."A" IS NOT NULL;
