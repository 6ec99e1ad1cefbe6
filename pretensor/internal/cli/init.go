package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/pretensor/internal/config"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/dsn"
	"github.com/quartet-mcp/quartet/pretensor/internal/demo"
	"github.com/quartet-mcp/quartet/pretensor/internal/names"
	"github.com/spf13/cobra"
)

// initOptions are what the command line of init says.
type initOptions struct {
	dsn, dialect, name, repo        string
	noRepo, sample, yes, noMCPWrite bool
	clients                         []string
}

// newInit defines init, which sets everything up for one database.
func newInit(s *session) *cobra.Command {
	var o initOptions
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Set up a database, the code that uses it, and a client",
		Long: "Finds a database in DATABASE_URL, POSTGRES_URL or PGHOST and its relatives, and the repository of the current\n" +
			"folder; shows what it would do and asks. Then it connects, indexes, looks through the repository for code that\n" +
			"uses the database, and writes config.yaml. At no terminal, with --yes or PRETENSOR_NONINTERACTIVE it asks nothing.\n" +
			"The configuration of another program is changed only if --client names it, or you say so when asked.",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return s.init(cmd.Context(), o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.dsn, "dsn", "", "the connection string; it may refer to variables, as in ${DATABASE_URL}")
	f.StringVar(&o.dialect, "dialect", "", "the `dialect`, where the connection string does not say it")
	f.StringVarP(&o.name, "name", "n", "", "what the connection is called (default: its database's name)")
	f.StringVar(&o.repo, "repo", "", "the `folder` of code that uses the database (default: the repository of the current folder)")
	f.BoolVar(&o.noRepo, "no-repo", false, "look through no code")
	f.BoolVar(&o.sample, "sample", false, "use the demonstration instead of a database")
	f.BoolVarP(&o.yes, "yes", "y", false, "ask nothing")
	f.StringArrayVar(&o.clients, "client", nil, "write the server into the configuration of a `client`: claude-code, claude-desktop or cursor; repeatable")
	f.BoolVar(&o.noMCPWrite, "no-mcp-write", false, "only print the configuration of clients")
	return cmd
}

// plan is what init is going to do.
type plan struct {
	url     string            // the connection string as written, references and all; empty with fields
	fields  map[string]string // of a source that is not written as one string
	from    string            // where the database was found, for people
	dialect string
	name    string // empty: the database's
	sample  bool
	repo    string
	clients []string
}

func (s *session) init(ctx context.Context, o initOptions) error {
	for _, c := range o.clients {
		if !slices.Contains(mergeable, c) {
			return usagef("--client: %s is not known: want one of %s%s", shown(c), strings.Join(mergeable, ", "), suggestion(c, mergeable, ""))
		}
	}
	switch {
	case o.noRepo && o.repo != "":
		return usagef("--repo and --no-repo exclude each other")
	case o.sample && (o.dsn != "" || o.dialect != "" || o.name != ""):
		return usagef("--sample goes without --dsn, --dialect and --name")
	}
	p := s.plan(o)
	if s.Terminal && !s.env.NonInteractive && !o.yes {
		proceed, err := (&wizard{s: s, in: bufio.NewReader(s.Stdin)}).ask(ctx, &p, o)
		if err != nil {
			return err
		}
		if !proceed {
			return s.print("nothing was done\n")
		}
	}
	if p.url == "" && p.fields == nil && !p.sample {
		return hintf(errors.New("init found no database: neither DATABASE_URL nor POSTGRES_URL nor PGHOST or PGDATABASE is set"),
			"give one: %s, or use the demonstration: %s", s.line("init", "--dsn", "postgresql://user:password@host/database"), s.line("init", "--sample"))
	}
	return s.carryOut(ctx, p)
}

// plan is what the command line says and the surroundings suggest.
func (s *session) plan(o initOptions) plan {
	p := plan{url: o.dsn, dialect: o.dialect, name: o.name, sample: o.sample, repo: o.repo, clients: []string{}}
	if o.dsn != "" {
		p.from = "--dsn"
	}
	if o.dsn == "" && !o.sample {
		p.infer(s.LookupEnv)
	}
	if o.repo == "" && !o.noRepo && !o.sample {
		p.repo = repository()
	}
	if !o.noMCPWrite {
		for _, c := range o.clients {
			if !slices.Contains(p.clients, c) {
				p.clients = append(p.clients, c)
			}
		}
	}
	return p
}

