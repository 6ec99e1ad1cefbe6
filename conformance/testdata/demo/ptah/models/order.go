// Package models declares a small shop.
package models

import "time"

// Audit is part of several tables.
type Audit struct {
	//ptah:schema:field name="created_at" type="TIMESTAMPTZ" not_null default_expr="now()"
	CreatedAt time.Time
}

// Customer is who buys.
//
//ptah:schema:table name="customers"
type Customer struct {
	//ptah:schema:field name="id" type="BIGSERIAL" primary
	ID int64
	//ptah:schema:field name="email" type="VARCHAR(255)" not_null unique
	Email string
	//ptah:embedded mode="inline"
	Audit
}

// Order is one purchase.
//
//ptah:schema:enum name="order_status" values="new,paid,shipped"
//ptah:schema:table name="orders" comment="One row per order" checks="total >= 0"
//ptah:schema:index name="orders_customer_idx" fields="customer_id" where="status <> 'shipped'"
//ptah:schema:view name="open_orders" body="SELECT id, total FROM orders WHERE status = 'new'"
type Order struct {
	//ptah:schema:field name="id" type="BIGSERIAL" primary
	ID int64
	//ptah:schema:field name="customer_id" type="BIGINT" not_null foreign="customers(id)" on_delete="CASCADE"
	CustomerID int64
	//ptah:schema:field name="total" type="NUMERIC(12,2)" not_null default="0" platform.sqlite.type="REAL"
	Total string
	//ptah:schema:field name="status" type="order_status" not_null default="new"
	Status string
	//ptah:embedded mode="inline"
	Audit
}
