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
const codecVersion = 2

// ErrStale says that a written catalog is of another version or another generation
// of the graph, and has to be made anew.
var ErrStale = errors.New("the catalog file is of another version or generation")

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
	if err := errors.Join(enc.Encode(header{codecVersion, data.Generation}), enc.Encode(data), z.Close()); err != nil {
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

// Decode reads what [Encode] wrote. A generation that is not empty must be that of
// the data; else, and for another version, the error is [ErrStale].
func Decode(r io.Reader, generation string) (*Data, error) {
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxDecoded))
	if err != nil {
		return nil, fmt.Errorf("reading the catalog: %w", err)
	}
	defer z.Close()
	dec := gob.NewDecoder(z)
	var h header
	if err := dec.Decode(&h); err != nil {
		return nil, fmt.Errorf("reading the catalog: %w", err)
	}
	if h.Version != codecVersion || generation != "" && h.Generation != generation {
		return nil, ErrStale
	}
	data := &Data{}
	if err := dec.Decode(data); err != nil {
		return nil, fmt.Errorf("reading the catalog: %w", err)
	}
	if len(data.Facts) != len(data.Tables) {
		return nil, errors.New("reading the catalog: it is damaged")
	}
	return data, nil
}
