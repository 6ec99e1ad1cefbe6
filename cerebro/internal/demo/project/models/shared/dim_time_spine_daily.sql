-- A year more than the data, so that windows may reach back from its first day.
select
    day::date as day,
    date_trunc('week', day)::date as week_start,
    date_trunc('month', day)::date as month_start,
    date_trunc('quarter', day)::date as quarter_start,
    date_trunc('year', day)::date as year_start,
    isodow(day) >= 6 as is_weekend,
    year(day - interval 3 month) as fiscal_year
from generate_series(date '2023-01-01', date '2025-12-31', interval 1 day) as days (day)
order by day
