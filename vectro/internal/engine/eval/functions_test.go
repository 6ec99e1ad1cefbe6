package eval

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/dates"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/vector"
)

// Arguments and results of the table below. An int is a whole number, a float64 a
// number, a string text, a bool a condition.
type (
	day   string    // a date in days
	ts    string    // in microseconds
	nano  string    // in nanoseconds
	huge  string    // a 128-bit whole number, in decimal digits
	miss  plan.Base // a missing value of that type
	fixed struct{ v any }
)

// lit is an argument that stays a literal, where the others are tried as columns too.
func lit(v any) fixed { return fixed{v} }

const (
	noInt   = miss(plan.Int)
	noFloat = miss(plan.Float)
	noText  = miss(plan.String)
	noBool  = miss(plan.Bool)
	noDate  = miss(plan.Date)
)

var (
	inf     = math.Inf(1)
	minInt  = math.MinInt64
	maxInt  = math.MaxInt64
	maxHuge = huge("170141183460469231731687303715884105727")
)

type functionCase struct {
	op   string
	args []any
	want any // nil: missing
}

func args(a ...any) []any { return a }

var functionCases = []functionCase{
	// Arithmetic.
	{"add", args(2, 3), 5}, {"add", args(2, 0.5), 2.5}, {"add", args(maxInt, 1), huge("9223372036854775808")}, {"add", args(noInt, 1), nil},
	{"add", args(inf, -inf), nil}, {"add", args(inf, 1.0), inf}, {"add", args("a", "ß"), "aß"}, {"add", args("a", noText), nil},
	{"add", args(huge("9223372036854775808"), 1), huge("9223372036854775809")}, {"add", args(maxHuge, 1), 170141183460469231731687303715884105728.0},
	{"sub", args(2, 3), -1}, {"sub", args(minInt, 1), huge("-9223372036854775809")}, {"sub", args(0.5, 2), -1.5}, {"sub", args(inf, inf), nil},
	{"sub", args(0, minInt), huge("9223372036854775808")}, {"sub", args(-1, minInt), maxInt},
	{"mul", args(-4, 5), -20}, {"mul", args(minInt, -1), huge("9223372036854775808")}, {"mul", args(3037000500, 3037000500), huge("9223372037000250000")}, {"mul", args(minInt, minInt), huge("85070591730234615865843651857942052864")},
	{"mul", args(3037000499, 3037000499), 9223372030926249001}, {"mul", args(0.0, inf), nil}, {"mul", args(1.5, 2), 3.0},
	{"div", args(7, 2), 3.5}, {"div", args(1, 0), inf}, {"div", args(-1, 0), -inf}, {"div", args(0, 0), nil}, {"div", args(6, 2), 3.0}, {"div", args(noInt, 2), nil},
	{"div", args(inf, inf), nil}, {"div", args(1.0, inf), 0.0},
	{"neg", args(5), -5}, {"neg", args(minInt), huge("9223372036854775808")}, {"neg", args(-0.5), 0.5}, {"neg", args(noFloat), nil}, {"neg", args(huge("-9223372036854775808")), huge("9223372036854775808")},
	{"mod", args(7, 3), 1}, {"mod", args(-7, 3), -1}, {"mod", args(7, -3), 1}, {"mod", args(7, 0), nil}, {"mod", args(minInt, -1), 0}, {"mod", args(huge("-100000000000000000001"), 10), huge("-1")}, {"mod", args(huge("9223372036854775808"), 0), nil}, {"mod", args(5.5, 2), 1.5},
	{"mod", args(-5.5, 2), -1.5}, {"mod", args(5.5, 0), nil}, {"mod", args(inf, 2.0), nil}, {"mod", args(2.0, inf), 2.0},
	{"quo", args(7, 2), 3}, {"quo", args(-7, 2), -3}, {"quo", args(7, 0), nil}, {"quo", args(minInt, -1), huge("9223372036854775808")}, {"quo", args(huge("-100000000000000000001"), 10), huge("-10000000000000000000")}, {"quo", args(huge("9223372036854775808"), 0), nil}, {"quo", args(7.9, 2), 3.0}, {"quo", args(-7.9, 2), -3.0}, {"quo", args(1.0, 0), nil}, {"quo", args(5, -1), -5},
	{"pow", args(2, lit(10)), 1024}, {"pow", args(2, 0.5), math.Sqrt2}, {"pow", args(10, lit(40)), 1e40}, {"pow", args(-8, 1.0/3), nil}, {"pow", args(0, -1), inf},
	{"pow", args(-3, lit(3)), -27}, {"pow", args(-3, lit(2)), 9}, {"pow", args(0, lit(0)), 1}, {"pow", args(2, lit(62)), 1 << 62}, {"pow", args(2, lit(63)), huge("9223372036854775808")}, {"pow", args(-3, lit(61)), huge("-127173474825648610542883299603")},
	// Mathematics.
	{"abs", args(-5), 5}, {"abs", args(minInt), huge("9223372036854775808")}, {"abs", args(-inf), inf}, {"abs", args(huge("-5")), huge("5")}, {"abs", args(noInt), nil},
	{"sign", args(-5), -1}, {"sign", args(0), 0}, {"sign", args(2.5), 1}, {"sign", args(-inf), -1}, {"sign", args(0.0), 0}, {"sign", args(noFloat), nil}, {"sgn", args(7), 1},
	{"floor", args(-2.5), -3.0}, {"floor", args(7), 7}, {"floor", args(inf), inf}, {"floor", args(huge("7")), huge("7")},
	{"ceil", args(-2.5), -2.0}, {"ceiling", args(2.1), 3.0}, {"ceil", args(7), 7},
	{"round", args(2.5), 3.0}, {"round", args(-2.5), -3.0}, {"round", args(7), 7}, {"round", args(2.345, 2), 2.35}, {"round", args(-2.345, 2), -2.35}, {"round", args(1.005, 2), 1.01}, {"round", args(2.675, 2), 2.68}, {"round", args(-1.005, 2), -1.01}, {"round", args(0.285, 2), 0.29}, {"round", args(1.255, lit(2)), 1.26}, {"round", args(1e-7, 2), 0.0}, {"round", args(0.05, 1), 0.1}, {"round", args(9.995, 2), 10.0}, {"round", args(0.1234567890123455, 15), 0.123456789012346}, {"round", args(150.5, -2), 200.0}, {"round", args(149.99999999999997, -2), 100.0}, {"trunc", args(0.29, 2), 0.29}, {"trunc", args(1.13, lit(2)), 1.13}, {"trunc", args(-0.57, 2), -0.57}, {"trunc", args(0.5799999999999999, 2), 0.57},
	{"round", args(1250.0, -2), 1300.0}, {"round", args(-1250.0, -2), -1300.0}, {"round", args(1250, lit(-2)), 1300}, {"round", args(-1250, lit(-2)), -1300}, {"round", args(1249, lit(-2)), 1200},
	{"round", args(maxInt, lit(-1)), huge("9223372036854775810")}, {"round", args(5, lit(-25)), huge("0")}, {"round", args(5, lit(minInt)), huge("0")}, {"round", args(huge("-15000000000000000000"), lit(-19)), huge("-20000000000000000000")}, {"round", args(9007199254740993, 0), huge("9007199254740993")}, {"round", args(huge("9223372036854775809"), lit(2)), huge("9223372036854775809")}, {"round", args(0.1, 400), 0.1}, {"round", args(inf, 2), inf}, {"round", args(noFloat, 2), nil}, {"round", args(1.5, noInt), nil},
	{"round", args(1234, -2), huge("1200")}, {"round", args(4, lit(-1)), 0}, {"round", args(5, lit(-1)), 10}, {"round", args(9, lit(3)), 9},
	{"trunc", args(2.9), 2.0}, {"trunc", args(-2.9), -2.0}, {"trunc", args(7), 7}, {"trunc", args(-1299, lit(-2)), -1200}, {"trunc", args(1.999, 2), 1.99}, {"trunc", args(1299.0, -2), 1200.0}, {"trunc", args(5, lit(-25)), huge("0")}, {"trunc", args(5, lit(minInt)), huge("0")}, {"trunc", args(maxInt, -1), huge("9223372036854775800")},
	{"sqrt", args(16), 4.0}, {"sqrt", args(-1), nil}, {"sqrt", args(inf), inf}, {"cbrt", args(-27), -3.0}, {"exp", args(0), 1.0}, {"exp", args(1000), inf},
	{"ln", args(math.E), 1.0}, {"ln", args(0), -inf}, {"ln", args(-1), nil}, {"log", args(1000), 3.0 - 4e-16}, {"log", args(8, 2), 3.0}, {"log", args(100, 10), 2.0}, {"log", args(9, 3), 2.0}, {"log", args(5, 1), nil}, {"log", args(5, -2), nil},
	{"log2", args(8), 3.0}, {"log10", args(0.01), -2.0},
	{"sin", args(0), 0.0}, {"cos", args(0), 1.0}, {"tan", args(0), 0.0}, {"sin", args(inf), nil}, {"asin", args(2), nil}, {"asin", args(1), math.Pi / 2}, {"acos", args(1), 0.0}, {"atan", args(inf), math.Pi / 2},
	{"atan2", args(1, 1), math.Pi / 4}, {"sinh", args(0), 0.0}, {"cosh", args(0), 1.0}, {"tanh", args(inf), 1.0}, {"degrees", args(math.Pi), 180.0}, {"radians", args(180), math.Pi},
	{"power", args(3, lit(2)), 9}, {"pi", nil, math.Pi}, {"e", nil, math.E},
	{"isFinite", args(1), true}, {"isFinite", args(-inf), false}, {"isFinite", args(noFloat), nil}, {"isFinite", args(maxHuge), true},
	{"least", args(3, 1, 2), 1}, {"least", args(3, noInt), nil}, {"least", args(3, 1.5), 1.5}, {"least", args("b", "a"), "a"}, {"least", args(day("2024-01-02"), day("2024-01-01")), day("2024-01-01")}, {"least", args(4), 4},
	{"least", args(day("2024-01-02"), ts("2024-01-01T10:00:00")), ts("2024-01-01T10:00:00")}, {"least", args(true, false), false},
	{"least", args(huge("5"), 7), huge("5")},
	{"greatest", args(3, 1, 2), 3}, {"greatest", args(noInt, 3), nil}, {"greatest", args("é", "z"), "é"}, {"greatest", args(-inf, 2.0), 2.0},
	{"sqlleast", args(3, noInt, 2), 2}, {"sqlleast", args(noInt, noInt), nil}, {"sqlleast", args(noText, "a"), "a"}, {"sqlgreatest", args(3, noInt, 2), 3}, {"sqlgreatest", args(noFloat, 2.5), 2.5}, {"sqlgreatest", args(2.5, noFloat), 2.5},
	{"clamp", args(15, 0, 10), 10}, {"clamp", args(-5, 0, 10), 0}, {"clamp", args(5.5, 0, 10), 5.5}, {"clamp", args(5, 10, 0), 0}, {"clamp", args(noInt, 0, 10), nil},
	{"bucket", args(17, lit(5)), 15}, {"bucket", args(-1, lit(5)), -5}, {"bucket", args(17, lit(5), lit(2)), 17}, {"bucket", args(16, lit(5), lit(2)), 12}, {"bucket", args(1.7, 0.5), 1.5}, {"bucket", args(5, noFloat), nil}, {"bucket", args(17, 5), huge("15")}, {"bucket", args(-1, 5, 2), huge("-3")}, {"bucket", args(17, 0), nil}, {"bucket", args(noInt, lit(5)), nil},
	{"bucket", args(minInt, lit(5)), huge("-9223372036854775810")},

	// Comparison.
	{"eq", args(2, 2), true}, {"eq", args(2, 2.0), true}, {"eq", args(2, 2.5), false}, {"eq", args(noInt, 2), nil}, {"eq", args(noInt, noInt), nil}, {"eq", args(maxInt, 9223372036854775808.0), false}, {"eq", args(9007199254740993, 9007199254740992.0), false},
	{"eq", args(9007199254740992.0, 9007199254740993), false}, {"eq", args("a", "a"), true}, {"eq", args("a", "A"), false}, {"eq", args("\u00e9", "e\u0301"), false}, {"eq", args(true, false), false}, {"eq", args(true, lit("true")), true},
	{"eq", args("1234", lit(1234)), true}, {"eq", args("1.5", lit(1.5)), true}, {"eq", args("01234", lit(1234)), false},
	{"eq", args(day("2024-03-15"), lit("2024-03-15")), true}, {"eq", args(day("2024-03-15"), lit("2024-03")), true}, {"eq", args(day("2024-04-01"), lit("2024-03")), false}, {"eq", args(day("2024-12-31"), lit("2024")), true}, {"eq", args(ts("2024-03-31T23:59:59.999999"), lit("2024-03")), true},
	{"eq", args(ts("2024-04-01T00:00:00"), lit("2024-03")), false}, {"eq", args(ts("2024-03-15T00:00:00"), lit("2024-03-15")), true}, {"eq", args(ts("2024-03-15T00:00:01"), lit("2024-03-15")), false}, {"eq", args(day("2024-03-15"), lit("2024-03-15T12:00:00")), false},
	{"eq", args(noDate, lit("2024")), nil}, {"eq", args(day("2024-03-15"), ts("2024-03-15T00:00:00")), true}, {"eq", args(nano("2024-03-15T00:00:00.000000001"), lit("2024-03-15")), false}, {"eq", args(nano("2024-12-31T23:59:59.999999999"), lit("2024")), true},
	{"eq", args(maxHuge, maxHuge), true}, {"eq", args(huge("5"), 5), true}, {"eq", args(huge("5"), 5.0), true}, {"eq", args(huge("18446744073709551617"), 18446744073709551616.0), false},
	{"ne", args(2, 3), true}, {"ne", args(noText, "a"), nil}, {"ne", args(day("2024-03-15"), lit("2024-03")), false}, {"ne", args(day("2025-03-15"), lit("2024")), true}, {"ne", args("b", lit("a")), true}, {"ne", args("b", lit("b")), false}, {"ne", args(inf, -inf), true},
	{"lt", args(2, 3), true}, {"lt", args(-inf, minInt), true}, {"lt", args(minInt, -inf), false}, {"lt", args(maxInt, inf), true}, {"lt", args("a", "b"), true}, {"lt", args("Z", "a"), true}, {"lt", args("\U00010000", "\uffff"), false}, {"lt", args(3, lit(2.5)), false}, {"lt", args(2, lit(2.5)), true}, {"lt", args(-3, lit(-2.5)), true}, {"lt", args(-2, lit(-2.5)), false},
	{"lt", args(day("2024-02-29"), lit("2024-03")), true}, {"lt", args(day("2024-03-01"), lit("2024-03")), false}, {"lt", args(noDate, lit("2024-03")), nil}, {"lt", args(false, true), true}, {"lt", args(huge("-9223372036854775809"), minInt), true},
	{"le", args(3, 3), true}, {"le", args(day("2024-03-31"), lit("2024-03")), true}, {"le", args(day("2024-04-01"), lit("2024-03")), false}, {"le", args(3, lit(2.5)), false}, {"le", args(2, lit(1e300)), true}, {"le", args(9007199254740993, 9007199254740992.0), false},
	{"gt", args(3, 2), true}, {"gt", args(day("2024-03-31"), lit("2024-03")), false}, {"gt", args(day("2024-04-01"), lit("2024-03")), true}, {"gt", args(3, lit(2.5)), true}, {"gt", args(-2, lit(-2.5)), true}, {"gt", args("a", lit("B")), true}, {"gt", args(1e300, huge("1")), true},
	{"ge", args(2, 2), true}, {"ge", args(day("2024-03-01"), lit("2024-03")), true}, {"ge", args(day("2024-02-29"), lit("2024-03")), false}, {"ge", args(2, lit(2.5)), false}, {"ge", args(huge("-1"), -1.5), true},
	{"distinct", args(1, 2), true}, {"distinct", args(1, noInt), true}, {"distinct", args(noInt, noInt), false}, {"distinct", args("a", "a"), false}, {"distinct", args(day("2024-03-15"), lit("2024-03")), false}, {"distinct", args(noDate, lit("2024-03")), true},
	{"notdistinct", args(1, 1), true}, {"notdistinct", args(noText, "a"), false}, {"notdistinct", args(noText, noText), true}, {"notdistinct", args(day("2024-03-15"), lit("2024-03")), true}, {"notdistinct", args(noDate, lit("2024-03")), false},
	{"between", args(5, 1, 10), true}, {"between", args(5, 6, 10), false}, {"between", args(noInt, 6, 10), nil}, {"between", args(5, noInt, 4), false}, {"between", args(5, noInt, 6), nil}, {"between", args(5, 10, 1), false}, {"between", args(5, lit(4.5), lit(5.5)), true}, {"between", args("m", "a", "z"), true},
	{"between", args(day("2024-03-31"), lit("2024-01"), lit("2024-03")), true}, {"between", args(day("2024-04-01"), lit("2024-01"), lit("2024-03")), false}, {"between", args(day("2024-03-31"), lit("2024-01-01T12:00:00"), lit("2024")), true}, {"between", args(day("2024-01-01"), lit("2024-01-01T12:00:00"), lit("2024")), false},
	{"between", args(day("2024-01-02"), day("2024-01-01"), ts("2024-01-02T00:00:00")), true},
	{"in", args(2, lit(1), lit(2)), true}, {"in", args(3, lit(1), lit(2)), false}, {"in", args(noInt, lit(1), lit(2)), nil}, {"in", args(2, lit(2.5), lit(2.0)), true}, {"in", args(2, lit(1), lit(nil)), nil}, {"in", args(1, lit(1), lit(nil)), true},
	{"in", args("b", lit("a"), lit("b")), true}, {"in", args("c", lit("a"), lit("b")), false}, {"in", args("5", lit(5), lit(6)), true}, {"in", args(2.5, lit(2.5), lit(7)), true}, {"in", args(7.0, lit(2.5), lit(7)), true}, {"in", args(true, lit(true), lit(false)), true},
	{"in", args(day("2024-03-09"), lit("2024-03"), lit("2022-01-01"), lit("2022-01-02")), true}, {"in", args(day("2022-01-02"), lit("2024-03"), lit("2022-01-01"), lit("2022-01-02")), true}, {"in", args(day("2022-01-03"), lit("2024-03"), lit("2022-01-01"), lit("2022-01-02")), false},
	{"in", args(day("2023-06-01"), lit("2024"), lit("2023")), true}, {"in", args(noDate, lit("2024"), lit("2023")), nil}, {"in", args(5, 4, 5), true}, {"in", args(5, 4, lit(6.5)), false}, {"in", args(5, 4, noInt), nil}, {"in", args(5, 5, noInt), true}, {"in", args(day("2024-03-05"), ts("2024-03-05T00:00:00"), lit("2023")), true}, {"in", args(day("2024-03-05"), lit("2024-03-05T10:00:00"), lit("2024-03-05")), true}, {"in", args(9, lit(1), lit(2), lit(3), lit(4), lit(5), lit(6), lit(7), lit(8), lit(9), lit(10)), true}, {"in", args(11, lit(1), lit(2), lit(3), lit(4), lit(5), lit(6), lit(7), lit(8), lit(9), lit(10)), false},
	{"in", args(9.5, lit(1.5), lit(2.5), lit(3.5), lit(4.5), lit(5.5), lit(6.5), lit(7.5), lit(8.5), lit(9.5), lit(10.5)), true},
	{"in", args("i", lit("a"), lit("b"), lit("c"), lit("d"), lit("e"), lit("f"), lit("g"), lit("h"), lit("i"), lit("j")), true}, {"in", args(huge("5"), lit(5), lit(7)), true}, {"in", args(huge("6"), lit(5), lit(7.5)), false},

	// Logic.
	{"and", args(true, true), true}, {"and", args(true, false), false}, {"and", args(false, noBool), false}, {"and", args(noBool, false), false}, {"and", args(true, noBool), nil}, {"and", args(noBool, noBool), nil},
	{"or", args(false, false), false}, {"or", args(true, noBool), true}, {"or", args(noBool, true), true}, {"or", args(false, noBool), nil}, {"not", args(true), false}, {"not", args(noBool), nil},
	{"isnull", args(1), false}, {"isnull", args(noText), true}, {"notnull", args(noDate), false}, {"notnull", args("a"), true}, {"isMissing", args(noFloat), true}, {"isMissing", args("x"), false},

	// Choice.
	{"if", args(true, 1, 2), 1}, {"if", args(false, 1, 2), 2}, {"if", args(noBool, 1, 2), 2}, {"if", args(true, 1, 2.5), 1.0}, {"if", args(true, "a", lit(nil)), "a"}, {"if", args(false, "a", lit(nil)), nil}, {"if", args(true, lit("yes"), lit("no")), "yes"}, {"if", args(noBool, lit("yes"), lit("no")), "no"},
	{"if", args(true, day("2024-01-01"), ts("2024-01-01T01:00:00")), ts("2024-01-01T00:00:00")}, {"if", args(true, day("2024-01-01"), lit("2024-02")), day("2024-01-01")}, {"if", args(true, noInt, 5), nil}, {"if", args(false, maxHuge, 5), huge("5")}, {"if", args(true, maxHuge, 5), maxHuge}, {"if", args(true, false, true), false},
	{"case", args(false, 1, true, 2, 3), 2}, {"case", args(false, 1, noBool, 2, 3), 3}, {"case", args(false, 1, false, 2), nil}, {"case", args(false, lit("a"), true, lit("b"), lit("c")), "b"}, {"case", args(false, lit("a"), false, lit("b")), nil},
	{"coalesce", args(noInt, 2, 3), 2}, {"coalesce", args(1, 2), 1}, {"coalesce", args(noInt, noInt), nil}, {"coalesce", args(noText, "x"), "x"}, {"coalesce", args(noDate, lit("2024-02-03")), day("2024-02-03")}, {"coalesce", args(noBool, false), false}, {"coalesce", args(noInt, huge("7")), huge("7")}, {"coalesce", args(noInt, 1.5), 1.5},
	{"ifMissing", args(noFloat, 2.5), 2.5}, {"ifnull", args("a", "b"), "a"}, {"nullIf", args(2, 2), nil}, {"nullIf", args(2, 3), 2}, {"nullIf", args(noInt, 3), nil}, {"nullIf", args(2, noInt), 2}, {"nullIf", args("a", "a"), nil}, {"nullIf", args("a", lit("b")), "a"}, {"nullIf", args(day("2024-03-01"), lit("2024-03")), nil}, {"nullIf", args(day("2024-03-05"), lit("2024-03")), day("2024-03-05")}, {"nullIf", args(day("2024-03-05"), lit("2024-03-05T10:00:00")), day("2024-03-05")}, {"nullIf", args(ts("2024-03-05T00:00:00"), day("2024-03-05")), nil}, {"nullIf", args(2, 2.0), nil},

	// Conversion.
	{"toNumber", args("12.5"), 12.5}, {"toNumber", args(" -1e3 "), -1000.0}, {"toNumber", args("abc"), nil}, {"toNumber", args("inf"), nil}, {"toNumber", args("0x10"), nil}, {"toNumber", args("1_0"), nil}, {"toNumber", args(""), nil}, {"toNumber", args("1e999"), inf}, {"toNumber", args(7), 7}, {"toNumber", args(true), 1}, {"toNumber", args(noBool), nil}, {"toNumber", args(noText), nil},
	{"toText", args(5), "5"}, {"toText", args(minInt), "-9223372036854775808"}, {"toText", args(2.50), "2.5"}, {"toText", args(3.0), "3"}, {"toText", args(math.Nextafter(0.3, 1)), "0.30000000000000004"}, {"toText", args(math.Copysign(0, -1)), "0"}, {"toText", args(1e21), "1e+21"}, {"toText", args(1e20), "100000000000000000000"}, {"toText", args(1e-7), "1e-7"}, {"toText", args(inf), "Infinity"}, {"toText", args(-inf), "-Infinity"},
	{"toText", args(5e-324), "5e-324"}, {"toText", args(true), "true"}, {"toText", args(false), "false"}, {"toText", args(day("2024-02-03")), "2024-02-03"}, {"toText", args(ts("2024-02-03T10:00:00.5")), "2024-02-03T10:00:00.500"}, {"toText", args(nano("2024-02-03T10:00:00.000000001")), "2024-02-03T10:00:00.000000001"}, {"toText", args(maxHuge), string(maxHuge)}, {"toText", args(huge("-9223372036854775809")), "-9223372036854775809"}, {"toText", args("a"), "a"}, {"toText", args(noInt), nil},
	{"toBool", args("true"), true}, {"toBool", args(" F "), false}, {"toBool", args("yes"), true}, {"toBool", args("maybe"), nil}, {"toBool", args(0), false}, {"toBool", args(0.5), true}, {"toBool", args(true), true}, {"toBool", args(noInt), nil},
	{"toInt", args(2.5), 2}, {"toInt", args(3.5), 4}, {"toInt", args(-2.5), -2}, {"toInt", args("42"), 42}, {"toInt", args("4x"), nil}, {"toInt", args(1e300), nil}, {"toInt", args(9223372036854775808.0), nil}, {"toInt", args(-9223372036854775808.0), minInt}, {"toInt", args(huge("5")), 5}, {"toInt", args(maxHuge), nil}, {"toInt", args(true), 1}, {"toInt", args(7), 7}, {"toInt", args(-inf), nil},
	{"finite", args(2.5), 2.5}, {"finite", args(inf), nil}, {"finite", args(-inf), nil}, {"finite", args(noFloat), nil}, {"toFloat", args(7), 7.0}, {"toFloat", args("2.5"), 2.5}, {"toFloat", args(maxHuge), 170141183460469231731687303715884105728.0}, {"toFloat", args(true), 1.0},
	{"toDate", args("2024-02-03T10:00:00"), day("2024-02-03")}, {"toDate", args(ts("2024-02-03T10:00:00")), day("2024-02-03")}, {"toDate", args("x"), nil}, {"toDate", args(ts("1969-12-31T23:00:00")), day("1969-12-31")},
	{"toTimestamp", args("2024-02-03T10:00:00"), ts("2024-02-03T10:00:00")}, {"toTimestamp", args(day("2024-02-03")), ts("2024-02-03T00:00:00")}, {"toTimestamp", args(nano("2024-02-03T00:00:00.000000001")), nano("2024-02-03T00:00:00.000000001")},

	// Text.
	{"lower", args("ÄB"), "äb"}, {"upper", args("äß"), "Äß"}, {"lower", args(noText), nil}, {"trim", args(" \t a b \n"), "a b"}, {"trim", args("xxaxx", "x"), "a"}, {"ltrim", args("  a "), "a "}, {"rtrim", args("  a "), "  a"}, {"rtrim", args("añé", "éñ"), "a"}, {"btrim", args("yxay", "xy"), "a"},
	{"length", args("héllo"), 5}, {"length", args(""), 0}, {"length", args("日本\U0001F600"), 3}, {"char_length", args("ab"), 2},
	{"left", args("héllo", 2), "hé"}, {"left", args("héllo", -2), "hél"}, {"left", args("ab", 99), "ab"}, {"left", args("ab", -99), ""}, {"left", args("ab", 0), ""}, {"left", args("ab", minInt), ""}, {"left", args("ab", 1.9), "a"}, {"right", args("héllo", 4), "éllo"}, {"right", args("héllo", -2), "llo"}, {"right", args("ab", maxInt), "ab"}, {"right", args("ab", minInt), ""}, {"right", args("ab", 0), ""}, {"left", args("ab", noInt), nil},
	{"substr", args("héllo", 2, 3), "éll"}, {"substr", args("héllo", 2), "éllo"}, {"substr", args("abc", 0, 2), "a"}, {"substr", args("abc", -5, 2), ""}, {"substr", args("abc", 9, 2), ""}, {"substr", args("abc", 2, -1), ""}, {"substr", args("abc", minInt, maxInt), ""}, {"substr", args("abc", 1, maxInt), "abc"}, {"substr", args("abc", maxInt), ""}, {"substring", args("abc", 2, 1), "b"},
	{"contains", args("abc", "bc"), true}, {"contains", args("abc", ""), true}, {"contains", args("abc", "BC"), false}, {"startsWith", args("abc", "ab"), true}, {"starts_with", args("abc", "b"), false}, {"endsWith", args("abc", "bc"), true}, {"endsWith", args(noText, "bc"), nil},
	{"indexOf", args("héllo", "l"), 3}, {"indexOf", args("abc", "x"), 0}, {"indexOf", args("abc", ""), 1}, {"position", args("abc", "c"), 3}, {"strpos", args("日本", "本"), 2},
	{"replace", args("aXbX", "X", "--"), "a--b--"}, {"replace", args("abc", "", "x"), "abc"}, {"replace", args("aaa", "aa", "b"), "ba"}, {"replace", args("abc", "b", noText), nil}, {"replace", args(strings.Repeat("a", 2000), "a", strings.Repeat("b", 2000)), nil},
	{"concat", args("a", "b", "c"), "abc"}, {"concat", args("a", 1, 2.5, true, day("2024-01-01")), "a12.5true2024-01-01"}, {"concat", args("a", noText), nil}, {"concat", args(5), "5"}, {"concat", args(strings.Repeat("x", MaxText), "y"), nil}, {"concat", args("", ""), ""},
	{"sqlconcat", args("a", noText, "b"), "ab"}, {"sqlconcat", args(noText, noInt), ""}, {"sqlconcat", args("a", 1), "a1"}, {"sqlconcat", args(strings.Repeat("x", MaxText), noText, "y"), nil},
	{"padLeft", args("é", 3, "xy"), "xyé"}, {"padLeft", args("abc", 2), "abc"}, {"padLeft", args("7", 3, "0"), "007"}, {"padLeft", args("a", 3, ""), "a"}, {"padLeft", args("a", 20000), nil}, {"padRight", args("é", 4, "xy"), "éxyx"}, {"padRight", args("a", 3), "a  "}, {"lpad", args("abc", 2), "ab"}, {"lpad", args("a", 3, "xy"), "xya"}, {"rpad", args("abc", 2, "x"), "ab"}, {"rpad", args("abc", -1), ""},
	{"split", args("a,b,c", ",", 2), "b"}, {"split", args("a,b,c", ",", -1), "c"}, {"split", args("a,b,c", ",", 4), nil}, {"split", args("a,b,c", ",", -4), nil}, {"split", args("abc", "", 1), "abc"}, {"split", args("abc", "", 2), nil}, {"split", args("a,,c", ",", 2), ""}, {"split_part", args("a,b", ",", 3), ""}, {"split_part", args("a--b", "--", 2), "b"}, {"split_part", args("a", ",", -2), ""},
	{"split", args("a", ",", minInt), nil}, {"split", args("a", ",", maxInt), nil},
	{"matches", args("abc", "b."), true}, {"matches", args("abc", "^b"), false}, {"matches", args("abc", lit("^a.c$")), true}, {"matches", args("abc", noText), nil}, {"matches", args("ABC", lit("(?i)abc")), true}, {"regexp_like", args("abc", lit("c$")), true},
	{"extract", args("a1b22", lit(`\d+`)), "1"}, {"extract", args("a1b22", lit(`b(\d)`)), "2"}, {"extract", args("k=v", lit(`(\w)=(\w)`), 2), "v"}, {"extract", args("k=v", lit(`(\w)=(\w)`), 0), "k=v"}, {"extract", args("abc", lit(`\d`)), nil}, {"extract", args("b", lit(`(a)?b`)), nil}, {"extract", args("abc", "b", 5), nil}, {"extract", args(lit("year"), day("2024-05-06")), 2024},
	{"regexp_replace", args("a1b2", lit(`\d`), "#"), "a#b2"}, {"regexp_replace", args("a1b2", lit(`\d`), "#", lit("g")), "a#b#"}, {"regexp_replace", args("John Smith", lit(`(\w+) (\w+)`), `\2 \1`), "Smith John"}, {"regexp_replace", args("aAa", "A", "x", lit("gi")), "xxx"}, {"regexp_replace", args("a", lit("a"), `[\&\\\0]`), `[a\a]`}, {"regexp_replace", args(strings.Repeat("a", 2000), lit("a"), strings.Repeat("b", 2000), lit("g")), nil}, {"regexp_replace", args("aAa", lit("A"), "x", lit("i")), "xAa"},
	{"reverse", args("héllo"), "olléh"}, {"initcap", args("hELLO wörld-of o'neil 2nd"), "Hello Wörld-Of O'Neil 2nd"}, {"initcap", args("élan"), "Élan"}, {"repeat", args("ab", 3), "ababab"}, {"repeat", args("ab", -1), ""}, {"repeat", args("ab", maxInt), nil}, {"repeat", args("", maxInt), ""},
	{"concat_ws", args(",", "a", noText, "b"), "a,b"}, {"concat_ws", args(noText, "a", "b"), nil}, {"concat_ws", args("-", 1, true), "1-true"}, {"concat_ws", args("-", noText), ""}, {"concat_ws", args("-", noText, "", "x"), "-x"},
	{"like", args("hello", "h%o"), true}, {"like", args("hello", "h_llo"), true}, {"like", args("hello", "H%"), false}, {"like", args("hello", lit("%ell%")), true}, {"like", args("hello", lit("%l%l%l%")), false}, {"like", args("50%", lit(`50\%`)), true}, {"like", args("50x", lit(`50\%`)), false}, {"like", args("50%", lit("50!%"), lit("!")), true}, {"like", args("héllo", lit("h_llo")), true}, {"like", args("", lit("%")), true}, {"like", args("", lit("_")), false}, {"like", args("abcabc", lit("%_bc")), true}, {"like", args("a\nb", lit("a_b")), true}, {"like", args(`a\`, lit(`a\`)), true},
	{"like", args(`a\b`, lit(`a\b`), lit("")), true}, {"like", args("aXbYc", lit("a_b%c")), true}, {"like", args("ab", lit("a%b%b")), false}, {"like", args("xaby", lit("%a_%")), true}, {"like", args(noText, lit("%")), nil}, {"like", args("aa", lit("%a_")), true}, {"like", args("a", lit("%a_")), false},
	{"ilike", args("HELLO", "h%O"), true}, {"ilike", args("ÉA", lit("é_")), true}, {"similar", args("abc", lit("(a|x)b_")), true}, {"similar", args("abc", lit("ab")), false}, {"similar", args("a.c", lit("a.c")), true}, {"similar", args("abc", lit("a.c")), false}, {"similar", args("abcd", "ab%"), true}, {"similar", args("a%", lit("a!%"), lit("!")), true}, {"similar", args("b", lit("[ab]")), true},

	// Dates.
	{"date", args("2024-02-29"), ts("2024-02-29T00:00:00")}, {"date", args(lit("2024-02-29")), day("2024-02-29")}, {"date", args("2023-02-29"), nil}, {"date", args("2024-02"), ts("2024-02-01T00:00:00")}, {"date", args(ts("2024-02-03T10:00:00")), day("2024-02-03")}, {"date", args(noText), nil},
	{"year", args(day("2024-02-03")), 2024}, {"year", args(lit("2024-02-03")), 2024}, {"year", args(ts("1969-12-31T23:59:59")), 1969}, {"year", args(noDate), nil}, {"year", args(day("0001-01-01")), 1}, {"year", args(day("9999-12-31")), 9999},
	{"quarter", args(day("2024-03-31")), 1}, {"quarter", args(day("2024-04-01")), 2}, {"quarter", args(day("2024-12-31")), 4}, {"month", args(day("2024-02-03")), 2}, {"day", args(day("2024-02-29")), 29}, {"dayofmonth", args(day("2024-02-29")), 29},
	{"weekday", args(day("2024-01-01")), 1}, {"weekday", args(day("2023-12-31")), 7}, {"weekday", args(day("1969-12-28")), 7}, {"isodow", args(day("2024-01-02")), 2}, {"dow", args(day("2023-12-31")), 0}, {"dow", args(day("2024-01-01")), 1},
	{"hour", args(ts("2024-01-01T23:59:59")), 23}, {"hour", args(day("2024-01-01")), 0}, {"hour", args(ts("1969-12-31T23:00:00")), 23}, {"minute", args(ts("2024-01-01T23:59:58")), 59}, {"second", args(ts("2024-01-01T23:59:58.999")), 58}, {"second", args(nano("2024-01-01T00:00:07.000000001")), 7},
	{"week", args(day("2024-01-01")), 1}, {"week", args(day("2023-01-01")), 52}, {"week", args(day("2020-12-31")), 53}, {"weekofyear", args(day("2021-01-03")), 53}, {"isoyear", args(day("2021-01-03")), 2020}, {"isoyear", args(day("2024-12-30")), 2025}, {"dayOfYear", args(day("2024-12-31")), 366}, {"dayOfYear", args(day("2023-03-01")), 60},
	{"decade", args(day("1999-01-01")), 199}, {"century", args(day("2000-12-31")), 20}, {"century", args(day("2001-01-01")), 21}, {"millennium", args(day("2000-12-31")), 2}, {"millennium", args(day("2001-01-01")), 3}, {"milliseconds", args(ts("2024-01-01T00:00:28.5")), 28500}, {"microseconds", args(ts("2024-01-01T00:00:28.5")), 28500000}, {"microseconds", args(nano("2024-01-01T00:00:28.500000999")), 28500000},
	{"epoch", args(ts("1970-01-02T00:00:00.5")), 86400.5}, {"epoch", args(day("1969-12-31")), -86400.0}, {"secondfraction", args(ts("2024-01-01T00:01:02.25")), 2.25}, {"secondfraction", args(day("2024-01-01")), 0.0},
	{"date_part", args(lit("dow"), day("2023-12-31")), 0}, {"date_part", args(lit("seconds"), ts("2024-01-01T00:01:02.25")), 2.25}, {"date_part", args(lit("MONTH"), day("2023-12-31")), 12},
	{"yearMonth", args(day("2024-03-31")), "2024-03"}, {"yearMonth", args(ts("0999-12-31T10:00:00")), "0999-12"}, {"yearMonth", args(noDate), nil},
	{"trunc", args(day("2024-05-17"), lit("month")), day("2024-05-01")}, {"trunc", args(day("2024-05-17"), lit("year")), day("2024-01-01")}, {"trunc", args(day("2024-05-17"), lit("quarter")), day("2024-04-01")}, {"trunc", args(day("2024-05-17"), lit("weeks")), day("2024-05-13")}, {"trunc", args(day("2024-05-17"), lit("hour")), day("2024-05-17")}, {"trunc", args(lit("2024-05-17"), lit("month")), day("2024-05-01")},
	{"trunc", args(ts("2024-05-17T10:11:12.345"), lit("day")), day("2024-05-17")}, {"trunc", args(ts("2024-05-17T10:11:12.345"), lit("hour")), ts("2024-05-17T10:00:00")}, {"trunc", args(ts("2024-05-17T10:11:12.345"), lit("minute")), ts("2024-05-17T10:11:00")}, {"trunc", args(ts("2024-05-17T10:11:12.345678"), lit("millisecond")), ts("2024-05-17T10:11:12.345")}, {"trunc", args(ts("1969-12-31T23:59:59.5"), lit("second")), ts("1969-12-31T23:59:59")}, {"date_trunc", args(lit("month"), ts("2024-05-17T10:11:12")), day("2024-05-01")},
	{"datetrunc", args(noDate, lit("month")), nil},
	{"addDays", args(day("2024-02-28"), 2), day("2024-03-01")}, {"addDays", args(day("2024-02-28"), -60), day("2023-12-30")}, {"addDays", args(ts("2024-02-28T10:00:00"), 1), ts("2024-02-29T10:00:00")}, {"addDays", args(day("9999-12-31"), 1), nil}, {"addDays", args(day("0001-01-01"), -1), nil}, {"addDays", args(day("2024-01-01"), minInt), nil}, {"addDays", args(day("2024-01-01"), 1.9), day("2024-01-02")}, {"addDays", args(day("2024-01-01"), noInt), nil},
	{"addMonths", args(day("2024-01-31"), 1), day("2024-02-29")}, {"addMonths", args(day("2024-03-31"), -1), day("2024-02-29")}, {"addMonths", args(day("2023-11-30"), 3), day("2024-02-29")}, {"addMonths", args(ts("2024-01-31T10:00:00"), 13), ts("2025-02-28T10:00:00")}, {"addMonths", args(day("9999-12-31"), 1), nil}, {"addMonths", args(day("2024-01-01"), maxInt), nil}, {"addMonths", args(nano("2200-01-31T00:00:00.000000001"), 1200), nil},
	{"addMicros", args(day("2024-01-01"), 3600000000), ts("2024-01-01T01:00:00")}, {"addMicros", args(ts("2024-01-01T00:00:00"), -1), ts("2023-12-31T23:59:59.999999")}, {"addMicros", args(nano("2024-01-01T00:00:00.000000001"), 1), nano("2024-01-01T00:00:00.000001001")}, {"addMicros", args(ts("9999-12-31T23:59:59.999999"), 1), nil}, {"addMicros", args(ts("2024-01-01T00:00:00"), maxInt), nil},
	{"diff", args(day("2024-03-01"), day("2024-02-28"), lit("days")), 2}, {"diff", args(day("2024-02-28"), day("2024-03-01"), lit("day")), -2}, {"diff", args(day("2024-03-31"), day("2024-02-29"), lit("months")), 1}, {"diff", args(day("2024-03-28"), day("2024-02-29"), lit("months")), 0}, {"diff", args(day("2024-02-29"), day("2024-03-28"), lit("months")), 0}, {"diff", args(day("2024-02-28"), day("2023-02-28"), lit("years")), 1}, {"diff", args(day("2024-02-27"), day("2023-02-28"), lit("years")), 0},
	{"diff", args(ts("2024-01-02T00:00:00"), ts("2024-01-01T00:00:00.5"), lit("seconds")), 86399}, {"diff", args(ts("2024-01-01T00:00:00.5"), ts("2024-01-02T00:00:00"), lit("seconds")), -86399}, {"diff", args(ts("2024-01-02T00:00:00"), day("2024-01-01"), lit("hours")), 24}, {"diff", args(day("2024-01-15"), day("2024-01-01"), lit("weeks")), 2}, {"diff", args(day("2024-07-01"), day("2024-01-01"), lit("quarters")), 2}, {"diff", args(day("9999-12-31"), day("0001-01-01"), lit("microseconds")), 315537811200000000}, {"diff", args(ts("2024-02-01T00:00:00"), ts("2024-01-01T00:00:01"), lit("months")), 0}, {"diff", args(nano("2024-01-01T00:00:00.000000999"), nano("2024-01-01T00:00:00"), lit("microseconds")), 0}, {"diff", args(nano("2024-01-01T00:00:00"), nano("2024-01-02T00:00:00.000000001"), lit("days")), -1},
	{"diff", args(noDate, day("2024-01-01"), lit("days")), nil}, {"diff", args(day("2024-01-15"), lit("2024-01-01"), lit("days")), 14}, {"diff", args(ts("2024-01-01T00:01:00"), ts("2024-01-01T00:00:00"), lit("milliseconds")), 60000}, {"diff", args(ts("2024-01-01T00:01:59"), ts("2024-01-01T00:00:00"), lit("minutes")), 1},
	{"make_date", args(2024, 2, 29), day("2024-02-29")}, {"make_date", args(2023, 2, 29), nil}, {"make_date", args(2024, maxInt, 1), nil}, {"make_date", args(0, 1, 1), nil}, {"make_date", args(2024, 1, noInt), nil},
	{"to_date", args("05.03.2024", lit("DD.MM.YYYY")), day("2024-03-05")}, {"to_date", args("5 mar 24", lit("DD Mon YY")), day("2024-03-05")}, {"to_date", args("March  5, 1999", lit("Month DD, YYYY")), day("1999-03-05")}, {"to_date", args("2024-366", lit("YYYY-DDD")), day("2024-12-31")}, {"to_date", args("2023-366", lit("YYYY-DDD")), nil}, {"to_date", args("31.02.2024", lit("DD.MM.YYYY")), nil}, {"to_date", args("05.03.2024x", lit("DD.MM.YYYY")), nil}, {"to_date", args("20240305", lit("YYYYMMDD")), day("2024-03-05")}, {"to_date", args("2024", lit("YYYY")), day("2024-01-01")}, {"to_date", args(noText, lit("YYYY")), nil},
	{"to_timestamp", args("2024-03-05 02:07:09.5 pm", lit("YYYY-MM-DD HH12:MI:SS.MS AM")), ts("2024-03-05T14:07:09.5")}, {"to_timestamp", args("2024-03-05 24:00", lit("YYYY-MM-DD HH24:MI")), nil}, {"to_timestamp", args("2024-03-05T12:00", lit("YYYY-MM-DDTHH24:MI")), ts("2024-03-05T12:00:00")}, {"to_timestamp", args("13", lit("HH12")), nil}, {"to_timestamp", args(86400.5), ts("1970-01-02T00:00:00.5")}, {"to_timestamp", args(-1), ts("1969-12-31T23:59:59")}, {"to_timestamp", args(1e300), nil}, {"to_timestamp", args(inf), nil}, {"to_timestamp", args(1e12), nil},
	{"to_char", args(day("2024-03-05"), lit("YYYY-MM-DD")), "2024-03-05"}, {"to_char", args(ts("2024-03-05T14:07:09.123456"), lit("HH24:MI:SS.US HH12 AM")), "14:07:09.123456 02 PM"}, {"to_char", args(day("2024-03-05"), lit("FMMonth FMDD, YYYY")), "March 5, 2024"}, {"to_char", args(day("2024-03-05"), lit("Mon-YY Dy Q DDD IW")), "Mar-24 Tue 1 065 10"}, {"to_char", args(day("2024-03-05"), lit(`"Week" IW MONTH|`)), "Week 10 MARCH    |"}, {"to_char", args(noDate, lit("YYYY")), nil}, {"to_char", args(ts("2024-03-05T00:07:09"), lit("hh:mi pm")), "12:07 am"},
}

// value turns a Go value of the table into a value and its type.
func value(t testing.TB, v any) (plan.Value, plan.Type) {
	t.Helper()
	date := func(s string, u col.Unit) (plan.Value, plan.Type) {
		m, ok := dates.ParseISO(s)
		if !ok {
			t.Fatalf("bad date %q", s)
		}
		return plan.Value{Base: plan.Date, I: m.In(u)}, plan.Type{Base: plan.Date, Unit: u}
	}
	switch x := v.(type) {
	case nil:
		return plan.Value{}, plan.Type{}
	case int:
		return plan.Value{Base: plan.Int, I: int64(x)}, plan.Type{Base: plan.Int}
	case float64:
		return plan.Value{Base: plan.Float, F: x}, plan.Type{Base: plan.Float}
	case string:
		return plan.Value{Base: plan.String, S: x}, plan.Type{Base: plan.String}
	case bool:
		b := plan.Value{Base: plan.Bool}
		if x {
			b.I = 1
		}
		return b, plan.Type{Base: plan.Bool}
	case day:
		return date(string(x), col.Day)
	case ts:
		return date(string(x), col.Micro)
	case nano:
		return date(string(x), col.Nano)
	case huge:
		n, _ := new(big.Int).SetString(string(x), 10)
		return hugeValue(n), plan.Type{Base: plan.Huge}
	case miss:
		return plan.Value{}, plan.Type{Base: plan.Base(x)}
	}
	t.Fatalf("value of type %T", v)
	panic("unreachable")
}

func hugeValue(n *big.Int) plan.Value {
	low := new(big.Int).And(n, new(big.Int).SetUint64(math.MaxUint64))
	return plan.Value{Base: plan.Huge, I: int64(low.Uint64()), Hi: new(big.Int).Rsh(n, 64).Int64()}
}

func show(v plan.Value) string {
	switch v.Base {
	case plan.Null:
		return "missing"
	case plan.String:
		if len(v.S) > 60 {
			return fmt.Sprintf("text of %d bytes", len(v.S))
		}
		return fmt.Sprintf("%q", v.S)
	case plan.Bool:
		return fmt.Sprint(v.I != 0)
	case plan.Date:
		return fmt.Sprintf("date %d", v.I)
	}
	return fmt.Sprintf("%d:%s", v.Base, plan.AppendNumber(nil, v))
}

// same compares values; floats may differ in the last digits where tolerant.
func same(a, b plan.Value, tolerant bool) bool {
	if a.Base == plan.Float && b.Base == plan.Float {
		if a.F == b.F || tolerant && math.Abs(a.F-b.F) <= 1e-14*math.Abs(b.F) {
			return true
		}
		return false
	}
	return a == b
}

// column makes a vector of n times v in one of several encodings.
func column(v plan.Value, t plan.Type, n, encoding int) *vector.Vec {
	var b vector.Buffer
	b.Vec = *repeat(v, t)
	b.N = n
	if t.Base == plan.String && encoding == 1 {
		d := col.NewDict()
		d.Add([]byte("other"))
		code := uint32(0)
		if v.Base != plan.Null {
			code, _ = d.Add([]byte(v.S))
		}
		codes := b.CodesOf(d, n)
		for i := range codes {
			codes[i] = code
		}
		b.S = nil
	}
	if v.Base == plan.Null {
		b.Bits(n)
	}
	if encoding == 2 && v.Base != plan.Null {
		ones(b.Bits(n), n) // a bitmap without a gap
	}
	cutVec(&b.Vec, n)
	return &b.Vec
}

// ops collects the operators of an expression.
func collect(e plan.Expr, into map[string]bool) {
	if x, ok := e.(*plan.Call); ok {
		into[x.Op] = true
		for _, a := range x.Args {
			collect(a, into)
		}
	}
}

func TestFunctions(t *testing.T) {
	seen := map[string]bool{}
	for _, tt := range functionCases {
		name := fmt.Sprintf("%s%.60v", tt.op, tt.args)
		want, wantType := value(t, tt.want)
		var literals, columns []plan.Expr
		var vecs [3][]*vector.Vec
		const n = 67
		for i, a := range tt.args {
			f, isFixed := a.(fixed)
			if isFixed {
				a = f.v
			}
			v, ty := value(t, a)
			l := &plan.Literal{Value: v, T: ty}
			literals = append(literals, l)
			for enc := range vecs {
				vecs[enc] = append(vecs[enc], nil)
			}
			if isFixed {
				columns = append(columns, l)
				continue
			}
			field := plan.Field{Name: fmt.Sprintf("c%d", i), Type: ty}
			if ty.Base == plan.Int || ty.Base == plan.Date {
				field.Lo, field.Hi = v.I, v.I
			}
			if ty.Base == plan.Huge {
				field.Bits = plan.HugeInt(v).BitLen()
			}
			columns = append(columns, &plan.Column{Index: i, Field: field})
			for enc := range vecs {
				vecs[enc][i] = column(v, ty, n, enc)
			}
		}
		check := func(how string, e plan.Expr, got plan.Value) {
			t.Helper()
			if want.Base == plan.Float && got.Base == plan.Float && want.F == got.F {
				return
			}
			if !same(got, want, true) {
				t.Errorf("%s %s = %s, want %s", name, how, show(got), show(want))
			}
			if tt.want != nil && wantType.Base == plan.Date && e.Type().Unit != wantType.Unit {
				t.Errorf("%s %s: unit %d, want %d", name, how, e.Type().Unit, wantType.Unit)
			}
		}
		e, err := plan.Bind(tt.op, columns)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		collect(e, seen)
		p, err := Compile(e)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		s := p.NewState()
		for enc, cols := range vecs {
			v := s.Eval(&vector.Batch{N: n, Cols: cols})
			if v.N != n {
				t.Errorf("%s: %d values, want %d", name, v.N, n)
			}
			for i := range n {
				check(fmt.Sprintf("encoding %d row %d of %s", enc, i, plan.Format(e)), e, v.Value(i))
				if t.Failed() {
					break
				}
			}
		}
		if tt.op == "in" || tt.op == "date" || tt.op == "padLeft" || tt.op == "toDate" || tt.op == "split" {
			continue // as literals these have another type or are refused
		}
		e, err = plan.Bind(tt.op, literals)
		if err != nil {
			if tt.want != nil {
				t.Errorf("%s of literals: %v", name, err)
			}
			continue
		}
		got, ok := Constant(e)
		if !ok {
			t.Errorf("%s of literals is no constant", name)
		}
		if tt.want == nil && got.Base != plan.Null || tt.want != nil && got.Base == plan.Null {
			t.Errorf("%s of literals = %s, want %s", name, show(got), show(want))
		}
	}
	for op := range builders {
		if !seen[op] {
			t.Errorf("no case reaches the operator %q", op)
		}
	}
}

// TestFunctions_EveryOneIsTested holds the table above to the registry.
func TestFunctions_EveryOneIsTested(t *testing.T) {
	tested := map[string]bool{}
	for _, c := range functionCases {
		tested[strings.ToLower(c.op)] = true
	}
	for _, op := range plan.Ops() {
		if !tested[op] {
			t.Errorf("%s has no case", op)
		}
	}
	if len(plan.Ops()) < 110 {
		t.Errorf("only %d operators: %v", len(plan.Ops()), plan.Ops())
	}
}
