SELECT mrn, insurance ->> 'carrier' AS carrier, insurance #>> '{policy,number}' AS policy
FROM patients
WHERE insurance ? 'policy' AND insurance @> '{"active": true}';

SELECT id, settings['visiting']['from'] AS visiting_from, settings['tags'][0]
FROM departments
WHERE settings['visiting'] IS NOT NULL;

SELECT p.mrn, c.key, c.value
FROM patients p, jsonb_each_text(p.insurance) AS c
WHERE c.key LIKE 'co%';

SELECT r.number, e ->> 'name' AS device, (e ->> 'serviced')::date AS serviced
FROM rooms r
CROSS JOIN jsonb_array_elements(r.equipment) AS e
WHERE (e ->> 'serviced')::date < CURRENT_DATE - 365;

SELECT r.id, dev.name, dev.serial, dev.qty
FROM rooms AS r
LEFT JOIN LATERAL jsonb_to_recordset(r.equipment) AS dev (name text, serial text, qty integer) ON true
ORDER BY r.id, dev.name;

select o.id, x.hb, x.wbc from lab_orders o, jsonb_to_record(o.result) as x(hb numeric, wbc numeric) where x.hb < 12;

SELECT o.id, a.ordinality, a.value ->> 'code' AS code
FROM lab_orders o
JOIN LATERAL jsonb_array_elements(o.result -> 'analytes') WITH ORDINALITY AS a ON a.value ->> 'flag' IN ('H', 'L');

SELECT jsonb_build_object(
           'mrn', p.mrn,
           'name', jsonb_build_object('given', p.given_name, 'family', p.family_name),
           'visits', (SELECT jsonb_agg(jsonb_build_object('at', v.started_at, 'kind', v.kind) ORDER BY v.started_at)
                      FROM visits v WHERE v.patient_id = p.id)
       ) AS document
FROM patients p
WHERE p.id = $1;

SELECT to_jsonb(v) - 'notes' - '{created_at,stay}'::text[] AS visit FROM visits AS v;

SELECT row_to_json(t) FROM (SELECT id, code, name FROM departments ORDER BY code) t;

SELECT json_agg(s) FROM (SELECT s.full_name, s.skills FROM staff s WHERE s.role = 'nurse') AS s;

SELECT json_object_agg(code, title) FILTER (WHERE chapter = 9) FROM icd_codes;

SELECT id, jsonb_path_query_first(result, '$.analytes[*] ? (@.code == "CRP").value') AS crp
FROM lab_orders
WHERE result @? '$.analytes[*] ? (@.value > 100)' OR result @@ '$.critical == true';

SELECT m.patient_id, q.v #>> '{}' AS sample
FROM measurements m, jsonb_path_query(m.raw, 'strict $.samples[*] ? (@ > $min)', jsonb_build_object('min', 50)) AS q (v);

UPDATE departments SET settings = jsonb_set(settings, '{visiting,until}', to_jsonb('20:00'::text), true) WHERE code IN ('ICU', 'SUR');

UPDATE departments
   SET settings['visiting']['note'] = '"ask first"',
       phones[1] = '+43 1 555 01'
 WHERE id = 4;

UPDATE "Appointment"
SET "metadata" = coalesce("metadata", '{}'::jsonb) || jsonb_build_object('reminded', now()), "updatedAt" = now()
WHERE "startsAt" BETWEEN now() AND now() + interval '1 day' AND NOT coalesce("metadata" ? 'reminded', false);

SELECT "changes" -> 'after' ->> 'status' AS new_status, count(*)
FROM "AuditLogs"
WHERE "entityType" = 'visit' AND "changes" -> 'before' ->> 'status' IS DISTINCT FROM "changes" -> 'after' ->> 'status'
GROUP BY 1;

SELECT l."id", k AS changed_key
FROM "AuditLogs" l, LATERAL jsonb_object_keys(l."changes" -> 'after') k
WHERE l."changes" -> 'after' -> k <> l."changes" -> 'before' -> k;

SELECT key, count(*) FROM (SELECT (jsonb_each(settings)).key FROM departments) AS s GROUP BY key;

SELECT (jsonb_populate_record(NULL::rooms, '{"number": "201", "kind": "ward"}')).number;

SELECT x.number, x.beds, d.name
FROM jsonb_populate_recordset(NULL::rooms, $1::jsonb) AS x
JOIN departments d ON d.id = x.department_id;

INSERT INTO measurements (patient_id, loinc, value, unit, measured_at, raw)
SELECT $1::uuid, r.code, r.val, r.unit, coalesce(r.ts, now()), to_jsonb(r)
FROM json_to_recordset($2::json) AS r (code varchar, val numeric, unit text, ts timestamptz)
WHERE r.val IS NOT NULL;

