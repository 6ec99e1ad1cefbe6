package chart

// Option is the part of an ECharts option that the charts need. Fields are written
// in this order, and only when they say something.
type Option struct {
	Title     *title      `json:"title,omitempty"`
	Aria      aria        `json:"aria"`
	Color     []string    `json:"color,omitempty"`
	Tooltip   *tooltip    `json:"tooltip,omitempty"`
	Legend    *legend     `json:"legend,omitempty"`
	Grid      *grid       `json:"grid,omitempty"`
	XAxis     *axis       `json:"xAxis,omitempty"`
	YAxis     *axis       `json:"yAxis,omitempty"`
	VisualMap *visualMap  `json:"visualMap,omitempty"`
	Calendar  *calendar   `json:"calendar,omitempty"`
	Series    []series    `json:"series"`
	Number    *bigNumber  `json:"numberDisplay,omitempty"` // of our page: a number is no chart of ECharts
	Formats   *formatting `json:"formats,omitempty"`       // names of presets of our page's script
}

type title struct {
	Text string `json:"text"`
}

type aria struct {
	Enabled bool   `json:"enabled"`
	Label   *ariaL `json:"label,omitempty"`
}

type ariaL struct {
	Description string `json:"description"`
}

type tooltip struct {
	Trigger string `json:"trigger"`
}

type legend struct {
	Type string   `json:"type"`
	Data []string `json:"data"`
}

type grid struct {
	ContainLabel bool `json:"containLabel"`
}

type axis struct {
	Type string   `json:"type"`
	Name string   `json:"name,omitempty"`
	Data []string `json:"data,omitempty"`
	Min  any      `json:"min,omitempty"`
	Max  any      `json:"max,omitempty"`
}

type visualMap struct {
	Min float64 `json:"min"`
	Max float64 `json:"max"`
}

type calendar struct {
	Range []string `json:"range"`
}

type formatting struct {
	X string `json:"x,omitempty"`
	Y string `json:"y,omitempty"`
}

type series struct {
	Type         string    `json:"type"`
	Name         string    `json:"name,omitempty"`
	Coordinate   string    `json:"coordinateSystem,omitempty"`
	Area         *struct{} `json:"areaStyle,omitempty"`
	ConnectNulls *bool     `json:"connectNulls,omitempty"`
	Layout       string    `json:"layout,omitempty"`
	Roam         bool      `json:"roam,omitempty"`
	Min          any       `json:"min,omitempty"`
	Max          any       `json:"max,omitempty"`
	Data         any       `json:"data"`
	Links        []edge    `json:"links,omitempty"`
}

type named struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
}

type node struct {
	Name string `json:"name"`
}

type edge struct {
	Source string `json:"source"`
	Target string `json:"target"`
	Value  any    `json:"value"`
}

type bigNumber struct {
	Label  string `json:"label"`
	Value  any    `json:"value"`
	Change any    `json:"change,omitempty"`
	Format string `json:"format,omitempty"`
}

// Palettes of the page, chosen so that neighbours differ in lightness as well as in
// hue, and every colour has a contrast of at least 3:1 to its background.
var (
	Light = []string{"#2f6fb0", "#c2571a", "#2e8b57", "#8c4fa8", "#b8860b", "#c2335b", "#3a8f9c", "#6b6f2a", "#7a4b2e", "#5a6270"}
	Dark  = []string{"#7fb2ea", "#f0a36b", "#7fd1a0", "#c79be0", "#e6c15a", "#f08aa6", "#86d0da", "#c3c774", "#d0a583", "#b4bcc8"}
)
