package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// Method names and fields of the protocol that the connection has to know.
const (
	methodInitialize = "initialize"
	methodCallTool   = "tools/call"
	methodListen     = "subscriptions/listen"
	notifyCancelled  = "notifications/cancelled"
	notifyProgress   = "notifications/progress"
	subscriptionKey  = "io.modelcontextprotocol/subscriptionId"
	batchVersion     = "2025-03-26" // the one protocol version with batches
)

// message is one request, notification or response as it came.
type message struct {
	response bool
	id       []byte // as written; nil when there is none
	method   string
	params   []byte // nil when absent or null
	result   []byte
	err      []byte
}

// fault is why a line is no message: the answer it gets.
type fault struct {
	code int64
	text string
	id   []byte // nil when it cannot be read
}

// parse reads one message, or says why it is none.
func parse(data []byte, doc document) (message, *fault) {
	var m message
	if doc.kind != '{' {
		return m, &fault{code: jsonrpc.CodeInvalidRequest, text: "a message is a JSON object"}
	}
	var version, method, idText []byte
	var twice string
	for _, mb := range doc.members {
		var field *[]byte
		switch text(mb.name.of(data)) {
		case "jsonrpc":
			field = &version
		case "id":
			field = &idText
		case "method":
			field = &method
		case "params":
			field = &m.params
		case "result":
			field = &m.result
		case "error":
			field = &m.err
		default:
			continue
		}
		if *field != nil {
			// Readers of JSON differ on which of the two counts, so a client
			// and a server could take it for different requests.
			twice = text(mb.name.of(data))
		}
		*field = mb.value.of(data)
	}
	if isID(idText) && isWhole(idText) && twice != "id" {
		m.id = idText
	}
	refuse := func(code int64, format string, args ...any) (message, *fault) {
		return message{}, &fault{code: code, text: fmt.Sprintf(format, args...), id: m.id}
	}
	switch {
	case twice != "":
		return refuse(jsonrpc.CodeInvalidRequest, "the member %q is given twice", twice)
	case doc.depth > maxDepth:
		return refuse(jsonrpc.CodeInvalidRequest, "the message nests %d levels deep; the most is %d", doc.depth, maxDepth)
	case string(version) != `"2.0"` && (version == nil || version[0] != '"' || text(version) != "2.0"):
		return refuse(jsonrpc.CodeInvalidRequest, `"jsonrpc" must be "2.0"`)
	case idText != nil && m.id == nil && method != nil:
		return refuse(jsonrpc.CodeInvalidRequest, `"id" must be a string or a whole number, got %s`, cut(string(idText)))
	case method == nil && m.result == nil && m.err == nil:
		return refuse(jsonrpc.CodeInvalidRequest, `"method" is missing`)
	case method == nil:
		m.response = true
		return m, nil
	case method[0] != '"':
		return refuse(jsonrpc.CodeInvalidRequest, `"method" must be a string`)
	}
	m.method, m.result, m.err = text(method), nil, nil
	switch {
	case m.params == nil || m.params[0] == '{':
	case string(m.params) == "null":
		m.params = nil
	case m.params[0] == '[':
		return refuse(jsonrpc.CodeInvalidParams, `"params" must be an object, got an array`)
	default:
		return refuse(jsonrpc.CodeInvalidRequest, `"params" must be an object`)
	}
	return m, nil
}

// Message is what a transport other than [Conn] has to know of a message.
type Message struct {
	Method string // empty for a response
	ID     []byte // as written; nil when there is none
	Params []byte // nil when absent or null
	Batch  bool   // an array of messages, of which nothing else is known
}

// Inspect judges the text of one message as [Conn] does. If it is none, answer
// is what the client has to be told.
func Inspect(data []byte) (m Message, answer []byte) {
	doc, err := scan(data)
	if err != nil {
		return m, unreadable(err).answer()
	}
	if doc.kind == '[' {
		return Message{Batch: true}, nil
	}
	in, bad := parse(data, doc)
	if bad != nil {
		return m, bad.answer()
	}
	return Message{Method: in.method, ID: in.id, Params: in.params}, nil
}

// unreadable is the fault of a text that is no JSON.
func unreadable(err error) *fault {
	return &fault{code: jsonrpc.CodeParseError, text: "parse error: " + err.Error()}
}

// Refusal is the answer to a request that is not let through.
func Refusal(id []byte, code int64, text string) []byte {
	return (&fault{code: code, text: text, id: id}).answer()
}

// isID reports whether a JSON value may identify a request.
func isID(v []byte) bool {
	return len(v) > 0 && (v[0] == '"' || v[0] == '-' || isDigit(v[0]))
}

