package tools

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/pretensor/internal/lookup"
	"github.com/quartet-mcp/quartet/pretensor/internal/store"
)

// This file holds what query and semantic_search share: the choice of connections to
// search, and the search index, which follows the catalogs.

// searched are the connections that a search is about.
type searched struct {
	databases []database // by name
}

// names are the connections that are searched.
func (s searched) names() []string {
	names := make([]string, len(s.databases))
	for i, d := range s.databases {
		names[i] = d.Entry.Name
	}
	return names
}

// of is the connection of that name.
func (s searched) of(name string) database {
	for _, d := range s.databases {
		if d.Entry.Name == name {
			return d
		}
	}
	return database{}
}

// visible is how many tables there are to find.
func (s searched) visible() int {
	n := 0
	for _, d := range s.databases {
		n += d.Len()
	}
	return n
}

// search chooses what an argument means, all connections if it is empty, and makes the
// search index hold every connection that can be read: a score says how rare words are
// in all of them. What has to be left out of an answer on all connections is in its
// warning.
func (sv *Service) search(ctx context.Context, argument string) (searched, error) {
	entries, err := sv.Store.Entries()
	if err != nil {
		return searched{}, err
	}
	var only database
	if argument != "" || len(entries) < 2 {
		if only, err = sv.open(argument); err != nil {
			return searched{}, err
		}
	}
	var all searched
	for _, e := range entries {
		c, err := sv.Store.Catalog(e)
		if err != nil {
			if only.Catalog == nil {
				warn(ctx, e.Name+" was left out: "+sv.reason(err))
			}
			continue
		}
		if err := sv.Lookup.Put(ctx, c); err != nil {
			return searched{}, err
		}
		all.databases = append(all.databases, database{e, c})
	}
	if err := sv.Lookup.Keep(all.names()); err != nil {
		return searched{}, err
	}
	if only.Catalog != nil {
		return searched{[]database{only}}, nil
	}
	return all, nil
}

// reason says why a connection cannot be read, as its own error would.
func (sv *Service) reason(err error) string {
	var p *store.Problem
	if !errors.As(err, &p) {
		if sv.Log != nil {
			sv.Log.Error("reading a catalog", "err", err)
		}
		return "it cannot be read."
	}
	return strings.TrimSpace(p.Message + " " + p.Hint)
}

// maxQuestion is the most bytes of a question, which its answer repeats.
const maxQuestion = 10_000

const askInWords = "Ask in words, such as: daily revenue by region."

// asked refuses what is no question: without a word in it, or too long.
func asked(argument, text string) error {
	switch {
	case !hasWord(text):
		return noWords(argument, text)
	case len(text) > maxQuestion:
		return refuse(askInWords, "%s has %d bytes, at most %d are allowed.", argument, len(text), maxQuestion)
	}
	return nil
}

// hasWord reports whether there is anything to look for in a text.
func hasWord(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

// warnNothing says why a search over no tables finds none.
func (s searched) warnNothing(ctx context.Context) {
	switch {
	case len(s.databases) == 0:
		warn(ctx, "no connection can be searched")
	case s.visible() == 0:
		warn(ctx, "nothing is indexed in "+strings.Join(s.names(), ", ")+", or everything is hidden")
	}
}

// warnStaleHits puts those stale indexes into the warning that hits come from.
func (sv *Service) warnStaleHits(ctx context.Context, s searched, hits []lookup.Hit) {
	told := map[string]bool{}
	for _, h := range hits {
		if name := h.Catalog.Connection; !told[name] {
			told[name] = true
			if d := s.of(name); d.Catalog != nil {
				sv.warnStale(ctx, d)
			}
		}
	}
}

// noWords refuses a question without a word in it.
func noWords(argument, text string) error {
	if strings.TrimSpace(text) == "" {
		return refuse(askInWords, "%s is empty.", argument)
	}
	return refuse(askInWords, "%s has no word to look for: '%s'.", argument, mcpkit.Untrusted(text))
}

// echo is an optional argument as an answer repeats it, nil if it was not given.
func echo(argument string) *string {
	if argument = strings.TrimSpace(argument); argument == "" {
		return nil
	}
	return &argument
}

// leftOut is the warning about hits that an answer has no room for.
func leftOut(limit string) string {
	return fmt.Sprintf("only the best hits are shown; ask for fewer with %s, or in other words", limit)
}
