package mcptest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// mostDifferences bounds what one answer may say: the first differences tell
// the story, the rest hides it.
const mostDifferences = 12

// compare returns how the message got differs from want, one line for each
// place, or nothing.
func compare(want, got *node, varies []Vary) []string {
	c := comparison{varies: in(varies, want), twins: textTwins(want)}
	c.node(nil, want, got)
	for _, at := range c.twins {
		c.twin(at, got)
	}
	if n := len(c.diffs); n > mostDifferences {
		c.diffs = append(c.diffs[:mostDifferences], fmt.Sprintf("… and %d more differences", n-mostDifferences))
	}
	return c.diffs
}

type comparison struct {
	varies []Vary
	twins  []pointer
	diffs  []string
}

func (c *comparison) add(at pointer, format string, args ...any) {
	place := at.String()
	if place == "" {
		place = "message"
	}
	c.diffs = append(c.diffs, place+": "+fmt.Sprintf(format, args...))
}

// textTwins returns the pointers of the content texts that are the same JSON
// as the structured content.
func textTwins(message *node) []pointer {
	structured := message.get("result", "structuredContent")
	content := message.get("result", "content")
	if structured == nil || content == nil {
		return nil
	}
	var twins []pointer
	for i, item := range content.items {
		if isTwin(item.get("text"), structured) {
			twins = append(twins, pointer{"result", "content", strconv.Itoa(i), "text"})
		}
	}
	return twins
}

func isTwin(text, structured *node) bool {
	if text == nil || text.kind != kindString {
		return false
	}
	parsed, err := parseJSON([]byte(text.text))
	return err == nil && equal(parsed, structured)
}

// twin checks that the text at the pointer is the JSON of got's own structured
// content. The comparison with want happened there.
func (c *comparison) twin(at pointer, got *node) {
	content := got.get("result", "content")
	structured := got.get("result", "structuredContent")
	i, err := strconv.Atoi(at[2])
	if content == nil || structured == nil || err != nil || i >= len(content.items) {
		return // reported as missing already
	}
	if text := content.items[i].get("text"); text != nil && !isTwin(text, structured) {
		c.add(at, "is not the JSON of structuredContent\n\ttext        %s\n\tstructured  %s", show(text), structured)
	}
}

func (c *comparison) node(at pointer, want, got *node) {
	if slices.ContainsFunc(c.twins, func(t pointer) bool { return t.covers(at) }) {
		if got.kind != kindString {
			c.add(at, "want a text, got %s", show(got))
		}
		return
	}
	if i := slices.IndexFunc(c.varies, func(v Vary) bool { return v.at.covers(at) }); i >= 0 {
		if v := c.varies[i]; !v.match(got) {
			c.add(at, "want a value that matches %q, got %s", v.pattern, show(got))
		}
		return
	}
	switch {
	case want.kind != got.kind:
		c.add(at, "want %s, got %s", show(want), show(got))
	case want.kind == kindObject:
		c.object(at, want, got)
	case want.kind == kindArray:
		c.array(at, want, got)
	case want.kind == kindString:
		if want.text != got.text {
			c.text(at, want, got)
		}
	case want.raw != got.raw:
		c.add(at, "want %s, got %s", want.raw, got.raw)
	}
}

func (c *comparison) object(at pointer, want, got *node) {
	before := len(c.diffs)
	for _, m := range want.members {
		if v := got.get(m.key); v != nil {
			c.node(at.child(m.key), m.value, v)
		} else {
			c.add(at.child(m.key), "missing, want %s", show(m.value))
		}
	}
	for _, m := range got.members {
		if want.get(m.key) == nil {
			c.add(at.child(m.key), "not wanted: %s", show(m.value))
		}
	}
	if len(c.diffs) == before && !slices.Equal(keys(want), keys(got)) {
		c.add(at, "order of members: want %v, got %v", keys(want), keys(got))
	}
}

func keys(n *node) []string {
	out := make([]string, len(n.members))
	for i, m := range n.members {
		out[i] = m.key
	}
	return out
}

func (c *comparison) array(at pointer, want, got *node) {
	for i := range min(len(want.items), len(got.items)) {
		c.node(at.child(strconv.Itoa(i)), want.items[i], got.items[i])
	}
	for i := len(got.items); i < len(want.items); i++ {
		c.add(at.child(strconv.Itoa(i)), "missing, want %s", show(want.items[i]))
	}
	for i := len(want.items); i < len(got.items); i++ {
		c.add(at.child(strconv.Itoa(i)), "not wanted: %s", show(got.items[i]))
	}
}

// text reports two strings that differ; long ones line by line.
func (c *comparison) text(at pointer, want, got *node) {
	w, g := strings.Split(want.text, "\n"), strings.Split(got.text, "\n")
	if len(w) == 1 && len(g) == 1 && len(want.raw)+len(got.raw) < 2*longestShown {
		c.add(at, "want %s, got %s", want.raw, got.raw)
		return
	}
	for i := range max(len(w), len(g)) {
		switch {
		case i >= len(g):
			c.add(at, "line %d missing, want %q", i+1, clip(w[i]))
		case i >= len(w):
			c.add(at, "line %d not wanted: %q", i+1, clip(g[i]))
		case w[i] != g[i]:
			from := commonPrefix(w[i], g[i])
			c.add(at, "line %d from character %d:\n\twant %q\n\tgot  %q", i+1, from+1, clip(w[i][from:]), clip(g[i][from:]))
		}
	}
}

// commonPrefix is the length of the equal start, moved back a little so that
// the reader sees where the difference stands.
func commonPrefix(a, b string) int {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	i = max(i-20, 0)
	for i > 0 && a[i]&0xC0 == 0x80 { // not into the middle of a character
		i--
	}
	return i
}

// longestShown is how much of a value a difference shows.
const longestShown = 300

func show(n *node) string { return clip(n.String()) }

func clip(s string) string {
	if len(s) <= longestShown {
		return s
	}
	cut := longestShown
	for cut > 0 && s[cut]&0xC0 == 0x80 {
		cut--
	}
	return s[:cut] + fmt.Sprintf("… (%d bytes)", len(s))
}
