// Package wire carries MCP messages over a pair of byte streams, one message a
// line, and outlives whatever a client puts on a line.
//
// [Conn] implements the SDK's connection. It reads lines with a bound, answers
// what is no request by itself and goes on; it keeps the id of every request
// exactly as the client wrote it and gives the SDK one of its own; it withholds
// the end of the input from the SDK until every accepted call is answered; and
// it writes from one goroutine, so that a client that does not read blocks
// nobody who holds a lock.
//
// The package knows nothing of tools, sessions or descriptors.
package wire
