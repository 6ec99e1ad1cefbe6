package mcptest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Server says how to start the server under test as a process. It is started
// anew for every transcript, in an empty temporary folder, with a small fixed
// environment (PATH, HOME and TMPDIR in that folder, LANG=C.UTF-8, TZ=UTC), so
// that a run does not depend on the machine.
type Server struct {
	// Path is the binary.
	Path string
	// Args stand before the arguments that a transcript adds.
	Args []string
	// Env holds NAME=VALUE settings beyond the fixed ones.
	Env []string

	patience time.Duration // for one answer to hostile input; zero means the default
}

// binPrefix begins the names of the folders with binaries; the id of the
// process that tests them follows.
const binPrefix = "mcptest-binaries-"

// sweep removes the folders of test binaries that have ended: a test binary has
// no moment at which it could remove its own. What cannot be removed is left.
func sweep(temp string) {
	dirs, _ := filepath.Glob(filepath.Join(temp, binPrefix+"*")) // the pattern is sound
	for _, dir := range dirs {
		id, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), binPrefix), "-")
		if pid, err := strconv.Atoi(id); err == nil && !alive(pid) {
			_ = os.RemoveAll(dir)
		}
	}
}

var builds struct {
	sync.Mutex
	dir  string
	done map[string]string // package → binary
}

// Build compiles the main package (a path as for go build, relative to the
// test's folder) and returns a [Server] that starts the binary with args. A
// package is built once for each test binary; the test ends when that fails.
// The binary is removed by the next test that builds one after this run.
func Build(tb testing.TB, pkg string, args ...string) Server {
	tb.Helper()
	builds.Lock()
	defer builds.Unlock()
	if bin, ok := builds.done[pkg]; ok {
		return Server{Path: bin, Args: args}
	}
	if builds.dir == "" {
		sweep(os.TempDir())
		dir, err := os.MkdirTemp("", fmt.Sprintf("%s%d-", binPrefix, os.Getpid()))
		if err != nil {
			tb.Fatal(err)
		}
		builds.dir, builds.done = dir, map[string]string{}
	}
	bin := filepath.Join(builds.dir, fmt.Sprintf("server%d", len(builds.done)))
	if out, err := exec.Command("go", "build", "-o", bin, pkg).CombinedOutput(); err != nil {
		tb.Fatalf("building %s: %v\n%s", pkg, err, out)
	}
	builds.done[pkg] = bin
	return Server{Path: bin, Args: args}
}
