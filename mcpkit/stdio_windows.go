package mcpkit

import (
	"os"
	"syscall"
)

var setStdHandle = syscall.NewLazyDLL("kernel32.dll").NewProc("SetStdHandle")

// divertStdout makes the handle of standard error the process's standard
// output. Code that fetched the old handle before still holds it.
func divertStdout() (*os.File, error) {
	stderr, err := syscall.GetStdHandle(syscall.STD_ERROR_HANDLE)
	if err != nil {
		return nil, os.NewSyscallError("GetStdHandle", err)
	}
	out := os.Stdout
	which := int32(syscall.STD_OUTPUT_HANDLE)
	if ok, _, err := setStdHandle.Call(uintptr(uint32(which)), uintptr(stderr)); ok == 0 {
		return nil, os.NewSyscallError("SetStdHandle", err)
	}
	os.Stdout = os.Stderr
	return out, nil
}

// ignoreBrokenPipes has nothing to do here: a broken pipe is only an error.
func ignoreBrokenPipes() (stop func()) { return func() {} }
