package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
	"go.uber.org/goleak"

	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/connecttest"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/dsn"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

func parse(t *testing.T, text string) dsn.DSN {
	t.Helper()
	d, err := dsn.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// server is a listener that answers each connection by f.
func server(t *testing.T, f func(net.Conn, *pgproto3.Backend, pgproto3.FrontendMessage)) (port string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			b := pgproto3.NewBackend(c, c)
			if m, err := b.ReceiveStartupMessage(); err == nil {
				f(c, b, m)
			}
			_ = c.Close()
		}
	}()
	t.Cleanup(func() { _ = l.Close(); <-done })
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

func TestOpen_WrongPassword(t *testing.T) {
	got := make(chan string, 1)
	port := server(t, func(_ net.Conn, b *pgproto3.Backend, _ pgproto3.FrontendMessage) {
		b.Send(&pgproto3.AuthenticationCleartextPassword{})
		_ = b.Flush()
		_ = b.SetAuthType(pgproto3.AuthTypeCleartextPassword)
		if m, err := b.Receive(); err == nil {
			got <- m.(*pgproto3.PasswordMessage).Password
		}
		b.Send(&pgproto3.ErrorResponse{Severity: "FATAL", Code: "28P01", Message: `password "hunt@er2" is wrong, hunt%40er2 too`})
		_ = b.Flush()
	})
	_, err := Open(context.Background(), parse(t, "postgres://ann:hunt%40er2@127.0.0.1:"+port+"/shop?sslmode=disable"))
	connecttest.WantError(t, err, connect.AuthFailed, `database "shop" at 127.0.0.1:`+port, "check user and password", `password "***" is wrong, *** too`)
	if p := <-got; p != "hunt@er2" {
		t.Errorf("the server got the password %q", p)
	}
}

