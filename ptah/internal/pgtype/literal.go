package pgtype

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// accepts reports whether a text may be a value of a type. It knows the forms of common
// types, those of dates and the like roughly; where it does not know, it says yes.
func accepts(text string, t *Type) bool {
	t = t.plain()
	if t == nil {
		return true
	}
	trimmed := strings.Trim(text, " \t\n\v\f\r")
	switch {
	case t.elem != nil:
		return acceptsArray(trimmed, t.elem)
	case t.kind == 'e':
		return slices.Contains(t.labels, text)
	case t.kind == 'r':
		return strings.EqualFold(trimmed, "empty") || len(trimmed) > 2 && strings.ContainsRune("[(", rune(trimmed[0])) && strings.ContainsRune("])", rune(trimmed[len(trimmed)-1]))
	case t.kind == 'm':
		return strings.HasPrefix(trimmed, "{") && strings.HasSuffix(trimmed, "}")
	case t.kind == 'c':
		return strings.HasPrefix(trimmed, "(") && strings.HasSuffix(trimmed, ")")
	case t.kind != 'b':
		return true
	}
	switch t.key {
	case "int2":
		return acceptsInteger(trimmed, 16)
	case "int4":
		return acceptsInteger(trimmed, 32)
	case "int8":
		return acceptsInteger(trimmed, 64)
	case "numeric", "float4", "float8":
		return acceptsNumber(trimmed)
	case "bool":
		return acceptsBoolean(strings.ToLower(trimmed))
	case "uuid":
		hex := strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(text, "{"), "}"), "-", "")
		return len(hex) == 32 && strings.Trim(hex, "0123456789abcdefABCDEF") == ""
	case "json", "jsonb":
		return json.Valid([]byte(text))
	case "date", "timestamp", "timestamptz", "time", "timetz", "interval":
		return acceptsTime(strings.ToLower(trimmed))
	case "inet", "cidr":
		return trimmed != "" && strings.Trim(trimmed, "0123456789abcdefABCDEF:./") == ""
	case "macaddr", "macaddr8":
		return trimmed != "" && strings.Trim(trimmed, "0123456789abcdefABCDEF:.-") == ""
	case "bit", "varbit":
		return text == "" || strings.ContainsRune("bBxX", rune(text[0])) || strings.Trim(text, "01") == ""
	case "point", "line", "lseg", "box", "path", "polygon", "circle":
		return strings.ContainsAny(text, "0123456789")
	}
	return true
}

// acceptsInteger lets the forms of newer servers pass: 0x1F, 1_000.
func acceptsInteger(text string, bits int) bool {
	digits := strings.TrimLeft(text, "+-")
	if len(text)-len(digits) > 1 || digits == "" {
		return false
	}
	if strings.Contains(digits, "_") || len(digits) > 1 && digits[0] == '0' && digits[1] > '9' {
		return digits[0] >= '0' && digits[0] <= '9'
	}
	_, err := strconv.ParseInt(text, 10, bits)
	return err == nil
}

func acceptsNumber(text string) bool {
	switch rest := strings.ToLower(strings.TrimLeft(text, "+-")); {
	case rest == "nan", rest == "inf", rest == "infinity":
		return true
	case strings.Contains(rest, "_") || strings.HasPrefix(rest, "0x") || strings.HasPrefix(rest, "0o") || strings.HasPrefix(rest, "0b"):
		return true
	}
	_, err := strconv.ParseFloat(text, 64)
	return err == nil || strings.Contains(err.Error(), "range")
}

func acceptsBoolean(word string) bool {
	for _, full := range []string{"true", "false", "yes", "no", "on", "off"} {
		if word != "" && word != "o" && strings.HasPrefix(full, word) {
			return true
		}
	}
	return word == "1" || word == "0"
}

// acceptsTime refuses only what has no digit and is no word for a time.
func acceptsTime(text string) bool {
	if strings.ContainsAny(text, "0123456789") {
		return true
	}
	for _, word := range []string{"now", "today", "tomorrow", "yesterday", "epoch", "infinity", "-infinity", "+infinity", "allballs"} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

func acceptsArray(text string, elem *Type) bool {
	if strings.HasPrefix(text, "[") {
		return true // with the bounds of its dimensions
	}
	inner, open := strings.CutPrefix(text, "{")
	inner, shut := strings.CutSuffix(inner, "}")
	if !open || !shut {
		return false
	}
	if strings.TrimSpace(inner) == "" || strings.ContainsAny(inner, `"\{}`) || elem.key == "box" {
		return true
	}
	for part := range strings.SplitSeq(inner, ",") {
		if part = strings.TrimSpace(part); part == "" || !strings.EqualFold(part, "null") && !accepts(part, elem) {
			return false
		}
	}
	return true
}
