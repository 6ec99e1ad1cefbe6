package mcpkit

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/quartet-mcp/quartet/mcpkit/internal/wire"
)

const (
	// statelessVersion is the first protocol version without sessions. The SDK
	// serves it, and all later ones, from a stateless handler only.
	statelessVersion = "2026-07-28"

	versionHeader = "Mcp-Protocol-Version"
	versionMeta   = "io.modelcontextprotocol/protocolVersion"

	sessionHeader = "Mcp-Session-Id"

	maxBody = 4 << 20 // bytes of one request
	idBound = 1 << 53 // from here on a float64 takes one whole number for another
)

// HTTPOptions say how [Run] serves HTTP. The zero value serves this machine only.
type HTTPOptions struct {
	// Addr is the host and port to listen on; empty means 127.0.0.1:8080. A
	// port of 0 takes a free one.
	Addr string

	// Path is the one endpoint; empty means /mcp.
	Path string

	// Token, if not empty, must come with every request as a bearer token. It
	// is required when Addr is not a loopback address. Take it from the
	// environment or a file, never from a flag, which others can see.
	Token string

	// Origins are web origins ("https://host") whose pages may call the server
	// besides its own. Requests without an origin do not come from a page.
	Origins []string

	// Stateless serves the older protocol versions without sessions, too.
	Stateless bool

	// SessionTimeout ends sessions without requests; zero means 30 minutes.
	SessionTimeout time.Duration

	// MaxSessions is the most sessions at once; zero means 10,000. Further ones
	// are refused until some end. Sessions cost memory, and a client need not
	// end its own.
	MaxSessions int

	// Listening, if not nil, is called once with the address listened on.
	Listening func(net.Addr)
}

func (o HTTPOptions) withDefaults() HTTPOptions {
	if o.Addr == "" {
		o.Addr = "127.0.0.1:8080"
	}
	if o.Path == "" {
		o.Path = "/mcp"
	}
	if o.SessionTimeout <= 0 {
		o.SessionTimeout = 30 * time.Minute
	}
	if o.MaxSessions <= 0 {
		o.MaxSessions = 10_000
	}
	return o
}

// check refuses what would open the server to the network without a token.
func (o HTTPOptions) check() error {
	host, _, err := net.SplitHostPort(o.Addr)
	if err != nil {
		return fmt.Errorf("address %q is not host:port: %w", o.Addr, err)
	}
	if !strings.HasPrefix(o.Path, "/") {
		return fmt.Errorf("path %q does not start with /", o.Path)
	}
	if o.Token == "" && !isLoopback(host) {
		return fmt.Errorf("address %q is reachable from other machines and needs a bearer token; set one, or listen on 127.0.0.1", o.Addr)
	}
	return nil
}

// isLoopback reports whether a host can be reached from this machine alone. A
// name other than localhost could resolve to anything.
func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

// serveHTTP runs the server over HTTP until ctx ends. Then new requests are
// refused and open ones may take Limits.Drain, one second once hurry sends;
// after that they are cancelled. Uninterruptible calls are waited for.
func serveHTTP(ctx context.Context, s *Server, opts HTTPOptions, hurry <-chan os.Signal) error {
	opts = opts.withDefaults()
	if err := opts.check(); err != nil {
		return err
	}
	endpoint, err := newEndpoint(s, opts)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", opts.Addr)
	if err != nil {
		return fmt.Errorf("listening: %w", err)
	}
	if opts.Listening != nil {
		opts.Listening(listener.Addr())
	}
	s.log.Info("serving HTTP", "addr", listener.Addr().String(), "path", opts.Path)

	server := &http.Server{
		Handler:           endpoint,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serving HTTP: %w", err)
	case <-ctx.Done():
	}

	endpoint.stop()
	over := make(chan struct{}) // closed when no request is open
	go func() {
		if err := server.Shutdown(context.Background()); err != nil {
			s.log.Warn("closing the HTTP listener", "error", err)
		}
		close(over)
	}()
	drain := time.NewTimer(s.opts.Limits.Drain)
	defer drain.Stop()
	for waiting := true; waiting; {
		select {
		case <-over:
			waiting = false
		case <-drain.C:
			waiting = false
		case <-hurry:
			drain.Reset(time.Second)
		}
	}
	endpoint.shutdown.halt()
	endpoint.shutdown.wait()
	select {
	case <-over:
	case <-time.After(farewell):
		s.log.Warn(errHandlersRunning.Error())
	}
	if err := server.Close(); err != nil && !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("closing the HTTP server: %w", err)
	}
	if err := <-failed; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving HTTP: %w", err)
	}
	endpoint.closeSessions(s)
	return nil
}

