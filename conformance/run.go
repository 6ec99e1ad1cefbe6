package conformance

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/quartet-mcp/quartet/conformance/wire"
	"github.com/quartet-mcp/quartet/mcpkit/mcptest"
)

// A Report is what [Run] found about one server.
type Report struct {
	Server  string
	State   string // why nothing was replayed; empty when something was
	Cases   []Case
	Elapsed time.Duration
	// Problems are those of the server as a whole: it could not be built, it
	// has no transcripts, or a tool of it lacks some.
	Problems []string
}

// A Case is one transcript in one era.
type Case struct {
	Transcript string
	Era        string
	Elapsed    time.Duration
	Problems   []string // empty when it passed
}

// Failed reports whether anything is wrong with the server.
func (r Report) Failed() bool {
	passed, failed := r.Count()
	return failed > 0 || len(r.Problems) > 0 || passed == 0 && r.State == ""
}

// Count counts transcripts; one has passed when it has in all its eras.
func (r Report) Count() (passed, failed int) {
	bad := map[string]bool{}
	for _, c := range r.Cases {
		bad[c.Transcript] = bad[c.Transcript] || len(c.Problems) > 0
	}
	for _, b := range bad {
		if b {
			failed++
		} else {
			passed++
		}
	}
	return passed, failed
}

// Options say what [Run] runs.
type Options struct {
	Root   string // of the repository
	Bin    string // a folder of binaries; empty builds them
	Server string // one server; empty runs all that exist
}

// Run replays the transcripts of the servers in all their eras, holds the
// traffic against the protocol's schema, and checks that every tool has a
// transcript that succeeds and one that fails. Its error means that nothing
// could be run; what is wrong with a server is in its report.
func Run(ctx context.Context, o Options) ([]Report, error) {
	servers := Servers
	if o.Server != "" {
		s, err := ServerNamed(o.Server)
		if err != nil {
			return nil, err
		}
		servers = []Server{s}
	}
	tmp, err := os.MkdirTemp("", "conformance-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	var reports []Report
	for _, s := range servers {
		start, err := s.locate(ctx, o.Root, o.Bin, tmp)
		if errors.Is(err, errNotBuilt) {
			if o.Server != "" {
				return nil, err
			}
			reports = append(reports, Report{Server: s.Name, State: errNotBuilt.Error()})
			continue
		}
		if err != nil {
			reports = append(reports, Report{Server: s.Name, Problems: []string{err.Error()}})
			continue
		}
		reports = append(reports, runServer(ctx, s, start, s.Transcripts(o.Root)))
	}
	return reports, nil
}

// parallel is how many transcripts run at once.
const parallel = 2

func runServer(ctx context.Context, s Server, start mcptest.Server, dir string) Report {
	began := time.Now()
	r := Report{Server: s.Name}
	transcripts, err := load(dir)
	if err != nil {
		r.Problems = append(r.Problems, err.Error())
		return r
	}
	type slot struct {
		t   *mcptest.Transcript
		era mcptest.Era
	}
	var slots []slot
	for _, t := range transcripts {
		for _, era := range t.Eras() {
			slots = append(slots, slot{t, era})
		}
	}
	r.Cases = make([]Case, len(slots))
	var wg sync.WaitGroup
	next := make(chan int)
	for range parallel {
		wg.Go(func() {
			for i := range next {
				o := slots[i].t.Replay(ctx, start, slots[i].era, wire.Check)
				r.Cases[i] = Case{Transcript: slots[i].t.Name(), Era: o.Era.String(), Elapsed: o.Elapsed, Problems: o.Problems}
			}
		})
	}
	for i := range slots {
		next <- i
	}
	close(next)
	wg.Wait()
	tools, err := mcptest.ListTools(ctx, start)
	if err != nil {
		r.Problems = append(r.Problems, err.Error())
	}
	r.Problems = append(r.Problems, Uncovered(tools, s.Failing, transcripts)...)
	r.Elapsed = time.Since(began)
	return r
}

// load reads the transcripts of a folder, in the order of their names.
func load(dir string) ([]*mcptest.Transcript, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("there is no transcript (*.txtar) in %s", dir)
	}
	var transcripts []*mcptest.Transcript
	for _, file := range files {
		t, err := mcptest.Load(file)
		if err != nil {
			return nil, err
		}
		transcripts = append(transcripts, t)
	}
	return transcripts, nil
}

// Uncovered returns a line for each tool that lacks a transcript in which a
// call of it succeeds, or one in which it fails. The tools in failing, which
// always fail, need only the latter.
func Uncovered(tools, failing []string, transcripts []*mcptest.Transcript) []string {
	succeeded, failed := map[string]bool{}, map[string]bool{}
	for _, t := range transcripts {
		for _, c := range t.ToolCalls() {
			if c.Failed {
				failed[c.Tool] = true
			} else {
				succeeded[c.Tool] = true
			}
		}
	}
	var problems []string
	for _, tool := range tools {
		var missing []string
		if !succeeded[tool] && !slices.Contains(failing, tool) {
			missing = append(missing, "succeeds")
		}
		if !failed[tool] {
			missing = append(missing, "fails")
		}
		if len(missing) > 0 {
			problems = append(problems, fmt.Sprintf("tool %s has no transcript in which a call %s", tool, strings.Join(missing, " or ")))
		}
	}
	return problems
}

// Record replays a transcript in all its eras and writes the answers into it,
// with the vary lines of vary.txt beside it that match one. The traffic has to
// keep to the protocol's schema.
func Record(ctx context.Context, o Options, file string) error {
	s, err := ServerNamed(o.Server)
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "conformance-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	start, err := s.locate(ctx, o.Root, o.Bin, tmp)
	if err != nil {
		return err
	}
	t, err := mcptest.Load(file)
	if err != nil {
		return err
	}
	defaults, err := mcptest.LoadVaries(filepath.Join(s.Transcripts(o.Root), "vary.txt"))
	if err != nil {
		return err
	}
	var outcomes []mcptest.Outcome
	for _, era := range t.Eras() {
		outcomes = append(outcomes, t.Replay(ctx, start, era, wire.Check))
	}
	if err := t.Record(outcomes, defaults); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return t.Save()
}
