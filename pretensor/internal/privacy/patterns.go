package privacy

import (
	"regexp"
	"strings"
)

// Kinds of values that are never kept.
const (
	Email  = "e-mail address"
	URL    = "URL"
	Card   = "card number"
	Phone  = "phone number"
	Token  = "token"
	Digits = "long digit string"
)

var (
	emailPattern = regexp.MustCompile(`[\pL\pN._%+'-]+@[\pL\pN-]+(\.[\pL\pN-]+)+`)
	urlPattern   = regexp.MustCompile(`(?i)[a-z][a-z0-9+.-]*://\S|\bwww\.[^\s.]+\.\S|\bmailto:\S`)
	digitRuns    = regexp.MustCompile(`\d(?:[ .-]?\d){11,}`)
	phonePattern = regexp.MustCompile(`(?:\+|\b00|\(|\b)\d[\d ().\-/]{5,}\d\b`)
	datePattern  = regexp.MustCompile(`\b\d{4}([-./])\d{1,2}[-./]\d{1,2}\b|\b\d{1,2}([-./])\d{1,2}[-./]\d{4}\b|\b\d{4}\s*-\s*\d{4}\b`)
	clockPattern = regexp.MustCompile(`\b\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?\b`)
	numeral      = regexp.MustCompile(`^\s*-?\d+\.\d+\s*$`)
	digitsOnly   = regexp.MustCompile(`\d{9,}`)
	wordPattern  = regexp.MustCompile(`[A-Za-z0-9_+/=.~-]{20,}`)
	knownToken   = regexp.MustCompile(`\b(?:sk|pk|rk)[-_](?:live|test|proj|ant)?[-_]?[A-Za-z0-9_-]{8,}|\bgh[pousr]_[A-Za-z0-9]{8,}|\bgithub_pat_|\bglpat-|\bxox[abprs]-|\b(?:AKIA|ASIA)[A-Z0-9]{12,}|\beyJ[A-Za-z0-9_-]{8,}|\bBearer\s+\S{8,}|-----BEGIN |\bAIza[A-Za-z0-9_-]{20,}|\$2[aby]\$\d\d\$|\$argon2`)
	uuidPattern  = regexp.MustCompile(`(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`)
	hexPattern   = regexp.MustCompile(`(?i)\b[0-9a-f]{24,}\b`)
)

// LooksLike says what kind of personal data or secret a value seems to be or to
// contain; "" for none. Dates, times, plain decimal numbers and short codes are
// none.
func LooksLike(value string) string {
	switch {
	case emailPattern.MatchString(value):
		return Email
	case urlPattern.MatchString(value):
		return URL
	case knownToken.MatchString(value), uuidPattern.MatchString(value), hexPattern.MatchString(value):
		return Token
	case hasCard(value):
		return Card
	case hasPhone(value):
		return Phone
	case digitsOnly.MatchString(value):
		return Digits
	case hasRandomWord(value):
		return Token
	}
	return ""
}

// hasCard looks for 12 to 19 digits, perhaps in groups, whose check digit is right.
func hasCard(value string) bool {
	for _, run := range digitRuns.FindAllString(value, -1) {
		digits := onlyDigits(run)
		if len(digits) <= 19 && luhn(digits) {
			return true
		}
	}
	return false
}

func onlyDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s)
}

// luhn reports whether the last digit checks the others.
func luhn(digits string) bool {
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// hasPhone looks for 7 to 15 digits that are grouped, or begin with a plus or two
// zeros.
func hasPhone(value string) bool {
	if numeral.MatchString(value) {
		return false
	}
	value = datePattern.ReplaceAllString(value, "|")
	value = clockPattern.ReplaceAllString(value, "|")
	for _, m := range phonePattern.FindAllString(value, -1) {
		n := len(onlyDigits(m))
		marked := m[0] == '+' || strings.HasPrefix(m, "00") || m[0] == '('
		if n >= 7 && n <= 15 && (marked || n < len(m)) {
			return true
		}
	}
	return false
}

// hasRandomWord looks for a long word whose mixture of digits and cases no person
// writes.
func hasRandomWord(value string) bool {
	for _, w := range wordPattern.FindAllString(value, -1) {
		// A change is a step between the three kinds of characters.
		changes, digits, letters := 0, 0, 0
		last := 0
		for i := range len(w) {
			var kind int
			switch c := w[i]; {
			case '0' <= c && c <= '9':
				kind = 1
				digits++
			case 'a' <= c && c <= 'z':
				kind = 2
				letters++
			case 'A' <= c && c <= 'Z':
				kind = 3
				letters++
			default:
				continue
			}
			if last != 0 && kind != last {
				changes++
			}
			last = kind
		}
		if 100*changes > 35*len(w) || letters > 0 && digits >= 4 && 100*changes > 20*len(w) {
			return true
		}
	}
	return false
}

var (
	numberPattern = regexp.MustCompile(`(?i)^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$|^-?(nan|inf|infinity)$`)
	moneyPattern  = regexp.MustCompile(`^-?[$€£¥]-?\d[\d,. ]*$`)
	timePattern   = regexp.MustCompile(`(?i)^[+-]?\d[\d:.+\-/ tz]*( ?(bc|ad|utc))?$|^-?infinity$`)
	spanPattern   = regexp.MustCompile(`(?i)^([+-]?[\d:.]+ ?(years?|mons?|months?|days?|hours?|mins?|minutes?|secs?|seconds?)? ?)+$`)
)

// isNumber, isTime and isBoolean accept what an engine prints for such a value; an
// empty text is none.
func isNumber(v string) bool { return numberPattern.MatchString(v) || moneyPattern.MatchString(v) }

func isTime(v string) bool {
	return len(v) <= MaxValueLength && (timePattern.MatchString(v) || spanPattern.MatchString(v))
}

func isBoolean(v string) bool {
	switch strings.ToLower(v) {
	case "t", "f", "true", "false", "0", "1", "b'0'", "b'1'":
		return true
	}
	return false
}
