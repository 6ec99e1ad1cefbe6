package index

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
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

// peak is the most memory that the process ever had, in MiB; 0 where that cannot be
// told.
func peak() float64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	var kib float64
	_, _ = fmt.Sscan(rest, &kib)
	return kib / 1024
}

// mebibytes is the size of a file.
func mebibytes(b *testing.B, path string) float64 {
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	return float64(info.Size()) / (1 << 20)
}

// benchmark indexes a generated database, which takes the place of the introspection,
// and reports each stage in seconds. Peak memory is that of the whole process: one
// benchmark at a time, and one time, tells it.
func benchmark(b *testing.B, tables, columns int) {
	dir := state.At(b.TempDir())
	r := Request{
		Entry:     registry.Entry{Name: "large", DSN: "postgresql://db.example.org/large"},
		Connector: fixed{func() *model.Database { return modeltest.Large(tables, columns) }},
		Settings:  SettingsOf(config.Defaults().Graph), Now: time.Now(), Version: "bench",
	}
	took := map[string]time.Duration{}
	n := 0
	for b.Loop() {
		result, err := Run(context.Background(), dir, registered(dir), r, func(name string, d time.Duration) { took[name] += d })
		if err != nil {
			b.Fatal(err)
		}
		n++
		shot, err := dir.Snapshot("large")
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(mebibytes(b, result.Graph), "MiB-graph")
		b.ReportMetric(mebibytes(b, catalog.PathOf(result.Graph)), "MiB-catalog")
		b.ReportMetric(mebibytes(b, shot), "MiB-snapshot")
		b.ReportMetric(float64(result.Counts.Paths), "paths")
		b.ReportMetric(float64(result.Counts.High+result.Counts.Medium+result.Counts.Low), "inferred")
		b.ReportMetric(float64(result.Counts.Clusters), "clusters")
	}
	for name, d := range took {
		b.ReportMetric(d.Seconds()/float64(n), "s-"+strings.ReplaceAll(name, " ", "-"))
	}
	b.ReportMetric(peak(), "MiB-peak")
}

func BenchmarkIndexL(b *testing.B) { benchmark(b, 10_000, 200_000) }
func BenchmarkIndexM(b *testing.B) { benchmark(b, 1_000, 20_000) }

// BenchmarkIndex400 is the largest database of which the paths of all pairs are stored.
func BenchmarkIndex400(b *testing.B) { benchmark(b, 400, 8_000) }

// BenchmarkLoadL is what a server does when it first needs a large catalog.
func BenchmarkLoadL(b *testing.B) {
	data, c := inferred("large", modeltest.Large(10_000, 200_000), settings, nil)
	group(c, data, settings, nil)
	path := filepath.Join(b.TempDir(), "large.catalog")
	encoded, err := catalog.Encode(data)
	if err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(path, encoded, 0o600); err != nil {
		b.Fatal(err)
	}
	runtime.GC() // data is not used any more
	b.ReportAllocs()
	for b.Loop() {
		f, err := os.Open(path)
		if err != nil {
			b.Fatal(err)
		}
		data, err := catalog.Decode(f)
		f.Close()
		if err != nil {
			b.Fatal(err)
		}
		catalog.New(*data, 1)
	}
}

// BenchmarkReindexL brings a large index up to date when ten tables have a new column.
func BenchmarkReindexL(b *testing.B) {
	dir := state.At(b.TempDir())
	r := Request{
		Entry:     registry.Entry{Name: "large", DSN: "postgresql://db.example.org/large"},
		Connector: fixed{func() *model.Database { return modeltest.Large(10_000, 200_000) }},
		Settings:  SettingsOf(config.Defaults().Graph), Now: time.Now(), Version: "bench",
	}
	if _, err := Run(context.Background(), dir, registered(dir), r, nil); err != nil {
		b.Fatal(err)
	}
	runtime.GC()
	b.ReportMetric(peak(), "MiB-peak-before")
	took := map[string]time.Duration{}
	added, n := 0, 0
	for b.Loop() {
		added++
		r.Connector = fixed{func() *model.Database {
			db := modeltest.Large(10_000, 200_000)
			for i := range 10 {
				t := &db.Tables[i*900]
				for k := range added {
					t.Columns = append(t.Columns, model.Column{Name: fmt.Sprintf("added_%d", k), Ordinal: len(t.Columns) + 1, Type: "text", Nullable: true})
				}
			}
			return db
		}}
		result, err := Reindex(context.Background(), dir, registered(dir), r, ReindexOptions{}, func(name string, d time.Duration) { took[name] += d })
		if err != nil {
			b.Fatal(err)
		}
		if result.Changed != 10 || result.Recomputed {
			b.Fatalf("%d tables changed, recomputed %v", result.Changed, result.Recomputed)
		}
		n++
	}
	for name, d := range took {
		b.ReportMetric(d.Seconds()/float64(n), "s-"+strings.ReplaceAll(name, " ", "-"))
	}
	b.ReportMetric(peak(), "MiB-peak")
}
