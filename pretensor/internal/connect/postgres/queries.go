package postgres

// The statements of an introspection, in the order in which they run. $1 is a list
// of relations' oids as text, "{1,2}", where nothing else is said.
const (
	beginSQL  = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`
	commitSQL = `COMMIT`

	infoSQL = `
SELECT pg_catalog.current_setting('server_version'), pg_catalog.current_database()::text, pg_catalog.current_schemas(false)::text[],
       coalesce(pg_catalog.current_setting('max_locks_per_transaction', true)::bigint
                OPERATOR(pg_catalog.*) pg_catalog.current_setting('max_connections', true)::bigint, 6400)`

	// $1 and $2: time limits in milliseconds; $3: whether nested loops are on, which
	// they are not for the catalog. The planner knows little of the
	// catalog's views and may try every pair of rows where it expects one or two;
	// without nested loops it reads each catalog table once.
	settingsSQL = `
SELECT pg_catalog.set_config('search_path', 'pg_catalog', true), pg_catalog.set_config('statement_timeout', $1, true),
       pg_catalog.set_config('lock_timeout', $2, true), pg_catalog.set_config('DateStyle', 'ISO, YMD', true),
       pg_catalog.set_config('IntervalStyle', 'iso_8601', true), pg_catalog.set_config('TimeZone', 'UTC', true),
       pg_catalog.set_config('extra_float_digits', '1', true), pg_catalog.set_config('quote_all_identifiers', 'off', true),
       pg_catalog.set_config('enable_nestloop', $3, true), pg_catalog.set_config('work_mem', '64MB', true), pg_catalog.set_config('jit', 'off', true)`

	// Only declared partitions are parts of their parent. A child by INHERITS alone, as
	// partitions were made before version 10, is a table of its own: it may have columns
	// and keys that its parent has not, and nothing says that it is a partition.
	relationsSQL = `
WITH sources AS (
  SELECT r.ev_class, array_agg(DISTINCT s.refobjid::bigint ORDER BY s.refobjid::bigint) AS oids
  FROM pg_rewrite r
  JOIN pg_depend s ON s.classid = 'pg_rewrite'::regclass AND s.objid = r.oid AND s.refclassid = 'pg_class'::regclass AND s.refobjid <> r.ev_class
  WHERE r.ev_type = '1' GROUP BY r.ev_class
)
SELECT c.oid::bigint, n.nspname::text, c.relname::text, c.relkind::text, coalesce(i.inhparent, 0)::bigint,
       coalesce(d.description, ''), c.reltuples::float8,
       coalesce(CASE WHEN c.relkind = 'p' THEN pg_get_partkeydef(c.oid) END, ''),
       ARRAY(SELECT k::int8 FROM unnest(p.partattrs::int2[]) k),
       EXISTS (SELECT FROM pg_depend e WHERE e.classid = 'pg_class'::regclass AND e.objid = c.oid AND e.objsubid = 0 AND e.deptype = 'e'),
       has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT'),
       coalesce(s.oids, '{}')
FROM pg_class c
JOIN pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN pg_inherits i ON c.relispartition AND i.inhrelid = c.oid
LEFT JOIN pg_partitioned_table p ON p.partrelid = c.oid
LEFT JOIN pg_description d ON d.classoid = 'pg_class'::regclass AND d.objoid = c.oid AND d.objsubid = 0
LEFT JOIN sources s ON s.ev_class = c.oid
WHERE c.relkind IN ('r', 'v', 'm', 'f', 'p') AND c.relpersistence <> 't'
  AND n.nspname !~ '^(pg_|_timescaledb_)' AND n.nspname NOT IN ('information_schema', 'crdb_internal')
ORDER BY n.nspname, c.relname`

	// Domains are followed to the type that they stand for, whose labels count.
	columnsSQL = `
WITH RECURSIVE dom AS (
  SELECT oid AS root, typbasetype AS typ, typtypmod AS mod, typnotnull AS nn FROM pg_type WHERE typtype = 'd'
  UNION ALL
  SELECT dom.root, t.typbasetype, t.typtypmod, dom.nn OR t.typnotnull FROM dom JOIN pg_type t ON t.oid = dom.typ WHERE t.typtype = 'd'
), enums AS (
  SELECT enumtypid AS typ, array_agg(enumlabel::text ORDER BY enumsortorder) AS labels FROM pg_enum GROUP BY enumtypid
)
SELECT a.attrelid::bigint, a.attnum::bigint, a.attname::text, a.atttypid::bigint, format_type(a.atttypid, a.atttypmod), tn.nspname::text,
       coalesce(format_type(b.oid, dom.mod), ''), coalesce(bn.nspname::text, ''), coalesce(b.typcategory, t.typcategory)::text,
       NOT (a.attnotnull OR coalesce(dom.nn, false)),
       coalesce(pg_get_expr(ad.adbin, ad.adrelid, true), ''), a.attidentity <> '', a.attgenerated <> '',
       coalesce(d.description, ''), coalesce(e.labels, '{}')
FROM unnest($1::oid[]) AS k(oid)
JOIN pg_attribute a ON a.attrelid = k.oid AND a.attnum > 0 AND NOT a.attisdropped
JOIN pg_type t ON t.oid = a.atttypid
JOIN pg_namespace tn ON tn.oid = t.typnamespace
LEFT JOIN (dom JOIN pg_type b ON b.oid = dom.typ AND b.typtype <> 'd' JOIN pg_namespace bn ON bn.oid = b.typnamespace) ON dom.root = a.atttypid
LEFT JOIN pg_attrdef ad ON ad.adrelid = a.attrelid AND ad.adnum = a.attnum
LEFT JOIN pg_description d ON d.classoid = 'pg_class'::regclass AND d.objoid = a.attrelid AND d.objsubid = a.attnum
LEFT JOIN enums e ON e.typ = CASE WHEN coalesce(b.typcategory, t.typcategory) = 'A' THEN coalesce(b.typelem, t.typelem) ELSE coalesce(b.oid, t.oid) END
ORDER BY a.attrelid, a.attnum`

	// The second half are the checks of domains, for each domain also those of the
	// domains that it is made from.
	constraintsSQL = `
WITH RECURSIVE dom AS (
  SELECT oid AS root, oid AS typ FROM pg_type WHERE typtype = 'd'
  UNION ALL
  SELECT dom.root, t.typbasetype FROM dom JOIN pg_type t ON t.oid = dom.typ AND t.typtype = 'd' AND t.typbasetype <> 0
)
SELECT c.conrelid::bigint, 0::bigint, c.contype::text, c.conname::text, ARRAY(SELECT k::int8 FROM unnest(c.conkey) k), c.confrelid::bigint,
       coalesce(fn.nspname::text, ''), coalesce(f.relname::text, ''),
       ARRAY(SELECT a.attname::text FROM unnest(c.confkey) WITH ORDINALITY AS k(num, n) JOIN pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = k.num ORDER BY k.n),
       c.confdeltype::text, c.confupdtype::text, coalesce(pg_get_expr(c.conbin, c.conrelid, true), '')
FROM unnest($1::oid[]) AS k(oid)
JOIN pg_constraint c ON c.conrelid = k.oid
LEFT JOIN pg_class f ON f.oid = c.confrelid
LEFT JOIN pg_namespace fn ON fn.oid = f.relnamespace
WHERE c.contype IN ('p', 'u', 'f', 'c') AND (c.contype <> 'f' OR c.conparentid = 0)
UNION ALL
SELECT 0, dom.root::bigint, 'c', c.conname::text, '{}', 0, '', '', '{}', '', '', pg_get_expr(c.conbin, 0, true)
FROM dom JOIN pg_constraint c ON c.contypid = dom.typ AND c.contype = 'c'
ORDER BY 1, 2, 4, 12`

	indexesSQL = `
SELECT i.indrelid::bigint, ic.relname::text, am.amname::text, i.indisunique, i.indisprimary, i.indpred IS NOT NULL,
       ARRAY(SELECT i.indkey[n]::int8 FROM generate_series(0, i.indnkeyatts - 1) n ORDER BY n),
       ARRAY(SELECT CASE WHEN i.indkey[n] = 0 THEN pg_get_indexdef(i.indexrelid, n + 1, true) ELSE '' END FROM generate_series(0, i.indnkeyatts - 1) n ORDER BY n)
FROM unnest($1::oid[]) AS k(oid)
JOIN pg_index i ON i.indrelid = k.oid AND i.indisvalid
JOIN pg_class ic ON ic.oid = i.indexrelid
JOIN pg_am am ON am.oid = ic.relam
ORDER BY i.indrelid, ic.relname`

	viewsSQL = `
SELECT k.oid::bigint, coalesce(pg_get_viewdef(k.oid), '') FROM unnest($1::oid[]) AS k(oid) ORDER BY 1`

	triggersSQL = `
SELECT t.tgrelid::bigint, p.prosrc, coalesce((SELECT substr(s, 13) FROM unnest(p.proconfig) s WHERE s LIKE 'search_path=%'), '')
FROM unnest($1::oid[]) AS k(oid)
JOIN pg_trigger t ON t.tgrelid = k.oid AND NOT t.tgisinternal AND t.tgenabled <> 'D'
JOIN pg_proc p ON p.oid = t.tgfoid
JOIN pg_language l ON l.oid = p.prolang AND l.lanname = 'plpgsql'
ORDER BY t.tgrelid, t.tgname`

	usageSQL = `
SELECT s.relid::bigint, coalesce(s.n_live_tup, 0), s.last_analyze IS NOT NULL OR s.last_autoanalyze IS NOT NULL,
       coalesce(s.seq_scan, 0), coalesce(s.idx_scan, 0), coalesce(s.n_tup_ins, 0), coalesce(s.n_tup_upd, 0), coalesce(s.n_tup_del, 0)
FROM unnest($1::oid[]) AS k(oid) JOIN pg_stat_user_tables s ON s.relid = k.oid`

	sizesSQL = `
SELECT c.oid::bigint, pg_total_relation_size(c.oid)
FROM unnest($1::oid[]) AS k(oid) JOIN pg_class c ON c.oid = k.oid AND c.relkind IN ('r', 'm')`

	// $2: whether common values of text may be read. Values of other types than
	// these never leave the server. A histogram is thinned to eleven bounds. The
	// two halves are made first, because a join of four keys at once is quick and
	// one of names in four steps, which the planner would choose, is not.
	statisticsSQL = `
WITH kept AS MATERIALIZED (
  SELECT c.oid, a.attnum, n.nspname, c.relname, a.attname, c.relkind = 'p' AS inherited, t.typcategory::text AS cat
  FROM unnest($1::oid[]) AS k(oid)
  JOIN pg_class c ON c.oid = k.oid
  JOIN pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_attribute a ON a.attrelid = k.oid AND a.attnum > 0 AND NOT a.attisdropped
  JOIN pg_type t ON t.oid = a.atttypid
), stats AS MATERIALIZED (
  SELECT schemaname, tablename, attname, inherited, null_frac, n_distinct, correlation, most_common_vals, histogram_bounds FROM pg_stats
)
SELECT k.oid::bigint, k.attnum::bigint, k.cat, s.null_frac::float8, s.n_distinct::float8, s.correlation::float8,
       CASE WHEN k.cat IN ('N', 'B', 'D') OR k.cat = 'S' AND $2 THEN s.most_common_vals::text::text[] END,
       CASE WHEN k.cat IN ('N', 'D') AND s.histogram_bounds IS NOT NULL THEN
         (SELECT array_agg(h.v[1 + n * (cardinality(h.v) - 1) / 10] ORDER BY n)
          FROM (SELECT s.histogram_bounds::text::text[] AS v OFFSET 0) h, generate_series(0, 10) n) END
FROM kept k
JOIN stats s ON s.schemaname = k.nspname AND s.tablename = k.relname AND s.attname = k.attname AND s.inherited = k.inherited`

	grantsSQL = `
SELECT c.oid::bigint, g.grantee::bigint, CASE WHEN g.grantee = 0 THEN 'PUBLIC' ELSE pg_get_userbyid(g.grantee)::text END, g.privilege_type, ''
FROM unnest($1::oid[]) AS k(oid)
JOIN pg_class c ON c.oid = k.oid
CROSS JOIN LATERAL aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) g
UNION ALL
SELECT a.attrelid::bigint, g.grantee::bigint, CASE WHEN g.grantee = 0 THEN 'PUBLIC' ELSE pg_get_userbyid(g.grantee)::text END, g.privilege_type, a.attname::text
FROM unnest($1::oid[]) AS k(oid)
JOIN pg_attribute a ON a.attrelid = k.oid AND a.attacl IS NOT NULL AND NOT a.attisdropped
CROSS JOIN LATERAL aclexplode(a.attacl) g
ORDER BY 1, 3, 4, 5`

	// $1: names of schemas.
	rolesSQL = `
SELECT r.rolname::text, r.rolsuper,
       ARRAY(SELECT DISTINCT b.rolname::text FROM pg_auth_members m JOIN pg_roles b ON b.oid = m.roleid WHERE m.member = r.oid ORDER BY 1),
       ARRAY(SELECT n.nspname::text FROM pg_namespace n WHERE n.nspname = ANY($1::text[]) AND has_schema_privilege(r.oid, n.oid, 'USAGE') ORDER BY 1)
FROM pg_roles r WHERE r.rolname !~ '^pg_' ORDER BY 1`
)
