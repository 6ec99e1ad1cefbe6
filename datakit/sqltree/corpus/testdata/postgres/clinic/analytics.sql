-- 30-day readmission by discharging physician, only those with a meaningful volume
WITH discharges AS (
    SELECT v.id,
           v.patient_id,
           v.attending_id,
           v.ended_at
    FROM visits v
    WHERE v.kind = 'inpatient'
      AND v.status = 'finished'
      AND v.ended_at >= CURRENT_DATE - INTERVAL '1 year'
),
readmissions AS (
    SELECT d.id,
           EXISTS (
               SELECT 1
               FROM visits r
               WHERE r.patient_id = d.patient_id
                 AND r.id <> d.id
                 AND r.kind IN ('inpatient', 'emergency')
                 AND r.started_at > d.ended_at
                 AND r.started_at < d.ended_at + INTERVAL '30 days'
           ) AS readmitted
    FROM discharges d
)
SELECT s.full_name,
       count(*) AS discharges,
       count(*) FILTER (WHERE r.readmitted) AS readmitted,
       round(100.0 * count(*) FILTER (WHERE r.readmitted) / count(*), 1) AS rate
FROM discharges d
JOIN readmissions r USING (id)
JOIN staff s ON s.id = d.attending_id
GROUP BY s.id
HAVING count(*) >= 30
ORDER BY rate DESC, s.full_name;

SELECT d.name                                         AS department,
       v.triage_level                                 AS level,
       count(*)                                       AS arrivals,
       percentile_cont(0.5) WITHIN GROUP (
           ORDER BY extract(epoch FROM first_lab.ordered_at - v.started_at) / 60
       )                                              AS median_minutes_to_lab,
       count(*) FILTER (WHERE first_lab.ordered_at IS NULL) AS without_lab
FROM visits AS v
INNER JOIN departments AS d
        ON d.id = v.department_id
 LEFT JOIN LATERAL (
        SELECT lo.ordered_at
          FROM lab_orders AS lo
         WHERE lo.visit_id = v.id
         ORDER BY lo.ordered_at
         LIMIT 1
      ) AS first_lab
        ON TRUE
WHERE v.kind = 'emergency'
GROUP BY d.name, v.triage_level
ORDER BY d.name, v.triage_level NULLS LAST;

select
    p.mrn,
    p.family_name,
    latest.value as last_hba1c,
    latest.measured_at as measured_on,
    latest.value - previous.value as change,
    case
        when latest.value >= 9 then 'poor'
        when latest.value >= 7 then 'fair'
        else 'good'
    end as control
from patients p
join lateral (
    select m.value, m.measured_at
    from measurements m
    where m.patient_id = p.id and m.loinc = '4548-4'
    order by m.measured_at desc
    limit 1
) latest on true
left join lateral (
    select m.value
    from measurements m
    where m.patient_id = p.id and m.loinc = '4548-4' and m.measured_at < latest.measured_at
    order by m.measured_at desc
    limit 1
) previous on true
where p.tags @> array['diabetes']
order by control, latest.value desc;

WITH RECURSIVE subtree AS (
    SELECT id, id AS top_id
    FROM departments
    WHERE parent_id IS NULL
    UNION ALL
    SELECT child.id, st.top_id
    FROM subtree st
    JOIN departments child ON child.parent_id = st.id
),
capacity AS (
    SELECT st.top_id,
           sum(r.beds) AS beds,
           count(*) FILTER (WHERE r.kind = 'icu') AS icu_rooms
    FROM subtree st
    JOIN rooms r ON r.department_id = st.id
    GROUP BY st.top_id
),
occupancy AS (
    SELECT st.top_id, count(*) AS occupied
    FROM subtree st
    JOIN visits v ON v.department_id = st.id
    WHERE v.stay @> now() AND v.kind = 'inpatient'
    GROUP BY st.top_id
)
SELECT d.name,
       capacity.beds,
       coalesce(occupancy.occupied, 0) AS occupied,
       capacity.beds - coalesce(occupancy.occupied, 0) AS free,
       capacity.icu_rooms
FROM capacity
JOIN departments d ON d.id = capacity.top_id
LEFT JOIN occupancy USING (top_id)
ORDER BY free;

/*
 * Who is due for a dunning letter: sent, overdue, not paid in full,
 * and no letter in the last fourteen days.
 */
