/* {"app": "dbt", "dbt_version": "1.7.4", "node_id": "model.clinic.stg_visits"} */
create view "public"."stg_visits__dbt_tmp" as (
    with source as (
        select * from "public"."visits"
    ),
    renamed as (
        select
            id as visit_id,
            patient_id,
            department_id,
            attending_id as physician_id,
            kind::text as visit_kind,
            status::text as visit_status,
            started_at,
            ended_at
        from source
    )
    select * from renamed
);

with source as (

    select * from "public"."patients"

),

cleaned as (

    select
        id as patient_id,
        trim(mrn) as mrn,
        initcap(given_name) as first_name,
        upper(family_name) as last_name,
        birth_date,
        case sex when 'F' then 'female' when 'M' then 'male' else 'other' end as gender,
        nullif(trim(email), '') as email,
        (address).city as city,
        created_at
    from source
    where deceased_at is null

),

final as (

    select
        *,
        md5(cast(coalesce(cast(mrn as text), '') || '-' || coalesce(cast(birth_date as text), '') as text)) as patient_key
    from cleaned

)

select * from final;

create table "public"."fct_visits__dbt_tmp" as (
with visits as (
    select * from visits
),
patients as (
    select id as patient_id, mrn, birth_date from patients
),
diagnoses as (
    select visit_id, count(*) as diagnosis_count, max(case when is_primary then code end) as primary_code
    from visit_diagnoses
    group by 1
),
final as (
    select
        visits.id as visit_id,
        patients.mrn,
        extract(year from age(visits.started_at, patients.birth_date)) as age_at_visit,
        coalesce(diagnoses.diagnosis_count, 0) as diagnosis_count,
        diagnoses.primary_code
    from visits
    left join patients using (patient_id)
    left join diagnoses on visits.id = diagnoses.visit_id
)
select * from final
);

with invoices as (
    select id as invoice_id, patient_id, payer_id, status, issued_on, total from billing.invoices
),
payments as (
    select invoice_id, sum(amount) as amount_paid, max(paid_at) as last_payment_at from billing.payments group by invoice_id
),
joined as (
    select
        invoices.*,
        coalesce(payments.amount_paid, 0) as amount_paid,
        payments.last_payment_at,
        invoices.total - coalesce(payments.amount_paid, 0) as balance
    from invoices
    left join payments on invoices.invoice_id = payments.invoice_id
),
bucketed as (
    select
        *,
        case
            when balance <= 0 then 'settled'
            when current_date - issued_on > 90 then 'overdue'
            else 'open'
        end as bucket
    from joined
)
select bucket, count(*) as invoices, sum(balance) as balance
from bucketed
group by bucket;

with spine as (
    select cast(d as date) as date_day
    from generate_series(cast('2024-01-01' as timestamp), cast('2025-12-31' as timestamp), interval '1 day') as gs(d)
),
departments as (
    select id as department_id, code from "public"."departments"
),
grid as (
    select spine.date_day, departments.department_id, departments.code from spine cross join departments
),
daily as (
    select started_at::date as date_day, department_id, count(*) as n_visits from visits group by 1, 2
),
filled as (
    select grid.date_day, grid.code, coalesce(daily.n_visits, 0) as n_visits
    from grid
    left join daily on daily.date_day = grid.date_day and daily.department_id = grid.department_id
),
smoothed as (
    select
        date_day,
        code,
        n_visits,
        avg(n_visits) over (partition by code order by date_day rows between 6 preceding and current row) as n_visits_7d
    from filled
)
select * from smoothed where extract(isodow from date_day) < 6;

with unioned as (

        (
            select
                cast('visits' as text) as _dbt_source_relation,
                cast("id" as text) as "id",
                cast("started_at" as timestamp with time zone) as "occurred_at"
            from "public"."visits"
        )

        union all

        (
            select
                cast('lab_orders' as text) as _dbt_source_relation,
                cast("id" as text) as "id",
                cast("ordered_at" as timestamp with time zone) as "occurred_at"
            from "public"."lab_orders"
        )

),
counted as (select _dbt_source_relation, date_trunc('month', occurred_at) as month, count(distinct id) as n from unioned group by 1, 2)
select
    month,
    sum(case when _dbt_source_relation = 'visits' then n else 0 end) as "visits",
    sum(case when _dbt_source_relation = 'lab_orders' then n else 0 end) as "lab_orders"
from counted
group by month;

