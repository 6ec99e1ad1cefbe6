// Package mcptest is a test kit for MCP servers that run as processes and talk
// over stdio. It knows nothing of how a server is built: it starts a binary,
// sends lines, and judges what comes back. A server is held to all of it in a
// few lines:
//
//	func TestConformance(t *testing.T) {
//		s := mcptest.Build(t, "./cmd/shop", "--root", ".")
//		mcptest.Replay(t, s, "testdata/golden")
//		mcptest.Hostile(t, s, mcptest.HostileOptions{Good: mcptest.Call{Tool: "list_tables"}})
//	}
//
// [Replay] holds the server to recorded conversations, [Hostile] feeds it input
// that no client should send and closes its stdin early. [Snapshot] pins the
// definitions of its tools.
//
// # Transcripts
//
// A transcript is a txtar file (*.txtar). It begins with prose: what it shows,
// and why. Sections follow; any name but the four below is a file that is laid
// down in the server's folder, an empty temporary one.
//
//	-- start --   how to start the server; may be left out
//	-- send --    one message a line, exactly as it goes out
//	-- want --    the answers, JSON values separated by white space
//	-- vary --    the values in them that may differ; may be left out
//
// Lines go out one by one: the next one when the last has its answer. A request
// that the next line cancels with notifications/cancelled is not waited for and
// must not be answered. A line of "send" in double quotes is a Go string
// literal and stands for its bytes, for what cannot be written otherwise. After
// the last answer stdin is closed; the server then has to exit, having written
// nothing more.
//
// # Start
//
// Each line of "start" is a directive; # begins a comment, a word in double
// quotes is a Go string literal.
//
//	args WORD...          arguments; ${DIR} stands for the server's folder
//	env NAME=VALUE...     environment settings
//	copy SOURCE [DEST]    lays down a file or a folder that stands beside the transcript
//	link NAME TARGET      lays down a symbolic link
//	era legacy [VERSION]  replays in the era of initialize (2025-11-25)
//	era modern [VERSION]  replays in the stateless era (2026-07-28)
//	era explicit          the lines go out as they are, the handshake is theirs
//	pipeline              all lines go out at once, before any answer is read;
//	                      then any later line may cancel a request
//	close                 stdin is closed right after the last line
//	offwire               the client's lines are not held against the protocol's schema
//	exit CODE             the exit code, when it is not 0
//	timeout DURATION      for the whole conversation, when 30s do not fit
//
// Without "era", a transcript whose lines hold a handshake (initialize,
// server/discover, or a protocol version in _meta) is replayed once as it
// stands, any other in both eras: in the older one the runner sends initialize
// and notifications/initialized first, in the stateless one it adds the
// client's metadata to every request. "want" is written as the older era
// answers. What the stateless era adds to a result is checked and then left
// out of the comparison: resultType has to be "complete"; ttlMs and cacheScope
// have to stand, well formed, in the results of the cacheable methods, and may
// stand nowhere else; the server's identity in _meta has to stay the same.
// (Where the older era answers with ttlMs and cacheScope too, they stand in
// "want" and are compared.) A transcript about these fields does the handshake
// itself, and they are compared like all others.
//
// # Comparison
//
// Answers are matched by id; several with one id, those with id null, and
// notifications, in order. They are compared as exact JSON: the literals of
// numbers (1 is not 1.0, 9007199254740993 stays itself) and the order of
// members count, white space and the escaping of strings do not. An answer too
// many is as wrong as one too few, and so is a line that is no message.
//
// A content text that is the same JSON as structuredContent is compared by
// parsing: the server's text has to be the JSON of its own structuredContent,
// and only the latter is compared with the wanted one.
//
// # Vary
//
// A line of "vary" is a JSON pointer, in which the step * stands for any item
// or member, and a pattern; both the wanted and the actual value have to match.
// "id ID" in front limits the line to the answer with that id.
//
//	number     any number
//	string     any string
//	token      a string of at least 8 letters, digits and . _ ~ -
//	digest     8 to 128 hexadecimal digits, perhaps after "sha256:"
//	time       an RFC 3339 time
//	path       an absolute path
//	duration   a duration as Go writes it, like 1.5s
//	match RE   a string or number whose whole text matches the regular expression
//
// A pattern covers a single value, never a whole result, and never accepts any
// text at all where the text is the answer. A line that matches no wanted
// value is an error: it hides something that is not there.
//
// # Golden files
//
// With the flag -update, which is refused when CI is set, golden files are
// rewritten instead of compared.
package mcptest
