// Package charset brings text of other encodings to UTF-8: UTF-16 as a whole
// ([Decode]), Windows-1252 and damaged UTF-8 string by string ([Repair]).
package charset

import (
	"bytes"
	"context"
	"io"
	"unicode/utf8"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/mem"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/input"
)

// Encoding is how the bytes of a file spell text.
type Encoding uint8

// The encodings. UTF-16 and UTF-32 are recognised by their byte order mark alone.
const (
	UTF8 Encoding = iota
	Windows1252
	UTF16LE
	UTF16BE
	UTF32 // of either order; recognised so that it can be refused
)

// Detect judges the first bytes of a file: the encoding, and how many bytes its
// byte order mark takes. Without a mark, text that is not valid UTF-8 is
// Windows-1252. whole says that head is the complete file; otherwise a character
// may be cut at its end.
func Detect(head []byte, whole bool) (enc Encoding, mark int) {
	switch {
	case bytes.HasPrefix(head, []byte{0xEF, 0xBB, 0xBF}):
		return UTF8, 3
	case bytes.HasPrefix(head, []byte{0xFF, 0xFE, 0, 0}), bytes.HasPrefix(head, []byte{0, 0, 0xFE, 0xFF}):
		return UTF32, 4 // as UTF-16 it would begin with NUL
	case bytes.HasPrefix(head, []byte{0xFF, 0xFE}):
		return UTF16LE, 2
	case bytes.HasPrefix(head, []byte{0xFE, 0xFF}):
		return UTF16BE, 2
	}
	if !whole {
		head = head[:len(head)-cut(head)]
	}
	if utf8.Valid(head) {
		return UTF8, 0
	}
	return Windows1252, 0
}

// cut returns the bytes at the end of b that begin a character but do not complete it.
func cut(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if tail := b[len(b)-n:]; utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}

// Clean reports whether strings cut out of b at ASCII bytes are UTF-8 as they
// are. In an ASCII-compatible encoding only.
func Clean(b []byte, enc Encoding) bool {
	if enc != Windows1252 {
		return utf8.Valid(b)
	}
	for len(b) >= 8 {
		if (b[0]|b[1]|b[2]|b[3]|b[4]|b[5]|b[6]|b[7])&0x80 != 0 {
			return false
		}
		b = b[8:]
	}
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Repair appends s to dst as valid UTF-8. Bytes that are not UTF-8 become U+FFFD,
// one for every run of them; damaged reports that there were any. Every byte is a
// character in Windows-1252.
func Repair(dst, s []byte, enc Encoding) (out []byte, damaged bool) {
	if enc == Windows1252 {
		for _, c := range s {
			switch {
			case c < 0x80:
				dst = append(dst, c)
			case c < 0xA0:
				dst = utf8.AppendRune(dst, windows1252[c-0x80])
			default:
				dst = utf8.AppendRune(dst, rune(c))
			}
		}
		return dst, false
	}
	if utf8.Valid(s) {
		return append(dst, s...), false
	}
	bad := false
	for len(s) > 0 {
		r, n := utf8.DecodeRune(s)
		if r == utf8.RuneError && n == 1 {
			if !bad {
				dst = utf8.AppendRune(dst, utf8.RuneError)
			}
			bad = true
		} else {
			dst = append(dst, s[:n]...)
			bad = false
		}
		s = s[n:]
	}
	return dst, true
}

// windows1252 is the row 0x80–0x9F; the rest is Latin-1. The five bytes without a
// character stand for the control characters of the same number, as on the web.
var windows1252 = [32]rune{
	'€', 0x81, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0x8D, 'Ž', 0x8F,
	0x90, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0x9D, 'ž', 'Ÿ',
}

// decodeBlock is how much of a UTF-16 file one worker decodes at a time; even.
const decodeBlock = 1 << 20

// Decode reads a UTF-16 file as a whole and returns it as UTF-8 in memory, which
// is taken from lease. Unpaired surrogates, and an odd byte at the end, become
// U+FFFD.
func Decode(ctx context.Context, src input.Source, enc Encoding, mark, threads int, lease *mem.Lease) (input.Source, error) {
	n := int((src.Size - int64(mark) + decodeBlock - 1) / decodeBlock)
	parts := make([][]byte, n)
	err := input.Each(ctx, threads, n, func(_, i int) error {
		off := int64(mark) + int64(i)*decodeBlock
		end := min(off+decodeBlock, src.Size)
		// A pair of surrogates belongs to the block of its first half: look one
		// unit back and one ahead.
		from, to := max(off-2, int64(mark)), min(end+2, src.Size)
		raw := make([]byte, to-from)
		if err := src.ReadAt(raw, from); err != nil {
			return err
		}
		parts[i] = decode16(raw, int(off-from), int(end-from), enc == UTF16BE)
		return lease.Grow(int64(cap(parts[i])))
	})
	if err != nil {
		return src, err
	}
	r := &partsReader{parts: parts, starts: make([]int64, n+1)}
	for i, p := range parts {
		r.starts[i+1] = r.starts[i] + int64(len(p))
	}
	return input.Source{Name: src.Name, R: r, Size: r.starts[n]}, nil
}

// decode16 returns raw[from:to] as UTF-8. The second half of a pair whose first
// half lies before from is left out.
func decode16(raw []byte, from, to int, big bool) []byte {
	unit := func(i int) rune {
		if big {
			return rune(raw[i])<<8 | rune(raw[i+1])
		}
		return rune(raw[i+1])<<8 | rune(raw[i])
	}
	first := func(u rune) bool { return u >= 0xD800 && u < 0xDC00 }
	second := func(u rune) bool { return u >= 0xDC00 && u < 0xE000 }
	out := make([]byte, 0, (to-from)/2+(to-from)/8)
	i := from
	if from >= 2 && to-from >= 2 && first(unit(from-2)) && second(unit(from)) {
		i += 2
	}
	for ; i+1 < to; i += 2 {
		u := unit(i)
		if first(u) && i+3 < len(raw) && second(unit(i+2)) {
			u = 0x10000 + (u-0xD800)<<10 + unit(i+2) - 0xDC00
			i += 2
		}
		out = utf8.AppendRune(out, u) // writes U+FFFD for what is left of surrogates
	}
	if i < to {
		out = utf8.AppendRune(out, utf8.RuneError)
	}
	return out
}

// partsReader reads a text that lies in parts.
type partsReader struct {
	parts  [][]byte
	starts []int64 // of each part, and the end
}

// ReadAt implements [io.ReaderAt].
func (r *partsReader) ReadAt(p []byte, off int64) (int, error) {
	lo, hi := 0, len(r.parts)
	for lo < hi { // the last part that starts at or before off
		if mid := (lo + hi) / 2; r.starts[mid+1] <= off {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	n := 0
	for ; lo < len(r.parts) && n < len(p); lo++ {
		n += copy(p[n:], r.parts[lo][off+int64(n)-r.starts[lo]:])
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}
