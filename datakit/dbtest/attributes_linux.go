package dbtest

import "syscall"

// attributes makes a child run as who and get the signal when its parent dies.
func attributes(who *syscall.Credential, death syscall.Signal) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: who, Pdeathsig: death}
}
