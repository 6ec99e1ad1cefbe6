-- The objects of some schemas ($1), and whether the role may see them: whether it may use
-- the schema, and owns the object or has any privilege on it. Of an
-- extension its name is listed and its members are not.
WITH ns AS (
  SELECT oid, nspname::text AS name, has_schema_privilege(oid, 'USAGE') AS usable
  FROM pg_namespace WHERE nspname::text = ANY ($1::text[])
), member AS (
  SELECT classid, objid FROM pg_depend WHERE deptype = 'e' AND refclassid = 'pg_extension'::regclass
)
SELECT kind, schema, name, columns, COALESCE(visible, false) FROM (
  SELECT CASE c.relkind WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized_view' WHEN 'S' THEN 'sequence'
                        WHEN 'f' THEN 'foreign_table' WHEN 'c' THEN 'type' ELSE 'table' END AS kind,
         ns.name AS schema, c.relname::text AS name,
         CASE WHEN c.relkind <> 'S' THEN
           (SELECT count(*)::int FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)
         END AS columns,
         ns.usable AND CASE
           WHEN pg_has_role(c.relowner, 'USAGE') THEN true
           WHEN c.relkind = 'S' THEN has_sequence_privilege(c.oid, 'USAGE, SELECT, UPDATE')
           WHEN c.relkind = 'c' THEN has_type_privilege(c.reltype, 'USAGE')
           ELSE has_table_privilege(c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER')
             OR has_any_column_privilege(c.oid, 'SELECT, INSERT, UPDATE, REFERENCES')
         END AS visible
  FROM pg_class c JOIN ns ON ns.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm', 'S', 'c')
    AND NOT EXISTS (SELECT 1 FROM member m WHERE m.classid = 'pg_class'::regclass AND m.objid = c.oid)
  UNION ALL
  SELECT CASE t.typtype WHEN 'e' THEN 'enum' WHEN 'd' THEN 'domain' WHEN 'r' THEN 'range' ELSE 'type' END,
         ns.name, t.typname::text, NULL,
         ns.usable AND (pg_has_role(t.typowner, 'USAGE') OR has_type_privilege(t.oid, 'USAGE'))
  FROM pg_type t JOIN ns ON ns.oid = t.typnamespace
  WHERE t.typtype IN ('e', 'd', 'r', 'b') AND t.typcategory <> 'A'
    AND NOT EXISTS (SELECT 1 FROM member m WHERE m.classid = 'pg_type'::regclass AND m.objid = t.oid)
  UNION ALL
  SELECT CASE p.prokind WHEN 'p' THEN 'procedure' WHEN 'a' THEN 'aggregate' ELSE 'function' END,
         ns.name, p.proname::text, NULL,
         ns.usable AND (pg_has_role(p.proowner, 'USAGE') OR has_function_privilege(p.oid, 'EXECUTE'))
  FROM pg_proc p JOIN ns ON ns.oid = p.pronamespace
  WHERE NOT EXISTS (SELECT 1 FROM member m WHERE m.classid = 'pg_proc'::regclass AND m.objid = p.oid)
    AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'i')
  UNION ALL
  SELECT 'trigger', ns.name, t.tgname::text, NULL,
         ns.usable AND (pg_has_role(c.relowner, 'USAGE')
           OR has_table_privilege(c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER'))
  FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN ns ON ns.oid = c.relnamespace
  WHERE NOT t.tgisinternal
  UNION ALL
  SELECT 'extension', ns.name, e.extname::text, NULL, ns.usable
  FROM pg_extension e JOIN ns ON ns.oid = e.extnamespace
) AS object
