// Command ptah validates, renders and traces declared database schemas, and serves that
// to assistants over the Model Context Protocol.
package main

import (
	"os"

	"github.com/quartet-mcp/quartet/ptah/internal/cli"
)

// version is set by the linker.
var version = "dev"

func main() { os.Exit(cli.Main(version, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