// endpoint is the handler for the one path of a server.
type endpoint struct {
	opts HTTPOptions
	sdk  *mcp.Server

	mux       http.Handler
	sessions  http.Handler // protocol versions with initialize
	stateless http.Handler // those without

	stopping context.Context // ends when the server stops
	stop     context.CancelFunc
	shutdown *shutdown
}

// newEndpoint puts two handlers of the SDK behind one path, and the checks of
// origin and token in front of both.
func newEndpoint(s *Server, opts HTTPOptions) (*endpoint, error) {
	e := &endpoint{opts: opts, sdk: s.sdk, shutdown: newShutdown()}
	e.stopping, e.stop = context.WithCancel(context.Background())
	get := func(*http.Request) *mcp.Server { return s.sdk }
	e.sessions = mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{
		Logger: s.log, SessionTimeout: opts.SessionTimeout, MaxRequestBodyBytes: maxBody, Stateless: opts.Stateless,
	})
	e.stateless = mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{
		Logger: s.log, MaxRequestBodyBytes: maxBody, Stateless: true, PropagateRequestCancellation: true,
	})

	var h http.Handler = http.HandlerFunc(e.dispatch)
	if opts.Token != "" {
		h = requireToken(opts.Token, h)
	}
	h, err := checkOrigin(opts.Origins, h)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle(opts.Path, h)
	e.mux = mux
	return e, nil
}

func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) { e.mux.ServeHTTP(w, r) }

