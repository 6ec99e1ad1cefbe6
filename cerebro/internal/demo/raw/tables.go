package raw

import (
	"database/sql/driver"
	"fmt"
	"iter"
	"strings"
	"time"
)

// Table is a source table.
type Table struct {
	Name    string
	Columns []Column
	// Rows gives the rows in their order. A row is valid until the next one.
	Rows iter.Seq[[]driver.Value]
}

// Column is a column with its type in DuckDB's words.
type Column struct{ Name, Type string }

// Tables are all source tables.
func Tables() []Table {
	return []Table{
		{"regions", columns("region_id BIGINT, area VARCHAR, region VARCHAR, country VARCHAR, opened_on DATE"), regions},
		{"products", columns("product_id BIGINT, sku VARCHAR, product_name VARCHAR, category VARCHAR, brand VARCHAR, " +
			"unit_price_cents INTEGER, unit_cost_cents INTEGER, is_organic BOOLEAN, launched_on DATE"), products},
		{"customers", columns("customer_id BIGINT, full_name VARCHAR, email VARCHAR, region_id BIGINT, segment VARCHAR, " +
			"acquisition_channel VARCHAR, birth_year INTEGER, marketing_opt_in BOOLEAN, signed_up_at TIMESTAMP"), customers},
		{"orders", columns("order_id BIGINT, customer_id BIGINT, order_number INTEGER, region_id BIGINT, warehouse VARCHAR, channel VARCHAR, " +
			"status VARCHAR, coupon_code VARCHAR, discount_cents INTEGER, delivery_fee_cents INTEGER, ordered_at TIMESTAMP, " +
			"promised_at TIMESTAMP, delivered_at TIMESTAMP"), orders},
		{"order_items", columns("order_item_id BIGINT, order_id BIGINT, product_id BIGINT, quantity INTEGER, unit_price_cents INTEGER, " +
			"unit_cost_cents INTEGER, discount_cents INTEGER"), items},
		{"refunds", columns("refund_id BIGINT, order_item_id BIGINT, amount_cents INTEGER, reason VARCHAR, risk_score DOUBLE, refunded_at TIMESTAMP"), refunds},
		{"sessions", columns("session_id BIGINT, customer_id BIGINT, region_id BIGINT, device VARCHAR, traffic_source VARCHAR, page_views INTEGER, " +
			"duration_seconds INTEGER, stage INTEGER, order_id BIGINT, started_at TIMESTAMP"), sessions},
		{"tickets", columns("ticket_id BIGINT, customer_id BIGINT, order_id BIGINT, priority VARCHAR, topic VARCHAR, contact_channel VARCHAR, " +
			"satisfaction INTEGER, opened_at TIMESTAMP, first_response_at TIMESTAMP, resolved_at TIMESTAMP"), tickets},
		{"subscriptions", columns("subscription_id BIGINT, customer_id BIGINT, plan VARCHAR, monthly_price_cents INTEGER, started_on DATE, " +
			"ended_on DATE, cancel_reason VARCHAR"), subscriptions},
		{"stock", columns("stock_date DATE, warehouse VARCHAR, product_id BIGINT, units_on_hand INTEGER, reorder_point INTEGER"), stock},
		{"marketing_spend", columns("spend_date DATE, region_id BIGINT, acquisition_channel VARCHAR, spend_cents INTEGER, impressions INTEGER, clicks INTEGER"), marketing},
	}
}

func columns(list string) (out []Column) {
	for _, c := range strings.Split(list, ", ") {
		name, typ, _ := strings.Cut(c, " ")
		out = append(out, Column{name, typ})
	}
	return out
}

// Numbers that the shop's systems give begin here.
const (
	firstCustomer = 1001
	firstOrder    = 100001
	firstProduct  = 1
)

// text is NULL for an empty word.
func text(s string) driver.Value {
	if s == "" {
		return nil
	}
	return s
}

// at is NULL for what never was.
func at(m moment) driver.Value {
	if m == never {
		return nil
	}
	return m.time()
}

// number is NULL for numbers below the least one; the others are counted from first.
func number(n, least, first int) driver.Value {
	if n < least {
		return nil
	}
	return int32(n + first)
}

func regions(yield func([]driver.Value) bool) {
	for i, a := range areas {
		opened := FirstDay.AddDate(-2, -i%5, 14-i)
		if a.opens >= 0 {
			opened = date(a.opens)
		}
		if !yield([]driver.Value{int32(i + 1), a.name, a.region, a.country, opened}) {
			return
		}
	}
}

func products(yield func([]driver.Value) bool) {
	for i, s := range shelves {
		sku := fmt.Sprintf("%s-%03d", strings.ToUpper(categories[s.category].name[:3]), i+firstProduct)
		if !yield([]driver.Value{
			int32(i + firstProduct), sku, s.name, categories[s.category].name, text(s.brand),
			int32(s.price), int32(s.cost()), s.organic, s.launched(i),
		}) {
			return
		}
	}
}

var (
	given  = [...]string{"Anna", "Ben", "Clara", "David", "Emma", "Finn", "Greta", "Hugo", "Ida", "Jonas", "Klara", "Lars", "Mila", "Noah", "Olga", "Paul", "Rosa", "Sven", "Tess", "Wim"}
	family = [...]string{"Albers", "Bakker", "Claus", "de Vries", "Egger", "Fischer", "Gruber", "Hansen", "Jansen", "Keller", "Lorenz", "Moser", "Novak", "Peters", "Richter", "Steiner", "Thiel", "Visser", "Weber", "Ziegler"}
)

