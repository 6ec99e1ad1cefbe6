package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRun_Usage(t *testing.T) {
	const secret = "postgresql://ann:hunter2@db/shop"
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"unknown command", []string{"lst"}, `no command "lst"; did you mean list?`},
		{"unknown command far off", []string{"frobnicate"}, `no command "frobnicate"`},
		{"a connection string where a command belongs", []string{secret}, "pretensor add DSN"},
		{"unknown option", []string{"list", "--jsno"}, "no option --jsno; did you mean --json?"},
		{"unknown option before the command", []string{"--statedir", "x", "list"}, "--statedir; did you mean --state-dir?"},
		{"an option that holds a secret", []string{"add", "--" + secret}, "no option like that"},
		{"unknown short option", []string{"list", "-q"}, "no option -q"},
		{"option without value", []string{"list", "--state-dir"}, "--state-dir needs a value"},
		{"empty value", []string{"list", "--state-dir", ""}, "--state-dir needs a value, it is empty"},
		{"empty value of an alias", []string{"list", "--graph-dir="}, "--graph-dir needs a value, it is empty"},
		{"bad choice", []string{"--log-level", "warnin", "list"}, `--log-level: "warnin" is not valid: want one of debug, info, warning, error; did you mean warning?`},
		{"bad boolean", []string{"add", "x.db", "--test=" + secret}, "--test: that value is not valid: want true or false"},
		{"common option of other commands", []string{"add", "x.db", "--json"}, "pretensor add has no option --json"},
		{"database where it means nothing", []string{"list", "-d", "shop"}, "pretensor list has no option --database"},
		{"its alias", []string{"list", "--db", "shop"}, "pretensor list has no option --db"},
		{"argument too many", []string{"list", "x"}, "pretensor list takes no argument, got 1"},
		{"two connection strings", []string{"add", secret, secret}, "got 2 arguments"},
		{"no argument", []string{"add"}, "pretensor add needs a connection string"},
		{"empty argument", []string{"add", " "}, "pretensor add needs a connection string"},
		{"bad connection string", []string{"add", "postgresql://ann:hunter2@db:99999/shop"}, "no number from 1 to 65535"},
		{"unknown scheme", []string{"add", "oracle://ann:hunter2@db/shop"}, `"oracle"`},
		{"connection string as a name", []string{"remove", secret}, "a connection's name belongs there"},
		{"unknown dialect", []string{"add", "x.db", "--dialect", "sqlit"}, "did you mean sqlite"},
		{"wrong dialect", []string{"add", secret, "--dialect", "mysql"}, "--dialect is mysql, but the connection string is one of postgresql"},
		{"unknown topic of help", []string{"help", "lst"}, `no command "lst"`},
		{"unknown tool", []string{"serve", "--tools", "cyper"}, "did you mean cypher?"},
		{"both lists of tools", []string{"serve", "--tools", "cypher", "--exclude-tools", "query"}, "exclude each other"},
		{"unknown transport", []string{"serve", "--transport", "sse"}, "want one of stdio, http"},
		{"open to the network without a token", []string{"serve", "--transport", "http", "--addr", "0.0.0.0:0"}, "$PRETENSOR_HTTP_TOKEN"},
		{"unknown client", []string{"serve", "--print-config", "emacs"}, "claude-desktop"},
		{"configuration of http", []string{"serve", "--config-only", "--transport", "http"}, "leave out --transport http"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			args := c.args
			if !strings.Contains(strings.Join(args, " "), "-dir") {
				args = append(append([]string{}, args...), "--state-dir", b.dir)
			}
			o := b.typed("", args...)
			o.want(t, exitUsage, "", c.want).silent(t)
			if !strings.Contains(o.stderr, "see: pretensor") || strings.Contains(o.stderr, "help --help") {
				t.Errorf("no way to the help in %q", o.stderr)
			}
			b.keeps("hunter2")
			if _, err := os.Stat(b.dir); err == nil {
				t.Error("a wrong command line left a state directory")
			}
		})
	}
}

func TestRun_VersionAndHelp(t *testing.T) {
	b := newBench(t)
	for _, args := range [][]string{{"--version"}, {"--version", "add"}, {"add", "--version"}, {"remove", "--version", "a", "b"}} {
		if o := b.typed("", args...); o.code != exitOK || o.out != "pretensor 1.2.3\n" || o.stderr != "" {
			t.Errorf("%q: %+v", args, o)
		}
	}
	for _, args := range [][]string{{"--help"}, {"-h"}, {"help"}} {
		b.typed("", args...).want(t, exitOK, "serve", "")
	}
	for _, args := range [][]string{{"add", "--help"}, {"help", "add"}, {"--help", "add"}} {
		o := b.typed("", args...).want(t, exitOK, "pretensor add DSN", "")
		if strings.Contains(o.out, "--json") || strings.Contains(o.out, "--graph-dir") {
			t.Errorf("%q shows options that add has not: %s", args, o.out)
		}
	}
	b.typed("", "list", "--help").want(t, exitOK, "--json", "")
}

