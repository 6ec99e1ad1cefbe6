package state

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockedByte lies far behind the number in the file, because a locked range
// cannot be read by others here.
func lockedByte() *windows.Overlapped { return &windows.Overlapped{OffsetHigh: 1} }

// tryLock takes the lock unless another open file holds it.
func tryLock(f *os.File) (bool, error) {
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, lockedByte())
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}

func unlock(f *os.File) error {
	return windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, lockedByte())
}

// syncFolder does nothing: folders cannot be forced to the disk here, and the
// rename is journalled.
func syncFolder(string) error { return nil }
