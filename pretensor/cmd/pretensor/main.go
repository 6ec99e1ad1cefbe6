// Command pretensor reads the structure of databases and serves it to assistants.
// Its commands are in package cli.
package main

import (
	"os"

	"github.com/quartet-mcp/quartet/pretensor/internal/cli"
)

// version is set by the linker.
var version = "dev"

func main() { os.Exit(cli.Main(version, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
