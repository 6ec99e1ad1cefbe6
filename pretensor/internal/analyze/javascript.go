package analyze

import (
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/pretensor/internal/names"
)

// javascript and typescript are both with the drivers that take SQL, Prisma's
// client, TypeORM, Sequelize, Knex and Drizzle.
var (
	javascript = language{
		name: "javascript", family: "javascript", exts: []string{".js", ".jsx", ".mjs", ".cjs"}, lex: lexJavaScript, rules: javascriptRules,
		concat: []string{"+"}, assign: []string{"=", "+=", ":"},
	}
	typescript = language{
		name: "typescript", family: "javascript", exts: []string{".ts", ".tsx", ".mts", ".cts"}, lex: lexJavaScript, rules: javascriptRules,
		concat: []string{"+"}, assign: []string{"=", "+=", ":"},
	}
)

func lexJavaScript(src string) *scanner {
	s := newScanner(src)
	if s.has("#!") {
		s.lineComment()
	}
	for s.i < len(src) {
		if s.blank() {
			continue
		}
		start := s.i
		switch c := src[s.i]; {
		case s.has("//"):
			s.lineComment()
		case s.has("/*"):
			s.blockComment("*/")
		case c == '"' || c == '\'':
			parts := s.javascriptString()
			s.emit(str, start, parts)
		case c == '`':
			parts := s.template(0)
			s.emit(str, start, parts)
		case c == '/' && s.regexpAllowed() && s.regexpEnd() > 0:
			s.i = s.regexpEnd()
			s.word("")
			s.emit(other, start, nil)
		case letter(c) || c == '$' || c == '#' && letter(s.at(1)):
			s.i++
			s.word("$")
			s.emit(ident, start, nil)
		case digit(c):
			s.word(".")
			s.emit(other, start, nil)
		default:
			s.operator("...", "===", "!==", "=>", "==", "!=", "<=", ">=", "&&", "||", "??", "+=", "++", "--")
			// a?.b, but not a?.5:b
			if c == '?' && s.at(0) == '.' && !digit(s.at(1)) && s.src[start:s.i] == "?" {
				s.i++
				t := &s.toks[len(s.toks)-1]
				t.text, t.end = "?.", s.i
			}
		}
	}
	return s
}

