SELECT q.count, q.sum, q.max, q.kind FROM (SELECT count(*), sum(triage_level), max(started_at), kind FROM visits GROUP BY kind) AS q WHERE q.count > 1;

SELECT t.int4, t.mrn, t.text, t.bool, t.float8 FROM (SELECT 1::int4, mrn::varchar(3), 'a'::text, CAST('t' AS bool), 1::double precision FROM patients) t;

SELECT x.jsonb_array_elements ->> 'name' AS device FROM (SELECT jsonb_array_elements(equipment) FROM rooms) x;

SELECT x.unnest, count(*) FROM (SELECT unnest(tags) FROM patients) x GROUP BY x.unnest;

SELECT s.case, s.mrn FROM (SELECT CASE WHEN sex = 'F' THEN 1 ELSE 2 END, mrn FROM patients) s ORDER BY s.case;

SELECT s.sex, s.type FROM (SELECT CASE WHEN deceased_at IS NULL THEN 'X' ELSE sex END, pg_typeof(mrn) AS type FROM patients) s;

SELECT z.bmi, z.age FROM (SELECT bmi(80, 1.8), age(birth_date) FROM patients) z WHERE z.bmi > 20;

SELECT z.given_name, z.family_name FROM (SELECT (p).given_name, (p.*).family_name FROM patients p) z;

SELECT z.town, z.zip, z.country FROM (SELECT (address).* FROM patients) AS z (street, town, zip), LATERAL (SELECT z.town AS city) AS c2 (city2), (SELECT 'x' AS city) z2 WHERE z2.city <> c2.city2;

SELECT z.phones, z.b FROM (SELECT phones[1], (phones)[2] AS b FROM patients) z WHERE z.phones LIKE '+%';

SELECT q.title FROM (SELECT title COLLATE "C" FROM icd_codes) q ORDER BY q.title;

SELECT q.row_number, q.sum, q.lag FROM (SELECT row_number() OVER (), sum(total) OVER (ORDER BY id), lag(id) OVER w FROM billing.invoices WINDOW w AS (ORDER BY issued_on)) q;

SELECT q.percentile_cont, q.string_agg FROM (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY total), string_agg(number, ',') FILTER (WHERE total > 0) FROM billing.invoices) q;

SELECT q.name, q.id FROM (SELECT (SELECT d.name FROM departments d WHERE d.id = s.department_id), s.id FROM staff s) q WHERE q.name IS NOT NULL;

SELECT q.current_timestamp, q.localtime, q.session_user, q.current_schema FROM (SELECT current_timestamp, localtime(0), session_user, current_schema) q;

SELECT q.coalesce, q.least, q.nullif, q.xmlelement, q.grouping FROM (SELECT coalesce(floor, 0), least(1, 2), nullif(code, ''), xmlelement(name x), grouping(code, floor) FROM departments GROUP BY code, floor) q;

SELECT q.to_char, q.left, q.right, q.ltrim, q.rtrim, q.is_normalized FROM (SELECT to_char(opened_on, 'YYYY'), left(code, 1), right(code, 1), trim(LEADING FROM code), trim(TRAILING 'x' FROM code), code IS NORMALIZED FROM departments) q;

SELECT v.month FROM (VALUES (date_trunc('month', now())), (NULL)) AS v (month) WHERE v.month IS NOT NULL;

WITH c AS (SELECT count(*) FROM visits), m AS (SELECT max(started_at) FROM visits) SELECT c.count, m.max, count, max FROM c, m;

WITH t AS (SELECT id, upper(code) FROM departments) SELECT t.upper, r.number FROM t JOIN rooms r ON r.department_id = t.id ORDER BY upper;

WITH del AS (DELETE FROM shifts WHERE comment = 'void' RETURNING id, lower(during), staff_id AS who) SELECT del.lower, s.full_name FROM del JOIN staff s ON s.id = del.who;

SELECT sub.visit_id, sub.title FROM (visit_diagnoses NATURAL JOIN icd_codes) AS sub WHERE sub.code = 'I10' AND sub.rank = 1;

SELECT a.code, b.code FROM (icd_codes a LEFT JOIN icd_codes b ON b.parent_code = a.code) WHERE b.code IS NULL;

SELECT code, l.chapter, r.chapter FROM icd_codes l FULL JOIN icd_codes r USING (code) WHERE l.chapter IS DISTINCT FROM r.chapter;

SELECT u.department_id, u.kind FROM (visits v JOIN rooms r USING (department_id)) JOIN departments d ON d.id = department_id, LATERAL (SELECT v.kind, department_id) u;

SELECT j.patient, j.reason FROM (visits v JOIN rooms r ON r.id = v.room_id JOIN LATERAL (SELECT v.kind::text || r.kind AS both_kinds) x ON true) AS j (id, patient, dep, att, room, kind) WHERE j.both_kinds <> '';

SELECT g.i, h.i FROM generate_series(1, 3) AS g (i) JOIN LATERAL generate_series(g.i, 3) AS h (i) ON h.i <> g.i;

