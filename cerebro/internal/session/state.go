package session

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/quartet-mcp/quartet/cerebro/internal/route"
)

// Path is how the numbers of an analysis are meant to be found.
type Path string

// The paths.
const (
	Undecided    Path = "undecided"
	SemanticOnly Path = "semantic_only"
	HybridPath   Path = "hybrid"
	RawOnly      Path = "raw_only"
)

// State is what has happened in a scope. All methods are safe for concurrent use.
type State struct {
	mu   sync.Mutex
	data Snapshot
}

// Snapshot is a copy of a state. Lists are sorted.
type Snapshot struct {
	FindRan       bool       `json:"semantic_find_ran"`
	FindRoute     route.Way  `json:"find_route"`
	FindMode      route.Mode `json:"find_mode"`
	PreflightRan  bool       `json:"semantic_preflight_ran"`
	PreflightWay  route.Way  `json:"preflight_route"`
	PreflightMode route.Mode `json:"preflight_mode"`

	Path     Path   `json:"analysis_path"`
	PathUsed string `json:"path_used"` // none, semantic, raw or mixed
	// SemanticTried says that a metric query was run or explained.
	SemanticTried  bool   `json:"semantic_execution_attempted"`
	FallbackReason string `json:"fallback_reason"`

	Searches    int               `json:"search_count"`
	Discovered  []string          `json:"discovered_models"`
	Explored    []string          `json:"explored_models"`
	Excluded    map[string]string `json:"excluded_models"` // why, by model
	Verified    []string          `json:"verified_tables"`
	Queries     int               `json:"execute_query_count"`
	Statistical int               `json:"statistical_query_count"`
	Correlation int               `json:"correlation_query_count"`

	ChartCalls int       `json:"generate_chart_count"`
	ChartTypes []string  `json:"chart_types"`
	Charts     []Chart   `json:"charts"`
	Unhidden   []string  `json:"unhidden_tools"`
	Created    time.Time `json:"created_at"`
	LastSeen   time.Time `json:"last_seen"`
}

// Chart is what the gates want to know of a chart.
type Chart struct {
	ID     string `json:"chart_id"`
	Type   string `json:"chart_type"`
	Series bool   `json:"has_series"` // it has a series field
}

func newState(now time.Time) *State {
	return &State{data: Snapshot{
		Path: Undecided, PathUsed: "none", Discovered: []string{}, Explored: []string{}, Excluded: map[string]string{}, Verified: []string{},
		ChartTypes: []string{}, Charts: []Chart{}, Unhidden: []string{}, Created: now, LastSeen: now,
	}}
}

// Snapshot copies the state.
func (s *State) Snapshot() Snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.data
	c.Discovered, c.Explored, c.Verified = slices.Clone(c.Discovered), slices.Clone(c.Explored), slices.Clone(c.Verified)
	c.ChartTypes, c.Charts, c.Unhidden = slices.Clone(c.ChartTypes), slices.Clone(c.Charts), slices.Clone(c.Unhidden)
	c.Excluded = maps.Clone(c.Excluded)
	return c
}

func (s *State) change(f func(d *Snapshot)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f(&s.data)
}

func insert(list *[]string, names ...string) {
	for _, n := range names {
		if i, found := slices.BinarySearch(*list, n); n != "" && !found {
			*list = slices.Insert(*list, i, n)
		}
	}
}

// Found records a find. Only one that resolved to an answer opens raw discovery;
// none ever counts as a preflight.
func (s *State) Found(way route.Way, mode route.Mode) {
	if mode != route.Answer {
		return
	}
	s.change(func(d *Snapshot) { d.FindRan, d.FindRoute, d.FindMode = true, way, mode })
}

// Preflight records a preflight, which begins an analysis: what was discovered and
// excluded, and the counts of charts, statistics and correlations start anew. What
// was looked at and queried stays.
func (s *State) Preflight(way route.Way, mode route.Mode, fallback string) {
	s.change(func(d *Snapshot) {
		d.PreflightRan, d.PreflightWay, d.PreflightMode, d.FallbackReason = true, way, mode, fallback
		d.Discovered, d.Excluded = []string{}, map[string]string{}
		d.ChartCalls, d.Statistical, d.Correlation = 0, 0, 0
		d.ChartTypes, d.Charts = []string{}, []Chart{}
		switch way {
		case route.Ready:
			d.Path = SemanticOnly
		case route.Hybrid:
			d.Path = HybridPath
		default:
			d.Path = RawOnly
		}
	})
}

// used notes by which way numbers came.
func (d *Snapshot) used(way string) {
	switch d.PathUsed {
	case "none", way:
		d.PathUsed = way
	default:
		d.PathUsed = "mixed"
	}
}

// Searched records a search of models or metrics and the models that it showed.
func (s *State) Searched(models ...string) {
	s.change(func(d *Snapshot) {
		d.Searches++
		insert(&d.Discovered, models...)
	})
}

// Explored records models whose details were read.
func (s *State) Explored(models ...string) {
	s.change(func(d *Snapshot) { insert(&d.Explored, models...) })
}

// Verified records tables whose columns were read.
func (s *State) Verified(tables ...string) {
	s.change(func(d *Snapshot) { insert(&d.Verified, tables...) })
}

// Excluded records models that were left out on purpose.
func (s *State) Excluded(reason string, models ...string) {
	s.change(func(d *Snapshot) {
		for _, m := range models {
			d.Excluded[m] = reason
		}
	})
}

// Tried records that a metric query was planned.
func (s *State) Tried() { s.change(func(d *Snapshot) { d.SemanticTried = true }) }

// Measured records a metric query that ran, on the tables of its models.
func (s *State) Measured(tables ...string) {
	s.change(func(d *Snapshot) {
		d.SemanticTried = true
		d.Queries++
		insert(&d.Verified, tables...)
		d.used("semantic")
	})
}

// Queried records SQL that ran.
func (s *State) Queried(statistical, correlation bool, tables ...string) {
	s.change(func(d *Snapshot) {
		d.Queries++
		if statistical {
			d.Statistical++
		}
		if correlation {
			d.Correlation++
		}
		insert(&d.Verified, tables...)
		d.used("raw")
	})
}

// Charted records a chart.
func (s *State) Charted(c Chart) {
	s.change(func(d *Snapshot) {
		d.ChartCalls++
		insert(&d.ChartTypes, c.Type)
		d.Charts = append(d.Charts, c)
	})
}

// Unhide adds tools to those that this scope sees; it gives the ones that are new.
func (s *State) Unhide(names ...string) []string {
	var fresh []string
	s.change(func(d *Snapshot) {
		for _, n := range names {
			if _, found := slices.BinarySearch(d.Unhidden, n); !found {
				fresh = append(fresh, n)
			}
			insert(&d.Unhidden, n)
		}
	})
	return fresh
}

// Hide takes tools out of those that this scope sees.
func (s *State) Hide(names ...string) {
	s.change(func(d *Snapshot) {
		d.Unhidden = slices.DeleteFunc(d.Unhidden, func(n string) bool { return slices.Contains(names, n) })
	})
}

// Reset forgets everything but when the scope began.
func (s *State) Reset(now time.Time) {
	s.change(func(d *Snapshot) {
		fresh := newState(now)
		fresh.data.Created = d.Created
		*d = fresh.data
	})
}
