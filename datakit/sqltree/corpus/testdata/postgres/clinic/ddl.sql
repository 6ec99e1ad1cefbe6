CREATE TABLE archive_visits AS
SELECT * FROM visits WHERE ended_at < now() - interval '10 years';

CREATE TEMP TABLE busy_rooms ON COMMIT DROP AS
SELECT r.id AS room_id, count(v.id) AS visits
FROM rooms r LEFT JOIN visits v ON v.room_id = r.id
GROUP BY r.id
WITH NO DATA;

CREATE UNLOGGED TABLE IF NOT EXISTS staging_patients (LIKE patients INCLUDING DEFAULTS INCLUDING CONSTRAINTS EXCLUDING INDEXES);

CREATE TABLE patient_names (pid, label) AS SELECT id, given_name || ' ' || family_name FROM patients;

CREATE VIEW open_invoices WITH (security_barrier) AS
SELECT i.id, i.number, p.mrn, i.total
FROM billing.invoices i JOIN patients p ON p.id = i.patient_id
WHERE i.status = 'sent';

CREATE OR REPLACE VIEW controlled_medications AS
SELECT m.id, m.name, m.atc FROM medications AS m WHERE is_controlled AND m.atc IS NOT NULL
WITH LOCAL CHECK OPTION;

CREATE OR REPLACE VIEW department_load AS
SELECT d.id AS department_id, d.name, count(vs.visit_id) AS visits, avg(vs.length_of_stay) AS avg_stay, max(vs.started_at) AS latest
FROM departments d LEFT JOIN visit_summary vs ON vs.department_id = d.id
GROUP BY d.id;

CREATE RECURSIVE VIEW department_paths (id, path) AS
SELECT id, name FROM departments WHERE parent_id IS NULL
UNION ALL
SELECT d.id, dp.path || ' / ' || d.name FROM departments d JOIN department_paths dp ON dp.id = d.parent_id;

CREATE TEMPORARY VIEW nurses AS SELECT s.* FROM staff s WHERE role = 'nurse';

CREATE MATERIALIZED VIEW IF NOT EXISTS daily_census (day, department, occupied) AS
SELECT g.day, d.code, count(v.id)
FROM generate_series(CURRENT_DATE - 30, CURRENT_DATE, interval '1 day') g (day)
CROSS JOIN departments d
LEFT JOIN visits v ON v.department_id = d.id AND v.stay @> g.day
GROUP BY g.day, d.code;

CREATE INDEX measurements_loinc_time ON measurements USING btree (loinc, measured_at DESC NULLS LAST) INCLUDE (value);

CREATE UNIQUE INDEX staff_email_lower ON staff (lower(email)) WHERE left_on IS NULL AND is_active;

CREATE INDEX ON visits USING gist (stay);

create index if not exists patients_city on patients (((address).city), (insurance ->> 'carrier'));

CREATE INDEX departments_settings_gin ON departments USING gin (settings jsonb_path_ops);

CREATE INDEX "Appointment_startsAt_idx" ON "Appointment" ("startsAt" DESC, "status") WHERE "status" <> 'CANCELED';

CREATE INDEX rx_trgm ON prescriptions (left(unit, 3) COLLATE "C" text_pattern_ops, (upper(valid) - lower(valid)));

CREATE STATISTICS visits_stats (dependencies, ndistinct) ON kind, department_id, (date_trunc('day', started_at AT TIME ZONE 'UTC')) FROM visits;

ALTER TABLE patients ADD COLUMN preferred_name text, ADD COLUMN full_label text GENERATED ALWAYS AS (upper(given_name)) STORED;

ALTER TABLE staff ADD CONSTRAINT staff_dates CHECK (left_on IS NULL OR left_on >= hired_on) NOT VALID;

ALTER TABLE visits ALTER COLUMN triage_level TYPE integer USING coalesce(triage_level, 5)::integer, ALTER reason SET NOT NULL, ALTER COLUMN notes SET DEFAULT '';

ALTER TABLE rooms RENAME COLUMN number TO room_number;

ALTER TABLE billing.payments ADD FOREIGN KEY (invoice_id) REFERENCES billing.invoices (id) ON DELETE CASCADE;

ALTER TABLE measurements DETACH PARTITION measurements_2024;

CREATE TABLE measurements_2026 PARTITION OF measurements FOR VALUES FROM ('2026-01-01 00:00+00') TO ('2027-01-01 00:00+00');

