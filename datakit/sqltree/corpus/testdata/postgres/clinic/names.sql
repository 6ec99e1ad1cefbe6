SELECT status.status FROM visits AS status WHERE status.status = 'planned';

SELECT visits FROM visits LIMIT 3;

SELECT v, v.*, (v).kind, (v.*)::text FROM visits v WHERE v IS NOT NULL;

SELECT p.full FROM (SELECT given_name || family_name AS "full" FROM patients) p;

SELECT count(p), count(p.*), count(DISTINCT p.mrn) FROM patients p;

SELECT name AS id, id AS name FROM departments ORDER BY name, departments.name DESC;

SELECT code AS name, count(*) FROM departments GROUP BY name, code;

SELECT upper(name) AS name FROM departments GROUP BY departments.name ORDER BY name;

SELECT d.name AS floor, d.floor FROM departments d WHERE floor > 1 ORDER BY 1, d.floor;

SELECT tableoid::regclass AS part, count(*), min(ctid), max(xmin::text), array_agg(cmin), bool_and(xmax = 0) FROM measurements GROUP BY tableoid;

SELECT s.ctid, s.tableoid, s.xmin, s.cmax FROM ONLY staff s WHERE s.ctid = '(0,1)';

SELECT public.departments.code, public.departments.* FROM public.departments ORDER BY public.departments.code;

SELECT "departments"."code", Departments.NAME, DEPARTMENTS."floor" FROM DEPARTMENTS;

SELECT patients.id FROM public.patients, billing.invoices WHERE invoices.patient_id = patients.id AND invoices.status = 'sent';

SELECT "Appointment"."id", appointment.id FROM "Appointment", visits AS appointment WHERE "Appointment"."patientId" = appointment.patient_id;

SELECT order_.id AS "order", "user".id AS "user" FROM lab_orders order_ JOIN staff "user" ON "user".id = order_.ordered_by ORDER BY "order", "user";

SELECT x.a, x.b, x.column3 FROM (VALUES (1, 'a', true), (2, 'b', false)) AS x (a, b) WHERE x.column3;

SELECT column1, column2 FROM (VALUES ('F', 1), ('M', 2)) AS v ORDER BY column2;

SELECT n, n.n, m FROM generate_series(1, 3) n, generate_series(1, 3) AS m WHERE m <> n;

SELECT g, g.g, d.id FROM departments d CROSS JOIN generate_series(0, d.floor) g;

SELECT f.* FROM current_date AS f, departments WHERE departments.opened_on < f;

SELECT floor, floor(floor / 2.0), count(*) FROM departments GROUP BY floor;

SELECT id, (SELECT id) AS same_id, (SELECT max(id) FROM rooms WHERE department_id = d.id), (SELECT d.id FROM rooms LIMIT 1) FROM departments d;

SELECT p.mrn FROM patients p WHERE EXISTS (SELECT 1 FROM visits p2 WHERE p2.patient_id = p.id AND EXISTS (SELECT 1 FROM visit_diagnoses WHERE visit_id = p2.id AND noted_at > p.created_at));

SELECT id FROM visits WHERE patient_id IN (SELECT patient_id FROM staff);

SELECT r.id, (SELECT string_agg(e ->> 'name', ',') FROM jsonb_array_elements(equipment) e) AS devices FROM rooms r;

SELECT p.mrn, (p.address).zip, (p).mrn AS again, (p.address).street IS NULL FROM patients p ORDER BY (p.address).zip;

SELECT (SELECT p FROM patients p ORDER BY p.mrn LIMIT 1) AS anyone, ((SELECT p FROM patients p LIMIT 1)).mrn;

SELECT lower(s.given_name) AS given_name, s.given_name AS lower FROM staff s ORDER BY given_name, lower;

SELECT full_name(s), s.full_name, id(s) FROM staff s;

SELECT id AS "Id", mrn "MRN", sex AS sex, birth_date "Date of ""birth""" FROM patients ORDER BY "Id", "Date of ""birth""";

SELECT kind k, count(*) c FROM visits GROUP BY k HAVING count(*) > 1 ORDER BY c DESC, k;

SELECT extract(year FROM started_at) AS year, kind AS year_kind FROM visits ORDER BY year, year_kind;

SELECT a.* FROM (patients p JOIN staff s ON s.id = p.primary_physician_id) AS a (pid) WHERE a.mrn LIKE '0%' AND a.licence_no IS NOT NULL;

SELECT p.id, s.id FROM (patients p JOIN staff s ON s.id = p.primary_physician_id) WHERE p.sex = 'X';

SELECT id, mrn FROM patients UNION SELECT id, licence_no FROM staff ORDER BY mrn, id;

SELECT t.mrn FROM (SELECT mrn, email FROM patients UNION ALL SELECT licence_no, email FROM staff) t WHERE t.email IS NULL;

