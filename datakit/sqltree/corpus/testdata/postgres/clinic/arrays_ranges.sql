SELECT full_name, skills[1] AS main_skill, cardinality(skills) AS n
FROM staff
WHERE skills && ARRAY['triage', 'icu'] AND NOT skills @> '{paediatrics}';

SELECT s.id, t.skill, t.ord
FROM staff s, unnest(s.skills) WITH ORDINALITY AS t (skill, ord)
WHERE t.ord > 1;

SELECT phones[1:2], phones[array_upper(phones, 1)], array_to_string(phones[2:], ' / ') FROM patients;

SELECT p.mrn FROM patients p WHERE 'diabetes' = ANY (p.tags) AND 'minor' <> ALL (p.tags);

SELECT ARRAY(SELECT d.code FROM departments d WHERE d.parent_id = parent.id ORDER BY d.code) AS children, parent.code
FROM departments parent;

SELECT array_agg(DISTINCT role ORDER BY role) AS roles, department_id FROM staff GROUP BY department_id;

SELECT patient_id, lower(valid) AS since, upper(valid) AS until, upper_inf(valid) AS open_ended
FROM prescriptions
WHERE valid @> $1::date
ORDER BY lower(valid);

SELECT a.patient_id, a.medication_id, a.valid * b.valid AS double
FROM prescriptions a
JOIN prescriptions b ON b.patient_id = a.patient_id AND b.medication_id = a.medication_id AND b.id > a.id AND a.valid && b.valid;

select staff_id, range_agg(during) as worked, range_agg(during)::text from shifts group by staff_id;

SELECT s.staff_id, g.gap
FROM (
    SELECT staff_id, tstzmultirange(tstzrange('2025-05-01', '2025-06-01')) - range_agg(during) AS free
    FROM shifts
    GROUP BY staff_id
) s
CROSS JOIN LATERAL unnest(s.free) AS g (gap);

SELECT t.service_code, t.price, lower(t.valid)
FROM billing.tariffs t
WHERE t.valid = (SELECT x.valid FROM billing.tariffs x WHERE x.service_code = t.service_code ORDER BY x.valid DESC LIMIT 1);

INSERT INTO billing.tariffs (service_code, title, valid, price)
VALUES ('XR-01', 'Chest X-ray', '[2025-01-01,)', 64.5),
       ('XR-02', 'Skull X-ray', daterange('2025-01-01', NULL, '[)'), 71);

UPDATE billing.tariffs SET valid = daterange(lower(valid), $2::date) WHERE service_code = $1 AND upper_inf(valid);

UPDATE patients SET tags = array_remove(tags, 'new') || '{seen}' WHERE tags @> ARRAY['new'];

UPDATE staff SET skills = (SELECT array_agg(DISTINCT s ORDER BY s) FROM unnest(skills || $2::text[]) AS s) WHERE id = $1;

SELECT r.id, v.id FROM rooms r JOIN visits v ON v.room_id = r.id AND v.stay @> now() WHERE r.beds < ALL (ARRAY[2, 4]);

SELECT lower(during)::date AS day, sum(upper(during) - lower(during)) AS worked
FROM shifts
WHERE during <@ tstzrange(date_trunc('month', now()), date_trunc('month', now()) + '1 month')
GROUP BY day
ORDER BY day;

SELECT d.name, days.n
FROM departments d
JOIN LATERAL (SELECT count(*) AS n FROM unnest(d.phones) AS ph WHERE ph LIKE '+43%') days ON days.n > 0;

SELECT i, patients.phones[i] AS phone FROM patients, generate_subscripts(phones, 1) AS i WHERE i > 1;

SELECT code, array_position(synonyms, 'flu') AS pos, array_length(synonyms, 1), synonyms[1] IS NULL FROM icd_codes WHERE synonyms IS NOT NULL;

SELECT m.name, array_agg(o.name) FROM medications m LEFT JOIN medications o ON o.id = ANY (m.interactions) GROUP BY m.id;

SELECT * FROM unnest(ARRAY[1, 2, 3], ARRAY['a', 'b']) AS u (n, letter) JOIN rooms ON rooms.id = u.n;

SELECT (ROW(v.id, v.kind)).*, v.stay -|- tstzrange('2025-01-02', '2025-01-03') AS adjacent FROM visits v WHERE v.stay << tstzrange(now(), NULL);

SELECT id FROM visits WHERE (started_at, ended_at) OVERLAPS (timestamptz '2025-03-01', interval '1 month');

SELECT (address).city AS city, (address).zip, count(*)
FROM patients
WHERE (address).country = 'AT'
GROUP BY (address).city, (address).zip
ORDER BY 3 DESC;

SELECT (p.address).*, p.mrn FROM patients p WHERE (p.address) IS NOT NULL;

INSERT INTO patients (mrn, given_name, family_name, birth_date, address.city, address.country) VALUES ('0000000017', 'Lena', 'Moser', '1988-02-29', 'Graz', 'AT');

UPDATE patients SET address.zip = '8010', address.street = initcap((address).street) WHERE (address).city = 'Graz';

UPDATE patients SET address = ROW('Hauptplatz 1', 'Linz', '4020', 'AT')::postal_address, phones = phones[2:3] WHERE mrn = $1;

SELECT array_fill(0, ARRAY[2, 2]) AS z, ARRAY[[1, beds], [2, id]] AS m, (ARRAY[[1, 2], [3, 4]])[1][2] FROM rooms;

SELECT p.id, count(*) FILTER (WHERE n.tag IS NULL) AS missing
FROM patients p
LEFT JOIN LATERAL (SELECT tag FROM unnest(p.tags) AS x (tag) WHERE tag = 'consent') AS n ON true
GROUP BY p.id;

SELECT s.full_name, x.on_call_hours
FROM staff s
JOIN (SELECT staff_id AS id, sum(extract(epoch FROM upper(during) - lower(during)) / 3600) AS on_call_hours FROM shifts WHERE on_call GROUP BY staff_id) x USING (id)
WHERE x.on_call_hours > 40;

SELECT contract, name FROM billing.payers WHERE contract IS NULL OR contract @> daterange('2025-01-01', '2025-12-31', '[]') ORDER BY lower(contract) NULLS FIRST;

SELECT panel[1] || coalesce('+' || panel[2], '') AS label, count(*) FROM lab_orders GROUP BY label, cardinality(panel) HAVING cardinality(panel) <= 2;

SELECT flag, count(*) FROM measurements m CROSS JOIN LATERAL unnest(coalesce(m.flags, '{none}')) flag GROUP BY flag;

SELECT id, trim_array(panel, 1) FROM lab_orders WHERE panel <> '{}' AND (SELECT bool_or(a LIKE 'C%') FROM unnest(panel) a);

SELECT a.n, a.t FROM ROWS FROM (generate_series(1, 4), unnest(ARRAY['x', 'y'])) AS a (n, t);

SELECT day::date, d.id
FROM departments d,
     generate_series(d.opened_on, coalesce(d.closed_on, CURRENT_DATE), '1 year') AS day
WHERE d.floor = 2;

SELECT unnest(tags) AS tag, generate_series(1, 2) AS copy, mrn FROM patients ORDER BY tag, copy;

SELECT int4range(min(beds)::int, max(beds)::int, '[]') AS span, kind FROM rooms GROUP BY kind HAVING int4range(min(beds)::int, max(beds)::int + 1) @> 3;
