// Package clickhouse reads a ClickHouse server.
//
// The user should be one that can only read; what the connection may do is asked for
// when it is first used. Settings that bound a query go with each one, and a setting
// that the user's profile does not let pass is left out from then on. Every call has
// a deadline, and a query that is given up is killed.
package clickhouse

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	ch "github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/quartet-mcp/quartet/cerebro/internal/backend"
)

// Options are how a server is reached.
type Options struct {
	DSN      string // wins over the others
	Host     string
	Port     int
	User     string
	Password string
	Secure   bool
	Native   bool // the native protocol instead of HTTP
	// MaxMemoryGB bounds a query's memory; 0 is no bound.
	MaxMemoryGB float64
	// MaxRead are the rows that a query may read; 0 is no bound.
	MaxRead int64
	Threads int // of a query; 0 is the server's choice
}

// Database is a ClickHouse server. It is connected to when it is first needed.
type Database struct {
	options Options

	mu       sync.Mutex
	conns    map[string]driver.Conn // by the database of names without one
	readonly *int                   // of the user, once known
	writable string
	dropped  map[string]bool // settings that the profile does not let pass
	killing  bool            // KILL QUERY was refused
}

var _ backend.Backend = (*Database)(nil)

// New returns a server and does not connect yet.
func New(o Options) *Database {
	return &Database{options: o, conns: map[string]driver.Conn{}, dropped: map[string]bool{}}
}

// Kind is ClickHouse.
func (d *Database) Kind() backend.Kind { return backend.ClickHouse }

// connectTimeout bounds every step of a call that has no other bound.
const connectTimeout = 10 * time.Second

func (d *Database) config() (*ch.Options, error) {
	if d.options.DSN != "" {
		o, err := ch.ParseDSN(d.options.DSN)
		if err != nil {
			// The text of the error holds the password.
			return nil, unavailable("CLICKHOUSE_DSN is no address of a server", "it looks like https://user:password@host:8443/database")
		}
		return o, nil
	}
	o := &ch.Options{
		Protocol: ch.HTTP,
		Addr:     []string{net.JoinHostPort(d.options.Host, strconv.Itoa(d.options.Port))},
		Auth:     ch.Auth{Username: d.options.User, Password: d.options.Password},
	}
	if d.options.Native {
		o.Protocol = ch.Native
	}
	if d.options.Secure {
		o.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	return o, nil
}

// conn is the pool of connections in which a database is the one of names without.
func (d *Database) conn(database string) (driver.Conn, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if c, ok := d.conns[database]; ok {
		return c, nil
	}
	o, err := d.config()
	if err != nil {
		return nil, err
	}
	if database != "" {
		o.Auth.Database = database
	}
	o.DialTimeout, o.ReadTimeout = connectTimeout, 5*time.Minute
	c, err := ch.Open(o)
	if err != nil {
		return nil, unavailable("the settings of ClickHouse are not right", "check CLICKHOUSE_HOST, CLICKHOUSE_PORT and CLICKHOUSE_SECURE")
	}
	d.conns[database] = c
	return c, nil
}

// Close closes the connections.
func (d *Database) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var errs []error
	for _, c := range d.conns {
		errs = append(errs, c.Close())
	}
	clear(d.conns)
	return errors.Join(errs...)
}

