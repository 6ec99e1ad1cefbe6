package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/quartet-mcp/quartet/pretensor/internal/export"
	"github.com/quartet-mcp/quartet/pretensor/internal/names"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"
	"github.com/spf13/cobra"
)

// newExport defines export, which writes an index into one file.
func newExport(s *session) *cobra.Command {
	var output, format string
	cmd := takes(&cobra.Command{
		Use:   "export -o FILE",
		Short: "Write an index into one file: JSON, DDL, Markdown or a Mermaid diagram",
		Long: "Writes what is known of a connection: json is the whole graph, ddl the tables as CREATE TABLE statements,\n" +
			"markdown a page to read, mermaid a diagram of tables and joins. What the visibility rules of the configuration\n" +
			"hide is left out.",
		Example: "  pretensor export -d shop -o shop.json\n  pretensor export -d shop -o - --format ddl",
		Args:    noArgs,
	}, optionDatabase)
	cmd.Flags().StringVarP(&output, "output", "o", "", "the `file` to write, or - for standard output")
	choiceVar(cmd.Flags(), &format, "format", "json", "what is written", "json", "ddl", "markdown", "mermaid")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if output == "" {
			return usagef("%s needs --output FILE, or --output - for standard output", cmd.CommandPath())
		}
		return s.export(output, format)
	}
	return cmd
}

func (s *session) export(output, format string) error {
	rules, err := s.rules("", "")
	if err != nil {
		return err
	}
	e, c, err := s.indexed(s.database, rules)
	if err != nil {
		return err
	}
	path, err := s.dir.Graph(e.Name)
	if err != nil {
		return err
	}
	write := map[string]func(io.Writer) error{
		"json": func(w io.Writer) error {
			return export.JSON(w, c, export.Source{Graph: path, At: s.Now(), Version: s.Version})
		},
		"ddl":      func(w io.Writer) error { return export.DDL(w, c) },
		"markdown": func(w io.Writer) error { return export.Markdown(w, c) },
		"mermaid":  func(w io.Writer) error { return export.Mermaid(w, c) },
	}[format]
	if output == "-" {
		return write(s.Stdout)
	}
	if err := s.writeOut(output, write); err != nil {
		return fmt.Errorf("writing the export: %w", err)
	}
	s.log.Info(fmt.Sprintf("wrote %s of %s", names.Count(c.Len(), "table"), e.Name), "event", "export", "status", "ok")
	return nil
}

// writeOut writes a file, whole or not at all. What is there and no file, such as a
// pipe, is written to.
func (s *session) writeOut(path string, write func(io.Writer) error) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	}
	if _, err := os.Stat(filepath.Dir(path)); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no folder %s", filepath.Dir(path))
	}
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	return s.dir.Files.Write(path, b.Bytes(), state.FileMode)
}
