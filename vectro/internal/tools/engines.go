package tools

import (
	"context"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/vectro/internal/engine"
)

// Engines keeps callers' tables apart. On stdio there is one caller. Over HTTP a
// session has its own tables until it ends; without sessions (the stateless
// revision) they belong to the authenticated user.
type Engines struct {
	opts engine.Options

	mu     sync.Mutex
	byName map[string]*engine.Engine
}

// NewEngines returns an empty set; every engine gets the options, and so shares
// their memory budget.
func NewEngines(o engine.Options) *Engines {
	return &Engines{opts: o, byName: map[string]*engine.Engine{}}
}

// For returns the engine of the caller that ctx belongs to.
func (es *Engines) For(ctx context.Context) *engine.Engine {
	name, session := owner(ctx)
	es.mu.Lock()
	defer es.mu.Unlock()
	e := es.byName[name]
	if e == nil {
		e = engine.New(es.opts)
		es.byName[name] = e
		if session != nil {
			go es.closeAfter(session, name)
		}
	}
	return e
}

// owner names the caller; session is set when the caller ends with it.
func owner(ctx context.Context) (name string, session *mcp.ServerSession) {
	req, ok := mcpkit.Request(ctx).(*mcp.CallToolRequest)
	if !ok {
		return "", nil
	}
	if id := req.Session.ID(); id != "" {
		return "session " + id, req.Session
	}
	if req.Extra != nil && req.Extra.TokenInfo != nil {
		return "user " + req.Extra.TokenInfo.UserID, nil
	}
	return "", nil
}

// closeAfter frees the tables of a session when it ends.
func (es *Engines) closeAfter(session *mcp.ServerSession, name string) {
	_ = session.Wait() // how it ended makes no difference
	es.mu.Lock()
	e := es.byName[name]
	delete(es.byName, name)
	es.mu.Unlock()
	if e != nil {
		e.Close()
	}
}