func customers(yield func([]driver.Value) bool) {
	for i, c := range history().customers {
		name := given[i*7%len(given)] + " " + family[i/len(given)*3%len(family)]
		if !yield([]driver.Value{
			int32(i + firstCustomer), name, fmt.Sprintf("customer%d@example.com", i+firstCustomer), int32(c.area + 1), c.segment,
			text(c.channel), number(c.born, 1, 0), c.optIn, at(c.signedUp),
		}) {
			return
		}
	}
}

func orders(yield func([]driver.Value) bool) {
	row := make([]driver.Value, 13)
	for i, o := range history().orders {
		row[0], row[1], row[2] = int32(i+firstOrder), int32(o.customer+firstCustomer), int32(o.number)
		row[3], row[4], row[5] = int32(o.area+1), warehouses[areas[o.area].warehouse], o.channel
		row[6], row[7], row[8], row[9] = o.status, text(o.coupon), int32(o.discount), int32(o.fee)
		row[10], row[11], row[12] = at(o.ordered), at(o.promised), at(o.delivered)
		if !yield(row) {
			return
		}
	}
}

func items(yield func([]driver.Value) bool) {
	row := make([]driver.Value, 7)
	for i, l := range history().items {
		row[0], row[1], row[2] = int32(i+1), int32(l.order+firstOrder), int32(l.product+firstProduct)
		row[3], row[4], row[5], row[6] = int32(l.quantity), int32(l.price), int32(shelves[l.product].cost()), int32(l.discount)
		if !yield(row) {
			return
		}
	}
}

func refunds(yield func([]driver.Value) bool) {
	for i, r := range history().refunds {
		var risk driver.Value
		if r.risk >= 0 {
			risk = float64(r.risk) / 100
		}
		if !yield([]driver.Value{int32(i + 1), int32(r.item + 1), int32(r.amount), text(r.reason), risk, at(r.at)}) {
			return
		}
	}
}

func sessions(yield func([]driver.Value) bool) {
	row := make([]driver.Value, 10)
	for i, v := range history().sessions {
		row[0], row[1], row[2] = int32(i+1), number(v.customer, 0, firstCustomer), int32(v.area+1)
		row[3], row[4], row[5], row[6], row[7] = v.device, v.source, int32(v.views), int32(v.seconds), int32(v.stage)
		row[8], row[9] = number(v.order, 0, firstOrder), at(v.started)
		if !yield(row) {
			return
		}
	}
}

func tickets(yield func([]driver.Value) bool) {
	for i, t := range history().tickets {
		if !yield([]driver.Value{
			int32(i + 1), int32(t.customer + firstCustomer), number(t.order, 0, firstOrder), t.priority, t.topic, t.channel,
			number(t.satisfaction, 1, 0), at(t.opened), at(t.answered), at(t.resolved),
		}) {
			return
		}
	}
}

func subscriptions(yield func([]driver.Value) bool) {
	for i, s := range history().subscriptions {
		var ended driver.Value
		if s.stop != open {
			ended = date(s.stop)
		}
		p := plans[s.plan]
		if !yield([]driver.Value{int32(i + 1), int32(s.customer + firstCustomer), p.name, int32(p.price), date(s.start), ended, text(s.reason)}) {
			return
		}
	}
}

// stock follows the sales of each warehouse: an order to the supplier goes out
// when a product runs low and comes after some days, sometimes too late.
func stock(yield func([]driver.Value) bool) {
	d := newDice(6)
	s := history()
	type position struct{ units, point, due, ordered int }
	positions := make([]position, len(warehouses)*len(shelves))
	for w := range warehouses {
		for p := range shelves {
			sum := 0
			for day := range days {
				sum += s.sold[sale(day, w, p)]
			}
			daily := max(1, sum/days)
			positions[w*len(shelves)+p] = position{units: daily * d.between(8, 16), point: daily * 5, due: -1}
		}
	}
	row := make([]driver.Value, 5)
	for day := range days {
		closed := date(day).Weekday() == time.Sunday
		for w := range warehouses {
			for p, sh := range shelves {
				at := &positions[w*len(shelves)+p]
				if at.due == day {
					at.units, at.due = at.units+at.ordered, -1
				}
				at.units = max(0, at.units-s.sold[sale(day, w, p)])
				if at.units <= at.point && at.due < 0 {
					at.ordered, at.due = at.point*d.between(2, 3), day+1+d.pick([]int{30, 34, 20, 10, 6})
				}
				if sh.popularity == 0 || closed && w == vienna {
					continue
				}
				row[0], row[1], row[2] = date(day), warehouses[w], int32(p+firstProduct)
				row[3], row[4] = int32(at.units), int32(at.point)
				if !yield(row) {
					return
				}
			}
		}
	}
}

// budgets are cents a day and hundredth of orders, by channel.
var budgets = []struct {
	channel               string
	cents, clicks, impact int // price of a click in cents, impressions for a click
}{
	{"search", 122, 42, 26}, {"social", 86, 31, 74}, {"affiliate", 38, 55, 18}, {"display", 31, 24, 190}, {"email", 9, 6, 21},
}

func marketing(yield func([]driver.Value) bool) {
	d := newDice(7)
	row := make([]driver.Value, 6)
	for day := range days {
		for i, a := range areas {
			if day < a.opens-31 { // advertising begins a month before the first delivery
				continue
			}
			for _, b := range budgets {
				cents := d.about(b.cents*a.weight*(600+demand(day)*4/10)/1000, 220)
				if b.channel == "email" && date(day).Weekday()%3 != 2 {
					cents = 0
				}
				clicks := cents / b.clicks
				row[0], row[1], row[2] = date(day), int32(i+1), b.channel
				row[3], row[4], row[5] = int32(cents), int32(clicks*d.about(b.impact, 150)), int32(clicks)
				if !yield(row) {
					return
				}
			}
		}
	}
}
