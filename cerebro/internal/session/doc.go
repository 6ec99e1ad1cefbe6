// Package session keeps what has happened in an analysis, and decides from that
// which steps may follow.
//
// A [State] is the record of one scope: one client on stdio, one HTTP session, or
// one analysis handle. [Store] finds it by its key and forgets idle ones. The gates
// are methods of State: they only read, and say everything that is missing at once,
// with the calls that would mend it.
package session
