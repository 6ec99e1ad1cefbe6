// Package demo is the demonstration that needs nothing installed: a small shop that
// sells household goods. [Write] puts four things into a folder: the SQLite file
// shop.db, the manifest of a dbt project over it, a semantic layer with four
// metrics, and the source code of programs that use the tables.
//
// Everything is made up, and the same bytes each time. Most keys are declared;
// web_events.customer_ref and support_tickets.order_no are not, so that there is
// something to infer. v_active_customers stands for one table, v_order_summary for
// three.
package demo

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/quartet-mcp/quartet/pretensor/internal/state"
)

// Connection is the name that the demonstration is indexed under; the semantic
// layer names it.
const Connection = "demo"

// files are written as they are: the semantic layer and the application. The
// application's Go files are a package here, so that they are known to compile.
//
//go:embed semantic.yaml app
var files embed.FS

const (
	databaseName = "shop.db"
	manifestName = "manifest.json"
	semanticName = "semantic.yaml"
	appName      = "app"
)

// Files are the paths of what [Write] wrote.
type Files struct {
	Database string // a SQLite file
	Manifest string // manifest.json of dbt, schema version 12
	Semantic string // YAML of the semantic layer
	App      string // folder of source code
}

// Write makes the demonstration in a folder, which it creates if it is missing.
// Each file is replaced as a whole or not at all, and one that has the right bytes
// already is not touched, so that Write may be repeated, also after a failure.
// Other files in the folder stay as they are.
func Write(dir string) (Files, error) {
	database, err := shop()
	if err != nil {
		return Files{}, fmt.Errorf("building the demonstration's database: %w", err)
	}
	return write(state.Writer{}, dir, database)
}

func write(w state.Writer, dir string, database []byte) (Files, error) {
	f := Files{
		Database: filepath.Join(dir, databaseName),
		Manifest: filepath.Join(dir, manifestName),
		Semantic: filepath.Join(dir, semanticName),
		App:      filepath.Join(dir, appName),
	}
	manifest, err := manifest()
	if err != nil {
		return Files{}, fmt.Errorf("building the demonstration's manifest: %w", err)
	}
	content := map[string][]byte{databaseName: database, manifestName: manifest}
	order := []string{databaseName, manifestName}
	err = fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		order = append(order, name)
		content[name], err = files.ReadFile(name)
		return err
	})
	if err != nil {
		return Files{}, fmt.Errorf("reading the demonstration's files: %w", err)
	}
	for _, name := range order {
		if err := put(w, dir, name, content[name]); err != nil {
			return Files{}, err
		}
	}
	return f, nil
}

// put writes a file below dir unless it is there with these bytes.
func put(w state.Writer, dir, name string, data []byte) error {
	target := filepath.Join(dir, filepath.FromSlash(name))
	if old, err := os.ReadFile(target); err == nil && bytes.Equal(old, data) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(target), state.DirMode); err != nil {
		if p, ok := errors.AsType[*fs.PathError](err); ok {
			err = p.Err // without the path, which is the owner's business
		}
		return fmt.Errorf("creating the folder of %s: %w", path.Base(name), err)
	}
	return w.Write(target, data, state.FileMode)
}
