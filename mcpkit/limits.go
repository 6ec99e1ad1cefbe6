package mcpkit

import "time"

// Limits holds every bound in one place. A zero field takes its default.
type Limits struct {
	Line     int           // longest message line in bytes; default 16 MiB
	Result   int           // longest result text in characters; default 48,000
	Rows     int           // most rows in one result; default 500
	Parallel int           // tool calls running at once; default 8
	Call     time.Duration // longest tool call; default none
	Drain    time.Duration // time to finish accepted calls at the end; default 5 s
}

func (l Limits) withDefaults() Limits {
	if l.Line <= 0 {
		l.Line = 16 << 20
	}
	if l.Result <= 0 {
		l.Result = 48_000
	}
	if l.Rows <= 0 {
		l.Rows = 500
	}
	if l.Parallel <= 0 {
		l.Parallel = 8
	}
	if l.Drain <= 0 {
		l.Drain = 5 * time.Second
	}
	return l
}
