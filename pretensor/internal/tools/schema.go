package tools

import (
	"context"
	"strings"

	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/mcpkit/nearest"
	"github.com/quartet-mcp/quartet/pretensor/internal/graph"
)

// This file defines schema, which says what the graph is made of and how much of it
// there is.

type schemaArgs struct {
	Database string `json:"database" jsonschema:"a connection, as list_databases names it"`
	Label    string `json:"label,omitempty" jsonschema:"one node label or edge type, whatever its case"`
}

type schemaResult struct {
	Nodes []nodeLabel `json:"nodes" jsonschema:"the node labels"`
	Edges []edgeType  `json:"edges" jsonschema:"the edge types"`
	warned
}

type nodeLabel struct {
	Label       string     `json:"label" jsonschema:"name of the label"`
	Description string     `json:"description" jsonschema:"what a node of it stands for"`
	Properties  []property `json:"properties" jsonschema:"what its nodes have, the key first"`
	Count       int        `json:"count" jsonschema:"how many there are"`
}

type edgeType struct {
	Type        string     `json:"type" jsonschema:"name of the type"`
	From        string     `json:"from" jsonschema:"label of the nodes that it starts at"`
	To          string     `json:"to" jsonschema:"label of the nodes that it leads to"`
	Description string     `json:"description" jsonschema:"what an edge of it says"`
	Properties  []property `json:"properties" jsonschema:"what its edges have"`
	Count       int        `json:"count" jsonschema:"how many there are"`
}

type property struct {
	Name string `json:"name" jsonschema:"name of the property"`
	Type string `json:"type" jsonschema:"its type, as the graph engine names it"`
}

func schema(sv *Service) mcpkit.Tool[schemaArgs, schemaResult] {
	return mcpkit.Tool[schemaArgs, schemaResult]{
		Name:  "schema",
		Title: "Describe the graph",
		Description: "Use it before you write a Cypher query: it says what the graph of a database is made of. Returns the node labels and the edge types with their " +
			"properties and how many of each there are, so that you can leave out what is empty. label narrows the answer to one of them. " +
			"It describes the graph, not a table: for that, call context.",
		Hints: readOnly,
		Handle: func(ctx context.Context, in schemaArgs) (schemaResult, error) {
			d, err := sv.open(in.Database)
			if err != nil {
				return schemaResult{}, err
			}
			labels, types := graph.Labels(d.Vectors.Dim), graph.EdgeTypes()
			if in.Label = strings.TrimSpace(in.Label); in.Label != "" {
				l, e := graph.Find(in.Label, d.Vectors.Dim)
				if labels, types = nil, nil; l != nil {
					labels = []graph.Label{*l}
				} else if e != nil {
					types = []graph.EdgeType{*e}
				} else {
					return schemaResult{}, noLabel(in.Label)
				}
			}
			n := d.counts()
			r := schemaResult{Nodes: []nodeLabel{}, Edges: []edgeType{}}
			for _, l := range labels {
				r.Nodes = append(r.Nodes, nodeLabel{l.Name, l.Description, properties(l.Properties), n[l.Name]})
			}
			for _, e := range types {
				r.Edges = append(r.Edges, edgeType{e.Name, e.From, e.To, e.Description, properties(e.Properties), n[e.Name]})
			}
			sv.warnStale(ctx, d)
			return r, nil
		},
	}
}

func properties(list []graph.Property) []property {
	out := make([]property, len(list))
	for i, p := range list {
		out[i] = property(p)
	}
	return out
}

// noLabel explains that a name is none of a label or an edge type.
func noLabel(name string) error {
	var known []string
	for _, l := range graph.Labels(0) {
		known = append(known, l.Name)
	}
	for _, e := range graph.EdgeTypes() {
		known = append(known, e.Name)
	}
	return fault(mcpkit.NotFound, labelNotFound, "Call schema without label for all of them.", nearest.Find(name, known, 3),
		"There is no label or edge type '%s'.", mcpkit.Untrusted(name))
}

// counts says how many nodes of each label and edges of each type the graph of a
// catalog has; what has none may be missing.
func (d database) counts() map[string]int {
	n := map[string]int{
		graph.SchemaTable: d.Len(), graph.SchemaColumn: d.Columns(), graph.Entity: len(d.Entities), graph.Cluster: len(d.Clusters),
		graph.JoinPath:       2 * len(d.Data.Paths), // there and back
		graph.MetricTemplate: len(d.Metrics), graph.ExternalConsumer: len(d.Consumers), graph.GraphMeta: 1,
		graph.HasColumn: d.Columns() - d.Fields(), graph.HasSubcolumn: d.Fields(),
	}
	for i := range d.Edges() {
		if e := d.Edge(i); e.Declared {
			n[graph.FKReferences] += len(e.FromColumns)
		} else {
			n[graph.InferredJoin] += len(e.FromColumns)
		}
	}
	for i := range d.Lineage {
		l := &d.Lineage[i]
		if from, to := d.At(l.FromSchema, l.FromTable), d.At(l.ToSchema, l.ToTable); from >= 0 && to >= 0 && from != to {
			n[graph.Lineage]++
		}
	}
	for i := range d.Entities {
		n[graph.Represents] += len(d.Entities[i].Tables)
	}
	for i := range d.Clusters {
		n[graph.InCluster] += len(d.Clusters[i].Tables)
	}
	for i := range d.Metrics {
		n[graph.MetricDepends] += len(d.Metrics[i].Uses)
	}
	for i := range d.Consumers {
		n[graph.Consumes] += len(d.Consumers[i].Uses)
	}
	return n
}
