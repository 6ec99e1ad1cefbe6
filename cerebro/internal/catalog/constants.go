package catalog

import (
	"fmt"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/quartet-mcp/quartet/cerebro/internal/semantic"
)

// Constants are what a project says of itself in dbt_project.yml, in meta.cerebro or,
// since dbt itself does not know that key there, in vars.cerebro or vars.meta.cerebro.
type Constants struct {
	Zone         *time.Location
	WeekStart    string
	FiscalStart  string // month and day, such as 04-01
	Currency     string
	RowScale     float64
	Retention    int // months; 0 when not told
	Partitions   []string
	Specific     []string  // words that a metric must know to be meant
	Today        time.Time // of a project whose data end; zero for the clock's
	DefaultRange int       // days that a query without a range covers where a filter is required
}

func constants() Constants {
	return Constants{Zone: time.UTC, WeekStart: "monday", FiscalStart: "01-01", RowScale: 1, DefaultRange: 90}
}

// Now is the day in the project's zone, as a wall clock in UTC.
func (c Constants) Now(now time.Time) time.Time {
	if !c.Today.IsZero() {
		return c.Today
	}
	y, m, d := now.In(c.Zone).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// readConstants reads dbt_project.yml. What is wrong is told and left at its default.
func readConstants(text []byte) (Constants, []string) {
	c := constants()
	var warnings []string
	type meta struct {
		Zone        string   `yaml:"time_zone"`
		WeekStart   string   `yaml:"week_start"`
		FiscalStart string   `yaml:"fiscal_year_start"`
		Currency    string   `yaml:"currency"`
		RowScale    float64  `yaml:"row_scale"`
		Retention   int      `yaml:"retention_months"`
		Partitions  []string `yaml:"partition_keys"`
		Specific    []string `yaml:"specificity_tokens"`
		Today       string   `yaml:"today"`
	}
	var file struct {
		Meta struct {
			Cerebro *meta `yaml:"cerebro"`
		} `yaml:"meta"`
		Vars struct {
			Cerebro *meta `yaml:"cerebro"`
			Meta    struct {
				Cerebro *meta `yaml:"cerebro"`
			} `yaml:"meta"`
		} `yaml:"vars"`
	}
	if err := yaml.Unmarshal(text, &file); err != nil {
		return c, []string{"dbt_project.yml cannot be read, so the project's constants are the usual ones: " + strings.Join(strings.Fields(err.Error()), " ")}
	}
	var m *meta
	for _, x := range []*meta{file.Meta.Cerebro, file.Vars.Cerebro, file.Vars.Meta.Cerebro} {
		if m == nil {
			m = x
		}
	}
	if m == nil {
		return c, nil
	}
	if m.Zone != "" {
		z, err := time.LoadLocation(m.Zone)
		if err != nil || m.Zone == "Local" {
			warnings = append(warnings, fmt.Sprintf("time_zone %q is not known; times are in UTC", m.Zone))
		} else {
			c.Zone = z
		}
	}
	if m.WeekStart != "" && !strings.EqualFold(m.WeekStart, "monday") {
		warnings = append(warnings, fmt.Sprintf("week_start is %q; weeks start on Monday all the same", m.WeekStart))
	}
	if m.FiscalStart != "" {
		if _, err := time.Parse("01-02", m.FiscalStart); err != nil {
			warnings = append(warnings, fmt.Sprintf("fiscal_year_start is %q; it is a month and a day, such as 04-01", m.FiscalStart))
		} else {
			c.FiscalStart = m.FiscalStart
		}
	}
	if m.Today != "" {
		if t, whole, ok := semantic.ParseTime(m.Today); ok && whole {
			c.Today = t
		} else {
			warnings = append(warnings, fmt.Sprintf("today is %q; it is a date such as 2025-12-31", m.Today))
		}
	}
	if m.RowScale > 0 {
		c.RowScale = m.RowScale
	}
	c.Currency, c.Retention, c.Partitions, c.Specific = m.Currency, max(0, m.Retention), m.Partitions, m.Specific
	return c, warnings
}
