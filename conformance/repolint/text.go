package repolint

import (
	"bytes"
	"fmt"
	"go/format"
	"path"
	"regexp"
	"slices"
	"strings"
)

// written are the kinds of files that people write.
var written = []string{".go", ".md", ".txtar", ".json", ".sh", ".yml", ".yaml", ".toml", ".mjs", ".txt", ".mod", ""}

func isWritten(f *file) bool {
	return slices.Contains(written, path.Ext(f.path)) && !bytes.ContainsRune(f.text, 0)
}

// machinePath matches an absolute path that holds on one machine only. The
// parts stand apart, so that this file keeps its own rule.
var machinePath = regexp.MustCompile(`(^|[^\w.~$})/-])/(home|root|Users|work|workspace)/[\w.]|[A-Z]:\\Users\\`)

// MachinePaths refuses absolute paths into the folders in which people and
// build machines work: what is written there does not hold anywhere else.
func MachinePaths(t *Tree) []string {
	return t.lines(func(f *file, line []byte) string {
		if m := machinePath.Find(line); m != nil {
			return fmt.Sprintf("%q is a path of one machine", bytes.TrimSpace(m))
		}
		return ""
	})
}

// unfinished matches the marks of work that was put off.
var unfinished = regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|XX` + `X|HA` + `CK)\b`)

// Unfinished refuses marks of work that was put off, except in data.
func Unfinished(t *Tree) []string {
	return t.lines(func(f *file, line []byte) string {
		if f.inTestdata() || path.Ext(f.path) == ".json" {
			return ""
		}
		if m := unfinished.Find(line); m != nil {
			return fmt.Sprintf("%s: finish it, or write down what is missing where people look", m)
		}
		return ""
	})
}

// lines asks about each line of the files that people write.
func (t *Tree) lines(check func(f *file, line []byte) string) []string {
	var out []string
	for _, f := range t.files {
		if !isWritten(f) {
			continue
		}
		for i, line := range bytes.Split(f.text, []byte("\n")) {
			if what := check(f, line); what != "" {
				out = append(out, fmt.Sprintf("%s:%d: %s", f.path, i+1, what))
			}
		}
	}
	return out
}

// dataKinds are endings of files that hold data rather than expectations.
var dataKinds = []string{".csv", ".tsv", ".jsonl", ".ndjson", ".arrow", ".feather", ".ipc", ".parquet", ".db", ".sqlite", ".sql", ".bin", ".vec"}

// smallData is the size below which a data file is an example that the test's
// author made up.
const smallData = 4096

// Licences wants a file named LICENSE, COPYING, NOTICE or SOURCE(S) beside every
// larger data file, or in a folder above it inside the module.
func Licences(t *Tree) []string {
	licensed := map[string]bool{}
	for _, f := range t.files {
		name := strings.ToUpper(path.Base(f.path))
		for _, l := range []string{"LICENSE", "COPYING", "NOTICE", "SOURCE"} {
			if strings.HasPrefix(name, l) && f.dir() != "." {
				licensed[f.dir()] = true
			}
		}
	}
	var out []string
	for _, f := range t.files {
		isData := slices.Contains(dataKinds, path.Ext(f.path)) || path.Base(f.dir()) == "schema" && path.Ext(f.path) == ".json"
		if !isData || f.text != nil && len(f.text) < smallData {
			continue
		}
		dir := f.dir()
		for dir != "." && !licensed[dir] {
			dir = path.Dir(dir)
		}
		if dir == "." {
			out = append(out, f.path+": no licence beside it; say in a LICENSE or SOURCE file where it comes from and under what terms")
		}
	}
	return out
}

// Formatted wants Go files as gofmt writes them.
func Formatted(t *Tree) []string {
	var out []string
	for _, f := range t.goFiles() {
		formatted, err := format.Source(f.text)
		if err != nil {
			out = append(out, fmt.Sprintf("%s: %v", f.path, err))
		} else if !bytes.Equal(formatted, f.text) {
			out = append(out, f.path+": not formatted; run gofmt -w on it")
		}
	}
	return out
}
