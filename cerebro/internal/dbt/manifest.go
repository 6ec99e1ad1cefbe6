package dbt

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Versions of the manifest's schema that can be read.
const (
	OldestManifest = 4
	NewestManifest = 12
)

// ErrNotAManifest is what [ReadManifest] wraps for JSON that is not a manifest of dbt.
var ErrNotAManifest = errors.New("not a dbt manifest")

// ReadManifest reads manifest.json. A text that ends too early, is no JSON or is
// of a version that is not known gives an error and no project.
func ReadManifest(r io.Reader) (*Project, error) {
	p := &Project{}
	parents := map[string][]string{}
	seen := false
	err := object(r, func(d *json.Decoder, key string) error {
		switch key {
		case "metadata":
			seen = true
			return p.metadata(d)
		case "nodes":
			return entries(d, func(id string, raw json.RawMessage) error { return p.node(id, raw) })
		case "sources":
			return entries(d, func(id string, raw json.RawMessage) error { return p.node(id, raw) })
		case "exposures":
			return entries(d, func(id string, raw json.RawMessage) error { return p.exposure(id, raw) })
		case "docs":
			return entries(d, func(id string, raw json.RawMessage) error { return p.doc(id, raw) })
		case "metrics":
			return entries(d, func(id string, raw json.RawMessage) error { return p.metric(id, raw) })
		case "semantic_models":
			return entries(d, func(id string, raw json.RawMessage) error { return p.semanticModel(id, raw) })
		case "saved_queries":
			return entries(d, func(_ string, raw json.RawMessage) error { return p.Semantics.savedQuery(raw) })
		case "parent_map":
			return d.Decode(&parents)
		}
		return skip(d)
	})
	if err != nil {
		return nil, err
	}
	if !seen || p.SchemaVersion == 0 {
		return nil, fmt.Errorf("%w: it has no metadata.dbt_schema_version", ErrNotAManifest)
	}
	for _, n := range p.Nodes {
		if up, ok := parents[n.ID]; ok {
			n.Parents = up
		}
		n.Parents = slices.DeleteFunc(n.Parents, func(id string) bool { return !isNode(id) })
		slices.Sort(n.Parents)
		n.Parents = slices.Compact(n.Parents)
	}
	p.sort()
	p.link()
	return p, nil
}

func (p *Project) sort() {
	slices.SortFunc(p.Nodes, func(a, b *Node) int { return strings.Compare(a.ID, b.ID) })
	slices.SortFunc(p.Tests, func(a, b *Test) int { return strings.Compare(a.ID, b.ID) })
	slices.SortFunc(p.Exposures, func(a, b *Exposure) int { return strings.Compare(a.ID, b.ID) })
	slices.SortFunc(p.Docs, func(a, b *Doc) int { return strings.Compare(a.ID, b.ID) })
	slices.Sort(p.OldMetrics)
	p.Semantics.sort()
}

// object reads one JSON object and gives each member to a function, which has to
// consume its value.
func object(r io.Reader, member func(d *json.Decoder, key string) error) error {
	d := json.NewDecoder(bufio.NewReaderSize(r, 1<<16))
	if err := open(d); err != nil {
		return err
	}
	for d.More() {
		key, err := name(d)
		if err != nil {
			return err
		}
		if err := member(d, key); err != nil {
			return fmt.Errorf("reading %q: %w", key, cut(err))
		}
	}
	if _, err := d.Token(); err != nil {
		return cut(err)
	}
	if _, err := d.Token(); err != io.EOF { //nolint:errorlint // Token gives io.EOF itself
		return errors.New("something follows the end of the JSON object")
	}
	return nil
}

