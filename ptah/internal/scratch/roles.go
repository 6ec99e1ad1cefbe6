package scratch

import (
	"regexp"
	"strings"
)

// role is a role or user that the work made, as the statement writes it: it belongs to the
// server and is not in the database.
type role struct{ kind, name string }

// account is the name of a role or user in a statement.
const account = "(?:\"(?:[^\"]|\"\")*\"|`(?:[^`]|``)*`|'(?:[^']|'')*'|[^\\s;,@'\"`]+)"

var (
	createRole  = regexp.MustCompile(`(?is)^\s*CREATE\s+(ROLE|USER|GROUP)\s+(?:IF\s+NOT\s+EXISTS\s+)?(` + account + `(?:@` + account + `)?)(\s*,)?`)
	userMapping = regexp.MustCompile(`(?i)^\s*CREATE\s+USER\s+MAPPING\s`)
	ifNotExists = regexp.MustCompile(`(?i)^(\s*CREATE\s+(?:ROLE|USER)\s+)IF\s+NOT\s+EXISTS\s`)
)

// createdRole returns the role that a statement makes. ok is false for other statements,
// and for one that makes several: which of them were there before is not known.
func createdRole(statement string) (r role, ok bool) {
	m := createRole.FindStringSubmatch(statement)
	if m == nil || m[3] != "" || userMapping.MatchString(statement) {
		return role{}, false
	}
	return role{strings.ToUpper(m[1]), m[2]}, true
}

// surely is a statement without IF NOT EXISTS, so that it fails where the role is there:
// one that was there before is not dropped.
func surely(statement string) string { return ifNotExists.ReplaceAllString(statement, "$1") }
