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

-- Looker-like derived table, twice nested
WITH patient_order_facts AS (
  SELECT i.patient_id, COUNT(*) AS lifetime_invoices, SUM(i.total) AS lifetime_total, MIN(i.issued_on) AS first_invoice
  FROM billing.invoices i
  GROUP BY i.patient_id
), patient_segments AS (
  SELECT pof.*, NTILE(10) OVER (ORDER BY pof.lifetime_total DESC) AS decile FROM patient_order_facts pof
)
SELECT
  patient_segments.decile AS "patient_segments.decile",
  COUNT(DISTINCT patients.id) AS "patients.count",
  AVG(patient_segments.lifetime_total) AS "patient_segments.average_total"
FROM patients
LEFT JOIN patient_segments ON patient_segments.patient_id = patients.id
GROUP BY 1
ORDER BY 1 NULLS FIRST
LIMIT 500;

SELECT "t1"."kind" AS "kind", "t1"."__measure__0" AS "sum:x:ok", ("t1"."__measure__0" / "t2"."__measure__1") AS "share"
FROM (
  SELECT "visits"."kind" AS "kind", CAST(COUNT("visits"."id") AS DOUBLE PRECISION) AS "__measure__0"
  FROM "public"."visits" "visits"
  WHERE (("visits"."started_at" >= (TIMESTAMP '2025-01-01 00:00:00.000')) AND ("visits"."started_at" < (TIMESTAMP '2026-01-01 00:00:00.000')))
  GROUP BY 1
) "t1"
CROSS JOIN (
  SELECT CAST(COUNT("visits"."id") AS DOUBLE PRECISION) AS "__measure__1"
  FROM "public"."visits" "visits"
  HAVING (COUNT(1) > 0)
) "t2";

SELECT "t0"."xtemp0" AS "xtemp0_out", COUNT(DISTINCT "t0"."patient_id") AS "ctd"
FROM (
  SELECT (CASE WHEN ("visits"."triage_level" IN (1, 2)) THEN 'urgent' WHEN (NOT ("visits"."triage_level" IS NULL)) THEN 'normal' ELSE CAST(NULL AS TEXT) END) AS "xtemp0",
    "visits"."patient_id" AS "patient_id"
  FROM "public"."visits" "visits"
    LEFT JOIN "public"."rooms" "rooms" ON ("visits"."room_id" = "rooms"."id")
  WHERE ((CASE WHEN ("rooms"."kind" = 'icu') THEN TRUE WHEN NOT ("rooms"."kind" = 'icu') THEN FALSE ELSE NULL END) IS NOT TRUE)
) "t0"
GROUP BY "t0"."xtemp0";

SELECT
  "source"."Departments__name" AS "Departments__name",
  "source"."started_at" AS "started_at",
  "source"."count" AS "count",
  "source"."count" - LAG("source"."count", 1) OVER (PARTITION BY "source"."Departments__name" ORDER BY "source"."started_at" ASC) AS "change"
FROM
  (
    SELECT
      "Departments"."name" AS "Departments__name",
      CAST("public"."visits"."started_at" AS date) AS "started_at",
      COUNT(*) AS "count"
    FROM
      "public"."visits"
      INNER JOIN (
        SELECT
          "public"."departments"."id" AS "id",
          "public"."departments"."name" AS "name"
        FROM
          "public"."departments"
        WHERE
          "public"."departments"."closed_on" IS NULL
      ) AS "Departments" ON "public"."visits"."department_id" = "Departments"."id"
    GROUP BY
      "Departments"."name",
      CAST("public"."visits"."started_at" AS date)
  ) AS "source"
ORDER BY
  "source"."Departments__name" ASC,
  "source"."started_at" ASC;

select "semTable"."Role" as "Role", "semTable"."a0" as "Rate", "semTable"."a1"
from (
    select "_"."role" as "Role", max("_"."hourly_rate") as "a0", count(distinct("_"."department_id")) + max(case when "_"."department_id" is null then 1 else 0 end) as "a1"
    from (
        select "$Outer"."role", "$Outer"."hourly_rate", "$Inner"."id" as "department_id"
        from "public"."staff" as "$Outer"
        left outer join "public"."departments" as "$Inner" on ("$Outer"."department_id" = "$Inner"."id")
    ) as "_"
    group by "_"."role"
) as "semTable"
where not "semTable"."a0" is null
order by "semTable"."Role"
limit 501;

