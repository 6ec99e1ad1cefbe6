package pool

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"syscall"
)

// attributes make a child die with the thread that started it. A group of its own
// keeps the signals of a terminal away from it.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}

// resident is how many bytes of memory a process has; 0 if it is not known.
func resident(pid int) int64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	fields := bytes.Fields(b)
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}

// restrict takes from this process what a child needs not: writing files, a dump when
// it crashes, being spared when memory runs out, and processors before its parent. It
// is a second line: where the system refuses, nothing is lost.
func restrict() {
	_ = syscall.Setpriority(syscall.PRIO_PGRP, 0, 5) // of all its threads
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0o600)
	for _, what := range []int{syscall.RLIMIT_FSIZE, syscall.RLIMIT_CORE} {
		_ = syscall.Setrlimit(what, &syscall.Rlimit{})
	}
}
