package pool

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"

	"github.com/quartet-mcp/quartet/pretensor/internal/graph/kuzu"
)

// child is a child process as the pool sees it.
type child struct {
	graph Graph
	cmd   *exec.Cmd
	in    *os.File
	said  head

	ready   chan struct{} // closed when failed is known
	failed  error         // why it cannot be asked
	answers chan answer   // closed when there will be no more
	over    chan struct{} // closed with answers: the process has ended or will
	gone    chan struct{} // closed when the process and its folder are
	asked   int           // id of the last request
	idle    *time.Timer   // ends it; of an idle child
}

// passed are the names of the only environment variables that children get: where
// the engine's library is looked for.
var passed = []string{"LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"}

// start starts a child, which is not ready yet.
func (p *Pool) start(g Graph) (*child, error) {
	fail := func(err error) (*child, error) {
		p.o.Log.Error("a graph worker could not be started", "error", err)
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	program := p.o.Executable
	if program == "" {
		var err error
		if program, err = os.Executable(); err != nil {
			return fail(err)
		}
	}
	dir, err := os.MkdirTemp(p.o.Dir, ChildArg+"-")
	if err != nil {
		return fail(err)
	}
	in, write, err := os.Pipe()
	if err != nil {
		os.RemoveAll(dir)
		return fail(err)
	}
	read, out, err := os.Pipe()
	if err != nil {
		in.Close()
		write.Close()
		os.RemoveAll(dir)
		return fail(err)
	}
	c := &child{graph: g, in: write, ready: make(chan struct{}), answers: make(chan answer, 1), over: make(chan struct{}), gone: make(chan struct{})}
	c.cmd = exec.Command(program, ChildArg, g.Path)
	c.cmd.Dir, c.cmd.Env = dir, []string{"HOME=" + dir, "TMPDIR=" + dir}
	for _, name := range passed {
		if v := os.Getenv(name); v != "" {
			c.cmd.Env = append(c.cmd.Env, name+"="+v)
		}
	}
	c.cmd.Stdin, c.cmd.Stderr, c.cmd.ExtraFiles = in, &c.said, []*os.File{out}
	c.cmd.WaitDelay, c.cmd.SysProcAttr = time.Second, attributes()
	p.forks.do(func() { err = c.cmd.Start() })
	in.Close()
	out.Close()
	if err != nil {
		read.Close()
		write.Close()
		os.RemoveAll(dir)
		return fail(err)
	}
	p.work.Go(func() { p.follow(c, read) })
	return c, nil
}

// follow reads what a child says, until it is gone.
func (p *Pool) follow(c *child, read *os.File) {
	late := time.AfterFunc(startLimit, c.kill)
	var first answer
	err := receive(read, &first)
	begun := err == nil && first.Begun
	if begun {
		first = answer{}
		err = receive(read, &first)
	}
	late.Stop()
	switch {
	case err != nil && begun:
		c.failed = fmt.Errorf("%w: it ended the engine: %w", ErrUnreadable, err)
	case err != nil:
		c.failed = fmt.Errorf("%w: %w", ErrUnavailable, err)
	case first.Missing:
		c.failed = kuzu.ErrNotFound
	case first.Kind != "":
		c.failed = fmt.Errorf("%w: %s", ErrUnreadable, first.Message)
	}
	close(c.ready)
	for talks := c.failed == nil; talks; {
		var a answer
		if talks = receive(read, &a) == nil; talks {
			select {
			case c.answers <- a:
			default: // more than it was asked for
				talks = false
			}
		}
	}
	close(c.over)
	close(c.answers)
	p.expire(c)
	c.kill()
	read.Close()
	if err := c.cmd.Wait(); err != nil && (errors.Is(c.failed, ErrUnavailable) || errors.Is(c.failed, ErrUnreadable)) && !p.closes() {
		p.o.Log.Warn("a graph worker did not get ready", "error", c.failed, "state", err, "said", c.said.String())
	}
	c.in.Close()
	if err := os.RemoveAll(c.cmd.Dir); err != nil {
		p.o.Log.Warn("the folder of a graph worker is left", "error", err)
	}
	close(c.gone)
}

// ask sends a request.
func (c *child) ask(r request, limit time.Duration) error {
	c.asked++
	r.ID = c.asked
	var until time.Time
	if limit > 0 {
		until = time.Now().Add(limit)
	}
	err := c.in.SetWriteDeadline(until)
	if err == nil {
		err = send(c.in, r)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return kuzu.ErrTimeout
	}
	return err
}

// ended reports whether the process has ended or will.
func (c *child) ended() bool {
	select {
	case <-c.over:
		return true
	default:
		return false
	}
}

// kill ends the process. It may be called more than once and by several goroutines.
func (c *child) kill() { c.cmd.Process.Kill() }

func (c *child) pid() int { return c.cmd.Process.Pid }

// head keeps the beginning of what is written to it.
type head struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (h *head) Write(b []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.buf.Write(b[:min(len(b), max(0, 2000-h.buf.Len()))])
	return len(b), nil
}

func (h *head) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.buf.String()
}

// starter starts processes on one thread, which lives as long as they do: to the
// system, a child's parent is the thread that started it.
type starter struct {
	mu    sync.Mutex
	tasks chan func()
}

// do runs f on the thread.
func (s *starter) do(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tasks == nil {
		s.tasks = make(chan func())
		go func(tasks chan func()) {
			runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
			for f := range tasks {
				f()
			}
		}(s.tasks)
	}
	done := make(chan struct{})
	s.tasks <- func() { f(); close(done) }
	<-done
}

// stop ends the thread.
func (s *starter) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tasks != nil {
		close(s.tasks)
		s.tasks = nil
	}
}
