package yamldoc

import (
	"fmt"

	"github.com/goccy/go-yaml/token"
)

// tooOpen reports whether brackets, wherever they stand, are nested deeper than the
// tokenizer can take: its memory grows with the square of the depth.
func tooOpen(text string) bool {
	open := 0
	for i := range len(text) {
		switch text[i] {
		case '[', '{':
			if open++; open > maxOpen {
				return true
			}
		case ']', '}':
			open = max(0, open-1)
		}
	}
	return false
}

// tooMuch finds the token at which a text is nested deeper, or has more keys in one
// mapping, than anything of the grammar, and says so. The parser recurses, and a
// stack that is full ends the process; its time grows with the square of the keys.
func tooMuch(tokens token.Tokens) (*token.Token, string) {
	const deep = "this is nested too deeply"
	type mapping struct{ column, keys int }
	var flow []int      // of each open bracket, the entries of a mapping so far; -1 of a list
	var block []mapping // that are open, outside of brackets
	run := 0
	for _, t := range tokens {
		at := t.Position
		if at == nil {
			continue
		}
		leave := func(column int) {
			for len(block) > 0 && block[len(block)-1].column > column {
				block = block[:len(block)-1]
			}
		}
		switch t.Type {
		case token.MappingStartType:
			flow = append(flow, 0)
		case token.SequenceStartType:
			flow = append(flow, -1)
		case token.MappingEndType, token.SequenceEndType:
			flow, run = flow[:max(0, len(flow)-1)], 0
		case token.CollectEntryType:
			if n := len(flow) - 1; n >= 0 && flow[n] >= 0 {
				if flow[n]++; flow[n] > maxKeys {
					return t, fmt.Sprintf("a mapping has more than %d keys", maxKeys)
				}
			}
		case token.SequenceEntryType, token.MappingKeyType, token.TagType, token.AnchorType, token.MappingValueType:
			// Each of these can open a level; a value ends the run of them.
			run++
			switch {
			case len(flow) > 0:
			case t.Type == token.SequenceEntryType:
				leave(at.Column)
			case t.Type == token.MappingValueType && t.Prev != nil && t.Prev.Position != nil:
				column := t.Prev.Position.Column
				leave(column)
				if n := len(block) - 1; n < 0 || block[n].column < column {
					block = append(block, mapping{column, 0})
				}
				m := &block[len(block)-1]
				if m.keys++; m.keys > maxKeys {
					return t, fmt.Sprintf("a mapping has more than %d keys", maxKeys)
				}
			}
		default:
			if at.IndentLevel > MaxNesting {
				return t, deep
			}
			if t.Next == nil || t.Next.Type != token.MappingValueType {
				run = 0
			}
		}
		if len(flow) > MaxNesting || run > 2*MaxNesting {
			return t, deep
		}
	}
	return nil, ""
}
