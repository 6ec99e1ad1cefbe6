package raw

import "time"

// This file holds what does not change in the shop: where it delivers, from
// which warehouses, and what it sells.

type area struct {
	name, region, country string
	weight                int // share of orders, in hundredths
	warehouse             int
	opens                 int // day; negative for areas older than the data
}

var warehouses = [...]string{"Hamburg", "Berlin", "Munich", "Cologne", "Vienna"}

// vienna counts no stock on Sundays.
const vienna = 4

var areas = [...]area{
	{"Hamburg", "North", "Germany", 15, 0, -1},
	{"Bremen", "North", "Germany", 6, 0, -1},
	{"Groningen", "North", "Netherlands", 4, 0, -1},
	{"Amsterdam", "West", "Netherlands", 11, 3, -1},
	{"Rotterdam", "West", "Netherlands", 8, 3, -1},
	{"Cologne", "West", "Germany", 9, 3, -1},
	{"Berlin", "East", "Germany", 13, 1, -1},
	{"Leipzig", "East", "Germany", 6, 1, -1},
	{"Vienna", "East", "Austria", 9, vienna, -1},
	{"Munich", "South", "Germany", 10, 2, -1},
	{"Stuttgart", "South", "Germany", 6, 2, -1},
	{"Innsbruck", "South", "Austria", 3, vienna, dayOf(2025, time.April, 1)},
}

var (
	segments = choice{
		[]string{"family", "single", "senior", "student", "small_business", "wholesale"},
		[]int{38, 24, 14, 9, 10, 5},
	}
	acquisition = choice{
		[]string{"search", "social", "referral", "organic", "affiliate", "email", "display", ""},
		[]int{26, 20, 14, 18, 9, 5, 5, 3},
	}
	reasons = choice{
		[]string{"damaged", "missing", "quality", "wrong_item", "late", ""},
		[]int{27, 18, 30, 9, 10, 6},
	}
)

// category is a shelf of the shop. Costs and refunds are in thousandths of the
// price and of the items sold; summer is the demand of the summer months against
// that of the others, in hundredths.
type category struct {
	name                               string
	popularity, cost, refunded, summer int
	products                           []product
}

type product struct {
	name, brand string // brand is empty for loose goods
	price       int    // cents
	popularity  int
	organic     bool
}

