package tools

import (
	"context"
	"encoding/json"
	"io"
	"sync"
	"time"
)

// CallLog writes one JSON line per tool call: which tool, how long, how many
// rows came back and how many bytes they have, what went wrong; never the value of
// a cell. A nil CallLog
// writes nothing. Safe for concurrent use.
type CallLog struct {
	mu sync.Mutex
	w  io.Writer
}

// NewCallLog returns a log that writes to w.
func NewCallLog(w io.Writer) *CallLog { return &CallLog{w: w} }

func (l *CallLog) write(ctx context.Context, tool string, elapsed time.Duration, result any, err error) {
	if l == nil {
		return
	}
	line := struct {
		Time  time.Time `json:"time"`
		Tool  string    `json:"tool"`
		MS    float64   `json:"ms"`
		Rows  *int      `json:"rows,omitempty"`
		Bytes *int      `json:"bytes,omitempty"` // of the rows as JSON
		Error string    `json:"error,omitempty"`
	}{Time: time.Now().UTC(), Tool: tool, MS: float64(elapsed.Microseconds()) / 1000}
	if err != nil {
		line.Error = errorCode(ctx, err)
	} else if r, ok := result.(interface{ returnedRows() []json.RawMessage }); ok {
		rows, size := r.returnedRows(), 0
		for _, row := range rows {
			size += len(row)
		}
		n := len(rows)
		line.Rows, line.Bytes = &n, &size
	}
	data, err := json.Marshal(line)
	if err != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	// A full disk must not fail the call that is being logged.
	_, _ = l.w.Write(append(data, '\n'))
}
