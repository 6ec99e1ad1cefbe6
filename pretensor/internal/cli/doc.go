// Package cli is the command line of pretensor: what a person types, what is
// printed, and the exit code. Each command is a file with its name (index is in
// index.go), and the list of them, in the order of the help, is in command.go.
//
// A new command is a file with one function that returns a [cobra.Command], and a
// line in that list. What it may use is in session: the configuration, the state
// directory, the registry, a log. Its results go to Stdout, everything else to the
// log. What several commands share has files of its own:
//
//	program.go     the process around a command
//	command.go     options and checks that all commands have
//	errors.go      exit codes, mistakes on the command line
//	log.go         the log, and what keeps secrets out of it
//	output.go      how results are printed
//	target.go      which database an argument means
//	indexing.go    options of an index, and what is printed about one
//	open.go        an indexed connection and its catalog
//	enrich.go      metrics and consumers of a connection
//	skill.go       the skill file about a connection
//	clients.go     the configuration of assistants
//	configfile.go  our own configuration file
//
// A [Program] holds all that is taken from the process, so that tests run commands
// without one.
package cli
