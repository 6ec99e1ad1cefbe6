package registry

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/quartet-mcp/quartet/pretensor/internal/keystore"
	"github.com/quartet-mcp/quartet/pretensor/internal/names"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"
)

// Store is the registry of a state directory. Several goroutines may use it.
type Store struct {
	dir    *state.Dir
	getenv func(string) string
}

// NewStore is the registry of d. getenv gives an environment variable's value; the
// key may be in one.
func NewStore(d *state.Dir, getenv func(string) string) *Store {
	return &Store{dir: d, getenv: getenv}
}

// Read reads the file. One that does not exist is an empty registry. No key is
// needed.
func (s *Store) Read() (*Registry, error) {
	text, err := state.Read(s.dir.Registry())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &Registry{entries: map[string]Entry{}}, nil
	case errors.Is(err, fs.ErrPermission):
		return nil, errors.New("registry.json cannot be read: it belongs to another user")
	case err != nil:
		return nil, errors.New("registry.json cannot be read: it is not a regular file")
	}
	return Parse(text)
}

// DSN is the connection string of an entry.
func (s *Store) DSN(e Entry) (keystore.Secret, error) {
	if e.DSN != "" {
		return e.DSN, nil
	}
	if e.DSNEncrypted == "" {
		return "", fmt.Errorf("connection %q: %w; %s", e.Name, ErrNoDSN, again(e.Name))
	}
	key, err := keystore.Load(s.dir, s.getenv)
	if err != nil {
		return "", fmt.Errorf("connection %q: %w; %s", e.Name, err, again(e.Name))
	}
	return decrypt(key, e)
}

func decrypt(key keystore.Key, e Entry) (keystore.Secret, error) {
	dsn, err := key.Decrypt(e.DSNEncrypted)
	if err != nil {
		return "", fmt.Errorf("connection %q: %w; %s", e.Name, err, again(e.Name))
	}
	return dsn, nil
}

func again(name string) string {
	return "add it again with: pretensor add DSN --name " + names.Argument(name)
}

// Update changes the registry: it takes the directory's lock, reads the file,
// lets change work on it and writes it, unless change fails or changes nothing.
// Connection strings in clear, also those of an older file, become tokens.
func (s *Store) Update(ctx context.Context, change func(*Registry) error) error {
	lock, err := s.dir.Lock(ctx)
	if err != nil {
		return err
	}
	return errors.Join(s.UpdateLocked(lock, change), lock.Release())
}

// UpdateLocked is [Store.Update] for one that holds the directory's lock.
func (s *Store) UpdateLocked(_ *state.Lock, change func(*Registry) error) error {
	r, err := s.Read()
	if err != nil {
		return err
	}
	if err := change(r); err != nil {
		return err
	}
	if err := s.encrypt(r); err != nil {
		return err
	}
	text, err := r.text()
	if err != nil {
		return err
	}
	if old, err := state.Read(s.dir.Registry()); err == nil && string(old) == string(text) && !s.loose() {
		return nil
	}
	return s.dir.Files.Write(s.dir.Registry(), text, state.FileMode)
}

// encrypt turns every connection string into a token.
func (s *Store) encrypt(r *Registry) error {
	var key keystore.Key
	have := false
	for name, e := range maps.All(r.entries) {
		if e.DSN == "" {
			continue
		}
		if !have {
			var err error
			if key, err = keystore.LoadOrCreate(s.dir, s.getenv); err != nil {
				return err
			}
			have = true
		}
		e.DSNEncrypted, e.DSN = key.Encrypt(e.DSN), ""
		r.entries[name] = e
	}
	return nil
}

// ErrTaken says that a connection of the name exists for another connection
// string.
var ErrTaken = errors.New("the name is taken")

// Register adds a connection that is not indexed yet. If there is one of its name,
// and its connection string is the same, nothing but what e says of it changes; if
// the string differs, it fails with [ErrTaken] unless replace is set, and else
// takes the place of the old one, index and all.
func (s *Store) Register(ctx context.Context, e Entry, replace bool) error {
	return s.Update(ctx, func(r *Registry) error {
		_, err := s.merge(r, e, replace)
		return err
	})
}

// Prepare is the entry that [Store.Register] would write, with its connection string
// in clear, and fails where Register would. Nothing is written.
func (s *Store) Prepare(e Entry, replace bool) (Entry, error) {
	r, err := s.Read()
	if err != nil {
		return e, err
	}
	merged, err := s.merge(r, e, replace)
	merged.DSN = e.DSN
	return merged, err
}

func (s *Store) merge(r *Registry, e Entry, replace bool) (Entry, error) {
	old, err := r.Get(e.Name)
	if err != nil {
		return e, r.Put(e)
	}
	dsn, err := s.DSN(old)
	switch {
	case err == nil && dsn == e.DSN:
		if e.Description != "" {
			old.Description = e.Description
		}
		return old, r.Put(old)
	case !replace && err != nil:
		return e, err
	case !replace:
		return e, fmt.Errorf("%w: connection %q has another connection string; to replace that one, add --name %q, and for another database choose another name", ErrTaken, e.Name, e.Name)
	}
	return e, r.Put(e)
}

// Warnings says what is wrong with the file's mode, in one sentence each.
func (s *Store) Warnings() []string {
	if !s.loose() {
		return nil
	}
	return []string{"registry.json can be read by others; run: chmod 600 " + state.RegistryName + " in the state directory"}
}

func (s *Store) loose() bool {
	info, err := os.Stat(s.dir.Registry())
	return err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0
}

// Watcher keeps a registry that follows its file: it looks at the file's times at
// most once per second, and reads it only when they changed. Several goroutines may
// use it.
type Watcher struct {
	store *Store
	now   func() time.Time

	mu      sync.Mutex
	looked  time.Time
	seen    os.FileInfo // nil: there was no file
	current *Registry
	err     error
}

// lookEvery is the least time between two looks.
const lookEvery = time.Second

// Watch makes a watcher.
func (s *Store) Watch() *Watcher { return &Watcher{store: s, now: time.Now} }

// Current is the registry as of at most a second ago. Where the file cannot be
// read now, it is the last one that could be, together with the error; nil if
// there never was one. Successive calls give the same pointer as long as nothing
// changed.
func (w *Watcher) Current() (*Registry, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.now()
	first := w.looked.IsZero()
	if !first && now.Sub(w.looked) < lookEvery && !now.Before(w.looked) {
		return w.current, w.err
	}
	w.looked = now
	// Looked at before it is read: a change in between is seen the next time.
	info, err := os.Stat(w.store.dir.Registry())
	if err != nil {
		info = nil
	}
	if !first && same(info, w.seen) {
		return w.current, w.err
	}
	w.seen = info
	r, err := w.store.Read()
	if w.err = err; err == nil {
		w.current = r
	}
	return w.current, w.err
}

// same reports whether two looks saw one state of the file. A write is a rename, so
// the file is another one even if time and size are equal.
func same(a, b os.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size()
}
