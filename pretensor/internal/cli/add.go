package cli

import (
	"context"

	"github.com/quartet-mcp/quartet/pretensor/internal/connect/dsn"
	"github.com/spf13/cobra"
)

// newAdd defines add, which registers a connection without reading its structure.
func newAdd(s *session) *cobra.Command {
	var name, dialect string
	var test bool
	cmd := &cobra.Command{
		Use:   "add DSN",
		Short: "Register a database without indexing it",
		Long: "Registers a database under a name. The connection string is stored encrypted; the key lies beside it in\n" +
			"the state directory, or is in the variable PRETENSOR_KEY. As - it is read from standard input.",
		Example: "  pretensor add postgresql://me:secret@db.example.com/shop\n  pretensor add data/shop.duckdb --name warehouse --test",
		Args:    oneArg("a connection string such as postgresql://user:password@host/database or path/to/file.db"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return s.add(cmd.Context(), args[0], dialect, name, test)
		},
	}
	cmd.Flags().StringVarP(&name, "name", "n", "", "what the connection is called (default: its database's name)")
	cmd.Flags().StringVar(&dialect, "dialect", "", "the `dialect`, where the connection string does not say it")
	cmd.Flags().BoolVar(&test, "test", false, "connect first, and register only if that works")
	return cmd
}

func (s *session) add(ctx context.Context, text, dialect, name string, test bool) error {
	t, err := s.fromDSN(text, dialect, name)
	if err != nil {
		return err
	}
	if test {
		if err := s.ping(ctx, t.dsn); err != nil {
			return err
		}
	}
	if err := s.reg.Register(ctx, t.entry, name != ""); err != nil {
		return err
	}
	what := "added"
	if test {
		what = "connected to and added"
	}
	return s.print("%s %s (%s)\nindex it with: %s\n", what, t.entry.Name, t.dsn.Redacted(), s.line("index", t.entry.Name))
}

// ping connects to a database and leaves it again.
func (s *session) ping(ctx context.Context, d dsn.DSN) error {
	c, err := s.Connect(ctx, d)
	if err != nil {
		return err
	}
	defer c.Close()
	return c.Ping(ctx)
}