SELECT i.id,
       i.number,
       coalesce(py.name, p.given_name || ' ' || p.family_name) AS debtor,
       (p.address).street,
       (p.address).zip,
       (p.address).city,
       i.total - paid.amount AS open_amount,
       CURRENT_DATE - i.due_on AS days_overdue
FROM billing.invoices i
JOIN patients p ON p.id = i.patient_id
LEFT JOIN billing.payers py ON py.id = i.payer_id
CROSS JOIN LATERAL (
    SELECT coalesce(sum(pm.amount), 0) AS amount
    FROM billing.payments pm
    WHERE pm.invoice_id = i.id
) AS paid
WHERE i.status = 'sent'
  AND i.due_on < CURRENT_DATE
  AND paid.amount < i.total
  AND NOT EXISTS (
      SELECT *
      FROM "AuditLogs" l
      WHERE l."entityType" = 'dunning'
        AND l."entityId" = i.number
        AND l."createdAt" > now() - INTERVAL '14 days'
  )
ORDER BY days_overdue DESC
FETCH FIRST 200 ROWS ONLY;

SELECT
	month.month_start::date AS month,
	dept.code,
	coalesce(stats.visits, 0) AS visits,
	coalesce(stats.patients, 0) AS patients,
	coalesce(stats.visits, 0) - lag(coalesce(stats.visits, 0)) OVER (PARTITION BY dept.id ORDER BY month.month_start) AS vs_last_month,
	sum(coalesce(stats.visits, 0)) OVER (PARTITION BY dept.id, extract(year FROM month.month_start) ORDER BY month.month_start) AS year_to_date
FROM generate_series(timestamptz '2024-01-01', '2025-12-01', '1 month') AS month (month_start)
CROSS JOIN departments AS dept
LEFT JOIN (
	SELECT
		v.department_id,
		date_trunc('month', v.started_at) AS m,
		count(*) AS visits,
		count(DISTINCT v.patient_id) AS patients
	FROM visits AS v
	WHERE v.status NOT IN ('cancelled', 'no_show')
	GROUP BY v.department_id, m
) AS stats ON stats.department_id = dept.id AND stats.m = month.month_start
WHERE dept.closed_on IS NULL OR dept.closed_on > month.month_start
ORDER BY dept.code, month;

WITH shift_hours AS (
    SELECT
        sh.staff_id
        , date_trunc('week', lower(sh.during)) AS week
        , extract(epoch FROM upper(sh.during) - lower(sh.during)) / 3600 AS hours
        , extract(isodow FROM lower(sh.during)) IN (6, 7) AS weekend
        , lower(sh.during)::time >= '20:00' OR upper(sh.during)::time <= '06:00' AS night
    FROM shifts sh
    WHERE NOT sh.on_call
)
, per_week AS (
    SELECT
        staff_id
        , week
        , sum(hours) AS hours
        , sum(hours) FILTER (WHERE weekend) AS weekend_hours
        , sum(hours) FILTER (WHERE night) AS night_hours
    FROM shift_hours
    GROUP BY staff_id, week
)
SELECT
    s.full_name
    , pw.week::date
    , pw.hours
    , greatest(pw.hours - 40, 0) AS overtime
    , s.hourly_rate * (pw.hours + 0.5 * greatest(pw.hours - 40, 0) + 0.25 * coalesce(pw.weekend_hours, 0) + 0.3 * coalesce(pw.night_hours, 0)) AS pay
FROM per_week pw
JOIN staff s ON s.id = pw.staff_id
WHERE pw.week = date_trunc('week', now() - interval '1 week')
ORDER BY pay DESC NULLS LAST;

SELECT c.chapter,
       c.code,
       c.title,
       usage.n,
       usage.n - coalesce(last_year.n, 0) AS change,
       dense_rank() OVER (PARTITION BY c.chapter ORDER BY usage.n DESC) AS place
FROM icd_codes c
JOIN (
    SELECT vd.code, count(*) AS n
    FROM visit_diagnoses vd
    WHERE vd.noted_at >= date_trunc('year', now())
    GROUP BY vd.code
) usage ON usage.code = c.code
LEFT JOIN (
    SELECT vd.code, count(*) AS n
    FROM visit_diagnoses vd
    WHERE vd.noted_at >= date_trunc('year', now()) - interval '1 year'
      AND vd.noted_at < date_trunc('year', now())
    GROUP BY vd.code
) last_year ON last_year.code = usage.code
WHERE c.parent_code IS NOT NULL
ORDER BY c.chapter, place, c.code;

