package visibility

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/quartet-mcp/quartet/mcpkit/nearest"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"
	"github.com/quartet-mcp/quartet/pretensor/internal/yamldoc"
)

const (
	maxPatterns  = 100_000 // that are read, those of aliases each time they are used
	maxErrors    = 20      // that are reported
	maxNearest   = 3
	maxListed    = 5
	maxQuoted    = 80 // bytes of a value in a message
	profilesKey  = "profiles"
	aliasMessage = "the alias has no anchor"
)

// Load reads the rules of a file for one of its profiles; empty means the base rules
// alone. Without a file everything is visible, unless it is required or a profile is
// asked for. Errors name the file without its folder.
func Load(path, profile string, required bool) (*Rules, error) {
	file := filepath.Base(path)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && required:
		return nil, fmt.Errorf("the visibility file %s does not exist", file)
	case errors.Is(err, fs.ErrNotExist) && profile != "":
		return nil, fmt.Errorf("profile %q is not known: there is no visibility file %s", quotable(profile), file)
	case errors.Is(err, fs.ErrNotExist):
		return &Rules{}, nil
	case err == nil && !info.Mode().IsRegular():
		return nil, fmt.Errorf("the visibility file %s is not a file", file)
	case err == nil && info.Size() > yamldoc.MaxSize:
		return nil, fmt.Errorf("the visibility file %s has %d bytes, at most %d are read; globs such as shop::sales.* say more in less", file, info.Size(), yamldoc.MaxSize)
	}
	text, err := state.Read(path)
	if err != nil {
		return nil, fmt.Errorf("the visibility file %s cannot be read; check who may", file)
	}
	f, err := parse(file+":", string(text))
	if err != nil {
		return nil, err
	}
	r, err := f.Rules(profile)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return r, nil
}

// Parse reads the text of a file. The error says, line by line, what is wrong.
func Parse(text string) (*File, error) { return parse("line ", text) }

// Rules are the base rules with those of a profile, which is empty for the base
// rules alone. An unknown profile is an error.
func (f *File) Rules(profile string) (*Rules, error) {
	if profile == "" {
		return newRules(f.base), nil
	}
	own, ok := f.profiles[profile]
	if !ok {
		known := f.Profiles()
		message := fmt.Sprintf("profile %q is not known", quotable(profile))
		switch near := nearest.Find(profile, known, maxNearest); {
		case len(known) == 0:
			message += "; there are no profiles"
		case len(near) > 0:
			message += "; did you mean " + list(near) + "?"
		default:
			message += "; known are " + list(known)
		}
		return nil, errors.New(message)
	}
	all := maps.Clone(f.base)
	for k, patterns := range own {
		all[k] = slices.Concat(all[k], patterns)
	}
	return newRules(all), nil
}