// infer finds the database in the environment.
func (p *plan) infer(lookup func(string) (string, bool)) {
	set := func(variable string) bool {
		value, ok := lookup(variable)
		return ok && value != ""
	}
	for _, variable := range []string{"DATABASE_URL", "POSTGRES_URL"} {
		if set(variable) {
			p.url, p.from = "${"+variable+"}", variable
			return
		}
	}
	if !set("PGHOST") && !set("PGDATABASE") {
		return
	}
	p.from = "PGHOST, PGDATABASE, …"
	p.fields = map[string]string{"dialect": "postgres"}
	for key, variable := range map[string]string{"host": "PGHOST", "port": "PGPORT", "user": "PGUSER", "password": "PGPASSWORD", "database": "PGDATABASE"} {
		if set(variable) {
			p.fields[key] = "${" + variable + "}"
		}
	}
	if p.fields["host"] == "" {
		p.fields["host"] = "localhost"
	}
}

// repository is the folder above the current one that git keeps; empty if there is
// none.
func repository() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// resolve is the connection of a plan, and the source that the configuration gets:
// nil where its text would hold a secret.
func (s *session) resolve(p plan) (target, map[string]string, error) {
	if p.fields != nil {
		if want, err := s.dialect(p.dialect); err != nil || p.dialect != "" && want != dsn.PostgreSQL {
			return target{}, nil, cmp.Or(err, usagef("--dialect is %s, but PGHOST and its relatives are PostgreSQL's", want))
		}
		d, err := fromFields(p.fields, s.LookupEnv)
		if err != nil {
			return target{}, nil, err
		}
		s.secrets.add(d)
		t, err := s.target(config.Connection{DSN: d}, p.name)
		return t, p.fields, err
	}
	text, err := config.Expand(p.url, s.LookupEnv)
	if unset, ok := errors.AsType[*config.UnsetError](err); ok {
		return target{}, nil, fmt.Errorf("--dsn needs the environment variable %s, which is not set", unset.Variable)
	}
	if err != nil {
		return target{}, nil, usagef("--dsn: %v", err)
	}
	t, err := s.fromDSN(text, p.dialect, p.name)
	if err != nil {
		return t, nil, fmt.Errorf("%s: %w", p.from, err)
	}
	// The variable's file, if relative, is so to the current folder, and a source's to
	// that of the configuration.
	given, err := dsn.Parse(text)
	relative := err == nil && given.FileBased() && !filepath.IsAbs(given.Path) && len(given.Query) == 0
	switch {
	case text != p.url && !relative:
		return t, map[string]string{"url": p.url}, nil
	case t.dsn.FileBased() && len(t.dsn.Query) == 0:
		return t, map[string]string{"dialect": t.dsn.Dialect, "path": literal(t.dsn.Path)}, nil
	case t.dsn.Redacted() == t.dsn.String():
		return t, map[string]string{"url": literal(t.dsn.String())}, nil
	}
	return t, nil, nil
}

// literal is a text in which nothing is a reference to a variable.
func literal(text string) string { return strings.ReplaceAll(text, "${", "$${") }

// fromFields is the connection string of a source's fields. It goes by a URL, so
// that it is read as any other.
func fromFields(fields map[string]string, lookup func(string) (string, bool)) (dsn.DSN, error) {
	v := map[string]string{}
	for key, text := range fields {
		value, err := config.Expand(text, lookup)
		if err != nil {
			return dsn.DSN{}, err
		}
		v[key] = value
	}
	query := url.Values{}
	for _, key := range []string{"host", "port", "user", "password"} {
		if v[key] != "" {
			query.Set(key, v[key])
		}
	}
	return dsn.Parse("postgresql:///" + url.PathEscape(v["database"]) + "?" + query.Encode())
}