SELECT a.patient_id,
       p.mrn,
       ma.name AS first_drug,
       mb.name AS second_drug,
       lower(a.valid * b.valid) AS overlap_from,
       upper(a.valid * b.valid) AS overlap_to
FROM prescriptions a
JOIN prescriptions b
  ON b.patient_id = a.patient_id
 AND b.valid && a.valid
 AND b.id > a.id
JOIN medications ma ON ma.id = a.medication_id
JOIN medications mb ON mb.id = b.medication_id
JOIN patients p ON p.id = a.patient_id
WHERE a.status = 'active'
  AND b.status = 'active'
  AND (mb.id = ANY (ma.interactions) OR ma.id = ANY (mb.interactions))
  AND p.deceased_at IS NULL
ORDER BY p.mrn, overlap_from;

INSERT INTO billing.invoice_lines (invoice_id, line_no, service_code, description, quantity, unit_price)
SELECT i.id,
       coalesce((SELECT max(x.line_no) FROM billing.invoice_lines x WHERE x.invoice_id = i.id), 0)
           + row_number() OVER (PARTITION BY i.id ORDER BY t.service_code),
       t.service_code,
       t.title,
       count(*),
       t.price
FROM lab_orders lo
CROSS JOIN LATERAL unnest(lo.panel) AS ordered (test)
JOIN billing.invoices i ON i.visit_id = lo.visit_id AND i.status = 'draft'
JOIN billing.tariffs t
  ON t.service_code = 'LAB-' || ordered.test
 AND t.valid @> coalesce(lo.collected_at, lo.ordered_at)::date
WHERE lo.status = 'final'
GROUP BY i.id, t.service_code, t.title, t.price
ON CONFLICT (invoice_id, line_no) DO UPDATE
    SET quantity = billing.invoice_lines.quantity + excluded.quantity
RETURNING invoice_id, line_no, amount;

WITH candidates AS (
    SELECT a.id AS a_id,
           b.id AS b_id,
           a.mrn AS a_mrn,
           b.mrn AS b_mrn,
           (a.birth_date = b.birth_date)::int
             + (a.email = b.email)::int
             + (a.phones && b.phones)::int
             + ((a.address).zip = (b.address).zip)::int AS score
    FROM patients a
    JOIN patients b
      ON lower(a.family_name) = lower(b.family_name)
     AND left(a.given_name, 1) = left(b.given_name, 1)
     AND a.id < b.id
),
likely AS (
    SELECT *
    FROM candidates
    WHERE score >= 2
)
SELECT l.a_mrn,
       l.b_mrn,
       l.score,
       (SELECT count(*) FROM visits v WHERE v.patient_id = l.a_id) AS a_visits,
       (SELECT count(*) FROM visits v WHERE v.patient_id = l.b_id) AS b_visits
FROM likely l
ORDER BY l.score DESC, greatest(l.a_mrn, l.b_mrn);

SELECT
    "u"."displayName",
    "s"."full_name",
    count(*) FILTER (WHERE "l"."entityType" = 'patient') AS "patientEdits",
    count(*) FILTER (WHERE "l"."entityType" = 'visit') AS "visitEdits",
    min("l"."createdAt") AS "firstSeen",
    max("l"."createdAt") AS "lastSeen",
    array_agg(DISTINCT host("l"."ip")) AS "addresses"
FROM "User" AS "u"
LEFT JOIN "staff" AS "s"
    ON "s"."id" = "u"."staffId"
INNER JOIN "AuditLogs" AS "l"
    ON "l"."userId" = "u"."id"
    AND "l"."createdAt" >= now() - interval '30 days'
WHERE NOT ('system' = ANY ("u"."roles"))
GROUP BY
    "u"."id",
    "s"."id"
HAVING count(DISTINCT "l"."ip") > 3
ORDER BY "lastSeen" DESC;

