package detect

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/quartet-mcp/quartet/datakit/dbtest"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/connecttest"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/dsn"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/open"
	"github.com/quartet-mcp/quartet/pretensor/internal/registry"
	"github.com/quartet-mcp/quartet/pretensor/internal/snapshot"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"
)

func TestMain(m *testing.M) { os.Exit(dbtest.Main(m)) }

var (
	indexed = time.Date(2026, 11, 21, 8, 12, 3, 0, time.UTC)
	checked = time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
)

// opener connects to a database.
func opener(d dsn.DSN) func(context.Context) (connect.Connector, error) {
	return func(ctx context.Context) (connect.Connector, error) { return open.Open(ctx, d) }
}

func newPostgres(t *testing.T) connecttest.Database { return connecttest.Postgres(t) }
func newMariaDB(t *testing.T) connecttest.Database  { return connecttest.MariaDB(t) }
func newSQLite(t *testing.T) connecttest.Database   { return connecttest.File(t, dsn.SQLite, "shop.db") }
func newDuckDB(t *testing.T) connecttest.Database {
	return connecttest.File(t, dsn.DuckDB, "shop.duckdb")
}

// indexOf keeps a snapshot of the database as it is, as an index does, and returns
// what a check of it needs.
func indexOf(t *testing.T, d connecttest.Database) (Options, *state.Dir) {
	t.Helper()
	c, err := open.Open(t.Context(), d.DSN)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	db, err := c.Introspect(t.Context(), connect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(db.Warnings) > 0 {
		t.Fatalf("warnings %q", db.Warnings)
	}
	dir := state.At(t.TempDir())
	if err := dir.Create(); err != nil {
		t.Fatal(err)
	}
	if err := snapshot.Write(dir, &snapshot.Snapshot{Connection: "shop", Taken: indexed, Generation: "g", Stats: connect.StatsCatalog, Database: db}); err != nil {
		t.Fatal(err)
	}
	return Options{
		Entry:     registry.Entry{Name: "shop", Dialect: db.Dialect, Indexed: indexed},
		Snapshot:  func() (*snapshot.Snapshot, error) { return snapshot.Read(dir, "shop") },
		Open:      opener(d.DSN),
		Now:       func() time.Time { return checked },
		StaleDays: 7,
	}, dir
}

// digest is one of all files of a folder, with their names, modes and times.
func digest(t *testing.T, dir string) string {
	t.Helper()
	h := sha256.New()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		h.Write([]byte(path + info.Mode().String() + info.ModTime().String()))
		if e.Type().IsRegular() {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			h.Write(text)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// shown are the changes in short: type, target, table and column, severity.
func shown(r *Report) []string {
	out := []string{}
	for _, c := range r.Changes {
		where := c.Table
		if c.Column != "" {
			where += "." + c.Column
		}
		out = append(out, strings.Join([]string{c.Type, c.Target, where, c.Severity}, " "))
	}
	return out
}

type ddl struct{ name, script, want string } // want: empty for no change

var onPostgres = []ddl{
	{"table added", "CREATE TABLE more (a int)", "added table more safe"},
	{"table in another schema added", "CREATE SCHEMA s CREATE TABLE customers (a int)", "added table customers safe"},
	{"table dropped", "DROP TABLE audit", "removed table audit breaking"},
	{"table renamed", "ALTER TABLE orders RENAME TO purchases", "renamed table purchases breaking"},
	{"table moved", "CREATE SCHEMA s; ALTER TABLE orders SET SCHEMA s", "renamed table orders breaking"},
	{"view added", "CREATE VIEW w AS SELECT id FROM orders", "added view w safe"},
	{"view dropped", "DROP VIEW v", "removed view v breaking"},
	{"view changed", "CREATE OR REPLACE VIEW v AS SELECT id, email FROM customers WHERE id > 5", "modified view v risky"},
	{"materialised view changed", "DROP MATERIALIZED VIEW m; CREATE MATERIALIZED VIEW m AS SELECT count(*) AS n FROM orders WHERE id > 1", "modified view m risky"},
	{"column added", "ALTER TABLE orders ADD note text", "added column orders.note safe"},
	{"column added, generated", "ALTER TABLE orders ADD twice numeric GENERATED ALWAYS AS (total * 2) STORED NOT NULL", "added column orders.twice safe"},
	{"column added, not null with default", "ALTER TABLE orders ADD note text NOT NULL DEFAULT 'x'", "added column orders.note risky"},
	{"column added, not null", "ALTER TABLE orders ADD note text NOT NULL", "added column orders.note breaking"},
	{"column dropped", "ALTER TABLE customers DROP code", "removed column customers.code breaking"},
	{"column renamed", "ALTER TABLE orders RENAME placed_on TO placed_at", "renamed column orders.placed_at breaking"},
	{"column of a check renamed", "ALTER TABLE orders RENAME total TO \"Totals\"", "renamed column orders.Totals breaking"},
	{"column of expressions renamed", "ALTER TABLE figures RENAME amount TO amounts", "renamed column figures.amounts breaking"},
	{"partition key renamed", "ALTER TABLE log RENAME numb TO number", "renamed column log.number breaking"},
	{"key column renamed", "ALTER TABLE customers RENAME email TO emails", "renamed column customers.emails breaking"},
	{"type widened", "ALTER TABLE orders ALTER total TYPE numeric(12,2)", "modified column orders.total risky"},
	{"type widened, integer", "ALTER TABLE customers ALTER legacy_id TYPE bigint", "modified column customers.legacy_id risky"},
	{"type narrowed", "ALTER TABLE customers ALTER code TYPE varchar(10)", "modified column customers.code breaking"},
	{"type of another kind", "ALTER TABLE audit ALTER what TYPE int USING what::int", "modified column audit.what breaking"},
	{"array", "ALTER TABLE audit ALTER what TYPE text[] USING ARRAY[what]", "modified column audit.what breaking"},
	{"not null", "ALTER TABLE orders ALTER total SET NOT NULL", "modified column orders.total breaking"},
	{"not null with default", "ALTER TABLE customers ALTER code SET NOT NULL", "modified column customers.code risky"},
	{"nullable", "ALTER TABLE orders ALTER customer_id DROP NOT NULL", "modified column orders.customer_id safe"},
	{"default", "ALTER TABLE customers ALTER code SET DEFAULT 'y'", "modified column customers.code safe"},
	{"default dropped", "ALTER TABLE customers ALTER code DROP DEFAULT", "modified column customers.code safe"},
	{"identity", "ALTER TABLE orders ALTER id ADD GENERATED ALWAYS AS IDENTITY", "modified column orders.id safe"},
	{"enum label added", "ALTER TYPE state ADD VALUE 'gone'", "modified column customers.state safe"},
	{"enum label removed", "ALTER TYPE state RENAME TO was; CREATE TYPE state AS ENUM ('new'); ALTER TABLE customers ALTER state TYPE state USING state::text::state", "modified column customers.state breaking"},
	{"enum label renamed", "ALTER TYPE state RENAME VALUE 'old' TO 'older'", "modified column customers.state breaking"},
	{"primary key dropped", "ALTER TABLE audit DROP CONSTRAINT audit_pkey", "removed constraint audit breaking"},
	{"unique key dropped", "ALTER TABLE customers DROP CONSTRAINT customers_email_key", "removed constraint customers breaking"},
	{"unique key added", "ALTER TABLE audit ADD UNIQUE (what)", "added constraint audit safe"},
	{"unique index dropped", "DROP INDEX customers_legacy", "removed index customers breaking"},
	{"index added", "CREATE INDEX ON orders (total)", "added index orders safe"},
	{"index dropped", "DROP INDEX orders_placed", "removed index orders safe"},
	{"index made partial", "DROP INDEX orders_placed; CREATE INDEX orders_placed ON orders (placed_on) WHERE total > 5", "modified index orders safe"},
	{"index of another kind", "DROP INDEX orders_placed; CREATE INDEX orders_placed ON orders USING brin (placed_on)", "modified index orders safe"},
	{"foreign key dropped", "ALTER TABLE orders DROP CONSTRAINT orders_customer_id_fkey", "removed foreign_key orders risky"},
	{"foreign key added", "ALTER TABLE audit ADD FOREIGN KEY (id) REFERENCES customers", "added foreign_key audit safe"},
	{"foreign key's rule", "ALTER TABLE orders DROP CONSTRAINT orders_customer_id_fkey, ADD CONSTRAINT orders_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers ON DELETE CASCADE", "modified foreign_key orders safe"},
	{"check added", "ALTER TABLE audit ADD CHECK (id > 0)", "added constraint audit safe"},
	{"check dropped", "ALTER TABLE orders DROP CONSTRAINT positive", "removed constraint orders safe"},
	{"check changed", "ALTER TABLE orders DROP CONSTRAINT positive, ADD CONSTRAINT positive CHECK (total > 1)", "modified constraint orders safe"},
	{"comment of a table", "COMMENT ON TABLE orders IS 'what was bought'", "added comment orders safe"},
	{"comment of a column", "COMMENT ON COLUMN customers.email IS 'where to write'", "modified comment customers.email safe"},
	{"comment dropped", "COMMENT ON COLUMN customers.email IS NULL", "removed comment customers.email safe"},
	{"trigger added", `CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO audit VALUES (1); RETURN NEW; END';
		CREATE TRIGGER t AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION f()`, "added lineage audit safe"},
	{"partitioned", "DROP TABLE audit; CREATE TABLE audit (id int PRIMARY KEY, what text) PARTITION BY HASH (id)", "modified table audit safe"},

	{"nothing", "SELECT 1", ""},
	{"rows and statistics", "INSERT INTO customers SELECT n, 'm' || n, n FROM generate_series(1, 100) n; INSERT INTO orders SELECT n, n, n FROM generate_series(1, 100) n; ANALYZE; SELECT * FROM orders", ""},
	{"renamed there and back", "ALTER TABLE orders RENAME TO x; ALTER TABLE x RENAME TO orders; ALTER TABLE orders RENAME total TO y; ALTER TABLE orders RENAME y TO total", ""},
	{"names of keys and indexes", "ALTER TABLE customers RENAME CONSTRAINT customers_email_key TO k; ALTER INDEX orders_placed RENAME TO i; ALTER TABLE orders RENAME CONSTRAINT orders_customer_id_fkey TO f; ALTER TABLE audit RENAME CONSTRAINT audit_pkey TO p", ""},
	{"view in other words", "CREATE OR REPLACE VIEW v AS\n\tselect id, customers . email /* there */ FROM public.customers\n -- here\n", ""},
	{"type in other words", "ALTER TABLE orders ALTER total TYPE decimal(10, 2); ALTER TABLE customers ALTER code TYPE character varying(20)", ""},
	{"check in other words", "ALTER TABLE orders DROP CONSTRAINT positive; ALTER TABLE orders ADD CONSTRAINT positive CHECK ((total>=0))", ""},
	{"columns in another order", "DROP TABLE audit; CREATE TABLE audit (what text, id int PRIMARY KEY)", ""},
	{"grants and storage", "GRANT SELECT ON orders TO PUBLIC; ALTER TABLE orders SET (fillfactor = 50); CLUSTER orders USING orders_pkey", ""},
	{"partition added", "CREATE TABLE log_2 PARTITION OF log FOR VALUES FROM (10) TO (20)", ""},
}

const postgresBase = `
CREATE TYPE state AS ENUM ('new', 'old');
CREATE TABLE customers (id int PRIMARY KEY, email varchar(50) UNIQUE, legacy_id int, state state, code varchar(20) DEFAULT 'x');
ALTER TABLE customers ALTER code SET DEFAULT '1';
COMMENT ON COLUMN customers.email IS 'mail';
CREATE TABLE orders (id bigint PRIMARY KEY, customer_id int NOT NULL REFERENCES customers, total numeric(10,2), placed_on date, CONSTRAINT positive CHECK (total >= 0));
CREATE TABLE audit (id int PRIMARY KEY, what text);
CREATE TABLE figures (amount numeric, twice numeric GENERATED ALWAYS AS (amount * 2) STORED);
CREATE INDEX ON figures ((amount + 1));
CREATE TABLE log (numb int, line text) PARTITION BY RANGE (numb);
CREATE TABLE log_1 PARTITION OF log FOR VALUES FROM (0) TO (10);
CREATE INDEX orders_placed ON orders (placed_on);
CREATE UNIQUE INDEX customers_legacy ON customers (legacy_id);
CREATE VIEW v AS SELECT id, email FROM customers;
CREATE MATERIALIZED VIEW m AS SELECT count(*) AS n FROM orders`

var onMariaDB = []ddl{
	{"table added", "CREATE TABLE more (a int)", "added table more safe"},
	{"table dropped", "DROP TABLE audit", "removed table audit breaking"},
	{"table renamed", "RENAME TABLE orders TO purchases", "renamed table purchases breaking"},
	{"view added", "CREATE VIEW w AS SELECT id FROM orders", "added view w safe"},
	{"view dropped", "DROP VIEW v", "removed view v breaking"},
	{"view changed", "CREATE OR REPLACE VIEW v AS SELECT id, email FROM customers WHERE id > 5", "modified view v risky"},
	{"column added", "ALTER TABLE orders ADD note text", "added column orders.note safe"},
	{"column added first", "ALTER TABLE orders ADD note text FIRST", "added column orders.note safe"},
	{"column added, not null with default", "ALTER TABLE orders ADD note int NOT NULL DEFAULT 5", "added column orders.note risky"},
	{"column added, not null", "ALTER TABLE orders ADD note int NOT NULL", "added column orders.note breaking"},
	{"column dropped", "ALTER TABLE orders DROP COLUMN note_", "removed column orders.note_ breaking"},
	{"column renamed", "ALTER TABLE orders RENAME COLUMN note_ TO notes", "renamed column orders.notes breaking"},
	{"type widened", "ALTER TABLE orders MODIFY total decimal(12,2)", "modified column orders.total risky"},
	{"type narrowed", "ALTER TABLE customers MODIFY code varchar(10) DEFAULT '1'", "modified column customers.code breaking"},
	{"type of another kind", "ALTER TABLE customers MODIFY legacy_id date", "modified column customers.legacy_id breaking"},
	{"unsigned", "ALTER TABLE customers MODIFY legacy_id int unsigned", "modified column customers.legacy_id breaking"},
	{"not null", "ALTER TABLE orders MODIFY placed_on date NOT NULL", "modified column orders.placed_on breaking"},
	{"not null with default", "ALTER TABLE customers MODIFY code varchar(20) NOT NULL DEFAULT '1'", "modified column customers.code risky"},
	{"nullable", "ALTER TABLE customers MODIFY points int NULL DEFAULT 3", "modified column customers.points safe"},
	{"default", "ALTER TABLE customers ALTER code SET DEFAULT 'y'", "modified column customers.code safe"},
	{"auto increment", "ALTER TABLE audit MODIFY id int AUTO_INCREMENT", "modified column audit.id safe"},
	{"enum label added", "ALTER TABLE customers MODIFY state enum('new', 'old', 'gone')", "modified column customers.state safe"},
	{"enum label removed", "ALTER TABLE customers MODIFY state enum('new')", "modified column customers.state breaking"},
	{"primary key dropped", "ALTER TABLE audit DROP PRIMARY KEY", "removed constraint audit breaking"},
	{"unique key dropped", "ALTER TABLE customers DROP INDEX email", "removed constraint customers breaking"},
	{"unique key added", "ALTER TABLE audit ADD UNIQUE (what)", "added constraint audit safe"},
	{"index added", "CREATE INDEX i ON orders (total)", "added index orders safe"},
	{"index dropped", "DROP INDEX orders_placed ON orders", "removed index orders safe"},
	{"foreign key dropped", "ALTER TABLE orders DROP FOREIGN KEY f", "removed foreign_key orders risky"},
	{"foreign key added", "ALTER TABLE audit ADD FOREIGN KEY (id) REFERENCES customers (id)", "added foreign_key audit safe"},
	{"foreign key's rule", "ALTER TABLE orders DROP FOREIGN KEY f; ALTER TABLE orders ADD CONSTRAINT f FOREIGN KEY (customer_id) REFERENCES customers (id) ON DELETE CASCADE", "modified foreign_key orders safe"},
	{"check added", "ALTER TABLE audit ADD CHECK (id > 0)", "added constraint audit safe"},
	{"check dropped", "ALTER TABLE orders DROP CONSTRAINT positive", "removed constraint orders safe"},
	{"check changed", "ALTER TABLE orders DROP CONSTRAINT positive; ALTER TABLE orders ADD CONSTRAINT positive CHECK (total > 1)", "modified constraint orders safe"},
	{"comment of a table", "ALTER TABLE orders COMMENT 'what was bought'", "added comment orders safe"},
	{"comment of a column", "ALTER TABLE customers MODIFY points int NOT NULL DEFAULT 3 COMMENT 'earned'", "added comment customers.points safe"},
	{"trigger added", "CREATE TRIGGER t AFTER INSERT ON orders FOR EACH ROW INSERT INTO audit VALUES (1, 'x')", "added lineage audit safe"},
	{"trigger dropped", "DROP TRIGGER old_trigger", "removed lineage audit safe"},

	{"nothing", "SELECT 1", ""},
	{"rows and statistics", "INSERT INTO customers (id) SELECT seq FROM seq_1_to_100; INSERT INTO orders (id, customer_id) SELECT seq, seq FROM seq_1_to_100; ANALYZE TABLE customers PERSISTENT FOR ALL; OPTIMIZE TABLE orders", ""},
	{"renamed there and back", "RENAME TABLE orders TO x; RENAME TABLE x TO orders; ALTER TABLE orders RENAME COLUMN total TO y; ALTER TABLE orders RENAME COLUMN y TO total", ""},
	{"names of keys and indexes", "ALTER TABLE orders RENAME INDEX orders_placed TO i; ALTER TABLE customers RENAME INDEX email TO k", ""},
	{"view in other words", "CREATE OR REPLACE VIEW v AS\n  SELECT  id , email /* there */ FROM\tcustomers", ""},
	{"type in other words", "ALTER TABLE orders MODIFY total numeric(10, 2), MODIFY placed_on DATE NULL", ""},
	{"check in other words", "ALTER TABLE orders DROP CONSTRAINT positive; ALTER TABLE orders ADD CONSTRAINT positive CHECK (total>=0)", ""},
	{"columns in another order", "ALTER TABLE orders MODIFY total decimal(10,2) FIRST", ""},
	{"engine's business", "ALTER TABLE audit ENGINE = Aria; ALTER TABLE orders AUTO_INCREMENT = 50; FLUSH TABLES", ""},
}

const mariaDBBase = `
CREATE TABLE customers (id int PRIMARY KEY, email varchar(50) UNIQUE, legacy_id int, state enum('new', 'old'), code varchar(20) DEFAULT '1', points int NOT NULL DEFAULT 3);
CREATE TABLE orders (id bigint PRIMARY KEY, customer_id int NOT NULL, total decimal(10,2), placed_on date, note_ varchar(20), KEY orders_placed (placed_on), KEY f (customer_id),
	CONSTRAINT positive CHECK (total >= 0), CONSTRAINT f FOREIGN KEY (customer_id) REFERENCES customers (id));
CREATE TABLE audit (id int PRIMARY KEY, what varchar(20));
CREATE VIEW v AS SELECT id, email FROM customers;
CREATE TRIGGER old_trigger AFTER DELETE ON customers FOR EACH ROW INSERT INTO audit VALUES (OLD.id, 'gone')`

var onSQLite = []ddl{
	{"table added", "CREATE TABLE more (a int)", "added table more safe"},
	{"table dropped", "DROP TABLE audit", "removed table audit breaking"},
	{"table renamed", "ALTER TABLE orders RENAME TO purchases", "renamed table purchases breaking"},
	{"view added", "CREATE VIEW w AS SELECT id FROM orders", "added view w safe"},
	{"view dropped", "DROP VIEW v", "removed view v breaking"},
	{"view changed", "DROP VIEW v; CREATE VIEW v AS SELECT id, email FROM customers WHERE id > 5", "modified view v risky"},
	{"literal of a view changed", "DROP VIEW lit; CREATE VIEW lit AS SELECT id FROM customers WHERE email <> 'a b'", "modified view lit risky"},
	{"column added", "ALTER TABLE orders ADD note text", "added column orders.note safe"},
	{"column added, not null with default", "ALTER TABLE orders ADD note text NOT NULL DEFAULT 'x'", "added column orders.note risky"},
	{"column dropped", "ALTER TABLE customers DROP COLUMN legacy_id", "removed column customers.legacy_id breaking"},
	{"column renamed", "ALTER TABLE orders RENAME placed_on TO placed_at", "renamed column orders.placed_at breaking"},
	{"column of a check renamed", "ALTER TABLE orders RENAME total TO totals", "renamed column orders.totals breaking"},
	{"column not null", "DROP TABLE audit; CREATE TABLE audit (id INTEGER PRIMARY KEY, what TEXT NOT NULL, n VARCHAR(20) UNIQUE)", "modified column audit.what breaking"},
	{"type narrowed", "DROP TABLE audit; CREATE TABLE audit (id INTEGER PRIMARY KEY, what TEXT, n VARCHAR(10) UNIQUE)", "modified column audit.n breaking"},
	{"type widened", "DROP TABLE audit; CREATE TABLE audit (id INTEGER PRIMARY KEY, what TEXT, n VARCHAR(30) UNIQUE)", "modified column audit.n risky"},
	{"type of another kind", "DROP TABLE audit; CREATE TABLE audit (id INTEGER PRIMARY KEY, what DATE, n VARCHAR(20) UNIQUE)", "modified column audit.what breaking"},
	{"default", "DROP TABLE audit; CREATE TABLE audit (id INTEGER PRIMARY KEY, what TEXT DEFAULT 'x', n VARCHAR(20) UNIQUE)", "modified column audit.what safe"},
	{"unique key dropped", "DROP TABLE audit; CREATE TABLE audit (id INTEGER PRIMARY KEY, what TEXT, n VARCHAR(20))", "removed constraint audit breaking"},
	{"unique key added", "DROP TABLE audit; CREATE TABLE audit (id INTEGER PRIMARY KEY, what TEXT UNIQUE, n VARCHAR(20) UNIQUE)", "added constraint audit safe"},
	{"check added", "DROP TABLE audit; CREATE TABLE audit (id INTEGER PRIMARY KEY, what TEXT, n VARCHAR(20) UNIQUE, CHECK (id > 0))", "added constraint audit safe"},
	{"foreign key added", "DROP TABLE audit; CREATE TABLE audit (id INTEGER PRIMARY KEY REFERENCES customers, what TEXT, n VARCHAR(20) UNIQUE)", "added foreign_key audit safe"},
	{"foreign key dropped", "DROP TABLE lines; CREATE TABLE lines (n INTEGER PRIMARY KEY, order_id INT)", "removed foreign_key lines risky"},
	{"index added", "CREATE INDEX i ON orders (total)", "added index orders safe"},
	{"index dropped", "DROP INDEX orders_placed", "removed index orders safe"},
	{"unique index dropped", "DROP INDEX customers_code", "removed constraint customers breaking"},
	{"comment added", "DROP TABLE audit; CREATE TABLE audit (id INTEGER PRIMARY KEY,\n what TEXT, -- what was done\n n VARCHAR(20) UNIQUE)", "added comment audit.what safe"},
	{"trigger added", "CREATE TRIGGER t AFTER INSERT ON orders BEGIN INSERT INTO audit (what) VALUES ('x'); END", "added lineage audit safe"},

	{"nothing", "SELECT 1", ""},
	{"rows and statistics", "INSERT INTO customers (id) VALUES (1), (2); ANALYZE; VACUUM", ""},
	{"renamed there and back", "ALTER TABLE orders RENAME TO x; ALTER TABLE x RENAME TO orders; ALTER TABLE orders RENAME total TO y; ALTER TABLE orders RENAME y TO total", ""},
	{"table in other words", "DROP TABLE audit; CREATE TABLE \"audit\"(\n\tid integer primary key,\n\t[what] text,\n\tn varchar( 20 ) unique\n)", ""},
	{"view in other words", "DROP VIEW v; CREATE VIEW v AS\n\tselect  id,\n\t email /* there */ FROM -- here\n customers", ""},
	{"columns in another order", "DROP TABLE audit; CREATE TABLE audit (n VARCHAR(20) UNIQUE, what TEXT, id INTEGER PRIMARY KEY)", ""},
}

const sqliteBase = `
CREATE TABLE customers (id INTEGER PRIMARY KEY, email VARCHAR(50) UNIQUE, legacy_id INT, code TEXT);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INT NOT NULL REFERENCES customers, total DECIMAL(10,2), placed_on DATE, CHECK (total >= 0));
CREATE TABLE lines (n INTEGER PRIMARY KEY, order_id INT REFERENCES orders);
CREATE TABLE audit (id INTEGER PRIMARY KEY, what TEXT, n VARCHAR(20) UNIQUE);
CREATE INDEX orders_placed ON orders (placed_on);
CREATE UNIQUE INDEX customers_code ON customers (code);
CREATE VIEW v AS SELECT id, email FROM customers;
CREATE VIEW lit AS SELECT id FROM customers WHERE email <> 'a  b'`

var onDuckDB = []ddl{
	{"table added", "CREATE TABLE more (a int)", "added table more safe"},
	{"table dropped", "DROP TABLE audit", "removed table audit breaking"},
	{"table renamed", "ALTER TABLE audit RENAME TO audits", "renamed table audits breaking"},
	{"view added", "CREATE VIEW w AS SELECT id FROM orders", "added view w safe"},
	{"view dropped", "DROP VIEW v", "removed view v breaking"},
	{"view changed", "CREATE OR REPLACE VIEW v AS SELECT id, email FROM customers WHERE id > 5", "modified view v risky"},
	{"column added", "ALTER TABLE audit ADD note text", "added column audit.note safe"},
	{"column dropped", "ALTER TABLE audit DROP what", "removed column audit.what breaking"},
	{"column renamed", "ALTER TABLE audit RENAME COLUMN done_on TO done_at", "renamed column audit.done_at breaking"},
	{"type widened", "ALTER TABLE audit ALTER n TYPE DECIMAL(12,2)", "modified column audit.n risky"},
	{"type narrowed", "ALTER TABLE audit ALTER n TYPE DECIMAL(8,2)", "modified column audit.n breaking"},
	{"type of another kind", "ALTER TABLE audit ALTER n TYPE BOOLEAN", "modified column audit.n breaking"},
	{"not null", "ALTER TABLE audit ALTER n SET NOT NULL", "modified column audit.n breaking"},
	{"not null with default", "ALTER TABLE audit ALTER what SET NOT NULL", "modified column audit.what risky"},
	{"default", "ALTER TABLE audit ALTER what SET DEFAULT 'y'", "modified column audit.what safe"},
	{"enum label removed", "DROP TABLE felt; CREATE OR REPLACE TYPE mood AS ENUM ('ok'); CREATE TABLE felt (m mood)", "modified column felt.m breaking"},
	{"enum label added", "DROP TABLE felt; CREATE OR REPLACE TYPE mood AS ENUM ('ok', 'sad', 'new'); CREATE TABLE felt (m mood)", "modified column felt.m safe"},
	{"primary key added", "DROP INDEX moods_a; DROP INDEX moods_b; ALTER TABLE moods ADD PRIMARY KEY (c); CREATE INDEX moods_a ON moods (a); CREATE UNIQUE INDEX moods_b ON moods (b)", "added constraint moods safe"},
	{"foreign key dropped", "DROP TABLE orders; CREATE TABLE orders (id BIGINT PRIMARY KEY, customer_id INT NOT NULL, total DECIMAL(10,2) CHECK (total >= 0))", "removed foreign_key orders risky"},
	{"check dropped", "DROP TABLE orders; CREATE TABLE orders (id BIGINT PRIMARY KEY, customer_id INT NOT NULL REFERENCES customers (id), total DECIMAL(10,2))", "removed constraint orders safe"},
	{"index added", "CREATE INDEX i ON audit (n)", "added index audit safe"},
	{"index dropped", "DROP INDEX moods_a", "removed index moods safe"},
	{"unique index dropped", "DROP INDEX moods_b", "removed index moods breaking"},
	{"comment of a table", "COMMENT ON TABLE audit IS 'what was done'", "added comment audit safe"},
	{"comment of a column", "COMMENT ON COLUMN audit.n IS 'how much'", "added comment audit.n safe"},

	{"nothing", "SELECT 1", ""},
	{"rows and statistics", "INSERT INTO audit SELECT range, 'x', range, NULL FROM range(100); ANALYZE; CHECKPOINT", ""},
	{"renamed there and back", "ALTER TABLE audit RENAME TO x; ALTER TABLE x RENAME TO audit; ALTER TABLE audit RENAME n TO y; ALTER TABLE audit RENAME y TO n", ""},
	{"view in other words", "CREATE OR REPLACE VIEW v AS\n\tselect  id,\n\t email /* there */ FROM -- here\n customers", ""},
	{"type in other words", "DROP TABLE audit; CREATE TABLE audit (id INT4, what TEXT DEFAULT 'x', n NUMERIC(10, 2), done_on DATE)", ""},
	{"columns in another order", "DROP TABLE audit; CREATE TABLE audit (done_on DATE, n DECIMAL(10,2), id INT, what VARCHAR DEFAULT 'x')", ""},
}

const duckDBBase = `
CREATE TYPE mood AS ENUM ('ok', 'sad');
CREATE TABLE customers (id INT PRIMARY KEY, email VARCHAR UNIQUE);
CREATE TABLE orders (id BIGINT PRIMARY KEY, customer_id INT NOT NULL REFERENCES customers (id), total DECIMAL(10,2) CHECK (total >= 0));
CREATE TABLE audit (id INT, what VARCHAR DEFAULT 'x', n DECIMAL(10,2), done_on DATE);
CREATE TABLE moods (a int, b int, c int NOT NULL);
CREATE TABLE felt (m mood);
CREATE INDEX moods_a ON moods (a);
CREATE UNIQUE INDEX moods_b ON moods (b);
CREATE VIEW v AS SELECT id, email FROM customers`

// Each statement on a real database is exactly one change, of the right severity,
// and what changes no structure is none. Nothing is written meanwhile.
func TestRun_EachChange(t *testing.T) {
	for _, engine := range []struct {
		name, base string
		make       func(*testing.T) connecttest.Database
		changes    []ddl
	}{
		{"PostgreSQL", postgresBase, newPostgres, onPostgres},
		{"MariaDB", mariaDBBase, newMariaDB, onMariaDB},
		{"SQLite", sqliteBase, newSQLite, onSQLite},
		{"DuckDB", duckDBBase, newDuckDB, onDuckDB},
	} {
		t.Run(engine.name, func(t *testing.T) {
			for _, change := range engine.changes {
				t.Run(change.name, func(t *testing.T) {
					d := engine.make(t)
					d.Do(t, engine.base)
					o, dir := indexOf(t, d)
					d.Do(t, change.script)
					before := digest(t, dir.Path())
					r, err := Run(t.Context(), o)
					if err != nil {
						t.Fatal(err)
					}
					if digest(t, dir.Path()) != before {
						t.Error("the state directory is another one afterwards")
					}
					want := slices.DeleteFunc([]string{change.want}, func(s string) bool { return s == "" })
					if diff := cmp.Diff(want, shown(r)); diff != "" {
						t.Errorf("changes (-want +got):\n%s%+v", diff, r.Changes)
					}
					if r.UpToDate != (len(want) == 0) {
						t.Errorf("up to date: %v", r.UpToDate)
					}
				})
			}
		})
	}
}
