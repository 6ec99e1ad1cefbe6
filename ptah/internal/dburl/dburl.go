// Package dburl reads the URL of a database, shows it without its secrets, and takes
// these out of the texts of others.
//
//	postgres://user:password@host:5432/database?sslmode=require
//	mysql://user:password@host/database        mariadb://…
//	sqlite:relative.db  sqlite://relative.db   sqlite:///absolute/path.db
//	vaultdb://…                                a scheme that a provider serves
package dburl

import (
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
)

// Mask stands where a secret was. Its length tells nothing of the secret's.
const Mask = "***"

// maxLength bounds a URL's text.
const maxLength = 4096

// URL is the URL of a database. Whatever prints or encodes it gets [Mask];
// [URL.Display] is for people, [URL.Reveal] for drivers. The zero value is no URL.
type URL struct {
	text     string
	scheme   string
	user     string
	password string
	host     string // with its port, as written
	database string
	query    url.Values
	secrets  []string // every spelling of what [URL.Redact] takes out, the longest first
}

// Parse reads a URL. Its error repeats nothing of the text but the scheme.
func Parse(text string) (URL, error) {
	text = strings.TrimSpace(text)
	if len(text) > maxLength {
		return URL{}, fmt.Errorf("the database URL is longer than %d bytes", maxLength)
	}
	if !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return URL{}, errors.New("the database URL holds control characters or is not UTF-8")
	}
	scheme, rest, ok := strings.Cut(text, ":")
	if !ok || !isScheme(scheme) {
		return URL{}, errors.New("the database URL has no scheme; write one such as postgres://user@host:5432/database")
	}
	u := URL{text: text, scheme: strings.ToLower(scheme)}
	if u.Dialect() == dialect.SQLite {
		return parseFile(u, rest)
	}
	return parseServer(u, rest)
}

// parseFile reads what stands after the scheme of a file's URL.
func parseFile(u URL, rest string) (URL, error) {
	file, query, _ := strings.Cut(strings.TrimPrefix(rest, "//"), "?")
	if decoded, err := url.PathUnescape(file); err == nil {
		file = decoded // else the % is meant as it stands
	}
	if strings.ContainsRune(file, 0) || !utf8.ValidString(file) {
		return URL{}, errors.New("the path of the database URL holds a null character or is not UTF-8")
	}
	if file == "" || file == ":memory:" {
		return URL{}, fmt.Errorf("the database URL has no file; write %s:relative.db or %s:///absolute/path.db", u.scheme, u.scheme)
	}
	u.database = file
	return u.withQuery(query)
}

const encodeHint = "in user and password write @ as %40, : as %3A, / as %2F, ? as %3F, # as %23 and % as %25"

// parseServer reads what stands after the scheme of a server's URL.
func parseServer(u URL, rest string) (URL, error) {
	rest, ok := strings.CutPrefix(rest, "//")
	if !ok {
		return URL{}, fmt.Errorf("the database URL does not go on with // after %q", u.scheme)
	}
	authority, tail := rest, ""
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		authority, tail = rest[:end], rest[end:]
	}
	// The password of a URL that nobody encoded ends the authority too early. What comes
	// after it has the @ that should have been found before, and must not be taken for a
	// host or database, which are shown.
	if strings.ContainsAny(tail, "@#") {
		return URL{}, errors.New("the database URL has an @ or # after its host; " + encodeHint)
	}
	parsed, err := url.Parse("db://" + rest)
	if err != nil { // its text has the whole URL in it
		return URL{}, errors.New("the database URL cannot be read: check host and port; " + encodeHint)
	}
	u.host = parsed.Host
	if i := strings.LastIndex(authority, "@"); i >= 0 {
		u.user = parsed.User.Username()
		u.password, _ = parsed.User.Password()
	}
	u.database = strings.TrimPrefix(parsed.Path, "/")
	return u.withQuery(parsed.RawQuery)
}

func (u URL) withQuery(raw string) (URL, error) {
	var err error
	if u.query, err = url.ParseQuery(raw); err != nil {
		return URL{}, errors.New("the parameters of the database URL are not correctly percent-encoded")
	}
	u.secrets = u.findSecrets()
	return u, nil
}

// isScheme tells a scheme from whatever else may stand before a colon: that must not get
// into an error.
func isScheme(s string) bool {
	if s == "" || len(s) > 30 {
		return false
	}
	for i, r := range strings.ToLower(s) {
		if (r < 'a' || r > 'z') && (i == 0 || (r < '0' || r > '9') && !strings.ContainsRune("+.-", r)) {
			return false
		}
	}
	return true
}

// Dialect returns the dialect whose built-in reader serves the scheme; it is empty where
// there is none. PostgreSQL's relatives share a reader, and so do MySQL's: which of them
// answers is known once it has been asked.
func (u URL) Dialect() dialect.Dialect {
	d, err := dialect.Parse(u.scheme)
	switch {
	case err != nil, strings.HasPrefix(u.scheme, "libsql"): // a protocol of its own
		return ""
	case d.PostgresFamily(), d.MySQLFamily(), d == dialect.SQLite:
		return d
	}
	return ""
}

// Scheme returns the scheme in lower case.
func (u URL) Scheme() string { return u.scheme }

// Host returns the host with its port, as they are written.
func (u URL) Host() string { return u.host }

// User returns the user's name.
func (u URL) User() string { return u.user }

// Password returns the password.
func (u URL) Password() string { return u.password }

// HasPassword reports whether a secret is part of the URL: a password, or a parameter
// that holds one.
func (u URL) HasPassword() bool { return len(u.secrets) > 0 }

// Database returns the database's name; of SQLite its file.
func (u URL) Database() string { return u.database }

// Query returns the parameters. The caller only reads them.
func (u URL) Query() url.Values { return u.query }

// Name returns what the database is called where nobody names it: the database's name,
// that of the file without its extension, or "database".
func (u URL) Name() string {
	name := u.database
	if u.Dialect() == dialect.SQLite {
		name = path.Base(strings.ReplaceAll(name, `\`, "/"))
		name = strings.TrimSuffix(name, path.Ext(name))
	}
	if name == "" || strings.Contains(name, "/") {
		return "database"
	}
	return name
}

// Reveal returns the URL itself.
func (u URL) Reveal() string { return u.text }

// Display returns scheme, user, host, port and database: no password, no parameters.
func (u URL) Display() string {
	if u.Dialect() == dialect.SQLite {
		return u.scheme + "://" + u.database
	}
	shown := url.URL{Scheme: u.scheme, Host: u.host, Path: "/" + u.database}
	if u.user != "" {
		shown.User = url.User(u.user)
	}
	return strings.TrimSuffix(shown.String(), "/")
}

// String returns [Mask], or nothing for the zero value.
func (u URL) String() string {
	if u.text == "" {
		return ""
	}
	return Mask
}

// Format writes the same whatever the verb is.
func (u URL) Format(f fmt.State, _ rune) { fmt.Fprint(f, u.String()) }

// LogValue is the same for structured logs.
func (u URL) LogValue() slog.Value { return slog.StringValue(u.String()) }

// MarshalText is the same for JSON, YAML and other encodings.
func (u URL) MarshalText() ([]byte, error) { return []byte(u.String()), nil }
