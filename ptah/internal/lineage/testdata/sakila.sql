-- Views over the video shop's tables, as its clerks might want them.
create view film_catalogue as
  select f.film_id, f.title, f.description, c.name as category, f.rental_rate as price, f.length, f.rating,
         string_agg(initcap(a.first_name) || ' ' || initcap(a.last_name), ', ' order by a.last_name) as actors
  from film f
  left join film_category fc on fc.film_id = f.film_id
  left join category c on c.category_id = fc.category_id
  left join film_actor fa on fa.film_id = f.film_id
  left join actor a on a.actor_id = fa.actor_id
  group by f.film_id, f.title, f.description, c.name, f.rental_rate, f.length, f.rating;

create view address_book (person, kind, street, zip, phone, city, country) as
  select c.first_name || ' ' || c.last_name, 'customer', a.address, a.postal_code, a.phone, ci.city, co.country
  from customer c
  join address a using (address_id)
  join city ci using (city_id)
  join country co using (country_id)
  union all
  select s.first_name || ' ' || s.last_name, 'staff', a.address, a.postal_code, a.phone, ci.city, co.country
  from staff s
  join address a using (address_id)
  join city ci using (city_id)
  join country co using (country_id)
  where s.active;

create view takings_by_store as
  select ci.city || ', ' || co.country as store, m.first_name || ' ' || m.last_name as manager, sum(p.amount) as takings
  from payment p
  join rental r on r.rental_id = p.rental_id
  join inventory i on i.inventory_id = r.inventory_id
  join store st on st.store_id = i.store_id
  join address a on a.address_id = st.address_id
  join city ci on ci.city_id = a.city_id
  join country co on co.country_id = ci.country_id
  join staff m on m.staff_id = st.manager_staff_id
  group by ci.city, co.country, m.first_name, m.last_name, st.store_id
  having sum(p.amount) > 0
  order by co.country, ci.city;

create view takings_by_category as
  with paid as (
    select i.film_id, p.amount
    from payment p join rental r using (rental_id) join inventory i using (inventory_id)
  )
  select c.name as category, sum(paid.amount) as takings
  from paid
  join film_category fc on fc.film_id = paid.film_id
  join category c on c.category_id = fc.category_id
  group by c.name
  order by takings desc;

create view best_category as
  select category, takings, rank() over (order by takings desc) as place from takings_by_category;

create view on_loan as
  select r.rental_id, f.title, cu.customer_id, cu.email,
         r.rental_date + f.rental_duration * interval '1 day' as due,
         case when r.rental_date + f.rental_duration * interval '1 day' < now() then f.replacement_cost else 0 end as fine
  from rental r
  join inventory i using (inventory_id)
  join film f using (film_id)
  join customer cu on cu.customer_id = r.customer_id
  where r.return_date is null;

create view overdue as
  select o.customer_id, o.email, count(*) as films, sum(o.fine) as fines, min(o.due) as since
  from on_loan o
  where o.due < now()
  group by o.customer_id, o.email;

create view idle_films as
  select f.film_id, f.title
  from film f
  where not exists (select 1 from inventory i join rental r using (inventory_id) where i.film_id = f.film_id)
  except
  select film_id, title from film where rating = 'NC-17';

create view customer_value as
  select c.customer_id, x.paid, x.last_payment, (select max(r.rental_date) from rental r where r.customer_id = c.customer_id) as last_rental,
         c.active = 1 as is_active
  from customer c
  cross join lateral (select sum(p.amount) as paid, max(p.payment_date) as last_payment from payment p where p.customer_id = c.customer_id) x;

create materialized view features as
  select f.film_id, t.feature, t.place from film f, unnest(f.special_features) with ordinality as t (feature, place) where f.fulltext @@ to_tsquery('drama');

create view actor_pairs as
  select least(a.actor_id, b.actor_id) as one, greatest(a.actor_id, b.actor_id) as other, count(distinct a.film_id) as films
  from film_actor a join film_actor b on a.film_id = b.film_id and a.actor_id < b.actor_id
  group by 1, 2;

create view whole_stores as
  select s.*, (select count(*) from customer c where c.store_id = s.store_id) as customers, m as manager
  from store s left join staff m on m.staff_id = s.manager_staff_id;

create view january as table payment_p2007_01;

create view payments as select payment_id, amount, payment_date from payment;