with events as (
    select patient_id, started_at as event_at, 'visit' as event_type, id as event_id from visits
    union all
    select patient_id, created_at, 'prescription', id from prescriptions
),
lagged as (
    select events.*, lag(event_at) over (partition by patient_id order by event_at) as previous_event_at from events
),
flagged as (
    select *, case when previous_event_at is null or event_at - previous_event_at > interval '90 days' then 1 else 0 end as new_episode
    from lagged
),
episodes as (
    select *, sum(new_episode) over (partition by patient_id order by event_at rows unbounded preceding) as episode_number from flagged
),
summary as (
    select
        patient_id,
        episode_number,
        min(event_at) as episode_start,
        max(event_at) as episode_end,
        count(*) filter (where event_type = 'visit') as visits,
        count(*) filter (where event_type = 'prescription') as prescriptions
    from episodes
    group by 1, 2
)
select * from summary order by patient_id, episode_number;

insert into "public"."visit_diagnoses" ("visit_id", "code", "rank", "is_primary", "noted_at")
(
    with new_rows as (
        select v.id as visit_id, 'Z76' as code, 9::smallint as rank, false as is_primary, v.started_at as noted_at
        from visits v
        where v.started_at > (select max(noted_at) from "public"."visit_diagnoses")
    )
    select "visit_id", "code", "rank", "is_primary", "noted_at" from new_rows
);

delete from "billing"."tariffs" as DBT_INTERNAL_DEST
where (service_code) in (
    select distinct service_code
    from "billing"."invoice_lines" as DBT_INTERNAL_SOURCE
    where discount = 1
);

with staff_base as (
    select s.id as staff_id, s.full_name, s.role, s.department_id, s.manager_id, s.hired_on, s.left_on from staff as s
), managers as (
    select staff_id as manager_id, full_name as manager_name from staff_base
), departments as (
    select id as department_id, name as department_name, code as department_code from departments
), worked as (
    select
        staff_id,
        date_trunc('month', lower(during)) as month,
        sum(extract(epoch from (upper(during) - lower(during))) / 3600.0) as hours,
        sum(case when on_call then 1 else 0 end) as on_call_shifts
    from shifts
    group by staff_id, date_trunc('month', lower(during))
), final as (
    select
        staff_base.staff_id
        , staff_base.full_name
        , managers.manager_name
        , departments.department_name
        , worked.month
        , worked.hours
        , worked.on_call_shifts
        , row_number() over (partition by staff_base.department_id, worked.month order by worked.hours desc) as hours_rank
    from staff_base
    left join managers using (manager_id)
    left join departments using (department_id)
    inner join worked using (staff_id)
)
select * from final where hours_rank <= 10;

with measurements as (
    select * from measurements where measured_at >= '2025-01-01'
),
pivoted as (
    select
        patient_id,
        measured_at::date as measured_on,
        max(case when loinc = '8480-6' then value end) as systolic,
        max(case when loinc = '8462-4' then value end) as diastolic,
        max(case when loinc = '29463-7' then value end) as weight_kg,
        max(case when loinc = '8302-2' then value end) / 100.0 as height_m
    from measurements
    group by 1, 2
),
enriched as (
    select pivoted.*, bmi(weight_kg, height_m) as bmi, systolic - diastolic as pulse_pressure from pivoted
),
classified as (
    select
        patient_id, measured_on, bmi, pulse_pressure,
        case when bmi >= 30 then 'obese' when bmi >= 25 then 'overweight' when bmi < 18.5 then 'underweight' else 'normal' end as bmi_class
    from enriched
    where bmi is not null
)
select bmi_class, count(distinct patient_id) as patients, round(avg(pulse_pressure), 1) as avg_pulse_pressure
from classified
group by bmi_class
having count(distinct patient_id) >= 10;

with rx as (select patient_id, medication_id, lower(valid) as start_on, upper(valid) as end_on from prescriptions),
ordered as (
  select rx.*, max(end_on) over (partition by patient_id, medication_id order by start_on rows between unbounded preceding and 1 preceding) as covered_until from rx
),
islands as (
  select *, count(*) filter (where covered_until is null or start_on > covered_until) over (partition by patient_id, medication_id order by start_on) as island from ordered
)
select patient_id, medication_id, island, min(start_on) as start_on, max(end_on) as end_on
from islands
group by patient_id, medication_id, island;

with audit as (
    select "id" as audit_id, "userId" as user_id, "entityType" as entity_type, "changes" as changes, "createdAt" as created_at
    from "public"."AuditLogs"
),
users as (
    select "id" as user_id, lower("email") as email, "staffId" as staff_id from "public"."User"
),
exploded as (
    select audit.audit_id, audit.user_id, audit.created_at, field.key as field_name, field.value as new_value
    from audit
    cross join lateral jsonb_each_text(audit.changes) as field
),
final as (
    select exploded.*, users.email, users.staff_id
    from exploded
    inner join users on users.user_id = exploded.user_id
)
select email, field_name, count(*) as edits, max(created_at) as last_edit_at
from final
group by email, field_name;

