SELECT kind, count(*) AS visits, count(*) FILTER (WHERE status = 'no_show') AS no_shows
FROM visits
GROUP BY kind
ORDER BY visits DESC;

SELECT date_trunc('week', started_at) AS week, count(*)
FROM visits
WHERE started_at >= CURRENT_DATE - INTERVAL '12 weeks'
GROUP BY week
ORDER BY week;

select extract(hour from started_at) as hour_of_day, avg(triage_level)::numeric(4,2) as mean_level
from visits where kind = 'emergency'
group by 1 order by 1;

SELECT d.name, v.kind, count(*)
FROM visits v JOIN departments d ON d.id = v.department_id
GROUP BY ROLLUP (d.name, v.kind)
ORDER BY d.name NULLS LAST, v.kind NULLS LAST;

SELECT CASE WHEN grouping(d.code) = 1 THEN 'all' ELSE d.code END AS dept,
       CASE grouping(s.role) WHEN 1 THEN 'total' ELSE s.role::text END AS role,
       count(*) AS heads,
       sum(s.hourly_rate) AS cost
FROM staff s
JOIN departments d ON d.id = s.department_id
WHERE s.is_active
GROUP BY CUBE (d.code, s.role);

SELECT payer_id, currency, extract(year FROM issued_on) AS y, sum(total)
FROM billing.invoices
GROUP BY GROUPING SETS ((payer_id, currency), (currency, extract(year FROM issued_on)), ());

SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY length_of_stay) AS median_stay,
       percentile_disc(ARRAY[0.25, 0.75]) WITHIN GROUP (ORDER BY length_of_stay) AS quartiles,
       mode() WITHIN GROUP (ORDER BY kind) AS usual_kind
FROM visit_summary;

SELECT p.sex, width_bucket(extract(year FROM age(p.birth_date)), 0, 100, 10) AS decade, count(*)
FROM patients p
GROUP BY p.sex, decade
HAVING count(*) > 3
ORDER BY p.sex, decade;

SELECT string_agg(DISTINCT code, ', ' ORDER BY code) AS codes, visit_id FROM visit_diagnoses GROUP BY visit_id;

SELECT to_char(month, 'YYYY-MM') AS month, currency, billed, invoices,
       billed / nullif(invoices, 0) AS average
FROM billing.monthly_revenue
WHERE month >= make_date(2025, 1, 1)
ORDER BY 1 DESC, 2;

-- share of controlled substances among prescriptions
SELECT round(100.0 * sum(CASE WHEN m.is_controlled THEN 1 ELSE 0 END) / count(*), 1) AS pct_controlled
FROM prescriptions pr
JOIN medications m ON m.id = pr.medication_id;

SELECT DISTINCT ON (patient_id) patient_id, value AS last_weight, unit, measured_at
FROM measurements
WHERE loinc = '29463-7'
ORDER BY patient_id, measured_at DESC;

SELECT DISTINCT ON (d.id, v.kind) d.name, v.kind, v.started_at first_seen
FROM departments d, visits v
WHERE v.department_id = d.id
ORDER BY d.id, v.kind, first_seen;

SELECT name, age, city FROM (
    SELECT "displayName" AS name, age, city, rank() OVER (PARTITION BY city ORDER BY age DESC) AS position
    FROM patient_directory
) ranked
WHERE position <= 3;

SELECT status, count(*) n, min(ordered_at), max(ordered_at), avg(resulted_at - ordered_at) turnaround
FROM lab_orders
GROUP BY status
ORDER BY n DESC, 1;

SELECT avg(extract(epoch FROM upper(during) - lower(during)) / 3600) AS hours, staff_id
FROM shifts
WHERE lower(during) >= '2025-03-01' AND lower(during) < '2025-04-01'
GROUP BY staff_id
HAVING sum(extract(epoch FROM upper(during) - lower(during))) > 160 * 3600;

SELECT i.number, i.total, coalesce(sum(p.amount), 0) AS paid, i.total - coalesce(sum(p.amount), 0) AS open
FROM billing.invoices i
LEFT JOIN billing.payments p ON p.invoice_id = i.id
WHERE i.status = 'sent'
GROUP BY i.id
HAVING i.total > coalesce(sum(p.amount), 0)
ORDER BY open DESC
LIMIT 50;

SELECT
	CASE
		WHEN CURRENT_DATE - due_on <= 0 THEN 'not due'
		WHEN CURRENT_DATE - due_on <= 30 THEN '1-30'
		WHEN CURRENT_DATE - due_on <= 60 THEN '31-60'
		ELSE '60+'
	END AS bucket,
	count(*) AS invoices,
	sum(total) AS amount
FROM billing.invoices
WHERE status = 'sent'
GROUP BY bucket;

SELECT chapter, count(*) AS codes, count(parent_code) AS with_parent, count(DISTINCT parent_code) AS parents
FROM icd_codes
GROUP BY chapter
ORDER BY codes DESC OFFSET 2 ROWS FETCH NEXT 5 ROWS ONLY;

(SELECT 'visit' AS what, id::text, started_at AS at FROM visits ORDER BY started_at DESC LIMIT 5)
UNION ALL
(SELECT 'order', id::text, ordered_at FROM lab_orders ORDER BY ordered_at DESC LIMIT 5)
ORDER BY at DESC;

SELECT patient_id FROM visits WHERE kind = 'emergency'
INTERSECT
SELECT patient_id FROM prescriptions WHERE status = 'active'
EXCEPT
SELECT id FROM patients WHERE deceased_at IS NOT NULL;

