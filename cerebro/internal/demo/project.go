package demo

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v4"
)

// Project is the dbt project as read from its files.
type Project struct {
	// Models are in the order in which they can be built.
	Models    []*Model
	Tables    []*Table // of the source
	Semantics []*SemanticModel
	Metrics   []*Metric
	// Vars are those of dbt_project.yml.
	Vars map[string]any

	source       *yamlSource
	exposures    []*yamlExposure
	docs         []*docBlock
	tests        []*Test
	materialized string
}

// Model is a model with its SQL.
type Model struct {
	Name, Description string
	Config            yamlConfig
	Columns           []*Column
	TimeSpine         struct {
		Column string `yaml:"standard_granularity_column"`
	} `yaml:"time_spine"`

	// Folder is the module; SQL is the text with its templates.
	Folder string `yaml:"-"`
	SQL    string `yaml:"-"`

	file    string // of the YAML
	docs    []string
	refs    []string // models that the SQL reads, sorted
	sources []string // tables of the source that the SQL reads, sorted
}

// View says that the model is made as a view.
func (m *Model) View() bool { return m.Config.Materialized == "view" }

// Table is a table of the source.
type Table struct {
	Name, Description string
	LoadedAt          string `yaml:"loaded_at_field"`
	Config            yamlConfig
	Columns           []*Column

	docs []string
}

type docBlock struct{ name, text, file string }

// Open reads the project. It is read once; the result must not be changed.
var Open = sync.OnceValues(func() (*Project, error) { return read(project()) })

func read(folder fs.FS) (*Project, error) {
	p := &Project{}
	var config yamlProject
	if err := load(folder, "dbt_project.yml", &config); err != nil {
		return nil, err
	}
	p.Vars, p.materialized = config.Vars, config.Models[Name]["+materialized"]
	sql := map[string]*Model{}
	err := fs.WalkDir(folder, "models", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		switch path.Ext(name) {
		case ".sql":
			text, err := fs.ReadFile(folder, name)
			base := strings.TrimSuffix(path.Base(name), ".sql")
			sql[base] = &Model{Folder: path.Base(path.Dir(name)), SQL: string(text)}
			return err
		case ".md":
			return p.readDocs(folder, name)
		default:
			return p.readYAML(folder, name)
		}
	})
	if err != nil {
		return nil, err
	}
	for _, m := range p.Models {
		file, ok := sql[m.Name]
		if !ok {
			return nil, fmt.Errorf("%s: model %q has no SQL", m.file, m.Name)
		}
		delete(sql, m.Name)
		m.Folder, m.SQL = file.Folder, file.SQL
		m.Config.Materialized = cmp.Or(m.Config.Materialized, p.materialized)
	}
	if len(sql) > 0 {
		return nil, fmt.Errorf("models without YAML: %v", slices.Sorted(maps.Keys(sql)))
	}
	return p, p.link()
}

