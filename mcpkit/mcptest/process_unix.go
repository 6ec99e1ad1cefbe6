//go:build unix

package mcptest

import (
	"errors"
	"os/exec"
	"syscall"
)

// ownGroup puts the server into a process group of its own, so that killing
// it takes its children along.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return killGroup(cmd) }
}

func killGroup(cmd *exec.Cmd) error {
	return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
}

// alive reports whether a process may still be running.
func alive(pid int) bool { return !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }

// terminate asks the server to end, as clients do.
func (p *process) terminate() error { return p.cmd.Process.Signal(syscall.SIGTERM) }
