package mem

import (
	"errors"
	"sync"
	"testing"
	"testing/fstest"
)

func TestBudget_NeverExceeded(t *testing.T) {
	b := NewBudget(1000)
	var wg sync.WaitGroup
	leases := make([]Lease, 50)
	for i := range leases {
		leases[i].Budget = b
		wg.Go(func() {
			for range 100 {
				if err := leases[i].Grow(7); err != nil {
					var full *ExceededError
					if !errors.As(err, &full) || full.Need != 7 || full.Free >= 7 {
						t.Errorf("Grow(7) = %v", err)
					}
				}
				if u := b.Used(); u > 1000 {
					t.Errorf("used %d of 1000", u)
				}
			}
		})
	}
	wg.Wait()
	if got := b.Used(); got != 1000/7*7 {
		t.Errorf("used %d, want %d", got, 1000/7*7)
	}
	for i := range leases {
		leases[i].Close()
		leases[i].Close() // a second time changes nothing
	}
	if got := b.Used(); got != 0 {
		t.Errorf("used %d after all leases were closed", got)
	}
}

func TestLease_Resize(t *testing.T) {
	l := Lease{Budget: NewBudget(10)}
	for _, n := range []int64{4, 10, 3, 0, 9} {
		if err := l.Resize(n); err != nil || l.Held() != n || l.Budget.Used() != n {
			t.Fatalf("Resize(%d) = %v, held %d, used %d", n, err, l.Held(), l.Budget.Used())
		}
	}
	if err := l.Resize(11); err == nil || l.Held() != 9 {
		t.Errorf("Resize(11) of a budget of 10 = %v, held %d", err, l.Held())
	}
	var free Lease
	if err := free.Grow(1 << 60); err != nil {
		t.Errorf("a lease without a budget refused: %v", err)
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 bytes", 999: "999 bytes", 1000: "1 kB", 3_100_000_000: "3.1 GB", 2_000_000_000: "2 GB", 999_960: "1 MB",
	} {
		if got := Size(n); got != want {
			t.Errorf("Size(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestParseSize(t *testing.T) {
	tests := map[string]int64{
		"2GB": 2_000_000_000, "512MiB": 512 << 20, "1.5 gb": 1_500_000_000, "4096": 4096, "7k": 7000, "1B": 1,
		"": 0, "GB": 0, "-1GB": 0, "1XB": 0, "0": 0, "1e3": 0, "999999999TB": 0, "1..5": 0,
	}
	for in, want := range tests {
		got, err := ParseSize(in)
		if got != want || (err != nil) != (want == 0) {
			t.Errorf("ParseSize(%q) = %d, %v, want %d", in, got, err, want)
		}
	}
}

func TestAvailable(t *testing.T) {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	meminfo := file("MemTotal:       16000 kB\nMemFree: 1 kB\n")
	tests := []struct {
		name string
		root fstest.MapFS
		want int64
	}{
		{"no /proc", fstest.MapFS{}, unknownMemory},
		{"no group", fstest.MapFS{"proc/meminfo": meminfo}, 16000 << 10},
		{"version 2, no limit", fstest.MapFS{
			"proc/meminfo": meminfo, "proc/self/cgroup": file("0::/a/b\n"), "sys/fs/cgroup/a/b/memory.max": file("max\n"),
		}, 16000 << 10},
		{"version 2, limit above", fstest.MapFS{
			"proc/meminfo": meminfo, "proc/self/cgroup": file("0::/a/b\n"),
			"sys/fs/cgroup/a/memory.max": file("4096000\n"), "sys/fs/cgroup/a/b/memory.max": file("max\n"),
		}, 4096000},
		{"version 1", fstest.MapFS{
			"proc/meminfo": meminfo, "proc/self/cgroup": file("5:cpu,cpuacct:/x\n4:memory:/x\n"),
			"sys/fs/cgroup/memory/x/memory.limit_in_bytes": file("5000000\n"),
		}, 5000000},
		{"version 1, no limit", fstest.MapFS{
			"proc/meminfo": meminfo, "proc/self/cgroup": file("4:memory:/\n"),
			"sys/fs/cgroup/memory/memory.limit_in_bytes": file("9223372036854771712\n"),
		}, 16000 << 10},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Available(tt.root); got != tt.want {
				t.Errorf("Available = %d, want %d", got, tt.want)
			}
		})
	}
}
