SELECT trim(BOTH ' ' FROM given_name), trim(LEADING '0' FROM mrn), trim(TRAILING FROM family_name), ltrim(mrn, '0'), btrim(email, '@') FROM patients;

SELECT substring(mrn FROM 3 FOR 4), substring(email FROM '[^@]+$'), substring(given_name FOR 1) || '.', substring(mrn, 2, 3), substring(email SIMILAR '%#"@%#"' ESCAPE '#') FROM patients;

SELECT overlay(mrn PLACING '****' FROM 1 FOR 4) AS masked, position('@' IN email) AS at_pos, strpos(email, '.') FROM patients WHERE position('@' IN email) > 0;

select extract(epoch from ended_at - started_at), extract('dow' from started_at), date_part('week', started_at), extract(timezone_hour from started_at) from visits;

SELECT id FROM staff WHERE full_name ILIKE 'dr\_%' ESCAPE '\' OR full_name NOT LIKE '%x%' OR family_name SIMILAR TO '(M|N)%' OR family_name ~* '^van\s' AND family_name !~ '\d';

SELECT mrn COLLATE "C", family_name COLLATE pg_catalog."default" AS n FROM patients WHERE family_name < given_name COLLATE "C" ORDER BY given_name COLLATE "en-x-icu" DESC;

SELECT CAST(triage_level AS text), triage_level::int8::text, kind::text::varchar(3), int4(triage_level), date '2025-01-01' - started_at::date, bool 'on' AS yes FROM visits;

SELECT U&'\00E4rztin' AS word, E'tab\there' AS esc, $tag$it's "raw"$tag$ AS raw, B'1010' AS bits, X'1F' AS hex, 'multi' IS NULL AS never, N'nat' FROM departments LIMIT 1;

SELECT 'first '
       'second' AS joined, 1_000 AS thousand, 0x1F AS h FROM rooms;

SELECT started_at AT TIME ZONE 'Europe/Berlin' AS local, started_at::timestamp(0) AT TIME ZONE 'UTC', (started_at AT TIME ZONE INTERVAL '-03:00')::date, localtimestamp(0) - started_at::timestamp AS since FROM visits;

SELECT interval '1 year 2 months' + interval '3' month AS mixed, INTERVAL '1 02:03' DAY TO MINUTE, interval(0) '1.5 s', make_interval(days => floor) AS d, justify_days(now() - opened_on::timestamptz) FROM departments;

SELECT CASE role WHEN 'physician' THEN 'Dr. ' ELSE '' END || full_name AS salutation,
       CASE WHEN hourly_rate IS NULL THEN 'n/a' WHEN hourly_rate BETWEEN SYMMETRIC 50 AND 20 THEN 'band 1' WHEN hourly_rate NOT BETWEEN 20 AND 80 THEN 'special' END AS band
FROM staff;

SELECT nullif(reason, ''), coalesce(reason, notes, 'none'), greatest(started_at, created_at, ended_at), least(triage_level, 3), started_at IS NOT DISTINCT FROM created_at FROM visits;

SELECT is_active IS TRUE, is_active IS NOT FALSE, (left_on > hired_on) IS UNKNOWN, email ISNULL, licence_no NOTNULL, (skills IS NULL) IS NOT UNKNOWN FROM staff WHERE false;

SELECT format('%s (%s)', s.full_name, s.role) AS label, format('%1$I.%2$L', 'public', s.given_name), quote_ident(s.family_name), to_char(s.hourly_rate, 'FM999D00') FROM staff s;

SELECT regexp_replace(phone, '\D', '', 'g') AS digits, phone FROM patients, unnest(phones) AS phone WHERE length(regexp_replace(phone, '\D', '', 'g')) < 7;

SELECT v.id, w.word, w.n FROM visits v, regexp_split_to_table(lower(v.reason), '\s+') WITH ORDINALITY AS w (word, n) WHERE length(w.word) > 3;

SELECT m[1] AS area, m[2] AS rest FROM patients p CROSS JOIN LATERAL regexp_matches(p.phones[1], '^\+(\d{2}) (.*)$') AS m;

SELECT split_part(email, '@', 2) AS domain, left(mrn, 2) || right(mrn, -2) AS same, lpad(id::text, 40, '.'), reverse(given_name), translate(family_name, 'äöü', 'aou'), repeat('*', length(given_name)), ascii(given_name), md5(mrn), encode(sha256(mrn::bytea), 'hex') FROM patients;

SELECT string_to_array(full_name, ' '), s.part FROM staff, LATERAL string_to_table(full_name, ' ') AS s (part);

