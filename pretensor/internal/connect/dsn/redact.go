package dsn

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Mask stands where a secret was. Its length tells nothing of the secret's.
const Mask = "***"

// Redacted is the name without its secrets: user:***@host. It is the same text for
// every password. Parameters that are or may be secret are masked too.
func (d DSN) Redacted() string {
	if d.Password != "" {
		d.Password = Mask
	}
	if d.Query != nil {
		d.Query = maps.Clone(d.Query)
		for key, values := range d.Query {
			masked := slices.Clone(values)
			for i, v := range masked {
				if isSecret(key, v) {
					masked[i] = Mask
				}
			}
			d.Query[key] = masked
		}
	}
	return d.String()
}

// isSecret reports whether a parameter's value must not be shown: by its name, or
// because the value is itself a name with a user in it.
func isSecret(key, value string) bool {
	if value == "" {
		return false
	}
	key = strings.NewReplacer("_", "", "-", "", ".", "").Replace(strings.ToLower(key))
	for _, word := range []string{"password", "passwd", "pwd", "passphrase", "passcode", "secret", "token", "credential", "key", "signature"} {
		if strings.Contains(key, word) {
			return true
		}
	}
	return key == "pass" || strings.Contains(value, "://") && strings.Contains(value, "@")
}

// secrets lists what [Redact] takes out: the secrets, and as they stand in a quoted
// string of Go, JSON or SQL.
func (d DSN) secrets() []string {
	var all []string
	if d.Password != "" {
		all = append(all, d.Password)
	}
	for key, values := range d.Query {
		for _, v := range values {
			if isSecret(key, v) {
				all = append(all, v)
				if u, err := url.Parse(v); err == nil && u.User != nil {
					if p, _ := u.User.Password(); p != "" {
						all = append(all, p)
					}
				}
			}
		}
	}
	for _, s := range slices.Clone(all) {
		plain, _ := json.Marshal(s)
		for _, quoted := range []string{strconv.Quote(s), strconv.QuoteToASCII(s), string(plain)} {
			all = append(all, quoted[1:len(quoted)-1])
		}
		all = append(all, strings.ReplaceAll(s, "'", "''"), strings.ReplaceAll(s, `"`, `""`))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Redact returns text with every secret of d masked, whether it stands there as it
// is, percent-encoded (wholly or in part, in either case of letters, a space also
// as a plus), or escaped as in a quoted string of JSON, Go or SQL. A secret that is
// a part of [Mask] cannot be told from it. One that could be a short word is not
// looked for inside of longer words: the gaps there would spell it.
func Redact(text string, d DSN) string {
	secrets := d.secrets()
	if len(secrets) == 0 {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		longest := 0
		for _, secret := range secrets {
			if n := match(text[i:], secret); !isShortWord(secret) || !insideWord(text, i, i+n) {
				longest = max(longest, n)
			}
		}
		if longest == 0 {
			b.WriteByte(text[i])
			i++
			continue
		}
		b.WriteString(Mask)
		i += longest
	}
	return b.String()
}

// isShortWord reports whether a secret may well be a part of words that have nothing
// to do with it.
func isShortWord(secret string) bool {
	return len(secret) <= 8 && !strings.ContainsFunc(secret, func(r rune) bool { return !isWord(r) })
}

// insideWord reports whether a letter or digit is next to text[from:to]. That of a
// percent-encoded byte or of an escape like \n is not one.
func insideWord(text string, from, to int) bool {
	before := strings.HasSuffix(text[:from], `\`) || from > 1 && text[from-2] == '\\' || from > 2 && text[from-3] == '%' && unhex(text[from-2:from]) >= 0
	last, _ := utf8.DecodeLastRuneInString(text[:from])
	next, _ := utf8.DecodeRuneInString(text[to:])
	return !before && isWord(last) || isWord(next)
}

func isWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// match is the length of the longest beginning of text that spells secret, or 0.
// Since a byte can be spelt in several ways, all ends that the bytes so far may
// have are followed together.
func match(text, secret string) int {
	ends := []int{0}
	for i := 0; i < len(secret) && len(ends) > 0; i++ {
		var next []int
		for _, end := range ends {
			for _, n := range spellings(text[end:], secret[i]) {
				if n > 0 && !slices.Contains(next, end+n) {
					next = append(next, end+n)
				}
			}
		}
		ends = next
	}
	if len(ends) == 0 {
		return 0
	}
	return slices.Max(ends)
}

// spellings are the lengths of the ways in which text can begin with c: as it
// stands, and percent-encoded.
func spellings(text string, c byte) (ways [2]int) {
	if text != "" && (text[0] == c || text[0] == '+' && c == ' ') {
		ways[0] = 1
	}
	if len(text) >= 3 && text[0] == '%' && unhex(text[1:3]) == int(c) {
		ways[1] = 3
	}
	return ways
}

// unhex is the value of two hexadecimal digits, or -1.
func unhex(s string) int {
	value := 0
	for i := range 2 {
		digit := strings.IndexByte("0123456789abcdef", s[i]|0x20)
		if digit < 0 || s[i] < '0' {
			return -1
		}
		value = value<<4 | digit
	}
	return value
}
