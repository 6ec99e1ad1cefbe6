package sqlsrc

import (
	"io/fs"

	"github.com/quartet-mcp/quartet/ptah/internal/finding"
)

// eachPiece hands the pieces of a file and of what it imports to run, in the order in
// which they are to be executed. It reports whether everything could be read.
func eachPiece(fsys fs.FS, path, shown string, rep *finding.Report, run func(piece)) (complete bool) {
	text, err := fs.ReadFile(fsys, path)
	if err != nil {
		rep.Problem(finding.Problem{Kind: finding.Source, Rule: "SRC001", Path: shown, Message: "the file cannot be read"})
		return false
	}
	run(piece{text: string(text), shown: shown, line: 1})
	return true
}
