//go:build unix

package build

import (
	"context"
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lock waits until no other process holds the lock file. The file stays: removing
// it would let two processes lock two files of one name.
func lock(ctx context.Context, path string) (unlock func() error, err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err == nil {
			return f.Close, nil
		}
		if !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR) {
			return nil, errors.Join(err, f.Close())
		}
		if err := wait(ctx); err != nil {
			return nil, errors.Join(err, f.Close())
		}
	}
}
