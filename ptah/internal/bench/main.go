// Command bench measures ptah and prints a Markdown table: how long a newcomer waits, how
// quickly schemas are validated, rendered and traced, and what memory that takes. Each
// figure stands beside its bound. It reports and never fails on a time, because times
// depend on what else the machine does.
//
// Everything is measured from outside, of the program as it is built, over stdio.
//
//	go run ./ptah/internal/bench          all of it, a minute
//	go run ./ptah/internal/bench -quick   fewer calls
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"time"
)

const program = "github.com/quartet-mcp/quartet/ptah/cmd/ptah"

func main() {
	quick := flag.Bool("quick", false, "fewer calls")
	flag.Parse()
	if err := bench(*quick); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func bench(quick bool) (err error) {
	dir, err := os.MkdirTemp("", "ptah-bench")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	binary := filepath.Join(dir, "ptah")
	build := exec.Command("go", "build", "-o", binary, program)
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("building %s: %w", program, err)
	}
	if err := writeSources(dir); err != nil {
		return err
	}
	fmt.Printf("%s/%s, %d processors, %s\n\n", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())
	fmt.Printf("| what | p50 | p95 | bound | share of the bound |\n|---|---:|---:|---:|---:|\n")

	calls := 200
	if quick {
		calls = 20
	}
	starts := make([]time.Duration, calls/10)
	for i := range starts {
		began := time.Now()
		s, err := start(binary, dir)
		if err != nil {
			return err
		}
		if _, err := s.request("tools/list", "{}"); err != nil {
			return err
		}
		starts[i] = time.Since(began)
		if _, err := s.stop(); err != nil {
			return err
		}
	}
	row("start to the first tools/list", starts, 60*time.Millisecond)

	small, err := start(binary, dir)
	if err != nil {
		return err
	}
	for _, c := range []struct {
		what, tool, args, source string
		bound                    time.Duration
	}{
		{"validate_schema, 60 tables in SQL", "validate_schema", onFile("small.sql"), "small.sql", 15 * time.Millisecond},
		{"the same again, unchanged", "validate_schema", onFile("small.sql"), "", 15 * time.Millisecond},
		{"render_schema, 60 tables in SQL", "render_schema", onFile("small.sql"), "small.sql", 20 * time.Millisecond},
		{"schema_lineage, 60 tables, 30 views", "schema_lineage", onFile("small.sql"), "small.sql", 30 * time.Millisecond},
		{"search_docs", "search_docs", `{"query":"how is a partial index declared","limit":5}`, "", 5 * time.Millisecond},
	} {
		if err := small.measure(c.what, calls, c.bound, c.tool, c.args, c.source); err != nil {
			return err
		}
	}
	peak, err := small.stop()
	if err != nil {
		return err
	}
	large, err := start(binary, dir)
	if err != nil {
		return err
	}
	const few = 5
	for _, c := range []struct {
		what, tool, args, source string
		bound                    time.Duration
	}{
		{"validate_schema, 5,000 tables in SQL", "validate_schema", onFile("large.sql"), "large.sql", 2 * time.Second},
		{"render_schema, 5,000 tables in SQL", "render_schema", onFile("large.sql"), "large.sql", 3 * time.Second},
		{"validate_schema, 5,000 tables in YAML", "validate_schema", onFile("large.yaml"), "large.yaml", 3 * time.Second},
		{"validate_schema, 5,000 tables in Go", "validate_schema", `{"dialect":"postgres","source":{"root_dirs":["large"]}}`, "large/models_00.go", 3 * time.Second},
		{"schema_lineage, 1,000 views", "schema_lineage", onFile("views.sql"), "views.sql", time.Second},
	} {
		if err := large.measure(c.what, few, c.bound, c.tool, c.args, c.source); err != nil {
			return err
		}
	}
	if _, err := large.stop(); err != nil {
		return err
	}
	const mib = 1 << 20
	fmt.Printf("\n| memory | peak | bound | share of the bound |\n|---|---:|---:|---:|\n")
	fmt.Printf("| resident, after all calls on 60 tables | %.0f MB | 80 MB | %.2f |\n", float64(peak)/1e6, float64(peak)/80e6)
	fmt.Printf("| resident, after all calls on 5,000 tables | %.0f MiB | 500 MiB | %.2f |\n", float64(large.peak)/mib, float64(large.peak)/(500*mib))
	return nil
}

func onFile(name string) string {
	return fmt.Sprintf(`{"dialect":"postgres","source":{"schema_files":[%q]}}`, name)
}

// row prints the figures of one line.
func row(what string, took []time.Duration, bound time.Duration) {
	slices.Sort(took)
	p50, p95 := took[len(took)/2], took[len(took)*95/100]
	fmt.Printf("| %s | %s | %s | %s | %.2f |\n", what, shown(p50), shown(p95), shown(bound), float64(p50)/float64(bound))
}

func shown(d time.Duration) string {
	if d >= time.Second {
		return fmt.Sprintf("%.2f s", d.Seconds())
	}
	return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
}
