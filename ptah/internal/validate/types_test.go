package validate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// takes is a function of PostgreSQL that tries a script and undoes it.
const takes = `CREATE FUNCTION takes(script text) RETURNS bool LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE script;
  RAISE EXCEPTION 'undo' USING ERRCODE = 'ZZ999';
EXCEPTION
  WHEN SQLSTATE 'ZZ999' THEN RETURN true;
  WHEN OTHERS THEN RETURN false;
END $$`

// postgresColumns are types of PostgreSQL, also declared ones.
func postgresColumns() []string {
	return append(strings.Fields("int2 int4 int8 float4 float8 numeric text varchar name bool date time timetz timestamp timestamptz interval bytea uuid jsonb inet cidr macaddr macaddr8 bit varbit money oid tsvector int4[] int8[] text[] varchar[] int4range mood tone posint pg_lsn"), "char(3)", "numeric(5,2)")
}

func declaredTypes() []any {
	integer, _ := schema.ParseType("int4")
	return []any{
		&schema.Enum{Name: name("mood"), Values: []string{"a"}}, &schema.Enum{Name: name("tone"), Values: []string{"a"}},
		&schema.Domain{Name: name("posint"), Type: integer},
	}
}

const declareTypes = "CREATE TYPE mood AS ENUM ('a'); CREATE TYPE tone AS ENUM ('a'); CREATE DOMAIN posint AS int4"

// TestForeignKeyTypes_Postgres: FK006 is broken by exactly the pairs of types that
// PostgreSQL cannot compare.
func TestForeignKeyTypes_Postgres(t *testing.T) {
	db := engines[0].open(t)
	for _, statement := range []string{takes, declareTypes} {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	for _, to := range postgresColumns() {
		for _, from := range postgresColumns() {
			var want bool
			script := fmt.Sprintf("CREATE TABLE p (x %s PRIMARY KEY); CREATE TABLE t (a %s REFERENCES p)", to, from)
			if err := db.QueryRowContext(t.Context(), "SELECT takes($1)", script).Scan(&want); err != nil {
				t.Fatal(err)
			}
			list := problems(database(append(declaredTypes(), tableOf("p", col("x "+to, native), pk("x")), tableOf("t", col("a "+from, native), fk("a", "p")))...), pg, "")
			if got := len(list) == 0; got != want {
				t.Errorf("%s references %s: %v, and the server takes it: %v", from, to, list, want)
			}
		}
	}
}

// TestForeignKeyTypes_MariaDB is the same for MariaDB.
func TestForeignKeyTypes_MariaDB(t *testing.T) {
	db := engines[1].open(t)
	types := append(strings.Fields("tinyint int bigint mediumint float varchar(9) binary(3) date datetime year decimal(5,2) enum('a')"), "int unsigned", "int(5)")
	for _, to := range types {
		if _, err := db.ExecContext(t.Context(), fmt.Sprintf("CREATE OR REPLACE TABLE p (x %s PRIMARY KEY)", to)); err != nil {
			t.Fatal(err)
		}
		for _, from := range types {
			_, err := db.ExecContext(t.Context(), fmt.Sprintf("CREATE TABLE t (a %s, FOREIGN KEY (a) REFERENCES p (x))", from))
			want := err == nil
			if want {
				if _, err := db.ExecContext(t.Context(), "DROP TABLE t"); err != nil {
					t.Fatal(err)
				}
			}
			list := problems(database(tableOf("p", col("x "+to, native), pk("x")), tableOf("t", col("a "+from, native), fk("a", "p(x)"))), maria, "")
			if got := len(list) == 0; got != want {
				t.Errorf("%s references %s: %v, and the server says %v", from, to, list, err)
			}
		}
	}
}

// TestIndexableTypes_Postgres: IDX006 is broken by exactly the types for which an access
// method of PostgreSQL has no default operator class; of spgist and brin nothing is said.
func TestIndexableTypes_Postgres(t *testing.T) {
	db := engines[0].open(t)
	for _, statement := range []string{takes, declareTypes} {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	types := append(postgresColumns(), strings.Fields("json xml point box polygon circle line lseg path tsquery jsonpath numrange json[] point[]")...)
	for _, method := range []string{"btree", "hash", "gin", "gist"} {
		for _, typ := range types {
			var want bool
			script := fmt.Sprintf("CREATE TABLE t (a %s); CREATE INDEX ON t USING %s (a)", typ, method)
			if err := db.QueryRowContext(t.Context(), "SELECT takes($1)", script).Scan(&want); err != nil {
				t.Fatal(err)
			}
			x := index("i", "a")
			x.Method = method
			rep := &finding.Report{}
			Validate(t.Context(), database(append(declaredTypes(), tableOf("t", col("a "+typ, native), x))...), pg, "", rep)
			if got := !rep.Failed(); got != want {
				t.Errorf("%s over %s: %v, and the server takes it: %v", method, typ, rep.Problems(), want)
			}
		}
	}
}
