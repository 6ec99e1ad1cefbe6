// Package wiretest stands between a client and a real database server in a test,
// and records every statement that goes through, as the server gets it: whatever
// the client's own code believes that it sends.
//
// [Postgres] and [MySQL] give a data source name that leads through a [Proxy].
// [ReadsOnly] and [CatalogOnly] judge what it recorded.
package wiretest

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/quartet-mcp/quartet/pretensor/internal/connect/dsn"
)

// Statement is something that a client wanted done.
type Statement struct {
	Message string // of the protocol: Query, Parse, COM_QUERY, …
	SQL     string // without white space around it; empty for what is no SQL
}

// Proxy passes on what clients and one server say to each other.
type Proxy struct {
	server string
	listen net.Listener
	handle func(p *Proxy, client, server net.Conn) error

	wait       sync.WaitGroup
	mu         sync.Mutex
	conns      []net.Conn
	statements []Statement
	sessions   []map[string]string
}

// Postgres starts a proxy before the PostgreSQL server of d. It ends with the test.
func Postgres(tb testing.TB, d dsn.DSN) (dsn.DSN, *Proxy) { return start(tb, d, postgres) }

// MySQL starts a proxy before the MySQL or MariaDB server of d. It ends with the
// test.
func MySQL(tb testing.TB, d dsn.DSN) (dsn.DSN, *Proxy) { return start(tb, d, mysql) }

func start(tb testing.TB, d dsn.DSN, handle func(*Proxy, net.Conn, net.Conn) error) (dsn.DSN, *Proxy) {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	p := &Proxy{server: net.JoinHostPort(d.Host, d.Port), listen: l, handle: handle}
	p.wait.Go(p.accept)
	tb.Cleanup(func() {
		_ = l.Close()
		p.mu.Lock()
		for _, c := range p.conns {
			_ = c.Close()
		}
		p.mu.Unlock()
		p.wait.Wait()
	})
	d.Host, d.Port, _ = net.SplitHostPort(l.Addr().String())
	return d, p
}

func (p *Proxy) accept() {
	for {
		client, err := p.listen.Accept()
		if err != nil {
			return
		}
		p.keep(client)
		p.wait.Go(func() {
			defer client.Close()
			server, err := net.Dial("tcp", p.server)
			if err != nil {
				return
			}
			defer server.Close()
			p.keep(server)
			if err := p.handle(p, client, server); err != nil {
				p.add("fault of the recorder: "+err.Error(), "")
			}
		})
	}
}

func (p *Proxy) keep(c net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.conns = append(p.conns, c)
}

func (p *Proxy) add(message, sql string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.statements = append(p.statements, Statement{message, strings.TrimSpace(sql)})
}

// Take returns the statements so far, and forgets them.
func (p *Proxy) Take() []Statement {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.statements
	p.statements = nil
	return s
}

// Sessions are what the clients said of themselves when they connected: PostgreSQL's
// parameters, MySQL's connection attributes.
func (p *Proxy) Sessions() []map[string]string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.sessions)
}

func (p *Proxy) addSession(values map[string]string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sessions = append(p.sessions, values)
}

// answers passes on what the server says until one side ends, and then both.
func (p *Proxy) answers(client, server net.Conn, from io.Reader) {
	p.wait.Go(func() {
		_, _ = io.Copy(client, from)
		_ = client.Close()
		_ = server.Close()
	})
}

// Codes that begin a connection to PostgreSQL.
const (
	cancelRequest = 80877102
	sslRequest    = 80877103
	gssRequest    = 80877104
)

