package artifact

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quartet-mcp/quartet/ptah/internal/code"
)

func file(path, content string) Entry {
	return Entry{Path: path, Size: int64(len(content)), Digest: Digest([]byte(content))}
}

var (
	initUp     = file("1700000000_init.up.sql", "CREATE TABLE users (id BIGINT PRIMARY KEY);\n")
	initDown   = file("1700000000_init.down.sql", "DROP TABLE users;\n")
	statusUp   = file("1700000100_status.up.sql", "ALTER TABLE users ADD COLUMN status TEXT;\n")
	statusDown = file("1700000100_status.down.sql", "ALTER TABLE users DROP COLUMN status;\n")
)

func sumOf(t *testing.T, entries ...Entry) Entry {
	t.Helper()
	text, err := Sum(entries)
	if err != nil {
		t.Fatal(err)
	}
	return file(SumName, string(text))
}

// The values that every implementation of the contract has.
func TestDigest_Vectors(t *testing.T) {
	sum := sumOf(t, initUp, initDown)
	base := DirectoryDigest([]Entry{initUp, initDown, sum})
	create := Change{Create, statusUp.Path, statusUp.Digest}
	createDown := Change{Create, statusDown.Path, statusDown.Digest}
	newSum := sumOf(t, initUp, initDown, statusUp, sum)
	bothSum := sumOf(t, initUp, initDown, statusUp, statusDown)
	tests := []struct{ name, got, want string }{
		{"init.up", initUp.Digest, "sha256:ac532b1d469583e55c613482d9912f578eaf01a257eaa69d2c7c76e977b925ad"},
		{"init.down", initDown.Digest, "sha256:de1015707e41d6682186c3440c58b222518e75eae7becfba74346468eefdfc5d"},
		{"directory of the two", DirectoryDigest([]Entry{initUp, initDown}), "sha256:54aeebe1f5fd190251b307b1321826a6d4b9d11413f9c739e50cad5f1062c2c1"},
		{"ptah.sum", sum.Digest, "sha256:08618d6128781e278430fbf2fa1269c721611c663c210e98ddb49b09a9baa2c1"},
		{"base", base, "sha256:676e7ff304c7c14ec104acbbb6f72e040d2451b456f40a5447af48d24f1f22be"},
		{"status.up", statusUp.Digest, "sha256:29a0a7303d2bb3d51f1e88d0bc8ce4dabeadd6a95ef12ed03c951bb2dc59f4ef"},
		{"patch id", PatchID(Migrations, base, []Change{create}), "sha256:5ac7d18d2b086ba56ffd0e2391f404af2661e4d5adc390593156fa143fe563df"},
		{"projected", DirectoryDigest([]Entry{statusUp, sum, initUp, initDown}), "sha256:7ae8a690d57324d840df82f537eea2ed500d90c87bbbffcce6bc525be6a3e926"},
		{"new ptah.sum", newSum.Digest, "sha256:3f068c0df5bca7f3c3d49187117d631965dd15610d19e3997fb9f85df40b320e"},
		{"measured", DirectoryDigest([]Entry{statusUp, newSum, initUp, initDown}), "sha256:45ff216d30f9b0e20a7d59b94c76a47540505bcb10a535ea9f02c1a42fd1f739"},
		{"patch id of both", PatchID(Migrations, base, []Change{create, createDown}), "sha256:ba9c87ffe308abb839b9ae930ed2e90fd8c4e959758ac5dcfdbe0d907e36d63b"},
		{"measured of both", DirectoryDigest([]Entry{statusUp, statusDown, bothSum, initUp, initDown}), "sha256:fda3e2082887553f8dc9e6082fda0d239b4299ff88ec0423ed2e326ea103512b"},
		{"empty directory", DirectoryDigest(nil), "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
	}
	for _, test := range tests {
		if test.got != test.want {
			t.Errorf("%s: %s, want %s", test.name, test.got, test.want)
		}
	}
	text, err := Sum([]Entry{initUp, initDown, file("README.md", "x"), {Path: "link.sql", Kind: Symlink}})
	if err != nil {
		t.Fatal(err)
	}
	want := `h1:p5oGRT4wZ4sG9Mp+c4CUOaYPxd0TqwNqFkmK4QWjRDw=
1700000000_init.down.sql h1:3hAVcH5B1mghhsNEDFiyIlGOdernvs+6dDRkaO79/F0=
1700000000_init.up.sql h1:rFMrHUaVg+VcYTSC2ZEvV46vAaJX6qadLHx26Xe5Ja0=
`
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Errorf("ptah.sum (-want +got):\n%s", diff)
	}
	if len(text) != 192 {
		t.Errorf("ptah.sum has %d bytes, want 192", len(text))
	}
}