// dispatch chooses the handler by the protocol version of the request.
func (e *endpoint) dispatch(w http.ResponseWriter, r *http.Request) {
	if e.stopping.Err() != nil {
		w.Header().Set("Retry-After", "1")
		http.Error(w, "the server is shutting down", http.StatusServiceUnavailable)
		return
	}
	maps.Copy(r.Header, receivedHeaders(time.Now()))
	version := r.Header.Get(versionHeader)
	endless := r.Method == http.MethodGet // a stream of what the server sends by itself
	if r.Method == http.MethodPost {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err != nil {
			var tooLarge *http.MaxBytesError
			if errors.As(err, &tooLarge) {
				http.Error(w, fmt.Sprintf("the body exceeds %d bytes", maxBody), http.StatusRequestEntityTooLarge)
				return
			}
			http.Error(w, "reading the body failed", http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		message, answer := wire.Inspect(body)
		named := versionOf(message)
		if answer == nil {
			answer = e.refusal(r, message, named)
		}
		if answer != nil {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write(answer) // an error means that the client is gone
			return
		}
		if message.Method == "initialize" && e.full() {
			w.Header().Set("Retry-After", "60")
			http.Error(w, "there are too many sessions; end some, or use protocol version "+statelessVersion, http.StatusServiceUnavailable)
			return
		}
		if named != "" && version == "" || named >= statelessVersion {
			version = statelessVersion // if its header is missing or another one, the handler says so
		}
		endless = message.Method == "subscriptions/listen"
	}
	r = r.WithContext(context.WithValue(r.Context(), shutdownKey{}, e.shutdown))
	if endless {
		// Shutdown waits for open requests, and these never end by themselves.
		ctx, cancel := context.WithCancel(r.Context())
		defer context.AfterFunc(e.stopping, cancel)()
		r = r.WithContext(ctx)
	}
	if version >= statelessVersion {
		e.stateless.ServeHTTP(w, r)
		return
	}
	if id := r.Header.Get(sessionHeader); r.Method == http.MethodDelete && id != "" {
		e.shutdown.endSession(id)
	}
	e.sessions.ServeHTTP(w, r)
}

// versionOf is the protocol version that a request names itself, "" when it
// names none. What is malformed the handlers refuse.
func versionOf(m wire.Message) string {
	var params struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	if m.Params == nil || json.Unmarshal(m.Params, &params) != nil {
		return ""
	}
	return strings.Trim(string(params.Meta[versionMeta]), `"`)
}

// refusal is the answer to a message that the SDK would not answer rightly; nil
// means that it may have it. named is the protocol version that it names.
func (e *endpoint) refusal(r *http.Request, m wire.Message, named string) []byte {
	if m.ID != nil && m.ID[0] != '"' {
		// The SDK brings numbers through a float64, so the answer would come
		// under another id.
		if n, err := strconv.ParseFloat(string(m.ID), 64); err != nil || math.Abs(n) >= idBound {
			return wire.Refusal(m.ID, jsonrpc.CodeInvalidRequest, fmt.Sprintf(
				`over HTTP a number as "id" must be between %d and %d; use a string`, -idBound+1, idBound-1))
		}
	}
	sessionless := e.opts.Stateless || named != "" || r.Header.Get(versionHeader) >= statelessVersion
	if !sessionless && m.Method != "initialize" && r.Header.Get(sessionHeader) == "" {
		// The SDK would begin a session for it, and leave it behind.
		return wire.Refusal(m.ID, jsonrpc.CodeInvalidRequest, fmt.Sprintf(
			"the %s header is missing; send initialize first, or use protocol version %s", sessionHeader, statelessVersion))
	}
	return nil
}

// full reports whether there are as many sessions as there may be.
func (e *endpoint) full() bool {
	if e.opts.Stateless {
		return false
	}
	n := 0
	for range e.sdk.Sessions() {
		n++
	}
	return n >= e.opts.MaxSessions
}

// closeSessions ends what sessions are left, without waiting for handlers that
// ignore their context.
func (e *endpoint) closeSessions(s *Server) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		for session := range s.sdk.Sessions() {
			if err := session.Close(); err != nil {
				s.log.Debug("closing a session", "error", err)
			}
		}
	}()
	select {
	case <-done:
	case <-time.After(farewell):
	}
}

// requireToken lets only requests with the token through. The token is compared
// by its hash, so neither its length nor a common prefix shows in the time.
func requireToken(token string, next http.Handler) http.Handler {
	want := sha256.Sum256([]byte(token))
	user := fmt.Sprintf("token-%x", want[:6])
	verify := func(_ context.Context, given string, _ *http.Request) (*auth.TokenInfo, error) {
		got := sha256.Sum256([]byte(given))
		if subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
			return nil, auth.ErrInvalidToken
		}
		return &auth.TokenInfo{UserID: user}, nil
	}
	checked := auth.RequireBearerToken(verify, &auth.RequireBearerTokenOptions{AllowMissingExpiration: true})(
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Del("WWW-Authenticate")
			next.ServeHTTP(w, r)
		}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("WWW-Authenticate", "Bearer") // the refusal must name the scheme
		checked.ServeHTTP(w, r)
	})
}

// checkOrigin refuses requests that a page of another origin makes, whatever
// their method: a stream opened by GET carries data, too.
func checkOrigin(origins []string, next http.Handler) (http.Handler, error) {
	protection := http.NewCrossOriginProtection()
	for _, origin := range origins {
		if err := protection.AddTrustedOrigin(origin); err != nil {
			return nil, fmt.Errorf("origin %q: %w", origin, err)
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asPost := *r
		asPost.Method = http.MethodPost // the check lets other methods pass
		if err := protection.Check(&asPost); err != nil {
			http.Error(w, "forbidden: "+err.Error(), http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	}), nil
}