// A pooler refuses parameters that it does not know; the transaction sets them.
func TestOpen_Pooler(t *testing.T) {
	d, _ := load(t, conformanceSQL)
	target := net.JoinHostPort(d.Host, d.Port)
	var refused atomic.Int32
	pooled := d
	pooled.Port = server(t, func(c net.Conn, b *pgproto3.Backend, m pgproto3.FrontendMessage) {
		start, ok := m.(*pgproto3.StartupMessage)
		if !ok {
			return // a request to cancel
		}
		if start.Parameters["statement_timeout"] != "" {
			refused.Add(1)
			b.Send(&pgproto3.ErrorResponse{Severity: "FATAL", Code: "08P01", Message: "unsupported startup parameter: statement_timeout"})
			_ = b.Flush()
			return
		}
		up, err := net.Dial("tcp", target)
		if err != nil {
			return
		}
		defer up.Close()
		packet, _ := start.Encode(nil)
		if _, err := up.Write(packet); err != nil {
			return
		}
		copied := make(chan struct{})
		go func() { defer close(copied); _, _ = io.Copy(c, up); _ = c.Close() }()
		_, _ = io.Copy(up, c)
		_ = up.Close()
		<-copied
	})
	c, recorded := connectTo(t, pooled)
	db, err := c.Introspect(context.Background(), connect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if refused.Load() != 1 || len(db.Tables) != len(conformance().Tables) {
		t.Errorf("refused %d times, %d tables", refused.Load(), len(db.Tables))
	}
	for _, s := range recorded.Take() {
		if strings.HasPrefix(s.SQL, "SET") {
			t.Errorf("%q would stay with the pooler's connection", s)
		}
	}
	_ = c.Close()
}

func TestOpen_Unavailable(t *testing.T) {
	ctx := context.Background()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	_ = l.Close()
	_, err = Open(ctx, parse(t, "postgres://ann:hunter2@127.0.0.1:"+port+"/shop"))
	connecttest.WantError(t, err, connect.Unavailable, `database "shop" at 127.0.0.1:`+port, "check that the server runs")

	_, err = Open(ctx, parse(t, "postgres://ann:hunter2@db.invalid/shop"))
	connecttest.WantError(t, err, connect.Unavailable, "db.invalid")

	_, err = Open(ctx, parse(t, "postgres://ann:hunter2@/shop?host=/nonexistent/socket"))
	connecttest.WantError(t, err, connect.Unavailable, `database "shop" at a local socket`)
	if strings.Contains(err.Error(), "/nonexistent") {
		t.Errorf("%q holds a path", err)
	}

	_, err = Open(ctx, parse(t, "mysql://ann:hunter2@127.0.0.1/shop"))
	connecttest.WantError(t, err, connect.BadDSN, "mysql")

	_, err = Open(ctx, parse(t, "postgres://ann:hunter2@127.0.0.1/shop?sslmode=never"))
	connecttest.WantError(t, err, connect.BadDSN, "sslmode")

	for code, want := range map[string]struct {
		category connect.Category
		hint     string
	}{
		"53300": {connect.Unavailable, "no free connection"},
		"57P03": {connect.Unavailable, "starting"},
		"28000": {connect.AuthFailed, "pg_hba.conf"},
		"42501": {connect.PermissionDenied, "grant CONNECT"},
		"XX000": {connect.Unavailable, "SQLSTATE XX000"},
	} {
		port := server(t, func(_ net.Conn, b *pgproto3.Backend, _ pgproto3.FrontendMessage) {
			b.Send(&pgproto3.ErrorResponse{Severity: "FATAL", Code: code, Message: "no"})
			_ = b.Flush()
		})
		_, err := Open(ctx, parse(t, "postgres://ann:hunter2@127.0.0.1:"+port+"/shop?sslmode=disable"))
		connecttest.WantError(t, err, want.category, want.hint)
	}
	// What is no PostgreSQL at all, and what wants no encryption.
	port = server(t, func(c net.Conn, _ *pgproto3.Backend, _ pgproto3.FrontendMessage) {
		_, _ = io.WriteString(c, "HTTP/1.1 400\r\n\r\n")
	})
	_, err = Open(ctx, parse(t, "postgres://ann:hunter2@127.0.0.1:"+port+"/shop?sslmode=disable"))
	connecttest.WantError(t, err, connect.Unavailable)
	d, _ := load(t)
	d.Query.Set("sslmode", "require")
	_, err = Open(ctx, d)
	connecttest.WantError(t, err, connect.Unavailable, "check sslmode")

	d.Query.Set("sslmode", "disable")
	d.Database = "no such"
	_, err = Open(ctx, d)
	connecttest.WantError(t, err, connect.Unavailable, `database "no such"`, "check the database's name")
	d.User = "nobody such"
	_, err = Open(ctx, d)
	connecttest.WantError(t, err, connect.AuthFailed, "check user and password")
}

func TestOpen_ForeignParametersAreLeftOut(t *testing.T) {
	d, _ := load(t)
	d.Query.Set("schema", "public")
	d.Query.Set("connection_limit", "5")
	c, _ := connectTo(t, d)
	if err := c.Ping(context.Background()); err != nil {
		t.Error(err)
	}
}

// The answer never comes: the caller's limit ends the wait, or else the
// connection's own, which has a category.
func TestOpen_NoAnswer(t *testing.T) {
	stop := make(chan struct{})
	port := server(t, func(net.Conn, *pgproto3.Backend, pgproto3.FrontendMessage) { <-stop })
	t.Cleanup(func() { close(stop) })
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	_, err := Open(ctx, parse(t, "postgres://ann:hunter2@127.0.0.1:"+port+"/shop?sslmode=disable"))
	if !errors.Is(err, context.DeadlineExceeded) || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("error %v", err)
	}
	c := &conn{d: parse(t, "postgres://ann:hunter2@[::1]:5432/shop")}
	err = c.failure(context.Background(), "connecting", fmt.Errorf("dial hunter2: %w", context.DeadlineExceeded))
	connecttest.WantError(t, err, connect.Timeout, `connecting, database "shop" at [::1]:5432: no answer in time`)
}