func postgres(p *Proxy, client, server net.Conn) error {
	in := bufio.NewReader(client)
	var first []byte
	for {
		var size [4]byte
		if _, err := io.ReadFull(in, size[:]); err != nil {
			return nil // a client may leave at any time
		}
		n := binary.BigEndian.Uint32(size[:])
		if n < 8 || n > 1<<20 {
			return fmt.Errorf("a first message of %d bytes", n)
		}
		first = append(size[:], make([]byte, n-4)...)
		if _, err := io.ReadFull(in, first[4:]); err != nil {
			return nil
		}
		if code := binary.BigEndian.Uint32(first[4:]); code != sslRequest && code != gssRequest {
			break
		}
		if _, err := client.Write([]byte("N")); err != nil { // nothing is encrypted here
			return nil
		}
	}
	if _, err := server.Write(first); err != nil {
		return nil
	}
	p.answers(client, server, server)
	if binary.BigEndian.Uint32(first[4:]) == cancelRequest {
		_, _ = io.Copy(io.Discard, in)
		return nil
	}
	fields := strings.Split(strings.TrimRight(string(first[8:]), "\x00"), "\x00")
	values := map[string]string{}
	for i := 0; i+1 < len(fields); i += 2 {
		values[fields[i]] = fields[i+1]
	}
	p.addSession(values)
	for {
		var head [5]byte
		if _, err := io.ReadFull(in, head[:]); err != nil {
			return nil
		}
		n := binary.BigEndian.Uint32(head[1:])
		if n < 4 || n > 1<<28 {
			return fmt.Errorf("a message %q of %d bytes", head[0], n)
		}
		body := make([]byte, n-4)
		if _, err := io.ReadFull(in, body); err != nil {
			return nil
		}
		switch head[0] {
		case 'Q':
			p.add("Query", strings.TrimRight(string(body), "\x00"))
		case 'P':
			if parts := strings.SplitN(string(body), "\x00", 3); len(parts) == 3 {
				p.add("Parse", parts[1])
			} else {
				p.add("Parse", "")
			}
		case 'B', 'C', 'D', 'E', 'H', 'S', 'X', 'p': // about a statement that was recorded, or none
		default:
			p.add(fmt.Sprintf("message %q", head[0]), "")
		}
		if _, err := server.Write(append(head[:], body...)); err != nil {
			return nil
		}
	}
}

// Commands of MySQL's protocol.
const (
	comQuit      = 0x01
	comQuery     = 0x03
	comPing      = 0x0e
	comPrepare   = 0x16
	comExecute   = 0x17
	comCloseStmt = 0x19
	comFetch     = 0x1c
	clientSSL    = 0x0800
)

func mysql(p *Proxy, client, server net.Conn) error {
	greeting, err := packet(server)
	if err != nil {
		return nil
	}
	// After the header and a byte: the version and its end, 13 bytes, and the lower
	// half of what the server can do, of which TLS is taken out.
	if version := strings.IndexByte(string(greeting[min(5, len(greeting)):]), 0); greeting[4] == 10 && version >= 0 && 5+version+16 <= len(greeting) {
		at := 5 + version + 1 + 13
		can := binary.LittleEndian.Uint16(greeting[at:])
		binary.LittleEndian.PutUint16(greeting[at:], can&^clientSSL)
	}
	if _, err := client.Write(greeting); err != nil {
		return nil
	}
	p.answers(client, server, server)
	in := bufio.NewReader(client)
	first := true
	for {
		message, err := packet(in)
		if err != nil {
			return nil
		}
		// The numbers of messages begin at 0 with every command, and go on where the
		// client answers the server: to log in, or to send a file.
		switch body := message[4:]; {
		case first:
			p.addSession(attributes(body))
		case message[3] != 0:
			if strings.HasPrefix(string(message), "\xff\xff\xff") {
				return fmt.Errorf("a message of several packets")
			}
		case len(body) == 0:
			p.add("empty command", "")
		case body[0] == comQuery:
			p.add("COM_QUERY", string(body[1:]))
		case body[0] == comPrepare:
			p.add("COM_STMT_PREPARE", string(body[1:]))
		case body[0] == comQuit, body[0] == comPing, body[0] == comExecute, body[0] == comCloseStmt, body[0] == comFetch:
		default:
			p.add(fmt.Sprintf("command %#x", body[0]), "")
		}
		first = false
		if _, err := server.Write(message); err != nil {
			return nil
		}
	}
}

// packet reads one packet of MySQL's protocol with its header of four bytes.
func packet(r io.Reader) ([]byte, error) {
	message := make([]byte, 4)
	if _, err := io.ReadFull(r, message); err != nil {
		return nil, err
	}
	size := int(message[0]) | int(message[1])<<8 | int(message[2])<<16
	message = append(message, make([]byte, size)...)
	_, err := io.ReadFull(r, message[4:])
	if err == nil && size == 0 {
		err = io.ErrUnexpectedEOF
	}
	return message, err
}

// attributes finds a client's attributes at the end of its first message: names and
// values, each after its length.
func attributes(body []byte) map[string]string {
	values := map[string]string{}
	at := strings.Index(string(body), "_client_name")
	if at < 1 {
		return values
	}
	var texts []string
	for rest := body[at-1:]; len(rest) > 0 && int(rest[0]) < len(rest); rest = rest[1+rest[0]:] {
		texts = append(texts, string(rest[1:1+rest[0]]))
	}
	for i := 0; i+1 < len(texts); i += 2 {
		values[texts[i]] = texts[i+1]
	}
	return values
}
