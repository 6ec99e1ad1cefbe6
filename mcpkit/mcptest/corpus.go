package mcptest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Call is a tool call that a test makes.
type Call struct {
	Tool      string
	Arguments string // a JSON object; empty means {}
}

// request is the call as a line, in the era of the version.
func (c Call) request(id, version string) []byte {
	args := c.Arguments
	if args == "" {
		args = "{}"
	}
	line := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%s,"arguments":%s}}`, id, stringNode(c.Tool).raw, args)
	if Modern(version) {
		return withMeta([]byte(line), version)
	}
	return []byte(line)
}

// A badLine is one line that no client should send, or an odd one that it may.
type badLine struct {
	kind string // the group it belongs to, for people
	line []byte
}

// fate is what has to become of a line.
type fate int

const (
	free      fate = iota // no answer is owed: blank lines, notifications, responses
	notParsed             // -32700
	refused               // -32700 or -32600
	answered              // any answer with the line's id, or a refusal
)

// oddDepth is a nesting that a reader may refuse before it has seen whether
// the rest is JSON.
const oddDepth = 500

// fateOf says what has to become of a line, and the key of its id if it has one
// that an answer may carry.
func fateOf(line []byte) (fate, string) {
	if !utf8.Valid(line) {
		return refused, ""
	}
	// A byte order mark belongs at the start of the stream; a server that
	// tolerates it elsewhere does no harm.
	unmarked := bytes.TrimPrefix(line, []byte("\ufeff"))
	if len(bytes.Trim(unmarked, " \t\r")) == 0 {
		return free, ""
	}
	n, err := parseTwins(unmarked)
	switch {
	case err != nil && bytes.Count(line, []byte("["))+bytes.Count(line, []byte("{")) > oddDepth:
		return refused, ""
	case err != nil:
		return notParsed, ""
	case n.kind != kindObject:
		return refused, ""
	}
	key := ""
	id, method := n.get("id"), n.get("method")
	if id != nil {
		key = scalarKey(id)
	}
	switch {
	case id != nil && !isID(id) && !isWhole(id), !n.get("jsonrpc").isString("2.0"):
		return refused, key
	case method == nil && id != nil && (n.get("result") != nil || n.get("error") != nil):
		return free, "" // a response; nobody asked, nobody answers
	case method == nil || method.kind != kindString:
		return refused, key
	case id == nil:
		return free, ""
	}
	return answered, key
}

// isWhole reports whether the value is a whole number in a form that servers may
// take for one or not: 1.0, 1e2.
func isWhole(id *node) bool {
	f, err := strconv.ParseFloat(id.raw, 64)
	return id.kind == kindNumber && err == nil && f == math.Trunc(f)
}

// corpus returns distinct lines, the same for the same arguments.
func corpus(good Call, version string) []badLine {
	c := &corpusBuilder{good: good, version: version, seen: map[string]bool{}}
	c.truncations()
	c.bytes()
	c.structure()
	c.fields()
	c.scalars()
	c.strings()
	c.oddIDs()
	c.nesting()
	c.numbers()
	c.doubles()
	c.framing()
	c.garbage()
	c.sizes()
	return c.lines
}

type corpusBuilder struct {
	good    Call
	version string
	seen    map[string]bool
	lines   []badLine
	ids     int
}

func (c *corpusBuilder) add(kind, line string) {
	if strings.Contains(line, "\n") || c.seen[line] {
		return
	}
	c.seen[line] = true
	c.lines = append(c.lines, badLine{kind, []byte(line)})
}

// id returns a fresh id; all begin alike, so that no line can be mistaken for
// one of the good calls between.
func (c *corpusBuilder) id() string {
	c.ids++
	return fmt.Sprintf(`"bad-%d"`, c.ids)
}

// call is a good call with a fresh id.
func (c *corpusBuilder) call() string { return string(c.good.request(c.id(), c.version)) }

// message is a request with given params, in the era of the corpus.
func (c *corpusBuilder) message(method, params string) string {
	line := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%s,"params":%s}`, c.id(), method, params)
	if Modern(c.version) {
		return string(withMeta([]byte(line), c.version))
	}
	return line
}

// plainCall is a call without metadata, short enough to be cut up byte by byte.
func (c *corpusBuilder) plainCall() string { return string(c.good.request(c.id(), LegacyVersion)) }

func (c *corpusBuilder) truncations() {
	for _, line := range []string{
		c.plainCall(),
		`{"jsonrpc":"2.0","id":"bad-é","method":"tools/list","params":{"_meta":{"progressToken":1e2,"x":[true,false,null]}}}`,
	} {
		for i := 1; i < len(line); i++ {
			c.add("cut at the end", line[:i])
			c.add("cut at the start", line[i:])
		}
	}
}

