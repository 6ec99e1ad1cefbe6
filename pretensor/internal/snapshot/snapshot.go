// Package snapshot keeps the last introspection of a connection on disk, for what
// compares it with the database of today. A snapshot holds structure, and of the
// statistics only what the privacy rule allows.
//
// The file is YAML, one line for each table and each column, so that people can
// read it and version control can show what changed. What this package wrote is
// read without a YAML parser, line by line, which takes a fraction of the time; any
// other spelling of the same content is read as well.
package snapshot

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/names"
	"github.com/quartet-mcp/quartet/pretensor/internal/privacy"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"
)

// Version is the version of the format that is written.
const Version = 1

// Why a snapshot cannot be used; the errors that wrap these say what to do.
var (
	ErrMissing = errors.New("there is no snapshot")
	ErrCorrupt = errors.New("the snapshot is damaged")
	ErrOlder   = errors.New("the snapshot has an older format")
	ErrNewer   = errors.New("the snapshot was written by a newer version of pretensor")
)

// Snapshot is an introspection and where it is from.
type Snapshot struct {
	Connection   string
	Taken        time.Time
	Generation   string // of the graph that was built from it
	Stats        connect.StatsMode
	SampleValues bool
	Database     *model.Database
}

// The file. Statistics have no names in the model's own encoding, so that they
// cannot be written by accident.
type (
	header struct {
		Version       int    `json:"version"`
		Connection    string `json:"connection"`
		Taken         string `json:"taken"`
		Generation    string `json:"generation"`
		Stats         string `json:"stats"`
		SampleValues  bool   `json:"sample_values"`
		Database      string `json:"database"`
		Dialect       string `json:"dialect"`
		Server        string `json:"server_version"`
		DefaultSchema string `json:"default_schema"`
	}
	table struct {
		model.Table
		Columns    *struct{} `json:"columns,omitempty"` // hides the table's: they have lines of their own
		Rows       *int64    `json:"rows,omitempty"`
		RowsSource string    `json:"rows_source,omitempty"`
		Bytes      *int64    `json:"bytes,omitempty"`
		Usage      *usage    `json:"usage,omitempty"`
	}
	usage struct {
		SeqScans int64 `json:"seq_scans"`
		IdxScans int64 `json:"idx_scans"`
		Inserts  int64 `json:"inserts"`
		Updates  int64 `json:"updates"`
		Deletes  int64 `json:"deletes"`
	}
	column struct {
		model.Column
		Stats *stats `json:"stats,omitempty"`
	}
	stats struct {
		NullFraction *float64 `json:"null_fraction,omitempty"`
		Distinct     *int64   `json:"distinct,omitempty"`
		Correlation  *float64 `json:"correlation,omitempty"`
		Min          string   `json:"min,omitempty"`
		Max          string   `json:"max,omitempty"`
		Common       []string `json:"common,omitempty"`
		Histogram    []string `json:"histogram,omitempty"`
		Source       string   `json:"source,omitempty"`
	}
	tableItem struct {
		Table   table    `json:"table"`
		Columns []column `json:"columns"`
	}
	document struct {
		header
		Tables  []tableItem     `json:"tables"`
		Lineage []model.Lineage `json:"lineage"`
	}
)

// Write stores a snapshot of a connection, for its owner alone. Statistics that may
// not be kept under its modes are left out; s itself does not change. The state
// directory must exist.
func Write(d *state.Dir, s *Snapshot) error {
	path, err := d.Snapshot(s.Connection)
	if err != nil {
		return err
	}
	text, err := Encode(s)
	if err != nil {
		return err
	}
	return d.Files.Write(path, text, state.FileMode)
}

// Read is the snapshot of a connection. Its errors wrap [ErrMissing],
// [ErrCorrupt], [ErrOlder] or [ErrNewer].
func Read(d *state.Dir, connection string) (*Snapshot, error) {
	path, err := d.Snapshot(connection)
	if err != nil {
		return nil, err
	}
	text, err := state.Read(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w of connection %q; make one with: pretensor index %s", ErrMissing, connection, names.Argument(connection))
	case err != nil:
		return nil, fmt.Errorf("%w: the one of connection %q cannot be read; check who may", ErrCorrupt, connection)
	}
	s, err := Decode(text)
	if err != nil {
		return nil, fmt.Errorf("connection %q: %w; make a new one with: pretensor index %s", connection, err, names.Argument(connection))
	}
	return s, nil
}

