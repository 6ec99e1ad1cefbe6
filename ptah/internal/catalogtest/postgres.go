package catalogtest

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Postgres reads everything that a PostgreSQL database holds beside what every database
// has, in a fixed order.
func Postgres(ctx context.Context, conn *pgx.Conn) ([]Line, error) {
	if _, err := conn.Exec(ctx, "SET search_path = ''"); err != nil {
		return nil, err
	}
	var lines []Line
	for _, q := range postgresCatalog {
		rows, err := conn.Query(ctx, q.sql)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", q.kind, err)
		}
		found, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (Line, error) {
			l := Line{Kind: q.kind}
			err := row.Scan(&l.Name, &l.Text)
			return l, err
		})
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", q.kind, err)
		}
		lines = append(lines, found...)
	}
	return lines, nil
}

// user restricts a query to schemas that are not the system's, and to objects that are
// not part of an extension.
func user(namespace, class, oid string) string {
	return fmt.Sprintf(`%s NOT IN (SELECT oid FROM pg_catalog.pg_namespace WHERE nspname ~ '^pg_' OR nspname = 'information_schema')
		AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend e WHERE e.classid = '%s'::pg_catalog.regclass AND e.objid = %s AND e.deptype = 'e')`, namespace, class, oid)
}

// comment is the comment on an object.
func comment(class, oid string) string {
	return fmt.Sprintf(`coalesce(' comment ' || pg_catalog.quote_literal(pg_catalog.obj_description(%s, '%s')), '')`, oid, class)
}

// acl lists the privileges of an object, those that its owner has left out.
func acl(column, owner string) string {
	return fmt.Sprintf(`coalesce((SELECT ' acl ' || string_agg(CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE pg_catalog.pg_get_userbyid(a.grantee) END || '=' || a.privilege_type || CASE WHEN a.is_grantable THEN '*' ELSE '' END, ','
		ORDER BY a.grantee, a.privilege_type) FROM pg_catalog.aclexplode(%s) a WHERE a.grantee <> %s), '')`, column, owner)
}

type catalogQuery struct{ kind, sql string }

