package sqltree

import (
	"slices"
	"strings"
)

// rowFunctions are functions that return rows, with the columns that they have. A
// column without a name takes that of the function or of its alias.
var rowFunctions = map[Dialect]map[string][]string{
	Postgres: columnsOf(`
		generate_series: .
		generate_subscripts: .
		regexp_split_to_table: .
		regexp_matches: .
		string_to_table: .
		json_object_keys: .
		jsonb_object_keys: .
		jsonb_path_query: .
		jsonb_path_query_tz: .
		json_array_elements: value
		jsonb_array_elements: value
		json_array_elements_text: value
		jsonb_array_elements_text: value
		json_each: key value
		jsonb_each: key value
		json_each_text: key value
		jsonb_each_text: key value
		ts_stat: word ndoc nentry
		pg_ls_dir: .`),
	SQLite: columnsOf(`
		json_each: key value type atom id parent fullkey path json root
		json_tree: key value type atom id parent fullkey path json root
		jsonb_each: key value type atom id parent fullkey path json root
		jsonb_tree: key value type atom id parent fullkey path json root
		generate_series: value start stop step
		pragma_table_info: cid name type notnull dflt_value pk arg schema
		pragma_table_xinfo: cid name type notnull dflt_value pk hidden arg schema
		pragma_table_list: schema name type ncol wr strict arg
		pragma_index_list: seq name unique origin partial arg schema
		pragma_index_info: seqno cid name arg schema
		pragma_index_xinfo: seqno cid name desc coll key arg schema
		pragma_foreign_key_list: id seq table from to on_update on_delete match arg schema
		pragma_database_list: seq name file`),
	DuckDB: columnsOf(`
		json_each: key value type atom id parent fullkey path
		json_tree: key value type atom id parent fullkey path
		pragma_table_info: cid name type notnull dflt_value pk
		range: range
		generate_series: generate_series
		glob: file`),
	Snowflake: columnsOf(`
		flatten: SEQ KEY PATH INDEX VALUE THIS
		split_to_table: SEQ INDEX VALUE
		strtok_split_to_table: SEQ INDEX VALUE
		generator:`),
	ClickHouse: columnsOf(`
		numbers: number
		numbers_mt: number
		zeros: zero
		zeros_mt: zero`),
}

// columnsOf reads lines of a function's name, a colon and its columns.
func columnsOf(table string) map[string][]string {
	m := map[string][]string{}
	for line := range strings.Lines(table) {
		name, columns, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok {
			continue
		}
		m[name] = []string{}
		for _, c := range strings.Fields(columns) {
			m[name] = append(m[name], strings.TrimPrefix(c, "."))
		}
	}
	return m
}

// functionColumns lists the columns of a call in FROM, if they are known.
func (d Dialect) functionColumns(f *Func) ([]string, bool) {
	name := strings.ToLower(f.Name.Last().Name)
	if d == Postgres && name == "unnest" {
		if !allScalar(f.Args) {
			return nil, false
		}
		if len(f.Args) == 1 {
			return []string{""}, true
		}
		columns := make([]string, len(f.Args))
		for i := range columns {
			columns[i] = name
		}
		return columns, true
	}
	columns, ok := rowFunctions[d][name]
	return columns, ok
}

// allScalar reports whether the elements of arrays are no rows, whose fields unnest would
// make columns of: that is sure of values that are written out, and of parts of a text.
func allScalar(arrays []Expr) bool {
	for _, a := range arrays {
		switch a := a.(type) {
		case *Op:
			if a.Name != "ARRAY" || slices.ContainsFunc(a.Args, func(e Expr) bool { _, ok := e.(*Literal); return !ok }) {
				return false
			}
		case *Func:
			if !a.named("string_to_array") && !a.named("regexp_split_to_array") && !a.named("regexp_matches") {
				return false
			}
		default:
			return false
		}
	}
	return true
}

var systemRelations = map[string][]string{
	"sqlite_schema":      {"type", "name", "tbl_name", "rootpage", "sql"},
	"sqlite_master":      {"type", "name", "tbl_name", "rootpage", "sql"},
	"sqlite_temp_schema": {"type", "name", "tbl_name", "rootpage", "sql"},
	"sqlite_temp_master": {"type", "name", "tbl_name", "rootpage", "sql"},
	"sqlite_sequence":    {"name", "seq"},
	"sqlite_stat1":       {"tbl", "idx", "stat"},
	"dbstat":             {"name", "path", "pageno", "pagetype", "ncell", "payload", "unused", "mx_payload", "pgoffset", "pgsize", "schema", "aggregate"},
}

// systemRelationColumns lists the columns of a relation of the database's own, if
// they are known. MySQL's dual has none.
func (d Dialect) systemRelationColumns(name string) ([]string, bool) {
	name = strings.ToLower(name)
	switch d {
	case SQLite:
		columns, ok := systemRelations[name]
		if !ok {
			columns, ok = rowFunctions[SQLite][name] // pragma_table_info without its argument
		}
		return columns, ok
	case MySQL, MariaDB:
		return nil, name == "dual"
	}
	return nil, false
}

// sequenceColumn reports the names that ask a sequence for a value: s.NEXTVAL.
func (d Dialect) sequenceColumn(id Ident) bool {
	if d != Snowflake && d != Generic {
		return false
	}
	return strings.EqualFold(id.Name, "nextval") || strings.EqualFold(id.Name, "currval")
}

// functionColumns lists the columns of a function in FROM, if they are known: one
// of the database's own, or one of the catalog.
func (r *resolver) functionColumns(call *Func) ([]string, bool) {
	if f, ok := r.catalog.(FunctionCatalog); ok {
		if rel := f.Function(r.d, call.Name); rel != nil {
			return rel.Columns, !rel.Open
		}
	}
	if r.d == ClickHouse && structured[strings.ToLower(call.Name.Last().Name)] {
		return structure(call)
	}
	return r.d.functionColumns(call)
}

// structured are the functions that take a structure.
var structured = map[string]bool{
	"values": true, "file": true, "filecluster": true, "url": true, "urlcluster": true, "s3": true, "s3cluster": true, "gcs": true, "hdfs": true,
	"azureblobstorage": true, "input": true, "format": true, "generaterandom": true, "executable": true,
}
