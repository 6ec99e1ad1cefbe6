// Package provider runs the programs that an operator attaches for engines without a
// built-in reader. A [Manifest] names the program and pins its content; [Provider.Read]
// runs it once, for one answer:
//
//	stdin   {"op":"read","url":"…","schemas":[…]}
//	stdout  {"dialect":"…","version":"…","objects":[{"kind":"…","schema":"…","name":"…","columns":2}]}
//	   or   {"error":{"code":"unreachable","message":"…"}}
//
// The program gets no shell, no environment but PATH, HOME and LANG, and an empty
// directory to work in. Only the operator can name one: no argument of a call does.
package provider

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/quartet-mcp/quartet/ptah/internal/dburl"
	"github.com/quartet-mcp/quartet/ptah/internal/files"
)

// Protocol is what manifests must name.
const Protocol = "ptah-provider/1"

const (
	maxManifest    = 64 << 10
	defaultTimeout = 30 * time.Second
	maxTimeout     = 60 * time.Second // of the whole call
)

// Manifest is what an operator writes of a program. All but args and timeout_seconds
// are required.
type Manifest struct {
	Protocol       string   `json:"protocol"`
	Name           string   `json:"name"`
	Engine         string   `json:"engine"`
	Schemes        []string `json:"schemes"`
	Executable     string   `json:"executable"`
	Args           []string `json:"args"`
	SHA256         string   `json:"sha256"`
	TimeoutSeconds int      `json:"timeout_seconds"`
}

// Provider is a program that reads the catalog of one engine.
type Provider struct {
	m       Manifest
	timeout time.Duration
}

// Load reads the manifest of a file, and checks the program that it names.
func Load(file string) (*Provider, error) {
	text, err := files.Read(file, maxManifest)
	if err != nil {
		return nil, fmt.Errorf("the manifest cannot be read: %w", err)
	}
	p, err := parse(text)
	if err != nil {
		return nil, err
	}
	return p, p.verify()
}

var (
	digest = regexp.MustCompile(`^[0-9a-f]{64}$`)
	word   = regexp.MustCompile(`^[a-z][a-z0-9+._-]{0,39}$`)
)

func parse(text []byte) (*Provider, error) {
	var m Manifest
	if err := decode(text, &m); err != nil {
		return nil, fmt.Errorf("the manifest is not valid: %w", err)
	}
	wrong := func(format string, args ...any) (*Provider, error) {
		return nil, fmt.Errorf("the manifest is not valid: "+format, args...)
	}
	switch {
	case m.Protocol != Protocol:
		return wrong("protocol is %.80q, not %q", m.Protocol, Protocol)
	case !word.MatchString(m.Name):
		return wrong("name is %.80q; write a lower-case word", m.Name)
	case !word.MatchString(m.Engine):
		return wrong("engine is %.80q; write a lower-case word", m.Engine)
	case len(m.Schemes) == 0:
		return wrong("schemes is empty")
	case !filepath.IsAbs(m.Executable):
		return wrong("executable is %.80q; write an absolute path", m.Executable)
	case !digest.MatchString(m.SHA256):
		return wrong("sha256 is not 64 lower-case hexadecimal digits")
	case m.TimeoutSeconds < 0 || m.TimeoutSeconds > int(maxTimeout.Seconds()):
		return wrong("timeout_seconds is %d; write 1 to %d", m.TimeoutSeconds, int(maxTimeout.Seconds()))
	}
	for _, s := range m.Schemes {
		u, err := dburl.Parse(s + "://host")
		switch {
		case err != nil || u.Scheme() != s:
			return wrong("schemes has %.80q; write a scheme in lower case", s)
		case u.Dialect() != "":
			return wrong("schemes has %q, for which there is a built-in reader", s)
		}
	}
	p := &Provider{m: m, timeout: time.Duration(m.TimeoutSeconds) * time.Second}
	if p.timeout == 0 {
		p.timeout = defaultTimeout
	}
	return p, nil
}

// Name returns what the provider is called.
func (p *Provider) Name() string { return p.m.Name }

// Engine returns the engine that it reads.
func (p *Provider) Engine() string { return p.m.Engine }

// Serves reports whether it reads databases with URLs of a scheme.
func (p *Provider) Serves(scheme string) bool { return slices.Contains(p.m.Schemes, scheme) }

// verify checks that the program is the one that the manifest pins.
func (p *Provider) verify() error {
	f, err := files.Open(p.m.Executable)
	if err != nil {
		return fmt.Errorf("the executable of provider %q cannot be read: %w", p.m.Name, err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return fmt.Errorf("the executable of provider %q cannot be read: %w", p.m.Name, files.Cause(err))
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != p.m.SHA256 {
		return fmt.Errorf("the executable of provider %q is not the one of its manifest: its sha256 is %s", p.m.Name, got)
	}
	return nil
}
