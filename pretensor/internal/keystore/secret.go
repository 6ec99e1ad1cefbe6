package keystore

import (
	"fmt"
	"log/slog"
)

// hidden stands for a secret where one is printed.
const hidden = "***"

// Secret is a text that must not get into a log, message or file by accident:
// whatever prints or encodes it gets three stars, or nothing if it is empty.
// [Secret.Reveal] is the way to the text.
type Secret string

// Reveal returns the text itself.
func (s Secret) Reveal() string { return string(s) }

func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return hidden
}

// Format writes the same whatever the verb is.
func (s Secret) Format(f fmt.State, _ rune) { f.Write([]byte(s.String())) }

// LogValue is the same for structured logs.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText is the same for JSON, YAML and other encodings.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