func TestPatchID_CoversEverything(t *testing.T) {
	base := DirectoryDigest(nil)
	id := func(class Class, base string, changes ...Change) string { return PatchID(class, base, changes) }
	a, b := Change{Create, "a.sql", "sha256:1"}, Change{Delete, "b.sql", ""}
	if id(Schema, base, a, b) != id(Schema, base, b, a) {
		t.Error("the id depends on the order of the changes")
	}
	if id(Schema, base, b) != id(Schema, base, Change{Delete, "b.sql", "sha256:2"}) {
		t.Error("the id of a deletion depends on what is after it")
	}
	ids := []string{
		id(Schema, base, a), id(Tests, base, a), id(Schema, "sha256:x", a), id(Schema, base, b), id(Schema, base, a, b),
		id(Schema, base, Change{Update, "a.sql", "sha256:1"}), id(Schema, base, Change{Create, "a.sql", "sha256:2"}),
	}
	slices.Sort(ids)
	if len(slices.Compact(ids)) != 7 {
		t.Error("two patches have the same id")
	}
}

func TestSum_BadDigest(t *testing.T) {
	for _, digest := range []string{"", "sha256:12", "sha256:" + strings.Repeat("x", 64)} {
		if _, err := Sum([]Entry{{Path: "a.sql", Digest: digest}}); err == nil {
			t.Errorf("the digest %q is taken", digest)
		}
	}
}

func TestParseClass(t *testing.T) {
	for _, c := range Classes() {
		if got, err := ParseClass(string(c)); got != c || err != nil {
			t.Errorf("ParseClass(%q) = %q, %v", c, got, err)
		}
	}
	if _, err := ParseClass("Schema"); err == nil || !strings.Contains(err.Error(), "migrations, schema, tests") {
		t.Errorf("error = %v", err)
	}
}

// open opens a directory with files of these contents.
func open(t *testing.T, files map[string]string) (dir string, root *os.Root) {
	t.Helper()
	dir = t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	return dir, root
}

func TestList(t *testing.T) {
	dir, root := open(t, map[string]string{"b.sql": "b", "a/c.sql": "cc", "a.sql": "", ".hidden": "h"})
	if err := os.Mkdir(filepath.Join(dir, "empty"), 0o700); err != nil {
		t.Fatal(err)
	}
	want := []Entry{file(".hidden", "h"), file("a.sql", ""), file("a/c.sql", "cc"), file("b.sql", "b")}
	got, err := List(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	_, empty := open(t, nil)
	if got, err := List(t.Context(), empty); err != nil || got == nil || len(got) != 0 {
		t.Errorf("List of an empty directory = %v, %v", got, err)
	}
}

func TestList_Refusals(t *testing.T) {
	for _, name := range []string{"a\nb.sql", "a\xff.sql"} {
		_, root := open(t, map[string]string{name: "x"})
		if _, err := List(t.Context(), root); code.Of(err) != code.UnsafePath || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: error %v", name, err)
		}
	}
	many := map[string]string{}
	for i := range MaxEntries + 1 {
		many[fmt.Sprintf("%05d.sql", i)] = ""
	}
	dir, root := open(t, many)
	if _, err := List(t.Context(), root); code.Of(err) != code.ArtifactTooLarge {
		t.Errorf("error of too many entries: %v", err)
	}
	if err := os.Remove(filepath.Join(dir, "00000.sql")); err != nil {
		t.Fatal(err)
	}
	if got, err := List(t.Context(), root); err != nil || len(got) != MaxEntries {
		t.Errorf("%d entries, error %v", len(got), err)
	}
	deep := strings.Repeat("d/", maxDepth+1) + "a.sql"
	_, root = open(t, map[string]string{deep: ""})
	if _, err := List(t.Context(), root); code.Of(err) != code.ArtifactTooLarge {
		t.Errorf("error of depth: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, root = open(t, map[string]string{"a.sql": "a"})
	if _, err := List(ctx, root); !errors.Is(err, context.Canceled) {
		t.Errorf("error of a cancelled listing: %v", err)
	}
}
