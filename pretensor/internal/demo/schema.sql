CREATE TABLE schema_migrations ( -- Migrations that have been applied to this database
  version    TEXT PRIMARY KEY, -- number of the migration
  name       TEXT NOT NULL, -- what it does
  applied_at TIMESTAMP NOT NULL -- when it ran
);

CREATE TABLE employees ( -- People who work for the shop, in the office and in the warehouses
  id         INTEGER PRIMARY KEY, -- employee number
  full_name  TEXT NOT NULL, -- given name and family name
  email      TEXT NOT NULL UNIQUE, -- address at work
  job_title  TEXT NOT NULL, -- what the employee does
  manager_id INTEGER REFERENCES employees (id), -- whom the employee reports to; null for the head of the shop
  hired_on   DATE NOT NULL -- first day of work
);

CREATE TABLE suppliers ( -- Companies that the shop buys its products from
  id             INTEGER PRIMARY KEY, -- supplier number
  name           TEXT NOT NULL UNIQUE, -- name of the company
  country        TEXT NOT NULL, -- two-letter code of the country that it delivers from
  contact_email  TEXT NOT NULL, -- where purchase orders are sent
  lead_time_days INTEGER NOT NULL CHECK (lead_time_days > 0) -- usual days from order to delivery
);

CREATE TABLE categories ( -- Shelves of the shop
  id   INTEGER PRIMARY KEY, -- category number
  name TEXT NOT NULL UNIQUE, -- as customers see it
  slug TEXT NOT NULL UNIQUE -- as it stands in web addresses
);

CREATE TABLE products ( -- Everything that is or was for sale
  id          INTEGER PRIMARY KEY, -- product number
  sku         TEXT NOT NULL UNIQUE, -- stock keeping unit, printed on the label
  name        TEXT NOT NULL, -- as customers see it
  supplier_id INTEGER NOT NULL REFERENCES suppliers (id), -- who delivers it
  unit_price  DECIMAL(10,2) NOT NULL CHECK (unit_price > 0), -- price of one piece today, in EUR with tax
  unit_cost   DECIMAL(10,2) NOT NULL, -- what one piece costs the shop, in EUR
  is_active   BOOLEAN NOT NULL DEFAULT 1, -- 0 when it is no longer for sale
  launched_on DATE NOT NULL -- first day of sale
);

CREATE TABLE product_categories ( -- Which product stands on which shelves
  product_id  INTEGER NOT NULL REFERENCES products (id), -- the product
  category_id INTEGER NOT NULL REFERENCES categories (id), -- one of its categories
  PRIMARY KEY (product_id, category_id)
);

CREATE TABLE customers ( -- People who have an account; deleted accounts stay, with status closed
  id           INTEGER PRIMARY KEY, -- customer number, inside this database only
  customer_ref TEXT NOT NULL UNIQUE, -- customer number that other systems and letters use
  full_name    TEXT NOT NULL, -- given name and family name
  email        TEXT NOT NULL UNIQUE, -- address of the account
  status       TEXT NOT NULL CHECK (status IN ('active', 'dormant', 'closed')), -- dormant after a year without a visit
  newsletter   BOOLEAN NOT NULL DEFAULT 0, -- 1 for those who asked for it
  created_at   TIMESTAMP NOT NULL -- when the account was opened
);

CREATE TABLE addresses ( -- Postal addresses of customers, for bills and for parcels
  id          INTEGER PRIMARY KEY, -- address number
  customer_id INTEGER NOT NULL REFERENCES customers (id), -- whose address it is
  street      TEXT NOT NULL, -- street and house number
  postcode    TEXT NOT NULL, -- postal code
  city        TEXT NOT NULL, -- town
  region      TEXT NOT NULL, -- sales region that the town belongs to
  country     TEXT NOT NULL -- two-letter code
);