// isWhole reports whether an id is no fraction, which JSON-RPC lets pass and the
// protocol's schema does not: an answer with it would be no valid message. The
// integers beyond a float's precision need no look at their digits.
func isWhole(id []byte) bool {
	if !bytes.ContainsAny(id, ".eE") || id[0] == '"' {
		return true
	}
	f, err := strconv.ParseFloat(string(id), 64)
	return err == nil && f == math.Trunc(f)
}

// idKey makes ids comparable: strings by what they say, numbers by how they are
// written, so that no number is ever rounded into another one.
func idKey(id []byte) string {
	if id[0] == '"' {
		return `"` + text(id)
	}
	return string(id)
}

// sdkID is an id in the SDK's terms, for answers to the server's own requests.
func sdkID(raw []byte) (jsonrpc.ID, error) {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return jsonrpc.ID{}, err
	}
	return jsonrpc.MakeID(v)
}

// appendError appends the answer for a request that failed. A nil id is null.
func appendError(b []byte, id []byte, e *jsonrpc.Error) []byte {
	b = appendHead(b, id)
	b = append(b, `,"error":{"code":`...)
	b = strconv.AppendInt(b, e.Code, 10)
	b = append(b, `,"message":`...)
	b = append(b, quote(e.Message)...)
	if len(e.Data) > 0 {
		b = append(b, `,"data":`...)
		b = append(b, e.Data...)
	}
	return append(b, "}}"...)
}

// appendResult appends the answer for a request that succeeded.
func appendResult(b []byte, id, result []byte) []byte {
	b = appendHead(b, id)
	b = append(b, `,"result":`...)
	if len(result) == 0 {
		result = []byte("{}")
	}
	b = append(b, result...)
	return append(b, '}')
}

func appendHead(b []byte, id []byte) []byte {
	b = append(b, `{"jsonrpc":"2.0","id":`...)
	if id == nil {
		return append(b, "null"...)
	}
	return append(b, id...)
}

// wireError turns the error of a handler into the protocol's. The SDK answers
// errors that are not its own, and requests out of turn, with the code 0, which
// means nothing to a client.
func wireError(err error, method string) *jsonrpc.Error {
	message, params := plain(err.Error())
	out := &jsonrpc.Error{Message: cut(message)}
	var e *jsonrpc.Error
	if errors.As(err, &e) {
		out.Code, out.Data = e.Code, e.Data
	}
	if out.Code == 0 {
		out.Code = jsonrpc.CodeInternalError
		if method == methodInitialize || err.Error() == fmt.Sprintf("method %q is invalid during session initialization", method) {
			out.Code = jsonrpc.CodeInvalidRequest
		}
	}
	if params && (out.Code == jsonrpc.CodeInvalidRequest || out.Code == jsonrpc.CodeInternalError) {
		out.Code = jsonrpc.CodeInvalidParams // the request itself is well formed
	}
	return out
}

// badParams is how the SDK's decoder refuses params: with all of them, the name
// of a Go type, and its reason. It is compiled when the first such error comes,
// not at every start.
var badParams = lazyRegexp(`(?s)^(.*)unmarshaling ".*" into a \*mcp\.\w+: (.*)$`)

// badField is such a reason, for one field: with a part of the params.
var badField = lazyRegexp(`(?s)^json: cannot unmarshal .* into Go struct field [\w.]*\.(\w+) of type (\S+)$`)

func lazyRegexp(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// noParams is how the SDK refuses a request without the params that it needs.
const noParams = `invalid request: missing required "params"`

// plain says what is wrong in the words of the protocol, and whether it is the
// params.
func plain(s string) (message string, params bool) {
	if s == noParams {
		return `"params" is missing`, true
	}
	m := badParams().FindStringSubmatch(s)
	if m == nil {
		return s, false
	}
	if f := badField().FindStringSubmatch(m[2]); f != nil {
		return m[1] + fmt.Sprintf("%q must be of type %s", f[1], f[2]), true
	}
	return m[1] + m[2], true
}

// cut shortens a text that may repeat what a client sent.
func cut(s string) string {
	const most = 500
	if len(s) <= most {
		return s
	}
	end := most
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

// quote is a JSON string of s.
func quote(s string) []byte {
	b, _ := json.Marshal(s) // a string cannot fail; invalid UTF-8 becomes U+FFFD
	return b
}

// decodeError reads the error of a response.
func decodeError(data []byte) error {
	var e jsonrpc.Error
	if err := json.Unmarshal(data, &e); err != nil {
		return fmt.Errorf("reading the client's error: %w", err)
	}
	return &e
}