// Without a command there is help, and a hint until something is registered.
func TestRun_NoCommand(t *testing.T) {
	b := newBench(t)
	o := b.run().want(t, exitOK, "pretensor quickstart", "")
	if first, _, _ := strings.Cut(o.out, "\n"); !strings.Contains(first, "init") {
		t.Errorf("the first line is %q", first)
	}
	b.run("add", shop(t)).want(t, exitOK, "added shop", "")
	if o := b.run(); strings.Contains(o.out, "quickstart --state-dir") || !strings.Contains(o.out, "Usage") {
		t.Errorf("the hint is still there: %s", o.out)
	}
}

// Common options may stand on either side of the command.
func TestRun_OptionsAnywhere(t *testing.T) {
	b := newBench(t)
	b.run("add", shop(t)).want(t, exitOK, "added shop", "")
	want := b.run("list", "--json").out
	for _, args := range [][]string{
		{"--state-dir", b.dir, "--json", "list"}, {"--json", "list", "--state-dir=" + b.dir}, {"list", "--graph-dir", b.dir, "--json"},
	} {
		if got := b.typed("", args...); got.code != 0 || got.out != want || got.stderr != "" {
			t.Errorf("%q: %+v", args, got)
		}
	}
}

// The option counts before the variable, the variable before the file.
func TestRun_Precedence(t *testing.T) {
	b := newBench(t)
	other, third := filepath.Join(t.TempDir(), "b"), filepath.Join(t.TempDir(), "c")
	config := filepath.Join(t.TempDir(), "my.yaml")
	write(t, config, "state_dir: "+third+"\n")
	file := shop(t)
	for dir, name := range map[string]string{b.dir: "flag", other: "variable", third: "file"} {
		b.typed("", "add", file, "--name", name, "--state-dir", dir).want(t, exitOK, name, "")
	}
	b.env["PRETENSOR_CONFIG"] = config
	b.typed("", "list").want(t, exitOK, "file  sqlite", "")
	b.env["PRETENSOR_STATE_DIR"] = other
	b.typed("", "list").want(t, exitOK, "variable  sqlite", "")
	b.run("list").want(t, exitOK, "flag  sqlite", "")
	b.env["PRETENSOR_CONFIG"] = filepath.Join(t.TempDir(), "none.yaml")
	b.run("list").want(t, exitFailed, "", "none.yaml does not exist")
	b.run("list", "--config", config).want(t, exitOK, "flag  sqlite", "")
}

func TestRun_Configuration(t *testing.T) {
	b := newBench(t)
	b.run("list", "--config", filepath.Join(t.TempDir(), "none.yaml")).want(t, exitFailed, "", "none.yaml does not exist").silent(t)
	write(t, filepath.Join(b.dir, "config.yaml"), "graph:\n  stale_index_warning_day: 3\n")
	b.run("list").want(t, exitFailed, "", "stale_index_warning_days").silent(t)
}

func TestRun_StateDirectoryIsAFile(t *testing.T) {
	b := newBench(t)
	b.dir = shop(t)
	for _, args := range [][]string{{"list"}, {"add", "x.db"}, {"serve"}, {"quickstart"}} {
		b.run(args...).want(t, exitFailed, "", "is a file; give a folder with --state-dir").silent(t)
	}
}

func TestRun_JSONLog(t *testing.T) {
	b := newBench(t)
	file := filepath.Join(t.TempDir(), "log")
	o := b.run("--log-format", "json", "--log-file", file, "remove", "shop").want(t, exitFailed, "", "").silent(t)
	var line struct{ Timestamp, Level, Logger, Event, Status, Message string }
	first, _, _ := strings.Cut(o.stderr, "\n")
	if err := json.Unmarshal([]byte(first), &line); err != nil {
		t.Fatalf("%v in %q", err, o.stderr)
	}
	if line.Level != "error" || line.Logger != "pretensor" || line.Event != "command" || line.Status != "error" ||
		!strings.Contains(line.Message, `no connection "shop"`) || !strings.HasPrefix(line.Timestamp, "2") {
		t.Errorf("%+v", line)
	}
	if text := read(t, file); text != o.stderr {
		t.Errorf("the file has %q, standard error %q", text, o.stderr)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	b.run("--log-file", t.TempDir(), "list").want(t, exitFailed, "", "--log-file")
	b.run("--log-level", "error", "list").want(t, exitOK, "", "")
}

// A text log in a file has times; what would move a cursor is not in it.
func TestLog_Text(t *testing.T) {
	b := newBench(t)
	file := filepath.Join(t.TempDir(), "log")
	b.run("--log-file", file, "remove", "a\x1b[2Jb").want(t, exitFailed, "", "error: no connection")
	text := read(t, file)
	if !strings.HasPrefix(text, "20") || !strings.Contains(text, " error: no connection") || strings.Contains(text, "\x1b") {
		t.Errorf("%q", text)
	}
}

func TestLog_Color(t *testing.T) {
	b := newBench(t)
	b.Terminal = true
	b.run("remove", "x").want(t, exitFailed, "", "\x1b[31merror: \x1b[0m")
	b.env["NO_COLOR"] = "1"
	if o := b.run("remove", "x"); strings.Contains(o.stderr, "\x1b") {
		t.Errorf("%q", o.stderr)
	}
}
