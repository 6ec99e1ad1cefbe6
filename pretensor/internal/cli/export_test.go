package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite"
)

func TestExport(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.run("index", shop(t)).want(t, exitOK, "", "")
	for format, want := range map[string]string{
		"json": `"connection_name": "shop"`, "ddl": `CREATE TABLE "orders" (`, "markdown": "\n## main.orders\n", "mermaid": "erDiagram\n",
	} {
		file := filepath.Join(t.TempDir(), "out")
		write(t, file, "old")
		b.run("export", "-d", "shop", "-o", file, "--format", format).want(t, exitOK, "", "wrote 3 tables of shop").silent(t)
		text := read(t, file)
		if !strings.Contains(text, want) {
			t.Errorf("%s: no %q in %s", format, want, text)
		}
		if o := b.run("export", "--format", format, "--output", "-").want(t, exitOK, "", ""); o.out != text || o.stderr != "" {
			t.Errorf("%s: standard output has %q, the file %q, standard error %q", format, o.out, text, o.stderr)
		}
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", format, info.Mode(), err)
		}
	}
	var e struct {
		Connection string            `json:"connection_name"`
		Graph      string            `json:"graph_path"`
		At         string            `json:"exported_at"`
		Nodes      []json.RawMessage `json:"node_types"`
		Stats      struct {
			Nodes int `json:"node_count"`
		} `json:"stats"`
	}
	if err := json.Unmarshal([]byte(b.run("export", "-o", "-").out), &e); err != nil {
		t.Fatal(err)
	}
	if e.Connection != "shop" || e.Graph != filepath.Join(b.dir, "graphs", "shop.kuzu") || e.At != "2026-11-21T08:12:03Z" || e.Stats.Nodes < 11 {
		t.Errorf("%+v", e)
	}
}

func TestExport_Refusals(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.run("export", "-o", "-").want(t, exitFailed, "", "pretensor index").silent(t)
	b.run("index", shop(t)).want(t, exitOK, "", "")
	b.run("export", "-d", "shop").want(t, exitUsage, "", "--output FILE").silent(t)
	b.run("export", "-d", "shpo", "-o", "-").want(t, exitFailed, "", "There are: shop").silent(t)
	b.run("export", "-o", "-", "--format", "xml").want(t, exitUsage, "", "want one of json, ddl, markdown, mermaid").silent(t)
	b.run("export", "-o", "-", "--json").want(t, exitUsage, "", "no option --json").silent(t)
	b.run("export", "-o", filepath.Join(t.TempDir(), "none", "x")).want(t, exitFailed, "", "writing the export: there is no folder").silent(t)
	b.run("export", "-o", t.TempDir()).want(t, exitFailed, "", "directory").silent(t)
}

// What the rules of the configuration hide is in no export.
func TestExport_Visibility(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.run("index", shop(t)).want(t, exitOK, "tables 3", "")
	write(t, filepath.Join(b.dir, "visibility.yml"), "hidden_tables: [customers]\nhidden_columns: [note]\nprofiles:\n  narrow:\n    hidden_tables: [tickets]\n")
	for _, format := range []string{"json", "ddl", "markdown", "mermaid"} {
		o := b.run("export", "-o", "-", "--format", format).want(t, exitOK, "orders", "")
		for _, hidden := range []string{"customers", "email", "note"} {
			if strings.Contains(o.out, hidden) {
				t.Errorf("%s has %q: %s", format, hidden, o.out)
			}
		}
		if !strings.Contains(o.out, "tickets") {
			t.Errorf("%s has no tickets", format)
		}
	}
	write(t, filepath.Join(b.dir, "config.yaml"), "visibility: {profile: narrow}\n")
	if o := b.run("export", "-o", "-").want(t, exitOK, "orders", ""); strings.Contains(o.out, "tickets") {
		t.Errorf("the profile is not in force: %s", o.out)
	}
	write(t, filepath.Join(b.dir, "visibility.yml"), "hiden_tables: [customers]\n")
	b.run("export", "-o", "-").want(t, exitFailed, "", "hidden_tables").silent(t)
}
