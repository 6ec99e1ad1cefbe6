package cli

import (
	"fmt"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/docs"
	"github.com/quartet-mcp/quartet/ptah/internal/docsearch"
	"github.com/spf13/cobra"
)

func (p *Program) newDocs() *cobra.Command {
	var limit int
	search := &cobra.Command{
		Use: "search QUERY…", Short: "Find passages of the documentation", Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if limit < 1 || limit > 20 {
				return usagef("--limit must be between 1 and 20, got %d", limit)
			}
			query := strings.TrimSpace(strings.Join(args, " "))
			if query == "" {
				return usagef("the query is empty")
			}
			found, err := docsearch.New(docs.Files).Search(cmd.Context(), query, limit)
			if err != nil {
				return err
			}
			for i, passage := range found {
				if i > 0 {
					fmt.Fprintln(p.Stdout)
				}
				fmt.Fprintf(p.Stdout, "%s: %s\n\n%s\n", passage.Path, passage.Heading, passage.Text)
			}
			if len(found) == 0 {
				fmt.Fprintln(p.Stderr, "the documentation does not cover this question")
			}
			return nil
		},
	}
	search.Flags().IntVar(&limit, "limit", 5, "the most `passages` to print, 1 to 20")
	return group("docs", "Search the documentation", search)
}
