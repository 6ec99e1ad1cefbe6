package mcptest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// HostileOptions say what [Hostile] calls.
type HostileOptions struct {
	// Good is a call that always succeeds and changes nothing.
	Good Call
	// Panic, when set, is a call whose handler panics.
	Panic *Call
	// Pipes is how many one-shot pipes are tried; zero means 200.
	Pipes int
}

// defaultPipes loses an answer for certain, where the server loses one in fifty.
const defaultPipes = 200

// Hostile holds the server to what real clients do to it. In both eras it
// sends more than 2,000 distinct lines that no client should send, each
// followed by a good call that must be answered; lines that are owed an answer
// must have the right one (-32700 for what is no JSON, -32600 for JSON that is
// no request, the exact id for odd ids). It then checks that stdout carries
// nothing but messages at start, after a panic, at the end of stdin, at
// SIGTERM, and for a flag that does not exist. Last come the one-shot pipes,
// in turn in both eras: a handshake, four good calls and the end of stdin at
// once, after which all answers and exit code 0 must come.
func Hostile(t *testing.T, s Server, o HostileOptions) {
	t.Helper()
	for _, version := range []string{LegacyVersion, ModernVersion} {
		t.Run("lines "+Era{version}.String(), func(t *testing.T) {
			lines := corpus(o.Good, version)
			report(t, hostileLines(t.Context(), s, o.Good, version, lines))
			t.Logf("%d lines", len(lines))
		})
	}
	t.Run("flag", func(t *testing.T) { report(t, badFlag(t.Context(), s)) })
	t.Run("purity", func(t *testing.T) { report(t, purity(t.Context(), s, o)) })
	t.Run("one-shot pipes", func(t *testing.T) { report(t, oneShots(t.Context(), s, o.Good, cmp.Or(o.Pipes, defaultPipes))) })
}

func report(t *testing.T, problems []string) {
	t.Helper()
	for _, p := range problems {
		t.Error(p)
	}
}

// patience bounds the wait for one answer. It is generous, for slow machines:
// a fault costs it once, a sound server never.
const patience = 20 * time.Second

// mostProblems ends a hostile session: after so many the rest is noise.
const mostProblems = 5

// session is a conversation whose lines need not be well formed.
type session struct {
	p        *process
	version  string
	dir      string
	patience time.Duration
	sent     map[string]bool // keys of the ids sent so far
	problems []string
}

func openSession(ctx context.Context, s Server, version string) (*session, error) {
	dir, err := os.MkdirTemp("", "mcptest-")
	if err != nil {
		return nil, err
	}
	p, err := start(ctx, s, dir, nil, nil)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return &session{p: p, version: version, dir: dir, patience: cmp.Or(s.patience, patience), sent: map[string]bool{}}, nil
}

func (s *session) end() {
	s.p.kill()
	_ = os.RemoveAll(s.dir) // what the system keeps is no fault of the server
}

func (s *session) problem(format string, args ...any) {
	s.problems = append(s.problems, fmt.Sprintf(format, args...))
}

