package sqltree

import "strings"

// key returns the form in which names of the catalog compare with [Dialect.Fold]ed
// ones of a text: as declared where quoting keeps case, else in lower case.
func (d Dialect) key(declared string) string {
	switch d {
	case Postgres, Snowflake, ClickHouse:
		return declared
	case SQLite, DuckDB:
		return lowerASCII(declared)
	}
	return strings.ToLower(declared)
}

// shown returns the name that an output column gets from a reference.
func (d Dialect) shown(id Ident) string {
	switch d {
	case Postgres, Snowflake:
		return d.Fold(id)
	}
	return id.Name
}

// Where a dialect lets an alias of the select list be used.
type aliasUse struct {
	where, group, having, list bool // list: in later entries of the list itself
}

func (d Dialect) aliases() aliasUse {
	switch d {
	case Postgres:
		return aliasUse{group: true}
	case MySQL, MariaDB, SQLite, BigQuery:
		u := aliasUse{group: true, having: true}
		u.where = d == SQLite
		return u
	}
	return aliasUse{where: true, group: true, having: true, list: true}
}

// hasPaths reports whether c.f may be a field of a column c.
func (d Dialect) hasPaths() bool {
	switch d {
	case MySQL, MariaDB, SQLite, Postgres:
		return false
	}
	return true
}

// qualifiesAliases reports whether a schema may stand before an alias: main.x.c.
func (d Dialect) qualifiesAliases() bool { return d == SQLite || d == MySQL || d == MariaDB }

// hasRows reports whether the name of a relation may stand for its whole row.
func (d Dialect) hasRows() bool {
	switch d {
	case MySQL, MariaDB, SQLite, ClickHouse:
		return false
	}
	return true
}

// implicitRecursion reports whether a CTE may refer to itself without RECURSIVE.
func (d Dialect) implicitRecursion() bool { return d == Snowflake || d == SQLite || d == Generic }

var systemColumns = map[Dialect][]string{
	Postgres:   {"ctid", "xmin", "xmax", "cmin", "cmax", "tableoid", "oid"},
	SQLite:     {"rowid", "_rowid_", "oid"},
	DuckDB:     {"rowid", "filename", "file_row_number"},
	BigQuery:   {"_partitiontime", "_partitiondate", "_table_suffix", "_file_name"},
	ClickHouse: {"_part", "_partition_id", "_part_index", "_part_uuid", "_path", "_file", "_size", "_time", "_table", "_database", "_sample_factor", "_shard_num", "_version", "_sign"},
	Generic:    {"ctid", "rowid", "rownum", "level"},
}

// systemColumn reports whether every table has a column of that name that no
// catalog lists.
func (d Dialect) systemColumn(id Ident) bool {
	name := strings.ToLower(id.Name)
	if d == Snowflake {
		return strings.HasPrefix(name, "metadata$") || name == "rownum" || name == "level"
	}
	for _, c := range systemColumns[d] {
		if c == name {
			return true
		}
	}
	return false
}

var systemSchemas = map[Dialect][]string{
	Postgres:   {"pg_catalog", "information_schema", "pg_toast"},
	MySQL:      {"information_schema", "mysql", "performance_schema", "sys"},
	MariaDB:    {"information_schema", "mysql", "performance_schema", "sys"},
	DuckDB:     {"information_schema", "pg_catalog", "system", "temp"},
	Snowflake:  {"information_schema", "account_usage", "organization_usage"},
	BigQuery:   {"information_schema"},
	ClickHouse: {"system", "information_schema"},
	Generic:    {"information_schema", "pg_catalog", "sys"},
}

// systemRelation reports whether a name belongs to the database's own catalog.
func (d Dialect) systemRelation(n Name) bool {
	for _, part := range n.Parts[:len(n.Parts)-1] {
		p := strings.ToLower(part.Name)
		for _, s := range systemSchemas[d] {
			if p == s {
				return true
			}
		}
	}
	last := strings.ToLower(n.Last().Name)
	switch d {
	case Postgres:
		return len(n.Parts) == 1 && strings.HasPrefix(last, "pg_")
	case SQLite:
		return strings.HasPrefix(last, "sqlite_") || strings.HasPrefix(last, "pragma_") || last == "dbstat"
	case MySQL, MariaDB, Generic:
		return last == "dual"
	case DuckDB:
		return strings.HasPrefix(last, "duckdb_") || strings.HasPrefix(last, "sqlite_") || strings.HasPrefix(last, "pg_")
	case BigQuery:
		// `region-us.INFORMATION_SCHEMA.TABLES` may be one quoted part.
		return strings.Contains(last, "information_schema.") || last == "__tables__" || last == "__tables_summary__"
	}
	return false
}

// aggregateNames are functions that make one value of many rows, in the spellings
// of all dialects. It decides only how a source is said to feed a column.
var aggregateNames = func() map[string]bool {
	m := map[string]bool{}
	for _, n := range strings.Fields(`
		any_value approx_count_distinct approx_distinct approx_quantile approx_quantiles approx_top_count arg_max arg_min
		argmax argmin array_agg array_concat_agg avg bit_and bit_or bit_xor bool_and bool_or boolor_agg booland_agg
		corr count count_if countif covar_pop covar_samp every first first_value group_concat group_bitmap grouparray
		groupuniqarray hll histogram json_agg json_array_agg json_arrayagg json_group_array json_group_object json_object_agg
		json_objectagg jsonb_agg jsonb_object_agg kurtosis last last_value list listagg logical_and logical_or max max_by mean
		median min min_by mode object_agg percentile_cont percentile_disc product quantile quantile_cont quantile_disc
		quantileexact quantiles quantilestdigest range_agg regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope
		skewness std stddev stddev_pop stddev_samp string_agg sum sumif avgif minif maxif total uniq uniqexact uniqcombined
		uniqhll12 sumkahan summap topk anylast anyheavy var_pop var_samp variance xmlagg`) {
		m[n] = true
	}
	return m
}()

// named reports whether a call is of a function of that name, in lower case.
func (f *Func) named(name string) bool {
	return len(f.Name.Parts) > 0 && strings.EqualFold(f.Name.Last().Name, name)
}

func (f *Func) aggregates() bool {
	if f.Aggregate || f.Over != nil || f.Filter != nil || f.Distinct || f.Star {
		return true
	}
	return len(f.Name.Parts) > 0 && aggregateNames[strings.ToLower(f.Name.Last().Name)]
}
