package col

import "sync"

// Stats summarises the present values of a chunk or a column. Lo and Hi are set
// for whole numbers and dates, LoF and HiF for float64 data; both pairs are zero
// when Present is 0, and for codes and strings.
type Stats struct {
	Present  int
	Missing  int
	Lo, Hi   int64
	LoF, HiF float64
}

type columnStats struct {
	once  sync.Once
	all   Stats
	chunk []Stats
}

// Stats returns the statistics of the whole column. The first call scans; later
// ones do not.
func (c *Column) Stats() Stats {
	c.stats.once.Do(c.scan)
	return c.stats.all
}

// ChunkStats returns the statistics of chunk i, from the same scan as [Column.Stats].
func (c *Column) ChunkStats(i int) Stats {
	c.stats.once.Do(c.scan)
	return c.stats.chunk[i]
}

func (c *Column) scan() {
	c.stats.chunk = make([]Stats, len(c.Chunks))
	all := &c.stats.all
	for i, ch := range c.Chunks {
		s := ch.stats()
		c.stats.chunk[i] = s
		all.Missing += s.Missing
		if s.Present == 0 {
			continue
		}
		if all.Present == 0 {
			all.Lo, all.Hi, all.LoF, all.HiF = s.Lo, s.Hi, s.LoF, s.HiF
		}
		all.Lo, all.Hi = min(all.Lo, s.Lo), max(all.Hi, s.Hi)
		all.LoF, all.HiF = min(all.LoF, s.LoF), max(all.HiF, s.HiF)
		all.Present += s.Present
	}
}

func (c *Chunk) stats() Stats {
	n := c.Valid.Count(c.Len)
	s := Stats{Present: n, Missing: c.Len - n}
	switch d := c.Data.(type) {
	case []int8:
		s.Lo, s.Hi = bounds(d, c.Valid)
	case []int16:
		s.Lo, s.Hi = bounds(d, c.Valid)
	case []int32:
		s.Lo, s.Hi = bounds(d, c.Valid)
	case []int64:
		s.Lo, s.Hi = bounds(d, c.Valid)
	case []float64:
		first := true
		for i, x := range d {
			if !c.Valid.Get(i) {
				continue
			}
			if first {
				s.LoF, s.HiF, first = x, x, false
			}
			s.LoF, s.HiF = min(s.LoF, x), max(s.HiF, x)
		}
	}
	return s
}

func bounds[T int8 | int16 | int32 | int64](d []T, valid Bitmap) (lo, hi int64) {
	first := true
	for i, x := range d {
		if !valid.Get(i) {
			continue
		}
		v := int64(x)
		if first {
			lo, hi, first = v, v, false
		}
		lo, hi = min(lo, v), max(hi, v)
	}
	return lo, hi
}
