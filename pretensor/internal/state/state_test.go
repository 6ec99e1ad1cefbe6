package state

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// The test program is its own second process: with this variable it does what a
// test asks of it and ends.
const roleVariable = "STATE_TEST_ROLE"

func TestMain(m *testing.M) {
	dir := At(os.Getenv("STATE_TEST_DIR"))
	switch role := os.Getenv(roleVariable); role {
	case "":
		os.Exit(m.Run())
	case "hold":
		if _, err := dir.Lock(context.Background()); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("held")
		time.Sleep(time.Minute) // until it is killed
	case "count":
		os.Exit(countUp(dir, 20))
	default:
		// Die before the step that the role names.
		w := Writer{Before: func(s Step, _ string) error {
			if string(s) == role {
				p, _ := os.FindProcess(os.Getpid())
				p.Kill()
				select {}
			}
			return nil
		}}
		w.Write(dir.Registry(), []byte("new"), FileMode)
		os.Exit(3)
	}
}

// countUp adds n to the number in a file, each one under the lock.
func countUp(d *Dir, n int) int {
	for range n {
		l, err := d.Lock(context.Background())
		if err != nil {
			fmt.Println(err)
			return 1
		}
		data, _ := os.ReadFile(d.in("count"))
		v, _ := strconv.Atoi(string(data))
		if err := d.Files.Write(d.in("count"), []byte(strconv.Itoa(v+1)), FileMode); err != nil {
			fmt.Println(err)
			return 1
		}
		if err := l.Release(); err != nil {
			return 1
		}
	}
	return 0
}

func process(role string, d *Dir) *exec.Cmd {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), roleVariable+"="+role, "STATE_TEST_DIR="+d.Path())
	return c
}

func newDir(t *testing.T) *Dir {
	t.Helper()
	d := At(filepath.Join(t.TempDir(), "state"))
	if err := d.Create(); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestCreate_Modes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no file modes")
	}
	d := newDir(t)
	for _, p := range []string{d.Path(), d.in("graphs"), d.in("snapshots")} {
		info, err := os.Stat(p)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != 0o700 {
			t.Errorf("mode of %s is %o, want 700", filepath.Base(p), got)
		}
	}
	if w := d.Warnings(); len(w) != 0 {
		t.Errorf("warnings about a new directory: %q", w)
	}
	if err := os.Chmod(d.Path(), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := d.Create(); err != nil {
		t.Fatal(err)
	}
	if w := d.Warnings(); len(w) != 1 || !strings.Contains(w[0], "0755") || !strings.Contains(w[0], "chmod 700 state") {
		t.Errorf("warnings about mode 755: %q", w)
	}
}

func TestDir_Paths(t *testing.T) {
	d := At("")
	slash := func(s string, err error) string {
		if err != nil {
			return err.Error()
		}
		return filepath.ToSlash(s)
	}
	for _, c := range []struct{ name, got, want string }{
		{"default", slash(d.Path(), nil), ".pretensor"},
		{"config", slash(d.Config(), nil), ".pretensor/config.yaml"},
		{"visibility", slash(d.Visibility(), nil), ".pretensor/visibility.yml"},
		{"keystore", slash(d.Keystore(), nil), ".pretensor/keystore"},
		{"registry", slash(d.Registry(), nil), ".pretensor/registry.json"},
		{"demo", slash(d.Demo(), nil), ".pretensor/demo"},
		{"graph", slash(d.Graph("eu/shop 1")), ".pretensor/graphs/eu_shop%201.kuzu"},
		{"snapshot", slash(d.Snapshot("shop")), ".pretensor/snapshots/shop.yaml"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, c.got, c.want)
		}
	}
}

func TestFileName(t *testing.T) {
	for _, c := range []struct{ name, want, err string }{
		{name: "shop", want: "shop"},
		{name: "Shop-1.2_x", want: "Shop-1.2_x"},
		{name: "eu/shop", want: "eu_shop"},
		{name: "../../etc/passwd", want: ".._.._etc_passwd"},
		{name: "a b", want: "a%20b"},
		{name: "50%", want: "50%25"},
		{name: `a\b:c`, want: "a%5Cb%3Ac"},
		{name: "köln", want: "k%C3%B6ln"},
		{name: "\xff\x00", want: "%FF%00"},
		{name: "", err: "must not be empty"},
		{name: "unified", err: "taken"},
		{name: strings.Repeat("x", 200), want: strings.Repeat("x", 200)},
		{name: strings.Repeat("x", 201), err: "too long"},
		{name: strings.Repeat("ö", 34), err: "too long"},
		{name: strings.Repeat("ö", 50), err: `"` + strings.Repeat("ö", 38) + `…"`},
	} {
		got, err := FileName(c.name)
		if c.err == "" && (err != nil || got != c.want) {
			t.Errorf("FileName(%q) = %q, %v, want %q", c.name, got, err, c.want)
		}
		if c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("FileName(%q): error %v, want %q in it", c.name, err, c.err)
		}
	}
}

