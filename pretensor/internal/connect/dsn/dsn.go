// Package dsn reads, prints and redacts data source names: the one line that says
// which database to connect to and as whom.
//
//	postgresql://user:password@host:5432/database?sslmode=require
//	mysql://user:password@host/database        mariadb://…
//	sqlite:///relative.db                      sqlite:////absolute/path.db
//	duckdb:///file.duckdb?attach=other.duckdb  shop.db, data/shop.duckdb
//	snowflake://user:password@account/database/schema?warehouse=…
//	bigquery://project/dataset?location=…
//
// What a name holds is secret until the opposite is known: no error of this
// package has a part of the text in it but the scheme, and [DSN.Redacted] and
// [Redact] are what everything that is logged, printed or stored goes through.
package dsn

import (
	"log/slog"
	"net/netip"
	"net/url"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
)

// Dialects.
const (
	PostgreSQL = "postgresql"
	MySQL      = "mysql"
	MariaDB    = "mariadb"
	SQLite     = "sqlite"
	DuckDB     = "duckdb"
	Snowflake  = "snowflake"
	BigQuery   = "bigquery"
)

var dialects = map[string]string{
	"postgresql": PostgreSQL, "postgres": PostgreSQL, "mysql": MySQL, "mariadb": MariaDB,
	"sqlite": SQLite, "sqlite3": SQLite, "duckdb": DuckDB, "snowflake": Snowflake, "bigquery": BigQuery,
}

// maxLength bounds a name's text, and with it the work of [Redact].
const maxLength = 4096

// DSN is a data source name, decoded. The zero value of a part means that it was
// not given.
type DSN struct {
	Dialect  string // one of the dialects above
	Scheme   string // as written, in lower case and with its suffix; empty for a bare path
	User     string
	Password string
	// Host is a name, an address without brackets, the folder of a socket (it begins
	// with a slash), several hosts with their ports (PostgreSQL: "a:5432,b:5432"),
	// Snowflake's account or BigQuery's project.
	Host     string
	Port     string // 1 to 65535
	Database string // BigQuery: the dataset
	Schema   string // Snowflake
	Path     string // the file of SQLite and DuckDB
	Query    url.Values
}

// FileBased reports whether the dialect's databases are files.
func (d DSN) FileBased() bool { return fileBased(d.Dialect) }

func fileBased(dialect string) bool { return dialect == SQLite || dialect == DuckDB }

func bad(message, hint string) error {
	return &connect.Error{Category: connect.BadDSN, Message: message, Hint: hint}
}

const encodeHint = `in user and password write @ as %40, : as %3A, / as %2F, ? as %3F, # as %23 and % as %25`

// Parse reads a data source name. White space around it is ignored. User,
// password, host and database are percent-decoded, a plus stays one. PostgreSQL's
// and MySQL's parameters user, password, host, port and database (dbname) take the
// place of the parts that they name. The error is a [connect.Error] and repeats
// nothing of text but its scheme.
func Parse(text string) (DSN, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return DSN{}, &connect.Error{Category: connect.NoDSN, Message: "no data source name was given",
			Hint: "write one such as postgresql://user:password@host:5432/database or path/to/file.db"}
	}
	if len(text) > maxLength {
		return DSN{}, bad("the data source name is longer than "+strconv.Itoa(maxLength)+" bytes", "")
	}
	if !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return DSN{}, bad("the data source name holds control characters or is not UTF-8", "percent-encode them")
	}
	scheme, rest, found := strings.Cut(text, "://")
	if !found || !isScheme(scheme) {
		return parsePath(text)
	}
	scheme = strings.ToLower(scheme)
	base, _, _ := strings.Cut(scheme, "+")
	d := DSN{Dialect: dialects[base], Scheme: scheme}
	switch {
	case d.Dialect == "":
		return DSN{}, bad("the scheme "+strconv.Quote(scheme)+" of the data source name is not known",
			"known are postgresql, postgres, mysql, mariadb, sqlite, duckdb, snowflake and bigquery")
	case d.FileBased():
		return parseFile(d, rest)
	}
	return parseServer(d, rest)
}

