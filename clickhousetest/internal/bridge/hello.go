package bridge

import (
	"encoding/binary"
	"strings"
)

const displayName = "clickhousetest"

// helloText is the first query of the Go driver. It asks for the revision of the
// protocol that the server writes blocks in.
const helloText = "SELECT displayName(), version(), revision(), timezone()"

// isHello reports whether this is the driver's first query. Other clients that ask the
// same send no version of a protocol.
func (q *query) isHello() bool {
	return q.clientVersion != "" && q.format == "Native" && strings.TrimSpace(string(q.text)) == helloText
}

// hello is the answer to it: a block of the revision that the driver reads before it
// knows better, with the revision 0, in which the engine writes.
func (b *Bridge) hello() []byte {
	out := []byte{
		1, 0, // nothing overflows
		2, 0xff, 0xff, 0xff, 0xff, // no bucket
		0,    // end of the block's properties
		4, 1, // columns, rows
	}
	text := func(s string) { out = append(binary.AppendUvarint(out, uint64(len(s))), s...) }
	column := func(name, kind string) {
		text(name)
		text(kind)
		out = append(out, 0) // ordinary serialization
	}
	column("displayName()", "String")
	text(displayName)
	column("version()", "String")
	text(b.version)
	column("revision()", "UInt32")
	out = binary.LittleEndian.AppendUint32(out, 0)
	column("timezone()", "String")
	text(b.timezone)
	return out
}
