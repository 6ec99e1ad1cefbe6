package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/pretensor/internal/config"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/dsn"
	"github.com/quartet-mcp/quartet/pretensor/internal/keystore"
	"github.com/quartet-mcp/quartet/pretensor/internal/registry"
)

// target is a database that a command is about.
type target struct {
	entry registry.Entry // what is or will be in the registry
	dsn   dsn.DSN
	// What a source of the configuration says about schemas.
	schemas, excludeSchemas []string
}

// parseDSN reads a connection string of the command line. A mistake in it is one of
// usage, and nothing of it is repeated. dialect may say what the text does not: that
// of a file with another ending, MariaDB behind mysql://.
func (s *session) parseDSN(text, dialect string) (dsn.DSN, error) {
	want, err := s.dialect(dialect)
	if err != nil {
		return dsn.DSN{}, err
	}
	if text == "-" { // not in the history of the shell
		if text, err = readLine(s.Stdin); err != nil {
			return dsn.DSN{}, err
		}
	}
	d, err := dsn.Parse(text)
	if err != nil && (want == dsn.SQLite || want == dsn.DuckDB) && isPath(text) {
		d, err = dsn.Parse(want + ":///" + text)
	}
	if err != nil {
		return d, usagef("%v", err)
	}
	switch {
	case want == "" || want == d.Dialect:
	case want == dsn.MariaDB && d.Dialect == dsn.MySQL, want == dsn.MySQL && d.Dialect == dsn.MariaDB,
		d.FileBased() && d.Scheme == "" && (want == dsn.SQLite || want == dsn.DuckDB):
		d.Dialect = want
	case dialect == "": // the configuration's default is only for what does not say itself
	default:
		return d, usagef("--dialect is %s, but the connection string is one of %s", want, d.Dialect)
	}
	if d.FileBased() {
		// The program is run in other folders later.
		if d.Path, err = filepath.Abs(d.File()); err != nil {
			return d, fmt.Errorf("finding the file: %w", err)
		}
	}
	s.secrets.add(d)
	return d, nil
}

// readLine reads the first line of an input.
func readLine(r io.Reader) (string, error) {
	text, err := bufio.NewReader(io.LimitReader(r, 1<<16)).ReadString('\n')
	if text = strings.TrimSpace(text); text == "" {
		if err != nil && !errors.Is(err, io.EOF) {
			return "", fmt.Errorf("reading the connection string: %w", err)
		}
		return "", usagef("no connection string on standard input")
	}
	return text, nil
}

// isPath reports whether a text can only be a path.
func isPath(text string) bool { return text != "" && !strings.ContainsAny(text, ":@?") }

// dialects are the dialects as --dialect takes them.
var dialects = []string{"postgres", dsn.PostgreSQL, dsn.MySQL, dsn.MariaDB, dsn.SQLite, dsn.DuckDB, dsn.Snowflake, dsn.BigQuery}

func (s *session) dialect(flag string) (string, error) {
	text := flag
	if text == "" {
		text = s.cfg.Defaults.Dialect
	}
	switch {
	case text == "":
		return "", nil
	case !slices.Contains(dialects, text):
		return "", usagef("--dialect: %s is not known: want one of %s%s", shown(text), strings.Join(dialects, ", "), suggestion(text, dialects, ""))
	case text == "postgres":
		return dsn.PostgreSQL, nil
	}
	return text, nil
}

// fromDSN is the target of a connection string. Without a name it gets that of the
// configuration or its database's; with one it may take the place of another
// connection.
func (s *session) fromDSN(text, dialect, name string) (target, error) {
	d, err := s.parseDSN(text, dialect)
	if err != nil {
		return target{}, err
	}
	return s.target(config.Connection{DSN: d}, name)
}

// target is the connection of that name to a database.
func (s *session) target(c config.Connection, name string) (target, error) {
	if err := checkName(name); err != nil {
		return target{}, err
	}
	if name != "" {
		return s.targetNamed(c, name, true)
	}
	if s.cfg.Defaults.Name != "" {
		return s.targetNamed(c, s.cfg.Defaults.Name, false)
	}
	return s.targetNamed(c, c.DSN.DefaultName(), false)
}