WITH series AS (
    SELECT m.patient_id,
           m.measured_at,
           m.value,
           m.value - avg(m.value) OVER past AS deviation,
           stddev_samp(m.value) OVER past AS spread,
           count(*) OVER past AS n
    FROM measurements m
    WHERE m.loinc = '8480-6'
    WINDOW past AS (
        PARTITION BY m.patient_id
        ORDER BY m.measured_at
        ROWS BETWEEN 10 PRECEDING AND 1 PRECEDING
    )
)
SELECT p.mrn,
       s.measured_at,
       s.value,
       round(s.deviation / nullif(s.spread, 0), 2) AS z,
       coalesce(ph.full_name, '(nobody)') AS notify
FROM series s
JOIN patients p ON p.id = s.patient_id
LEFT JOIN staff ph ON ph.id = p.primary_physician_id AND ph.is_active
WHERE s.n >= 5
  AND abs(s.deviation) > 3 * s.spread
ORDER BY s.measured_at DESC;

SELECT q.department,
       q.kind,
       q.stay_days,
       q.bucket_count,
       round(100 * q.bucket_count / sum(q.bucket_count) OVER (PARTITION BY q.department, q.kind), 1) AS pct
FROM (
    SELECT d.code AS department,
           v.kind,
           CASE
               WHEN v.ended_at - v.started_at < interval '1 day' THEN 0
               WHEN v.ended_at - v.started_at < interval '3 days' THEN 1
               WHEN v.ended_at - v.started_at < interval '7 days' THEN 3
               ELSE 7
           END AS stay_days,
           count(*) AS bucket_count
    FROM departments d
    JOIN visits v ON v.department_id = d.id
    WHERE v.ended_at IS NOT NULL
    GROUP BY d.code, v.kind, stay_days
) AS q
WHERE q.bucket_count > 1
ORDER BY q.department, q.kind, q.stay_days;

UPDATE patients AS p
SET primary_physician_id = best.attending_id,
    updated_at = now(),
    tags = CASE
               WHEN 'reassigned' = ANY (p.tags) THEN p.tags
               ELSE array_append(p.tags, 'reassigned')
           END
FROM (
    SELECT DISTINCT ON (v.patient_id)
           v.patient_id,
           v.attending_id
    FROM visits v
    JOIN staff s ON s.id = v.attending_id
    WHERE s.is_active
      AND s.role = 'physician'
    GROUP BY v.patient_id, v.attending_id
    ORDER BY v.patient_id, count(*) DESC, max(v.started_at) DESC
) AS best
WHERE best.patient_id = p.id
  AND EXISTS (
      SELECT 1
      FROM staff gone
      WHERE gone.id = p.primary_physician_id
        AND (NOT gone.is_active OR gone.left_on <= CURRENT_DATE)
  )
RETURNING p.id, p.mrn, best.attending_id AS new_physician;

WITH bounds AS (
    SELECT min(started_at) AS lo, max(started_at) AS hi
    FROM visits
    WHERE department_id = $1
),
slots AS (
    SELECT slot
    FROM bounds,
         generate_series(date_trunc('hour', bounds.lo), bounds.hi, interval '1 hour') AS slot
),
load AS (
    SELECT slots.slot,
           count(v.id) AS present,
           count(v.id) FILTER (WHERE v.triage_level <= 2) AS urgent
    FROM slots
    LEFT JOIN visits v
           ON v.department_id = $1
          AND v.stay @> slots.slot
    GROUP BY slots.slot
)
SELECT extract(isodow FROM slot) AS dow,
       extract(hour FROM slot) AS hour,
       avg(present) AS mean_present,
       max(present) AS peak_present,
       avg(urgent) AS mean_urgent
FROM load
GROUP BY GROUPING SETS ((extract(isodow FROM slot), extract(hour FROM slot)), (extract(isodow FROM slot)), ())
ORDER BY 1 NULLS FIRST, 2 NULLS FIRST;

SELECT v.id AS visit_id,
       jsonb_build_object(
           'patient', jsonb_build_object('mrn', p.mrn, 'born', p.birth_date, 'city', (p.address).city),
           'diagnoses', coalesce(dx.list, '[]'::jsonb),
           'orders', coalesce(
               (
                   SELECT jsonb_agg(jsonb_build_object('panel', lo.panel, 'status', lo.status) ORDER BY lo.ordered_at)
                   FROM lab_orders lo
                   WHERE lo.visit_id = v.id
               ),
               '[]'::jsonb
           ),
           'medication', to_jsonb(rx.names)
       ) AS letter
