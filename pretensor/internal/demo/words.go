package demo

// What the rows are made of.

var migrations = []string{
	"create customers and addresses", "create products and categories", "create orders", "create payments", "create warehouses and stock",
	"create shipments", "create suppliers and purchase orders", "create employees", "add refunds", "add web events", "add daily revenue",
	"import support tickets", "add audit log", "add market place staging",
}

// headings are the jobs of those who report to the head; jobs are those below them.
var (
	headings = []string{"Head of Customer Care", "Head of Purchasing", "Head of Logistics", "Head of Technology"}
	jobs     = []string{"Customer Care Agent", "Buyer", "Warehouse Clerk", "Software Engineer"}
)

var firstNames = []string{
	"Anna", "Ben", "Clara", "David", "Emma", "Felix", "Greta", "Henri", "Ida", "Jonas", "Katja", "Leon", "Mara", "Noah", "Olga", "Paul",
	"Rosa", "Simon", "Tilda", "Umut", "Vera", "Wim", "Yara", "Zoe", "Aylin", "Bruno", "Carla", "Dario", "Elif", "Finn", "Hanna", "Ivan",
	"Jana", "Karim", "Lena", "Milan", "Nora", "Oskar", "Pia", "Ruben", "Selma", "Theo", "Ulla", "Viktor", "Wanda", "Xenia", "Yusuf", "Zita",
	"Marek", "Lotte", "Emil", "Frida", "Anton", "Mira", "Jakob", "Stella", "Mats", "Lilly", "Moritz", "Nele",
}

var lastNames = []string{
	"Adler", "Becker", "Claasen", "Dietrich", "Ebert", "Fischer", "Graf", "Hartmann", "Iversen", "Jansen", "Keller", "Lorenz", "Maurer",
	"Neumann", "Ott", "Peters", "Quast", "Richter", "Sommer", "Thiel", "Ulrich", "Vogel", "Wagner", "Yilmaz", "Ziegler", "Arslan", "Brandt",
	"Castro", "Demir", "Engel", "Frank", "Gruber", "Haas", "Ilic", "Jung", "Kaya", "Lindner", "Moser", "Novak", "Oster", "Pohl", "Roth",
	"Schubert", "Toth", "Unger", "Visser", "Winter", "Zimmer", "Albers", "Bergmann", "Conrad", "Dorn", "Ernst", "Falk", "Gebauer", "Hahn",
	"Jahn", "Kern", "Lange", "Mertens",
}

var mailDomains = []string{"mail.example", "post.example", "inbox.example"}

// Towns and how a postal code begins there.
var towns = []struct{ town, region, country, postcode string }{
	{"Hamburg", "North", "DE", "20%03d"}, {"Bremen", "North", "DE", "28%03d"}, {"Kiel", "North", "DE", "24%03d"},
	{"Hannover", "North", "DE", "30%03d"}, {"Berlin", "East", "DE", "10%03d"}, {"Leipzig", "East", "DE", "04%03d"},
	{"Dresden", "East", "DE", "01%03d"}, {"Potsdam", "East", "DE", "14%03d"}, {"Cologne", "West", "DE", "50%03d"},
	{"Dortmund", "West", "DE", "44%03d"}, {"Bonn", "West", "DE", "53%03d"}, {"Utrecht", "West", "NL", "3%03d"},
	{"Munich", "South", "DE", "80%03d"}, {"Stuttgart", "South", "DE", "70%03d"}, {"Vienna", "South", "AT", "1%03d"},
	{"Salzburg", "South", "AT", "5%03d"}, {"Frankfurt", "Central", "DE", "60%03d"}, {"Kassel", "Central", "DE", "34%03d"},
	{"Erfurt", "Central", "DE", "99%03d"}, {"Mainz", "Central", "DE", "55%03d"},
}

var streets = []string{
	"Mill Lane", "Station Road", "Garden Street", "Market Square", "Church Hill", "Linden Avenue", "Harbour Street", "Castle Way",
	"School Lane", "Bridge Street", "Forest Road", "Meadow Row", "Baker Street", "River Walk", "Sun Street", "Tower Lane",
}

