package chart_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/cerebro/internal/chart"
)

func data(columns string, rows ...[]any) chart.Data {
	d := chart.Data{Rows: rows}
	for _, c := range strings.Fields(columns) {
		name, kind, _ := strings.Cut(c, ":")
		d.Columns = append(d.Columns, chart.Column{Name: name, Kind: map[string]chart.Kind{"n": chart.Number, "t": chart.Time, "": chart.Text, "b": chart.Bool}[kind]})
	}
	return d
}

func row(v ...any) []any { return v }

var sales = data("month:t region revenue:n",
	row("2025-02-01", "North", "20.50"), row("2025-01-01", "North", int64(10)), row("2025-01-01", "South", nil), row("2025-02-01", nil, 7.25))

// Goldens: UPDATE=1 go test rewrites them.
func TestBuild_Golden(t *testing.T) {
	for name, c := range map[string]struct {
		d chart.Data
		s chart.Spec
	}{
		"line":    {sales, chart.Spec{Type: "line", Title: "Revenue </script>"}},
		"area":    {data("day:t a:n b:n", row("2025-01-02", 1, 2), row("2025-01-01", 3, nil)), chart.Spec{Type: "area", Y: "a, b"}},
		"bar":     {data("region revenue:n", row("N", 1), row("S", 2)), chart.Spec{Type: "bar"}},
		"pie":     {data("region revenue:n", row("N", 1), row("S", 2)), chart.Spec{Type: "pie"}},
		"treemap": {data("region revenue:n", row("N", 1), row("S", 2)), chart.Spec{Type: "treemap"}},
		"number":  {data("revenue:n change:n", row("184220.50", 0.12)), chart.Spec{Type: "numberDisplay", Change: "change", Title: "Revenue"}},
		"scatter": {data("a:n b:n who", row(1, 2, "x"), row(3, nil, "x"), row(5, 6, "y")), chart.Spec{Type: "scatter", Series: "who"}},
		"heatmap": {data("day hour n:n", row("Mo", "1", 5), row("Tu", "2", 6)), chart.Spec{Type: "heatmap"}},
		"gauge":   {data("n:n min:n max:n", row(5, 0, 10)), chart.Spec{Type: "gauge", Y: "n"}},
		"sankey":  {data("source target n:n", row("a", "b", 1), row("b", "c", 2)), chart.Spec{Type: "sankey"}},
		"graph":   {data("from to n:n", row("a", "b", 1), row("b", "a", 2)), chart.Spec{Type: "graph"}},
		"cal":     {data("day:t n:n", row("2025-01-02", 1), row("2025-01-01", 3)), chart.Spec{Type: "calendar"}},
	} {
		got, err := chart.Build(c.d, c.s)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if again, _ := chart.Build(c.d, c.s); !bytes.Equal(again.Option, got.Option) {
			t.Errorf("%s: two options differ", name)
		}
		var b bytes.Buffer
		if err := json.Indent(&b, got.Option, "", " "); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "\n%s\nx %s, y %v, series %q, %d points, %v\n", got.Reading, got.X, got.Y, got.Series, got.Points, got.Warnings)
		file := filepath.Join("testdata", name+".golden")
		if os.Getenv("UPDATE") != "" {
			if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil || !bytes.Equal(b.Bytes(), want) {
			t.Errorf("%s: got\n%s\nwant\n%s", name, b.Bytes(), want)
		}
	}
}

func TestBuild_Refused(t *testing.T) {
	big := data("a b n:n")
	links := data("source target n:n")
	for i := range 400 {
		big.Rows = append(big.Rows, row(fmt.Sprint(i), fmt.Sprint(i), i))
		links.Rows = append(links.Rows, row(fmt.Sprint(i), "x", i))
	}
	for name, c := range map[string]struct {
		d    chart.Data
		s    chart.Spec
		want []string
	}{
		"no rows":         {data("a n:n"), chart.Spec{Type: "bar"}, []string{"no rows"}},
		"type":            {sales, chart.Spec{Type: "radar"}, []string{`"radar"`, "sankey"}},
		"x":               {sales, chart.Spec{Type: "line", X: "day"}, []string{`x_field "day"`, "month, region, revenue"}},
		"text as y":       {sales, chart.Spec{Type: "line", Y: "region"}, []string{"no numbers", "revenue"}},
		"several numbers": {data("m a:n b:n", row("x", 1, 2)), chart.Spec{Type: "line"}, []string{"a, b", "y_field"}},
		"no numbers":      {data("a b", row("x", "y")), chart.Spec{Type: "bar"}, []string{"column of numbers"}},
		"rows twice":      {data("a n:n", row("x", 1), row("x", 2)), chart.Spec{Type: "bar"}, []string{"same a"}},
		"two rows":        {data("n:n", row(1), row(2)), chart.Spec{Type: "numberDisplay"}, []string{"one row", "2"}},
		"negative part":   {data("a n:n", row("x", -1)), chart.Spec{Type: "pie"}, []string{"parts of a whole"}},
		"one number":      {data("a:n", row(1)), chart.Spec{Type: "scatter"}, []string{"two columns of numbers"}},
		"cells":           {big, chart.Spec{Type: "heatmap"}, []string{"400 × 400"}},
		"no dates":        {data("a n:n", row("x", 1)), chart.Spec{Type: "calendar"}, []string{"dates"}},
		"five years":      {data("d:t n:n", row("2020-01-01", 1), row("2025-01-01", 1)), chart.Spec{Type: "calendar"}, []string{"3 years"}},
		"a circle":        {data("source target n:n", row("a", "b", 1), row("b", "c", 1), row("c", "a", 1)), chart.Spec{Type: "sankey"}, []string{"a → b → c → a"}},
		"many links":      {links, chart.Spec{Type: "sankey"}, []string{"400", "300"}},
	} {
		_, err := chart.Build(c.d, c.s)
		for _, w := range c.want {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("%s: got %v, want %q", name, err, w)
			}
		}
	}
}

// What is too much is folded or sampled, and said.
func TestBuild_Bounds(t *testing.T) {
	series := data("day:t who n:n")
	pie := data("who n:n")
	points := data("a:n b:n")
	for i := range 50 {
		series.Rows = append(series.Rows, row("2025-01-01", fmt.Sprintf("s%02d", i), i), row("2025-01-02", fmt.Sprintf("s%02d", i), i))
		pie.Rows = append(pie.Rows, row(fmt.Sprint(i), i))
	}
	for i := range 3 * chart.MaxPoints {
		points.Rows = append(points.Rows, row(i, i))
	}
	c, err := chart.Build(series, chart.Spec{Type: "line"})
	if err != nil || strings.Count(string(c.Option), `"type":"line"`) != chart.MaxSeries || len(c.Warnings) != 1 || !strings.Contains(string(c.Option), `"name":"Other"`) {
		t.Errorf("%v %+v", err, c)
	}
	c, err = chart.Build(pie, chart.Spec{Type: "pie"})
	if err != nil || c.Points != chart.MaxSlices || !strings.Contains(string(c.Option), "Other (21)") {
		t.Errorf("%v %+v", err, c)
	}
	c, err = chart.Build(points, chart.Spec{Type: "scatter"})
	if err != nil || c.Points != chart.MaxPoints || len(c.Warnings) != 1 {
		t.Errorf("%v %+v", err, c)
	}
}