SELECT pr.id, pr.schedule -> 'times' AS times, jsonb_array_length(pr.schedule -> 'times') AS per_day, t.time::time
FROM prescriptions pr
CROSS JOIN LATERAL jsonb_array_elements_text(pr.schedule -> 'times') AS t (time)
WHERE jsonb_typeof(pr.schedule -> 'times') = 'array';

SELECT p.contact ->> 'email' AS mail, p.contact #> '{address}' ->> 'city' AS city FROM billing.payers p ORDER BY p.contact ->> 'email' NULLS LAST;

select distinct jsonb_object_keys(raw) as k from measurements where raw is not null order by k;

SELECT meta -> 'channel' AS channel, meta ->> 'batch' AS batch, count(*)
FROM billing.invoices
WHERE meta ->> 'channel' = 'edi'
GROUP BY meta ->> 'channel', meta -> 'channel' ->> 0, meta ->> 'batch', meta::text, meta -> 'x' ->> 'y', id;

SELECT jsonb_pretty(jsonb_strip_nulls(jsonb_build_array(full_name, email, left_on))) FROM staff WHERE id = $1;

WITH flat AS (
    SELECT o.id, a ->> 'code' AS analyte, (a ->> 'value')::numeric AS value
    FROM lab_orders o, jsonb_array_elements(o.result -> 'analytes') a
)
SELECT analyte, min(value), avg(value), max(value), count(DISTINCT id) AS orders
FROM flat
GROUP BY analyte;

SELECT id FROM prescriptions WHERE schedule @> jsonb_build_object('every', $1::text) AND (schedule ->> 'prn')::boolean IS NOT TRUE;

SELECT coalesce(json_agg(json_build_object('id', u."id", 'email', u."email", 'roles', u."roles") ORDER BY u."email"), '[]'::json) AS "users" FROM "User" AS u;

SELECT d.code, j.*
FROM departments d
CROSS JOIN LATERAL ROWS FROM (jsonb_to_recordset(d.settings -> 'beds') AS (kind text, n int), generate_series(1, 3)) WITH ORDINALITY AS j (kind, n, slot, pos);

SELECT e.what, e.detail ->> 'reason' FROM patient_events('7f1e0f9e-8c1c-4f8b-9f3e-0f5f6a1b2c3d') e ORDER BY e.happened_at DESC LIMIT 20;

SELECT (e).what, ((e).detail) -> 'value' FROM patient_events($1) AS e;

SELECT x.id, x.kind FROM json_populate_record(NULL::billing.payers, '{"id": 4, "kind": "state"}') x;

SELECT jsonb_agg(DISTINCT code) || '[]'::jsonb AS codes, jsonb_agg(jsonb_build_object('r', rank)) FILTER (WHERE NOT is_primary) FROM visit_diagnoses GROUP BY visit_id HAVING jsonb_agg(code) @> '["I10"]';

SELECT raw #- '{device,serial}' AS cleaned, raw -> 'device' -> 'model' FROM measurements_2025 WHERE raw ?| ARRAY['device', 'source'] AND raw ?& '{unit,ts}';

SELECT result -> -1 ->> 'x' || 'suffix' AS s, result ->> 'n' = '5' AS five FROM lab_orders;

DELETE FROM "AuditLogs" WHERE ("changes" ->> 'ttl')::interval + "createdAt" < now() RETURNING "id", "changes" #>> '{after,id}' AS "entity";

SELECT xpath('/report/analyte/@code', document), (xpath('//value/text()', document))[1]::text::numeric AS v
FROM lab_orders WHERE xmlexists('//analyte[@flag="H"]' PASSING BY REF document);

SELECT xmlelement(name patient, xmlattributes(p.mrn AS "recordNo", p.sex), xmlforest(p.given_name AS given, p.family_name), xmlagg(xmlelement(name tag, t.t) ORDER BY t.t))
FROM patients p, unnest(p.tags) AS t (t)
GROUP BY p.id;

SELECT jt.code, jt.val
FROM lab_orders o,
     JSON_TABLE(o.result, '$.analytes[*]' COLUMNS (code text PATH '$.code', val numeric PATH '$.value', NESTED PATH '$.notes[*]' COLUMNS (note text PATH '$'))) AS jt
WHERE jt.val > 5;

SELECT JSON_VALUE(settings, '$.visiting.from' RETURNING text DEFAULT '00:00' ON EMPTY) AS opens FROM departments;
