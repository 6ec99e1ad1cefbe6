package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/mcpkit/nearest"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/graph/fill"
	"github.com/quartet-mcp/quartet/pretensor/internal/names"
	"github.com/quartet-mcp/quartet/pretensor/internal/registry"
	"github.com/quartet-mcp/quartet/pretensor/internal/roles"
)

// This file defines the resources: Markdown pages on all connections and on each of
// them. Their texts are made when they are read.

const (
	databasesURI = "pretensor://databases"
	databaseURI  = "pretensor://db/"
	mimeMarkdown = "text/markdown"
)

// kinds are the pages of each connection.
var kinds = []struct {
	name, description string
	page              func(*Service, database) string
}{
	{"overview", "numbers, age, largest tables, hubs and roles", (*Service).overviewPage},
	{"clusters", "the groups of tables that are joined with each other", (*Service).clustersPage},
	{"metrics", "compiled metrics with their SQL", (*Service).metricsPage},
}

// pageURI is the address of a page on a connection.
func pageURI(connection, kind string) string {
	return databaseURI + strings.ReplaceAll(url.QueryEscape(connection), "+", "%20") + "/" + kind
}

// addResources adds the page on all connections and the templates of the others. The
// pages that exist are added to each list when it is asked for.
func addResources(server *mcpkit.Server, sv *Service) {
	sdk := server.SDK()
	sdk.AddResource(sv.databasesResource(), sv.read)
	for _, k := range kinds {
		sdk.AddResourceTemplate(&mcp.ResourceTemplate{
			URITemplate: databaseURI + "{name}/" + k.name, Name: k.name, Title: "Page " + k.name + " of a database",
			Description: "Of the connection {name}: " + k.description, MIMEType: mimeMarkdown,
		}, sv.read)
	}
}

func (sv *Service) databasesResource() *mcp.Resource {
	return &mcp.Resource{
		URI: databasesURI, Name: "databases", Title: "Indexed databases", Description: "Every indexed database with its numbers, capabilities and age", MIMEType: mimeMarkdown,
	}
}

// serveResources is middleware that lists the pages of the connections as they are
// now, and names the nearest page to one that does not exist.
func (sv *Service) serveResources(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		switch r := req.(type) {
		case *mcp.ListResourcesRequest:
			res, err := next(ctx, method, req)
			if list, ok := res.(*mcp.ListResourcesResult); ok && err == nil && list.NextCursor == "" {
				list.Resources = append(list.Resources, sv.pages()...)
			}
			return res, err
		case *mcp.ReadResourceRequest:
			if r.Params == nil || r.Params.URI == databasesURI {
				break
			}
			name, kind, ok := splitURI(r.Params.URI)
			if !ok {
				return nil, sv.noPage(r.Params.URI)
			}
			r.Params.URI = pageURI(name, kind) // as the templates match it
		}
		return next(ctx, method, req)
	}
}

// pages are the pages of each connection.
func (sv *Service) pages() []*mcp.Resource {
	var list []*mcp.Resource
	for _, name := range sv.databases() {
		for _, k := range kinds {
			shown := mcpkit.Untrusted(name).String()
			list = append(list, &mcp.Resource{
				URI: pageURI(name, k.name), Name: shown + " " + k.name, Title: "Page " + k.name + " of " + shown, Description: "Of " + shown + ": " + k.description,
				MIMEType: mimeMarkdown,
			})
		}
	}
	return list
}

// Watch tells clients of the server when the list of resources has changed, until ctx
// ends. It looks at the registry once per second. Call it at most once for a server,
// in a goroutine that is waited for.
func (sv *Service) Watch(ctx context.Context, server *mcpkit.Server) {
	_, err := sv.Store.Entries()
	news := err != nil // what a registry that cannot be read says later
	for range sv.changes(ctx) {
		if news {
			// To add it again is what makes the SDK tell clients; the list is made when
			// they ask for it.
			server.SDK().AddResource(sv.databasesResource(), sv.read)
		}
		news = true
	}
}

// read answers resources/read.
func (sv *Service) read(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri := req.Params.URI
	text := ""
	if uri == databasesURI {
		entries, err := sv.Store.Entries()
		if err != nil {
			return nil, resourceError(uri, explain(err))
		}
		text = sv.databasesPage(entries)
	} else {
		name, kind, ok := splitURI(uri)
		if !ok {
			return nil, sv.noPage(uri)
		}
		d, err := sv.open(name)
		if err != nil {
			return nil, resourceError(uri, explain(err))
		}
		for _, k := range kinds {
			if k.name == kind {
				text = k.page(sv, d)
			}
		}
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: mimeMarkdown, Text: text}}}, nil
}