func TestIntrospect_ServerGone(t *testing.T) {
	d, admin := load(t, conformanceSQL)
	c, _ := connectTo(t, d)
	if _, err := admin.Exec(context.Background(), "SELECT pg_terminate_backend($1::int)", int(c.pg.PgConn().PID())); err != nil {
		t.Fatal(err)
	}
	for range 2 { // when it happens, and afterwards
		_, err := c.Introspect(context.Background(), connect.Options{})
		connecttest.WantError(t, err, connect.Unavailable)
	}
	if err := c.Ping(context.Background()); err == nil {
		t.Error("Ping succeeds without a connection")
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// lock holds a lock of another session until the returned function is called.
func lock(t *testing.T, d dsn.DSN, what string) (release func()) {
	t.Helper()
	c, err := open(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"BEGIN READ WRITE", "LOCK TABLE " + what + " IN ACCESS EXCLUSIVE MODE"} {
		if _, err := c.pg.Exec(context.Background(), s); err != nil {
			t.Fatal(err)
		}
	}
	return func() { _ = c.Close() }
}

func TestIntrospect_StatementTimeout(t *testing.T) {
	d, _ := load(t, conformanceSQL)
	c, _ := connectTo(t, d)
	c.catalogTimeout, c.lockTimeout = 200*time.Millisecond, time.Minute
	release := lock(t, d, "pg_catalog.pg_constraint")
	_, err := c.Introspect(context.Background(), connect.Options{})
	connecttest.WantError(t, err, connect.Timeout, "reading ", "too long")
	release()
	c.catalogTimeout = connect.CatalogTimeout
	if _, err := c.Introspect(context.Background(), connect.Options{}); err != nil {
		t.Errorf("after the failure: %v", err)
	}
}

// A table that is being altered costs what cannot be known of it, not the index.
func TestIntrospect_OptionalPartFails(t *testing.T) {
	d, _ := load(t, conformanceSQL)
	c, recorded := connectTo(t, d)
	c.lockTimeout = 100 * time.Millisecond
	release := lock(t, d, "nothing")
	defer release()
	db, err := c.Introspect(context.Background(), connect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s := recorded.Take(); s[len(s)-1].SQL != commitSQL || c.pg.PgConn().TxStatus() != 'I' {
		t.Errorf("the transaction is left open after %q", s[len(s)-1])
	}
	if len(db.Tables) != len(conformance().Tables) {
		t.Errorf("%d tables", len(db.Tables))
	}
	if len(db.Warnings) == 0 || !strings.Contains(fmt.Sprint(db.Warnings), "sizes are left out: reading sizes") || !strings.Contains(fmt.Sprint(db.Warnings), "locked") {
		t.Errorf("warnings %q", db.Warnings)
	}
	// A lock on the catalog takes the part that is read from there.
	triggers := lock(t, d, "pg_catalog.pg_trigger")
	partly, err := c.Introspect(context.Background(), connect.Options{Stats: connect.StatsNone})
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(partly.Unread) != fmt.Sprint([]string{model.PartTriggers}) || len(partly.Warnings) != 1 {
		t.Errorf("unread %q, warnings %q", partly.Unread, partly.Warnings)
	}
	triggers()
	// The columns' defaults of a locked table cannot be printed: that fails.
	other := lock(t, d, "customer")
	defer other()
	_, err = c.Introspect(context.Background(), connect.Options{})
	connecttest.WantError(t, err, connect.Timeout, "reading columns", "migration")

	if line := connecttest.Table(t, db, "audit", "line"); line.Bytes != nil || line.Usage == nil || len(line.ForeignKeys) != 1 {
		t.Errorf("line %+v", line)
	}
}

func TestIntrospect_FewLocks(t *testing.T) {
	d, _ := load(t, conformanceSQL)
	c, _ := connectTo(t, d)
	c.locks = 5 // busy and two that it reads, monthly and one
	db, err := c.Introspect(context.Background(), connect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(db.Warnings) != 1 || !strings.Contains(db.Warnings[0], "definitions of 1 views") || len(db.Lineage) != len(conformance().Lineage) {
		t.Errorf("warnings %q, lineage %+v", db.Warnings, db.Lineage)
	}
	for name, want := range map[string]bool{"monthly": true, "open_order": false} {
		if v := connecttest.Table(t, db, "public", name); (v.Definition != "") != want || (v.DefinitionHash != "") != want {
			t.Errorf("%s: definition %q, hash %q", name, v.Definition, v.DefinitionHash)
		}
	}
}

func TestIntrospect_Cancelled(t *testing.T) {
	d, _ := load(t, conformanceSQL)
	c, _ := connectTo(t, d)
	release := lock(t, d, "pg_catalog.pg_index")
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(100*time.Millisecond, cancel)
	start := time.Now()
	_, err := c.Introspect(ctx, connect.Options{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want the context's", err)
	}
	if took := time.Since(start); took > 4*time.Second {
		t.Errorf("took %v", took)
	}
	release()
	// The server was told, so that the connection is of use again.
	if _, err := c.Introspect(context.Background(), connect.Options{}); err != nil {
		t.Errorf("after the end of a context: %v", err)
	}
	if _, err := c.Introspect(ctx, connect.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("with an ended context: %v", err)
	}
}

func TestClose_NoGoroutineIsLeft(t *testing.T) {
	d, _ := load(t, conformanceSQL)
	leaks := goleak.IgnoreCurrent()
	c, err := Open(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Introspect(context.Background(), connect.Options{}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	goleak.VerifyNone(t, leaks)
}
