package mcpkit

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestLogWriter_WritesAtOnceAndInOrder(t *testing.T) {
	var buf bytes.Buffer
	l := &logWriter{w: &buf}
	line := []byte("a 0\n")
	for i := range 10 {
		line[2] = byte('0' + i)
		if n, err := l.Write(line); n != len(line) || err != nil {
			t.Fatalf("Write = %d, %v", n, err)
		}
		if want := fmt.Sprintf("a %d\n", i); !strings.HasSuffix(buf.String(), want) { // written when Write returns
			t.Fatalf("got %q, want %q at the end", buf.String(), want)
		}
	}
	if n := strings.Count(buf.String(), "\n"); n != 10 {
		t.Errorf("%d lines, want 10", n)
	}
}

func TestLogWriter_StreamThatNobodyReadsBlocksNobody(t *testing.T) {
	r, w := io.Pipe() // takes nothing that is not read
	l := &logWriter{w: w}
	line := bytes.Repeat([]byte("x"), 1023)
	line = append(line, '\n')
	const lines = maxLogQueue/1024 + 100
	done := make(chan struct{})
	begin := time.Now()
	go func() {
		defer close(done)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for range lines {
					l.Write(line)
				}
			})
		}
		wg.Wait()
	}()
	await(t, "the end of the writing", done)
	if took := time.Since(begin); took > 20*logPatience { // of lines-many if each had waited
		t.Errorf("it took %v", took)
	}
	// What was kept comes when somebody reads, and what was not is told.
	l.mu.Lock()
	idle := l.idle
	l.mu.Unlock()
	var got bytes.Buffer
	read := make(chan struct{})
	go func() {
		io.Copy(&got, r)
		close(read)
	}()
	await(t, "the end of the backlog", idle)
	l.Write([]byte("after\n"))
	w.Close()
	await(t, "the end of the stream", read)
	if n := strings.Count(got.String(), "x\n"); n < 100 || n >= 4*lines {
		t.Errorf("%d lines were kept", n)
	}
	contains(t, got.String(), "lines of log were left out", "\nafter\n")
}