// splitURI takes the connection and the kind out of the address of a page on a
// connection.
func splitURI(uri string) (name, kind string, ok bool) {
	rest, ok := strings.CutPrefix(uri, databaseURI)
	if !ok {
		return "", "", false
	}
	name, kind, ok = strings.Cut(rest, "/")
	name, err := url.PathUnescape(name)
	if !ok || err != nil || strings.TrimSpace(name) == "" || !utf8.ValidString(name) {
		return "", "", false
	}
	for _, k := range kinds {
		if k.name == kind {
			return name, kind, true
		}
	}
	return "", "", false
}

// noPage says that there is no page of an address, and what comes nearest to it.
func (sv *Service) noPage(uri string) error {
	known := []string{databasesURI}
	for _, p := range sv.pages() {
		known = append(known, p.URI)
	}
	near := nearest.Find(uri, known, 3)
	for _, k := range known {
		if len(near) < 3 && len(uri) > len("pretensor://") && strings.HasPrefix(k, uri) && !slices.Contains(near, k) {
			near = append(near, k) // an address that was cut short
		}
	}
	message := "There is no resource '" + mcpkit.Untrusted(uri).String() + "'; "
	if len(near) > 0 {
		message += "did you mean " + strings.Join(near, " or ") + "?"
	} else {
		message += "call resources/list for those that exist."
	}
	return notFound(uri, message)
}

// resourceError is the error of the protocol for an error of a connection, with the
// names that may have been meant.
func resourceError(uri string, err error) error {
	e, ok := errors.AsType[*mcpkit.Error](err)
	if !ok {
		return err
	}
	message := sentence(e.Message)
	if near, _ := e.Data["candidates"].([]string); len(near) > 0 {
		quoted := make([]string, len(near))
		for i, n := range near {
			quoted[i] = "'" + mcpkit.Untrusted(n).String() + "'"
		}
		message += " The nearest: " + strings.Join(quoted, ", ") + "."
	}
	if e.Fix != "" {
		message += " " + sentence(e.Fix)
	}
	return notFound(uri, message)
}

// notFound is the protocol's error for a resource that does not exist.
func notFound(uri, message string) error {
	data, _ := json.Marshal(map[string]string{"uri": mcpkit.Untrusted(uri).Cut(maxInMarkdown)}) // of strings: it cannot fail
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: message, Data: data}
}

// page is a Markdown text under construction.
type page struct{ strings.Builder }

func (p *page) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

// parts adds parts as long as there is room, and says how many were left out.
func (p *page) parts(n int, what, narrower string, part func(i int) string) {
	size := utf8.RuneCountInString(p.String())
	for i := range n {
		text := part(i)
		if size += utf8.RuneCountInString(text); size > maxAnswer-500 {
			p.line("_…and %d more %s; %s._\n", n-i, what, narrower)
			return
		}
		p.WriteString(text)
	}
}

// noTables is what a page says of a catalog without tables.
const noTables = "_The index holds no visible table._"

func (sv *Service) databasesPage(entries []registry.Entry) string {
	var p page
	p.line("# Indexed databases\n")
	if len(entries) == 0 {
		p.line("_No database is indexed yet. Run `pretensor quickstart`, or `pretensor index DSN`._")
	}
	p.parts(len(entries), "databases", "the tool list_databases shows more of them", func(i int) string { return sv.databasePart(entries[i]) })
	return p.String()
}