CREATE TABLE orders ( -- One row per placed order, whatever became of it
  id                  INTEGER PRIMARY KEY, -- order number, inside this database only
  order_no            TEXT NOT NULL UNIQUE, -- order number that customers and other systems see
  customer_id         INTEGER NOT NULL REFERENCES customers (id), -- who ordered
  billing_address_id  INTEGER NOT NULL REFERENCES addresses (id), -- where the bill goes
  shipping_address_id INTEGER NOT NULL REFERENCES addresses (id), -- where the parcel goes
  status              TEXT NOT NULL CHECK (status IN ('placed', 'paid', 'shipped', 'delivered', 'cancelled', 'returned')), -- how far it has come
  channel             TEXT NOT NULL CHECK (channel IN ('web', 'app', 'phone', 'market')), -- where it was placed; market is a market place
  shipping_fee        DECIMAL(10,2) NOT NULL, -- in EUR; 0 from 50 EUR on
  total_amount        DECIMAL(10,2) NOT NULL, -- sum of the items and the shipping fee, in EUR
  placed_at           TIMESTAMP NOT NULL -- when the customer ordered
);

CREATE TABLE order_items ( -- Lines of orders
  order_id   INTEGER NOT NULL REFERENCES orders (id) ON DELETE CASCADE, -- the order
  line_no    INTEGER NOT NULL, -- from 1 within the order
  product_id INTEGER NOT NULL REFERENCES products (id), -- what was ordered
  quantity   INTEGER NOT NULL CHECK (quantity > 0), -- pieces
  unit_price DECIMAL(10,2) NOT NULL, -- price of one piece when it was ordered, in EUR
  line_total DECIMAL(10,2) GENERATED ALWAYS AS (round(quantity * unit_price, 2)) VIRTUAL, -- pieces times price
  PRIMARY KEY (order_id, line_no)
);

CREATE TABLE payments ( -- Attempts to pay an order; a failed one is followed by another
  id       INTEGER PRIMARY KEY, -- payment number
  order_id INTEGER NOT NULL REFERENCES orders (id), -- what is paid for
  method   TEXT NOT NULL CHECK (method IN ('card', 'paypal', 'transfer', 'invoice')), -- means of payment
  status   TEXT NOT NULL CHECK (status IN ('pending', 'settled', 'failed', 'refunded')), -- refunded when all of it was paid back
  amount   DECIMAL(10,2) NOT NULL, -- in EUR
  paid_at  TIMESTAMP -- when the money arrived; null if it has not
);

CREATE TABLE refunds ( -- Money that was paid back
  id          INTEGER PRIMARY KEY, -- refund number
  payment_id  INTEGER NOT NULL REFERENCES payments (id), -- the payment that it is taken from
  amount      DECIMAL(10,2) NOT NULL, -- in EUR, at most that of the payment
  reason      TEXT NOT NULL, -- why, in a few words
  approved_by INTEGER NOT NULL REFERENCES employees (id), -- who allowed it
  refunded_at TIMESTAMP NOT NULL -- when it was paid back
);

CREATE TABLE warehouses ( -- Where goods are kept and sent from
  id     INTEGER PRIMARY KEY, -- warehouse number
  code   TEXT NOT NULL UNIQUE, -- three letters on labels
  name   TEXT NOT NULL, -- how the staff call it
  city   TEXT NOT NULL, -- town
  region TEXT NOT NULL -- sales region that it serves
);

CREATE TABLE shipments ( -- Parcels that have left a warehouse
  id           INTEGER PRIMARY KEY, -- parcel number
  order_id     INTEGER NOT NULL REFERENCES orders (id), -- the order that it brings
  warehouse_id INTEGER NOT NULL REFERENCES warehouses (id), -- where it came from
  carrier      TEXT NOT NULL, -- who carries it
  tracking_no  TEXT NOT NULL UNIQUE, -- number at the carrier
  shipped_at   TIMESTAMP NOT NULL, -- when it left
  delivered_at TIMESTAMP -- when it arrived; null while it is on its way
);

CREATE TABLE stock_levels ( -- How many pieces of each product lie in each warehouse
  warehouse_id  INTEGER NOT NULL REFERENCES warehouses (id), -- where
  product_id    INTEGER NOT NULL REFERENCES products (id), -- what
  on_hand       INTEGER NOT NULL, -- pieces at the last count
  reorder_level INTEGER NOT NULL, -- fewer pieces than that make a purchase order
  counted_at    TIMESTAMP NOT NULL, -- last count
  PRIMARY KEY (warehouse_id, product_id)
);