with dim as (
    select
        id as department_id,
        coalesce(parent_id, id) as root_id,
        row_number() over (order by code) as sk
    from departments
),
fct as (
    select dim.sk, dim.root_id, v.kind, v.triage_level
    from visits v
    inner join dim on dim.department_id = v.department_id
)
select root_id, kind, grouping(root_id, kind) as g, avg(triage_level) as level
from fct
group by cube (root_id, kind)
order by g, root_id;

create materialized view "billing"."mart_payer_mix__dbt_tmp" as
with lines as (
    select il.invoice_id, il.service_code, il.amount from billing.invoice_lines il
),
inv as (
    select i.id as invoice_id, i.payer_id, i.issued_on from billing.invoices i where i.status <> 'void'
),
mix as (
    select p.name as payer, lines.service_code, sum(lines.amount) as amount
    from lines
    join inv using (invoice_id)
    left join billing.payers p on p.id = inv.payer_id
    group by 1, 2
)
select mix.*, amount / sum(amount) over (partition by payer) as share from mix;

with first_touch as (
    select patient_id, min(started_at) as first_at from visits group by patient_id
),
retention as (
    select
        f.patient_id,
        date_trunc('quarter', f.first_at) as cohort,
        bool_or(v.started_at between f.first_at + interval '1 month' and f.first_at + interval '3 months') as retained_3m,
        bool_or(v.started_at > f.first_at + interval '3 months') as retained_later
    from first_touch f
    join visits v on v.patient_id = f.patient_id
    group by 1, 2
)
select
    cohort,
    count(*) as cohort_size,
    (count(*) filter (where retained_3m))::numeric / count(*) as r3,
    (count(*) filter (where retained_later))::numeric / count(*) as later
from retention
group by cohort
order by cohort;

with wait_times as (
    select
        lo.id as order_id,
        d.code as department,
        extract(epoch from lo.collected_at - lo.ordered_at) / 60 as minutes_to_collect,
        extract(epoch from lo.resulted_at - lo.collected_at) / 60 as minutes_to_result
    from lab_orders lo
    join visits v on v.id = lo.visit_id
    join departments d on d.id = v.department_id
), stats as (
    select
        department,
        percentile_cont(0.9) within group (order by minutes_to_collect) as p90_collect,
        percentile_cont(0.9) within group (order by minutes_to_result) as p90_result,
        count(*) as orders
    from wait_times
    group by department
), ranked as (
    select stats.*, ntile(4) over (order by p90_result desc nulls last) as quartile from stats
)
select department, orders, p90_collect + p90_result as p90_total from ranked where quartile = 1;

with snapshot_query as (
    select id, full_name, role, department_id, hourly_rate from "public"."staff"
),
snapshotted_data as (
    select *, id as dbt_unique_key from snapshot_query where role <> 'clerk'
),
insertions_source_data as (
    select
        *,
        id as dbt_unique_key,
        md5(coalesce(cast(id as varchar ), '') || '|' || coalesce(cast(hourly_rate as varchar ), '')) as dbt_scd_id
    from snapshot_query
),
insertions as (
    select 'insert' as dbt_change_type, source_data.*
    from insertions_source_data as source_data
    left outer join snapshotted_data on snapshotted_data.dbt_unique_key = source_data.dbt_unique_key
    where snapshotted_data.dbt_unique_key is null
       or (snapshotted_data.hourly_rate != source_data.hourly_rate
           or ((snapshotted_data.hourly_rate is null) != (source_data.hourly_rate is null)))
)
select * from insertions;

with recursive hierarchy as (
    select id, parent_id, code::text as path, 0 as depth from departments where parent_id is null
    union all
    select departments.id, departments.parent_id, hierarchy.path || '.' || departments.code, hierarchy.depth + 1
    from departments
    inner join hierarchy on departments.parent_id = hierarchy.id
),
closure as (
    select a.id as ancestor_id, d.id as descendant_id, d.depth - a.depth as distance
    from hierarchy a
    inner join hierarchy d on d.path = a.path or d.path like a.path || '.%'
),
rolled_up as (
    select closure.ancestor_id as department_id, count(visits.id) as total_visits
    from closure
    left join visits on visits.department_id = closure.descendant_id
    group by closure.ancestor_id
)
select departments.name, rolled_up.total_visits, hierarchy.depth
from rolled_up
join departments on departments.id = rolled_up.department_id
join hierarchy using (id)
order by hierarchy.path;

