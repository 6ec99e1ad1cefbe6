package arrow

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/mem"
)

// codec is how the buffers of a batch are compressed.
type codec uint8

const (
	plain codec = iota
	lz4Frame
	zstdFrame
)

// A compressed buffer states its length uncompressed. One that claims more than
// maxRatio times its own length is refused before anything is allocated, unless
// it claims so little that believing it is harmless: a column of one repeated
// value does compress that well.
const (
	maxRatio   = 1000
	trustBytes = 16 << 20
)

// zstdDecoder is shared; DecodeAll may be called concurrently. Its limit is the
// capacity of the slice that it is given.
var zstdDecoder = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecodeAllCapLimit(true))
})

// unpack returns the content of a buffer as a batch of codec c stores it: its
// length uncompressed in 8 bytes, or -1, then the content.
func unpack(b []byte, c codec, l *ledger) ([]byte, error) {
	if c == plain || len(b) == 0 {
		return b, nil
	}
	if len(b) < 8 {
		return nil, fmt.Errorf("a compressed buffer has %d bytes, too few for its length", len(b))
	}
	claim := int64(binary.LittleEndian.Uint64(b))
	b = b[8:]
	switch {
	case claim == -1:
		return b, nil
	case claim < 0:
		return nil, fmt.Errorf("a compressed buffer claims a length of %d", claim)
	case claim == 0:
		return nil, nil
	case claim/maxRatio > int64(len(b)) && (claim > trustBytes || c == lz4Frame): // no LZ4 block expands over 255 times
		return nil, fmt.Errorf("a compressed buffer of %s claims %s uncompressed, more than %d times as much", mem.Size(int64(len(b))), mem.Size(claim), maxRatio)
	}
	if c == zstdFrame {
		var h zstd.Header
		if err := h.Decode(b); err == nil && h.HasFCS && h.FrameContentSize != uint64(claim) {
			return nil, fmt.Errorf("a compressed buffer claims %d bytes uncompressed but holds %d", claim, h.FrameContentSize)
		}
	}
	if err := l.take(claim); err != nil {
		return nil, err
	}
	out := make([]byte, claim)
	n, err := decompress(out, b, c)
	if err != nil {
		return nil, fmt.Errorf("a compressed buffer cannot be unpacked: %w", err)
	}
	if n != len(out) {
		return nil, fmt.Errorf("a compressed buffer claims %d bytes uncompressed but holds %d", claim, n)
	}
	return out, nil
}

// decompress fills out from b and returns how many bytes there were, or an error
// when there were more.
func decompress(out, b []byte, c codec) (int, error) {
	if c == zstdFrame {
		d, err := zstdDecoder()
		if err != nil {
			return 0, err
		}
		got, err := d.DecodeAll(b, out[:0:len(out)])
		if errors.Is(err, zstd.ErrDecoderSizeExceeded) {
			return 0, errLonger
		}
		return len(got), err
	}
	r := lz4.NewReader(bytes.NewReader(b))
	n, err := io.ReadFull(r, out)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return n, nil
	}
	if err != nil {
		return n, err
	}
	if m, err := r.Read(make([]byte, 1)); m > 0 {
		return n, errLonger
	} else if err != nil && !errors.Is(err, io.EOF) {
		return n, err
	}
	return n, nil
}

var errLonger = errors.New("it holds more than it claims")
