package mcpkit

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// clientFormats holds how each client writes down a server that it starts.
var clientFormats = []struct {
	client  string
	section string         // the object that holds the servers by name
	fields  map[string]any // besides command and args
}{
	{"claude-desktop", "mcpServers", nil},
	{"claude-code", "mcpServers", map[string]any{"type": "stdio", "env": struct{}{}}},
	{"cursor", "mcpServers", nil},
	{"vscode", "servers", map[string]any{"type": "stdio"}},
	{"zed", "context_servers", map[string]any{"env": struct{}{}}},
}

func clients() []string {
	names := make([]string, len(clientFormats))
	for i, f := range clientFormats {
		names[i] = f.client
	}
	return names
}

// config returns the configuration that makes a client start this program with
// the arguments it was given now.
func (f *Flags) config(set *flag.FlagSet, args []string) (string, error) {
	i := slices.Index(clients(), f.client)
	if i < 0 {
		return "", fmt.Errorf("unknown client %q; use one of %s", f.client, strings.Join(clients(), ", "))
	}
	if f.Transport != "stdio" {
		return "", fmt.Errorf("--print-config is for servers that the client starts; leave out --transport %s", f.Transport)
	}
	program, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("finding this program: %w", err)
	}
	passed, err := f.passedOn(set, args)
	if err != nil {
		return "", err
	}
	server := map[string]any{"command": program, "args": append(slices.Clone(f.Command), passed...)}
	for name, value := range clientFormats[i].fields {
		server[name] = value
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err = enc.Encode(map[string]any{clientFormats[i].section: map[string]any{f.info.Name: server}})
	return out.String(), err
}

// passedOn returns the arguments as the client has to give them: without
// --print-config, and with absolute paths.
func (f *Flags) passedOn(set *flag.FlagSet, args []string) ([]string, error) {
	out := []string{}
	given := map[string]bool{}
	flagArgs := args[:len(args)-set.NArg()]
	for i := 0; i < len(flagArgs); i++ {
		if flagArgs[i] == "--" {
			break
		}
		name, value, joined := strings.Cut(strings.TrimLeft(flagArgs[i], "-"), "=")
		given[name] = true
		if !joined && !isBool(set.Lookup(name)) {
			i++
			value = flagArgs[i]
		} else if !joined {
			value = ""
		}
		switch {
		case name == "print-config":
		case slices.Contains(f.Paths, name):
			path, err := filepath.Abs(value)
			if err != nil {
				return nil, fmt.Errorf("--%s: %w", name, err)
			}
			out = append(out, "--"+name, path)
		case isBool(set.Lookup(name)) && !joined:
			out = append(out, "--"+name)
		case isBool(set.Lookup(name)):
			out = append(out, "--"+name+"="+value)
		default:
			out = append(out, "--"+name, value)
		}
	}
	for _, name := range f.Paths {
		fl := set.Lookup(name)
		if fl == nil || given[name] || fl.DefValue == "" {
			continue
		}
		path, err := filepath.Abs(fl.DefValue)
		if err != nil {
			return nil, fmt.Errorf("--%s: %w", name, err)
		}
		out = append(out, "--"+name, path)
	}
	return append(out, set.Args()...), nil
}

func isBool(fl *flag.Flag) bool {
	b, ok := fl.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}
