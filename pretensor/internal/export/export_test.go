package export

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/graph"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/modeltest"
)

// shop is a catalog with something of everything.
func shop(t *testing.T) *catalog.Catalog {
	t.Helper()
	c := catalogOf(modeltest.FromDDL(t, sqltree.Postgres, "public", shopDDL))
	huge := int64(9007199254740993)
	c.Tables[0].Rows, c.Tables[0].RowsSource = &huge, model.CountExact
	table := func(name string) int {
		i, err := c.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		return i
	}
	data := c.Data
	data.Joins = []catalog.Join{
		{From: table("customers"), FromColumn: "region_id", To: table("regions"), ToColumn: "id", Source: "heuristic", Kind: "name_id", Confidence: 0.9, TargetUnique: true},
		{From: table("parts"), FromColumn: "no", To: table("staff"), ToColumn: "id", Source: "heuristic", Kind: "same_name", Confidence: 0.2},
	}
	data.Clusters = []catalog.Cluster{{Number: 2, Label: "b", Tables: []int{0}}, {Number: 10, Label: "a", Tables: []int{1}}}
	data.Entities = []catalog.Entity{{Name: "Order", Tables: []int{table("orders")}}}
	data.Metrics = []catalog.Metric{{Name: "total", SQL: "SELECT 1", Uses: []catalog.MetricUse{{Table: table("orders")}}, Errors: []string{}}}
	data.Consumers = []catalog.Consumer{{ID: "c1", Service: "api", File: "a.go", Kind: "call", Uses: []catalog.Use{{Table: table("orders"), Op: "read", Confidence: 0.9}}}}
	return catalog.New(data, 1)
}

// exported is the form of an export as JSON.
type exported struct {
	Connection string     `json:"connection_name"`
	Database   string     `json:"database"`
	Graph      string     `json:"graph_path"`
	At         string     `json:"exported_at"`
	Nodes      []exportOf `json:"node_types"`
	Edges      []exportOf `json:"edge_types"`
	Stats      struct {
		NodeTypes int `json:"node_types"`
		EdgeTypes int `json:"edge_types"`
		Nodes     int `json:"node_count"`
		Edges     int `json:"edge_count"`
	} `json:"stats"`
}

type exportOf struct {
	Type       string                       `json:"type"`
	Properties []graph.Property             `json:"properties"`
	Rows       []map[string]json.RawMessage `json:"rows"`
}

func TestJSON(t *testing.T) {
	c := shop(t)
	source := Source{Graph: "graphs/shop.kuzu", At: time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC), Version: "1.2.3"}
	var b, again bytes.Buffer
	if err := errors.Join(JSON(&b, c, source), JSON(&again, c, source)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Error("the same catalog gives other bytes")
	}
	var e exported
	d := json.NewDecoder(&b)
	d.DisallowUnknownFields()
	if err := d.Decode(&e); err != nil {
		t.Fatal(err)
	}
	if e.Connection != "shop" || e.Graph != "graphs/shop.kuzu" || e.At != "2026-05-06T07:08:09Z" {
		t.Errorf("%q %q %q", e.Connection, e.Graph, e.At)
	}
	var types []string
	ids := map[string]bool{}
	nodes, edges := 0, 0
	for i, x := range append(slices.Clone(e.Nodes), e.Edges...) {
		types = append(types, x.Type)
		edge := i >= len(e.Nodes)
		last := ""
		for _, row := range x.Rows {
			if want := len(x.Properties) + map[bool]int{true: 2}[edge]; len(row) != want {
				t.Errorf("a row of %s has %d members, want %d", x.Type, len(row), want)
			}
			for _, p := range x.Properties {
				if v, ok := row[p.Name]; !ok || p.Type == "STRING[]" && string(v) == "null" {
					t.Errorf("%s.%s is %s", x.Type, p.Name, v)
				}
			}
			text := func(name string) (s string) {
				if raw, ok := row[name]; ok {
					if err := json.Unmarshal(raw, &s); err != nil {
						t.Error(err)
					}
				}
				return s
			}
			key := text(graph.Key)
			if edge {
				if key = text("edge_id"); key == "" {
					key = text("from") + "\x00" + text("to")
				}
				edges++
				if !ids[text("from")] || !ids[text("to")] {
					t.Errorf("an edge %s leads from %s to %s", x.Type, text("from"), text("to"))
				}
			} else {
				ids[key] = true
				nodes++
			}
			if key < last {
				t.Errorf("%s: %q comes after %q", x.Type, key, last)
			}
			last = key
		}
	}
	var want []string
	for _, l := range graph.Labels(0) {
		want = append(want, l.Name)
	}
	for _, l := range graph.EdgeTypes() {
		want = append(want, l.Name)
	}
	if diff := cmp.Diff(want, types); diff != "" {
		t.Errorf("types, -want +got\n%s", diff)
	}
	if s := e.Stats; s.NodeTypes != len(e.Nodes) || s.EdgeTypes != len(e.Edges) || s.Nodes != nodes || s.Edges != edges || edges == 0 {
		t.Errorf("stats %+v, want %d nodes, %d edges", s, nodes, edges)
	}
	if got := string(e.Nodes[0].Rows[0]["row_count"]); got != "9007199254740993" {
		t.Errorf("row_count %s", got)
	}
}

// broken fails after some bytes.
type broken struct{ left int }

var errFull = errors.New("the disk is full")

