package artifact

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strings"
)

// SumName is the name of the checksum file of migrations.
const SumName = "ptah.sum"

// Kind is what an entry of a directory is if it is no regular file.
type Kind string

// The kinds. A regular file has none.
const (
	Symlink   Kind = "symlink"
	Device    Kind = "device"
	Pipe      Kind = "pipe"
	Socket    Kind = "socket"
	Irregular Kind = "irregular"
)

// Entry is one entry below the directory of a class.
type Entry struct {
	Path   string // relative, with slashes
	Size   int64
	Digest string // of a regular file's content
	Kind   Kind   // of anything else
}

const digestPrefix = "sha256:"

// Digest returns the digest of a file's content: "sha256:" and 64 hexadecimal digits.
func Digest(content []byte) string {
	sum := sha256.Sum256(content)
	return digestPrefix + hex.EncodeToString(sum[:])
}

// DirectoryDigest returns the digest of everything below a directory. It is the same for
// the same entries in any order.
func DirectoryDigest(entries []Entry) string {
	var b strings.Builder
	for _, e := range byPath(entries) {
		b.WriteString(e.Path + " " + cmp.Or(e.Digest, string(e.Kind)) + "\n")
	}
	return Digest([]byte(b.String()))
}

func byPath(entries []Entry) []Entry {
	sorted := slices.Clone(entries)
	slices.SortFunc(sorted, func(a, b Entry) int { return cmp.Compare(a.Path, b.Path) })
	return sorted
}

// Operation is what a patch does to a file.
type Operation string

// The operations.
const (
	Create Operation = "create"
	Update Operation = "update"
	Delete Operation = "delete"
)

// Change is what a patch does to one file, as far as the patch's id covers it.
type Change struct {
	Operation Operation
	Path      string
	After     string // the digest of the new content; empty for a deletion
}

// PatchID returns the id of a patch on a directory with the digest base. It is the same
// for the same changes in any order.
func PatchID(class Class, base string, changes []Change) string {
	sorted := slices.Clone(changes)
	slices.SortFunc(sorted, func(a, b Change) int { return cmp.Compare(a.Path, b.Path) })
	var b strings.Builder
	fmt.Fprintf(&b, "artifact %s\nbase %s\n", class, base)
	for _, c := range sorted {
		b.WriteString(string(c.Operation) + " " + c.Path)
		if c.Operation != Delete {
			b.WriteString(" " + c.After)
		}
		b.WriteByte('\n')
	}
	return Digest([]byte(b.String()))
}

// Sum returns the content of the checksum file of migrations: a line for each SQL file
// among the entries, after one that covers all of them. A directory without SQL files
// has a line for nothing.
func Sum(entries []Entry) ([]byte, error) {
	var lines strings.Builder
	for _, e := range byPath(entries) {
		if path.Ext(e.Path) != ".sql" || e.Kind != "" {
			continue
		}
		sum, err := hex.DecodeString(strings.TrimPrefix(e.Digest, digestPrefix))
		if err != nil || len(sum) != sha256.Size {
			return nil, fmt.Errorf("%q has the digest %q, which is none", e.Path, e.Digest)
		}
		lines.WriteString(e.Path + " h1:" + base64.StdEncoding.EncodeToString(sum) + "\n")
	}
	all := sha256.Sum256([]byte(lines.String()))
	return []byte("h1:" + base64.StdEncoding.EncodeToString(all[:]) + "\n" + lines.String()), nil
}
