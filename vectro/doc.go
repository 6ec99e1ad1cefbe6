// Package vectro is the root of the vectro product: columnar analytics over the
// files of one folder, served over the Model Context Protocol.
//
// cmd/vectro-mcp is the server, internal/tools its eight tools, internal/engine
// what answers them.
package vectro
