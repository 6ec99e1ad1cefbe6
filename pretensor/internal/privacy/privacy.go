// Package privacy decides which statistics of a database may be kept, written or
// returned. [Apply] is the one place where that is decided; whoever introspects
// calls it before anything is stored or shown.
//
// Counts, null fractions and names are structure. Single values are kept of
// numbers, dates and booleans only, and of short texts only where the user asked
// for it, the column's name is harmless and no value looks like personal data or a
// secret.
package privacy

import (
	"strings"
	"unicode/utf8"

	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/types"
)

// Limits of what is kept.
const (
	MaxCommon      = 20 // common values of a column
	MaxHistogram   = 11 // bounds of a histogram
	MaxDistinct    = 50 // distinct values of a column whose common values are kept
	MaxValueLength = 64 // characters of a text value
)

// sensitive are the parts of names that tell of personal data or secrets; joined
// are the same without what separates words.
var sensitive = []string{
	"password", "passwd", "pwd", "secret", "token", "api_key", "apikey", "auth", "credential", "ssn", "social_security", "passport",
	"iban", "card", "cvv", "pin", "salt", "hash", "email", "phone", "mobile", "fax", "address", "street", "postcode", "zip", "birth", "dob",
	"first_name", "last_name", "full_name", "surname", "ip", "mac", "lat", "lon", "geo", "salary", "diagnosis",
}

var joined = func() []string {
	out := make([]string, len(sensitive))
	for i, word := range sensitive {
		out[i] = join(word)
	}
	return out
}()

// SensitiveName reports whether a name contains one of the words that tell of
// personal data or secrets, without regard to case and separators: firstName is
// first_name. Words inside other words count too (description contains ip): a
// value too few is better than one too many.
func SensitiveName(name string) bool {
	if name == "" {
		return false
	}
	name = join(strings.ToLower(name))
	for _, word := range joined {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// join leaves out what separates words.
func join(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' || r == '.' {
			return -1
		}
		return r
	}, name)
}

// Apply takes out of db, in place, every statistic that may not be kept under the
// mode (an empty one is [connect.StatsCatalog]). Common values of texts stay only
// with sampleValues. Long literals in defaults are shortened. Lists that are
// changed are replaced, so that a shallow copy of db keeps its own.
func Apply(db *model.Database, mode connect.StatsMode, sampleValues bool) {
	for i := range db.Tables {
		t := &db.Tables[i]
		if mode == connect.StatsNone {
			t.Rows, t.RowsSource, t.Usage, t.Bytes = nil, "", nil, nil
		}
		for j := range t.Columns {
			c := &t.Columns[j]
			c.Default = connect.ShortDefault(c.Default)
			c.Stats = keep(db.Dialect, c, mode, sampleValues)
		}
	}
}

// keep returns the part of a column's statistics that may be kept; nil if nothing
// is left.
func keep(dialect string, c *model.Column, mode connect.StatsMode, sampleValues bool) *model.Stats {
	s := c.Stats
	if s == nil || mode == connect.StatsNone || mode != connect.StatsSample && s.Source == "sample" {
		return nil
	}
	out := &model.Stats{NullFraction: s.NullFraction, Distinct: s.Distinct, Source: s.Source}
	if SensitiveName(c.Name) || SensitiveName(c.Parent) {
		return orNil(out)
	}
	out.Correlation = s.Correlation
	few := s.Distinct != nil && *s.Distinct >= 0 && *s.Distinct <= MaxDistinct
	switch types.ColumnFamily(dialect, c) {
	case types.Numeric:
		// A column of a loosely typed engine may hold texts all the same.
		out.Min, out.Max = only(isNumber, s.Min), only(isNumber, s.Max)
		if all(isNumber, s.Histogram) {
			out.Histogram = thin(s.Histogram)
		}
		if few && all(isNumber, s.Common) {
			out.Common = first(s.Common)
		}
	case types.Temporal:
		out.Min, out.Max = only(isTime, s.Min), only(isTime, s.Max)
		if all(isTime, s.Histogram) {
			out.Histogram = thin(s.Histogram)
		}
	case types.Boolean:
		if all(isBoolean, s.Common) {
			out.Common = first(s.Common)
		}
	case types.String:
		if sampleValues && few && all(harmless, s.Common) {
			out.Common = first(s.Common)
		}
	}
	return orNil(out)
}

func orNil(s *model.Stats) *model.Stats {
	if s.NullFraction == nil && s.Distinct == nil && s.Correlation == nil && s.Min == "" && s.Max == "" && len(s.Common) == 0 && len(s.Histogram) == 0 {
		return nil
	}
	return s
}

func only(is func(string) bool, value string) string {
	if is(value) {
		return value
	}
	return ""
}

func all(are func(string) bool, values []string) bool {
	for _, v := range values {
		if !are(v) {
			return false
		}
	}
	return true
}

// first are the most common values that may be kept.
func first(values []string) []string {
	if len(values) == 0 {
		return nil
	}
	return append([]string(nil), values[:min(len(values), MaxCommon)]...)
}

// thin picks bounds at equal distances, with the first and the last.
func thin(bounds []string) []string {
	n := len(bounds)
	if n <= MaxHistogram {
		return append([]string(nil), bounds...)
	}
	out := make([]string, MaxHistogram)
	for i := range out {
		out[i] = bounds[i*(n-1)/(MaxHistogram-1)]
	}
	return out
}

func harmless(value string) bool {
	return utf8.RuneCountInString(value) <= MaxValueLength && LooksLike(value) == ""
}
