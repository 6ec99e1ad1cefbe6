// Package bridge answers ClickHouse's HTTP protocol with the engine of package engine.
package bridge

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/quartet-mcp/quartet/clickhousetest/internal/engine"
)

// killed is how long a query has to end after it was killed.
const killed = 5 * time.Second

// users are the names that may connect, with the setting readonly of their profiles.
// They have no password.
var users = map[string]int{"default": 0, "reader": 2, "readonly": 1}

// Codes of ClickHouse for what the bridge itself refuses.
const (
	syntaxError     = 62
	notImplemented  = 48
	timeoutExceeded = 159
	badArguments    = 36
	intoOutfile     = 358
	authentication  = 516
)

// refuse is an error with a code and a name of ClickHouse.
func refuse(code int, name, format string, args ...any) error {
	return &engine.Error{Code: code, Text: fmt.Sprintf("Code: %d. DB::Exception: %s. (%s)", code, fmt.Sprintf(format, args...), name)}
}

// A Bridge is the handler of all requests.
type Bridge struct {
	engine   *engine.Engine
	deadline time.Duration
	version  string
	timezone string
}

// New makes a bridge to an engine. Queries that take longer than the deadline are
// killed.
func New(e *engine.Engine, deadline time.Duration) (*Bridge, error) {
	c, err := e.Connect()
	if err != nil {
		return nil, err
	}
	defer c.Close()
	r, err := c.Query([]byte("SELECT version(), timezone()"), "TSV", nil)
	if err != nil {
		return nil, err
	}
	version, timezone, _ := strings.Cut(strings.TrimSpace(string(r.Data)), "\t")
	return &Bridge{e, deadline, version, timezone}, nil
}

