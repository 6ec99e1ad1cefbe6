package dbtest

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestServe_ExitReason(t *testing.T) {
	for _, tc := range []struct{ script, want string }{
		{"echo no space left; exit 3", "exit status 3\nno space left\n"},
		{"echo done; exit 0", "exit status 0\ndone\n"},
		{"kill -9 $$", "signal: killed\n"},
	} {
		cmd := command(nil, syscall.SIGKILL, t.TempDir(), "/bin/sh", "-c", tc.script)
		err := serve(cmd, syscall.SIGTERM, func() error { return errors.New("connection refused") })
		if err == nil {
			t.Errorf("serve(%q): no error", tc.script)
		} else if want := "sh ended before it was ready: " + tc.want; err.Error() != want {
			t.Errorf("serve(%q) = %q, want %q", tc.script, err, want)
		}
	}
}

func TestStop(t *testing.T) {
	for _, tc := range []struct {
		name, script string
		limit        time.Duration
		want         string
	}{
		{"obeys", `trap "exit 7" TERM; echo ready; while :; do sleep 0.01; done`, time.Minute, "exit status 7"},
		{"does not obey", `trap "" TERM; echo ready; while :; do sleep 0.01; done`, time.Millisecond, "signal: killed"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			cmd := exec.Command("/bin/sh", "-c", tc.script)
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if _, err := out.Read(make([]byte, 1)); err != nil { // the trap is set
				t.Fatal(err)
			}
			var reason error
			exited := make(chan struct{})
			go func() { reason = cmd.Wait(); close(exited) }()
			stop(cmd.Process, syscall.SIGTERM, exited, tc.limit)
			if reason == nil || reason.Error() != tc.want {
				t.Errorf("stopped with %v, want %s", reason, tc.want)
			}
		})
	}
}

func TestCompareVersions(t *testing.T) {
	want := []string{
		"/usr/lib/postgresql/9.6/bin/initdb", "/usr/lib/postgresql/9.10/bin/initdb", "/usr/lib/postgresql/15/bin/initdb",
		"/usr/lib/postgresql/016/bin/initdb", "/usr/lib/postgresql/100/bin/initdb", "/usr/lib/postgresql/100/bin/initdb2",
	}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, compareVersions)
	if !slices.Equal(got, want) {
		t.Errorf("sorted %q, want %q", got, want)
	}
}

func TestProgram_NewestVersion(t *testing.T) {
	dir := t.TempDir()
	for _, version := range []string{"9.6", "15", "100"} {
		bin := filepath.Join(dir, version, "bin")
		if err := os.MkdirAll(bin, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(bin, "tool"), nil, 0o700); err != nil {
			t.Fatal(err)
		}
		got, err := program("tool", filepath.Join(dir, "*", "bin"))
		if want := filepath.Join(bin, "tool"); err != nil || got != want {
			t.Errorf("program = %q, %v, want %q", got, err, want)
		}
	}
	if got, err := program("no-such-tool", filepath.Join(dir, "*", "bin")); err == nil {
		t.Errorf("program of no tool = %q", got)
	}
}

// sharedEnv makes this test's own process one that starts a server and writes the
// names of its shared memory into the file that the variable names.
const sharedEnv = "DBTEST_SHARED_MEMORY"

// TestPostgres_LeavesNoSharedMemory runs itself as a process of its own, which
// ends as a test run does, or is killed.
func TestPostgres_LeavesNoSharedMemory(t *testing.T) {
	if file := os.Getenv(sharedEnv); file != "" {
		list := sharedMemory(t)
		if err := os.WriteFile(file+".new", []byte(strings.Join(list, "\n")), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(file+".new", file); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(file, "killed") {
			select {} // until the parent kills it
		}
		return
	}
	Postgres(t) // skips where there is no server
	if runtime.GOOS != "linux" {
		t.Skip("only Linux lists shared memory")
	}
	for _, end := range []string{"ends", "killed"} {
		t.Run(end, func(t *testing.T) {
			// The server's user must be able to enter it, and its files are removed
			// even where the process that made them was killed.
			dir, err := os.MkdirTemp("", "dbtest")
			if err != nil {
				t.Fatal(err)
			}
			defer os.RemoveAll(dir)
			if err := os.Chmod(dir, 0o711); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(dir, end)
			ctx, cancel := context.WithTimeout(context.Background(), 2*startLimit)
			defer cancel()
			cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestPostgres_LeavesNoSharedMemory$")
			cmd.Env = append(os.Environ(), sharedEnv+"="+file, "TMPDIR="+dir)
			var out strings.Builder
			cmd.Stdout, cmd.Stderr = &out, &out
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			if end == "killed" {
				for _, err := os.Stat(file); err != nil; _, err = os.Stat(file) {
					select {
					case err := <-ended:
						t.Fatalf("%v\n%s", err, out.String())
					case <-time.After(10 * time.Millisecond):
					}
				}
				_ = cmd.Process.Kill()
				<-ended
			} else if err := <-ended; err != nil {
				t.Fatalf("%v\n%s", err, out.String())
			}
			list, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if len(list) == 0 {
				t.Fatal("the server's shared memory cannot be seen")
			}
			names := strings.Split(string(list), "\n")
			left := leftOf(t, names)
			for end := time.Now().Add(stopLimit); end.After(time.Now()) && len(left) > 0; left = leftOf(t, names) {
				time.Sleep(20 * time.Millisecond) // nobody waits for the server of a killed process
			}
			if len(left) > 0 {
				t.Errorf("of %q, %q are left", names, left)
			}
		})
	}
}

// sharedMemory lists the files of /dev/shm and the System V segments that a new
// server has.
func sharedMemory(t *testing.T) []string {
	ctx := context.Background()
	conn := connect(t, ctx)
	var backend, postmaster string
	err := conn.QueryRow(ctx, "SELECT pg_backend_pid()::text, pg_read_file('postmaster.pid')").Scan(&backend, &postmaster)
	if err != nil {
		t.Fatal(err)
	}
	postmaster, _, _ = strings.Cut(postmaster, "\n")
	var names []string
	for _, process := range []string{backend, postmaster} {
		maps, err := os.ReadFile("/proc/" + process + "/maps")
		if err != nil {
			return nil
		}
		for line := range strings.Lines(string(maps)) {
			fields := strings.Fields(line) // place, rights, offset, device, inode, name
			if len(fields) < 6 {
				continue
			}
			name := fields[5]
			if strings.HasPrefix(name, "/SYSV") {
				name = fields[4] // the inode is the segment's number
			} else if !strings.HasPrefix(name, "/dev/shm/") {
				continue
			}
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// leftOf is what still exists of the names that sharedMemory gave.
func leftOf(t *testing.T, names []string) []string {
	segments, err := os.ReadFile("/proc/sysvipc/shm")
	if err != nil {
		t.Fatal(err)
	}
	var numbers []string
	for line := range strings.Lines(string(segments)) {
		numbers = append(numbers, strings.Fields(line)[1])
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		if strings.HasPrefix(name, "/") {
			_, err := os.Stat(name)
			return err != nil
		}
		return !slices.Contains(numbers, name)
	})
}
