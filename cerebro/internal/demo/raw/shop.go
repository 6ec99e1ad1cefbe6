package raw

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"
)

// shop is all that happened, in the order in which it happened.
type shop struct {
	customers     []customer
	orders        []order
	items         []item
	refunds       []refund
	sessions      []session
	tickets       []ticket
	subscriptions []subscription
	sold          []int // units by day, warehouse and product
}

type customer struct {
	area, loyalty    int
	segment, channel string
	signedUp         moment
	orders           int // so far, with those before the data
	born             int // year, 0 when not told
	optIn            bool
}

type order struct {
	customer, area, number       int
	channel, status, coupon      string
	ordered, promised, delivered moment // delivered may be never
	discount, fee                int
	firstItem, total             int
}

type item struct {
	order, product, quantity, price, discount int
}

func (i item) net() int { return i.quantity*i.price - i.discount }

type refund struct {
	item, amount, risk int // risk in hundredths, negative when nobody looked
	at                 moment
	reason             string
}

type session struct {
	customer, area, views, seconds, stage int // customer is -1 for visitors who did not sign in
	device, source                        string
	started                               moment
	order                                 int // -1 without one
}

type ticket struct {
	customer, order, satisfaction int // order is -1 for general questions, satisfaction 0 when not told
	priority, topic, channel      string
	opened, answered, resolved    moment
}

type subscription struct {
	customer, plan, start, stop int // days; stop is open after the data
	reason                      string
}

// open is the day of what has no end.
const open = 1 << 30

// history is made once: all tables are views of it.
var history = sync.OnceValue(func() *shop {
	s := &shop{sold: make([]int, days*len(warehouses)*len(shelves))}
	s.trade()
	s.returns()
	s.visits()
	s.help()
	s.subscribe()
	return s
})

func sale(day, warehouse, product int) int {
	return (day*len(warehouses)+warehouse)*len(shelves) + product
}

// hours are the weights of the hours of a day in which people order; some do
// around midnight.
var hours = []int{9, 5, 2, 1, 1, 3, 9, 18, 27, 32, 36, 40, 44, 38, 33, 34, 40, 52, 66, 74, 70, 56, 36, 20}

const (
	perDay       = 112  // orders of an average day
	oldCustomers = 2500 // who were there before the data
)

// trade makes customers, orders and items, day by day.
func (s *shop) trade() {
	d := newDice(1)
	pools := make([][]int, len(areas)) // customers who still buy, by area
	for range oldCustomers {
		a := d.pick(weights(0))
		c := s.signUp(d, a, utc(moment(-d.between(1, 600)*secondsDay+d.IntN(secondsDay))))
		s.customers[c].orders = d.between(1, 30)
		pools[a] = append(pools[a], c)
	}
	for day := range days {
		share := weights(day)
		times := make([]int, d.about(perDay*demand(day)/1000, 70))
		for i := range times {
			times[i] = d.pick(hours)*3600 + d.IntN(3600)
		}
		slices.Sort(times)
		for _, at := range times {
			local := moment(day*secondsDay + at)
			a := d.pick(share)
			var c int
			switch pool := pools[a]; {
			case len(pool) < 2 || d.chance(128):
				c = s.signUp(d, a, utc(local)-moment(d.skewed(120, 20*secondsDay)))
				pools[a] = append(pool, c)
			default:
				at := d.IntN(len(pool))
				if other := d.IntN(len(pool)); s.customers[pool[other]].loyalty > s.customers[pool[at]].loyalty {
					at = other
				}
				c = pool[at]
				if d.chance(88) { // this is their last order
					pool[at] = pool[len(pool)-1]
					pools[a] = pool[:len(pool)-1]
				}
			}
			s.order(d, day, c, local)
		}
		for range d.between(0, 2) { // people who sign up and never buy
			s.signUp(d, d.pick(share), utc(moment(day*secondsDay+d.IntN(secondsDay))))
		}
	}
}

