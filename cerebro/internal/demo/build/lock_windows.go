package build

import (
	"context"
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lock waits until no other process holds the lock file.
func lock(ctx context.Context, path string) (unlock func() error, err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, new(windows.Overlapped))
		if err == nil {
			return f.Close, nil
		}
		if !errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
			return nil, errors.Join(err, f.Close())
		}
		if err := wait(ctx); err != nil {
			return nil, errors.Join(err, f.Close())
		}
	}
}
