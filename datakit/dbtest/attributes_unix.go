//go:build unix && !linux

package dbtest

import "syscall"

func attributes(who *syscall.Credential, _ syscall.Signal) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: who}
}
