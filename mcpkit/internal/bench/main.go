// Command bench measures an echo server on mcpkit against an echo server on
// the bare SDK, in one run and taking turns, and prints a Markdown table of
// ratios with the bounds they are meant to keep. It reports and never fails on a
// time, because times depend on what else the machine does.
//
//	go run ./internal/bench            all of it, some minutes
//	go run ./internal/bench -quick     a tenth of it
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

const module = "github.com/quartet-mcp/quartet/mcpkit"

func main() {
	quick := flag.Bool("quick", false, "a tenth of the rounds and calls")
	flag.Parse()
	part := 1
	if *quick {
		part = 10
	}
	if err := bench(part); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// target is one of the two servers and what was measured of it.
type target struct {
	pkg, binary string

	start      []time.Duration // until the first tools/list answer
	p50, p99   []time.Duration // of calls one by one, a value per round
	throughput []float64       // pipelined calls per second
	memory     [2]float64      // resident MiB around call 10,000 and 100,000
	lost       int             // answers that one-shot pipes did not get
}

func bench(part int) (err error) {
	dir, err := os.MkdirTemp("", "mcpkit-bench")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	kit := &target{pkg: module + "/internal/bench/kit"}
	bare := &target{pkg: module + "/internal/bench/bare"}
	both := []*target{kit, bare}
	for _, t := range both {
		t.binary = filepath.Join(dir, filepath.Base(t.pkg))
		build := exec.Command("go", "build", "-o", t.binary, t.pkg)
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return fmt.Errorf("building %s: %w", t.pkg, err)
		}
	}

	// The servers take turns, so that a busy minute hits both.
	turns := func(n int, measure func(*target) error) error {
		for range max(n, 3) {
			for _, t := range both {
				if err := measure(t); err != nil {
					return fmt.Errorf("%s: %w", filepath.Base(t.binary), err)
				}
			}
			slices.Reverse(both)
		}
		return nil
	}
	const pipes, perPipe = 1000, 4
	rounds := pipes / part
	calls := 100_000 / part
	if err := errors.Join(
		turns(50/part, (*target).measureStart),
		turns(10/part, func(t *target) error { return t.measureCalls(2000) }),
		turns(10/part, func(t *target) error { return t.measurePipelined(5000) }),
		kit.measureMemory(calls),
		bare.measureMemory(calls),
	); err != nil {
		return err
	}
	for range rounds {
		for _, t := range both {
			t.lost += oneShot(t.binary, perPipe)
		}
	}
	report(kit, bare, calls, rounds, perPipe)
	return nil
}

// report prints the table.
func report(kit, bare *target, calls, rounds, perPipe int) {
	fmt.Printf("%s/%s, %d processors, %s\n\n", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())
	fmt.Println("| measure | mcpkit | bare SDK | ratio | bound | kept |")
	fmt.Println("|---|---:|---:|---:|---:|---|")
	row := func(name, a, b string, ratio float64, bound string, kept bool) {
		mark := "yes"
		if !kept {
			mark = "**no**"
		}
		fmt.Printf("| %s | %s | %s | %.2f | %s | %s |\n", name, a, b, ratio, bound, mark)
	}
	duration := func(name string, a, b time.Duration, bound float64) {
		ratio := float64(a) / float64(b)
		row(name, ms(a), ms(b), ratio, fmt.Sprintf("≤ %.1f", bound), ratio <= bound)
	}
	duration("start to first tools/list, median", median(kit.start), median(bare.start), 1.5)
	duration("start to first tools/list, least", slices.Min(kit.start), slices.Min(bare.start), 1.5)
	duration("call p50, median of rounds", median(kit.p50), median(bare.p50), 1.2)
	duration("call p99, median of rounds", median(kit.p99), median(bare.p99), 1.5)
	a, b := median(kit.throughput), median(bare.throughput)
	row("pipelined calls, median of rounds", fmt.Sprintf("%.0f/s", a), fmt.Sprintf("%.0f/s", b), a/b, "≥ 1.0", a >= b)
	for i, at := range []int{calls / 10, calls} {
		row(fmt.Sprintf("resident memory at call %d", at), mib(kit.memory[i]), mib(bare.memory[i]), kit.memory[i]/bare.memory[i], "–", true)
	}
	growth := func(t *target) float64 { return t.memory[1] / t.memory[0] }
	row("memory, last over first", fmt.Sprintf("%+.1f %%", 100*growth(kit)-100), fmt.Sprintf("%+.1f %%", 100*growth(bare)-100),
		growth(kit)/growth(bare), "± 5 %", growth(kit) > 0.95 && growth(kit) < 1.05)
	fmt.Printf("| answers lost of %d in one-shot pipes | %d | %d | – | 0 | %s |\n", rounds*(perPipe+1), kit.lost, bare.lost,
		map[bool]string{true: "yes", false: "**no**"}[kit.lost == 0])
}

