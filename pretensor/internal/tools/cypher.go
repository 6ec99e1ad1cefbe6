package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/mcpkit/nearest"
	"github.com/quartet-mcp/quartet/pretensor/internal/cypher"
	"github.com/quartet-mcp/quartet/pretensor/internal/drift"
	"github.com/quartet-mcp/quartet/pretensor/internal/graph"
	"github.com/quartet-mcp/quartet/pretensor/internal/graph/kuzu"
	"github.com/quartet-mcp/quartet/pretensor/internal/graph/pool"
	"github.com/quartet-mcp/quartet/pretensor/internal/store"
)

// This file defines cypher, which runs a query on the graph of a database.

type cypherArgs struct {
	Query    string  `json:"query" jsonschema:"one Cypher query that only reads"`
	Database string  `json:"database" jsonschema:"a connection, as list_databases names it"`
	Timeout  float64 `json:"timeout_seconds,omitempty" jsonschema:"how long it may take" default:"5" minimum:"0.1" maximum:"120"`
}

type cypherResult struct {
	Rows  []json.RawMessage `json:"rows" jsonschema:"the rows in the query's order, each an object with the columns as members"`
	Count int               `json:"row_count" jsonschema:"how many rows are shown"`
	Cut   bool              `json:"truncated,omitempty" jsonschema:"whether rows were left out"`
	Total int               `json:"total_rows,omitempty" jsonschema:"how many rows there are, if some were left out"`
	warned
}

func (r *cypherResult) RowCount() int { return len(r.Rows) }

func (r *cypherResult) CutRows(n int) {
	if !r.Cut {
		r.cut(len(r.Rows), "the answer would be too long")
	}
	r.Rows, r.Count = r.Rows[:n], n
}

func (r *cypherResult) cut(total int, why string) {
	r.Cut, r.Total = true, total
	r.note(fmt.Sprintf("there are %d rows and %s: page with ORDER BY, SKIP and LIMIT, return fewer columns, or aggregate", total, why))
}

// Most rows and characters of a cell.
const (
	maxCypherRows = 1000
	maxCypherCell = 4000
)

func cypherTool(sv *Service) mcpkit.Tool[cypherArgs, cypherResult] {
	return mcpkit.Tool[cypherArgs, cypherResult]{
		Name:  "cypher",
		Title: "Query the graph in Cypher",
		Description: "Use it for a question about structure that no other tool answers: one Kuzu Cypher query that only reads the graph. " +
			"Returns its rows, at most 1000. " + graphInBrief() + " schema lists the properties. " +
			"To rank tables by row_count leave out views and -1 (not counted).",
		Hints: readOnly,
		Handle: func(ctx context.Context, in cypherArgs) (cypherResult, error) {
			if strings.TrimSpace(in.Query) == "" {
				return cypherResult{}, refuse("Give one Cypher query.", "query is empty.")
			}
			d, err := sv.open(in.Database)
			if err != nil {
				return cypherResult{}, err
			}
			if err := cypher.Check(in.Query); err != nil {
				return cypherResult{}, rejected(err)
			}
			if sv.Graphs == nil {
				return cypherResult{}, noEngine(nil)
			}
			limit := time.Duration(in.Timeout * float64(time.Second))
			o := kuzu.Options{Timeout: limit, MaxRows: sv.CypherRows, MaxCell: maxCypherCell}
			if o.MaxRows <= 0 {
				o.MaxRows = maxCypherRows
			}
			result, err := sv.Graphs.query(ctx, d, sv.Store.Filtered(), in.Query, o)
			if err != nil {
				return cypherResult{}, cypherFailed(err, d, in.Query, limit)
			}
			r, err := rowsOf(result)
			if err != nil {
				return cypherResult{}, err
			}
			sv.warnStale(ctx, d)
			return r, nil
		},
	}
}

