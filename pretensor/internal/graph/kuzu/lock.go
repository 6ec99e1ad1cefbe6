package kuzu

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// LockedError says that another writer is at work on the graph.
type LockedError struct {
	Graph string // its file's name
	PID   int    // of the other writer; 0 if not known
}

func (e *LockedError) Error() string {
	if e.PID == 0 {
		return fmt.Sprintf("graph %q is being written by another process", e.Graph)
	}
	return fmt.Sprintf("graph %q is being written by process %d", e.Graph, e.PID)
}

// lock takes the lock of a graph, which is the file's own plus .lock, and stays when
// it is given back: a lock that is removed can be taken twice. The system frees it
// when the process ends.
func lock(path, name string) (unlock func() error, err error) {
	f, err := os.OpenFile(path+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("locking graph %q: %w", name, cause(err))
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		defer f.Close()
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("locking graph %q: %w", name, err)
		}
		buf := make([]byte, 20)
		n, _ := f.ReadAt(buf, 0) // the other writer may not have written it yet
		pid, _ := strconv.Atoi(strings.TrimSpace(string(buf[:n])))
		return nil, &LockedError{name, pid}
	}
	pid := strconv.Itoa(os.Getpid()) + "\n"
	err = f.Truncate(0)
	if err == nil {
		_, err = f.WriteAt([]byte(pid), 0)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("locking graph %q: %w", name, cause(err))
	}
	return f.Close, nil
}

// cause is an error of the file system without its path.
func cause(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	var l *os.LinkError
	if errors.As(err, &l) {
		return l.Err
	}
	return err
}
