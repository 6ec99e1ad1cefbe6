package approval

import (
	"crypto/rand"
	"sync"
	"time"
)

// maxPending is how many questions may wait at once; the oldest gives way.
const maxPending = 32

// Pending keeps the questions whose decision comes with a later call. A decision counts
// only for exactly the question that was asked, on the same connection, in time, and
// once. It is safe for concurrent use.
type Pending struct {
	timeout time.Duration

	mu    sync.Mutex
	asked []asked // the oldest first
}

type asked struct {
	id         string
	connection any
	question   Question
	expires    time.Time
}

// NewPending returns an empty list of questions that wait no longer than the timeout.
func NewPending(timeout time.Duration) *Pending { return &Pending{timeout: timeout} }

// Put notes a question and returns its id, which cannot be guessed.
func (p *Pending) Put(connection any, q Question) (id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.asked) == maxPending {
		p.asked = p.asked[1:]
	}
	a := asked{rand.Text(), connection, q, time.Now().Add(p.timeout)}
	p.asked = append(p.asked, a)
	return a.id
}

// Take reports whether a question waits under the id, and forgets it.
func (p *Pending) Take(connection any, id string, q Question) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, a := range p.asked {
		if a.id == id && a.connection == connection {
			p.asked = append(p.asked[:i:i], p.asked[i+1:]...)
			return a.question == q && time.Now().Before(a.expires)
		}
	}
	return false
}