// graphInBrief names the labels and edge types that are in use.
func graphInBrief() string {
	reserved := func(description string) bool { return strings.HasPrefix(description, "Reserved") }
	var alone []string
	edges, ends := map[string][]string{}, []string{}
	for _, e := range graph.EdgeTypes() {
		if reserved(e.Description) {
			continue
		}
		pair := e.From + " " + e.To
		if edges[pair] == nil {
			ends = append(ends, pair)
		}
		edges[pair] = append(edges[pair], e.Name)
	}
	for _, l := range graph.Labels(0) {
		if !reserved(l.Description) && !slices.ContainsFunc(ends, func(pair string) bool { return slices.Contains(strings.Fields(pair), l.Name) }) {
			alone = append(alone, l.Name)
		}
	}
	var b strings.Builder
	for i, pair := range ends {
		from, to, _ := strings.Cut(pair, " ")
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s-%s->%s", from, strings.Join(edges[pair], "|"), to)
	}
	return fmt.Sprintf("Edges: %s; nodes without edges: %s.", &b, strings.Join(alone, ", "))
}

// rowsOf makes objects of the rows of a result, members in the order of the columns.
func rowsOf(result *kuzu.Result) (cypherResult, error) {
	r := cypherResult{Rows: make([]json.RawMessage, len(result.Rows)), Count: len(result.Rows)}
	for i, row := range result.Rows {
		o := make(kuzu.Object, len(row))
		for k, v := range row {
			o[k] = kuzu.Member{Name: result.Columns[k], Value: v}
		}
		var err error
		if r.Rows[i], err = o.MarshalJSON(); err != nil {
			return cypherResult{}, err
		}
	}
	if result.Truncated() {
		r.cut(result.Total, fmt.Sprintf("at most %d are shown", len(r.Rows)))
	}
	if result.Cut {
		r.note(fmt.Sprintf("cells of more than %d characters were shortened", maxCypherCell))
	}
	return r, nil
}

// rejected is the error for a query that the guard refuses.
func rejected(err error) error {
	hint := "The graph can only be read: use MATCH, WHERE, WITH, UNWIND and RETURN."
	var r *cypher.Rejection
	if errors.As(err, &r) {
		switch strings.ToUpper(r.Word) {
		case "TYPE":
			hint = "label(x) gives the type of an edge and the label of a node."
		case "SHORTESTPATH", "ALLSHORTESTPATHS":
			hint = "Write the pattern as -[:FK_REFERENCES* SHORTEST 1..4]->, or with ALL SHORTEST."
		}
	}
	return fault(mcpkit.Denied, writeRejected, hint, nil, "The query was not run: %s", err)
}

func noEngine(cause error) error {
	e := fault(mcpkit.Unavailable, engineUnavailable, "The other tools work without it.", nil, "The graph engine is not available.")
	e.Err = cause
	return e
}

// cypherFailed explains why a query has no answer.
func cypherFailed(err error, d database, text string, limit time.Duration) error {
	slow := func(hint, format string, args ...any) error {
		return fault(mcpkit.Unavailable, timedOut, hint, nil, format, args...)
	}
	failed := func(hint, format string, args ...any) error {
		return fault(mcpkit.InvalidArgument, queryFailed, hint, nil, format, args...)
	}
	less := "Give labels and edge types, bound variable-length patterns as in *1..3, connect the patterns of one MATCH, and return less."
	name := d.Entry.Name
	var engine *kuzu.Error
	errors.As(err, &engine)
	switch {
	case errors.Is(err, kuzu.ErrTimeout):
		return slow(less+" timeout_seconds may be at most 120.", "The query took longer than %s s.", strconv.FormatFloat(limit.Seconds(), 'f', -1, 64))
	case errors.Is(err, pool.ErrBusy):
		return slow("Call again when other queries have ended.", "Too many queries are running.")
	case errors.Is(err, errWriting):
		return slow("Call again in a few seconds.", "The graph of %s is still being prepared.", name)
	case errors.Is(err, pool.ErrUnavailable), errors.Is(err, pool.ErrClosed):
		return noEngine(err)
	case errors.Is(err, kuzu.ErrNotFound):
		return &store.Problem{Code: store.GraphMissing, Message: fmt.Sprintf("The graph of '%s' is gone.", name), Hint: drift.RecommendIndex(name), Err: err}
	case errors.Is(err, pool.ErrUnreadable), engine != nil && engine.Kind == kuzu.IO: // a query reads no other file
		return &store.Problem{Code: store.GraphUnreadable, Message: fmt.Sprintf("The graph of '%s' cannot be read.", name), Hint: drift.RecommendIndex(name), Err: err}
	case errors.Is(err, pool.ErrMemory):
		return failed(less, "The query needs more memory than it may have.")
	case errors.Is(err, pool.ErrDied):
		return failed("Write it in another way. "+less, "The graph engine stopped in the midst of the query.")
	case engine == nil:
		return err
	case engine.Kind == kuzu.Buffer:
		return failed(less, "The query needs more memory than it may have.")
	}
	return explainQuery(text, d.Vectors.Dim, engine)
}