// bytes puts bytes where they do not belong.
func (c *corpusBuilder) bytes() {
	line := c.plainCall()
	for _, b := range []string{"\x00", "\xff", "\xc3", "\x01", "\xed\xa0\x80"} {
		for i := 0; i <= len(line); i++ {
			c.add(fmt.Sprintf("%q in the line", b), line[:i]+b+line[i:])
		}
	}
}

// structure takes one structural character away, doubles it, or puts another
// in its place.
func (c *corpusBuilder) structure() {
	line := c.plainCall()
	for i := range len(line) {
		if !strings.ContainsRune(`{}[]:,"`, rune(line[i])) {
			continue
		}
		c.add("a character missing", line[:i]+line[i+1:])
		c.add("a character twice", line[:i]+line[i:i+1]+line[i:])
		for _, other := range `{}[]:,"'` {
			if changed := line[:i] + string(other) + line[i+1:]; !json.Valid([]byte(changed)) {
				c.add("a wrong character", changed)
			}
		}
	}
}

// oddValues are values of every type, for places that want another.
var oddValues = []string{
	`null`, `true`, `false`, `0`, `-1`, `1.5`, `1e300`, `9223372036854775808`, `""`, `" "`, `"\u0000"`, `"\ud800"`, `"\udc00\ud800"`,
	`"null"`, `"../../etc/passwd"`, "\"\u202eabc\"", `[]`, `[null]`, `[[]]`, `[1,"a",{}]`, `{}`, `{"":""}`, `{"a":null}`, `{"__proto__":{}}`,
	`{"a":{"a":{"a":[]}}}`,
}

// fields puts odd values into each field of a request.
func (c *corpusBuilder) fields() {
	name := stringNode(c.good.Tool).raw
	for _, v := range oddValues {
		c.add("jsonrpc", fmt.Sprintf(`{"jsonrpc":%s,"id":%s,"method":"tools/list"}`, v, c.id()))
		c.add("method", fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%s}`, c.id(), v))
		c.add("method of a notification", fmt.Sprintf(`{"jsonrpc":"2.0","method":%s}`, v))
		c.add("params of a notification", fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":%s}`, v))
		c.add("requestId", fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`, v))
		c.add("params of tools/list", fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/list","params":%s}`, c.id(), v))
		c.add("params of tools/call", fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":%s}`, c.id(), v))
		c.add("_meta", fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%s,"_meta":%s}}`, c.id(), name, v))
		c.add("protocolVersion", fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/list","params":{"_meta":{%q:%s}}}`, c.id(), metaVersion, v))
		c.add("clientInfo", fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/list","params":{"_meta":{%q:%q,%q:%s}}}`, c.id(), metaVersion, ModernVersion, metaClient, v))
		c.add("progressToken", c.message(`"tools/call"`, fmt.Sprintf(`{"name":%s,"arguments":{},"_meta":{"progressToken":%s}}`, name, v)))
		c.add("tool name", c.message(`"tools/call"`, fmt.Sprintf(`{"name":%s,"arguments":{}}`, v)))
		c.add("arguments", c.message(`"tools/call"`, fmt.Sprintf(`{"name":%s,"arguments":%s}`, name, v)))
		c.add("unknown argument", c.message(`"tools/call"`, fmt.Sprintf(`{"name":%s,"arguments":{"no_such_argument":%s}}`, name, v)))
		c.add("cursor", c.message(`"tools/list"`, fmt.Sprintf(`{"cursor":%s}`, v)))
		c.add("response", fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, c.id(), v))
		c.add("error response", fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":%s}`, c.id(), v))
	}
	for _, m := range []string{"tools", "tools/", "tools/calls", "TOOLS/LIST", "rpc.discover", "prompts/get", "resources/read", "resources/subscribe", "completion/complete", "logging/setLevel", "tools/list ", "/tools/list", "$/cancelRequest", "initialized", "shutdown", "exit"} {
		c.add("unknown method", c.message(stringNode(m).raw, `{}`))
		c.add("unknown method", fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%s}`, c.id(), stringNode(m).raw))
	}
	for _, line := range []string{
		`{}`, `{"jsonrpc":"2.0"}`, `{"jsonrpc":"2.0","id":"bad-x"}`, `{"id":"bad-y","method":"tools/list"}`, `{"method":"tools/list"}`,
		`{"jsonrpc":"2.0","params":{}}`, `{"JSONRPC":"2.0","ID":"bad-z","METHOD":"tools/list"}`, `{"jsonrpc":"2.0","id":"bad-r","result":{},"error":{"code":1,"message":""}}`,
		`{"jsonrpc":"1.0","id":"bad-v","method":"tools/list"}`, `{"jsonrpc":2.0,"id":"bad-w","method":"tools/list"}`,
	} {
		c.add("no request", line)
	}
}

// scalars are JSON that is no object.
func (c *corpusBuilder) scalars() {
	for _, v := range oddValues {
		if v[0] == '{' {
			continue
		}
		c.add("no object", v)
		c.add("no object", " "+v+" ")
		c.add("in an array", "["+v+"]")
		c.add("in an array", "["+v+","+v+"]")
	}
	c.add("a batch", "["+c.call()+"]")
	c.add("a batch", "["+c.call()+","+c.call()+"]")
	c.add("a batch", "["+c.call()+",1]")
	c.add("a batch", "["+c.call()+",{}]")
	c.add("two values", c.call()+c.call())
	c.add("two values", c.call()+" null")
	c.add("two values", "{}{}")
	c.add("trailing comma", c.call()+",")
	c.add("closing brace too many", c.call()+"}")
}

// strings are odd texts in every place that takes one.
func (c *corpusBuilder) strings() {
	for _, s := range []string{
		`\ud800`, `\udfff`, `\ud800\ud800`, `\udc00\ud800`, `a\ud83db`, `\u0000`, `\u0000\u0000`, `\u001b[2J`, `\u202e`, `\u200b`, `\ufeff`, `\ufffe`, `\uffff`,
		`\u2028\u2029`, `\r\n`, `\\`, `\/`, `\"`, `%s%n%x`, `$(id)`, "`id`", `' OR 1=1 --`, `<script>`, `{{7*7}}`, "\U000E0041", "e\u0301\u0301\u0301", "\u007f",
	} {
		c.add("odd text as tool", c.message(`"tools/call"`, `{"name":"`+s+`","arguments":{}}`))
		c.add("odd text as method", fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"%s"}`, c.id(), s))
		c.add("odd text as argument", c.message(`"tools/call"`, fmt.Sprintf(`{"name":%s,"arguments":{"%s":"%s"}}`, stringNode(c.good.Tool).raw, s, s)))
		c.add("odd text as key", fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/list","%s":1}`, c.id(), s))
		c.add("odd text as id", string(c.good.request(`"bad-`+s+`"`, c.version)))
	}
	for _, s := range []string{`\u12`, `\u12g4`, `\x41`, `\a`, `\'`, "\t", "\v", "\x1f"} {
		c.add("broken text", c.message(`"tools/list"`, `{}`)[:1]+`"x":"`+s+`",`+c.message(`"tools/list"`, `{}`)[1:])
	}
}

