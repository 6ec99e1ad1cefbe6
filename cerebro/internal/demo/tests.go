package demo

import (
	"crypto/md5" //nolint:gosec // the names that dbt gives
	"encoding/hex"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Test is a data test of a column. It holds when its SQL gives no row.
type Test struct {
	Name, Kind, Column string
	// SQL is compiled with full names.
	SQL string

	id, file, of       string // of is the id of what is tested
	folder, target     string // folder of the model, name of the tested relation
	args               object
	refs               []string
	sources            []string
	rawTarget, fileKey string
}

// Tests are all tests, sorted by their ids.
func (p *Project) Tests() []*Test { return p.tests }

func (p *Project) makeTests() error {
	for _, m := range p.Models {
		for _, c := range m.Columns {
			for _, spec := range c.Tests {
				t := &Test{
					Kind: spec.name, Column: c.Name, args: spec.args, file: m.file, of: modelID(m.Name), folder: m.Folder,
					target: m.Name, refs: []string{m.Name}, rawTarget: "ref('" + m.Name + "')", fileKey: "models." + m.Name,
				}
				if err := p.finish(t, m.Name, FullName(Schema, m.Name)); err != nil {
					return err
				}
			}
		}
	}
	for _, table := range p.Tables {
		for _, c := range table.Columns {
			for _, spec := range c.Tests {
				t := &Test{
					Kind: spec.name, Column: c.Name, args: spec.args, file: "models/_sources.yml", of: p.sourceID(table.Name), target: table.Name,
					sources: []string{table.Name}, rawTarget: "source('" + p.source.Name + "', '" + table.Name + "')", fileKey: "sources." + p.source.Name,
				}
				if err := p.finish(t, "source_"+p.source.Name+"_"+table.Name, FullName(p.source.Schema, table.Name)); err != nil {
					return err
				}
			}
		}
	}
	slices.SortFunc(p.tests, func(a, b *Test) int { return strings.Compare(a.id, b.id) })
	return nil
}

var toPattern = regexp.MustCompile(`^(ref|source)\('(\w+)'(?:,\s*'(\w+)')?\)$`)

// finish writes the SQL of a test and gives it its name.
func (p *Project) finish(t *Test, target, relation string) error {
	column := t.Column
	switch t.Kind {
	case "not_null":
		t.SQL = fmt.Sprintf("select %s\nfrom %s\nwhere %[1]s is null", column, relation)
	case "unique":
		t.SQL = fmt.Sprintf("select\n    %s as unique_field,\n    count(*) as n_records\nfrom %s\nwhere %[1]s is not null\ngroup by %[1]s\nhaving count(*) > 1", column, relation)
	case "accepted_values":
		values, _ := t.args["values"].([]any)
		var list []string
		for _, v := range values {
			list = append(list, fmt.Sprintf("'%v'", v))
		}
		t.SQL = fmt.Sprintf("select\n    %s as value_field,\n    count(*) as n_records\nfrom %s\ngroup by %[1]s\nhaving %[1]s not in (%[3]s)", column, relation, strings.Join(list, ", "))
	case "relationships":
		to, _ := t.args["to"].(string)
		field, _ := t.args["field"].(string)
		m := toPattern.FindStringSubmatch(to)
		if m == nil {
			return fmt.Errorf("test of %s.%s: %q is neither a ref nor a source", target, column, to)
		}
		parent := FullName(Schema, m[2])
		if m[1] == "source" {
			parent = FullName(p.source.Schema, m[3])
			t.sources = append(t.sources, m[3])
		} else {
			// dbt lists what a relationship leads to before what is tested.
			t.refs = append([]string{m[2]}, t.refs...)
		}
		t.SQL = fmt.Sprintf("select child.%s as from_field\nfrom %s as child\nleft join %s as parent on child.%[1]s = parent.%[4]s\nwhere child.%[1]s is not null and parent.%[4]s is null",
			column, relation, parent, field)
	default:
		return fmt.Errorf("test of %s.%s: kind %q is not known", target, column, t.Kind)
	}
	t.name(target)
	p.tests = append(p.tests, t)
	return nil
}

var unclean = regexp.MustCompile(`[^0-9a-zA-Z_]+`)

// name follows dbt: kind, target and arguments, shortened by a hash beyond 63 characters.
func (t *Test) name(target string) {
	parts := []string{t.Column}
	for _, k := range slices.Sorted(maps.Keys(t.args)) {
		switch v := t.args[k].(type) {
		case []any:
			for _, e := range v {
				parts = append(parts, fmt.Sprint(e))
			}
		default:
			parts = append(parts, fmt.Sprint(v))
		}
	}
	for i, s := range parts {
		parts[i] = unclean.ReplaceAllString(s, "_")
	}
	short := t.Kind + "_" + target
	t.Name = short + "_" + strings.Join(parts, "__")
	if len(t.Name) >= 64 {
		t.Name = short[:min(30, len(short))] + "_" + hexMD5(t.Name)
	}
	sum := hexMD5(t.Name + t.rawTarget + t.Column)
	t.id = "test." + Name + "." + t.Name + "." + sum[len(sum)-10:]
}

func hexMD5(s string) string {
	sum := md5.Sum([]byte(s)) //nolint:gosec // see above
	return hex.EncodeToString(sum[:])
}
