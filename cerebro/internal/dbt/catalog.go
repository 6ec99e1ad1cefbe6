package dbt

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// AddCatalog adds what catalog.json knows: which relations exist, the types and
// order of their columns, and estimates of their size. The project is changed
// in place and must not be in use yet.
func (p *Project) AddCatalog(r io.Reader) error {
	found := false
	err := object(r, func(d *json.Decoder, key string) error {
		switch key {
		case "metadata":
			var m struct {
				Schema string `json:"dbt_schema_version"`
			}
			if err := d.Decode(&m); err != nil {
				return err
			}
			kind, _, ok := schemaVersion(m.Schema)
			if !ok || kind != "catalog" {
				return fmt.Errorf("not a dbt catalog: dbt_schema_version is %q", m.Schema)
			}
			found = true
			return nil
		case "nodes", "sources":
			return entries(d, p.catalogEntry)
		}
		return skip(d)
	})
	if err == nil && !found {
		err = fmt.Errorf("not a dbt catalog: it has no metadata")
	}
	return err
}

func (p *Project) catalogEntry(id string, raw json.RawMessage) error {
	n := p.byID[id]
	if n == nil {
		return nil // of another run of dbt than the manifest
	}
	var j struct {
		Metadata struct {
			Type string `json:"type"`
		} `json:"metadata"`
		Columns map[string]struct {
			Name    string `json:"name"`
			Type    string `json:"type"`
			Index   int    `json:"index"`
			Comment string `json:"comment"`
		} `json:"columns"`
		Stats map[string]struct {
			Value any `json:"value"`
		} `json:"stats"`
	}
	if err := json.Unmarshal(raw, &j); err != nil {
		return err
	}
	n.InCatalog = true
	n.View = strings.Contains(strings.ToLower(j.Metadata.Type), "view")
	// Adapters name the same figure differently.
	n.Rows = stat(j.Stats, "num_rows", "row_count", "rows")
	n.Bytes = stat(j.Stats, "num_bytes", "bytes", "size")
	order := map[*Column]int{}
	for _, key := range slices.Sorted(maps.Keys(j.Columns)) {
		c := j.Columns[key]
		col := n.Column(first(c.Name, key))
		if col == nil {
			col = &Column{Name: first(c.Name, key), Description: c.Comment}
			n.Columns = append(n.Columns, col)
		}
		col.Name, col.Type, col.InCatalog = first(c.Name, key), first(c.Type, col.Type), true
		order[col] = c.Index
	}
	slices.SortStableFunc(n.Columns, func(a, b *Column) int { return rank(order, a) - rank(order, b) })
	return nil
}

// rank puts columns that the catalog does not know behind the others.
func rank(order map[*Column]int, c *Column) int {
	if i, ok := order[c]; ok {
		return i
	}
	return 1 << 30
}

func stat(stats map[string]struct {
	Value any `json:"value"`
}, names ...string,
) int64 {
	for _, name := range names {
		switch v := stats[name].Value.(type) {
		case float64:
			return int64(v)
		case string:
			if f, err := strconv.ParseFloat(strings.ReplaceAll(v, ",", ""), 64); err == nil {
				return int64(f)
			}
		}
	}
	return -1
}

// AddRunResults adds the outcome of the last run of the tests.
func (p *Project) AddRunResults(r io.Reader) error {
	tests := make(map[string]*Test, len(p.Tests))
	for _, t := range p.Tests {
		tests[t.ID] = t
	}
	return object(r, func(d *json.Decoder, key string) error {
		if key != "results" {
			return skip(d)
		}
		return elements(d, func(raw json.RawMessage) error {
			var j struct {
				ID       string `json:"unique_id"`
				Status   string `json:"status"`
				Failures int64  `json:"failures"`
			}
			if err := json.Unmarshal(raw, &j); err != nil {
				return err
			}
			if t := tests[j.ID]; t != nil {
				t.Status, t.Failures = j.Status, j.Failures
			}
			return nil
		})
	})
}
