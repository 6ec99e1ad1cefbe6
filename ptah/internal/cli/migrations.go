package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/quartet-mcp/quartet/ptah/internal/artifact"
	"github.com/quartet-mcp/quartet/ptah/internal/files"
	"github.com/quartet-mcp/quartet/ptah/internal/migrations"
	"github.com/quartet-mcp/quartet/ptah/internal/plain"
	"github.com/spf13/cobra"
)

func (p *Program) newMigrations() *cobra.Command {
	return group("migrations", "Hash, validate and lint migration files", p.newMigrationsHash(), p.newMigrationsValidate(), p.newMigrationsLint())
}

// migrationsDir defines the flag for the directory and returns where it puts it.
func migrationsDir(cmd *cobra.Command) *string {
	cmd.Args = noArgs
	return cmd.Flags().String("dir", "migrations", "the `directory` of the migrations")
}

func readMigrations(dir string) (*migrations.Directory, []migrations.Diagnostic, error) {
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() {
		return nil, nil, usagef("--dir %q is no directory that can be read", dir)
	}
	d, found, err := migrations.Read(os.DirFS(dir))
	if err != nil {
		return nil, nil, usagef("--dir %s: %v", dir, files.Cause(err))
	}
	return d, found, nil
}

func (p *Program) newMigrationsHash() *cobra.Command {
	cmd := &cobra.Command{
		Use: "hash", Short: "Write the checksum file " + artifact.SumName,
		Long: "Writes the checksums of all migrations into " + artifact.SumName + " beside them and prints what changed in it.",
	}
	dir := migrationsDir(cmd)
	cmd.RunE = func(*cobra.Command, []string) error {
		d, _, err := readMigrations(*dir)
		if err != nil {
			return err
		}
		sum, err := d.Hash()
		if err != nil {
			return usagef("--dir %s: %v", *dir, err)
		}
		path := filepath.Join(*dir, artifact.SumName)
		if d.Sum == sum {
			fmt.Fprintf(p.Stdout, "%s is up to date\n", path)
			return nil
		}
		if err := replaceFile(path, sum); err != nil {
			return &exitError{exitEnvironment, fmt.Errorf("writing %s: %w", path, files.Cause(err))}
		}
		fmt.Fprintf(p.Stdout, "%s written, %s\n", path, plain.Count(len(d.Files), "file", "files"))
		return nil
	}
	return cmd
}

// replaceFile writes a file beside its place and renames it, so that it is never half
// there.
func replaceFile(path, text string) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".ptah-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	_, err = f.WriteString(text)
	err = errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close())
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

func (p *Program) newMigrationsValidate() *cobra.Command {
	cmd := &cobra.Command{
		Use: "validate", Short: "Check names, versions and checksums",
		Long: "Prints what is wrong, a line each. The exit code is 0 if there is no error, else 1.",
	}
	dir := migrationsDir(cmd)
	cmd.RunE = func(*cobra.Command, []string) error {
		d, found, err := readMigrations(*dir)
		if err != nil {
			return err
		}
		sums, err := d.Verify()
		if err != nil {
			return usagef("--dir %s: %v", *dir, err)
		}
		return p.diagnostics(append(found, sums...), plain.Count(len(d.Files), "file is as it was hashed", "files are as they were hashed"))
	}
	return cmd
}

// diagnostics prints what was found, or that nothing was.
func (p *Program) diagnostics(found []migrations.Diagnostic, fine string) error {
	for _, d := range found {
		fmt.Fprintln(p.Stdout, d)
	}
	if migrations.Failed(found) {
		return findings()
	}
	if len(found) == 0 {
		fmt.Fprintln(p.Stdout, fine)
	}
	return nil
}
