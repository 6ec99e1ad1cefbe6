package code

import (
	"errors"
	"fmt"
	"io"
	"testing"
)

func TestCode_ActorAndRetry(t *testing.T) {
	want := map[Actor]int{Caller: 10, Environment: 3, Operator: 7, Person: 1, Ptah: 1}
	got := map[Actor]int{}
	seen := map[Code]bool{}
	for _, c := range All() {
		if seen[c] {
			t.Errorf("%s is listed twice", c)
		}
		seen[c] = true
		got[c.Actor()]++
		if c.Retryable() != (c.Actor() == Environment) {
			t.Errorf("%s: retryable is %v, and its actor %s", c, c.Retryable(), c.Actor())
		}
	}
	for a, n := range want {
		if got[a] != n {
			t.Errorf("%d codes are of the actor %s, want %d", got[a], a, n)
		}
	}
	if a := Code("later").Actor(); a != Ptah {
		t.Errorf("the actor of an unknown code is %s, want %s", a, Ptah)
	}
}

func TestError_Text(t *testing.T) {
	e := New(UnsafePath, "%s has a scheme", "schema_files[0]")
	if got, want := e.Error(), "unsafe_path: schema_files[0] has a scheme"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	e = e.WithHint("name a file").Because(io.EOF)
	if got, want := e.Error(), "unsafe_path: schema_files[0] has a scheme. name a file"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if !errors.Is(e, io.EOF) {
		t.Error("the cause is lost")
	}
}

func TestOf(t *testing.T) {
	for _, c := range []struct {
		err  error
		want Code
	}{
		{nil, ""},
		{io.EOF, Internal},
		{fmt.Errorf("reading: %w", New(WriteFailed, "no space")), WriteFailed},
	} {
		if got := Of(c.err); got != c.want {
			t.Errorf("Of(%v) = %q, want %q", c.err, got, c.want)
		}
	}
}