// probe asks once what the user may do. 0 is everything, 1 nothing but read, 2 to
// set settings as well.
func (d *Database) probe(ctx context.Context) (int, error) {
	d.mu.Lock()
	known := d.readonly
	d.mu.Unlock()
	if known != nil {
		return *known, nil
	}
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	c, err := d.conn("")
	if err != nil {
		return 0, err
	}
	var level uint64
	if err := c.QueryRow(endless{ctx}, "SELECT toUInt64(getSetting('readonly'))").Scan(&level); err != nil {
		return 0, failed(ctx, err)
	}
	n, why := int(level), ""
	if n == 0 && !onlyReads(ctx, c) {
		why = "the ClickHouse user may write"
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.readonly, d.writable = &n, why
	return n, nil
}

var harmless = regexp.MustCompile(`^GRANT (SELECT|SHOW[A-Z ]*|dictGet|displaySecretsInShowAndSelect)(\([^)]*\))?(, (SELECT|SHOW[A-Z ]*|dictGet)(\([^)]*\))?)* ON [^ ]+ TO [^ ]+$`)

// onlyReads says that all that the user is granted is to read.
func onlyReads(ctx context.Context, c driver.Conn) bool {
	rows, err := c.Query(endless{ctx}, "SHOW GRANTS")
	if err != nil {
		return false
	}
	defer func() { _ = rows.Close() }() // it was only read
	for rows.Next() {
		var grant string
		if rows.Scan(&grant) != nil || !harmless.MatchString(grant) {
			return false
		}
	}
	return rows.Err() == nil
}

// Writable says why the connection could change data.
func (d *Database) Writable(ctx context.Context) (string, error) {
	if _, err := d.probe(ctx); err != nil {
		return "", err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.writable, nil
}

// settings are those of a query, without those that do not pass.
func (d *Database) settings(level int, s backend.Statement, l backend.Limits) ch.Settings {
	if level == 1 {
		return nil // such a user may set nothing
	}
	out := ch.Settings{"join_use_nulls": 1, "allow_ddl": 0, "cancel_http_readonly_queries_on_client_close": 1, "result_overflow_mode": "break"}
	if level == 0 {
		out["readonly"] = 2 // the query gives up what it does not need
	}
	if s.Tag != "" {
		out["log_comment"] = s.Tag
	}
	if l.Timeout > 0 {
		out["max_execution_time"] = max(1, int(l.Timeout/time.Second))
	}
	if l.Rows > 0 {
		out["max_result_rows"] = l.Rows
	}
	if l.Bytes > 0 {
		// A block in memory may be larger than the text of its cells. The server stops
		// without a word, so it must not do so before the reader would.
		out["max_result_bytes"] = 16 * l.Bytes
	}
	if d.options.MaxMemoryGB > 0 {
		out["max_memory_usage"] = int64(d.options.MaxMemoryGB * (1 << 30))
	}
	if d.options.MaxRead > 0 {
		out["max_rows_to_read"], out["read_overflow_mode"] = d.options.MaxRead, "throw"
	}
	if d.options.Threads > 0 {
		out["max_threads"] = d.options.Threads
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for name := range d.dropped {
		delete(out, name)
	}
	return out
}

var settingName = regexp.MustCompile("(?i)(?:cannot modify|setting) '?`?([a-z_0-9]+)'?`?")

// drop remembers the setting that an error is about; false when it is about none.
func (d *Database) drop(err error, sent ch.Settings) bool {
	var e *ch.Exception
	if !errors.As(err, &e) || e.Code != 164 && e.Code != 452 && e.Code != 115 {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, m := range settingName.FindAllStringSubmatch(e.Message, -1) {
		if _, ok := sent[m[1]]; ok {
			d.dropped[m[1]] = true
			return true
		}
	}
	return false
}

// Warning of a setting without which results may differ.
const noNulls = "join_use_nulls_refused"

// warnings say what was left out that changes results.
func warnings(sent ch.Settings) []string {
	if _, ok := sent["join_use_nulls"]; !ok {
		return []string{noNulls}
	}
	return nil
}

func unavailable(message, hint string) error {
	return &backend.Error{Code: backend.Unavailable, Message: message, Hint: hint}
}

var (
	prefix     = regexp.MustCompile(`^(?:Code: \d+\. )?(?:DB::Exception: )?`)
	suffix     = regexp.MustCompile(`\s*\([A-Z0-9_]+\)\s*$`)
	identifier = regexp.MustCompile("(?:[Uu]nknown(?: expression)?(?: or function)? identifier|[Mm]issing columns:|[Uu]nknown expression identifier|[Ii]dentifier) [`'\"]?([^`'\"\\s]+)")
	maybe      = regexp.MustCompile(`Maybe you meant:? \[?([^\]]*)`)
	word       = regexp.MustCompile("['`]([^'`]+)['`]")
)

// failed is the error of what the driver says.
func failed(ctx context.Context, err error) error {
	if ended := backend.Ended(ctx); ended != nil {
		return ended
	}
	var own *backend.Error
	var e *ch.Exception
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &e):
		return exception(e)
	}
	var network net.Error
	if errors.As(err, &network) && network.Timeout() {
		return unavailable("the ClickHouse server does not answer in time", "check CLICKHOUSE_HOST and CLICKHOUSE_PORT")
	}
	return unavailable("the ClickHouse server cannot be reached", "check CLICKHOUSE_HOST, CLICKHOUSE_PORT, CLICKHOUSE_SECURE and CLICKHOUSE_PROTOCOL")
}

// exception is an error of the server, by its code.
func exception(x *ch.Exception) error {
	message := backend.Clean(x.Message)
	message = suffix.ReplaceAllString(prefix.ReplaceAllString(message, ""), "")
	e := &backend.Error{Code: backend.Failed, Message: message}
	switch x.Code {
	case 47: // UNKNOWN_IDENTIFIER
		e.Code, e.Repairable = backend.UnknownColumn, true
		if m := identifier.FindStringSubmatch(message); m != nil {
			e.Name = strings.TrimRight(m[1], ".,")
		}
		e.Near = near(message)
	case 60, 81: // UNKNOWN_TABLE, UNKNOWN_DATABASE
		e.Near = near(message)
	case 207, 215, 184: // AMBIGUOUS_IDENTIFIER, NOT_AN_AGGREGATE, ILLEGAL_AGGREGATION
		e.Repairable = true
	case 159, 160, 209: // TIMEOUT_EXCEEDED, TOO_SLOW, SOCKET_TIMEOUT
		return backend.AsError(context.DeadlineExceeded)
	case 394: // QUERY_WAS_CANCELLED
		return backend.AsError(context.Canceled)
	case 241: // MEMORY_LIMIT_EXCEEDED
		e.Code, e.Message, e.Hint = backend.TooLarge, "the query needs more memory than it may use", "aggregate more, or narrow the range"
	case 158, 307: // TOO_MANY_ROWS, TOO_MANY_BYTES
		e.Code, e.Message, e.Hint = backend.CostBlocked, "the query reads more rows than it may", "narrow the range"
	case 396: // TOO_MANY_ROWS_OR_BYTES
		e.Code, e.Hint = backend.TooLarge, "aggregate more, or narrow the range"
	case 164: // READONLY
		e.Code = backend.Rejected
	case 497: // ACCESS_DENIED
		e.Code = backend.Denied
	case 192, 193, 194, 516: // of users and passwords
		return unavailable("the ClickHouse server refuses the user or the password", "check CLICKHOUSE_USER and CLICKHOUSE_PASSWORD")
	case 202, 210, 242, 279: // too many queries, network, read-only tables, all connections failed
		e.Code = backend.Unavailable
	}
	return e
}

func near(message string) (out []string) {
	if m := maybe.FindStringSubmatch(message); m != nil {
		for _, w := range word.FindAllStringSubmatch(m[1], -1) {
			out = append(out, w[1])
		}
	}
	return out
}

// newID is a name for a query that is nobody else's.
func newID() string {
	var b [12]byte
	_, _ = rand.Read(b[:]) // never fails
	return "q_" + hex.EncodeToString(b[:])
}

// parameter is a value as the server reads it: escaped as in its tab-separated format.
func parameter(v any) (string, error) {
	switch v := v.(type) {
	case nil:
		return `\N`, nil
	case bool, int64, float64:
		return fmt.Sprint(v), nil
	case string:
		return strings.NewReplacer(`\`, `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`, "\x00", `\0`).Replace(v), nil
	}
	return "", &backend.Error{Code: backend.Invalid, Message: "a parameter is neither text, number, boolean nor null"}
}
