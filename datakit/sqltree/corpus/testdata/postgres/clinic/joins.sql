SELECT v.id, v.started_at, p.given_name, p.family_name, s.full_name AS attending
FROM visits v
JOIN patients p ON p.id = v.patient_id
LEFT JOIN staff s ON s.id = v.attending_id
WHERE v.status = 'in_progress'
ORDER BY v.started_at;

-- rooms that nobody uses
select r.number, r.kind, d.name
from rooms r
join departments d on d.id = r.department_id
left join visits v on v.room_id = r.id and v.ended_at is null
where v.id is null;

SELECT visit_id, code, title
FROM visit_diagnoses
JOIN icd_codes USING (code)
WHERE is_primary;

SELECT vd.visit_id, code, c.title, parent.title AS group_title
FROM visit_diagnoses vd
INNER JOIN icd_codes c USING (code)
LEFT OUTER JOIN (SELECT code AS parent_code, title FROM icd_codes) AS parent USING (parent_code)
ORDER BY code, vd.rank, parent_code;

SELECT * FROM visit_diagnoses NATURAL JOIN icd_codes;

SELECT boss.full_name AS manager, array_agg(emp.full_name ORDER BY emp.family_name) AS reports
FROM staff emp
JOIN staff boss ON boss.id = emp.manager_id
GROUP BY boss.id;

SELECT coalesce(i.visit_id, v.id) AS visit, i.number, v.status
FROM billing.invoices i
FULL JOIN visits v ON v.id = i.visit_id
WHERE i.id IS NULL OR v.id IS NULL;

SELECT d.code, k.kind
FROM departments d
CROSS JOIN (VALUES ('outpatient'), ('inpatient')) AS k (kind)
ORDER BY 1, 2;

SELECT p.mrn, last_visit.started_at, last_visit.kind
FROM patients p
CROSS JOIN LATERAL (
    SELECT v.started_at, v.kind
    FROM visits v
    WHERE v.patient_id = p.id
    ORDER BY v.started_at DESC
    LIMIT 1
) AS last_visit;

SELECT p.mrn, lv.*
FROM patients AS p
LEFT JOIN LATERAL (
  SELECT id AS visit_id, started_at, ended_at FROM visits WHERE patient_id = p.id ORDER BY started_at DESC FETCH FIRST ROW ONLY
) lv ON TRUE
WHERE p.deceased_at IS NULL;

SELECT a.full_name, b.full_name, a.during * b.during AS overlap
FROM (shifts JOIN staff ON staff.id = shifts.staff_id) AS a (shift_id, s_staff, dep, during, on_call, swapped, comment, staff_pk, st_dep, mgr, role, gn, fn, full_name)
JOIN (shifts JOIN staff ON staff.id = shifts.staff_id) AS b (shift_id, s_staff, dep, during, on_call, swapped, comment, staff_pk, st_dep, mgr, role, gn, fn, full_name)
  ON a.during && b.during AND a.dep = b.dep AND a.shift_id < b.shift_id;

SELECT p.id FROM patients p WHERE EXISTS (SELECT 1 FROM visits v WHERE v.patient_id = p.id AND v.kind = 'emergency');

SELECT p.mrn
FROM patients p
WHERE NOT EXISTS (
    SELECT FROM visits
    WHERE patient_id = p.id
      AND started_at > now() - interval '1 year'
);

SELECT name FROM medications m
WHERE m.id IN (SELECT medication_id FROM prescriptions WHERE valid @> CURRENT_DATE)
  AND m.id NOT IN (SELECT unnest(interactions) FROM medications);

SELECT s.full_name
     , d.name
     , r.number
  FROM staff AS s
  JOIN rooms AS r
 USING (department_id)
  JOIN departments AS d
    ON d.id = department_id
   AND d.id = s.department_id;

SELECT v1.patient_id, v1.started_at AS first_visit, v2.started_at AS readmission
FROM visits v1, visits v2
WHERE v1.patient_id = v2.patient_id
  AND v1.id <> v2.id
  AND v2.started_at BETWEEN v1.ended_at AND v1.ended_at + INTERVAL '30 days'
  AND (v1.kind, v2.kind) = ('inpatient', 'inpatient');

SELECT l.invoice_id, l.line_no, t.price - l.unit_price AS deviation
FROM billing.invoice_lines l
JOIN billing.invoices i ON i.id = l.invoice_id
JOIN billing.tariffs t ON t.service_code = l.service_code AND t.valid @> i.issued_on
WHERE t.price IS DISTINCT FROM l.unit_price;

SELECT d.name, s.full_name, sh.during
FROM departments d
  LEFT JOIN (staff s INNER JOIN shifts sh ON sh.staff_id = s.id AND sh.on_call) ON s.department_id = d.id;

SELECT public.visits.id, billing.invoices.number FROM public.visits, billing.invoices WHERE billing.invoices.visit_id = public.visits.id;

SELECT x.n, x.id FROM (SELECT row_number() OVER () AS n, id FROM rooms) x RIGHT JOIN generate_series(1, 20) AS g (n) ON g.n = x.n;

SELECT j.id, j.code, j.full_name
FROM (departments d JOIN active_staff a ON a.department_code = d.code) AS j (id, code, name, parent_id, floor, opened_on, closed_on, phones, settings, staff_id, full_name);

SELECT visits.patient_id, patients.mrn FROM visits JOIN patients ON patients.id = patient_id;

SELECT joined.code, visit_diagnoses.rank, parent_code
FROM visit_diagnoses JOIN icd_codes USING (code) AS joined
WHERE joined.code LIKE 'I1%';

