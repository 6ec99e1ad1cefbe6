package conformance

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/quartet-mcp/quartet/conformance/wire"
	"github.com/quartet-mcp/quartet/mcpkit/mcptest"
)

// existing runs a subtest for each server that is in the tree, started from a
// freshly built binary.
func existing(t *testing.T, f func(t *testing.T, s Server, start mcptest.Server)) {
	t.Helper()
	root, err := Root(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range Servers {
		if !s.Exists(root) {
			t.Logf("%s is not built yet", s.Name)
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			f(t, s, mcptest.Build(t, filepath.Join(root, filepath.FromSlash(s.Package)), s.Args...))
		})
	}
}

// With -update the transcripts are rewritten, once for all their eras; else
// they are replayed, and the traffic is held against the protocol's schema.
func TestTranscripts(t *testing.T) {
	root, err := Root(".")
	if err != nil {
		t.Fatal(err)
	}
	update := mcptest.Updating(t)
	existing(t, func(t *testing.T, s Server, start mcptest.Server) {
		transcripts, err := load(s.Transcripts(root))
		if err != nil {
			t.Fatal(err)
		}
		defaults, err := mcptest.LoadVaries(filepath.Join(s.Transcripts(root), "vary.txt"))
		if err != nil {
			t.Fatal(err)
		}
		for _, tr := range transcripts {
			t.Run(tr.Name(), func(t *testing.T) {
				var outcomes []mcptest.Outcome
				for _, era := range tr.Eras() {
					o := tr.Replay(t.Context(), start, era, wire.Check)
					outcomes = append(outcomes, o)
					for _, p := range o.Problems {
						if !update {
							t.Errorf("%s: %s", era, p)
						}
					}
				}
				if !update {
					return
				}
				if err := tr.Record(outcomes, defaults); err != nil {
					t.Fatal(err)
				}
				if err := tr.Save(); err != nil {
					t.Fatal(err)
				}
			})
		}
	})
}

func TestTranscripts_EveryToolHasSuccessAndFailure(t *testing.T) {
	root, err := Root(".")
	if err != nil {
		t.Fatal(err)
	}
	existing(t, func(t *testing.T, s Server, start mcptest.Server) {
		transcripts, err := load(s.Transcripts(root))
		if err != nil {
			t.Fatal(err)
		}
		tools, err := mcptest.ListTools(t.Context(), start)
		if err != nil {
			t.Fatal(err)
		}
		if len(tools) == 0 {
			t.Error("the server lists no tool")
		}
		for _, p := range Uncovered(tools, s.Failing, transcripts) {
			t.Error(p)
		}
	})
}

// 200 one-shot pipes, 1,000 when QUARTET_FULL is set.
func TestHostile(t *testing.T) {
	o := mcptest.HostileOptions{Pipes: 200}
	if os.Getenv("QUARTET_FULL") != "" {
		o.Pipes = 1000
	}
	existing(t, func(t *testing.T, s Server, start mcptest.Server) {
		o.Good, o.Panic = s.Good, s.Panic
		mcptest.Hostile(t, start, o)
	})
}