// weights are the shares of the areas on a day.
func weights(day int) []int {
	out := make([]int, len(areas))
	for i, a := range areas {
		if day >= a.opens {
			out[i] = a.weight
		}
	}
	return out
}

func (s *shop) signUp(d dice, area int, at moment) int {
	c := customer{
		area: area, loyalty: d.IntN(100), segment: segments.draw(d), channel: acquisition.draw(d),
		signedUp: at, optIn: d.chance(610),
	}
	if d.chance(720) {
		c.born = d.between(1942, 2005)
	}
	s.customers = append(s.customers, c)
	return len(s.customers) - 1
}

// basket sizes by segment: lines of an order, and units of a line, by weight.
var (
	linesOf = map[string][]int{
		"family": {14, 24, 27, 17, 10, 8}, "single": {34, 33, 20, 9, 4, 0}, "senior": {28, 32, 22, 12, 6, 0},
		"student": {40, 34, 17, 7, 2, 0}, "small_business": {16, 26, 26, 18, 9, 5}, "wholesale": {10, 20, 25, 22, 13, 10},
	}
	unitsOf = map[string][]int{
		"family": {22, 30, 20, 14, 8, 6}, "single": {52, 30, 11, 5, 2, 0}, "senior": {46, 33, 13, 6, 2, 0},
		"student": {54, 29, 11, 5, 1, 0}, "small_business": {10, 18, 22, 20, 16, 14}, "wholesale": {0, 4, 12, 22, 30, 32},
	}
)

// shelfWheels draw a product, in winter and in summer.
var shelfWheels = func() (out [2]wheel) {
	var winter, summer []int
	for _, sh := range shelves {
		c := categories[sh.category]
		winter = append(winter, sh.popularity*c.popularity*100)
		summer = append(summer, sh.popularity*c.popularity*c.summer)
	}
	return [...]wheel{newWheel(winter), newWheel(summer)}
}()

// packs is how many at once a segment buys: shops and restaurants take more.
func packs(segment string) int {
	switch segment {
	case "wholesale":
		return 4
	case "small_business":
		return 2
	}
	return 1
}

func (s *shop) order(d dice, day, by int, local moment) {
	c := &s.customers[by]
	c.orders++
	o := order{customer: by, area: c.area, number: c.orders, ordered: utc(local), firstItem: len(s.items)}
	app := 300 + 130*day/days // the app wins over the web site
	o.channel = []string{"app", "phone", "partner", "web"}[d.pick([]int{app, 40, 75, 885 - app})]
	demanded := shelfWheels[0]
	if m := date(day).Month(); m >= time.May && m <= time.August {
		demanded = shelfWheels[1]
	}
	taken := map[int]bool{}
	for range 1 + d.pick(linesOf[c.segment]) {
		p := d.spin(demanded)
		for taken[p] {
			p = d.spin(demanded)
		}
		taken[p] = true
		l := item{order: len(s.orders), product: p, quantity: (1 + d.pick(unitsOf[c.segment])) * packs(c.segment)}
		l.price = shelves[p].price * (1000 + 30*day/365) / 1000 // prices rise by 3 % a year
		if d.chance(120) {
			l.discount = l.quantity * l.price * d.between(10, 25) / 100
		}
		s.items = append(s.items, l)
		o.total += l.net()
	}
	if o.total >= 3000 && d.chance(130) {
		o.coupon, o.discount = []string{"FRESH5", "WELCOME5", "SPRING5"}[d.IntN(3)], 500
	}
	if o.total < 4500 {
		o.fee = 390
	}
	s.deliver(d, &o, day, local)
	if o.status != "cancelled" {
		for _, l := range s.items[o.firstItem:] {
			s.sold[sale(day, areas[o.area].warehouse, l.product)] += l.quantity
		}
	}
	s.orders = append(s.orders, o)
}