// oddIDs are identifiers at the edge of what is one. Where one is, the answer
// has to carry it exactly.
func (c *corpusBuilder) oddIDs() {
	for _, id := range []string{
		`null`, `true`, `[]`, `{}`, `[1]`, `{"a":1}`, `1.5`, `-1.5`, `1.0`, `1e2`, `1E400`, `-0`, `0`, `-1`, `9007199254740992`, `9007199254740993`,
		`-9007199254740993`, `9223372036854775807`, `9223372036854775808`, `18446744073709551615`, `18446744073709551616`,
		`123456789012345678901234567890`, `""`, `" "`, `"1"`, `"null"`, `"\u0000"`, `"\ud800"`, `"a\"b"`, `"` + strings.Repeat("x", 10_000) + `"`,
	} {
		c.add("odd id", string(c.good.request(id, c.version)))
		c.add("odd id", fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"no/such/method"}`, id))
	}
}

func (c *corpusBuilder) nesting() {
	for _, depth := range []int{10, 100, 499, 1_000, 5_000, 9_990, 9_999, 10_000, 10_001, 10_010, 20_000, 100_000} {
		arrays := strings.Repeat("[", depth) + strings.Repeat("]", depth)
		objects := strings.Repeat(`{"a":`, depth) + "1" + strings.Repeat("}", depth)
		c.add("deep arrays", arrays)
		c.add("deep objects", objects)
		c.add("deep and open", strings.Repeat("[", depth))
		c.add("deep and open", strings.Repeat(`{"a":`, depth))
		c.add("closed only", strings.Repeat("]", depth))
		for _, deep := range []string{arrays, objects} {
			c.add("deep params", fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/list","params":{"x":%s}}`, c.id(), deep))
			c.add("deep arguments", fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%s,"arguments":{"x":%s}}}`, c.id(), stringNode(c.good.Tool).raw, deep))
			c.add("deep id", fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/list"}`, deep))
		}
	}
}

