package tools

import (
	"context"
	"slices"

	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/names"
)

// This file defines consumers, which says what code uses a table.

type consumersArgs struct {
	Table         string  `json:"table" jsonschema:"table or schema.table"`
	Database      string  `json:"database" jsonschema:"a connection, as list_databases names it"`
	Op            string  `json:"op,omitempty" jsonschema:"only code that reads, or only code that writes" enum:"read,write"`
	MinConfidence float64 `json:"min_confidence,omitempty" jsonschema:"leave out what is less certain" default:"0.6" minimum:"0" maximum:"1"`
}

type consumersResult struct {
	Table     string         `json:"table" jsonschema:"its qualified name"`
	Database  string         `json:"database" jsonschema:"the connection"`
	Consumers []consumerItem `json:"consumers" jsonschema:"places in code, the most certain first; one that reads and writes is there twice"`
	Counts    consumerCounts `json:"counts" jsonschema:"how many places there are, those left out included"`
	Services  []string       `json:"services" jsonschema:"the services of all places, sorted"`
	LastScan  string         `json:"last_scan,omitempty" jsonschema:"when code was analysed last"`
	Cut       bool           `json:"truncated,omitempty" jsonschema:"whether places were left out"`
	Total     int            `json:"total_consumers,omitempty" jsonschema:"how many places there are, if some were left out"`
	warned
}

type consumerItem struct {
	Service     string  `json:"service" jsonschema:"the service that the code belongs to"`
	File        string  `json:"file" jsonschema:"relative to its repository"`
	Start       int     `json:"line_start" jsonschema:"its first line"`
	End         int     `json:"line_end" jsonschema:"its last line"`
	Kind        string  `json:"kind" jsonschema:"how the code names the table: call, assignment, literal, fstring, sql_file, orm_model, orm_call, migration, dbt_exposure or config"`
	Language    string  `json:"language" jsonschema:"of the file"`
	Symbol      string  `json:"symbol" jsonschema:"what the code calls, assigns or declares; may be empty"`
	Op          string  `json:"op" jsonschema:"read or write"`
	Confidence  float64 `json:"confidence" jsonschema:"0 to 1"`
	Fingerprint string  `json:"sql_fingerprint" jsonschema:"equal for equal SQL, of which no text is kept; may be empty"`
}

type consumerCounts struct {
	Read  int `json:"read" jsonschema:"places that read"`
	Write int `json:"write" jsonschema:"places that write"`
	Total int `json:"total" jsonschema:"both"`
}

func (r *consumersResult) RowCount() int { return len(r.Consumers) }

func (r *consumersResult) CutRows(n int) {
	if !r.Cut {
		r.Cut, r.Total = true, len(r.Consumers)
		r.note("only the most certain places are shown; ask with op or a higher min_confidence")
	}
	r.Consumers = r.Consumers[:n]
}

func consumers(sv *Service) mcpkit.Tool[consumersArgs, consumersResult] {
	return mcpkit.Tool[consumersArgs, consumersResult]{
		Name:  "consumers",
		Title: "Find the code that uses a table",
		Description: "Use it before you change a table, to see which code reads or writes it. Returns the places with service, file and lines, how the code names the table, " +
			"whether it reads or writes, and how certain that is; counts and services sum up. It knows the repositories that pretensor analyze has read, and no SQL text is kept.",
		Hints:      readOnly,
		OutOfRange: mcpkit.Clamp,
		Handle: func(ctx context.Context, in consumersArgs) (consumersResult, error) {
			d, err := sv.open(in.Database)
			if err != nil {
				return consumersResult{}, err
			}
			t, err := d.table(in.Table)
			if err != nil {
				return consumersResult{}, err
			}
			r := d.consumersOf(t, in.Op, in.MinConfidence)
			if len(d.Scans) == 0 && len(d.Consumers) == 0 {
				warn(ctx, "No code has been analysed for "+d.Entry.Name+". Run: pretensor analyze PATH --connection "+names.Argument(d.Entry.Name))
			}
			sv.warnStale(ctx, d)
			return r, nil
		},
	}
}

// consumersOf lists the uses of a table, those of one operation if it is not empty.
func (d database) consumersOf(table int, op string, least float64) consumersResult {
	r := consumersResult{Table: d.Name(table), Database: d.Entry.Name, Consumers: []consumerItem{}, Services: []string{}}
	for _, u := range d.ConsumersOf(table) {
		confidence := model.Round(u.Use.Confidence)
		if op != "" && u.Op != op || confidence < least {
			continue
		}
		r.Consumers = append(r.Consumers, consumerItem{
			u.Service, u.File, u.LineStart, u.LineEnd, u.Kind, u.Language, u.Symbol, u.Op, confidence, u.Fingerprint,
		})
		if u.Op == "write" {
			r.Counts.Write++
		} else {
			r.Counts.Read++
		}
		r.Services = append(r.Services, u.Service)
	}
	r.Counts.Total = r.Counts.Read + r.Counts.Write
	slices.Sort(r.Services)
	r.Services = slices.Compact(r.Services)
	for i, s := range d.Scans {
		if at := timestamp(s.At); i == 0 || at > r.LastScan {
			r.LastScan = at
		}
	}
	return r
}
