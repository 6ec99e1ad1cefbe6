package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/graph/kuzu"
	"github.com/quartet-mcp/quartet/pretensor/internal/registry"
	"github.com/spf13/cobra"
)

// newRemove defines remove, which forgets a connection.
func newRemove(s *session) *cobra.Command {
	var purge bool
	cmd := &cobra.Command{
		Use:   "remove NAME",
		Short: "Forget a connection",
		Long:  "Takes a connection out of the registry. Its index stays on the disk unless --purge is given. The database\nitself is not touched.",
		Args:  oneArg("the name of a connection"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return s.remove(cmd.Context(), args[0], purge)
		},
	}
	cmd.Flags().BoolVar(&purge, "purge", false, "delete its graph, catalog, snapshot and search data as well")
	return cmd
}

func (s *session) remove(ctx context.Context, name string, purge bool) error {
	if err := checkName(name); err != nil {
		return err
	}
	// Without a registry there is nothing to lock, and no directory to create for it.
	r, err := s.reg.Read()
	if err != nil {
		return err
	}
	_, unknown := r.Get(name)
	if unknown != nil && (!purge || !s.left(name)) {
		return unknown
	}
	lock, err := s.dir.Lock(ctx)
	if err != nil {
		return err
	}
	if unknown == nil {
		err = s.reg.UpdateLocked(lock, func(r *registry.Registry) error { return r.Remove(name) })
	}
	if err == nil && purge {
		err = s.purge(name)
	}
	if err := errors.Join(err, lock.Release()); err != nil {
		return err
	}
	if purge {
		return s.print("removed %s and its index\n", name)
	}
	if !s.left(name) {
		return s.print("removed %s\n", name)
	}
	return s.print("removed %s; its index is still on the disk; to delete that as well: %s\n", name, s.line("remove", name, "--purge"))
}

// left reports whether the state directory holds an index under a name.
func (s *session) left(name string) bool {
	graph, err1 := s.dir.Graph(name)
	snapshot, err2 := s.dir.Snapshot(name)
	if err1 != nil || err2 != nil {
		return false
	}
	return slices.ContainsFunc([]string{graph, catalog.PathOf(graph), snapshot}, func(path string) bool {
		_, err := os.Lstat(path)
		return err == nil
	})
}

// purge deletes what the state directory holds of a connection.
func (s *session) purge(name string) error {
	graph, err1 := s.dir.Graph(name)
	snapshot, err2 := s.dir.Snapshot(name)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	// Whoever writes a graph holds the lock of the directory, as we do now.
	if err := kuzu.Remove(graph); err != nil {
		return err
	}
	for _, path := range []string{catalog.PathOf(graph), snapshot} {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("deleting the index of %s: %w", name, err)
		}
	}
	return nil
}