func TestFileName_InsideItsFolder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := At("s")
		p, err := d.Graph(rapid.String().Draw(t, "name"))
		if err == nil && filepath.Dir(p) != filepath.Join("s", "graphs") {
			t.Fatalf("path %q leaves its folder", p)
		}
	})
}

func TestFileName_OnlySlashesCollide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.String().Draw(t, "a"), rapid.String().Draw(t, "b")
		fa, errA := FileName(a)
		fb, errB := FileName(b)
		if errA == nil && errB == nil && fa == fb && strings.ReplaceAll(a, "/", "_") != strings.ReplaceAll(b, "/", "_") {
			t.Fatalf("%q and %q share %q", a, b, fa)
		}
	})
}

func TestCheckNew(t *testing.T) {
	others := []string{"eu/shop", "crm"}
	for name, want := range map[string]string{
		"eu_shop": `the same files as "eu/shop"`,
		"eu/shop": "",
		"eu-shop": "",
		"":        "empty",
	} {
		err := CheckNew(name, others)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("CheckNew(%q) = %v, want %q", name, err, want)
		}
	}
}

func TestWrite_FaultAtEachStep(t *testing.T) {
	broken := errors.New("broken")
	for _, step := range []Step{StepCreate, StepWrite, StepSync, StepRename, StepSyncDir} {
		d := newDir(t)
		if err := d.Files.Write(d.Registry(), []byte("old"), FileMode); err != nil {
			t.Fatal(err)
		}
		w := Writer{Before: func(s Step, _ string) error {
			if s == step {
				return broken
			}
			return nil
		}}
		err := w.Write(d.Registry(), []byte("new"), FileMode)
		if !errors.Is(err, broken) {
			t.Errorf("%s: error %v", step, err)
		}
		if strings.Contains(err.Error(), d.Path()) {
			t.Errorf("%s: the error shows where the directory is: %v", step, err)
		}
		want := "old"
		if step == StepSyncDir {
			want = "new"
		}
		if got, _ := os.ReadFile(d.Registry()); string(got) != want {
			t.Errorf("%s: the file holds %q, want %q", step, got, want)
		}
		if left := temps(t, d); len(left) != 0 {
			t.Errorf("%s: left behind: %v", step, left)
		}
	}
}

func TestWrite_KilledAtEachStep(t *testing.T) {
	for _, step := range []Step{StepCreate, StepWrite, StepSync, StepRename, StepSyncDir} {
		d := newDir(t)
		if err := d.Files.Write(d.Registry(), []byte("old"), FileMode); err != nil {
			t.Fatal(err)
		}
		if out, err := process(string(step), d).CombinedOutput(); err == nil || strings.Contains(err.Error(), "exit status 3") {
			t.Fatalf("%s: the process was not killed: %v %s", step, err, out)
		}
		want := "old"
		if step == StepSyncDir {
			want = "new"
		}
		if got, _ := os.ReadFile(d.Registry()); string(got) != want {
			t.Errorf("%s: the file holds %q, want %q", step, got, want)
		}
		left := temps(t, d)
		if wantLeft := step != StepCreate && step != StepSyncDir; (len(left) == 1) != wantLeft {
			t.Errorf("%s: left behind: %v", step, left)
		}
		// What is left goes when the next writer comes, but not while it may be alive.
		l, err := d.Lock(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if now := temps(t, d); len(now) != len(left) {
			t.Errorf("%s: a young temporary file was removed", step)
		}
		d.sweep(time.Now().Add(2 * staleTemp))
		if now := temps(t, d); len(now) != 0 {
			t.Errorf("%s: still there: %v", step, now)
		}
		l.Release()
	}
}

func temps(t *testing.T, d *Dir) []string {
	t.Helper()
	var out []string
	entries, err := os.ReadDir(d.Path())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), tempPrefix) {
			out = append(out, e.Name())
		}
	}
	return out
}

