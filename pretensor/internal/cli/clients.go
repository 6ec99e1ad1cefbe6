package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"
)

// snippet is the client whose form the configuration is printed in when none is
// named: the plain mcpServers object.
const snippet = "claude-desktop"

// clientConfig prints the configuration that makes a client start the server with
// this state directory. more are further arguments of serve.
func (s *session) clientConfig(client string, more []string) error {
	text, err := s.clientText(client, more)
	if err != nil {
		return err
	}
	return s.print("%s", text)
}

func (s *session) clientText(client string, more []string) (string, error) {
	args := []string{"serve"}
	dir, err := filepath.Abs(s.dir.Path())
	if err != nil {
		return "", fmt.Errorf("finding the state directory: %w", err)
	}
	args = append(args, "--state-dir", dir)
	if s.cfg.File != "" && s.cfg.File != s.dir.Config() {
		file, err := filepath.Abs(s.cfg.File)
		if err != nil {
			return "", fmt.Errorf("finding the configuration: %w", err)
		}
		args = append(args, "--config", file)
	}
	text, err := mcpkit.ClientConfig(client, name, s.Executable, append(args, more...))
	if err != nil {
		return "", usagef("%v", err)
	}
	return text, nil
}

// mergeable are the clients whose configuration init can write.
var mergeable = []string{"claude-code", "claude-desktop", "cursor"}

// clientFile is the configuration file of a client; ok is false where there is no
// such place on this system.
func (s *session) clientFile(client string) (path string, ok bool) {
	switch client {
	case "claude-code":
		return ".mcp.json", true // of the project, which is the current folder
	case "cursor":
		return filepath.Join(s.Home, ".cursor", "mcp.json"), s.Home != ""
	case "claude-desktop":
		const file = "claude_desktop_config.json"
		switch runtime.GOOS {
		case "darwin":
			return filepath.Join(s.Home, "Library", "Application Support", "Claude", file), s.Home != ""
		case "windows":
			roaming := s.getenv("APPDATA")
			return filepath.Join(roaming, "Claude", file), roaming != ""
		}
		base := s.getenv("XDG_CONFIG_HOME")
		if base == "" {
			base = filepath.Join(s.Home, ".config")
		}
		return filepath.Join(base, "Claude", file), s.Home != "" || base != ".config"
	}
	return "", false
}

// installed lists the clients that this user has, by what they leave in the folder of
// the user or in the current one.
func (s *session) installed() []string {
	found := []string{}
	for _, client := range mergeable {
		path, ok := s.clientFile(client)
		if !ok {
			continue
		}
		traces := []string{path}
		switch {
		case client == "claude-code" && s.Home != "":
			traces = append(traces, filepath.Join(s.Home, ".claude.json"))
		case client != "claude-code":
			traces = append(traces, filepath.Dir(path))
		}
		if slices.ContainsFunc(traces, func(trace string) bool {
			_, err := os.Stat(trace)
			return err == nil
		}) {
			found = append(found, client)
		}
	}
	return found
}

// writeClient puts the server into the configuration of a client, beside what else is
// there; the old file is kept with .bak after its name. It returns the path, and
// whether anything had to change.
func (s *session) writeClient(client string) (path string, changed bool, err error) {
	path, ok := s.clientFile(client)
	if !ok {
		return "", false, fmt.Errorf("the configuration of %s cannot be written: init knows where that of %s is", client, strings.Join(mergeable, ", "))
	}
	text, err := s.clientText(client, nil)
	if err != nil {
		return path, false, err
	}
	// A link is followed: replacing it by a file would cut off what it stands for.
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	mode := fs.FileMode(0o600)
	old, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		old = nil
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return path, false, err
		}
	case err != nil:
		return path, false, err
	default:
		if info, err := os.Stat(path); err == nil {
			mode = info.Mode().Perm()
		}
	}
	merged, err := mergeConfig(old, []byte(text))
	if err != nil {
		return path, false, fmt.Errorf("%s: %w; it is left as it is", path, err)
	}
	if string(merged) == string(old) {
		return path, false, nil
	}
	w := state.Writer{}
	if old != nil {
		if err := w.Write(path+".bak", old, mode); err != nil {
			return path, false, err
		}
	}
	return path, true, w.Write(path, merged, mode)
}

// mergeConfig is the text of a client's configuration with the server in it that add
// has. Everything else is kept as it stands: other keys, their order, their numbers.
func mergeConfig(old, add []byte) ([]byte, error) {
	var wanted map[string]map[string]json.RawMessage
	if err := json.Unmarshal(add, &wanted); err != nil {
		return nil, fmt.Errorf("reading our own configuration: %w", err)
	}
	if len(strings.TrimSpace(string(old))) == 0 {
		return add, nil
	}
	root, err := parseObject(old)
	if err != nil {
		return nil, err
	}
	for section, servers := range wanted {
		inner := object{}
		if text, ok := root.get(section); ok && string(text) != "null" {
			if inner, err = parseObject(text); err != nil {
				return nil, fmt.Errorf("%q in it: %w", section, err)
			}
		}
		before := len(inner)
		unchanged := before > 0
		for server, entry := range servers {
			if have, ok := inner.get(server); !ok || !sameJSON(have, entry) {
				inner.set(server, entry)
				unchanged = false
			}
		}
		if unchanged {
			return old, nil
		}
		text, err := json.Marshal(inner)
		if err != nil {
			return nil, err
		}
		root.set(section, text)
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(root); err != nil {
		return nil, err
	}
	return []byte(b.String()), nil
}

// object is a JSON object whose members keep their order.
type object []member

type member struct {
	key   string
	value json.RawMessage
}

// parseObject reads an object. A file with comments, which some clients allow, is no
// JSON, and refused: they would be lost.
func parseObject(text []byte) (object, error) {
	dec := json.NewDecoder(strings.NewReader(string(text)))
	notOne := errors.New("it is not a JSON object")
	if !utf8.Valid(text) {
		return nil, errors.New("it is not UTF-8")
	}
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, notOne
	}
	o := object{}
	for dec.More() {
		t, err := dec.Token()
		key, isKey := t.(string)
		if err != nil || !isKey {
			return nil, notOne
		}
		var value json.RawMessage
		if dec.Decode(&value) != nil {
			return nil, notOne
		}
		o = append(o, member{key, value})
	}
	if _, err := dec.Token(); err != nil {
		return nil, notOne
	}
	if dec.More() {
		return nil, notOne
	}
	return o, nil
}

// index is the place of a key; of several, the last one's, which is the one that counts.
func (o object) index(key string) int {
	for i := len(o) - 1; i >= 0; i-- {
		if o[i].key == key {
			return i
		}
	}
	return -1
}

func (o object) get(key string) (json.RawMessage, bool) {
	if i := o.index(key); i >= 0 {
		return o[i].value, true
	}
	return nil, false
}

func (o *object) set(key string, value json.RawMessage) {
	if i := o.index(key); i >= 0 {
		(*o)[i].value = value
		return
	}
	*o = append(*o, member{key, value})
}

// MarshalJSON writes the members in their order.
func (o object) MarshalJSON() ([]byte, error) {
	var b strings.Builder
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := json.Marshal(m.key)
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(m.value)
	}
	b.WriteByte('}')
	return []byte(b.String()), nil
}

func sameJSON(a, b json.RawMessage) bool {
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return false
	}
	return reflect.DeepEqual(x, y)
}
