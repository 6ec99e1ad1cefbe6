package cli

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/quartet-mcp/quartet/pretensor/internal/connect/dsn"
)

// secrets are the connection strings that this run has seen. Whatever is logged goes
// through them: an error of a driver may hold anything.
type secrets struct {
	mu   sync.Mutex
	seen []dsn.DSN
}

func (s *secrets) add(d dsn.DSN) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = append(s.seen, d)
}

func (s *secrets) hide(text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, d := range s.seen {
		text = dsn.Redact(text, d)
	}
	return text
}

var levels = map[string]slog.Level{"debug": slog.LevelDebug, "info": slog.LevelInfo, "warning": slog.LevelWarn, "error": slog.LevelError}

func levelName(l slog.Level) string {
	switch {
	case l < slog.LevelInfo:
		return "debug"
	case l < slog.LevelWarn:
		return "info"
	case l < slog.LevelError:
		return "warning"
	}
	return "error"
}

// logging is how a log is written.
type logging struct {
	level   slog.Level
	json    bool
	color   bool
	file    string // a second log; empty: none
	secrets *secrets
}

// open makes the logger, and what closes its file. The logger's name is the
// attribute "logger".
func (o logging) open(stderr io.Writer) (*slog.Logger, func(), error) {
	handlers := []slog.Handler{o.handler(stderr, o.color, false)}
	done := func() {}
	if o.file != "" {
		f, err := os.OpenFile(o.file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, nil, fmt.Errorf("--log-file: %w", err)
		}
		handlers = append(handlers, o.handler(&lockedWriter{w: f}, false, true))
		done = func() { f.Close() }
	}
	return slog.New(&redacted{slog.NewMultiHandler(handlers...), o.secrets}), done, nil
}

func (o logging) handler(w io.Writer, color, times bool) slog.Handler {
	if o.json {
		return slog.NewJSONHandler(w, &slog.HandlerOptions{Level: o.level, ReplaceAttr: o.jsonAttr}).
			WithAttrs([]slog.Attr{slog.String("logger", name)})
	}
	return &textHandler{w: w, level: o.level, color: color, times: times}
}

// jsonAttr gives the keys of a line their names.
func (o logging) jsonAttr(groups []string, a slog.Attr) slog.Attr {
	if len(groups) > 0 {
		return a
	}
	switch a.Key {
	case slog.TimeKey:
		return slog.String("timestamp", a.Value.Time().UTC().Format("2006-01-02T15:04:05.000Z"))
	case slog.LevelKey:
		if l, ok := a.Value.Any().(slog.Level); ok {
			return slog.String("level", levelName(l))
		}
	case slog.MessageKey:
		a.Key = "message"
	}
	return a
}

// redacted takes secrets out of what is logged, and gives each line an event and a
// status where it has none of its own.
type redacted struct {
	slog.Handler
	secrets *secrets
}

func (h *redacted) Handle(ctx context.Context, r slog.Record) error {
	out := slog.NewRecord(r.Time, r.Level, h.secrets.hide(r.Message), r.PC)
	event, status := false, false
	r.Attrs(func(a slog.Attr) bool {
		event, status = event || a.Key == "event", status || a.Key == "status"
		out.AddAttrs(h.attr(a))
		return true
	})
	if !event {
		out.AddAttrs(slog.String("event", "log"))
	}
	if !status {
		out.AddAttrs(slog.String("status", statusOf(r.Level)))
	}
	return h.Handler.Handle(ctx, out)
}

func statusOf(l slog.Level) string {
	if l < slog.LevelWarn {
		return "ok"
	}
	return levelName(l)
}

func (h *redacted) attr(a slog.Attr) slog.Attr {
	v := a.Value.Resolve()
	switch v.Kind() {
	case slog.KindString:
		return slog.String(a.Key, h.secrets.hide(v.String()))
	case slog.KindAny:
		return slog.String(a.Key, h.secrets.hide(fmt.Sprint(v.Any())))
	case slog.KindGroup:
		members := make([]slog.Attr, 0, len(v.Group()))
		for _, m := range v.Group() {
			members = append(members, h.attr(m))
		}
		return slog.Attr{Key: a.Key, Value: slog.GroupValue(members...)}
	}
	return a
}

// WithAttrs hides secrets in the attributes as well.
func (h *redacted) WithAttrs(attrs []slog.Attr) slog.Handler {
	out := make([]slog.Attr, len(attrs))
	for i, a := range attrs {
		out[i] = h.attr(a)
	}
	return &redacted{h.Handler.WithAttrs(out), h.secrets}
}

func (h *redacted) WithGroup(name string) slog.Handler {
	return &redacted{h.Handler.WithGroup(name), h.secrets}
}

// textHandler writes lines for people: the message, then the attributes but those
// that only machines need. A log file gets the time and the level as well.
type textHandler struct {
	w     io.Writer
	level slog.Level
	color bool
	times bool
	attrs []slog.Attr
	group string
}

// machine are the attributes that a person does not need beside the message.
var machine = map[string]bool{"logger": true, "event": true, "status": true, "stage": true, "connection": true, "duration_ms": true}

// Enabled reports whether lines of a level are written.
func (h *textHandler) Enabled(_ context.Context, l slog.Level) bool { return l >= h.level }

func (h *textHandler) Handle(_ context.Context, r slog.Record) error {
	var b strings.Builder
	prefix := ""
	if r.Level != slog.LevelInfo || h.times {
		prefix = levelName(r.Level) + ": "
	}
	if h.times {
		prefix = r.Time.UTC().Format("2006-01-02T15:04:05.000Z") + " " + prefix
	}
	b.WriteString(h.paint(r.Level, prefix))
	b.WriteString(printable(r.Message))
	add := func(a slog.Attr) bool {
		if machine[a.Key] && !h.times || a.Equal(slog.Attr{}) {
			return true
		}
		value := a.Value.Resolve().String()
		if strings.ContainsFunc(value, func(r rune) bool { return r == ' ' || r == '"' || !unicode.IsPrint(r) }) {
			value = strconv.Quote(value)
		}
		b.WriteString(" " + h.group + a.Key + "=" + value)
		return true
	}
	for _, a := range h.attrs {
		add(a)
	}
	r.Attrs(add)
	b.WriteByte('\n')
	_, err := io.WriteString(h.w, b.String())
	return err
}

func (h *textHandler) paint(l slog.Level, text string) string {
	switch {
	case !h.color || text == "":
		return text
	case l >= slog.LevelError:
		return "\x1b[31m" + text + "\x1b[0m"
	case l >= slog.LevelWarn:
		return "\x1b[33m" + text + "\x1b[0m"
	}
	return text
}

// WithAttrs adds attributes to every line.
func (h *textHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	out := *h
	out.attrs = append(append([]slog.Attr{}, h.attrs...), attrs...)
	return &out
}

// WithGroup puts a name before those of further attributes.
func (h *textHandler) WithGroup(name string) slog.Handler {
	out := *h
	if name != "" {
		out.group += name + "."
	}
	return &out
}

// printable replaces what would move the cursor or end the line; a line may hold
// several on purpose, which are kept.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// oneLine is a text without its line breaks and other blanks.
func oneLine(text string) string { return strings.Join(strings.Fields(printable(text)), " ") }
