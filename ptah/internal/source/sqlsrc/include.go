package sqlsrc

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/source/textfile"
)

// maxImportDepth is how many imports may stand one inside of another.
const maxImportDepth = 32

// importMark begins a line that imports a file or a folder. It is that of the files that
// people have already.
const importMark = "-- atlas:import"

// eachPiece hands the pieces of a file and of what it imports to run, in the order in
// which they are to be executed; a file that is imported twice runs once. It reports
// whether everything could be read.
func eachPiece(fsys fs.FS, name, shown string, rep *finding.Report, run func(piece)) (complete bool) {
	name = path.Clean(name)
	im := &importer{fsys: fsys, tree: path.Dir(name), shownTree: path.Dir(shown), rep: rep, run: run, complete: true, read: map[string]bool{}}
	text, err := textfile.Read(fsys, name)
	if err != nil {
		im.problem("SRC001", shown, 0, "the file cannot be used: %v", err)
		return false
	}
	im.file(name, shown, text)
	return im.complete
}

// importer reads files of one folder and what is below it.
type importer struct {
	fsys            fs.FS
	tree, shownTree string // the folder, in fsys and as the caller may see it
	rep             *finding.Report
	run             func(piece)
	complete        bool
	open            []string // files whose reading has begun, each imported by the one before
	read            map[string]bool
}

func (im *importer) problem(rule finding.Rule, shown string, line int, format string, args ...any) {
	im.complete = false
	im.rep.Problem(finding.Problem{Kind: finding.Source, Rule: rule, Path: shown, Line: line, Message: fmt.Sprintf(format, args...)})
}

// file runs a file, with what it imports in the places of the imports.
func (im *importer) file(name, shown, text string) {
	im.read[name] = true
	im.open = append(im.open, name)
	begin, line := 0, 1 // of the piece
	for at, n := 0, 1; at < len(text); n++ {
		end := len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		if target, ok := imported(text[at:end]); ok {
			im.run(piece{text: text[begin:at], shown: shown, line: line})
			im.target(name, shown, n, target)
			begin, line = end, n+1
		}
		at = end
	}
	im.run(piece{text: text[begin:], shown: shown, line: line})
	im.open = im.open[:len(im.open)-1]
}

// imported returns what a line imports.
func imported(line string) (target string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(line), importMark)
	if !ok || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return "", false
	}
	return strings.TrimSpace(rest), true
}

// target runs what an import names: a file, or the SQL files of a folder by their names.
func (im *importer) target(importing, shown string, line int, target string) {
	name := path.Join(path.Dir(importing), target)
	inTree := im.tree == "." && name != ".." && !strings.HasPrefix(name, "../") || name == im.tree || strings.HasPrefix(name, im.tree+"/")
	switch {
	case target == "":
		im.problem("SRC008", shown, line, "the import names no file; write %s and a relative path", importMark)
		return
	case strings.HasPrefix(target, "/") || strings.ContainsAny(target, `\:`) || !inTree:
		im.problem("SRC008", shown, line, "the import of %.80q leads out of the folder of the schema file; its path is relative and stays below that folder", target)
		return
	case len(im.open) > maxImportDepth:
		im.problem("SRC008", shown, line, "the import of %.80q is more than %d imports deep", target, maxImportDepth)
		return
	case slices.Contains(im.open, name):
		im.problem("SRC008", shown, line, "the import of %.80q is a cycle: that file is being read", target)
		return
	}
	info, err := fs.Stat(im.fsys, name)
	if err != nil || !info.IsDir() {
		im.one(name, shown, line, target)
		return
	}
	entries, err := fs.ReadDir(im.fsys, name) // sorted
	if err != nil {
		im.problem("SRC001", shown, line, "the imported folder %.80q cannot be read", target)
		return
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || !strings.EqualFold(path.Ext(e.Name()), ".sql") {
			im.rep.Warn(finding.IgnoredFile, "schema file %s:%d: the import of %s leaves out %.80q, which is not an SQL file", shown, line, target, e.Name())
			continue
		}
		child := path.Join(name, e.Name())
		if slices.Contains(im.open, child) {
			im.problem("SRC008", shown, line, "the import of %.80q is a cycle: %.80q in it is being read", target, e.Name())
			continue
		}
		im.one(child, shown, line, path.Join(target, e.Name()))
	}
}

// one runs one imported file, unless it was run before.
func (im *importer) one(name, shown string, line int, target string) {
	if im.read[name] {
		return
	}
	text, err := textfile.Read(im.fsys, name)
	if err != nil {
		im.problem("SRC001", shown, line, "the imported file %.80q cannot be used: %v", target, err)
		return
	}
	im.file(name, path.Join(im.shownTree, strings.TrimPrefix(strings.TrimPrefix(name, im.tree), "/")), text)
}