select department_id, count(*) from (select department_id, role from staff) s natural full join (select department_id, on_call from shifts) h group by department_id;

SELECT lo.id, lo.status, s.full_name AS ordered_by, p.family_name
FROM lab_orders lo
JOIN visits v ON lo.visit_id = v.id
JOIN patients p ON p.id = v.patient_id
JOIN staff s ON s.id = lo.ordered_by
WHERE lo.resulted_at IS NULL AND lo.ordered_at < now() - '4 hours'::interval
ORDER BY lo.priority, lo.ordered_at;

SELECT m.patient_id, m.value AS systolic, n.value AS diastolic, m.measured_at
FROM measurements m
JOIN measurements n USING (patient_id, measured_at)
WHERE m.loinc = '8480-6' AND n.loinc = '8462-4';

SELECT patient_id, measured_at, a.value, b.value, c.value
FROM measurements a
JOIN measurements b USING (patient_id, measured_at)
JOIN measurements c USING (measured_at, patient_id)
WHERE a.loinc = '8480-6' AND b.loinc = '8462-4' AND c.loinc = '8867-4';

SELECT pr.id, m.name, other.name AS interacts_with
FROM prescriptions pr
JOIN medications m ON m.id = pr.medication_id
JOIN LATERAL unnest(m.interactions) WITH ORDINALITY AS i (med_id, pos) ON true
JOIN medications other ON other.id = i.med_id
JOIN prescriptions pr2 ON pr2.patient_id = pr.patient_id AND pr2.medication_id = other.id
WHERE pr.valid && pr2.valid;

SELECT dl.name, dl.visits, dl.avg_stay, pd.patients
FROM department_load dl
LEFT JOIN (
    SELECT v.department_id, count(DISTINCT v.patient_id) AS patients
    FROM visits v
    GROUP BY v.department_id
) pd USING (department_id)
ORDER BY dl.visits DESC NULLS LAST;

SELECT i.number, py.name payer, pt.mrn patient
FROM billing.invoices i
  LEFT JOIN billing.payers py ON py.id = i.payer_id
  JOIN patients pt ON pt.id = i.patient_id
WHERE i.due_on < CURRENT_DATE AND i.status = 'sent';

SELECT (visit.patient).mrn, (visit.patient).address
FROM (SELECT p AS patient FROM patients p) AS visit;

SELECT st.id, st.role FROM staff st JOIN "User" u ON u."staffId" = st.id WHERE 'admin' = ANY (u."roles");

SELECT DISTINCT s.department_id, r.department_id
FROM staff s
FULL OUTER JOIN rooms r ON s.department_id = r.department_id
WHERE s.id IS NULL OR r.id IS NULL;

/* which physicians saw which chapter */
SELECT s.full_name, c.chapter, count(*) AS n
FROM staff s
JOIN visits v ON v.attending_id = s.id
JOIN visit_diagnoses d ON d.visit_id = v.id
JOIN icd_codes c ON c.code = d.code
WHERE s.role = 'physician'
GROUP BY s.full_name, c.chapter
HAVING count(*) >= 5
ORDER BY n DESC, s.full_name;

SELECT patients.* FROM patients, LATERAL (SELECT count(*) AS n FROM visits WHERE visits.patient_id = patients.id) AS c WHERE c.n > 10;

SELECT e.happened_at, e.what, p.mrn
FROM patients p, patient_events(p.id) AS e
WHERE e.happened_at >= date_trunc('day', now());

SELECT p.id, ev.at, ev.payload ->> 'reason' AS reason
FROM patients p
LEFT JOIN LATERAL patient_events(p.id) AS ev (at, label, payload) ON ev.label = 'visit';

SELECT dep.name, sub.name AS parent_name, sub2.name AS grandparent_name
FROM departments dep
LEFT JOIN departments sub
LEFT JOIN departments sub2 ON sub2.id = sub.parent_id
ON sub.id = dep.parent_id;

SELECT a.id FROM shifts a JOIN shifts b ON a.swapped_with = b.id AND b.swapped_with = a.id WHERE a.id < b.id;

SELECT ua."startsAt", ua.mrn, st.full_name FROM "UpcomingAppointments" ua JOIN staff st ON st.id = ua."staffId" WHERE ua."endsAt" < now() + interval '2h';

SELECT p.mrn, t.tag, count(*) OVER (PARTITION BY t.tag)
FROM patients p CROSS JOIN unnest(p.tags) AS t (tag);

SELECT o.id, x.*
FROM lab_orders o,
     XMLTABLE('/report/analyte' PASSING o.document
              COLUMNS code text PATH '@code',
                      result numeric PATH 'value',
                      unit text PATH 'value/@unit' DEFAULT 'n/a',
                      pos FOR ORDINALITY) AS x
WHERE o.document IS NOT NULL AND x.result > 10;

SELECT v.id, v.tableoid::regclass, v.ctid, v.xmin FROM visits v TABLESAMPLE BERNOULLI (2.5) REPEATABLE (42) WHERE v.kind = 'telehealth';

SELECT t.department_id, t.n, d.name
FROM (
  SELECT department_id, count(*) n
  FROM visits
  WHERE started_at >= '2025-01-01'
  GROUP BY department_id
) t
INNER JOIN departments d ON d.id = t.department_id AND d.closed_on IS NULL
WHERE t.n > (SELECT avg(c) FROM (SELECT count(*) c FROM visits GROUP BY department_id) q);