// regexpAllowed reports whether a slash begins a regular expression: an operand
// must be missing before it.
func (s *scanner) regexpAllowed() bool {
	if len(s.toks) == 0 {
		return true
	}
	switch t := s.toks[len(s.toks)-1]; t.kind {
	case ident:
		return slices.Contains([]string{"return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "instanceof", "else", "do", "yield", "await"}, t.text)
	case punct:
		return t.text != ")" && t.text != "]" && t.text != "++" && t.text != "--"
	}
	return false
}

// maxRegexp is the most bytes of a regular expression: what has no end must not be
// looked for up to the end of a long line again and again.
const maxRegexp = 2000

// regexpEnd is the offset behind the slash that ends a regular expression on its
// line, 0 if there is none.
func (s *scanner) regexpEnd() int {
	class := false
	for i := s.i + 1; i < min(len(s.src), s.i+maxRegexp) && s.src[i] != '\n'; i++ {
		switch s.src[i] {
		case '\\':
			i++
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if !class {
				return i + 1
			}
		}
	}
	return 0
}

// javascriptString reads a string of one line.
func (s *scanner) javascriptString() []part {
	quote := s.src[s.i]
	s.i++
	var l literal
	for s.i < len(s.src) {
		switch c := s.src[s.i]; c {
		case quote:
			s.i++
			return l.done()
		case '\n':
			return l.done()
		case '\\':
			s.escape(&l)
		default:
			l.text.WriteByte(c)
			s.i++
		}
	}
	return l.done()
}

// maxNesting is how deep templates stand in each other; what is deeper is read as
// text.
const maxNesting = 50

// template reads a template literal; what it interpolates are holes.
func (s *scanner) template(depth int) []part {
	s.i++
	var l literal
	for s.i < len(s.src) {
		switch c := s.src[s.i]; {
		case c == '`':
			s.i++
			return l.done()
		case c == '\\':
			s.escape(&l)
		case s.has("${") && depth < maxNesting:
			s.i += 2
			s.nested("`\"'", len(s.src), func() {
				if s.at(0) == '`' {
					s.template(depth + 1)
				} else {
					s.javascriptString()
				}
			})
			l.hole()
		default:
			l.text.WriteByte(c)
			s.i++
		}
	}
	return l.done()
}

var (
	typeORM = operations{
		readers: []string{"find", "findOne", "findBy", "findOneBy", "findAndCount", "findAndCountBy", "findOneOrFail", "findOneByOrFail", "count", "countBy", "exist", "exists", "existsBy", "createQueryBuilder", "sum", "average", "minimum", "maximum"},
		writers: []string{"save", "insert", "update", "upsert", "delete", "remove", "softDelete", "softRemove", "restore", "recover", "increment", "decrement", "clear"},
	}
	sequelize = operations{
		readers: []string{"findAll", "findOne", "findByPk", "findAndCountAll", "count", "sum", "max", "min", "aggregate"},
		writers: []string{"create", "bulkCreate", "update", "upsert", "destroy", "truncate", "increment", "decrement", "restore"},
		both:    []string{"findOrCreate", "findCreateFind"},
	}
	prismaMethods = operations{
		readers: []string{"findMany", "findUnique", "findFirst", "findUniqueOrThrow", "findFirstOrThrow", "count", "aggregate", "groupBy"},
		writers: []string{"create", "createMany", "createManyAndReturn", "update", "updateMany", "updateManyAndReturn", "upsert", "delete", "deleteMany"},
	}
	knexWriters = []string{"insert", "update", "del", "delete", "truncate", "increment", "decrement", "upsert", "batchInsert"}
	knexJoins   = []string{"join", "innerJoin", "leftJoin", "leftOuterJoin", "rightJoin", "rightOuterJoin", "fullOuterJoin", "crossJoin"}
	knexOthers  = []string{"select", "where", "first", "from", "into", "table", "count", "orderBy", "pluck", "returning", "whereIn", "andWhere", "distinct", "sum", "max", "min", "limit", "groupBy", "columns", "onConflict", "whereNull", "whereNotNull", "whereRaw", "modify", "forUpdate", "as", "then", "clone"}
	knexNames   = []string{"knex", "db", "trx", "tx", "conn", "database", "connection", "Knex"}
	drizzleDefs = []string{"pgTable", "mysqlTable", "sqliteTable", "pgView", "table"}
	drizzle     = map[string][]string{"from": reads, "insert": writes, "update": writes, "delete": writes,
		"leftJoin": reads, "rightJoin": reads, "innerJoin": reads, "fullJoin": reads, "$count": reads}
)

func javascriptRules(f *file) {
	f.javascriptModels()
	f.chains(f.javascriptChain)
}

// javascriptModels finds what stands for tables, and the variables that hold
// repositories of them.
func (f *file) javascriptModels() {
	schemas := map[string]string{} // variables of Drizzle's schemas
	for i := range f.toks {
		if f.text(i) == "pgSchema" || f.text(i) == "mysqlSchema" {
			if s, ok := f.plain(i + 2); ok && f.text(i-1) == "=" {
				schemas[f.text(i-2)] = s
			}
		}
	}
	for i := range f.toks {
		switch t := f.text(i); {
		case t == "@" && (f.text(i+1) == "Entity" || f.text(i+1) == "ViewEntity") && f.text(i+2) == "(" && f.match[i+2] > 0:
			f.entity(i)
		case slices.Contains(drizzleDefs, t) && f.text(i+1) == "(" && f.match[i+1] > 0:
			table, ok := f.plain(i + 2)
			before, schema := i-1, ""
			if dot(f.text(before)) {
				schema = schemas[f.text(i-2)]
				before -= 2
			}
			if ok && f.text(before) == "=" && f.is(before-1, ident) && (t != "table" || schema != "") {
				f.model("drizzle", f.text(before-1), schemaTable(schema, table), true, before-1, f.match[i+1])
			}
		case t == "define" && dot(f.text(i-1)) && f.text(i+1) == "(" && f.match[i+1] > 0:
			if name, ok := f.plain(i + 2); ok {
				f.sequelizeModel(name, i-2, seg{open: i + 1, close: f.match[i+1]})
				// The variable is another name of the model.
				if f.text(i-3) == "=" && f.is(i-4, ident) && f.text(i-4) != name {
					if n := len(f.models); n > 0 && f.models[n-1].name == name {
						alias := f.models[n-1]
						alias.name, alias.silent = f.text(i-4), true
						f.models = append(f.models, alias)
					}
				}
			}
		case t == "init" && dot(f.text(i-1)) && f.is(i-2, ident) && f.text(i+1) == "(" && f.match[i+1] > 0 && len(f.args(i+1, f.match[i+1])) == 2:
			f.sequelizeModel(f.text(i-2), i-2, seg{open: i + 1, close: f.match[i+1]})
		case t == "Repository" && f.text(i-1) == ":" && f.text(i+1) == "<" && f.is(i+2, ident):
			f.bind(f.text(i-2), 0, f.text(i+2))
		case t == "getRepository" && f.text(i+1) == "(" && f.is(i+2, ident):
			before := i - 1
			for dot(f.text(before)) {
				before -= 2
			}
			if f.text(before) == "await" {
				before--
			}
			if f.text(before) == "=" {
				f.bind(f.text(before-1), 0, f.text(i+2))
			}
		}
	}
}

// entity reads a decorated class of TypeORM.
func (f *file) entity(at int) {
	open, close := at+2, f.match[at+2]
	table, explicit := f.plain(open + 1)
	if n, ok := f.keyed(open, close, "name", ":"); ok {
		table, explicit = n, true
	}
	schema, _ := f.keyed(open, close, "schema", ":")
	for j := close + 1; j < min(close+60, len(f.toks)); j++ {
		if f.text(j) == "class" && f.is(j+1, ident) {
			name, last := f.text(j+1), j+1
			if !explicit {
				table = snake(name)
			}
			for k := j; k < len(f.toks); k++ {
				if f.text(k) == "{" {
					last = max(last, f.match[k])
					break
				}
			}
			f.model("typeorm", name, schemaTable(schema, table), explicit, at, last)
			return
		}
	}
}

// sequelizeModel reads the options of define and init.
func (f *file) sequelizeModel(name string, first int, s seg) {
	args := f.args(s.open, s.close)
	last := args[len(args)-1]
	table, explicit := f.keyed(last[0], last[1]-1, "tableName", ":")
	schema, _ := f.keyed(last[0], last[1]-1, "schema", ":")
	if !explicit {
		table = pluralLast(name)
	}
	f.model("sequelize", name, schemaTable(schema, table), explicit, first, s.close)
}

// pluralLast is a name as it is written but for its last word, which is in the plural.
func pluralLast(name string) string {
	words := names.Tokens(name)
	if len(words) == 0 {
		return name
	}
	last := words[len(words)-1]
	rest := len(name) - len(last)
	if rest < 0 || !strings.EqualFold(name[rest:], last) {
		return plural(name)
	}
	return name[:rest] + names.Plural(last)
}

func (f *file) javascriptChain(c []seg) {
	if c[0].name == "this" && c[0].open < 0 && len(c) > 1 {
		c = c[1:]
	}
	f.knex(c)
	for n, s := range c {
		if s.open < 0 {
			continue
		}
		args := f.args(s.open, s.close)
		if ops := drizzle[s.name]; ops != nil && len(args) > 0 && f.is(args[0][0], ident) {
			f.call(f.text(args[0][0]), s.name, c[0].tok, s.end(), ops, "drizzle")
		}
		if n == 0 {
			continue
		}
		before := c[n-1]
		if before.open < 0 {
			// db.query.users.findMany()
			if n >= 3 && c[n-2].name == "query" && (s.name == "findMany" || s.name == "findFirst") {
				f.call(before.name, s.name, c[0].tok, s.end(), reads, "drizzle")
			} else if ops := prismaMethods.of(s.name); ops != nil && n >= 2 {
				f.call(before.name, s.name, c[0].tok, s.end(), ops, "prisma")
			}
			f.call(before.name, s.name, c[0].tok, s.end(), sequelize.of(s.name), "sequelize")
		}
		ops := typeORM.of(s.name)
		if ops == nil {
			continue
		}
		switch {
		case before.name == "getRepository" && before.open >= 0 && f.is(before.open+1, ident):
			f.call(f.text(before.open+1), s.name, c[0].tok, s.end(), ops, "typeorm")
		case before.open < 0 && f.bound(before.name, s.tok) != "":
			f.call(f.bound(before.name, s.tok), s.name, c[0].tok, s.end(), ops, "typeorm")
		case before.open < 0 && len(args) > 0 && f.is(args[0][0], ident) && args[0][1] == args[0][0]+1:
			// An entity manager, or active record, takes the class itself.
			f.call(f.text(args[0][0]), s.name, c[0].tok, s.end(), ops, "typeorm")
			f.call(before.name, s.name, c[0].tok, s.end(), ops, "typeorm")
		case before.open < 0:
			f.call(before.name, s.name, c[0].tok, s.end(), ops, "typeorm")
		}
	}
}

// knex reads the calls of Knex: knex("t").insert(…), knex.select().from("t").
func (f *file) knex(c []seg) {
	if !slices.Contains(knexNames, c[0].name) {
		return
	}
	if len(c) > 2 && c[1].name == "schema" {
		for _, s := range c[2:] {
			if table, ok := f.strArg(s, 0); ok && slices.Contains([]string{"createTable", "alterTable", "table", "dropTable", "dropTableIfExists", "createTableIfNotExists", "renameTable"}, s.name) {
				n := len(f.uses)
				f.tableCall(table, "schema."+s.name, c[0].tok, s.end(), writes)
				for i := n; i < len(f.uses); i++ {
					f.uses[i].kind, f.uses[i].confidence = KindMigration, 0.60
				}
			}
		}
		return
	}
	ops, method := reads, "select"
	for _, s := range c[1:] {
		if s.open >= 0 && slices.Contains(knexWriters, s.name) {
			ops, method = writes, s.name
		}
	}
	known := len(c) == 1
	for _, s := range c[1:] {
		known = known || s.open >= 0 && (slices.Contains(knexWriters, s.name) || slices.Contains(knexJoins, s.name) || slices.Contains(knexOthers, s.name))
	}
	end := c[len(c)-1].end()
	if table, ok := f.strArg(c[0], 0); ok && known && (len(c) > 1 || c[0].name == "knex") {
		f.tableCall(table, "knex."+method, c[0].tok, end, ops)
	}
	for _, s := range c[1:] {
		table, ok := f.strArg(s, 0)
		switch {
		case !ok:
		case slices.Contains(knexJoins, s.name):
			f.tableCall(table, "knex."+s.name, c[0].tok, end, reads)
		case s.name == "from" || s.name == "into" || s.name == "table":
			f.tableCall(table, "knex."+method, c[0].tok, end, ops)
		case s.name == "batchInsert":
			f.tableCall(table, "knex.batchInsert", c[0].tok, end, writes)
		}
	}
}