// handshake returns the lines that open the conversation, and how many answers
// they are owed.
func handshake(version string) ([][]byte, int) {
	if Modern(version) {
		return nil, 0
	}
	return [][]byte{
		fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%q,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":%s}}`, initializeID, version, clientInfo),
		[]byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`),
	}, 1
}

// open does the handshake; before stands in front of its first line.
func (s *session) open(ctx context.Context, before string) error {
	lines, answers := handshake(s.version)
	for i, line := range lines {
		if i == 0 {
			line = append([]byte(before), line...)
		}
		if err := s.p.send(line); err != nil {
			return err
		}
	}
	if answers == 0 {
		return nil
	}
	s.sent[stringKey(initializeID)] = true
	return s.until(ctx, "initialize", map[string]func(*node) string{stringKey(initializeID): wantResult})
}

func stringKey(id string) string { return scalarKey(stringNode(id)) }

// until reads messages until each of the wanted ids has its answer. A judge
// returns what is wrong with an answer, or nothing.
func (s *session) until(ctx context.Context, name string, wanted map[string]func(*node) string) error {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	for len(wanted) > 0 {
		line, err := s.p.next(ctx)
		if err != nil {
			return fmt.Errorf("%s: no answer: %w", name, err)
		}
		n, err := parseAnswer(line)
		if err != nil {
			s.problem("%s: stdout holds something else than messages: %v: %q", name, err, clip(string(line)))
			continue
		}
		if n.get("method") != nil {
			continue
		}
		key := answerKey(n)
		if n.kind == kindArray {
			key = "null"
		}
		if judge := wanted[key]; judge != nil {
			if wrong := judge(n); wrong != "" {
				s.problem("%s: %s: %s", name, wrong, show(n))
			}
			delete(wanted, key)
		} else if bad := wanted[anyKey]; bad != nil && (key == "null" || s.sent[key]) {
			if wrong := bad(n); wrong != "" {
				s.problem("%s: %s: %s", name, wrong, show(n))
			}
			delete(wanted, anyKey)
		} else if key != "null" && !s.sent[key] {
			s.problem("%s: an answer to an id that was not sent: %s", name, show(n))
		}
	}
	return nil
}

// anyKey stands for an answer with id null or with an id sent before.
const anyKey = ""

func wantResult(n *node) string {
	if n.get("result") == nil || n.get("result", "isError") != nil && n.get("result", "isError").raw == "true" {
		return "want a result"
	}
	return ""
}

// wantCode returns a judge that wants an error with one of the codes.
func wantCode(codes ...string) func(*node) string {
	return func(n *node) string {
		if n.kind == kindArray && len(n.items) > 0 {
			return "" // a revision with batches answers the items one by one
		}
		if code := n.get("error", "code"); code == nil || !slices.Contains(codes, code.raw) {
			return "want an error with code " + strings.Join(codes, " or ")
		}
		return ""
	}
}

// hostileLines feeds the lines, each followed by a good call.
func hostileLines(ctx context.Context, server Server, good Call, version string, lines []badLine) []string {
	s, err := openSession(ctx, server, version)
	if err != nil {
		return []string{err.Error()}
	}
	defer s.end()
	if err := s.open(ctx, ""); err != nil {
		return append(s.problems, err.Error())
	}
	const firstGood = 1_000_000_000 // away from every id in the corpus
	for i, bad := range lines {
		name := fmt.Sprintf("%s: %q", bad.kind, clip(string(bad.line[:min(len(bad.line), 2*longestShown)])))
		id := fmt.Sprint(firstGood + i)
		wanted := map[string]func(*node) string{id: wantResult}
		what, key := fateOf(bad.line)
		switch what {
		case notParsed:
			wanted["null"] = wantCode("-32700")
		case refused:
			wanted[anyKey] = wantCode("-32700", "-32600")
		case answered:
			wanted[anyKey] = exactID(key)
		}
		s.sent[key], s.sent[id] = true, true
		err := s.p.send(bad.line)
		if err == nil {
			err = s.p.send(good.request(id, version))
		}
		if err == nil {
			err = s.until(ctx, name, wanted)
		}
		if err != nil {
			s.problem("%v", err)
			return append(s.problems, "stderr ends with:\n"+s.p.stderr.String())
		}
		if len(s.problems) >= mostProblems {
			return append(s.problems, "…")
		}
	}
	s.finish(ctx)
	return s.problems
}

// exactID returns a judge that wants an answer with the id, or a refusal
// without one.
func exactID(key string) func(*node) string {
	return func(n *node) string {
		if answerKey(n) != key && (n.kind == kindArray || n.get("error") == nil || answerKey(n) != "null") {
			return "want an answer with id " + clip(key)
		}
		return ""
	}
}

// finish closes stdin and waits for the end.
func (s *session) finish(ctx context.Context) {
	s.p.stdin.Close()
	s.rest(ctx, "after stdin was closed")
	if code, err := s.p.wait(exitGrace); err != nil {
		s.problem("after stdin was closed: %v", err)
	} else if code != 0 {
		s.problem("after stdin was closed: exit code %d, want 0", code)
	}
}

// rest reads to the end of stdout and returns the answers by id.
func (s *session) rest(ctx context.Context, name string) map[string]*node {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	answers := map[string]*node{}
	for {
		line, err := s.p.next(ctx)
		if errors.Is(err, errStdoutClosed) {
			return answers
		}
		if err != nil {
			s.problem("%s: %v", name, err)
			return answers
		}
		n, err := parseAnswer(line)
		switch {
		case err != nil:
			s.problem("%s: stdout holds something else than messages: %v: %q", name, err, clip(string(line)))
		case n.get("method") == nil && answers[answerKey(n)] != nil:
			s.problem("%s: a second answer with id %s", name, answerKey(n))
		default:
			answers[answerKey(n)] = n
		}
	}
}

// badFlag starts the server with a flag that does not exist.
func badFlag(ctx context.Context, server Server) []string {
	server.Args = append(slices.Clone(server.Args), "--no-such-flag")
	s, err := openSession(ctx, server, LegacyVersion)
	if err != nil {
		return []string{err.Error()}
	}
	defer s.end()
	s.p.stdin.Close()
	if got := s.rest(ctx, "a bad flag"); len(got) > 0 {
		s.problem("a bad flag: %d messages on stdout, want none", len(got))
	}
	if code, err := s.p.wait(exitGrace); err != nil {
		s.problem("a bad flag: %v", err)
	} else if code == 0 {
		s.problem("a bad flag: exit code 0, want another")
	}
	if !bytes.Contains([]byte(s.p.stderr.String()), []byte("no-such-flag")) {
		s.problem("a bad flag: stderr does not name it: %q", s.p.stderr.String())
	}
	return s.problems
}

// purity goes through the ways a server starts and ends.
func purity(ctx context.Context, server Server, o HostileOptions) []string {
	var problems []string
	in := func(name string, f func(*session) error) {
		for _, version := range []string{LegacyVersion, ModernVersion} {
			s, err := openSession(ctx, server, version)
			if err != nil {
				problems = append(problems, err.Error())
				return
			}
			if err := f(s); err != nil {
				s.problem("%v", err)
			}
			s.end()
			for _, p := range s.problems {
				problems = append(problems, name+", "+Era{version}.String()+": "+p)
			}
		}
	}
	good := func(s *session, id string) error {
		s.sent[id] = true
		if err := s.p.send(o.Good.request(id, s.version)); err != nil {
			return err
		}
		return s.until(ctx, "a good call", map[string]func(*node) string{id: wantResult})
	}
	in("nothing sent", func(s *session) error {
		s.finish(ctx)
		return nil
	})
	in("byte order mark at the start", func(s *session) error {
		if err := s.open(ctx, "\ufeff"); err != nil {
			return err
		}
		mark := "\ufeff"
		if !Modern(s.version) {
			mark = "" // the handshake had it
		}
		s.sent["1"] = true
		if err := s.p.send(append([]byte(mark), o.Good.request("1", s.version)...)); err != nil {
			return err
		}
		if err := s.until(ctx, "a good call", map[string]func(*node) string{"1": wantResult}); err != nil {
			return err
		}
		s.finish(ctx)
		return nil
	})
	in("SIGTERM", func(s *session) error {
		if err := s.open(ctx, ""); err != nil {
			return err
		}
		if err := good(s, "1"); err != nil {
			return err
		}
		if err := s.p.terminate(); err != nil {
			return err
		}
		s.patience = min(s.patience, exitGrace)
		if got := s.rest(ctx, "after SIGTERM"); len(got) > 0 {
			s.problem("%d answers after SIGTERM, but nothing was asked", len(got))
		}
		_, err := s.p.wait(s.patience)
		return err
	})
	if o.Panic == nil {
		return problems
	}
	in("panic", func(s *session) error {
		if err := s.open(ctx, ""); err != nil {
			return err
		}
		for i := range 3 {
			id := fmt.Sprint(10 + i)
			s.sent[id] = true
			if err := s.p.send(o.Panic.request(id, s.version)); err != nil {
				return err
			}
			failed := func(n *node) string {
				if wantResult(n) == "" {
					return "want an error"
				}
				return ""
			}
			if err := s.until(ctx, "a call that panics", map[string]func(*node) string{id: failed}); err != nil {
				return err
			}
			if err := good(s, fmt.Sprint(20+i)); err != nil {
				return err
			}
		}
		s.finish(ctx)
		return nil
	})
	return problems
}

// oneShotCalls is how many calls a one-shot pipe holds.
const oneShotCalls = 4

// oneShots runs the pipes two at a time: answers get lost when the processors
// are busy.
func oneShots(ctx context.Context, server Server, good Call, times int) []string {
	var (
		mu       sync.Mutex
		problems []string
		wg       sync.WaitGroup
		numbers  = make(chan int)
	)
	for range 2 {
		wg.Go(func() {
			for i := range numbers {
				version := LegacyVersion
				if i%2 == 1 {
					version = ModernVersion
				}
				for _, p := range oneShot(ctx, server, good, version) {
					mu.Lock()
					problems = append(problems, fmt.Sprintf("pipe %d, %s: %s", i+1, Era{version}, p))
					mu.Unlock()
				}
			}
		})
	}
	for i := range times {
		mu.Lock()
		enough := len(problems) >= mostProblems
		mu.Unlock()
		if enough {
			break
		}
		numbers <- i
	}
	close(numbers)
	wg.Wait()
	return problems
}

func oneShot(ctx context.Context, server Server, good Call, version string) []string {
	s, err := openSession(ctx, server, version)
	if err != nil {
		return []string{err.Error()}
	}
	defer s.end()
	lines, owed := handshake(version)
	for i := range oneShotCalls {
		lines = append(lines, good.request(fmt.Sprint(i+1), version))
	}
	if err := s.p.send(bytes.Join(lines, []byte("\n"))); err != nil {
		return []string{err.Error()}
	}
	s.p.stdin.Close()
	answers := s.rest(ctx, "after stdin was closed")
	for i := range oneShotCalls {
		if n := answers[fmt.Sprint(i+1)]; n == nil {
			s.problem("no answer to call %d of %d", i+1, oneShotCalls)
		} else if wrong := wantResult(n); wrong != "" {
			s.problem("call %d: %s: %s", i+1, wrong, show(n))
		}
	}
	if got := len(answers); got > oneShotCalls+owed {
		s.problem("%d answers, want %d", got, oneShotCalls+owed)
	}
	if code, err := s.p.wait(exitGrace); err != nil {
		s.problem("%v", err)
	} else if code != 0 {
		s.problem("exit code %d, want 0", code)
	}
	return s.problems
}
