package dialect

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Version is the version of a database's server: major, minor and patch. The zero value
// is the newest one there is.
type Version [3]int

// ParseVersion reads the numbers that a version text begins with: "16", "8.0.35",
// "10.11.6-MariaDB". ok is false if it begins with none; an empty text is the newest
// version.
func ParseVersion(text string) (v Version, ok bool) {
	text = strings.TrimSpace(text)
	if text == "" {
		return v, true
	}
	text = strings.TrimPrefix(text, "v")
	for i := range v {
		end := strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' })
		if end < 0 {
			end = len(text)
		}
		n, err := strconv.Atoi(text[:end])
		if err != nil {
			return Version{}, false
		}
		v[i] = n
		if text = text[end:]; len(text) < 2 || text[0] != '.' || text[1] < '0' || text[1] > '9' {
			break
		}
		text = text[1:]
	}
	return v, v != Version{}
}

// Before reports whether v is older than the version of a text such as "8.0.16".
func (v Version) Before(text string) bool {
	other, _ := ParseVersion(text)
	return v != Version{} && slices.Compare(v[:], other[:]) < 0
}

// knownVersions are the oldest version whose rules are known, and the newest one as far as
// versions come with new rules. Dialects whose rules are those of one version have none.
var knownVersions = map[Dialect]struct{ oldest, newest string }{
	Postgres:    {"9.6", "18"},
	MySQL:       {"5.7", "9"},
	MariaDB:     {"10.2", "12"},
	SQLite:      {"3.25", "3"},
	CockroachDB: {"22", "26"},
	YugabyteDB:  {"2.14", "2025"},
}

// DoubtVersion says what is not known of the version that a text names, and how it is
// taken; empty where its rules are known.
func (d Dialect) DoubtVersion(text string) string {
	v, ok := ParseVersion(text)
	known, has := knownVersions[d]
	if ok && (!has || v == Version{}) {
		return ""
	}
	newest, _ := ParseVersion(known.newest)
	switch {
	case !ok:
		return fmt.Sprintf("%.40q is no version of %s; the rules of the newest one are used", text, d)
	case v.Before(known.oldest):
		return fmt.Sprintf("version %.40q of %s is older than %s, the oldest one whose rules are known and whose rules are used", text, d, known.oldest)
	case v[0] > newest[0]:
		return fmt.Sprintf("version %.40q of %s is newer than %s, the newest one whose rules are known and whose rules are used", text, d, known.newest)
	}
	return ""
}

// Speaks returns the version whose SQL a version of the database speaks: for YugabyteDB
// that of the PostgreSQL that it is built from, else the version itself.
func (d Dialect) Speaks(v Version) Version {
	const oldest, years = 11, 1000 // YugabyteDB's own versions are 2.x, and then years
	switch {
	case d != YugabyteDB || v[0] >= oldest && v[0] < years:
		return v
	case v[0] < oldest && v.Before("2.25"), v.Before("2025.1") && v[0] >= years:
		return Version{11}
	}
	return Version{15}
}
