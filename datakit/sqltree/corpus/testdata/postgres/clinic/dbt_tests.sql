select count(*) as failures, count(*) != 0 as should_warn, count(*) != 0 as should_error
from (
    select mrn from "public"."patients" where mrn is null
) dbt_internal_test;

select
      count(*) as failures
from (
    select
        number as unique_field,
        count(*) as n_records
    from "billing"."invoices"
    where number is not null
    group by number
    having count(*) > 1
) dbt_internal_test;

with all_values as (
    select status as value_field, count(*) as n_records
    from "billing"."invoices"
    group by status
)
select * from all_values where value_field not in ('draft', 'sent', 'paid', 'void');

with child as (
    select "patientId" as from_field
    from "public"."Appointment"
    where "patientId" is not null
),
parent as (
    select id as to_field
    from "public"."patients"
)
select from_field
from child
left join parent on child.from_field = parent.to_field
where parent.to_field is null;

select 1 from (select * from "public"."visits" where not(ended_at >= started_at)) meet_condition;

select max(measured_at) as max_loaded_at, now() as snapshotted_at from "public"."measurements" where unit <> '';

with validation_errors as (
    select patient_id, loinc, measured_at
    from "public"."measurements"
    group by patient_id, loinc, measured_at
    having count(*) > 1
)
select * from validation_errors limit 501;

with a as (select count(*) as row_count from visits where kind = 'inpatient'),
     b as (select count(*) as row_count from visit_summary where kind = 'inpatient')
select a.row_count as expected, b.row_count as actual, abs(a.row_count - b.row_count) as diff
from a cross join b
where a.row_count <> b.row_count;

with grouped as (
    select invoice_id, sum(amount) as line_total from billing.invoice_lines group by 1
)
select i.id, i.total, g.line_total
from billing.invoices i
left join grouped g on g.invoice_id = i.id
where abs(i.total - coalesce(g.line_total, 0)) > 0.01;

with window_functions as (
    select
        service_code as partition_by_col,
        lower(valid) as lower_bound,
        upper(valid) as upper_bound,
        lead(lower(valid)) over (partition by service_code order by lower(valid), upper(valid)) as next_lower_bound,
        row_number() over (partition by service_code order by lower(valid) desc) = 1 as is_last_record
    from billing.tariffs
),
calc as (
    select *, coalesce(upper_bound <= next_lower_bound, is_last_record, false) as upper_le_next from window_functions
),
validation_errors as (select * from calc where not (upper_le_next))
select * from validation_errors;

with expected as (select code from (values ('ICU'), ('ONC'), ('PED')) as t(code))
(select code, 'missing' as problem from expected except select code, 'missing' from departments)
union all
(select code, 'unexpected' from departments except select code, 'unexpected' from expected);

select column_name, data_type from information_schema.columns where table_schema = 'public' and table_name = 'visits' order by ordinal_position;

select c.relname as name, n.nspname as schema, case c.relkind when 'v' then 'view' else 'table' end as type
from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'v', 'p') and n.nspname ilike 'billing';

with profile as (
    select 'visits' as rel, 'reason' as col, count(reason)::float / nullif(count(*), 0) as filled, count(distinct reason) as uniq from visits
    union all
    select 'visits', 'notes', count(notes)::float / nullif(count(*), 0), count(distinct notes) from visits
    union all
    select 'staff', 'email', count(email)::float / nullif(count(*), 0), count(distinct email) from staff
)
select rel || '.' || col as field, round(filled::numeric, 3) as filled, uniq from profile where filled < 0.95 order by filled;

with subset as (
    select * from "public"."visits" where started_at > current_date - 3
), gaps as (
    select generate_series(date_trunc('hour', min(started_at)), max(started_at), interval '1 hour') as expected_hour from subset
)
select gaps.expected_hour from gaps
where not exists (select 1 from subset where date_trunc('hour', subset.started_at) = gaps.expected_hour);

update "public"."lab_orders"
set status = DBT_INTERNAL_SOURCE.new_status
from (
    select lo.id, case when lo.resulted_at is not null then 'final' when lo.collected_at is not null then 'collected' else lo.status end as new_status
    from lab_orders as lo
) as DBT_INTERNAL_SOURCE
where DBT_INTERNAL_SOURCE.id::text = "public"."lab_orders".id::text
  and DBT_INTERNAL_SOURCE.new_status <> "public"."lab_orders".status;

merge into "public"."icd_codes" as DBT_INTERNAL_DEST
    using (with src as (select code, title, chapter from icd_codes where synonyms is not null) select code, max(title) as title, max(chapter) as chapter from src group by code) as DBT_INTERNAL_SOURCE
    on (DBT_INTERNAL_SOURCE.code = DBT_INTERNAL_DEST.code)
    when matched then update set
        title = DBT_INTERNAL_SOURCE.title,
        chapter = DBT_INTERNAL_SOURCE.chapter
    when not matched then insert
        ("code", "title", "chapter")
    values
        ("code", "title", "chapter");

create temporary table "fct_load__dbt_tmp1530" as (
    select d.department_id, d.visits, coalesce(r.beds, 0) as beds
    from department_load d
    left join (select department_id, sum(beds) as beds from rooms group by department_id) r using (department_id)
);

select * from (
    select patient_id, mrn from (select id as patient_id, mrn from patients) p
    natural left join (select patient_id, visit_id from visit_summary) v
    where visit_id is null
) as dbt_internal_test limit 5;

with lookback as (
    select coalesce(max("createdAt"), '1900-01-01'::timestamptz) - interval '3 days' as cutoff from "AuditLogs"
)
select l.* from "AuditLogs" as l where l."createdAt" > (select cutoff from lookback) order by l."id";

with relation_columns as (select cast('mrn' as text) as relation_column, cast('character' as text) as t union all select 'sex', 'user-defined'),
test_data as (select *, row_number() over () as rn from relation_columns where relation_column = 'MRN')
select relation_column, t from test_data where rn > 1;

select sum(case when p.deceased_at::date < p.birth_date then 1 else 0 end) as impossible,
       sum(case when p.birth_date > current_date then 1 else 0 end) as future,
       100.0 * avg((p.email is null)::int) as pct_without_mail
from "public"."patients" p;