// Clean is the part of a database that a snapshot keeps: what [Decode] returns
// after [Encode]. The lists that are not changed are shared with db.
func Clean(db *model.Database, mode connect.StatsMode, sampleValues bool) *model.Database {
	out := *db
	out.Tables = slices.Clone(db.Tables)
	out.Lineage = slices.Clone(db.Lineage)
	out.Roles, out.Warnings = nil, nil
	for i := range out.Tables {
		t := &out.Tables[i]
		t.Definition = ""
		t.Columns = slices.Clone(t.Columns)
		t.Uniques, t.ForeignKeys = slices.Clone(t.Uniques), slices.Clone(t.ForeignKeys)
		if t.Partition != nil {
			p := *t.Partition
			p.Tables = slices.Clone(p.Tables)
			t.Partition = &p
		}
		t.Checks, t.Indexes, t.Grants = slices.Clone(t.Checks), slices.Clone(t.Indexes), slices.Clone(t.Grants)
	}
	if out.Tables == nil {
		out.Tables = []model.Table{}
	}
	out.Sort()
	privacy.Apply(&out, mode, sampleValues)
	return &out
}

const (
	headLine  = "# pretensor snapshot: written by pretensor index, read by pretensor reindex\n"
	tableLine = "- table: "
	colsEmpty = "  columns: []\n"
	colsBegin = "  columns:\n"
	colLine   = "  - "
	itemLine  = "- "
)

// Encode is the text of a snapshot's file: the same bytes for the same content.
func Encode(s *Snapshot) ([]byte, error) {
	db := Clean(s.Database, s.Stats, s.SampleValues)
	w := writer{}
	columns := 0
	for i := range db.Tables {
		columns += len(db.Tables[i].Columns)
	}
	w.Grow(columnSize*columns + tableSize*len(db.Tables)) // growing by doubling would need twice as much
	w.WriteString(headLine)
	for _, p := range []struct {
		key   string
		value any
	}{
		{"version", Version}, {"connection", s.Connection}, {"taken", s.Taken.UTC().Format(time.RFC3339Nano)}, {"generation", s.Generation},
		{"stats", s.Stats}, {"sample_values", s.SampleValues}, {"database", db.Name}, {"dialect", db.Dialect},
		{"server_version", db.Version}, {"default_schema", db.DefaultSchema},
	} {
		w.line(p.key+": ", p.value)
	}
	w.list("tables", len(db.Tables))
	for i := range db.Tables {
		t := &db.Tables[i]
		w.line(tableLine, table{Table: *t, Rows: t.Rows, RowsSource: t.RowsSource, Bytes: t.Bytes, Usage: (*usage)(t.Usage)})
		if len(t.Columns) == 0 {
			w.WriteString(colsEmpty)
			continue
		}
		w.WriteString(colsBegin)
		for j := range t.Columns {
			c := column{Column: t.Columns[j]}
			if st := t.Columns[j].Stats; st != nil {
				c.Stats = (*stats)(st)
			}
			w.line(colLine, c)
		}
	}
	w.list("lineage", len(db.Lineage))
	for _, l := range db.Lineage {
		w.line(itemLine, l)
	}
	return w.Bytes(), w.err
}

// Bytes of a column and of a table with its keys, as measured on large databases.
const (
	columnSize = 280
	tableSize  = 700
)

// writer writes lines that are YAML and end in JSON.
type writer struct {
	bytes.Buffer
	err error
}

func (w *writer) list(key string, n int) {
	if n == 0 {
		w.WriteString(key + ": []\n")
		return
	}
	w.WriteString(key + ":\n")
}

func (w *writer) line(before string, value any) {
	w.WriteString(before)
	start := w.Len()
	enc := json.NewEncoder(&w.Buffer) // ends with a line end
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil && w.err == nil {
		w.err = fmt.Errorf("encoding the snapshot: %w", err)
	}
	w.escape(start)
}

// escape writes the characters that JSON allows as they are, and YAML does not,
// as escapes.
func (w *writer) escape(start int) {
	text := w.Bytes()[start:]
	special := func(r rune) bool { return r >= 0x7f && r <= 0x9f || r == 0xfeff || r >= 0xfffe && r <= 0xffff }
	if !bytes.ContainsFunc(text, special) {
		return
	}
	var out bytes.Buffer
	for _, r := range string(text) {
		if special(r) {
			fmt.Fprintf(&out, `\u%04x`, r)
		} else {
			out.WriteRune(r)
		}
	}
	w.Truncate(start)
	w.Write(out.Bytes())
}

