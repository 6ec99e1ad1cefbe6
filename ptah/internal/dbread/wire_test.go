package dbread

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
)

// recorder stands between a client and a server and keeps every statement that the client
// sends, as the server gets it.
type recorder struct {
	addr string

	mu         sync.Mutex
	statements []string
	startup    string
}

// errUnknownParameter is how a pooler sees what it does not know.
var errUnknownParameter = errors.New("unsupported startup parameter")

// record starts a recorder before a server. read reads one message of the client and
// returns it with the statement in it, if any.
func record(t *testing.T, server string, read func(r *recorder, in io.Reader, first bool) (message []byte, err error)) *recorder {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &recorder{addr: l.Addr().String()}
	var wait sync.WaitGroup
	t.Cleanup(func() {
		_ = l.Close()
		wait.Wait()
	})
	wait.Go(func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			upstream, err := net.Dial("tcp", server)
			if err != nil {
				_ = client.Close()
				continue
			}
			wait.Go(func() {
				_, _ = io.Copy(client, upstream)
				_ = client.Close()
			})
			wait.Go(func() {
				defer upstream.Close()
				for first := true; ; first = false {
					message, err := read(r, client, first)
					if errors.Is(err, errUnknownParameter) {
						_, _ = client.Write([]byte("E\x00\x00\x00\x28SFATAL\x00C08P01\x00Munsupported startup\x00\x00"))
					}
					if err != nil {
						return
					}
					if _, err := upstream.Write(message); err != nil {
						return
					}
				}
			})
		}
	})
	return r
}

func (r *recorder) add(statement string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.statements = append(r.statements, strings.TrimSpace(statement))
}

func (r *recorder) seen() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.statements)
}

// postgresMessage reads a message of PostgreSQL's protocol, without encryption.
func postgresMessage(r *recorder, in io.Reader, first bool) ([]byte, error) {
	head := make([]byte, 5)
	if first {
		head = head[1:] // the first message has no type
	}
	if _, err := io.ReadFull(in, head); err != nil {
		return nil, err
	}
	body := make([]byte, binary.BigEndian.Uint32(head[len(head)-4:])-4)
	if _, err := io.ReadFull(in, body); err != nil {
		return nil, err
	}
	switch {
	case first:
		r.mu.Lock()
		r.startup = strings.ReplaceAll(string(body), "\x00", " ")
		r.mu.Unlock()
	case head[0] == 'Q':
		r.add(strings.TrimRight(string(body), "\x00"))
	case head[0] == 'P':
		r.add(strings.SplitN(string(body), "\x00", 3)[1])
	case strings.ContainsRune("BDESXCHp", rune(head[0])): // about a statement that was recorded, or none
	default:
		r.add("unknown message " + string(head[:1]))
	}
	return append(head, body...), nil
}

// poolerMessage is [postgresMessage] of a connection pooler, which refuses to begin a
// session with parameters that it does not know.
func poolerMessage(r *recorder, in io.Reader, first bool) ([]byte, error) {
	message, err := postgresMessage(r, in, first)
	if err == nil && first && strings.Contains(string(message), "statement_timeout") {
		return nil, errUnknownParameter
	}
	return message, err
}

// mysqlMessage reads a message of MySQL's protocol, without encryption.
func mysqlMessage(r *recorder, in io.Reader, first bool) ([]byte, error) {
	head := make([]byte, 4)
	if _, err := io.ReadFull(in, head); err != nil {
		return nil, err
	}
	body := make([]byte, int(head[0])|int(head[1])<<8|int(head[2])<<16)
	if _, err := io.ReadFull(in, body); err != nil {
		return nil, err
	}
	switch {
	case first, head[3] != 0, len(body) == 0: // the login
	case body[0] == 0x03, body[0] == 0x16: // a query, a preparation
		r.add(string(body[1:]))
	case slices.Contains([]byte{0x01, 0x0e, 0x17, 0x19}, body[0]): // quit, ping, execution, end of a statement
	default:
		r.add("unknown command")
	}
	return append(head, body...), nil
}

// wantReadOnly checks that statements were recorded, and that all of them begin in one of
// these ways and hold no more than one statement.
func wantReadOnly(t *testing.T, statements []string, begin ...string) {
	t.Helper()
	if len(statements) < 3 {
		t.Errorf("only these statements were recorded: %q", statements)
	}
	for _, s := range statements {
		if !slices.ContainsFunc(begin, func(b string) bool { return strings.HasPrefix(s, b) }) || strings.Contains(s, ";") {
			t.Errorf("a statement that was not expected: %s", s)
		}
	}
}