var categories = [...]category{
	{"Fruit", 16, 640, 34, 135, []product{
		{"Apples 1 kg", "", 349, 14, false}, {"Bananas 1 kg", "", 199, 20, false}, {"Organic Blueberries 250 g", "Feldgut", 449, 8, true},
		{"Oranges 2 kg", "", 529, 9, false}, {"Strawberries 500 g", "", 399, 10, false}, {"Organic Lemons 500 g", "Feldgut", 279, 7, true},
	}},
	{"Vegetables", 15, 620, 31, 115, []product{
		{"Tomatoes 500 g", "", 289, 16, false}, {"Potatoes 2 kg", "", 379, 13, false}, {"Organic Carrots 1 kg", "Feldgut", 249, 11, true},
		{"Cucumber", "", 99, 12, false}, {"Spinach 400 g", "", 329, 7, false}, {"Bell Peppers 500 g", "", 319, 9, false},
	}},
	{"Dairy", 14, 700, 16, 98, []product{
		{"Whole Milk 1 l", "Wiesental", 139, 18, false}, {"Organic Yoghurt 500 g", "Wiesental", 219, 11, true}, {"Gouda 400 g", "Kaashuis", 499, 9, false},
		{"Butter 250 g", "Wiesental", 269, 14, false}, {"Feta 200 g", "Kaashuis", 289, 7, false}, {"Free-range Eggs 10", "", 329, 12, false},
	}},
	{"Bakery", 10, 560, 19, 96, []product{
		{"Rye Bread 750 g", "Ofenwerk", 379, 12, false}, {"Baguette", "Ofenwerk", 189, 11, false}, {"Croissants 4", "Ofenwerk", 349, 8, false},
		{"Organic Spelt Rolls 6", "Ofenwerk", 329, 7, true}, {"Toast 500 g", "Morgenrot", 179, 9, false}, {"Cinnamon Buns 4", "Morgenrot", 419, 5, false},
	}},
	{"Meat & Fish", 9, 740, 27, 108, []product{
		{"Chicken Breast 600 g", "Hofglück", 899, 11, false}, {"Organic Minced Beef 500 g", "Hofglück", 949, 8, true}, {"Salmon Fillet 300 g", "Nordfang", 1099, 7, false},
		{"Bratwurst 5", "Hofglück", 599, 8, false}, {"Smoked Trout 150 g", "Nordfang", 499, 4, false}, {"Turkey Ham 150 g", "Hofglück", 299, 8, false},
	}},
	{"Pantry", 12, 610, 8, 92, []product{
		{"Spaghetti 500 g", "Molino", 189, 14, false}, {"Basmati Rice 1 kg", "Molino", 429, 9, false}, {"Olive Oil 750 ml", "Molino", 1099, 7, false},
		{"Organic Red Lentils 500 g", "Feldgut", 299, 6, true}, {"Tomato Passata 700 g", "Molino", 219, 11, false}, {"Honey 500 g", "Bienenhof", 699, 5, false},
	}},
	{"Beverages", 11, 580, 9, 128, []product{
		{"Mineral Water 6 x 1.5 l", "Quellfrisch", 499, 15, false}, {"Orange Juice 1 l", "Quellfrisch", 299, 11, false}, {"Lager 6 x 0.5 l", "Brauhof", 749, 8, false},
		{"Organic Apple Juice 1 l", "Feldgut", 329, 7, true}, {"Ground Coffee 500 g", "Rösterei Lind", 799, 10, false}, {"Green Tea 20 bags", "Rösterei Lind", 349, 4, false},
	}},
	{"Frozen", 7, 600, 12, 112, []product{
		{"Pizza Margherita", "Gelida", 379, 12, false}, {"Fish Fingers 450 g", "Nordfang", 499, 8, false}, {"Mixed Berries 750 g", "Gelida", 649, 6, false},
		{"Vanilla Ice Cream 1 l", "Gelida", 549, 8, false}, {"Organic Peas 600 g", "Feldgut", 349, 6, true}, {"French Fries 1 kg", "Gelida", 329, 9, false},
	}},
	{"Snacks", 8, 540, 7, 100, []product{
		{"Dark Chocolate 100 g", "Kakaowerk", 249, 13, false}, {"Potato Crisps 175 g", "Knusper", 199, 12, false}, {"Mixed Nuts 200 g", "Knusper", 449, 8, false},
		{"Organic Oat Bars 6", "Feldgut", 379, 6, true}, {"Gummy Bears 300 g", "Knusper", 229, 8, false}, {"Gingerbread 400 g", "Kakaowerk", 499, 3, false},
	}},
	{"Household", 6, 520, 11, 95, []product{
		{"Dish Soap 500 ml", "Klarwasser", 249, 9, false}, {"Laundry Detergent 1.5 l", "Klarwasser", 1199, 7, false}, {"Kitchen Rolls 4", "", 399, 10, false},
		{"Bin Liners 35 l", "", 279, 7, false}, {"All-purpose Cleaner 1 l", "Klarwasser", 329, 6, false}, {"Beeswax Wraps 3", "Bienenhof", 1299, 0, true},
	}},
}

// shelf is a product with its category; products are numbered through all shelves.
type shelf struct {
	product
	category int
}

var shelves = func() (out []shelf) {
	for i, c := range categories {
		for _, p := range c.products {
			out = append(out, shelf{p, i})
		}
	}
	return out
}()

func (s shelf) cost() int { return s.price * categories[s.category].cost / 1000 }

// launched is the day since which a product is on sale. The one that nobody buys
// is announced and not on sale yet.
func (s shelf) launched(number int) time.Time {
	if s.popularity == 0 {
		return LastDay.AddDate(0, 1, 15)
	}
	return FirstDay.AddDate(0, -3-number*7%50, number*11%28)
}

type plan struct {
	name    string
	price   int // cents a month
	weight  int
	leaving int // chance to leave in a month, in thousandths
	opens   int // day
}

var plans = [...]plan{
	{"basic", 490, 45, 62, -10000},
	{"plus", 990, 30, 44, -10000},
	{"family", 1490, 17, 33, -10000},
	{"annual", 742, 12, 12, dayOf(2024, time.July, 1)},
}