CREATE TABLE consents (
    patient_id uuid REFERENCES patients (id),
    scope text NOT NULL,
    given_at timestamptz DEFAULT now(),
    until date,
    CHECK (until > given_at::date),
    EXCLUDE USING gist (daterange((given_at AT TIME ZONE 'UTC')::date, until) WITH &&) WHERE (scope = 'research')
);

ALTER TABLE visits ENABLE ROW LEVEL SECURITY;

CREATE POLICY own_patients ON visits FOR SELECT TO PUBLIC
USING (attending_id = current_setting('app.staff_id')::uuid OR EXISTS (
    SELECT 1 FROM patients p WHERE p.id = patient_id AND p.primary_physician_id = current_setting('app.staff_id')::uuid
));

CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    NEW.updated_at := now();
    RETURN NEW;
END
$body$;

CREATE OR REPLACE FUNCTION count_visits(p uuid, since timestamptz DEFAULT '-infinity') RETURNS bigint
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (SELECT count(*) FROM visits v WHERE v.patient_id = p AND v.started_at >= since);

CREATE FUNCTION close_visit(p_id uuid) RETURNS visits BEGIN ATOMIC
    UPDATE visits SET ended_at = now(), status = 'finished' WHERE id = p_id RETURNING *;
END;

CREATE TRIGGER visits_suppress BEFORE UPDATE OF status, ended_at ON visits FOR EACH ROW
WHEN (OLD.status IS DISTINCT FROM NEW.status AND NEW.ended_at IS NULL)
EXECUTE FUNCTION suppress_redundant_updates_trigger();

CREATE RULE no_delete AS ON DELETE TO patients DO INSTEAD UPDATE patients SET deceased_at = now() WHERE id = OLD.id;

COMMENT ON COLUMN visits.triage_level IS '1 = immediate, 5 = non-urgent';

COMMENT ON TABLE "AuditLogs" IS 'written by the portal';

GRANT SELECT (id, mrn, sex), UPDATE (email) ON patients TO PUBLIC;

REFRESH MATERIALIZED VIEW billing.monthly_revenue WITH NO DATA;

ANALYZE VERBOSE visits (patient_id, kind), "User";

DROP VIEW IF EXISTS "UpcomingAppointments", active_staff CASCADE;

DROP TABLE billing.payments;

ALTER TABLE "User" DROP COLUMN "displayName", DROP CONSTRAINT "User_staffId_fkey";

ALTER VIEW patient_directory RENAME COLUMN age TO years;

ALTER SEQUENCE measurements_id_seq OWNED BY measurements.id;

DO $$
DECLARE r record;
BEGIN
    FOR r IN SELECT id FROM departments WHERE closed_on < CURRENT_DATE LOOP
        RAISE NOTICE 'closed %', r.id;
    END LOOP;
END
$$;

CREATE TABLE "Form Answers" ("id" serial PRIMARY KEY, "Patient Id" uuid REFERENCES "patients" ("id"), "answeredAt" timestamptz, "body" jsonb, UNIQUE ("Patient Id", "answeredAt"));

SELECT id, mrn INTO TEMP TABLE old_patients FROM patients WHERE birth_date < '1930-01-01';

SELECT v.patient_id, count(*) AS n INTO visit_counts FROM visits v GROUP BY v.patient_id HAVING count(*) > 1;

EXPLAIN SELECT p.mrn FROM patients p JOIN visits v ON v.patient_id = p.id WHERE v.kind = 'emergency';

EXPLAIN (VERBOSE, SETTINGS) CREATE TABLE x AS SELECT d.name, (SELECT count(*) FROM staff s WHERE s.department_id = d.id) AS heads FROM departments d;

CREATE EXTENSION IF NOT EXISTS plpgsql;

CREATE PUBLICATION pub_clinic FOR TABLE visits (id, patient_id, kind) WHERE (id IS NOT NULL), billing.invoices;

CREATE INDEX payments_month ON billing.payments ((extract(year FROM paid_at AT TIME ZONE 'UTC')), method);

CREATE TABLE rooms_copy AS TABLE rooms WITH NO DATA;

CREATE VIEW staffing AS WITH w AS (SELECT staff_id, sum(upper(during) - lower(during)) AS t FROM shifts GROUP BY staff_id) SELECT s.full_name, w.t FROM staff s LEFT JOIN w ON w.staff_id = s.id;

CREATE VIEW weird ("Total #", since) AS VALUES (1, CURRENT_DATE), ((SELECT count(*)::int FROM rooms), (SELECT min(opened_on) FROM departments));
