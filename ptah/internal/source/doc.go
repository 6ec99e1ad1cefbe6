// Package source reads declared schemas: it finds the files that a caller names inside
// of the configured roots ([Roots]), has each read in its language (packages goann,
// yamlsrc and sqlsrc), and merges what they declare into one model.
package source
