package dbt

import (
	"slices"
	"strings"
)

// Project is what the artifacts say. Lists are sorted by unique id and never
// change once read.
type Project struct {
	Name string
	// SchemaVersion is that of the manifest, 4 to 12.
	SchemaVersion int
	// Adapter is the kind of database that dbt ran on, such as duckdb.
	Adapter string

	Nodes     []*Node // models, snapshots, sources and tables loaded from CSV files
	Tests     []*Test
	Exposures []*Exposure
	Docs      []*Doc
	Semantics Semantics
	// OldMetrics are the names of metrics in the form that dbt had before
	// version 1.6. They have no semantic model, so they can be told of and not run.
	OldMetrics []string
	// Meta is meta.cerebro of dbt_project.yml, as far as dbt writes it down:
	// the vars of the semantic configuration.
	Meta map[string]any

	byID   map[string]*Node
	byName map[string][]*Node
}

// Kind says what a node is.
type Kind string

// The kinds of nodes. CSV is what dbt calls a seed.
const (
	Model    Kind = "model"
	Source   Kind = "source"
	CSV      Kind = "csv"
	Snapshot Kind = "snapshot"
)

// Relation names a table or view in the database.
type Relation struct{ Database, Schema, Name string }

func (r Relation) String() string {
	return strings.Join(slices.DeleteFunc([]string{r.Database, r.Schema, r.Name}, func(s string) bool { return s == "" }), ".")
}

// Node is a model, a source, a snapshot or a table loaded from a CSV file.
type Node struct {
	ID          string // unique_id, such as model.shop.orders
	Kind        Kind
	Package     string
	Name        string
	Version     string // of a versioned model, else empty
	Relation    Relation
	Description string
	// Materialized is table, view, incremental, ephemeral, … and empty for sources.
	Materialized string
	Tags         []string
	// Path is relative to the project's folder.
	Path string
	// Module groups nodes: meta.cerebro.module, else the first folder under the models' folder.
	Module string
	Owner  string
	// Meta is meta.cerebro of the node; see [Meta].
	Meta    Meta
	Columns []*Column // in the table's order where the catalog has it, else as documented
	RawSQL  string
	// CompiledSQL is empty where dbt did not compile.
	CompiledSQL string
	// Parents and Children are ids of nodes, sorted.
	Parents, Children []string
	Tests             []*Test // of this node, sorted
	Freshness         *Freshness
	// LoadedAt is the column that a source's freshness is measured by.
	LoadedAt string

	// InCatalog says that catalog.json knows the relation, so it exists.
	InCatalog bool
	// View says that the relation is a view.
	View bool
	// Rows and Bytes are estimates of the catalog, -1 when it has none.
	Rows, Bytes int64
}

// Ephemeral says that the node has no relation in the database.
func (n *Node) Ephemeral() bool { return n.Materialized == "ephemeral" }

// Column finds a column by its name, without regard to case.
func (n *Node) Column(name string) *Column {
	for _, c := range n.Columns {
		if strings.EqualFold(c.Name, name) {
			return c
		}
	}
	return nil
}

// Column is a column of a node.
type Column struct {
	Name        string
	Type        string // the catalog's, else the declared one, else empty
	Description string
	Tags        []string
	Meta        Meta
	Tests       []string // names of generic tests, sorted
	// InCatalog says that the relation has it.
	InCatalog bool
}

// Test is a data test.
type Test struct {
	ID       string
	Name     string // that of the generic test, such as not_null, else its own
	Node     string // id of what is tested
	Column   string // empty for tests of a whole node
	Severity string // error or warn
	// Status and Failures are those of run_results.json; empty when it has none.
	Status   string
	Failures int64
	// To and Field are what a relationships test refers to.
	To, Field string

	of string // name of what is tested, as its call has it
}

// Exposure is a consumer of models outside of dbt, such as a dashboard.
type Exposure struct {
	ID, Name, Label, Type, Owner, URL, Description string
	DependsOn                                      []string
	Tags                                           []string
}

// Doc is a block of documentation.
type Doc struct{ ID, Package, Name, Text string }

// Freshness is how old data may be; zero durations are unset.
type Freshness struct{ WarnHours, ErrorHours float64 }

// Node finds a node by its unique id.
func (p *Project) Node(id string) *Node { return p.byID[id] }

// Named gives the nodes of a name or of a relation's name: models first, then
// snapshots, tables of CSV files and sources. The comparison ignores case.
func (p *Project) Named(name string) []*Node { return p.byName[strings.ToLower(name)] }

// Modules are the names of all modules, sorted.
func (p *Project) Modules() []string {
	seen := map[string]bool{}
	var out []string
	for _, n := range p.Nodes {
		if n.Module != "" && !seen[n.Module] {
			seen[n.Module] = true
			out = append(out, n.Module)
		}
	}
	slices.Sort(out)
	return out
}

var kindOrder = map[Kind]int{Model: 0, Snapshot: 1, CSV: 2, Source: 3}

// link makes the lookup tables. Lists are sorted before.
func (p *Project) link() {
	p.byID = make(map[string]*Node, len(p.Nodes))
	p.byName = make(map[string][]*Node, len(p.Nodes))
	for _, n := range p.Nodes {
		p.byID[n.ID] = n
		names := []string{strings.ToLower(n.Name)}
		if a := strings.ToLower(n.Relation.Name); a != names[0] {
			names = append(names, a)
		}
		for _, name := range names {
			p.byName[name] = append(p.byName[name], n)
		}
	}
	for _, l := range p.byName {
		slices.SortStableFunc(l, func(a, b *Node) int { return kindOrder[a.Kind] - kindOrder[b.Kind] })
	}
	for _, n := range p.Nodes {
		for _, id := range n.Parents {
			if parent := p.byID[id]; parent != nil {
				parent.Children = append(parent.Children, n.ID)
			}
		}
	}
	for _, t := range p.Tests {
		// Before version 9 a test does not give the id of its node.
		if t.Node == "" {
			if named := p.Named(t.of); len(named) > 0 {
				t.Node = named[0].ID
			}
		}
		n := p.byID[t.Node]
		if n == nil {
			continue
		}
		n.Tests = append(n.Tests, t)
		if c := n.Column(t.Column); c != nil {
			c.Tests = append(c.Tests, t.Name)
		}
	}
	for _, n := range p.Nodes {
		slices.Sort(n.Children)
		for _, c := range n.Columns {
			slices.Sort(c.Tests)
		}
	}
}
