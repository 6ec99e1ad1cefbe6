package mcpkit

import (
	"context"
	"log/slog"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Warning is something a caller should know although the call succeeded.
type Warning struct {
	Category string // what sort it is, e.g. "clamped"
	Message  string // one sentence on all warnings of the category
	Object   string // the thing it is about; may be empty
}

// WarningsIn says where the warnings of a call go.
type WarningsIn int

const (
	// InAnswer adds the warnings to the answer: a text block after it, and
	// the objects under [Options].WarningsKey in its _meta.
	InAnswer WarningsIn = iota
	// InResult adds nothing: the handler reads them with [Warnings] and puts
	// them into a field of its result.
	InResult
	// InErrorToo is InAnswer, and adds the text block after that of an error as
	// well, whose warnings are otherwise in its _meta alone.
	InErrorToo
)

// Warn adds a warning to the call that ctx belongs to. Warnings of one
// category become one line with a count, and the message is that of the last
// of them, so that it may state a number that grows. Warn may be called by
// several goroutines at once. It does nothing when ctx belongs to no call, or
// to one that has returned.
func Warn(ctx context.Context, w Warning) {
	c := callFrom(ctx)
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.returned {
		c.warnings = append(c.warnings, w)
	}
}

// Warnings returns the warnings of the call that ctx belongs to, in the order
// in which they came, those that mcpkit raised itself included. The slice is
// the caller's own.
func Warnings(ctx context.Context) []Warning {
	c := callFrom(ctx)
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.warnings)
}

// warningGroup is the form in which the warnings of one category travel.
type warningGroup struct {
	Category string   `json:"category"`
	Count    int      `json:"count"`
	Message  string   `json:"message"`
	Objects  []string `json:"objects"`
}

func groupWarnings(warnings []Warning) []warningGroup {
	var groups []warningGroup
	for _, w := range warnings {
		i := slices.IndexFunc(groups, func(g warningGroup) bool { return g.Category == w.Category })
		if i < 0 {
			i = len(groups)
			groups = append(groups, warningGroup{Category: w.Category, Objects: []string{}})
		}
		g := &groups[i]
		g.Count++
		g.Message = w.Message
		if w.Object != "" {
			g.Objects = append(g.Objects, w.Object)
		}
	}
	return groups
}

// addWarnings puts the warnings of a call into its answer. An error stays one
// text block, the warnings being in its _meta, unless the server wants them in both.
func (s *Server) addWarnings(ctx context.Context, tool string, res *mcp.CallToolResult, warnings []Warning) {
	if len(warnings) == 0 {
		return
	}
	groups := groupWarnings(warnings)
	for _, g := range groups {
		s.log.LogAttrs(ctx, slog.LevelDebug, "warning", callAttrs(ctx, tool,
			slog.String("category", g.Category), slog.Int("count", g.Count), slog.String("message", g.Message))...)
	}
	if s.opts.WarningsIn == InResult {
		return
	}
	if res.Meta == nil {
		res.Meta = mcp.Meta{}
	}
	res.Meta[s.opts.WarningsKey] = groups
	if res.IsError && s.opts.WarningsIn != InErrorToo {
		return
	}
	var text strings.Builder
	for i, g := range groups {
		if i > 0 {
			text.WriteByte('\n')
		}
		text.WriteString("warning: ")
		text.WriteString(strings.Join(strings.Fields(g.Message), " ")) // one line each
	}
	res.Content = append(res.Content, &mcp.TextContent{Text: text.String()})
}
