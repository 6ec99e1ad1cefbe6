package wordvec

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// cache keeps vectors in files of a folder, one file each, named by a hash. A
// file is the bytes QVC1, the components as float32 and their CRC-32, all little
// endian; one that does not check is as good as absent. Files appear whole, by
// renaming. The time of a file is when it was last of use.
type cache struct {
	root *os.Root
	max  int64

	mu   sync.Mutex
	size int64 // of all files, as far as this process knows
}

const (
	cacheMagic  = "QVC1"
	cacheSuffix = ".vec"
	tempPrefix  = "tmp-"
	// leftover is the age at which a temporary file belongs to a process that died.
	leftover = time.Hour
	// maxCachedDim refuses to read what no model makes.
	maxCachedDim = 1 << 16
)

func openCache(dir string, limit int64) (*cache, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	c := &cache{root: root, max: limit}
	if err := c.shrink(); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return c, nil
}

func (c *cache) close() error { return c.root.Close() }

// cacheKey names the vector of a text; lengths keep the parts apart.
func cacheKey(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// get returns a vector, nil when there is none that can be read.
func (c *cache) get(key string) []float32 {
	f, err := c.root.Open(key + cacheSuffix)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, 4*maxCachedDim+8+1))
	if err != nil {
		return nil
	}
	v := decodeCached(data)
	if v != nil {
		now := time.Now()
		// When the time cannot be set the file merely goes earlier.
		_ = c.root.Chtimes(key+cacheSuffix, now, now)
	}
	return v
}

// put stores a vector and makes room when there is too much.
func (c *cache) put(key string, v []float32) error {
	data := encodeCached(v)
	name := tempPrefix + rand.Text()
	if err := c.root.WriteFile(name, data, 0o600); err != nil {
		return errors.Join(err, ignoreAbsent(c.root.Remove(name)))
	}
	if err := c.root.Rename(name, key+cacheSuffix); err != nil {
		return errors.Join(err, ignoreAbsent(c.root.Remove(name)))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.size += int64(len(data))
	if c.size <= c.max {
		return nil
	}
	return c.shrink()
}

func ignoreAbsent(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// shrink counts the files and, when there is too much, removes those least
// recently used until a tenth is free. The caller holds the lock or is alone.
func (c *cache) shrink() error {
	dir, err := c.root.Open(".")
	if err != nil {
		return err
	}
	entries, err := dir.ReadDir(-1)
	if err := errors.Join(err, dir.Close()); err != nil {
		return err
	}
	type file struct {
		name string
		size int64
		used time.Time
	}
	var files []file
	c.size = 0
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			continue // removed by another process meanwhile
		}
		switch {
		case strings.HasPrefix(e.Name(), tempPrefix) && time.Since(info.ModTime()) > leftover:
			if err := ignoreAbsent(c.root.Remove(e.Name())); err != nil {
				return err
			}
		case filepath.Ext(e.Name()) == cacheSuffix && info.Mode().IsRegular():
			files = append(files, file{e.Name(), info.Size(), info.ModTime()})
			c.size += info.Size()
		}
	}
	if c.size <= c.max {
		return nil
	}
	slices.SortFunc(files, func(a, b file) int {
		return cmp.Or(a.used.Compare(b.used), strings.Compare(a.name, b.name))
	})
	for _, f := range files {
		if c.size <= c.max-c.max/10 {
			break
		}
		if err := ignoreAbsent(c.root.Remove(f.name)); err != nil {
			return err
		}
		c.size -= f.size
	}
	return nil
}

func encodeCached(v []float32) []byte {
	data := make([]byte, 0, 8+4*len(v))
	data = append(data, cacheMagic...)
	for _, x := range v {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
	}
	return binary.LittleEndian.AppendUint32(data, crc32.ChecksumIEEE(data))
}

// decodeCached returns nil for anything that [encodeCached] did not make.
func decodeCached(data []byte) []float32 {
	if len(data) < 12 || len(data)%4 != 0 || len(data) > 8+4*maxCachedDim || string(data[:4]) != cacheMagic {
		return nil
	}
	body, sum := data[:len(data)-4], binary.LittleEndian.Uint32(data[len(data)-4:])
	if crc32.ChecksumIEEE(body) != sum {
		return nil
	}
	v := make([]float32, len(body)/4-1)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(body[4+4*i:]))
		if f := float64(v[i]); math.IsNaN(f) || math.IsInf(f, 0) {
			return nil
		}
	}
	return v
}
