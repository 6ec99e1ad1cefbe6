package config

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"
)

// flagNames are the flags in the order of the help. Those marked have no twin in the
// environment: what widens a verdict is said where the process is started.
var flagNames = []struct {
	name, usage string
	noEnv       bool
}{
	{name: "workspace", usage: "the `directory` whose artifacts the tools work on; turns on the artifact tools"},
	{name: "migrations-dir", usage: "the `directory` of the migrations, relative to the workspace"},
	{name: "schema-dir", usage: "the `directory` of the declared schema, relative to the workspace"},
	{name: "tests-dir", usage: "the `directory` of the schema tests, relative to the workspace"},
	{name: "dialect", usage: "the `dialect` that changes of artifacts are checked for; required with --workspace"},
	{name: "server-version", usage: "the `version` of the engine to assume (default the newest known)"},
	{name: "allow-write", usage: "the artifact `classes` whose files may be written after a person agreed"},
	{name: "allow-delete", usage: "the artifact `classes` whose files may be deleted after a person agreed; a part of --allow-write"},
	{name: autoApprove, usage: "write the classes of --allow-write without asking", noEnv: true},
	{name: "schema-source-root", usage: "a `directory` where schema sources may be read; may be repeated (default the workspace)"},
	{name: "database-url", usage: "the `URL` of a database that may be inspected; PTAH_DATABASE_URL hides it from other processes"},
	{name: "database-name", usage: "the `name` of that database for calls (default that in the URL)"},
	{name: "database-class", usage: "the `class` of that database: ephemeral, dev, target, production, unclassified (default unclassified)"},
	{name: "allow-database-inspect", usage: "the `verdict` on inspecting databases of that class: ask or allow", noEnv: true},
	{name: "database-provider", usage: "the manifest `file` of a program that reads that database"},
	{name: "policy", usage: "the user's policy `file` (default ptah/agent-policy in the user's configuration directory, if present)"},
	{name: "audit-log", usage: "the `file` to record operations in (default .ptah/agent-audit.jsonl in the workspace)"},
	{name: "config", usage: "the operator's configuration `file`"},
	{name: "approval-timeout", usage: "the `duration` that a call waits for a person, as in 90s or 5m (default 5m)"},
}

const autoApprove = "auto-approve"

// lists are the flags with several values, between commas or repeated.
var lists = map[string]bool{"allow-write": true, "allow-delete": true, "schema-source-root": true}

// Flags are the flags of the server's command, and what the command line said of them.
type Flags struct {
	set *pflag.FlagSet
}

// Register defines the flags on a set.
func Register(set *pflag.FlagSet) *Flags {
	for _, f := range flagNames {
		switch {
		case f.name == autoApprove:
			set.Bool(f.name, false, f.usage)
		case lists[f.name]:
			set.StringSlice(f.name, nil, f.usage)
		default:
			set.String(f.name, "", f.usage)
		}
	}
	return &Flags{set: set}
}

// EnvName returns the environment's twin of a flag.
func EnvName(flag string) string {
	return "PTAH_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// given is what flags and environment say. A variable that is empty says nothing.
type given struct {
	flags *Flags
	env   func(string) (string, bool)
}

// value returns what was said of a flag, and where; where is empty if nothing was.
func (g given) value(name string) (value, where string, err error) {
	if g.flags.set.Changed(name) {
		value, err = g.flags.set.GetString(name)
		if err == nil && value == "" {
			err = &Error{"--" + name, "the value is empty"}
		}
		return value, "--" + name, err
	}
	for _, f := range flagNames {
		if f.name == name && !f.noEnv {
			if v, _ := g.env(EnvName(name)); v != "" {
				return v, EnvName(name), nil
			}
		}
	}
	return "", "", nil
}

// list is value for a flag with several values, blanks around them left out.
func (g given) list(name string) (values []string, where string, err error) {
	if g.flags.set.Changed(name) {
		where = "--" + name
		values, err = g.flags.set.GetStringSlice(name)
	} else if v, _ := g.env(EnvName(name)); v != "" {
		where = EnvName(name)
		values = strings.Split(v, ",")
	}
	for i, v := range values {
		if values[i] = strings.TrimSpace(v); values[i] == "" {
			return nil, where, &Error{where, "one of the values is empty"}
		}
	}
	return values, where, err
}

func (g given) autoApprove() (bool, error) {
	v, err := g.flags.set.GetBool(autoApprove)
	if err != nil {
		return false, fmt.Errorf("reading --%s: %w", autoApprove, err)
	}
	return v, nil
}
