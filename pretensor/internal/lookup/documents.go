package lookup

import (
	"fmt"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/search"
	"github.com/quartet-mcp/quartet/datakit/search/analysis"
	"github.com/quartet-mcp/quartet/datakit/wordvec"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/names"
)

// The fields of a document.
const (
	fieldName        = "name"
	fieldAlias       = "alias"
	fieldEntity      = "entity"
	fieldDescription = "description"
	fieldColumns     = "columns"
	fieldColumnText  = "column_text"
	fieldCluster     = "cluster"
)

// fields are the fields and what a word in each is worth. A table's own name stands
// in its name field twice, with its schema and without, so that a question may equal
// either; so it counts 3 and its schema, which it shares, half of that.
func fields() []search.Field {
	return []search.Field{
		{Name: fieldName, Boost: 1.5, Title: true},
		{Name: fieldAlias, Boost: 2.5, Title: true},
		{Name: fieldEntity, Boost: 2.5},
		{Name: fieldDescription, Boost: 1.5},
		{Name: fieldColumns, Boost: 1.4},
		{Name: fieldColumnText, Boost: 1},
		{Name: fieldCluster, Boost: 0.2},
	}
}

// What is known of a document beside its words.
const (
	// namedBonus puts a table that the question names before those that only have its
	// name among others or in a column.
	namedBonus      = 1.25
	weightBackstage = 0.7 // tables of the machinery, not of the business
	weightEmpty     = 0.9
	// weightEntity puts an entity behind the tables that it is made of and that have
	// its name, too: a question is mostly after tables.
	weightEntity = 0.45
)

// How much of a text is searched. What is longer than maxText is a document, not a
// comment, and would be split anew for each hit.
const (
	maxText      = 16 << 10 // bytes
	clusterWords = 16       // of a cluster's description
)

// documents makes the documents of a connection's tables and entities, and the ids.
// Documents of equal score come in the order of their ids: tables before entities,
// then by connection and name.
func (s *speller) documents(in *connection, turn int) []search.Document {
	c := in.catalog
	about := make([][]string, len(c.Clusters))
	for i, k := range c.Clusters {
		about[i] = []string{k.Label, firstWords(k.Description, clusterWords)}
	}
	spelled := map[string][]string{}
	docs := make([]search.Document, 0, c.Len()+len(c.Entities))
	for i := range c.Tables {
		t := &c.Tables[i]
		facts := in.facts(i)
		d := search.Document{ID: fmt.Sprintf("1%s\x00%s\x00%08d\x00%d", c.Connection, c.Name(i), i, turn), Weight: 1}
		switch facts.Role {
		case "system", "staging", "audit":
			d.Weight *= weightBackstage
		}
		if t.Rows != nil && *t.Rows == 0 {
			d.Weight *= weightEmpty
		}
		columns := make([]string, 0, 2*len(t.Columns))
		var texts []string
		for k := range t.Columns {
			column := &t.Columns[k]
			ways, ok := spelled[column.Name]
			if !ok {
				ways = s.name(column.Name)
				spelled[column.Name] = ways
			}
			columns = append(columns, ways...)
			if column.Comment != "" {
				texts = append(texts, bounded(column.Comment))
			}
			texts = append(texts, column.Enum...)
		}
		var also []string
		for _, a := range in.aliases[i] {
			also = append(also, s.name(a)...)
		}
		d.Fields = map[string][]string{
			fieldName: s.qualified(t.Schema, t.Name), fieldAlias: also, fieldEntity: in.entities[i],
			fieldDescription: descriptions(facts, t.Comment), fieldColumns: columns, fieldColumnText: texts,
		}
		if k := in.cluster[i]; k >= 0 {
			d.Fields[fieldCluster] = about[k]
		}
		docs = append(docs, d)
		in.ids = append(in.ids, d.ID)
	}
	for i, e := range c.Entities {
		d := search.Document{ID: fmt.Sprintf("2%s\x00%s\x00%08d\x00%d", c.Connection, e.Name, i, turn), Weight: weightEntity}
		d.Fields = map[string][]string{fieldName: {e.Name, e.Name}, fieldDescription: {bounded(e.Description)}}
		docs = append(docs, d)
		in.ids = append(in.ids, d.ID)
	}
	return docs
}

// descriptions are what is said about a table.
func descriptions(f *catalog.Facts, comment string) []string {
	texts := []string{bounded(f.Description)}
	if comment != f.Description {
		texts = append(texts, bounded(comment))
	}
	return append(texts, f.Tags...)
}

// bounded is the part of a text that is searched.
func bounded(text string) string { return text[:min(len(text), maxText)] }

// firstWords cuts a text after its n-th word.
func firstWords(text string, n int) string {
	for _, t := range analysis.Split(text) {
		if t.Joined {
			continue
		}
		if n == 0 {
			return text[:t.Start]
		}
		n--
	}
	return text
}

// speller finds the plain words within names.
type speller struct {
	words *wordvec.Builtin
}

// name returns a name, and before it the name in plain words if those are others:
// acct_custkey is account_customer_key, too.
func (s *speller) name(name string) []string {
	if words, ok := s.plain(name); ok {
		return []string{words, name}
	}
	return []string{name}
}

// qualified is the name of a table with its schema and without, and without what only
// says what kind of table it is.
func (s *speller) qualified(schema, table string) []string {
	values := s.name(table)
	tokens := names.Tokens(values[0])
	if bare := names.Bare(tokens); len(bare) < len(tokens) {
		values = append(values, strings.Join(bare, "_"))
	}
	if schema == "" {
		return append([]string{values[0]}, values...)
	}
	if words, ok := s.plain(schema); ok {
		schema = words
	}
	return append([]string{schema + "." + values[0]}, values...)
}

func (s *speller) plain(name string) (string, bool) {
	var b strings.Builder
	changed := false
	for _, t := range analysis.Split(name) {
		if t.Joined {
			continue
		}
		words := s.words.Spell(t.Text)
		if words == nil {
			words = []string{t.Text}
		} else {
			changed = true
		}
		for _, w := range words {
			if b.Len() > 0 {
				b.WriteByte('_')
			}
			b.WriteString(w)
		}
	}
	return b.String(), changed
}
