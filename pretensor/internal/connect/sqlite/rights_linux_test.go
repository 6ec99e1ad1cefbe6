package sqlite

import (
	"runtime"
	"syscall"
	"testing"
)

// dropRights lets root's thread reach files as nobody does until the test ends.
func dropRights(t *testing.T) {
	t.Helper()
	runtime.LockOSThread()
	const nobody = 65534
	if err := syscall.Setfsuid(nobody); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Setfsuid(0); err != nil {
			t.Error(err)
		}
		runtime.UnlockOSThread()
	})
}
