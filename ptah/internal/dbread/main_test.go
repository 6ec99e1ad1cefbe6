package dbread

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/datakit/dbtest"
	"github.com/quartet-mcp/quartet/ptah/internal/code"
	"github.com/quartet-mcp/quartet/ptah/internal/config"
	"github.com/quartet-mcp/quartet/ptah/internal/dburl"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/policy"
)

func TestMain(m *testing.M) { os.Exit(dbtest.Main(m)) }

// target is a database that is called shop.
func target(t *testing.T, url string, schemas ...string) config.Database {
	t.Helper()
	u, err := dburl.Parse(url)
	if err != nil {
		t.Fatal(err)
	}
	return config.Database{Name: "shop", Class: policy.Dev, URL: u, Schemas: schemas}
}

// read reads a database and returns its catalog as lines, and what was left out.
func read(t *testing.T, db config.Database, schemas ...string) (c *Catalog, partial []string, err error) {
	t.Helper()
	rep := &finding.Report{}
	c, err = Read(t.Context(), db, schemas, rep, slog.New(slog.DiscardHandler))
	for _, w := range rep.Warnings() {
		if w.Category != finding.CatalogPartial {
			t.Errorf("warning %v", w)
		}
		partial = append(partial, w.Objects...)
	}
	return c, partial, err
}

func mustRead(t *testing.T, db config.Database, schemas ...string) (*Catalog, []string) {
	t.Helper()
	c, partial, err := read(t, db, schemas...)
	if err != nil {
		t.Fatal(err)
	}
	return c, partial
}

// lines writes objects as "kind schema.name columns".
func lines(c *Catalog) []string {
	var list []string
	for _, o := range c.Objects {
		line := o.Kind + " " + o.Schema + "." + o.Name
		if o.Columns != nil {
			line += " " + strconv.Itoa(*o.Columns)
		}
		list = append(list, line)
	}
	return list
}

const secret = "hunter2-s3cret"

// wantError checks the code and words of an error, and that no secret is in it or in what
// caused it.
func wantError(t *testing.T, err error, c code.Code, words string) {
	t.Helper()
	if code.Of(err) != c || !strings.Contains(err.Error(), words) {
		t.Errorf("error = %v, want %s with %q", err, c, words)
	}
	for e := err; e != nil; e = errors.Unwrap(e) {
		if strings.Contains(e.Error(), secret) {
			t.Errorf("a secret is shown: %v", e)
		}
	}
	if strings.ContainsAny(err.Error(), "\n\r") {
		t.Errorf("more than one line: %q", err)
	}
}

func canceled(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}
