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
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// server is a running ptah, asked over stdio one call at a time.
type server struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	id   int
	peak int64 // resident memory in bytes, known once it has stopped
}

func start(binary, dir string) (*server, error) {
	s := &server{cmd: exec.Command(binary, "mcp", "--schema-source-root", dir)}
	s.cmd.Dir, s.cmd.Stderr = dir, os.Stderr
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
	const hello = `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}`
	if _, err := s.request("initialize", hello); err != nil {
		return nil, err
	}
	_, err = io.WriteString(s.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	return s, err
}

// request sends one request and returns the answer's line.
func (s *server) request(method, params string) ([]byte, error) {
	s.id++
	if _, err := fmt.Fprintf(s.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", s.id, method, params); err != nil {
		return nil, err
	}
	line, err := s.out.ReadBytes('\n')
	if err != nil {
		return nil, fmt.Errorf("reading the answer to %s: %w", method, err)
	}
	if bytes.Contains(line[:min(len(line), 200)], []byte(`"error"`)) {
		return nil, fmt.Errorf("%s: %.300s", method, line)
	}
	return line, nil
}

// measure calls a tool and prints how long that takes. The call must succeed. Where a
// source is named it is another one at each call, so that nothing is known beforehand.
func (s *server) measure(what string, calls int, bound time.Duration, tool, args, source string) error {
	params := fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, args)
	took := make([]time.Duration, 0, calls)
	for i := range calls + 1 {
		if source != "" {
			if err := change(filepath.Join(s.cmd.Dir, source), i); err != nil {
				return err
			}
		}
		began := time.Now()
		line, err := s.request("tools/call", params)
		if err != nil {
			return err
		}
		if i == 0 { // not measured, but judged
			var answer struct {
				Result struct {
					IsError           bool
					StructuredContent struct{ Valid *bool }
				}
			}
			if err := json.Unmarshal(line, &answer); err != nil {
				return err
			}
			if valid := answer.Result.StructuredContent.Valid; answer.Result.IsError || valid != nil && !*valid {
				return fmt.Errorf("%s fails: %.600s", what, line)
			}
			continue
		}
		took = append(took, time.Since(began))
	}
	row(what, took, bound)
	return nil
}

// change adds a comment to a source.
func change(path string, i int) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	mark := map[string]string{".sql": "--", ".yaml": "#", ".go": "//"}[filepath.Ext(path)]
	_, err = fmt.Fprintf(f, "%s %d\n", mark, i)
	return errors.Join(err, f.Close())
}

// stop ends the server and returns its peak of resident memory, 0 where the system does
// not tell.
func (s *server) stop() (int64, error) {
	if status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid)); err == nil {
		for line := range strings.Lines(string(status)) {
			if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
				kib, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
				if err != nil {
					return 0, err
				}
				s.peak = kib << 10
			}
		}
	}
	return s.peak, errors.Join(s.in.Close(), s.cmd.Wait())
}
