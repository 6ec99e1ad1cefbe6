// Command bench measures pretensor and prints Markdown tables: what an index costs in
// time and memory, how quickly a server answers on a database of 10,000 tables, and how
// long a newcomer waits. Each figure stands beside its bound and as a share of it. It
// reports and never fails on a time, because times depend on what else the machine does.
//
// Everything is measured from outside, of the program as it is built: databases are on
// a PostgreSQL that the bench starts, servers talk over stdio. Where there is no
// PostgreSQL, the structure of the large database is handed to the index in its place,
// and the table says so.
//
//	go run ./pretensor/internal/bench            all of it, some minutes
//	go run ./pretensor/internal/bench -quick     a tenth of the tables and calls
//	go run ./pretensor/internal/bench -keep DIR  leave the large index in DIR
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/quartet-mcp/quartet/datakit/dbtest"
)

const program = "github.com/quartet-mcp/quartet/pretensor/cmd/pretensor"

func main() {
	var o options
	flag.BoolVar(&o.quick, "quick", false, "a tenth of the tables and calls")
	flag.StringVar(&o.scripts, "scripts", "datakit/testdata/scripts", "the `folder` with the script of Sakila")
	flag.StringVar(&o.keep, "keep", "", "leave the state directory of the large database in this `folder`, or measure the one that is there")
	handed := flag.String("handed", "", "index the generated structure into this state `directory`; the bench starts itself with it")
	flag.Parse()
	var err error
	if *handed != "" {
		err = indexHanded(*handed, o.tables())
	} else {
		err = bench(o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

type options struct {
	quick         bool
	scripts, keep string
}

// tables is the size of the large database; it has 20 columns for each.
func (o options) tables() int {
	if o.quick {
		return 1_000
	}
	return 10_000
}

// calls is how often something is measured.
func (o options) calls(n int) int {
	if o.quick {
		return max(n/10, 20)
	}
	return n
}

func bench(o options) (err error) {
	dir, err := os.MkdirTemp("", "pretensor-bench")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	binary := filepath.Join(dir, "pretensor")
	build := exec.Command("go", "build", "-o", binary, program)
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("building %s: %w", program, err)
	}
	fmt.Printf("%s/%s, %d processors, %s\n", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())

	begin := time.Now()
	before, unknown := loadNow()

	state := o.keep
	if state == "" {
		state = filepath.Join(dir, "large")
	}
	kept := func() bool {
		_, err := os.Stat(filepath.Join(state, "registry.json"))
		return err == nil
	}
	if !kept() {
		if err := benchIndex(o, binary, dir, state); err != nil {
			return err
		}
	}
	if err := benchServe(o, binary, state); err != nil {
		return err
	}
	if err := benchQuickstart(binary, dir); err != nil {
		return err
	}
	if after, err := loadNow(); errors.Join(unknown, err) == nil {
		others := (after.all - before.all - (after.own - before.own)).Seconds() / time.Since(begin).Seconds()
		fmt.Printf("\nOther programs used %.2f of the %d processors meanwhile, and times are longer for it.\n", max(others, 0), runtime.NumCPU())
	}
	return nil
}

// benchIndex prints what the index of a small and of a large database costs.
func benchIndex(o options, binary, dir, state string) error {
	url, stop, missing := dbtest.StartPostgres()
	defer stop()
	t := newTable("index", "value", "bound", "value / bound", "kept")
	if missing != nil {
		fmt.Fprintln(os.Stderr, "bench: no PostgreSQL:", missing)
		t.row("Sakila, PostgreSQL", "not measured", "≤ 3.00 s", "–", "–")
	} else {
		tables, err := makeSakila(url, o.scripts)
		if err != nil {
			return fmt.Errorf("making Sakila: %w", err)
		}
		took, _, err := run(binary, "index", url, "--name", "sakila", "--state-dir", filepath.Join(dir, "sakila"), "--json")
		if err != nil {
			return err
		}
		t.bounded(fmt.Sprintf("Sakila, PostgreSQL, %d tables", tables), took, 3*time.Second)
	}

	what, made := fmt.Sprintf("%s tables, %s columns, ", thousands(o.tables()), thousands(20*o.tables())), time.Duration(0)
	var took time.Duration
	var peak float64
	if missing == nil {
		begin := time.Now()
		url, err := makeLarge(url, o.tables())
		if err != nil {
			return fmt.Errorf("making a large database: %w", err)
		}
		made = time.Since(begin)
		if took, peak, err = run(binary, "index", url, "--name", "large", "--state-dir", state, "--json"); err != nil {
			return err
		}
		what += "PostgreSQL"
	} else {
		self, err := os.Executable()
		if err != nil {
			return err
		}
		args := []string{"-handed", state}
		if o.quick {
			args = append(args, "-quick")
		}
		if took, peak, err = run(self, args...); err != nil {
			return err
		}
		what += "a generated structure that is handed over"
	}
	t.bounded(what, took, 2*time.Minute)
	t.share("its peak of resident memory", peak, 600, "MiB")
	fmt.Fprintln(os.Stderr, "bench: the large database was made in", made.Round(time.Millisecond))
	for _, f := range []struct{ name, pattern string }{{"graph", "graphs/*.kuzu"}, {"catalog", "graphs/*.catalog*"}, {"snapshot", "snapshots/*"}} {
		size, err := sizes(filepath.Join(state, f.pattern))
		if err != nil {
			return err
		}
		t.row("its "+f.name+" file", fmt.Sprintf("%.1f MiB", size), "–", "–", "–")
	}
	if err := makeCode(dir, state, o.calls(500)); err != nil {
		return fmt.Errorf("making code: %w", err)
	}
	took, _, err := run(binary, "analyze", filepath.Join(dir, "code"), "--connection", "large", "--state-dir", state, "--json")
	if err != nil {
		return err
	}
	t.row(fmt.Sprintf("analyze of %s files of code for it", thousands(o.calls(500))), seconds(took), "–", "–", "–")
	t.print()
	return nil
}

// benchQuickstart prints how long a newcomer waits.
func benchQuickstart(binary, dir string) error {
	t := newTable("demonstration", "value", "bound", "value / bound", "kept")
	state := filepath.Join(dir, "demo")
	for _, name := range []string{"quickstart, the first time", "quickstart, again"} {
		took, _, err := run(binary, "quickstart", "--state-dir", state, "--json")
		if err != nil {
			return err
		}
		t.bounded(name, took, 5*time.Second)
	}
	start, err := starts(5, binary, state, nil)
	if err != nil {
		return err
	}
	t.bounded("serve, start to tools/list, median of 5", start, 150*time.Millisecond)
	first := call{tool: "context", args: `{"table":"orders"}`}
	if start, err = starts(5, binary, state, &first); err != nil {
		return err
	}
	t.bounded("serve, start to the first context, median of 5", start, 100*time.Millisecond)
	t.print()
	return nil
}

// starts is the median of how long n servers take from their start to the answer of a
// call, or of tools/list.
func starts(n int, binary, state string, c *call) (time.Duration, error) {
	var times []time.Duration
	for range n {
		begin := time.Now()
		s, err := serve(binary, state)
		if err != nil {
			return 0, err
		}
		if c == nil {
			_, err = s.ask("tools/list", `{}`)
		} else {
			_, err = s.call(*c)
		}
		times = append(times, time.Since(begin))
		if err = errors.Join(err, s.stop()); err != nil {
			return 0, err
		}
	}
	slices.Sort(times)
	return times[n/2], nil
}

// sizes is what the files of a pattern have together, in MiB.
func sizes(pattern string) (float64, error) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		return 0, fmt.Errorf("no file %s: %w", pattern, errors.Join(err, os.ErrNotExist))
	}
	total := 0.0
	for _, f := range files {
		info, err := os.Stat(f)
		if err != nil {
			return 0, err
		}
		total += float64(info.Size()) / (1 << 20)
	}
	return total, nil
}