func TestWrite_ReadersNeverSeeAMixture(t *testing.T) {
	d := newDir(t)
	versions := [][]byte{bytes.Repeat([]byte("a"), 200_000), bytes.Repeat([]byte("b"), 100_000)}
	if err := d.Files.Write(d.Registry(), versions[0], FileMode); err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range 40 {
			if err := d.Files.Write(d.Registry(), versions[i%2], FileMode); err != nil {
				t.Error(err)
			}
		}
		close(stop)
	})
	for done := false; !done; {
		select {
		case <-stop:
			done = true
		default:
		}
		got, err := os.ReadFile(d.Registry())
		if err != nil || !bytes.Equal(got, versions[0]) && !bytes.Equal(got, versions[1]) {
			t.Fatalf("read %d bytes, %v", len(got), err)
		}
	}
	wg.Wait()
}

func TestWrite_ModeDespiteUmask(t *testing.T) {
	d := newDir(t)
	for _, mode := range []fs.FileMode{0o600, 0o644} {
		if err := d.Files.Write(d.in("file"), nil, mode); err != nil {
			t.Fatal(err)
		}
		if info, _ := os.Stat(d.in("file")); runtime.GOOS != "windows" && info.Mode().Perm() != mode {
			t.Errorf("mode %o, want %o", info.Mode().Perm(), mode)
		}
	}
}

func TestWriteNew_OneOfManyWins(t *testing.T) {
	d := newDir(t)
	var wg sync.WaitGroup
	won := make(chan string, 8)
	for i := range 8 {
		wg.Go(func() {
			text := strconv.Itoa(i)
			switch err := d.Files.WriteNew(d.Keystore(), []byte(text), FileMode); {
			case err == nil:
				won <- text
			case !errors.Is(err, fs.ErrExist):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	close(won)
	var winners []string
	for w := range won {
		winners = append(winners, w)
	}
	got, _ := os.ReadFile(d.Keystore())
	if len(winners) != 1 || winners[0] != string(got) {
		t.Errorf("winners %v, the file holds %q", winners, got)
	}
	if left := temps(t, d); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestLock_SecondWriterIsToldWhoHoldsIt(t *testing.T) {
	d := newDir(t)
	holderProcess := process("hold", d)
	out, err := holderProcess.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := holderProcess.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { holderProcess.Process.Kill(); holderProcess.Wait() })
	var word [4]byte
	if _, err := out.Read(word[:]); err != nil || string(word[:]) != "held" {
		t.Fatalf("the other process said %q, %v", word, err)
	}

	d.LockWait = 50 * time.Millisecond
	_, err = d.Lock(t.Context())
	var locked *LockedError
	if !errors.As(err, &locked) || locked.PID != holderProcess.Process.Pid || locked.Waited < d.LockWait {
		t.Fatalf("error %v, want one about process %d", err, holderProcess.Process.Pid)
	}
	if want := fmt.Sprintf("process %d", holderProcess.Process.Pid); !strings.Contains(err.Error(), want) {
		t.Errorf("error %q does not name %s", err, want)
	}

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d.LockWait = time.Hour
	if _, err := d.Lock(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled wait: %v", err)
	}

	// A lock dies with its owner.
	holderProcess.Process.Kill()
	d.LockWait = 10 * time.Second
	l, err := d.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Release(); err != nil {
		t.Error(err)
	}
	if err := l.Release(); err != nil {
		t.Errorf("second release: %v", err)
	}
}

func TestLock_WaitsForAnotherGoroutine(t *testing.T) {
	d := newDir(t)
	first, err := d.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan error, 1)
	go func() {
		second, err := d.Lock(context.Background())
		if err == nil {
			err = second.Release()
		}
		got <- err
	}()
	select {
	case err := <-got:
		t.Fatalf("the second came through: %v", err)
	case <-time.After(20 * time.Millisecond):
	}
	first.Release()
	if err := <-got; err != nil {
		t.Error(err)
	}
}

func TestLock_GoroutinesAndProcessesCount(t *testing.T) {
	d := newDir(t)
	d.LockWait = time.Minute
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			if out, err := process("count", d).CombinedOutput(); err != nil {
				t.Errorf("%v %s", err, out)
			}
		})
	}
	for range 8 {
		wg.Go(func() {
			if countUp(d, 20) != 0 {
				t.Error("counting failed")
			}
		})
	}
	wg.Wait()
	if got, _ := os.ReadFile(d.in("count")); string(got) != strconv.Itoa(11*20) {
		t.Errorf("counted %s, want %d", got, 11*20)
	}
}

func TestNewGeneration(t *testing.T) {
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	a, b := NewGeneration(now), NewGeneration(now)
	if a == b || !strings.HasPrefix(a, "20260304T050607Z-") {
		t.Errorf("got %s and %s", a, b)
	}
	if later := NewGeneration(now.Add(time.Second)); later < a {
		t.Errorf("%s is not after %s", later, a)
	}
}