// isScheme tells a scheme from whatever else may stand before "://": that must
// not get into an error.
func isScheme(s string) bool {
	if len(s) == 0 || len(s) > 30 {
		return false
	}
	for i, r := range strings.ToLower(s) {
		if (r < 'a' || r > 'z') && (i == 0 || (r < '0' || r > '9') && !strings.ContainsRune("+.-", r)) {
			return false
		}
	}
	return true
}

// parsePath reads a bare path, and the short form "sqlite:path".
func parsePath(text string) (DSN, error) {
	noScheme := bad("the data source name has no scheme and is no path of a database file",
		"write a scheme, as in postgresql://user:password@host/database, or a path that ends in .db, .sqlite, .sqlite3 or .duckdb")
	scheme, rest, found := strings.Cut(text, ":")
	if dialect := dialects[strings.ToLower(scheme)]; found && fileBased(dialect) {
		return parseFile(DSN{Dialect: dialect, Scheme: strings.ToLower(scheme)}, "/"+rest)
	}
	// user:password@host/x.db is a data source name that lost its scheme.
	if user, host := strings.Index(text, ":"), strings.LastIndex(text, "@"); user >= 0 && host > user || strings.Contains(text, "://") {
		return DSN{}, noScheme
	}
	switch strings.ToLower(path.Ext(text)) {
	case ".db", ".sqlite", ".sqlite3":
		return DSN{Dialect: SQLite, Path: text}, nil
	case ".duckdb":
		return DSN{Dialect: DuckDB, Path: text}, nil
	}
	return DSN{}, noScheme
}

// parseFile reads what stands after "://" of a file's name: the path begins after
// one more slash, so that three slashes in a row begin a relative path and four an
// absolute one. Two, a frequent slip, are taken for three.
func parseFile(d DSN, rest string) (DSN, error) {
	file, query, _ := strings.Cut(rest, "?")
	file = strings.TrimPrefix(file, "/")
	if decoded, err := url.PathUnescape(file); err == nil {
		file = decoded // else the % is meant as it stands
	}
	switch {
	case file == "" || file == ":memory:":
		return DSN{}, bad("the data source name has no path of a file", "write one, as in "+d.Dialect+":///relative.db or "+d.Dialect+":////absolute/path.db")
	case !clean(file):
		return DSN{}, bad("the path of the data source name holds a null character or is not UTF-8", "")
	}
	d.Path = file
	var err error
	d.Query, err = parseQuery(query)
	if err != nil {
		return DSN{}, err
	}
	return d, nil
}

// parseServer reads what stands after "://" of a server's name.
func parseServer(d DSN, rest string) (DSN, error) {
	authority, tail := rest, ""
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		authority, tail = rest[:end], rest[end:]
	}
	// The password of a name that nobody encoded ends the authority too early. What
	// comes after it then has the @ that should have been found before, and must not
	// be taken for a host or database, which may be shown.
	if strings.ContainsAny(tail, "@#") {
		return DSN{}, bad("the data source name has an @ or # after its host", encodeHint)
	}
	host := authority
	if at := strings.LastIndex(authority, "@"); at >= 0 {
		user, password, _ := strings.Cut(authority[:at], ":")
		host = authority[at+1:]
		var ok1, ok2 bool
		d.User, ok1 = decode(user)
		d.Password, ok2 = decode(password)
		if !ok1 || !ok2 {
			return DSN{}, bad("user or password of the data source name are not correctly percent-encoded", encodeHint)
		}
	}
	if err := d.setHost(host); err != nil {
		return DSN{}, err
	}
	file, query, _ := strings.Cut(tail, "?")
	database, schema, more := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(file, "/"), "/"), "/")
	if strings.Contains(schema, "/") || more && d.Dialect != Snowflake {
		return DSN{}, bad("the data source name has too many parts after its host", "write one database name, with / in it as %2F")
	}
	var ok1, ok2 bool
	d.Database, ok1 = decode(database)
	d.Schema, ok2 = decode(schema)
	if !ok1 || !ok2 {
		return DSN{}, bad("the database in the data source name is not correctly percent-encoded", "write % as %25")
	}
	var err error
	if d.Query, err = parseQuery(query); err != nil {
		return DSN{}, err
	}
	return d, d.takeParameters()
}