// Forms of what the engine says.
var (
	engineAt         = regexp.MustCompile(`\(line: (\d+), offset: (\d+)\)\n`)
	engineProperty   = regexp.MustCompile(`^Cannot find property (.+) for (.+?)\.?$`)
	engineTable      = regexp.MustCompile(`^(?:Table )?(.+) does not exist(?: in catalog)?\.?$`)
	engineUnionCount = "number of columns to union"
	engineUnionType  = "but .* was expected"
	enginePath       = regexp.MustCompile(`(?:/[\w.+@~-]+){2,}/?`)
)

// explainQuery makes an error of what the engine says of a query, with what would be
// right where that can be known.
func explainQuery(text string, dimension int, e *kuzu.Error) error {
	tokens, err := cypher.Scan(text)
	if err != nil { // it has passed the guard
		return err
	}
	message, _, _ := strings.Cut(e.Message, "\n")
	message = strings.TrimSpace(message)
	hint, candidates := "", []string(nil)
	switch at := engineAt.FindStringSubmatch(e.Message + "\n"); {
	case e.Kind == kuzu.Parser && at != nil:
		i, line, column := place(text, tokens, at[1], at[2])
		if message = fmt.Sprintf("it is no Cypher at line %d, column %d", line, column); i < len(tokens) {
			message += fmt.Sprintf(", at '%s'", mcpkit.Untrusted(tokens[i].Text).Cut(40))
			hint, candidates = aboutToken(tokens, i, dimension)
		} else {
			message += ", where it ends"
		}
	case engineProperty.MatchString(message):
		m := engineProperty.FindStringSubmatch(message)
		hint, candidates = aboutProperty(tokens, m[1], m[2], dimension)
	case strings.Contains(message, "exceeds maximum"):
		hint = "A variable-length pattern has at most 30 steps; a few are enough: *1..4."
	case strings.Contains(message, engineUnionCount), hasUnion(tokens) && regexp.MustCompile(engineUnionType).MatchString(message):
		hint = "Both sides of UNION return as many columns, of the same names and types."
	case strings.Contains(message, "result column with the same name"):
		hint = "Name the columns apart with AS."
	case e.Kind == kuzu.Unknown: // a fault of the engine's own
		message, hint = "the graph engine cannot run it in this form", "Give each variable one label, and write the query in smaller steps with WITH."
	case engineTable.MatchString(message) && !strings.HasPrefix(message, "function "):
		hint, candidates = aboutLabel(engineTable.FindStringSubmatch(message)[1], dimension)
	}
	message = enginePath.ReplaceAllStringFunc(message, func(path string) string {
		if strings.Contains(text, path) {
			return path
		}
		return "…"
	})
	return fault(mcpkit.InvalidArgument, queryFailed, hint, candidates, "The query failed: %s", mcpkit.Untrusted(message).Cut(400))
}

