package index

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/config"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/modeltest"
	"github.com/quartet-mcp/quartet/pretensor/internal/registry"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"
)

func peak() string {
	b, _ := os.ReadFile("/proc/self/status")
	for _, l := range strings.Split(string(b), "\n") {
		if strings.HasPrefix(l, "VmHWM") || strings.HasPrefix(l, "VmRSS") {
			fmt.Print(l, "  ")
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	fmt.Printf("go %d live %d ", (m.Sys-m.HeapReleased)>>20, m.HeapAlloc>>20)
	return ""
}

func BenchmarkIndexL(b *testing.B) {
	dir := state.At(b.TempDir())
	reg := registry.NewStore(dir, func(string) string { return "" })
	r := Request{
		Entry: registry.Entry{Name: "l", DSN: "postgresql://u@h/l"}, Connector: fixed{func() *model.Database { return modeltest.Large(10000, 200000) }},
		Settings: SettingsOf(config.Defaults().Graph), Now: time.Now(), Version: "bench",
	}
	for b.Loop() {
		r, err := Run(context.Background(), dir, reg, r, func(n string, d time.Duration) {
			peak()
			fmt.Println(n, d)
		})
		if err != nil {
			b.Fatal(err)
		}
		st, _ := os.Stat(r.Graph)
		ct, _ := os.Stat(catalog.PathOf(r.Graph))
		sn, _ := dir.Snapshot("l")
		s, _ := os.Stat(sn)
		fmt.Println(st.Size()>>20, ct.Size()>>20, s.Size()>>20, r.Counts)
	}
}