// takeParameters moves the parameters that stand for a part into that part.
func (d *DSN) takeParameters() error {
	if d.Dialect != PostgreSQL && d.Dialect != MySQL && d.Dialect != MariaDB {
		return nil
	}
	take := func(part *string, names ...string) {
		for _, name := range names {
			if v := d.Query.Get(name); v != "" {
				*part = v
			}
			d.Query.Del(name)
		}
	}
	take(&d.User, "user")
	take(&d.Password, "password")
	take(&d.Database, "dbname", "database")
	if d.Dialect != PostgreSQL {
		take(&d.Host, "unix_socket", "socket")
	}
	host, port := d.Query.Get("host"), d.Query.Get("port")
	take(&host, "host")
	take(&port, "port")
	if len(d.Query) == 0 {
		d.Query = nil
	}
	if host != "" {
		d.Host, d.Port = host, ""
		if !strings.HasPrefix(host, "/") {
			if err := d.setHost(bracket(host)); err != nil {
				return err
			}
		}
	}
	if port != "" {
		return d.setPort(port)
	}
	return nil
}

// setHost reads host and port.
func (d *DSN) setHost(text string) error {
	wrong := bad("the host of the data source name cannot be read",
		"write host, host:5432, [::1]:5432 or, for a socket, its folder with / as %2F; "+encodeHint)
	if strings.Contains(text, ",") { // several hosts: the driver tells them apart
		if d.Dialect != PostgreSQL || !isHost(strings.NewReplacer(",", "", "[", "", "]", "").Replace(text), ":.-_%") {
			return wrong
		}
		d.Host = text
		return nil
	}
	var host, port string
	if strings.HasPrefix(text, "[") {
		end := strings.Index(text, "]")
		if end < 0 {
			return wrong
		}
		host, port = text[1:end], text[end+1:]
		if port != "" && port[0] != ':' {
			return wrong
		}
		port = strings.TrimPrefix(port, ":")
		host = strings.Replace(host, "%25", "%", 1) // before a zone
		if _, err := netip.ParseAddr(host); err != nil {
			return wrong
		}
		d.Host = host
	} else {
		host, port, _ = strings.Cut(text, ":")
		decoded, ok := decode(host)
		if !ok || !strings.HasPrefix(decoded, "/") && !isHost(decoded, ".-_") {
			return wrong
		}
		d.Host = decoded
	}
	if port == "" {
		return nil
	}
	return d.setPort(port)
}

func (d *DSN) setPort(text string) error {
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil || n == 0 {
		return bad("the port of the data source name is no number from 1 to 65535", "write an IPv6 address as [::1]; "+encodeHint)
	}
	d.Port = strconv.FormatUint(n, 10)
	return nil
}

// isHost allows letters and digits of any script and the marks.
func isHost(s, marks string) bool {
	for _, r := range s {
		alnum := r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= 0x80
		if !alnum && !strings.ContainsRune(marks, r) {
			return false
		}
	}
	return true
}

// clean reports whether a decoded part can be sent to a server.
func clean(s string) bool { return utf8.ValidString(s) && !strings.Contains(s, "\x00") }

func decode(s string) (string, bool) {
	s, err := url.PathUnescape(s)
	return s, err == nil && clean(s)
}

