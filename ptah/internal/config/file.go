package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"unicode/utf8"

	"github.com/goccy/go-yaml"

	"github.com/quartet-mcp/quartet/ptah/internal/files"
)

// maxFile bounds the files that the operator names.
const maxFile = 256 << 10

// file is the operator's file. Relative paths in it are relative to its directory: a
// client may start the server anywhere.
type file struct {
	Version   int            `yaml:"version"`
	Workspace *fileWorkspace `yaml:"workspace"`

	SourceRoots     []string       `yaml:"schema_source_roots"`
	Databases       []fileDatabase `yaml:"databases"`
	Policy          string         `yaml:"policy"`
	AuditLog        string         `yaml:"audit_log"`
	ApprovalTimeout string         `yaml:"approval_timeout"`
	RenderPasswords bool           `yaml:"render_passwords"`

	path string // absolute; empty: there is no file
}

type fileWorkspace struct {
	Root          string            `yaml:"root"`
	Dialect       string            `yaml:"dialect"`
	ServerVersion string            `yaml:"server_version"`
	Artifacts     map[string]string `yaml:"artifacts"`
	AllowWrite    []string          `yaml:"allow_write"`
	AllowDelete   []string          `yaml:"allow_delete"`
}

type fileDatabase struct {
	Name     string   `yaml:"name"`
	Class    string   `yaml:"class"`
	URL      string   `yaml:"url"`
	URLEnv   string   `yaml:"url_env"`
	URLFile  string   `yaml:"url_file"`
	Schemas  []string `yaml:"schemas"`
	Provider string   `yaml:"provider"`
}

// readFile reads the operator's file at a path; where names it in errors.
func readFile(path, where string) (*file, error) {
	text, err := readBounded(path)
	if err != nil {
		return nil, &Error{where, fmt.Sprintf("the file cannot be read: %v", err)}
	}
	f := &file{}
	if f.path, err = filepath.Abs(path); err != nil {
		return nil, &Error{where, fmt.Sprintf("the path has no absolute form: %v", err)}
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text), yaml.DisallowUnknownField())
	if err := decoder.Decode(f); err != nil && !errors.Is(err, io.EOF) {
		return nil, yamlError(where, err)
	}
	var second any
	if err := decoder.Decode(&second); !errors.Is(err, io.EOF) {
		return nil, &Error{where, "the file has a second document, or what follows the first is not YAML"}
	}
	if f.Version != 1 {
		return nil, &Error{where, fmt.Sprintf("version is %d; write \"version: 1\"", f.Version)}
	}
	return f, nil
}

// yamlError names the line of a mistake, and what it is, without the text around it that
// the library quotes: that may be a secret.
func yamlError(where string, err error) error {
	var y yaml.Error
	if !errors.As(err, &y) {
		return &Error{where, "the file is not valid YAML"}
	}
	message := y.GetMessage()
	if t := y.GetToken(); t != nil && t.Position != nil {
		message = fmt.Sprintf("line %d: %s", t.Position.Line, message)
		if t.Value == "auto_approve" || t.Value == "allow_database_inspect" {
			message += "; it can only be said with a flag"
		}
	}
	return &Error{where, message}
}

// readBounded reads a file that the operator names. Its error does not repeat the path.
func readBounded(path string) ([]byte, error) {
	text, err := files.Read(path, maxFile)
	if err == nil && !utf8.Valid(text) {
		err = errors.New("it is not UTF-8")
	}
	return text, err
}

// at returns the place of a key for errors.
func (f *file) at(format string, args ...any) string {
	return "config file, " + fmt.Sprintf(format, args...)
}

// from makes a path of the file absolute.
func (f *file) from(path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(f.path), path)
}