var warehouses = []struct{ code, name, city, region string }{
	{"HAM", "Harbour depot", "Hamburg", "North"}, {"LEJ", "Airport depot", "Leipzig", "East"}, {"CGN", "Rhine depot", "Cologne", "West"},
	{"MUC", "Alpine depot", "Munich", "South"}, {"KSF", "Central depot", "Kassel", "Central"},
}

var suppliers = []string{
	"Nordholz", "Kleine Keramik", "Tuchwerk", "Glashaus", "Lichtblick", "Papierboot", "Gruenzeug", "Radhof", "Teekontor", "Roestwerk",
	"Spielkiste", "Wachs und Docht", "Metallbau Ott", "Korbmacher", "Bergwolle", "Seifensieder", "Buchbinderei Falk", "Steinzeug",
	"Holzweg", "Zeltplatz", "Pfotenglueck", "Leinenweber", "Emailfabrik", "Kistenwerk", "Buerobedarf Haas",
}

// shelves are the categories: what they hold, and between which prices in EUR.
var shelves = []struct {
	name     string
	from, to int
	things   []string
}{
	{"Kitchen", 9, 80, []string{"Bread Board", "Mixing Bowl", "Spice Rack"}},
	{"Tableware", 6, 40, []string{"Dinner Plate", "Mug", "Carafe"}},
	{"Lighting", 25, 190, []string{"Desk Lamp", "Pendant Lamp", "Lantern"}},
	{"Furniture", 60, 700, []string{"Stool", "Side Table", "Bookcase"}},
	{"Garden", 8, 120, []string{"Planter", "Watering Can", "Trellis"}},
	{"Bath", 5, 60, []string{"Soap Dish", "Towel Rail", "Bath Mat"}},
	{"Bedding", 20, 180, []string{"Pillow", "Blanket", "Bed Tray"}},
	{"Office", 7, 140, []string{"Pen Tray", "Letter Rack", "Monitor Stand"}},
	{"Stationery", 3, 30, []string{"Notebook", "Card Set", "Ruler"}},
	{"Toys", 8, 70, []string{"Train Set", "Puzzle", "Building Blocks"}},
	{"Outdoor", 15, 220, []string{"Camp Chair", "Cool Box", "Picnic Set"}},
	{"Cycling", 10, 110, []string{"Bicycle Bell", "Basket", "Pannier"}},
	{"Pets", 6, 80, []string{"Feeding Bowl", "Dog Bed", "Scratching Post"}},
	{"Coffee", 8, 150, []string{"Dripper", "Grinder", "Coffee Tin"}},
	{"Tea", 7, 60, []string{"Teapot", "Tea Tin", "Tea Strainer"}},
	{"Candles", 4, 35, []string{"Candle Holder", "Tealight Set", "Snuffer"}},
	{"Storage", 9, 95, []string{"Box", "Coat Rack", "Crate"}},
	{"Decoration", 8, 130, []string{"Picture Frame", "Vase", "Wall Clock"}},
}

var materials = []string{"Oak", "Beech", "Walnut", "Steel", "Copper", "Brass", "Enamel", "Linen", "Cork", "Bamboo", "Stoneware", "Glass"}

var channels = []string{"web", "web", "web", "app", "app", "phone", market}

var carriers = []string{"Postbote", "Paketfix", "Gruene Linie"}

var reasons = []string{"arrived damaged", "wrong size", "not as described", "arrived late", "changed mind", "one piece missing"}

var complaints = []string{
	"Where is my parcel?", "A piece is missing", "The colour is not what I ordered", "I would like to send it back", "The glass is broken",
	"Please change the address", "I was charged twice", "When will I get my money back?",
}

var questions = []string{"Do you deliver abroad?", "How do I close my account?", "Is the sale on already?", "Can I pay by invoice?"}