with appointments as (
    select "id" as appointment_id, "patientId" as patient_id, "staffId" as staff_id, "startsAt" as starts_at, "status"::text as status
    from public."Appointment"
),
matched as (
    select
        a.appointment_id,
        a.starts_at,
        a.status,
        v.id as visit_id,
        row_number() over (partition by a.appointment_id order by abs(extract(epoch from v.started_at - a.starts_at))) as rn
    from appointments a
    left join visits v
        on v.patient_id = a.patient_id
        and v.started_at::date = a.starts_at::date
),
deduped as (
    select appointment_id, starts_at, status, visit_id from matched where rn = 1
)
select
    date_trunc('week', starts_at)::date as week,
    count(*) as booked,
    count(visit_id) as kept,
    1 - count(visit_id)::float / nullif(count(*), 0) as no_show_rate
from deduped
where status <> 'CANCELED'
group by 1;

with params as (
    select date_trunc('month', current_date) - interval '1 month' as period_start, date_trunc('month', current_date) as period_end
),
active as (
    select distinct m.patient_id
    from measurements m, params
    where m.measured_at >= params.period_start and m.measured_at < params.period_end
),
previous as (
    select distinct m.patient_id
    from measurements m
    cross join params p
    where m.measured_at >= p.period_start - interval '1 month' and m.measured_at < p.period_start
)
select
    count(active.patient_id) filter (where previous.patient_id is null) as new_patients,
    count(previous.patient_id) filter (where active.patient_id is null) as lost_patients,
    count(*) filter (where active.patient_id = previous.patient_id) as kept_patients
from active
full outer join previous on previous.patient_id = active.patient_id;

with med as (
    select id as medication_id, name, substring(atc from 1 for 1) as atc_group from medications
),
usage as (
    select med.atc_group, p.patient_id, count(*) as rx, sum(p.dose * (1 + p.refills)) as total_dose
    from prescriptions p inner join med on med.medication_id = p.medication_id
    group by grouping sets ((med.atc_group, p.patient_id), (med.atc_group))
),
totals as (select atc_group, rx from usage where patient_id is null),
top_patient as (
    select distinct on (atc_group) atc_group, patient_id, rx from usage where patient_id is not null order by atc_group, rx desc
)
select totals.atc_group, totals.rx as total_rx, patients.mrn, top_patient.rx as top_rx
from totals
left join top_patient using (atc_group)
left join patients on patients.id = top_patient.patient_id;

with base as (select visit_id, code, rank from visit_diagnoses),
pairs as (
    select least(a.code, b.code) as code_a, greatest(a.code, b.code) as code_b, count(*) as together
    from base as a
    join base as b on a.visit_id = b.visit_id and a.code < b.code
    group by 1, 2
),
singles as (select code, count(*) as n from base group by code),
scored as (
    select pairs.code_a, pairs.code_b, pairs.together,
           pairs.together::numeric / (sa.n + sb.n - pairs.together) as jaccard
    from pairs
    join singles sa on sa.code = pairs.code_a
    join singles sb on sb.code = pairs.code_b
)
select ca.title as a, cb.title as b, together, jaccard
from scored
join icd_codes ca on ca.code = code_a
join icd_codes cb on cb.code = code_b
order by jaccard desc
limit 20;

with a as (select patient_id, started_at, ended_at from visits where kind = 'inpatient'),
b as (select a.*, coalesce(ended_at, now()) as end_or_now from a),
c as (select b.patient_id, generate_series(date_trunc('day', b.started_at), b.end_or_now, '1 day') as d from b),
d as (select c.d::date as day, count(distinct c.patient_id) as census from c group by 1)
select d.day, d.census, d.census::float / (select sum(r.beds) from rooms r where r.kind in ('ward', 'icu')) as occupancy from d;

with exploded as (
    select
        lo.id as order_id,
        lo.visit_id,
        analyte ->> 'code' as analyte_code,
        (analyte ->> 'value')::numeric as analyte_value,
        analyte -> 'range' as ref_range
    from "public"."lab_orders" as lo
    cross join lateral jsonb_array_elements(lo.result -> 'analytes') as analyte
    where lo.status = 'final'
),
bounds as (
    select exploded.*, (ref_range ->> 'low')::numeric as low, (ref_range ->> 'high')::numeric as high from exploded
),
flagged as (
    select *, analyte_value < low as is_low, analyte_value > high as is_high from bounds
),
final as (
    select
        flagged.analyte_code,
        count(*) as results,
        sum(is_low::int) as low_results,
        sum(is_high::int) as high_results,
        array_agg(distinct v.patient_id) filter (where is_low or is_high) as patients
    from flagged
    left join "public"."visits" v on v.id = flagged.visit_id
    group by flagged.analyte_code
)
select final.*, cardinality(final.patients) as affected from final;

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
