CREATE SCHEMA shop;
CREATE TABLE shop.customers (customer_id INTEGER, region VARCHAR, country VARCHAR, joined DATE);
INSERT INTO shop.customers VALUES
  (1, 'North', 'DE', '2024-01-05'), (2, 'South', 'DE', '2024-02-10'), (3, NULL, 'FR', '2024-02-29'), (4, 'North', 'FR', '2024-12-31'), (5, 'West', 'DE', '2025-01-01');
CREATE TABLE shop.stores (store_id INTEGER, city VARCHAR, region VARCHAR);
INSERT INTO shop.stores VALUES (10, 'Kiel', 'North'), (20, 'Ulm', 'South');
CREATE TABLE shop.orders (
  order_id INTEGER, customer_id INTEGER, store_id INTEGER, ordered_at TIMESTAMP, amount DECIMAL(12,2), units BIGINT, paid BOOLEAN, status VARCHAR, hours DOUBLE);
INSERT INTO shop.orders VALUES
  (100, 1, 10,   '2024-12-29 22:30:00', 10.10, 1, true,  'done',   1.5),
  (101, 1, 10,   '2024-12-30 23:30:00', 20.20, 2, true,  'done',   2.5),
  (102, 2, 20,   '2024-12-31 23:15:00', 30.30, 3, false, 'done',   4),
  (103, 3, NULL, '2025-01-01 00:00:00', 40.40, 4, NULL,  'open',   NULL),
  (104, 4, 20,   '2025-01-05 12:00:00', 50.50, 5, true,  'done',   8),
  (105, 1, 10,   '2025-01-06 00:00:00', 60.60, 6, true,  'refund', 16),
  (106, NULL, 20,'2025-01-31 23:59:59', 70.70, 7, false, 'done',   32),
  (107, 2, 10,   '2025-02-01 00:00:00', 80.80, 8, true,  'done',   64),
  (108, 99, 20,  '2025-02-28 10:00:00', NULL,  9, true,  'open',   128),
  (109, 1, 20,   '2025-03-30 00:30:00', 90.90, 10, true, 'done',   256),
  (110, 4, 10,   '2025-03-30 23:30:00', 11.11, 11, false,'refund', 512),
  (111, 3, 10,   '2025-04-15 08:00:00', 12.12, 12, true, 'O''Hara',1024);
CREATE TABLE shop.items (item_id INTEGER, order_id INTEGER, product VARCHAR, price DECIMAL(12,2));
INSERT INTO shop.items VALUES (1, 100, 'a', 5), (2, 100, 'b', 5.10), (3, 101, 'a', 20.20), (4, 104, 'c', 50.50), (5, 999, 'a', 1);
CREATE TABLE shop.tickets (ticket_id INTEGER, customer_id INTEGER, opened DATE, minutes INTEGER);
INSERT INTO shop.tickets VALUES (1, 1, '2024-12-31', 10), (2, 1, '2025-01-01', 20), (3, 3, '2025-01-15', 30), (4, 5, '2025-02-02', 40), (5, NULL, '2025-05-01', 50);
CREATE TABLE shop.stock (day DATE, warehouse VARCHAR, product VARCHAR, quantity INTEGER);
INSERT INTO shop.stock VALUES
  ('2025-01-30', 'A', 'x', 5), ('2025-01-31', 'A', 'x', 7), ('2025-01-31', 'A', 'y', 1), ('2025-01-31', 'B', 'x', 100), ('2025-01-30', 'B', 'y', 50),
  ('2025-02-27', 'A', 'x', 3), ('2025-02-28', 'B', 'x', 90), ('2025-02-28', 'B', 'y', 40);
