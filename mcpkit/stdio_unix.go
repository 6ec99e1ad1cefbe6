//go:build unix

package mcpkit

import (
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// divertStdout duplicates descriptor 1 and points it at descriptor 2. The
// duplicate is not inherited by child processes; descriptor 1 is, so what they
// print goes to standard error as well.
func divertStdout() (*os.File, error) {
	syscall.ForkLock.RLock()
	fd, err := syscall.Dup(1)
	if err == nil {
		syscall.CloseOnExec(fd)
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, os.NewSyscallError("dup", err)
	}
	if err := dup2(2, 1); err != nil {
		return nil, errors.Join(os.NewSyscallError("dup2", err), os.NewSyscallError("close", syscall.Close(fd)))
	}
	return os.NewFile(uintptr(fd), "stdout"), nil
}

// ignoreBrokenPipes keeps the process alive when standard error is closed on
// it, which would otherwise end it at the next line of log. Child processes are
// not affected.
func ignoreBrokenPipes() (stop func()) {
	unread := make(chan os.Signal, 1)
	signal.Notify(unread, syscall.SIGPIPE)
	return func() { signal.Stop(unread) }
}
