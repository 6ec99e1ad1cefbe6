//go:build !unix

package mcptest

import "os/exec"

// ownGroup does nothing where there are no process groups: children of the
// server are left to the system.
func ownGroup(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) error { return cmd.Process.Kill() }

// alive knows no better.
func alive(int) bool { return true }

// terminate ends the server, for want of a signal it could answer.
func (p *process) terminate() error { return p.cmd.Process.Kill() }