func (sv *Service) databasePart(e registry.Entry) string {
	var p page
	d := sv.item(e)
	p.line("## %s\n", markdown(d.Name))
	if d.Description != "" {
		p.line("%s\n", markdown(d.Description))
	}
	if d.Status != "ready" {
		p.line("- **Status:** %s", d.Status)
	}
	p.line("- **Database:** %s", markdown(cmp.Or(e.Database, e.Name)))
	p.line("- **Type:** %s", markdown(cmp.Or(d.Type, "unknown")))
	p.line("- **Tables:** %d", d.Tables)
	p.line("- **Columns:** %d", d.Columns)
	p.line("- **Rows (known, summed):** %d", d.Rows)
	p.line("- **Schemas:** %s", namesOr(d.Schemas, 20, "none"))
	p.line("- **Capabilities:** %s", strings.Join(d.Capabilities, ", "))
	p.line("- **dbt manifest:** %s", d.DBT)
	p.line("- **LLM enrichment:** %s", d.LLM)
	p.line("- **External consumers:** %s", d.Consumers)
	if d.Indexed == nil {
		p.line("- **Last indexed:** never")
	} else {
		p.line("- **Last indexed:** %s", *d.Indexed)
	}
	stale := "no"
	if d.Stale {
		stale = "yes"
	}
	p.line("- **Stale:** %s (%d days, limit %d)\n", stale, d.Days, sv.StaleDays)
	return p.String()
}

// namesOr lists the first n names, or says none.
func namesOr(names []string, n int, none string) string {
	if len(names) == 0 {
		return none
	}
	text := codes(names[:min(len(names), n)])
	if len(names) > n {
		text += fmt.Sprintf(" and %d more", len(names)-n)
	}
	return text
}

func (sv *Service) overviewPage(d database) string {
	declared := 0
	for i := range d.Edges() {
		if d.Edge(i).Declared {
			declared++
		}
	}
	var p page
	p.line("# Overview: %s\n", markdown(d.Entry.Name))
	p.line("- **Logical database:** %s", markdown(cmp.Or(d.Database, d.Entry.Name)))
	p.line("- **Tables:** %d", d.Len())
	p.line("- **Columns:** %d", d.Columns())
	p.line("- **Entities:** %d", len(d.Entities))
	p.line("- **Joins:** %d declared, %d inferred", declared, d.Edges()-declared)
	p.line("- **Rows (known, summed):** %d", knownRows(d.Catalog))
	days, stale := sv.age(d.Entry)
	p.line("- **Last indexed:** %s (%s, limit %d)", timestamp(d.Entry.Indexed), names.Count(days, "day"), sv.StaleDays)
	if stale != "" {
		p.line("\n> **Stale:** run %s.", code("pretensor reindex --database "+names.Argument(d.Entry.Name)))
	}
	if d.Len() == 0 {
		p.line("\n%s", noTables)
		return p.String()
	}
	p.ranking("Largest tables", d, func(i int) int64 {
		if n := d.Tables[i].Rows; n != nil && !d.Tables[i].IsView() {
			return *n
		}
		return 0
	}, "row")
	p.ranking("Hubs", d, func(i int) int64 {
		from := map[int]bool{}
		for _, id := range d.In(i) {
			if e := d.Edge(id); e.From != i && e.Confidence >= doubtful {
				from[e.From] = true
			}
		}
		return int64(len(from))
	}, "referring table")
	byRole := map[string]int{}
	for i := range d.Facts {
		byRole[d.Facts[i].Role]++
	}
	p.line("\n## Roles\n")
	for _, r := range append(slices.Clone(roles.All), roles.Unknown, "") {
		if n := byRole[string(r)]; n > 0 {
			p.line("- %s: %d", cmp.Or(string(r), "not classified"), n)
		}
	}
	bySchema := map[string]int{}
	for i := range d.Tables {
		bySchema[d.Tables[i].Schema]++
	}
	p.line("\n## Schemas\n")
	schemas := d.Schemas()
	p.parts(len(schemas), "schemas", "the tool list_databases shows more of them", func(i int) string {
		name := "no schema"
		if schemas[i] != "" {
			name = code(schemas[i])
		}
		return fmt.Sprintf("- %s: %s\n", name, names.Count(bySchema[schemas[i]], "table"))
	})
	return p.String()
}

// topTables is how many tables a ranking shows.
const topTables = 10

// ranking lists the tables with the highest values, if any is above zero.
func (p *page) ranking(heading string, d database, value func(table int) int64, unit string) {
	type ranked struct {
		table int
		value int64
	}
	var list []ranked
	for i := range d.Tables {
		if v := value(i); v > 0 {
			list = append(list, ranked{i, v})
		}
	}
	slices.SortStableFunc(list, func(a, b ranked) int { return cmp.Compare(b.value, a.value) })
	p.line("\n## %s\n", heading)
	if len(list) == 0 {
		p.line("_None is known._")
	}
	for _, r := range list[:min(len(list), topTables)] {
		p.line("- %s: %s", code(d.Name(r.table)), names.Count(r.value, unit))
	}
}

