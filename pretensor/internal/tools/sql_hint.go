package tools

import (
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/paths"
	"github.com/quartet-mcp/quartet/pretensor/internal/sqlcheck"
)

// hinter writes the FROM clause of a join path in the SQL of a database.
type hinter struct {
	c *catalog.Catalog
	d sqltree.Dialect
	// files: schemas are written as file and schema, which is how DuckDB takes them
	// where several files are one connection.
	files bool
}

func newHinter(c *catalog.Catalog) hinter {
	d, ok := sqlcheck.Dialects[c.Dialect]
	if !ok {
		d = sqltree.Generic
	}
	return hinter{c, d, d == sqltree.DuckDB && strings.Contains(c.DefaultSchema, ".")}
}

// from is the clause of a path, a line for each table.
func (h hinter) from(p paths.Path) string {
	aliases := h.aliases(p)
	var b strings.Builder
	b.WriteString("FROM " + h.table(p.Steps[0].From) + " AS " + h.name(aliases[0]))
	for i, s := range p.Steps {
		left, right := h.columns(s)
		b.WriteString("\nJOIN " + h.table(s.To) + " AS " + h.name(aliases[i+1]) + " ON ")
		for k := range left {
			if k > 0 {
				b.WriteString(" AND ")
			}
			b.WriteString(h.name(aliases[i]) + "." + h.name(left[k]) + " = " + h.name(aliases[i+1]) + "." + h.name(right[k]))
		}
	}
	return b.String()
}

// on is the condition of a step without qualifiers.
func (h hinter) on(s paths.Step) string {
	left, right := h.columns(s)
	all := make([]string, len(left))
	for i := range left {
		all[i] = h.name(left[i]) + " = " + h.name(right[i])
	}
	return strings.Join(all, " AND ")
}

// columns are those that a step compares, of the table that it leaves and of the one
// that it enters.
func (h hinter) columns(s paths.Step) (left, right []string) {
	e := h.c.Edge(s.Edge)
	if s.Reverse {
		return e.ToColumns, e.FromColumns
	}
	return e.FromColumns, e.ToColumns
}

// maxAlias is how long an alias may be in bytes: PostgreSQL cuts what is longer, and
// two that differ at their end would be one.
const maxAlias = 63

// aliases are the names of the tables of a path, in their order, with a number where
// a name comes again.
func (h hinter) aliases(p paths.Path) []string {
	tables := []int{p.Steps[0].From}
	for _, s := range p.Steps {
		tables = append(tables, s.To)
	}
	taken := map[string]bool{}
	out := make([]string, len(tables))
	for i, t := range tables {
		out[i] = cut(h.c.Tables[t].Name, maxAlias)
		for n := 2; taken[strings.ToLower(out[i])]; n++ {
			number := "_" + strconv.Itoa(n)
			out[i] = cut(h.c.Tables[t].Name, maxAlias-len(number)) + number
		}
		taken[strings.ToLower(out[i])] = true
	}
	return out
}

// cut is the beginning of a text, of n bytes at most and whole characters.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}

// table is the name of a table.
func (h hinter) table(table int) string {
	t := &h.c.Tables[table]
	if t.Schema == "" {
		return h.name(t.Name)
	}
	if file, schema, ok := strings.Cut(t.Schema, "."); ok && h.files {
		return h.name(file) + "." + h.name(schema) + "." + h.name(t.Name)
	}
	return h.name(t.Schema) + "." + h.name(t.Name)
}

// name writes a name, in quotes unless it means itself without them.
func (h hinter) name(name string) string {
	low, high := byte('a'), byte('z')
	if h.c.Fold("a") == "A" {
		low, high = 'A', 'Z'
	}
	for i := range len(name) {
		if c := name[i]; !(low <= c && c <= high || c == '_' || i > 0 && '0' <= c && c <= '9') {
			return h.d.Quote(name)
		}
	}
	if name == "" || reserved[strings.ToLower(name)] {
		return h.d.Quote(name)
	}
	return name
}

// reserved are the words that one of the dialects does not take as a name. Quotes
// around a word that is free in another one do no harm.
var reserved = func() map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields(`
		abort accessible account action add all alter analyse analyze and anti any array as asc asensitive asof
		assert_rows_modified asymmetric at authorization autoincrement before between bigint binary bit blob boolean both by
		call cascade case cast change char character check coalesce collate collation column commit concurrently condition
		conflict connect connection constraint contains continue convert create cross cube cume_dist current current_catalog
		current_date current_role current_schema current_time current_timestamp current_user cursor database databases
		day_hour day_microsecond day_minute day_second dec decimal declare default deferrable deferred define delayed delete
		delete_domain_id dense_rank desc describe detach deterministic distinct distinctrow div do do_domain_ids double drop
		dual each else elseif empty enclosed end enum escape escaped except exclude exclusive exists exit explain extract fail
		false fetch first_value float float4 float8 following for force foreign freeze from full fulltext function general
		generated get glob grant greatest group grouping groups gscluster hash having high_priority hour_microsecond
		hour_minute hour_second if ignore ignore_domain_ids ignore_server_ids ilike immediate in increment index indexed
		infile initially inner inout insensitive insert instead int int1 int2 int3 int4 int8 integer intersect interval into
		io_after_gtids io_before_gtids is isnull issue iterate join json_table key keys kill lag lambda last_value lateral
		lead leading least leave left like limit linear lines load localtime localtimestamp lock long longblob longtext
		lookup loop low_priority manual master_bind master_heartbeat_period master_ssl_verify_server_cert match maxvalue
		mediumblob mediumint mediumtext merge middleint minus minute_microsecond minute_second mod modifies national natural
		nchar new no no_write_to_binlog none not nothing notnull nth_value ntile null nullif nulls numeric of offset on only
		optimize optimizer_costs option optionally or order organization out outer outfile over overlaps overlay
		page_checksum parallel parse_vcol_expr partition percent_rank pivot pivot_longer pivot_wider placing plan position
		positional pragma preceding precision primary procedure proto purge qualify query raise range rank read read_write
		reads real recursive ref_system_id references regexp reindex release rename repeat replace require resignal respect
		restrict return returning returns revoke right rlike rollback rollup row row_number rownum rows sample savepoint
		schema schemas second_microsecond select semi sensitive separator session_user set setof show signal similar slow
		smallint some spatial specific sql sql_big_result sql_calc_found_rows sql_small_result sqlexception sqlstate
		sqlwarning ssl start starting stats_auto_recalc stats_persistent stats_sample_pages stored straight_join struct
		substring summarize symmetric system system_user table tablesample temp temporary terminated then time timestamp
		tinyblob tinyint tinytext to trailing transaction treat trigger trim true try_cast unbounded undo union unique unlock
		unnest unpivot unsigned update usage use user using utc_date utc_time utc_timestamp vacuum values varbinary varchar
		varcharacter variadic varying verbose view virtual when whenever where while window with within without write
		xmlattributes xmlconcat xmlelement xmlexists xmlforest xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable xor
		year_month zerofill`) {
		words[w] = true
	}
	return words
}()