SELECT (SELECT count(*) FROM visits v WHERE v.department_id = outer_d.id AND v.kind = k.kind) AS n, k.kind FROM departments outer_d, unnest(enum_range(NULL::visit_kind)) AS k (kind);

TABLE ONLY icd_codes ORDER BY chapter DESC, code FETCH NEXT 3 ROWS ONLY;

VALUES ('a', 1), ('b', (SELECT count(*) FROM rooms)) ORDER BY column1 DESC;

SELECT DISTINCT ON ((p.address).city, p.sex) (p.address).city AS city, p.sex, p.mrn FROM patients AS p ORDER BY city, p.sex, p.birth_date DESC;

SELECT "User"."email" AS "email", "User" AS "whole" FROM "User" ORDER BY "email";

SELECT u.id, u.email, u."displayName" FROM "User" AS u WHERE u."createdAt"::date = CURRENT_DATE OR u."roles"[1] = 'admin';

SELECT visit_id, visit_summary.kind, department_load.name FROM visit_summary JOIN department_load USING (department_id) WHERE length_of_stay > avg_stay;

SELECT pd.record_no, pd."displayName", pd.city FROM patient_directory pd WHERE pd.physician IS NULL AND age > 70;

SELECT record_no, md5(pd::text) AS checksum FROM patient_directory AS pd;

SELECT s.id, "count" FROM staff s JOIN (SELECT attending_id, count(*) FROM visits GROUP BY attending_id) c ON c.attending_id = s.id WHERE c.count > 3;

SELECT q."?column?", q.lower, q.kind, q.case, q.coalesce FROM (SELECT 1 + 1, lower(reason), kind::text, CASE WHEN ended_at IS NULL THEN 1 END, coalesce(notes, reason) FROM visits) q;

SELECT q.array, q.exists, q.date_part, q.extract, q.row, q.max FROM (SELECT ARRAY[1], EXISTS (SELECT 1), date_part('year', now()), extract(day FROM now()), ROW(1, 2), (SELECT max(id) FROM rooms)) q;

SELECT q.interval, q.numeric, q.btrim, q.substring, q."position", q.nullif, q.current_date, q.current_user FROM (SELECT '1 day'::interval, CAST(1 AS numeric), nullif(1, 2), trim(' x '), substring('abc' FROM 2), position('a' IN 'ba'), current_date, current_user) q;

SELECT q.btrim, q.timezone, q.overlay, q.greatest, q.id, q.mrn, q.city, q.settings FROM (SELECT trim(v.reason), v.started_at AT TIME ZONE 'UTC', overlay('abc' PLACING 'x' FROM 1), greatest(1, 2), (v.id), (p).mrn, (p.address).city, d.settings['a'] FROM visits v JOIN patients p ON p.id = v.patient_id JOIN departments d ON d.id = v.department_id) q;

SELECT abs(dr.visits - avg_all) FROM department_load dr CROSS JOIN (SELECT avg(visits) AS avg_all FROM department_load) a;

SELECT d.id FROM departments d WHERE d.id = ANY (SELECT s.department_id FROM shifts s WHERE s.during @> now()) AND d.id <> ALL (SELECT r.department_id FROM rooms r) AND d.name = SOME (ARRAY['Surgery']);

SELECT ALL v.id, sum(x) FROM visits v, LATERAL (VALUES (v.triage_level), (1)) AS t (x) GROUP BY v.id;

SELECT name, n FROM (SELECT d.name, sub.* FROM departments d, LATERAL (SELECT count(*) AS n FROM rooms r WHERE r.department_id = d.id) sub) AS nested WHERE n = 0;

SELECT p.id FROM patients p LEFT JOIN visits v ON v.patient_id = p.id AND v.started_at = (SELECT max(vv.started_at) FROM visits vv WHERE vv.patient_id = p.id) WHERE v.status = 'no_show';

SELECT i.relname, a.attname FROM pg_class i JOIN pg_attribute a ON a.attrelid = i.oid WHERE i.oid = 'public.visits'::regclass AND a.attnum > 0 AND NOT a.attisdropped;

SELECT last_value, is_called FROM measurements_id_seq;

SELECT v.id FROM visits v WHERE v.stay @> now() FOR UPDATE OF v SKIP LOCKED;

SELECT p.mrn, d.code FROM patients p, visits v, departments d WHERE v.patient_id = p.id AND d.id = v.department_id FOR SHARE OF p, d NOWAIT FOR KEY SHARE OF v;

SELECT ranked.id FROM (SELECT id, rank() OVER (ORDER BY hired_on) AS rank FROM staff) ranked WHERE ranked.rank = 1 AND rank IS NOT NULL;

WITH w AS (SELECT 1 AS w) SELECT w, w.w, w.w + 1 AS "w+1" FROM w;

SELECT date, date.date FROM (SELECT started_at::date AS date FROM visits) date GROUP BY date.date, date;
