package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/graph"
	"github.com/quartet-mcp/quartet/pretensor/internal/graph/kuzu"
	"github.com/quartet-mcp/quartet/pretensor/internal/keystore"
	"github.com/quartet-mcp/quartet/pretensor/internal/names"
	"github.com/quartet-mcp/quartet/pretensor/internal/registry"
	"github.com/quartet-mcp/quartet/pretensor/internal/snapshot"
	"github.com/quartet-mcp/quartet/pretensor/internal/store"
	"github.com/spf13/cobra"
)

// What a check says.
const (
	checkOK      = "ok"
	checkWarning = "warning" // it works, and could be better
	checkFailed  = "failed"
)

// checked is one thing that was looked at.
type checked struct {
	Check      string `json:"check"`
	Connection string `json:"connection_name,omitempty"`
	Status     string `json:"status"`
	Message    string `json:"message"`
	Hint       string `json:"hint,omitempty"`
}

// doctor looks at things and writes down what it sees.
type doctor struct {
	*session
	connection string // that the things belong to; empty: all
	seen       []checked
}

// newCheck defines check, which says what is wrong with a state directory and with the
// connections in it.
func newCheck(s *session) *cobra.Command {
	return takes(&cobra.Command{
		Use:   "check [NAME]",
		Short: "Look whether everything is in order",
		Long: "Looks at the state directory, the key, the registry, and of each connection, or of the one that is named, at\n" +
			"its connection string, graph, catalog, snapshot and age, and whether the database answers. The exit code is 1\n" +
			"if one of them failed.",
		Args: atMostOne("the name of a connection"),
		RunE: func(cmd *cobra.Command, args []string) error { return s.check(cmd.Context(), strings.Join(args, "")) },
	}, optionJSON)
}

func (s *session) check(ctx context.Context, name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	d := &doctor{session: s, seen: []checked{}}
	for _, e := range d.state(name) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		d.connection = e.Name
		d.look(ctx, e)
	}
	failed := 0
	for _, c := range d.seen {
		if c.Status == checkFailed {
			failed++
		}
	}
	if err := d.print(failed); err != nil {
		return err
	}
	if failed > 0 {
		return exitError(exitFailed)
	}
	return nil
}

// say writes a result down. Errors may hold anything, so that secrets are taken out.
func (d *doctor) say(check, status, hint, format string, args ...any) {
	text := d.secrets.hide(oneLine(fmt.Sprintf(format, args...)))
	d.seen = append(d.seen, checked{check, d.connection, status, text, hint})
}

// state looks at what all connections share, and returns the ones to look at.
func (d *doctor) state(name string) []registry.Entry {
	if !d.dir.Exists() {
		d.say("state directory", checkFailed, "make one with: "+d.line("quickstart")+" or "+d.line("add", "DSN"), "there is none at %s", d.dir.Path())
		return nil
	}
	d.modes("state directory", d.dir.Warnings(), "only its owner can read it")
	if _, err := keystore.Load(d.dir, d.getenv); errors.Is(err, keystore.ErrNoKey) {
		d.say("keystore", checkOK, "", "there is no key yet")
	} else if err != nil {
		d.say("keystore", checkFailed, "put the right key back, or register the connections again", "%v", err)
	} else {
		d.modes("keystore", keystore.Warnings(d.dir), "there is a key that only its owner can read")
	}
	r, err := d.reg.Read()
	if err != nil {
		d.say("registry", checkFailed, "", "%v", err)
		return nil
	}
	d.modes("registry", d.reg.Warnings(), names.Count(r.Len(), "connection"))
	if name == "" {
		if r.Len() == 0 {
			d.say("connections", checkWarning, "register one with: "+d.line("add", "DSN"), "no database is registered")
		}
		return r.All()
	}
	e, err := r.Get(name)
	if err != nil {
		d.say("connections", checkFailed, "see: "+d.line("list"), "%v", err)
		return nil
	}
	return []registry.Entry{e}
}

// modes says that a file is well, or each thing that is wrong with its mode.
func (d *doctor) modes(check string, wrong []string, well string) {
	for _, w := range wrong {
		d.say(check, checkFailed, "", "%s", w)
	}
	if len(wrong) == 0 {
		d.say(check, checkOK, "", "%s", well)
	}
}