FROM visits v
JOIN patients p ON p.id = v.patient_id
LEFT JOIN LATERAL (
    SELECT jsonb_agg(jsonb_build_object('code', vd.code, 'title', c.title) ORDER BY vd.rank) AS list
    FROM visit_diagnoses vd
    JOIN icd_codes c USING (code)
    WHERE vd.visit_id = v.id
) dx ON true
LEFT JOIN LATERAL (
    SELECT array_agg(m.name || coalesce(' ' || m.strength, '') ORDER BY m.name) AS names
    FROM prescriptions r
    JOIN medications m ON m.id = r.medication_id
    WHERE r.visit_id = v.id
) rx ON true
WHERE v.ended_at::date = CURRENT_DATE - 1;

select s.id, s.full_name, 'no licence' as finding
from staff s
where s.role in ('physician', 'pharmacist') and s.licence_no is null and s.is_active

union all

select s.id, s.full_name, 'prescribed after leaving'
from staff s
where exists (
    select 1
    from prescriptions pr
    where pr.prescriber_id = s.id
      and pr.created_at::date > s.left_on
)

union all

select s.id, s.full_name, 'reports to nobody'
from staff s
left join staff boss on boss.id = s.manager_id
where boss.id is null
  and s.id not in (select manager_id from staff where manager_id is not null)

union all

(
    select st.id, st.full_name, 'double shift on ' || to_char(min(lower(a.during)), 'YYYY-MM-DD')
    from staff st
    join shifts a on a.staff_id = st.id
    join shifts b on b.staff_id = st.id and b.id > a.id and b.during && a.during
    group by st.id
    limit 50
)
order by finding, full_name;

CREATE TABLE billing.revenue_2025 AS
WITH lines AS (
    SELECT i.issued_on,
           i.payer_id,
           l.service_code,
           l.quantity,
           l.amount
    FROM billing.invoice_lines l
    JOIN billing.invoices i ON i.id = l.invoice_id
    WHERE i.issued_on >= DATE '2025-01-01'
      AND i.issued_on < DATE '2026-01-01'
      AND i.status IN ('sent', 'paid')
)
SELECT date_trunc('month', lines.issued_on)::date AS month,
       coalesce(py.name, 'self-payer') AS payer,
       lines.service_code,
       min(t.title) AS title,
       sum(lines.quantity) AS quantity,
       sum(lines.amount) AS amount
FROM lines
LEFT JOIN billing.payers py ON py.id = lines.payer_id
LEFT JOIN billing.tariffs t ON t.service_code = lines.service_code AND t.valid @> lines.issued_on
GROUP BY ROLLUP (1, 2), lines.service_code;

WITH steps AS (
    SELECT lo.id,
           v.department_id,
           lo.ordered_at,
           lo.collected_at,
           lo.resulted_at,
           (SELECT min(a."createdAt")
            FROM "AuditLogs" a
            WHERE a."entityType" = 'lab_order'
              AND a."entityId" = lo.id::text
              AND a."changes" -> 'after' ? 'read') AS read_at
    FROM lab_orders lo
    JOIN visits v ON v.id = lo.visit_id
),
long AS (
    SELECT s.department_id, step.name, step.seconds
    FROM steps s
    CROSS JOIN LATERAL (
        VALUES ('collect', extract(epoch FROM s.collected_at - s.ordered_at)),
               ('analyse', extract(epoch FROM s.resulted_at - s.collected_at)),
               ('read', extract(epoch FROM s.read_at - s.resulted_at))
    ) AS step (name, seconds)
    WHERE step.seconds IS NOT NULL
)
SELECT d.code,
       long.name AS step,
       count(*) AS n,
       make_interval(secs => avg(long.seconds)::float8) AS mean,
       make_interval(secs => percentile_disc(0.95) WITHIN GROUP (ORDER BY long.seconds)::float8) AS p95
FROM long
JOIN departments d ON d.id = long.department_id
GROUP BY d.code, long.name
ORDER BY d.code, array_position(ARRAY['collect', 'analyse', 'read'], long.name);

