package cypher

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of a query.
const (
	MaxLength  = 20_000 // characters
	MaxNesting = 100    // parentheses, brackets and braces inside each other
)

// maxRange is how many numbers range may count. The engine makes the whole list,
// outside of its own limit of memory, and does not survive a very long one.
const maxRange = 100_000

// Rejection says why a query may not run, and where.
type Rejection struct {
	Word         string // the offending word or character as written, at most 40 bytes; may be empty
	Reason       string // a sentence without its full stop
	Offset       int    // in bytes
	Line, Column int    // from 1; the column counts characters
}

func (r *Rejection) Error() string {
	if r.Word == "" {
		return fmt.Sprintf("%s (line %d, column %d)", r.Reason, r.Line, r.Column)
	}
	return fmt.Sprintf("%q at line %d, column %d: %s", r.Word, r.Line, r.Column, r.Reason)
}

func reject(text string, offset int, word, reason string) *Rejection {
	before := text[:offset]
	start := strings.LastIndexByte(before, '\n') + 1
	if len(word) > 40 {
		word = strings.ToValidUTF8(word[:40], "") + "…"
	}
	return &Rejection{
		Word: word, Reason: reason, Offset: offset,
		Line: strings.Count(before, "\n") + 1, Column: utf8.RuneCountInString(before[start:]) + 1,
	}
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

var (
	// openers are the words that a query may begin with.
	openers = set("MATCH OPTIONAL RETURN WITH UNWIND CALL")

	// forbidden are words of commands that change something or reach outside the graph.
	forbidden = set(`CREATE DELETE DETACH MERGE SET REMOVE COPY LOAD EXPORT IMPORT ATTACH USE INSTALL UNINSTALL
		UPDATE INSERT DROP ALTER RENAME COMMENT CHECKPOINT BEGIN COMMIT ROLLBACK TRANSACTION EXPLAIN PROFILE
		PROJECT_GRAPH MACRO SEQUENCE`)

	// procedures may follow CALL.
	procedures = set("SHOW_TABLES TABLE_INFO SHOW_CONNECTION DB_VERSION SHOW_FUNCTIONS SHOW_INDEXES")

	// keywords may stand before an opening parenthesis without being a function.
	keywords = set(`MATCH OPTIONAL RETURN WITH UNWIND WHERE AND OR XOR NOT IN DISTINCT BY CASE WHEN THEN ELSE END
		CONTAINS STARTS ENDS IS EXISTS LIMIT SKIP ASC DESC ASCENDING DESCENDING UNION ALL YIELD ON AS HINT JOIN
		SHORTEST WSHORTEST TRAIL ACYCLIC WALK`)

	// functions may be called. They compute a value from their arguments. Not among
	// them: nextval and currval (a sequence's state), error, functions that read or
	// write files, and repeat, lpad and rpad, whose result may be larger than memory;
	// see also maxRange.
	functions = set(`ABS ACOS ALL ANY ARRAY_APPEND ARRAY_CAT ARRAY_CONCAT ARRAY_CONTAINS ARRAY_COSINE_SIMILARITY
		ARRAY_CROSS_PRODUCT ARRAY_DISTANCE ARRAY_DOT_PRODUCT ARRAY_EXTRACT ARRAY_HAS ARRAY_INDEXOF ARRAY_INNER_PRODUCT
		ARRAY_POSITION ARRAY_PREPEND ARRAY_PUSH_BACK ARRAY_PUSH_FRONT ARRAY_SLICE ARRAY_SQUARED_DISTANCE ARRAY_TO_JSON
		ARRAY_VALUE ASIN ATAN ATAN2 AVG BITSHIFT_LEFT BITSHIFT_RIGHT BITWISE_AND BITWISE_OR BITWISE_XOR BLOB CARDINALITY
		CAST CAST_TO_JSON CBRT CEIL CEILING CENTURY COALESCE COLLECT CONCAT CONCAT_WS CONSTANT_OR_NULL CONTAINS COS COST COT
		COUNT COUNT_IF COUNT_STAR CURRENT_DATE CURRENT_TIMESTAMP DATE DATEPART DATETRUNC DATE_PART DATE_TRUNC DAYNAME DECODE
		DEGREES DURATION ELEMENT_AT ENCODE ENDS_WITH END_NODE EPOCH_MS EQUALS EVEN FACTORIAL FLOOR GAMMA GEN_RANDOM_UUID
		GREATER_THAN GREATER_THAN_EQUALS GREATEST HASH ID IFNULL INITCAP INTERNAL_ID INTERVAL IS_ACYCLIC IS_TRAIL JSON
		JSON_ARRAY JSON_ARRAY_LENGTH JSON_CONTAINS JSON_EXTRACT JSON_KEYS JSON_MERGE_PATCH JSON_OBJECT JSON_QUOTE
		JSON_STRUCTURE JSON_VALID KEYS LABEL LABELS LAST_DAY LCASE LEAST LEFT LENGTH LESS_THAN LESS_THAN_EQUALS LEVENSHTEIN
		LGAMMA LIST_ANY_VALUE LIST_APPEND LIST_CAT LIST_CONCAT LIST_CONTAINS LIST_CREATION LIST_DISTINCT LIST_ELEMENT
		LIST_EXTRACT LIST_FILTER LIST_HAS LIST_HAS_ALL LIST_INDEXOF LIST_POSITION LIST_PREPEND LIST_PRODUCT LIST_REDUCE
		LIST_REVERSE LIST_REVERSE_SORT LIST_SLICE LIST_SORT LIST_SUM LIST_TO_STRING LIST_TRANSFORM LIST_UNIQUE LN LOG LOG10
		LOG2 LOWER LTRIM MAKE_DATE MAP MAP_EXTRACT MAP_KEYS MAP_VALUES MAX MD5 MIN MONTHNAME NEGATE NODES NONE NOT_EQUALS
		NULLIF OCTET_LENGTH OFFSET PI POW PREFIX PROPERTIES RADIANS REGEXP_EXTRACT REGEXP_EXTRACT_ALL
		REGEXP_FULL_MATCH REGEXP_MATCHES REGEXP_REPLACE REGEXP_SPLIT_TO_ARRAY RELATIONSHIPS RELS REVERSE RIGHT ROUND
		ROW_TO_JSON RTRIM SHA256 SIGN SIN SINGLE SIZE SPLIT_PART SQRT STARTS_WITH START_NODE STEM STRING STRING_SPLIT
		STRING_TO_ARRAY STRUCT_EXTRACT STRUCT_PACK STR_SPLIT SUBSTR SUBSTRING SUFFIX SUM TAN TIMESTAMP TOLOWER TOUPPER
		TO_BLOB TO_BOOL TO_DATE TO_DAYS TO_DOUBLE TO_EPOCH_MS TO_FLOAT TO_HOURS TO_INT128 TO_INT16 TO_INT32 TO_INT64
		TO_INT8 TO_INTERVAL TO_JSON TO_MICROSECONDS TO_MILLISECONDS TO_MINUTES TO_MONTHS TO_SECONDS TO_STRING TO_TIMESTAMP
		TO_UINT16 TO_UINT32 TO_UINT64 TO_UINT8 TO_UUID TO_YEARS TRIM TYPEOF UCASE UNION_EXTRACT UNION_TAG UNION_VALUE UPPER
		UUID DECIMAL NUMERIC STRUCT`)
)

// Check returns nil if the query may run, else a *Rejection.
func Check(text string) error {
	if n := utf8.RuneCountInString(text); n > MaxLength {
		return reject(text, 0, "", fmt.Sprintf("the query has %d characters, at most %d are allowed", n, MaxLength))
	}
	tokens, err := Scan(text)
	if err != nil {
		return err
	}
	g := guard{text: text, tokens: tokens}
	if n := len(tokens); n > 0 && tokens[n-1].Text == ";" {
		g.tokens = tokens[:n-1]
	}
	return g.check()
}

type guard struct {
	text   string
	tokens []Token
	open   []byte // brackets that are open before the current token
	label  bool   // the token before is a label of a list: :A, :A|B
	named  bool   // the token before is a name, whatever word it is
}

// at returns the i-th token, or a Punct without text outside of the query.
func (g *guard) at(i int) Token {
	if i < 0 || i >= len(g.tokens) {
		return Token{Kind: Punct, Start: len(g.text), End: len(g.text)}
	}
	return g.tokens[i]
}

func (g *guard) reject(t Token, reason string) error {
	return reject(g.text, t.Start, t.Text, reason)
}

func (g *guard) check() error {
	if len(g.tokens) == 0 {
		return reject(g.text, 0, "", "the query is empty")
	}
	first := g.at(0)
	if !openers[first.Word()] {
		return g.reject(first, "a query begins with MATCH, OPTIONAL MATCH, RETURN, WITH, UNWIND or CALL")
	}
	if first.Word() == "OPTIONAL" && g.at(1).Word() != "MATCH" {
		return g.reject(g.at(1), "OPTIONAL must be followed by MATCH")
	}
	for i, t := range g.tokens {
		label, named := false, false
		switch t.Kind {
		case Punct:
			if err := g.punct(t); err != nil {
				return err
			}
			label = t.Text == "|" && g.label
		case Word, Backtick:
			label = g.isLabel(i)
			named = label || g.isName(i)
			if err := g.word(i, named); err != nil {
				return err
			}
		}
		g.label, g.named = label, named
	}
	if len(g.open) > 0 {
		return reject(g.text, len(g.text), "", fmt.Sprintf("%q is not closed", string(g.open[len(g.open)-1])))
	}
	return nil
}

var closing = map[string]byte{")": '(', "]": '[', "}": '{'}

func (g *guard) punct(t Token) error {
	switch t.Text {
	case ";":
		return g.reject(t, "one statement at a time")
	case "(", "[", "{":
		if g.open = append(g.open, t.Text[0]); len(g.open) > MaxNesting {
			return g.reject(t, fmt.Sprintf("more than %d brackets inside each other", MaxNesting))
		}
	case ")", "]", "}":
		if n := len(g.open); n == 0 || g.open[n-1] != closing[t.Text] {
			return g.reject(t, "closes nothing")
		}
		g.open = g.open[:len(g.open)-1]
	}
	return nil
}

// isLabel reports whether token i names a label or an edge type: it follows a
// colon, or the bar of a list of them, inside brackets. No clause can begin there.
func (g *guard) isLabel(i int) bool {
	before := g.at(i - 1)
	return len(g.open) > 0 && before.Kind == Punct && (before.Text == ":" || before.Text == "|" && g.label)
}

// isName reports whether token i stands where the grammar wants a name, so that a
// keyword is none: after the dot of a property, as a map's key, after AS.
func (g *guard) isName(i int) bool {
	before, after := g.at(i-1), g.at(i+1)
	switch {
	case before.Kind == Punct && before.Text == ".":
		return true
	case before.Word() == "AS" && !g.named: // WITH 1 AS as SET …: the second is no keyword
		return true
	}
	return after.Text == ":" && before.Kind == Punct && (before.Text == "{" || before.Text == ",") &&
		len(g.open) > 0 && g.open[len(g.open)-1] == '{'
}

func (g *guard) word(i int, name bool) error {
	t, word := g.at(i), g.at(i).Word()
	switch {
	case t.Kind == Word && forbidden[word] && !name:
		return g.reject(t, "only reading is allowed here; a name that is also a command goes in backticks")
	case word == "CALL" && !name:
		return g.procedure(i)
	}
	if g.at(i+1).Text != "(" || g.at(i-1).Word() == "CALL" && !g.named {
		return nil
	}
	// A name before a parenthesis is a call, in backticks too. So it is after AS,
	// where only a type can be.
	called := fold(t.Name())
	switch {
	case called == "RANGE":
		return g.countedRange(i)
	case t.Kind == Word && keywords[called] || functions[called]:
		return nil
	}
	return g.reject(t, "no function of this name may be called here")
}

// countedRange checks that the arguments of range are plain integers that are not
// far from each other.
func (g *guard) countedRange(i int) error {
	reason := fmt.Sprintf("range must be given two whole numbers at most %d apart", maxRange)
	var bounds []int64
	for i += 2; ; i++ {
		sign := ""
		if g.at(i).Text == "-" {
			sign, i = "-", i+1
		}
		n, err := strconv.ParseInt(sign+g.at(i).Text, 10, 32)
		if err != nil {
			return g.reject(g.at(i), reason)
		}
		bounds = append(bounds, n)
		if i++; g.at(i).Text != "," {
			break
		}
	}
	if g.at(i).Text != ")" || len(bounds) < 2 || len(bounds) > 3 || bounds[1]-bounds[0] > maxRange || bounds[0]-bounds[1] > maxRange {
		return g.reject(g.at(i), reason)
	}
	return nil
}

func (g *guard) procedure(i int) error {
	t := g.at(i + 1)
	if t.Kind != Word || g.at(i+2).Text != "(" {
		return g.reject(t, "CALL must be followed by a procedure and its arguments in parentheses")
	}
	if !procedures[t.Word()] {
		return g.reject(t, "CALL may be followed by show_tables, table_info, show_connection, db_version, show_functions or show_indexes")
	}
	return nil
}
