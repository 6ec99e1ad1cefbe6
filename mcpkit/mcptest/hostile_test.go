package mcptest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quartet-mcp/quartet/mcpkit/internal/invariants"
)

var goodEcho = Call{Tool: "echo", Arguments: `{"value":[1,"a"]}`}

func TestCorpus(t *testing.T) {
	for _, version := range []string{LegacyVersion, ModernVersion} {
		lines := corpus(goodEcho, version)
		distinct := map[string]bool{}
		fates := map[fate]int{}
		for _, l := range lines {
			distinct[string(l.line)] = true
			f, _ := fateOf(l.line)
			fates[f]++
		}
		if len(distinct) < 2000 || len(distinct) != len(lines) {
			t.Errorf("%s: %d lines, %d of them distinct, want at least 2000", version, len(lines), len(distinct))
		}
		for _, f := range []fate{free, notParsed, refused, answered} {
			if fates[f] < 50 {
				t.Errorf("%s: only %d lines of fate %d", version, fates[f], f)
			}
		}
		t.Logf("%s: %d lines, fates %v", version, len(lines), fates)
	}
}

func TestFateOf(t *testing.T) {
	tests := []struct {
		line string
		want fate
		key  string
	}{
		{``, free, ""},
		{" \t\r", free, ""},
		{"\u00a0", notParsed, ""},
		{`{`, notParsed, ""},
		{"\xff", refused, ""},
		{"{\"a\":\"\x00\"}", notParsed, ""},
		{strings.Repeat("[", 2000), refused, ""},
		{`1`, refused, ""},
		{`null`, refused, ""},
		{`[]`, refused, ""},
		{`{}`, refused, ""},
		{`{"jsonrpc":"2.0","id":1}`, refused, "1"},
		{`{"jsonrpc":"2.0","id":1,"method":null}`, refused, "1"},
		{`{"jsonrpc":"2.0","id":null,"method":"x"}`, refused, "null"},
		{`{"jsonrpc":"2.0","id":1.5,"method":"x"}`, refused, "1.5"},
		{`{"jsonrpc":"2.0","id":1.0,"method":"x"}`, answered, "1.0"},
		{`{"jsonrpc":"1.0","id":1,"method":"x"}`, refused, "1"},
		{`{"JSONRPC":"2.0","ID":1,"METHOD":"x"}`, refused, ""},
		{`{"jsonrpc":"2.0","method":"x"}`, free, ""},
		{`{"jsonrpc":"2.0","id":1,"result":{}}`, free, ""},
		{`{"jsonrpc":"2.0","id":9007199254740993,"method":"x"}`, answered, "9007199254740993"},
		{`{"jsonrpc":"2.0","id":"1","method":"x"}`, answered, `"1"`},
		{"\ufeff" + `{"jsonrpc":"2.0","id":"1","method":"x"}`, answered, `"1"`},
	}
	for _, tt := range tests {
		if got, key := fateOf([]byte(tt.line)); got != tt.want || key != tt.key {
			t.Errorf("fateOf(%q) = %d, %s, want %d, %s", clip(tt.line), got, key, tt.want, tt.key)
		}
	}
}

func TestHostile_FaultlessServerPasses(t *testing.T) {
	if invariants.Enabled {
		// Under the race detector the thousands of turns take minutes; the
		// whole corpus is for the runs without it.
		for _, version := range []string{LegacyVersion, ModernVersion} {
			report(t, hostileLines(t.Context(), faulty(t, "none"), goodEcho, version, some(corpus(goodEcho, version))))
		}
		return
	}
	Hostile(t, faulty(t, "none"), HostileOptions{Good: goodEcho, Panic: &Call{Tool: "panic"}, Pipes: 20})
}

// some is every fortieth line, without the huge ones.
func some(all []badLine) []badLine {
	var few []badLine
	for i := 0; i < len(all); i += 40 {
		if len(all[i].line) < 1<<16 {
			few = append(few, all[i])
		}
	}
	return few
}

