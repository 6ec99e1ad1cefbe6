package repolint

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// base is the path that every module's path begins with.
const base = "github.com/quartet-mcp/quartet/"

// products are the modules with servers in them.
var products = []string{"pretensor", "ptah", "cerebro", "vectro"}

// modules are the folders that hold a go.mod.
var modules = append([]string{"mcpkit", "datakit", "conformance", "clickhousetest"}, products...)

// A Tree is the repository as the rules see it.
type Tree struct {
	fset  *token.FileSet
	files []*file // in the order of their paths
}

// file is one file; syntax is there for Go files.
type file struct {
	path   string // from the root, with slashes
	text   []byte
	syntax *ast.File
}

func (f *file) module() string  { first, _, _ := strings.Cut(f.path, "/"); return first }
func (f *file) dir() string     { return path.Dir(f.path) }
func (f *file) isTest() bool    { return strings.HasSuffix(f.path, "_test.go") }
func (f *file) isCommand() bool { return f.syntax != nil && f.syntax.Name.Name == "main" }

// inTestdata reports whether the file is data of a test, also where it is Go.
func (f *file) inTestdata() bool { return slices.Contains(strings.Split(f.path, "/"), "testdata") }

// left out of a tree: what is built, downloaded, or version control's own.
var skipped = []string{".git", "node_modules", "bin", "dist"}

// largest is the size above which a file is data that no rule reads.
const largest = 4 << 20

// Load reads the files below a folder. A Go file that does not parse is an
// error.
func Load(root fs.FS) (*Tree, error) {
	t := &Tree{fset: token.NewFileSet()}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains(skipped, d.Name()):
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		f := &file{path: name}
		if info.Size() <= largest {
			if f.text, err = fs.ReadFile(root, name); err != nil {
				return err
			}
		}
		if strings.HasSuffix(name, ".go") && !f.inTestdata() {
			f.syntax, err = parser.ParseFile(t.fset, name, f.text, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				return err
			}
		}
		t.files = append(t.files, f)
		return nil
	})
	return t, err
}

// goFiles are the files of packages.
func (t *Tree) goFiles() []*file {
	return slices.DeleteFunc(slices.Clone(t.files), func(f *file) bool { return f.syntax == nil })
}

// at names a place for people.
func (t *Tree) at(pos token.Pos) string {
	p := t.fset.Position(pos)
	return fmt.Sprintf("%s:%d", p.Filename, p.Line)
}

// imports calls f for each import of a file.
func (t *Tree) imports(f *file, visit func(pkg string, pos token.Pos)) {
	for _, s := range f.syntax.Imports {
		visit(strings.Trim(s.Path.Value, `"`+"`"), s.Pos())
	}
}

// A Rule is one thing that holds for the whole repository.
type Rule struct {
	Name  string
	Check func(*Tree) []string // one line for each breach
}

// Rules lists the rules.
var Rules = []Rule{
	{"imports point one way", Imports},
	{"C parts stay in leaf packages", Leaves},
	{"every package says what it is for", PackageComments},
	{"exported names are documented", ExportedDocs},
	{"only the transport writes to stdout", Stdout},
	{"one file per tool", ToolFiles},
	{"tests have telling names", TestNames},
	{"nothing of a developer's machine", MachinePaths},
	{"nothing unfinished", Unfinished},
	{"generated tool tables are current", ToolTables},
	{"data has its licence beside it", Licences},
	{"modules agree with each other", Modules},
	{"everything is formatted", Formatted},
}