// place finds the token at or after a place, of which the offset counts characters
// from 0. Column counts from 1.
func place(text string, tokens []cypher.Token, lineText, offsetText string) (token, line, column int) {
	line, _ = strconv.Atoi(lineText)
	column, _ = strconv.Atoi(offsetText)
	at := 0
	for i := 1; i < line; i++ {
		n := strings.IndexByte(text[at:], '\n')
		if n < 0 {
			break
		}
		at += n + 1
	}
	for i := 0; i < column && at < len(text); i++ {
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	token, _ = slices.BinarySearchFunc(tokens, at, func(t cypher.Token, at int) int { return t.End - 1 - at })
	if token < len(tokens) { // blanks before it are not meant
		start := strings.LastIndexByte(text[:tokens[token].Start], '\n') + 1
		line, column = strings.Count(text[:start], "\n")+1, utf8.RuneCountInString(text[start:tokens[token].Start])
	}
	return token, line, column + 1
}

// keywords are the words that the engine does not take for a name.
var keywords = strings.Fields(`ACYCLIC ALL ANY AND ASC ASCENDING CASE CAST COLUMN COMMIT_SKIP_CHECKPOINT CREATE DBTYPE DEFAULT DESC
	DESCENDING DISTINCT ELSE END ENDS EXISTS FALSE GLOB GROUP HEADERS HINT IN INSTALL JOIN MACRO MULTI_JOIN NONE NOT NULL ON ONLY
	OPTIONAL OR ORDER PRIMARY PROFILE ROLLBACK_SKIP_CHECKPOINT SHORTEST SINGLE STARTS TABLE THEN TRAIL TRUE UNION UNWIND WHEN WHERE
	WITH WSHORTEST XOR`)

// aboutToken says what may be wrong with the token that the engine does not expect.
func aboutToken(tokens []cypher.Token, i, dimension int) (hint string, candidates []string) {
	word := func(i int) string {
		if i < 0 || i >= len(tokens) {
			return ""
		}
		if tokens[i].Kind == cypher.Word {
			return tokens[i].Word()
		}
		return tokens[i].Text
	}
	before, name := word(i-1), tokens[i].Text
	switch {
	case word(i) == "GROUP" && word(i+1) == "BY":
		return "There is no GROUP BY: what is returned beside an aggregate is what it is grouped by.", nil
	case word(i) == "OFFSET":
		return "Write SKIP, before LIMIT.", nil
	case before == ":":
		return aboutLabel(name, dimension)
	case before == "EXISTS":
		return "Write x.property IS NOT NULL, or EXISTS { MATCH … }.", nil
	case tokens[i].Kind == cypher.Word && slices.Contains(keywords, word(i)) && slices.Contains([]string{"AS", "(", "[", "{", ".", ","}, before):
		return fmt.Sprintf("%s is a reserved word: choose another name, or write `%s`.", name, name), nil
	}
	return "", nil
}

func hasUnion(tokens []cypher.Token) bool {
	return slices.ContainsFunc(tokens, func(t cypher.Token) bool { return t.Word() == "UNION" })
}

// aboutLabel says which labels or edge types may be meant.
func aboutLabel(name string, dimension int) (hint string, candidates []string) {
	var labels, types []string
	for _, l := range graph.Labels(dimension) {
		labels = append(labels, l.Name)
	}
	for _, e := range graph.EdgeTypes() {
		types = append(types, e.Name)
	}
	candidates = near(name, slices.Concat(labels, types))
	return fmt.Sprintf("Labels: %s. Edge types: %s.", strings.Join(labels, ", "), strings.Join(types, ", ")), candidates
}

// aboutProperty says which properties a variable has.
func aboutProperty(tokens []cypher.Token, name, variable string, dimension int) (hint string, candidates []string) {
	var hints, all []string
	for _, label := range labelsOf(tokens, variable) {
		var list []graph.Property
		switch l, e := graph.Find(label, dimension); {
		case l != nil:
			label, list = l.Name, l.Properties
		case e != nil:
			label, list = e.Name, e.Properties
		default:
			continue
		}
		var names []string
		for _, p := range list {
			names = append(names, p.Name)
		}
		if all = append(all, names...); len(names) == 0 {
			names = []string{"no properties"}
		}
		hints = append(hints, label+" has "+strings.Join(names, ", ")+".")
	}
	if hints == nil {
		hints = []string{"Give the label or edge type of " + mcpkit.Untrusted(variable).String() + "; schema lists the properties of each."}
	}
	return strings.Join(hints, " "), near(name, all)
}

// labelsOf lists the labels or edge types that a query gives a variable.
func labelsOf(tokens []cypher.Token, variable string) []string {
	var labels []string
	for i, t := range tokens {
		if t.Name() != variable || i == 0 || i+1 >= len(tokens) || tokens[i+1].Text != ":" || tokens[i-1].Text != "(" && tokens[i-1].Text != "[" {
			continue
		}
		for k := i + 2; k < len(tokens) && (tokens[k].Name() != "" || tokens[k].Text == "|" || tokens[k].Text == ":"); k++ {
			if label := tokens[k].Name(); label != "" && !slices.Contains(labels, label) {
				labels = append(labels, label)
			}
		}
	}
	return labels
}

// near are the names that a name is near to, else those that hold it.
func near(name string, known []string) []string {
	out := nearest.Find(name, known, 3)
	for _, k := range known {
		if len(out) < 3 && len(name) > 2 && strings.Contains(strings.ToLower(k), strings.ToLower(name)) && !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out
}
