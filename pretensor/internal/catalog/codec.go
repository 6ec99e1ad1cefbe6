package catalog

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// codecVersion changes with what is written; other versions are made anew.
const codecVersion = 3

// ErrStale says that a written catalog is of another version, and has to be made
// anew.
var ErrStale = errors.New("the index is of another version of the program")

type header struct {
	Version    int
	Generation string
}

// Encode writes data for [Decode].
func Encode(data *Data) ([]byte, error) {
	var b bytes.Buffer
	z, err := zstd.NewWriter(&b, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("writing the catalog: %w", err)
	}
	enc := gob.NewEncoder(z)
	if err := errors.Join(enc.Encode(header{codecVersion, data.Generation}), enc.Encode(data), enc.Encode(zerosOf(data)), z.Close()); err != nil {
		return nil, fmt.Errorf("writing the catalog: %w", err)
	}
	return b.Bytes(), nil
}

// PathOf is where the catalog of a graph file is.
func PathOf(graph string) string {
	return strings.TrimSuffix(graph, filepath.Ext(graph)) + ".catalog"
}

// maxDecoded bounds the memory that a damaged file can ask for.
const maxDecoded = 2 << 30

// Generation is the generation of the catalog that [Encode] wrote, without the rest.
// Its error is that of [Decode].
func Generation(r io.Reader) (string, error) {
	d, err := newDecoder(r)
	if err != nil {
		return "", err
	}
	defer d.close()
	return d.header.Generation, nil
}

// Decode reads what [Encode] wrote. What another version wrote gives [ErrStale].
func Decode(r io.Reader) (*Data, error) {
	d, err := newDecoder(r)
	if err != nil {
		return nil, err
	}
	defer d.close()
	data := &Data{}
	var zeros []int
	if err := errors.Join(d.Decode(data), d.Decode(&zeros)); err != nil {
		return nil, fmt.Errorf("reading the catalog: %w", err)
	}
	restoreZeros(data, zeros)
	if len(data.Facts) != len(data.Tables) {
		return nil, errors.New("reading the catalog: it is damaged")
	}
	shareTexts(data)
	return data, nil
}

// decoder is a catalog of which the header was read.
type decoder struct {
	*gob.Decoder
	header header
	close  func()
}

func newDecoder(r io.Reader) (*decoder, error) {
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxDecoded))
	if err != nil {
		return nil, fmt.Errorf("reading the catalog: %w", err)
	}
	d := &decoder{Decoder: gob.NewDecoder(z), close: z.Close}
	if err := d.Decode(&d.header); err != nil {
		z.Close()
		return nil, fmt.Errorf("reading the catalog: %w", err)
	}
	if d.header.Version != codecVersion {
		z.Close()
		return nil, ErrStale
	}
	return d, nil
}
