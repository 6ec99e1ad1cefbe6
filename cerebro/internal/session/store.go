package session

import (
	"container/list"
	"crypto/rand"
	"encoding/hex"
	"sync"
	"time"
)

// MaxScopes is how many scopes are kept; the one not seen for longest goes first.
const MaxScopes = 10_000

// Store keeps the states of scopes. It is safe for concurrent use.
type Store struct {
	idle time.Duration
	now  func() time.Time

	mu     sync.Mutex
	scopes map[string]*list.Element
	order  *list.List // of *scope, the latest first
}

type scope struct {
	key     string
	subject string // who an analysis handle belongs to
	state   *State
	seen    time.Time
}

// NewStore makes a store that forgets scopes which are idle for longer than a time.
// now is time.Now outside of tests.
func NewStore(idle time.Duration, now func() time.Time) *Store {
	return &Store{idle: idle, now: now, scopes: map[string]*list.Element{}, order: list.New()}
}

// Scope gives the state of a connection's scope, which it makes when there is none.
func (s *Store) Scope(key string) *State {
	s.mu.Lock()
	defer s.mu.Unlock()
	if x := s.find("s:" + key); x != nil {
		return x.state
	}
	return s.add("s:"+key, "").state
}

// Mint makes a scope with a handle that nobody can guess, for a subject.
func (s *Store) Mint(subject string) (handle string, state *State) {
	var b [16]byte
	_, _ = rand.Read(b[:]) // it never fails; see crypto/rand
	handle = hex.EncodeToString(b[:])
	s.mu.Lock()
	defer s.mu.Unlock()
	return handle, s.add("h:"+handle, subject).state
}

// Handle gives the state behind a handle; false when there is none, when it has
// expired, or when it is another subject's: a caller cannot tell these apart.
func (s *Store) Handle(handle, subject string) (*State, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.find("h:" + handle)
	if x == nil || x.subject != subject {
		return nil, false
	}
	return x.state, true
}

// Len is the number of scopes that are kept.
func (s *Store) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expire()
	return s.order.Len()
}

// find gives a scope and notes that it was seen. The caller holds the lock.
func (s *Store) find(key string) *scope {
	s.expire()
	e := s.scopes[key]
	if e == nil {
		return nil
	}
	x := e.Value.(*scope)
	x.seen = s.now()
	s.order.MoveToFront(e)
	x.state.change(func(d *Snapshot) { d.LastSeen = x.seen })
	return x
}

func (s *Store) add(key, subject string) *scope {
	now := s.now()
	x := &scope{key: key, subject: subject, state: newState(now), seen: now}
	s.scopes[key] = s.order.PushFront(x)
	for s.order.Len() > MaxScopes {
		s.remove(s.order.Back())
	}
	return x
}

// expire forgets what is idle: the list is in the order of last sight.
func (s *Store) expire() {
	limit := s.now().Add(-s.idle)
	for e := s.order.Back(); e != nil && e.Value.(*scope).seen.Before(limit); e = s.order.Back() {
		s.remove(e)
	}
}

func (s *Store) remove(e *list.Element) {
	delete(s.scopes, e.Value.(*scope).key)
	s.order.Remove(e)
}
