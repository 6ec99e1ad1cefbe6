package mcptest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A Vary is one line of a "vary" section: the values at a JSON pointer may
// differ from the recorded ones as long as both match a pattern. The package
// comment lists the patterns. Create it with [ParseVary].
type Vary struct {
	id      string // the answerKey of the one answer that is meant; empty for all
	at      pointer
	pattern string
	match   func(*node) bool
}

// String is the line as it stands in a transcript.
func (v Vary) String() string {
	line := v.at.String() + " " + v.pattern
	if v.id != "" {
		line = "id " + v.id + " " + line
	}
	return line
}

// in returns the lines that speak of an answer.
func in(varies []Vary, answer *node) []Vary {
	key := answerKey(answer)
	return slices.DeleteFunc(slices.Clone(varies), func(v Vary) bool { return v.id != "" && v.id != key })
}

var (
	tokenPattern  = regexp.MustCompile(`^[A-Za-z0-9._~-]{8,}$`)
	digestPattern = regexp.MustCompile(`^([a-z0-9]+:)?[0-9a-f]{8,128}$`)
	pathPattern   = regexp.MustCompile(`^(/|[A-Za-z]:[\\/])[^\x00]+$`)
)

// patterns are the named ones; "match" with a regular expression is the other.
var patterns = map[string]func(*node) bool{
	"number":   func(n *node) bool { return n.kind == kindNumber },
	"string":   func(n *node) bool { return n.kind == kindString },
	"token":    stringMatching(tokenPattern.MatchString),
	"digest":   stringMatching(digestPattern.MatchString),
	"path":     stringMatching(pathPattern.MatchString),
	"time":     stringMatching(func(s string) bool { _, err := time.Parse(time.RFC3339, s); return err == nil }),
	"duration": stringMatching(func(s string) bool { _, err := time.ParseDuration(s); return err == nil }),
}

func stringMatching(f func(string) bool) func(*node) bool {
	return func(n *node) bool { return n.kind == kindString && f(n.text) }
}

// ParseVary reads one line "POINTER PATTERN", or "id ID POINTER PATTERN" for a
// single answer. It refuses a line that would leave a result unchecked: a
// pointer at a whole result or error or at the parts they are made of, and a
// pattern for the text of a content item that would accept any text.
func ParseVary(line string) (Vary, error) {
	line = strings.TrimSpace(line)
	var v Vary
	if rest, ok := strings.CutPrefix(line, "id "); ok {
		var err error
		if v.id, line, err = cutID(rest); err != nil {
			return Vary{}, err
		}
	}
	ptr, pattern, _ := strings.Cut(line, " ")
	pattern = strings.TrimSpace(pattern)
	at, err := parsePointer(ptr)
	if err != nil {
		return Vary{}, err
	}
	v.at, v.pattern = at, pattern
	if expr, ok := strings.CutPrefix(pattern, "match "); ok {
		re, err := regexp.Compile(`^(?:` + strings.TrimSpace(expr) + `)$`)
		if err != nil {
			return Vary{}, fmt.Errorf("pattern of %s: %w", ptr, err)
		}
		v.match = func(n *node) bool {
			return n.kind == kindString && re.MatchString(n.text) || n.kind == kindNumber && re.MatchString(n.raw)
		}
	} else if v.match = patterns[pattern]; v.match == nil {
		return Vary{}, fmt.Errorf("pattern of %s is %q; use number, string, token, digest, time, path, duration or match REGEXP", ptr, pattern)
	}
	if err := v.narrow(); err != nil {
		return Vary{}, err
	}
	return v, nil
}

// cutID takes an id, a number or a string, from the start of a line.
func cutID(line string) (key, rest string, err error) {
	dec := json.NewDecoder(strings.NewReader(line))
	dec.UseNumber()
	var id json.RawMessage
	if err := dec.Decode(&id); err != nil {
		return "", "", fmt.Errorf("vary line names no id after %q: %w", "id", err)
	}
	n, err := parseJSON(id)
	if err != nil || !isID(n) {
		return "", "", fmt.Errorf("%s is no id", id)
	}
	return scalarKey(n), strings.TrimSpace(line[dec.InputOffset():]), nil
}

// wholes are the places that a pattern would cover a whole answer with.
var wholes = []pointer{
	{"result"}, {"error"}, {"jsonrpc"}, {"id"}, {"method"}, {"params"}, {"*"},
	{"result", "structuredContent"}, {"result", "content"}, {"result", "content", "*"}, {"result", "isError"},
	{"result", "tools"}, {"error", "code"},
}

// anyTexts are texts that no meaningful pattern accepts all of.
var anyTexts = []string{"", "some other text 7f3a", "{\"rows\":[]}", "line\nline"}

func (v Vary) narrow() error {
	for _, w := range wholes {
		if w.covers(v.at) || v.at.covers(w) {
			return fmt.Errorf("%s would cover a whole answer or a fixed part of one; point at the single value that varies", v.at)
		}
	}
	isText := pointer{"result", "content", "*", "text"}.covers(v.at) || pointer{"error", "message"}.covers(v.at)
	if !isText {
		return nil
	}
	for _, s := range anyTexts {
		if v.match(stringNode(s)) {
			return fmt.Errorf("%s %s accepts any text; use match with a regular expression that holds the fixed part", v.at, v.pattern)
		}
	}
	return nil
}

// parseVaries reads the lines of a "vary" section; blank lines and lines that
// begin with # are left out.
func parseVaries(data []byte) ([]Vary, error) {
	var varies []Vary
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		v, err := ParseVary(line)
		if err != nil {
			return nil, fmt.Errorf("line %d of vary: %w", i+1, err)
		}
		varies = append(varies, v)
	}
	return varies, nil
}

// LoadVaries reads a file of vary lines, the defaults of one server for
// [Transcript.Record]. A file that does not exist has none.
func LoadVaries(path string) ([]Vary, error) {
	data, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return parseVaries(data)
}

func formatVaries(varies []Vary) []byte {
	var b bytes.Buffer
	for _, v := range varies {
		fmt.Fprintln(&b, v)
	}
	return b.Bytes()
}
