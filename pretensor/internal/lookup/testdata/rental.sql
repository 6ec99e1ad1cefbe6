CREATE TYPE mpaa_rating AS ENUM ('G', 'PG', 'PG-13', 'R', 'NC-17');
CREATE TABLE language (language_id integer PRIMARY KEY, name character(20) NOT NULL, last_update timestamp NOT NULL);
CREATE TABLE category (category_id integer PRIMARY KEY, name varchar(25) NOT NULL, last_update timestamp NOT NULL);
CREATE TABLE actor (actor_id integer PRIMARY KEY, first_name varchar(45) NOT NULL, last_name varchar(45) NOT NULL, last_update timestamp NOT NULL);
CREATE TABLE country (country_id integer PRIMARY KEY, country varchar(50) NOT NULL, last_update timestamp NOT NULL);
CREATE TABLE city (city_id integer PRIMARY KEY, city varchar(50) NOT NULL, country_id integer NOT NULL REFERENCES country, last_update timestamp NOT NULL);
CREATE TABLE address (
  address_id integer PRIMARY KEY, address varchar(50) NOT NULL, address2 varchar(50), district varchar(20) NOT NULL,
  city_id integer NOT NULL REFERENCES city, postal_code varchar(10), phone varchar(20) NOT NULL, last_update timestamp NOT NULL
);
CREATE TABLE film (
  film_id integer PRIMARY KEY, title varchar(255) NOT NULL, description text, release_year integer,
  language_id integer NOT NULL REFERENCES language, original_language_id integer REFERENCES language,
  rental_duration smallint NOT NULL, rental_rate numeric(4,2) NOT NULL, length smallint, replacement_cost numeric(5,2) NOT NULL,
  rating mpaa_rating, last_update timestamp NOT NULL, special_features text[], fulltext tsvector NOT NULL
);
CREATE TABLE film_actor (
  actor_id integer NOT NULL REFERENCES actor, film_id integer NOT NULL REFERENCES film, last_update timestamp NOT NULL,
  PRIMARY KEY (actor_id, film_id)
);
CREATE TABLE film_category (
  film_id integer NOT NULL REFERENCES film, category_id integer NOT NULL REFERENCES category, last_update timestamp NOT NULL,
  PRIMARY KEY (film_id, category_id)
);
CREATE TABLE store (store_id integer PRIMARY KEY, manager_staff_id integer NOT NULL, address_id integer NOT NULL REFERENCES address, last_update timestamp NOT NULL);
CREATE TABLE staff (
  staff_id integer PRIMARY KEY, first_name varchar(45) NOT NULL, last_name varchar(45) NOT NULL, address_id integer NOT NULL REFERENCES address,
  email varchar(50), store_id integer NOT NULL REFERENCES store, active boolean NOT NULL, username varchar(16) NOT NULL, password varchar(40),
  last_update timestamp NOT NULL, picture bytea
);
ALTER TABLE store ADD CONSTRAINT store_manager_staff_id_fkey FOREIGN KEY (manager_staff_id) REFERENCES staff (staff_id);
CREATE TABLE customer (
  customer_id integer PRIMARY KEY, store_id integer NOT NULL REFERENCES store, first_name varchar(45) NOT NULL, last_name varchar(45) NOT NULL,
  email varchar(50), address_id integer NOT NULL REFERENCES address, activebool boolean NOT NULL, create_date date NOT NULL,
  last_update timestamp, active integer
);
CREATE TABLE inventory (inventory_id integer PRIMARY KEY, film_id integer NOT NULL REFERENCES film, store_id integer NOT NULL REFERENCES store, last_update timestamp NOT NULL);
CREATE TABLE rental (
  rental_id integer PRIMARY KEY, rental_date timestamp NOT NULL, inventory_id integer NOT NULL REFERENCES inventory,
  customer_id integer NOT NULL REFERENCES customer, return_date timestamp, staff_id integer NOT NULL REFERENCES staff, last_update timestamp NOT NULL
);
CREATE TABLE payment (
  payment_id integer PRIMARY KEY, customer_id integer NOT NULL REFERENCES customer, staff_id integer NOT NULL REFERENCES staff,
  rental_id integer NOT NULL REFERENCES rental, amount numeric(5,2) NOT NULL, payment_date timestamp NOT NULL
);
CREATE VIEW customer_list AS
SELECT c.customer_id AS id, c.first_name || ' ' || c.last_name AS name, a.address, a.postal_code AS "zip code", a.phone, city.city, country.country,
  CASE WHEN c.activebool THEN 'active' ELSE '' END AS notes, c.store_id AS sid
FROM customer c JOIN address a ON c.address_id = a.address_id JOIN city ON a.city_id = city.city_id JOIN country ON city.country_id = country.country_id;
CREATE VIEW staff_list AS
SELECT s.staff_id AS id, s.first_name || ' ' || s.last_name AS name, a.address, a.postal_code AS "zip code", a.phone, city.city, country.country, s.store_id AS sid
FROM staff s JOIN address a ON s.address_id = a.address_id JOIN city ON a.city_id = city.city_id JOIN country ON city.country_id = country.country_id;
CREATE VIEW film_list AS
SELECT f.film_id AS fid, f.title, f.description, c.name AS category, f.rental_rate AS price, f.length, f.rating, string_agg(a.first_name, ', ') AS actors
FROM category c JOIN film_category fc ON c.category_id = fc.category_id JOIN film f ON fc.film_id = f.film_id
JOIN film_actor fa ON f.film_id = fa.film_id JOIN actor a ON fa.actor_id = a.actor_id
GROUP BY f.film_id, f.title, f.description, c.name, f.rental_rate, f.length, f.rating;
CREATE VIEW actor_info AS
SELECT a.actor_id, a.first_name, a.last_name, string_agg(c.name || ': ' || f.title, '; ') AS film_info
FROM actor a JOIN film_actor fa ON a.actor_id = fa.actor_id JOIN film f ON fa.film_id = f.film_id
JOIN film_category fc ON f.film_id = fc.film_id JOIN category c ON fc.category_id = c.category_id
GROUP BY a.actor_id, a.first_name, a.last_name;
CREATE VIEW sales_by_store AS
SELECT city.city || ',' || country.country AS store, m.first_name || ' ' || m.last_name AS manager, sum(p.amount) AS total_sales
FROM payment p JOIN rental r ON p.rental_id = r.rental_id JOIN inventory i ON r.inventory_id = i.inventory_id JOIN store s ON i.store_id = s.store_id
JOIN address a ON s.address_id = a.address_id JOIN city ON a.city_id = city.city_id JOIN country ON city.country_id = country.country_id
JOIN staff m ON s.manager_staff_id = m.staff_id
GROUP BY city.city, country.country, m.first_name, m.last_name;
CREATE VIEW sales_by_film_category AS
SELECT c.name AS category, sum(p.amount) AS total_sales
FROM payment p JOIN rental r ON p.rental_id = r.rental_id JOIN inventory i ON r.inventory_id = i.inventory_id JOIN film f ON i.film_id = f.film_id
JOIN film_category fc ON f.film_id = fc.film_id JOIN category c ON fc.category_id = c.category_id
GROUP BY c.name;
