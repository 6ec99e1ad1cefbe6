package build

import (
	"context"
	"database/sql"
	"database/sql/driver"
	_ "embed" // of this file
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	duckdb "github.com/duckdb/duckdb-go/v2"

	"github.com/quartet-mcp/quartet/cerebro/internal/demo"
	"github.com/quartet-mcp/quartet/cerebro/internal/demo/raw"
)

// Demo is a demo warehouse on disk. Its folder is a dbt project.
type Demo struct {
	Dir      string // with dbt_project.yml and the folder models
	Database string // demo.duckdb
	Target   string // the folder of the artifacts
	// Rebuilt says that it was made by this call.
	Rebuilt bool
}

const (
	databaseFile = demo.Database + ".duckdb"
	targetFolder = "target"
	versionFile  = "version" // written last: without it the warehouse is not whole
	lockFile     = "lock"
)

//go:embed build.go
var source string

// version is that of what Build makes.
func version() string { return demo.Version(source) }

// Build makes the warehouse in a folder, or leaves the one that is there when it
// is of this version and force is false. Everything is made in a folder beside it
// and then moved, so a reader finds the old files or the new ones; processes that
// build at once wait for each other.
func Build(ctx context.Context, dir string, force bool) (_ Demo, err error) {
	d := Demo{Dir: dir, Database: filepath.Join(dir, databaseFile), Target: filepath.Join(dir, targetFolder)}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return Demo{}, fmt.Errorf("making the folder of the demo: %w", err)
	}
	unlock, err := lock(ctx, filepath.Join(dir, lockFile))
	if err != nil {
		return Demo{}, fmt.Errorf("waiting for another build of the demo: %w", err)
	}
	defer func() { err = errors.Join(err, unlock()) }()
	made := version()
	if !force && d.is(made) {
		return d, nil
	}
	temporary, err := os.MkdirTemp(dir, ".build-")
	if err != nil {
		return Demo{}, fmt.Errorf("making a temporary folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temporary)) }()
	if err := writeFiles(temporary, made); err != nil {
		return Demo{}, fmt.Errorf("writing the project: %w", err)
	}
	if err := Database(ctx, filepath.Join(temporary, databaseFile)); err != nil {
		return Demo{}, err
	}
	if err := move(temporary, dir); err != nil {
		return Demo{}, fmt.Errorf("putting the demo in its place: %w", err)
	}
	d.Rebuilt = true
	return d, nil
}

// is tells whether the warehouse is whole and of a version.
func (d Demo) is(version string) bool {
	text, err := os.ReadFile(filepath.Join(d.Dir, versionFile))
	if err != nil || string(text) != version {
		return false
	}
	for _, name := range []string{d.Database, filepath.Join(d.Target, "manifest.json")} {
		if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
			return false
		}
	}
	return true
}

// writeFiles writes all but the database.
func writeFiles(dir, version string) error {
	artifacts, err := demo.MakeArtifacts()
	if err != nil {
		return err
	}
	if err := os.Mkdir(filepath.Join(dir, targetFolder), 0o700); err != nil {
		return err
	}
	for name, text := range artifacts.Files() {
		if err := os.WriteFile(filepath.Join(dir, targetFolder, name), text, 0o600); err != nil {
			return err
		}
	}
	project := demo.Files()
	err = fs.WalkDir(project, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		to := filepath.Join(dir, filepath.FromSlash(name))
		if e.IsDir() {
			return os.Mkdir(to, 0o700)
		}
		text, err := fs.ReadFile(project, name)
		if err != nil {
			return err
		}
		return os.WriteFile(to, text, 0o600)
	})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, versionFile), []byte(version), 0o600)
}

// move puts what is in one folder into another. The version goes first from the
// old and comes last to the new, so half a move is built again.
func move(from, to string) error {
	if err := os.Remove(filepath.Join(to, versionFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, name := range []string{databaseFile, targetFolder, "models", "dbt_project.yml", versionFile} {
		old, at := filepath.Join(from, "old-"+name), filepath.Join(to, name)
		// A folder cannot be renamed over one that holds files.
		if err := os.Rename(at, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := os.Rename(filepath.Join(from, name), at); err != nil {
			return err
		}
	}
	return nil
}

// Database makes the DuckDB file alone; there must be none at path.
func Database(ctx context.Context, path string) (err error) {
	project, err := demo.Open()
	if err != nil {
		return fmt.Errorf("reading the project: %w", err)
	}
	connector, err := duckdb.NewConnector("", nil)
	if err != nil {
		return fmt.Errorf("starting DuckDB: %w", err)
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(1)
	defer func() { err = errors.Join(err, db.Close()) }()
	conn, err := db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("starting DuckDB: %w", err)
	}
	defer conn.Close()
	// The file is attached, because as the database itself its path would be part
	// of a URL.
	statements := []string{
		"SET threads = 2",
		"ATTACH '" + strings.ReplaceAll(path, "'", "''") + "' AS " + demo.Database,
		"USE " + demo.Database,
		"CREATE SCHEMA raw",
		"CREATE SCHEMA " + demo.Schema,
	}
	for _, s := range statements {
		if _, err := conn.ExecContext(ctx, s); err != nil {
			return fmt.Errorf("preparing the database: %w", err)
		}
	}
	for _, t := range raw.Tables() {
		if err := fill(ctx, conn, t); err != nil {
			return fmt.Errorf("filling raw.%s: %w", t.Name, err)
		}
	}
	for _, m := range project.Models {
		kind := "TABLE"
		if m.View() {
			kind = "VIEW"
		}
		statement := "CREATE " + kind + " " + demo.QualifiedName(demo.Schema, m.Name) + " AS\n" + project.Compile(m, demo.QualifiedName)
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("building model %q: %w", m.Name, err)
		}
	}
	for _, s := range []string{"USE memory", "DETACH " + demo.Database} {
		if _, err := conn.ExecContext(ctx, s); err != nil {
			return fmt.Errorf("closing the database: %w", err)
		}
	}
	return os.Chmod(path, 0o600)
}

func fill(ctx context.Context, conn *sql.Conn, t raw.Table) error {
	var columns []string
	for _, c := range t.Columns {
		columns = append(columns, c.Name+" "+c.Type)
	}
	if _, err := conn.ExecContext(ctx, "CREATE TABLE raw."+t.Name+" ("+strings.Join(columns, ", ")+")"); err != nil {
		return err
	}
	return conn.Raw(func(dc any) error {
		appender, err := duckdb.NewAppender(dc.(driver.Conn), demo.Database, "raw", t.Name)
		if err != nil {
			return err
		}
		n := 0
		for row := range t.Rows {
			if n++; n%4096 == 0 && ctx.Err() != nil {
				break
			}
			if err = appender.AppendRow(row...); err != nil {
				break
			}
		}
		return errors.Join(err, ctx.Err(), appender.Close())
	})
}
