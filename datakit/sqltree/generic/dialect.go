package generic

import "github.com/quartet-mcp/quartet/datakit/sqltree"

// rules are the differences between dialects that the parser knows.
type rules struct {
	backslash      bool // '…' takes backslash escapes
	doubleString   bool // "…" is a string
	tripleString   bool // """…""" and r'…'
	brackets       bool // [name] is a quoted name wherever it stands
	mixedBrackets  bool // [name] is a quoted name where no subscript can stand
	hashComment    bool // # begins a comment
	slashComment   bool // // begins a comment
	nestedComments bool
	openComment    bool // the last comment may lack its end
	dashSpace      bool // -- is a comment only before white space
	conditional    bool // /*! … */ is text
	dollarStrings  bool // $$…$$
	dollarNames    bool // $name is a parameter
	dollarWords    bool // $name is a name
	digitNames     bool // 1st is a name
	atOperators    bool // @, <@ and @@ are operators
	questionOps    bool // ?, ?| and ?& are operators between operands
	stringAlias    bool // SELECT a 'x'
	typedStrings   bool // any type name before a string
	lambdaArrow    bool // x -> e is always a lambda, never a JSON path
	maybeLambda    bool // x -> e in an argument is a lambda unless a literal follows
	colonPath      bool // a:b.c
	namedInside    bool // expr AS name inside expressions
	fromFirst      bool
	pipes          bool
	trailingComma  bool
	unions         bool // UNION BY NAME, with trailing forms
	minus          bool // MINUS is a set operation
	dashNames      bool // my-project.set.table
	pathTables     bool // FROM 'file.csv'
	stages         bool // FROM @stage
	columnsStar    bool // COLUMNS(…)
	multiArgs      bool // f(x)(y)
	inTable        bool // x IN table
	clickhouse     bool
	delimiter      bool // DELIMITER lines
	batches        bool // GO lines
	angleTypes     bool // ARRAY<INT64>
	structs        bool // {'a': 1}
	methodCalls    bool // x.f()
	aliasFirst     bool // name: expr in a select list
}

func rulesOf(d sqltree.Dialect) rules {
	switch d {
	case sqltree.Postgres:
		return rules{nestedComments: true, dollarStrings: true, atOperators: true, questionOps: true, typedStrings: true}
	case sqltree.MySQL, sqltree.MariaDB:
		return rules{
			backslash: true, doubleString: true, hashComment: true, dashSpace: true, conditional: true, digitNames: true,
			stringAlias: true, dollarWords: true, delimiter: true, minus: d == sqltree.MariaDB,
		}
	case sqltree.SQLite:
		return rules{brackets: true, openComment: true, dollarNames: true, stringAlias: true, inTable: true}
	case sqltree.DuckDB:
		return rules{
			nestedComments: true, dollarStrings: true, dollarNames: true, typedStrings: true, maybeLambda: true, fromFirst: true,
			trailingComma: true, unions: true, pathTables: true, columnsStar: true, structs: true, methodCalls: true,
			aliasFirst: true, atOperators: true, questionOps: true,
		}
	case sqltree.Snowflake:
		return rules{
			backslash: true, slashComment: true, dollarStrings: true, dollarNames: true, typedStrings: true, lambdaArrow: true,
			colonPath: true, trailingComma: true, minus: true, stages: true, structs: true, unions: true,
		}
	case sqltree.BigQuery:
		return rules{
			backslash: true, doubleString: true, tripleString: true, hashComment: true, typedStrings: true, lambdaArrow: true,
			fromFirst: true, pipes: true, trailingComma: true, unions: true, dashNames: true, angleTypes: true,
		}
	case sqltree.ClickHouse:
		return rules{
			backslash: true, dollarStrings: true, lambdaArrow: true, namedInside: true, fromFirst: true, trailingComma: true,
			columnsStar: true, multiArgs: true, inTable: true, clickhouse: true,
		}
	}
	return rules{
		mixedBrackets: true, dollarStrings: true, dollarNames: true, atOperators: true, questionOps: true, typedStrings: true,
		maybeLambda: true, colonPath: true, fromFirst: true, unions: true, minus: true, columnsStar: true, batches: true,
		angleTypes: true, structs: true, pathTables: true, stages: true, delimiter: true,
	}
}