// carryOut does what was planned, in this order: connect, index and register,
// analyse, configuration, clients. What comes after the index is done even when a
// part of it fails.
func (s *session) carryOut(ctx context.Context, p plan) error {
	var failed []error
	var r *report
	if p.sample {
		var err error
		if r, err = s.makeDemo(ctx, indexOptions{}); err != nil {
			return err
		}
	} else {
		t, source, err := s.resolve(p)
		if err != nil {
			return err
		}
		if err := s.ping(ctx, t.dsn); err != nil {
			return fmt.Errorf("connecting: %w", err)
		}
		if r, err = s.index(ctx, t, indexOptions{}); err != nil {
			return err
		}
		name := t.entry.Name
		if source == nil {
			s.log.Info("the connection string holds a password: it is in the registry, encrypted, and not in the configuration")
		}
		var repo *config.Repository
		if p.repo != "" {
			repo, err = s.analyzeRepository(ctx, name, p.repo)
			failed = append(failed, err)
		}
		failed = append(failed, s.configure(name, source, repo))
	}
	if err := s.print("%s\n%s\n", r.Counts, r.Graph); err != nil {
		return err
	}
	for _, c := range p.clients {
		path, wrote, err := s.writeClient(c)
		switch {
		case err != nil:
			failed = append(failed, fmt.Errorf("%s: %w", c, err))
		case wrote:
			failed = append(failed, s.print("%s: wrote %s\n", c, path))
		default:
			failed = append(failed, s.print("%s: %s has it already\n", c, path))
		}
	}
	if len(p.clients) == 0 {
		text, err := s.clientText(snippet, nil)
		if err != nil {
			return err
		}
		failed = append(failed, s.print("put this into the configuration of your client:\n%s", text))
	}
	return errors.Join(failed...)
}

// analyzeRepository stores which places of a repository use the connection.
func (s *session) analyzeRepository(ctx context.Context, connection, root string) (*config.Repository, error) {
	abs, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("looking through %s: %w", root, err)
	}
	service := filepath.Base(abs)
	_, c, err := s.choose(connection)
	if err != nil {
		return nil, err
	}
	n, err := s.scan(ctx, abs, service, c)
	if err == nil {
		err = s.enrich(ctx, c, nil, []scan{n})
	}
	if err != nil {
		return nil, fmt.Errorf("looking through %s: %w; the database is registered all the same", root, err)
	}
	s.log.Info(fmt.Sprintf("%s in %s use the database", names.Count(len(n.report.Consumers), "place"), service), "event", "analyze", "status", "ok")
	return &config.Repository{Path: abs, Service: service, Connection: connection}, nil
}

// wizard asks a person.
type wizard struct {
	s  *session
	in *bufio.Reader
}

// ask shows the plan and changes it as the person says. It reports whether to go on.
func (w *wizard) ask(ctx context.Context, p *plan, o initOptions) (bool, error) {
	if p.url == "" && p.fields == nil && !p.sample {
		w.say("No database is named in the environment. Give a connection string such as\n" +
			"postgresql://user:password@host/database, path/to/file.db or ${MY_VARIABLE}; or say sample for the demonstration.\n")
		if err := w.database(ctx, p); err != nil {
			return false, err
		}
	}
	if !o.noMCPWrite && len(o.clients) == 0 {
		if err := w.clients(ctx, p); err != nil {
			return false, err
		}
	}
	for {
		w.say("\n%s\n", w.summary(p))
		answer, err := w.question(ctx, "[p]roceed, [c]ustomise or [q]uit? ")
		if err != nil {
			return false, err
		}
		switch strings.ToLower(answer) {
		case "p", "proceed", "y", "yes", "":
			return true, nil
		case "q", "quit", "n", "no":
			return false, nil
		case "c", "customise", "customize":
			if err := w.customise(ctx, p, o); err != nil {
				return false, err
			}
		default:
			w.say("Please answer p, c or q.\n")
		}
	}
}

