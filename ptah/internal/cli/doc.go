// Package cli is the command line of ptah. Each command is a file of its name; it reads
// its flags, asks an engine package and prints what a person or a pipeline wants to see:
// results on standard output, everything else on standard error.
package cli
