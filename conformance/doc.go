// Package conformance drives the servers of this repository as a client does:
// as binaries, over stdio, line by line. It imports none of them.
//
// [Servers] is the list of them. [Run] replays the transcripts under
// testdata/<server>/ in both protocol eras and holds all traffic against the
// protocol's schema (package wire); [Record] makes a new transcript;
// [Uncovered] names the tools that no transcript covers. The command of the
// same name is in cmd/conformance, the repository's own rules are in repolint,
// foreign clients in clients.
package conformance
