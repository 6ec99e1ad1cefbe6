package bridge

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ClickHouse/ch-go/compress"
)

// largest is the size of a request's body.
const largest = 256 << 20

// query is what one request asks for.
type query struct {
	id, database  string
	text          []byte
	insert        bool   // text is an INSERT without its data
	data          []byte // of the INSERT
	format        string // of the data, or of a result whose query does not name one
	readonly      int    // of the user's profile
	get           bool   // the method that changes nothing
	settings      map[string]string
	params        map[string]string
	clientVersion string
	compress      func([]byte) ([]byte, error) // nil for a plain answer
}

// ours are the arguments in an address that are no settings.
var ours = []string{
	"query", "database", "default_format", "query_id", "user", "password", "quota_key", "compress", "decompress", "enable_http_compression",
	"client_protocol_version", "wait_end_of_query", "buffer_size", "role", "stacktrace",
}

var (
	settingName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.]*$`)
	// An INSERT whose data follows behind the name of its format.
	insertFormat = regexp.MustCompile(`(?is)^((?:\s|--[^\n]*\n|/\*.*?\*/)*INSERT\s.*?)\bFORMAT\s+([a-z]\w*)[^\S\n]*;?(?:\n|\r\n|\s*$|\s)`)
	values       = regexp.MustCompile(`(?i)^VALUES$`)
	lastFormat   = regexp.MustCompile(`(?is)\sFORMAT\s+([a-z]\w*)\s*(?:SETTINGS\s[^()]*)?;?\s*$`)
	killQuery    = regexp.MustCompile(`(?i)^\s*KILL\s+QUERY\b`)
	queryIDWord  = regexp.MustCompile(`(?i)\bquery_id\b`)
)

// read takes a request apart.
func read(r *http.Request) (*query, error) {
	args := r.URL.Query()
	q := &query{
		id: args.Get("query_id"), database: args.Get("database"), clientVersion: args.Get("client_protocol_version"), get: r.Method == http.MethodGet,
		settings: map[string]string{}, params: map[string]string{},
	}
	if q.id == "" {
		q.id = rand.Text()
	}
	if err := q.authenticate(r, args); err != nil {
		return nil, err
	}
	for name, given := range args {
		value := given[len(given)-1]
		param, isParam := strings.CutPrefix(name, "param_")
		switch {
		case isParam:
			q.params[param] = value
		case slices.Contains(ours, name):
		case name == "session_id" || strings.HasSuffix(name, "_structure"):
			return nil, refuse(notImplemented, "NOT_IMPLEMENTED", "the bridge has neither sessions nor external tables")
		case !settingName.MatchString(name):
			return nil, refuse(badArguments, "BAD_ARGUMENTS", "%q is no name of a setting", name)
		default:
			q.settings[name] = value
		}
	}
	body, err := readBody(r, args.Get("decompress") == "1")
	if err != nil {
		return nil, err
	}
	q.take(args.Get("query"), body)
	if args.Get("compress") == "1" {
		method, err := compress.MethodString(strings.ToUpper(valueOr(q.settings["network_compression_method"], "LZ4")))
		if err != nil {
			return nil, refuse(badArguments, "BAD_ARGUMENTS", "%v", err)
		}
		q.compress = func(data []byte) ([]byte, error) { return compressBlocks(data, method) }
	}
	if !q.insert {
		q.format = valueOr(args.Get("default_format"), valueOr(r.Header.Get("X-ClickHouse-Format"), "TabSeparated"))
	}
	return q, nil
}

func valueOr(value, otherwise string) string {
	if value == "" {
		return otherwise
	}
	return value
}

// authenticate finds the user's profile.
func (q *query) authenticate(r *http.Request, args url.Values) error {
	name, password, ok := r.BasicAuth()
	if !ok {
		name = valueOr(r.Header.Get("X-ClickHouse-User"), args.Get("user"))
		password = valueOr(r.Header.Get("X-ClickHouse-Key"), args.Get("password"))
	}
	name = valueOr(name, "default")
	readonly, known := users[name]
	if !known || password != "" {
		return refuse(authentication, "AUTHENTICATION_FAILED", "%s: Authentication failed: password is incorrect, or there is no user with such name", name)
	}
	q.readonly = readonly
	return nil
}

func readBody(r *http.Request, blocks bool) ([]byte, error) {
	body := io.Reader(http.MaxBytesReader(nil, r.Body, largest))
	switch encoding := r.Header.Get("Content-Encoding"); encoding {
	case "":
	case "gzip":
		unzipped, err := gzip.NewReader(body)
		if err != nil {
			return nil, refuse(badArguments, "BAD_ARGUMENTS", "reading the request: %v", err)
		}
		body = unzipped
	default:
		return nil, refuse(notImplemented, "NOT_IMPLEMENTED", "the bridge does not read %q", encoding)
	}
	if blocks {
		body = compress.NewReader(body)
	}
	data, err := io.ReadAll(body)
	if err != nil && !errors.Is(err, io.EOF) { // the end of blocks is one that says where it was met
		return nil, refuse(badArguments, "BAD_ARGUMENTS", "reading the request: %v", err)
	}
	return data, nil
}

// take makes a statement of the query in the address and of the body, which goes on
// where the address ends. The data of an INSERT are kept apart, because the engine
// looks for the end of data that stand in a statement; it finds that of VALUES alone.
func (q *query) take(head string, body []byte) {
	text := body
	if head != "" {
		text = append([]byte(head+"\n"), body...)
	}
	if killQuery.Match(text) {
		text = queryIDWord.ReplaceAll(text, []byte(idOfProcess))
	}
	m := insertFormat.FindSubmatchIndex(text)
	if m == nil || values.Match(text[m[4]:m[5]]) {
		q.text = bytes.TrimSpace(text)
		return
	}
	q.insert, q.text, q.format, q.data = true, bytes.TrimSpace(text[m[2]:m[3]]), string(text[m[4]:m[5]]), text[m[1]:]
}

// idOfProcess holds a query's id in system.processes. The engine gives ids of its own,
// so the client's travels in a setting that has no effect.
const idOfProcess = "Settings['query_cache_tag']"

// preparation are the statements that make the session of a query: settings are
// checked against the user's profile, and readonly comes last, as it stops the others.
func (q *query) preparation() []string {
	set := func(name, value string) string { return "SET " + name + " = " + quote(value) }
	out := []string{set("query_cache_tag", q.id)}
	if q.database != "" {
		out = append(out, "USE `"+strings.NewReplacer("`", "``", `\`, `\\`).Replace(q.database)+"`")
	}
	if q.readonly != 0 {
		out = append(out, set("readonly", strconv.Itoa(q.readonly)))
	}
	for _, name := range slices.Sorted(maps.Keys(q.settings)) {
		if name != "readonly" {
			out = append(out, set(name, q.settings[name]))
		}
	}
	if value, ok := q.settings["readonly"]; ok {
		out = append(out, set("readonly", value))
	} else if q.get && q.readonly == 0 {
		out = append(out, set("readonly", "2"))
	}
	return out
}