SELECT date_trunc('month', vs.started_at) AS "Month",
       COUNT(*) FILTER (WHERE vs.diagnosis_count = 0) AS "Uncoded",
       COUNT(*) FILTER (WHERE vs.diagnosis_count > 0) AS "Coded",
       ROUND(100.0 * COUNT(*) FILTER (WHERE vs.diagnosis_count = 0) / GREATEST(COUNT(*), 1), 1) AS "% uncoded"
FROM visit_summary vs
WHERE vs.status = 'finished' AND vs.started_at BETWEEN $1::timestamptz AND $2::timestamptz
GROUP BY "Month"
HAVING COUNT(*) > 20
ORDER BY "Month" DESC;

SELECT * FROM (
    SELECT "department_code", "role", COUNT(*) AS "n", SUM(COUNT(*)) OVER (PARTITION BY "department_code") AS "dept_total"
    FROM "active_staff"
    GROUP BY "department_code", "role"
) "pivot_src"
WHERE "n" * 2 > "dept_total"
ORDER BY "department_code";

WITH RECURSIVE months AS (
    SELECT DATE '2025-01-01' AS month_start
    UNION ALL
    SELECT (month_start + INTERVAL '1 month')::date FROM months WHERE month_start < DATE '2025-12-01'
),
billed AS (
    SELECT month AS month_start, SUM(billed) AS amount FROM billing.monthly_revenue GROUP BY month
),
received AS (
    SELECT date_trunc('month', paid_at)::date AS month_start, SUM(amount) AS amount FROM billing.payments GROUP BY 1
),
cashflow AS (
    SELECT months.month_start, COALESCE(billed.amount, 0) AS billed, COALESCE(received.amount, 0) AS received
    FROM months
    LEFT JOIN billed USING (month_start)
    LEFT JOIN received USING (month_start)
)
SELECT month_start, billed, received, SUM(billed - received) OVER (ORDER BY month_start) AS outstanding
FROM cashflow
ORDER BY month_start;

SELECT CONCAT(s.given_name, ' ', LEFT(s.family_name, 1), '.') AS "Nurse", TO_CHAR(LOWER(sh.during), 'DD.MM.') AS "Day", STRING_AGG(d.code, '/' ORDER BY d.code) AS "Where"
FROM shifts sh, staff s, departments d
WHERE sh.staff_id = s.id AND sh.department_id = d.id AND s.role::text IN ('nurse') AND LOWER(sh.during) > TIMESTAMP '2025-05-01 00:00:00'
GROUP BY 1, 2;

SELECT q1."mrn", q1."n_visits", q2."n_rx", q3."last_lab"
FROM (SELECT p."mrn", p."id", COUNT(v."id") AS "n_visits" FROM "patients" p LEFT JOIN "visits" v ON v."patient_id" = p."id" GROUP BY p."mrn", p."id") q1
LEFT JOIN (SELECT "patient_id", COUNT(*) AS "n_rx" FROM "prescriptions" GROUP BY "patient_id") q2 ON q2."patient_id" = q1."id"
LEFT JOIN (SELECT v."patient_id", MAX(l."resulted_at") AS "last_lab" FROM "lab_orders" l JOIN "visits" v ON v."id" = l."visit_id" GROUP BY v."patient_id") q3 ON q3."patient_id" = q1."id"
ORDER BY q1."n_visits" DESC, q2."n_rx" DESC NULLS LAST;

SELECT "dim"."value" AS "value", "dim"."label" AS "label", COALESCE("fact"."cnt", 0) AS "cnt"
FROM (VALUES ('outpatient', 'Ambulatory'), ('inpatient', 'Ward'), ('emergency', 'ER')) AS "dim" ("value", "label")
LEFT JOIN (SELECT "kind"::text AS "kind", COUNT(*) AS "cnt" FROM "visits" GROUP BY "kind") AS "fact" ON "fact"."kind" = "dim"."value";

with
  base as (select v.id, v.kind, v.department_id, v.started_at, p.sex from visits v join patients p on p.id = v.patient_id),
  by_sex as (select department_id, sex, count(*) as c from base group by department_id, sex),
  ranked as (select by_sex.*, row_number() over (partition by department_id order by c desc, sex) as rn from by_sex),
  labelled as (select d.name as dept, r.sex, r.c from ranked r join departments d on d.id = r.department_id where r.rn = 1),
  totals as (select d.name as dept, count(b.id) as total from departments d left join base b on b.department_id = d.id group by d.name)