SELECT id FROM staff
EXCEPT ALL
(SELECT attending_id FROM visits UNION SELECT ordered_by FROM lab_orders)
ORDER BY id;

SELECT corr(m.value, n.value) AS r, regr_slope(m.value, n.value) AS slope, covar_pop(m.value, n.value)
FROM measurements m JOIN measurements n ON n.visit_id = m.visit_id
WHERE m.loinc = '8480-6' AND n.loinc = '29463-7';

SELECT to_char(started_at AT TIME ZONE 'Europe/Vienna', 'Dy HH24') AS slot, count(*) AS c
FROM visits
GROUP BY to_char(started_at AT TIME ZONE 'Europe/Vienna', 'Dy HH24')
ORDER BY count(*) DESC
LIMIT 10;

SELECT bool_and(is_active) AS all_active, bool_or(left_on > CURRENT_DATE) AS someone_leaves, every(email IS NOT NULL)
FROM staff;

SELECT d.name,
       (SELECT count(*) FROM staff s WHERE s.department_id = d.id AND s.role = 'nurse') AS nurses,
       (SELECT sum(beds) FROM rooms WHERE department_id = d.id AND kind IN ('ward', 'icu')) AS beds
FROM departments d
WHERE d.closed_on IS NULL;

SELECT count(*) AS "Total", count(*) FILTER (WHERE "status" = 'DONE') AS "Done", avg("durationMin") AS "Average minutes"
FROM "Appointment"
WHERE "startsAt" >= date_trunc('month', now());

SELECT g.day::date, count(v.id) AS visits
FROM generate_series(date '2025-01-01', date '2025-01-31', interval '1 day') AS g (day)
LEFT JOIN visits v ON v.started_at >= g.day AND v.started_at < g.day + interval '1 day'
GROUP BY g.day
ORDER BY g.day;

SELECT method, count(*), sum(amount), stddev_samp(amount), max(paid_at)::date AS last
FROM billing.payments
GROUP BY method
HAVING sum(amount) > ALL (SELECT avg(total) FROM billing.invoices GROUP BY payer_id);

select coalesce(unit, '?') as unit, count(*) from measurements group by unit having count(*) > 1 order by unit;

SELECT tag, count(*) FROM patients, unnest(tags) tag GROUP BY tag ORDER BY 2 DESC, 1;

SELECT skill, array_length(array_agg(id), 1) AS people
FROM (SELECT id, unnest(skills) AS skill FROM staff) s
GROUP BY skill;

SELECT
    v.department_id AS department,
    sum(extract(epoch from coalesce(v.ended_at, now()) - v.started_at) / 86400)::int AS bed_days
FROM visits AS v
WHERE v.kind = 'inpatient' AND v.stay && tstzrange('2025-01-01', '2025-02-01')
GROUP BY department
ORDER BY bed_days;

SELECT name, open_invoices FROM billing.payers p, LATERAL (SELECT count(*) FROM billing.invoices i WHERE i.payer_id = p.id AND i.status = 'sent') AS o (open_invoices)
WHERE open_invoices > 0;

SELECT year, q1, q2, q3, q4
FROM (
    SELECT extract(year FROM issued_on)::int AS year,
           sum(total) FILTER (WHERE extract(quarter FROM issued_on) = 1) AS q1,
           sum(total) FILTER (WHERE extract(quarter FROM issued_on) = 2) AS q2,
           sum(total) FILTER (WHERE extract(quarter FROM issued_on) = 3) AS q3,
           sum(total) FILTER (WHERE extract(quarter FROM issued_on) = 4) AS q4
    FROM billing.invoices
    WHERE issued_on IS NOT NULL
    GROUP BY 1
) AS by_year
ORDER BY year;

SELECT "entityType", "createdAt"::date AS day, count(DISTINCT "userId") AS users FROM "AuditLogs" GROUP BY "entityType", day;

SELECT form, count(*) FROM medications GROUP BY DISTINCT ROLLUP (form, is_controlled), ROLLUP (form);

SELECT concat_ws(' ', s.given_name, upper(s.family_name)) AS name, age(s.hired_on) AS seniority
FROM staff AS s
ORDER BY seniority DESC NULLS LAST, s.family_name COLLATE "de-x-icu", name
FETCH FIRST 10 ROWS WITH TIES;

TABLE department_load ORDER BY visits DESC LIMIT 3;

SELECT length(title) AS len, title FROM icd_codes ORDER BY length(title) DESC, title USING < LIMIT ALL OFFSET 5;

SELECT 100 * (count(*) FILTER (WHERE readmitted))::float8 / count(*) AS readmission_rate
FROM (
    SELECT EXISTS (
        SELECT 1 FROM visits later
        WHERE later.patient_id = v.patient_id
          AND later.kind = 'inpatient'
          AND later.started_at > v.ended_at
          AND later.started_at <= v.ended_at + interval '30' day
    ) AS readmitted
    FROM visits v
    WHERE v.kind = 'inpatient' AND v.status = 'finished'
) s;

SELECT month, billed, lag(billed) OVER w AS previous, round(100 * (billed / lag(billed) OVER w - 1), 1) AS growth
FROM (SELECT month, sum(billed) AS billed FROM billing.monthly_revenue GROUP BY month) m
WINDOW w AS (ORDER BY month);

SELECT p.mrn, p.family_name FROM patients p WHERE (SELECT count(*) FROM visits v WHERE v.patient_id = p.id AND v.status = 'no_show') >= 3 ORDER BY family_name, mrn;