// quote writes a text as SQL.
func quote(text string) string { return "'" + escape(text) + "'" }

// escape writes a text as a field of tab-separated values, and as SQL between quotes.
func escape(text string) string {
	return strings.NewReplacer(`\`, `\\`, "'", `\'`, "\n", `\n`, "\t", `\t`, "\x00", `\0`).Replace(text)
}

// outputFormat is the format that the result is in.
func (q *query) outputFormat() string {
	if m := lastFormat.FindSubmatch(q.text); m != nil {
		return string(m[1])
	}
	return q.format
}

// contentType is the kind of data that a format makes.
func contentType(format string) string {
	switch f := strings.ToLower(format); {
	case strings.HasPrefix(f, "json"):
		return "application/json; charset=UTF-8"
	case strings.HasPrefix(f, "tabseparated"), strings.HasPrefix(f, "tsv"):
		return "text/tab-separated-values; charset=UTF-8"
	case strings.HasPrefix(f, "csv"):
		return "text/csv; charset=UTF-8"
	case slices.Contains([]string{"native", "rowbinary", "rowbinarywithnames", "rowbinarywithnamesandtypes", "parquet", "arrow", "arrowstream"}, f):
		return "application/octet-stream"
	}
	return "text/plain; charset=UTF-8"
}

// compressBlocks writes data in the compressed blocks of ClickHouse.
func compressBlocks(data []byte, method compress.Method) ([]byte, error) {
	const size = 1 << 20
	w := compress.NewWriter(compress.LevelZero, method)
	var out []byte
	for chunk := range slices.Chunk(data, size) {
		if err := w.Compress(chunk); err != nil {
			return nil, fmt.Errorf("compressing: %w", err)
		}
		out = append(out, w.Data...)
	}
	return out, nil
}
