package mcptest

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/tools/txtar"
)

// The protocol versions a transcript without a handshake of its own is
// replayed in: the newest that begins with initialize, and the stateless one.
const (
	LegacyVersion = "2025-11-25"
	ModernVersion = "2026-07-28"
)

// firstModern is the oldest stateless version; versions are dates, so that
// their order is the order of their texts.
const firstModern = "2026-07-28"

// Modern reports whether a protocol version is stateless: no initialize, the
// client's metadata in every request.
func Modern(version string) bool { return version >= firstModern }

// An Era is one way to replay a transcript.
type Era struct {
	// Version is the protocol version that the runner speaks. It is empty
	// when the lines of the transcript do the handshake themselves.
	Version string
}

// String names the era for people: "legacy 2025-11-25", "modern 2026-07-28",
// "explicit".
func (e Era) String() string {
	switch {
	case e.Version == "":
		return "explicit"
	case Modern(e.Version):
		return "modern " + e.Version
	}
	return "legacy " + e.Version
}

// A Transcript is one recorded conversation with a server; the package comment
// describes the file. Create it with [Load]. It is safe for concurrent replays.
type Transcript struct {
	path    string
	archive *txtar.Archive
	start   startSection
	send    [][]byte
	want    []*node
	varies  []Vary
}

// startSection is what "start" says.
type startSection struct {
	args     []string
	env      []string
	copies   [][2]string // source beside the transcript, destination
	links    [][2]string // name, target
	eras     []Era       // empty: by the lines of send
	pipeline bool
	close    bool
	offwire  bool
	exit     int
	timeout  time.Duration
}

const defaultTimeout = 30 * time.Second

// sections are the names that are not files to lay down.
var sections = []string{"start", "send", "want", "vary"}

func isWant(f txtar.File) bool { return f.Name == "want" }