func (c *corpusBuilder) numbers() {
	for _, n := range []string{
		`01`, `-01`, `+1`, `.5`, `5.`, `1e`, `1e+`, `--1`, `0x10`, `1_000`, `NaN`, `-NaN`, `Infinity`, `-Infinity`, `1,5`, `1e1.5`, `٣`, `1f`, `0b1`, `1n`,
		`1e400`, `-1e400`, `1e-400`, `1e999999999`, `0.` + strings.Repeat("0", 1000) + `1`, strings.Repeat("9", 1000), `-0`, `-0.0`, `0e0`, `1E5`,
	} {
		c.add("number as argument", fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%s,"arguments":{"n":%s}}}`, c.id(), stringNode(c.good.Tool).raw, n))
		c.add("number as params", fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/list","params":{"n":%s}}`, c.id(), n))
		c.add("number as id", fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"no/such/method"}`, n))
		c.add("number alone", n)
	}
}

// doubles name a key twice.
func (c *corpusBuilder) doubles() {
	for i := range 4 {
		id, other := c.id(), c.id()
		c.add("key twice", []string{
			fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"id":%s,"method":"tools/list"}`, id, id),
			fmt.Sprintf(`{"jsonrpc":"2.0","jsonrpc":"2.0","id":%s,"method":"tools/list"}`, other),
			fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/list","method":"tools/list"}`, other),
			fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"x","name":"y","arguments":{"a":1,"a":2}}}`, other),
		}[i])
	}
}

// framing is what other protocols send, and white space of every kind.
func (c *corpusBuilder) framing() {
	for _, line := range []string{
		"GET / HTTP/1.1", "Host: localhost", "Content-Length: 120", "Content-Type: application/vscode-jsonrpc; charset=utf-8", "HTTP/1.1 200 OK",
		"event: message", "data: {}", ": comment", "<?xml version=\"1.0\"?>", "<html>", "---", "key: value", "- item", "// comment", "/* c */ {}", "# x",
		"{'a':1}", "{a:1}", "{\"a\":undefined}", "[1,2,]", "{\"a\":1,}", "(1)", "null null", "\\", "\"", "'", "`", "nul", "tru", "nulll", "True", "None",
		"\x16\x03\x01\x02\x00", "\x1b[A", "\x04", "\x1a", "\x7f", "SSH-2.0-x", "EHLO x", "*1\r", "PRI * HTTP/2.0",
	} {
		c.add("another protocol", line)
		c.add("another protocol", line+"\r")
	}
	for _, white := range []string{" ", "\t", "\r", "   ", "\r\r", " \t ", "\t\r"} {
		c.add("white space alone", white)
		c.add("white space before", white+c.call())
		c.add("white space after", c.call()+white)
	}
	for _, odd := range []string{"\u00a0", "\u2028", "\v", "\f", "\u200b", "\u3000", "\ufeff", "\u0085"} {
		c.add("odd white space alone", odd)
		c.add("odd white space before", odd+c.call())
		c.add("odd white space after", c.call()+odd)
		c.add("odd white space inside", strings.Replace(c.call(), ":", ":"+odd, 1))
	}
}

// garbage is random, from a fixed seed.
func (c *corpusBuilder) garbage() {
	rng := rand.New(rand.NewPCG(7, 11))
	const tokens = `{}[]:,"\ 0123456789.eE+-truefalsn`
	for i := range 120 {
		var b strings.Builder
		for range 1 + rng.IntN(60) {
			b.WriteByte(tokens[rng.IntN(len(tokens))])
		}
		if !json.Valid([]byte(b.String())) {
			c.add("random tokens", b.String())
		}
		raw := make([]byte, 1+i*3)
		for j := range raw {
			raw[j] = byte(rng.Uint32())
		}
		c.add("random bytes", strings.ReplaceAll(string(raw), "\n", "x"))
	}
}

// sizes reach from large to beyond the limit of 16 MiB.
func (c *corpusBuilder) sizes() {
	for _, size := range []int{1 << 12, 1 << 16, 1<<16 + 1, 1 << 20, 17 << 20} {
		long := strings.Repeat("x", size)
		c.add("long garbage", long)
		c.add("long text", fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%s,"arguments":{"no_such_argument":"%s"}}}`, c.id(), stringNode(c.good.Tool).raw, long))
		if size <= 1<<20 {
			c.add("long method", fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"%s"}`, c.id(), long))
			c.add("long tool name", c.message(`"tools/call"`, fmt.Sprintf(`{"name":"%s"}`, long)))
			c.add("long key", fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/list","params":{"%s":1}}`, c.id(), long))
			c.add("long and open", `{"jsonrpc":"2.0","id":"`+long)
			c.add("long and not UTF-8", long+"\xff")
		}
	}
	c.add("many items", "["+strings.Repeat("1,", 100_000)+"1]")
	var b strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&b, `,"k%d":%d`, i, i)
	}
	c.add("many keys", c.message(`"tools/call"`, fmt.Sprintf(`{"name":%s,"arguments":{%s}}`, stringNode(c.good.Tool).raw, b.String()[1:])))
}
