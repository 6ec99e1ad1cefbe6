package analyze

import (
	goscanner "go/scanner"
	gotoken "go/token"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
)

// golang is Go with database/sql, pgx, sqlx, GORM, Bun and ent.
var golang = language{
	name: "go", family: "go", exts: []string{".go"}, lex: lexGo, rules: goRules, concat: []string{"+"}, assign: []string{"=", ":=", "+=", ":"},
}

// lexGo cuts Go with the language's own scanner.
func lexGo(src string) *scanner {
	s := newScanner(src)
	fset := gotoken.NewFileSet()
	file := fset.AddFile("", -1, len(src))
	var lex goscanner.Scanner
	lex.Init(file, []byte(src), func(gotoken.Position, string) {}, goscanner.ScanComments)
	line := 0
	for {
		pos, tok, lit := lex.Scan()
		if tok == gotoken.EOF {
			return s
		}
		start := file.Offset(pos)
		if tok == gotoken.SEMICOLON && lit != ";" {
			continue // the end of a line
		}
		text := lit
		if text == "" || tok.IsOperator() {
			text = tok.String()
		}
		end := min(start+len(text), len(src))
		// What is no UTF-8 is shown by a character that is longer than itself.
		if n := len(s.toks) - 1; n >= 0 && s.toks[n].end > start {
			s.toks[n].end = start
		}
		if tok == gotoken.COMMENT {
			s.comments = append(s.comments, comment{start, end})
			continue
		}
		t := token{text: text, start: start, end: end, kind: punct}
		if l := file.Line(pos); l != line {
			t.first, line = true, l
		}
		switch {
		case tok == gotoken.IDENT || tok.IsKeyword():
			t.kind = ident
		case tok == gotoken.STRING:
			t.kind, t.text = str, ""
			value, err := strconv.Unquote(lit)
			if err != nil {
				value = strings.Trim(lit, "\"`")
			}
			t.parts = []part{{text: value}}
			// A raw literal with carriage returns is longer than its text.
			if lit != "" && lit[0] == '`' {
				if n := strings.IndexByte(src[start+1:], '`'); n >= 0 {
					t.end = start + n + 2
				}
			}
		case tok.IsLiteral() || tok == gotoken.ILLEGAL:
			t.kind = other
		}
		s.toks = append(s.toks, t)
	}
}

var (
	gormMethods = operations{
		readers: []string{"Find", "First", "Take", "Last", "Scan", "Pluck", "Count", "FindInBatches", "Rows", "Row", "FirstOrInit", "Exists", "ScanAndCount"},
		writers: []string{"Create", "Save", "Delete", "Updates", "Update", "UpdateColumn", "UpdateColumns", "CreateInBatches"},
		both:    []string{"FirstOrCreate"},
	}
	bunStarts = map[string][]string{"NewSelect": reads, "NewInsert": writes, "NewUpdate": writes, "NewDelete": writes, "NewTruncateTable": writes}
	entStarts = map[string][]string{"Query": reads, "Get": reads, "GetX": reads, "Create": writes, "CreateBulk": writes, "MapCreateBulk": writes,
		"Update": writes, "UpdateOne": writes, "UpdateOneID": writes, "Delete": writes, "DeleteOne": writes, "DeleteOneID": writes}
)

func goRules(f *file) {
	f.goTypes()
	f.goVars()
	f.chains(f.goChain)
}

// goTypes finds the structs that stand for tables.
func (f *file) goTypes() {
	named := map[string][]string{}     // by TableName methods
	annotated := map[string][]string{} // by entsql.Annotation in Annotations methods
	for i := range f.toks {
		// func (X) TableName() string { return "t" }
		if t := f.text(i); t != "TableName" && t != "Annotations" || f.text(i-1) != ")" || f.match[i-1] < 1 || f.text(f.match[i-1]-1) != "func" {
			continue
		}
		receiver, body := f.text(i-2), i+1
		for body < min(i+12, len(f.toks)) && (f.text(body) != "{" || f.match[body] < 0) {
			body++
		}
		if body >= min(i+12, len(f.toks)) {
			continue
		}
		if f.text(i) == "Annotations" {
			if t, ok := f.keyed(body, f.match[body], "Table", ":"); ok {
				schema, _ := f.keyed(body, f.match[body], "Schema", ":")
				annotated[receiver] = schemaTable(schema, t)
			}
		} else if t, ok := f.plain(body + 2); ok && f.text(body+1) == "return" {
			named[receiver] = catalog.SplitName(t)
		}
	}
	for i := range f.toks {
		// type X struct {
		if f.text(i) != "struct" || f.text(i+1) != "{" || f.match[i+1] < 0 || !f.is(i-1, ident) || f.text(i-1) == "type" {
			continue
		}
		name, open, close := f.text(i-1), i+1, f.match[i+1]
		first := i - 1
		if f.text(i-2) == "type" {
			first = i - 2
		}
		table, explicit, orm := named[name], true, "gorm"
		for j := open + 1; j < min(close, open+maxKeyed); j++ {
			switch {
			case f.text(j) == "BaseModel" && f.text(j-2) == "bun" && f.is(j+1, str):
				tag, _ := f.plain(j + 1)
				for option := range strings.SplitSeq(reflect.StructTag(tag).Get("bun"), ",") {
					if t, ok := strings.CutPrefix(option, "table:"); ok {
						table, explicit, orm = catalog.SplitName(t), true, "bun"
					}
				}
				if orm != "bun" {
					table, explicit, orm = []string{plural(name)}, false, "bun"
				}
			case f.text(j) == "Schema" && f.text(j-2) == "ent":
				table, explicit, orm = annotated[name], true, "ent"
				if table == nil {
					table, explicit = []string{plural(name)}, false
				}
			case table == nil && (f.text(j) == "Model" && f.text(j-2) == "gorm" || f.is(j, str) && f.hasTag(j, "gorm")):
				table, explicit = []string{plural(name)}, false
			}
		}
		if table != nil {
			f.model(orm, name, table, explicit, first, close)
		}
	}
}