// deliver says when an order was promised and when it came. December and Vienna
// are the hard ones.
func (s *shop) deliver(d dice, o *order, day int, local moment) {
	slot := 1
	if int(local)-day*secondsDay < 10*3600 && d.chance(400) {
		slot = 0
	} else if d.chance(180) {
		slot = 2
	}
	from := d.between(8, 20)
	if slot == 0 {
		from = d.between(15, 20)
	}
	promised := moment((day+slot)*secondsDay + (from+2)*3600)
	o.promised, o.delivered, o.status = utc(promised), never, "delivered"
	if d.chance(22) {
		o.status = "cancelled"
		return
	}
	late := 55
	if date(day).Month() == time.December {
		late += 65
	}
	if areas[o.area].warehouse == vienna {
		late += 35
	}
	o.delivered = o.promised - moment(60*d.between(0, 119))
	if d.chance(late) {
		o.delivered = o.promised + moment(60*d.skewed(4, 300))
	}
	if o.delivered >= end {
		o.delivered, o.status = never, "in_transit"
	}
}

// returns makes refunds of delivered items.
func (s *shop) returns() {
	d := newDice(2)
	for i, l := range s.items {
		o := &s.orders[l.order]
		if o.delivered == never {
			continue
		}
		chance := categories[shelves[l.product].category].refunded
		if o.delivered > o.promised {
			chance *= 2
		}
		if !d.chance(chance) {
			continue
		}
		r := refund{item: i, amount: l.net(), risk: -1, reason: reasons.draw(d)}
		if o.coupon != "" || d.chance(300) {
			r.amount = r.amount * 6 / 10
		}
		if d.chance(700) {
			r.risk = d.skewed(1, 98)
		}
		r.at = o.delivered + moment(d.skewed(1800, 14*secondsDay))
		if r.at < end && r.amount > 0 {
			s.refunds = append(s.refunds, r)
		}
	}
	slices.SortStableFunc(s.refunds, func(a, b refund) int { return int(a.at - b.at) })
}

var (
	sources = choice{[]string{"direct", "search", "social", "email", "affiliate", "display"}, []int{34, 28, 17, 11, 6, 4}}
	devices = map[string]choice{
		"app": {[]string{"mobile", "tablet"}, []int{87, 13}},
		"web": {[]string{"desktop", "mobile", "tablet"}, []int{55, 38, 7}},
		"":    {[]string{"desktop", "mobile", "tablet", "smart_tv"}, []int{34, 56, 9, 1}},
	}
)

// stages of a visit: 0 looked around, 1 product, 2 cart, 3 checkout, 4 order.
const bought = 4

// visits makes the sessions that led to an order and those that did not.
func (s *shop) visits() {
	d := newDice(3)
	for i, o := range s.orders {
		if device, ok := devices[o.channel]; ok {
			seconds := d.skewed(150, 2700)
			s.sessions = append(s.sessions, session{
				customer: o.customer, area: o.area, order: i, stage: bought, seconds: seconds, views: d.between(6, 30),
				device: device.draw(d), source: sources.draw(d), started: o.ordered - moment(seconds),
			})
		}
	}
	known := make([][]int, len(areas))
	next := 0
	byTime := make([]int, len(s.customers))
	for i := range byTime {
		byTime[i] = i
	}
	slices.SortStableFunc(byTime, func(a, b int) int { return int(s.customers[a].signedUp - s.customers[b].signedUp) })
	for day := range days {
		for ; next < len(byTime) && s.customers[byTime[next]].signedUp < utc(moment(day*secondsDay)); next++ {
			a := s.customers[byTime[next]].area
			known[a] = append(known[a], byTime[next])
		}
		share := weights(day)
		for range d.about(240*demand(day)/1000, 90) {
			local := moment(day*secondsDay + d.pick(hours)*3600 + d.IntN(3600))
			v := session{
				area: d.pick(share), customer: -1, order: -1, device: devices[""].draw(d), source: sources.draw(d),
				stage: d.pick([]int{36, 38, 18, 8}), started: utc(local),
			}
			if pool := known[v.area]; len(pool) > 0 && d.chance(550) {
				v.customer = pool[d.IntN(len(pool))]
			}
			v.seconds, v.views = d.skewed(4, 1500), 1+v.stage*2+d.skewed(0, 14)
			if v.device == "smart_tv" {
				v.stage = min(v.stage, 1)
			}
			s.sessions = append(s.sessions, v)
		}
	}
	slices.SortFunc(s.sessions, func(a, b session) int {
		return cmp.Or(int(a.started-b.started), a.order-b.order, a.customer-b.customer, a.seconds-b.seconds, a.views-b.views, a.area-b.area,
			strings.Compare(a.device, b.device), strings.Compare(a.source, b.source))
	})
}

