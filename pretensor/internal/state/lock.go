package state

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	lockWait    = 10 * time.Second
	lockPoll    = 2 * time.Millisecond // at first, doubled up to lockPollMax
	lockPollMax = 50 * time.Millisecond
)

// LockedError says that another writer kept the lock for too long.
type LockedError struct {
	PID    int // of the process that holds it; 0 if it cannot be told
	Waited time.Duration
}

func (e *LockedError) Error() string {
	who := "another process"
	if e.PID != 0 {
		who = fmt.Sprintf("process %d", e.PID)
	}
	return fmt.Sprintf("the state directory is being written by %s (waited %s); try again when it has ended", who, e.Waited.Round(time.Millisecond))
}

// Lock is the right to write, held until [Lock.Release].
type Lock struct {
	once sync.Once
	file *os.File
	err  error
}

// Lock waits for the right to write to the directory, which it creates if it is
// missing. It waits at most [Dir.LockWait] and fails with a [LockedError] then,
// or with ctx's error when that ends first. The lock goes with the process: one
// that was killed holds nothing. Asking again while holding it waits for oneself.
func (d *Dir) Lock(ctx context.Context) (*Lock, error) {
	if err := d.Create(); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(d.in(LockName), os.O_RDWR|os.O_CREATE, FileMode)
	if err != nil {
		return nil, fmt.Errorf("opening the lock: %w", bare(err))
	}
	if err := d.acquire(ctx, f); err != nil {
		f.Close()
		return nil, err
	}
	// The number is there for whoever waits to read. The lock is the kernel's, so
	// a number that could not be written takes nothing away from it.
	if f.Truncate(0) == nil {
		_, _ = f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	}
	d.sweep(time.Now())
	return &Lock{file: f}, nil
}

func (d *Dir) acquire(ctx context.Context, f *os.File) error {
	wait := d.LockWait
	if wait == 0 {
		wait = lockWait
	}
	start := time.Now()
	for pause := lockPoll; ; pause = min(2*pause, lockPollMax) {
		got, err := tryLock(f)
		if err != nil {
			return fmt.Errorf("locking the state directory: %w", err)
		}
		if got {
			return nil
		}
		left := wait - time.Since(start)
		if left <= 0 {
			return &LockedError{PID: holder(f), Waited: time.Since(start)}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(min(pause, left)):
		}
	}
}

// holder reads the number that the lock's owner left.
func holder(f *os.File) int {
	var b [20]byte
	n, _ := f.ReadAt(b[:], 0)
	pid, err := strconv.Atoi(strings.TrimSpace(string(b[:n])))
	if err != nil {
		return 0
	}
	return pid
}

// Release gives the lock up. Further calls do nothing and return the same.
func (l *Lock) Release() error {
	l.once.Do(func() { l.err = errors.Join(unlock(l.file), l.file.Close()) })
	return l.err
}