CREATE TABLE purchase_orders ( -- What the shop orders from its suppliers
  id          INTEGER PRIMARY KEY, -- number of the purchase order
  supplier_id INTEGER NOT NULL REFERENCES suppliers (id), -- who is to deliver
  buyer_id    INTEGER NOT NULL REFERENCES employees (id), -- who ordered
  status      TEXT NOT NULL CHECK (status IN ('open', 'received', 'cancelled')), -- how far it has come
  ordered_on  DATE NOT NULL, -- day of the order
  received_on DATE -- day of the delivery; null before it
);

CREATE TABLE purchase_order_items ( -- Lines of purchase orders
  purchase_order_id INTEGER NOT NULL REFERENCES purchase_orders (id) ON DELETE CASCADE, -- the purchase order
  line_no           INTEGER NOT NULL, -- from 1 within the purchase order
  warehouse_id      INTEGER NOT NULL REFERENCES warehouses (id), -- where the goods go
  product_id        INTEGER NOT NULL REFERENCES products (id), -- what is bought
  quantity          INTEGER NOT NULL CHECK (quantity > 0), -- pieces
  unit_cost         DECIMAL(10,2) NOT NULL, -- price of one piece, in EUR
  PRIMARY KEY (purchase_order_id, line_no),
  FOREIGN KEY (warehouse_id, product_id) REFERENCES stock_levels (warehouse_id, product_id)
);

CREATE TABLE web_events ( -- What visitors do in the shop, as the tracking script reports it; it knows no keys
  id           INTEGER PRIMARY KEY, -- number of the event
  session_id   TEXT NOT NULL, -- one visit
  customer_ref TEXT, -- customer number in other systems; null for visitors who are not signed in
  event_type   TEXT NOT NULL, -- page_view, search, add_to_cart or checkout
  page         TEXT NOT NULL, -- path of the page
  occurred_at  TIMESTAMP NOT NULL -- by the clock of the server
);

CREATE TABLE support_tickets ( -- Copied every night from the help desk, which knows orders by their number alone
  id        INTEGER PRIMARY KEY, -- ticket number
  order_no  TEXT, -- number of the order that it is about; null for general questions
  subject   TEXT NOT NULL, -- first line of the message
  priority  TEXT NOT NULL, -- low, normal or urgent
  agent     TEXT NOT NULL, -- first name of who answers
  opened_at TIMESTAMP NOT NULL, -- when the customer wrote
  closed_at TIMESTAMP -- when it was solved; null while it is open
);

CREATE TABLE audit_log ( -- Who changed what
  id         INTEGER PRIMARY KEY, -- in the order of the changes
  table_name TEXT NOT NULL, -- where something was changed
  row_id     INTEGER NOT NULL, -- number of the row in that table
  action     TEXT NOT NULL, -- what was done
  actor      TEXT NOT NULL, -- program or person that did it
  changed_at TIMESTAMP NOT NULL -- when
);

CREATE TABLE stg_raw_orders ( -- Orders of the market place as they arrive, before they are checked and taken over
  order_no     TEXT, -- order number
  customer_ref TEXT, -- customer number
  placed_at    TEXT, -- time as the market place writes it
  total        TEXT, -- amount as the market place writes it
  source_file  TEXT NOT NULL, -- name of the file that it came in
  loaded_at    TIMESTAMP NOT NULL -- when the file was read
);

CREATE TABLE daily_revenue ( -- Revenue per day and sales region, filled every night
  day           DATE NOT NULL, -- day on which the money arrived
  region        TEXT NOT NULL, -- sales region of the shipping address
  total_orders  INTEGER NOT NULL, -- orders paid on that day
  total_revenue DECIMAL(12,2) NOT NULL, -- payments that arrived, in EUR
  total_refunds DECIMAL(12,2) NOT NULL, -- how much of them has been paid back since, in EUR
  PRIMARY KEY (day, region)
);

CREATE VIEW v_active_customers -- Customers whose account is in use
AS SELECT id, customer_ref, full_name, email, newsletter, created_at
FROM customers
WHERE status = 'active';

CREATE VIEW v_order_summary -- One row per order, with its customer and its number of pieces
AS SELECT o.id AS order_id, o.order_no, o.placed_at, o.status, c.full_name AS customer_name, count(*) AS line_count, sum(i.quantity) AS pieces, o.total_amount
FROM orders AS o
JOIN customers AS c ON c.id = o.customer_id
JOIN order_items AS i ON i.order_id = o.id
GROUP BY o.id, o.order_no, o.placed_at, o.status, c.full_name, o.total_amount;