// Load reads a transcript. Its "want" may be missing while it waits for
// [Transcript.Record]; a replay then fails. Everything else that is wrong with
// the file is an error: an unknown directive, no line to send, an answer that
// is not exact JSON, a vary line that matches nothing.
func Load(file string) (*Transcript, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	t, err := parseTranscript(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	t.path = file
	return t, nil
}

// Name is the file's name without folder and ending.
func (t *Transcript) Name() string {
	return strings.TrimSuffix(filepath.Base(t.path), ".txtar")
}

func parseTranscript(data []byte) (*Transcript, error) {
	t := &Transcript{archive: txtar.Parse(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")))}
	if len(bytes.TrimSpace(t.archive.Comment)) == 0 {
		return nil, fmt.Errorf("no prose before the first section; say what the transcript shows and why")
	}
	seen := map[string]bool{}
	for _, f := range t.archive.Files {
		if seen[f.Name] {
			return nil, fmt.Errorf("section %q is given twice", f.Name)
		}
		seen[f.Name] = true
		var err error
		switch f.Name {
		case "start":
			err = t.start.parse(f.Data)
		case "send":
			t.send, err = parseSend(f.Data)
		case "want":
			t.want, err = parseStream(f.Data)
		case "vary":
			t.varies, err = parseVaries(f.Data)
		default:
			err = checkLocal(f.Name)
		}
		if err != nil {
			return nil, fmt.Errorf("section %q: %w", f.Name, err)
		}
	}
	if len(t.send) == 0 {
		return nil, fmt.Errorf("no line in the section %q", "send")
	}
	if seen["want"] {
		return t, t.checkVaries()
	}
	return t, nil
}

// parseSend splits lines. A line that begins with a quote and is a Go string
// literal stands for its value, so that any bytes can be sent; JSON that
// begins with a quote is no request anyway and can be written that way too.
func parseSend(data []byte) ([][]byte, error) {
	var lines [][]byte
	for i, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		switch {
		case strings.TrimSpace(line) == "":
			continue
		case line[0] == '"':
			s, err := strconv.Unquote(line)
			if err != nil {
				return nil, fmt.Errorf("line %d begins with a quote but is no Go string literal", i+1)
			}
			line = s
		}
		lines = append(lines, []byte(line))
	}
	return lines, nil
}

// checkLocal refuses a name that would lead out of the folder.
func checkLocal(name string) error {
	if !filepath.IsLocal(filepath.FromSlash(name)) || path.Clean(name) != name {
		return fmt.Errorf("%q is not a clean relative path below the server's folder", name)
	}
	return nil
}

func (s *startSection) parse(data []byte) error {
	for i, line := range strings.Split(string(data), "\n") {
		words, err := splitWords(line)
		if err == nil && len(words) > 0 {
			err = s.directive(words[0], words[1:])
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	return nil
}

func (s *startSection) directive(name string, args []string) error {
	count := func(least, most int) error {
		if len(args) < least || len(args) > most {
			return fmt.Errorf("%s takes %d to %d words, got %d", name, least, most, len(args))
		}
		return nil
	}
	switch name {
	case "args":
		s.args = append(s.args, args...)
	case "env":
		for _, a := range args {
			if i := strings.IndexByte(a, '='); i < 1 {
				return fmt.Errorf("env takes NAME=VALUE, got %q", a)
			}
		}
		s.env = append(s.env, args...)
	case "copy":
		if err := count(1, 2); err != nil {
			return err
		}
		pair := [2]string{args[0], args[len(args)-1]}
		for _, p := range pair {
			if err := checkLocal(p); err != nil {
				return err
			}
		}
		s.copies = append(s.copies, pair)
	case "link":
		if err := count(2, 2); err != nil {
			return err
		}
		if err := checkLocal(args[0]); err != nil {
			return err
		}
		s.links = append(s.links, [2]string{args[0], args[1]})
	case "era":
		return s.era(args)
	case "pipeline":
		s.pipeline = true
		return count(0, 0)
	case "close":
		s.close = true
		return count(0, 0)
	case "offwire":
		s.offwire = true
		return count(0, 0)
	case "exit":
		if err := count(1, 1); err != nil {
			return err
		}
		code, err := strconv.Atoi(args[0])
		s.exit = code
		return err
	case "timeout":
		if err := count(1, 1); err != nil {
			return err
		}
		d, err := time.ParseDuration(args[0])
		s.timeout = d
		return err
	default:
		return fmt.Errorf("%q is none of args, env, copy, link, era, pipeline, close, offwire, exit, timeout", name)
	}
	return nil
}

func (s *startSection) era(args []string) error {
	bad := fmt.Errorf("era takes legacy, modern or explicit, and for the first two a version of that era; got %q", args)
	if len(args) == 0 || len(args) > 2 {
		return bad
	}
	version := map[string]string{"legacy": LegacyVersion, "modern": ModernVersion, "explicit": ""}
	v, ok := version[args[0]]
	if !ok || len(args) == 2 && args[0] == "explicit" {
		return bad
	}
	if len(args) == 2 {
		if _, err := time.Parse(time.DateOnly, args[1]); err != nil || Modern(args[1]) != Modern(v) {
			return bad
		}
		v = args[1]
	}
	s.eras = append(s.eras, Era{Version: v})
	return nil
}

// splitWords splits a directive at white space. A word in double quotes is a
// Go string literal; # begins a comment.
func splitWords(line string) ([]string, error) {
	var words []string
	for {
		line = strings.TrimLeft(line, " \t")
		if line == "" || line[0] == '#' {
			return words, nil
		}
		if line[0] == '"' {
			quoted, err := strconv.QuotedPrefix(line)
			if err != nil {
				return nil, fmt.Errorf("unfinished string in %q", line)
			}
			word, err := strconv.Unquote(quoted)
			if err != nil {
				return nil, err
			}
			words, line = append(words, word), line[len(quoted):]
			continue
		}
		end := strings.IndexAny(line, " \t")
		if end < 0 {
			end = len(line)
		}
		words, line = append(words, line[:end]), line[end:]
	}
}

// checkVaries refuses a vary line that no recorded answer bears out: it hides
// a value that is gone, or has never matched.
func (t *Transcript) checkVaries() error {
	for _, v := range t.varies {
		found := false
		var err error
		for _, w := range t.want {
			if len(in([]Vary{v}, w)) == 0 {
				continue
			}
			w.walk(nil, func(at pointer, n *node) {
				if !v.at.covers(at) {
					return
				}
				found = true
				if !v.match(n) {
					err = fmt.Errorf("vary %s: the wanted value %s does not match", v, show(n))
				}
			})
		}
		if err != nil {
			return err
		}
		if !found {
			return fmt.Errorf("vary %s: no wanted answer has a value there; remove the line", v)
		}
	}
	return nil
}

// Eras returns the ways the transcript is to be replayed: those that "start"
// names, else once as it stands when its lines do the handshake themselves,
// else in both eras.
func (t *Transcript) Eras() []Era {
	if len(t.start.eras) > 0 {
		return slices.Clone(t.start.eras)
	}
	if slices.ContainsFunc(t.send, isHandshake) {
		return []Era{{}}
	}
	return []Era{{Version: LegacyVersion}, {Version: ModernVersion}}
}

// isHandshake reports whether a line settles the protocol version: it asks to
// initialize or to discover, or carries a version in its metadata.
func isHandshake(line []byte) bool {
	n, err := parseJSON(line)
	if err != nil {
		return false
	}
	method := n.get("method")
	return method.isString("initialize") || method.isString("server/discover") ||
		n.get("params", "_meta", metaVersion) != nil
}

// A ToolCall is one tools/call of a transcript and how it ended.
type ToolCall struct {
	Tool   string
	Failed bool // an error result, or a protocol error
}

// ToolCalls returns the calls of the transcript that have a wanted answer.
func (t *Transcript) ToolCalls() []ToolCall {
	var calls []ToolCall
	for _, line := range t.send {
		req, err := parseJSON(line)
		if err != nil || !req.get("method").isString("tools/call") {
			continue
		}
		name, id := req.get("params", "name"), req.get("id")
		if id == nil {
			continue
		}
		i := slices.IndexFunc(t.want, func(w *node) bool { return answerKey(w) == scalarKey(id) })
		if i < 0 || name == nil || name.kind != kindString {
			continue
		}
		isError := t.want[i].get("result", "isError")
		calls = append(calls, ToolCall{
			Tool:   name.text,
			Failed: t.want[i].get("error") != nil || isError != nil && isError.raw == "true",
		})
	}
	return calls
}

// Record replaces "want" by the answers of a replay and adds the defaults that
// match a value in them to "vary". Answers that match what was wanted so far
// stay as they are, so that values which vary do not change without need. The
// outcomes are those of all eras, which must agree.
func (t *Transcript) Record(outcomes []Outcome, defaults []Vary) error {
	if len(outcomes) == 0 {
		return fmt.Errorf("no outcome to record")
	}
	first := outcomes[0]
	for _, o := range outcomes {
		if len(o.broken) > 0 {
			return fmt.Errorf("in era %s: %s", o.Era, strings.Join(o.broken, "\n"))
		}
	}
	want := make([]*node, len(first.answers))
	for i, a := range first.answers {
		want[i] = a.message
	}
	varies := slices.Clone(t.varies)
	for _, d := range defaults {
		same := func(v Vary) bool { return v.at.String() == d.at.String() }
		if !slices.ContainsFunc(varies, same) {
			varies = append(varies, d.apply(want)...)
		}
	}
	varies = slices.DeleteFunc(varies, func(v Vary) bool { return !hits(v, want) })
	for _, o := range outcomes[1:] {
		if diffs := compareAll(want, o.answers, varies); len(diffs) > 0 {
			return fmt.Errorf("the eras %s and %s do not agree; say with era which one is meant, or with vary what differs:\n%s",
				first.Era, o.Era, strings.Join(diffs, "\n"))
		}
	}
	t.want, t.varies = keepMatching(t.want, want, varies), varies
	var b bytes.Buffer
	for _, w := range t.want {
		fmt.Fprintln(&b, w)
	}
	t.setSection("want", b.Bytes())
	t.setSection("vary", formatVaries(varies))
	return t.checkVaries()
}

// keepMatching returns the new answers, each replaced by the old one with its
// key where the two agree.
func keepMatching(old, fresh []*node, varies []Vary) []*node {
	out := slices.Clone(fresh)
	for i, f := range out {
		for _, o := range old {
			if answerKey(o) == answerKey(f) && len(compare(o, f, varies)) == 0 {
				out[i] = o
				break
			}
		}
	}
	return out
}

// apply returns the lines that a default becomes for some answers: none when it
// matches in none of them, itself when it matches wherever there is a value,
// else a line for each answer that it matches in.
func (v Vary) apply(answers []*node) []Vary {
	var lines []Vary
	everywhere := true
	for _, a := range answers {
		one := v
		one.id = answerKey(a)
		matches, values := 0, 0
		a.walk(nil, func(at pointer, n *node) {
			if v.at.covers(at) {
				values++
				if v.match(n) {
					matches++
				}
			}
		})
		everywhere = everywhere && matches == values
		if matches > 0 && matches == values {
			lines = append(lines, one)
		}
	}
	if everywhere && len(lines) > 0 {
		return []Vary{v}
	}
	return lines
}

// hits reports whether a line matches a value in any of the answers.
func hits(v Vary, answers []*node) bool {
	for _, a := range answers {
		if len(in([]Vary{v}, a)) > 0 && len(v.apply([]*node{a})) > 0 {
			return true
		}
	}
	return false
}

// setSection writes a section, in the order start, send, want, vary at the end
// of the file when it is new; an empty one is removed.
func (t *Transcript) setSection(name string, data []byte) {
	i := slices.IndexFunc(t.archive.Files, func(f txtar.File) bool { return f.Name == name })
	switch {
	case len(data) == 0 && i >= 0:
		t.archive.Files = slices.Delete(t.archive.Files, i, i+1)
	case len(data) == 0:
	case i >= 0:
		t.archive.Files[i].Data = data
	default:
		t.archive.Files = append(t.archive.Files, txtar.File{Name: name, Data: data})
	}
}

// Save writes the transcript back to its file.
func (t *Transcript) Save() error {
	return os.WriteFile(t.path, txtar.Format(t.archive), 0o644)
}

// layDown fills the server's folder.
func (t *Transcript) layDown(dir string) error {
	for _, f := range t.archive.Files {
		if slices.Contains(sections, f.Name) {
			continue
		}
		if err := writeFile(filepath.Join(dir, filepath.FromSlash(f.Name)), f.Data); err != nil {
			return err
		}
	}
	for _, c := range t.start.copies {
		source := filepath.Join(filepath.Dir(t.path), filepath.FromSlash(c[0]))
		if err := copyAll(filepath.Join(dir, filepath.FromSlash(c[1])), source); err != nil {
			return fmt.Errorf("copy %s: %w", c[0], err)
		}
	}
	for _, l := range t.start.links {
		name := filepath.Join(dir, filepath.FromSlash(l[0]))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.Symlink(l[1], name); err != nil {
			return err
		}
	}
	return nil
}

// copyAll copies a file or a folder.
func copyAll(dest, source string) error {
	info, err := os.Stat(source)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return os.CopyFS(dest, os.DirFS(source))
	}
	data, err := os.ReadFile(source)
	if err != nil {
		return err
	}
	return writeFile(dest, data)
}

func writeFile(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o644)
}
