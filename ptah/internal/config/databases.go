package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/dburl"
	"github.com/quartet-mcp/quartet/ptah/internal/plain"
	"github.com/quartet-mcp/quartet/ptah/internal/policy"
	"github.com/quartet-mcp/quartet/ptah/internal/provider"
)

// builtInSchemes are what errors show of the schemes with a built-in reader.
const builtInSchemes = "postgres, cockroachdb, yugabytedb, mysql, mariadb, sqlite"

func (l *loading) databases() error {
	l.c.Databases = []Database{}
	if err := l.flagDatabase(); err != nil {
		return err
	}
	for i, in := range l.file.Databases {
		if err := l.fileDatabase(in, func(key string) string { return l.file.at("databases[%d].%s", i, key) }); err != nil {
			return err
		}
	}
	return nil
}

// flagDatabase adds the database of the flags.
func (l *loading) flagDatabase() error {
	text, where, err := l.value("database-url")
	if err != nil {
		return err
	}
	name, nameWhere, err := l.value("database-name")
	if err != nil {
		return err
	}
	class, classWhere, err := l.value("database-class")
	if err != nil {
		return err
	}
	manifest, manifestWhere, err := l.path("database-provider", "", "")
	if err != nil {
		return err
	}
	if where == "" {
		for _, w := range []string{nameWhere, classWhere, manifestWhere} {
			if w != "" {
				return &Error{w, "it needs --database-url"}
			}
		}
		return nil
	}
	return l.add(database{
		url: text, urlWhere: where, name: name, nameWhere: cmp.Or(nameWhere, where),
		class: class, classWhere: classWhere, manifest: manifest, manifestWhere: manifestWhere,
	})
}

// fileDatabase adds a database of the file.
func (l *loading) fileDatabase(in fileDatabase, at func(key string) string) error {
	d := database{
		name: in.Name, nameWhere: at("name"), class: in.Class, classWhere: at("class"), schemas: in.Schemas, schemasWhere: at("schemas"),
		manifest: l.file.from(in.Provider), manifestWhere: at("provider"),
	}
	count := 0
	for _, v := range []string{in.URL, in.URLEnv, in.URLFile} {
		if v != "" {
			count++
		}
	}
	if count != 1 {
		return &Error{at("url"), "write exactly one of url, url_env and url_file"}
	}
	switch {
	case in.URLEnv != "":
		d.urlWhere = at("url_env")
		if d.url, _ = l.env(in.URLEnv); d.url == "" {
			return &Error{d.urlWhere, fmt.Sprintf("the environment variable %.80q is not set", in.URLEnv)}
		}
	case in.URLFile != "":
		d.urlWhere = at("url_file")
		path := l.file.from(in.URLFile)
		text, err := readBounded(path)
		if err != nil {
			return &Error{d.urlWhere, fmt.Sprintf("the file cannot be read: %v", err)}
		}
		d.url = strings.TrimSpace(string(text))
		l.guarded = append(l.guarded, guarded{d.urlWhere, "the file with the URL", path})
	default:
		d.urlWhere, d.url = at("url"), in.URL
		if u, err := dburl.Parse(d.url); err == nil && u.HasPassword() {
			return &Error{d.urlWhere, "the URL holds a password, which does not belong into this file; use url_env or url_file"}
		}
	}
	return l.add(d)
}

// database is what was said of a database, and where.
type database struct {
	url, urlWhere           string
	name, nameWhere         string
	class, classWhere       string
	manifest, manifestWhere string // an absolute path, or empty
	schemas                 []string
	schemasWhere            string
}

// add checks a database and adds it.
func (l *loading) add(in database) error {
	d := Database{Name: in.name, Class: policy.Unclassified, Schemas: in.schemas}
	var err error
	if d.URL, err = dburl.Parse(in.url); err != nil {
		return &Error{in.urlWhere, err.Error()}
	}
	if in.class != "" {
		if d.Class, err = policy.ParseClass(in.class); err != nil {
			return &Error{in.classWhere, err.Error()}
		}
	}
	if in.manifest != "" {
		if d.Provider, err = provider.Load(in.manifest); err != nil {
			return &Error{in.manifestWhere, err.Error()}
		}
		if !d.Provider.Serves(d.URL.Scheme()) {
			return &Error{in.manifestWhere, fmt.Sprintf("the provider %q does not serve the scheme %q of the URL", d.Provider.Name(), d.URL.Scheme())}
		}
		l.guarded = append(l.guarded, guarded{in.manifestWhere, "the provider's manifest", in.manifest})
	} else if d.URL.Dialect() == "" {
		return &Error{in.urlWhere, fmt.Sprintf("no reader serves the scheme %q; built-in readers serve %s, others need a provider", d.URL.Scheme(), builtInSchemes)}
	}
	if d.Name == "" {
		d.Name = d.URL.Name()
	}
	if d.Name != plain.Line(d.Name, 100) {
		return &Error{in.nameWhere, "the name has control characters, blanks around it, or more than 100 characters"}
	}
	if slices.ContainsFunc(l.c.Databases, func(other Database) bool { return other.Name == d.Name }) {
		return &Error{in.nameWhere, fmt.Sprintf("two databases have the name %q", d.Name)}
	}
	for i, s := range d.Schemas {
		if s == "" || slices.Contains(d.Schemas[:i], s) {
			return &Error{in.schemasWhere, "a schema is empty or stands there twice"}
		}
	}
	l.c.Databases = append(l.c.Databases, d)
	return nil
}

// inspection makes the rule of --allow-database-inspect. It is for one database, that of
// the flags or the only one, but the verdict is on its class: another database of that
// class must not get it without a word.
func (l *loading) inspection() error {
	text, where, err := l.value("allow-database-inspect")
	if err != nil || where == "" {
		return err
	}
	verdict, err := policy.ParseVerdict(text)
	if err != nil || verdict == policy.Deny {
		return &Error{where, fmt.Sprintf("%.80q is not ask or allow", text)}
	}
	if len(l.c.Databases) == 0 {
		return &Error{where, "it needs a database; give --database-url"}
	}
	_, flagWhere, err := l.value("database-url")
	if err != nil {
		return err
	}
	if flagWhere == "" && len(l.c.Databases) > 1 {
		return &Error{where, "it is for one database, but the config file has several; write a rule into the policy file"}
	}
	d := l.c.Databases[0]
	if d.Class == policy.Production || d.Class == policy.Unclassified {
		return &Error{where, fmt.Sprintf("no flag allows the inspection of a database of the class %s; give it the class that it has, or write a rule into the policy file", d.Class)}
	}
	for _, other := range l.c.Databases[1:] {
		if other.Class == d.Class {
			return &Error{where, fmt.Sprintf("the databases %q and %q are both of the class %s; write a rule into the policy file", d.Name, other.Name, d.Class)}
		}
	}
	l.rules = append(l.rules, policy.Rule{Capability: policy.DatabaseInspect, Scope: string(d.Class), Verdict: verdict})
	return nil
}