func list(names []string) string {
	quoted := make([]string, 0, maxListed)
	for _, n := range names[:min(len(names), maxListed)] {
		quoted = append(quoted, fmt.Sprintf("%q", quotable(n)))
	}
	text := strings.Join(quoted, ", ")
	if more := len(names) - maxListed; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func quotable(s string) string {
	if len(s) > maxQuoted {
		return strings.ToValidUTF8(s[:maxQuoted], "") + "…"
	}
	return s
}

// decoder reads one text and collects what is wrong with it.
type decoder struct {
	where    string // before the line of a fault
	doc      *yamldoc.Document
	faults   []fault
	patterns int
}

type fault struct {
	line int
	text string
}

func parse(where, text string) (*File, error) {
	d := &decoder{where: where}
	f := &File{base: lists{}, profiles: map[string]lists{}}
	doc, err := yamldoc.Parse(strings.TrimPrefix(text, "\ufeff"))
	if err != nil {
		d.yaml(err)
		return nil, d.err()
	}
	if d.doc = doc; doc.Body != nil {
		d.file(doc.Body, f)
	}
	if len(d.faults) > 0 {
		return nil, d.err()
	}
	return f, nil
}

// yaml notes a fault of the YAML.
func (d *decoder) yaml(err *yamldoc.Error) {
	message := err.Message
	if message == aliasMessage {
		message += "; a pattern that begins with * must be in quotes"
	}
	d.faults = append(d.faults, fault{max(1, err.Line), message})
}

func (d *decoder) fail(n ast.Node, format string, args ...any) {
	line := 1
	if t := yamldoc.Start(n); t != nil && t.Position != nil {
		line = t.Position.Line
	}
	d.faults = append(d.faults, fault{line, fmt.Sprintf(format, args...)})
}

// err is one error of all faults, in the order of their lines.
func (d *decoder) err() error {
	slices.SortStableFunc(d.faults, func(a, b fault) int { return cmp.Compare(a.line, b.line) })
	var errs []error
	for i, f := range d.faults {
		if i == maxErrors {
			errs = append(errs, fmt.Errorf("there are %d more errors", len(d.faults)-maxErrors))
			break
		}
		errs = append(errs, fmt.Errorf("%s%d: %s", d.where, f.line, f.text))
	}
	return errors.Join(errs...)
}

// plain takes tags, anchors and aliases away; nil where nothing is left, which has
// been noted if that is a fault.
func (d *decoder) plain(n ast.Node) ast.Node {
	plain, err := d.doc.Plain(n)
	if err != nil {
		d.yaml(err)
	}
	return plain
}

// file reads the whole document.
func (d *decoder) file(n ast.Node, f *File) {
	d.rules(n, "the file", f.base, func(value ast.Node) {
		d.mapping(value, profilesKey, func(name string, key, rules ast.Node) {
			if name == "" {
				d.fail(key, "a profile has an empty name")
				return
			}
			f.profiles[name] = lists{}
			d.rules(rules, fmt.Sprintf("profile %q", quotable(name)), f.profiles[name], nil)
		})
	})
}

// rules reads a mapping of lists. profiles reads the profiles, nil where there can be
// none.
func (d *decoder) rules(n ast.Node, what string, into lists, profiles func(ast.Node)) {
	known := listKeys
	if profiles != nil {
		known = append(slices.Clone(listKeys), profilesKey)
	}
	d.mapping(n, what, func(name string, key, value ast.Node) {
		switch {
		case name == profilesKey && profiles != nil:
			profiles(value)
		case slices.Contains(listKeys, name):
			into[name] = d.list(name, value)
		default:
			message := "known are " + strings.Join(known, ", ")
			if near := nearest.Find(name, known, 1); len(near) > 0 {
				message = fmt.Sprintf("did you mean %q?", near[0])
			}
			d.fail(key, "unknown key %q in %s; %s", quotable(name), what, message)
		}
	})
}

// mapping reads each pair of a mapping.
func (d *decoder) mapping(n ast.Node, what string, read func(name string, key, value ast.Node)) {
	plain := d.plain(n)
	if plain == nil && n != nil {
		return // noted
	}
	pairs, ok := yamldoc.Pairs(plain)
	if !ok {
		d.fail(n, "%s must be a mapping of keys to values; {} is one without any", what)
		return
	}
	seen := map[string]bool{}
	for _, p := range pairs {
		name := yamldoc.Key(p)
		if seen[name] {
			d.fail(p.Key, "key %q stands here a second time", quotable(name))
			continue
		}
		seen[name] = true
		read(name, p.Key, p.Value)
	}
}

// list reads a list of patterns. Nothing in the place of a list is a fault: an empty
// list of what is allowed would allow all.
func (d *decoder) list(key string, n ast.Node) []string {
	plain := d.plain(n)
	if plain == nil && n != nil {
		return nil // noted
	}
	seq, ok := plain.(*ast.SequenceNode)
	if !ok {
		d.fail(n, "%s must be a list of patterns in quotes, such as [\"tmp_*\"]; [] is one without any", key)
		return nil
	}
	out := make([]string, 0, len(seq.Values))
	for _, v := range seq.Values {
		if d.patterns++; d.patterns > maxPatterns {
			if d.patterns == maxPatterns+1 {
				d.fail(v, "there are more than %d patterns; globs such as shop::sales.* say more in less", maxPatterns)
			}
			return out
		}
		if p, ok := d.pattern(key, v); ok {
			out = append(out, p)
		}
	}
	return out
}

// lastOf is what the patterns of a list are for.
var lastOf = map[string]place{hiddenSchemas: schema, allowedSchemas: schema, hiddenTables: table, allowedTables: table, hiddenColumns: column}

func (d *decoder) pattern(key string, n ast.Node) (string, bool) {
	if tag, ok := n.(*ast.TagNode); ok && !strings.HasPrefix(tag.Start.Value, "!!") {
		d.fail(n, "an item of %s begins with !, which is a tag; put it in quotes, as %q", key, Nothing)
		return "", false
	}
	plain := d.plain(n)
	if plain == nil && n != nil {
		return "", false // noted
	}
	var text string
	switch x := plain.(type) {
	case *ast.StringNode:
		text = x.Value
	case *ast.LiteralNode:
		text = x.Value.Value
	case *ast.NullNode: // a tag without a value is one, too
		d.fail(n, "an item of %s is empty; a pattern stands in quotes, such as \"tmp_*\" or %q", key, Nothing)
		return "", false
	default:
		if s, ok := yamldoc.Scalar(plain); ok {
			d.fail(n, "an item of %s is not a text; put it in quotes, as %q", key, quotable(s))
		} else {
			d.fail(n, "an item of %s must be one pattern in quotes, such as \"tmp_*\"", key)
		}
		return "", false
	}
	if text == Nothing {
		return text, true
	}
	if key == hiddenTypes {
		return d.tableType(text, n)
	}
	if _, err := split(text, lastOf[key]); err != nil {
		d.fail(n, "the pattern %q of %s %v", quotable(text), key, err)
		return "", false
	}
	return text, true
}

var tableTypes = []string{model.BaseTable, model.PartitionedTable, model.View, model.MaterializedView, model.ForeignTable, model.ExternalTable}

// tableType checks a pattern for types: one that is no type would hide nothing.
func (d *decoder) tableType(text string, n ast.Node) (string, bool) {
	g, err := newGlob(foldType(text))
	if err != nil {
		d.fail(n, "the pattern %q of %s %v", quotable(text), hiddenTypes, err)
		return "", false
	}
	if slices.ContainsFunc(tableTypes, g.match) {
		return foldType(text), true
	}
	message := "known are " + strings.Join(tableTypes, ", ")
	if near := nearest.Find(foldType(text), tableTypes, 1); len(near) > 0 {
		message = fmt.Sprintf("did you mean %q?", near[0])
	}
	d.fail(n, "%q of %s is no type of table; %s", quotable(text), hiddenTypes, message)
	return "", false
}
