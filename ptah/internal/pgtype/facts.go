package pgtype

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

// facts are sections of lines, each sorted: types, casts, operators, functions,
// extensions. The queries in facts_test.go wrote them.
//
//go:embed facts.txt
var facts string

// catalog is what is built into the server.
type catalog struct {
	types map[string]*Type // by their names in the catalog: int4, _int4
	casts map[cast]byte    // the context: i, a or e

	// The lines of operators and functions by name; they are read when they are used.
	operatorLines map[string]string
	functionLines map[string]string
	operators     sync.Map // operator to []candidate
	functions     sync.Map // name to []*Function

	extensions map[string]string // the names of functions and operators, between blanks
}

type cast struct{ from, to *Type }

// builtin reads the facts when they are first needed.
var builtin = sync.OnceValue(loadFacts)

func loadFacts() *catalog {
	c := &catalog{types: map[string]*Type{}, casts: map[cast]byte{}, extensions: map[string]string{}}
	sections := map[string]string{}
	for part := range strings.SplitSeq(facts, "\n[") {
		title, lines, _ := strings.Cut(part, "]\n")
		sections[strings.TrimPrefix(title, "[")] = lines + "\n"
	}
	c.readTypes(sections["types"])
	for line := range strings.Lines(sections["casts"]) {
		f := strings.Fields(line)
		c.casts[cast{c.types[f[0]], c.types[f[1]]}] = f[2][0]
	}
	c.operatorLines = byName(sections["operators"])
	c.functionLines = byName(sections["functions"])
	for line := range strings.Lines(sections["extensions"]) {
		name, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		c.extensions[name] = " " + rest + " "
	}
	return c
}

// byName cuts sorted lines into those of each name.
func byName(lines string) map[string]string {
	m := make(map[string]string, 2000)
	start, last := 0, ""
	for at := 0; at < len(lines); {
		end := at + strings.IndexByte(lines[at:], '\n') + 1
		name := lines[at : at+strings.IndexByte(lines[at:end], ' ')]
		if name != last {
			if last != "" {
				m[last] = lines[start:at]
			}
			start, last = at, name
		}
		at = end
	}
	m[last] = lines[start:]
	return m
}

func (c *catalog) readTypes(lines string) {
	type part struct {
		of   *Type
		name string
	}
	var parts []part
	for line := range strings.Lines(lines) {
		f := strings.SplitN(strings.TrimSuffix(line, "\n"), " ", 8)
		t := &Type{
			Name: f[7], key: f[0], category: f[1][0], preferred: f[2] == "p", kind: f[3][0],
			collatable: f[4][0] == 'c', sortable: f[4][1] == 's', hashable: f[4][2] == 'h',
		}
		c.types[t.key] = t
		if f[5] != "-" {
			parts = append(parts, part{t, f[5]})
		}
		if f[6] == "a" {
			c.types["_"+t.key] = t.arrayType()
		}
	}
	for _, p := range parts {
		p.of.part = c.types[p.name]
	}
	c.types["_record"].elem = c.types["record"]
	c.types["record"].array = c.types["_record"]
}

// Function is a function that a call can mean.
type Function struct {
	Args     []*Type // an [Undecided] one takes everything
	Variadic bool    // the last of Args is the array of what may follow
	Defaults int     // how many of Args may be left out, from the end
	Returns  *Type
	Set      bool // it returns a set of rows
	Kind     byte // f: function, a: aggregate, w: window function, p: procedure
	// Volatility is i, s or v: immutable, stable, volatile.
	Volatility byte
	// Out are the columns of its rows, if those are no scalars.
	Out []Field

	order  byte // of an aggregate: n plain, o ordered set, h hypothetical set
	direct int  // of an ordered-set aggregate: how many of Args are not ordered
}

// Functions are the functions of a name that are built into the server. Those that take
// or return what SQL has no values of are left out.
func Functions(name string) []*Function {
	c := builtin()
	if list, ok := c.functions.Load(name); ok {
		return list.([]*Function)
	}
	var list []*Function
	for line := range strings.Lines(c.functionLines[name]) {
		f := strings.Fields(line)
		fn := &Function{Returns: c.types[f[2]], Kind: f[3][0]}
		if f[1] != "-" {
			for arg := range strings.SplitSeq(f[1], ",") {
				arg, fn.Variadic = strings.CutPrefix(arg, "*")
				fn.Args = append(fn.Args, c.types[arg])
			}
		}
		flags, rest := f[3][1:], f[4:]
		if fn.Kind == 'a' {
			fn.order, flags = flags[0], flags[1:]
			if fn.order != 'n' {
				fn.direct, _ = strconv.Atoi(rest[0])
				rest = rest[1:]
			}
		}
		fn.Set, fn.Volatility = flags[0] == 's', flags[1]
		fn.Defaults, _ = strconv.Atoi(flags[2:])
		if len(rest) > 0 {
			for column := range strings.SplitSeq(rest[0], ",") {
				name, typ, _ := strings.Cut(column, ":")
				fn.Out = append(fn.Out, Field{name, c.types[typ]})
			}
		}
		list = append(list, fn)
	}
	if list != nil {
		c.functions.Store(name, list)
	}
	return list
}

// HasOperator reports whether an operator of a name is built into the server.
func HasOperator(name string) bool { return builtin().operatorLines[name] != "" }

// operator is the name of an operator and how many operands it has.
type operator struct {
	name     string
	operands int
}

// operatorsOf are the built-in operators of a name with so many operands.
func (c *catalog) operatorsOf(o operator) []candidate {
	if list, ok := c.operators.Load(o); ok {
		return list.([]candidate)
	}
	var list []candidate
	for line := range strings.Lines(c.operatorLines[o.name]) {
		f := strings.Fields(line)
		params := []*Type{c.types[f[1]], c.types[f[2]]}
		if f[1] == "-" {
			params = params[1:]
		}
		if len(params) == o.operands {
			list = append(list, candidate{params: params, result: c.types[f[3]]})
		}
	}
	if list != nil {
		c.operators.Store(o, list)
	}
	return list
}

// extensionWith is the first extension that has a function of a name, empty if none has.
func (c *catalog) extensionWith(name string) string {
	first := ""
	for x, names := range c.extensions {
		if strings.Contains(names, " "+name+" ") && (first == "" || x < first) {
			first = x
		}
	}
	return first
}

// Brings reports whether an extension has a function or an operator of a name; that of
// one which is not known may have every name.
func Brings(extension, name string) bool {
	names, known := builtin().extensions[extension]
	return !known && extension != "plpgsql" || strings.Contains(names, " "+name+" ")
}
