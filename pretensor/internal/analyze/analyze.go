package analyze

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// Defaults of [Options].
const (
	DefaultMaxFileBytes  = 1_000_000
	DefaultMinConfidence = 0.6
)

// Options say what is scanned and what is kept. Root is required.
type Options struct {
	Root          string   // the repository's folder
	Service       string   // the name that consumers get; part of their ids
	RunID         string   // of this scan, for whoever writes it down
	Include       []string // git-ignore patterns; a file must match one, if there are any
	Exclude       []string // git-ignore patterns of what is left out
	Languages     []string // names as Languages lists them; empty for all
	MaxFileBytes  int64    // larger files are skipped; 0 is DefaultMaxFileBytes
	MinConfidence float64  // 0 is DefaultMinConfidence; below 0 keeps everything
	DefaultSchema string   // of names without one; else the only schema, else the database's own
}

// Operations on a table.
const (
	Read  = "read"
	Write = "write"
)

// Kinds of consumers.
const (
	KindCall       = "call"       // SQL passed to what executes it
	KindAssignment = "assignment" // SQL assigned to a variable whose name says so
	KindLiteral    = "literal"    // SQL elsewhere
	KindFString    = "fstring"    // SQL with parts that only the running program knows
	KindSQLFile    = "sql_file"
	KindModel      = "orm_model"
	KindORMCall    = "orm_call"
	KindMigration  = "migration" // DDL
)

// Consumer is a place in the code that uses tables.
type Consumer struct {
	ID          string
	Service     string
	File        string // relative to the root, with slashes
	Language    string
	Symbol      string // what is called, assigned or declared; " (test)" follows in tests
	Kind        string
	LineStart   int // from 1
	LineEnd     int
	Fingerprint string  // of the folded SQL, or of the model and method
	Confidence  float64 // the highest of its edges
	Dialect     string  // in which the SQL was understood; empty for object mappers
}

// Edge is what a consumer does to a table.
type Edge struct {
	ID         string
	Consumer   string // its ID
	Table      int    // of the catalog
	Op         string
	Confidence float64
}

// Join is an equality of columns of two tables in parsed SQL, the smaller table
// index on the left.
type Join struct {
	Left, Right             int
	LeftColumn, RightColumn string
	Locations               int
}

// Row is an edge as the summary shows it.
type Row struct {
	Service    string  `json:"service_name"`
	Table      string  `json:"table"`
	Op         string  `json:"op"`
	File       string  `json:"file_path"`
	LineStart  int     `json:"line_start"`
	LineEnd    int     `json:"line_end"`
	Confidence float64 `json:"confidence"`
}

// NameCount is a table's name that the catalog does not have.
type NameCount struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// Report is the result of a scan; as JSON it is the summary. All lists are in an
// order that depends on the files alone.
type Report struct {
	FilesScanned  int            `json:"files_scanned"`
	FilesSkipped  int            `json:"files_skipped"` // of a known language: too large, binary, generated, opted out, unreadable
	Languages     map[string]int `json:"languages"`     // files scanned
	Candidates    int            `json:"sql_candidates_found"`
	Parsed        int            `json:"sql_candidates_parsed"`
	Failed        int            `json:"sql_candidates_failed"`
	ConsumerCount int            `json:"consumers_written"`
	EdgeCount     int            `json:"edges_written"`
	Dropped       int            `json:"cross_connection_dropped"` // uses of tables that the catalog does not have
	Unresolved    []NameCount    `json:"unresolved"`               // the ten most frequent names among them
	RunID         string         `json:"scan_run_id"`
	DurationMS    int64          `json:"duration_ms"`
	DefaultSchema string         `json:"default_schema"`
	Rows          []Row          `json:"rows"` // by file, line, table, op

	Consumers []Consumer `json:"-"` // by file, line, id
	Edges     []Edge     `json:"-"` // in the order of Rows
	Joins     []Join     `json:"-"`
}

// Run scans a folder for uses of the catalog's tables. It fails for a root that
// is no folder, an unknown language, a bad pattern and a cancelled context; a file
// that cannot be read counts as skipped. The catalog is only read.
func Run(ctx context.Context, o Options, c *catalog.Catalog) (*Report, error) {
	start := time.Now()
	if o.MaxFileBytes == 0 {
		o.MaxFileBytes = DefaultMaxFileBytes
	}
	if o.MinConfidence == 0 {
		o.MinConfidence = DefaultMinConfidence
	}
	byExt, err := extensions(o.Languages)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(o.Root)
	if err != nil {
		return nil, fmt.Errorf("opening the folder to analyze: %w", cause(err))
	}
	defer func() { _ = root.Close() }() // only read from
	paths, err := walk(ctx, root.FS(), o, byExt)
	if err != nil {
		return nil, err
	}
	files := make([]*file, len(paths))
	if err := parallel(ctx, len(paths), func(i int) { files[i] = scan(root, paths[i], o, byExt, c) }); err != nil {
		return nil, err
	}
	r := collate(files, o, c)
	r.DurationMS = time.Since(start).Milliseconds()
	return r, nil
}

