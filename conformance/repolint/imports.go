package repolint

import (
	"fmt"
	"go/token"
	"path"
	"slices"
	"strings"
)

const sdk = "github.com/modelcontextprotocol/go-sdk"

// under reports whether pkg is the package root or one below it.
func under(pkg, root string) bool { return pkg == root || strings.HasPrefix(pkg, root+"/") }

// Imports holds the arrows between packages to one direction:
//
//   - mcpkit imports no other module of the repository, datakit only
//     mcpkit/nearest, conformance only mcpkit, a product only datakit and mcpkit;
//   - inside a product, engine packages know nothing of MCP: neither mcpkit
//     (but nearest) nor the SDK, and no package imports internal/tools but
//     commands, whose larger parts are in internal/cli;
//   - nobody imports a command.
func Imports(t *Tree) []string {
	var out []string
	for _, f := range t.goFiles() {
		m := f.module()
		if !slices.Contains(modules, m) {
			continue
		}
		t.imports(f, func(pkg string, pos token.Pos) {
			if why := refusedImport(f, m, pkg); why != "" {
				out = append(out, fmt.Sprintf("%s: import of %s: %s", t.at(pos), pkg, why))
			}
		})
	}
	return out
}

func refusedImport(f *file, module, pkg string) string {
	isProduct := slices.Contains(products, module)
	inside := strings.TrimPrefix(f.dir(), module+"/")
	isCommand := under(inside, "cmd") || under(inside, "internal/cli")
	isEngine := isProduct && under(inside, "internal") && !under(inside, "internal/tools") && !isCommand || module == "datakit"
	if isEngine && under(pkg, sdk) {
		return "engine packages know nothing of MCP"
	}
	local, ok := strings.CutPrefix(pkg, base)
	if !ok {
		return ""
	}
	other, _, _ := strings.Cut(local, "/")
	switch {
	case slices.Contains(strings.Split(local, "/"), "cmd"):
		return "nobody imports a command"
	case isProduct && under(local, module+"/internal/cli") && !isCommand:
		return "nobody imports a command"
	case other == module:
		if isProduct && under(local, module+"/internal/tools") && !isCommand && !under(inside, "internal/tools") {
			return "tools are imported by commands only"
		}
		return ""
	case module == "mcpkit":
		return "mcpkit imports no other module"
	case local == "mcpkit/nearest":
		return ""
	case module == "datakit":
		return "datakit takes mcpkit/nearest and nothing else"
	case slices.Contains(products, other) && isProduct:
		return "products do not import one another"
	case module == "conformance" && other != "mcpkit":
		return "conformance drives binaries and imports no product"
	case other == "conformance":
		return "conformance is no library"
	case isEngine && other == "mcpkit":
		return "engine packages know nothing of MCP"
	}
	return ""
}

// heavy are the modules that bring much C code. Each is compiled into what
// imports it, so one package of a module wraps it and the others do without.
var heavy = []string{
	"github.com/pganalyze/pg_query_go",
	"github.com/duckdb/duckdb-go",          // the driver
	"github.com/duckdb/duckdb-go-bindings", // what the driver stands on, for values as the engine has them
	"github.com/kuzudb/go-kuzu",
	"github.com/mattn/go-sqlite3",
}

// Leaves wants each of the heavy modules imported by at most one package of a
// module, and by none of its commands or tools. Tests of other engine packages may
// import it too, to ask the engine itself: what is shipped does not grow by that.
func Leaves(t *Tree) []string {
	first := map[string]string{} // module and heavy module → package
	var out []string
	for _, f := range t.goFiles() {
		t.imports(f, func(pkg string, pos token.Pos) {
			i := slices.IndexFunc(heavy, func(h string) bool { return under(pkg, h) })
			if i < 0 {
				return
			}
			inside := strings.TrimPrefix(f.dir(), f.module()+"/")
			key := f.module() + " " + heavy[i]
			switch owner := first[key]; {
			case under(inside, "cmd") || under(inside, "internal/tools"):
				out = append(out, fmt.Sprintf("%s: %s belongs into an engine package of its own", t.at(pos), heavy[i]))
			case f.isTest():
			case owner == "":
				first[key] = f.dir()
			case owner != f.dir():
				out = append(out, fmt.Sprintf("%s: %s is imported by %s already; ask that package", t.at(pos), heavy[i], path.Base(owner)))
			}
		})
	}
	return out
}
