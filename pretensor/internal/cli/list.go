package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/quartet-mcp/quartet/pretensor/internal/registry"
	"github.com/quartet-mcp/quartet/pretensor/internal/store"
	"github.com/spf13/cobra"
)

// newList defines list, which shows the registered connections.
func newList(s *session) *cobra.Command {
	return takes(&cobra.Command{
		Use: "list", Short: "List the connections", Args: noArgs,
		RunE: func(*cobra.Command, []string) error { return s.list() },
	}, optionJSON)
}

// listed is a connection as list shows it. Pointers are null where nothing is known.
type listed struct {
	Connection  string  `json:"connection_name"`
	Database    string  `json:"database"`
	Dialect     string  `json:"dialect"`
	Description string  `json:"description"`
	Tables      int     `json:"table_count"`
	Columns     *int    `json:"column_count"`
	Indexed     *string `json:"last_indexed_at"`
	AgeSeconds  *int64  `json:"age_seconds"`
	AgeDays     *int    `json:"age_days"`
	Stale       bool    `json:"is_stale"`
	Generation  *string `json:"generation"`
	Graph       *string `json:"graph_path"`
	Unified     *string `json:"unified_graph_path"`
	Stats       *string `json:"stats"`
	DBT         *string `json:"dbt_manifest_path"`
	Problem     *string `json:"problem"` // why the index cannot be used

	age time.Duration
}

func (s *session) list() error {
	r, err := s.reg.Read()
	if err != nil {
		return err
	}
	catalogs := store.New(s.dir, s.reg, store.Options{})
	rows := make([]listed, 0, r.Len())
	for _, e := range r.All() {
		rows = append(rows, s.listed(e, catalogs))
	}
	if s.json {
		return s.printJSON(rows)
	}
	if len(rows) == 0 {
		s.log.Info("no database is registered; try " + s.line("quickstart") + " or " + s.line("add", "DSN"))
	}
	for _, row := range rows {
		if err := s.print("%s\n", row); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) listed(e registry.Entry, catalogs *store.Store) listed {
	l := listed{
		Connection: e.Name, Database: e.Database, Dialect: e.Dialect, Description: e.Description, Tables: e.Tables,
		Generation: known(e.Generation), Unified: known(e.UnifiedGraphPath), DBT: known(e.DBTManifest),
	}
	if e.Indexed.IsZero() {
		return l
	}
	l.age = max(0, s.Now().Sub(e.Indexed))
	seconds, whole := int64(l.age/time.Second), e.Days(s.Now())
	l.Indexed, l.AgeSeconds, l.AgeDays = known(e.Indexed.UTC().Format(time.RFC3339)), &seconds, &whole
	l.Stale = whole > s.cfg.Graph.StaleIndexWarningDays
	if path, err := s.dir.Graph(e.Name); err == nil {
		l.Graph = &path
	}
	c, err := catalogs.Catalog(e)
	if err != nil {
		l.Problem = known(err.Error())
		return l
	}
	columns := c.Columns()
	l.Columns, l.Stats = &columns, known(c.StatsMode)
	return l
}

func known(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func (l listed) String() string {
	words := []string{l.Connection, l.Dialect}
	if l.Database != "" {
		words = append(words, "db="+l.Database)
	}
	if l.Indexed == nil {
		return strings.Join(append(words, "not indexed"), "  ")
	}
	words = append(words, fmt.Sprintf("tables=%d", l.Tables))
	if l.Columns != nil {
		words = append(words, fmt.Sprintf("columns=%d", *l.Columns))
	}
	old := age(l.age)
	if l.Stale {
		old += ", stale"
	}
	words = append(words, fmt.Sprintf("indexed=%s (%s)", *l.Indexed, old))
	if l.Problem != nil {
		words = append(words, "problem: "+*l.Problem)
	}
	if l.Graph != nil {
		words = append(words, *l.Graph)
	}
	return printable(strings.Join(words, "  "))
}
