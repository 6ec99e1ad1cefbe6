package docsearch

import (
	"io/fs"
	"path"
	"regexp"
	"strings"
)

// Passage is a part of a page below one heading.
type Passage struct {
	Path    string // of the page
	Heading string // the headings that lead to it, joined by " > "
	Text    string // without the heading's own line
}

// maxPassage is the longest passage in bytes; longer parts are split at blank lines.
const maxPassage = 4000

// corpus is all that can be found.
type corpus struct {
	passages  []Passage
	documents int // pages
}

// readPages reads the pages of a file system, in the order of their paths.
func readPages(pages fs.FS) (c corpus, err error) {
	err = fs.WalkDir(pages, ".", func(name string, d fs.DirEntry, err error) error {
		if ext := path.Ext(name); err != nil || d.IsDir() || ext != ".md" && ext != ".mdx" {
			return err
		}
		data, err := fs.ReadFile(pages, name)
		if err != nil {
			return err
		}
		c.documents++
		c.passages = append(c.passages, split(name, string(data))...)
		return nil
	})
	return c, err
}

var (
	headingLine = regexp.MustCompile(`^(#{1,6}) (.*)$`)
	fenceLine   = regexp.MustCompile("^ {0,3}(`{3,}|~{3,})")
	// componentLine is a line of MDX that is no prose: import, export, or a tag alone.
	componentLine = regexp.MustCompile(`^\s*(import\s.*|export\s.*|</?[A-Z][^>]*>)\s*$`)
)

// split cuts a page at its headings. A heading inside a fence is text.
func split(name, page string) []Passage {
	lines := strings.Split(strings.ReplaceAll(withoutFrontMatter(page), "\r\n", "\n"), "\n")
	var (
		found  []Passage
		trail  [6]string
		body   []string
		fence  string // what closes the open one
		titled = strings.TrimSuffix(path.Base(name), path.Ext(name))
	)
	end := func() {
		var headings []string
		for _, h := range trail {
			if h != "" {
				headings = append(headings, h)
			}
		}
		if len(headings) == 0 {
			headings = []string{titled}
		}
		for _, text := range pieces(body) {
			found = append(found, Passage{name, strings.Join(headings, " > "), text})
		}
		body = nil
	}
	for _, line := range lines {
		if m := fenceLine.FindStringSubmatch(line); m != nil {
			switch {
			case fence == "":
				fence = m[1]
			case m[1][0] == fence[0] && len(m[1]) >= len(fence) && strings.TrimSpace(line) == m[1]:
				fence = ""
			}
			body = append(body, line)
			continue
		}
		if fence == "" {
			if m := headingLine.FindStringSubmatch(line); m != nil {
				end()
				level := len(m[1])
				trail[level-1] = strings.TrimSpace(strings.TrimRight(strings.TrimSpace(m[2]), "#"))
				clear(trail[level:])
				continue
			}
			if path.Ext(name) == ".mdx" && componentLine.MatchString(line) {
				continue
			}
		}
		body = append(body, line)
	}
	end()
	return found
}

// withoutFrontMatter takes the block between --- lines at the top off.
func withoutFrontMatter(page string) string {
	rest, ok := strings.CutPrefix(page, "---\n")
	if !ok {
		return page
	}
	if _, after, ok := strings.Cut(rest, "\n---\n"); ok {
		return after
	}
	return page
}

// pieces joins lines to texts no longer than maxPassage, as far as blank lines allow.
func pieces(lines []string) []string {
	text := strings.Trim(strings.Join(lines, "\n"), "\n")
	if strings.TrimSpace(text) == "" {
		return nil
	}
	if len(text) <= maxPassage {
		return []string{text}
	}
	var out []string
	var piece string
	for _, part := range strings.Split(text, "\n\n") {
		if piece != "" && len(piece)+2+len(part) > maxPassage {
			out = append(out, piece)
			piece = ""
		}
		if piece != "" {
			piece += "\n\n"
		}
		piece += part
	}
	return append(out, piece)
}
