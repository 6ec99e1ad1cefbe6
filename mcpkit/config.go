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

// clientFormats holds how each client writes down a server that it starts: the
// object that holds the servers by name, and the fields besides command and args.
var clientFormats = []struct {
	client, section string
	kind            string
	env             *struct{}
}{
	{client: "claude-desktop", section: "mcpServers"},
	{client: "claude-code", section: "mcpServers", kind: "stdio", env: &struct{}{}},
	{client: "cursor", section: "mcpServers"},
	{client: "vscode", section: "servers", kind: "stdio"},
	{client: "zed", section: "context_servers", env: &struct{}{}},
}

// clientServer is one server in such a file.
type clientServer struct {
	Type    string    `json:"type,omitempty"`
	Command string    `json:"command"`
	Args    []string  `json:"args"`
	Env     *struct{} `json:"env,omitempty"`
}

func clients() []string {
	names := make([]string, len(clientFormats))
	for i, f := range clientFormats {
		names[i] = f.client
	}
	return names
}

// ClientConfig returns the configuration that makes a client start a program as a
// server of this name, as the text of the client's own file: an object that holds an
// object that holds the servers. Paths must be absolute, because a client starts
// programs in a folder of its own. The clients are claude-desktop, claude-code,
// cursor, vscode and zed; the error of another one lists them.
func ClientConfig(client, server, program string, args []string) (string, error) {
	i := slices.Index(clients(), client)
	if i < 0 {
		return "", fmt.Errorf("unknown client %q; use one of %s", client, strings.Join(clients(), ", "))
	}
	format := clientFormats[i]
	entry := clientServer{Type: format.kind, Command: program, Args: append([]string{}, args...), Env: format.env}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(map[string]any{format.section: map[string]clientServer{server: entry}})
	return out.String(), err
}

// config returns the configuration that makes a client start this program with
// the arguments it was given now.
func (f *Flags) config(set *flag.FlagSet, args []string) (string, error) {
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
	return ClientConfig(f.client, f.info.Name, program, append(append([]string{}, f.Command...), passed...))
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
