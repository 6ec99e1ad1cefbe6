//go:build !linux

package pool

import "syscall"

// attributes say nothing: a child ends when its standard input does.
func attributes() *syscall.SysProcAttr { return nil }

// resident does not know.
func resident(int) int64 { return 0 }

func restrict() {}