func ms(d time.Duration) string { return fmt.Sprintf("%.3f ms", float64(d.Microseconds())/1000) }
func mib(v float64) string      { return fmt.Sprintf("%.1f MiB", v) }

func median[T time.Duration | float64](values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

const handshake = `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

func echoCall(id int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hello"}}}`+"\n", id)
}

// server is a running one.
type server struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func run(binary string) (*server, error) {
	s := &server{cmd: exec.Command(binary)}
	var err error
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.out = bufio.NewReaderSize(out, 1<<20)
	return s, s.cmd.Start()
}

// answers reads n lines, which must be results.
func (s *server) answers(n int) error {
	for range n {
		line, err := s.out.ReadSlice('\n')
		if err != nil {
			return err
		}
		if !strings.Contains(string(line), `"result"`) {
			return fmt.Errorf("got %.200s, want a result", line)
		}
	}
	return nil
}

func (s *server) stop() error {
	return errors.Join(s.in.Close(), s.cmd.Wait())
}

// with runs f on a server that has done the handshake.
func (t *target) with(f func(*server) error) error {
	s, err := run(t.binary)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(s.in, handshake); err != nil {
		return err
	}
	if err := errors.Join(s.answers(1), f(s)); err != nil {
		return errors.Join(err, s.cmd.Process.Kill(), s.cmd.Wait())
	}
	return s.stop()
}

func (t *target) measureStart() error {
	begin := time.Now()
	return t.with(func(s *server) error {
		if _, err := io.WriteString(s.in, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`+"\n"); err != nil {
			return err
		}
		err := s.answers(1)
		t.start = append(t.start, time.Since(begin))
		return err
	})
}

func (t *target) measureCalls(n int) error {
	return t.with(func(s *server) error {
		times := make([]time.Duration, 0, n)
		for i := range n + n/4 {
			line := echoCall(i)
			begin := time.Now()
			if _, err := io.WriteString(s.in, line); err != nil {
				return err
			}
			if err := s.answers(1); err != nil {
				return err
			}
			if i >= n/4 { // the first ones warm up
				times = append(times, time.Since(begin))
			}
		}
		slices.Sort(times)
		t.p50 = append(t.p50, times[n/2])
		t.p99 = append(t.p99, times[n*99/100])
		return nil
	})
}

// pipelined sends n calls without waiting and reads the answers.
func (s *server) pipelined(n int) error {
	sent := make(chan error, 1)
	go func() {
		w := bufio.NewWriterSize(s.in, 32<<10)
		for i := range n {
			if _, err := w.WriteString(echoCall(i)); err != nil {
				break // Flush repeats it
			}
		}
		sent <- w.Flush()
	}()
	return errors.Join(s.answers(n), <-sent)
}

func (t *target) measurePipelined(n int) error {
	return t.with(func(s *server) error {
		if err := s.pipelined(n / 5); err != nil {
			return err
		}
		begin := time.Now()
		err := s.pipelined(n)
		t.throughput = append(t.throughput, float64(n)/time.Since(begin).Seconds())
		return err
	})
}

// measureMemory makes calls one by one and notes the resident memory around a
// tenth of them and at the end, each as the median of samples, because the
// garbage collector makes it go up and down.
func (t *target) measureMemory(calls int) error {
	return t.with(func(s *server) error {
		var samples [2][]float64
		window := calls / 20
		for i := range calls {
			if _, err := io.WriteString(s.in, echoCall(i)); err != nil {
				return err
			}
			if err := s.answers(1); err != nil {
				return err
			}
			at := -1
			switch {
			case i >= calls/10-window/2 && i < calls/10+window/2:
				at = 0
			case i >= calls-window:
				at = 1
			}
			if at >= 0 && i%(max(window/50, 1)) == 0 {
				rss, err := resident(s.cmd.Process.Pid)
				if err != nil {
					return err
				}
				samples[at] = append(samples[at], rss)
			}
		}
		for i := range samples {
			t.memory[i] = median(samples[i])
		}
		return nil
	})
}

// resident is the resident memory of a process in MiB.
func resident(pid int) (float64, error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(data)) {
		if kib, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(kib), " kB"))
			return float64(n) / 1024, err
		}
	}
	return 0, fmt.Errorf("no VmRSS of process %d", pid)
}

// oneShot pipes a handshake and n calls into a server, as a shell would, and
// counts the answers that do not come.
func oneShot(binary string, n int) (lost int) {
	var input strings.Builder
	input.WriteString(handshake)
	for i := range n {
		input.WriteString(echoCall(i))
	}
	cmd := exec.Command(binary)
	cmd.Stdin = strings.NewReader(input.String())
	out, _ := cmd.Output() // an exit code is no answer either way
	return n + 1 - strings.Count(string(out), `"result"`)
}
