package cli

import (
	"context"
	"crypto/rand"
	_ "embed"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/quartet-mcp/quartet/pretensor/internal/config"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/dsn"
)

//go:embed rental.sql
var rental string

const (
	rentalConnection = "pagila"
	rentalContainer  = "pretensor-quickstart"
	rentalImage      = "postgres:17-alpine"
	rentalAddress    = "127.0.0.1:55432" // never all interfaces: the database is nobody else's business
	rentalWait       = 60 * time.Second
)

var rentalQuestions = []string{
	"How do I join films with the customers who rented them?",
	"Which column says who handed a copy out, and which table does it lead to although no key says so?",
	"What breaks if I rename rental.customer.customer_id?",
}

// postgresDemo makes the rental shop on a PostgreSQL, which docker starts unless it
// runs already, and indexes it.
func (s *session) postgresDemo(ctx context.Context, o indexOptions, docker bool) error {
	d := dsn.DSN{Dialect: dsn.PostgreSQL, User: "postgres", Database: rentalConnection}
	d.Host, d.Port, _ = net.SplitHostPort(s.RentalAddress)
	var err error
	if docker {
		d.Password, err = s.startRental(ctx)
	} else if d.Password = s.getenv("PGPASSWORD"); d.Password == "" {
		d.Password, err = s.rentalPassword()
	}
	if err != nil {
		return err
	}
	s.secrets.add(d)
	if err := s.await(ctx, d); err != nil {
		if docker {
			return hintf(err, "see: docker logs %s; then: %s", rentalContainer, s.line("quickstart", "--down"))
		}
		return hintf(err, "start a PostgreSQL on %s with a database %s and give its password in PGPASSWORD, or: %s", s.RentalAddress, rentalConnection, s.line("quickstart", "--postgres"))
	}
	if err := load(ctx, d); err != nil {
		return fmt.Errorf("loading the rental shop: %w", err)
	}
	// Each start has a password of its own, so the connection may be replaced.
	_, ours, err := s.rentalEntry()
	if err != nil {
		return err
	}
	t, err := s.targetNamed(config.Connection{DSN: d}, rentalConnection, ours)
	if err != nil {
		return err
	}
	r, err := s.index(ctx, t, o)
	if err != nil {
		return hintf(err, "try: %s", s.line("index", rentalConnection))
	}
	return s.ready(r, rentalQuestions)
}

// startRental starts the container, unless it runs and its password is known, and
// returns the password.
func (s *session) startRental(ctx context.Context) (string, error) {
	if _, err := s.Command(ctx, "docker", "version", "--format", "{{.Server.Version}}"); err != nil {
		return "", hintf(fmt.Errorf("--postgres needs docker, which cannot be used: %s", oneLine(err.Error())), "the demonstration that needs nothing: %s", s.line("quickstart"))
	}
	state, err := s.Command(ctx, "docker", "inspect", "--format", "{{.State.Running}}", rentalContainer)
	if err == nil && strings.TrimSpace(string(state)) == "true" {
		if password, err := s.rentalPassword(); err == nil && password != "" {
			return password, nil
		}
	}
	if err == nil { // stopped, or of another state directory
		if _, err := s.Command(ctx, "docker", "rm", "--force", "--volumes", rentalContainer); err != nil {
			return "", fmt.Errorf("docker: deleting the old container: %s", oneLine(err.Error()))
		}
	}
	password := rand.Text()
	_, err = s.Command(ctx, "docker", "run", "--detach", "--name", rentalContainer, "--publish", s.RentalAddress+":5432",
		"--env", "POSTGRES_PASSWORD="+password, "--env", "POSTGRES_DB="+rentalConnection, rentalImage)
	if err != nil {
		return "", hintf(fmt.Errorf("docker: starting %s: %s", rentalImage, strings.ReplaceAll(oneLine(err.Error()), password, dsn.Mask)),
			"the demonstration that needs nothing: %s", s.line("quickstart"))
	}
	return password, nil
}

// rentalEntry is the connection string of the registered rental shop; ours is false
// where there is none, or the name is another database's.
func (s *session) rentalEntry() (d dsn.DSN, ours bool, err error) {
	r, err := s.reg.Read()
	if err != nil {
		return d, false, err
	}
	e, err := r.Get(rentalConnection)
	if err != nil {
		return d, false, nil //nolint:nilerr // there is none
	}
	t, err := s.fromEntry(e)
	return t.dsn, err == nil && net.JoinHostPort(t.dsn.Host, t.dsn.Port) == s.RentalAddress, err
}

// rentalPassword is the one that the registry knows, empty if there is none.
func (s *session) rentalPassword() (string, error) {
	d, ours, err := s.rentalEntry()
	if !ours {
		return "", err
	}
	return d.Password, nil
}

// await waits until the database answers.
func (s *session) await(ctx context.Context, d dsn.DSN) error {
	ctx, cancel := context.WithTimeoutCause(ctx, s.RentalWait, errors.New("the PostgreSQL does not answer"))
	defer cancel()
	for {
		err := s.ping(ctx, d)
		e, known := errors.AsType[*connect.Error](err)
		if err == nil || known && e.Category != connect.Unavailable && e.Category != connect.Timeout {
			return err
		}
		select {
		case <-ctx.Done():
			if err == nil || ctx.Err() == context.Canceled {
				return ctx.Err()
			}
			return err
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// load makes the rental shop. The connectors only read, so it has a connection of its
// own.
func load(ctx context.Context, d dsn.DSN) error {
	c, err := pgx.Connect(ctx, d.String())
	if err != nil {
		return err
	}
	defer c.Close(ctx)
	_, err = c.PgConn().Exec(ctx, rental).ReadAll()
	return err
}

// postgresDown deletes the container, and forgets the connection to it.
func (s *session) postgresDown(ctx context.Context) error {
	if _, err := s.Command(ctx, "docker", "rm", "--force", "--volumes", rentalContainer); err != nil {
		return hintf(fmt.Errorf("docker: deleting %s: %s", rentalContainer, oneLine(err.Error())), "when docker runs: %s", s.line("quickstart", "--down"))
	}
	_, ours, err := s.rentalEntry()
	if err != nil {
		return err
	}
	if !ours {
		return s.print("deleted %s\n", rentalContainer)
	}
	return s.remove(ctx, rentalConnection, true)
}