select totals.dept, labelled.sex, labelled.c, totals.total, labelled.c * 100 / totals.total as pct
from totals left join labelled using (dept)
order by pct desc nulls last, dept;

SELECT t.metric, t.value
FROM (SELECT COUNT(*) AS visits, COUNT(DISTINCT patient_id) AS patients, AVG(triage_level) AS triage FROM visits) AS one
CROSS JOIN LATERAL (VALUES ('visits', one.visits::numeric), ('patients', one.patients), ('triage', one.triage)) AS t (metric, value);

SELECT COUNT(*) AS "Rows" FROM (SELECT 1 AS "x" FROM "public"."AuditLogs" AS "ref_0" WHERE "ref_0"."createdAt" > CURRENT_TIMESTAMP - INTERVAL '24' HOUR AND "ref_0"."ip" = ANY (SELECT "ref_1"."ip" FROM "public"."AuditLogs" AS "ref_1" WHERE "ref_1"."entityType" = 'failed_login' GROUP BY "ref_1"."ip" HAVING COUNT(*) > 5)) AS "virtual";

WITH "Base" AS (
  SELECT "U"."id" AS "User Id", "U"."displayName" AS "User", "A"."id" AS "Appointment Id", "A"."status" AS "Status"
  FROM "User" "U" LEFT JOIN "Appointment" "A" ON "A"."createdById" = "U"."id"
), "Agg" AS (
  SELECT "User Id", "User", COUNT("Appointment Id") AS "All", COUNT(CASE WHEN "Status" = 'CANCELED' THEN 1 END) AS "Canceled" FROM "Base" GROUP BY "User Id", "User"
), "Ranked" AS (
  SELECT "Agg".*, RANK() OVER (ORDER BY "Canceled"::numeric / NULLIF("All", 0) DESC NULLS LAST) AS "Rank" FROM "Agg"
)
SELECT "User", "All", "Canceled", "Rank" FROM "Ranked" WHERE "Rank" <= 5 ORDER BY "Rank", "User";

SELECT bucket, COUNT(*) FROM (
	SELECT width_bucket(value, ARRAY[60, 80, 100, 120]::numeric[]) AS bucket FROM measurements WHERE loinc = '8867-4'
) histogram GROUP BY bucket ORDER BY bucket;

SELECT date_bin('15 minutes', measured_at, TIMESTAMPTZ '2025-01-01') AS t, loinc, avg(value) v, min(value) lo, max(value) hi
FROM measurements
WHERE patient_id = $1 AND measured_at >= $2 AND measured_at < $3
GROUP BY t, loinc
ORDER BY t, loinc;

SELECT "source"."Question" AS "Question", "source"."A" FROM (SELECT 'beds' AS "Question", SUM("public"."rooms"."beds")::text AS "A" FROM "public"."rooms" UNION ALL SELECT 'staff', COUNT(*)::text FROM "public"."staff" WHERE "public"."staff"."is_active" = TRUE) AS "source" LIMIT 1048575;

with visits_by_day as (
    select started_at::date as day, count(*) as n from visits group by 1
), stats as (
    select avg(n) as mean, stddev_pop(n) as sd from visits_by_day
), scored as (
    select v.day, v.n, (v.n - s.mean) / nullif(s.sd, 0) as z from visits_by_day v cross join stats s
), anomalies as (
    select * from scored where abs(z) > 3
)
select a.day, a.n, round(a.z::numeric, 2) as z,
       (select string_agg(format('%s: %s', kind, c), ', ') from (select kind, count(*) c from visits where started_at::date = a.day group by kind) k) as breakdown
from anomalies a
order by abs(a.z) desc;

with recursive bom as (
    select m.id, m.id as root, 0 as hops from medications m where m.is_controlled
    union
    select i.med, b.root, b.hops + 1
    from bom b
    join medications m on m.id = b.id
    cross join lateral unnest(m.interactions) as i (med)
    where b.hops < 3
), reach as (
    select root, count(distinct id) - 1 as reachable, max(hops) as depth from bom group by root
)
select medications.name, reach.reachable, reach.depth
from reach
join medications on medications.id = reach.root
order by 2 desc, 1;

