package mcptest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// exitGrace is how long a server may take to exit once nothing keeps it: its
// drain of 5 s, and a second for the rest.
const exitGrace = 7 * time.Second

// A process is a running server. One goroutine uses it; another, its own,
// empties stdout, so that a server which answers at length never blocks.
type process struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout queue
	stderr tail
	done   context.CancelFunc
	waited chan struct{} // closed when the process has been reaped
	exit   error
}

// start runs the server in dir. The process, with all its children, is killed
// when ctx ends or [process.kill] is called, whichever comes first.
func start(ctx context.Context, s Server, dir string, args, env []string) (*process, error) {
	ctx, done := context.WithCancel(ctx)
	p := &process{
		stdout: queue{wake: make(chan struct{}, 1)},
		waited: make(chan struct{}),
		done:   done,
	}
	p.cmd = exec.CommandContext(ctx, s.Path, append(append([]string{}, s.Args...), args...)...)
	p.cmd.Dir = dir
	p.cmd.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TMPDIR=" + dir, "LANG=C.UTF-8", "TZ=UTC",
	}, append(append([]string{}, s.Env...), env...)...)
	p.cmd.Stderr = &p.stderr
	ownGroup(p.cmd)
	p.cmd.WaitDelay = time.Second // for grandchildren that hold stderr open

	stdin, err := p.cmd.StdinPipe()
	if err != nil {
		done()
		return nil, err
	}
	p.stdin = stdin
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		done()
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		done()
		return nil, fmt.Errorf("starting the server: %w", err)
	}
	go func() {
		r := bufio.NewReaderSize(stdout, 1<<16)
		for {
			line, err := r.ReadBytes('\n')
			if len(line) > 0 {
				p.stdout.push(line)
			}
			if err != nil {
				break
			}
		}
		p.stdout.end()
		p.exit = p.cmd.Wait()
		close(p.waited)
	}()
	return p, nil
}

// send writes one line. It blocks while the server does not read, until the
// context of start ends.
func (p *process) send(line []byte) error {
	buf := make([]byte, 0, len(line)+1)
	_, err := p.stdin.Write(append(append(buf, line...), '\n'))
	if err != nil {
		return fmt.Errorf("the server does not read any more: %w", err)
	}
	return nil
}

var errStdoutClosed = errors.New("the server closed stdout")

// next returns the next line of stdout without its newline. It fails when
// stdout ends ([errStdoutClosed]), when ctx ends, and for a last line without
// a newline.
func (p *process) next(ctx context.Context) ([]byte, error) {
	for {
		line, ended := p.stdout.pop()
		switch {
		case line != nil:
			cut, ok := bytes.CutSuffix(line, []byte("\n"))
			if !ok {
				return nil, fmt.Errorf("stdout ended inside a line: %s", clip(string(line)))
			}
			return cut, nil
		case ended:
			return nil, errStdoutClosed
		}
		select {
		case <-p.stdout.wake:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// wait returns the exit code of a process whose stdout was read to its end.
func (p *process) wait(limit time.Duration) (int, error) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-p.waited:
	case <-timer.C:
		return -1, fmt.Errorf("the server still runs %v after its stdout was closed", limit)
	}
	if exit := (*exec.ExitError)(nil); errors.As(p.exit, &exit) && exit.Exited() {
		return exit.ExitCode(), nil
	}
	if p.exit != nil {
		return -1, fmt.Errorf("the server ended with %w", p.exit)
	}
	return 0, nil
}

// kill ends the process and its children and waits for it to be gone.
func (p *process) kill() {
	p.done()
	p.stdin.Close()
	<-p.waited
	_ = killGroup(p.cmd) // children that outlived the server itself; mostly there are none
}

// queue holds the lines that were read and not yet taken. It has no bound: one
// would let a server that answers at length wait for a client that still writes.
type queue struct {
	mu    sync.Mutex
	lines [][]byte
	ended bool
	wake  chan struct{} // holds a token after a change
}

func (q *queue) push(line []byte) {
	q.mu.Lock()
	q.lines = append(q.lines, line)
	q.mu.Unlock()
	q.signal()
}

func (q *queue) end() {
	q.mu.Lock()
	q.ended = true
	q.mu.Unlock()
	q.signal()
}

func (q *queue) signal() {
	select {
	case q.wake <- struct{}{}:
	default: // there is a token already
	}
}

// pop returns the next line, or nil and whether none will come.
func (q *queue) pop() ([]byte, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.lines) == 0 {
		return nil, q.ended
	}
	line := q.lines[0]
	q.lines = q.lines[1:]
	return line, false
}

// tail keeps the end of what is written to it.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

const tailSize = 4096

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, b...)
	if n := len(t.buf) - tailSize; n > 0 {
		t.buf = append(t.buf[:0], t.buf[n:]...)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.buf))
}