// Decode reads the text of a file. Its errors wrap [ErrCorrupt], [ErrOlder] or
// [ErrNewer] and hold nothing of the text.
func Decode(text []byte) (*Snapshot, error) {
	doc, ok := decodeLines(text)
	if !ok {
		var err error
		if doc, err = decodeYAML(text); err != nil {
			return nil, err
		}
	}
	switch {
	case doc.Version > Version:
		return nil, fmt.Errorf("%w: format %d, this one knows up to %d", ErrNewer, doc.Version, Version)
	case doc.Version < Version:
		return nil, fmt.Errorf("%w (%d)", ErrOlder, doc.Version)
	}
	taken, err := time.Parse(time.RFC3339Nano, doc.Taken)
	if err != nil {
		return nil, fmt.Errorf("%w: taken is no time", ErrCorrupt)
	}
	s := &Snapshot{Connection: doc.Connection, Taken: taken.UTC(), Generation: doc.Generation, Stats: connect.StatsMode(doc.Stats), SampleValues: doc.SampleValues}
	db := &model.Database{Name: doc.Database, Dialect: doc.Dialect, Version: doc.Server, DefaultSchema: doc.DefaultSchema,
		Tables: make([]model.Table, len(doc.Tables)), Lineage: doc.Lineage}
	if len(db.Lineage) == 0 {
		db.Lineage = nil
	}
	for i := range doc.Tables {
		from := &doc.Tables[i]
		t := from.Table.Table
		t.Rows, t.RowsSource, t.Bytes, t.Usage = from.Table.Rows, from.Table.RowsSource, from.Table.Bytes, (*model.Usage)(from.Table.Usage)
		t.Columns = make([]model.Column, len(from.Columns))
		for j := range from.Columns {
			t.Columns[j] = from.Columns[j].Column
			t.Columns[j].Stats = (*model.Stats)(from.Columns[j].Stats)
		}
		db.Tables[i] = t
	}
	// A file that was changed by hand gets no more than it may have.
	s.Database = Clean(db, s.Stats, s.SampleValues)
	return s, nil
}

// decodeLines reads what Encode wrote; ok is false for anything else.
func decodeLines(text []byte) (doc document, ok bool) {
	rest, ok := bytes.CutPrefix(text, []byte(headLine))
	if !ok {
		return doc, false
	}
	section := ""
	for len(rest) > 0 {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		var err error
		switch key, value, isPair := bytes.Cut(line, []byte(": ")); {
		case section == "tables" && bytes.HasPrefix(line, []byte(tableLine)):
			doc.Tables = append(doc.Tables, tableItem{})
			err = json.Unmarshal(line[len(tableLine):], &doc.Tables[len(doc.Tables)-1].Table)
		case section == "tables" && bytes.HasPrefix(line, []byte(colLine)) && len(doc.Tables) > 0:
			t := &doc.Tables[len(doc.Tables)-1]
			t.Columns = append(t.Columns, column{})
			err = json.Unmarshal(line[len(colLine):], &t.Columns[len(t.Columns)-1])
		case section == "tables" && len(doc.Tables) > 0 && (string(line)+"\n" == colsBegin || string(line)+"\n" == colsEmpty):
		case section == "lineage" && bytes.HasPrefix(line, []byte(itemLine)):
			doc.Lineage = append(doc.Lineage, model.Lineage{})
			err = json.Unmarshal(line[len(itemLine):], &doc.Lineage[len(doc.Lineage)-1])
		case string(line) == "tables:", string(line) == "tables: []":
			section = "tables"
		case string(line) == "lineage:", string(line) == "lineage: []":
			section = "lineage"
		case section == "" && isPair:
			err = json.Unmarshal(fmt.Appendf(nil, "{%q:%s}", key, value), &doc.header)
		default:
			return doc, false
		}
		if err != nil {
			return doc, false
		}
	}
	return doc, section == "lineage" // else it ended too early
}

// decodeYAML reads any spelling of the content.
func decodeYAML(text []byte) (doc document, err error) {
	defer func() {
		if recover() != nil { // the parser is not ours
			err = fmt.Errorf("%w: it is not YAML", ErrCorrupt)
		}
	}()
	var generic map[string]any
	if err := yaml.Unmarshal(text, &generic); err != nil {
		return doc, fmt.Errorf("%w: it is not YAML", ErrCorrupt)
	}
	// What a newer or older format holds need not fit the rest.
	if v, ok := generic["version"].(uint64); ok && v != Version {
		doc.Version = int(min(v, 1<<30))
		return doc, nil
	}
	for _, key := range []string{"version", "tables", "lineage"} {
		if _, ok := generic[key]; !ok {
			return doc, fmt.Errorf("%w: there is no %s in it", ErrCorrupt, key)
		}
	}
	asJSON, err := json.Marshal(generic)
	if err == nil {
		err = json.Unmarshal(asJSON, &doc)
	}
	if err != nil {
		return doc, fmt.Errorf("%w: a value in it has the wrong type", ErrCorrupt)
	}
	return doc, nil
}
