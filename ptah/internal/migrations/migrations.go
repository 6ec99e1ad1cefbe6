// Package migrations judges a directory of migration files without a database: the form
// and versions of their names, the checksum file, and their SQL.
package migrations

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/artifact"
	"github.com/quartet-mcp/quartet/ptah/internal/files"
	"github.com/quartet-mcp/quartet/ptah/internal/plain"
	"github.com/quartet-mcp/quartet/ptah/internal/source/textfile"
)

// Severity says whether a diagnostic stands in the way.
type Severity string

// The severities.
const (
	Failure Severity = "error"
	Advice  Severity = "warning"
)

// Diagnostic is what a rule says about a file.
type Diagnostic struct {
	Severity Severity
	Rule     string // MIG001, SQL001, CAP001, DDL001, …
	Path     string
	Line     int // from 1; 0: the whole file
	Message  string
}

func (d Diagnostic) String() string {
	at := d.Path
	if d.Line > 0 {
		at = fmt.Sprintf("%s:%d", d.Path, d.Line)
	}
	return plain.Visible(fmt.Sprintf("%s: %s: %s (%s)", at, d.Severity, d.Message, d.Rule))
}

// Failed reports whether one of the diagnostics is an error.
func Failed(all []Diagnostic) bool {
	return slices.ContainsFunc(all, func(d Diagnostic) bool { return d.Severity == Failure })
}

// Direction is what a migration file is for.
type Direction string

// The directions.
const (
	Up         Direction = "up"
	Down       Direction = "down"
	Checkpoint Direction = "checkpoint" // the state that all earlier versions lead to
)

// File is one migration.
type File struct {
	Name      string // in its directory
	Version   string // the digits in front
	Slug      string
	Direction Direction
	Text      string
	digest    string // of the bytes
}

var fileName = regexp.MustCompile(`^([0-9]+)_([^/]+)\.(up|down|checkpoint)\.sql$`)

// Directory is what a directory of migrations holds.
type Directory struct {
	Files []File // by version and direction, up before down
	Sum   string // the text of the checksum file; empty: there is none
}

// Read reads the migrations of a directory and judges their names. The error is a
// directory or file that cannot be read.
func Read(dir fs.FS) (*Directory, []Diagnostic, error) {
	entries, err := fs.ReadDir(dir, ".")
	if err != nil {
		return nil, nil, fmt.Errorf("reading the directory of migrations: %w", err)
	}
	d := &Directory{}
	found := []Diagnostic{}
	for _, e := range entries {
		name := e.Name()
		if strings.HasPrefix(name, ".") || name != artifact.SumName && path.Ext(name) != ".sql" {
			continue
		}
		if !e.Type().IsRegular() {
			return nil, nil, fmt.Errorf("%s: %w", name, files.ErrNotRegular)
		}
		data, err := fs.ReadFile(dir, name)
		if err != nil {
			return nil, nil, fmt.Errorf("reading %s: %w", name, err)
		}
		text, err := textfile.Check(data)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		if name == artifact.SumName {
			d.Sum = text
			continue
		}
		f := File{Name: name, Text: text, digest: artifact.Digest(data)}
		if m := fileName.FindStringSubmatch(name); m != nil {
			f.Version, f.Slug, f.Direction = m[1], m[2], Direction(m[3])
		} else {
			found = append(found, Diagnostic{Failure, "MIG001", name, 0, "the name is not <digits>_<slug>.up.sql, .down.sql or .checkpoint.sql"})
		}
		d.Files = append(d.Files, f)
	}
	slices.SortStableFunc(d.Files, func(a, b File) int {
		return cmp.Or(compareVersions(a.Version, b.Version), -cmp.Compare(a.Direction, b.Direction), cmp.Compare(a.Name, b.Name))
	})
	return d, append(found, d.versions()...), nil
}

// compareVersions compares numbers of any length; leading zeros do not count.
func compareVersions(a, b string) int {
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

// versions judges the versions: one file for each version and direction, and a way down
// from each.
func (d *Directory) versions() []Diagnostic {
	var found []Diagnostic
	type key struct {
		version   string
		direction Direction
	}
	first := map[key]string{}
	for _, f := range d.Files {
		if f.Version == "" {
			continue
		}
		k := key{strings.TrimLeft(f.Version, "0"), f.Direction}
		if other, ok := first[k]; ok {
			found = append(found, Diagnostic{Failure, "MIG002", f.Name, 0, fmt.Sprintf("version %s is that of %s too", f.Version, other)})
			continue
		}
		first[k] = f.Name
	}
	for _, f := range d.Files {
		if f.Version == "" || f.Direction != Up {
			continue
		}
		if _, ok := first[key{strings.TrimLeft(f.Version, "0"), Down}]; !ok {
			found = append(found, Diagnostic{Advice, "MIG003", f.Name, 0, fmt.Sprintf("version %s has no way down; a file %s_%s.down.sql would be it", f.Version, f.Version, f.Slug)})
		}
	}
	return found
}

// Hash returns the text of the checksum file that fits the directory.
func (d *Directory) Hash() (string, error) {
	entries := make([]artifact.Entry, len(d.Files))
	for i, f := range d.Files {
		entries[i] = artifact.Entry{Path: f.Name, Size: int64(len(f.Text)), Digest: f.digest}
	}
	sum, err := artifact.Sum(entries)
	if err != nil {
		return "", fmt.Errorf("computing the checksums: %w", err)
	}
	return string(sum), nil
}

// Verify compares the checksum file with the files.
func (d *Directory) Verify() ([]Diagnostic, error) {
	hash, err := d.Hash()
	switch {
	case err != nil:
		return nil, err
	case d.Sum == "":
		return []Diagnostic{{Failure, "MIG004", artifact.SumName, 0, "there is no checksum file; ptah migrations hash writes it"}}, nil
	case d.Sum == hash:
		return []Diagnostic{}, nil
	}
	had, now := entries(d.Sum), entries(hash)
	found := []Diagnostic{}
	for _, f := range d.Files {
		switch sum, ok := had[f.Name]; {
		case !ok:
			found = append(found, Diagnostic{Failure, "MIG004", f.Name, 0, "the checksum file does not list it; it was added since"})
		case sum != now[f.Name]:
			found = append(found, Diagnostic{Failure, "MIG004", f.Name, 0, "its checksum is another one; it was changed since"})
		}
		delete(had, f.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(had)) {
		found = append(found, Diagnostic{Failure, "MIG004", name, 0, "the checksum file lists it, and it is not there; it was removed since"})
	}
	if len(found) == 0 {
		found = append(found, Diagnostic{Failure, "MIG004", artifact.SumName, 0, "the checksum file itself was changed; ptah migrations hash writes it anew"})
	}
	return found, nil
}

// entries are the lines of a checksum file by the file that they are about.
func entries(sum string) map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(sum) {
		if at := strings.LastIndex(line, " h1:"); at > 0 {
			all[line[:at]] = strings.TrimSpace(line[at+1:])
		}
	}
	return all
}
