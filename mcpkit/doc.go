// Package mcpkit builds Model Context Protocol servers that survive real clients.
//
// It is thin over the official Go SDK: [Server.SDK] hands out the SDK's own
// server, and dispatch, sessions and HTTP stay the SDK's work. mcpkit owns the
// places where every user of the SDK gets hurt: framing and shutdown on stdio
// ([Stdio]), schemas that strict clients accept ([CheckSchema]), exact integers,
// one error policy ([Error]), warnings ([Warn]) and bounds ([Limits]).
package mcpkit
