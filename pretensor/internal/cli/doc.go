// Package cli is the command line of pretensor: what a person types, what is
// printed, and the exit code. Each command is a file with its name: add.go,
// remove.go, list.go, index.go, reindex.go, serve.go, quickstart.go, init.go.
// Commands lists them in the order of the help.
//
// A new command is a file with one function that returns a [cobra.Command], and a
// line in commands. What it may use is in [session]: the configuration, the state
// directory, the registry, a log; its results go to Stdout, everything else to the
// log. What several commands share has files of its own: target.go (which database
// an argument means), indexing.go (options of an index and how it is reported),
// open.go (one indexed connection and its catalog), enrich.go (metrics and
// consumers), clients.go (the configuration of assistants).
//
// A [Program] holds all that is taken from the process, so that tests run commands
// without one.
package cli
