package cli

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/quartet-mcp/quartet/pretensor/internal/names"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"
)

// print writes a result for people.
func (s *session) print(format string, args ...any) error {
	_, err := fmt.Fprintf(s.Stdout, format, args...)
	return err
}

// printJSON writes a result for machines.
func (s *session) printJSON(v any) error {
	enc := json.NewEncoder(s.Stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// line is a command of this program as a person can type it, for the same state
// directory and configuration.
func (s *session) line(args ...string) string {
	words := append([]string{name}, args...)
	if s.stateDir != "" && filepath.Clean(s.stateDir) != state.DefaultPath {
		words = append(words, "--state-dir", s.stateDir)
	}
	if s.configFile != "" {
		words = append(words, "--config", s.configFile)
	}
	for i, w := range words {
		words[i] = names.Argument(w)
	}
	return strings.Join(words, " ")
}

// age is a time span in one unit.
func age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return names.Count(int(d/time.Minute), "minute")
	case d < 24*time.Hour:
		return names.Count(int(d/time.Hour), "hour")
	}
	return names.Count(int(d/(24*time.Hour)), "day")
}
