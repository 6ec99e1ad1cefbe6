package config

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/pretensor/internal/connect/dsn"
	"github.com/quartet-mcp/quartet/pretensor/internal/keystore"
)

// Source is a database as the configuration describes it: by its URL, or by
// fields. Texts may hold references to environment variables.
type Source struct {
	Name           string
	Schemas        []string
	ExcludeSchemas []string

	// Values are the other keys that were given, as written, references and all.
	Values map[string]keystore.Secret

	folder string // that paths are relative to
}

// sourceTexts are the keys of a source whose values are texts, all of which are
// hidden when a source is printed: a URL may hold a password as well.
var sourceTexts = []string{"dialect", "url", "host", "port", "user", "password", "database", "path", "ssl_mode",
	"account", "schema", "warehouse", "role", "private_key_path", "private_key_passphrase", "project", "dataset", "location"}

// Connection is a source ready for use. Its DSN holds secrets.
type Connection struct {
	DSN            dsn.DSN
	Schemas        []string
	ExcludeSchemas []string
}

// UnsetError says that a variable which is referred to is not set.
type UnsetError struct {
	Variable string
	Source   string
	Key      string
}

func (e *UnsetError) Error() string {
	return fmt.Sprintf("source %q: %s needs the environment variable %s, which is not set", e.Source, e.Key, e.Variable)
}

// Expand replaces each ${NAME} in a text by the variable's value; lookup reports
// whether a variable is set, and an empty one counts. $${ stands for ${ itself. An
// unset variable is an [UnsetError] without source and key; the only other error
// is a reference that is no ${NAME}. Errors hold nothing else of the text.
func Expand(text string, lookup func(string) (string, bool)) (string, error) {
	var b strings.Builder
	for {
		i := strings.Index(text, "${")
		if i < 0 {
			b.WriteString(text)
			return b.String(), nil
		}
		if i > 0 && text[i-1] == '$' {
			b.WriteString(text[:i-1] + "${")
			text = text[i+2:]
			continue
		}
		b.WriteString(text[:i])
		name, rest, closed := strings.Cut(text[i+2:], "}")
		if !closed || !isVariable(name) {
			return "", fmt.Errorf("a reference to a variable must have the form ${NAME}; write $${ for ${ itself")
		}
		value, set := lookup(name)
		if !set {
			return "", &UnsetError{Variable: name}
		}
		b.WriteString(value)
		text = rest
	}
}

func isVariable(name string) bool {
	for i, r := range name {
		if r != '_' && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != ""
}

// Connect is the source with its variables replaced; lookup reports whether one is
// set (as os.LookupEnv does). Errors name the source and the key and hold no value.
func (s Source) Connect(lookup func(string) (string, bool)) (Connection, error) {
	c := Connection{}
	expand := func(key, text string) (string, error) {
		out, err := Expand(text, lookup)
		var unset *UnsetError
		if errors.As(err, &unset) {
			unset.Source, unset.Key = s.Name, key
			return "", unset
		}
		if err != nil {
			return "", fmt.Errorf("source %q: %s: %w", s.Name, key, err)
		}
		return out, nil
	}
	values := map[string]string{}
	for _, key := range sourceTexts { // in this order, so that the first error is always the same
		v, err := expand(key, s.Values[key].Reveal())
		if err != nil {
			return c, err
		}
		values[key] = v
	}
	for _, list := range []struct {
		key      string
		from, to *[]string
	}{{"schemas", &s.Schemas, &c.Schemas}, {"exclude_schemas", &s.ExcludeSchemas, &c.ExcludeSchemas}} {
		for _, text := range *list.from {
			v, err := expand(list.key, text)
			if err != nil {
				return c, err
			}
			*list.to = append(*list.to, v)
		}
	}
	var err error
	if c.DSN, err = s.dsn(values); err != nil {
		return c, fmt.Errorf("source %q: %w", s.Name, err)
	}
	return c, nil
}

// dsn makes a data source name of the values.
func (s Source) dsn(v map[string]string) (dsn.DSN, error) {
	if v["url"] != "" {
		d, err := dsn.Parse(v["url"])
		if err != nil {
			return d, err
		}
		if want := dialectNames[v["dialect"]]; v["dialect"] != "" && want != d.Dialect {
			return d, fmt.Errorf("dialect is %q, but the url is one of %s", quotable(v["dialect"]), d.Dialect)
		}
		if d.FileBased() {
			d.Path = s.at(d.Path)
		}
		return d, nil
	}
	d := dsn.DSN{Dialect: dialectNames[v["dialect"]], User: v["user"], Password: v["password"], Host: v["host"], Port: v["port"], Database: v["database"]}
	missing := func(key, what string) error { return fmt.Errorf("%s is missing: %s", key, what) }
	add := func(name, key string) {
		if v[key] != "" {
			if d.Query == nil {
				d.Query = url.Values{}
			}
			d.Query.Set(name, v[key])
		}
	}
	switch d.Dialect {
	case "":
		if v["dialect"] == "" {
			return d, missing("dialect", "give it and the other fields, or a url")
		}
		return d, fmt.Errorf("dialect %q is not known%s", quotable(v["dialect"]), suggest(v["dialect"], dialectList))
	case dsn.SQLite, dsn.DuckDB:
		d.Path, d.Database = first(v["path"], v["database"]), ""
		if d.Path == "" {
			return d, missing("path", "the file of the database")
		}
		d.Path = s.at(d.Path)
	case dsn.Snowflake:
		if d.Host = first(v["account"], v["host"]); d.Host == "" {
			return d, missing("account", "the name of the account")
		}
		d.Schema = v["schema"]
		add("warehouse", "warehouse")
		add("role", "role")
		if v["private_key_path"] != "" {
			v["private_key_path"] = s.at(v["private_key_path"])
		}
		add("private_key_path", "private_key_path")
		add("private_key_passphrase", "private_key_passphrase")
	case dsn.BigQuery:
		d.Host, d.Database = v["project"], first(v["dataset"], v["database"])
		if d.Host == "" {
			return d, missing("project", "the id of the project")
		}
		add("location", "location")
	default:
		if d.Database == "" {
			return d, missing("database", "the name of the database on the server")
		}
		add("sslmode", "ssl_mode")
	}
	if d.Port != "" {
		if n, err := strconv.Atoi(d.Port); err != nil || n < 1 || n > 65535 {
			return d, fmt.Errorf("port must be a number from 1 to 65535")
		}
	}
	return d, nil
}

// at is a path relative to the file of the configuration.
func (s Source) at(path string) string {
	if path == "" || filepath.IsAbs(path) || path == ":memory:" {
		return path
	}
	return filepath.Join(s.folder, path)
}