SELECT
  ap."startsAt" AS slot,
  st.full_name AS physician,
  pt.mrn,
  history.visits AS earlier_visits,
  history.no_shows,
  round(history.no_shows::numeric / nullif(history.visits, 0), 2) AS no_show_rate,
  CASE WHEN ap."metadata" @> '{"interpreter": true}' THEN ap."metadata" ->> 'language' END AS interpreter
FROM "Appointment" ap
  JOIN staff st ON st.id = ap."staffId"
  JOIN patients pt ON pt.id = ap."patientId"
  , LATERAL (
    SELECT count(*) AS visits, count(*) FILTER (WHERE vi.status = 'no_show') AS no_shows
    FROM visits vi
    WHERE vi.patient_id = pt.id AND vi.started_at < ap."startsAt"
  ) AS history
WHERE ap."startsAt" >= date_trunc('day', now()) + interval '1 day'
  AND ap."startsAt" < date_trunc('day', now()) + interval '2 days'
  AND ap."status" <> 'CANCELED'
ORDER BY st.family_name, slot;

MERGE INTO billing.payers AS target
USING (
    SELECT coalesce(p.insurance ->> 'carrier', 'unknown') AS name,
           min(lower(p.insurance ->> 'kind')) AS kind,
           jsonb_build_object('members', count(*), 'cities', jsonb_agg(DISTINCT (p.address).city)) AS contact
    FROM patients p
    WHERE p.insurance IS NOT NULL
    GROUP BY 1
) AS source
ON target.name = source.name
WHEN MATCHED AND target.contact IS DISTINCT FROM source.contact THEN
    UPDATE SET contact = coalesce(target.contact, '{}') || source.contact,
               kind = coalesce(source.kind, target.kind)
WHEN NOT MATCHED AND source.name <> 'unknown' THEN
    INSERT (name, kind, contact, contract)
    VALUES (source.name, coalesce(source.kind, 'insurer'), source.contact, daterange(CURRENT_DATE, NULL));

WITH ranked AS (
    SELECT vs.department_id,
           vs.primary_code,
           count(*) AS cases,
           avg(vs.length_of_stay) AS mean_stay,
           row_number() OVER (PARTITION BY vs.department_id ORDER BY count(*) DESC, vs.primary_code) AS rn
    FROM visit_summary vs
    WHERE vs.primary_code IS NOT NULL
    GROUP BY vs.department_id, vs.primary_code
), top AS (
    SELECT * FROM ranked WHERE rn <= 5
), rest AS (
    SELECT department_id, NULL::varchar AS primary_code, sum(cases)::bigint AS cases, avg(mean_stay) AS mean_stay, 6::bigint AS rn
    FROM ranked
    WHERE rn > 5
    GROUP BY department_id
)
SELECT dl.name,
       coalesce(ic.title, 'other') AS diagnosis,
       u.cases,
       u.mean_stay - dl.avg_stay AS against_average
FROM (SELECT * FROM top UNION ALL SELECT * FROM rest) AS u
JOIN department_load dl USING (department_id)
LEFT JOIN icd_codes ic ON ic.code = u.primary_code
ORDER BY dl.name, u.rn;

DELETE FROM shifts s
USING (
    SELECT sh.id,
           row_number() OVER (
               PARTITION BY sh.staff_id, sh.during
               ORDER BY sh.swapped_with NULLS LAST, sh.id
           ) AS copy
    FROM shifts sh
    WHERE lower(sh.during) > now()
) d
WHERE d.id = s.id
  AND d.copy > 1
  AND NOT EXISTS (SELECT 1 FROM shifts ref WHERE ref.swapped_with = s.id)
RETURNING s.staff_id,
          s.during,
          (SELECT st.email FROM staff st WHERE st.id = s.staff_id) AS notify;

SELECT week,
       max(patients) FILTER (WHERE sex = 'F') AS female,
       max(patients) FILTER (WHERE sex = 'M') AS male,
       max(patients) FILTER (WHERE sex NOT IN ('F', 'M')) AS other,
       sum(patients) AS total
FROM (
    SELECT date_trunc('week', p.created_at)::date AS week,
           p.sex,
           count(*) AS patients
    FROM patients p
    WHERE p.created_at > now() - interval '26 weeks'
      AND NOT EXISTS (
          SELECT 1
          FROM patients older
          WHERE older.created_at < p.created_at
            AND (older.family_name, older.birth_date) = (p.family_name, p.birth_date)
      )
    GROUP BY week, p.sex
) AS weekly
GROUP BY week
ORDER BY week;