var postgresCatalog = []catalogQuery{
	{"schema", `SELECT nspname, ` + comment("pg_namespace", "oid") + ` || ` + acl("nspacl", "nspowner") + `
		FROM pg_catalog.pg_namespace n WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' ORDER BY 1`},
	{"extension", `SELECT extname, extversion || ' in ' || nspname || ` + comment("pg_extension", "e.oid") + `
		FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_namespace n ON n.oid = extnamespace ORDER BY 1`},
	{"type", `SELECT format('%I.%I', nspname, typname), typtype::text || ' ' || CASE typtype
		WHEN 'e' THEN (SELECT string_agg(quote_literal(enumlabel), ',' ORDER BY enumsortorder) FROM pg_catalog.pg_enum WHERE enumtypid = t.oid)
		WHEN 'd' THEN format_type(typbasetype, typtypmod) || CASE WHEN typnotnull THEN ' not null' ELSE '' END || coalesce(' default ' || pg_get_expr(typdefaultbin, 0), '') || coalesce(' collate ' || nullif(typcollation, 0)::regcollation::text, '')
			|| coalesce((SELECT string_agg(' ' || conname || ' ' || pg_get_constraintdef(c.oid), '' ORDER BY conname) FROM pg_catalog.pg_constraint c WHERE contypid = t.oid), '')
		WHEN 'r' THEN (SELECT format('%s %s %s %s %s', format_type(rngsubtype, NULL), nullif(rngcollation, 0)::regcollation, (SELECT opcname FROM pg_catalog.pg_opclass WHERE oid = rngsubopc), rngsubdiff, rngcanonical) FROM pg_catalog.pg_range WHERE rngtypid = t.oid)
		WHEN 'c' THEN (SELECT string_agg(quote_ident(attname) || ' ' || format_type(atttypid, atttypmod) || coalesce(' collate ' || nullif(attcollation, 0)::regcollation::text, '') || coalesce(' comment ' || quote_literal(col_description(attrelid, attnum)), ''), ', ' ORDER BY attnum)
			FROM pg_catalog.pg_attribute WHERE attrelid = t.typrelid AND attnum > 0 AND NOT attisdropped)
		ELSE '' END || ` + comment("pg_type", "t.oid") + ` || ` + acl("typacl", "typowner") + `
		FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON n.oid = typnamespace LEFT JOIN pg_catalog.pg_class r ON r.oid = typrelid
		WHERE (typtype IN ('e', 'd', 'r', 'm', 'b') AND NOT EXISTS (SELECT FROM pg_catalog.pg_type x WHERE x.typarray = t.oid) OR r.relkind = 'c') AND ` + user("typnamespace", "pg_type", "t.oid") + ` ORDER BY 1`},
	{"sequence", `SELECT s.seqrelid::regclass::text, format('%s start %s inc %s max %s min %s cache %s cycle %s %s', format_type(seqtypid, NULL), seqstart, seqincrement, seqmax, seqmin, seqcache, seqcycle, c.relpersistence)
			|| coalesce((SELECT format(' owned %s by %s.%s', d.deptype, refobjid::regclass, attname) FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_attribute ON attrelid = refobjid AND attnum = refobjsubid
				WHERE d.classid = 'pg_class'::regclass AND d.objid = s.seqrelid AND d.refclassid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')), '') || ` + comment("pg_class", "c.oid") + ` || ` + acl("relacl", "relowner") + `
		FROM pg_catalog.pg_sequence s JOIN pg_catalog.pg_class c ON c.oid = s.seqrelid WHERE ` + user("relnamespace", "pg_class", "c.oid") + ` ORDER BY 1`},
	{"table", `SELECT c.oid::regclass::text, format('%s %s %s %s replica %s rls %s %s', relkind, relpersistence, (SELECT amname FROM pg_catalog.pg_am WHERE oid = relam), array_to_string(reloptions, ','), relreplident, relrowsecurity, relforcerowsecurity)
			|| coalesce(' partition by ' || pg_get_partkeydef(c.oid), '') || coalesce(' bound ' || pg_get_expr(relpartbound, c.oid), '')
			|| coalesce((SELECT ' parents ' || string_agg(inhparent::regclass::text, ',' ORDER BY inhseqno) FROM pg_catalog.pg_inherits WHERE inhrelid = c.oid), '')
			|| coalesce(' of ' || nullif(reloftype, 0)::regtype::text, '')
			|| coalesce((SELECT format(' server %s %s', srvname, array_to_string(ftoptions, ',')) FROM pg_catalog.pg_foreign_table JOIN pg_catalog.pg_foreign_server s ON s.oid = ftserver WHERE ftrelid = c.oid), '')
			|| ` + comment("pg_class", "c.oid") + ` || ` + acl("relacl", "relowner") + `
		FROM pg_catalog.pg_class c WHERE relkind IN ('r', 'p', 'f') AND ` + user("relnamespace", "pg_class", "c.oid") + ` ORDER BY 1`},
	{"column", `SELECT format('%s.%I', c.oid::regclass, attname), format('#%s %s', row_number() OVER (PARTITION BY c.oid ORDER BY attnum), format_type(atttypid, atttypmod)) || CASE WHEN attnotnull THEN ' not null' ELSE '' END
			|| coalesce(' default ' || pg_get_expr(adbin, adrelid), '') || CASE attidentity WHEN '' THEN '' ELSE ' identity ' || attidentity::text END || CASE attgenerated WHEN '' THEN '' ELSE ' generated ' || attgenerated::text END
			|| coalesce(' collate ' || nullif(attcollation, typcollation)::regcollation::text, '') || CASE WHEN attstorage <> typstorage THEN ' storage ' || attstorage::text ELSE '' END || CASE attcompression WHEN '' THEN '' ELSE ' compression ' || attcompression::text END
			|| CASE WHEN coalesce(attstattarget, -1) >= 0 THEN ' statistics ' || attstattarget ELSE '' END || coalesce(' options ' || array_to_string(attoptions, ','), '') || coalesce(' fdw ' || array_to_string(attfdwoptions, ','), '')
			|| format(' local %s inh %s', attislocal, attinhcount) || coalesce(' comment ' || quote_literal(col_description(attrelid, attnum)), '') || ` + acl("attacl", "relowner") + `
		FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = attrelid JOIN pg_catalog.pg_type t ON t.oid = atttypid LEFT JOIN pg_catalog.pg_attrdef d ON adrelid = attrelid AND adnum = attnum
		WHERE relkind IN ('r', 'p', 'f', 'v', 'm') AND attnum > 0 AND NOT attisdropped AND ` + user("relnamespace", "pg_class", "c.oid") + ` ORDER BY c.oid::regclass::text, attnum`},
	{"constraint", `SELECT format('%s.%I', conrelid::regclass, conname), contype::text || ' ' || pg_get_constraintdef(c.oid) || format(' local %s inh %s', conislocal, coninhcount) || CASE WHEN contype = 'c' AND connoinherit THEN ' no inherit' ELSE '' END
			|| coalesce(' index ' || nullif(conindid, 0)::regclass::text, '') || coalesce(' parent ' || (SELECT conname FROM pg_catalog.pg_constraint p WHERE p.oid = c.conparentid), '') || ` + comment("pg_constraint", "c.oid") + `
		FROM pg_catalog.pg_constraint c WHERE conrelid <> 0 AND contype IN ('p', 'u', 'c', 'f', 'x') AND ` + user("connamespace", "pg_class", "conrelid") + ` ORDER BY 1, 2`},
	{"index", `SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) || format(' valid %s clustered %s replica %s %s', indisvalid, indisclustered, indisreplident, array_to_string(reloptions, ','))
			|| coalesce((SELECT ' part of ' || inhparent::regclass::text FROM pg_catalog.pg_inherits WHERE inhrelid = indexrelid), '')
			|| coalesce((SELECT ' statistics ' || string_agg(attnum || '=' || attstattarget, ',' ORDER BY attnum) FROM pg_catalog.pg_attribute WHERE attrelid = indexrelid AND coalesce(attstattarget, -1) >= 0), '') || ` + comment("pg_class", "c.oid") + `
		FROM pg_catalog.pg_index JOIN pg_catalog.pg_class c ON c.oid = indexrelid WHERE ` + user("relnamespace", "pg_class", "indrelid") + ` ORDER BY 1`},
	{"view", `SELECT c.oid::regclass::text, format('%s %s populated %s %s', relkind, array_to_string(reloptions, ','), relispopulated, pg_get_viewdef(c.oid)) || ` + comment("pg_class", "c.oid") + ` || ` + acl("relacl", "relowner") + `
		FROM pg_catalog.pg_class c WHERE relkind IN ('v', 'm') AND ` + user("relnamespace", "pg_class", "c.oid") + ` ORDER BY 1`},
	{"routine", `SELECT p.oid::regprocedure::text, prokind::text || ' ' || CASE WHEN prokind = 'a' THEN
			(SELECT format('%s %s %s %s %s %s', aggkind, aggtransfn, aggfinalfn, aggcombinefn, format_type(aggtranstype, NULL), agginitval) FROM pg_catalog.pg_aggregate WHERE aggfnoid = p.oid) ELSE pg_get_functiondef(p.oid) END
			|| ` + comment("pg_proc", "p.oid") + ` || ` + acl("proacl", "proowner") + `
		FROM pg_catalog.pg_proc p WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_depend i WHERE i.classid = 'pg_proc'::regclass AND i.objid = p.oid AND i.deptype = 'i') AND ` + user("pronamespace", "pg_proc", "p.oid") + ` ORDER BY 1`},
	{"trigger", `SELECT format('%s.%I', tgrelid::regclass, tgname), pg_get_triggerdef(t.oid) || ' enabled ' || tgenabled::text || ` + comment("pg_trigger", "t.oid") + `
		FROM pg_catalog.pg_trigger t JOIN pg_catalog.pg_class c ON c.oid = tgrelid WHERE NOT tgisinternal AND ` + user("relnamespace", "pg_class", "c.oid") + ` ORDER BY 1`},
	{"rule", `SELECT format('%s.%I', ev_class::regclass, rulename), pg_get_ruledef(r.oid) || ' enabled ' || ev_enabled::text || ` + comment("pg_rewrite", "r.oid") + `
		FROM pg_catalog.pg_rewrite r JOIN pg_catalog.pg_class c ON c.oid = ev_class WHERE rulename <> '_RETURN' AND ` + user("relnamespace", "pg_class", "c.oid") + ` ORDER BY 1`},
	{"policy", `SELECT format('%s.%I', polrelid::regclass, polname), format('%s permissive %s roles %s using %s check %s', polcmd, polpermissive,
			(SELECT string_agg(CASE r WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(r) END, ',' ORDER BY r) FROM unnest(polroles) r), pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) || ` + comment("pg_policy", "oid") + `
		FROM pg_catalog.pg_policy ORDER BY 1`},
	{"statistics", `SELECT format('%I.%I', stxnamespace::regnamespace, stxname), pg_get_statisticsobjdef(oid) || ` + comment("pg_statistic_ext", "oid") + ` FROM pg_catalog.pg_statistic_ext s WHERE ` + user("stxnamespace", "pg_statistic_ext", "s.oid") + ` ORDER BY 1`},
	{"operator", `SELECT o.oid::regoperator::text, format('%s %s %s', oprcode, nullif(oprcom, 0)::regoperator, nullif(oprnegate, 0)::regoperator) || ` + comment("pg_operator", "o.oid") + ` FROM pg_catalog.pg_operator o WHERE ` + user("oprnamespace", "pg_operator", "o.oid") + ` ORDER BY 1`},
	{"operator class", `SELECT format('%I.%I', opcnamespace::regnamespace, opcname), format('%s %s %s', opcmethod, opcintype::regtype, opcdefault) FROM pg_catalog.pg_opclass o WHERE ` + user("opcnamespace", "pg_opclass", "o.oid") + ` ORDER BY 1`},
	{"cast", `SELECT format('%s to %s', castsource::regtype, casttarget::regtype), format('%s %s %s', nullif(castfunc, 0)::regprocedure, castcontext, castmethod) FROM pg_catalog.pg_cast c WHERE c.oid >= 16384
		AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend e WHERE e.classid = 'pg_cast'::regclass AND e.objid = c.oid AND e.deptype = 'e') ORDER BY 1`},
	{"collation", `SELECT format('%I.%I', collnamespace::regnamespace, collname), format('%s %s %s %s', collprovider, collisdeterministic, collcollate, collctype) FROM pg_catalog.pg_collation c WHERE ` + user("collnamespace", "pg_collation", "c.oid") + ` ORDER BY 1`},
	{"text search", `SELECT format('%I.%I', cfgnamespace::regnamespace, cfgname), (SELECT string_agg(format('%s %s %s', maptokentype, mapseqno, mapdict::regdictionary), ',' ORDER BY maptokentype, mapseqno) FROM pg_catalog.pg_ts_config_map WHERE mapcfg = c.oid)
		FROM pg_catalog.pg_ts_config c WHERE ` + user("cfgnamespace", "pg_ts_config", "c.oid") + ` ORDER BY 1`},
	{"event trigger", `SELECT evtname, format('%s %s %s %s', evtevent, evtfoid::regproc, evtenabled, evttags) FROM pg_catalog.pg_event_trigger ORDER BY 1`},
	{"publication", `SELECT pubname, format('%s %s %s %s %s', puballtables, pubinsert, pubupdate, pubdelete, (SELECT string_agg(prrelid::regclass::text, ',' ORDER BY prrelid::regclass::text) FROM pg_catalog.pg_publication_rel WHERE prpubid = p.oid)) FROM pg_catalog.pg_publication p ORDER BY 1`},
	{"default privileges", `SELECT format('%s %s', defaclnamespace::regnamespace, defaclobjtype), array_to_string(defaclacl, ',') FROM pg_catalog.pg_default_acl ORDER BY 1`},
}