WITH weekday AS (SELECT extract(isodow FROM started_at)::int AS dow, extract(hour FROM started_at)::int AS hr, kind FROM visits),
cells AS (SELECT dow, hr, count(*) AS n FROM weekday WHERE kind <> 'telehealth' GROUP BY dow, hr),
axis AS (SELECT d AS dow, h AS hr FROM generate_series(1, 7) AS d CROSS JOIN generate_series(0, 23) AS h)
SELECT axis.hr,
       max(n) FILTER (WHERE axis.dow = 1) AS mon, max(n) FILTER (WHERE axis.dow = 2) AS tue, max(n) FILTER (WHERE axis.dow = 3) AS wed,
       max(n) FILTER (WHERE axis.dow IN (6, 7)) AS weekend
FROM axis LEFT JOIN cells ON (cells.dow, cells.hr) = (axis.dow, axis.hr)
GROUP BY axis.hr
ORDER BY axis.hr;

WITH src AS (
    SELECT p.id, p.tags, p.insurance FROM patients p WHERE p.deceased_at IS NULL
), carriers AS (
    SELECT src.id, coalesce(src.insurance ->> 'carrier', '(none)') AS carrier FROM src
), tagged AS (
    SELECT src.id, tag FROM src LEFT JOIN LATERAL unnest(src.tags) AS u (tag) ON true
), crossed AS (
    SELECT c.carrier, t.tag, count(*) AS patients FROM carriers c JOIN tagged t ON t.id = c.id GROUP BY ROLLUP (c.carrier, t.tag)
)
SELECT coalesce(carrier, 'TOTAL') AS carrier, coalesce(tag, CASE WHEN carrier IS NULL THEN '' ELSE 'all' END) AS tag, patients FROM crossed;

with raw_lines as (select il.*, i.issued_on, i.patient_id from billing.invoice_lines il join billing.invoices i on i.id = il.invoice_id),
tariffed as (
    select rl.invoice_id, rl.line_no, rl.amount, t.price * rl.quantity as list_amount, t.title
    from raw_lines rl
    left join lateral (
        select price, title from billing.tariffs x where x.service_code = rl.service_code and x.valid @> rl.issued_on order by lower(x.valid) desc limit 1
    ) t on true
),
leakage as (select invoice_id, sum(list_amount - amount) as lost, count(*) filter (where title is null) as untariffed from tariffed group by invoice_id)
select i.number, l.lost, l.untariffed, py.name as payer
from leakage l
join billing.invoices i on i.id = l.invoice_id
left join billing.payers py on py.id = i.payer_id
where l.lost > 0 or l.untariffed > 0
order by l.lost desc nulls last;

SELECT coalesce(a.dept, b.dept) AS dept, a.cur, b.prev, a.cur - coalesce(b.prev, 0) AS diff
FROM (SELECT d.code AS dept, count(*) AS cur FROM visits v JOIN departments d ON d.id = v.department_id WHERE v.started_at >= date_trunc('year', now()) GROUP BY d.code) a
FULL OUTER JOIN (SELECT d.code AS dept, count(*) AS prev FROM visits v JOIN departments d ON d.id = v.department_id WHERE v.started_at < date_trunc('year', now()) GROUP BY d.code) b
  ON a.dept = b.dept
ORDER BY dept;

WITH n AS (SELECT s.id, s.department_id, s.hourly_rate FROM staff s WHERE s.is_active),
med AS (SELECT department_id, percentile_cont(0.5) WITHIN GROUP (ORDER BY hourly_rate) AS median FROM n GROUP BY department_id),
dev AS (SELECT n.id, n.hourly_rate, med.median, abs(n.hourly_rate - med.median) AS d FROM n JOIN med USING (department_id))
SELECT st.full_name, dev.hourly_rate, dev.median
FROM dev JOIN staff AS st USING (id)
WHERE dev.d > 3 * (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY inner_dev.d) FROM dev AS inner_dev);

with days as (select generate_series(current_date - 6, current_date, '1 day')::date as day),
dept as (select id, code from departments where closed_on is null),
need as (select dept.id as department_id, dept.code, days.day from dept, days),
have as (select department_id, lower(during)::date as day, count(*) filter (where not on_call) as regular, count(*) filter (where on_call) as standby from shifts group by 1, 2),
merged as (select need.code, need.day, coalesce(have.regular, 0) as regular, coalesce(have.standby, 0) as standby from need left join have using (department_id, day))
select code, array_agg(regular order by day) as regular_by_day, sum(standby) as standby, min(regular) = 0 as uncovered
from merged group by code having min(regular) < 2 order by uncovered desc, code;
