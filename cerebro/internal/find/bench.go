package find

import (
	"bufio"
	"context"
	_ "embed" // the suite
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/cerebro/internal/catalog"
	"github.com/quartet-mcp/quartet/cerebro/internal/route"
)

//go:embed suite.txt
var suite string

// Case is a question of the benchmark and what it should lead to. What is empty is
// not scored.
type Case struct {
	Query    string
	Mode     route.Mode // that is asked for
	Resolved route.Mode // that should come of it
	Action   string
	Metrics  []string // one of them first
	Near     bool     // the metrics are only near
	None     bool     // no metric may be accepted
	Tool     string
	HeldOut  bool
}

// Suite is the benchmark that comes with the program, over the demo project.
func Suite() []Case {
	cases, err := ReadSuite(strings.NewReader(suite))
	if err != nil {
		panic(err) // it is part of the program, and a test reads it
	}
	return cases
}

// ReadSuite reads questions, one on a line, in the form that suite.txt explains.
func ReadSuite(r io.Reader) ([]Case, error) {
	var out []Case
	s := bufio.NewScanner(r)
	for n := 1; s.Scan(); n++ {
		line := strings.TrimSpace(s.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		rest, held := strings.CutPrefix(line, "! ")
		f := strings.Split(rest, " | ")
		if len(f) != 6 {
			return nil, fmt.Errorf("line %d has %d columns; it is query | mode | resolved mode | action | metrics | tool", n, len(f))
		}
		for i := range f {
			if f[i] = strings.TrimSpace(f[i]); f[i] == "-" {
				f[i] = ""
			}
		}
		c := Case{Query: f[0], Mode: route.Mode(f[1]), Resolved: route.Mode(f[2]), Action: f[3], Tool: f[5], HeldOut: held}
		metrics, near := strings.CutPrefix(f[4], "~")
		switch {
		case metrics == "none":
			c.None = true
		case metrics != "":
			c.Metrics, c.Near = strings.Split(metrics, ","), near
		}
		out = append(out, c)
	}
	return out, s.Err()
}

// Rank says where the first of what was expected stood: from 1 on, 0 when it was absent.
type Rank struct {
	First, Third float64 // share of rank 1, and of ranks 1 to 3
	MRR          float64 // mean of 1/rank
	Cases        int
}

func (r *Rank) add(rank int) {
	r.Cases++
	if rank == 1 {
		r.First++
	}
	if rank >= 1 && rank <= 3 {
		r.Third++
	}
	if rank >= 1 {
		r.MRR += 1 / float64(rank)
	}
}

func (r *Rank) mean() {
	if n := float64(r.Cases); n > 0 {
		r.First, r.Third, r.MRR = r.First/n, r.Third/n, r.MRR/n
	}
}

// Share counts what was right.
type Share struct{ Right, Cases int }

func (s *Share) add(ok bool) {
	s.Cases++
	if ok {
		s.Right++
	}
}

// Of is the share, 1 of nothing.
func (s Share) Of() float64 {
	if s.Cases == 0 {
		return 1
	}
	return float64(s.Right) / float64(s.Cases)
}

// Scores are the results of a benchmark. Tools are ranked without pins, which would
// make the score meaningless.
type Scores struct {
	Action, Mode, None Share
	Metrics            Rank // within the first five
	Tools              Rank // within the first ten
	Misses             []string
}

// How far down a rank counts.
const (
	metricDepth = 5
	toolDepth   = 10
)

// Bench asks the questions of a suite.
func Bench(ctx context.Context, f *Finder, s *catalog.Snapshot, cases []Case) (*Scores, error) {
	out := &Scores{Misses: []string{}}
	for _, c := range cases {
		a, err := f.Find(ctx, Request{Query: c.Query, Mode: c.Mode, Snapshot: s})
		if err != nil {
			return nil, fmt.Errorf("%q: %w", c.Query, err)
		}
		miss := func(got, want any) {
			out.Misses = append(out.Misses, fmt.Sprintf("%s: got %v, want %v", c.Query, got, want))
		}
		if c.Action != "" {
			if ok := a.Action.Tool == c.Action; out.add(&out.Action, ok) {
				miss(a.Action.Tool, c.Action)
			}
		}
		if c.Resolved != "" {
			if ok := a.Resolved == c.Resolved; out.add(&out.Mode, ok) {
				miss(a.Resolved, c.Resolved)
			}
		}
		names := []string{}
		sure := 0
		for _, m := range a.Metrics {
			if m.LowConfidence == c.Near {
				names = append(names, m.Name)
			}
			if !m.LowConfidence {
				sure++
			}
		}
		if c.None {
			if out.add(&out.None, sure == 0) {
				miss(names, "no metric")
			}
		}
		if len(c.Metrics) > 0 {
			rank := 1 + slices.IndexFunc(names[:min(metricDepth, len(names))], func(n string) bool { return slices.Contains(c.Metrics, n) })
			out.Metrics.add(rank)
			if rank != 1 {
				miss(names, c.Metrics)
			}
		}
		if c.Tool != "" {
			tools, err := f.ranked(ctx, c.Query)
			if err != nil {
				return nil, err
			}
			tools = tools[:min(toolDepth, len(tools))]
			rank := 1 + slices.Index(tools, c.Tool)
			out.Tools.add(rank)
			if rank != 1 {
				miss(tools, c.Tool)
			}
		}
	}
	out.Metrics.mean()
	out.Tools.mean()
	return out, nil
}

// add counts a case and says whether it was missed.
func (*Scores) add(s *Share, ok bool) (missed bool) {
	s.add(ok)
	return !ok
}

// ranked are the names of the tools for a question, best first, without pins.
func (f *Finder) ranked(ctx context.Context, query string) ([]string, error) {
	tools, err := f.corpus.get()
	if err != nil {
		return nil, err
	}
	list, err := tools.rank(ctx, ask(query))
	if err != nil {
		return nil, err
	}
	out := make([]string, len(list))
	for i, t := range list {
		out[i] = t.Name
	}
	return out, nil
}

// String tells the scores as a table.
func (s *Scores) String() string {
	return fmt.Sprintf("action    %.3f (%d of %d)\nmode      %.3f (%d of %d)\nno metric %.3f (%d of %d)\nmetrics   recall@1 %.3f  recall@3 %.3f  MRR@5  %.3f (%d)\ntools     recall@1 %.3f  recall@3 %.3f  MRR@10 %.3f (%d)\n",
		s.Action.Of(), s.Action.Right, s.Action.Cases, s.Mode.Of(), s.Mode.Right, s.Mode.Cases, s.None.Of(), s.None.Right, s.None.Cases,
		s.Metrics.First, s.Metrics.Third, s.Metrics.MRR, s.Metrics.Cases, s.Tools.First, s.Tools.Third, s.Tools.MRR, s.Tools.Cases)
}
