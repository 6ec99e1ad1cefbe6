package duckdb

import "strings"

// field is a field of a STRUCT type.
type field struct{ name, typ string }

// element takes the dimensions off a type: INTEGER[][3] is INTEGER, and an array.
func element(typ string) (base string, array bool) {
	for strings.HasSuffix(typ, "]") {
		i := strings.LastIndexByte(typ, '[')
		if i < 0 || strings.Trim(typ[i+1:len(typ)-1], "0123456789") != "" {
			break
		}
		typ, array = typ[:i], true
	}
	return typ, array
}

// arguments returns what stands between the parentheses of NAME(…).
func arguments(typ, name string) (string, bool) {
	if strings.HasPrefix(typ, name+"(") && strings.HasSuffix(typ, ")") {
		return typ[len(name)+1 : len(typ)-1], true
	}
	return "", false
}

// split cuts a list at its commas, but for those in quotes and parentheses.
func split(list string) []string {
	var parts []string
	depth, start := 0, 0
	quote := byte(0)
	for i := range len(list) {
		switch c := list[i]; {
		case quote != 0:
			if c == quote { // a doubled quote ends and begins again
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			parts = append(parts, strings.TrimSpace(list[start:i]))
			start = i + 1
		}
	}
	if last := strings.TrimSpace(list[start:]); last != "" {
		parts = append(parts, last)
	}
	return parts
}

// structFields returns the fields of STRUCT(name type, …); none for other types.
func structFields(typ string) []field {
	list, ok := arguments(typ, "STRUCT")
	if !ok {
		return nil
	}
	var fields []field
	for _, part := range split(list) {
		name, rest := fieldName(part)
		if name == "" || rest == "" { // an unnamed struct has no names
			return nil
		}
		fields = append(fields, field{name, rest})
	}
	return fields
}

// fieldName takes the name off the beginning of "name type".
func fieldName(part string) (name, rest string) {
	if !strings.HasPrefix(part, `"`) {
		name, rest, _ = strings.Cut(part, " ")
		return name, rest
	}
	for i := 1; i < len(part); i++ {
		if part[i] != '"' {
			continue
		}
		if strings.HasPrefix(part[i+1:], `"`) {
			i++
			continue
		}
		return strings.ReplaceAll(part[1:i], `""`, `"`), strings.TrimSpace(part[i+1:])
	}
	return "", ""
}

// enumLabels returns the labels of ENUM('a', 'b'); nil for other types.
func enumLabels(typ string) []string {
	list, ok := arguments(typ, "ENUM")
	if !ok {
		return nil
	}
	labels := []string{}
	for _, part := range split(list) {
		labels = append(labels, strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(part, "'"), "'"), "''", "'"))
	}
	return labels
}
