package plan

import (
	"fmt"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/caret"
)

// language is the one that a message is written for.
type language uint8

const (
	expressions language = iota
	sql
)

// words are a part of a message, in either language.
type words func(l language) string

// refusal makes a [BindError]; words among a are written in each language.
func refusal(arg int, format string, a ...any) *BindError {
	w := say(format, a...)
	return &BindError{Arg: arg, Message: w(expressions), SQL: w(sql)}
}

// say is fmt.Sprintf for words.
func say(format string, a ...any) words {
	return func(l language) string {
		args := make([]any, len(a))
		for i, x := range a {
			if w, ok := x.(words); ok {
				x = ""
				if w != nil {
					x = w(l)
				}
			}
			args[i] = x
		}
		return fmt.Sprintf(format, args...)
	}
}

// either says one thing in expressions and another in SQL.
func either(inExpressions, inSQL string) words {
	return func(l language) string {
		if l == sql {
			return inSQL
		}
		return inExpressions
	}
}

// shown writes e.
func shown(e Expr) words {
	return func(l language) string { return formatIn(l, e) }
}

// describe names an operand: its kind, then its name or value.
func describe(e Expr) words {
	return func(l language) string {
		switch x := e.(type) {
		case *Column:
			kind := x.Field.Type.String()
			if x.Field.Type.Base == String {
				kind = "category"
			}
			if x.Field.Agg != nil {
				return kind + " " + caret.Clean(formatIn(l, e))
			}
			return kind + " " + caret.Quote(x.Field.Name)
		case *Literal:
			switch x.Value.Base {
			case Null:
				return "null"
			case Bool:
				return formatIn(l, e)
			case String, Date:
				return x.T.String() + " " + caret.Clean(formatIn(l, e))
			}
			return x.T.String() + " " + formatIn(l, e)
		}
		kind := e.Type().String()
		if e.Type().Base == Bool {
			kind = "condition"
		}
		return kind + " " + caret.Clean(formatIn(l, e))
	}
}

// operandText writes e so that an operator can follow it.
func operandText(e Expr) words {
	return func(l language) string {
		s := formatIn(l, e)
		if c, ok := e.(*Call); ok && infix[c.Op] != "" {
			s = "(" + s + ")"
		}
		return s
	}
}

// asNumber writes a number made of the condition e.
func asNumber(e Expr) words {
	return func(l language) string {
		if l == sql {
			return "CASE WHEN " + formatIn(l, e) + " THEN 1 ELSE 0 END"
		}
		return "if(" + formatIn(l, e) + ", 1, 0)"
	}
}

// countWhere writes the count of the rows for which the condition e is true.
func countWhere(e Expr) words {
	return func(l language) string {
		if l == sql {
			return "count(*) FILTER (WHERE " + formatIn(l, e) + ")"
		}
		return "count(" + formatIn(l, e) + ")"
	}
}

func formatIn(l language, e Expr) string {
	if l == sql {
		return FormatSQL(e)
	}
	return Format(e)
}
