package mysql

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/connecttest"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/wiretest"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

func TestStatistics(t *testing.T) {
	s := newServer(t)
	s.do(t, `CREATE TABLE big (id INT PRIMARY KEY, grp INT, name VARCHAR(20), at DATE, price DECIMAL(8,2), about TEXT, KEY (grp));
INSERT INTO big SELECT seq, seq % 10, CONCAT('n', seq), '2024-01-01' + INTERVAL seq DAY, IF(seq % 4 > 0, seq / 2, NULL), 'x' FROM seq_1_to_1000;
CREATE VIEW v AS SELECT * FROM big WHERE grp = 1;
ANALYZE TABLE big PERSISTENT FOR ALL`)
	stats := func(tab *model.Table) map[string]string {
		m := map[string]string{}
		for _, c := range tab.Columns {
			if c.Stats == nil {
				continue
			}
			text := c.Stats.Source
			if c.Stats.NullFraction != nil {
				text += fmt.Sprintf(", %v null", *c.Stats.NullFraction)
			}
			if c.Stats.Distinct != nil {
				text += fmt.Sprintf(", %d distinct", *c.Stats.Distinct)
			}
			if c.Stats.Min != "" {
				text += fmt.Sprintf(", %s to %s", c.Stats.Min, c.Stats.Max)
			}
			m[c.Name] = text
		}
		return m
	}
	check := func(name string, db *model.Database, rows string, want map[string]string) {
		t.Helper()
		big := connecttest.Table(t, db, "", "big")
		got := ""
		if big.Rows != nil {
			got = fmt.Sprint(*big.Rows, " ", big.RowsSource)
		}
		if got != rows || (big.Bytes == nil) != (rows == "") {
			t.Errorf("%s: rows = %q, want %q; bytes %v", name, got, rows, big.Bytes)
		}
		if diff := cmp.Diff(want, stats(big)); diff != "" {
			t.Errorf("%s: statistics (-want +got):\n%s", name, diff)
		}
	}
	check("none", introspect(t, s.DSN, connect.Options{Stats: connect.StatsNone}), "", map[string]string{})
	db := introspect(t, s.DSN, connect.Options{})
	check("catalog", db, "1000 stat", map[string]string{
		"id": "catalog, 0 null, 1000 distinct, 1 to 1000", "grp": "catalog, 0 null, 10 distinct, 0 to 9", "name": "catalog, 0 null, 1000 distinct",
		"at": "catalog, 0 null, 1000 distinct, 2024-01-02 to 2026-09-27", "price": "catalog, 0.25 null, 750 distinct, 0.50 to 499.50",
	})
	if v := connecttest.Table(t, db, "", "v"); v.Rows != nil {
		t.Errorf("the view was counted: %d", *v.Rows)
	}
	// Whoever may not read the server's own tables has the statistics of indexes.
	db = introspect(t, s.user(t, "reader", "SELECT ON "+s.Database+".*"), connect.Options{})
	got := stats(connecttest.Table(t, db, "", "big"))
	if len(got) != 2 || !strings.HasPrefix(got["id"], "catalog, ") || !strings.HasPrefix(got["grp"], "catalog, ") {
		t.Errorf("statistics of indexes = %v", got)
	}
	db = introspect(t, s.DSN, connect.Options{Stats: connect.StatsSample})
	check("sample", db, "1000 exact", map[string]string{
		"id": "sample, 0 null, 1000 distinct, 1 to 1000", "grp": "sample, 0 null, 10 distinct, 0 to 9", "name": "sample, 0 null, 1000 distinct",
		"at": "sample, 0 null, 1000 distinct, 2024-01-02 to 2026-09-27", "price": "sample, 0.25 null, 750 distinct, 0.50 to 499.50", "about": "sample, 0 null",
	})
	if v := connecttest.Table(t, db, "", "v"); v.Rows == nil || *v.Rows != 100 || v.RowsSource != model.CountView {
		t.Errorf("the view has rows %v %s", v.Rows, v.RowsSource)
	}
}

// A statement on user data ends at its limit, and the connection stays of use.
func TestStatistics_Limit(t *testing.T) {
	s := newServer(t)
	s.do(t, `CREATE VIEW slow AS SELECT a.seq FROM seq_1_to_100000 a JOIN seq_1_to_100000 b ON a.seq % 7 <= b.seq % 11; CREATE TABLE t (a INT)`)
	c, err := open(t.Context(), s.DSN)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.dataTimeout = 200 * time.Millisecond
	db, err := c.Introspect(t.Context(), connect.Options{Stats: connect.StatsSample})
	if err != nil {
		t.Fatal(err)
	}
	if slow := connecttest.Table(t, db, "", "slow"); slow.Rows == nil || *slow.Rows != -1 || slow.RowsSource != model.CountTimeout {
		t.Errorf("rows of the slow view: %v %s", slow.Rows, slow.RowsSource)
	}
	if len(db.Warnings) > 0 {
		t.Errorf("warnings: %q", db.Warnings)
	}
}

// manyTables makes n tables with 20 columns each, every one with a key to the one
// before.
func (s *server) manyTables(tb testing.TB, n int) {
	tb.Helper()
	for i := range n {
		var b strings.Builder
		fmt.Fprintf(&b, "CREATE TABLE table_%d (id INT PRIMARY KEY COMMENT 'the key',", i)
		for c := 2; c < 20; c++ {
			fmt.Fprintf(&b, "column_%d VARCHAR(40) NOT NULL DEFAULT 'x',", c)
		}
		fmt.Fprintf(&b, "parent_id INT, CONSTRAINT fk_%d FOREIGN KEY (parent_id) REFERENCES table_%d (id))", i, max(i-1, 0))
		s.do(tb, b.String())
	}
}

func TestIntrospect_StatementsDoNotGrow(t *testing.T) {
	s := newServer(t)
	s.manyTables(t, 2)
	d := s.user(t, "reader", "SELECT, REFERENCES ON "+s.Database+".*")
	_, few := recorded(t, d, connect.Options{})
	checkStatements(t, few)
	for _, o := range []connect.Options{{Stats: connect.StatsNone}, {Stats: connect.StatsNone, RowCounts: true}} {
		_, list := recorded(t, d, o)
		checkStatements(t, list)
	}
	// Samples are one statement more for each table.
	_, sampled := recorded(t, d, connect.Options{Stats: connect.StatsSample})
	wiretest.ReadsOnly(t, sqltree.MariaDB, sampled)
	if len(sampled) != len(few)+2 {
		t.Errorf("%d statements with samples, %d without", len(sampled), len(few))
	}
	s.do(t, "DROP TABLE table_1; DROP TABLE table_0")
	s.manyTables(t, 60)
	db, many := recorded(t, d, connect.Options{})
	if len(db.Tables) != 60 {
		t.Errorf("%d tables", len(db.Tables))
	}
	if len(few) != len(many) {
		t.Errorf("%d statements for 2 tables, %d for 60", len(few), len(many))
	}
}

func BenchmarkIntrospect(b *testing.B) {
	s := newServer(b)
	s.do(b, "SET foreign_key_checks = 0")
	s.manyTables(b, 2000)
	c, err := open(b.Context(), s.DSN)
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	for b.Loop() {
		db, err := c.Introspect(b.Context(), connect.Options{})
		if err != nil || len(db.Tables) != 2000 {
			b.Fatalf("%d tables, error %v", len(db.Tables), err)
		}
	}
}
