package demo

import (
	"database/sql/driver"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// The time that the rows are of.
var (
	founded = time.Date(2023, 1, 2, 8, 0, 0, 0, time.UTC)    // first customers
	opened  = time.Date(2024, 1, 1, 6, 0, 0, 0, time.UTC)    // first order
	today   = time.Date(2025, 12, 31, 20, 0, 0, 0, time.UTC) // last row
)

// How many rows there are of what does not follow from something else.
const (
	employeeCount      = 32
	customerCount      = 2000
	productCount       = 400
	orderCount         = 8000
	purchaseOrderCount = 300
	eventCount         = 20000
	ticketCount        = 900
	rawOrderCount      = 500
	changeCount        = 1200
)

// maker makes the rows of all tables. Its choices come from a generator with a fixed
// seed and from integers alone, so that they are the same on every machine.
type maker struct {
	*rand.Rand
	tables []*rows

	customers []customer
	addresses []address
	products  []product
	orders    []order
	approvers []int // employees who may allow refunds
	buyers    []int
}

type customer struct {
	ref     string
	created time.Time
	until   time.Time // last sign of life
	homes   []int     // addresses
}

type address struct{ region string }

type product struct {
	price, cost cents
	supplier    int
	page        string
}

type order struct {
	no      string
	ref     string // of the customer
	channel string
	total   cents
	placed  time.Time
}

// market is the channel of orders that come through a market place.
const market = "market"

func newMaker() *maker { return &maker{Rand: rand.New(rand.NewPCG(1844, 21))} }

// table begins a table. Tables are filled in the order in which they are begun.
func (m *maker) table(name string, columns ...string) *rows {
	r := &rows{name: name, columns: columns}
	m.tables = append(m.tables, r)
	return r
}

// cents is an amount of money.
type cents int64

// Value is the amount as the database keeps it, in EUR.
func (c cents) Value() (driver.Value, error) { return float64(c) / 100, nil }

var _ driver.Valuer = cents(0)

// Times and days as SQLite's functions read them.
func at(t time.Time) string  { return t.Format(time.DateTime) }
func day(t time.Time) string { return t.Format(time.DateOnly) }

// between is a moment after from and before to, which it is at most.
func (m *maker) between(from, to time.Time) time.Time {
	span := int64(to.Sub(from) / time.Second)
	if span <= 0 {
		return to
	}
	return from.Add(time.Duration(m.Int64N(span)) * time.Second)
}

// spread is the i-th of n moments between from and to: in order, unevenly.
func (m *maker) spread(i, n int, from, to time.Time) time.Time {
	step := to.Sub(from) / time.Duration(n)
	return m.between(from.Add(time.Duration(i)*step), from.Add(time.Duration(i+1)*step)).Truncate(time.Second)
}

// percent is true in so many of a hundred cases.
func (m *maker) percent(n int) bool { return m.IntN(100) < n }

// hours is a time of at least from and less than to hours.
func (m *maker) hours(from, to int) time.Duration {
	return time.Duration(from)*time.Hour + time.Duration(m.IntN((to-from)*3600))*time.Second
}

func pick[T any](m *maker, list []T) T { return list[m.IntN(len(list))] }

func (m *maker) all() {
	m.migrations()
	m.staff()
	m.assortment()
	m.people()
	m.sales()
	m.purchases()
	m.visits()
	m.tickets()
	m.rawOrders()
	m.audit()
}

func (m *maker) migrations() {
	r := m.table("schema_migrations", "version", "name", "applied_at")
	for i, name := range migrations {
		when := m.spread(i, len(migrations), founded.AddDate(0, -6, 0), founded)
		r.add(when.Format("20060102150405"), name, at(when))
	}
}

func (m *maker) staff() {
	r := m.table("employees", "id", "full_name", "email", "job_title", "manager_id", "hired_on")
	used := map[string]bool{}
	for id := 1; id <= employeeCount; id++ {
		first, last := m.name(used)
		var manager any
		var title string
		switch {
		case id == 1:
			title = "Managing Director"
		case id <= 5:
			title, manager = headings[id-2], 1
		default:
			head := 2 + id%4
			title, manager = jobs[head-2], head
			switch head {
			case 2:
				m.approvers = append(m.approvers, id)
			case 3:
				m.buyers = append(m.buyers, id)
			}
		}
		r.add(id, first+" "+last, mail(first, last, "shop.example"), title, manager, day(m.spread(id-1, employeeCount, founded.AddDate(-2, 0, 0), founded)))
	}
}

// name is a name that is not used yet.
func (m *maker) name(used map[string]bool) (first, last string) {
	for {
		first, last = pick(m, firstNames), pick(m, lastNames)
		if key := first + " " + last; !used[key] {
			used[key] = true
			return first, last
		}
	}
}

func mail(first, last, domain string) string {
	return strings.ToLower(strings.ReplaceAll(first+"."+last, " ", "")) + "@" + domain
}

// assortment makes suppliers, categories, products, warehouses and their stock.
func (m *maker) assortment() {
	r := m.table("suppliers", "id", "name", "country", "contact_email", "lead_time_days")
	for i, name := range suppliers {
		domain := strings.ToLower(strings.ReplaceAll(name, " ", "-")) + ".example"
		r.add(i+1, name, pick(m, []string{"DE", "DE", "NL", "AT", "DK", "PT", "PL"}), "orders@"+domain, 3+m.IntN(25))
	}
	r = m.table("categories", "id", "name", "slug")
	for i, c := range shelves {
		r.add(i+1, c.name, slug(c.name))
	}
	r = m.table("products", "id", "sku", "name", "supplier_id", "unit_price", "unit_cost", "is_active", "launched_on")
	on := m.table("product_categories", "product_id", "category_id")
	for i := range productCount {
		// Each round over the materials begins with another thing, so no name comes twice.
		shelf := i % len(shelves)
		c := shelves[shelf]
		round := i / len(shelves)
		name := materials[(round+shelf)%len(materials)] + " " + c.things[(round+round/len(materials))%len(c.things)]
		price := cents(c.from+m.IntN(c.to-c.from))*100 - cents(pick(m, []int{1, 5, 10, 50}))
		p := product{price: price, cost: price * cents(40+m.IntN(25)) / 100, page: "/products/" + slug(name)}
		p.supplier = 1 + (shelf*len(suppliers)/len(shelves)+m.IntN(3))%len(suppliers)
		m.products = append(m.products, p)
		sku := fmt.Sprintf("%s-%04d", strings.ToUpper(c.name[:3]), 1000+i)
		r.add(i+1, sku, name, p.supplier, p.price, p.cost, !m.percent(7), day(m.between(founded, opened)))
		on.add(i+1, shelf+1)
		if m.percent(55) { // a second shelf
			on.add(i+1, (shelf+1+m.IntN(len(shelves)-1))%len(shelves)+1)
		}
	}
	r = m.table("warehouses", "id", "code", "name", "city", "region")
	stock := m.table("stock_levels", "warehouse_id", "product_id", "on_hand", "reorder_level", "counted_at")
	for i, w := range warehouses {
		r.add(i+1, w.code, w.name, w.city, w.region)
		for p := range m.products {
			stock.add(i+1, p+1, m.IntN(120), 5+m.IntN(20), at(m.between(today.AddDate(0, 0, -30), today)))
		}
	}
}

func slug(name string) string { return strings.ToLower(strings.ReplaceAll(name, " ", "-")) }

// people makes customers and their addresses.
func (m *maker) people() {
	r := m.table("customers", "id", "customer_ref", "full_name", "email", "status", "newsletter", "created_at")
	home := m.table("addresses", "id", "customer_id", "street", "postcode", "city", "region", "country")
	used := map[string]bool{}
	for id := 1; id <= customerCount; id++ {
		first, last := m.name(used)
		c := customer{ref: fmt.Sprintf("C-%06d", 100000+7*id), created: m.spread(id-1, customerCount, founded, today), until: today}
		status := "active"
		switch {
		case m.percent(4):
			status, c.until = "closed", m.between(c.created, today)
		case c.created.Before(opened) && m.percent(25):
			status, c.until = "dormant", m.between(c.created, today.AddDate(-1, 0, 0))
		}
		r.add(id, c.ref, first+" "+last, mail(first, last, pick(m, mailDomains)), status, m.percent(40), at(c.created))
		for n := range 1 + m.IntN(4)/3 {
			t := pick(m, towns)
			m.addresses = append(m.addresses, address{t.region})
			c.homes = append(c.homes, len(m.addresses))
			home.add(len(m.addresses), id, fmt.Sprintf("%s %d", pick(m, streets), 1+m.IntN(120-n)), fmt.Sprintf(t.postcode, m.IntN(1000)), t.town, t.region, t.country)
		}
		m.customers = append(m.customers, c)
	}
}

// line is a product on an order.
type line struct{ product, quantity int }

// sales makes orders and everything that follows from them.
func (m *maker) sales() {
	s := sales{
		maker:     m,
		orders:    m.table("orders", "id", "order_no", "customer_id", "billing_address_id", "shipping_address_id", "status", "channel", "shipping_fee", "total_amount", "placed_at"),
		items:     m.table("order_items", "order_id", "line_no", "product_id", "quantity", "unit_price"),
		payments:  m.table("payments", "id", "order_id", "method", "status", "amount", "paid_at"),
		refunds:   m.table("refunds", "id", "payment_id", "amount", "reason", "approved_by", "refunded_at"),
		shipments: m.table("shipments", "id", "order_id", "warehouse_id", "carrier", "tracking_no", "shipped_at", "delivered_at"),
	}
	known := 0 // customers who have an account by then
	for id := 1; id <= orderCount; id++ {
		placed := m.spread(id-1, orderCount, opened, today)
		for known < len(m.customers) && m.customers[known].created.Before(placed) {
			known++
		}
		s.order(id, placed, known)
	}
}

type sales struct {
	*maker
	orders, items, payments, refunds, shipments *rows

	paymentID, refundID, shipmentID int
}

// order makes one order of one of the first customers.
func (s *sales) order(id int, placed time.Time, known int) {
	if s.percent(30) { // some come again and again
		known = max(1, known/10)
	}
	buyer := s.IntN(known)
	for s.customers[buyer].until.Before(placed) {
		buyer = s.IntN(known)
	}
	c := s.customers[buyer]
	bill := c.homes[0]
	ship := pick(s.maker, c.homes)

	goods := cents(0)
	for n, l := range s.basket() {
		price := s.products[l.product].price
		goods += price * cents(l.quantity)
		s.items.add(id, n+1, l.product+1, l.quantity, price)
	}
	fee := cents(490)
	if goods >= 5000 {
		fee = 0
	}
	status := s.fate(placed)
	o := order{no: fmt.Sprintf("%d-%05d", placed.Year(), id), ref: c.ref, channel: pick(s.maker, channels), total: goods + fee, placed: placed}
	s.maker.orders = append(s.maker.orders, o)
	s.orders.add(id, o.no, buyer+1, bill, ship, status, o.channel, fee, o.total, at(placed))
	s.settle(id, status, o.total, placed)
	if status == "shipped" || status == "delivered" || status == "returned" {
		s.send(id, status, placed, s.addresses[ship-1].region)
	}
}

// basket is 1 to 5 different products; the first ones are ordered most.
func (s *sales) basket() []line {
	var list []line
	seen := map[int]bool{}
	for range 1 + min(s.IntN(5), s.IntN(5)) {
		p := min(s.IntN(len(s.products)), s.IntN(len(s.products)))
		if !seen[p] {
			seen[p] = true
			list = append(list, line{p, 1 + min(s.IntN(4), s.IntN(4), s.IntN(4))})
		}
	}
	return list
}

// fate is how far an order has come by today.
func (m *maker) fate(placed time.Time) string {
	switch age := today.Sub(placed); {
	case m.percent(5):
		return "cancelled"
	case age < 24*time.Hour:
		return pick(m, []string{"placed", "paid"})
	case age < 3*24*time.Hour:
		return pick(m, []string{"paid", "shipped"})
	case age < 12*24*time.Hour:
		return "shipped"
	case age > 40*24*time.Hour && m.percent(4):
		return "returned"
	}
	return "delivered"
}

// settle makes the payments of an order and what is paid back of them.
func (s *sales) settle(id int, status string, amount cents, placed time.Time) {
	method := pick(s.maker, []string{"card", "card", "paypal", "paypal", "transfer", "invoice"})
	pay := func(outcome string, when any) int {
		s.paymentID++
		s.payments.add(s.paymentID, id, method, outcome, amount, when)
		return s.paymentID
	}
	if s.percent(5) || status == "cancelled" && s.percent(50) {
		pay("failed", nil)
	}
	switch status {
	case "placed":
		pay("pending", nil)
	case "cancelled":
	default:
		paid := placed.Add(s.hours(0, 3))
		if paid.After(today) {
			paid = today
		}
		outcome, back := "settled", cents(0)
		switch {
		case status == "returned":
			outcome, back = "refunded", amount
		case status == "delivered" && s.percent(2):
			back = amount * cents(10+s.IntN(40)) / 100
		}
		payment := pay(outcome, at(paid))
		if back > 0 {
			when := paid.Add(s.hours(12*24, 30*24))
			if when.After(today) {
				when = today
			}
			s.refundID++
			s.refunds.add(s.refundID, payment, back, pick(s.maker, reasons), pick(s.maker, s.approvers), at(when))
		}
	}
}

// send makes the parcels of an order: mostly one, from the nearest warehouse.
func (s *sales) send(id int, status string, placed time.Time, region string) {
	near := 0
	for i, w := range warehouses {
		if w.region == region {
			near = i
		}
	}
	parcels := 1
	if s.percent(4) {
		parcels = 2
	}
	for range parcels {
		from := near
		if s.percent(10) {
			from = s.IntN(len(warehouses))
		}
		left := placed.Add(s.hours(4, 24))
		var arrived any
		if status != "shipped" {
			arrived = at(left.Add(s.hours(20, 9*24)))
		}
		s.shipmentID++
		s.shipments.add(s.shipmentID, id, from+1, pick(s.maker, carriers), fmt.Sprintf("PK%09d", 300000000+s.shipmentID*37), at(left), arrived)
	}
}

// purchases makes what is ordered from suppliers.
func (m *maker) purchases() {
	r := m.table("purchase_orders", "id", "supplier_id", "buyer_id", "status", "ordered_on", "received_on")
	items := m.table("purchase_order_items", "purchase_order_id", "line_no", "warehouse_id", "product_id", "quantity", "unit_cost")
	for id := 1; id <= purchaseOrderCount; id++ {
		ordered := m.spread(id-1, purchaseOrderCount, founded, today)
		status, received := "received", any(nil)
		switch arrives := ordered.Add(m.hours(3*24, 28*24)); {
		case m.percent(4):
			status = "cancelled"
		case arrives.After(today):
			status = "open"
		default:
			received = day(arrives)
		}
		supplier := pick(m, m.products).supplier
		r.add(id, supplier, pick(m, m.buyers), status, day(ordered), received)
		wanted, n := 1+m.IntN(7), 0
		for _, p := range m.Perm(len(m.products)) {
			if n < wanted && m.products[p].supplier == supplier {
				n++
				items.add(id, n, 1+m.IntN(len(warehouses)), p+1, 10*(1+m.IntN(12)), m.products[p].cost)
			}
		}
	}
}

// visits makes what the tracking script reports: visits of 1 to 8 pages.
func (m *maker) visits() {
	r := m.table("web_events", "id", "session_id", "customer_ref", "event_type", "page", "occurred_at")
	const visits = eventCount / 4
	for visit, id := 0, 1; id <= eventCount; visit++ {
		// From the last visit on, all are of the last hours.
		when := m.spread(min(visit, visits-1), visits, opened, today.Add(-time.Hour))
		session := fmt.Sprintf("%012x", m.Uint64()>>16)
		var ref any
		if m.percent(45) {
			if c := pick(m, m.customers); c.created.Before(when) && when.Before(c.until) {
				ref = c.ref
			}
		}
		for n := range 1 + m.IntN(8) {
			if id > eventCount {
				return
			}
			kind, page := "page_view", pick(m, m.products).page
			switch {
			case n == 0:
				page = pick(m, []string{"/", "/", "/sale", "/shelves/" + slug(pick(m, shelves).name)})
			case n == 1 && m.percent(30):
				kind, page = "search", "/search"
			case n > 2 && m.percent(25):
				kind = "add_to_cart"
			case n > 4 && m.percent(40):
				kind, page = "checkout", "/checkout"
			}
			r.add(id, session, ref, kind, page, at(when))
			when = when.Add(time.Duration(5+m.IntN(200)) * time.Second)
			id++
		}
	}
}

// recent is an order of the two weeks before a time, which is at least some hours
// after the first order.
func (m *maker) recent(when time.Time) int {
	// Orders are spread evenly, so the last one has about this place.
	last := int(int64(len(m.orders)) * int64(when.Sub(opened)/time.Second) / int64(today.Sub(opened)/time.Second))
	return max(1, last-m.IntN(150))
}

func (m *maker) tickets() {
	r := m.table("support_tickets", "id", "order_no", "subject", "priority", "agent", "opened_at", "closed_at")
	for id := 1; id <= ticketCount; id++ {
		when := m.spread(id-1, ticketCount, opened.AddDate(0, 0, 7), today)
		var no any
		subject := pick(m, questions)
		if m.percent(85) {
			subject = pick(m, complaints)
			no = m.orders[m.recent(when)-1].no
		}
		var closed any
		if end := when.Add(m.hours(1, 6*24)); end.Before(today) {
			closed = at(end)
		}
		r.add(id, no, subject, pick(m, []string{"low", "normal", "normal", "normal", "urgent"}), pick(m, firstNames[:8]), at(when), closed)
	}
}

// rawOrders are the last orders of the market place, as it sends them.
func (m *maker) rawOrders() {
	r := m.table("stg_raw_orders", "order_no", "customer_ref", "placed_at", "total", "source_file", "loaded_at")
	var last []order
	for i := len(m.orders) - 1; i >= 0 && len(last) < rawOrderCount; i-- {
		if m.orders[i].channel == market {
			last = append(last, m.orders[i])
		}
	}
	for _, o := range slices.Backward(last) {
		loaded := o.placed.Truncate(24 * time.Hour).Add(26 * time.Hour) // in the night
		r.add(o.no, o.ref, o.placed.Format("02.01.2006 15:04"), fmt.Sprintf("%d,%02d EUR", o.total/100, o.total%100), "market-"+day(o.placed)+".csv", at(loaded))
	}
}

// audit notes who changed prices and orders.
func (m *maker) audit() {
	r := m.table("audit_log", "id", "table_name", "row_id", "action", "actor", "changed_at")
	for id := 1; id <= changeCount; id++ {
		when := m.spread(id-1, changeCount, opened.AddDate(0, 0, 1), today)
		if m.percent(25) {
			r.add(id, "products", 1+m.IntN(productCount), "price changed", pick(m, []string{"pricing-job", "back-office"}), at(when))
		} else {
			r.add(id, "orders", m.recent(when), pick(m, []string{"address changed", "note added"}), pick(m, []string{"back-office", "web-shop"}), at(when))
		}
	}
}
