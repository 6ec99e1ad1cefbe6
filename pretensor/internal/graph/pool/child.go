package pool

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/quartet-mcp/quartet/pretensor/internal/graph/kuzu"
)

// limits are the engine's in a child.
var limits = kuzu.Limits{Buffer: kuzu.DefaultBuffer, Threads: uint64(min(runtime.NumCPU(), 2))}

// answersFD is the descriptor that a child answers on.
const answersFD = 3

// Child is a child's life: what a program does when its first argument is [ChildArg].
// args are those after it. It returns the exit code, or ends the process when the
// parent has closed its side.
func Child(args []string) int {
	out := os.NewFile(answersFD, "answers")
	if len(args) != 1 || out == nil {
		fmt.Fprintln(os.Stderr, ChildArg+" is started by the server itself")
		return 2
	}
	// The parent decides when it is over: a signal to the terminal's whole group, or
	// to the whole service, is for the parent to act upon.
	signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	restrict()
	requests := make(chan request)
	go func() {
		for {
			var r request
			if receive(os.Stdin, &r) != nil {
				os.Exit(0) // also out of the midst of a query
			}
			requests <- r
		}
	}()
	if send(out, answer{Begun: true}) != nil {
		return 1
	}
	reader, err := kuzu.Open(args[0], limits)
	first := answer{Missing: errors.Is(err, kuzu.ErrNotFound)}
	if err != nil {
		first.Kind, first.Message = kuzu.IO, err.Error()
	}
	if send(out, first) != nil || err != nil {
		return 1
	}
	for r := range requests {
		if send(out, reply(reader, r)) != nil {
			break
		}
	}
	return 1
}

// reply runs a query.
func reply(reader *kuzu.Reader, r request) answer {
	a := answer{ID: r.ID}
	result, err := reader.Query(context.Background(), r.Text, kuzu.Options{MaxRows: r.MaxRows, MaxCell: r.MaxCell})
	if err == nil {
		err = a.fit(result)
	}
	if err == nil {
		return a
	}
	var known *kuzu.Error
	if !errors.As(err, &known) {
		known = &kuzu.Error{Kind: kuzu.Value, Message: err.Error()}
	}
	return answer{ID: r.ID, Kind: known.Kind, Message: known.Message}
}
