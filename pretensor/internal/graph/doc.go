// Package graph says what the graph of a database's structure is made of: its
// node labels ([Labels]), its edge types ([EdgeTypes]) and their properties, with
// the types of the engine that stores them. It is data only and needs no engine;
// package kuzu below stores and reads graphs of this schema.
package graph
