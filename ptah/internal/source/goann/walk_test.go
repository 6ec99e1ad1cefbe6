package goann

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema/schematest"
	"github.com/quartet-mcp/quartet/ptah/internal/source/textfile"
)

const declares = "package a\n\n//ptah:schema:enum name=\"e\" values=\"a\"\n"

// Links to folders and to what is outside of the root are told and not followed; one to
// a file inside of it is the file.
func TestLoad_Links(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	write := func(path, text string) {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(dir, "models", "real.txt"), declares)
	write(filepath.Join(dir, "other", "a.go"), strings.Replace(declares, `"e"`, `"other"`, 1))
	write(filepath.Join(outside, "a.go"), strings.Replace(declares, `"e"`, `"outside"`, 1))
	for link, to := range map[string]string{
		"inside.go": "real.txt", "folder": "../other", "outside.go": filepath.Join(outside, "a.go"), "nothing.go": "nowhere", "text": "nowhere",
	} {
		if err := os.Symlink(to, filepath.Join(dir, "models", link)); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	var rep finding.Report
	db := Load(t.Context(), root.FS(), "models", "models", dialect.Postgres, &rep)
	const want = `enum "e" Values=["a"] # models/inside.go:3

warning ignored-file: folder models/folder: it is a link, which is not followed
warning ignored-file: file models/nothing.go: it is a link to what cannot be read
warning ignored-file: file models/outside.go: it is a link to what cannot be read
`
	if got := schematest.DumpPlaced(db) + "\n" + schematest.Findings(&rep); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestLoad_Unreadable(t *testing.T) {
	for name, c := range map[string]struct {
		files fs.FS
		want  string
	}{
		"no folder": {fstest.MapFS{}, "source shown: it cannot be read (SRC001)\n"},
		"not UTF-8": {fstest.MapFS{"dir/a.go": {Data: []byte("package a // \xff")}}, "source shown/a.go: it is not valid UTF-8 (SRC001)\n"},
		"NUL":       {fstest.MapFS{"dir/a.go": {Data: []byte("package a\n// \x00")}}, "source shown/a.go: line 2 has a NUL character (SRC001)\n"},
		"too long":  {fstest.MapFS{"dir/a.go": {Data: make([]byte, textfile.MaxBytes+1)}}, "source shown/a.go: it is longer than 4194304 bytes (SRC001)\n"},
		"spent":     {spent{fstest.MapFS{"dir/a.go": {}, "dir/b.go": {}}}, "source shown: enough (SRC001)\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var rep finding.Report
			db := Load(t.Context(), c.files, "dir", "shown", dialect.Postgres, &rep)
			if got := schematest.Findings(&rep); got != c.want || !db.Partial {
				t.Errorf("got %spartial %t, want %s", got, db.Partial, c.want)
			}
		})
	}
}

// spent is a file system of which nothing more may be read.
type spent struct{ fstest.MapFS }

type budgetError struct{ error }

func (budgetError) Budget() string { return "enough" }

func (s spent) Open(name string) (fs.File, error) {
	if strings.HasSuffix(name, ".go") {
		return nil, budgetError{fs.ErrInvalid}
	}
	return s.MapFS.Open(name)
}

// A byte order mark and the lines of Windows change nothing.
func TestLoad_Windows(t *testing.T) {
	var rep finding.Report
	files := fstest.MapFS{"a.go": {Data: []byte("\ufeff" + strings.ReplaceAll(declares, "\n", "\r\n"))}}
	db := Load(t.Context(), files, ".", ".", dialect.Postgres, &rep)
	if got, want := schematest.DumpPlaced(db)+schematest.Findings(&rep), "enum \"e\" Values=[\"a\"] # a.go:3\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// The end of the context is not a problem of the source.
func TestLoad_Canceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var rep finding.Report
	Load(ctx, fstest.MapFS{"a.go": {Data: []byte(declares)}}, ".", ".", dialect.Postgres, &rep)
	if rep.Failed() {
		t.Error(rep.Problems())
	}
}

// Problems name the object that they are about.
func TestLoad_Objects(t *testing.T) {
	var rep finding.Report
	Load(t.Context(), fstest.MapFS{"a.go": {Data: []byte(`package a

//ptah:schema:table name="t" schema="s" nope
//ptah:schema:index name="i" fields="a" nope
type T struct {
	A int //ptah:schema:field name="a" type="int" foreign="x"
}

type Loose struct {
	A int //ptah:schema:field name="b" type="int" nope
}
`)}}, ".", ".", dialect.Postgres, &rep)
	var got []string
	for _, p := range rep.Problems() {
		got = append(got, p.Object)
	}
	if want := "s.t i s.t.a Loose.b"; strings.Join(got, " ") != want {
		t.Errorf("objects %v, want %s", got, want)
	}
}

func TestSnake(t *testing.T) {
	for name, want := range map[string]string{
		"ID": "id", "UserID": "user_id", "HTTPHeader": "http_header", "Plain": "plain", "with_line": "with_line", "A1B": "a1_b", "Ähnlich": "ähnlich", "": "",
	} {
		if got := snake(name); got != want {
			t.Errorf("snake(%q) = %q, want %q", name, got, want)
		}
	}
}
