// Package state is the state directory: where everything that pretensor writes
// lies, under which name and mode, and how it is written so that a reader sees
// the old bytes or the new ones and never a mixture.
//
// A [Dir] gives the paths. [Writer] writes files. [Dir.Lock] keeps two writers
// apart, across processes as well as goroutines. What is inside the files is the
// business of other packages.
package state

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/quartet-mcp/quartet/pretensor/internal/names"
)

// Modes of what is created.
const (
	DirMode  fs.FileMode = 0o700
	FileMode fs.FileMode = 0o600
)

// DefaultPath is the state directory where none is named.
const DefaultPath = ".pretensor"

// Names inside the state directory.
const (
	ConfigName     = "config.yaml"
	SecretsName    = "sources.secrets.yaml"
	VisibilityName = "visibility.yml"
	KeystoreName   = "keystore"
	RegistryName   = "registry.json"
	LockName       = "lock"

	graphsName    = "graphs"
	snapshotsName = "snapshots"
	demoName      = "demo"
	unified       = "unified" // kept free for a graph of all connections
)

// Dir is a state directory, which need not exist. The zero value is not usable;
// [At] makes one. A Dir may be used by several goroutines as long as its fields
// are not changed.
type Dir struct {
	path string

	// Files writes the files in it.
	Files Writer
	// LockWait is how long [Dir.Lock] waits for another writer; zero is 10 s.
	LockWait time.Duration
}

// At is the state directory at path, or at [DefaultPath] if path is empty.
// Nothing is read or created.
func At(path string) *Dir {
	if path == "" {
		path = DefaultPath
	}
	return &Dir{path: filepath.Clean(path)}
}

// Create makes the directory and its folders where they are missing, readable by
// the owner alone. Those that exist keep their mode; see [Dir.Warnings].
func (d *Dir) Create() error {
	for _, p := range []string{d.path, d.in(graphsName), d.in(snapshotsName)} {
		if err := os.MkdirAll(p, DirMode); err != nil {
			return fmt.Errorf("creating the state directory: %w", bare(err))
		}
	}
	return nil
}

// Exists reports whether the directory is there.
func (d *Dir) Exists() bool {
	info, err := os.Stat(d.path)
	return err == nil && info.IsDir()
}

// Warnings says what is wrong with the modes of the directory, in one sentence
// each. There are none on systems without such modes.
func (d *Dir) Warnings() []string {
	info, err := os.Stat(d.path)
	if err != nil || runtime.GOOS == "windows" || info.Mode().Perm()&0o077 == 0 {
		return nil
	}
	return []string{fmt.Sprintf("the state directory has mode %04o, so others can look into it; run: chmod 700 %s", info.Mode().Perm(), filepath.Base(d.path))}
}

func (d *Dir) in(elem ...string) string {
	return filepath.Join(append([]string{d.path}, elem...)...)
}

// Path is the directory itself, as it was named.
func (d *Dir) Path() string { return d.path }

// Config is the configuration file.
func (d *Dir) Config() string { return d.in(ConfigName) }

// Visibility is the file of visibility rules.
func (d *Dir) Visibility() string { return d.in(VisibilityName) }

// Keystore is the file of the key that secrets are kept under.
func (d *Dir) Keystore() string { return d.in(KeystoreName) }

// Registry is the list of connections.
func (d *Dir) Registry() string { return d.in(RegistryName) }

// Demo is the folder of the demonstration's files.
func (d *Dir) Demo() string { return d.in(demoName) }

// Graph is the graph of a connection.
func (d *Dir) Graph(connection string) (string, error) {
	return d.of(graphsName, connection, ".kuzu")
}

// Snapshot is the last introspection of a connection.
func (d *Dir) Snapshot(connection string) (string, error) {
	return d.of(snapshotsName, connection, ".yaml")
}

func (d *Dir) of(folder, connection, ending string) (string, error) {
	name, err := FileName(connection)
	if err != nil {
		return "", err
	}
	return d.in(folder, name+ending), nil
}

// maxFileName keeps a name with its ending and a temporary file's additions
// within the 255 bytes that file systems allow.
const maxFileName = 200

// FileName is what a connection is called in file names: "/" becomes "_", and
// every byte outside A–Z, a–z, 0–9, ".", "_" and "-" is percent-encoded. Empty
// names, names too long for a file and the one name taken by the graph of all
// connections are refused.
func FileName(connection string) (string, error) {
	if connection == "" {
		return "", errors.New("a connection name must not be empty")
	}
	var b strings.Builder
	for i := range len(connection) {
		switch c := connection[i]; {
		case c == '/':
			b.WriteByte('_')
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '.', c == '_', c == '-':
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	switch name := b.String(); {
	case len(name) > maxFileName:
		return "", fmt.Errorf("connection name %q is too long: it takes %d bytes in a file name, at most %d are allowed", names.Shown(connection), len(name), maxFileName)
	case foldedFiles(name) == foldedFiles(unified):
		return "", fmt.Errorf("connection name %q is taken by the graph of all connections; choose another", connection)
	default:
		return name, nil
	}
}

// CheckNew says why a connection cannot be called name beside the others: the
// name makes no file name, or the same file name as another one. The name may
// stand among the others.
func CheckNew(name string, others []string) error {
	file, err := FileName(name)
	if err != nil {
		return err
	}
	for _, other := range others {
		if other == name {
			continue
		}
		if o, err := FileName(other); err == nil && foldedFiles(o) == foldedFiles(file) {
			return fmt.Errorf("connection name %q would use the same files as %q; choose another", name, other)
		}
	}
	return nil
}

// foldedFiles makes equal what is one file on this system.
func foldedFiles(name string) string {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return strings.ToLower(name)
	}
	return name
}

// NewGeneration is a fresh id for a built graph: the time, so that ids sort by
// age, and 32 random bits, so that two of one second differ.
func NewGeneration(now time.Time) string {
	var b [4]byte
	rand.Read(b[:]) // never fails
	return now.UTC().Format("20060102T150405Z") + "-" + hex.EncodeToString(b[:])
}

// bare takes the path out of an error of the file system: a state directory's
// place is nobody's business but its owner's.
func bare(err error) error {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		return fmt.Errorf("%s %s: %w", p.Op, filepath.Base(p.Path), p.Err)
	case errors.As(err, &l):
		return fmt.Errorf("%s %s: %w", l.Op, filepath.Base(l.New), l.Err)
	}
	return err
}
