package dburl

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// secretName is a part of the name of whatever holds a secret.
const secretName = `[\w.-]*(?:password|passwd|passphrase|pwd|sslkey|secret|token|credential)[\w.-]*`

var (
	isSecret = regexp.MustCompile(`(?i)^` + secretName + `$`)
	// userinfo is what may stand between the scheme and the host of any URL. Since a
	// password may hold an @, it goes up to the last one.
	userinfo = regexp.MustCompile(`([A-Za-z][A-Za-z0-9+.-]*://)[^\s/"'` + "`" + `]*@`)
	// parameter is name=value as in URLs and in PostgreSQL's key words.
	parameter = regexp.MustCompile(`(?i)\b(` + secretName + `\s*=\s*)(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\s&;,'"]+)`)
)

// findSecrets lists the password and the parameters that hold a secret, as they are, as
// URLs spell them, and as they stand in a quoted text; the longest first, so that one
// that is a part of another does not leave the rest of it.
func (u URL) findSecrets() []string {
	var plain []string
	if u.password != "" {
		plain = append(plain, u.password)
	}
	for name, values := range u.query {
		for _, v := range values {
			if v != "" && isSecret.MatchString(name) {
				plain = append(plain, v)
			}
		}
	}
	if i := strings.LastIndex(u.text, "@"); i >= 0 && u.password != "" { // as it was written
		_, after, _ := strings.Cut(u.text[:i], "://")
		if _, written, ok := strings.Cut(after, ":"); ok && written != "" {
			plain = append(plain, written)
		}
	}
	all := slices.Clone(plain)
	for _, s := range plain {
		quoted := strconv.Quote(s)
		all = append(all, url.QueryEscape(s), url.PathEscape(s), url.UserPassword("", s).String()[1:], quoted[1:len(quoted)-1],
			strings.ReplaceAll(s, "'", "''"))
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	return slices.Compact(all)
}

// Redact returns a text without what it may hold of secrets: those of the URL, the
// users and passwords of any URL in it, and the values of parameters with telling names.
// Host and port remain.
func (u URL) Redact(text string) string {
	for _, s := range u.secrets { // first: they may hold what ends the patterns
		text = strings.ReplaceAll(text, s, Mask)
	}
	text = userinfo.ReplaceAllString(text, "${1}"+Mask+"@")
	return parameter.ReplaceAllString(text, "${1}"+Mask)
}
