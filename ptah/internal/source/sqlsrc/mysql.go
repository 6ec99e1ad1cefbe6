package sqlsrc

import (
	"context"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	sqlmysql "github.com/quartet-mcp/quartet/datakit/sqltree/mysql"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// mysql executes scripts of MySQL and MariaDB, those of their dump programs among them.
type mysql struct {
	reader
	mariadb bool
	numbers map[series]*numbers
	ownKeys int // of a table: the constraints from here on are those of the column at hand
}

// The words that are no names: in both databases, and in one of them.
const (
	mysqlReserved = `accessible add all alter analyze and as asc asensitive before between bigint binary blob both by call cascade
		case change char character check collate column condition constraint continue convert create cross current_date
		current_time current_timestamp current_user cursor databases day_hour day_microsecond day_minute
		day_second dec decimal declare default delayed delete desc describe deterministic distinct distinctrow div double
		drop dual each else elseif enclosed escaped except exists exit explain false fetch float float4 float8 for force
		foreign from fulltext grant group having high_priority hour_microsecond hour_minute hour_second if ignore in index
		infile inner inout insensitive insert int int1 int2 int3 int4 int8 integer interval into is iterate join key keys
		kill leading leave left like limit linear lines load localtime localtimestamp lock long longblob longtext loop
		low_priority match maxvalue mediumblob mediumint mediumtext middleint minute_microsecond minute_second mod modifies
		natural not no_write_to_binlog null numeric on optimize optionally or order out outer outfile over partition
		precision primary procedure purge range read reads read_write real recursive references regexp release rename
		repeat replace require resignal restrict return revoke right rlike rows schemas second_microsecond select
		sensitive separator set show signal smallint spatial specific sql sqlexception sqlstate sqlwarning sql_big_result
		sql_calc_found_rows sql_small_result ssl starting straight_join table terminated then tinyblob tinyint tinytext to
		trailing trigger true undo union unique unlock unsigned update usage use using utc_date utc_time utc_timestamp
		values varbinary varchar varcharacter varying when where while with write xor year_month zerofill`
	mysqlOnlyReserved = `cube cume_dist database dense_rank empty first_value function generated get grouping groups intersect
		io_after_gtids io_before_gtids json_table lag last_value lateral lead manual master_bind
		master_ssl_verify_server_cert nth_value ntile of optimizer_costs option parallel percent_rank qualify rank row row_number
		schema stored system tablesample virtual window`
	mariadbOnlyReserved = `current_role delete_domain_id do_domain_ids ignore_domain_ids intersect master_ssl_verify_server_cert
		offset page_checksum parse_vcol_expr ref_system_id returning row_number stats_auto_recalc stats_persistent stats_sample_pages`
)

func newMySQL(d dialect.Dialect, rep *finding.Report) interpreter {
	in := &mysql{mariadb: d == dialect.MariaDB, numbers: map[series]*numbers{}}
	own := mysqlOnlyReserved
	if in.mariadb {
		own = mariadbOnlyReserved
	}
	in.reader = newReader(d, rep, lexicon{
		backslash: true, doubleText: true, backtick: true, hash: true, dashSpace: true, digitNames: true, delimiters: true, textPrefixes: "nbx",
	}, mysqlReserved+" "+own)
	return in
}

func (in *mysql) run(ctx context.Context, p piece) {
	d := sqltree.MySQL
	if in.mariadb {
		d = sqltree.MariaDB
	}
	in.execute(ctx, p, sqlmysql.Live(d, p.text), in.length, in.statement)
}

// database adds the indexes that the server makes for foreign keys, as it shows them.
func (in *mysql) database() *schema.Database {
	for _, t := range in.db.Tables {
		in.keepIndexes(t)
	}
	return in.db
}

// length finds the end of a statement. A script for the client ends that of a routine
// with a delimiter of its own; where it has none, the semicolons between BEGIN and END
// and the like belong to it.
func (in *mysql) length(toks []token) int {
	if !in.compound(toks) {
		// A semicolon ends it for the server, whatever the delimiter of the client is.
		for i, t := range toks {
			if in.tokenIs(t, ";") {
				toks[i].kind = separatorToken
			}
			if toks[i].kind >= separatorToken {
				return i
			}
		}
		return len(toks)
	}
	depth := 0
	for i, t := range toks {
		if t.kind == separatorToken && (depth <= 0 || in.text[t.start:t.end] != ";") {
			return i
		}
		depth += in.opens(toks, i)
	}
	return len(toks)
}

// opens returns 1 for a token that begins a block of statements, -1 for one that ends a
// block, 0 for others.
func (in *mysql) opens(toks []token, i int) int {
	t, before := toks[i], token{kind: separatorToken}
	if i > 0 {
		before = toks[i-1]
	}
	switch {
	case t.kind != wordToken || in.tokenIs(before, "."):
	case in.isOneOf(t, "BEGIN"):
		if before.kind != symbolToken || in.isOneOf(before, ")", ":", ";") {
			return 1
		}
	case in.isOneOf(t, "CASE"):
		if !in.isOneOf(before, "END") {
			return 1
		}
	case in.isOneOf(t, "IF", "LOOP", "WHILE", "REPEAT", "FOR"):
		if (before.kind == separatorToken || before.kind == textToken || in.isOneOf(before, statementFollows...)) && !in.ofExpression(toks[i:]) {
			return 1
		}
	case in.isOneOf(t, "END"):
		if before.kind != symbolToken || in.isOneOf(before, ")", ";") {
			return -1
		}
	}
	return 0
}

// longestCall is how many tokens are looked at for the end of a call, which bounds the work
// for a text of nothing but beginnings.
const longestCall = 1000

// ofExpression reports whether a word that could begin a block is part of something else,
// since what precedes it precedes expressions and clauses too: the functions IF and REPEAT
// behind a THEN, the FOR UPDATE of a query behind a parenthesis.
func (in *mysql) ofExpression(toks []token) bool {
	switch {
	case in.isOneOf(toks[0], "FOR"):
		return len(toks) < 3 || !in.tokenIs(toks[2], "IN")
	case !in.isOneOf(toks[0], "IF", "REPEAT") || len(toks) < 2 || !in.tokenIs(toks[1], "("):
		return false
	case in.isOneOf(toks[0], "REPEAT"):
		return true
	}
	depth, arguments := 0, 1
	for _, t := range toks[1:min(len(toks), longestCall)] {
		switch {
		case in.tokenIs(t, "("):
			depth++
		case in.tokenIs(t, ")"):
			depth--
		case depth == 1 && in.tokenIs(t, ","):
			arguments++
		}
		if depth == 0 {
			break
		}
	}
	return arguments == 3
}

// statementFollows are the words and symbols behind which a statement begins in a
// routine.
var statementFollows = []string{"THEN", "ELSE", "BEGIN", "DO", "LOOP", "REPEAT", "ROW", ":", ";", ")", "DETERMINISTIC", "SQL", "DATA", "DEFINER", "INVOKER"}

// compound reports whether a statement creates something with statements in it.
func (in *mysql) compound(toks []token) bool {
	if !in.tokenIs(toks[0], "CREATE") {
		return false
	}
	for _, t := range toks[1:min(len(toks), 16)] {
		switch {
		case in.isOneOf(t, "TRIGGER", "PROCEDURE", "FUNCTION", "EVENT"):
			return true
		case in.isOneOf(t, "TABLE", "VIEW", "INDEX", "DATABASE", "(") || t.kind == separatorToken:
			return false
		}
	}
	return false
}

func (in *mysql) statement() {
	switch {
	case in.accept("CREATE"):
		in.create()
	case in.is("ALTER"):
		in.alter()
	case in.accept("DROP"):
		in.drop()
	case in.accept("RENAME", "TABLE"), in.accept("RENAME", "TABLES"):
		in.rename()
	case in.accept("USE"):
		in.current = in.name("a database")
	case in.isAny("SET", "UNLOCK", "INSERT", "REPLACE", "START", "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "ANALYZE", "OPTIMIZE", "FLUSH", "LOAD"):
		in.skip(in.leading())
	case in.is("LOCK", "TABLES"), in.is("LOCK", "TABLE"):
		in.skip("LOCK TABLES")
	case in.is("DO", "SETVAL"), in.is("SELECT", "SETVAL"):
		in.skip("SETVAL")
	default:
		in.refuse(in.leading(), "")
	}
}

func (in *mysql) create() {
	replace := in.accept("OR", "REPLACE")
	if in.accept("TEMPORARY") {
		in.refuse("CREATE TEMPORARY "+strings.ToUpper(in.textOf(in.tok())), "what is temporary is no part of a schema")
	}
	if replace && !in.mariadb && !in.isAny("ALGORITHM", "DEFINER", "SQL", "VIEW") {
		in.unexpected("VIEW")
	}
	switch {
	case in.accept("TABLE"):
		in.createTable(replace)
		return
	case in.accept("DATABASE"), in.accept("SCHEMA"):
		in.createDatabase()
		return
	case in.mariadb && in.accept("SEQUENCE"):
		in.createSequence(replace)
		return
	case in.accept("ROLE"):
		in.createRoles()
		return
	}
	kind := ""
	if w := in.acceptAny("UNIQUE", "FULLTEXT", "SPATIAL", "VECTOR"); w != "" {
		kind = w
	}
	if kind != "" || in.is("INDEX") {
		in.createIndex(kind, replace)
		return
	}
	var options []schema.Option
	for {
		switch {
		case in.accept("ALGORITHM"):
			in.expect("=")
			options = append(options, schema.Option{Key: "ALGORITHM", Value: in.expectAny("UNDEFINED", "MERGE", "TEMPTABLE")})
		case in.is("DEFINER"):
			in.definer()
		case in.accept("SQL", "SECURITY"):
			options = append(options, schema.Option{Key: "SQL SECURITY", Value: in.expectAny("DEFINER", "INVOKER")})
		case in.accept("VIEW"):
			in.createView(options, replace)
			return
		case in.accept("TRIGGER"):
			in.createTrigger(replace)
			return
		case in.isAny("AGGREGATE", "FUNCTION", "PROCEDURE"):
			in.createRoutine(replace)
			return
		case in.accept("EVENT"):
			in.createEvent(replace)
			return
		default:
			in.refuse(in.leading(), "")
		}
	}
}

// definer passes over DEFINER = user, which is not that of every database.
func (in *mysql) definer() {
	in.dropPart("DEFINER")
	in.expect("DEFINER", "=")
	from := in.i
	in.skipTo("SQL", "VIEW", "TRIGGER", "AGGREGATE", "FUNCTION", "PROCEDURE", "EVENT")
	if in.i == from {
		in.unexpected("a user")
	}
}

func (in *mysql) createDatabase() {
	exists := in.ifNotExists()
	ns := &schema.Namespace{Origin: in.origin(in.toks[0].start)}
	ns.Name = in.name("a database")
	for !in.atEnd() {
		from := in.i
		switch {
		case in.accept("COMMENT"):
			in.accept("=")
			ns.Comment = in.literal("a comment")
			continue
		case in.accept("DEFAULT"):
		}
		switch {
		case in.accept("CHARACTER", "SET"), in.accept("CHARSET"), in.accept("COLLATE"), in.accept("ENCRYPTION"):
			in.accept("=")
			in.next("a value")
		default:
			in.unexpected("CHARACTER SET, COLLATE, ENCRYPTION or COMMENT")
		}
		in.dropPart(in.since(from) + " of the database " + quoted(ns.Name))
	}
	for _, other := range in.db.Schemas {
		if other.Name == ns.Name {
			if !exists {
				in.twice("database", ns.Name, other.Origin)
			}
			return
		}
	}
	in.db.Schemas = append(in.db.Schemas, ns)
}

func (in *mysql) createRoles() {
	exists := in.ifNotExists()
	for {
		role := &schema.Role{Origin: in.here()}
		if in.tok().kind == textToken {
			role.Name = in.literal("the name of a role")
		} else {
			role.Name = in.name("a role")
		}
		if i := slices.IndexFunc(in.db.Roles, func(r *schema.Role) bool { return r.Name == role.Name }); i < 0 {
			in.db.Roles = append(in.db.Roles, role)
		} else if !exists {
			in.twice("role", role.Name, in.db.Roles[i].Origin)
		}
		if !in.accept(",") {
			return
		}
	}
}

func (in *mysql) createSequence(replace bool) {
	s := &schema.Sequence{Origin: in.origin(in.toks[0].start)}
	exists := in.ifNotExists()
	s.Name = in.qualified("a sequence")
	if old := in.sequence(s.Name); old != nil && replace {
		in.db.Sequences = without(in.db.Sequences, old)
	}
	if !in.declare("SEQUENCE", s.Name, exists) {
		return
	}
	if in.accept("AS") {
		s.As = in.typeText()
	}
	in.sequenceOptions(&s.SequenceOptions)
	if in.accept("ENGINE") {
		in.accept("=")
		in.dropPart("ENGINE of the sequence " + quoted(s.Name.String()))
		in.name("an engine")
	}
	in.db.Sequences = append(in.db.Sequences, s)
}

func (in *mysql) createView(options []schema.Option, replace bool) {
	exists := in.ifNotExists()
	v := &schema.View{Options: options, Origin: in.origin(in.toks[0].start)}
	v.Name = in.qualified("a view")
	if old := in.view(v.Name); old != nil && replace {
		in.dropView(old)
	}
	if !in.declare("VIEW", v.Name, exists) {
		return
	}
	if in.is("(") {
		v.Columns = in.names("a column")
	}
	v.CheckOption = in.checkOption()
	in.viewBody(v)
}

func (in *mysql) createTrigger(replace bool) {
	exists := in.ifNotExists()
	g := &schema.Trigger{ForEach: "ROW", Origin: in.origin(in.toks[0].start)}
	n := in.qualified("a trigger")
	g.Name = n.Name
	head := in.i
	g.Timing = in.expectAny("BEFORE", "AFTER")
	g.Events = []string{in.expectAny("INSERT", "UPDATE", "DELETE")}
	in.expect("ON")
	g.Declared = "CREATE TRIGGER " + in.quoteName(n) + " " + in.since(head)
	g.Table = in.qualified("a table")
	tail := in.i
	in.expect("FOR", "EACH", "ROW")
	if w := in.acceptAny("FOLLOWS", "PRECEDES"); w != "" {
		in.name("a trigger")
	}
	g.Body = in.body()
	g.Declared += " " + in.quoteName(g.Table) + " " + in.since(tail)
	if old := in.trigger(schema.Name{Schema: g.Table.Schema, Name: g.Name}); old != nil {
		switch {
		case replace:
			in.db.Triggers = without(in.db.Triggers, old)
		case exists:
			in.skip("CREATE TRIGGER IF NOT EXISTS of " + quoted(g.Name) + ", which is declared at " + old.String() + ",")
			return
		default:
			in.twice("trigger", g.Name, old.Origin)
		}
	}
	in.db.Triggers = append(in.db.Triggers, g)
}

// statementWords begin the statements of a routine, and the parts of its blocks.
var statementWords = map[string]bool{}

func init() {
	for _, w := range strings.Fields(`alter analyze begin call case check close commit create deallocate declare delete do drop else elseif end
		execute fetch flush for get grant handler if insert iterate kill leave load lock loop open optimize prepare release rename repair
		repeat replace reset resignal return revoke rollback savepoint select set show signal start truncate unlock until update use values when
		while with xa`) {
		statementWords[strings.ToUpper(w)] = true
	}
}

// body reads the statement that a trigger, a routine or an event runs. Of its parts only
// the beginnings are judged, and that blocks have an end.
func (in *mysql) body() string {
	from := in.i
	var blocks []string // that are open
	for begins := true; !in.atEnd(); in.i++ {
		t := in.tok()
		if begins && t.kind == wordToken && !statementWords[strings.ToUpper(in.textOf(t))] && !in.tokenIs(in.ahead(1), ":") {
			in.unexpected("a statement")
		}
		begins = t.kind == separatorToken || in.tokenIs(t, ";")
		switch in.opens(in.toks, in.i) {
		case 1:
			blocks = append(blocks, strings.ToUpper(in.textOf(t)))
			begins = in.isOneOf(t, "BEGIN", "LOOP", "REPEAT")
		case -1:
			if len(blocks) == 0 {
				in.unexpected("a statement")
			}
			last := blocks[len(blocks)-1]
			blocks = blocks[:len(blocks)-1]
			if last != "BEGIN" && last != "CASE" && !in.tokenIs(in.ahead(1), last) {
				in.i++
				in.unexpected("the " + last + " of an END")
			}
		}
	}
	if in.i == from {
		in.unexpected("a statement")
	}
	if len(blocks) > 0 {
		in.unexpected("the END of " + blocks[len(blocks)-1])
	}
	return in.since(from)
}

func (in *mysql) createRoutine(replace bool) {
	f := &schema.Routine{Language: "SQL", Origin: in.origin(in.toks[0].start)}
	f.Aggregate = in.accept("AGGREGATE")
	kind := in.expectAny("FUNCTION", "PROCEDURE")
	f.Procedure = kind == "PROCEDURE"
	exists := in.ifNotExists()
	f.Name = in.qualified("a routine")
	tail := in.i
	if in.is("RETURNS") {
		in.refuse("CREATE FUNCTION of a library", "")
	}
	in.expect("(")
	for !in.is(")") {
		f.Params = append(f.Params, in.param())
		if !in.accept(",") {
			break
		}
	}
	in.expect(")")
	if !f.Procedure {
		in.expect("RETURNS")
		f.Returns = in.typeText()
	}
	for in.characteristic(f) {
	}
	f.Body = in.body()
	f.Declared = "CREATE "
	if f.Aggregate {
		f.Declared += "AGGREGATE "
	}
	f.Declared += kind + " " + in.quoteName(f.Name) + in.since(tail)
	if old := in.routine(f.Name, f.Procedure); old != nil {
		switch {
		case replace:
			in.db.Routines = without(in.db.Routines, old)
		case exists:
			in.skip("CREATE " + kind + " IF NOT EXISTS of " + quoted(f.Name.String()) + ", which is declared at " + old.Origin.String() + ",")
			return
		default:
			in.twice(kind, f.Name.String(), old.Origin)
		}
	}
	in.db.Routines = append(in.db.Routines, f)
}

func (in *mysql) param() schema.Param {
	p := schema.Param{Mode: in.acceptAny("INOUT", "IN", "OUT")}
	p.Name = in.name("a parameter")
	p.Type = in.typeText()
	if in.mariadb && in.accept("DEFAULT") {
		p.Default = in.skipTo(",")
	}
	return p
}

// characteristic reads one property of a routine.
func (in *mysql) characteristic(f *schema.Routine) bool {
	switch {
	case in.accept("COMMENT"):
		in.literal("a comment") // it stays in the declaration
	case in.accept("LANGUAGE"):
		f.Language = strings.ToUpper(in.anyName("a language"))
		if f.Language != "SQL" {
			in.refuse("a routine in "+f.Language, "")
		}
	case in.accept("NOT", "DETERMINISTIC"), in.accept("DETERMINISTIC"), in.accept("CONTAINS", "SQL"), in.accept("NO", "SQL"),
		in.accept("READS", "SQL", "DATA"), in.accept("MODIFIES", "SQL", "DATA"):
	case in.accept("SQL", "SECURITY"):
		f.Security = in.expectAny("DEFINER", "INVOKER")
	default:
		return false
	}
	return true
}

func (in *mysql) createEvent(replace bool) {
	exists := in.ifNotExists()
	e := &schema.Verbatim{Kind: "EVENT", Origin: in.origin(in.toks[0].start)}
	e.Name = in.qualified("an event")
	from := in.i
	in.expect("ON", "SCHEDULE")
	in.skipTo("DO")
	in.expect("DO")
	in.body()
	e.Text = "CREATE EVENT " + in.quoteName(e.Name) + " " + in.since(from)
	if old := in.verbatim("EVENT", e.Name); old != nil {
		switch {
		case replace:
			in.db.Verbatim = without(in.db.Verbatim, old)
		case exists:
			in.skip("CREATE EVENT IF NOT EXISTS of " + quoted(e.Name.String()) + ", which is declared at " + old.Origin.String() + ",")
			return
		default:
			in.twice("event", e.Name.String(), old.Origin)
		}
	}
	in.db.Verbatim = append(in.db.Verbatim, e)
}

func (in *mysql) drop() {
	kind := in.acceptAny("TABLE", "TABLES", "VIEW", "TRIGGER", "FUNCTION", "PROCEDURE", "EVENT", "SEQUENCE", "DATABASE", "SCHEMA", "INDEX", "ROLE")
	if kind == "INDEX" {
		exists := in.ifExists()
		name := in.name("an index")
		in.expect("ON")
		t := in.tableFor(in.qualified("a table"))
		in.dropKey(t, name, exists)
		in.algorithm()
		return
	}
	switch kind {
	case "", "ROLE":
		in.refuse(in.leading(), "")
	case "TABLES":
		kind = "TABLE"
	case "SCHEMA":
		kind = "DATABASE"
	}
	exists := in.ifExists()
	for {
		n := in.qualified("the object")
		if !in.dropOne(kind, n) {
			in.dropped(kind, n.String(), exists)
		}
		if !in.accept(",") {
			break
		}
	}
	in.acceptAny("RESTRICT", "CASCADE")
}

// dropOne removes an object, if it is declared.
func (in *mysql) dropOne(kind string, n schema.Name) bool {
	switch kind {
	case "TABLE":
		if t := in.table(n); t != nil {
			in.dropTable(t)
			return true
		}
	case "VIEW":
		if v := in.view(n); v != nil {
			in.dropView(v)
			return true
		}
	case "TRIGGER":
		if g := in.trigger(n); g != nil {
			in.db.Triggers = without(in.db.Triggers, g)
			return true
		}
	case "FUNCTION", "PROCEDURE":
		if f := in.routine(n, kind == "PROCEDURE"); f != nil {
			in.db.Routines = without(in.db.Routines, f)
			return true
		}
	case "EVENT":
		if e := in.verbatim(kind, n); e != nil {
			in.db.Verbatim = without(in.db.Verbatim, e)
			return true
		}
	case "SEQUENCE":
		if s := in.sequence(n); s != nil {
			in.db.Sequences = without(in.db.Sequences, s)
			return true
		}
	case "DATABASE":
		if slices.ContainsFunc(in.db.Schemas, func(ns *schema.Namespace) bool { return ns.Name == n.Name }) {
			in.refuse("DROP DATABASE of a database that is declared", "")
		}
	}
	return false
}

func (in *mysql) rename() {
	exists := in.ifExists()
	for {
		from := in.qualified("a table")
		in.expect("TO")
		to := in.qualified("a table")
		if t := in.table(from); t != nil || !exists {
			in.renameTo(in.tableFor(from), to)
		} else {
			in.dropPart("RENAME TABLE IF EXISTS of " + quoted(from.String()) + ", which is not declared,")
		}
		if !in.accept(",") {
			return
		}
	}
}

func (in *mysql) renameTo(t *schema.Table, to schema.Name) {
	if old, at := in.taken(to); at != nil && in.table(to) != t {
		in.taking("table", to, old, *at)
	}
	in.renameTable(t, to)
}
