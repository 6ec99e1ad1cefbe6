package analyze

import (
	"fmt"
	"path"
	"strings"
)

// A pattern is one line of a git-ignore file.
type pattern struct {
	base    string   // the folder of the file, "." for the root
	parts   []string // between the slashes; ** stands for any number of folders
	negated bool
	folder  bool // matches folders only
}

// parsePattern reads a line; ok is false for blank lines and comments.
func parsePattern(base, line string) (p pattern, ok bool, err error) {
	line = strings.TrimSuffix(line, "\r")
	for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
		line = line[:len(line)-1]
	}
	if line == "" || line[0] == '#' {
		return p, false, nil
	}
	p.base = base
	if line[0] == '!' {
		p.negated, line = true, line[1:]
	} else if strings.HasPrefix(line, `\#`) || strings.HasPrefix(line, `\!`) {
		line = line[1:]
	}
	if strings.HasSuffix(line, "/") {
		p.folder, line = true, strings.TrimRight(line, "/")
	}
	// A slash before the end ties a pattern to the folder of its file.
	anchored := strings.Contains(line, "/")
	p.parts = strings.Split(strings.TrimPrefix(line, "/"), "/")
	if !anchored {
		p.parts = append([]string{"**"}, p.parts...)
	}
	for i, part := range p.parts {
		// A class is negated with ! in git and with ^ here.
		p.parts[i] = strings.ReplaceAll(part, "[!", "[^")
		if _, err := path.Match(p.parts[i], ""); err != nil {
			return p, false, fmt.Errorf("%q is no git-ignore pattern", line)
		}
	}
	return p, line != "", nil
}

// match reports whether the pattern is about a path below its base.
func (p *pattern) match(name string, folder bool) bool {
	if p.folder && !folder {
		return false
	}
	if p.base != "." {
		rest, ok := strings.CutPrefix(name, p.base+"/")
		if !ok {
			return false
		}
		name = rest
	}
	return matchParts(p.parts, strings.Split(name, "/"))
}

// matchParts matches the parts of a pattern with those of a path. Like a shell, it
// only ever returns to the last **: an earlier one could skip no more than that.
func matchParts(pattern, name []string) bool {
	i, j := 0, 0
	back, from := -1, 0
	for j < len(name) {
		switch {
		case i < len(pattern) && pattern[i] == "**":
			back, from = i, j
			i++
			if i == len(pattern) {
				return true
			}
		case i < len(pattern) && matchPart(pattern[i], name[j]):
			i++
			j++
		case back >= 0:
			from++
			i, j = back+1, from
		default:
			return false
		}
	}
	return i == len(pattern)
}

func matchPart(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}

// ignored reports what the last pattern that is about a path says.
func ignored(patterns []pattern, name string, folder bool) bool {
	for i := len(patterns) - 1; i >= 0; i-- {
		if patterns[i].match(name, folder) {
			return !patterns[i].negated
		}
	}
	return false
}

// anyMatch reports whether a pattern is about a file or a folder that holds it.
func anyMatch(patterns []pattern, name string) bool {
	folder := false
	for name != "." {
		if ignored(patterns, name, folder) {
			return true
		}
		name, folder = path.Dir(name), true
	}
	return false
}
