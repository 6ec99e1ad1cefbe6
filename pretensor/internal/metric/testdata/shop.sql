create table regions (id int not null primary key, name varchar(20));
create table addresses (id int not null primary key, city varchar(20));
create table customers (id int not null primary key, name varchar(20), region_id int, foreign key (region_id) references regions (id));
create table orders (id int not null primary key, customer_id int, billing_id int, shipping_id int, channel varchar(10), fee int, status varchar(10),
  foreign key (customer_id) references customers (id), foreign key (billing_id) references addresses (id), foreign key (shipping_id) references addresses (id));
create table order_items (order_id int not null, line int not null, qty int, primary key (order_id, line), foreign key (order_id) references orders (id));
create table item_notes (id int not null primary key, order_id int, line int, body varchar(20), foreign key (order_id, line) references order_items (order_id, line));
create table payments (id int not null primary key, order_id int, amount decimal(10,2), status varchar(10), paid_at timestamp null, foreign key (order_id) references orders (id));
create table log_lines (order_id int, note varchar(20), foreign key (order_id) references orders (id));
create table log_tags (log_order int, tag varchar(20));