func (w *wizard) customise(ctx context.Context, p *plan, o initOptions) error {
	if err := w.database(ctx, p); err != nil {
		return err
	}
	if !p.sample {
		if err := w.text(ctx, "Name of the connection", "its database's name", &p.name); err != nil {
			return err
		}
		if err := w.text(ctx, "Folder of code that uses it, or - for none", "none", &p.repo); err != nil {
			return err
		}
		if p.repo == "-" {
			p.repo = ""
		}
	}
	if o.noMCPWrite {
		return nil
	}
	p.clients = p.clients[:0]
	return w.clients(ctx, p)
}

// database asks for the connection string until it can be read.
func (w *wizard) database(ctx context.Context, p *plan) error {
	for {
		now := p.from
		if p.sample {
			now = "sample"
		}
		answer, err := w.question(ctx, "Database"+in(now)+": ")
		switch {
		case err != nil:
			return err
		case answer == "" && now != "":
			return nil
		case answer == "sample":
			*p = plan{sample: true, clients: p.clients}
			return nil
		case answer == "":
			continue
		}
		q := *p
		q.url, q.fields, q.sample, q.from = answer, nil, false, "as given"
		if _, _, err := w.s.resolve(q); err != nil {
			w.say("%s\n", w.s.secrets.hide(describe(err)))
			if q.name == "" {
				continue
			}
		}
		*p = q
		return nil
	}
}

// clients asks about each client that is there.
func (w *wizard) clients(ctx context.Context, p *plan) error {
	for _, c := range w.s.installed() {
		path, _ := w.s.clientFile(c)
		answer, err := w.question(ctx, fmt.Sprintf("Write the server into the configuration of %s (%s)? [y/N] ", c, path))
		if err != nil {
			return err
		}
		if a := strings.ToLower(answer); a == "y" || a == "yes" {
			p.clients = append(p.clients, c)
		}
	}
	return nil
}

// text asks for a value; an empty answer keeps it.
func (w *wizard) text(ctx context.Context, what, none string, value *string) error {
	now := *value
	if now == "" {
		now = none
	}
	answer, err := w.question(ctx, what+in(now)+": ")
	if err == nil && answer != "" {
		*value = answer
	}
	return err
}

func in(value string) string {
	if value == "" {
		return ""
	}
	return " [" + printable(value) + "]"
}

func (w *wizard) summary(p *plan) string {
	if p.sample {
		return fmt.Sprintf("  database    the demonstration, as connection %s\n%s", demo.Connection, w.clientLine(p))
	}
	database := p.from
	if t, _, err := w.s.resolve(*p); err == nil {
		database = fmt.Sprintf("%s, as connection %s", t.dsn.Redacted(), t.entry.Name)
		if p.from != "" && p.from != "as given" {
			database += " (from " + p.from + ")"
		}
	} else {
		database += ": " + w.s.secrets.hide(describe(err))
	}
	repo := p.repo
	if repo == "" {
		repo = "none"
	}
	return fmt.Sprintf("  database    %s\n  repository  %s\n%s", printable(database), printable(repo), w.clientLine(p))
}

func (w *wizard) clientLine(p *plan) string {
	clients := "none is changed; its configuration is printed"
	if len(p.clients) > 0 {
		clients = strings.Join(p.clients, ", ")
	}
	return "  clients     " + clients + "\n  state       " + printable(w.s.dir.Path())
}

func (w *wizard) say(format string, args ...any) { fmt.Fprintf(w.s.Stderr, format, args...) }

// question asks for one line. The end of the input ends the command.
func (w *wizard) question(ctx context.Context, text string) (string, error) {
	w.say("%s", text)
	type line struct {
		text string
		err  error
	}
	// An interrupt must not wait for the return key.
	read := make(chan line, 1)
	go func() {
		t, err := w.in.ReadString('\n')
		read <- line{t, err}
	}()
	select {
	case <-ctx.Done():
		w.say("\n")
		return "", ctx.Err()
	case l := <-read:
		if l.err != nil && (l.text == "" || !errors.Is(l.err, io.EOF)) {
			w.say("\n")
			return "", errors.New("the input ended before everything was answered; nothing was done")
		}
		return strings.TrimSpace(l.text), nil
	}
}