// table is a Markdown table: a first column of names, then figures.
type table struct{ b strings.Builder }

func newTable(columns ...string) *table {
	t := &table{}
	t.row(columns...)
	t.b.WriteString("|---" + strings.Repeat("|---:", len(columns)-1) + "|\n")
	return t
}

func (t *table) row(cells ...string) { t.b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }

// bounded adds a time beside the most that it may be.
func (t *table) bounded(name string, took, bound time.Duration) {
	t.row(append([]string{name, shown(took)}, kept(took, bound)...)...)
}

// share adds a figure beside the most that it may be.
func (t *table) share(name string, value, bound float64, unit string) {
	t.row(name, fmt.Sprintf("%.1f %s", value, unit), fmt.Sprintf("≤ %.0f %s", bound, unit), fmt.Sprintf("%.2f", value/bound), mark(value <= bound))
}

// print prints the table below a blank line.
func (t *table) print() { fmt.Print("\n" + t.b.String()) }

// kept are the last three columns of a time: the bound, the share of it, and whether it
// is kept.
func kept(took, bound time.Duration) []string {
	if bound == 0 {
		return []string{"–", "–", "–"}
	}
	return []string{"≤ " + shown(bound), fmt.Sprintf("%.2f", float64(took)/float64(bound)), mark(took <= bound)}
}

func mark(kept bool) string {
	if kept {
		return "yes"
	}
	return "**no**"
}

func shown(d time.Duration) string {
	if d >= time.Second {
		return seconds(d)
	}
	return fmt.Sprintf("%.2f ms", float64(d.Microseconds())/1000)
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }

func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}

// background is the context of everything here: the bench is ended by a signal.
var background = context.Background()
