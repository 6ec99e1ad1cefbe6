//go:build unix

package exec

import "syscall"

// processorTime returns the nanoseconds of processor time that the process has used.
func processorTime() int64 {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return r.Utime.Nano() + r.Stime.Nano()
}