// maxClusterTables is how many tables of a cluster its part of the page names.
const maxClusterTables = 40

func (sv *Service) clustersPage(d database) string {
	var p page
	p.line("# Domain clusters — %s\n", markdown(d.Entry.Name))
	if d.Len() == 0 {
		p.line("%s\n", noTables)
	} else if len(d.Clusters) == 0 {
		p.line("_The index has no clusters._\n")
	}
	order := make([]*catalog.Cluster, 0, len(d.Clusters))
	for i := range d.Clusters {
		if len(d.Clusters[i].Tables) > 0 {
			order = append(order, &d.Clusters[i])
		}
	}
	slices.SortStableFunc(order, func(a, b *catalog.Cluster) int {
		return cmp.Or(cmp.Compare(len(b.Tables), len(a.Tables)), cmp.Compare(b.Cohesion, a.Cohesion), cmp.Compare(a.Number, b.Number))
	})
	p.parts(len(order), "clusters", "the tool cypher finds them", func(i int) string { return clusterPart(d, order[i]) })
	p.line("---\n")
	p.line("_Index of %s. The tool context tells all about a table, traverse finds the joins between two._", timestamp(d.Entry.Indexed))
	return p.String()
}

func clusterPart(d database, k *catalog.Cluster) string {
	var p page
	p.line("## %s _(cohesion %.2f, %s)_\n", markdown(k.Label), k.Cohesion, markdown(k.Pattern))
	p.line("Id: %s\n", code(fill.ClusterID(d.Connection, k.Number)))
	if k.Stale {
		p.line("> **Stale:** its tables have changed since it was found.\n")
	}
	if k.Description != "" {
		p.line("%s\n", markdown(k.Description))
	}
	names := make([]string, len(k.Tables))
	for i, t := range k.Tables {
		names[i] = d.Name(t)
	}
	slices.Sort(names)
	p.line("**Tables:** %s\n", namesOr(names, maxClusterTables, "none"))
	return p.String()
}

// maxMessages is how many faults of a metric its part of the page names.
const maxMessages = 8

func (sv *Service) metricsPage(d database) string {
	var p page
	p.line("# Metric templates — %s\n", markdown(d.Entry.Name))
	if len(d.Metrics) == 0 {
		p.line("_There are none. Run `pretensor semantic apply FILE` for a semantic layer, or `pretensor index` with `--metric-templates`._")
	}
	order := make([]*catalog.Metric, len(d.Metrics))
	for i := range d.Metrics {
		order[i] = &d.Metrics[i]
	}
	slices.SortStableFunc(order, func(a, b *catalog.Metric) int { return cmp.Compare(a.Name, b.Name) })
	p.parts(len(order), "metrics", "the tool cypher finds them under MetricTemplate", func(i int) string { return metricPart(d, order[i]) })
	return p.String()
}

func metricPart(d database, m *catalog.Metric) string {
	var p page
	p.line("## %s\n", markdown(m.Name))
	if m.DisplayName != "" && m.DisplayName != m.Name {
		p.line("**%s**\n", markdown(m.DisplayName))
	}
	if m.Description != "" {
		p.line("%s\n", markdown(m.Description))
	}
	yes := map[bool]string{true: "yes", false: "no"}
	p.line("- **Validated:** %s", yes[m.Valid])
	p.line("- **Dialect:** %s", markdown(cmp.Or(m.Dialect, "unknown")))
	p.line("- **Stale:** %s", yes[m.Stale])
	if !m.Generated.IsZero() {
		p.line("- **Generated:** %s", timestamp(m.Generated))
	}
	var tables []string
	for _, u := range m.Uses {
		tables = append(tables, d.Name(u.Table))
	}
	p.line("- **Tables:** %s", namesOr(tables, maxClusterTables, "none"))
	if m.SQL != "" {
		p.line("\n%s", strings.TrimSuffix(fenced("sql", m.SQL), "\n"))
	}
	for i, e := range m.Errors {
		if i == 0 {
			p.line("\n**Not valid:**\n")
		}
		if i == maxMessages {
			p.line("- and %d more", len(m.Errors)-i)
			break
		}
		p.line("- %s", markdown(e))
	}
	p.line("")
	return p.String()
}