// targetNamed is the target of that name; it may take the place of a connection to
// another database only if it says so.
func (s *session) targetNamed(c config.Connection, name string, replace bool) (target, error) {
	d := c.DSN
	d.Scheme = d.Dialect // other spellings are no other database
	s.secrets.add(d)
	entry, err := s.reg.Prepare(registry.Entry{Name: name, Database: databaseOf(d), Dialect: d.Dialect, DSN: keystore.Secret(d.String())}, replace)
	return target{entry: entry, dsn: d, schemas: c.Schemas, excludeSchemas: c.ExcludeSchemas}, err
}

// databaseOf is the database's own name, as far as it is known before connecting.
func databaseOf(d dsn.DSN) string {
	if d.Database == "" && !d.FileBased() {
		return ""
	}
	return d.DefaultName()
}

// fromName is the target of a registered connection.
func (s *session) fromName(name string) (target, error) {
	if err := checkName(name); err != nil {
		return target{}, err
	}
	r, err := s.reg.Read()
	if err != nil {
		return target{}, err
	}
	e, err := r.Get(name)
	if err != nil {
		return target{}, err
	}
	return s.fromEntry(e)
}

func (s *session) fromEntry(e registry.Entry) (target, error) {
	secret, err := s.reg.DSN(e)
	if err != nil {
		return target{}, err
	}
	d, err := dsn.Parse(secret.Reveal())
	if err != nil {
		return target{}, fmt.Errorf("connection %q: %w", e.Name, err)
	}
	s.secrets.add(d)
	return target{entry: e, dsn: d}, nil
}

// fromSource is the target of a source of the configuration, which is a connection
// of the same name.
func (s *session) fromSource(name string) (target, error) {
	source, err := s.cfg.Source(name)
	if err != nil {
		return target{}, err
	}
	c, err := source.Connect(s.LookupEnv)
	if err != nil {
		return target{}, err
	}
	if c.DSN.FileBased() {
		if c.DSN.Path, err = filepath.Abs(c.DSN.File()); err != nil {
			return target{}, fmt.Errorf("source %q: finding the file: %w", name, err)
		}
	}
	// The configuration says what the name means: it may replace.
	return s.target(c, name)
}

// fromArgument is the target of a connection string or the name of a connection.
func (s *session) fromArgument(text, dialect, name string) (target, error) {
	r, err := s.reg.Read()
	if err != nil {
		return target{}, err
	}
	if e, err := r.Get(text); err == nil {
		if name != "" || dialect != "" {
			return target{}, usagef("--name and --dialect go with a connection string; %s is a connection already", shown(text))
		}
		return s.fromEntry(e)
	}
	if isName(text) && dialect == "" && text != "-" {
		if _, err := dsn.Parse(text); err != nil {
			_, unknown := r.Get(text)
			return target{}, unknown
		}
	}
	return s.fromDSN(text, dialect, name)
}

// isName reports whether a text may be meant as the name of a connection.
func isName(text string) bool { return !strings.ContainsAny(text, ":/@?\\") }

// checkName refuses a connection string where a name belongs: names are shown.
func checkName(text string) error {
	if strings.Contains(text, "://") || strings.Contains(text, ":") && strings.Contains(text, "@") {
		return usagef("a connection's name belongs there, not its connection string")
	}
	return nil
}

// registered is the connection that the database of t has already under another name:
// that is what is meant where only what is indexed can be.
func (s *session) registered(t target) (target, error) {
	if !t.entry.Indexed.IsZero() {
		return t, nil
	}
	r, err := s.reg.Read()
	if err != nil {
		return t, err
	}
	for _, e := range r.All() {
		if text, err := s.reg.DSN(e); err == nil && text == t.entry.DSN && !e.Indexed.IsZero() {
			return s.fromEntry(e)
		}
	}
	return t, nil
}