func (b *Bridge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	if r.URL.Path == "/ping" || r.Method == http.MethodGet && r.URL.RawQuery == "" {
		fmt.Fprintln(w, "Ok.")
		return
	}
	q, err := read(r)
	if err != nil {
		fail(w, err)
		return
	}
	w.Header().Set("X-ClickHouse-Query-Id", q.id)
	w.Header().Set("X-ClickHouse-Server-Display-Name", displayName)
	w.Header().Set("X-ClickHouse-Timezone", b.timezone)
	result, err := b.run(r.Context(), q)
	if err != nil {
		fail(w, err)
		return
	}
	w.Header().Set("X-ClickHouse-Format", q.outputFormat())
	w.Header().Set("Content-Type", contentType(q.outputFormat()))
	w.Header().Set("X-ClickHouse-Summary", fmt.Sprintf(
		`{"read_rows":"%d","read_bytes":"%d","written_rows":"%d","written_bytes":"%d","result_rows":"%d","result_bytes":"%d","elapsed_ns":"%d"}`,
		result.ReadRows, result.ReadBytes, result.WrittenRows, result.WrittenBytes, result.Rows, len(result.Data), time.Since(began)))
	data := result.Data
	if q.compress != nil {
		if data, err = q.compress(data); err != nil {
			fail(w, err)
			return
		}
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	if _, err := w.Write(data); err != nil {
		slog.Debug("answering", "query", q.id, "error", err) // the client has gone
	}
}

// run runs a query in a session of its own, until it ends, its client goes, or its
// time is up.
func (b *Bridge) run(ctx context.Context, q *query) (engine.Result, error) {
	if q.isHello() {
		return engine.Result{Data: b.hello(), Rows: 1}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, b.deadline)
	defer cancel()
	type outcome struct {
		result engine.Result
		err    error
	}
	ended := make(chan outcome, 1)
	go func() {
		result, err := b.session(q)
		ended <- outcome{result, err}
	}()
	select {
	case o := <-ended:
		return o.result, o.err
	case <-ctx.Done():
	}
	b.kill(q.id)
	select {
	case <-ended:
	case <-time.After(killed):
		slog.Warn("a query does not end", "query", q.id)
	}
	return engine.Result{}, refuse(timeoutExceeded, "TIMEOUT_EXCEEDED", "Timeout exceeded: the bridge allows %v", b.deadline)
}

// session runs a query on a new connection.
func (b *Bridge) session(q *query) (engine.Result, error) {
	c, err := b.engine.Connect()
	if err != nil {
		return engine.Result{}, err
	}
	defer c.Close()
	for _, statement := range q.preparation() {
		if _, err := c.Query([]byte(statement), "Null", nil); err != nil {
			return engine.Result{}, err
		}
	}
	if q.insert {
		return c.Insert(q.text, q.format, q.params, q.data)
	}
	if err := b.single(c, q.text); err != nil {
		return engine.Result{}, err
	}
	return c.Query(q.text, q.format, q.params)
}

var reads = regexp.MustCompile(`(?i)^[\s(]*(?:SELECT|WITH|FROM)\b`)

// single lets one statement pass, as a server does. The engine as a library would run
// many, and write files.
func (b *Bridge) single(c *engine.Conn, text []byte) error {
	count, control := c.Statements(text)
	switch {
	case count == 1 && control && reads.Match(text):
		return refuse(intoOutfile, "INTO_OUTFILE_NOT_ALLOWED", "INTO OUTFILE is not allowed")
	case count == 1:
		return nil
	case count > 1:
		return refuse(syntaxError, "SYNTAX_ERROR", "Syntax error (Multi-statements are not allowed)")
	}
	// The engine is asked for the reason, by a function that parses and runs nothing.
	_, err := c.Query([]byte("SELECT formatQuery({text:String})"), "Null", map[string]string{"text": escape(string(text))})
	var refused *engine.Error
	if !errors.As(err, &refused) || refused.Code != syntaxError {
		return refuse(syntaxError, "SYNTAX_ERROR", "Syntax error")
	}
	reason, _, _ := strings.Cut(refused.Text, ": In scope SELECT formatQuery(")
	return &engine.Error{Code: syntaxError, Text: strings.TrimSuffix(reason, " (SYNTAX_ERROR)") + " (SYNTAX_ERROR)"}
}

// kill ends the query of an id, and does not wait for it.
func (b *Bridge) kill(id string) {
	c, err := b.engine.Connect()
	if err != nil {
		slog.Error("killing", "query", id, "error", err)
		return
	}
	defer c.Close()
	if _, err := c.Query([]byte("KILL QUERY WHERE "+idOfProcess+" = "+quote(id)+" ASYNC"), "Null", nil); err != nil {
		slog.Error("killing", "query", id, "error", err)
	}
}

// statuses are the HTTP codes of errors, where they are not those of a server's fault.
var statuses = map[int][]int{
	http.StatusBadRequest:            {6, 26, 27, 36, 38, 41, 43, 53, 62, 70, 72, 117, 130, 386, 457},
	http.StatusForbidden:             {192, 193, 291, 497, 516},
	http.StatusNotFound:              {10, 16, 46, 47, 50, 60, 81, 115},
	http.StatusRequestTimeout:        {timeoutExceeded},
	http.StatusRequestEntityTooLarge: {307},
	http.StatusNotImplemented:        {notImplemented},
}

// fail answers with an error.
func fail(w http.ResponseWriter, err error) {
	var refused *engine.Error
	if !errors.As(err, &refused) {
		errors.As(refuse(1002, "UNKNOWN_EXCEPTION", "%v", err), &refused)
	}
	status := http.StatusInternalServerError
	for s, codes := range statuses {
		if slices.Contains(codes, refused.Code) {
			status = s
		}
	}
	w.Header().Set("X-ClickHouse-Exception-Code", strconv.Itoa(refused.Code))
	w.Header().Set("Content-Type", "text/plain; charset=UTF-8")
	w.WriteHeader(status)
	fmt.Fprintln(w, refused.Text)
}