// look looks at one connection.
func (d *doctor) look(ctx context.Context, e registry.Entry) {
	t, err := d.fromEntry(e)
	if err != nil {
		d.say("connection string", checkFailed, "register it again with: "+d.line("add", "DSN", "--name", e.Name), "%v", err)
	} else {
		d.say("connection string", checkOK, "", "%s", t.dsn.Redacted())
		d.live(ctx, t)
	}
	again := "run: " + d.line("index", e.Name)
	if e.Indexed.IsZero() {
		d.say("index", checkWarning, again, "it is registered and not indexed yet")
		return
	}
	d.graph(ctx, e, again)
	d.catalog(e, again)
	switch shot, err := snapshot.Read(d.dir, e.Name); {
	case err != nil:
		d.say("snapshot", checkFailed, again, "%v", err)
	case shot.Generation != e.Generation && shot.Taken.After(e.Indexed):
		d.say("snapshot", checkWarning, again, "it is newer than the index")
	default:
		d.say("snapshot", checkOK, "", "taken %s, %s", shot.Taken.UTC().Format(time.RFC3339), names.Count(len(shot.Database.Tables), "table"))
	}
	old := max(0, d.Now().Sub(e.Indexed))
	if limit := d.cfg.Graph.StaleIndexWarningDays; e.Days(d.Now()) > limit {
		d.say("age", checkWarning, "run: "+d.line("reindex", e.Name), "the index is %s old, more than %s", age(old), names.Count(limit, "day"))
	} else {
		d.say("age", checkOK, "", "indexed %s (%s)", e.Indexed.UTC().Format(time.RFC3339), age(old))
	}
}

// live looks whether the database answers in time.
func (d *doctor) live(ctx context.Context, t target) {
	limited, cancel := context.WithTimeout(ctx, connect.ConnectTimeout)
	defer cancel()
	err := d.ping(limited, t.dsn)
	if err == nil {
		d.say("database", checkOK, "", "it answers")
		return
	}
	hint := ""
	if e, ok := errors.AsType[*connect.Error](err); ok {
		hint = e.Hint
	} else if limited.Err() != nil {
		err = fmt.Errorf("it did not answer within %s", connect.ConnectTimeout)
	}
	d.say("database", checkFailed, hint, "%s", strings.TrimSuffix(err.Error(), "; "+hint))
}

// graph looks whether the engine can read the graph.
func (d *doctor) graph(ctx context.Context, e registry.Entry, again string) {
	generation, err := func() (any, error) {
		path, err := d.dir.Graph(e.Name)
		if err != nil {
			return nil, err
		}
		r, err := kuzu.Open(path, kuzu.Limits{})
		if err != nil {
			return nil, err
		}
		defer r.Close()
		res, err := r.Query(ctx, "MATCH (m:"+graph.GraphMeta+") RETURN m.generation", kuzu.Options{Timeout: connect.ConnectTimeout, MaxRows: 1})
		if err != nil {
			return nil, err
		}
		if len(res.Rows) == 0 {
			return nil, errors.New("it does not say which generation it is")
		}
		return res.Rows[0][0], nil
	}()
	switch {
	case err != nil:
		d.say("graph", checkFailed, again, "%v", err)
	case generation != e.Generation:
		d.say("graph", checkWarning, again, "it is of generation %v, and the registry has %s", generation, e.Generation)
	default:
		d.say("graph", checkOK, "", "generation %s", e.Generation)
	}
}

// catalog looks whether what the tools answer from can be read.
func (d *doctor) catalog(e registry.Entry, again string) {
	c, err := store.New(d.dir, d.reg, store.Options{AliasSources: d.aliasSources()}).Catalog(e)
	if err != nil {
		if p, ok := errors.AsType[*store.Problem](err); ok && p.Err != nil && !errors.Is(p.Err, os.ErrNotExist) {
			err = p.Err
		}
		d.say("catalog", checkFailed, again, "%v", err)
		return
	}
	if c.Generation != e.Generation {
		d.say("catalog", checkWarning, again, "it is of generation %s, and the registry has %s", c.Generation, e.Generation)
	} else {
		d.say("catalog", checkOK, "", "%s, %s", names.Count(c.Len(), "table"), names.Count(c.Columns(), "column"))
	}
	d.statistics(c)
}

// statistics says which statistics the index was made with.
func (d *doctor) statistics(c *catalog.Catalog) {
	text := map[connect.StatsMode]string{
		connect.StatsNone: "no statistics", connect.StatsCatalog: "what the database's planner knows", connect.StatsSample: "aggregates over samples of rows",
	}[connect.StatsMode(c.StatsMode)]
	d.say("statistics", checkOK, "", "%s: %s", cmp.Or(c.StatsMode, "unknown"), cmp.Or(text, "not known how they were read"))
}

func (d *doctor) print(failed int) error {
	if d.json {
		return d.printJSON(struct {
			OK     bool      `json:"ok"`
			Checks []checked `json:"checks"`
		}{failed == 0, d.seen})
	}
	signs := map[string]string{checkOK: "✓", checkWarning: "!", checkFailed: "✗"}
	var b strings.Builder
	last := ""
	for _, c := range d.seen {
		if c.Connection != last {
			fmt.Fprintf(&b, "%s\n", oneLine(c.Connection))
			last = c.Connection
		}
		fmt.Fprintf(&b, "%s %s: %s\n", signs[c.Status], c.Check, c.Message)
		if c.Hint != "" {
			fmt.Fprintf(&b, "    %s\n", oneLine(c.Hint))
		}
	}
	return d.session.print("%s", b.String())
}