WITH RECURSIVE contacts AS (
    SELECT v.patient_id, v.room_id, v.stay, 0 AS generation
    FROM visits v
    JOIN patients p ON p.id = v.patient_id
    WHERE p.mrn = $1
      AND v.room_id IS NOT NULL
    UNION
    SELECT other.patient_id, other.room_id, other.stay, c.generation + 1
    FROM contacts c
    JOIN visits other
      ON other.room_id = c.room_id
     AND other.stay && c.stay
     AND other.patient_id <> c.patient_id
    WHERE c.generation < 2
)
SELECT p.mrn,
       p.phones[1] AS phone,
       min(c.generation) AS generation,
       string_agg(DISTINCT r.number, ', ' ORDER BY r.number) AS rooms
FROM contacts c
JOIN patients p ON p.id = c.patient_id
JOIN rooms r ON r.id = c.room_id
WHERE c.generation > 0
GROUP BY p.id
ORDER BY generation, p.mrn;

SELECT i.number,
       i.issued_on,
       json_build_object(
           'lines', (SELECT json_agg(json_build_object('no', l.line_no, 'text', coalesce(l.description, t.title), 'amount', l.amount) ORDER BY l.line_no)
                     FROM billing.invoice_lines l
                     LEFT JOIN billing.tariffs t ON t.service_code = l.service_code AND t.valid @> i.issued_on
                     WHERE l.invoice_id = i.id),
           'payments', (SELECT json_agg(row_to_json(pay))
                        FROM (SELECT pm.paid_at::date AS day, pm.amount, pm.method
                              FROM billing.payments pm
                              WHERE pm.invoice_id = i.id
                              ORDER BY pm.paid_at) AS pay)
       ) AS body
FROM billing.invoices AS i
WHERE i.patient_id = $1
  AND i.status = ANY ($2::text[])
ORDER BY i.issued_on DESC NULLS FIRST
LIMIT 50;

SELECT
    r.number AS room
  , r.beds
  , cal.day::date
  , count(v.id) AS occupied
  , r.beds - count(v.id) AS free
  , array_agg(p.family_name || ' (' || p.sex || ')' ORDER BY v.started_at) FILTER (WHERE v.id IS NOT NULL) AS guests
FROM rooms AS r
CROSS JOIN generate_series(CURRENT_DATE, CURRENT_DATE + 6, interval '1 day') AS cal (day)
LEFT JOIN (visits AS v JOIN patients AS p ON p.id = v.patient_id)
       ON v.room_id = r.id
      AND v.stay && tstzrange(cal.day, cal.day + interval '1 day')
WHERE r.department_id = (SELECT id FROM departments WHERE code = $1)
  AND r.kind = 'ward'
GROUP BY r.id, cal.day
HAVING count(v.id) > r.beds OR count(DISTINCT p.sex) > 1
ORDER BY cal.day, room;

WITH target AS (
    SELECT u."id", u."email"
    FROM "User" u
    WHERE u."lastLoginAt" < now() - interval '18 months'
      AND u."staffId" IS NULL
    ORDER BY u."lastLoginAt"
    LIMIT 500
    FOR UPDATE SKIP LOCKED
),
logs AS (
    UPDATE "AuditLogs" l
    SET "userId" = NULL,
        "changes" = coalesce(l."changes", '{}') || jsonb_build_object('formerUser', md5(t."email"))
    FROM target t
    WHERE l."userId" = t."id"
    RETURNING l."id", t."id" AS "formerId"
),
appointments AS (
    UPDATE "Appointment" SET "createdById" = NULL
    WHERE "createdById" IN (SELECT "id" FROM target)
    RETURNING "id"
),
removed AS (
    DELETE FROM "User" USING target WHERE "User"."id" = target."id"
    RETURNING "User"."id", "User"."createdAt"
)
SELECT (SELECT count(*) FROM removed) AS users,
       (SELECT count(DISTINCT "formerId") FROM logs) AS with_logs,
       (SELECT count(*) FROM appointments) AS appointments,
       (SELECT min("createdAt") FROM removed) AS oldest;