// cause is what went wrong with a path, without the path.
func cause(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// parallel calls f for 0 to n-1 on all processors and waits for it.
func parallel(ctx context.Context, n int, f func(int)) error {
	var wg sync.WaitGroup
	next := make(chan int)
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for i := range next {
				f(i)
			}
		})
	}
	var err error
	for i := 0; i < n && err == nil; i++ {
		select {
		case next <- i:
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	close(next)
	wg.Wait()
	return cmp.Or(err, ctx.Err())
}

// collate resolves what the files use and puts it into the report's order.
func collate(files []*file, o Options, c *catalog.Catalog) *Report {
	r := &Report{Languages: map[string]int{}, Unresolved: []NameCount{}, RunID: o.RunID, Rows: []Row{}}
	in := newResolver(c, o.DefaultSchema)
	r.DefaultSchema = in.schema
	models := newModels(files)
	unresolved := map[string]int{}
	consumers := map[string]*Consumer{}
	edges := map[string]Edge{}
	joins := map[Join]map[string]bool{}
	for _, f := range files {
		if f.skipped {
			r.FilesSkipped++
			continue
		}
		r.FilesScanned++
		r.Languages[f.lang.name]++
		r.Candidates += f.candidates
		r.Parsed += f.parsed
		r.Failed += f.candidates - f.parsed
		for _, u := range append(f.uses, models.uses(f)...) {
			table, several, ok := in.table(u.name)
			if !ok {
				if !u.derived {
					r.Dropped++
					unresolved[strings.Join(u.name, ".")]++
				}
				continue
			}
			confidence := u.confidence
			if several {
				confidence -= 0.10
			}
			if u.keywordOnly && commonWord(u.name[len(u.name)-1]) {
				confidence -= 0.20
			}
			symbol := u.symbol
			if f.test {
				confidence *= 0.8
				symbol = strings.TrimSpace(symbol + " (test)")
			}
			confidence = model.Round(confidence)
			if confidence < o.MinConfidence {
				continue
			}
			id := consumerID(c.Connection, o.Service, f.path, u.lineStart, u.fingerprint)
			k := consumers[id]
			if k == nil {
				k = &Consumer{ID: id, Service: o.Service, File: f.path, Language: f.lang.name, Symbol: symbol, Kind: u.kind,
					LineStart: u.lineStart, LineEnd: u.lineEnd, Fingerprint: u.fingerprint, Dialect: u.dialect}
				consumers[id] = k
			}
			k.Confidence = max(k.Confidence, confidence)
			e := Edge{ID: edgeID(id, c, table, u.op), Consumer: id, Table: table, Op: u.op, Confidence: confidence}
			if e.Confidence > edges[e.ID].Confidence {
				edges[e.ID] = e
			}
		}
		for _, j := range f.joins {
			place := fmt.Sprint(f.path, ":", j.line)
			if joins[j.Join] == nil {
				joins[j.Join] = map[string]bool{}
			}
			joins[j.Join][place] = true
		}
	}
	for _, k := range consumers {
		r.Consumers = append(r.Consumers, *k)
	}
	slices.SortFunc(r.Consumers, func(a, b Consumer) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.LineStart, b.LineStart), cmp.Compare(a.ID, b.ID))
	})
	for _, e := range edges {
		r.Edges = append(r.Edges, e)
	}
	slices.SortFunc(r.Edges, func(a, b Edge) int {
		ka, kb := consumers[a.Consumer], consumers[b.Consumer]
		return cmp.Or(cmp.Compare(ka.File, kb.File), cmp.Compare(ka.LineStart, kb.LineStart), cmp.Compare(ka.LineEnd, kb.LineEnd),
			cmp.Compare(a.Table, b.Table), cmp.Compare(a.Op, b.Op), cmp.Compare(a.ID, b.ID))
	})
	for _, e := range r.Edges {
		k := consumers[e.Consumer]
		r.Rows = append(r.Rows, Row{k.Service, c.Name(e.Table), e.Op, k.File, k.LineStart, k.LineEnd, e.Confidence})
	}
	for j, places := range joins {
		j.Locations = len(places)
		r.Joins = append(r.Joins, j)
	}
	slices.SortFunc(r.Joins, func(a, b Join) int {
		return cmp.Or(a.Left-b.Left, a.Right-b.Right, cmp.Compare(a.LeftColumn, b.LeftColumn), cmp.Compare(a.RightColumn, b.RightColumn))
	})
	for n, count := range unresolved {
		r.Unresolved = append(r.Unresolved, NameCount{n, count})
	}
	slices.SortFunc(r.Unresolved, func(a, b NameCount) int { return cmp.Or(b.Count-a.Count, cmp.Compare(a.Name, b.Name)) })
	r.Unresolved = r.Unresolved[:min(10, len(r.Unresolved))]
	r.ConsumerCount, r.EdgeCount = len(r.Consumers), len(r.Edges)
	return r
}
