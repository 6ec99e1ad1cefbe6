-- Two channels of the TPC-DS benchmark: facts around shared dimensions.
create table date_dim (d_date_sk integer primary key, d_date_id char(16), d_date date, d_year integer, d_moy integer, d_week_seq integer);
create table time_dim (t_time_sk integer primary key, t_time_id char(16), t_hour integer);
create table customer_address (ca_address_sk integer primary key, ca_address_id char(16), ca_city varchar(60), ca_state char(2));
create table customer_demographics (cd_demo_sk integer primary key, cd_gender char(1), cd_education_status char(20));
create table income_band (ib_income_band_sk integer primary key, ib_lower_bound integer, ib_upper_bound integer);
create table household_demographics (hd_demo_sk integer primary key, hd_income_band_sk integer references income_band, hd_buy_potential char(15));
create table customer (c_customer_sk integer primary key, c_customer_id char(16), c_current_cdemo_sk integer references customer_demographics,
  c_current_hdemo_sk integer references household_demographics, c_current_addr_sk integer references customer_address,
  c_first_shipto_date_sk integer references date_dim, c_first_sales_date_sk integer references date_dim, c_last_name char(30));
create table item (i_item_sk integer primary key, i_item_id char(16), i_brand_id integer, i_brand char(50), i_category_id integer, i_category char(50));
create table store (s_store_sk integer primary key, s_store_id char(16), s_closed_date_sk integer references date_dim, s_store_name varchar(50));
create table promotion (p_promo_sk integer primary key, p_promo_id char(16), p_start_date_sk integer references date_dim, p_end_date_sk integer references date_dim,
  p_item_sk integer references item);
create table reason (r_reason_sk integer primary key, r_reason_id char(16), r_reason_desc char(100));
create table store_sales (ss_sold_date_sk integer references date_dim, ss_sold_time_sk integer references time_dim, ss_item_sk integer not null references item,
  ss_customer_sk integer references customer, ss_cdemo_sk integer references customer_demographics, ss_hdemo_sk integer references household_demographics,
  ss_addr_sk integer references customer_address, ss_store_sk integer references store, ss_promo_sk integer references promotion, ss_ticket_number integer not null,
  ss_quantity integer, ss_net_paid numeric(7,2), primary key (ss_item_sk, ss_ticket_number));
create table store_returns (sr_returned_date_sk integer references date_dim, sr_return_time_sk integer references time_dim, sr_item_sk integer not null references item,
  sr_customer_sk integer references customer, sr_store_sk integer references store, sr_reason_sk integer references reason, sr_ticket_number integer not null,
  sr_return_quantity integer, primary key (sr_item_sk, sr_ticket_number),
  foreign key (sr_item_sk, sr_ticket_number) references store_sales (ss_item_sk, ss_ticket_number));
create table web_site (web_site_sk integer primary key, web_site_id char(16), web_open_date_sk integer references date_dim);
create table web_sales (ws_sold_date_sk integer references date_dim, ws_item_sk integer not null references item, ws_bill_customer_sk integer references customer,
  ws_ship_customer_sk integer references customer, ws_web_site_sk integer references web_site, ws_order_number integer not null, ws_quantity integer,
  primary key (ws_item_sk, ws_order_number));