// load reads a YAML file into a value that has a field for each of its keys.
func load(folder fs.FS, name string, into any) error {
	text, err := fs.ReadFile(folder, name)
	if err != nil {
		return err
	}
	if err := yaml.Load(bytes.TrimSpace(text), into, yaml.WithKnownFields()); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func (p *Project) readYAML(folder fs.FS, name string) error {
	var f yamlFile
	if err := load(folder, name, &f); err != nil {
		return err
	}
	for _, s := range f.Sources {
		p.source, p.Tables = s, s.Tables
	}
	for _, m := range f.Models {
		m.file = name
	}
	for _, e := range f.Exposures {
		e.file = name
	}
	for _, s := range f.SemanticModels {
		s.file = name
	}
	for _, m := range f.Metrics {
		m.file = name
	}
	p.Models = append(p.Models, f.Models...)
	p.exposures = append(p.exposures, f.Exposures...)
	p.Semantics = append(p.Semantics, f.SemanticModels...)
	p.Metrics = append(p.Metrics, f.Metrics...)
	return nil
}

var docsPattern = regexp.MustCompile(`(?s)\{% docs (\w+) %\}(.*?)\{% enddocs %\}`)

func (p *Project) readDocs(folder fs.FS, name string) error {
	text, err := fs.ReadFile(folder, name)
	for _, m := range docsPattern.FindAllStringSubmatch(string(text), -1) {
		p.docs = append(p.docs, &docBlock{m[1], strings.TrimSpace(m[2]), name})
	}
	return err
}

// template is what SQL and descriptions may hold: ref, source and doc.
var template = regexp.MustCompile(`\{\{\s*(\w+)\('(\w+)'(?:,\s*'(\w+)')?\)\s*\}\}`)

// refPattern is a ref outside of a template, as YAML names models.
var refPattern = regexp.MustCompile(`^ref\('(\w+)'\)$`)

func (p *Project) link() error {
	if err := p.describe(); err != nil {
		return err
	}
	for _, m := range p.Models {
		for _, t := range template.FindAllStringSubmatch(m.SQL, -1) {
			switch t[1] {
			case "ref":
				parent := p.Model(t[2])
				if parent == nil {
					return fmt.Errorf("model %q reads %q, which is no model", m.Name, t[2])
				}
				m.refs = append(m.refs, t[2])
			case "source":
				if p.Table(t[3]) == nil {
					return fmt.Errorf("model %q reads %q, which is no table of the source", m.Name, t[3])
				}
				m.sources = append(m.sources, t[3])
			default:
				return fmt.Errorf("model %q: template %q is not known", m.Name, t[0])
			}
		}
		m.refs, m.sources = compact(m.refs), compact(m.sources)
	}
	slices.SortFunc(p.Models, func(a, b *Model) int { return strings.Compare(a.Name, b.Name) })
	if err := p.order(); err != nil {
		return err
	}
	for _, s := range p.Semantics {
		name, err := refName(s.ModelRef)
		if err != nil {
			return err
		}
		if s.Model = p.Model(name); s.Model == nil {
			return fmt.Errorf("semantic model %q is of %q, which is no model", s.Name, name)
		}
	}
	slices.SortFunc(p.Semantics, func(a, b *SemanticModel) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(p.Metrics, func(a, b *Metric) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(p.Tables, func(a, b *Table) int { return strings.Compare(a.Name, b.Name) })
	return p.makeTests()
}

func compact(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

func refName(ref string) (string, error) {
	m := refPattern.FindStringSubmatch(ref)
	if m == nil {
		return "", fmt.Errorf("%q is not a ref", ref)
	}
	return m[1], nil
}

// order sorts models so that each stands behind those it reads.
func (p *Project) order() error {
	var out []*Model
	state := map[*Model]int{} // 1 on the way, 2 done
	var visit func(m *Model) error
	visit = func(m *Model) error {
		switch state[m] {
		case 1:
			return fmt.Errorf("model %q reads itself", m.Name)
		case 2:
			return nil
		}
		state[m] = 1
		for _, name := range m.refs {
			if err := visit(p.Model(name)); err != nil {
				return err
			}
		}
		state[m] = 2
		out = append(out, m)
		return nil
	}
	for _, m := range p.Models {
		if err := visit(m); err != nil {
			return err
		}
	}
	p.Models = out
	return nil
}

// Model finds a model by name, nil if there is none.
func (p *Project) Model(name string) *Model {
	if i := slices.IndexFunc(p.Models, func(m *Model) bool { return m.Name == name }); i >= 0 {
		return p.Models[i]
	}
	return nil
}

// Table finds a table of the source by name, nil if there is none.
func (p *Project) Table(name string) *Table {
	if i := slices.IndexFunc(p.Tables, func(t *Table) bool { return t.Name == name }); i >= 0 {
		return p.Tables[i]
	}
	return nil
}

// describe puts blocks of documentation into descriptions, and keeps which.
func (p *Project) describe() error {
	var missing error
	fill := func(text *string) (used []string) {
		*text = template.ReplaceAllStringFunc(*text, func(t string) string {
			name := template.FindStringSubmatch(t)[2]
			i := slices.IndexFunc(p.docs, func(d *docBlock) bool { return d.name == name })
			if i < 0 {
				missing = fmt.Errorf("there is no block of documentation named %q", name)
				return t
			}
			used = append(used, docID(name))
			return p.docs[i].text
		})
		*text = strings.TrimSpace(*text)
		return used
	}
	columns := func(cs []*Column) {
		for _, c := range cs {
			c.docs = fill(&c.Description)
		}
	}
	for _, m := range p.Models {
		m.docs = fill(&m.Description)
		columns(m.Columns)
	}
	for _, t := range p.Tables {
		t.docs = fill(&t.Description)
		columns(t.Columns)
	}
	for _, s := range p.Semantics {
		fill(&s.Description)
		for i := range s.Dimensions {
			fill(&s.Dimensions[i].Description)
		}
		for i := range s.Measures {
			fill(&s.Measures[i].Description)
		}
	}
	for _, m := range p.Metrics {
		fill(&m.Description)
	}
	return missing
}

// Compile renders the model's SQL; relation gives the text for a relation, such
// as [QualifiedName].
func (p *Project) Compile(m *Model, relation func(schema, name string) string) string {
	return strings.TrimSpace(template.ReplaceAllStringFunc(m.SQL, func(t string) string {
		s := template.FindStringSubmatch(t)
		if s[1] == "source" {
			return relation(p.source.Schema, s[3])
		}
		return relation(Schema, s[2])
	}))
}

// FullName is a relation with its database, as dbt writes it.
func FullName(schema, name string) string { return `"` + Database + `".` + QualifiedName(schema, name) }

// QualifiedName is a relation without its database. Views are made with it, so
// that they hold in a copy of the file under another name.
func QualifiedName(schema, name string) string { return `"` + schema + `"."` + name + `"` }

// Files is the project itself: dbt_project.yml and the folder models.
func Files() fs.FS { return project() }