func (f *file) hasTag(i int, key string) bool {
	tag, _ := f.plain(i)
	_, ok := reflect.StructTag(tag).Lookup(key)
	return ok
}

// goVars notes which type a variable has, as far as its declaration says.
func (f *file) goVars() {
	for i := range f.toks {
		if !f.is(i, ident) || f.text(i-1) == "." {
			continue
		}
		j := i + 1
		if f.text(j) == ":=" || f.text(j) == "=" {
			j++
		}
		for slices.Contains([]string{"&", "*", "[", "]", "make", "new", "("}, f.text(j)) && j < i+8 {
			j++
		}
		if j == i+1 && f.is(j, ident) && f.toks[j].first {
			continue // the next line
		}
		for f.is(j, ident) && f.text(j+1) == "." && f.is(j+2, ident) {
			j += 2
		}
		if t := f.text(j); j > i && f.is(j, ident) && t[0] >= 'A' && t[0] <= 'Z' {
			f.bind(f.text(i), i, t)
		}
	}
}

// goModel is the type of an argument: &x, X{}, &pkg.X{}, new(X), (*X)(nil).
func (f *file) goModel(arg [2]int) string {
	j := arg[0]
	for j < arg[1] && (f.toks[j].kind == punct && strings.Contains("&*[]()", f.text(j)) || f.text(j) == "new") {
		j++
	}
	if j >= arg[1] || !f.is(j, ident) {
		return ""
	}
	name, variable := f.text(j), true
	for f.text(j+1) == "." && f.is(j+2, ident) {
		j += 2
		name = f.text(j)
	}
	if next := f.text(j + 1); next == "{" || next == ")" && f.text(arg[0]) != "&" && j+1 < arg[1] {
		variable = false
	}
	if variable {
		return f.bound(name, j)
	}
	return name
}

func (f *file) goChain(c []seg) {
	var bun []string
	bunMethod := ""
	for n, s := range c {
		if s.open < 0 {
			continue
		}
		args := f.args(s.open, s.close)
		if ops := bunStarts[s.name]; ops != nil {
			bun, bunMethod = ops, s.name
			continue
		}
		if bun != nil {
			switch {
			case s.name == "Model" && len(args) == 1:
				f.call(f.goModel(args[0]), bunMethod, c[0].tok, s.end(), bun, "bun")
			case s.name == "Table" || s.name == "TableExpr":
				if t, ok := f.strArg(s, 0); ok {
					f.tableCall(t, bunMethod, c[0].tok, s.end(), bun)
				}
			}
			continue
		}
		// client.User.Query()
		if ops := entStarts[s.name]; ops != nil && n >= 2 && c[n-1].open < 0 {
			f.call(c[n-1].name, s.name, c[0].tok, s.end(), ops, "ent")
		}
		switch {
		case n == 0:
		case s.name == "Model" && len(args) == 1, s.name == "Table" && len(args) > 0:
			// What the rest of the chain does with it.
			for _, t := range c[n+1:] {
				ops := gormMethods.of(t.name)
				if ops == nil || t.open < 0 {
					continue
				}
				if table, ok := f.strArg(s, 0); ok && s.name == "Table" {
					f.tableCall(table, "Table."+t.name, c[0].tok, t.end(), ops)
				} else if s.name == "Model" {
					f.call(f.goModel(args[0]), t.name, c[0].tok, t.end(), ops, "gorm")
				}
				return
			}
		case len(args) > 0:
			if ops := gormMethods.of(s.name); ops != nil {
				f.call(f.goModel(args[0]), s.name, c[0].tok, s.end(), ops, "gorm")
			}
		}
	}
}
