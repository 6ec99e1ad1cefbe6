-- A shop that rents films; some of its keys are not declared.
create schema staff;
create table film (film_id integer primary key, title varchar(255) not null, release_year integer, rental_rate numeric(4,2));
create table actor (actor_id integer primary key, first_name varchar(45), last_name varchar(45));
create table film_actor (actor_id integer references actor, film_id integer references film, primary key (actor_id, film_id));
create table inventory (inventory_id integer primary key, film_id integer not null references film, store_id integer not null);
create table customer (customer_id integer primary key, store_id integer not null, first_name varchar(45), last_name varchar(45), favourite text);
create table staff.staff (staff_id integer primary key, first_name varchar(45), store_id integer);
create table rental (rental_id integer primary key, rental_date timestamp not null, inventory_id integer not null references inventory,
  customer_id integer not null references customer, return_date timestamp, staff_id integer not null);
create table payment (payment_id integer primary key, customer_id integer not null references customer, staff_id integer not null,
  rental_id integer references rental, amount numeric(5,2) not null, payment_date timestamp not null);
