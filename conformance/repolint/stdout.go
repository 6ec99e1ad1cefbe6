package repolint

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

// mayWrite are the files of libraries that may name stdout.
var mayWrite = []string{
	"mcpkit/stdio.go", "mcpkit/stdio_unix.go", "mcpkit/stdio_windows.go", // the transport itself
	"mcpkit/main.go",                   // --version, --help and --print-config, before anything is served
	"mcpkit/examples/echo/mischief.go", // prints on purpose, for the tests of the transport
}

// Stdout keeps everything but the transport from writing to stdout, where one
// stray line ends a conversation. A command's main.go may name os.Stdout, to
// hand it on before it serves (--version, --help) or when it is no server.
// Printing without naming a destination (fmt.Print, the builtin println) is
// for programs that are no servers: benchmarks and generators, which are
// commands outside cmd folders. Tests may do as they like.
func Stdout(t *Tree) []string {
	var out []string
	for _, f := range t.goFiles() {
		if f.isTest() || slices.Contains(mayWrite, f.path) {
			continue
		}
		inCommand := f.isCommand() && strings.HasSuffix(f.path, "/main.go")
		isTool := f.isCommand() && !slices.Contains(strings.Split(f.dir(), "/"), "cmd") && !strings.Contains(f.path, "/examples/")
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			what := ""
			switch n := n.(type) {
			case *ast.SelectorExpr:
				pkg, ok := n.X.(*ast.Ident)
				switch {
				case !ok:
				case pkg.Name == "os" && n.Sel.Name == "Stdout" && !inCommand && !isTool,
					pkg.Name == "syscall" && n.Sel.Name == "Stdout":
					what = pkg.Name + "." + n.Sel.Name
				case pkg.Name == "fmt" && (n.Sel.Name == "Print" || n.Sel.Name == "Printf" || n.Sel.Name == "Println") && !isTool:
					what = "fmt." + n.Sel.Name
				}
			case *ast.CallExpr:
				if id, ok := n.Fun.(*ast.Ident); ok && (id.Name == "print" || id.Name == "println") {
					what = id.Name
				}
			}
			if what != "" {
				out = append(out, fmt.Sprintf("%s: %s: only the transport writes to stdout; take an io.Writer, or log", t.at(n.Pos()), what))
			}
			return true
		})
	}
	return out
}
