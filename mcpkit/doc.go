// Package mcpkit builds Model Context Protocol servers that survive real clients.
//
// It is thin over the official Go SDK: [Server.SDK] hands out the SDK's own
// server, and dispatch, sessions and HTTP stay the SDK's work. mcpkit owns the
// places where every user of the SDK gets hurt:
//
//   - Stdio ([Stdio], [Serve], [Run], [Main]): a bad line is answered and does
//     not end the process, accepted calls are answered before it ends, and a
//     stray print cannot corrupt the stream.
//   - Schemas ([CheckSchema]): what is inferred from Go types is the portable
//     subset of JSON Schema, checked when a tool is added.
//   - Numbers: whole numbers of 64 bits arrive and leave exactly.
//   - Errors ([Error]): one policy for mistakes of a caller, faults of the
//     server and panics, with texts that say what would have worked.
//   - Warnings ([Warn]), progress ([Progress]), bounds ([Limits]), files named
//     by callers ([Root]) and text that came from data ([Untrusted]).
//
// A server is [New], some [Tool] literals given to [Add], and [Main]. A tool's
// arguments and results are structs; their tags are its contract.
//
// # What happens to a call
//
// A call of a tool that does not exist or is hidden is a JSON-RPC error that
// names the nearest tools. The arguments of others are checked against the
// published schema in the order in which a caller repairs them: arguments that
// do not exist, with the nearest name; required ones that are missing; values of
// the wrong type, with the value; values outside of their range or rule. Null
// for an optional argument means that it is absent, and a whole number may come
// as 10, 10.0 or "10". An argument given twice is refused. The first mistake is
// the answer: a result with isError, one text block, and the machine-readable
// form in its _meta.
//
// The handler's result is encoded once: the structured content and the text
// block are the same JSON, fields in the order of the struct, lists and maps
// never null. A result longer than [Limits].Result is cut by rows if it is a
// [Cutter], else refused.
//
// What mcpkit cannot do is interrupt a handler: handlers watch their context.
package mcpkit
