package mcpkit

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

const (
	// maxLogQueue is how many bytes of log wait for standard error. Further
	// lines are left out and counted.
	maxLogQueue = 256 << 10

	// logPatience is how long a line of log may take to be written before it
	// is left to itself.
	logPatience = 100 * time.Millisecond
)

// stderr is the standard error of the process for the log. There is one, so
// that lines keep their order.
var stderr = &logWriter{w: os.Stderr}

// logWriter writes to a stream that its other end may not read: many clients
// start a server with a pipe for its standard error and never look at it. Once
// the pipe is full a plain write would block, and with it every call that has
// something to log. Write returns when the line is written, or else after
// logPatience; while the stream is stuck it returns at once.
type logWriter struct {
	w io.Writer

	mu     sync.Mutex
	lines  [][]byte
	queued int           // bytes in lines
	lost   int           // lines that found no room
	idle   chan struct{} // closed when all lines are written; nil when nothing is being written
	stuck  bool          // the write under way takes longer than logPatience
}

// Write implements [io.Writer]; it never fails.
func (l *logWriter) Write(line []byte) (int, error) {
	l.mu.Lock()
	if l.queued+len(line) > maxLogQueue {
		l.lost++
		l.mu.Unlock()
		return len(line), nil
	}
	l.lines = append(l.lines, bytes.Clone(line)) // the caller reuses it
	l.queued += len(line)
	if l.idle == nil {
		l.idle = make(chan struct{})
		go l.run(l.idle)
	}
	idle, stuck := l.idle, l.stuck
	l.mu.Unlock()
	if stuck {
		return len(line), nil
	}
	late := time.NewTimer(logPatience)
	defer late.Stop()
	select {
	case <-idle:
	case <-late.C:
		l.mu.Lock()
		l.stuck = l.idle == idle
		l.mu.Unlock()
	}
	return len(line), nil
}

// run writes what is queued, and ends when nothing is left.
func (l *logWriter) run(idle chan struct{}) {
	for {
		l.mu.Lock()
		lines, lost := l.lines, l.lost
		l.lines, l.queued, l.lost = nil, 0, 0
		if len(lines) == 0 {
			l.idle, l.stuck = nil, false
			close(idle)
			l.mu.Unlock()
			return
		}
		l.mu.Unlock()
		for _, line := range lines {
			_, _ = l.w.Write(line) // there is nowhere to report an error
		}
		if lost > 0 {
			_, _ = fmt.Fprintf(l.w, "%d lines of log were left out because nobody read them in time\n", lost)
		}
	}
}
