package dialect

import (
	"slices"
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// postgresSpelling are the built-in types of PostgreSQL and how they are spelled here;
// one that stands for itself in upper case has an empty spelling.
var postgresSpelling = func() map[string]string {
	m := map[string]string{
		"int": "INTEGER", "int4": "INTEGER", "int2": "SMALLINT", "int8": "BIGINT",
		"serial2": "SMALLSERIAL", "serial4": "SERIAL", "serial8": "BIGSERIAL",
		"bool": "BOOLEAN", "float": "", "float4": "REAL", "float8": "DOUBLE PRECISION", "double precision": "",
		"decimal": "NUMERIC", "dec": "NUMERIC",
		"character varying": "VARCHAR", "char varying": "VARCHAR", "national character varying": "VARCHAR",
		"national char varying": "VARCHAR", "nchar varying": "VARCHAR",
		"character": "CHAR", "national character": "CHAR", "national char": "CHAR", "nchar": "CHAR",
		"bit varying": "", "varbit": "BIT VARYING",
		"time without time zone": "TIME", "time with time zone": "TIMETZ",
		"timestamp without time zone": "TIMESTAMP", "timestamp with time zone": "TIMESTAMPTZ",
	}
	for _, name := range strings.Fields(`smallint integer bigint smallserial serial bigserial real numeric money boolean
		text varchar char bpchar name bytea date time timetz timestamp timestamptz interval uuid json jsonb jsonpath xml
		bit inet cidr macaddr macaddr8 tsvector tsquery point line lseg box path polygon circle
		oid xid xid8 cid tid regclass regcollation regconfig regdictionary regnamespace regoper regoperator regproc
		regprocedure regrole regtype pg_lsn pg_snapshot txid_snapshot refcursor aclitem oidvector int2vector gtsvector
		int4range int8range numrange tsrange tstzrange daterange
		int4multirange int8multirange nummultirange tsmultirange tstzmultirange datemultirange`) {
		m[name] = ""
	}
	for _, fields := range []string{"year", "month", "day", "hour", "minute", "second", "year to month", "day to hour",
		"day to minute", "day to second", "hour to minute", "hour to second", "minute to second"} {
		m["interval "+fields] = ""
	}
	return m
}()

// postgresSince are the types that not every version has that is still around.
var postgresSince = map[string]string{
	"int4multirange": "14", "int8multirange": "14", "nummultirange": "14", "tsmultirange": "14", "tstzmultirange": "14", "datemultirange": "14",
	"xid8": "13", "pg_snapshot": "13", "regcollation": "13", "jsonpath": "12",
}

// PostgresBuiltin reports whether a name, as PostgreSQL stores it, is one of its own types.
func PostgresBuiltin(name string) bool {
	_, ok := postgresSpelling[name]
	return ok
}

func spellPostgres(t schema.Type, v Version) (string, bool) {
	suffix := strings.Repeat("[]", t.Array)
	if t.Quoted && (t.Schema == "" || t.Schema == "pg_catalog") {
		// Quoted, char is another type, and the others are the same.
		if t.Name == "char" {
			return `"char"` + suffix, true
		}
		if strings.Contains(t.Name, " ") {
			return "", false
		}
		t.Quoted, t.Schema = false, ""
		if t.Name != t.Base() {
			return "", false
		}
	}
	name := t.Base()
	spelling, ok := postgresSpelling[name]
	if !ok || v.Before(postgresSince[name]) {
		return "", false
	}
	switch {
	case name == "float":
		return postgresFloat(t.Args) + suffix, true
	case spelling == "":
		spelling = strings.ToUpper(name)
	}
	if len(t.Args) > 0 {
		spelling += "(" + strings.Join(t.Args, ",") + ")"
	}
	return spelling + suffix, true
}

// cockroachSpelling are the types that CockroachDB spells in its own way, or has alone.
var cockroachSpelling = map[string]string{
	"string": "STRING", "bytes": "BYTES", "int64": "INT8", "int": "INT", "integer": "INT", "blob": "BYTES", "bytea": "BYTES",
	"int2": "INT2", "smallint": "INT2", "int4": "INT4", "int8": "INT8", "bigint": "INT8",
	"serial2": "SERIAL2", "smallserial": "SERIAL2", "serial4": "SERIAL4", "serial8": "SERIAL8", "bigserial": "SERIAL8",
	"bool": "BOOL", "boolean": "BOOL", "real": "FLOAT4", "float4": "FLOAT4", "float8": "FLOAT8", "double precision": "FLOAT8",
	"decimal": "DECIMAL", "dec": "DECIMAL", "numeric": "DECIMAL", "text": "STRING",
	"geometry": "GEOMETRY", "geography": "GEOGRAPHY", "box2d": "BOX2D", "vector": "VECTOR",
}

// notCockroach are the types of PostgreSQL that CockroachDB lacks; ranges are others.
var notCockroach = strings.Fields(`money xml cidr macaddr macaddr8 point line lseg box path polygon circle
	xid xid8 cid tid pg_snapshot txid_snapshot aclitem gtsvector jsonpath regconfig regdictionary regoper regoperator regcollation`)

func spellCockroach(t schema.Type) (string, bool) {
	name := t.Base()
	spelling, ok := cockroachSpelling[name]
	switch {
	case ok && t.Array < 2:
		if len(t.Args) > 0 {
			spelling += "(" + strings.Join(t.Args, ",") + ")"
		}
		return spelling + strings.Repeat("[]", t.Array), true
	case t.Array > 1 || slices.Contains(notCockroach, name) || strings.HasSuffix(name, "range"):
		return "", false
	}
	return spellPostgres(t, Version{})
}

// postgresFloat is the type that float(n) means.
func postgresFloat(args []string) string {
	if len(args) == 1 {
		if n, err := strconv.Atoi(args[0]); err == nil && n <= 24 {
			return "REAL"
		}
	}
	return "DOUBLE PRECISION"
}
