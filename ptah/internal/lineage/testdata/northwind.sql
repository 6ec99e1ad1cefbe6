-- Views over the trader's tables, as its office might want them.
create view stock (product, category, supplier, worth) as
  select p.product_name, c.category_name, s.company_name, p.unit_price * p.units_in_stock
  from products p
  join categories c on c.category_id = p.category_id
  left join suppliers s on s.supplier_id = p.supplier_id
  where p.discontinued = 0;

create view line_totals as
  select order_id, product_id, quantity, (unit_price * quantity * (1 - discount))::numeric(12, 2) as total from order_details;

create view order_totals as
  select o.order_id, o.order_date, o.customer_id, sum(l.total) as goods, max(o.freight) as freight
  from orders o join line_totals l using (order_id)
  group by o.order_id, o.order_date, o.customer_id;

create view invoices as
  select t.order_id, t.goods + coalesce(t.freight, 0) as amount, cu.company_name, cu.address, cu.city,
         concat_ws(' ', e.title_of_courtesy, e.first_name, e.last_name) as seller, sh.company_name as shipper
  from order_totals t
  join customers cu on cu.customer_id = t.customer_id
  join orders o on o.order_id = t.order_id
  left join employees e on e.employee_id = o.employee_id
  left join shippers sh on sh.shipper_id = o.ship_via;

create view best_customers as
  select distinct on (country) country, company_name, amount
  from (select c.country, i.company_name, sum(i.amount) as amount
        from invoices i join customers c on c.company_name = i.company_name group by c.country, i.company_name) per_customer
  order by country, amount desc;

create recursive view chain (employee_id, name, boss, depth) as
  select employee_id, last_name, null::varchar, 1 from employees where reports_to is null
  union all
  select e.employee_id, e.last_name, c.name, c.depth + 1 from employees e join chain c on c.employee_id = e.reports_to;

create view partners as
  select 'customer' as kind, company_name, contact_name, phone from customers
  union
  select 'supplier', company_name, contact_name, phone from suppliers
  union
  select 'shipper', company_name, null, phone from shippers
  order by company_name;

create view shared_cities as
  select city from customers intersect select city from suppliers;

create view monthly as
  select date_trunc('month', order_date) as month, count(*) as orders, sum(goods) as goods,
         sum(sum(goods)) over (order by date_trunc('month', order_date)) as so_far,
         count(*) filter (where freight > 100) as heavy
  from order_totals
  group by date_trunc('month', order_date);

create view late as
  select o.order_id, o.required_date, o.shipped_date, o.shipped_date - o.required_date as days
  from orders o
  where o.shipped_date > o.required_date and o.customer_id in (select customer_id from customers where country = 'Germany');

create view territories_of as
  select e.last_name, r.region_description, array_agg(t.territory_description order by t.territory_id) as territories
  from employees e natural join employee_territories et join territories t using (territory_id) join region r using (region_id)
  group by e.last_name, r.region_description;