SELECT p.mrn FROM patients p WHERE (p.birth_date, p.family_name) < (DATE '1980-01-01', 'M') AND ROW(p.sex, p.mrn) IS DISTINCT FROM ROW('F'::sex, '1') AND (p.sex, p.given_name) IN (('F', 'Ada'), ('M', 'Jan'));

SELECT kind, kind > 'outpatient' AS later, enum_range(NULL::visit_kind), (enum_last(kind))::text FROM visits ORDER BY kind DESC;

SELECT 'BOOKED'::"AppointmentStatus" = "status" AS booked, CAST("status" AS "public"."AppointmentStatus"), "durationMin"::pg_catalog.int4 FROM "Appointment";

SELECT ('x' || mrn)::bpchar(4), mrn::char(3), cast(mrn as character varying(5)), hourly_rate[1]::double precision, hourly_rate::numeric(5, 1)[] IS NULL FROM patients CROSS JOIN (SELECT ARRAY[hourly_rate] AS hourly_rate FROM staff) s WHERE false;

SELECT hired_on + 30, hired_on + time '08:00', hired_on - interval '1 day', CURRENT_DATE - hired_on AS days, age(left_on, hired_on), (hired_on, left_on) OVERLAPS (date '2024-01-01', date '2024-12-31'), hired_on + '1 month'::interval FROM staff;

SELECT -total + +1 AS neg, total % 7, total ^ 2, |/ total::float8, @ (total - 100), total::int & 255, total::int # 5, ~ total::int << 2 FROM billing.invoices WHERE total <> 0 AND NOT total = 5 OR total != 7;

SELECT total OPERATOR(pg_catalog.+) 1 AS plus_one, number OPERATOR(pg_catalog.~~) 'A%' FROM billing.invoices ORDER BY total USING OPERATOR(pg_catalog.>);

SELECT now(), transaction_timestamp(), current_user, session_user, CURRENT_CATALOG, current_schema, user, LOCALTIME, count(*) FROM staff;

SELECT "ip" << inet '10.0.0.0/8' AS internal, host("ip"), masklen("ip"), set_masklen("ip", 16) FROM "AuditLogs" WHERE "ip" IS NOT NULL AND family("ip") = 4;

SELECT ts_headline('english', coalesce(v.notes, ''), q, 'MaxWords=12'), ts_rank_cd(to_tsvector('english', v.notes), q) AS rank
FROM visits v, websearch_to_tsquery('english', $1) AS q
WHERE to_tsvector('english', v.notes) @@ q
ORDER BY rank DESC;

SELECT setweight(search, 'A') || to_tsvector('simple', array_to_string(tags, ' ')) FROM patients WHERE search @@ to_tsquery('simple', 'mo:* & !lena');

SELECT normalize(given_name, NFC), given_name IS NFD NORMALIZED, char_length(given_name), octet_length(given_name), bit_length(mrn) FROM patients;

SELECT pg_typeof(birth_date), pg_column_size(insurance), birth_date::timestamptz, to_date('05/2025', 'MM/YYYY') > birth_date, isfinite(birth_date) FROM patients;

SELECT round(value, 2), trunc(value), ceil(value)::int, value::text || ' ' || coalesce(unit, ''), scale(value), div(value, 2), to_number(unit, '99') FROM measurements WHERE unit ~ '^\d+$';

SELECT xmlparse(DOCUMENT '<a/>'), xmlserialize(CONTENT document AS text), xmlconcat(document, xmlcomment('end')), xmlpi(name php, 'x'), document IS DOCUMENT, xmlroot(document, version '1.0', standalone yes) FROM lab_orders;

SELECT number, total, meta::jsonb ->> 'x' || '/' || number FROM billing.invoices WHERE number BETWEEN 'A' AND 'B' AND total BETWEEN 10 AND 20 OR status LIKE ANY (ARRAY['s%', 'p%']);

SELECT random() < 0.5 AS coin, gen_random_uuid() AS fresh, (random() * beds)::int AS pick FROM rooms ORDER BY random() LIMIT 3;

SELECT a.id, a.valid, daterange(lower(a.valid), upper(a.valid), '(]') AS shifted FROM prescriptions AS a WHERE NOT (a.valid && daterange '[2025-01-01,2025-07-01)') AND lower_inc(a.valid);

SELECT CAST(ROW('A 1', 'Wien', '1010', 'AT') AS postal_address) = address AS there, (ROW('A 1', 'Wien', '1010', 'AT')::postal_address).city FROM patients;
