// Package mem accounts for memory: one [Budget] is shared by tables, loads and
// calls, so that a request too large for the machine is refused rather than
// killing the process.
package mem

import (
	"fmt"
	"sync/atomic"
)

// Budget counts bytes against a limit. A nil Budget has no limit. Safe for
// concurrent use.
type Budget struct {
	limit int64
	used  atomic.Int64
}

// NewBudget returns a budget of limit bytes; limit ≤ 0 means none.
func NewBudget(limit int64) *Budget {
	if limit <= 0 {
		return nil
	}
	return &Budget{limit: limit}
}

// Reserve takes n bytes, or returns an [*ExceededError] and takes nothing.
func (b *Budget) Reserve(n int64) error {
	if b == nil {
		return nil
	}
	for {
		used := b.used.Load()
		if n > b.limit-used {
			return &ExceededError{Need: n, Free: max(0, b.limit-used), Limit: b.limit}
		}
		if b.used.CompareAndSwap(used, used+n) {
			return nil
		}
	}
}

// Release gives n reserved bytes back.
func (b *Budget) Release(n int64) {
	if b != nil {
		b.used.Add(-n)
	}
}

// Used returns the bytes taken.
func (b *Budget) Used() int64 {
	if b == nil {
		return 0
	}
	return b.used.Load()
}

// Lease is what one call or one table has taken of a budget, given back as a
// whole. The zero Lease has no limit. Grow is safe for concurrent use.
type Lease struct {
	Budget *Budget
	held   atomic.Int64
}

// Grow takes n more bytes.
func (l *Lease) Grow(n int64) error {
	if err := l.Budget.Reserve(n); err != nil {
		return err
	}
	l.held.Add(n)
	return nil
}

// Resize makes the lease hold exactly n bytes.
func (l *Lease) Resize(n int64) error {
	d := n - l.held.Load()
	if d > 0 {
		return l.Grow(d)
	}
	l.Budget.Release(-d)
	l.held.Add(d)
	return nil
}

// Shrink gives n of the taken bytes back. Safe for concurrent use.
func (l *Lease) Shrink(n int64) {
	l.held.Add(-n)
	l.Budget.Release(n)
}

// Held returns the bytes taken.
func (l *Lease) Held() int64 { return l.held.Load() }

// Close gives everything back; further calls do nothing.
func (l *Lease) Close() { l.Budget.Release(l.held.Swap(0)) }

// ExceededError says that a reservation did not fit.
type ExceededError struct {
	Need, Free int64 // bytes
	Limit      int64 // of the budget
}

func (e *ExceededError) Error() string {
	return fmt.Sprintf("this needs about %s more memory; %s are free", Size(e.Need), Size(e.Free))
}

// Size writes a number of bytes for a person, in decimal units: "3.1 GB".
func Size(n int64) string {
	units := []string{"bytes", "kB", "MB", "GB", "TB"}
	f, u := float64(n), 0
	for f >= 999.95 && u < len(units)-1 {
		f /= 1000
		u++
	}
	if u == 0 {
		return fmt.Sprintf("%d bytes", n)
	}
	s := fmt.Sprintf("%.1f", f)
	if len(s) > 2 && s[len(s)-2:] == ".0" {
		s = s[:len(s)-2]
	}
	return s + " " + units[u]
}
