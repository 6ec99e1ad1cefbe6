SELECT patient_id, started_at, row_number() OVER (PARTITION BY patient_id ORDER BY started_at) AS visit_no
FROM visits;

SELECT patient_id, measured_at, value,
       avg(value) OVER (PARTITION BY patient_id ORDER BY measured_at ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS moving_avg
FROM measurements
WHERE loinc = '8867-4';

select staff_id, during, lead(lower(during)) over (partition by staff_id order by lower(during)) - upper(during) as rest
from shifts
order by staff_id, during;

SELECT department_id, family_name, hourly_rate,
       rank() OVER w AS r, dense_rank() OVER w AS dr, percent_rank() OVER w AS pr, cume_dist() OVER w AS cd, ntile(4) OVER w AS quartile
FROM staff
WINDOW w AS (PARTITION BY department_id ORDER BY hourly_rate DESC);

SELECT id, paid_at, amount, sum(amount) OVER (ORDER BY paid_at, id) AS running
FROM billing.payments
ORDER BY paid_at, id;

SELECT measured_at, value,
       max(value) OVER (ORDER BY measured_at RANGE BETWEEN INTERVAL '24 hours' PRECEDING AND INTERVAL '1 hour' FOLLOWING) AS peak
FROM measurements
WHERE patient_id = $1 AND loinc = $2;

SELECT issued_on, total,
       sum(total) OVER (ORDER BY issued_on GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE CURRENT ROW) AS neighbours,
       sum(total) OVER (ORDER BY issued_on GROUPS 2 PRECEDING EXCLUDE TIES) AS back,
       count(*) OVER (ORDER BY issued_on ROWS UNBOUNDED PRECEDING EXCLUDE GROUP) AS before
FROM billing.invoices;

SELECT *
FROM (
  SELECT v.*, row_number() OVER (PARTITION BY v.patient_id ORDER BY v.started_at DESC) AS rn
  FROM visits v
) latest
WHERE rn = 1;

SELECT name, floor,
       first_value(name) OVER by_floor AS first_on_floor,
       last_value(name) OVER (by_floor ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS last_on_floor,
       nth_value(name, 2) OVER (by_floor RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS second
FROM departments
WINDOW by_floor AS (PARTITION BY floor ORDER BY name);

SELECT d.name, count(*) AS visits, sum(count(*)) OVER () AS total, round(100 * count(*) / sum(count(*)) OVER (), 2) AS pct
FROM visits v JOIN departments d ON d.id = v.department_id
GROUP BY d.name;

SELECT date_trunc('month', started_at) AS month, count(*) AS n,
       count(*) - lag(count(*), 1, 0::bigint) OVER (ORDER BY date_trunc('month', started_at)) AS delta
FROM visits
GROUP BY 1;

SELECT kind, status, count(*) FILTER (WHERE triage_level <= 2) OVER (PARTITION BY kind) AS urgent FROM visits;

WITH gaps AS (
    SELECT patient_id, started_at,
           CASE WHEN started_at - lag(ended_at) OVER (PARTITION BY patient_id ORDER BY started_at) < interval '48 hours' THEN 0 ELSE 1 END AS is_new
    FROM visits
), episodes AS (
    SELECT patient_id, started_at, sum(is_new) OVER (PARTITION BY patient_id ORDER BY started_at) AS episode FROM gaps
)
SELECT patient_id, episode, min(started_at), max(started_at), count(*)
FROM episodes
GROUP BY patient_id, episode;

SELECT s.full_name, rank() OVER (ORDER BY count(v.id) DESC) AS position
FROM staff s LEFT JOIN visits v ON v.attending_id = s.id
GROUP BY s.id
ORDER BY position, s.full_name;

SELECT p.mrn, pr.created_at, m.name,
       array_agg(m.name) OVER (PARTITION BY p.id ORDER BY pr.created_at) AS history
FROM prescriptions pr
JOIN patients p ON p.id = pr.patient_id
JOIN medications m ON m.id = pr.medication_id;

SELECT DISTINCT department_id, max(hourly_rate) OVER (PARTITION BY department_id) AS best FROM staff ORDER BY best DESC;

SELECT number, beds, sum(beds) OVER (PARTITION BY kind ORDER BY number COLLATE "C" DESC NULLS FIRST) FROM rooms;

SELECT patient_id, value - first_value(value) OVER w AS change, w.value
FROM measurements w
WHERE w.loinc = '29463-7'
WINDOW w AS (PARTITION BY w.patient_id ORDER BY w.measured_at);

SELECT q.month, q.billed, avg(q.billed) OVER (three ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS smooth, q.billed - avg(q.billed) OVER three AS residual
FROM (SELECT month, sum(billed) billed FROM billing.monthly_revenue WHERE currency = 'EUR' GROUP BY month) AS q
WINDOW three AS (ORDER BY q.month), unused AS (three);

SELECT id, lag(id, 2) OVER (ORDER BY id) prev2, lead(comment, 1, 'none') OVER (PARTITION BY staff_id ORDER BY id) next_comment FROM shifts;

SELECT "patientId", "startsAt", count(*) OVER (PARTITION BY "patientId", date_trunc('day', "startsAt")) AS "sameDay"
FROM "Appointment"
ORDER BY "sameDay" DESC;

WITH d AS (SELECT patient_id, loinc, count(*) AS dup, min(id) AS keep FROM measurements GROUP BY patient_id, loinc, measured_at, value HAVING count(*) > 1)
SELECT d.*, sum(dup) OVER (ORDER BY keep) FROM d;

DELETE FROM measurements
WHERE (id, measured_at) IN (
    SELECT id, measured_at
    FROM (SELECT id, measured_at, row_number() OVER (PARTITION BY patient_id, loinc, measured_at ORDER BY id) AS copy FROM measurements) x
    WHERE copy > 1
);

SELECT visit_id, code, rank, row_number() OVER (PARTITION BY visit_id ORDER BY rank, noted_at) <> rank AS wrong
FROM visit_diagnoses;

SELECT hour, arrivals, sum(arrivals) OVER (ORDER BY hour) * 1.0 / sum(arrivals) OVER () AS share
FROM (SELECT extract(hour FROM started_at) AS hour, count(*) AS arrivals FROM visits WHERE kind = 'emergency' GROUP BY 1) h
ORDER BY hour;

SELECT payer_id, i.total, i.total > avg(i.total) OVER (PARTITION BY payer_id) AS above FROM billing.invoices i WHERE i.status <> 'void';

SELECT full_name, hired_on,
	count(*) OVER (ORDER BY hired_on RANGE BETWEEN '1 year' PRECEDING AND CURRENT ROW) AS hired_within_year
FROM staff
ORDER BY hired_on;

SELECT v.id, v.department_id, v.started_at
FROM visits v
ORDER BY row_number() OVER (PARTITION BY v.department_id ORDER BY v.started_at), v.department_id;

SELECT string_agg(code, ' > ') OVER (PARTITION BY visit_id ORDER BY noted_at ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS rest FROM visit_diagnoses;

SELECT a.day, a.beds_used, max(a.beds_used) OVER (ORDER BY a.day ROWS 6 PRECEDING) AS weekly_peak
FROM (
    SELECT g.day, count(*) AS beds_used
    FROM generate_series('2025-06-01'::timestamptz, '2025-06-30', '1 day') g(day)
    JOIN visits v ON v.stay @> g.day
    WHERE v.kind = 'inpatient'
    GROUP BY g.day
) a;

SELECT department_id, id, avg(triage_level) OVER (PARTITION BY department_id, kind) - avg(triage_level) OVER (PARTITION BY kind) AS dev
FROM visits
WHERE triage_level IS NOT NULL
LIMIT 100;

SELECT (array_agg(value ORDER BY measured_at DESC))[1:3] AS last_three, patient_id FROM measurements GROUP BY patient_id;

SELECT loinc, regr_slope(value, extract(epoch FROM measured_at)) OVER (PARTITION BY patient_id, loinc) AS trend FROM measurements;

SELECT status, sum(total) AS s, rank() OVER (ORDER BY sum(total) DESC) AS rk FROM billing.invoices GROUP BY status ORDER BY rk;

SELECT i.id, i.number, prev.number AS previous_number
FROM (SELECT id, number, lag(id) OVER o AS prev_id FROM billing.invoices WINDOW o AS (PARTITION BY patient_id ORDER BY issued_on, id)) i
LEFT JOIN billing.invoices prev ON prev.id = i.prev_id;

SELECT role, count(*), jsonb_object_agg(department_id, heads ORDER BY heads) FROM (SELECT role, department_id, count(*) OVER (PARTITION BY role, department_id) AS heads FROM staff) z GROUP BY role;
