package sqlfront

import (
	"slices"
	"strings"
	"unicode"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// unsupported is the refusal of a construct, with the nearest way to the goal.
func unsupported(construct, way string) *Error {
	if way != "" {
		way = " " + way
	}
	return refuse("%s is not supported yet.%s", construct, way)
}

// only refuses m if a field other than the handled ones is set, so that a part of
// the tree that this package does not know cannot be passed over. Fields that say
// where something stands in the text never matter.
func only(m proto.Message, handled ...string) error {
	r := m.ProtoReflect()
	var bad []string
	r.Range(func(f protoreflect.FieldDescriptor, _ protoreflect.Value) bool {
		if name := string(f.Name()); name != "location" && !slices.Contains(handled, name) {
			bad = append(bad, name)
		}
		return true
	})
	if len(bad) == 0 {
		return nil
	}
	slices.Sort(bad)
	message := string(r.Descriptor().Name())
	key := message + "." + bad[0]
	if w, ok := fieldWords[key]; ok {
		return refuse("%s", w)
	}
	return unsupported(words(message)+" with "+strings.ReplaceAll(bad[0], "_", " "), "")
}

// fieldWords are the refusals of fields that a person would not recognise by name.
var fieldWords = map[string]string{
	"SelectStmt.into_clause":        "SELECT INTO would change or lock data; leave it out.",
	"SelectStmt.locking_clause":     "FOR UPDATE or FOR SHARE would change or lock data; leave it out.",
	"SelectStmt.window_clause":      "WINDOW is not supported yet. Group with GROUP BY, or order with ORDER BY and LIMIT.",
	"SelectStmt.group_distinct":     "GROUP BY DISTINCT is not supported yet. Write GROUP BY.",
	"FuncCall.over":                 "OVER (a window function) is not supported yet. Group with GROUP BY, or order with ORDER BY and LIMIT.",
	"FuncCall.agg_order":            "ORDER BY inside an aggregate is not supported yet. Leave it out, or order a subquery in FROM.",
	"FuncCall.func_variadic":        "VARIADIC is not supported yet. Write the arguments one by one.",
	"RangeSubselect.lateral":        "LATERAL is not supported yet. Join a subquery that stands by itself.",
	"RangeFunction.lateral":         "LATERAL is not supported yet. Join a subquery that stands by itself.",
	"JoinExpr.alias":                "An alias for a whole join is not supported yet. Give each table its own.",
	"JoinExpr.join_using_alias":     "An alias for USING is not supported yet. Leave it out.",
	"WithClause.recursive":          "WITH RECURSIVE is not supported yet.",
	"SortBy.use_op":                 "ORDER BY … USING is not supported yet. Write ASC or DESC.",
	"TypeName.array_bounds":         "An array type is not supported yet.",
	"TypeName.setof":                "SETOF is not supported yet.",
	"TypeName.pct_type":             "%TYPE is not supported yet. Write the type's name.",
	"ResTarget.indirection":         "A subscript is not supported yet.",
	"NullTest.argisrow":             "IS NULL of a row is not supported yet. Test its columns.",
	"RangeVar.catalogname":          "A database name before a table is not supported yet. Write the table's name alone.",
	"CommonTableExpr.cycle_clause":  "CYCLE is not supported yet.",
	"CommonTableExpr.search_clause": "SEARCH is not supported yet.",
}

// nodeWords name tree nodes that are refused as a whole, with the nearest way.
var nodeWords = map[string][2]string{
	"SubLink":               {"A subquery in an expression", "Join a subquery in FROM instead."},
	"RowExpr":               {"A row of values (a, b)", "Compare the values one by one with AND."},
	"A_ArrayExpr":           {"ARRAY", "Write a list: x IN (1, 2)."},
	"A_Indirection":         {"A subscript or field of a value", ""},
	"A_Indices":             {"A subscript", ""},
	"CollateClause":         {"COLLATE", "Text is ordered by code point."},
	"GroupingFunc":          {"GROUPING()", "Run one query per grouping."},
	"GroupingSet":           {"GROUPING SETS, ROLLUP or CUBE", "Run one query per grouping."},
	"NamedArgExpr":          {"A named argument (=>)", "Write the arguments in their order."},
	"RangeTableSample":      {"TABLESAMPLE", "Filter with WHERE, or cut with LIMIT."},
	"RangeTableFunc":        {"XMLTABLE", ""},
	"JsonTable":             {"JSON_TABLE", ""},
	"SetToDefault":          {"DEFAULT", "Write the value."},
	"CurrentOfExpr":         {"WHERE CURRENT OF", ""},
	"XmlExpr":               {"XML", ""},
	"XmlSerialize":          {"XMLSERIALIZE", ""},
	"MultiAssignRef":        {"Assignment to several columns", ""},
	"JsonObjectConstructor": {"JSON_OBJECT", ""},
	"JsonArrayConstructor":  {"JSON_ARRAY", ""},
	"JsonObjectAgg":         {"JSON_OBJECTAGG", ""},
	"JsonArrayAgg":          {"JSON_ARRAYAGG", ""},
	"JsonFuncExpr":          {"An SQL/JSON function", ""},
	"JsonParseExpr":         {"JSON()", ""},
	"JsonScalarExpr":        {"JSON_SCALAR", ""},
	"JsonSerializeExpr":     {"JSON_SERIALIZE", ""},
	"JsonIsPredicate":       {"IS JSON", ""},
	"MergeSupportFunc":      {"MERGE_ACTION", ""},
}

// refuseNode refuses a node that has no place where it stands.
func refuseNode(n *pg.Node) error {
	name := messageName(n)
	if w, ok := nodeWords[name]; ok {
		return unsupported(w[0], w[1])
	}
	return unsupported(words(name), "")
}

// messageName returns the name of the message that a node holds.
func messageName(n *pg.Node) string {
	r := n.ProtoReflect()
	f := r.WhichOneof(r.Descriptor().Oneofs().ByName("node"))
	if f == nil {
		return "an empty node"
	}
	return string(f.Message().Name())
}

// words turns a message's name into words: JsonTablePath into "json table path".
func words(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 && !strings.HasSuffix(b.String(), " ") {
			b.WriteByte(' ')
		}
		if r == '_' {
			r = ' '
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
