package tools

import (
	"context"
	"errors"

	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/registry"
	"github.com/quartet-mcp/quartet/pretensor/internal/store"
)

// This file defines list_databases, the inventory of the connections.

type listDatabasesResult struct {
	Databases []databaseItem `json:"databases" jsonschema:"the connections, by name"`
	Cut       bool           `json:"truncated,omitempty" jsonschema:"whether databases or schemas were left out"`
	Total     int            `json:"total_databases,omitempty" jsonschema:"how many databases there are, if some were left out"`
	warned
}

type databaseItem struct {
	Name         string   `json:"name" jsonschema:"the connection's name, which the arguments database and db take"`
	Type         string   `json:"db_type" jsonschema:"postgresql, mysql, mariadb, sqlite, duckdb, snowflake or bigquery"`
	Database     string   `json:"database,omitempty" jsonschema:"the database's own name, if it is another one"`
	Description  string   `json:"description,omitempty" jsonschema:"what the owner says it is"`
	Tables       int      `json:"table_count" jsonschema:"tables and views"`
	Columns      int      `json:"column_count" jsonschema:"columns of all tables and views"`
	Rows         int64    `json:"row_count" jsonschema:"sum of the row counts that are known, without views"`
	Schemas      []string `json:"schemas" jsonschema:"schemas with tables, sorted"`
	SchemasTotal int      `json:"total_schemas,omitempty" jsonschema:"how many schemas there are, if some were left out"`
	Capabilities []string `json:"capabilities" jsonschema:"what the index knows and the tools can do with it"`
	DBT          string   `json:"has_dbt_manifest" jsonschema:"not_attempted, empty or present"`
	LLM          string   `json:"has_llm_enrichment" jsonschema:"not_attempted, empty or present"`
	Consumers    string   `json:"has_external_consumers" jsonschema:"code and reports that use the tables: not_attempted, empty or present"`
	Indexed      *string  `json:"last_indexed" jsonschema:"when the index was built; null: never"`
	Stale        bool     `json:"is_stale" jsonschema:"whether the index is older than the limit"`
	Days         int      `json:"staleness_days" jsonschema:"age of the index in whole days"`
	StaleWarning string   `json:"stale_warning,omitempty" jsonschema:"what to do about a stale index"`
	Status       string   `json:"status" jsonschema:"ready, not_indexed, graph_missing or graph_unreadable"`
}

// RowCount is the length of the longest list: a database may have more schemas than
// there are databases.
func (r *listDatabasesResult) RowCount() int {
	n := len(r.Databases)
	for i := range r.Databases {
		n = max(n, len(r.Databases[i].Schemas))
	}
	return n
}

func (r *listDatabasesResult) CutRows(n int) {
	if !r.Cut {
		r.Cut = true
		r.note("not all databases or schemas are shown; the tools take the names of the others too")
	}
	if len(r.Databases) > n {
		if r.Total == 0 {
			r.Total = len(r.Databases)
		}
		r.Databases = r.Databases[:n]
	}
	for i := range r.Databases {
		if d := &r.Databases[i]; len(d.Schemas) > n {
			if d.SchemasTotal == 0 {
				d.SchemasTotal = len(d.Schemas)
			}
			d.Schemas = d.Schemas[:n]
		}
	}
}

func listDatabases(sv *Service) mcpkit.Tool[struct{}, listDatabasesResult] {
	return mcpkit.Tool[struct{}, listDatabasesResult]{
		Name:  "list_databases",
		Title: "List the indexed databases",
		Description: "Use it first, when you do not know which database to work with. Returns every connection with its kind, its numbers of tables, columns and rows, " +
			"its schemas, what its index knows (capabilities), how old the index is, and whether it can be used (status). Counts are those of the index, not of this moment.",
		Hints: readOnly,
		Handle: func(ctx context.Context, _ struct{}) (listDatabasesResult, error) {
			entries, err := sv.Store.Entries()
			if err != nil {
				return listDatabasesResult{}, err
			}
			r := listDatabasesResult{Databases: make([]databaseItem, 0, len(entries))}
			for _, e := range entries {
				if err := ctx.Err(); err != nil {
					return listDatabasesResult{}, err
				}
				r.Databases = append(r.Databases, sv.item(e))
			}
			if len(entries) == 0 {
				warn(ctx, "No database is indexed yet. Run: pretensor quickstart, or pretensor index DSN")
			}
			return r, nil
		},
	}
}

// States of what an index may have been given.
const (
	notAttempted = "not_attempted"
	empty        = "empty"
	present      = "present"
)

