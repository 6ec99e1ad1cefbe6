// Package trees parses SQL as the database would, and remembers the trees: a change to
// a schema leaves most of its statements as they are, and what one step reads the next one
// reads again.
package trees

import (
	"strings"
	"sync"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/parse"
	"github.com/quartet-mcp/quartet/datakit/sqltree/postgres"
)

// What is remembered. A tree takes about thirty times the memory of its text.
const (
	maxText       = 32 << 10  // bytes of one text
	maxGeneration = 192 << 10 // bytes of the texts of a generation, of which there are two
)

// Parse parses a text of any number of statements, without the placeholders of client
// libraries that package parse makes room for: nothing here is for a client. The tree is
// one for all callers, who only read it. Every error is a [*sqltree.SyntaxError].
func Parse(d sqltree.Dialect, text string) (*sqltree.Script, error) {
	if len(text) > maxText {
		return fresh(d, text)
	}
	if s := known.find(key{d, text}); s != nil {
		return s, nil
	}
	text = strings.Clone(text) // a tree holds on to it, and it may be a piece of a large one
	s, err := fresh(d, text)
	if err == nil {
		known.put(tree{key{d, text}, s})
	}
	return s, err
}

func fresh(d sqltree.Dialect, text string) (*sqltree.Script, error) {
	if d == sqltree.Postgres {
		return postgres.Parse(text)
	}
	return parse.Parse(d, text)
}

type key struct {
	d    sqltree.Dialect
	text string
}

type tree struct {
	key    // the text is its own
	script *sqltree.Script
}

// memory keeps what was asked for last. What is in the old generation and is not asked for
// until the young one is full is forgotten.
type memory struct {
	mu         sync.Mutex
	young, old map[key]tree
	bytes      int // of the texts in young
}

var known memory

func (m *memory) find(k key) *sqltree.Script {
	m.mu.Lock()
	defer m.mu.Unlock()
	t, ok := m.young[k]
	if !ok {
		if t, ok = m.old[k]; ok {
			m.add(t)
		}
	}
	return t.script
}

func (m *memory) put(t tree) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.add(t)
}

func (m *memory) add(t tree) {
	if m.bytes += len(t.text); m.young == nil || m.bytes > maxGeneration {
		m.young, m.old, m.bytes = map[key]tree{}, m.young, len(t.text)
	}
	m.young[t.key] = t
}
