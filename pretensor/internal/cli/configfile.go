package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/pretensor/internal/config"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"
)

// configure writes a source and a repository into the configuration file, beside what
// is there: comments, order and everything else stay. A source or repository that is
// there already stays as it is. source may be nil, repo too.
func (s *session) configure(connection string, source map[string]string, repo *config.Repository) error {
	if _, there := s.cfg.Sources[connection]; there {
		source = nil
	}
	if repo != nil && slices.ContainsFunc(s.cfg.Repositories, func(r config.Repository) bool { return sameRepository(r, *repo) }) {
		repo = nil
	}
	if source == nil && repo == nil {
		return nil
	}
	path := s.cfg.File
	if path == "" {
		path = s.dir.Config()
	}
	old, err := state.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return fmt.Errorf("reading %s: %w", filepath.Base(path), err)
	}
	text := string(old)
	if source != nil {
		text, err = insert(text, "sources", sourceLines(connection, source))
	}
	if err == nil && repo != nil {
		text, err = insert(text, "repositories", []string{"- path: " + scalar(repo.Path), "  service: " + scalar(repo.Service), "  connection: " + scalar(repo.Connection)})
	}
	if err == nil {
		err = s.checkConfig(path, text, connection, source, repo)
	}
	if err != nil {
		return fmt.Errorf("%s was not changed: %w; add it by hand", filepath.Base(path), err)
	}
	mode := state.FileMode
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	if err := os.MkdirAll(filepath.Dir(path), state.DirMode); err != nil {
		return fmt.Errorf("writing %s: %w", filepath.Base(path), err)
	}
	if err := s.dir.Files.Write(path, []byte(text), mode); err != nil {
		return err
	}
	s.log.Info("wrote "+path, "event", "configuration", "status", "ok")
	return nil
}

func sameRepository(a, b config.Repository) bool {
	path := func(r config.Repository) string {
		p, err := filepath.Abs(r.Path)
		if err != nil {
			return r.Path
		}
		return p
	}
	return a.Connection == b.Connection && a.Service == b.Service && path(a) == path(b)
}

// sourceLines are a source as YAML.
func sourceLines(name string, source map[string]string) []string {
	order := []string{"dialect", "url", "host", "port", "user", "password", "database", "path"}
	lines := []string{scalar(name) + ":"}
	for _, key := range order {
		if source[key] != "" {
			lines = append(lines, "  "+key+": "+scalar(source[key]))
		}
	}
	return lines
}

// plainScalar are texts that YAML reads as they stand, and as texts.
var plainScalar = regexp.MustCompile(`^(\$\{[A-Za-z_][A-Za-z0-9_]*\}|[A-Za-z/][A-Za-z0-9_./-]*)$`)

// words are read as something else than a text.
var words = []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf"}

// scalar is a text as YAML writes it. The quoted form is that of Go, of which YAML
// knows every escape.
func scalar(text string) string {
	if plainScalar.MatchString(text) && !slices.Contains(words, strings.ToLower(text)) {
		return text
	}
	return strconv.Quote(text)
}

// insert puts lines into a block of the configuration, at its beginning, or the block
// at the end of the text where there is none. Blocks in other forms than the usual
// one are left to people.
func insert(text, key string, lines []string) (string, error) {
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	all := strings.SplitAfter(text, "\n")
	head := regexp.MustCompile(`^` + key + `:`)
	block := regexp.MustCompile(`^` + key + `:\s*(#.*)?\n$`)
	at := slices.IndexFunc(all, head.MatchString)
	if at < 0 {
		return text + key + ":\n" + indented(lines, "  "), nil
	}
	if !block.MatchString(all[at]) {
		return "", fmt.Errorf("its %s are not written one below the other", key)
	}
	indent := "  "
	for _, line := range all[at+1:] {
		trimmed := strings.TrimLeft(line, " ")
		if strings.TrimSpace(trimmed) == "" || strings.HasPrefix(trimmed, "#") {
			continue
		}
		if found := line[:len(line)-len(trimmed)]; found != "" || strings.HasPrefix(trimmed, "- ") {
			indent = found
		}
		break
	}
	return strings.Join(all[:at+1], "") + indented(lines, indent) + strings.Join(all[at+1:], ""), nil
}

func indented(lines []string, indent string) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(indent + l + "\n")
	}
	return b.String()
}

// checkConfig reads a text as it will be read from path, and fails unless it holds
// what it held and what was added.
func (s *session) checkConfig(path, text, connection string, source map[string]string, repo *config.Repository) error {
	temp, err := os.MkdirTemp("", "pretensor-config-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	file := filepath.Join(temp, state.ConfigName)
	if err := os.WriteFile(file, []byte(text), state.FileMode); err != nil {
		return err
	}
	if secrets, err := state.Read(filepath.Join(filepath.Dir(path), state.SecretsName)); err == nil {
		if err := os.WriteFile(filepath.Join(temp, state.SecretsName), secrets, state.FileMode); err != nil {
			return err
		}
	}
	c, err := config.Load(config.Options{ConfigFlag: file})
	if err != nil {
		return err
	}
	added := 0
	if source != nil {
		added = 1
		got := c.Sources[connection].Values
		if len(got) != len(source) {
			return errors.New("the source would be read otherwise than it is meant")
		}
		for key, value := range source {
			if got[key].Reveal() != value {
				return fmt.Errorf("%s of the source would be read otherwise than it is meant", key)
			}
		}
	}
	if !slices.Equal(slices.Sorted(maps.Keys(s.cfg.Sources)), without(slices.Sorted(maps.Keys(c.Sources)), connection, added)) {
		return errors.New("other sources would be lost")
	}
	want := len(s.cfg.Repositories)
	if repo != nil {
		want++
	}
	if len(c.Repositories) != want {
		return errors.New("other repositories would be lost")
	}
	return nil
}

// without are names without one of them, if n is 1.
func without(names []string, name string, n int) []string {
	if n == 0 {
		return names
	}
	return slices.DeleteFunc(names, func(x string) bool { return x == name })
}
