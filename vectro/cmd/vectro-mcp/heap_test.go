package main

import (
	"math"
	"runtime/debug"
	"testing"
)

func TestLimitHeap(t *testing.T) {
	old := debug.SetMemoryLimit(math.MaxInt64)
	defer debug.SetMemoryLimit(old)
	t.Setenv("GOMEMLIMIT", "4GiB")
	limitHeap(1 << 30)
	if got := debug.SetMemoryLimit(-1); got != math.MaxInt64 {
		t.Errorf("the operator's limit became %d", got)
	}
	t.Setenv("GOMEMLIMIT", "")
	limitHeap(1 << 30)
	if got := debug.SetMemoryLimit(-1); got < 1<<30 || got > 3<<29 {
		t.Errorf("limit %d for a budget of %d", got, 1<<30)
	}
}