func parseQuery(text string) (url.Values, error) {
	if text == "" {
		return nil, nil
	}
	values := url.Values{}
	for pair := range strings.SplitSeq(text, "&") {
		if pair == "" {
			continue
		}
		key, value, _ := strings.Cut(pair, "=")
		k, ok1 := decode(key)
		v, ok2 := decode(value)
		if !ok1 || !ok2 || k == "" {
			return nil, bad("the parameters of the data source name are not correctly percent-encoded", "write name=value&name=value, with % as %25 and & as %26")
		}
		values.Add(k, v)
	}
	if len(values) == 0 {
		return nil, nil
	}
	return values, nil
}

// String is the whole name, its secrets included: [Parse] of it gives the same
// DSN. Use [DSN.Redacted] for everything that is shown or stored in the clear.
func (d DSN) String() string {
	if d.Scheme == "" && d.FileBased() && d.Query == nil {
		if bare, err := parsePath(d.Path); err == nil && bare.Dialect == d.Dialect && bare.Path == d.Path {
			return d.Path
		}
	}
	var b strings.Builder
	scheme := d.Scheme
	if scheme == "" {
		scheme = d.Dialect
	}
	b.WriteString(scheme + "://")
	if d.FileBased() {
		b.WriteString("/" + escape(d.Path, "/:@!$&'()*+,;="))
	} else {
		if d.User != "" || d.Password != "" {
			b.WriteString(escape(d.User, "*"))
			if d.Password != "" {
				b.WriteString(":" + escape(d.Password, "*"))
			}
			b.WriteByte('@')
		}
		b.WriteString(bracket(d.Host))
		if d.Port != "" {
			b.WriteString(":" + d.Port)
		}
		if d.Database != "" || d.Schema != "" {
			b.WriteString("/" + escape(d.Database, ""))
		}
		if d.Schema != "" {
			b.WriteString("/" + escape(d.Schema, ""))
		}
	}
	separator := byte('?')
	keys := make([]string, 0, len(d.Query))
	for key := range d.Query {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		for _, value := range d.Query[key] {
			b.WriteByte(separator)
			b.WriteString(escape(key, "") + "=" + escape(value, "*/:,"))
			separator = '&'
		}
	}
	return b.String()
}

// bracket is the host as it stands in a name.
func bracket(host string) string {
	switch {
	case strings.Contains(host, ","), strings.HasPrefix(host, "["):
		return host
	case strings.HasPrefix(host, "/"):
		return escape(host, "")
	case strings.Contains(host, ":"):
		return "[" + strings.Replace(host, "%", "%25", 1) + "]"
	}
	return escape(host, "")
}

// escape percent-encodes everything but unreserved characters and those of keep.
func escape(s, keep string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || strings.IndexByte("-._~", c) >= 0 || strings.IndexByte(keep, c) >= 0 {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(hex[c>>4])
		b.WriteByte(hex[c&15])
	}
	return b.String()
}

// File is the path to open. Many write sqlite:///home/me/shop.db and mean the
// absolute path: where the relative one does not exist and the absolute one does,
// it is that. A path that does not exist either way is returned as written.
func (d DSN) File() string {
	if d.Scheme == "" || d.Path == "" || path.IsAbs(d.Path) || exists(d.Path) || !exists("/"+d.Path) {
		return d.Path
	}
	return "/" + d.Path
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// DefaultName is the name of a connection that was not given one: the database's,
// the file's without its extension, else "default".
func (d DSN) DefaultName() string {
	name := d.Database
	if d.FileBased() {
		name = path.Base(strings.ReplaceAll(d.Path, `\`, "/"))
		name = strings.TrimSuffix(name, path.Ext(name))
	}
	if name == "" || name == "." || name == ".." || name == "/" {
		return "default"
	}
	return name
}

// LogValue is [DSN.Redacted], so that a log never gets the secrets.
func (d DSN) LogValue() slog.Value { return slog.StringValue(d.Redacted()) }