func (b *broken) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// What could not be written is no export.
func TestWrite_Fails(t *testing.T) {
	c := catalogOf(modeltest.Large(40, 600))
	for name, write := range map[string]func(io.Writer) error{
		"json": func(w io.Writer) error { return JSON(w, c, Source{}) }, "ddl": func(w io.Writer) error { return DDL(w, c) },
		"markdown": func(w io.Writer) error { return Markdown(w, c) }, "mermaid": func(w io.Writer) error { return Mermaid(w, c) },
	} {
		for _, left := range []int{0, 5000} {
			if err := write(&broken{left}); !errors.Is(err, errFull) {
				t.Errorf("%s, %d bytes: %v", name, left, err)
			}
		}
	}
}

func TestMarkdown(t *testing.T) {
	var b bytes.Buffer
	if err := Markdown(&b, shop(t)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"# shop\n", "6 tables", "\n## public.customers\n", "| email | varchar(200) |  | UK |  |  |\n", "| region_id | int | yes |  |  |  |\n",
		"- refers to sales.regions by region_id = id (inferred, 0.90)\n", "- referred to by public.orders by customer_id = id\n", "- reads public.orders\n", "| total |  | public.orders |\n",
		"uses in code: 1", "| odd -- name | text |",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, &b)
		}
	}
}

// hostile is a catalog whose every text is one that a format might take for its own.
func hostile() *catalog.Catalog {
	db := &model.Database{Name: "d", Dialect: "postgresql", DefaultSchema: "public"}
	for i, e := range []string{
		"a\n# head", "x | y", "<script>alert(1)</script>", "[a](javascript:x)", "```", "q\"q", "100%", "b\\", "}\n  evil ||--|| x : y", "a\u202eb", "1st", "übung", "emoji 😀", "_x_", "- list", "*b*",
		"q_q", "%%{init: {}}%%", " ",
	} {
		db.Tables = append(db.Tables, model.Table{Schema: "public", Name: e, Type: model.BaseTable, Comment: e, Columns: []model.Column{
			{Name: e, Ordinal: i, Type: e, Comment: e, Default: e}, {Name: e + "2", Ordinal: 2, Type: "numeric(10,2)"},
		}})
	}
	for i := range db.Tables[1:] {
		t := &db.Tables[i+1]
		t.ForeignKeys = []model.ForeignKey{{Name: "k", Columns: []string{t.Name}, RefSchema: "public", RefTable: db.Tables[i].Name, RefColumns: []string{db.Tables[i].Name}}}
	}
	db.Sort()
	return catalogOf(db)
}

func TestMarkdown_Hostile(t *testing.T) {
	var b bytes.Buffer
	c := hostile()
	if err := Markdown(&b, c); err != nil {
		t.Fatal(err)
	}
	cells := regexp.MustCompile(`(?:^|[^\\])\|`)
	heads := 0
	for _, line := range strings.Split(b.String(), "\n") {
		switch {
		case strings.HasPrefix(line, "#"):
			heads++
		case strings.HasPrefix(line, "|"):
			if n := len(cells.FindAllString(line, -1)); n != 7 {
				t.Errorf("%d bars in %q", n, line)
			}
		}
		if strings.Contains(line, "<script") && !strings.Contains(line, `\<script`) || strings.Contains(line, "\u202e") {
			t.Errorf("%q", line)
		}
	}
	if heads != c.Len()+1 {
		t.Errorf("%d headings, want %d", heads, c.Len()+1)
	}
}

// The lines of a diagram are of a few forms, whatever the names are.
func TestMermaid_Hostile(t *testing.T) {
	var b bytes.Buffer
	c := hostile()
	if err := Mermaid(&b, c); err != nil {
		t.Fatal(err)
	}
	quoted := `"[^"%\\\n]+"`
	word := `[A-Za-z_\x{C0}-\x{FFFF}][A-Za-z0-9_\[\]()\x{C0}-\x{FFFF}-]*`
	forms := []*regexp.Regexp{
		regexp.MustCompile(`^erDiagram$`), regexp.MustCompile(`^  (` + quoted + `) \{$`), regexp.MustCompile(`^  \}$`),
		regexp.MustCompile(`^    ` + word + ` ` + word + `( (PK|FK|UK)(, (PK|FK|UK))*)?( ` + quoted + `)?$`),
		regexp.MustCompile(`^  ` + quoted + ` (\}o|\|o)(--|\.\.)(\|\||o\||o\{) ` + quoted + ` : ` + quoted + `$`),
	}
	names := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(b.String()), "\n") {
		if !slices.ContainsFunc(forms, func(f *regexp.Regexp) bool { return f.MatchString(line) }) {
			t.Errorf("%q", line)
		}
		if m := forms[1].FindStringSubmatch(line); m != nil {
			names[m[1]] = true
		}
	}
	if len(names) != c.Len() {
		t.Errorf("%d names of %d tables", len(names), c.Len())
	}
}

func TestMermaid(t *testing.T) {
	var b bytes.Buffer
	if err := Mermaid(&b, shop(t)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"  \"sales.regions\" {\n", "    numeric(10_2) total\n", "    bigint id PK\n", "    text odd____name \"odd -- name\"\n",
		`  "orders" }o--|| "customers" : "customer_id"` + "\n", `  "parts" }o--o| "orders" : "order_id, order_line"` + "\n",
		`  "customers" }o..o| "sales.regions" : "region_id"` + "\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, &b)
		}
	}
	if strings.Contains(b.String(), `"sales.staff" : "no"`) {
		t.Error("a join that is hardly likely is in the diagram")
	}
}