SELECT p.mrn FROM patients p WHERE p.id = (SELECT v.patient_id FROM visits v WHERE v.id = (SELECT l.visit_id FROM lab_orders l WHERE l.id = $1 AND p.created_at < l.ordered_at AND v.started_at < l.ordered_at));

SELECT d.name FROM departments d ORDER BY (SELECT count(*) FROM visits v WHERE v.department_id = d.id) DESC, d.name;

SELECT d.code AS c, count(*) FROM departments d JOIN rooms r ON r.department_id = d.id GROUP BY c HAVING sum(r.beds) > (SELECT avg(rr.beds) FROM rooms rr WHERE rr.kind = min(r.kind));

SELECT id, sum(beds) OVER (PARTITION BY (SELECT d.parent_id FROM departments d WHERE d.id = rooms.department_id)) FROM rooms;

SELECT max((SELECT count(*) FROM visits v WHERE v.room_id = r.id)) FROM rooms r;

UPDATE departments SET name = name || ' (closed)' WHERE closed_on IS NOT NULL AND NOT EXISTS (SELECT 1 FROM visits v WHERE v.department_id = departments.id AND v.ended_at IS NULL) RETURNING departments.id, name AS name_now;

UPDATE departments SET parent_id = (SELECT p.id FROM departments p WHERE p.code = left(departments.code, 3) AND p.id <> departments.id) WHERE parent_id IS NULL;

UPDATE rooms SET (beds, equipment) = (SELECT count(*)::smallint, jsonb_agg(v.id) FROM visits v WHERE v.room_id = rooms.id HAVING count(*) > 0), kind = DEFAULT WHERE department_id = 1;

INSERT INTO visit_diagnoses AS vd (visit_id, code) SELECT l.visit_id, 'R79' FROM lab_orders l WHERE l.result @? '$.critical' ON CONFLICT (visit_id, code) DO UPDATE SET (rank, noted_at) = (SELECT vd.rank + 1, max(l2.resulted_at) FROM lab_orders l2 WHERE l2.visit_id = excluded.visit_id) RETURNING vd.code, rank;

INSERT INTO staff (id, department_id, role, given_name, family_name, hired_on) VALUES (DEFAULT, $1, 'clerk', $2, $3, CURRENT_DATE) ON CONFLICT (email) WHERE email IS NOT NULL DO NOTHING RETURNING full_name || id;

MERGE INTO shifts AS s USING (SELECT st.id AS staff_id, st.department_id FROM staff st WHERE st.role = 'nurse') AS src ON s.staff_id = src.staff_id AND s.during @> now()
WHEN MATCHED AND s.department_id <> src.department_id AND EXISTS (SELECT 1 FROM departments d WHERE d.id = src.department_id AND d.floor = 1) THEN UPDATE SET department_id = src.department_id, comment = s.comment || ' moved'
WHEN NOT MATCHED AND src.department_id > 1 THEN INSERT (staff_id, department_id, during) OVERRIDING USER VALUE VALUES (staff_id, src.department_id, tstzrange(now(), NULL));

MERGE INTO visits USING (patients JOIN staff ON staff.id = patients.primary_physician_id) ON patients.id = visits.patient_id WHEN MATCHED AND visits.attending_id IS NULL THEN UPDATE SET attending_id = staff.id;

DELETE FROM rooms USING departments d LEFT JOIN visits v ON v.department_id = d.id WHERE rooms.department_id = d.id AND v.id IS NULL AND (SELECT rooms.beds > 0) RETURNING rooms.number, d.code, v.id;

DELETE FROM patients AS patients_to_go WHERE patients_to_go.id IN (SELECT patients.id FROM patients WHERE patients.tags @> '{test}' AND patients_to_go.created_at = patients.created_at);

(SELECT code, name FROM departments ORDER BY name LIMIT 2) UNION (SELECT code, title FROM icd_codes EXCEPT SELECT code, 'x' FROM departments) ORDER BY name, code OFFSET 1;

SELECT id FROM rooms UNION ALL SELECT floor FROM departments ORDER BY id DESC NULLS LAST FETCH FIRST 2 ROWS ONLY;

SELECT lower(name) AS n FROM departments UNION SELECT 'x' ORDER BY n;

SELECT w.visit_id, ww.visit_id FROM visit_summary w JOIN visit_summary ww ON ww.patient_id = w.patient_id AND ww.started_at > w.started_at + w.length_of_stay WHERE ww.primary_code = w.primary_code;

SELECT DISTINCT s.kind, s.n FROM (SELECT kind, count(*) OVER (PARTITION BY kind) AS n FROM visits) s ORDER BY s.n, kind;

SELECT p.mrn AS "mrn", p."mrn" AS "MRN" FROM patients AS "p" ORDER BY "MRN", "p".id;

SELECT é.naïve FROM (SELECT mrn AS naïve FROM patients) é WHERE é.naïve <> 'ß';

SELECT _1.id$x FROM (SELECT id AS id$x FROM rooms) _1;

SELECT U&"d\0061ta".mrn FROM patients AS U&"d\0061ta";

