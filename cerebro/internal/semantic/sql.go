package semantic

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/generic"
)

// parseExpression parses an author's SQL as one expression, in the tolerant
// grammar, since a project may be written for either engine. The tree's spans
// are those of the text given.
func parseExpression(text string) (sqltree.Expr, error) {
	const before = "SELECT "
	script, err := generic.Parse(sqltree.Generic, before+text)
	if err != nil {
		return nil, fmt.Errorf("the SQL %q is not an expression: %w", text, err)
	}
	st, err := sqltree.One(script)
	if err != nil {
		return nil, fmt.Errorf("the SQL %q is not one expression", text)
	}
	q, _ := st.(*sqltree.Query)
	if q == nil {
		return nil, fmt.Errorf("the SQL %q is not an expression", text)
	}
	s, _ := q.Body.(*sqltree.Select)
	if s == nil || len(s.Items) != 1 || s.Items[0].Expr == nil || s.Items[0].Alias != nil || len(s.From) > 0 || s.Where != nil || s.Items[0].End < len(strings.TrimRight(script.Text, " \t\r\n")) {
		return nil, fmt.Errorf("the SQL %q is not one expression", text)
	}
	return s.Items[0].Expr, nil
}

// expression says why an author's SQL is not one expression over a row's columns.
func expression(text string) error {
	e, err := parseExpression(text)
	if err != nil {
		return err
	}
	sqltree.Walk(e, func(n sqltree.Node) bool {
		switch n := n.(type) {
		case *sqltree.Subquery:
			err = fmt.Errorf("the SQL %q holds a query", text)
		case *sqltree.Param:
			err = fmt.Errorf("the SQL %q holds a placeholder", text)
		case *sqltree.Func:
			if n.Over != nil {
				err = fmt.Errorf("the SQL %q holds a window function", text)
			}
		}
		return err == nil
	})
	return err
}

var truths = []string{"=", "==", "<>", "!=", "<", "<=", ">", ">=", "AND", "OR", "NOT", "IN", "NOT IN", "BETWEEN", "NOT BETWEEN", "LIKE", "NOT LIKE", "ILIKE", "NOT ILIKE"}

// truth says that an expression is true or false by its outermost operator.
// ClickHouse calls such values numbers.
func truth(text string) bool {
	e, err := parseExpression(text)
	if err != nil {
		return false
	}
	op, ok := e.(*sqltree.Op)
	return ok && (slices.Contains(truths, op.Name) || strings.HasPrefix(op.Name, "IS"))
}

// Part is a piece of a text with holes: SQL as its author wrote it, or what
// stands in a hole.
type Part[T any] struct {
	SQL  string
	Hole *T // nil where SQL counts
}

// combine takes the expression of a derived metric apart at the names of its inputs.
func combine(expr string, inputs map[string]int) ([]Part[int], error) {
	tree, err := parseExpression(expr)
	if err != nil {
		return nil, err
	}
	const shift = len("SELECT ")
	var parts []Part[int]
	at := 0
	var unknown error
	sqltree.Walk(tree, func(n sqltree.Node) bool {
		c, ok := n.(*sqltree.Column)
		if !ok {
			return true
		}
		if len(c.Parts) != 1 {
			unknown = fmt.Errorf("the SQL %q refers to something that is no input", expr)
			return false
		}
		i, known := inputs[c.Parts[0].Name]
		if !known {
			unknown = fmt.Errorf("the SQL %q refers to %q, which is no input", expr, c.Parts[0].Name)
			return false
		}
		from, to := c.Start-shift, c.End-shift
		if from < at {
			return false
		}
		parts = append(parts, Part[int]{SQL: expr[at:from]}, Part[int]{Hole: &i})
		at = to
		return false
	})
	if unknown != nil {
		return nil, unknown
	}
	return append(parts, Part[int]{SQL: expr[at:]}), nil
}

// Reference is what a filter of a definition names in a template.
type Reference struct {
	Entities []string // the path before the last name, as in order__customer__region
	Name     string   // of the dimension, or of the entity itself
	Entity   bool     // a key, not a dimension
	Grain    Grain    // of a time dimension that is truncated; empty otherwise
}

// Filter is a condition of a definition: SQL with references to dimensions.
type Filter struct {
	Text  string // as its author wrote it
	Parts []Part[Reference]
}

var (
	templateHole = regexp.MustCompile(`\{\{(.*?)\}\}`)
	templateCall = regexp.MustCompile(`^\s*(Dimension|TimeDimension|Entity)\s*\(\s*'([A-Za-z0-9_]+)'\s*(?:,\s*'([A-Za-z0-9_]+)'\s*)?\)\s*$`)
	doubleQuoted = regexp.MustCompile(`"([A-Za-z0-9_]+)"`)
)

// parseFilter reads the part of dbt's templates that can be understood without
// running them: Dimension('entity__dim'), TimeDimension('name', 'grain') and Entity('x').
func parseFilter(text string) (Filter, error) {
	f := Filter{Text: text}
	at := 0
	plain := strings.Builder{} // the condition with names in the holes, to be judged as SQL
	for _, m := range templateHole.FindAllStringSubmatchIndex(text, -1) {
		call := templateCall.FindStringSubmatch(doubleQuoted.ReplaceAllString(text[m[2]:m[3]], "'$1'"))
		if call == nil {
			return f, fmt.Errorf("the filter %q holds %q; Dimension('entity__dimension'), TimeDimension('name', 'grain') and Entity('entity') are understood", text, text[m[0]:m[1]])
		}
		path := strings.Split(call[2], "__")
		r := Reference{Entities: path[:len(path)-1], Name: path[len(path)-1], Entity: call[1] == "Entity", Grain: Grain(strings.ToLower(call[3]))}
		if call[1] == "TimeDimension" && len(path) > 1 && r.Grain == "" && Grain(r.Name).Valid() {
			r.Grain, r.Name, r.Entities = Grain(r.Name), path[len(path)-2], path[:len(path)-2]
		}
		if r.Grain != "" && !r.Grain.Valid() {
			return f, fmt.Errorf("the filter %q names the grain %q", text, r.Grain)
		}
		f.Parts = append(f.Parts, Part[Reference]{SQL: text[at:m[0]]}, Part[Reference]{Hole: &r})
		plain.WriteString(text[at:m[0]] + " x ")
		at = m[1]
	}
	if strings.Contains(text[at:], "{{") || strings.Contains(text, "{%") || strings.Contains(text, "{#") {
		return f, fmt.Errorf("the filter %q holds a template that is not understood", text)
	}
	f.Parts = append(f.Parts, Part[Reference]{SQL: text[at:]})
	plain.WriteString(text[at:])
	if strings.TrimSpace(text) == "" {
		return f, errors.New("a filter is empty")
	}
	if err := expression(plain.String()); err != nil {
		return f, fmt.Errorf("the filter %q is not a condition", text)
	}
	return f, nil
}
