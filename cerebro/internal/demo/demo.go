package demo

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"path"
	"time"

	"github.com/quartet-mcp/quartet/cerebro/internal/demo/raw"
)

// Names that the database and the artifacts share.
const (
	Name     = "orchard" // of the project
	Database = "demo"    // of the DuckDB file demo.duckdb, and so of its catalog
	Schema   = "dbt"     // of the models
	TimeZone = "Europe/Berlin"
)

// Today is the day on which the demo takes place: the last one of its data. The
// server asks it instead of the clock, so that "last month" has an answer for ever.
var Today = raw.LastDay

// ran is when dbt is said to have run: after the last order of the last day.
var ran = Today.Add(23*time.Hour + 59*time.Minute)

//go:embed all:project facts.json *.go
var files embed.FS

// project is the project's folder.
func project() fs.FS {
	sub, err := fs.Sub(files, "project")
	if err != nil {
		panic(err)
	}
	return sub
}

// Version changes whenever the rows, the project or the artifacts may: it is a
// hash of the texts that they are made of, and of those that are given.
func Version(more ...string) string {
	sum := sha256.New()
	for _, text := range more {
		sum.Write([]byte(text))
	}
	for _, f := range []fs.FS{files, raw.Sources} {
		err := fs.WalkDir(f, ".", func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			text, err := fs.ReadFile(f, name)
			sum.Write([]byte(path.Base(name)))
			sum.Write([]byte{0})
			sum.Write(text)
			return err
		})
		if err != nil {
			panic(err)
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}
