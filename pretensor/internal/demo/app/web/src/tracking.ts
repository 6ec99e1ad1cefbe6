// Receives what the tracking script reports, and answers the shop's own questions about it.
import Database from "better-sqlite3";

export interface PageEvent {
  sessionId: string;
  customerRef: string | null;
  type: "page_view" | "search" | "add_to_cart" | "checkout";
  page: string;
}

export function record(db: Database.Database, event: PageEvent): void {
  const sql = `
    INSERT INTO web_events (session_id, customer_ref, event_type, page, occurred_at)
    VALUES (?, ?, ?, ?, CURRENT_TIMESTAMP)`;
  db.prepare(sql).run(event.sessionId, event.customerRef, event.type, event.page);
}

// Customers who came to the till since a day and have placed no order since.
export function abandonedCarts(db: Database.Database, since: string): unknown[] {
  const query = `
    SELECT DISTINCT c.id, c.email
    FROM web_events AS e
    JOIN customers AS c ON c.customer_ref = e.customer_ref
    WHERE e.event_type = 'checkout'
      AND e.occurred_at >= ?
      AND NOT EXISTS (
        SELECT 1 FROM orders AS o
        WHERE o.customer_id = c.id AND o.placed_at >= e.occurred_at
      )`;
  return db.prepare(query).all(since);
}
