package toolset

import (
	"slices"
	"strings"
)

// CoreNames are the tools of the core tier: what a client sees in any case.
var CoreNames = []string{
	"find", "query_metrics", "execute_query", "describe_table", "get_model_details", "get_metric_details", "explain_metric_query",
	"preflight_analytics_request", "quick_chart", "quick_metric_chart", "generate_chart", "generate_charts", "generate_metric_charts",
	"generate_report", "get_help", "system_status", "verify_numbers", "load_tools",
}

// Static looks a tool up in the table of those that are part of the program.
func Static(name string) (Meta, bool) {
	m, ok := static[name]
	if !ok {
		return Meta{}, false
	}
	m.Tags = slices.Clone(m.Tags)
	return m, true
}

// StaticNames are the names in the table, sorted.
func StaticNames() []string {
	names := make([]string, 0, len(static))
	for n := range static {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// row is a line of the table. Its sentence is the first line of the description.
type row struct{ name, title, tags, summary string }

// table collects the rows of the tools.
type table map[string]Meta

func (t table) add(like Meta, rows ...row) {
	for _, r := range rows {
		m := like
		m.Title, m.Summary = r.title, r.summary
		for tag := range strings.SplitSeq(r.tags, ", ") {
			m.Tags = append(m.Tags, tag)
		}
		if slices.Contains(CoreNames, r.name) {
			m.Tier = Core
		} else {
			m.Tier = Advanced
		}
		if _, twice := t[r.name]; twice {
			panic("tool " + r.name + " stands twice in the table")
		}
		t[r.name] = m
	}
}

var static = func() table {
	t := table{}
	listed := func(kind string) *Deprecated {
		return &Deprecated{Replacement: "list(kind=\"" + kind + "\")", Since: "1.0"}
	}

	// Discovery.
	t.add(Meta{Domain: Discovery, Risk: ReadOnly, Layer: true},
		row{"find", "Find the right tool", "search, router, entry, route", "Say in plain words what you want and get the next call to make, with the metrics, models and tools that fit."})
	t.add(Meta{Domain: Discovery, Risk: ReadOnly},
		row{"get_model_details", "dbt model details", "model, lineage, columns", "Read what dbt knows of one model: columns, SQL, tests, owner and what it is made from."})
	t.add(Meta{Domain: Discovery, Risk: ReadOnly, Gate: DiscoveryGate},
		row{"search_models", "Search dbt models", "model, dbt, search", "Search the dbt models by name, column, tag and description."},
		row{"discover_models", "Search models with details", "model, dbt, search, details", "Search the dbt models and read the details of the best ones in one call."})
	t.add(Meta{Domain: Discovery, Risk: ReadOnly, Phase: 1},
		row{"get_relevant_columns", "Relevant columns", "columns, schema, wide table", "Pick the columns of a wide table that matter for a question."},
		row{"get_upstream_lineage", "Upstream lineage", "lineage, ancestors, parents, dependencies", "List the models and sources that a model is built from."},
		row{"get_downstream_impact", "Downstream impact", "lineage, impact, descendants, breaks", "List the models, metrics and dashboards that a change of a model affects."},
		row{"get_column_lineage", "Column lineage", "lineage, column, origin", "Trace a column back to the columns it comes from, or on to those made from it."},
		row{"get_model_tests", "Model tests", "tests, quality", "List the dbt tests of a model and how they ended last."},
		row{"get_freshness", "Data freshness", "freshness, stale, up to date", "Tell how old the newest rows of a model or source are."},
		row{"get_exposures", "Exposures", "dashboards, consumers, exposure", "List the dashboards and applications that use the models."},
		row{"catalog_search", "Search the catalog", "catalog, search, browse", "Search models, metrics, columns, exposures and terms in one catalog."},
		row{"get_catalog_entity", "Catalog entity", "catalog, profile, entity", "Read the whole profile of one entry of the catalog."},
		row{"get_related_models", "Related models", "related, joinable, join", "List the models that can be joined with a model or are close to it."},
		row{"search_docs", "Search documentation", "docs, guide, documentation", "Search the documentation of the project."},
		row{"get_doc_chunk", "Read documentation", "docs, documentation, page", "Read a page of the project's documentation."})

	// Semantic layer.
	t.add(Meta{Domain: Semantic, Risk: ReadOnly, Layer: true},
		row{"preflight_analytics_request", "Plan an analytics request", "route, plan, gate, analytics", "Plan a chart, a report or an analysis: which metrics cover it and what to call next."},
		row{"query_metrics", "Query metrics", "metric, aggregate, kpi, answer, time series", "Get the numbers of approved metrics, by time and dimensions, with filters."},
		row{"get_metric_details", "Metric definition", "metric, definition", "Read how a metric is defined: formula, model, dimensions, grains, owner."},
		row{"explain_metric_query", "Explain a metric query", "metric, sql, explain", "Show the SQL of a metric query and its joins without running it."})
	t.add(Meta{Domain: Semantic, Risk: ReadOnly, Layer: true, Phase: 1},
		row{"discover_metrics", "Search metrics", "metric, search", "Search the metrics by what they mean, approved ones first."},
		row{"get_metric_dimensions", "Metric dimensions", "dimensions, group by", "List the dimensions by which metrics can be grouped together."},
		row{"get_dimension_values", "Dimension values", "values, filter", "List the values that a dimension has, to filter by."},
		row{"compare_metric_periods", "Compare periods", "compare, growth, change", "Compare metrics of one period with those of the period before."},
		row{"get_semantic_model", "Semantic model", "entities, measures, joins", "Read the entities, measures and dimensions of a semantic model."},
		row{"get_semantic_coverage", "Coverage report", "coverage, tiers", "Report which models and metrics are approved, candidates or only documented."},
		row{"validate_semantic_layer", "Validate semantic layer", "lint, validate", "Check the semantic layer for errors and odd definitions."})
	t.add(Meta{Domain: Semantic, Risk: ServerState, Layer: true, Phase: 1},
		row{"reload_semantic_registry", "Reload registry", "reload, refresh", "Read the project's artifacts again and say what changed."})

	// Schema.
	t.add(Meta{Domain: Schema, Risk: ReadOnly},
		row{"describe_table", "Describe a table", "table, columns, schema, types", "List the columns of a table with their types and descriptions."})
	t.add(Meta{Domain: Schema, Risk: ReadOnly, Deprecated: listed("tables")},
		row{"list_tables", "List tables", "tables, list", "List the tables of a database; list(kind=\"tables\") replaces it."})
	t.add(Meta{Domain: Schema, Risk: ReadOnly, Deprecated: listed("databases")},
		row{"list_databases", "List databases", "databases, list", "List the databases; list(kind=\"databases\") replaces it."})
	t.add(Meta{Domain: Schema, Risk: ReadOnly, Phase: 1},
		row{"get_sample_data", "Sample rows", "rows, preview, sample", "Show some rows of a table."},
		row{"profile_table", "Profile a table", "profile, distribution, nulls", "Profile the columns of a table: nulls, distinct values, range and distribution."})

	// Query.
	t.add(Meta{Domain: Query, Risk: ReadOnly},
		row{"execute_query", "Run a read-only SQL query", "sql, clickhouse, duckdb, raw, query", "Run one read-only SQL statement against the warehouse, within limits."})
	t.add(Meta{Domain: Query, Risk: ReadOnly, Deprecated: listed("saved_queries")},
		row{"list_saved_queries", "List saved queries", "saved, queries, list", "List the saved queries; list(kind=\"saved_queries\") replaces it."})
	t.add(Meta{Domain: Query, Risk: ReadOnly, Phase: 1},
		row{"explain_query", "Explain SQL", "plan, explain", "Show the database's plan of a SQL statement and its estimated cost."},
		row{"validate_sql", "Check SQL", "lint, check", "Check a SQL statement against policy and schema without running it."},
		row{"get_query_results", "Async results", "async, poll, page", "Read the results of a query that was started in the background."},
		row{"list_queries", "List async queries", "jobs, background", "List the queries that were started in the background."},
		row{"get_saved_query", "Read a saved query", "saved, read", "Read the SQL and parameters of a saved query."},
		row{"run_saved_query", "Run a saved query", "saved, run", "Run a saved query with parameters."},
		row{"get_query_rules", "Dialect rules", "dialect, rules, sql guide", "Read the rules for writing SQL in the warehouse's dialect."})
	t.add(Meta{Domain: Query, Risk: ServerState, Repeats: true, Phase: 1},
		row{"start_query", "Start a long query", "async, background", "Start a long SQL query in the background and get a job to ask for."})
	t.add(Meta{Domain: Query, Risk: ServerState, Phase: 1},
		row{"cancel_query", "Cancel a query", "cancel, stop", "Cancel a query that runs in the background."})
	t.add(Meta{Domain: Query, Risk: WorkspaceWrite, Repeats: true, Phase: 1},
		row{"export_query_results", "Export results", "export, csv, parquet", "Export the results of a query to a CSV, JSON or Parquet file."})
	t.add(Meta{Domain: Query, Risk: WorkspaceWrite, Phase: 1},
		row{"save_query", "Save a query", "save, keep", "Save a SQL query under a name for later."})
	t.add(Meta{Domain: Query, Risk: Destructive, Phase: 1},
		row{"delete_saved_query", "Delete a saved query", "delete, remove", "Delete a saved query."})
	t.add(Meta{Domain: Query, Risk: ServerState, Repeats: true, Phase: 2},
		row{"create_simulation_sandbox", "Create sandbox", "simulation, what-if", "Copy data into a sandbox to try changes in."},
		row{"query_sandbox", "Query a sandbox", "simulation, change", "Run any statement in a sandbox, changes included."})
	t.add(Meta{Domain: Query, Risk: ReadOnly, Phase: 2},
		row{"diff_sandbox", "Compare with baseline", "what-if, delta", "Compare a sandbox with the data it was copied from."},
		row{"list_sandboxes", "List sandboxes", "simulation, sandboxes", "List the sandboxes."})
	t.add(Meta{Domain: Query, Risk: Destructive, Phase: 2},
		row{"destroy_sandbox", "Destroy sandbox", "simulation, remove", "Remove a sandbox and its data."})

	// Visualization.
	t.add(Meta{Domain: Visualization, Risk: ReadOnly, Repeats: true, Gate: ChartGate},
		row{"quick_chart", "Quick chart from SQL", "chart, plot, adhoc", "Draw one chart of the result of a SQL query."},
		row{"generate_chart", "Generate one report chart", "chart, plot", "Make one chart for a report from a SQL query."},
		row{"generate_charts", "Generate charts (batch)", "chart, batch, report", "Make several charts for a report from SQL queries."})
	t.add(Meta{Domain: Visualization, Risk: ReadOnly, Repeats: true, Gate: MetricChartGate, Layer: true},
		row{"quick_metric_chart", "Quick chart from metrics", "metric, chart, plot", "Draw one chart of approved metrics."},
		row{"generate_metric_charts", "Generate metric charts (batch)", "metric, chart, report", "Make several charts of approved metrics for a report."})
	t.add(Meta{Domain: Visualization, Risk: ReadOnly, Deprecated: listed("charts")},
		row{"list_charts", "List charts", "charts, list, registry", "List the charts made so far; list(kind=\"charts\") replaces it."})
	t.add(Meta{Domain: Visualization, Risk: ReadOnly, Phase: 1},
		row{"get_chart", "Read a chart", "chart, option", "Read a chart that was made, with its options and data."},
		row{"recommend_chart", "Recommend a chart type", "choose, which chart", "Recommend the chart type that fits columns or a query."})
	t.add(Meta{Domain: Visualization, Risk: Destructive, Phase: 1},
		row{"delete_chart", "Delete a chart", "chart, remove", "Delete a chart that was made."})
	t.add(Meta{Domain: Visualization, Risk: ReadOnly, Repeats: true, Phase: 2},
		row{"open_data_catalog", "Open data catalog", "catalog, app", "Open the data catalog as a view to browse in."},
		row{"open_model_lineage", "Open lineage graph", "lineage, app", "Open the lineage of a model as a graph."},
		row{"open_metric_lab", "Open metric explorer", "app, explore", "Open a view to explore metrics in."})
	t.add(Meta{Domain: Visualization, Risk: AppOnly, Repeats: true, Phase: 2},
		row{"update_metric_lab_view", "Update the metric explorer", "app, view", "Change what the metric explorer shows."})
	t.add(Meta{Domain: Visualization, Risk: AppOnly, Phase: 2},
		row{"get_mini_app_rows", "Rows of a view", "app, rows", "Read the rows that a view shows."},
		row{"get_mini_app_state", "State of a view", "app, state", "Read the state of a view."})

	// Reporting.
	t.add(Meta{Domain: Reporting, Risk: WorkspaceWrite, Repeats: true, Gate: ReportGate},
		row{"generate_report", "Generate a report", "report, dashboard, html", "Make a self-contained HTML report of charts and text."})
	t.add(Meta{Domain: Reporting, Risk: ReadOnly, Deprecated: listed("reports")},
		row{"list_reports", "List reports", "reports, list, saved", "List the saved reports; list(kind=\"reports\") replaces it."})
	t.add(Meta{Domain: Reporting, Risk: ReadOnly, Phase: 1},
		row{"check_report_readiness", "Report readiness", "gates, missing", "Check what is still missing before a report can be made."},
		row{"open_report", "Open a report", "open, reopen", "Open a report that was made earlier."})
	t.add(Meta{Domain: Reporting, Risk: WorkspaceWrite, Repeats: true, Phase: 1},
		row{"export_report", "Export a report", "export, html, pdf", "Export a report to an HTML, Markdown or JSON file."})
	t.add(Meta{Domain: Reporting, Risk: WorkspaceWrite, Phase: 1},
		row{"rename_report", "Rename a report", "report, title", "Give a report another title."})
	t.add(Meta{Domain: Reporting, Risk: Destructive, Phase: 1},
		row{"delete_report", "Delete a report", "report, remove", "Delete a saved report."})
	t.add(Meta{Domain: Reporting, Risk: WorkspaceWrite, Repeats: true, Gate: ReportGate, Phase: 2},
		row{"generate_research_report", "Research essay", "essay, whitepaper", "Publish a research essay with charts and footnotes."},
		row{"generate_case_study_report", "Case study", "story, scrollytelling", "Publish a case study that is read by scrolling."})

	// Governance.
	t.add(Meta{Domain: Governance, Risk: ReadOnly},
		row{"verify_numbers", "Verify numeric claims", "verify, check, arithmetic", "Check numbers and calculations before they are told."})
	t.add(Meta{Domain: Governance, Risk: ServerState, Phase: 1},
		row{"record_model_exclusion", "Exclude a model", "exclude, coverage, gate", "Leave a discovered model out of the analysis, with a reason."},
		row{"record_model_exclusion_batch", "Exclude several models", "exclude, batch, coverage, gate", "Take a list of discovered models out of the analysis for one reason."},
		row{"exclude_models_by_prefix", "Exclude models by prefix", "exclude, coverage, gate", "Leave out all discovered models whose names begin alike."},
		row{"exclude_module", "Exclude a module", "exclude, coverage, gate", "Leave out all discovered models of a module."},
		row{"exclude_all_discovered_except", "Exclude all but some models", "exclude, coverage, gate", "Leave out all discovered models except those named."},
		row{"reset_session_state", "Reset session", "reset, restart, gates", "Forget what happened in this session."},
		row{"set_thinking_mode", "Tracing on or off", "trace, reasoning", "Switch the recording of reasoning on or off."})
	t.add(Meta{Domain: Governance, Risk: ReadOnly, Phase: 1},
		row{"get_session_state", "Session state", "gates, state", "Show what happened in this session and which tools are blocked."},
		row{"quality_metrics", "Quality counters", "gates, pass rate", "Show how often the gates passed, failed and were overridden."},
		row{"get_reasoning_log", "Read trace", "trace, reasoning", "Read the reasoning that was recorded."},
		row{"get_performance_stats", "Performance", "latency, cache", "Show how fast the tools are and how well the caches work."},
		row{"get_audit_events", "Audit events", "audit, log", "List the calls that were made, for an audit."})
	t.add(Meta{Domain: Governance, Risk: WorkspaceWrite, Repeats: true, Phase: 2},
		row{"log_reasoning", "Log reasoning", "trace, note", "Record a step of reasoning."})
	t.add(Meta{Domain: Governance, Risk: ReadOnly, Phase: 2},
		row{"get_agent_persona", "Persona", "role, playbook", "Read how an analyst of a role works."},
		row{"list_agent_personas", "List personas", "role, playbook", "List the roles that have a playbook."},
		row{"list_resumable_workflows", "Resumable workflows", "resume, research, story", "List the research and story work that can be taken up again."},
		row{"get_workflow_resume_hint", "Resume hint", "resume, next step", "Say where unfinished work stands and what comes next."})
	t.add(Meta{Domain: Governance, Risk: ServerState, Phase: 2},
		row{"recompute_workflow_resume_hint", "Recompute resume hint", "resume, refresh", "Work out anew where unfinished work stands."})

	// Meta.
	t.add(Meta{Domain: General, Risk: ReadOnly},
		row{"get_help", "Help", "help, guide, how to", "Explain how the server is used, or one tool with its arguments."},
		row{"system_status", "System status", "status, health, diagnostics", "Say whether the server, the database and the project's artifacts are in order."},
		row{"list", "List things", "list, tables, databases, charts, reports, saved queries", "List tables, databases, charts, reports or saved queries."})
	t.add(Meta{Domain: General, Risk: ServerState},
		row{"load_tools", "Load advanced tools", "load, unhide, advanced, tools", "Show advanced tools in the list of tools and return their schemas."})
	t.add(Meta{Domain: General, Risk: ServerState, Phase: 1},
		row{"unload_tools", "Hide tools again", "unload, hide", "Take tools off the list that were loaded."})
	t.add(Meta{Domain: General, Risk: WorkspaceWrite, Repeats: true, Network: true, Phase: 1},
		row{"invoke_tool", "Call a tool by name", "call, proxy, hidden", "Call any tool by its name, listed or not."})
	t.add(Meta{Domain: General, Risk: ReadOnly, Phase: 1},
		row{"describe_tool", "Tool schema", "schema, arguments", "Read the schema of a tool's arguments and results."},
		row{"list_custom_tools", "Custom tools", "custom, tools", "List the tools that this installation adds."},
		row{"get_platform_constants", "Project constants", "constants, project", "Read what holds for the whole project: time zone, currency, fiscal year."},
		row{"get_tool_usage", "Tool usage", "usage, tokens", "Show which tools are used and what their descriptions cost."})
	t.add(Meta{Domain: General, Risk: ServerState, Phase: 1},
		row{"reload_custom_tools", "Reload custom tools", "custom, reload", "Read the file of custom tools again."})
	return t
}()
