package input

import "bytes"

// Window is the part of a source that a worker has in hand. Its memory is used
// again by the next Load.
type Window struct {
	Src  Source
	Off  int64  // of Data in the source
	Data []byte // never changed in place, but moved by More
}

// Load takes bytes [from, to) in hand.
func (w *Window) Load(from, to int64) error {
	w.Off = from
	if n := int(to - from); n <= cap(w.Data) {
		w.Data = w.Data[:n]
	} else {
		w.Data = make([]byte, n)
	}
	return w.Src.ReadAt(w.Data, from)
}

// EOF reports whether Data ends where the source does.
func (w *Window) EOF() bool { return w.Off+int64(len(w.Data)) == w.Src.Size }

// More takes further bytes in hand: as many again as lie behind pos, and at least
// 64 KiB, if the source has them.
func (w *Window) More(pos int) error {
	have := len(w.Data)
	n := min(int64(max(Lookahead, have-pos)), w.Src.Size-w.Off-int64(have))
	w.Data = append(w.Data, make([]byte, n)...)
	return w.Src.ReadAt(w.Data[have:], w.Off+int64(have))
}

// Lookahead is how far beyond a block to read at first, for its last record.
const Lookahead = 64 << 10

// Line returns the number of the line at Data[pos], from 1, for the wording of an
// error: it reads the source from its beginning.
func (w *Window) Line(pos int, newline byte) int64 {
	n := int64(1)
	buf := make([]byte, 1<<16)
	for off, end := int64(0), w.Off+int64(pos); off < end; off += int64(len(buf)) {
		buf = buf[:min(int64(len(buf)), end-off)]
		if w.Src.ReadAt(buf, off) != nil {
			break // the number is too low then; there is another error to tell
		}
		n += int64(bytes.Count(buf, []byte{newline}))
	}
	return n
}
