package names

import "strings"

// IDPart is a name as a part of an id whose parts are joined by "::". Different names
// have different parts, and different lists of parts different ids: besides the
// separator, a colon at an end is escaped, which would merge with the separator, and
// a percent sign that could be taken for an escape.
func IDPart(name string) string {
	if !strings.ContainsAny(name, ":%") {
		return name
	}
	name = escapes.Replace(name)
	if rest, ok := strings.CutPrefix(name, ":"); ok {
		name = "%3A" + rest
	}
	if rest, ok := strings.CutSuffix(name, ":"); ok {
		name = rest + "%3A"
	}
	return name
}

var escapes = strings.NewReplacer("::", "%3A%3A", "%3A", "%253A", "%25", "%2525")
