package input

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestNames(t *testing.T) {
	tests := []struct{ in, want []string }{
		{nil, []string{}},
		{[]string{"a", "b"}, []string{"a", "b"}},
		{[]string{"", "", "x"}, []string{"column1", "column2", "x"}},
		{[]string{"a", "a", "a"}, []string{"a", "a_2", "a_3"}},
		{[]string{"a", "a", "a_2"}, []string{"a", "a_3", "a_2"}},
		{[]string{"a_2", "a", "a"}, []string{"a_2", "a", "a_3"}},
		{[]string{"column2", ""}, []string{"column2", "column2_2"}},
		{[]string{"", "column1"}, []string{"column1_2", "column1"}},
		{[]string{"A", "a"}, []string{"A", "a"}},
	}
	for _, tt := range tests {
		got, err := Names("f.csv", tt.in)
		if d := cmp.Diff(tt.want, got); d != "" || err != nil {
			t.Errorf("Names(%q): %v (-want +got)\n%s", tt.in, err, d)
		}
	}
	same := strings.Split(strings.Repeat("a,", MaxColumns-1)+"a", ",")
	got, err := Names("f.csv", same)
	if err != nil || got[MaxColumns-1] != fmt.Sprintf("a_%d", MaxColumns) {
		t.Errorf("%v, %v", got[MaxColumns-1], err)
	}
	if _, err := Names("f.csv", append(same, "a")); err == nil {
		t.Error("more columns than the limit are taken")
	}
}

func TestEach_LowestErrorWins(t *testing.T) {
	for range 50 {
		err := Each(t.Context(), 4, 100, func(worker, i int) error {
			if worker < 0 || worker > 3 {
				t.Errorf("worker %d", worker)
			}
			if i >= 7 {
				return fmt.Errorf("number %d", i)
			}
			return nil
		})
		if err == nil || err.Error() != "number 7" {
			t.Fatalf("error %v, want number 7", err)
		}
	}
	var done atomic.Int64
	if err := Each(t.Context(), 3, 1000, func(_, i int) error { done.Add(int64(i)); return nil }); err != nil || done.Load() != 999*1000/2 {
		t.Errorf("%v, sum %d", err, done.Load())
	}
	if err := Each(t.Context(), 3, 0, nil); err != nil {
		t.Error(err)
	}
}

func TestEach_Cancelled(t *testing.T) {
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	var calls atomic.Int64
	err := Each(ctx, 2, 1000, func(_, i int) error {
		if calls.Add(1) == 5 {
			cancel(cause)
		}
		return nil
	})
	if !errors.Is(err, cause) || calls.Load() > 10 {
		t.Errorf("error %v after %d calls", err, calls.Load())
	}
}
