package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// run runs a program to its end and returns how long it took and the most resident
// memory that it had, in MiB; 0 where that cannot be told. The memory is looked at
// from outside, because what the system says of an ended process may be of the one
// that started it.
func run(program string, args ...string) (took time.Duration, peak float64, err error) {
	cmd := exec.Command(program, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, 0, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case err := <-ended:
			took = time.Since(begin)
			if err != nil {
				err = fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, stderr.Bytes())
			}
			return took, peak, err
		case <-look.C:
			if m, err := memory(cmd.Process.Pid, "VmHWM"); err == nil {
				peak = max(peak, m)
			}
		}
	}
}

// memory is a figure of a process's memory in MiB.
func memory(pid int, figure string) (float64, error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(data)) {
		if kib, ok := strings.CutPrefix(line, figure+":"); ok {
			n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(kib), " kB"))
			return float64(n) / 1024, err
		}
	}
	return 0, fmt.Errorf("no %s of process %d", figure, pid)
}

// load is how much of the processors was used since the machine started: by all, and
// by this program and those that it ran to their end.
type load struct{ all, own time.Duration }

// tick is the unit of the system's counts of processor time.
const tick = 10 * time.Millisecond

func loadNow() (l load, err error) {
	data, err := os.ReadFile("/proc/stat")
	if err != nil {
		return l, err
	}
	first, _, _ := strings.Cut(string(data), "\n")
	for i, field := range strings.Fields(first) {
		n, err := strconv.ParseInt(field, 10, 64)
		if i == 0 || i == 4 || i == 5 || i > 8 { // cpu, idle, iowait, what guests use of the others
			continue
		}
		if err != nil {
			return l, err
		}
		l.all += time.Duration(n) * tick
	}
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var r syscall.Rusage
		if err := syscall.Getrusage(who, &r); err != nil {
			return l, err
		}
		l.own += time.Duration(r.Utime.Nano() + r.Stime.Nano())
	}
	return l, nil
}

// server is a running one that has done the handshake.
type server struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr bytes.Buffer
	id     int
}

func serve(binary, state string) (*server, error) {
	s := &server{cmd: exec.Command(binary, "serve", "--state-dir", state)}
	s.cmd.Stderr = &s.stderr
	var err error
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.out = bufio.NewReaderSize(out, 1<<20)
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	_, err = s.ask("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}`)
	if err == nil {
		_, err = io.WriteString(s.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	}
	if err != nil {
		return nil, errors.Join(err, s.stop())
	}
	return s, nil
}

// ask sends a request and returns how long the answer took, which must be good.
func (s *server) ask(method, params string) (time.Duration, error) {
	s.id++
	line := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", s.id, method, params)
	begin := time.Now()
	if _, err := io.WriteString(s.in, line); err != nil {
		return 0, err
	}
	for {
		line, err := s.out.ReadSlice('\n')
		took := time.Since(begin)
		if err != nil {
			return 0, fmt.Errorf("%s: %w\n%s", method, err, s.stderr.Bytes())
		}
		var answer struct {
			ID     int
			Result *struct{ IsError bool }
		}
		if err := json.Unmarshal(line, &answer); err != nil {
			return 0, fmt.Errorf("%s: %w", method, err)
		}
		switch {
		case answer.ID != s.id: // a notification
		case answer.Result == nil || answer.Result.IsError:
			return 0, fmt.Errorf("%s %.500s: got %.1000s", method, params, line)
		default:
			return took, nil
		}
	}
}

func (s *server) call(c call) (time.Duration, error) {
	return s.ask("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, c.tool, c.args))
}

func (s *server) stop() error {
	err := errors.Join(s.in.Close(), s.cmd.Wait())
	if err != nil {
		err = fmt.Errorf("the server ended: %w\n%s", err, s.stderr.Bytes())
	}
	return err
}
