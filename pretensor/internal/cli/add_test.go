package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/pretensor/internal/keystore"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"
)

const password = "hunter2-ünïq%23"

func TestAdd_KeepsThePassword(t *testing.T) {
	b := newBench(t)
	dsn := "postgresql://ann:hunter2-%C3%BCn%C3%AFq%2523@db.example.com:5433/shop?sslpassword=otherSecret"
	o := b.run("add", dsn).want(t, exitOK, "added shop (postgresql://ann:***@db.example.com:5433/shop", "")
	if want := "index it with: pretensor index shop --state-dir " + b.dir; !strings.Contains(o.out, want) {
		t.Errorf("%q, want %q in it", o.out, want)
	}
	b.run("list").want(t, exitOK, "shop  postgresql  db=shop  not indexed", "")
	b.run("list", "--json").want(t, exitOK, `"connection_name": "shop"`, "")
	b.run("add", dsn, "--test", "--log-level", "debug", "--log-file", filepath.Join(b.dir, "log")).want(t, exitFailed, "", "db.example.com")
	for _, secret := range []string{password, "hunter2", "otherSecret"} {
		b.keeps(secret)
	}
}

func TestAdd_Names(t *testing.T) {
	b := newBench(t)
	first, second := shop(t), shop(t)
	b.run("add", first).want(t, exitOK, "added shop", "")
	b.run("add", first).want(t, exitOK, "added shop", "")
	b.run("add", second).want(t, exitFailed, "", "--name").silent(t)
	b.run("add", second, "--name", "stock").want(t, exitOK, "added stock", "")
	b.run("add", second, "--name", "shop").want(t, exitOK, "added shop", "") // said so: replaced
	b.run("add", first, "-n", "a/b").want(t, exitOK, "added a/b", "")
	b.run("add", first, "-n", "a_b").want(t, exitFailed, "", "a/b").silent(t)
	b.run("add", first, "-n", "postgresql://u:"+password+"@h/x").want(t, exitUsage, "", "not its connection string").silent(t)
	b.keeps(password)
}

// A file is found from any folder later.
func TestAdd_RelativeFile(t *testing.T) {
	b := newBench(t)
	file := shop(t)
	t.Chdir(filepath.Dir(file))
	b.run("add", "shop.db", "--test").want(t, exitOK, "connected to and added shop", "")
	t.Chdir(t.TempDir())
	b.run("add", "sqlite:////"+strings.TrimPrefix(file, "/")).want(t, exitOK, "added shop", "")
}

func TestAdd_Dialect(t *testing.T) {
	b := newBench(t)
	file := filepath.Join(t.TempDir(), "shop.data")
	if err := os.Rename(shop(t), file); err != nil {
		t.Fatal(err)
	}
	b.run("add", file).want(t, exitUsage, "", "no scheme")
	b.run("add", file, "--dialect", "sqlite", "--test").want(t, exitOK, "added shop", "")
	b.run("add", "mysql://u@h/m", "--dialect", "mariadb").want(t, exitOK, "mariadb://", "")
}

// From standard input the connection string is in no history.
func TestAdd_StandardInput(t *testing.T) {
	b := newBench(t)
	b.typed("postgresql://ann:hunter2@db/shop\n", "add", "-", "--state-dir", b.dir).want(t, exitOK, "added shop", "")
	b.typed(shop(t), "index", "-", "--state-dir", b.dir, "--name", "file").want(t, exitOK, "tables 3", "")
	b.typed(" \n", "add", "-", "--state-dir", b.dir).want(t, exitUsage, "", "no connection string on standard input").silent(t)
	b.keeps("hunter2")
}

func TestAdd_Test(t *testing.T) {
	b := newBench(t)
	b.run("add", filepath.Join(t.TempDir(), "none.db"), "--test").want(t, exitFailed, "", "none.db").silent(t)
	b.run("list").want(t, exitOK, "", "no database is registered")
}

// A registry that cannot be read stops everything, and is not replaced.
func TestRegistry_Corrupt(t *testing.T) {
	for _, text := range []string{"", "{", `{"version":1}`, `{"version":99,"entries":{}}`, `{"version":1,"entries":{"a":{"last_indexed_at":"soon"}}}`} {
		b := newBench(t)
		write(t, filepath.Join(b.dir, state.RegistryName), text)
		for _, args := range [][]string{{"list"}, {"list", "--json"}, {"add", shop(t)}, {"remove", "shop"}, {"serve"}} {
			b.run(args...).want(t, exitFailed, "", "registry.json").silent(t)
		}
		if got := read(t, filepath.Join(b.dir, state.RegistryName)); got != text {
			t.Errorf("the registry is %q now, was %q", got, text)
		}
	}
}

func TestKeystore_WrongKey(t *testing.T) {
	b := newBench(t)
	b.run("add", "postgresql://ann:hunter2@db/shop").want(t, exitOK, "added", "")
	b.env[keystore.Variable] = keystore.Generate().Text().Reveal()
	b.run("add", "postgresql://ann:hunter2@db/shop").want(t, exitFailed, "", "keystore does not match").silent(t)
	b.run("list").want(t, exitOK, "shop", "") // needs no key
	b.run("add", "postgresql://ann:hunter2@db/shop", "--name", "shop").want(t, exitOK, "added", "")
	b.env[keystore.Variable] = "nonsense"
	b.run("add", "postgresql://ann:hunter2@db/shop2").want(t, exitFailed, "", "not a key")
	b.keeps("hunter2")
}

func TestLock_Held(t *testing.T) {
	b := newBench(t)
	b.run("add", shop(t)).want(t, exitOK, "", "")
	lock, err := state.At(b.dir).Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	pid := fmt.Sprintf("process %d", os.Getpid())
	b.run("add", shop(t), "--name", "two").want(t, exitFailed, "", pid).silent(t)
	b.run("remove", "shop").want(t, exitFailed, "", pid).silent(t)
	b.run("list").want(t, exitOK, "shop", "")
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	b.run("remove", "shop").want(t, exitOK, "removed shop", "")
}

func TestWarnings_Modes(t *testing.T) {
	b := newBench(t)
	b.run("add", shop(t)).want(t, exitOK, "", "")
	for _, name := range []string{state.KeystoreName, state.RegistryName} {
		if err := os.Chmod(filepath.Join(b.dir, name), 0o644); err != nil {
			t.Fatal(err)
		}
		b.run("list", "--json").want(t, exitOK, "[", name)
	}
}

func TestRemove_Unknown(t *testing.T) {
	b := newBench(t)
	b.run("remove", "shop").want(t, exitFailed, "", "there are none yet").silent(t)
	if _, err := os.Stat(b.dir); err == nil {
		t.Error("remove made a state directory")
	}
	b.run("add", shop(t)).want(t, exitOK, "", "")
	b.run("remove", "shp").want(t, exitFailed, "", `did you mean "shop"?`).silent(t)
	b.run("remove", "shop", "shop").want(t, exitUsage, "", "2 arguments").silent(t)
	b.run("remove", "shop").want(t, exitOK, "removed shop", "")
	b.run("list", "--json").want(t, exitOK, "[]\n", "")
}

func TestList_Empty(t *testing.T) {
	b := newBench(t)
	b.run("list").want(t, exitOK, "", "pretensor quickstart").silent(t)
	o := b.run("list", "--json")
	var rows []any
	if err := json.Unmarshal([]byte(o.out), &rows); err != nil || o.out != "[]\n" || o.stderr != "" {
		t.Errorf("%v, %+v", err, o)
	}
}
