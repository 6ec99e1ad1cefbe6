package repolint

import (
	"cmp"
	"fmt"
	"go/token"
	"maps"
	"slices"
	"strings"
)

// goMod is what a go.mod says, read line by line: the files are machine-made.
type goMod struct {
	file     string
	module   string
	goLine   string
	require  map[string]string // path → version
	replaced map[string]string // path → target
}

func parseGoMod(f *file) goMod {
	m := goMod{file: f.path, require: map[string]string{}, replaced: map[string]string{}}
	block := ""
	for line := range strings.Lines(string(f.text)) {
		line, _, _ = strings.Cut(line, "//")
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
			continue
		case words[0] == ")":
			block = ""
			continue
		case len(words) == 2 && words[1] == "(":
			block = words[0]
			continue
		}
		if block != "" {
			words = append([]string{block}, words...)
		}
		switch {
		case words[0] == "module" && len(words) == 2:
			m.module = words[1]
		case words[0] == "go" && len(words) == 2:
			m.goLine = words[1]
		case words[0] == "require" && len(words) == 3:
			m.require[words[1]] = words[2]
		case words[0] == "replace" && len(words) >= 4:
			m.replaced[words[1]] = words[len(words)-1]
		}
	}
	return m
}

// Modules wants the modules to build alone and together: every sibling that a
// module imports, or that one of those imports, is required and replaced by its
// folder; go.work uses all modules; all ask for the same Go, and for the same
// version of every module.
func Modules(t *Tree) []string {
	mods := map[string]goMod{}
	var work string
	for _, f := range t.files {
		if name, ok := strings.CutSuffix(f.path, "/go.mod"); ok && !f.inTestdata() {
			mods[name] = parseGoMod(f)
		}
		if f.path == "go.work" {
			work = string(f.text)
		}
	}
	var out []string
	names := slices.Sorted(maps.Keys(mods))
	for _, name := range names {
		m := mods[name]
		if m.module != base+name {
			out = append(out, fmt.Sprintf("%s: module %s, want %s", m.file, m.module, base+name))
		}
		if !slices.Contains(strings.Fields(work), "./"+name) {
			out = append(out, fmt.Sprintf("go.work: does not use ./%s", name))
		}
		if first := mods[names[0]]; m.goLine != first.goLine {
			out = append(out, fmt.Sprintf("%s: go %s, but %s has go %s", m.file, m.goLine, first.file, first.goLine))
		}
	}
	out = append(out, t.siblings(mods)...)
	return append(out, versions(mods)...)
}

// siblings holds the imports against the requirements.
func (t *Tree) siblings(mods map[string]goMod) []string {
	missing := map[string]string{} // module and sibling → where it is first imported
	for _, f := range t.goFiles() {
		m, ok := mods[f.module()]
		if !ok {
			continue
		}
		t.imports(f, func(pkg string, pos token.Pos) {
			local, ok := strings.CutPrefix(pkg, base)
			sibling, _, _ := strings.Cut(local, "/")
			if !ok || sibling == f.module() {
				return
			}
			key := m.file + " " + base + sibling
			if m.require[base+sibling] == "" || m.replaced[base+sibling] != "../"+sibling {
				missing[key] = cmp.Or(missing[key], t.at(pos))
			}
		})
	}
	for name, m := range mods { // what a sibling requires has to be found as well
		for path := range m.require {
			sibling, ok := strings.CutPrefix(path, base)
			if !ok {
				continue
			}
			if m.replaced[path] != "../"+sibling {
				missing[m.file+" "+path] = cmp.Or(missing[m.file+" "+path], m.file)
			}
			for second := range mods[sibling].require {
				if strings.HasPrefix(second, base) && second != base+name && m.replaced[second] == "" {
					missing[m.file+" "+second] = cmp.Or(missing[m.file+" "+second], mods[sibling].file)
				}
			}
		}
	}
	var out []string
	for _, key := range slices.Sorted(maps.Keys(missing)) {
		file, path, _ := strings.Cut(key, " ")
		out = append(out, fmt.Sprintf("%s: has to require %s and replace it by ../%s (needed by %s)", file, path, strings.TrimPrefix(path, base), missing[key]))
	}
	return out
}

// versions holds the requirements against each other.
func versions(mods map[string]goMod) []string {
	var out []string
	seen := map[string]goMod{}
	for _, name := range slices.Sorted(maps.Keys(mods)) {
		m := mods[name]
		for _, path := range slices.Sorted(maps.Keys(m.require)) {
			other, ok := seen[path]
			if !ok {
				seen[path] = m
			} else if other.require[path] != m.require[path] {
				out = append(out, fmt.Sprintf("%s: %s %s, but %s has %s", m.file, path, m.require[path], other.file, other.require[path]))
			}
		}
	}
	return out
}