// entries reads an object of objects, or null.
func entries(d *json.Decoder, each func(key string, raw json.RawMessage) error) error {
	t, err := d.Token()
	if err != nil {
		return err
	}
	if t == nil {
		return nil
	}
	if t != json.Delim('{') {
		return fmt.Errorf("%v where an object should stand", t)
	}
	for d.More() {
		key, err := name(d)
		if err != nil {
			return err
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return err
		}
		if err := each(key, raw); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	_, err = d.Token()
	return err
}

// skip passes over a value of any size without keeping it.
func skip(d *json.Decoder) error {
	depth := 0
	for {
		t, err := d.Token()
		if err != nil {
			return err
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}

func open(d *json.Decoder) error {
	t, err := d.Token()
	if err != nil {
		return cut(err)
	}
	if t != json.Delim('{') {
		return fmt.Errorf("%w: it does not start with an object", ErrNotAManifest)
	}
	return nil
}

func name(d *json.Decoder) (string, error) {
	t, err := d.Token()
	if err != nil {
		return "", cut(err)
	}
	s, ok := t.(string)
	if !ok {
		return "", fmt.Errorf("%v where a name should stand", t)
	}
	return s, nil
}

// cut says plainly that a file ends too early, as one does while dbt writes it.
func cut(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the file ends in the middle")
	}
	return err
}

func (p *Project) metadata(d *json.Decoder) error {
	var m struct {
		Schema  string `json:"dbt_schema_version"`
		Project string `json:"project_name"`
		Adapter string `json:"adapter_type"`
	}
	if err := d.Decode(&m); err != nil {
		return err
	}
	kind, version, ok := schemaVersion(m.Schema)
	switch {
	case !ok || kind != "manifest":
		return fmt.Errorf("%w: dbt_schema_version is %q", ErrNotAManifest, m.Schema)
	case version < OldestManifest || version > NewestManifest:
		return fmt.Errorf("its schema version is %d; versions %d to %d can be read", version, OldestManifest, NewestManifest)
	}
	p.SchemaVersion, p.Name, p.Adapter = version, m.Project, m.Adapter
	return nil
}

// schemaVersion reads https://schemas.getdbt.com/dbt/manifest/v12.json.
func schemaVersion(s string) (kind string, version int, ok bool) {
	dir, file := path.Split(s)
	kind = path.Base(dir)
	v, found := strings.CutPrefix(strings.TrimSuffix(file, ".json"), "v")
	version, err := strconv.Atoi(v)
	return kind, version, found && err == nil
}

// jsonNode is what a node of the manifest has in any version.
type jsonNode struct {
	ResourceType string          `json:"resource_type"`
	Package      string          `json:"package_name"`
	Name         string          `json:"name"`
	Version      any             `json:"version"`
	Database     string          `json:"database"`
	Schema       string          `json:"schema"`
	Alias        string          `json:"alias"`
	Identifier   string          `json:"identifier"`
	Description  string          `json:"description"`
	Path         string          `json:"original_file_path"`
	FQN          []string        `json:"fqn"`
	Tags         []string        `json:"tags"`
	Meta         json.RawMessage `json:"meta"`
	Group        string          `json:"group"`
	Config       struct {
		Materialized string          `json:"materialized"`
		Meta         json.RawMessage `json:"meta"`
		Severity     string          `json:"severity"`
		Freshness    *jsonFreshness  `json:"freshness"`
		LoadedAt     string          `json:"loaded_at_field"`
		Group        string          `json:"group"`
	} `json:"config"`
	Columns map[string]struct {
		Name        string          `json:"name"`
		Type        string          `json:"data_type"`
		Description string          `json:"description"`
		Tags        []string        `json:"tags"`
		Meta        json.RawMessage `json:"meta"`
		Config      struct {
			Meta json.RawMessage `json:"meta"`
		} `json:"config"`
	} `json:"columns"`
	// Older manifests say raw_sql and compiled_sql.
	RawCode     string `json:"raw_code"`
	RawSQL      string `json:"raw_sql"`
	Compiled    string `json:"compiled_code"`
	CompiledSQL string `json:"compiled_sql"`
	DependsOn   struct {
		Nodes []string `json:"nodes"`
	} `json:"depends_on"`
	Freshness *jsonFreshness `json:"freshness"`
	LoadedAt  string         `json:"loaded_at_field"`

	// Of tests.
	Column       string `json:"column_name"`
	Attached     string `json:"attached_node"`
	TestMetadata *struct {
		Name   string          `json:"name"`
		Kwargs json.RawMessage `json:"kwargs"`
	} `json:"test_metadata"`
}

type jsonFreshness struct {
	Warn  *jsonPeriod `json:"warn_after"`
	Error *jsonPeriod `json:"error_after"`
}

type jsonPeriod struct {
	Count  float64 `json:"count"`
	Period string  `json:"period"`
}

func (p *jsonPeriod) hours() float64 {
	if p == nil {
		return 0
	}
	switch p.Period {
	case "minute":
		return p.Count / 60
	case "hour":
		return p.Count
	case "day":
		return p.Count * 24
	}
	return 0
}

func (f *jsonFreshness) freshness() *Freshness {
	if f == nil {
		return nil
	}
	out := Freshness{WarnHours: f.Warn.hours(), ErrorHours: f.Error.hours()}
	if out == (Freshness{}) {
		return nil
	}
	return &out
}

var kinds = map[string]Kind{"model": Model, "source": Source, "seed": CSV, "snapshot": Snapshot}

// isNode says whether an id is one of a node that the project keeps.
func isNode(id string) bool {
	kind, _, _ := strings.Cut(id, ".")
	return kinds[kind] != ""
}

func (p *Project) node(id string, raw json.RawMessage) error {
	var j jsonNode
	if err := json.Unmarshal(raw, &j); err != nil {
		return err
	}
	if j.ResourceType == "test" {
		p.test(id, &j)
		return nil
	}
	kind, ok := kinds[j.ResourceType]
	if !ok {
		return nil // analyses, operations and whatever dbt adds
	}
	n := &Node{
		ID: id, Kind: kind, Package: j.Package, Name: j.Name, Description: strings.TrimSpace(j.Description),
		Relation:     Relation{j.Database, j.Schema, first(j.Identifier, j.Alias, j.Name)},
		Materialized: j.Config.Materialized, Tags: j.Tags, Path: strings.ReplaceAll(j.Path, `\`, "/"),
		RawSQL: first(j.RawCode, j.RawSQL), CompiledSQL: first(j.Compiled, j.CompiledSQL), Parents: j.DependsOn.Nodes,
		LoadedAt: first(j.Config.LoadedAt, j.LoadedAt), Rows: -1, Bytes: -1,
	}
	if j.Version != nil {
		n.Version = fmt.Sprint(j.Version)
	}
	slices.Sort(n.Tags)
	n.Meta, n.Owner = metaOf(j.Meta, j.Config.Meta)
	n.Owner = first(n.Owner, j.Group, j.Config.Group)
	n.Module = first(n.Meta.Text(MetaModule), module(n.Path, j.FQN))
	n.Freshness = first(j.Config.Freshness.freshness(), j.Freshness.freshness(), freshnessOf(n.Meta.Object(MetaFreshness)))
	for key, c := range j.Columns {
		col := &Column{Name: first(c.Name, key), Type: c.Type, Description: strings.TrimSpace(c.Description), Tags: c.Tags}
		slices.Sort(col.Tags)
		col.Meta, _ = metaOf(c.Meta, c.Config.Meta)
		n.Columns = append(n.Columns, col)
	}
	// The order in which columns are documented is lost in a JSON object that is
	// read into a map; the catalog gives the table's own order later.
	slices.SortFunc(n.Columns, func(a, b *Column) int { return strings.Compare(a.Name, b.Name) })
	p.Nodes = append(p.Nodes, n)
	return nil
}

// freshnessOf reads meta.cerebro.freshness {warn_hours, error_hours}.
func freshnessOf(m Meta) *Freshness {
	var f Freshness
	f.WarnHours, _ = m.Number("warn_hours")
	f.ErrorHours, _ = m.Number("error_hours")
	if f == (Freshness{}) {
		return nil
	}
	return &f
}

// module is the first folder below the one of models, or below the package in the node's qualified name.
func module(file string, fqn []string) string {
	if parts := strings.Split(file, "/"); len(parts) > 2 {
		return parts[1]
	}
	if len(fqn) > 2 {
		return fqn[1]
	}
	return ""
}

// first is the first value that is not zero.
func first[T comparable](values ...T) T {
	var zero T
	for _, v := range values {
		if v != zero {
			return v
		}
	}
	return zero
}

func (p *Project) test(id string, j *jsonNode) {
	t := &Test{ID: id, Name: j.Name, Node: j.Attached, Column: j.Column, Severity: strings.ToLower(j.Config.Severity)}
	if t.Severity == "" {
		t.Severity = "error"
	}
	if m := j.TestMetadata; m != nil {
		t.Name = m.Name
		var k struct {
			Column string `json:"column_name"`
			To     string `json:"to"`
			Field  string `json:"field"`
			Model  string `json:"model"`
		}
		if json.Unmarshal(m.Kwargs, &k) == nil {
			t.Column = first(t.Column, k.Column)
			t.To, t.Field = reference(k.To), k.Field
			t.of = reference(k.Model)
		}
	}
	p.Tests = append(p.Tests, t)
}

var referenceCall = regexp.MustCompile(`\b(?:ref|source)\(([^()]*)\)`)

// reference takes the name out of ref('orders') or source('shop', 'orders'),
// which may stand inside of another call.
func reference(s string) string {
	m := referenceCall.FindStringSubmatch(s)
	if m == nil {
		return ""
	}
	args := strings.Split(m[1], ",")
	return strings.Trim(strings.TrimSpace(args[len(args)-1]), `'"`)
}

func (p *Project) exposure(id string, raw json.RawMessage) error {
	var j struct {
		Name        string   `json:"name"`
		Label       string   `json:"label"`
		Type        string   `json:"type"`
		Owner       any      `json:"owner"`
		URL         string   `json:"url"`
		Description string   `json:"description"`
		Tags        []string `json:"tags"`
		DependsOn   struct {
			Nodes []string `json:"nodes"`
		} `json:"depends_on"`
	}
	if err := json.Unmarshal(raw, &j); err != nil {
		return err
	}
	slices.Sort(j.DependsOn.Nodes)
	slices.Sort(j.Tags)
	p.Exposures = append(p.Exposures, &Exposure{
		ID: id, Name: j.Name, Label: j.Label, Type: j.Type, Owner: ownerName(j.Owner), URL: j.URL,
		Description: strings.TrimSpace(j.Description), DependsOn: j.DependsOn.Nodes, Tags: j.Tags,
	})
	return nil
}

func (p *Project) doc(id string, raw json.RawMessage) error {
	var j struct {
		Package string `json:"package_name"`
		Name    string `json:"name"`
		Text    string `json:"block_contents"`
	}
	if err := json.Unmarshal(raw, &j); err != nil {
		return err
	}
	// dbt's own welcome page is in every project and says nothing of it.
	if j.Package == "dbt" && j.Name == "__overview__" {
		return nil
	}
	p.Docs = append(p.Docs, &Doc{ID: id, Package: j.Package, Name: j.Name, Text: j.Text})
	return nil
}