// outcome is present, empty or, for what nobody tried, not attempted.
func outcome(there, tried bool) string {
	switch {
	case there:
		return present
	case tried:
		return empty
	}
	return notAttempted
}

// item describes a connection, whatever state its index is in.
func (sv *Service) item(e registry.Entry) databaseItem {
	d := databaseItem{Name: e.Name, Type: e.Dialect, Description: e.Description, Schemas: []string{}, Status: "ready"}
	if e.Database != e.Name {
		d.Database = e.Database
	}
	if !e.Indexed.IsZero() {
		at := timestamp(e.Indexed)
		d.Indexed = &at
		d.Days, d.StaleWarning = sv.age(e)
		d.Stale = d.StaleWarning != ""
	}
	c, err := sv.Store.Catalog(e)
	if err != nil {
		d.Status = unusable(e, err)
		c = catalog.New(catalog.Data{}, 0) // which has nothing
	}
	d.Tables, d.Columns, d.Rows, d.Schemas = c.Len(), c.Columns(), knownRows(c), append(d.Schemas, c.Schemas()...)
	if c.Dialect != "" {
		d.Type = c.Dialect
	}
	h := holdings(c)
	d.Capabilities = h.capabilities(e)
	d.DBT = outcome(h.dbt(), e.DBTManifest != "")
	d.LLM = outcome(h.llm, e.LLMEnriched)
	d.Consumers = outcome(h.code || h.reports, len(c.Scans) > 0)
	return d
}

// unusable is the status of a connection without a catalog.
func unusable(e registry.Entry, err error) string {
	var p *store.Problem
	switch {
	case e.Indexed.IsZero():
		return "not_indexed"
	case errors.As(err, &p):
		return p.Code
	}
	return store.GraphUnreadable
}

// knownRows is the sum of the row counts that are known. Views are left out: they
// show rows that the tables have.
func knownRows(c *catalog.Catalog) int64 {
	var sum int64
	for i := range c.Tables {
		if n := c.Tables[i].Rows; n != nil && *n > 0 && !c.Tables[i].IsView() {
			sum += *n
		}
	}
	return sum
}

// held is what a catalog holds beside the structure.
type held struct {
	dbtLineage, dbtNames, views, entities, vectors, code, reports, metrics, stats, llm bool
}

// dbt reports whether anything came from a dbt manifest.
func (h held) dbt() bool { return h.dbtLineage || h.dbtNames || h.reports }

func holdings(c *catalog.Catalog) held {
	h := held{entities: len(c.Entities) > 0, metrics: len(c.Metrics) > 0}
	for i := range c.Lineage {
		switch l := &c.Lineage[i]; {
		case l.Source == "dbt":
			h.dbtLineage = true
		case l.Type == model.LineageView, l.Type == model.LineageMaterializedView:
			h.views = true
		}
	}
	for i := range c.Entities {
		h.llm = h.llm || c.Entities[i].Source == "llm"
		h.dbtNames = h.dbtNames || c.Entities[i].Source == "dbt"
	}
	for i := range c.Joins {
		h.dbtNames = h.dbtNames || c.Joins[i].Source == "dbt"
	}
	for i := range c.Consumers {
		if c.Consumers[i].Kind == dbtExposure {
			h.reports = true
		} else {
			h.code = true
		}
	}
	for _, v := range c.Vectors.Tables {
		h.vectors = h.vectors || v != nil
	}
	for i := range c.Tables {
		for k := range c.Tables[i].Columns {
			if c.Tables[i].Columns[k].Stats != nil {
				h.stats = true
				return h
			}
		}
	}
	return h
}

// dbtExposure is the kind of a consumer that is no code but a report or an
// application that dbt knows of.
const dbtExposure = "dbt_exposure"

// capabilities are what a connection is good for, in the documented order.
func (h held) capabilities(e registry.Entry) []string {
	names := []string{"schema", "fk_edges", "inferred_joins", "clustering"}
	for _, c := range []struct {
		has  bool
		name string
	}{
		{h.views, "view_lineage"}, {h.dbtLineage, "dbt_lineage"}, {h.entities, "entities"}, {h.vectors, "embeddings"}, {h.code, "code_consumers"},
		{h.reports, "external_consumers"}, {h.metrics, "metric_templates"}, {h.stats, "column_stats"}, {e.DSN != "" || e.DSNEncrypted != "", "live_check"},
	} {
		if c.has {
			names = append(names, c.name)
		}
	}
	return names
}