var (
	priorities = choice{[]string{"low", "normal", "high", "urgent"}, []int{28, 47, 20, 5}}
	topics     = choice{[]string{"delivery", "quality", "payment", "account", "subscription", "other"}, []int{36, 24, 13, 10, 9, 8}}
	contacts   = choice{[]string{"email", "chat", "phone"}, []int{46, 37, 17}}
	// answer and solve are the longest waits in minutes by priority; most are far shorter.
	answer = map[string]int{"low": 3300, "normal": 1900, "high": 800, "urgent": 240}
	solve  = map[string]int{"low": 14000, "normal": 9000, "high": 5200, "urgent": 2200}
)

// help makes support tickets: about orders, more of them late, and general ones.
func (s *shop) help() {
	d := newDice(4)
	file := func(customer, order int, at moment) {
		t := ticket{
			customer: customer, order: order, opened: at, answered: never, resolved: never,
			priority: priorities.draw(d), topic: topics.draw(d), channel: contacts.draw(d),
		}
		if answered := at + moment(60*d.skewed(3, answer[t.priority])); answered < end && !d.chance(18) {
			t.answered = answered
			if resolved := answered + moment(60*d.skewed(10, solve[t.priority])); resolved < end && !d.chance(35) {
				t.resolved = resolved
				if d.chance(440) {
					t.satisfaction = 1 + d.pick([]int{6, 8, 16, 34, 36})
				}
			}
		}
		s.tickets = append(s.tickets, t)
	}
	for i, o := range s.orders {
		chance, at := 70, o.delivered+moment(d.skewed(600, 4*secondsDay))
		switch {
		case o.delivered == never:
			chance, at = 120, o.ordered+moment(d.skewed(600, secondsDay))
		case o.delivered > o.promised:
			chance = 240
		}
		if at < end && d.chance(chance) {
			file(o.customer, i, at)
		}
	}
	for range 2400 {
		c := d.IntN(len(s.customers))
		since := max(s.customers[c].signedUp, utc(0))
		file(c, -1, since+moment(d.IntN(int(end-since))))
	}
	slices.SortStableFunc(s.tickets, func(a, b ticket) int { return int(a.opened - b.opened) })
}

var leaving = choice{[]string{"price", "moved", "not_used", "service", ""}, []int{34, 14, 30, 10, 12}}

// subscribe gives some customers a delivery plan, which most keep for long.
func (s *shop) subscribe() {
	d := newDice(5)
	for c := range s.customers {
		if s.customers[c].segment == "wholesale" && !d.chance(30) || !d.chance(330) {
			continue
		}
		start := (int(s.customers[c].signedUp)+60*secondsDay)/secondsDay - 60 + d.skewed(0, 120)
		for start < days {
			weight := make([]int, len(plans))
			for i, p := range plans {
				if start >= p.opens {
					weight[i] = p.weight
				}
			}
			sub := subscription{customer: c, plan: d.pick(weight), start: start, stop: open}
			stop := start
			for stop < days && sub.stop == open {
				stop += d.between(28, 33)
				if d.chance(plans[sub.plan].leaving) {
					sub.stop, sub.reason = stop, leaving.draw(d)
				}
			}
			if sub.stop >= days {
				sub.stop, sub.reason = open, ""
			}
			s.subscriptions = append(s.subscriptions, sub)
			if sub.stop == open || !d.chance(140) {
				break
			}
			start = sub.stop + d.between(20, 150) // some come back
		}
	}
	slices.SortStableFunc(s.subscriptions, func(a, b subscription) int { return a.start - b.start })
}