func TestHostile_CatchesFaults(t *testing.T) {
	lines := func(ctx *testing.T, s Server) []string {
		return hostileLines(ctx.Context(), s, goodEcho, LegacyVersion, some(corpus(goodEcho, LegacyVersion)))
	}
	flag := func(t *testing.T, s Server) []string { return badFlag(t.Context(), s) }
	ends := func(t *testing.T, s Server) []string {
		return purity(t.Context(), s, HostileOptions{Good: goodEcho, Panic: &Call{Tool: "panic"}})
	}
	pipes := func(t *testing.T, s Server) []string { return oneShots(t.Context(), s, goodEcho, 40) }
	tests := []struct {
		fault string
		run   func(*testing.T, Server) []string
		want  string
	}{
		{"dies of bad lines", lines, "no answer"},
		{"wrong id", lines, "an answer to an id that was not sent"},
		{"prints junk", lines, "stdout holds something else than messages"},
		{"invalid UTF-8", lines, "invalid UTF-8"},
		{"help on stdout", flag, "stdout holds something else than messages"},
		{"none", func(t *testing.T, s Server) []string {
			s.Args = []string{"first"} // hides the bad flag from this server, which then accepts it
			return badFlag(t.Context(), s)
		}, "exit code 0, want another"},
		{"banner", ends, "nothing sent, legacy 2025-11-25: after stdin was closed: stdout holds something else"},
		{"exits with 3", ends, "exit code 3, want 0"},
		{"chokes on BOM", ends, "byte order mark at the start"},
		{"talks at SIGTERM", ends, "SIGTERM, legacy 2025-11-25: after SIGTERM: stdout holds something else"},
		{"ignores SIGTERM", ends, "after SIGTERM: context deadline exceeded"},
		{"dies of a panic", ends, "a call that panics: no answer"},
		{"answers twice", pipes, "a second answer"},
		{"loses answers at EOF", pipes, "no answer to call"},
	}
	for _, tt := range tests {
		t.Run(tt.fault, func(t *testing.T) {
			t.Parallel()
			s := faulty(t, tt.fault)
			s.patience = 2 * time.Second
			got := strings.Join(tt.run(t, s), "\n")
			if !strings.Contains(got, tt.want) {
				t.Errorf("problems do not contain %q:\n%s", tt.want, got)
			}
		})
	}
}

// A server that says nothing about bad lines costs the patience once.
func TestHostile_CatchesSilence(t *testing.T) {
	s, err := openSession(t.Context(), faulty(t, "silent on bad lines"), LegacyVersion)
	if err != nil {
		t.Fatal(err)
	}
	defer s.end()
	if err := s.open(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	s.patience = 100 * time.Millisecond
	if err := s.p.send([]byte("{")); err != nil {
		t.Fatal(err)
	}
	err = s.until(t.Context(), "cut", map[string]func(*node) string{"null": wantCode("-32700")})
	if err == nil || !strings.Contains(err.Error(), "no answer") {
		t.Errorf("until() = %v, want an error that there is no answer", err)
	}
}

// Children of a server must not outlive a test.
func TestProcess_KillTakesChildrenAlong(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Fatalf("sh: %v", err)
	}
	p, err := start(t.Context(), Server{Path: sh, Args: []string{"-c", `sleep 1000 & echo "$!"; wait`}}, t.TempDir(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := p.next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p.kill()
	for range 500 { // the system takes a moment to collect it
		stat, err := os.ReadFile("/proc/" + string(pid) + "/stat")
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("child %s still runs after kill", pid)
}

// The test binary runs itself with -update, with CI set and without.
func TestUpdating(t *testing.T) {
	if os.Getenv("MCPTEST_UPDATING") != "" {
		if Updating(t) {
			t.Log("golden files would be rewritten")
		}
		return
	}
	run := func(ci string) (string, error) {
		cmd := exec.Command(os.Args[0], "-test.run=^TestUpdating$", "-test.v", "-update")
		env := slices.DeleteFunc(os.Environ(), func(s string) bool { return strings.HasPrefix(s, "CI=") })
		cmd.Env = append(env, "MCPTEST_UPDATING=1")
		if ci != "" {
			cmd.Env = append(cmd.Env, "CI="+ci)
		}
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := run("true"); err == nil || !strings.Contains(out, "-update is refused when CI is set") {
		t.Errorf("with CI set: %v\n%s", err, out)
	}
	if out, err := run(""); err != nil || !strings.Contains(out, "would be rewritten") {
		t.Errorf("without CI: %v\n%s", err, out)
	}
}

func TestListTools(t *testing.T) {
	names, err := ListTools(t.Context(), faulty(t, "none"))
	if err != nil || !slices.Equal(names, []string{"echo"}) {
		t.Errorf("ListTools() = %v, %v, want [echo]", names, err)
	}
	if names, err := ListTools(t.Context(), faulty(t, "banner")); err == nil {
		t.Errorf("ListTools() of a server with a banner = %v, want an error", names)
	}
}

func TestBuild_SweepsTheBinariesOfEndedTests(t *testing.T) {
	ended := exec.Command(os.Args[0], "-test.run=^$")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	dirs := map[string]bool{ // and whether they stay
		fmt.Sprintf("%s%d-1", binPrefix, ended.Process.Pid): false,
		fmt.Sprintf("%s%d-1", binPrefix, os.Getpid()):       true,
		binPrefix + "of-somebody-else":                      true,
		"another":                                           true,
	}
	for dir := range dirs {
		if err := os.MkdirAll(filepath.Join(temp, dir, "server0"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	sweep(temp)
	for dir, want := range dirs {
		if _, err := os.Stat(filepath.Join(temp, dir)); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", dir, err == nil, want)
		}
	}
}
