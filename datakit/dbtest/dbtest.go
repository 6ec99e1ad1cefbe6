package dbtest

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

const (
	startLimit = 60 * time.Second // until a server answers
	stopLimit  = 10 * time.Second // until it is killed for not stopping
)

var running struct {
	sync.Mutex
	stop []func()
}

// Main runs a package's tests and stops the servers that they started. It
// returns the exit code.
func Main(m *testing.M) int {
	code := m.Run()
	stopAll()
	return code
}

func stopAll() {
	running.Lock()
	defer running.Unlock()
	for _, stop := range running.stop {
		stop()
	}
	running.stop = nil
}

// server is a server of this process, started once.
type server struct {
	once      sync.Once
	port      int
	err       error
	databases atomic.Int64
}

// need starts the server if it is not running and returns its port.
func (s *server) need(tb testing.TB, name string, start func() (int, error)) int {
	tb.Helper()
	s.once.Do(func() { s.port, s.err = start() })
	if s.err != nil {
		if os.Getenv("CI") == "" {
			tb.Skipf("%s is not available: %v", name, s.err)
		}
		tb.Fatalf("%s: %v", name, s.err)
	}
	return s.port
}

// newDatabase returns a database name that no other test of the process has.
func (s *server) newDatabase() string { return "test_" + strconv.FormatInt(s.databases.Add(1), 10) }

// program finds a program under one of the patterns, the newest version first, or
// on PATH.
func program(name string, patterns ...string) (string, error) {
	for _, pattern := range patterns {
		if found, _ := filepath.Glob(filepath.Join(pattern, name)); len(found) > 0 {
			return slices.MaxFunc(found, compareVersions), nil
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("the program %s is not installed", name)
	}
	return path, nil
}

// compareVersions orders texts by their numbers where both have one, and by their
// bytes elsewhere: 9.6 < 15 < 100.
func compareVersions(a, b string) int {
	for a != "" && b != "" {
		n, m := digits(a), digits(b)
		if n == 0 || m == 0 {
			if a[0] != b[0] {
				return cmp.Compare(a[0], b[0])
			}
			a, b = a[1:], b[1:]
			continue
		}
		x, y := strings.TrimLeft(a[:n], "0"), strings.TrimLeft(b[:m], "0")
		if c := cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y)); c != 0 {
			return c
		}
		a, b = a[n:], b[m:]
	}
	return cmp.Compare(len(a), len(b))
}

// digits is the length of the number that a text begins with.
func digits(text string) int {
	return len(text) - len(strings.TrimLeft(text, "0123456789"))
}

// account is whom the server runs as: servers refuse to run as root, so for root
// it is the first of the named users that exists.
func account(names ...string) (*syscall.Credential, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	for _, name := range append(names, "nobody") {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err1 := strconv.ParseUint(u.Uid, 10, 32)
		gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
		if err1 == nil && err2 == nil {
			return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
		}
	}
	return nil, fmt.Errorf("no user to run a server as: %v, nobody", names)
}

// folder makes a temporary folder that belongs to the server's user and is
// removed by Main.
func folder(who *syscall.Credential) (string, error) {
	dir, err := os.MkdirTemp("", "dbtest")
	if err != nil {
		return "", err
	}
	onStop(func() { _ = os.RemoveAll(dir) })
	if who != nil {
		err = os.Chown(dir, int(who.Uid), int(who.Gid))
	}
	return dir, err
}

func onStop(stop func()) {
	running.Lock()
	defer running.Unlock()
	running.stop = append([]func(){stop}, running.stop...) // the last started stops first
}

// command is a program of a server, run as its user in its folder. On Linux it
// gets the signal death when this process ends before it.
func command(who *syscall.Credential, death syscall.Signal, dir, path string, args ...string) *exec.Cmd {
	cmd := exec.Command(path, args...)
	cmd.Dir = dir
	cmd.SysProcAttr = attributes(who, death)
	return cmd
}

// runTo runs a program to its end; its output is part of the error.
func runTo(cmd *exec.Cmd) error {
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", filepath.Base(cmd.Path), err, out)
	}
	return nil
}

// serve starts a server and waits until ready succeeds. Main stops it with the
// signal quit.
func serve(cmd *exec.Cmd, quit os.Signal, ready func() error) error {
	log, err := os.Create(filepath.Join(cmd.Dir, "server.log"))
	if err != nil {
		return err
	}
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log

	started, ended := make(chan error, 1), make(chan error, 1)
	go func() {
		// A child that is to die with its parent dies with the thread that started
		// it, so this thread is kept until the child has ended.
		runtime.LockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			ended <- cmd.Wait()
		}
	}()
	if err := <-started; err != nil {
		return err
	}
	var reason error // why the server ended, once exited is closed
	exited := make(chan struct{})
	go func() { reason = <-ended; close(exited) }()
	onStop(func() { stop(cmd.Process, quit, exited, stopLimit) })
	for end := time.Now().Add(startLimit); ; time.Sleep(50 * time.Millisecond) {
		notReady := ready()
		if notReady == nil {
			return nil
		}
		select {
		case <-exited:
			if reason == nil {
				reason = errors.New("exit status 0")
			}
			return fmt.Errorf("%s ended before it was ready: %w\n%s", filepath.Base(cmd.Path), reason, logged(log))
		default:
		}
		if time.Now().After(end) {
			return fmt.Errorf("%s did not get ready: %w\n%s", filepath.Base(cmd.Path), notReady, logged(log))
		}
	}
}

func logged(log *os.File) []byte {
	out, err := os.ReadFile(log.Name())
	if err != nil {
		return []byte(err.Error())
	}
	return out
}

// stop ends a process with a signal, or kills it when it has not ended in time.
func stop(p *os.Process, quit os.Signal, exited <-chan struct{}, limit time.Duration) {
	_ = p.Signal(quit) // it may have ended already
	select {
	case <-exited:
	case <-time.After(limit):
		_ = p.Kill()
		<-exited
	}
}

// freePort is a TCP port of loopback that nothing listens on.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
