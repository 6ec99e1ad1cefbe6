package sqltree

import (
	"reflect"
	"testing"
)

// everyNode is one value of each node type.
var everyNode = []Node{
	&Ident{}, &Name{}, &Query{}, &With{}, &CTE{}, &Select{}, &SelectItem{}, &SetOp{}, &Values{}, &OrderItem{},
	&WindowDef{}, &TableRef{}, &Derived{}, &TableFunc{}, &Join{}, &Opaque{}, &Column{}, &Star{}, &Literal{}, &Param{},
	&Func{}, &Op{}, &Cast{}, &Subquery{}, &Lambda{}, &Named{}, &Unchecked{}, &TypeName{}, &Assignment{}, &Insert{}, &InsertAll{}, &InsertBranch{},
	&Conflict{}, &Update{}, &Delete{}, &Merge{}, &MergeWhen{}, &CreateTable{}, &ColumnDef{}, &Constraint{}, &Option{},
	&IndexKey{}, &CreateIndex{}, &CreateView{}, &CreateType{}, &CreateSequence{}, &CreateFunction{}, &Parameter{},
	&CreateTrigger{}, &Comment{}, &AlterTable{}, &AlterAction{}, &Drop{}, &Truncate{}, &Explain{}, &Other{},
}

var (
	nodeType = reflect.TypeFor[Node]()
	spanType = reflect.TypeFor[Span]()
)

// fill sets every field of v below which a node may be, one level deep, and
// returns the nodes that it put there.
func fill(v reflect.Value) []Node {
	var out []Node
	for i := range v.NumField() {
		f := v.Field(i)
		if f.Type() == spanType {
			continue
		}
		out = append(out, fillOne(f)...)
	}
	return out
}

func fillOne(f reflect.Value) []Node {
	switch {
	case f.Kind() == reflect.Slice:
		f.Set(reflect.MakeSlice(f.Type(), 1, 1))
		return fillOne(f.Index(0))
	case f.Kind() == reflect.Interface && f.Type().Implements(nodeType):
		for _, n := range everyNode {
			if reflect.TypeOf(n).Implements(f.Type()) {
				f.Set(reflect.New(reflect.TypeOf(n).Elem()))
				return []Node{f.Interface().(Node)}
			}
		}
		panic("no node for " + f.Type().String())
	case f.Kind() == reflect.Pointer && f.Type().Implements(nodeType):
		f.Set(reflect.New(f.Type().Elem()))
		if n, ok := f.Interface().(*TypeName); ok {
			n.Name.Parts = []Ident{{Name: "x"}}
		}
		return []Node{f.Interface().(Node)}
	case f.Kind() == reflect.Struct && f.Addr().Type().Implements(nodeType):
		switch n := f.Addr().Interface().(type) {
		case *Ident:
			n.Name = "x"
		case *Name:
			n.Parts = []Ident{{Name: "x"}}
		case *TypeName:
			n.Name.Parts = []Ident{{Name: "x"}}
		}
		return []Node{f.Addr().Interface().(Node)}
	case f.Kind() == reflect.Struct:
		return fill(f)
	}
	return nil
}

func TestChildren_Complete(t *testing.T) {
	for _, n := range everyNode {
		v := reflect.New(reflect.TypeOf(n).Elem())
		want := map[Node]bool{}
		for _, c := range fill(v.Elem()) {
			want[c] = true
		}
		got := map[Node]bool{}
		for _, c := range Children(v.Interface().(Node)) {
			if got[c] {
				t.Errorf("Children(%T) has a %T twice", n, c)
			}
			got[c] = true
		}
		for c := range want {
			if !got[c] {
				t.Errorf("Children(%T) leaves out a %T", n, c)
			}
		}
		for c := range got {
			if !want[c] {
				t.Errorf("Children(%T) has a %T that is no field of it", n, c)
			}
		}
	}
}

func TestChildren_ZeroHasNone(t *testing.T) {
	for _, n := range everyNode {
		var want int // parts that are always there
		switch n.(type) {
		case *Insert, *InsertBranch, *Merge:
			want = 1
		}
		if got := len(Children(n)); got != want {
			t.Errorf("Children(%T{}) = %d nodes, want %d", n, got, want)
		}
	}
}

func TestWalk_StopsBelow(t *testing.T) {
	q := &Query{Body: &Select{Items: []SelectItem{{Expr: &Op{Args: []Expr{&Column{}, &Literal{}}}}}}}
	var all, cut int
	Walk(q, func(Node) bool { all++; return true })
	Walk(q, func(n Node) bool { cut++; _, op := n.(*Op); return !op })
	if all != 6 || cut != 4 {
		t.Errorf("visited %d and %d nodes, want 6 and 4", all, cut)
	}
}

// chain is a tree of n levels.
func chain(n int) Node {
	var e Expr = &Literal{Span: Span{0, n}}
	for range n - 1 {
		e = &Op{Args: []Expr{&Literal{}, e, &Literal{}}}
	}
	return e
}

func TestWalk_OrderAndDepth(t *testing.T) {
	n := &Op{Name: "1", Args: []Expr{&Op{Name: "2", Args: []Expr{&Op{Name: "3"}, &Op{Name: "4"}}}, &Op{Name: "5"}}}
	order := ""
	Walk(n, func(n Node) bool { order += n.(*Op).Name; return true })
	if order != "12345" {
		t.Errorf("visited in the order %s, want 12345", order)
	}
	count := 0
	Walk(chain(200_000), func(Node) bool { count++; return true })
	if count != 599_998 {
		t.Errorf("visited %d nodes of a deep tree, want 599998", count)
	}
}

func TestTooDeep(t *testing.T) {
	if n := TooDeep(chain(MaxDepth)); n != nil {
		t.Errorf("a tree of %d levels is too deep at %v", MaxDepth, n)
	}
	if n := TooDeep(chain(MaxDepth + 1)); n == nil {
		t.Errorf("a tree of %d levels is not too deep", MaxDepth+1)
	}
	if n := TooDeep(chain(200_000)); n == nil {
		t.Error("a tree of 200,000 levels is not too deep")
	}
}

func TestOne(t *testing.T) {
	text := "select 1;\n select 2"
	first, second := &Query{Span: Span{0, 8}}, &Query{Span: Span{11, 19}}
	if got, err := One(&Script{Text: text, Statements: []Statement{first}}); err != nil || got != first {
		t.Errorf("One of one = %v, %v", got, err)
	}
	_, err := One(&Script{Text: text, Statements: []Statement{first, second}})
	want := "one statement is expected, and a second of 2 begins here (line 2, column 2)"
	if err == nil || err.Error() != want {
		t.Errorf("One of two: %v, want %s", err, want)
	}
	if _, err := One(&Script{Text: ""}); err == nil {
		t.Error("One of none: no error")
	}
}
