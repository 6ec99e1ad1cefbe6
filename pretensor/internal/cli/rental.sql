-- A rental shop for quickstart --postgres: two schemas, one undeclared key. It may be
-- run again.
CREATE SCHEMA IF NOT EXISTS rental;
CREATE SCHEMA IF NOT EXISTS staff;

CREATE TABLE IF NOT EXISTS staff.staff (
  staff_id   integer PRIMARY KEY,
  full_name  text NOT NULL,
  email      text UNIQUE,
  active     boolean NOT NULL DEFAULT true
);
CREATE TABLE IF NOT EXISTS rental.film (
  film_id      integer PRIMARY KEY,
  title        text NOT NULL,
  release_year smallint,
  daily_rate   numeric(5,2) NOT NULL CHECK (daily_rate > 0)
);
CREATE TABLE IF NOT EXISTS rental.actor (
  actor_id  integer PRIMARY KEY,
  full_name text NOT NULL
);
CREATE TABLE IF NOT EXISTS rental.film_actor (
  film_id  integer NOT NULL REFERENCES rental.film,
  actor_id integer NOT NULL REFERENCES rental.actor,
  PRIMARY KEY (film_id, actor_id)
);
CREATE TABLE IF NOT EXISTS rental.inventory (
  inventory_id integer PRIMARY KEY,
  film_id      integer NOT NULL REFERENCES rental.film
);
CREATE TABLE IF NOT EXISTS rental.customer (
  customer_id integer PRIMARY KEY,
  full_name   text NOT NULL,
  email       text UNIQUE,
  joined_on   date NOT NULL DEFAULT CURRENT_DATE
);
CREATE TABLE IF NOT EXISTS rental.rental (
  rental_id    integer PRIMARY KEY,
  inventory_id integer NOT NULL REFERENCES rental.inventory,
  customer_id  integer NOT NULL REFERENCES rental.customer,
  staff_id     integer NOT NULL,
  rented_at    timestamptz NOT NULL,
  returned_at  timestamptz
);
CREATE TABLE IF NOT EXISTS rental.payment (
  payment_id  integer PRIMARY KEY,
  rental_id   integer NOT NULL REFERENCES rental.rental,
  customer_id integer NOT NULL REFERENCES rental.customer,
  amount      numeric(6,2) NOT NULL,
  paid_at     timestamptz NOT NULL
);
CREATE OR REPLACE VIEW rental.v_open_rental AS
  SELECT r.rental_id, c.full_name, f.title, r.rented_at
  FROM rental.rental r
  JOIN rental.customer c USING (customer_id)
  JOIN rental.inventory i USING (inventory_id)
  JOIN rental.film f USING (film_id)
  WHERE r.returned_at IS NULL;

COMMENT ON TABLE rental.film IS 'Titles that can be rented';
COMMENT ON TABLE rental.inventory IS 'Copies of films on the shelves';
COMMENT ON TABLE rental.rental IS 'Who took which copy, and when it came back';
COMMENT ON COLUMN rental.rental.staff_id IS 'who handed the copy out';

INSERT INTO staff.staff (staff_id, full_name)
  SELECT i, 'Clerk ' || i FROM generate_series(1, 5) i ON CONFLICT DO NOTHING;
INSERT INTO rental.film (film_id, title, release_year, daily_rate)
  SELECT i, 'Film ' || i, 1970 + i % 50, 0.99 + i % 4 FROM generate_series(1, 200) i ON CONFLICT DO NOTHING;
INSERT INTO rental.actor (actor_id, full_name)
  SELECT i, 'Actor ' || i FROM generate_series(1, 80) i ON CONFLICT DO NOTHING;
INSERT INTO rental.film_actor (film_id, actor_id)
  SELECT f, 1 + (f * 7 + a * 11) % 80 FROM generate_series(1, 200) f, generate_series(1, 4) a ON CONFLICT DO NOTHING;
INSERT INTO rental.inventory (inventory_id, film_id)
  SELECT i, 1 + i % 200 FROM generate_series(1, 600) i ON CONFLICT DO NOTHING;
INSERT INTO rental.customer (customer_id, full_name, joined_on)
  SELECT i, 'Customer ' || i, DATE '2024-01-01' + i FROM generate_series(1, 150) i ON CONFLICT DO NOTHING;
INSERT INTO rental.rental (rental_id, inventory_id, customer_id, staff_id, rented_at, returned_at)
  SELECT i, 1 + i % 600, 1 + i % 150, 1 + i % 5, TIMESTAMPTZ '2025-01-01 10:00Z' + i * INTERVAL '3 hours',
         CASE WHEN i % 10 > 0 THEN TIMESTAMPTZ '2025-01-03 10:00Z' + i * INTERVAL '3 hours' END
  FROM generate_series(1, 2000) i ON CONFLICT DO NOTHING;
INSERT INTO rental.payment (payment_id, rental_id, customer_id, amount, paid_at)
  SELECT i, i, 1 + i % 150, 0.99 + i % 4, TIMESTAMPTZ '2025-01-01 10:05Z' + i * INTERVAL '3 hours'
  FROM generate_series(1, 2000) i ON CONFLICT DO NOTHING;
ANALYZE;
