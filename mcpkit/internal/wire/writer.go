package wire

import (
	"io"
	"sync"
)

const (
	// maxQueued is how many bytes may wait to be written before those who
	// write have to wait, too. It is large enough that a client may send some
	// thousand bad lines before it reads the first answer.
	maxQueued = 4 << 20

	// maxWrite is how much goes into one write; pipelined answers share one.
	maxWrite = 64 << 10
)

// writer writes lines from a goroutine of its own. Whoever has a line to write
// queues it under a lock that is never held while the output blocks.
type writer struct {
	w    io.Writer
	fail func(error) // called once, from the goroutine, when a write fails
	done chan struct{}

	mu     sync.Mutex
	cond   sync.Cond // signalled on every change of the fields below
	lines  [][]byte
	queued int // bytes in lines and in the write under way
	last   bool
	broken bool
}

func newWriter(w io.Writer, fail func(error)) *writer {
	out := &writer{w: w, fail: fail, done: make(chan struct{})}
	out.cond.L = &out.mu
	go out.run()
	return out
}

// put queues a line, to which the line feed is added. With wait it returns only
// when there is room again; without, it never blocks.
func (w *writer) put(line []byte, wait bool) {
	w.mu.Lock()
	if !w.broken && !w.last {
		w.lines = append(w.lines, line)
		w.queued += len(line) + 1
		w.cond.Broadcast()
	}
	w.mu.Unlock()
	if wait {
		w.waitForRoom()
	}
}

// full reports whether those who write have to wait.
func (w *writer) full() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.queued > maxQueued
}

func (w *writer) waitForRoom() {
	w.mu.Lock()
	for w.queued > maxQueued && !w.broken && !w.last {
		w.cond.Wait()
	}
	w.mu.Unlock()
}

// finish ends the goroutine once what is queued is written. Nobody has to wait
// for room from then on, since nothing more can be queued.
func (w *writer) finish() {
	w.mu.Lock()
	w.last = true
	w.cond.Broadcast()
	w.mu.Unlock()
}

func (w *writer) run() {
	defer close(w.done)
	buf := make([]byte, 0, maxWrite)
	for {
		w.mu.Lock()
		for len(w.lines) == 0 && !w.last {
			w.cond.Wait()
		}
		lines := w.lines
		w.lines = nil
		w.mu.Unlock()
		if len(lines) == 0 {
			return
		}
		for i, line := range lines {
			buf = append(append(buf, line...), '\n')
			lines[i] = nil
			if len(buf) < maxWrite && i < len(lines)-1 {
				continue
			}
			if _, err := w.w.Write(buf); err != nil {
				w.mu.Lock()
				w.broken, w.lines, w.queued = true, nil, 0
				w.cond.Broadcast()
				w.mu.Unlock()
				w.fail(err)
				return
			}
			w.mu.Lock()
			w.queued -= len(buf)
			w.cond.Broadcast()
			w.mu.Unlock()
			if buf = buf[:0]; cap(buf) > 4*maxWrite {
				buf = make([]byte, 0, maxWrite) // one huge answer must not keep its memory
			}
		}
	}
}
