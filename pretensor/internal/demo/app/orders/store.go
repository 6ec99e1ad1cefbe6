// Package orders keeps the orders of the shop in its database.
package orders

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Store reads and changes orders. It may be used by several goroutines.
type Store struct{ db *sql.DB }

// New returns a store on an open database.
func New(db *sql.DB) *Store { return &Store{db: db} }

// Order is what the list of a customer's orders shows.
type Order struct {
	Number   string
	Status   string
	Total    float64 // EUR
	City     string  // where the parcel goes
	PlacedAt time.Time
}

// OfCustomer lists a customer's orders, the newest first.
func (s *Store) OfCustomer(ctx context.Context, customer int64) ([]Order, error) {
	const query = `
		SELECT o.order_no, o.status, o.total_amount, a.city, o.placed_at
		FROM orders AS o
		JOIN addresses AS a ON a.id = o.shipping_address_id
		WHERE o.customer_id = ?
		ORDER BY o.placed_at DESC`
	rows, err := s.db.QueryContext(ctx, query, customer)
	if err != nil {
		return nil, fmt.Errorf("listing orders of customer %d: %w", customer, err)
	}
	defer rows.Close()
	var list []Order
	for rows.Next() {
		var o Order
		if err := rows.Scan(&o.Number, &o.Status, &o.Total, &o.City, &o.PlacedAt); err != nil {
			return nil, fmt.Errorf("reading an order of customer %d: %w", customer, err)
		}
		list = append(list, o)
	}
	return list, rows.Err()
}

// Cancel cancels an order that has not been sent, and notes who did it.
func (s *Store) Cancel(ctx context.Context, order int64, actor string) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("cancelling order %d: %w", order, err)
	}
	defer tx.Rollback()
	done, err := tx.ExecContext(ctx, `UPDATE orders SET status = 'cancelled' WHERE id = ? AND status IN ('placed', 'paid')`, order)
	if err != nil {
		return fmt.Errorf("cancelling order %d: %w", order, err)
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return fmt.Errorf("order %d cannot be cancelled any more", order)
	}
	if _, err := tx.ExecContext(ctx,
		`INSERT INTO audit_log (table_name, row_id, action, actor, changed_at) VALUES ('orders', ?, 'cancelled', ?, ?)`,
		order, actor, time.Now().UTC()); err != nil {
		return fmt.Errorf("noting that order %d is cancelled: %w", order, err)
	}
	return tx.Commit()
}
