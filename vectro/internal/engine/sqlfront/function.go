package sqlfront

import (
	"fmt"
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"github.com/quartet-mcp/quartet/mcpkit/nearest"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/caret"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

// renamed are functions that SQL has under a name that means something else, or
// nothing, in the expression language.
var renamed = map[string]string{
	"concat": "sqlconcat", // passes over missing values
}

// fileFunctions read files in other databases.
var fileFunctions = []string{
	"read_csv", "read_csv_auto", "read_json", "read_json_auto", "read_ndjson", "read_ndjson_auto", "read_json_objects", "read_parquet",
	"parquet_scan", "read_text", "read_blob", "read_arrow", "read_xlsx", "sniff_csv", "arrow_scan", "iceberg_scan", "delta_scan", "sqlite_scan",
	"postgres_scan", "mysql_scan", "st_read", "glob", "file", "url", "s3", "hdfs", "remote", "copy", "pg_read_file", "pg_read_binary_file",
	"pg_ls_dir", "pg_stat_file", "pg_ls_logdir", "pg_ls_waldir", "lo_import", "lo_export", "lo_get", "readfile", "writefile", "load_extension", "load_file",
	"dblink", "dblink_connect", "query_to_xml", "table_to_xml", "database_to_xml", "pg_logdir_ls", "pg_file_read", "pg_file_write",
}

// windowOnly are functions that need OVER.
var windowOnly = []string{"row_number", "rank", "dense_rank", "percent_rank", "cume_dist", "ntile", "lag", "lead", "nth_value"}

// unknownFunction refuses a name that is no function.
func unknownFunction(name string) error {
	if slices.Contains(fileFunctions, strings.ToLower(name)) {
		return refuse("Unknown function %s. Files are loaded with load_file.", caret.Clean(name))
	}
	if slices.Contains(windowOnly, strings.ToLower(name)) {
		return unsupported(name+" (a window function)", "Group with GROUP BY, or order with ORDER BY and LIMIT.")
	}
	e := refuse("Unknown function %s.", caret.Clean(name))
	e.Candidates = nearest.Find(name, append(plan.Functions(), plan.Aggregates()...), 3)
	if len(e.Candidates) > 0 {
		e.Message += fmt.Sprintf(" Did you mean %s?", e.Candidates[0])
	}
	return e
}

func (b *binder) function(f *pg.FuncCall) (plan.Expr, error) {
	if err := only(f, "funcname", "args", "agg_order", "agg_filter", "agg_within_group", "agg_star", "agg_distinct", "funcformat"); err != nil {
		return nil, err
	}
	names := stringsOf(f.Funcname)
	name := names[len(names)-1]
	syntax := f.Funcformat == pg.CoercionForm_COERCE_SQL_SYNTAX
	if len(names) > 1 && (len(names) > 2 || names[0] != "pg_catalog") {
		return nil, unknownFunction(strings.Join(names, "."))
	}
	if plan.IsAggregate(name) && !syntax {
		return b.aggregate(f, name)
	}
	switch {
	case f.AggStar, f.AggDistinct, f.AggFilter != nil, f.AggWithinGroup, len(f.AggOrder) > 0:
		if !plan.IsFunction(name) {
			return nil, unknownFunction(name)
		}
		return nil, b.p.fail(f.Location, "%s is no aggregate; *, DISTINCT, FILTER and ORDER BY belong inside one", name)
	case syntax:
		return b.syntax(f, name)
	}
	if op := renamed[name]; op != "" {
		return b.call(op, f.Location, f.Args)
	}
	if !plan.IsFunction(name) && name != "div" {
		return nil, unknownFunction(name)
	}
	args, err := b.bindAll(f.Args)
	if err != nil {
		return nil, err
	}
	e, err := b.p.env.Call(name, args)
	if err != nil {
		return nil, b.refused(err, f.Location, f.Args)
	}
	return e, nil
}

// syntax binds the functions that have a syntax of their own: EXTRACT(year FROM
// d), SUBSTRING(s FROM 1 FOR 2), TRIM(BOTH ' ' FROM s), POSITION(a IN s).
func (b *binder) syntax(f *pg.FuncCall, name string) (plan.Expr, error) {
	switch name {
	case "extract":
		return b.call("date_part", f.Location, f.Args)
	case "position":
		return b.call("indexof", f.Location, f.Args)
	case "btrim":
		return b.call("trim", f.Location, f.Args)
	case "ltrim", "rtrim":
		return b.call(name, f.Location, f.Args)
	case "substring":
		args, err := b.bindAll(f.Args)
		if err != nil {
			return nil, err
		}
		op := "substr"
		if len(args) > 1 && args[1].Type().Base == plan.String {
			if op = "extract"; len(args) > 2 {
				return nil, unsupported("SUBSTRING with an SQL pattern", "Use regexp_substr(s, pattern) with a regular expression.")
			}
		}
		return b.apply(op, args, f.Location, f.Args...)
	case "timezone":
		return nil, unsupported("AT TIME ZONE", "Dates with a zone are in UTC; add an INTERVAL.")
	}
	return nil, unsupported(strings.ToUpper(name)+" in this form", "")
}

func (b *binder) aggregate(f *pg.FuncCall, name string) (plan.Expr, error) {
	switch {
	case b.inAgg != "":
		return nil, b.p.fail(f.Location, "%s is an aggregate; it cannot stand inside the aggregate %s", name, b.inAgg)
	case b.group == nil && b.clause == "WHERE":
		return nil, b.p.fail(f.Location, "%s is an aggregate; it belongs in HAVING, not in WHERE", name)
	case b.group == nil:
		return nil, b.p.fail(f.Location, "%s is an aggregate; it does not belong in %s", name, b.clause)
	}
	b.inAgg = name
	defer func() { b.inAgg = "" }()
	nodes := f.Args
	args, err := b.bindAll(nodes)
	if err != nil {
		return nil, err
	}
	if len(f.AggOrder) > 0 || f.AggWithinGroup {
		if nodes, args, err = b.withinGroup(f, name, args); err != nil {
			return nil, err
		}
	}
	opt := plan.AggOptions{Distinct: f.AggDistinct, Rows: b.group.Rows}
	if f.AggFilter != nil {
		if opt.Filter, err = b.condition(f.AggFilter); err != nil {
			return nil, err
		}
	}
	fn := name
	switch {
	case f.AggStar && name != "count":
		return nil, b.p.fail(f.Location, "%s(*) counts nothing; only count takes *", name)
	case name == "count" && len(args) == 0 && !f.AggStar:
		return nil, b.p.fail(f.Location, "count needs * or a value: count(*)")
	case name == "count" && len(args) == 1:
		fn = "countvalues" // false is a value, too
	}
	agg, err := plan.BindAggregate(fn, args, opt)
	if err != nil {
		return nil, b.refused(err, f.Location, nodes)
	}
	c := b.group.Add(agg)
	if b.where != nil {
		b.where[c] = f.Location
	}
	return c, nil
}

// withinGroup turns percentile_cont(p) WITHIN GROUP (ORDER BY x) into (x, p).
func (b *binder) withinGroup(f *pg.FuncCall, name string, args []plan.Expr) ([]*pg.Node, []plan.Expr, error) {
	wanted := map[string]int{"percentile_cont": 1, "percentile_disc": 1, "mode": 0}
	n, ok := wanted[name]
	if !f.AggWithinGroup {
		return nil, nil, refuse("%s", fieldWords["FuncCall.agg_order"])
	}
	if !ok || len(args) != n || len(f.AggOrder) != 1 {
		return nil, nil, unsupported("WITHIN GROUP for "+name, "percentile_cont, percentile_disc and mode take it.")
	}
	s := f.AggOrder[0].GetSortBy()
	if err := only(s, "node", "sortby_dir", "sortby_nulls"); err != nil {
		return nil, nil, err
	}
	if s.SortbyDir == pg.SortByDir_SORTBY_DESC || s.SortbyDir == pg.SortByDir_SORTBY_USING {
		return nil, nil, unsupported("WITHIN GROUP (ORDER BY … DESC)", "Order ascending; percentile p from above is 1 - p.")
	}
	x, err := b.bind(s.Node)
	if err != nil {
		return nil, nil, err
	}
	return append([]*pg.Node{s.Node}, f.Args...), append([]plan.Expr{x}, args...), nil
}
